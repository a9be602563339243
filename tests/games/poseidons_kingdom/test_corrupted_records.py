"""Whatever happens to a record is found at the line where its story stops being possible."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from reefsim.core.record import read_record
from reefsim.games.poseidons_kingdom.game import GAME
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
from tests.games.poseidons_kingdom.told import FOLDER

ALL = {path.stem: read_record(path) for path in sorted(FOLDER.glob("*.jsonl"))}
SHORT = ["2p_other_readings_01_strong", "3p_turn_limit_01"]
BASE = ALL["2p_base_01_eating"]
OWN = ALL["3p_own_data_01"]
# Columns that follow from the game so far: any change shows in the same line.
CONSEQUENCES = {"ply", "turn", "n_legal", "points"}

_check = partial(judged, game=GAME)
_first = partial(first, BASE)


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_line_is_found(name: str, damage: Damage) -> None:
    check_damaged_lines(ALL[name], GAME, damage, places=5)


@pytest.mark.parametrize("name", SHORT)
def test_a_changed_value_is_found(name: str) -> None:
    check_changed_values(ALL[name], GAME, CONSEQUENCES)


def test_a_value_of_another_type_is_found() -> None:
    check_other_types(ALL[SHORT[0]], GAME)


def test_a_wrong_result_is_found() -> None:
    check_wrong_results(BASE, GAME)


OCEAN = OWN.header["rules"]["ocean"]
HEADERS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown set": ({"ocean": "mine"}, "§2.1: rules.ocean: components/mine.yaml: there is no such"),
    "set without a key": (
        {"ocean": {k: v for k, v in OCEAN.items() if k != "shore"}},
        "§2.1: rules.ocean: shore is missing",
    ),
    "set under a known id": (
        {"ocean": OCEAN | {"id": "ocean_v1"}},
        "§2.1: rules.ocean.id: ocean_v1 comes with the game",
    ),
    "too few dice": ({"dice_per_player": 4}, "PK-1.1: rules.dice_per_player: 4 is outside 5-20"),
    "full tower": ({"tower_capacity": 8}, "PK-1.6: rules.setup_dice: 9 dice"),
    "no value for 2": ({"tower_capacity": {"3": 12}}, "PK-3.6: rules.tower_capacity: nothing for"),
    "coral": ({"coral": dict.fromkeys(BASE.header["rules"]["coral"], 2)}, "PK-1.10: rules.coral"),
    "order": ({"nearest_order": [1, 2, 3, 4, 5, 5]}, "PK-4.10: rules.nearest_order: "),
    "tiers": ({"reward_thresholds": [3, 7, 7, 16, 19, 23]}, "PK-6.6: rules.reward_thresholds"),
    "zones": ({"scatter": OWN.header["rules"]["scatter"] | {"weights": {"9": 1}}}, "§2.4: rules."),
    "unknown parameter": ({"dolphins": True}, "M5: rules.dolphins: unknown toggle"),
}


@pytest.mark.parametrize(("rules", "message"), HEADERS.values(), ids=HEADERS)
def test_a_wrong_header_is_found(rules: dict[str, Any], message: str) -> None:
    check_told(BASE, GAME, f"header: {message}", rules=rules)


# Rules changed to other legal values: the first line that would be another one.
CHANGED_RULES: dict[str, tuple[dict[str, Any], str]] = {
    "dice": ({"setup_dice": 2}, "ply 2: PK-6.2: owner is 0; 1 is expected"),
    "numbers": ({"coral_numbers": "2_9"}, f"ply {_first('coral')}: PK-1.10: number is 3; 2 is"),
    "tiles": ({"starting_tiles": 3}, "ply "),
    "values": ({"two_player_hard_stacks": "lowest_two"}, "ply "),
    "graveyard": ({"largest_reef": "height"}, "result of seat 0: PK-7.7: reef_size is"),
}


@pytest.mark.parametrize(("rules", "message"), CHANGED_RULES.values(), ids=CHANGED_RULES)
def test_a_record_under_other_rules_is_found(rules: dict[str, Any], message: str) -> None:
    check_told(BASE, GAME, message, rules=rules)


def test_an_illegal_action_is_explained() -> None:
    k = _first("move")
    record = copied(BASE)
    record.rows[k]["to_cell"] = record.rows[k]["cell"]
    assert f"ply {k}: PK-3.7: " in str(_check(record))
    record = copied(BASE)
    record.rows[_first("place")]["to_cell"] = "9,9"
    assert "M2: " in str(_check(record))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"zone": 8}, "cannot come up here"),
        ({"zone": 0}, "cannot come up here"),
        ({"face": 7}, "face is 7"),
    ],
)
def test_dice_fall_into_zones_that_are_there(columns: dict[str, int], message: str) -> None:
    record = copied(BASE)
    record.rows[4] |= columns
    verdict = _check(record)
    assert (verdict.ply, verdict.clause) == (4, "PK-6.2")
    assert message in verdict.message


def test_coral_that_lies_elsewhere_cannot_come_up() -> None:
    record = copied(BASE)
    first = _first("coral")
    record.rows[first + 1]["kind"] = record.rows[first]["kind"] = "trident"
    verdict = _check(record)
    assert (verdict.ply, verdict.clause) == (first + 1, "PK-1.10")
    assert "which cannot come up here" in verdict.message
