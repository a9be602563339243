"""The game records handed with each game, walked with the chance they tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reefsim.core.datafiles import looking_in
from reefsim.core.game import Game
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record, read_record

RECORDS = Path(__file__).parents[1] / "data" / "records"


def ruleset_of(game: Game, record: Record) -> Any:
    """The rules a record names, with the data files it carries."""
    with looking_in(game.header_files(record.header)):
        return game.ruleset.make(record.header["rules"], record.players)


def walk(game: Game, path: Path, mode: Mode = "plain") -> Iterator[tuple[Match, int]]:
    """The match before each action of a record, and the action; at last the end and -1."""
    record = read_record(path)
    ruleset = ruleset_of(game, record)
    game = game.under(ruleset)
    match = Match(game, ruleset, record.players, mode=mode, chance=_chance(game, record, 0))
    while not match.over:
        action = game.action_of(record.rows[match.ply])
        yield match, action
        match.apply(action, _chance(game, record, match.ply + 1))
    yield match, -1


def _chance(game: Game, record: Record, first: int) -> list[int]:
    """The outcomes of the chance events from a ply on, up to the next action."""
    outcomes = []
    for row in record.rows[first:]:
        if game.events.roles[row["event"]] != "chance":
            break
        outcome = game.events.outcome(row["event"], row)
        assert outcome is not None, row
        outcomes.append(outcome)
    return outcomes
