"""Where commands print: width, tables, games by name, and the course of a run."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reefsim.games import registry
from reefsim.games.registry import GameInfo
from reefsim.sim.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from reefsim.sim.look import Look

_FILE_WIDTH = 160  # of output that goes to a file or pipe
_LINE_S = 10.0  # between lines of progress where there is no terminal


def console(*, stderr: bool = False) -> Console:
    """Where to print; what is not a terminal gets wide lines."""
    found = Console(stderr=stderr, highlight=False)
    if not found.is_terminal:
        found = Console(stderr=stderr, highlight=False, width=_FILE_WIDTH)
    return found


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: str = "") -> Table:
    """Build a plain table; the columns named in `right` are numbers."""
    found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        found.add_column(column, justify="right" if column in right.split() else "left")
    for row in rows:
        found.add_row(*(Text(str(cell)) for cell in row))
    return found


def records_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Build a table of mappings with the same keys."""
    return table(list(rows[0]) if rows else [], [list(row.values()) for row in rows])


def find_game(name: str | None) -> GameInfo:
    """Find a game by name; None is the first one."""
    try:
        return registry.info(name or registry.names()[0])
    except KeyError as error:
        raise typer.BadParameter(error.args[0]) from error


def tell_caveats(*manifests: Mapping[str, Any]) -> None:
    """Say what the games of these runs say that every output has to say."""
    arms = (arm for manifest in manifests for arm in manifest["arms"])
    for caveat in dict.fromkeys(caveat for arm in arms for caveat in arm.get("caveats", ())):
        console().print(f"note: {caveat}", style="yellow", markup=False)


def next_step(command: str, quiet: bool = False) -> None:
    """Name the command that comes next."""
    if not quiet:
        typer.echo(f"next: {command}")


def duration(seconds: float) -> str:
    """Word a forecast of time.

    >>> duration(43.2), duration(760), duration(9000)
    ('43 s', '13 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def seen(look: Look, seconds: float | None = None) -> str:
    """What a look saw, and when it will be enough: '±1.6 pp now, ±1.0 pp in about 12 min'.

    Parameters
    ----------
    look : the last one
    seconds : until the run is expected to end; None if that is not known
    """
    when = "" if seconds is None else f" in about {duration(seconds)}"
    if look.claims:
        if not look.undecided:
            return f"all {look.claims} claims are decided"
        open_ = f"{look.undecided} of {look.claims} claims are open"
        return f"{open_}, decided{when} if the estimates stay" if when else open_
    parts = []
    for width in look.widths:
        scale, unit = (100, " pp") if width.is_share else (1, "")
        wide = f"{width.metric} ±{scale * width.now:.2g}{unit} now"
        is_enough = width.now <= width.wanted
        parts.append(wide if is_enough else f"{wide}, ±{scale * width.wanted:.2g}{unit}{when}")
    return "; ".join(parts)


class Lines(Progress):
    """Tells the course of a run in lines, now and then."""

    def __init__(self, out: Console) -> None:
        self.out = out
        self._done = self._total = 0
        self._first = self._start = self._told = 0.0
        self._look: Look | None = None

    def compiling(self) -> None:
        """Say why nothing happens."""
        self.out.print("compiling the rules and players (once, about a minute)")

    def compiled(self, seconds: float) -> None:
        """Say how long it took."""
        self.out.print(f"compiled in {seconds:.0f} s; kept for the next time")

    def tuning(self, ruleset: str, done: int, generations: int) -> None:
        """Say how far the tuning is."""
        if done == 0 or done == generations or time.monotonic() - self._told > _LINE_S:
            self._told = time.monotonic()
            self.out.print(f"tuning players for {ruleset}: generation {done} of {generations}")

    def start(self, done: int, total: int) -> None:
        """Say what there is to do."""
        self._done, self._total, self._first = done, total, done
        self._start = self._told = time.monotonic()
        self._look = None  # of a run before this one
        if done == total:
            self.out.print(f"all {total:,} games are there already")
        elif done:
            self.out.print(f"{done:,} of {total:,} games are there already")

    def advance(self, games: int) -> None:
        """Tell how far the run is, if it was told long ago."""
        self._done += games
        now = time.monotonic()
        if now - self._told > _LINE_S:
            self._told = now
            self._tell(self._rate(now))

    def looked(self, look: Look, games: int, expected: int) -> None:
        """Keep what was seen, and how many games that makes expected."""
        self._look, self._total = look, expected
        if look.stopped_by in ("precision", "decision", "max") and look.number:
            why = {"max": "the most replicates were played"}.get(look.stopped_by, seen(look))
            self.out.print(f"stopped after {look.replicates:,} replicates of every arm: {why}")

    def stopping(self) -> None:
        """Say that Ctrl-C was heard."""
        self.out.print("interrupted: finishing the games in play (again: stop now)")

    def _rate(self, now: float) -> float:
        return (self._done - self._first) / max(now - self._start, 1e-9)

    def _left(self, rate: float) -> float:
        """Seconds until the games that are expected are played."""
        return max(0, self._total - self._done) / max(rate, 1e-9)

    def _tell(self, rate: float) -> None:
        left = self._left(rate)
        about = "" if self._look is None else "about "
        line = (
            f"{self._done:,} of {about}{self._total:,} games, {rate:,.0f} games/s, "
            f"{duration(left)} left"
        )
        more = "" if self._look is None else seen(self._look, left)
        self.out.print("; ".join(filter(None, (line, more))))


class Bars(Lines):
    """Shows the course of a run as a bar on a terminal."""

    _bar: Bar | None = None
    _task: TaskID

    def start(self, done: int, total: int) -> None:
        """Show the bar."""
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        super().start(done, total)
        if done == total:
            return
        self._bar = Bar(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[seen]}"),
            console=self.out,
            transient=True,
        )
        self._task = self._bar.add_task("", completed=done, total=total, rate="", seen="")
        self._bar.start()

    def advance(self, games: int) -> None:
        """Move the bar."""
        self._done += games
        if self._bar is not None:
            rate = f"{self._rate(time.monotonic()):,.0f} games/s"
            self._bar.update(self._task, advance=games, rate=rate)

    def looked(self, look: Look, games: int, expected: int) -> None:
        """Show what was seen; the bar grows to the games that are now expected."""
        super().looked(look, games, expected)
        if self._bar is not None:
            left = self._left(self._rate(time.monotonic()))
            self._bar.update(self._task, total=expected, seen=seen(look, left))

    def finish(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


class JsonLines(Lines):
    """Tells the course of a run in lines for programs."""

    def _say(self, event: str, **more: Any) -> None:
        typer.echo(json.dumps({"event": event, **more}), err=True)

    def compiling(self) -> None:
        """Say why nothing happens."""
        self._say("compiling")

    def compiled(self, seconds: float) -> None:
        """Say how long it took."""
        self._say("compiled", seconds=round(seconds, 1))

    def tuning(self, ruleset: str, done: int, generations: int) -> None:
        """Say how far the tuning is."""
        self._say("tuning", ruleset=ruleset, generation=done, generations=generations)

    def start(self, done: int, total: int) -> None:
        """Say what there is to do."""
        self._done, self._total, self._first = done, total, done
        self._start = self._told = time.monotonic()
        self._look = None
        self._say("start", games=done, most=total)

    def looked(self, look: Look, games: int, expected: int) -> None:
        """Say what was seen."""
        self._look, self._total = look, expected
        widths = [{"metric": w.metric, "now": w.now, "wanted": w.wanted} for w in look.widths]
        more = {"widths": widths, "claims": look.claims, "undecided": look.undecided}
        self._say("look", **look.resolved(), games=games, expected=expected, **more)

    def stopping(self) -> None:
        """Say that Ctrl-C was heard."""
        self._say("stopping")

    def _tell(self, rate: float) -> None:
        left = round(self._left(rate), 1)
        self._say("games", games=self._done, expected=self._total, seconds_left=left)


def progress(quiet: bool = False, as_json: bool = False) -> Progress:
    """How the course of a run is shown: a bar on a terminal, else lines; nothing if quiet."""
    if quiet:
        return Progress()
    out = console(stderr=True)
    if as_json:
        return JsonLines(out)
    return Bars(out) if out.is_terminal or out.is_jupyter else Lines(out)


def plain_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a table as JSON holds them: what is missing or infinite becomes null."""
    import math

    import pandas as pd

    def value(item: Any) -> Any:
        if item is None or item is pd.NA:
            return None
        if hasattr(item, "item"):
            item = item.item()
        return None if isinstance(item, float) and not math.isfinite(item) else item

    return [{str(name): value(item) for name, item in row.items()} for row in rows]
