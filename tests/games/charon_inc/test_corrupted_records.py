"""Whatever happens to a record is found at the line where its story stops being possible."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from reefsim.core.record import read_record
from reefsim.games.charon_inc.game import GAME
from tests.games.charon_inc.told import FOLDER
from tests.games.damage import (
    DAMAGES,
    Damage,
    check_changed_values,
    check_damaged_lines,
    check_other_types,
    check_told,
    check_wrong_results,
    copied,
    first,
    judged,
)

ALL = {path.stem: read_record(path) for path in sorted(FOLDER.glob("*.jsonl"))}
SHORT = ["2p_few_cards_01", "2p_base_01", "3p_three_flags_01_top_card"]
BASE = ALL["2p_base_01"]
OWN = ALL["4p_other_data_01"]
# Columns that follow from the game so far: any change shows in the same line.
CONSEQUENCES = {"ply", "turn", "round", "seat", "n_legal"}

_check = partial(judged, game=GAME)
_first = partial(first, BASE)


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_line_is_found(name: str, damage: Damage) -> None:
    check_damaged_lines(ALL[name], GAME, damage, places=4)


@pytest.mark.parametrize("name", SHORT)
def test_a_changed_value_is_found(name: str) -> None:
    check_changed_values(ALL[name], GAME, CONSEQUENCES)


def test_a_value_of_another_type_is_found() -> None:
    check_other_types(ALL["2p_base_01"], GAME)


def test_a_wrong_result_is_found() -> None:
    check_wrong_results(BASE, GAME)


MAP = OWN.header["data"]["test_rectangle"]
HEADERS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "unknown map": ({}, {"map_file": "mine"}, "§2.1: rules.map_file: there is no map 'mine' among"),
    "a map too many": ({"data": {"test_rectangle": MAP}}, {}, "M4: key 'data' has no place here"),
    "built-in id": (
        {"data": {"charon_map_v1": MAP}},
        {},
        "§2.1: rules.map_file: charon_map_v1 comes with the game and has other content",
    ),
    "no map of data": ({"data": []}, {}, "M4: data is no map from ids of data sets"),
    "an id that is none": ({"data": {"../x": MAP}}, {}, "M4: data: '../x' is no id of a data set"),
    "few gems": ({}, {"gems_per_color": 9}, "CH-1.4: rules.gems_per_color: 9 is outside 10-40"),
    "bag": ({}, {"bag_per_color": 1}, "CH-1.5: rules.bag_per_color: 8 regions are in play"),
    "no parameter": ({}, {"rims": True}, "M5: rules.rims: unknown toggle"),
    "key more": ({"rounds": 3}, {}, "M4: key 'rounds' has no place in the header"),
}


@pytest.mark.parametrize(("header", "rules", "message"), HEADERS.values(), ids=HEADERS)
def test_a_wrong_header_is_found(
    header: dict[str, Any], rules: dict[str, Any], message: str
) -> None:
    check_told(BASE, GAME, f"header: {message}", rules=rules, header=header)


def test_data_sets_that_are_not_told_or_told_wrong_are_found() -> None:
    record = copied(OWN)
    del record.header["data"]
    assert "there is no map 'test_rectangle'" in str(_check(record))
    record = copied(OWN)
    record.header["data"]["test_rectangle"]["regions"][0]["slots"] = 4
    assert "slots: 4 is outside 1-3" in str(_check(record))
    record = copied(OWN)
    record.header["data"]["test_rectangle"]["regions"][0]["slots"] = 2
    assert "data/" not in str(_check(record))
    assert _check(record).ply == 0  # two gems on R01, the record tells of one


# Rules changed to other legal values: the first line that would be another one.
CHANGED_RULES: dict[str, tuple[dict[str, Any], str]] = {
    "buried": ({"buried_cards": 1}, f"ply {_first('bury') + 1}: CH-1.8: found bury; deal of"),
    "hand": ({"hand_first_round": 2}, f"ply {_first('deal', seat=0) + 2}: CH-1.8: seat is 0; 1 is"),
    "spots": (
        {"edge_of_play_spots": "all_in_play"},
        f"ply {_first('place')}: M2: n_legal is 225; 105 actions are legal: place 105",
    ),
    "placements": ({"placements": 3}, f"ply {_first('place', seat=1, turn=6) + 1}: CH-3.4: found"),
    "clear": ({"a2_clear_gems": 0}, f"ply {_first('clear')}: CH-4.8: found clear of seat 0; order"),
    "limit": ({"storage_limit": 1}, f"ply {_first('keep', gems='YY')}: CH-6.1: 'keep YY' is not"),
    "rounds": ({"rounds": 3}, f"ply {_first('keep', round=3)}: CH-7.1: found keep of seat"),
}


@pytest.mark.parametrize(("rules", "message"), CHANGED_RULES.values(), ids=CHANGED_RULES)
def test_other_rules_show_in_the_first_line_they_change(
    rules: dict[str, Any], message: str
) -> None:
    check_told(BASE, GAME, message, rules=rules)


def test_an_illegal_action_is_explained() -> None:
    record = copied(BASE)
    k = _first("place", seat=1)
    record.rows[k]["spot"] = record.rows[k - 1]["spot"]
    assert f"ply {k}: CH-3.2: 'place A3 X08' is not legal: a flag is there" in str(_check(record))
    record = copied(BASE)
    k = _first("build")
    record.rows[k]["gems"] = "BY"
    assert str(_check(record)).startswith(
        f"ply {k}: M2: 'BY' does not pay B09E, which costs BGGKKK"
    )
    record.rows[k]["card"] = "B99"
    assert str(_check(record)).startswith(f"ply {k}: CH-5.4: card is 'B99'; allowed: B02A to B12E")


def test_a_card_that_was_seen_cannot_come_again() -> None:
    record = copied(BASE)
    record.rows[_first("draw")]["card"] = record.rows[_first("bury")]["card"]
    verdict = _check(record)
    assert (verdict.ply, verdict.clause) == (_first("draw"), "CH-6.4")
    assert "which cannot come up here" in verdict.message
