"""Training: it depends on its file only, gives up what does not help, and says how it was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from reefsim.agents.weights import Weights, by_hand, write_weights
from reefsim.cli.app import app
from reefsim.core.presets import config_dir
from reefsim.errors import ConfigError, RunError
from reefsim.games import registry
from reefsim.sim import train as module
from reefsim.sim.train import Budget, Training, check_found, train
from reefsim.sim.training_file import read_training

GAME = registry.get("reef_encounter")
BUDGET = Budget(generations=2, population=4, replicates=1, check=2, width=1)
TRAINING = Training(GAME, GAME.ruleset.make({"max_turns": 6}, 2), 2, by_hand(GAME), 3, BUDGET)


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Games whose outcome follows from the weights alone: the more `front`, the better.

    `share` is that of the wins in the check.
    """
    about: dict[str, Any] = {"share": 0.6, "means": []}

    def soft_share(
        training: Training, one: Mapping[str, float], others: Mapping[str, float], generation: int
    ) -> float:
        about["means"].append((generation, others["front"]))
        return 1 / (1 + np.exp(others["front"] - one["front"]))

    def check_shares(training: Training, tuned: Mapping[str, float]) -> Any:
        about["tuned"] = dict(tuned)
        return np.array([about["share"] - 0.1, about["share"] + 0.1])

    monkeypatch.setattr(module, "soft_share", soft_share)
    monkeypatch.setattr(module, "check_shares", check_shares)
    return about


def test_it_climbs(pretend: dict[str, Any]) -> None:
    budget = replace(BUDGET, generations=30)
    found = train(replace(TRAINING, budget=budget), "tuned")
    assert found.values["front"] > TRAINING.start.values["front"] + 0.3
    assert found.values["spread"] == TRAINING.start.values["spread"]  # no planner uses it
    assert [generation for generation, _ in pretend["means"][::4]] == list(range(30))


def test_the_seed_decides(pretend: dict[str, Any]) -> None:
    one, same, other = (train(replace(TRAINING, seed=seed), "x") for seed in (0, 0, 1))
    assert one == same
    assert one.values != other.values


@pytest.mark.parametrize(("share", "kept"), [(0.51, "tuned"), (0.5, "first"), (0.2, "first")])
def test_weights_that_did_not_help_are_given_up(
    pretend: dict[str, Any], share: float, kept: str
) -> None:
    pretend["share"] = share
    found = train(TRAINING, "x")
    assert found.provenance["check"]["kept"] == kept
    wanted = pretend["tuned"] if kept == "tuned" else TRAINING.start.values
    assert found.values == wanted
    assert pretend["tuned"] != TRAINING.start.values


def test_they_say_how_they_were_found(pretend: dict[str, Any]) -> None:
    heard: list[tuple[int, float]] = []
    found = train(TRAINING, "x", told=lambda *news: heard.append(news))
    assert (found.origin, found.seats, found.rules) == ("x", 2, {"max_turns": 6})
    check = found.provenance.pop("check")
    assert found.provenance.pop("method").startswith("CMA-ES (cma ")
    assert found.provenance == {
        "rules_version": GAME.rules_version,
        "start": "hand",
        "seed": 3,
        "generations": 2,
        "population": 4,
        "replicates": 1,
        "games": 2 * (2 * 4 * 1 + 2),
    }
    assert check == {
        "against": "hand",
        "replicates": 2,
        "fair": 0.5,
        "share": 0.6,
        "se": 0.1,
        "kept": "tuned",
    }
    assert [generation for generation, _ in heard] == [0, 1]
    assert all(0 < share < 1 for _, share in heard)


@pytest.mark.jitted
def test_weights_of_another_training_are_told_apart(
    tmp_path: Path, pretend: dict[str, Any]
) -> None:
    path = tmp_path / "w.yaml"
    write_weights(path, GAME, train(TRAINING, "w"))
    check_found(path, TRAINING)
    for changed, what in (
        (replace(TRAINING, seed=4), r"seed: 3, asked for is 4"),
        (replace(TRAINING, seats=3), r"seats: 2, asked for is 3"),
        (replace(TRAINING, budget=replace(BUDGET, generations=3)), r"generations: 2, asked for"),
        (replace(TRAINING, budget=replace(BUDGET, width=2)), r"width: 1, asked for is 2"),
        (replace(TRAINING, budget=replace(BUDGET, check=3)), r"check: 2, asked for is 3"),
        (replace(TRAINING, ruleset=GAME.ruleset.make({}, 2)), r"rules: "),
    ):
        with pytest.raises(RunError, match=what) as error:
            check_found(path, changed)
        assert len(str(error.value).splitlines()) == 1


def test_the_command_does_not_take_other_weights_for_its_own(
    tmp_path: Path, pretend: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reefsim.sim.warm.warm_up", lambda *args, **options: 0.0)
    file = tmp_path / "training.yaml"
    file.write_text(
        GOOD.replace("[2, 3]", "2").replace("bold: {preset: advanced, feed_return: 3}", "")
    )
    first = CliRunner().invoke(app, ["train", str(file), "--workers", "1"])
    assert first.exit_code == 0, first.output
    again = CliRunner().invoke(app, ["train", str(file)])
    assert "there already" in again.stdout
    other = CliRunner().invoke(app, ["train", str(file), "--seed", "6"])
    assert other.exit_code == 2
    assert "come from another training (seed: 5, asked for is 6)" in other.stderr


def test_an_interrupted_training_has_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reefsim.sim.warm.warm_up", lambda *args, **options: 0.0)
    monkeypatch.setattr(module, "soft_share", interrupted)
    file = tmp_path / "training.yaml"
    file.write_text(GOOD)
    found = CliRunner().invoke(app, ["train", str(file), "--workers", "1"])
    assert found.exit_code == 3
    [line] = found.stderr.splitlines()
    assert line.startswith("interrupted: ")
    assert not list(tmp_path.glob("tuned/*"))


def test_workers_do_not_change_the_result() -> None:
    one = train(TRAINING, "x", workers=1)
    assert one == train(TRAINING, "x", workers=2)
    assert 0 <= one.provenance["check"]["share"] <= 1


@pytest.mark.jitted
def test_planners_with_equal_weights_win_their_fair_share() -> None:
    """One among its equals, on every seat of each shuffle, wins as often as any."""
    start = TRAINING.start.values
    shares = module.check_shares(TRAINING, start)
    assert shares.shape == (2,)
    assert shares.tolist() == [0.5, 0.5]
    assert 0 < module.soft_share(TRAINING, start, start, 0) < 1


@pytest.mark.jitted
def test_the_games_of_the_check_were_not_trained_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Any, ...]] = []
    original = module._play

    def play(training: Training, one: Any, others: Any, *shuffles: Any) -> Any:
        seen.append(shuffles)
        return original(training, one, others, *shuffles)

    monkeypatch.setattr(module, "_play", play)
    train(TRAINING, "x")
    *training, check = seen
    assert {shuffles[:3] for shuffles in training} == {(3, 0, 1), (3, 1, 1)}
    assert check == (4, 0, 2, None)


GOOD = """\
game: reef_encounter
seats: [2, 3]
seed: 5
rulesets:
  base: {}
  bold: {preset: advanced, feed_return: 3}
start: hand
budget: {generations: 2, population: 4, replicates: 1, check: 2, width: 1}
out: tuned
"""


def read(tmp_path: Path, text: str, **options: Any) -> Any:
    path = tmp_path / "training.yaml"
    path.write_text(text)
    return read_training(path, **options)


def test_a_training_file(tmp_path: Path) -> None:
    trainings = read(tmp_path, GOOD).trainings
    names = ["base_2", "base_3", "bold_2", "bold_3"]
    assert list(trainings) == [tmp_path / "tuned" / f"{name}.yaml" for name in names]
    for path, training in trainings.items():
        assert training.seats == int(path.stem[-1])
        assert (training.seed, training.budget) == (5, BUDGET)
        assert training.start == by_hand(GAME)
    last = [*trainings.values()][-1].ruleset
    assert (last.feed_return, last.extra_growth) == (3, False)


def test_options_take_the_place_of_what_the_file_says(tmp_path: Path) -> None:
    [(path, training)] = read(
        tmp_path,
        "game: reef_encounter\nseats: 4\nrulesets: {base: {}}\n",
        seed=9,
        out=tmp_path / "there",
    ).trainings.items()
    assert path == tmp_path / "there" / "base_4.yaml"
    assert training.seed == 9
    assert training.budget == Budget(25, 12, 30, 200, 4)
    assert isinstance(training.start, Weights)


# what is written instead of what, and what is said
MISTAKES = [
    ("game: reef_encounter", "game: chess", "1:7 game: 'chess'"),
    ("game: reef_encounter\n", "", "game: missing."),
    ("seats: [2, 3]", "seats: [2, 7]", "2:8 seats: 7 is not a number of seats of Reef Encounter."),
    ("seats: [2, 3]", "seats: []", "2:8 seats: "),
    ("seats: [2, 3]", "seats: [2, 2]", "2:12 seats: 2 stands twice"),
    ("seats: [2, 3]", "seats: two", "2:8 seats: "),
    ("seats: [2, 3]\n", "", "seats: missing."),
    ("seed: 5", "seed: -1", "3:7 seed: -1 is outside"),
    ("feed_return: 3", "feed_retrun: 3", "6:28 rulesets.bold.feed_retrun: "),
    ("preset: advanced", "preset: advancd", "'advancd' is not a preset of reef_encounter. Did you"),
    ("base: {}", "base: 5", "5:9 rulesets.base: "),
    ("start: hand", "start: mine", "7:8 start: 'mine'"),
    ("budget: {", "budjet: {", "8:1 budjet: unknown key 'budjet'. Did you mean 'budget'?"),
    ("generations: 2", "generations: 0", "8:23 budget.generations: 0 is outside"),
    ("generations: 2", "generation: 2", "8:10 budget.generation: unknown key 'generation'."),
    ("population: 4", "population: 3", "budget.population: 3 is outside"),
    ("check: 2", "check: 1", "budget.check: 1 is outside"),
    ("width: 1", "width: 1000", "budget.width: 1000 is outside"),
    ("replicates: 1", "replicates: 1.5", "budget.replicates: 1.5 is not a whole number"),
    ("out: tuned", "out: 5", "9:6 out: 5"),
]


@pytest.mark.parametrize(("old", "new", "what"), MISTAKES, ids=lambda text: text[:20])
def test_each_mistake_has_one_line(tmp_path: Path, old: str, new: str, what: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(ConfigError) as error:
        read(tmp_path, GOOD.replace(old, new))
    [line] = str(error.value).splitlines()
    assert line.startswith(str(tmp_path / "training.yaml"))
    assert what in line


def test_rules_that_do_not_suit_a_later_number_of_seats(tmp_path: Path) -> None:
    text = GOOD.replace("base: {}", "base: {initial_hand: [6, 6]}")
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    [line] = str(error.value).splitlines()
    assert "rulesets.base.initial_hand" in line


def test_the_shipped_training_files() -> None:
    paths = list((config_dir() / "training").glob("*.yaml"))
    assert paths
    for path in paths:
        trainings = read_training(path).trainings
        assert {training.seats for training in trainings.values()} == set(GAME.seats)
