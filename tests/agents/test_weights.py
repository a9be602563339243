"""Weights files: there and back, what is wrong with one, and which one an agent plays with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from reefsim.agents import weights as module
from reefsim.agents.weights import (
    Weights,
    by_hand,
    find_weights,
    in_words,
    read_weights,
    write_weights,
)
from reefsim.errors import ConfigError
from reefsim.games import registry
from reefsim.logs.manifest import read_manifest
from reefsim.sim.design import loads
from tests.runs import TEXT, play

GAME = registry.get("reef_encounter")
GOOD = """\
game: reef_encounter
seats: 2
rules: {feed_return: 5}
weights: {rivals: 1.5, spread: 6, meal: 0.25}
provenance: {method: by guess}
"""


def tuned(name: str = "mine", seats: int = 2, **rules: Any) -> Weights:
    values = by_hand(GAME).values | {"meal": 0.125 * seats, "spread": 5.0}
    return Weights(values, name, seats, rules, {"method": "by guess", "check": {"share": 0.5}})


def test_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "mine.yaml"
    for weights in (tuned(), tuned(seats=4, feed_return=5, initial_hand=[6, 6, 7, 8])):
        write_weights(path, GAME, weights)
        assert read_weights(path, GAME) == weights
    assert [file.name for file in path.parent.iterdir()] == ["mine.yaml"]


def test_a_weight_that_is_left_out_is_the_one_set_by_hand(tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text(GOOD)
    found = read_weights(tmp_path / "part.yaml", GAME)
    assert found.values == by_hand(GAME).values | {"rivals": 1.5, "spread": 6.0, "meal": 0.25}
    assert (found.origin, found.seats, found.rules) == ("part", 2, {"feed_return": 5})
    assert found.provenance == {"method": "by guess"}
    assert all(type(value) is float for value in found.values.values())


# what is written instead of what, where the mistake is (line, column, path), what is said
MISTAKES = [
    ("meal: 0.25", "meel: 0.25", "4:35 weights.meel", "unknown weight 'meel'. Did you mean 'meal'"),
    ("meal: 0.25", "meal: much", "4:41 weights.meal", "'much' is not a number of"),
    ("meal: 0.25", "meal: true", "4:41 weights.meal", "true is not a number of"),
    ("meal: 0.25", "meal: .nan", "4:41 weights.meal", "is not a number of"),
    ("meal: 0.25", "meal: .inf", "4:41 weights.meal", "is not a number of"),
    ("meal: 0.25", "meal: [1]", "4:41 weights.meal", "is not a number of"),
    ("meal: 0.25", "meal:", "4:40 weights.meal", "is not a number of"),
    ("spread: 6", "spread: 0", "4:32 weights.spread", "0 is below 0.01."),
    ("spread: 6", "spread: -2.5", "4:32 weights.spread", "-2.5 is below 0.01."),
    ("game: reef_encounter", "game: chess", "1:7 game", "'chess', but the experiment plays"),
    ("seats: 2", "seats: 7", "2:8 seats", "7 is not a number of seats of Reef Encounter."),
    ("seats: 2", "seats: two", "2:8 seats", "'two' is not a number of seats of"),
    ("seats: 2", "seats: true", "2:8 seats", "true is not a number of seats of"),
    ("rules: {feed_return: 5}", "rules: 5", "3:8 rules", "a map is expected here."),
    ("weights: {rivals: 1.5, spread: 6, meal: 0.25}", "weights: 3", "4:10 weights", "a map is"),
    ("provenance:", "provenence:", "5:1 provenence", "unknown key 'provenence'. Did you mean"),
    ("seats: 2\n", "", "seats", "missing."),
    ("game: reef_encounter\n", "", "game", "missing."),
    ("rules: {feed_return: 5}\n", "", "rules", "missing."),
    ("weights: {rivals: 1.5, spread: 6, meal: 0.25}\n", "", "weights", "missing."),
]


@pytest.mark.parametrize(("old", "new", "place", "what"), MISTAKES, ids=lambda text: text[:24])
def test_each_mistake_has_one_line(
    tmp_path: Path, old: str, new: str, place: str, what: str
) -> None:
    assert GOOD.count(old) == 1
    path = tmp_path / "w.yaml"
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(ConfigError) as error:
        read_weights(path, GAME)
    [line] = str(error.value).splitlines()
    assert line.startswith(f"{path}:")
    assert f"{place}: " in line
    assert what in line


@pytest.mark.parametrize("text", ["- 1\n", "5\n", "", "meal: {\n"])
def test_what_is_no_map_at_all(tmp_path: Path, text: str) -> None:
    (tmp_path / "w.yaml").write_text(text)
    with pytest.raises(ConfigError) as error:
        read_weights(tmp_path / "w.yaml", GAME)
    assert len(str(error.value).splitlines()) == 1


def test_several_mistakes_are_told_together(tmp_path: Path) -> None:
    text = GOOD.replace("spread: 6", "spread: 0").replace("seats: 2", "seats: 9")
    (tmp_path / "w.yaml").write_text(text.replace("meal", "meel"))
    with pytest.raises(ConfigError) as error:
        read_weights(tmp_path / "w.yaml", GAME)
    assert len(error.value.problems) == 3


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Weights as they could come with reefsim, in a folder of its own."""
    folder = tmp_path / "agents"
    for weights in (
        tuned("base_2"),
        tuned("base_4", seats=4),
        tuned("five_2", feed_return=5),
        tuned("five_4", seats=4, feed_return=5),
    ):
        write_weights(folder / f"{weights.origin}.yaml", GAME, weights)
    monkeypatch.setattr(module, "agents_dir", lambda game: folder)
    return folder


@pytest.mark.parametrize(
    ("rules", "seats", "origin", "fits"),
    [
        ({}, 2, "base_2", True),
        ({}, 3, "base_2", False),
        ({}, 4, "base_4", True),
        ({"feed_return": 5}, 2, "five_2", True),
        ({"feed_return": 5}, 4, "five_4", True),
        ({"feed_return": 3}, 2, "base_2", False),
        ({"feed_return": 3}, 4, "base_4", False),
    ],
    ids=str,
)
def test_auto_takes_what_was_tuned_for_the_rules_else_for_the_published_game(
    shipped: Path, rules: dict[str, Any], seats: int, origin: str, fits: bool
) -> None:
    ruleset = GAME.ruleset.make(rules, seats)
    found = find_weights("auto", GAME, ruleset, seats, Path())
    assert (found.origin, found.fits(ruleset, seats)) == (origin, fits)
    assert find_weights("hand", GAME, ruleset, seats, Path()) == by_hand(GAME)


def test_auto_falls_back_on_those_set_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "agents_dir", lambda game: tmp_path / "none")
    found = find_weights("auto", GAME, GAME.ruleset(), 2, Path())
    assert found == by_hand(GAME)
    assert not found.fits(GAME.ruleset(), 2)


def test_a_file_is_found_beside_the_experiment(tmp_path: Path) -> None:
    (tmp_path / "w.yaml").write_text(GOOD)
    found = find_weights("w.yaml", GAME, GAME.ruleset(), 3, tmp_path)
    assert (found.origin, found.values["meal"]) == ("w", 0.25)


def test_what_weights_are_for_in_words() -> None:
    assert in_words(by_hand(GAME)) == "set by hand"
    assert in_words(tuned()) == "tuned for 2 seats, the published game"
    assert in_words(tuned(feed_return=5)) == "tuned for 2 seats, feed_return 5"


JUDGING = (
    TEXT.replace("a: {kind: random}", "a: {kind: greedy, weights: w.yaml}")
    .replace("replicates: 15", "replicates: 1")
    .replace("{published: {}", "{published: {max_turns: 2}")
)


def test_an_experiment_lists_the_mistakes_of_a_weights_file(tmp_path: Path) -> None:
    (tmp_path / "w.yaml").write_text(GOOD.replace("spread: 6", "spread: 0").replace("meal", "meel"))
    with pytest.raises(ConfigError) as error:
        loads(JUDGING, tmp_path / "small.yaml")
    lines = str(error.value).splitlines()
    assert len(lines) == 3
    assert (
        sum("agents.a.weights: 'w.yaml' cannot be used: it has mistakes." in s for s in lines) == 1
    )
    assert sum(line.startswith(f"{tmp_path / 'w.yaml'}:4:") for line in lines) == 2


def test_an_experiment_names_a_weights_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        loads(JUDGING, tmp_path / "small.yaml")
    assert "w.yaml" in str(error.value)
    assert "does not exist" in str(error.value)


def test_other_weights_are_another_design(tmp_path: Path) -> None:
    hashes = set()
    for text in (GOOD, GOOD.replace("meal: 0.25", "meal: 0.26"), GOOD + "# remark\n"):
        (tmp_path / "w.yaml").write_text(text)
        hashes.add(loads(JUDGING, tmp_path / "small.yaml").config_hash)
    assert len(hashes) == 2


def test_the_manifest_tells_where_weights_come_from_and_whether_they_fit(tmp_path: Path) -> None:
    (tmp_path / "w.yaml").write_text(GOOD.replace("{feed_return: 5}", "{max_turns: 2}"))
    arms = read_manifest(play(tmp_path / "run", JUDGING))["arms"]
    told = [arm["agents"]["a"]["weights"] for arm in arms]
    assert [weights["origin"] for weights in told] == ["w", "w"]
    assert [weights["fits"] for weights in told] == [True, False]
    assert told[0]["for"] == "tuned for 2 seats, max_turns 2"
    assert told[0]["provenance"] == {"method": "by guess"}
    assert "weights" not in arms[0]["agents"]["b"]


def test_weights_decide_games(tmp_path: Path) -> None:
    events = []
    for meal in (0.25, -9.0):
        (tmp_path / "w.yaml").write_text(GOOD.replace("0.25", str(meal)))
        out = play(tmp_path / f"run{meal}", JUDGING)
        [file] = out.glob("events/arm=published-table/*.parquet")
        events.append(file.read_bytes())
    assert events[0] != events[1]


def test_yaml_of_a_file_is_plain(tmp_path: Path) -> None:
    write_weights(tmp_path / "w.yaml", GAME, replace(tuned(), provenance={"seed": 1}))
    data = yaml.safe_load((tmp_path / "w.yaml").read_text())
    assert list(data) == ["game", "seats", "rules", "weights", "provenance"]
