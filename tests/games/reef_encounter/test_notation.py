"""Actions as text: every code has one text and every text one code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reefsim.games.reef_encounter.constants import (
    ALGA,
    COLORS,
    FIRST_LOCK,
    LARVA_PAIRS,
    NUM_TILES,
    PLACE,
    Kind,
)
from reefsim.games.reef_encounter.events import CELL_NAMES
from reefsim.games.reef_encounter.notation import (
    action_of,
    cell_index,
    decode,
    format_action,
    parse_action,
)

RECORDS = Path(__file__).parents[2] / "data" / "records" / "reef_encounter"
CELLS = [cell for cell, name in enumerate(CELL_NAMES) if name]
BARE = [Kind.END_GROW, Kind.PASS_TURN, Kind.NO_FEED]
COLORED = [Kind.STASH, Kind.GROW, Kind.TO_LARVA, Kind.TO_POLYP, Kind.COLLECT]
ON_CELL = [Kind.FEED, Kind.SHRIMP_IN, Kind.SHRIMP_OUT]

ALL_ACTIONS = [
    *(kind << 16 for kind in BARE),
    *(kind << 16 | c for kind in COLORED for c in range(len(COLORS))),
    *(kind << 16 | cell for kind in ON_CELL for cell in CELLS),
    *(Kind.CHOOSE_LARVAE << 16 | pair for pair in range(len(LARVA_PAIRS))),
    *(PLACE << 16 | source << 8 | cell for source in (0, 1) for cell in CELLS),
    *(Kind.GROW_BONUS << 16 | answer for answer in (0, 1)),
    *(Kind.SHRIMP_MOVE << 16 | a << 8 | b for a in CELLS for b in CELLS),
    *(ALGA << 16 | c << 8 | on for c in range(len(COLORS)) for on in range(FIRST_LOCK + NUM_TILES)),
]


def test_every_action_has_its_own_text_and_comes_back() -> None:
    texts = [format_action(action) for action in ALL_ACTIONS]
    assert len(set(texts)) == len(ALL_ACTIONS)
    assert [parse_action(text) for text in texts] == ALL_ACTIONS


def test_no_other_code_is_an_action() -> None:
    known = set(ALL_ACTIONS)
    others = [c for kind in range(17) for c in range(kind << 16, (kind << 16) + 2**16, 7)]
    for code in [-1, 1 << 40, *others]:
        if code in known:
            assert decode(code) == (code >> 16, code >> 8 & 255, code & 255)
        else:
            with pytest.raises(ValueError, match="is no action of Reef Encounter"):
                format_action(code)


@pytest.mark.parametrize(
    ("name", "board", "row", "column"),
    [
        ("A1", 0, 0, 0),
        ("G6", 0, 5, 6),
        ("H1", 1, 0, 0),
        ("K4", 1, 3, 3),
        ("O1", 2, 0, 0),
        ("V1", 3, 0, 0),
        ("Z6", 3, 5, 4),
        ("AA1", 3, 0, 5),
        ("AB6", 3, 5, 6),
    ],
)
def test_cells_run_on_over_the_boards(name: str, board: int, row: int, column: int) -> None:
    assert cell_index(name) == board * 64 + row * 8 + column
    assert CELL_NAMES[cell_index(name)] == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"'' is no action\. Actions: stash, choose_larvae"),
        ("plac D3 behind", r"'plac' is no action\. Did you mean 'place'\?"),
        ("place D3", r"'place D3': place needs 2 operands, found 1"),
        ("place D3 bag", r"'bag' is none of behind, front"),
        ("place D7 behind", r"'D7' is none of A1, B1, \.\.\., AB6"),
        ("place d3 behind", r"'d3' is none of A1"),
        ("end_grow now", r"end_grow needs 0 operands, found 1"),
        ("alga white space", r"'space' is none of blue space, .*, T10"),
        ("alga white T11", r"'T11' is none of blue space"),
        ("choose_larvae pink white", r"'pink white' is none of white white, white yellow"),
        ("grow", r"grow needs 1 operands, found 0"),
    ],
)
def test_a_text_that_is_no_action_says_which_word_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_action(text)


def test_spaces_between_words_do_not_matter() -> None:
    assert parse_action("  alga  white   blue \t space ") == parse_action("alga white blue space")


ROWS = {
    "choose_larvae white pink": {"color": "white", "color2": "pink"},
    "place K5 front": {"cell": "K5", "source": "front", "captured": "pink", "growth": True},
    "shrimp_move A1 AB6": {"cell": "A1", "to_cell": "AB6"},
    "alga white blue space": {"color": "white", "alga": "blue", "on": "space"},
    "alga grey T10": {"color": "grey", "alga": "red", "on": "T10"},
    "grow_bonus no": {"value": "no"},
    "pass_turn": {},
}


@pytest.mark.parametrize(("text", "columns"), ROWS.items(), ids=str)
def test_a_row_of_a_record_tells_its_action(text: str, columns: dict[str, object]) -> None:
    row = {"ply": 3, "turn": 1, "seat": 0, "event": text.split()[0], "n_legal": 9, **columns}
    assert action_of(row) == parse_action(text)


def test_larvae_in_the_wrong_order_are_no_action() -> None:
    with pytest.raises(ValueError, match="'pink white' is none of"):
        action_of({"event": "choose_larvae", "color": "pink", "color2": "white"})


def test_every_row_of_the_recorded_games_can_be_told_as_text() -> None:
    kinds = set()
    for path in RECORDS.glob("*.jsonl"):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            if "n_legal" in row:
                text = format_action(action_of(row))
                assert parse_action(text) == action_of(row)
                kinds.add(row["event"])
    assert len(kinds) == len(Kind)
