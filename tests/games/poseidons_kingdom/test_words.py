"""Words for actions, positions, events and data sets, and the rules in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml

import reefsim
from reefsim.core.record import read_record
from reefsim.games.poseidons_kingdom import components
from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.games.poseidons_kingdom.invariants import INVARIANTS
from reefsim.games.poseidons_kingdom.notation import Notation
from reefsim.games.poseidons_kingdom.position import position
from reefsim.games.poseidons_kingdom.render import Renderer
from tests.games.poseidons_kingdom.told import FILES, ruleset_of, walk

PACKAGE = Path(reefsim.__file__).parent / "games" / "poseidons_kingdom"
TEXT = (PACKAGE / "RULES.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^ *- \*\*(PK-\d+\.\d+[a-z]?|§2\.\d)(?: [^*]*)?\*\*", TEXT, re.MULTILINE)
READINGS = re.findall(r"^\| \*\*(PKQ-\d+)\*\* \|", TEXT, re.MULTILINE)
SECTIONS = ["§3", "M1", "M2", "M3", "M4", "M5"]
KNOWN = {*CLAUSES, *READINGS, *SECTIONS}


def test_every_clause_stands_once_and_in_order() -> None:
    rules = [clause for clause in CLAUSES if clause.startswith("PK")]
    keys = [(*map(int, re.findall(r"\d+", clause)), clause) for clause in rules]
    assert keys == sorted(keys)
    assert len(set(CLAUSES)) == len(CLAUSES) > 70
    assert [f"PKQ-{i:02}" for i in range(1, 23)] == READINGS
    for section in SECTIONS:
        assert re.search(rf"^## {section}\b", TEXT, re.MULTILINE), section


def test_every_clause_the_code_cites_exists() -> None:
    cited = set()
    for path in PACKAGE.rglob("*.py"):
        cited |= set(re.findall(r"\bPKQ?-\d+(?:\.\d+[a-z]?)?", path.read_text(encoding="utf-8")))
    chapters = {clause.split(".")[0] for clause in CLAUSES}
    assert len(cited) > 60
    assert cited <= KNOWN | chapters, cited - KNOWN


def test_every_parameter_column_and_invariant_is_named() -> None:
    for toggle in GAME.ruleset.toggles():
        assert set(toggle.clause.split(", ")) <= KNOWN, toggle.name
    columns = [column.name for column in GAME.events.columns]
    results = [column.name for column in GAME.player_columns if column.in_record]
    toggles = [toggle.name for toggle in GAME.ruleset.toggles()]
    for name in (*columns, *results, *toggles, *GAME.action_kinds, *GAME.end_causes):
        assert re.search(rf"`{name}\b", TEXT), name
    for number, invariant in INVARIANTS.items():
        assert f"| {number} |" in TEXT
        assert set(invariant.clauses) <= KNOWN


KINDS = "|".join(GAME.action_kinds)
EXAMPLES = re.findall(rf"^\| `((?:{KINDS})(?: [^`]*)?)` \|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_of_actions_are_actions(text: str) -> None:
    assert GAME.format_action(GAME.parse_action(text)) == text


def test_there_is_an_example_of_each_kind() -> None:
    assert {text.split()[0] for text in EXAMPLES} == set(GAME.action_kinds)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("puts 0 1 0,0", "'puts' is no action. Did you mean 'put'?"),
        ("move B X6", "'X6' is no space"),
        ("place 0,0 0,2", "0,0 and 0,2 are no neighbors"),
        ("place 0,0 0,41", "'0,41' is no hex"),
        ("put 4 1 0,0", "'4' is no owner of dice: 0, 1, 2, 3, -1"),
        ("take 0 7", "'7' is no number 1-6"),
        ("build", "build takes kind"),
        ("end_food 1", "end_food takes no word"),
    ],
)
def test_texts_that_are_no_actions(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        GAME.parse_action(text)


@pytest.mark.parametrize("action", [-1, 18 << 16, 0, 1 << 21, 3 << 16 | 63, 9 << 16 | 1])
def test_codes_that_are_no_actions(action: int) -> None:
    with pytest.raises(ValueError, match="is no action of Poseidon's Kingdom"):
        GAME.format_action(action)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_is_told_in_sentences(path: Path) -> None:
    record = read_record(path)
    told = list(GAME.under(ruleset_of(record)).narrate(record.rows))
    assert len(told) == len(record.rows)
    assert not [sentence for sentence in told if "{" in sentence or "None" in sentence]
    assert told[-1].startswith("the game ends: ")


def test_a_position_as_text() -> None:
    match = position(
        zones={5: "1b 6n"}, tower="aan", store={0: {"0,0": "4c"}}, skeletons={1: ["1,1"]},
        creatures={0: "R5 D"}, phase="food", at="R5",
    )  # fmt: skip
    text = match.to_text()
    assert text.splitlines()[0] == "turn 1, seat 0 may feed"
    assert "zone 5 (L5 R5[a]): 1b 6n" in text
    assert "tower 3 of 15: 2a 1n" in text
    assert "0,0:S1=4c" in text
    assert "1,1:-1x" in text


def test_pictures_of_games_are_documents() -> None:
    for path in (FILES[0], FILES[8]):
        for match, _ in list(walk(path))[::60]:
            renderer = Renderer(Notation.of(match.ruleset).spaces)
            root = ET.fromstring(renderer.svg(match.state, match.rules))
            titles = [node.text or "" for node in root.iter() if node.tag.endswith("title")]
            hexes = sum(match.plain_state().num_hexes[: match.seats])
            assert len(titles) == 1 + hexes + match.rules.num_nodes


# Data sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sort", components.SORTS)
def test_shipped_sets_are_sound(sort: str) -> None:
    for name in components.shipped(sort):
        assert list(components.check(sort, components.find(sort, name))) == []


WRONG = {
    "ocean": [
        ("shore", 6, "zone 7 lies behind the shore"),
        ("beach", "L1", "the shore is the food zone of the beach end"),
        ("creature_edges", [["D", "L1"]], "neighbors, at least 2 are needed"),
        ("creature_edges", [[0, 1]], "[0, 1] is no pair of different spaces, by their names as"),
        ("shark_loop", ["D", "L1", "D"], "D stands there twice"),
        ("shark_start", {"node": "D", "direction": 2}, "2 is neither 1 nor -1"),
    ],
    "reef": [
        ("starting_tile", ["wave", "plain"], "a starting tile has a die box"),
        ("starting_layout", [["0,0", "2,0"]], "are no neighbors"),
        ("kinds", [{"id": "A", "symbols": ["eat", "eat"], "count": 1}], "are different"),
        (
            "kinds",
            [{"id": id_, "symbols": ["eat", "wave"], "count": 41} for id_ in "ABC"],
            "123 tiles, at most 120 are allowed",
        ),
    ],
    "safe": [("stacks", {"1": [2, 3]}, "2 is missing")],
    "scatter": [("p_off", 0.6, "0.6 is no number 0-0.5"), ("weights", {"1": 0}, "weights are 0")],
}


@pytest.mark.clause("PKQ-01", "PKQ-02")
@pytest.mark.parametrize(
    ("sort", "key", "value", "message"),
    [(sort, *case) for sort, cases in WRONG.items() for case in cases],
)
def test_wrong_sets_are_refused(sort: str, key: str, value: object, message: str) -> None:
    found = components.find(sort, components.shipped(sort)[0]) | {"id": "own", key: value}
    texts = [text for _, text in components.check(sort, found)]
    assert any(message in text for text in texts), texts
    _, remarks = GAME.check_data("own", yaml.safe_dump(found, sort_keys=False))  # type: ignore[misc]
    assert all(remark.line > 0 for remark in remarks)
    assert any(message in remark.text for remark in remarks)
    assert GAME.ruleset.problems({sort: found}, 4)


def test_a_sound_file_is_told_what_it_is() -> None:
    text = (PACKAGE / "components" / "safe_v1.yaml").read_text(encoding="utf-8")
    assert GAME.check_data is not None
    summary, remarks = GAME.check_data("mine", text.replace("id: safe_v1", "id: mine"))
    assert (remarks, summary.split(";")[0]) == ([], "a set of the sort safe")


def test_output_with_guessed_components_says_so() -> None:
    (caveat,) = GAME.caveats(GAME.ruleset())
    assert "reconstructed" in caveat
    own = {
        sort: components.find(sort, components.shipped(sort)[0]) | {"id": f"own_{sort}"}
        for sort in components.SORTS
    }
    assert GAME.caveats(GAME.ruleset.make(own, 3)) == ()
