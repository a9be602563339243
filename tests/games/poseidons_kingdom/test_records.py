"""The engine plays the handed game records, line by line, and writes records of its own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from reefsim.core.datafiles import looking_in
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record, make_header, read_record, write_record
from reefsim.core.replay import check_record, replay_paths
from reefsim.games import registry
from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.games.poseidons_kingdom.invariants import check_record as broken
from tests.games.poseidons_kingdom.told import FILES, ruleset_of

MODES = ["plain", pytest.param("jitted", marks=pytest.mark.jitted)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_handed_record_is_a_game_of_the_engine(path: Path, mode: Mode) -> None:
    record = read_record(path)
    verdict = check_record(record, GAME, mode)
    end = record.rows[-1]["value"]
    assert str(verdict) == f"ok, {len(record.rows)} events, {record.players} players, {end}"


def test_the_records_reach_every_event_and_every_end() -> None:
    rows = [row for path in FILES for row in read_record(path).rows]
    # a straight that could grow and is left at that is shown by an example
    assert {row["event"] for row in rows} == set(GAME.events.codes) - {"end_meal"}
    assert {row["value"] for row in rows if row["event"] == "end"} == set(GAME.end_causes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_invariants_hold_over_the_records(path: Path) -> None:
    record = read_record(path)
    assert broken(record.rows, ruleset_of(record), record.results) == []


SCATTER = "id: shallow\np_off: 0.2\nweights: {1: 3, 2: 2, 3: 1, 7: 1}\n"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("own", [False, True], ids=["base", "own data"])
def test_a_game_that_was_played_can_be_written_and_replayed(
    own: bool, mode: Mode, tmp_path: Path
) -> None:
    drawn, seats = random.Random(3), 3
    files = {"components/shallow.yaml": SCATTER} if own else {}
    with looking_in(files):
        rules = {"scatter": "shallow", "max_turns_per_player": 20} if own else {}
        ruleset = GAME.ruleset.make(rules, seats)
    assert ruleset.data_files() == files
    match = Match(GAME, ruleset, seats, seed=11, mode=mode)
    while not match.over:
        match.apply(drawn.choice(match.legal_actions()))
    agents = ["ann", "bob", "cy"]
    results = [row | {"agent": agents[row["seat"]]} for row in match.results()]
    header = make_header(GAME.name, seats, ruleset.resolved(), agents, 11)
    assert isinstance(header["rules"]["scatter"], dict) == own
    path = tmp_path / "game.jsonl"
    write_record(path, Record(header, match.events(), results))
    ((_, verdict),) = replay_paths([path], registry.get)
    assert verdict.ok, str(verdict)
    assert verdict.events == match.ply
