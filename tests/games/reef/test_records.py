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
from reefsim.games.reef import decks
from reefsim.games.reef.game import GAME
from reefsim.games.reef.invariants import check_record as broken
from tests.games.reef.told import FILES, ruleset_of

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
    assert {row["event"] for row in rows} == set(GAME.events.codes)
    assert {row["value"] for row in rows if row["event"] == "end"} == set(GAME.end_causes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_invariants_hold_over_the_records(path: Path) -> None:
    record = read_record(path)
    assert broken(record.rows, ruleset_of(record), record.results) == []


def test_the_header_names_the_deck() -> None:
    header = read_record(FILES[0]).header
    assert header["deck_hash"] == decks.find(decks.RECONSTRUCTED).hash == "3f2eff204f1ad74b"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("own_deck", [False, True], ids=["base", "own deck"])
def test_a_game_that_was_played_can_be_written_and_replayed(
    own_deck: bool, mode: Mode, tmp_path: Path
) -> None:
    drawn, seats = random.Random(3), 3
    files = {"decks/few.csv": _few_cards()} if own_deck else {}
    with looking_in(files):
        rules = {"deck_id": "few", "setup_mode": "free"} if own_deck else {}
        ruleset = GAME.ruleset.make(rules, seats)
    assert ruleset.data_files() == files
    match = Match(GAME, ruleset, seats, seed=11, mode=mode)
    while not match.over:
        match.apply(drawn.choice(match.legal_actions()))
    agents = ["ann", "bob", "cy"]
    results = [row | {"agent": agents[row["seat"]]} for row in match.results()]
    header = make_header(GAME.name, seats, ruleset.resolved(), agents, 11)
    header |= GAME.record_header(ruleset)
    path = tmp_path / "game.jsonl"
    write_record(path, Record(header, match.events(), results))
    ((_, verdict),) = replay_paths([path], registry.get)
    assert verdict.ok, str(verdict)
    assert verdict.events == match.ply


def _few_cards() -> str:
    lines = decks.find(decks.RECONSTRUCTED).text.splitlines()
    return "".join(f"{line}\n" for line in [lines[0], *lines[30:60:2]])
