"""Words for actions, positions and events, and the rules in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import reefsim
from reefsim.core.record import read_record
from reefsim.games.reef.game import GAME
from reefsim.games.reef.position import position
from reefsim.games.reef.render import render_svg, render_text
from reefsim.testing import PlayedGame, played_games, why_not
from tests.games.reef.boards import EMPTY
from tests.games.reef.told import FILES, ruleset_of, walk
from tests.sizes import sized

PACKAGE = Path(reefsim.__file__).parent
TEXT = (PACKAGE / "games" / "reef" / "RULES.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^ *- \*\*(R\d+\.\d+a?)\*\* ", TEXT, re.MULTILINE)
READINGS = re.findall(r"^\| \*\*(A\d+)\*\* \|", TEXT, re.MULTILINE)
SECTIONS = re.findall(r"^## (R\d+|M\d+|§1|§2|§I)\b", TEXT, re.MULTILINE)


def test_every_clause_stands_once_and_in_order() -> None:
    numbers = [tuple(map(int, re.findall(r"\d+", clause))) for clause in CLAUSES]
    assert numbers == sorted(numbers)
    assert len(set(CLAUSES)) == len(CLAUSES) == 62
    assert [f"A{i}" for i in range(1, 21)] == READINGS
    expected = ["§1", "§2", *(f"R{i}" for i in range(1, 9)), *(f"M{i}" for i in range(1, 6)), "§I"]
    assert expected == SECTIONS


def test_every_clause_the_code_cites_exists() -> None:
    known, cited = {*CLAUSES, *READINGS, *SECTIONS}, set()
    for path in (PACKAGE / "games" / "reef").rglob("*.py"):
        for bracket in re.findall(r"\(([RAM]\d[^()\n]*)\)", path.read_text(encoding="utf-8")):
            cited |= set(re.findall(r"\b(?:R\d+\.\d+a?|A\d+|[RM]\d+(?!\.))\b", bracket))
    assert len(cited) > 50
    assert cited <= known, cited - known


def test_every_toggle_cites_a_clause() -> None:
    known = {*CLAUSES, *READINGS, *SECTIONS, "engine limit"}
    for toggle in GAME.ruleset.toggles():
        assert set(toggle.clause.split(", ")) <= known, toggle.name


def test_every_parameter_column_and_invariant_is_named() -> None:
    from reefsim.games.reef.invariants import INVARIANTS

    columns = [column.name for column in GAME.events.columns]
    results = [column.name for column in GAME.player_columns if column.in_record]
    toggles = [toggle.name for toggle in GAME.ruleset.toggles()]
    for name in (*columns, *results, *toggles, *GAME.action_kinds, *GAME.end_causes):
        assert re.search(rf"`{name}\b", TEXT), name
    for number in INVARIANTS:
        assert not number.startswith("I-") or f"| {number} |" in TEXT


@pytest.mark.parametrize(
    "text",
    re.findall(r"^\| `((?:start_piece |take_d|play |centre |score |pass_t)[^`]*)` \|", TEXT, re.M),
)
def test_the_examples_of_actions_are_actions(text: str) -> None:
    assert GAME.format_action(GAME.parse_action(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("plays RF21", "'plays' is no action. Did you mean 'play'?"),
        ("play RF99 red A1", "'RF99' is no card of reconstructed-v1"),
        ("play RF21 red A1", "no red piece: RF21 gives purple and purple"),
        ("play RF14 red B1 purple A1", "pieces are named by cell, A1 comes before B1"),
        ("play RF14 red B1 purple", "play takes card, color, cell, color2, cell2"),
        ("take_display 6", "'6' is no number 0-5"),
        ("centre E1", "'E1' is no cell"),
        ("score 17", "'17' is no number 0-16"),
        ("pass_turn 1", "pass_turn takes no word"),
    ],
)
def test_texts_that_are_no_actions(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        GAME.parse_action(text)


@settings(max_examples=sized(8, 200))
@given(played_games(GAME, max_choices=10, max_rest=25))
def test_actions_and_rows_go_there_and_back(game: PlayedGame) -> None:
    for match, _ in game.walk():
        for action in match.legal_actions()[:: 1 + len(match.legal_actions()) // 12]:
            text = match.game.format_action(action)
            assert match.game.parse_action(text) == action
            assert why_not(match, text) == ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_is_told_in_sentences(path: Path) -> None:
    record = read_record(path)
    told = list(GAME.under(ruleset_of(record)).narrate(record.rows))
    assert len(told) == len(record.rows)
    assert not [sentence for sentence in told if "{" in sentence or "None" in sentence]
    assert told[-1].startswith("the game ends: ")


def test_sentences_tell_what_cards_do() -> None:
    record = read_record(FILES[1])
    told = list(GAME.narrate(record.rows))
    plays = [k for k, row in enumerate(record.rows) if row["event"] == "play"]
    assert re.fullmatch(
        r"seat \d plays RF\d\d \(\d for [^)]*\): \w+ on \w\d, \w+ on .*, which scores .*",
        told[plays[0]],
    )


def test_a_position_as_text() -> None:
    board = "Y1 . ryP . / . . . . / . G4 . . / . . . R1"
    rules = {"display_size": 2, "deck_out_test": "refill_fails"}
    cards: dict[str, Any] = {"hand": "RF21", "dealt": {1: "RF37"}, "display": "RF45 RF58"}
    match = position(board, **cards, deck=0, tokens=(2,), rules=rules)
    text = match.to_text()
    assert text.splitlines()[0] == "turn 1, seat 0 to act"
    assert "ryP" in text
    assert "gggG" in text
    assert "slot 0: 45 GG: 4 for Y / - Y / - - Y, 2 points on it" in text
    assert "deck: 0 cards, on top none" in text
    assert "hand 21 PP: 2 for Y R" in text
    assert "hand 37 RG: 2 for each P around Y" in text


def test_pictures_of_whole_games_are_documents() -> None:
    for match, _ in list(walk(FILES[3]))[::7]:
        root = ET.fromstring(render_svg(match.state, match.rules))
        titles = [node.text or "" for node in root.iter() if node.tag.endswith("title")]
        assert len(titles) == 1 + 16 * match.seats
        circles = sum(node.tag.endswith("circle") for node in root.iter())
        assert circles == sum(sum(heights) for heights in match.plain_state().height)


def test_a_view_says_what_is_not_known() -> None:
    match = position(EMPTY, dealt={0: "RF01", 1: "RF02 RF03"}, hand={1: "RF04"})
    state = match.plain_state()
    GAME.build("plain").view_match([state], [match.rules], 0)
    text = render_text(state, match.rules)
    assert "seat 1: points 3; 0 played; hand 4 GG: 1 for R; ?; ?" in text
