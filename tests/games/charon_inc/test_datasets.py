"""Maps and card sets of a user's own: what is wrong with them is said, line by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from reefsim.core.datafiles import looking_in
from reefsim.core.match import Match
from reefsim.core.record import read_record
from reefsim.games.charon_inc import datasets
from reefsim.games.charon_inc.game import GAME
from tests.games.charon_inc.told import FOLDER

OWN = Path(datasets.__file__).parent / "data"
MAP = (OWN / "charon_map_v1.yaml").read_text(encoding="utf-8")
CARDS = (OWN / "charon_cards_v1.yaml").read_text(encoding="utf-8")
OTHER = read_record(FOLDER / "4p_other_data_01.jsonl").header["data"]


def test_the_shipped_data_sets_are_sound() -> None:
    for name, text in (("charon_map_v1", MAP), ("charon_cards_v1", CARDS)):
        summary, remarks = GAME.check_data(name, text)  # type: ignore[misc]
        assert remarks == []
        assert name in summary


@pytest.mark.clause("CH-1.2", "CH-1.3")
def test_figures_of_the_map() -> None:
    ruleset = GAME.ruleset()
    found = {}
    for seats in GAME.seats:
        there = ruleset.in_play(seats)
        slots = sum(ruleset.map.regions[i].slots for i in there)
        found[seats] = (len(there), slots, len(ruleset.usable(seats)))
    assert found == {2: (8, 22, 45), 3: (12, 30, 55), 4: (16, 36, 59), 5: (20, 42, 65)}
    assert len(GAME.ruleset(rim_corners=True).usable(5)) == 73


def test_figures_of_the_cards() -> None:
    cards = datasets.find_cards(datasets.DEFAULT_CARDS).data
    assert cards is not None
    assert [sum(column) for column in zip(*(card.cost for card in cards.cards), strict=True)] == (
        [52] * 5
    )
    assert sorted({(card.number, sum(card.cost)) for card in cards.cards}) == list(
        zip(range(2, 13), (2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7), strict=True)
    )


MISTAKES: dict[str, tuple[str, str, str, str]] = {
    "slots": (MAP, "slots: 1, group: pink", "slots: 4, group: pink", "slots: 4 is outside 1-3"),
    "group": (MAP, "group: pink", "group: red", "group 'red' is none of core, yellow, pink, blue"),
    "place": (MAP, "col: 2, row: 0", "col: 1, row: 0", "R02 lies where R01 lies"),
    "region": (MAP, "id: R02", "id: R22", "'R22': R02 comes here"),
    "edge": (MAP, "E01: [R01, R02]", "E01: [R01, R03]", "E01: two regions side by side are"),
    "twice": (MAP, "E02: [R01, R06]", "E02: [R01, R02]", "E02 touches the same regions as E01"),
    "name": (MAP, "E02: [R01", "E32: [R01", "'E32': E02 comes here"),
    "block": (MAP, "X02: [R01, R02, R06, R07]", "X02: [R01, R02, R06]", "X02: all three or four"),
    "nothing": (MAP, "X01: [R01, R05, R06]", "X01: []", "X01: [] is no list of different regions"),
    "number": (CARDS, "number: 2, cost", "number: 1, cost", "number: 1 is outside 2-12"),
    "count": (CARDS, "number: 2, cost", "number: 3, cost", "4 cards with number 2, 5 are expected"),
    "clear": (CARDS, "cost: {blue: 1, y", "cost: {clear: 1, y", "B02A: a cost names blue, yellow,"),
    "none": (
        CARDS,
        "cost: {blue: 1, yellow: 1}}",
        "cost: {}}",
        "B02A: a cost is a map from colors",
    ),
    "zero": (CARDS, "cost: {blue: 1, y", "cost: {blue: 0, y", "blue: 0 is outside 1-1000"),
    "same id": (CARDS, "id: B02B", "id: B02A", "B02A stands twice"),
    "key": (CARDS, "id: B02A, ", "", "id missing"),
    "other content": (MAP, "slots: 1, group: pink", "slots: 2, group: pink", "charon_map_v1 comes"),
    "kind": (CARDS, "card_set_id: charon_cards_v1", "a: b", "neither a map (map_id, ...) nor a"),
    "form": (CARDS, "cards:\n", "cards: [\n", "a list or map"),
}


@pytest.mark.clause("CHQ-01")
@pytest.mark.parametrize(("text", "old", "new", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_line(text: str, old: str, new: str, message: str) -> None:
    assert old in text
    changed = text.replace(old, new, 1)
    _, remarks = GAME.check_data("mine", changed)  # type: ignore[misc]
    if message == "a list or map":
        assert remarks
        return
    assert remarks[0].text.startswith(message), remarks
    line = changed.split("\n").index(
        next(a for a, b in zip(changed.split("\n"), text.split("\n"), strict=False) if a != b)
    )
    if not message.startswith(("4 cards", "charon_map_v1", "neither")):
        assert remarks[0].line == line + 1


@pytest.mark.clause("CHQ-01")
def test_rules_name_a_file_and_keep_its_id(tmp_path: Path) -> None:
    content = OTHER["test_rectangle"]
    (tmp_path / "moon.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    (tmp_path / "cards.json").write_text(json.dumps(OTHER["test_cheap"]), encoding="utf-8")
    rules = {"map_file": "moon.yaml", "card_file": "cards.json"}
    with looking_in(tmp_path):
        ruleset = GAME.ruleset.make(rules, 4)
    assert ruleset.resolved()["map_file"] == "test_rectangle"
    assert ruleset.differences() == {"map_file": "test_rectangle", "card_file": "test_cheap"}
    assert GAME.record_header(ruleset) == {"data": OTHER}
    files = ruleset.data_files()
    assert sorted(files) == ["data/test_cheap.json", "data/test_rectangle.json"]
    with looking_in(files):
        again = GAME.ruleset.make(ruleset.differences(), 4)
    assert again.resolved() == ruleset.resolved()
    assert GAME.caveats(ruleset) == ()
    match = Match(GAME, ruleset, 4, seed=1)
    assert {card["card"][:1] for card in match.events() if card["event"] == "deal"} == {"N"}
    mixed = GAME.ruleset.make({}, 4)
    assert "the map charon_map_v1 and the card costs charon_cards_v1" in GAME.caveats(mixed)[0]


RENAMED = OTHER["test_rectangle"] | {"map_id": "charon_map_v1"}
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], int, str]] = {
    "no file": ({}, {"map_file": "moon.yaml"}, 3, "there is no map 'moon.yaml' beside the exp"),
    "no id": ({}, {"card_file": "charon_cards"}, 3, "Did you mean 'charon_cards_v1'?"),
    "faulty": ({"moon.yaml": "map_id: 3"}, {"map_file": "moon.yaml"}, 3, "moon.yaml:1: 3 is no"),
    "other id": (
        {"data/mine.json": json.dumps(OTHER["test_rectangle"])}, {"map_file": "mine"}, 3,
        "data/mine.json holds 'test_rectangle', not 'mine'",
    ),
    "built in": (
        {"data/charon_map_v1.json": json.dumps(RENAMED)},
        {}, 3, "charon_map_v1 comes with the game and has other content",
    ),
    "bag": ({}, {"bag_per_color": 2}, 3, "12 regions are in play, and the bag has 10 gems"),
    "spots": ({}, {"edge_of_play_spots": "all_in_play", "regions_out": ["yellow", "pink", "blue"],
                   "placements": 5}, 5, "21 spots for 25 flags"),
    "cards": ({}, {"buried_cards": 10, "hand_first_round": 6, "twelves_aside": True}, 5, ""),
    "seats": ({}, {}, 6, "6 seats. CHARON Inc. is for 2 to 5 players"),
    "ways": ({"c.json": json.dumps(OTHER["test_cheap"]).replace(
        '{"blue": 1}', '{"blue": 4, "yellow": 4, "green": 4, "purple": 4, "black": 4}')},
        {"card_file": "c.json"}, 3, "N2a may be paid in 3125 ways with 6 clear gems"),
}  # fmt: skip


@pytest.mark.parametrize(("files", "rules", "seats", "message"), WRONG.values(), ids=WRONG)
def test_rules_that_cannot_be_played(
    files: dict[str, str], rules: dict[str, Any], seats: int, message: str
) -> None:
    with looking_in(files):
        found = GAME.ruleset.problems(rules, seats)
    text = " ".join(text for _, text in found)
    assert message in text, text
    assert bool(found) == bool(message)  # 40 of 50 cards suffice for the ones without a message
