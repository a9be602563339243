"""The handed game records, walked with the chance they tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reefsim.core.datafiles import looking_in
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record, read_record
from reefsim.games.charon_inc.game import GAME

FOLDER = Path(__file__).parents[2] / "data" / "records" / "charon_inc"
FILES = sorted(FOLDER.glob("*.jsonl"))
# How often a kind of action is taken, so that drawn games come to buildings as well as to trades.
WEIGHTS = {"build": 6, "end_build": 2, "synchrotron": 3, "exchange": 3, "a1_move": 2}


def ruleset_of(record: Record) -> Any:
    """The rules a record names, with the data sets it carries."""
    with looking_in(GAME.header_files(record.header)):
        return GAME.ruleset.make(record.header["rules"], record.players)


def walk(path: Path, mode: Mode = "plain") -> Iterator[tuple[Match, int]]:
    """The match before each action of a record, and the action; at last the end and -1."""
    record = read_record(path)
    ruleset = ruleset_of(record)
    events = GAME.under(ruleset).events

    def chance(first: int) -> list[int]:
        """The outcomes of the chance events from a ply on, up to the next action."""
        outcomes = []
        for row in record.rows[first:]:
            if events.roles[row["event"]] != "chance":
                break
            column = "color" if row["event"] == "seed" else "card"
            outcomes.append(events.content(row["event"], column, row[column])[1])
        return outcomes

    match = Match(GAME, ruleset, record.players, mode=mode, chance=chance(0))
    while not match.over:
        action = match.game.action_of(record.rows[match.ply])
        yield match, action
        match.apply(action, chance(match.ply + 1))
    yield match, -1
