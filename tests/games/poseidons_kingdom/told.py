"""The handed game records, walked with the chance they tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record, read_record
from reefsim.games.poseidons_kingdom.game import GAME

FOLDER = Path(__file__).parents[2] / "data" / "records" / "poseidons_kingdom"
FILES = sorted(FOLDER.glob("*.jsonl"))
# How often a kind of action is taken, so that drawn games come to meals, crashes and coral.
WEIGHTS = {"put": 2, "eat": 4, "take": 2, "use": 2, "load": 3, "reward": 3, "buy": 4}


def ruleset_of(record: Record) -> Any:
    """The rules a record names."""
    return GAME.ruleset.make(record.header["rules"], record.players)


def walk(path: Path, mode: Mode = "plain") -> Iterator[tuple[Match, int]]:
    """The match before each action of a record, and the action; at last the end and -1."""
    record = read_record(path)
    ruleset = ruleset_of(record)
    game = GAME.under(ruleset)
    match = Match(game, ruleset, record.players, mode=mode, chance=_chance(game, record, 0))
    while not match.over:
        action = game.action_of(record.rows[match.ply])
        yield match, action
        match.apply(action, _chance(game, record, match.ply + 1))
    yield match, -1


def _chance(game: Any, record: Record, first: int) -> list[int]:
    """The outcomes of the chance events from a ply on, up to the next action."""
    outcomes = []
    for row in record.rows[first:]:
        if game.events.roles[row["event"]] != "chance":
            break
        outcomes.append(game.events.outcome(row["event"], row))
    return outcomes
