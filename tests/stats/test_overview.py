"""Every metric of a run, against the values of its games."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reefsim.metrics.catalog import known
from reefsim.metrics.values import game_values, seat_values
from reefsim.stats.overview import overview
from reefsim.stats.replicates import replicate_means
from reefsim.testing.toy_runs import ToyArm, toy_run

NAMES = ("first_seat_share", "score_cv", "score")


def test_the_overview_rests_on_every_value_to_the_last_digit():
    run = toy_run([ToyArm("one", lineup=("a", "b", "b")), ToyArm("two")], replicates=40)
    metrics = [known(run.manifest["game"])[name] for name in NAMES]
    table = overview(run, metrics, {"two": "one"}, is_paired=True)
    assert table["metric"].unique().tolist() == list(NAMES)
    games, seats = game_values(run, NAMES[:2]), seat_values(run, NAMES[2:])
    for row in table.to_dict("records"):
        of_seat = not pd.isna(row["seat"])
        rows = seats[seats["seat"] == row["seat"]] if of_seat else games
        rows = rows[rows["arm"] == row["arm"]]
        means = replicate_means(rows[row["metric"]], rows["replicate"])
        assert row["estimate"] == means.mean()
        assert row["games"] == len(rows)
        assert (row["against"], np.isnan(row["difference"])) in (("one", False), ("", True))


def test_replicates_need_not_be_sorted_and_undefined_values_are_left_out():
    found = replicate_means([1.0, 4.0, np.nan, 3.0, np.nan], [7, 2, 2, 7, 5])
    assert found.to_dict() == {2: 4.0, 7: 2.0}
    assert replicate_means([], []).empty


def test_means_do_not_depend_on_the_order_of_whole_numbers():
    rng = np.random.default_rng(1)
    values, replicates = rng.integers(0, 99, 200), np.repeat(np.arange(50), 4)
    order = rng.permutation(200)
    expected = values.reshape(50, 4).mean(axis=1)
    assert replicate_means(values, replicates).to_numpy() == pytest.approx(expected, abs=0)
    assert replicate_means(values[order], replicates[order]).to_numpy() == pytest.approx(
        expected, abs=0
    )
