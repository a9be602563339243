"""What stands out among like things: found if put in, and rarely otherwise."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reefsim.stats.even import LEAST_BATCHES, batches, uneven


def counts(means: dict[str, float], num_batches: int = 20, games: int = 10, seed: int = 1):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {"arm": "a", "count": "used", "thing": thing, "batch": batch, "value": value / games}
        for batch in range(num_batches)
        for thing, mean in means.items()
        for value in [rng.poisson(mean * games)]
    )


def found(table: pd.DataFrame) -> pd.DataFrame:
    return uneven(table, ["thing"], ["arm"]).set_index("thing")


def test_what_is_used_twice_as_much_stands_out():
    table = found(counts({"often": 8.0} | dict.fromkeys("bcdefghij", 4.0)))
    assert list(table.index[table["stands_out"]]) == ["often"]
    assert table.loc["often", "ratio"] == pytest.approx(8 / 4.4, abs=0.1)
    assert table.loc["often", "low"] < 8 / 4.4 < table.loc["often", "high"]
    assert table.loc["often", "value"] == pytest.approx(8, abs=0.6)


def test_even_use_rarely_stands_out():
    hits = sum(
        found(counts(dict.fromkeys("abcdef", 0.5), seed=seed))["stands_out"].any()
        for seed in range(100)
    )
    assert hits <= 11  # at most 5 % are expected; 11 is three standard errors more


def test_a_real_but_small_difference_is_not_told():
    table = found(counts({"a": 110.0, "b": 100.0, "c": 100.0}, games=100))
    assert table.loc["a", "p_adjusted"] < 0.001
    assert not table["stands_out"].any()


def test_what_is_never_used_stands_out_without_spread():
    table = found(counts({"never": 0.0, "b": 4.0, "c": 4.0}))
    assert table.loc["never", "stands_out"]
    assert table.loc["never", "ratio"] == 0
    assert table.loc["never", "p"] == pytest.approx(2.0**-19)


def test_groups_are_compared_within_themselves():
    one, two = counts({"a": 4.0, "b": 4.0}), counts({"c": 40.0, "d": 40.0}, seed=2)
    table = pd.concat([one.assign(map="small"), two.assign(map="large")])
    ratios = uneven(table, ["thing"], ["arm", "map"])["ratio"]
    assert ratios.to_numpy() == pytest.approx([1, 1, 1, 1], abs=0.1)


def test_too_few_batches_are_no_evidence():
    assert found(counts({"a": 9.0, "b": 1.0}, num_batches=LEAST_BATCHES - 1)).empty


def test_batches_share_out_replicates():
    assert batches(range(100), 4) == [[*range(start, start + 25)] for start in range(0, 100, 25)]
    assert batches([7, 7, 2]) == [[2], [7]]
    assert batches([]) == []
