"""RULES.md holds every clause, agrees with the components, and is what the code cites."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import reefsim
from reefsim.games.reef_encounter.constants import ALGAE, BOARD_IDS, BOARDS, COLORS, CORAL_TILES
from reefsim.games.reef_encounter.events import EVENTS
from reefsim.games.reef_encounter.game import GAME

PACKAGE = Path(reefsim.__file__).parent
TEXT = (PACKAGE / "games" / "reef_encounter" / "RULES.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^- \*\*(R\d+\.\d+a?)\*\* ", TEXT, re.MULTILINE)
READINGS = re.findall(r"^\| \*\*(A\d+)\*\* \|", TEXT, re.MULTILINE)
SECTIONS = re.findall(r"^## (R\d+|M\d+|§1)\b", TEXT, re.MULTILINE)
# clauses of each chapter
CHAPTERS = (8, 11, 8, 6, 12, 9, 9, 8, 4, 11, 6, 8, 3, 4, 2)


def test_every_clause_stands_once_and_in_order() -> None:
    expected = [f"R{r}.{i + 1}" for r, count in enumerate(CHAPTERS) for i in range(count)]
    expected.insert(expected.index("R11.4") + 1, "R11.4a")
    assert expected == CLAUSES
    assert [f"A{i}" for i in range(1, 27)] == READINGS
    chapters = [f"R{r}" for r in range(len(CHAPTERS) + 1)]
    assert ["§1", *chapters, *(f"M{i}" for i in range(1, 6))] == SECTIONS


def test_every_clause_the_code_cites_exists() -> None:
    known, cited = {*CLAUSES, *READINGS, *SECTIONS}, set()
    for path in [*PACKAGE.glob("core/*.py"), *PACKAGE.glob("games/reef_encounter/*.py")]:
        # citations stand in brackets; elsewhere A1 may be a cell and R1 a board
        for bracket in re.findall(r"\(([RAM]\d[^()\n]*)\)", path.read_text(encoding="utf-8")):
            cited |= set(re.findall(r"\b(?:R\d+\.\d+a?|A\d+|[RM]\d+(?!\.))(?=[b-e]?\b)", bracket))
    assert len(cited) > 80
    assert cited <= known, cited - known


def test_every_toggle_cites_a_clause() -> None:
    known = {*CLAUSES, *READINGS, *SECTIONS, "engine limit"}
    for toggle in GAME.ruleset.toggles():
        for clause in toggle.clause.split(", "):
            assert clause.rstrip("abcde") in known, toggle.name


def test_every_parameter_and_every_column_is_named() -> None:
    columns = [column.name for column in EVENTS.columns]
    results = [column.name for column in GAME.player_columns if column.in_record]
    results = [name for name in results if not name.startswith("fish_")]
    for name in (*columns, *results, *GAME.action_kinds, *GAME.end_causes):
        assert re.search(rf"`{name}[`(]", TEXT), name
    toggles = [toggle.name for toggle in GAME.ruleset.toggles()]
    assert [name for name in toggles if f"`{name}`" not in TEXT] == []


def test_boards_and_coral_tiles_are_those_of_the_engine() -> None:
    shown = TEXT[TEXT.index("R1        R2") :].split("```")[0].splitlines()
    assert tuple(shown[0].split()) == BOARD_IDS
    assert tuple(zip(*(line.split() for line in shown[1:]), strict=True)) == BOARDS
    rows = re.findall(r"^\| T(\d+) \| (\w+) > (\w+): (\w+) \| (\w+) > (\w+): (\w+) \|", TEXT, re.M)
    assert [int(row[0]) for row in rows] == list(range(1, 11))
    sides = [[(*side[:2], side[2]) for side in (row[1:4], row[4:7])] for row in rows]
    named = [
        [(COLORS[top], COLORS[bottom], ALGAE[alga]) for top, bottom, alga in tile]
        for tile in CORAL_TILES
    ]
    assert sides == named


@pytest.mark.parametrize(
    "text", re.findall(r"\| `(\w+ [^`]*|end_grow|no_feed|pass_turn)` \|", TEXT)
)
def test_the_examples_of_actions_are_actions(text: str) -> None:
    assert GAME.format_action(GAME.parse_action(text)) == text
