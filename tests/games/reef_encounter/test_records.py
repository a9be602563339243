"""The engine plays the handed game records, line by line, and writes records of its own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record, make_header, read_record, write_record
from reefsim.core.replay import check_record, replay_paths
from reefsim.errors import RecordError
from reefsim.games import registry
from reefsim.games.reef_encounter.game import GAME

RECORDS = Path(__file__).parents[2] / "data" / "records" / "reef_encounter"
FILES = sorted(RECORDS.glob("*.jsonl"))
MODES = ["plain", pytest.param("jitted", marks=pytest.mark.jitted)]
RULES = [{}, {"initial_hand": [4, 4, 9], "boards": ["R3", "R1", "R3"], "growth_optional": True}]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_handed_record_is_a_game_of_the_engine(path: Path, mode: Mode) -> None:
    record = read_record(path)
    verdict = check_record(record, GAME, mode)
    end = record.rows[-1]["value"]
    assert str(verdict) == f"ok, {len(record.rows)} events, {record.players} players, {end}"


def test_the_records_reach_every_event_and_every_end() -> None:
    rows = [row for path in FILES for row in read_record(path).rows]
    assert {row["event"] for row in rows} == set(GAME.events.codes)
    assert {row["value"] for row in rows if row["event"] == "end"} == set(GAME.end_causes)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rules", RULES, ids=["base", "odd"])
def test_a_game_that_was_played_can_be_written_and_replayed(
    rules: dict[str, object], mode: Mode, tmp_path: Path
) -> None:
    drawn, seats = random.Random(3), 3
    ruleset = GAME.ruleset.make(rules, seats)
    match = Match(GAME, ruleset, seats, seed=11, mode=mode)
    while not match.over:
        match.apply(drawn.choice(match.legal_actions()))
    agents = ["ann", "bob", "cy"]
    results = [row | {"agent": agents[row["seat"]]} for row in match.results()]
    header = make_header(GAME.name, seats, ruleset.resolved(), agents, 11)
    path = tmp_path / "game.jsonl"
    write_record(path, Record(header, match.events(), results))
    ((_, verdict),) = replay_paths([path], registry.get)
    assert verdict.ok, str(verdict)
    assert verdict.events == match.ply


def test_a_record_for_too_many_players_cannot_be_judged() -> None:
    record = Record(make_header(GAME.name, 7, {}, []), path="game.jsonl", line=4)
    with pytest.raises(RecordError, match=r"game\.jsonl:4: players: 7; Reef Encounter is for 2 to"):
        check_record(record, GAME)
