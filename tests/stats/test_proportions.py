"""Shares of whole wins, by brute force and direct formulas; where libraries fail, ours must not."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import reefsim.stats
from reefsim.stats import (
    binomial_test,
    difference_interval,
    multinomial_intervals,
    proportion_interval,
    seat_chisquare,
)

METHODS = ("newcombe", "miettinen_nurminen")


def score_distance(k1: int, n1: int, k2: int, n2: int, delta: float) -> float:
    """Chi-square of Miettinen and Nurminen at `delta`, from a fine grid of second shares."""
    p2 = np.linspace(max(0.0, -delta), min(1.0, 1 - delta), 200_001)
    p1 = np.clip(p2 + delta, 0, 1)
    xlogy = scipy.special.xlogy
    likely = xlogy(k1, p1) + xlogy(n1 - k1, 1 - p1) + xlogy(k2, p2) + xlogy(n2 - k2, 1 - p2)
    best = int(likely.argmax())
    a, b = p1[best], p2[best]
    n = n1 + n2
    variance = (a * (1 - a) / n1 + b * (1 - b) / n2) * n / (n - 1)
    return (k1 / n1 - k2 / n2 - delta) ** 2 / variance if variance > 0 else math.inf


# --- one share -------------------------------------------------------------------------------


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_its_formula(kn):
    k, n = kn
    z = scipy.stats.norm.ppf(0.975)
    center, spread = (k + z * z / 2) / (n + z * z), z * math.sqrt(k * (n - k) / n + z * z / 4)
    expected = (center - spread / (n + z * z), center + spread / (n + z * z))
    assert proportion_interval(k, n) == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_exact_ends_are_where_the_tails_are_a_fortieth(kn):
    k, n = kn
    low, high = proportion_interval(k, n, "exact")
    assert k == 0 or scipy.stats.binom.sf(k - 1, n, low) == pytest.approx(0.025)
    assert k == n or scipy.stats.binom.cdf(k, n, high) == pytest.approx(0.025)
    assert low == 0 or k > 0
    assert high == 1 or k < n


@pytest.mark.parametrize("method", ["wilson", "exact", "jeffreys"])
def test_no_interval_of_a_share_has_zero_width(method):
    for k, n in ((0, 1), (1, 1), (0, 20), (20, 20), (0, 10**6)):
        low, high = proportion_interval(k, n, method)
        assert 0 <= low < high <= 1
    assert proportion_interval(0, 0, method) == (0, 1)


def test_statsmodels_default_has_zero_width_and_is_not_used():
    from statsmodels.stats.proportion import proportion_confint

    assert proportion_confint(0, 20) == (0, 0)
    assert proportion_interval(0, 20).high > 0.15


@pytest.mark.parametrize(("k", "n", "share"), [(3, 17, 1 / 3), (9, 17, 1 / 3), (4, 8, 0.5)])
def test_binomial_test_counts_outcomes_no_more_likely(k, n, share):
    chances = [math.comb(n, j) * share**j * (1 - share) ** (n - j) for j in range(n + 1)]
    rarer = sum(c for c in chances if c < chances[k] * (1 - 1e-9))
    alike = sum(c for c in chances if abs(c - chances[k]) <= 1e-9 * chances[k])
    found = binomial_test(k, n, share)
    assert found.p == pytest.approx(rarer + alike)
    assert found.mid_p == pytest.approx(rarer + alike / 2)
    assert found.at_least == pytest.approx(sum(chances[k:]))
    assert found.at_most == pytest.approx(sum(chances[: k + 1]))


# --- all seats -------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 300), min_size=2, max_size=5).filter(any))
def test_goodman_is_its_formula(counts):
    n, c = sum(counts), scipy.stats.chi2.ppf(1 - 0.05 / len(counts), 1)
    for k, (low, high) in zip(counts, multinomial_intervals(counts), strict=True):
        spread = math.sqrt(c * (c + 4 * k * (n - k) / n))
        expected = ((c + 2 * k - spread) / (2 * (n + c)), (c + 2 * k + spread) / (2 * (n + c)))
        assert (low, high) == pytest.approx(expected, abs=1e-9)


def test_no_games_say_nothing_of_the_seats():
    assert multinomial_intervals([0, 0, 0]) == ((0, 1),) * 3
    assert seat_chisquare([0, 0, 0]) == (0, 1, 2)


def test_chisquare_of_seats_is_its_formula():
    found = seat_chisquare([30, 50, 40, 80])
    assert found.statistic == pytest.approx(sum((k - 50) ** 2 / 50 for k in (30, 50, 40, 80)))
    assert found.p == pytest.approx(scipy.stats.chi2.sf(found.statistic, 3))


# --- differences -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k1", "n1", "k2", "n2"),
    [(56, 70, 48, 80), (9, 10, 3, 10), (0, 12, 3, 20), (5, 5, 0, 7), (1, 90, 2, 15), (7, 7, 9, 9)],
)
def test_miettinen_nurminen_by_brute_force(k1, n1, k2, n2):
    limit = scipy.stats.chi2.ppf(0.95, 1)
    low, high = difference_interval(k1, n1, k2, n2, "miettinen_nurminen")
    for end in (low, high):
        if abs(end) < 1:
            assert score_distance(k1, n1, k2, n2, end) == pytest.approx(limit, rel=1e-3)
    for inner in np.linspace(low, high, 7)[1:-1]:
        assert score_distance(k1, n1, k2, n2, float(inner)) < limit
    for outer in (low - 0.01, high + 0.01):
        assert abs(outer) > 1 or score_distance(k1, n1, k2, n2, outer) > limit


def test_published_differences_of_newcombe():
    # Newcombe (1998), part II, table II: methods 6 (Miettinen-Nurminen) and 10 (square-and-add)
    cases = {
        (9, 10, 3, 10): ((0.1700, 0.8406), (0.1705, 0.8090)),
        (10, 10, 0, 20): ((0.7156, 1.0000), (0.6791, 1.0000)),
        (5, 56, 0, 29): ((-0.0326, 0.1933), (-0.0381, 0.1926)),
    }
    for counts, expected in cases.items():
        found = (difference_interval(*counts, method="miettinen_nurminen"),)
        found += (difference_interval(*counts, method="newcombe"),)
        for interval, published in zip(found, expected, strict=True):
            assert interval == pytest.approx(published, abs=6e-5), (counts, published)


@given(
    st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from(METHODS),
)
def test_differences_hold_the_estimate_and_mirror(first, second, method):
    low, high = difference_interval(*first, *second, method=method)
    found = first[0] / first[1] - second[0] / second[1]
    assert -1 <= low <= found + 1e-9
    assert found - 1e-9 <= high <= 1
    assert low < high
    mirrored = difference_interval(*second, *first, method=method)
    assert (-mirrored.high, -mirrored.low) == pytest.approx((low, high), abs=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_a_difference_without_games_may_be_anything(method):
    assert difference_interval(0, 0, 3, 9, method) == (-1, 1)


def test_the_wrong_score_interval_of_statsmodels_is_nowhere_used():
    for path in Path(reefsim.stats.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert 'method="score"' not in text
        assert 'method="normal"' not in text


def test_statsmodels_is_imported_by_the_functions_that_need_it():
    for path in Path(reefsim.stats.__file__).parent.glob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [x for x in lines if x.startswith(("import statsm", "from statsm"))], path
