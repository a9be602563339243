"""The findings of a run in the terminal: the verdict on every seat, then the numbers around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reefsim.reporting import sentences
from reefsim.reporting.answers import answers_table, secondary_rows, targets_table
from reefsim.reporting.findings import Findings, Run, find, records
from reefsim.reporting.notes import caveat_notes, primary_note
from reefsim.reporting.numbers import count, decimal, percent, signed, span, whole
from reefsim.reporting.words import cause_name, counted, line_up
from reefsim.stats.verdict import Call, about, seat_name

_STYLES = {
    Call.FAIR: "green",
    Call.SMALL: "green",
    Call.UNFAIR: "bold red",
    Call.FAVOURS: "yellow",
    Call.DIFFERS: "yellow",
    Call.SUPERIOR: "green",
    Call.INFERIOR: "bold red",
    Call.OPEN: "cyan",
    Call.NONE: "dim",
}
_INTERVAL = "95 %"


def print_summary(run: Run, console: Console, found: Findings | None = None) -> None:
    """Print what a run found: seats, lengths, ends and, with a baseline, what changed.

    Parameters
    ----------
    run : an open run
    console : where to print; its width decides where lines wrap
    found : what it found, if that is known already
    """
    found = found or find(run)
    info = found.info
    console.print(Text(info.question, style="bold"))
    if not found.num_games:
        console.print("No game is finished yet.")
        return
    unanswered = "" if len(found.answers) else primary_note(info)
    notes = [unanswered, *caveat_notes(info), *_cautions(found)]
    for note in filter(None, notes):
        console.print(Text(note, style="yellow"))
    if len(found.answers):
        console.print(primary_table(found))
    if len(found.targets):
        console.print(wanted_table(found))
    console.print(seats_table(found))
    if len(found.agents):
        console.print(agents_table(found))
    console.print(length_table(found))
    console.print(ends_table(found))
    if len(found.comparisons):
        console.print(changes_table(found))
    if len(found.answers) and (found.answers["role"] == "secondary").any():
        console.print(secondary_table(found))
    tables = "; ".join(sorted({line_up(arm) for arm in info.arms}))
    closing = f"{counted(found.num_games, 'games')} by {tables}. Agents are not people."
    console.print(Text(closing, style="dim"))


def primary_table(found: Findings) -> Table:
    """Answers to the primary outcomes: one row per claim and arm."""
    rows = records(found.answers, role="primary")
    table = _answers("Answers to what was asked", rows)
    notes = sorted({f"{row['arm']}: {row['note']}" for row in rows if row["note"]})
    if any(row["method"] == "anytime" for row in rows):
        level = percent(float(rows[0]["level"]), 2)
        notes.append(f"the run stopped on these claims: {level} intervals that hold at every look")
    table.caption = "; ".join(notes) or None
    return table


def secondary_table(found: Findings) -> Table:
    """Secondary outcomes: each arm, and how it differs from the baseline."""
    rows = records(found.answers, role="secondary")
    corrections = sorted({str(row["correction"]) for row in rows if row["correction"]})
    table = new_table(
        "Secondary outcomes",
        ["outcome", "arm"],
        ["now", _INTERVAL, "against baseline", "95 % of it", f"p ({', '.join(corrections)})"],
    )
    if not corrections:
        table = new_table("Secondary outcomes", ["outcome", "arm"], ["now", _INTERVAL])
    secondary_rows(rows, table, compared=bool(corrections))
    return table


def _answers(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    level = f"{100 * float(rows[0]['level']):.4g} %" if rows else _INTERVAL
    corrections = sorted({str(row["correction"]) for row in rows if row["correction"]})
    p = f"p ({', '.join(corrections)})" if corrections else "p"
    table = new_table(title, ["arm", "outcome"], ["estimate", level, "replicates", p], ["answer"])
    answers_table(rows, table)
    return table


def wanted_table(found: Findings) -> Table:
    """Targets: wanted, now with interval, inside or outside or not yet known."""
    table = new_table(
        "Targets", ["arm", "target"], ["wanted", "now", _INTERVAL, "replicates"], ["status"]
    )
    targets_table(records(found.targets), table)
    return table


def seats_table(found: Findings) -> Table:
    """Win share of every seat with interval, games, verdict, and the replicates it still needs."""
    info = found.info
    title = f"Seats: fair would be {percent(1 / info.seats)} ± {decimal(info.margin_pp)} pp"
    table = _Table(
        found, title, ["seat"], ["wins", _INTERVAL, "games"], ["verdict"], ["replicates to go"]
    )
    for row in records(found.seats):
        verdict = Text(sentences.short_verdict(row), style=_STYLES[Call(row["call"])])
        more = "" if pd.isna(row["more"]) else about(int(row["more"])).replace("about ", "+")
        seat = seat_name(row["seat"]).removeprefix("the ").removesuffix(" seat")
        table.add(row["arm"], seat, *_share(row), verdict, more)
    return table.table


def agents_table(found: Findings) -> Table:
    """Win share of every agent of a mixed line-up, per place it holds."""
    title = f"Agents: wins per place (equal: {percent(1 / found.info.seats)})"
    table = _Table(found, title, ["agent"], ["wins", _INTERVAL, "games"])
    for row in records(found.agents):
        table.add(row["arm"], row["agent"], *_share(row))
    return table.table


def length_table(found: Findings) -> Table:
    """Lengths: median with interval, the middle nine tenths, and games that were cut short."""
    numbers = ["median", _INTERVAL, "5 % to 95 %", "longest", "cut short", "games"]
    table = _Table(found, "Length", ["unit"], numbers)
    for row in records(found.length):
        # a level that only truncated games reach is a lower bound
        median, tail = ("≥" if row["beyond"] <= level else "" for level in (0.5, 0.95))
        table.add(
            row["arm"],
            row["measure"],
            median + whole(row["q50"]),
            span(row["low"], row["high"], digits=0),
            f"{whole(row['q05'])} to {tail}{whole(row['q95'])}",
            ("≥" if row["truncated"] else "") + whole(row["max"]),
            count(row["truncated"]),
            count(row["games"]),
        )
    return table.table


def ends_table(found: Findings) -> Table:
    """Causes of the end, and how often the seat that ends a game wins it."""
    table = _Table(found, "Ends", ["cause"], ["share", _INTERVAL, "games"])
    for arm in found.info.arms:
        for row in records(found.ends, arm=arm.name):
            table.add(arm.name, cause_name(row["end_cause"]), *_share(row))
        for row in records(found.enders, arm=arm.name):
            table.add(arm.name, Text("who ends it, wins it", style="italic"), *_share(row))
    return table.table


def changes_table(found: Findings) -> Table:
    """Differences from the baseline, and what pairing was worth."""
    baselines = sorted(set(found.info.baselines.values()))
    title = f"Against {' and '.join(baselines)}"
    numbers = ["difference", _INTERVAL, "replicates", "gain"]
    table = _Table(found, title, ["measure"], numbers)
    for row in records(found.comparisons):
        scale, unit = (100, "pp") if row["unit"] == "share" else (1, row["unit"])
        table.add(
            row["arm"],
            row["measure"].replace("_", " "),
            f"{signed(scale * row['difference'])} {unit}",
            span(row["low"], row["high"], scale),
            f"{count(row['replicates'])} {'pairs' if row['paired'] else 'each'}",
            decimal(row["gain"]),
        )
    notes = sorted(set(found.comparisons["note"]) - {""})
    table.table.caption = "; ".join(notes) or None
    return table.table


def new_table(
    title: str, names: Sequence[str], numbers: Sequence[str], words: Sequence[str] = ()
) -> Table:
    """Build an empty table: columns of names, of numbers that never wrap, and of words."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        header_style="dim",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for name in names:
        table.add_column(name, min_width=10)
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    for name in words:
        table.add_column(name, min_width=10)
    return table


class _Table:
    """A table that names the arm once, above its rows, and not at all if there is one arm."""

    def __init__(
        self,
        found: Findings,
        title: str,
        names: Sequence[str],
        numbers: Sequence[str],
        words: Sequence[str] = (),
        after: Sequence[str] = (),
    ) -> None:
        self.has_arms = len(found.info.arms) > 1
        self.last = ""
        self.table = new_table(title, names, numbers, words)
        self.indent = "  " if self.has_arms else ""
        for name in after:
            self.table.add_column(name, justify="right", min_width=10)

    def add(self, arm: str, name: str | Text, *cells: str | Text) -> None:
        """Add a row of an arm; rows of an arm stand together."""
        if self.has_arms and arm != self.last:
            self.table.add_row(Text(arm, style="bold"))
        self.last = arm
        self.table.add_row(Text(self.indent).append(name), *cells)


def _share(row: dict[str, Any]) -> tuple[str, str, str]:
    """Share, interval and games: never one without the others."""
    return percent(row["share"]), span(row["low"], row["high"], 100), count(row["games"])


def _cautions(found: Findings) -> list[str]:
    lines = {
        f"{row['arm']}: {caution}"
        for row in records(found.seats)
        if (caution := sentences.caution(row))
    }
    return sorted(lines)
