"""Looks at a run: intervals at any time, sequential tests, planned looks; by independent means."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.special
import scipy.stats

from reefsim.stats import (
    asymptotic_interval,
    crossing_chance,
    e_value,
    expected_share,
    gsprt,
    look_bounds,
    pair_scores,
    sequential_interval,
    sequential_mean,
    sequential_share,
    sprt,
)
from reefsim.stats.elo import NELO
from tests.sizes import sized

RUNS = sized(400, 4000)


@pytest.mark.parametrize(("k", "n"), [(1, 1), (0, 3), (7, 9), (40, 400), (999, 1000)])
def test_the_ends_are_where_the_evidence_reaches_its_limit(k, n):
    low, high = sequential_interval(k, n, level=0.9)
    for end in (low, high):
        if 0 < end < 1:
            assert e_value(k, n, end) == pytest.approx(10, rel=1e-6)
    assert low == 0 or k > 0
    assert high == 1 or k < n


def test_a_lower_end_that_nothing_sets_is_0():
    # so small a sum, or so strong a prior, that not even the smallest share can be ruled out
    low, high = sequential_share([0] * 200 + [0.01])
    assert low == 0 < high < 0.1
    assert sequential_interval(1, 10**6, prior=100).low == 0


def test_evidence_is_a_mean_likelihood_ratio():
    p = (np.arange(200_000) + 0.5) / 200_000
    for k, n, share in ((6, 10, 0.5), (2, 30, 1 / 3)):
        mixed = np.mean(p**k * (1 - p) ** (n - k)) / (share**k * (1 - share) ** (n - k))
        assert e_value(k, n, share) == pytest.approx(mixed, rel=1e-6)
    assert e_value(0, 0) == 1
    assert e_value(100_000, 100_000) == math.inf


def test_no_games_are_no_knowledge():
    assert sequential_interval(0, 0) == (0, 1)
    assert sequential_mean([3, 3, 3]) == (-math.inf, math.inf)
    low, high = sequential_mean([1.0], bounds=(0, 1))
    assert (low, high) == (0, 1)
    assert sprt(0, 0, 0.5, 0.6).decision == "continue"


def test_bounded_means_by_their_recursion():
    x = np.random.default_rng(1).choice([0, 0.5, 1], size=300, p=[0.6, 0.1, 0.3])
    scaled = 10 + 4 * x
    total, squares, bets, weighted, price = 0.0, 0.0, 0.0, 0.0, 0.0
    mean, variance, low, high = 0.5, 0.25, 0.0, 1.0
    log = math.log(2 / 0.05)
    for t, value in enumerate(x, start=1):
        bet = min(0.5, math.sqrt(2 * log / (variance * t * math.log(t + 1))))
        bets, weighted = bets + bet, weighted + bet * value
        price += 4 * (value - mean) ** 2 * (-math.log(1 - bet) - bet) / 4
        total += value
        mean = (0.5 + total) / (t + 1)
        squares += (value - mean) ** 2
        variance = (0.25 + squares) / (t + 1)
        low = max(low, (weighted - log - price) / bets)
        high = min(high, (weighted + log + price) / bets)
    found = sequential_mean(scaled, bounds=(10, 14))
    assert found == pytest.approx((10 + 4 * low, 10 + 4 * high))


def test_the_mean_of_a_sample_is_the_asymptotic_interval():
    x = np.random.default_rng(2).gamma(9, 3, 250)
    expected = asymptotic_interval(x.mean(), x.std(ddof=1), 250, 400)
    assert sequential_mean(x, tuned_for=400) == expected


def test_walds_test_keeps_its_errors():
    rng = np.random.default_rng(3)
    for truth, wrong in ((0.5, "h1"), (0.6, "h0")):
        wins = np.cumsum(rng.random((RUNS, 3000)) < truth, axis=1)
        games = np.arange(1, 3001)
        llr = wins * math.log(0.6 / 0.5) + (games - wins) * math.log(0.4 / 0.5)
        stop = np.argmax(np.abs(llr) >= math.log(19), axis=1)
        rows = np.arange(RUNS)
        ends = [sprt(wins[i, stop[i]], games[stop[i]], 0.5, 0.6).decision for i in rows]
        assert np.mean([end == wrong for end in ends]) < 0.05 + 2 * math.sqrt(0.05 / RUNS)
        assert set(ends) <= {"h0", "h1"}


def test_an_open_test_is_given_up_at_its_last_game():
    assert sprt(50, 100, 0.5, 0.55, max_games=100).decision == "undecided"
    assert gsprt([1, 2, 3, 2, 1], 0, 5, max_pairs=9).decision == "undecided"


# --- pairs -----------------------------------------------------------------------------------


def likeliest(counts: list[int], condition: object) -> np.ndarray:
    """Chances that make the counts likeliest under a condition, by a general optimizer."""
    found = scipy.optimize.minimize(
        lambda p: -np.dot(counts, np.log(p)),
        np.full(len(counts), 1 / len(counts)),
        constraints=[
            {"type": "eq", "fun": condition},
            {"type": "eq", "fun": lambda p: p.sum() - 1},
        ],
        bounds=[(1e-9, 1)] * len(counts),
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    return found.x


@pytest.mark.parametrize("counts", [[13, 37, 50, 25, 3], [4, 30, 60, 45, 9], [20, 50, 40]])
@pytest.mark.parametrize(("h0", "h1"), [(0, 20), (-30, 10)])
def test_likelihood_ratios_of_pairs_by_optimization(counts, h0, h1):
    scores, games = np.linspace(0, 1, len(counts)), (len(counts) - 1) // 2

    def drift(p: np.ndarray) -> float:
        mean = p @ scores
        return (mean - 0.5) / math.sqrt(games * (p @ (scores - mean) ** 2)) * NELO

    logistic = [likeliest(counts, lambda p, h=h: p @ scores - expected_share(h)) for h in (h0, h1)]
    expected = np.dot(counts, np.log(logistic[1]) - np.log(logistic[0]))
    assert gsprt(counts, h0, h1).llr == pytest.approx(expected, abs=1e-4)
    normalized = [likeliest(counts, lambda p, h=h: (drift(p) - h) / 100) for h in (h0, h1)]
    expected = np.dot(counts, np.log(normalized[1]) - np.log(normalized[0]))
    assert gsprt(counts, h0, h1, "normalized").llr == pytest.approx(expected, abs=1e-4)


def test_normalized_elo_of_other_programs():
    # reference values of Fishtest's statistics for pentanomial results
    cases = {
        (10789, 19328, 33806, 19402, 10543): (-0.7735773359, -0.9516290045),
        (39, 2226, 31451, 2412, 40): (0.9029810488, 3.4507996069),
        (0, 3, 10, 5, 2): (52.4911296704, 87.4208165913),
    }
    for counts, (elo, nelo) in cases.items():
        found = pair_scores(counts)
        # that program counts unseen scores as 0.001 pairs here too
        tolerance = 0.05 if 0 in counts else 1e-8
        assert (found.elo, found.nelo) == pytest.approx((elo, nelo), abs=tolerance)


def test_pairs_that_decide_and_pairs_that_are_missing():
    assert gsprt([0] * 5, 0, 5)[:2] == (0, "continue")
    assert gsprt([1, 5, 20, 60, 40], 0, 50).decision == "h1"
    assert gsprt([40, 60, 20, 5, 1], 0, 50).decision == "h0"
    assert gsprt([0, 0, 0, 0, 30], 0, 50).decision == "h1"
    assert gsprt([0, 0, 30, 0, 0], 0, 50).llr < 0
    assert gsprt([0, 0, 30, 0, 0], 0, 50, "normalized").llr < 0
    assert pair_scores([0, 0, 7, 0, 0])[3:5] == (0, 0)
    assert pair_scores([0, 0, 0, 0, 7])[3:5] == (math.inf, math.inf)


def test_the_sequential_test_of_pairs_keeps_its_errors():
    rng = np.random.default_rng(4)
    chances = np.array([0.1, 0.2, 0.4, 0.2, 0.1])
    wrong = 0
    for _ in range(RUNS // 4):
        counts = np.zeros(5, int)
        for _ in range(60):
            counts += rng.multinomial(25, chances)
            decision = gsprt(counts, 0, 30).decision
            if decision != "continue":
                break
        wrong += decision == "h1"
    assert wrong / (RUNS // 4) < 0.05 + 2 * math.sqrt(0.05 / (RUNS // 4))


# --- planned looks ---------------------------------------------------------------------------


def test_looks_by_simulation():
    rng = np.random.default_rng(5)
    parts = rng.standard_normal((sized(40_000, 400_000), 4))
    z = np.cumsum(parts, axis=1) / np.sqrt(np.arange(1, 5))
    bounds = [2.8, 2.4, 2.2, 2.0]
    assert crossing_chance(bounds) == pytest.approx(
        (np.abs(z) > bounds).any(axis=1).mean(), abs=4e-3
    )
    shifted = z + 0.8 * np.sqrt(np.arange(1, 5))
    power = (np.abs(shifted) > bounds).any(axis=1).mean()
    assert crossing_chance(bounds, drift=0.8) == pytest.approx(power, abs=8e-3)


@pytest.mark.parametrize("kind", ["pocock", "obrien_fleming"])
def test_bounds_spend_what_they_may(kind):
    for looks, alpha in ((1, 0.05), (2, 0.01), (10, 0.1)):
        found = look_bounds(looks, kind, alpha)
        assert crossing_chance(found.bounds) == pytest.approx(alpha, abs=1e-7)
        assert found.bounds[-1] == pytest.approx(found.constant)
    assert look_bounds(1, kind).constant == pytest.approx(1.959964, abs=1e-6)


def test_published_constants():
    # Jennison and Turnbull (2000), tables 2.1 and 2.3, alpha .05
    pocock = [round(look_bounds(k).constant, 3) for k in (2, 3, 4, 10)]
    assert pocock == [2.178, 2.289, 2.361, 2.555]
    strict = [round(look_bounds(k, "obrien_fleming").constant, 3) for k in (2, 3, 4, 10)]
    assert strict == [1.977, 2.004, 2.024, 2.087]
