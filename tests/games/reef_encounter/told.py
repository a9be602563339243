"""The handed game records, walked with the chance they tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record, read_record
from reefsim.games.reef_encounter.game import GAME

FOLDER = Path(__file__).parents[2] / "data" / "records" / "reef_encounter"
FILES = sorted(FOLDER.glob("*.jsonl"))

# How often a kind of action is taken, so that drawn games come to feeds, attacks and locks.
WEIGHTS = {
    "feed": 100,
    "grow": 20,
    "place": 10,
    "end_grow": 2,
    "shrimp_in": 10,
    "alga": 12,
    "to_larva": 3,
    "to_polyp": 2,
    "collect": 2,
}


def walk(path: Path, mode: Mode = "plain") -> Iterator[tuple[Match, int]]:
    """The match before each action of a record, and the action; at last the end and -1."""
    record = read_record(path)
    ruleset = GAME.ruleset.make(record.header["rules"], record.players)
    chance = _chance(record, 0)
    match = Match(GAME, ruleset, record.players, mode=mode, chance=chance)
    while not match.over:
        action = GAME.action_of(record.rows[match.ply])
        yield match, action
        match.apply(action, _chance(record, match.ply + 1))
    yield match, -1


def _chance(record: Record, first: int) -> list[int]:
    """The outcomes of the chance events from a ply on, up to the next action."""
    outcomes = []
    for row in record.rows[first:]:
        if GAME.events.roles[row["event"]] != "chance":
            break
        column = "value" if "value" in row else "color"
        outcomes.append(GAME.events.content(row["event"], column, row[column])[1])
    return outcomes
