"""Words for actions, positions and events, pictures, and the rules in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings

import reefsim
from reefsim.core.record import read_record
from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.invariants import INVARIANTS
from reefsim.games.charon_inc.position import position
from reefsim.games.charon_inc.render import render_svg, render_text
from reefsim.testing import played_games, why_not
from reefsim.testing.strategies import PlayedGame
from tests.games.charon_inc.told import FILES, WEIGHTS, ruleset_of, walk
from tests.sizes import sized

PACKAGE = Path(reefsim.__file__).parent
TEXT = (PACKAGE / "games" / "charon_inc" / "RULES.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^ *- \*\*(CH-\d+\.\d+[ab]?)\*\* ", TEXT, re.MULTILINE)
READINGS = re.findall(r"^\| \*\*(CHQ-\d+)\*\* \|", TEXT, re.MULTILINE)
SECTIONS = re.findall(r"^## (CH-\d+|M\d+|§1|§2|§I)\b", TEXT, re.MULTILINE)
KNOWN = {*CLAUSES, *READINGS, *SECTIONS, "§2.1", "§2.2"}


def test_every_clause_stands_once_and_in_order() -> None:
    numbers = [tuple(map(int, re.findall(r"\d+", clause))) for clause in CLAUSES]
    assert numbers == sorted(numbers)
    assert len(set(CLAUSES)) == len(CLAUSES) == 54
    assert [f"CHQ-{i:02}" for i in range(1, 18)] == READINGS
    chapters = (f"CH-{i}" for i in range(1, 9))
    assert ["§1", "§2", *chapters, *(f"M{i}" for i in range(1, 6)), "§I"] == SECTIONS


def test_every_clause_the_code_cites_exists() -> None:
    cited = set()
    for path in (PACKAGE / "games" / "charon_inc").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        cited |= set(re.findall(r"\b(?:CH-\d+\.\d+[ab]?|CHQ-\d+)\b", text))
    assert len(cited) > 60
    assert cited <= KNOWN, cited - KNOWN


def test_every_toggle_cites_a_clause() -> None:
    for toggle in GAME.ruleset.toggles():
        assert set(toggle.clause.split(", ")) <= KNOWN | {"engine limit"}, toggle.name


def test_every_parameter_column_and_invariant_is_named() -> None:
    columns = [column.name for column in GAME.events.columns]
    results = [column.name for column in GAME.player_columns if column.in_record]
    toggles = [toggle.name for toggle in GAME.ruleset.toggles()]
    for name in (*columns, *results, *toggles, *GAME.action_kinds, *GAME.end_causes):
        assert re.search(rf"`{name}\b", TEXT), name
    for number in INVARIANTS:
        assert not number.startswith("I-") or f"| {number} |" in TEXT


@pytest.mark.parametrize(
    "text", re.findall(rf"^\| `((?:{'|'.join(GAME.action_kinds)})\b[^`]*)` \|", TEXT, re.M)
)
def test_the_examples_of_actions_are_actions(text: str) -> None:
    assert GAME.format_action(GAME.parse_action(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("builds B02A", "'builds' is no action. Did you mean 'build'?"),
        ("build B02Z hand BY", "'B02Z' is no card of this game. Did you mean 'B02"),
        ("build B02A hand BG", "'BG' does not pay B02A, which costs BY"),
        ("build B02A bag BY", "'bag' is no source: hand, row"),
        ("place A6 X01", "'A6' is no area: A1, A2, A3, A4, A5"),
        ("place A1", "place takes area, spot"),
        ("place A1 X99", "'X99' is no spot: X01, ..., Q08"),
        ("trade YB green", "'YB' is no multiset of gems"),
        ("keep BBBBBBBBB", "more gems than an action names"),
        ("synchrotron blue green 64", "'64' is no number 1-63"),
        ("end_build now", "end_build takes no word"),
    ],
)
def test_texts_that_are_no_actions(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        GAME.parse_action(text)


def test_codes_that_are_no_actions() -> None:
    for code in (-1, 13 << 16, 0 << 16 | 55, 1 << 16 | 1000, 10 << 16 | 5, 8 << 16 | 500):
        with pytest.raises(ValueError, match="is no action of CHARON Inc"):
            GAME.format_action(code)


@settings(max_examples=sized(8, 200))
@given(played_games(GAME, weights=WEIGHTS, max_choices=10, max_rest=40))
def test_actions_and_texts_go_there_and_back(game: PlayedGame) -> None:
    for match, _ in game.walk():
        for action in match.legal_actions()[:: 1 + len(match.legal_actions()) // 8]:
            text = match.game.format_action(action)
            assert match.game.parse_action(text) == action
            assert why_not(match, text) == ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_is_told_in_sentences(path: Path) -> None:
    record = read_record(path)
    told = list(GAME.under(ruleset_of(record)).narrate(record.rows))
    assert len(told) == len(record.rows)
    assert not [sentence for sentence in told if "{" in sentence or "None" in sentence]
    assert told[-1] == "the game ends: the last round is over"


def test_sentences_tell_what_things_are() -> None:
    rows = [
        {"event": "build", "seat": 1, "card": "B07D", "source": "row", "gems": "BBPPC"},
        {"event": "action", "seat": 0, "area": "A4", "value": "void"},
        {"event": "mine", "region": "R13", "color": "blue", "size": 2},
        {"event": "keep", "seat": 0, "gems": "-"},
    ]
    assert list(GAME.narrate(rows)) == [
        "seat 1 builds B07D (7 Power Plant, BBPPP) from the row for BBPPC",
        "A4 Synchrotron of seat 0 fails",
        "nobody mines 2 blue of R13",
        "seat 0 keeps nothing",
    ]


def test_a_position_as_text() -> None:
    match = position(
        gems={0: "BBC"}, hand={0: "B09A"}, built={0: "B12A B02A"}, row="B04A", moon="R13:GG",
        flags="X07:0 C13:1", left={0: "A4"},
    )  # fmt: skip
    text = match.to_text()
    assert text.splitlines()[0] == "round 1, turn 1, seat 0 builds"
    assert "R13 GG  of 3  flags x0 C1" in text
    assert "row: 4 BYP" in text
    assert "seat 0: points 14, built 12,2; gems BBC; areas A4; hand 9 BBBYPP" in text


def test_a_view_says_what_is_not_known() -> None:
    match = position(hand={0: "B09A", 1: "B02A B02B"})
    state = match.plain_state()
    GAME.build("plain").view_match([state], [match.rules], 0)
    assert "seat 1: points 0, built -; gems -; areas A2; hand ?; ?" in render_text(
        state, match.rules
    )


def test_pictures_of_whole_games_are_documents() -> None:
    for path in (FILES[1], FILES[-1]):  # another map, and that of the game
        for match, _ in list(walk(path))[::9]:
            root = ET.fromstring(render_svg(match.state, match.rules))
            titles = [node.text or "" for node in root.iter() if node.tag.endswith("title")]
            assert len(titles) == 1 + 20
            flags = sum(node.tag.endswith("circle") for node in root.iter())
            assert flags == sum(word.bit_count() for word in match.plain_state().taken)


def test_flags_of_a_picture_lie_where_their_spots_are() -> None:
    match = position(seats=5, rules={"rim_corners": True})
    spots = {spot.name: i for i, spot in enumerate(match.ruleset.map.spots)}
    places = {
        name: (match.rules.spot_x[spots[name]], match.rules.spot_y[spots[name]])
        for name in ("C06", "E10", "E11", "X07", "Q01", "Q04", "Q05")
    }
    assert places == {
        "C06": (3, 3), "E10": (4, 3), "E11": (3, 4), "X07": (4, 4),
        "Q01": (4, 0), "Q04": (0, 4), "Q05": (12, 4),
    }  # fmt: skip
