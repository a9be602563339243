"""Rulesets: every parameter with its default, strict values, cross-checks, and the presets."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from reefsim.core import presets as preset_files
from reefsim.core.presets import preset_dir, presets
from reefsim.core.ruleset import Ruleset, toggle
from reefsim.errors import ConfigError
from reefsim.games.reef_encounter.ruleset import SEATS, ReefEncounterRuleset
from reefsim.games.registry import info, names

DEFAULTS: dict[str, Any] = {
    "boards": "random",
    "initial_side": "random",
    "initial_hand": {"2": [6, 9], "3": [6, 7, 9], "4": [6, 7, 8, 9]},
    "tiles_per_color": 40,
    "larvae_per_color": 10,
    "cylinders_per_alga": 5,
    "shrimps_per_player": 4,
    "extra_growth": True,
    "growth_optional": False,
    "shrimp_blocks_growth": True,
    "feed_return": 4,
    "final_feed_return": 5,
    "min_feed_size": 5,
    "min_final_feed_size": 5,
    "base_tile_value": 1,
    "grow_actions_per_turn": 2,
    "max_tiles_from_behind": 4,
    "allow_empty_grow": False,
    "min_attack_size": 2,
    "attack_needs_own_shrimp": False,
    "merge_rule": "two_shrimps",
    "max_own_shrimps_per_board": 2,
    "lock_flips_others": True,
    "allow_null_flip": True,
    "collect_mandatory": True,
    "final_feed_events": [1, 2],
    "final_turn": "feed_only",
    "end_timing": "immediate",
    "complete_round": False,
    "bag_end_rule": "insufficient",
    "no_space_rule": "no_legal",
    "max_shrimp_moves_per_turn": 8,
    "max_turns": 400,
}
RANGES = {
    "tiles_per_color": (20, 60),
    "larvae_per_color": (3, 20),
    "cylinders_per_alga": (1, 10),
    "shrimps_per_player": (1, 6),
    "feed_return": (0, 10),
    "final_feed_return": (0, 10),
    "min_feed_size": (1, 12),
    "min_final_feed_size": (1, 12),
    "base_tile_value": (0, 5),
    "grow_actions_per_turn": (1, 4),
    "max_tiles_from_behind": (1, 10),
    "min_attack_size": (1, 6),
    "max_own_shrimps_per_board": (1, 6),
    "max_shrimp_moves_per_turn": (0, 50),
}
CHOICES = {
    "initial_side": ("random", "starfish", "reverse"),
    "merge_rule": ("two_shrimps", "never"),
    "final_turn": ("feed_only", "full_turn"),
    "end_timing": ("immediate", "end_of_turn"),
    "bag_end_rule": ("insufficient", "lt3", "le3", "empty"),
    "no_space_rule": ("no_legal", "no_empty"),
}
PRESETS: dict[str, dict[str, Any]] = {
    "base": {},
    "advanced": {"extra_growth": False, "feed_return": 5, "final_feed_return": 6},
    "digest000": {
        "max_own_shrimps_per_board": 1,
        "final_feed_events": [1, 2, 3, 4],
        "bag_end_rule": "le3",
        "growth_optional": True,
        "lock_flips_others": False,
    },
    "summary002": {
        "initial_side": "starfish",
        "max_own_shrimps_per_board": 4,
        "attack_needs_own_shrimp": True,
        "merge_rule": "never",
        "lock_flips_others": False,
        "end_timing": "end_of_turn",
        "bag_end_rule": "empty",
        "no_space_rule": "no_empty",
        "collect_mandatory": False,
    },
}


def refused(values: dict[str, Any], seats: int = 3) -> bool:
    return bool(ReefEncounterRuleset.problems(values, seats))


def test_the_defaults_are_the_published_game_in_the_order_of_a_record() -> None:
    resolved = ReefEncounterRuleset().resolved()
    assert resolved == DEFAULTS
    assert list(resolved) == list(DEFAULTS)


@pytest.mark.parametrize("seats", SEATS)
def test_a_ruleset_is_rebuilt_from_what_a_record_holds(seats: int) -> None:
    for differences in PRESETS.values():
        ruleset = ReefEncounterRuleset.make(differences, seats)
        assert ReefEncounterRuleset.make(ruleset.resolved(), seats) == ruleset
        assert ruleset.resolved() == DEFAULTS | differences
        assert ruleset.differences() == differences


def test_every_parameter_says_what_it_is() -> None:
    for parameter in ReefEncounterRuleset.toggles():
        assert parameter.clause
        assert parameter.doc
        assert parameter.allowed
        assert not parameter.problems(DEFAULTS[parameter.name])


@pytest.mark.parametrize("name", RANGES)
def test_ranges(name: str) -> None:
    low, high = RANGES[name]
    assert not refused({name: low})
    assert not refused({name: high})
    assert refused({name: low - 1})
    assert refused({name: high + 1})


@pytest.mark.parametrize("name", CHOICES)
def test_choices(name: str) -> None:
    assert not any(refused({name: choice}) for choice in CHOICES[name])
    assert refused({name: "other"})


def test_no_upper_bound_for_the_turn_limit() -> None:
    assert not refused({"max_turns": 10**9})
    assert refused({"max_turns": 0})


@pytest.mark.parametrize("name", DEFAULTS)
@pytest.mark.parametrize("value", [None, 1.0, "1", {}, [None], [[]], {"a": 1}, float("nan")])
def test_nothing_is_converted(name: str, value: object) -> None:
    assert refused({name: value})
    with pytest.raises(ValidationError):
        ReefEncounterRuleset(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", DEFAULTS)
def test_truth_values_and_numbers_are_kept_apart(name: str) -> None:
    other: object = 1 if isinstance(DEFAULTS[name], bool) else True
    assert refused({name: other})


@pytest.mark.parametrize(
    ("values", "seats", "accepted"),
    [
        ({"boards": ["R1", "R1"]}, 2, True),
        ({"boards": ["R1"]}, 2, False),
        ({"boards": []}, 2, False),
        ({"boards": "R1"}, 2, False),
        ({"initial_hand": [1, 1]}, 2, True),
        ({"initial_hand": [0, 1]}, 2, False),
        ({"initial_hand": [6, 9, 9]}, 2, False),
        ({"initial_hand": {2: [6, 9]}}, 2, True),
        ({"initial_hand": {"2": [6, 9]}}, 2, True),
        ({"initial_hand": {"2": [6, 9], 2: [6, 9]}}, 2, False),
        ({"initial_hand": {3: [6, 7, 9]}}, 2, False),
        ({"initial_hand": {2: [6, 9], 3: [6, 9]}}, 2, False),
        ({"initial_hand": {2: [6, 9], 5: [6, 6, 6, 6, 6]}}, 2, False),
        # 5 x 20 - 5 x 2 - 17 = 73 tiles are left for the hands
        ({"initial_hand": [36, 37], "tiles_per_color": 20}, 2, True),
        ({"initial_hand": [37, 37], "tiles_per_color": 20}, 2, False),
        # 5 x 60 - 5 x 4 - 17 = 263
        ({"initial_hand": [63, 100, 50, 50], "tiles_per_color": 60}, 4, True),
        ({"initial_hand": [64, 100, 50, 50], "tiles_per_color": 60}, 4, False),
        ({"final_feed_events": []}, 2, True),
        ({"final_feed_events": [4, 1]}, 2, True),
        ({"final_feed_events": [1, 1]}, 2, False),
        ({"final_feed_events": [0]}, 2, False),
    ],
)
def test_what_depends_on_the_seats_or_on_other_values(
    values: dict[str, Any], seats: int, accepted: bool
) -> None:
    assert refused(values, seats) is not accepted
    if accepted:
        assert ReefEncounterRuleset.make(values, seats)
    else:
        with pytest.raises(ValueError, match=next(iter(values))):
            ReefEncounterRuleset.make(values, seats)


def test_all_mistakes_are_found_at_once() -> None:
    values = {"feed_return": 11, "boards": ["R1"], "merge": "never", "extra_growth": "no"}
    found = ReefEncounterRuleset.problems(values, 2)
    assert sorted(path for path, _ in found) == [
        ("boards",),
        ("extra_growth",),
        ("feed_return",),
        ("merge",),
    ]


def test_a_ruleset_does_not_change_and_goes_by_value() -> None:
    ruleset = ReefEncounterRuleset.make({"initial_hand": {"2": [3, 4]}}, 2)
    with pytest.raises(ValidationError):
        ruleset.feed_return = 3
    same = ReefEncounterRuleset.make({"initial_hand": {2: [3, 4]}}, 2)
    assert ruleset == same
    assert hash(ruleset) == hash(same)
    assert pickle.loads(pickle.dumps(ruleset)) == ruleset
    assert ruleset.hand(2) == (3, 4)


def test_a_toggle_must_say_what_is_allowed() -> None:
    with pytest.raises(TypeError, match="does not say what is allowed"):
        toggle(3, clause="X1", doc="a number without a range")


def test_the_schema_of_a_ruleset_holds_clause_and_range() -> None:
    class Small(Ruleset):
        size: int = toggle(3, clause="X1, X2", allowed=range(1, 5), doc="size")

    schema = Small.model_json_schema()["properties"]["size"]
    assert (schema["clause"], schema["allowed"]) == ("X1, X2", "whole number 1-4")


def test_the_presets_of_reef_encounter() -> None:
    assert presets("reef_encounter") == PRESETS
    assert next(iter(presets("reef_encounter"))) == "base"


@pytest.mark.parametrize("game", names())
def test_every_preset_is_valid_and_says_what_it_is(game: str) -> None:
    assert presets(game)
    for name, differences in presets(game).items():
        text = (preset_dir(game) / f"{name}.yaml").read_text(encoding="utf-8")
        assert text.startswith("# ")
        for seats in info(game).seats:
            assert not info(game).ruleset.problems(differences, seats)


def test_presets_are_found_inside_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(preset_files.config_dir(), tmp_path / "reefsim" / "configs")
    monkeypatch.setattr(preset_files, "_PACKAGE", tmp_path / "reefsim")
    assert preset_files.config_dir() == tmp_path / "reefsim" / "configs"
    assert presets("reef_encounter") == PRESETS
    assert presets("no_such_game") == {}


def test_a_preset_that_is_not_a_map_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "configs" / "rulesets" / "some_game"
    folder.mkdir(parents=True)
    (folder / "odd.yaml").write_text("[1, 2]", encoding="utf-8")
    monkeypatch.setattr(preset_files, "_PACKAGE", tmp_path / "reefsim")
    with pytest.raises(ConfigError, match=r"odd.yaml:1:1 a preset is a map of toggles and values"):
        presets("some_game")


def test_the_registry_names_the_nearest_game() -> None:
    with pytest.raises(KeyError, match="Did you mean 'reef_encounter'"):
        info("reef_encountr")


def test_a_game_of_another_package_brings_its_presets(tmp_path: Path) -> None:
    assert presets("no_such_game", tmp_path) == {"base": {}}
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "short.yaml").write_text("# Ends early.\ngoal: 5\n")
    assert presets("no_such_game", tmp_path) == {"base": {}, "short": {"goal": 5}}
