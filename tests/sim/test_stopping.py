"""Runs that stop by themselves: the same end however they are played, and the right end."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reefsim.logs.read import open_run
from reefsim.metrics.catalog import known
from reefsim.sim import plan
from reefsim.sim.look import Look, half_width, look
from reefsim.sim.runner import RunInterruptedError, run
from reefsim.sim.stopping import Stopping, fixed
from reefsim.stats.claim import Claim
from reefsim.stats.values import ReplicateValues
from tests.runs import ARMS, TEXT, digests, experiment, play, small_parts
from tests.sim.test_runner import interrupt_at, without_volatile

RULE = "stopping: {rule: fixed, replicates: 15}"
WIDE = """\
stopping:
  rule: precision
  half_width: {length_turns: %s}
  look_every: 10
  replicates: {min: 20, max: 60}
"""
PRECISION = TEXT.replace(RULE, WIDE % 1.2)
DECISION = TEXT.replace(
    RULE,
    "outcomes: {primary: {first_seat_share: {claim: superior, than: 0.02}}}\n"
    "stopping: {rule: decision, look_every: 15, replicates: {min: 15, max: 90}}",
)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)


def ended(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())["ended"]
    return found


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("stopped") / "run", PRECISION)


def test_a_run_ends_when_its_interval_is_narrow_enough(stopped: Path, tmp_path: Path) -> None:
    found = open_run(stopped)
    end = ended(stopped)
    assert end["stopped_by"] == "precision"
    assert 20 <= end["replicates"] < 60
    assert end["look"] == (end["replicates"] - 20) // 10 + 1
    assert found.games.groupby("arm", observed=True)["replicate"].nunique().tolist() == [
        end["replicates"]
    ] * len(ARMS)
    assert all(arm["replicates"] == end["replicates"] for arm in found.manifest["arms"])
    assert found.manifest["counts"]["complete"]
    rule = experiment(stopped, PRECISION).stopping
    looks = [
        look(stopped, rule, i + 1, n) for i, n in enumerate(rule.looks) if n <= end["replicates"]
    ]
    assert [bool(one.stopped_by) for one in looks] == [False] * (len(looks) - 1) + [True]
    assert looks[-1].widths[0].now <= 1.2 < looks[-2].widths[0].now


@pytest.mark.parametrize("options", [{"workers": 2}, {"workers": 2, "chunk": 3}], ids=str)
def test_the_end_does_not_depend_on_workers(
    stopped: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    found = play(tmp_path / "run", PRECISION, **options)
    assert digests(found) == digests(stopped)
    assert without_volatile(found) == without_volatile(stopped)


@pytest.mark.parametrize("task", [3, 7])
def test_an_interrupted_run_ends_where_it_would_have_ended(
    stopped: Path, tmp_path: Path, task: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    with monkeypatch.context() as patched:
        interrupt_at(patched, task)
        with pytest.raises(RunInterruptedError, match="at most 240 games"):
            run(experiment(out, PRECISION, workers=2), mode="plain")
    assert ended(out) is None
    run(experiment(out, PRECISION), mode="plain")
    assert digests(out) == digests(stopped)
    assert without_volatile(out) == without_volatile(stopped)


def test_games_behind_a_look_do_not_change_what_it_sees(stopped: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    shutil.copytree(stopped, out)
    rule = experiment(stopped, PRECISION).stopping
    before = look(out, rule, 1, 20)
    for path in out.glob("*/*/part-*.parquet"):
        if int(path.stem[-5:]) * plan.part_replicates(experiment(out, PRECISION)) >= 20:
            path.unlink()
    assert look(out, rule, 1, 20) == before


def test_a_run_that_ended_is_not_played_again(stopped: Path) -> None:
    stamp = (stopped / "manifest.json").stat().st_mtime_ns
    run(experiment(stopped, PRECISION), mode="plain")
    assert (stopped / "manifest.json").stat().st_mtime_ns == stamp


def test_a_run_that_ended_answers_what_is_asked_later(stopped: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    shutil.copytree(stopped, out)
    asked = "targets: {length_rounds: {median: [1, 2]}}\n"
    run(experiment(out, PRECISION + asked), mode="plain")
    found = open_run(out)
    assert found.manifest["experiment"]["targets"] == {"length_rounds": {"median": [1, 2]}}
    assert found.manifest["config_text"].endswith(asked)
    assert found.manifest["ended"] == ended(stopped)
    assert digests(out) == digests(stopped)


def test_a_part_that_got_lost_is_played_again(stopped: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    shutil.copytree(stopped, out)
    next(out.glob("games/*/part-00000.parquet")).unlink()
    run(experiment(out, PRECISION), mode="plain")
    assert digests(out) == digests(stopped)
    assert without_volatile(out) == without_volatile(stopped)


def test_a_run_without_end_plays_the_most(tmp_path: Path) -> None:
    text = TEXT.replace(RULE, WIDE % 0.001).replace("max: 60", "max: 25")
    out = play(tmp_path / "run", text)
    assert ended(out) == {"replicates": 25, "stopped_by": "max", "look": 2}
    assert len(open_run(out).games) == 25 * 4


def test_a_run_ends_when_its_claims_are_decided(tmp_path: Path) -> None:
    out = play(tmp_path / "run", DECISION)
    end = ended(out)
    assert end["stopped_by"] == "decision"
    assert end["replicates"] < 90
    found = look(out, experiment(out, DECISION).stopping, end["look"], end["replicates"])
    assert (found.claims, found.undecided) == (2, 0)


def test_looks_of_a_rule() -> None:
    rule = Stopping("precision", most=1050, least=350, look_every=200)
    assert rule.looks == (400, 600, 800, 1000, 1050)
    assert fixed(7).looks == (7,)


@pytest.mark.parametrize(("replicates", "is_known"), [(29, False), (30, True)])
def test_the_spread_of_few_numbers_ends_no_run(replicates: int, is_known: bool) -> None:
    lengths = np.random.default_rng(1).exponential(8, replicates)
    games = pd.DataFrame({"arm": "a", "replicate": range(replicates), "length_turns": lengths})
    values = ReplicateValues(games, pd.DataFrame(), {"a": 1})
    claim = Claim("length_turns", known("reef_encounter")["length_turns"], "estimate", "a")
    width = half_width(claim, values, Stopping("precision", most=60, least=10, look_every=10))
    assert math.isfinite(width) == is_known


@pytest.mark.parametrize(
    ("every", "size"), [(200, 200), (1000, 250), (600, 200), (10, 10), (251, 251), (254, 127)]
)
def test_looks_fall_between_parts(tmp_path: Path, every: int, size: int) -> None:
    text = PRECISION.replace("look_every: 10", f"look_every: {every}")
    text = text.replace("max: 60", "max: 20000")
    design = experiment(tmp_path, text)
    assert plan.part_replicates(design) == size
    assert all(n % size == 0 for n in design.stopping.looks[:-1])


def test_what_is_expected_follows_from_the_width(stopped: Path) -> None:
    rule = experiment(stopped, PRECISION).stopping
    second = look(stopped, rule, 2, 30)
    width = second.widths[0]
    needed = 30 * (width.now / width.wanted) ** 2
    assert 30 + second.more == min(60, 10 * math.ceil(max(30, needed) / 10))
    assert isinstance(second, Look)
    assert look(stopped, rule, 1, 20).more == 40  # not known from so few
    assert look(stopped, fixed(20), 1, 20).stopped_by == "fixed"
