"""Records of an independent implementation replay line by line; our own can be written and read."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from reefsim.core.datafiles import looking_in
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record, make_header, read_record, write_record
from reefsim.core.replay import check_record as replay_record
from reefsim.core.replay import replay_paths
from reefsim.games import registry
from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.invariants import check_record, check_state, check_step
from tests.games.charon_inc.told import FILES, FOLDER, ruleset_of, walk
from tests.sizes import sized

MODES = [pytest.param("jitted", marks=pytest.mark.jitted), "plain"]
OWN_DATA = FOLDER / "4p_other_data_01.jsonl"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_handed_record_agrees(path: Path) -> None:
    ((_, verdict),) = replay_paths([path], registry.get)
    assert verdict.ok, str(verdict)


def test_the_handed_records_change_every_parameter() -> None:
    default = GAME.ruleset().resolved()
    changed = {
        name
        for path in FILES
        for name, value in read_record(path).header["rules"].items()
        if value != default[name]
    }
    assert changed == set(default)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_invariants_hold_over_the_records(path: Path) -> None:
    record = read_record(path)
    assert check_record(record.rows, ruleset_of(record), record.results) == []


@pytest.mark.parametrize("path", FILES[:: sized(6, 1)], ids=lambda path: path.stem)
def test_the_invariants_hold_at_every_step_of_the_records(path: Path) -> None:
    steps = [(match.plain_state(), action, match.rules) for match, action in walk(path)]
    for (before, action, rules), (after, *_) in pairwise(steps):
        assert check_state(before, rules) == []
        assert check_step(before, action, after, rules) == []
    assert check_state(steps[-1][0], steps[-1][2]) == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("own_data", [False, True], ids=["base", "own data"])
def test_a_game_that_was_played_can_be_written_and_replayed(
    own_data: bool, mode: Mode, tmp_path: Path
) -> None:
    drawn, seats = random.Random(3), 4
    told = read_record(OWN_DATA)
    ruleset = ruleset_of(told) if own_data else GAME.ruleset()
    match = Match(GAME, ruleset, seats, seed=11, mode=mode)
    while not match.over:
        match.apply(drawn.choice(match.legal_actions()))
    agents = ["one", "two", "three", "four"]
    results = [row | {"agent": agents[row["seat"]]} for row in match.results()]
    header = make_header(GAME.name, seats, ruleset.resolved(), agents, 11)
    header |= GAME.record_header(ruleset)
    assert header.get("data") == told.header["data"] if own_data else "data" not in header
    path = tmp_path / "game.jsonl"
    write_record(path, Record(header, match.events(), results))
    ((_, verdict),) = replay_paths([path], registry.get)
    assert verdict.ok, str(verdict)
    assert verdict.events == match.ply


@pytest.mark.clause("CHQ-01")
def test_a_record_may_carry_a_built_in_set_beside_its_own() -> None:
    drawn, told = random.Random(3), read_record(OWN_DATA).header["data"]["test_rectangle"]
    moon = told | {"note": "\U0001f311"}  # a note of any characters
    with looking_in(GAME.header_files({"data": {"test_rectangle": moon}})):
        ruleset = GAME.ruleset.make({"map_file": "test_rectangle", "rounds": 1}, 2)
    match = Match(GAME, ruleset, 2, seed=5)
    while not match.over:
        match.apply(drawn.choice(match.legal_actions()))
    header = make_header(GAME.name, 2, ruleset.resolved(), ["one", "two"], 5)
    results = [row | {"agent": header["agents"][row["seat"]]} for row in match.results()]

    def verdict(*cards: dict[str, Any]) -> str:
        data = {"test_rectangle": moon} | {card_set["card_set_id"]: card_set for card_set in cards}
        return str(replay_record(Record(header | {"data": data}, match.events(), results), GAME))

    built_in = GAME.ruleset().cards.content
    assert verdict().startswith("ok")
    assert verdict(built_in).startswith("ok")
    other = built_in | {"cards": built_in["cards"][::-1]}
    assert "card_file: charon_cards_v1 comes with the game and has other content" in verdict(other)
    unused = read_record(OWN_DATA).header["data"]["test_cheap"]
    assert verdict(unused).startswith("header: M4: data is ")
