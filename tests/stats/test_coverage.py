"""Every kind of interval that is printed covers what is true, 95 times in 100.

Toys with a known truth: fair and rigged, rotations that share a shuffle, wins that are shared,
games cut short, runs that stop early. Intervals that hold by construction at least as often (exact,
at any time, for all seats at once) may cover more.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
import scipy.special
import scipy.stats

from reefsim.stats import (
    antithetic,
    block_mean,
    bootstrap_interval,
    control_variate,
    difference_interval,
    multinomial_intervals,
    proportion_interval,
    quantile_interval,
    sequential_interval,
    sequential_mean,
    superiority,
)
from reefsim.stats.even import uneven
from reefsim.stats.intervals import mean, share
from reefsim.stats.paired import difference
from reefsim.stats.response import response
from tests.sizes import sized

EXPERIMENTS = sized(500, 4000)
SLACK = sized(0.025, 0.015)  # a small simulation has an error of its own
SHARES = {"fair": 1 / 3, "rigged": 0.4}

Draw = Callable[[np.random.Generator], tuple[float, float]]


def coverage(truth: float, draw: Draw, seed: int, experiments: int = EXPERIMENTS) -> float:
    rng = np.random.default_rng(seed)
    found = [draw(rng) for _ in range(experiments)]
    assert all(low < high for low, high in found)
    return float(np.mean([low <= truth <= high for low, high in found]))


def assert_nominal(rate: float) -> None:
    assert rate == pytest.approx(0.95, abs=SLACK)


def assert_at_least(rate: float) -> None:
    assert rate >= 0.95 - SLACK


@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES)
@pytest.mark.parametrize("method", ["wilson", "jeffreys", "exact"])
def test_whole_wins(method, share):
    rate = coverage(
        share, lambda rng: proportion_interval(rng.binomial(300, share), 300, method), 1
    )
    (assert_at_least if method == "exact" else assert_nominal)(rate)


@pytest.mark.parametrize("truth", [[1 / 3] * 3, [0.4, 0.3, 0.3]], ids=SHARES)
def test_all_seats_at_once(truth):
    rng = np.random.default_rng(2)
    hits = []
    for counts in rng.multinomial(400, truth, EXPERIMENTS):
        ends = multinomial_intervals(counts)
        hits.append(all(low <= p <= high for p, (low, high) in zip(truth, ends, strict=True)))
    assert_at_least(float(np.mean(hits)))
    assert np.mean(hits) < 0.985


def rotations(rng, replicates, weights, luck, shared):
    """Win shares of seat 0 in three rotations of a replicate; some wins are shared by two."""
    fate = rng.choice(3, p=weights, size=(replicates, 1))
    own = rng.choice(3, p=weights, size=(replicates, 3))
    winner = np.where(rng.random((replicates, 3)) < luck, fate, own)
    won = (winner == 0) * 1.0
    # a shared win goes by halves to the winner and the next seat
    halves = ((winner == 0) + (winner == 2)) / 2
    return np.where(rng.random((replicates, 3)) < shared, halves, won)


@pytest.mark.parametrize("weights", [(1 / 3, 1 / 3, 1 / 3), (0.4, 0.3, 0.3)], ids=SHARES)
@pytest.mark.parametrize("luck", [0.0, 0.6, 1.0])
def test_blocks_of_rotations_with_shared_wins(weights, luck):
    truth = 0.8 * weights[0] + 0.2 * (weights[0] + weights[2]) / 2

    def draw(rng):
        found = block_mean(rotations(rng, 150, weights, luck, 0.2), 1 / 3, bounds=(0, 1))
        return found.low, found.high

    assert_nominal(coverage(truth, draw, 3))


def ends(estimate):
    return estimate.low, estimate.high


@pytest.mark.parametrize(("n", "p"), [(20, 0.18), (50, 0.112), (100, 0.055), (200, 0.02)])
def test_shares_where_wilsons_interval_is_too_short(n, p):
    """Worked out, not simulated: every number of wins with its chance."""
    found = [ends(share([1.0] * k + [0.0] * (n - k))) for k in range(n + 1)]
    held = [low <= p <= high for low, high in found]
    assert scipy.stats.binom.pmf(np.flatnonzero(held), n, p).sum() >= 0.935


@pytest.mark.parametrize(("replicates", "p"), [(20, 0.05), (50, 0.05), (200, 0.02), (50, 0.95)])
def test_rare_wins_in_blocks_that_share_a_shuffle(replicates, p):
    """Four games of a shuffle, six of ten decided by it: t intervals hold 82 to 90 of 100."""

    def draw(rng):
        shared = rng.random((replicates, 4)) < 0.6
        u = np.where(shared, rng.random((replicates, 1)), rng.random((replicates, 4)))
        return ends(share((u < p).mean(axis=1), 4 * replicates))

    assert_at_least(coverage(p, draw, 19))


SKEWED = {
    "exponential": (lambda rng, n: rng.exponential(size=n), 1.0),
    "margins": (lambda rng, n: rng.geometric(0.12, n) * 1.0, 1 / 0.12),
    "left": (lambda rng, n: 50 - rng.gamma(2, 4, n), 42.0),
    "normal": (lambda rng, n: rng.standard_normal(n), 0.0),
}


@pytest.mark.parametrize("replicates", [10, 30])
@pytest.mark.parametrize("values", SKEWED.values(), ids=SKEWED)
def test_means_of_skewed_values(values, replicates):
    """Student's interval alone holds 90 of 100 for ten exponential values."""
    draw, truth = values
    rate = coverage(truth, lambda rng: ends(mean(draw(rng, replicates))), 20, 4 * EXPERIMENTS)
    assert_nominal(rate)


@pytest.mark.parametrize("sizes", [(20, 200), (50, 50)])
def test_differences_of_rare_shares(sizes):
    """Welch's interval holds 65 to 90 of 100 where arms differ in size."""

    def draw(rng):
        a, b = ((rng.random(n) < 0.05) * 1.0 for n in sizes)
        return ends(difference(a, b, False, (-1, 1)))

    assert_at_least(coverage(0.0, draw, 21))


def test_pairs_that_differ_seldom_and_in_one_direction():
    """T intervals alone hold 88 of 100."""

    def draw(rng):
        u = rng.random(50)
        return ends(difference((u < 0.4) * 1.0, (u < 1 / 3) * 1.0, True, (-1, 1)))

    assert_at_least(coverage(0.4 - 1 / 3, draw, 22))


@pytest.mark.parametrize("share", [0.03, 0.4])
def test_the_band_of_a_sweep_with_few_replicates(share):
    """The band of fits alone holds 64 to 81 of 100 for wins of 3 % in 20 replicates."""
    dials = np.arange(5.0)[:, None]
    rng = np.random.default_rng(24)
    held = np.zeros(5)
    for _ in range(EXPERIMENTS):
        own = rng.random((20, 5)) < 0.6
        u = np.where(own, rng.random((20, 5)), rng.random((20, 1)))
        found = response(dials, (u < share) * 1.0, bounds=(0, 1))
        held += (found.low <= share) & (share <= found.high)
    assert (held / EXPERIMENTS >= 0.95 - SLACK).all()
    never = response(dials, np.zeros((20, 5)), bounds=(0, 1))
    assert (never.low == 0).all()
    assert (never.high > 0.1).all()
    assert np.isnan(response(dials, np.ones((20, 5))).low).all()


def test_ratios_of_things_that_are_few_in_a_batch():
    """Means of the ratios of batches hold 86 of 100 of the rarest thing."""
    weights = np.array([1, 1, 1, 1, 1.3, 0.7])
    rng = np.random.default_rng(25)
    held, experiments = np.zeros(6), sized(150, 1500)
    for _ in range(experiments):
        counts = rng.poisson(0.8 * weights * rng.gamma(8, 1 / 8, (20, 1)))
        rows = [(b, t, "used", "a", v) for b, row in enumerate(counts) for t, v in enumerate(row)]
        table = pd.DataFrame(rows, columns=["batch", "thing", "count", "arm", "value"])
        found = uneven(table, ["thing"], ["arm"]).sort_values("thing")
        truth = weights / weights.mean()
        held += ((found["low"] <= truth) & (truth <= found["high"])).to_numpy()
    assert (held / experiments >= 0.95 - sized(0.055, 0.02)).all()


@pytest.mark.parametrize("method", ["newcombe", "miettinen_nurminen"])
def test_differences_of_independent_arms(method):
    def draw(rng):
        return difference_interval(
            rng.binomial(200, 0.4), 200, rng.binomial(150, 1 / 3), 150, method
        )

    assert_nominal(coverage(0.4 - 1 / 3, draw, 4))


@pytest.mark.parametrize("paired", [True, False])
def test_differences_of_arms_that_share_shuffles(paired):
    def draw(rng):
        u = rng.random((2, 200))
        a, b = (u[0] < 0.4) * 1.0, (u[0 if paired else 1] < 1 / 3) * 1.0
        found = difference(a, b, paired, (-1, 1))
        return found.low, found.high

    # pairs that seldom differ, and in one direction, are held oftener (see `student`)
    (assert_at_least if paired else assert_nominal)(coverage(0.4 - 1 / 3, draw, 5))


@pytest.mark.parametrize("q", [0.5, 0.9])
@pytest.mark.parametrize("cap", [math.inf, 2.5])
def test_quantiles_of_lengths_with_games_cut_short(q, cap):
    truth = -math.log(1 - q)

    def draw(rng):
        lengths = rng.exponential(size=200)
        return quantile_interval(np.minimum(lengths, cap), q, censored=lengths > cap)

    if truth < cap:
        # ranks are whole, so the nominal rate is reached or passed by what the binomial says
        low, high = quantile_interval(np.arange(1, 201), q)
        exact = np.diff(scipy.stats.binom.cdf([low - 1, high - 1], 200, q))[0]
        assert 0.95 <= exact <= 0.968
        assert coverage(truth, draw, 6) == pytest.approx(exact, abs=SLACK)


@pytest.mark.parametrize("q", [0.25, 0.5, 0.75])
def test_quantiles_of_games_cut_short_at_any_length(q):
    def draw(rng):
        lengths, caps = rng.exponential(size=200), rng.exponential(1.2, size=200)
        return quantile_interval(np.minimum(lengths, caps), q, censored=lengths > caps)

    assert coverage(-math.log(1 - q), draw, 18) == pytest.approx(0.96, abs=SLACK)


def test_quantiles_beyond_the_cap_are_open_above():
    rng = np.random.default_rng(7)
    for _ in range(50):
        lengths = rng.exponential(size=200)
        found = quantile_interval(np.minimum(lengths, 1), 0.9, censored=lengths > 1)
        assert found.high == math.inf


def test_who_is_ahead():
    def draw(rng):
        found = superiority(rng.poisson(6, 80), rng.poisson(5, 60))
        return found.low, found.high

    a, b = np.random.default_rng(8).poisson([[6], [5]], (2, 2_000_000))
    truth = float(((a > b) + (a == b) / 2).mean())
    assert_nominal(coverage(truth, draw, 8, EXPERIMENTS // 2))


def test_bootstrap_of_replicates():
    def draw(rng):
        return bootstrap_interval(rng.gamma(4, 2, 100), resamples=600, seed=1)[:2]

    assert_nominal(coverage(8.0, draw, 9, EXPERIMENTS // 2))


def test_means_with_less_variance():
    def controlled(rng):
        hand = rng.normal(6, 1, 60)
        return control_variate(hand + rng.standard_normal(60), hand, 6)[3:5]

    def mirrored(rng):
        u = rng.random(60)
        return antithetic(np.exp(np.column_stack([u, 1 - u])))[2:4]

    assert_nominal(coverage(6.0, controlled, 10))
    assert_nominal(coverage(math.e - 1, mirrored, 11))


@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES)
def test_ordinary_intervals_may_stop_at_a_width(share):
    def draw(rng):
        wins = np.cumsum(rng.random(4000) < share)
        for n in range(200, 4001, 100):
            low, high = proportion_interval(int(wins[n - 1]), n)
            if high - low <= 0.06:
                break
        return low, high

    assert_nominal(coverage(share, draw, 12, sized(250, 4000)))


def test_ordinary_intervals_must_not_stop_at_a_verdict():
    def draw(rng):
        wins = np.cumsum(rng.random(2000) < 0.5)
        for n in range(100, 2001, 100):
            low, high = proportion_interval(int(wins[n - 1]), n)
            if not low <= 0.5 <= high:
                break
        return low, high

    assert coverage(0.5, draw, 13, 200) < 0.85


LOOKS = range(50, 1001, 50)


@pytest.mark.parametrize("share", [0.02, 1 / 3, 0.4])
def test_whole_wins_at_any_time(share):
    def draw(rng):
        wins = np.cumsum(rng.random(1000) < share)
        for n in LOOKS:
            low, high = sequential_interval(int(wins[n - 1]), n)
            if not low <= share <= high:
                break
        return low, high

    assert_at_least(coverage(share, draw, 14, EXPERIMENTS // 2))


@pytest.mark.parametrize("bounds", [None, (0, 1)], ids=["asymptotic", "bounded"])
def test_shared_wins_at_any_time(bounds):
    def draw(rng):
        shares = rotations(rng, 1000, (1 / 3, 1 / 3, 1 / 3), 0.5, 0.2).mean(axis=1)
        for n in LOOKS:
            low, high = sequential_mean(shares[:n], bounds)
            if not low <= 1 / 3 <= high:
                break
        return low, high

    assert_at_least(coverage(1 / 3, draw, 15, EXPERIMENTS // 2))


@pytest.mark.slow
@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES)
def test_at_any_time_in_ten_thousand_looks(share):
    games = np.arange(1, 10_001)

    def draw(rng):
        wins = np.cumsum(rng.random(10_000) < share)
        evidence = scipy.special.betaln(1 + wins, 1 + games - wins)
        evidence -= wins * math.log(share) + (games - wins) * math.log(1 - share)
        worst = int(evidence.argmax())  # the look that excludes the truth, if one does
        return sequential_interval(int(wins[worst]), int(games[worst]))

    assert_at_least(coverage(share, draw, 16, 2000))


def test_a_rigged_seat_is_found_at_the_planned_power():
    from reefsim.stats import games_needed

    n = games_needed(3, effect=0.4 - 1 / 3, power=0.8).n
    rng = np.random.default_rng(17)
    ends = [proportion_interval(int(k), n) for k in rng.binomial(n, 0.4, EXPERIMENTS)]
    found = np.mean([not low <= 1 / 3 <= high for low, high in ends])
    assert found == pytest.approx(0.8, abs=0.04)
