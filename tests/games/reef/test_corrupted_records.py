"""Whatever happens to a record is found at the line where its story stops being possible."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from reefsim.core.record import Record, read_record
from reefsim.games.reef.game import GAME
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
from tests.games.reef.told import FOLDER

ALL = {path.stem: read_record(path) for path in sorted(FOLDER.glob("*.jsonl"))}
SHORT = ["2p_scan_01_turn_limit", "4p_one_card_display_01_pass", "2p_by_hand_01"]
BASE = ALL["2p_base_01"]
OWN = ALL["3p_other_deck_01_mirror"]
# Columns that follow from the game so far: any change shows in the same line.
CONSEQUENCES = {"ply", "turn", "seat", "n_legal", "points"}

_check = partial(judged, game=GAME)
_first = partial(first, BASE)


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_line_is_found(name: str, damage: Damage) -> None:
    check_damaged_lines(ALL[name], GAME, damage)


@pytest.mark.parametrize("name", SHORT)
def test_a_changed_value_is_found(name: str) -> None:
    check_changed_values(ALL[name], GAME, CONSEQUENCES)


def test_a_value_of_another_type_is_found() -> None:
    check_other_types(ALL[SHORT[2]], GAME)


def test_a_wrong_result_is_found() -> None:
    check_wrong_results(BASE, GAME)


HEADERS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "another hash": ({"deck_hash": "0" * 16}, {}, "M4: deck_hash is '0000000000000000'; '3f2e"),
    "cards of a shipped deck": ({"cards": BASE.rows[:0]}, {}, "§2: rules.deck_id: decks/recon"),
    "unknown deck": ({}, {"deck_id": "mine"}, "§2: rules.deck_id: decks/mine.csv: there is no"),
    "the printed deck": ({}, {"deck_id": "official-2018"}, "§2: rules.deck_id: decks/official"),
    "few pieces": ({}, {"coral_per_color": 2}, "R1.1: rules.coral_per_color: 2 is outside 3-60"),
    "too large a hand": ({}, {"start_hand": 5}, "R1.4: rules.start_hand: 5 cards are dealt"),
    "points for three": ({}, {"start_points": [3, 3, 3]}, "R1.3: rules.start_points: 3 values"),
    "unknown parameter": ({}, {"hand_limits": 4}, "M5: rules.hand_limits: unknown toggle"),
    "key more": ({"rounds": 3}, {}, "M4: key 'rounds' has no place in the header"),
}


@pytest.mark.parametrize(("header", "rules", "message"), HEADERS.values(), ids=HEADERS)
def test_a_wrong_header_is_found(
    header: dict[str, Any], rules: dict[str, Any], message: str
) -> None:
    check_told(BASE, GAME, f"header: {message}", rules=rules, header=header)


def _without(key: str) -> Record:
    record = copied(OWN)
    del record.header[key]
    return record


def test_a_deck_that_is_not_told_or_told_wrong_is_found() -> None:
    assert "there is no such deck file" in str(_check(_without("cards")))
    assert "key 'deck_hash' is missing" in str(_check(_without("deck_hash")))
    record = copied(OWN)
    record.header["cards"][1] = "M01,G,R,pattern,0:0:Y:2+,21,F1_size,-"
    assert "points '21': a whole number 0-20" in str(_check(record))
    record = copied(OWN)
    record.header["cards"][1] = "M01,G,R,pattern,0:0:Y:2+,3,F1_size,-"
    assert "deck_hash is" in str(_check(record))
    for wrong in ("M00", [1], ["a\nb"]):
        record = copied(OWN)
        record.header["cards"] = wrong
        assert "cards is no list of the lines of a deck file" in str(_check(record))


# Rules changed to other legal values: the first line that would be another one.
CHANGED_RULES: dict[str, tuple[dict[str, Any], str]] = {
    "start hand": ({"start_hand": 1}, f"ply {_first('deal', seat=0) + 1}: R1.4: seat is 0; 1 is"),
    "display": ({"display_size": 2}, f"ply {_first('top') - 1}: R1.8: found display; top comes"),
    "price": ({"deck_card_price": 2}, "ply "),
    "hand scoring": ({"final_hand_scoring": "none"}, f"ply {_first('hand_card')}: R7.1: found"),
    "points": ({"start_points": 4}, "result of seat 0: R7.5: score is 43; 44 is expected"),
    "limit": ({"max_turns": 9}, f"ply {_first('top', turn=9) + 1}: M2: found"),
}


@pytest.mark.parametrize(("rules", "message"), CHANGED_RULES.values(), ids=CHANGED_RULES)
def test_other_rules_show_in_the_first_line_they_change(
    rules: dict[str, Any], message: str
) -> None:
    check_told(BASE, GAME, message, rules=rules)


def test_an_illegal_action_is_explained() -> None:
    record = copied(BASE)
    k = _first("play")
    record.rows[k] |= {"cell": "D4", "cell2": "A1"}
    assert f"ply {k}: M2: pieces are named by cell, A1 comes before D4" in str(_check(record))
    record = copied(BASE)
    record.rows[k]["card"] = "RF99"
    assert str(_check(record)).startswith(f"ply {k}: R4.1: card is 'RF99'; allowed: RF01 to RF60")


def test_a_card_that_was_seen_cannot_come_again() -> None:
    record = copied(BASE)
    record.rows[_first("top")]["card"] = record.rows[0]["card"]
    verdict = _check(record)
    assert (verdict.ply, verdict.clause) == (_first("top"), "R1.8")
    assert "which cannot come up here" in verdict.message
