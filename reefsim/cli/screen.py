"""Where commands print: width, tables, games by name, and the course of a run."""

from __future__ import annotations

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


class Lines(Progress):
    """Tells the course of a run in lines, now and then."""

    def __init__(self, out: Console) -> None:
        self.out = out
        self._done = self._total = 0
        self._first = self._start = self._told = 0.0

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

    def stopping(self) -> None:
        """Say that Ctrl-C was heard."""
        self.out.print("interrupted: finishing the games in play (again: stop now)")

    def _rate(self, now: float) -> float:
        return (self._done - self._first) / max(now - self._start, 1e-9)

    def _tell(self, rate: float) -> None:
        left = (self._total - self._done) / rate
        self.out.print(
            f"{self._done:,} of {self._total:,} games, {rate:,.0f} games/s, {left:,.0f} s left"
        )


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
            console=self.out,
            transient=True,
        )
        self._task = self._bar.add_task("", completed=done, total=total, rate="")
        self._bar.start()

    def advance(self, games: int) -> None:
        """Move the bar."""
        self._done += games
        if self._bar is not None:
            rate = f"{self._rate(time.monotonic()):,.0f} games/s"
            self._bar.update(self._task, advance=games, rate=rate)

    def finish(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def progress(quiet: bool = False) -> Progress:
    """How the course of a run is shown: a bar on a terminal, else lines; nothing if quiet."""
    if quiet:
        return Progress()
    out = console(stderr=True)
    return Bars(out) if out.is_terminal or out.is_jupyter else Lines(out)
