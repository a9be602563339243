"""Whatever happens to a record is found at the line where its story stops being possible."""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reefsim.core.record import Record, format_lines, read_record, write_record
from reefsim.core.replay import (
    format_verdict,
    replay_paths,
    verdict_to_json,
)
from reefsim.games import registry
from reefsim.games.reef_encounter.game import GAME
from tests.games.damage import (
    DAMAGES,
    Damage,
    check_damaged_lines,
    check_other_types,
    check_told,
    check_wrong_results,
    copied,
    first,
    judged,
)

RECORDS = Path(__file__).parents[2] / "data" / "records" / "reef_encounter"
ALL = {path.stem: read_record(path) for path in sorted(RECORDS.glob("*.jsonl"))}
SHORT = ["3p_turn_limit_01_tie", "4p_complete_round_01", "2p_few_tiles_02_bonus_row"]
BASE = ALL["2p_base_01_four_eaten"]
# columns that follow from the game so far: any change shows in the same line
CONSEQUENCES = {"ply", "turn", "seat", "n_legal", "captured", "growth", "size"}

_check = partial(judged, game=GAME)
_first = partial(first, BASE)


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_line_is_found(name: str, damage: Damage) -> None:
    check_damaged_lines(ALL[name], GAME, damage)


@pytest.mark.parametrize("name", [SHORT[0], SHORT[2]])
def test_a_value_of_another_type_is_found(name: str) -> None:
    check_other_types(ALL[name], GAME, marks=4)


def _other_values(event: str, column: str, value: Any) -> list[Any]:
    """Other values that the column can have in that event, and a neighbor of a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return [value + 1, value - 1]
    words = dict.fromkeys(GAME.events.columns_of(event)[column][1])
    return [word for word in words if word not in (value, None)][:12]


def _columns() -> dict[tuple[str, str], list[tuple[str, int]]]:
    """Where each column of each event stands, in three records that have it."""
    places: dict[tuple[str, str], dict[str, int]] = {}
    for name, record in sorted(ALL.items(), key=lambda item: len(item[1].rows)):
        for k, row in enumerate(record.rows):
            for column in row.keys() - {"event"}:
                found = places.setdefault((row["event"], column), {})
                if len(found) < 3 or name in found:
                    found[name] = k
    return {key: list(found.items()) for key, found in sorted(places.items())}


@pytest.mark.parametrize(("told", "places"), _columns().items(), ids=str)
def test_a_changed_value_is_found(told: tuple[str, str], places: list[tuple[str, int]]) -> None:
    event, column = told
    for name, k in places:
        values = _other_values(event, column, ALL[name].rows[k][column])
        for value in random.Random(k).sample(values, min(2, len(values))):
            record = copied(ALL[name])
            record.rows[k][column] = value
            verdict = _check(record)
            if column in CONSEQUENCES or event == "end":
                assert verdict.ply == k, (name, value, str(verdict))
            else:  # another choice or draw may be possible, but then no line before is wrong
                assert verdict.ok or verdict.ply is None or verdict.ply >= k, (name, value)
            if column in CONSEQUENCES and event != "end":
                assert verdict.clause == GAME.clause_of(event, column)


def test_a_wrong_result_is_found() -> None:
    check_wrong_results(ALL[SHORT[0]], GAME)


def _results(record: Record, how: str) -> None:
    lines = record.results
    if how == "lost":
        del lines[-1]
    elif how == "all lost":
        lines.clear()
    elif how == "doubled":
        lines.append(dict(lines[-1]))
    elif how == "swapped":
        lines[0], lines[1] = lines[1], lines[0]
    elif how == "an event among them":
        lines[0] = dict(record.rows[40])
    elif how == "an empty line":
        lines[0] = {}
    else:
        lines[0]["points"] = 3


@pytest.mark.parametrize(
    ("how", "place"),
    [
        ("lost", "result of seat 1"),
        ("all lost", "result of seat 0"),
        ("doubled", "line after the results"),
        ("swapped", "result of seat 0"),
        ("an event among them", "result of seat 0"),
        ("an empty line", "result of seat 0"),
        ("a key more", "result of seat 0"),
    ],
)
def test_wrong_result_lines_are_found(how: str, place: str) -> None:
    record = copied(BASE)
    _results(record, how)
    assert _check(record).place == place


HEADERS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "parameter out of range": ({}, {"feed_return": 11}, "R3.2: rules.feed_return: 11 is outside"),
    "parameter of another type": ({}, {"extra_growth": 1}, "R6: rules.extra_growth: 1 "),
    "unknown parameter": ({}, {"feed_retrun": 4}, "M5: rules.feed_retrun: unknown toggle"),
    "list of another length": ({}, {"boards": ["R1"]}, "R1.1: rules.boards: 1 board for 2 seats"),
    "no rules": ({"rules": None}, {}, "M4: rules is missing; an object is expected"),
    "rules a list": ({"rules": []}, {}, "M4: rules is []; an object is expected"),
    "key more": ({"rounds": 3}, {}, "M4: key 'rounds' has no place in the header"),
    "an agent less": ({"agents": ["a"]}, {}, "M4: agents is ['a']; 2 names are expected"),
    "agents by number": ({"agents": [1, 2]}, {}, "M4: agents is [1, 2]; 2 names are expected"),
    "seed a text": ({"seed": "7"}, {}, "M4: seed is '7'; a whole number or null is expected"),
    "more players": ({"players": 3}, {}, "M4: agents is ['patient', 'patient']; 3 names are"),
}


@pytest.mark.parametrize(("header", "rules", "message"), HEADERS.values(), ids=HEADERS)
def test_a_wrong_header_is_found(
    header: dict[str, Any], rules: dict[str, Any], message: str
) -> None:
    check_told(BASE, GAME, f"header: {message}", rules=rules, header=header)


def test_a_parameter_that_is_not_told_is_missed() -> None:
    for name in BASE.header["rules"]:
        record = copied(BASE)
        del record.header["rules"][name]
        assert str(_check(record)).startswith(f"header: M5: rules.{name} is missing")
    for key in ("rules", "agents", "seed"):
        record = copied(BASE)
        del record.header[key]
        assert str(_check(record)).startswith(f"header: M4: key '{key}' is missing in the header")


# rules changed to other legal values: the first line that would be another one
CHANGED_RULES: dict[str, tuple[dict[str, Any], str]] = {
    "other hands": ({"initial_hand": [7, 9]}, f"ply {_first('deal', seat=1)}: R1.8: seat is 1;"),
    "other boards": ({"boards": ["R4", "R3"]}, "ply 1: R1.1: value is 'R2', which cannot come up"),
    "other side": ({"initial_side": "reverse"}, "ply 2: R1.4: value is 'starfish', which cannot"),
    "no growth": ({"extra_growth": False}, f"ply {_first('place')}: R6.2: growth is true; false"),
    "feeding from 3": ({"min_feed_size": 3}, "ply "),
    "returning 5": ({"feed_return": 5}, "result of seat 0: R12.2: score is 39; 31 is expected"),
    "turn limit": ({"max_turns": 9}, f"ply {_first('grow', turn=10)}: M2: found grow of seat 1;"),
    "no final feed": ({"final_feed_events": []}, "ply 299: R11.2: found feed of seat 0; end of"),
    "values from 2": ({"base_tile_value": 2}, "result of seat 0: R12.2: score is 39;"),
}


@pytest.mark.parametrize(("rules", "message"), CHANGED_RULES.values(), ids=CHANGED_RULES)
def test_other_rules_show_in_the_first_line_they_change(
    rules: dict[str, Any], message: str
) -> None:
    check_told(BASE, GAME, message, rules=rules)


def test_an_illegal_action_is_explained_with_what_is_legal() -> None:
    record = copied(BASE)
    record.rows[_first("place")]["cell"] = "A1"
    told = "ply 36: R0.1: 'place A1 behind' is not legal: A1 is deep water; legal: place"
    assert str(_check(record)).startswith(told)
    record = copied(BASE)
    record.rows[48] |= {"event": "pass_turn"}
    del record.rows[48]["cell"]
    told = "ply 48: R2.7: 'pass_turn' is not legal: a turn ends with collecting (A13); no pass_turn"
    assert str(_check(record)).startswith(told)


def test_a_draw_of_a_tile_that_is_not_in_the_bag_is_found() -> None:
    record = copied(ALL["3p_few_tiles_01_bag_lt3"])
    last = max(k for k, row in enumerate(record.rows) if row["event"] == "refill")
    verdicts = []
    for color in GAME.events.columns_of("refill")["color"][1]:
        record.rows[last]["color"] = color
        verdicts.append(_check(record))
    impossible = [v for v in verdicts if "cannot come up here" in v.message]
    assert impossible
    assert all(v.ply == last and v.clause == "R10.3" for v in impossible)


def test_files_are_judged_one_after_another(tmp_path: Path) -> None:
    good, bad, broken = (tmp_path / f"{name}.jsonl" for name in ("good", "bad", "broken"))
    write_record(good, BASE)
    wrong = copied(BASE)
    wrong.rows[44]["n_legal"] = 75
    bad.write_text("".join([*format_lines(wrong), *format_lines(BASE)]))
    other = {"chess": {"game": "reef_encountr"}, "crowd": {"players": 9, "agents": []}}
    headers = [json.dumps(BASE.header | change) for change in other.values()]
    broken.write_text("\n".join([*headers, json.dumps(BASE.header), "{"]))
    files = [good, bad, broken, tmp_path / "missing.jsonl"]
    judged = list(replay_paths(files, registry.get))
    assert [verdict.exit_code for _, verdict in judged] == [0, 1, 0, 2, 2, 2, 2]
    lines = [format_verdict(path, verdict) for path, verdict in judged]
    assert lines[0] == f"{good}: ok, 301 events, 2 players, four_eaten"
    assert lines[1].startswith(
        f"{bad}: ply 44: M2: n_legal is 75; 76 actions are legal: shrimp_move "
    )
    assert lines[2].startswith(f"{bad} (record 2): ok, ")
    assert lines[3].startswith(f"{broken}:1: 'reef_encountr' is not a game. Did you mean 'reef_")
    assert lines[4].startswith(f"{broken}:2: players: 9; Reef Encounter is for 2 to 4")
    assert lines[5].startswith(f"{broken}:4: not JSON")
    assert lines[6] == f"{files[3]}: cannot be read: No such file or directory"
    first, second = (verdict_to_json(*judged[i]) for i in (0, 1))
    assert first == {
        "path": str(good),
        "status": "ok",
        "ok": True,
        "readable": True,
        "events": 301,
        "players": 2,
        "end": "four_eaten",
    }
    assert (second["status"], second["ply"], second["clause"]) == ("disagrees", 44, "M2")
