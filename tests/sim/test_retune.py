"""Agents tuned for each arm: once, kept in the run folder, part of the design by their budget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reefsim.agents.weights import Weights, by_hand, read_weights
from reefsim.errors import ConfigError, RunError
from reefsim.games import registry
from reefsim.logs.manifest import read_manifest
from reefsim.sim import retune
from reefsim.sim.progress import Progress
from reefsim.sim.runner import RunInterruptedError, run
from reefsim.sim.train import Training
from tests.runs import digests, experiment

GAME = registry.get("reef_encounter")
TEXT = """\
question: Does it matter what players are used to?
game: reef_encounter
seats: 2
seed: 7
rulesets: {short: {max_turns: 3}, bold: {preset: advanced, max_turns: 3}}
agents:
  a: {kind: greedy}
  b: {kind: random}
  c: {kind: greedy, weights: hand}
lineups: {table: [a, b], other: [a, c], calm: [b, b]}
arms: {retune: {generations: 1, population: 4, replicates: 1, check: 2, width: 1}}
stopping: {rule: fixed, replicates: 1}
"""


class PowerError(Exception):
    """The power fails."""


class Tuner:
    """Takes the place of `train`: quick, and counts."""

    def __init__(self, fails_at: int = 0) -> None:
        self.asked: list[tuple[str, Training]] = []
        self.fails_at = fails_at

    def __call__(
        self, training: Training, name: str, workers: int = 1, told: Any = None
    ) -> Weights:
        self.asked.append((name, training))
        if len(self.asked) == self.fails_at:
            raise PowerError
        told(0, 0.5)
        values = by_hand(GAME).values | {"meal": 0.5 + len(name)}
        differences = training.ruleset.differences()
        return Weights(values, name, training.seats, differences, {"method": "none"})


@pytest.fixture
def tuner(monkeypatch: pytest.MonkeyPatch) -> Tuner:
    tuner = Tuner()
    monkeypatch.setattr(retune, "train", tuner)
    return tuner


def test_each_ruleset_is_tuned_for_once(tmp_path: Path, tuner: Tuner) -> None:
    out = run(experiment(tmp_path / "run", TEXT), mode="plain")
    assert [name for name, _ in tuner.asked] == ["short", "bold"]
    for name, training in tuner.asked:
        assert training.budget == retune.Budget(1, 4, 1, 2, 1)
        assert (training.seats, training.seed) == (2, 7)
        found = read_weights(out / "weights" / f"{name}.yaml", GAME)
        assert found.rules == training.ruleset.differences()
        assert found.values["meal"] == 0.5 + len(name)


def test_the_manifest_names_the_tuned_weights(tmp_path: Path, tuner: Tuner) -> None:
    out = run(experiment(tmp_path / "run", TEXT), mode="plain")
    for arm in read_manifest(out)["arms"]:
        for name, agent in arm["agents"].items():
            if name == "a":
                assert agent["weights"]["origin"] == arm["ruleset"]
                assert agent["weights"]["fits"]
                assert agent["weights"]["provenance"] == {"method": "none"}
            else:
                assert agent.get("weights", {"origin": "hand"})["origin"] == "hand"


def test_tuned_weights_are_played_with(tmp_path: Path, tuner: Tuner) -> None:
    tuned = digests(run(experiment(tmp_path / "one", TEXT), mode="plain"))
    by_default = TEXT.replace("arms: {retune: {generations: 1", "#")
    other = digests(run(experiment(tmp_path / "two", by_default), mode="plain"))
    assert tuned.keys() == other.keys()
    changed = {path for path in tuned if tuned[path] != other[path]}
    assert any("arm=short-table" in path for path in changed)


def test_a_run_that_goes_on_does_not_tune_again(tmp_path: Path, tuner: Tuner) -> None:
    out = run(experiment(tmp_path / "run", TEXT), mode="plain")
    wanted = digests(out)
    run(experiment(out, TEXT), mode="plain")  # complete already
    (out / "games" / "arm=bold-table" / "part-00000.parquet").unlink()
    run(experiment(out, TEXT), mode="plain")
    assert len(tuner.asked) == 2
    assert digests(out) == wanted


def test_a_run_that_is_cut_off_while_it_tunes_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Tuner()
    monkeypatch.setattr(retune, "train", wanted)
    whole = run(experiment(tmp_path / "whole", TEXT), mode="plain")
    cut = Tuner(fails_at=2)
    monkeypatch.setattr(retune, "train", cut)
    out = tmp_path / "cut"
    with pytest.raises(PowerError):
        run(experiment(out, TEXT), mode="plain")
    assert [path.name for path in (out / "weights").iterdir()] == ["short.yaml"]
    assert read_manifest(out)["counts"]["games"] == 0
    run(experiment(out, TEXT), mode="plain")
    assert [name for name, _ in cut.asked] == ["short", "bold", "bold"]
    assert digests(out) == digests(whole)
    one, other = read_manifest(out), read_manifest(whole)
    assert one["arms"] == other["arms"]
    assert one["counts"] == other["counts"]


def test_ctrl_c_while_players_are_tuned_has_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(retune, "train", interrupted)
    with pytest.raises(RunInterruptedError, match="interrupted while players were tuned") as error:
        run(experiment(tmp_path / "run", TEXT), mode="plain")
    assert error.value.exit_code == 3


def test_another_budget_is_another_design(tmp_path: Path, tuner: Tuner) -> None:
    out = tmp_path / "run"
    texts = [TEXT, TEXT.replace("replicates: 1,", "replicates: 2,"), TEXT.replace("arms:", "#")]
    hashes = [experiment(out, text).config_hash for text in texts]
    assert len(set(hashes)) == 3
    run(experiment(out, TEXT), mode="plain")
    assert read_manifest(out)["config_hash"] == hashes[0]
    with pytest.raises(RunError, match="another design"):
        run(experiment(out, texts[1]), mode="plain")


def test_damaged_weights_are_told(tmp_path: Path, tuner: Tuner) -> None:
    out = run(experiment(tmp_path / "run", TEXT), mode="plain")
    (out / "games" / "arm=bold-table" / "part-00000.parquet").unlink()
    path = out / "weights" / "bold.yaml"
    path.write_text(path.read_text().replace("meal:", "meel:"))
    with pytest.raises(ConfigError, match=r"bold.yaml:\d+:\d+ weights.meel: unknown weight"):
        run(experiment(out, TEXT), mode="plain")


def test_progress_hears_of_the_tuning(tmp_path: Path, tuner: Tuner) -> None:
    class Heard(Progress):
        told: list[Any] = []  # noqa: RUF012

        def tuning(self, ruleset: str, done: int, generations: int) -> None:
            self.told.append((ruleset, done, generations))

    run(experiment(tmp_path / "run", TEXT), mode="plain", progress=Heard())
    assert Heard.told == [("short", 0, 1), ("short", 1, 1), ("bold", 0, 1), ("bold", 1, 1)]


@pytest.mark.parametrize(
    ("retune_entry", "what"),
    [
        ("{generations: 0}", "arms.retune.generations: 0 is outside 1-10000"),
        ("{population: 3}", "arms.retune.population: 3 is outside 4-1000"),
        ("{check: 1}", "arms.retune.check: 1 is outside 2-100000"),
        ("{width: 99}", "arms.retune.width: 99 is outside 1-"),
        ("{replicates: many}", "arms.retune.replicates: 'many' is text"),
        ("{generatons: 3}", "arms.retune.generatons: unknown key 'generatons'. Did you mean"),
        ("5", "arms.retune: 5"),
    ],
)
def test_mistakes_in_the_budget_have_one_line(tmp_path: Path, retune_entry: str, what: str) -> None:
    start, end = TEXT.index("{generations"), TEXT.index("}\nstopping")
    text = TEXT[:start] + retune_entry + TEXT[end:]
    with pytest.raises(ConfigError) as error:
        experiment(tmp_path / "run", text)
    [line] = str(error.value).splitlines()
    assert what in line


def test_no_tuning_where_none_is_asked_for(tmp_path: Path, tuner: Tuner) -> None:
    text = TEXT[: TEXT.index("arms:")] + "arms: {retune: false}\n" + TEXT[TEXT.index("stopping") :]
    out = run(experiment(tmp_path / "run", text), mode="plain")
    assert not tuner.asked
    assert not (out / "weights").exists()


@pytest.mark.jitted
def test_agents_are_really_tuned(tmp_path: Path) -> None:
    out = run(experiment(tmp_path / "run", TEXT))
    for name in ("short", "bold"):
        found = read_weights(out / "weights" / f"{name}.yaml", GAME)
        assert found.provenance["generations"] == 1
        assert found.provenance["check"]["replicates"] == 2
