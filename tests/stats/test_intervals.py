"""Intervals: published answers, the edges, and how often they really cover."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from reefsim.stats.blocks import block_mean
from reefsim.stats.intervals import effective_games, mean, quantile, share
from reefsim.stats.proportions import clopper_pearson, upper_bound, wilson

SIX_BLOCKS = [[1, 1], [1, 0.5], [1, 0], [0.5, 0.5], [1, 1], [0, 1]]  # shares of two rotations


def wins(k: int, n: int) -> np.ndarray:
    return np.repeat([1.0, 0.0], [k, n - k])


# --- known answers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "n", "expected", "exact", "tolerance"),
    [
        (97, 156, (0.543633, 0.694103), (0.540758, 0.698111), 1e-6),
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676), 5e-5),  # Newcombe 1998
        (0, 20, (0, 0.1611), (0, 0.1684), 5e-5),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776), 5e-5),
    ],
)
def test_published_intervals_of_shares(k, n, expected, exact, tolerance):
    assert wilson(k, n) == pytest.approx(expected, abs=tolerance)
    estimate = share(wins(k, n))
    chosen = {"wilson": expected, "exact": exact}["wilson" if k > 20 else "exact"]
    assert (estimate.low, estimate.high) == pytest.approx(chosen, abs=tolerance)
    assert clopper_pearson(k, n) == pytest.approx(exact, abs=tolerance)
    interval = scipy.stats.binomtest(k, n).proportion_ci(method="exact")
    assert clopper_pearson(k, n) == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_blocks_count_the_games_that_would_vary_as_much():
    estimate = share(np.mean(SIX_BLOCKS, axis=1), games=12)
    assert estimate.value == pytest.approx(0.708333, abs=1e-6)
    assert estimate.sd / math.sqrt(6) == pytest.approx(0.100347, abs=1e-6)
    assert estimate.method == "exact"  # 3.5 losses

    blocks = np.tile(SIX_BLOCKS, (40, 1)).mean(axis=1)
    estimate, t = share(blocks, games=480), block_mean(blocks, 0.5)
    assert estimate.method == "wilson"
    assert (estimate.low, estimate.high) == pytest.approx((t.low, t.high), abs=0.001)


def test_copies_of_a_shuffle_do_not_narrow_the_interval():
    blocks = np.array([[1, 1], [1, 1], [0, 0], [1, 1], [0, 0], [1, 0]], float)
    naive = blocks.std(ddof=1) / math.sqrt(12)
    block = share(blocks.mean(axis=1), games=12).sd / math.sqrt(6)
    assert (naive, block) == pytest.approx((0.148647, 0.200693), abs=1e-6)


def test_bounds_of_an_event_never_seen():
    assert upper_bound(0, 1000) == pytest.approx(0.002991250, abs=1e-9)
    assert share(np.zeros(1000)).high == pytest.approx(0.003682084, abs=1e-9)
    assert upper_bound(0, 0) == 1.0


def test_quantile_intervals():
    values = np.arange(1, 101)
    ninth, median = quantile(values, 0.9), quantile(values, 0.5)
    assert (ninth.low, ninth.high) == (84, 96)
    assert (median.low, median.value, median.high) == (40, 50, 61)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=300), st.sampled_from([0.05, 0.5, 0.95]))
def test_quantile_interval_is_that_of_scipy(values, q):
    expected = scipy.stats.quantile_test(np.sort(values), p=q).confidence_interval()
    estimate = quantile(values, q)
    low = -np.inf if np.isnan(expected.low) else expected.low
    high = np.inf if np.isnan(expected.high) else expected.high
    assert (estimate.low, estimate.high) == (low, high)


# --- edges -----------------------------------------------------------------------------------


def test_no_games_is_no_estimate():
    for estimate in (share([]), mean([]), quantile([], 0.5)):
        assert (estimate.replicates, estimate.note) == (0, "no games")
        assert math.isnan(estimate.value)
        assert math.isnan(estimate.low)


@pytest.mark.parametrize("value", [0.0, 1 / 3, 1.0])
def test_equal_shares_never_get_a_zero_width(value):
    one, many = share([value], games=3), share([value] * 100, games=300)
    assert one.low <= value <= one.high
    assert one.high - one.low > 0.9
    assert 0.02 < many.high - many.low < 0.05
    assert one.note == "one replicate only"
    if value == 1 / 3:
        assert many.note == "no spread in 100 replicates"


def test_equal_fractions_have_the_bound_of_an_unseen_change():
    zero = share([0.0] * 50, games=150)
    assert (zero.low, zero.high) == pytest.approx(clopper_pearson(0, 50))


def test_equal_scores_have_no_interval_and_say_so():
    for values in ([30.0], [30.0] * 9):
        estimate = mean(values)
        assert math.isnan(estimate.low)
        assert estimate.note


@pytest.mark.parametrize("bad", [math.nan, -0.1, 1.1])
def test_missing_or_impossible_shares_are_refused(bad):
    with pytest.raises(ValueError, match="1 of 3 values"):
        share([0.0, bad, 1.0])


def test_shares_in_single_precision_are_not_refused():
    assert share(np.full(3, np.float32(1) + np.float32(1e-7))).value == 1.0


def test_replicates_won_as_a_whole_are_counted():
    assert share([0.0, 1.0, 1.0] * 30, games=270) == share([0.0, 1.0, 1.0] * 30)


def test_rare_events_in_clusters_count_effective_games():
    means = np.zeros(300)
    means[:3] = 1.0  # all three games of three replicates: no more than 300 independent games
    assert effective_games(means, 900) == pytest.approx(300, rel=0.01)
    estimate = share(means, games=900)
    assert estimate.method == "exact"
    assert (estimate.low, estimate.high) == pytest.approx(clopper_pearson(3, 300), rel=0.02)


def test_copies_do_not_narrow_a_quantile():
    values = np.random.default_rng(3).integers(0, 1000, 100)
    once = quantile(values, 0.5)
    copied = quantile(np.repeat(values, 3), 0.5, replicates=np.repeat(np.arange(100), 3))
    assert (copied.low, copied.high) == (once.low, once.high)
    assert copied.replicates == 100


def test_truncated_games_only_raise_a_quantile():
    values = np.array([5, 6, 7, 8, 9, 10, 10, 10, 10, 10])
    censored = values == 10
    assert quantile(values, 0.5, censored=censored).value == 9
    assert quantile(values, 0.9, censored=censored).value == math.inf


# --- coverage --------------------------------------------------------------------------------

EXPERIMENTS = 2000


def coverage(truth: float, intervals: list[tuple[float, float]]) -> float:
    return float(np.mean([low <= truth <= high for low, high in intervals]))


def test_coverage_of_whole_wins():
    rng = np.random.default_rng(11)
    counts = rng.binomial(200, 1 / 3, EXPERIMENTS)
    assert coverage(1 / 3, [wilson(int(k), 200) for k in counts]) == pytest.approx(0.95, abs=0.015)


def test_coverage_of_shared_wins():
    rng = np.random.default_rng(12)
    outcomes = rng.choice([0, 1 / 3, 1 / 2, 1], p=[0.6, 0.1, 0.1, 0.2], size=(EXPERIMENTS, 200))
    truth = 0.1 / 3 + 0.1 / 2 + 0.2
    found = [share(games) for games in outcomes]
    assert {estimate.method for estimate in found} == {"wilson"}
    assert coverage(truth, [(e.low, e.high) for e in found]) == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize("luck", [0.0, 0.5, 0.95])
def test_coverage_of_rotations_that_share_a_shuffle(luck):
    rng = np.random.default_rng(13)
    winner = rng.integers(3, size=(EXPERIMENTS, 150, 1))
    own = rng.integers(3, size=(EXPERIMENTS, 150, 3))
    won = np.where(rng.random(own.shape) < luck, winner, own) == 0
    found = [share(games, games=450) for games in won.mean(axis=2)]
    assert coverage(1 / 3, [(e.low, e.high) for e in found]) == pytest.approx(0.95, abs=0.015)


def test_coverage_of_means():
    rng = np.random.default_rng(14)
    found = [mean(scores) for scores in rng.gamma(9, 3, size=(EXPERIMENTS, 100))]
    assert coverage(27, [(e.low, e.high) for e in found]) == pytest.approx(0.95, abs=0.015)


def test_rare_shares_are_covered_at_least():
    rng = np.random.default_rng(15)
    is_bad_shuffle = rng.random((EXPERIMENTS, 100)) < 0.02
    means = is_bad_shuffle * rng.integers(1, 4, size=is_bad_shuffle.shape) / 3
    found = [share(games, games=300) for games in means]
    assert coverage(0.02 * 2 / 3, [(e.low, e.high) for e in found]) >= 0.935


@pytest.mark.parametrize("rotations", [1, 3])
def test_coverage_of_a_median_with_truncated_games(rotations):
    rng = np.random.default_rng(16)
    replicates = np.repeat(np.arange(120), rotations)
    truth = math.exp(3)
    found = []
    for _ in range(EXPERIMENTS // 2):
        noise = rng.standard_normal(len(replicates)) + rng.standard_normal(120)[replicates]
        lengths = np.exp(3 + 0.3 * noise)
        cap = math.exp(3.6)
        found.append(quantile(np.minimum(lengths, cap), 0.5, replicates, lengths > cap))
    assert 0.935 <= coverage(truth, [(e.low, e.high) for e in found]) <= 0.98
