"""Lift of actions among winners: known ratios, and an interval that holds the truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reefsim.stats.lift import lift


def counts(rows: list[tuple[int, int, float, int, int]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["replicate", "seat", "win_share", "dig", "sing"])
    return frame.assign(arm="a", agent="x", game_id=frame["replicate"])


def test_a_known_lift() -> None:
    table = counts([(0, 0, 1.0, 4, 1), (0, 1, 0.0, 2, 1), (1, 0, 0.5, 3, 0), (1, 1, 0.5, 1, 0)])
    found = lift(table).set_index("action")
    assert found.loc["dig", "per_game"] == 2.5
    assert found.loc["dig", "among_winners"] == pytest.approx((4 + 1.5 + 0.5) / 2)
    assert found.loc["dig", "lift"] == pytest.approx(3 / 2.5)
    assert found.loc["sing", "lift"] == pytest.approx(0.5 / 0.5)
    assert found.loc["dig", ["seats", "replicates"]].tolist() == [4, 2]
    assert found.loc["dig", "low"] <= found.loc["dig", "lift"] <= found.loc["dig", "high"]


def test_groups_and_nothing_done() -> None:
    table = counts([(0, 0, 1.0, 0, 2), (0, 1, 0.0, 0, 1)])
    found = lift(table, ["arm", "seat"])
    assert found[["seat", "action"]].to_numpy().tolist() == [
        [0, "dig"], [0, "sing"], [1, "dig"], [1, "sing"],
    ]  # fmt: skip
    assert found["lift"].isna().tolist() == [True, False, True, True]  # seat 1 never won
    assert found[["low", "high"]].isna().all(axis=None)  # one replicate


def test_the_same_seed_gives_the_same_interval() -> None:
    rng = np.random.default_rng(5)
    rows = [(r, s, float(s == r % 2), *rng.poisson(3, 2)) for r in range(30) for s in (0, 1)]
    first, again = lift(counts(rows)), lift(counts(rows))
    pd.testing.assert_frame_equal(first, again)
    assert not first["low"].equals(lift(counts(rows), seed=2)["low"])


@pytest.mark.parametrize("replicates", [20, 60])
def test_intervals_hold_the_truth(replicates: int) -> None:
    """Winners dig 1.5 times as often as losers: lift 3 / 2.5; singing makes no difference."""
    held = {"dig": 0, "sing": 0}
    trials = 150
    for trial in range(trials):
        rng = np.random.default_rng(trial)
        luck = rng.gamma(4, 0.25, replicates)  # shared by the seats of a replicate
        rows = [
            (r, s, float(s == w), rng.poisson(luck[r] * (3 if s == w else 2)), rng.poisson(2))
            for r, w in enumerate(rng.integers(2, size=replicates))
            for s in (0, 1)
        ]
        found = lift(counts(rows), resamples=400).set_index("action")
        for action, truth in (("dig", 3 / 2.5), ("sing", 1.0)):
            held[action] += found.loc[action, "low"] <= truth <= found.loc[action, "high"]
    for action, n in held.items():
        assert 0.9 <= n / trials <= 0.99, action
