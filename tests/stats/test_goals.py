"""Goals: how far off settings are, who goes on in a search, and how often one is called nearer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reefsim.metrics.catalog import known
from reefsim.stats.goals import (
    FARTHER,
    NEARER,
    Change,
    change_of_distance,
    distance,
    find_changes,
    find_goals,
    not_dominated,
    rank_settings,
    shared_level,
)
from reefsim.stats.targets import OPEN, Target
from reefsim.stats.values import ReplicateValues
from reefsim.testing.toy_runs import ToyArm, ToyRun, toy_run
from tests.sizes import sized

ROUNDS = known("toy_race")["length_rounds"]
N = 200


def compare(a: Any, b: Any, wanted: Any, what: str = "mean", level: float = 0.95) -> Change:
    """Change of the distance from a goal, of games with these rounds against those."""
    tables = [
        pd.DataFrame(
            {"arm": arm, "replicate": range(len(x)), "length_rounds": x, "truncated": False}
        )
        for arm, x in (("a", a), ("b", b))
    ]
    values = ReplicateValues(pd.concat(tables, ignore_index=True), pd.DataFrame(), {})
    one, two = (Target("length_rounds", ROUNDS, what, wanted, arm) for arm in "ab")
    return change_of_distance(one, two, values, level)


def test_a_distance_is_how_far_outside_of_what_is_wanted_a_value_lies() -> None:
    assert distance([10, 14, 17, 20, 23], 14, 20).tolist() == [4, 0, 0, 0, 3]
    assert distance(31.0, -math.inf, 30) == 1
    assert np.isnan(distance(math.nan, 14, 20))


def test_a_setting_that_another_one_beats_is_not_in_front() -> None:
    front = not_dominated([[0, 3], [1, 1], [1, 2], [0, 3], [math.nan, 0]])
    assert front.tolist() == [True, True, False, True, True]


# Where the two equal settings lie, and which share of searches may call the one nearer at 95 %.
NULLS = {
    "outside": ([10, 14], "mean"),
    "on the edge": ([20, 30], "mean"),
    "in the middle": ([15, 25], "mean"),
    "narrow": ([20, 20], "mean"),
    "median": ([10, 14], "median"),
    "one-sided": (24, "p95_below"),
}


@pytest.mark.parametrize("case", NULLS)
def test_equal_settings_are_hardly_ever_called_nearer(case: str) -> None:
    wanted, what = NULLS[case]
    rng = np.random.default_rng(len(case))
    tries = sized(300, 3000)
    found = []
    for _ in range(tries):
        shuffle = rng.normal(0, 2, N)  # what settings share
        a, b = (np.round(20 + shuffle + rng.normal(0, 3, N)) for _ in range(2))
        found.append(compare(a, b, wanted, what).effect)
    # 2.5 % on each side, and what 300 searches allow for
    allowed = 0.025 + 3 * math.sqrt(0.025 * 0.975 / tries)
    assert found.count(NEARER) / tries <= allowed
    assert found.count(FARTHER) / tries <= allowed
    if case == "outside":  # there the interval is the ordinary one of a difference
        assert found.count(OPEN) < tries


@pytest.mark.parametrize("what", ["mean", "median"])
@pytest.mark.parametrize(
    ("ours", "theirs"), [(17, 24), (19, 24), (24, 26), (12, 24), (20, 24), (17, 18)]
)
def test_the_interval_holds_the_true_change(ours: float, theirs: float, what: str) -> None:
    rng = np.random.default_rng(int(ours + 100 * theirs))
    true = float(distance(ours, 14, 20) - distance(theirs, 14, 20))
    tries, held = sized(150, 1500), 0
    for _ in range(tries):
        shuffle = rng.normal(0, 2, N)
        a, b = (x + shuffle + rng.normal(0, 3, N) for x in (ours, theirs))
        found = compare(a, b, [14, 20], what)
        held += found.low <= true <= found.high
    assert held / tries >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / tries)


def test_a_setting_that_is_nearer_is_called_so() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(17, 3, N), rng.normal(24, 3, N)
    for what in ("mean", "median"):
        assert compare(a, b, [14, 20], what).effect == NEARER
        assert compare(b, a, [14, 20], what).effect == FARTHER
    mirrored = compare(rng.normal(15, 3, N), rng.normal(29, 3, N), [20, 22])  # 5 below, 7 above
    assert mirrored.effect == NEARER
    assert mirrored.low < -2 < mirrored.high


def test_too_little_is_said_to_be_too_little() -> None:
    rng = np.random.default_rng(2)
    b = rng.normal(24, 3, N)
    same = compare(b, b, [14, 20])
    assert same.value == 0
    assert np.isnan([same.low, same.high]).all()
    assert same.effect == OPEN
    few = b.copy()
    few[:3] -= 30  # three games say nothing about how often that happens
    assert compare(few, b, [14, 20]).effect == OPEN
    constant = compare(np.full(N, 17.0), np.full(N, 24.0), [14, 20])
    assert constant.effect == OPEN


def test_intervals_that_hold_together_are_wider() -> None:
    assert shared_level(1) == pytest.approx(0.95)
    assert shared_level(10) == pytest.approx(0.995)


def goals_table(rounds: Any, shares: Any) -> pd.DataFrame:
    """Goals of settings with these mean rounds (±0.5) and first-seat shares (±14 pp)."""
    arms = [f"arm-{number}" for number in range(len(rounds))]
    kinds = ((rounds, 0.5, 14, 20, 3.0), (shares, 0.14, 0.48, 0.52, 0.02))
    return pd.concat(
        pd.DataFrame(
            {"arm": arms, "goal": number, "estimate": x, "low": np.subtract(x, half)}
            | {"high": np.add(x, half), "wanted_low": low, "wanted_high": high, "step": step}
        )
        for number, (x, half, low, high, step) in enumerate(kinds)
    )


def test_a_goal_in_which_settings_differ_by_chance_decides_nothing() -> None:
    rounds, shares = [17.0, 22.0, 25.0, 28.0], [0.40, 0.52, 0.46, 0.55]
    ranking = rank_settings(goals_table(rounds, shares))
    assert list(ranking.index) == ["arm-0", "arm-1", "arm-2", "arm-3"]
    # as they are, a share of 40 % would outweigh five rounds
    assert 0.08 / 0.02 > 5 / 3


def test_a_goal_in_which_settings_differ_decides() -> None:
    ranking = rank_settings(goals_table([17.0, 17.1, 17.2, 17.0], [0.1, 0.5, 0.9, 0.3]))
    assert ranking.index[0] == "arm-1"
    unknown = rank_settings(goals_table([math.nan, 30.0, 17.0, 16.0], [0.5] * 4))
    assert list(unknown.index) == ["arm-2", "arm-3", "arm-1", "arm-0"]


def race(seed: int, *rounds: float) -> ToyRun:
    """A check: a base, and finalists with so many rounds above the shortest game."""
    names = ["base", *(f"candidate_{number}" for number in range(1, len(rounds)))]
    arms = [
        ToyArm(f"{name}-table", ("greedy", "greedy"), rounds=mean)
        for name, mean in zip(names, rounds, strict=True)
    ]
    claim = {"claim": "equivalent", "to": "1/seats", "margin_pp": 15.0}
    experiment = {
        "targets": {"length_rounds": {"mean": [14, 20], "p95_below": 60}},
        "outcomes": {"primary": {"first_seat_share": claim}},
    }
    return toy_run(arms, N, seed, luck=0.3, baseline="base", experiment=experiment)


def test_goals_are_targets_and_claims_about_single_arms() -> None:
    goals = find_goals(race(1, 16.0, 8.0))
    assert list(goals["arm"].unique()) == ["base-table", "candidate_1-table"]
    own = goals[goals["arm"] == "candidate_1-table"].sort_values("goal")
    assert list(own["goal"]) == [0, 1, 2]
    assert list(own["what"]) == ["mean", "p95", "share"]
    assert list(own["wanted"]) == ["14 to 20 rounds", "below 60 rounds", "35 to 65 %"]
    assert list(own["step"]) == pytest.approx([3.0, 6.0, 0.15])
    assert list(own["distance"]) == [0, 0, 0]
    assert list(own["status"]) == ["inside", "inside", "inside"]


def test_better_is_claimed_for_equal_settings_no_more_often_than_stated() -> None:
    searches, claimed, level = sized(40, 1000), 0, shared_level(9)
    for seed in range(searches):
        changes = find_changes(race(seed, *[16.0] * 4), "base-table", level)
        assert len(changes) == 9
        claimed += bool((changes["effect"] == NEARER).any())
    assert claimed / searches <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / searches)
    changes = find_changes(race(1, 16.0, 8.0), "base-table", shared_level(3))
    assert changes.loc[0, "effect"] == NEARER


def test_settings_that_are_both_inside_are_equally_near() -> None:
    rng = np.random.default_rng(3)
    found = compare(rng.normal(16, 2, N), rng.normal(18, 2, N), [10, 24])
    assert (found.value, found.low, found.high) == (0, 0, 0)
    assert found.effect == OPEN
