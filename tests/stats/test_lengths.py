"""Curves of lengths with games cut short, by hand and by direct formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from reefsim.stats import length_curve, logrank, quantile_interval

GAMES = st.lists(st.tuples(st.integers(1, 12), st.booleans()), min_size=1, max_size=40)


def kaplan_meier(times: np.ndarray, cut: np.ndarray, at: float) -> float:
    alive = 1.0
    for t in sorted(set(times[~cut & (times <= at)])):
        alive *= 1 - (times[~cut] == t).sum() / (times >= t).sum()
    return alive


@given(GAMES)
def test_curves_by_the_product_of_survivals(games):
    times = np.array([t for t, _ in games], float)
    cut = np.array([c for _, c in games])
    curve = length_curve(times, cut)
    for t in (0, 0.5, *range(1, 14)):
        assert curve.survival_at(t) == pytest.approx(kaplan_meier(times, cut, t), abs=1e-12)
    tau = float(times.max())
    steps = np.linspace(0, tau, 1000 * int(tau) + 1)[:-1]
    expected = np.mean([curve.survival_at(t) for t in steps[::50]]) * tau
    assert curve.rmst(tau) == pytest.approx(expected, abs=0.06)


def test_whole_games_are_their_mean():
    times = [3.0, 5, 5, 9, 14]
    curve = length_curve(times)
    assert curve.rmst(14) == curve.rmst(99) == pytest.approx(np.mean(times))
    assert curve.rmst(6) == pytest.approx(np.minimum(times, 6).mean())
    assert curve.median == 5
    assert curve.survival_at(5) == pytest.approx(0.4)


def test_a_curve_unpacks_in_its_order():
    times, survival, survival_at, median, rmst = length_curve(
        [1, 2, 3, 4], [False, False, True, True]
    )
    assert list(times) == [1, 2, 3, 4]
    assert list(survival) == pytest.approx([0.75, 0.5, 0.5, 0.5])
    assert (survival_at(2.5), median, rmst(4)) == pytest.approx((0.5, 2, 1 + 0.75 + 1))


def test_remission_of_leukemia():
    # Freireich et al. (1963), 6-MP group and placebo, as in every textbook of survival analysis
    mp = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35]
    cut = [0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1]
    placebo = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]
    curve = length_curve(mp, cut)
    assert curve.survival_at(10) == pytest.approx(0.7529, abs=5e-5)
    assert curve.survival_at(23) == pytest.approx(0.4482, abs=5e-5)
    assert (curve.median, length_curve(placebo).median) == (23, 8)
    assert logrank(mp, cut, placebo, None).chi2 == pytest.approx(16.79, abs=5e-3)


@given(GAMES, GAMES)
def test_logrank_by_its_sums(first, second):
    a, a_cut = (np.array(column) for column in zip(*first, strict=True))
    b, b_cut = (np.array(column) for column in zip(*second, strict=True))
    excess = variance = 0.0
    for t in sorted({*a[~a_cut], *b[~b_cut]}):
        here, there = (a >= t).sum(), (b >= t).sum()
        ends = (a[~a_cut] == t).sum() + (b[~b_cut] == t).sum()
        n = here + there
        excess += (a[~a_cut] == t).sum() - ends * here / n
        if n > 1:
            variance += ends * (here / n) * (there / n) * (n - ends) / (n - 1)
    found = logrank(a, a_cut, b, b_cut)
    expected = excess**2 / variance if variance > 0 else 0.0
    assert found.chi2 == pytest.approx(expected, abs=1e-9)
    assert found.p == pytest.approx(scipy.stats.chi2.sf(expected, 1), abs=1e-9)


def test_games_that_were_all_cut_short():
    curve = length_curve([5, 7, 7], [True] * 3)
    assert list(curve.survival) == [1, 1]
    assert (curve.median, curve.rmst(7)) == (math.inf, 7)
    assert logrank([5, 7], [True] * 2, [6, 9], [True] * 2) == (0, 1)
    assert quantile_interval([5, 7, 7], 0.5, censored=[True] * 3) == (-math.inf, math.inf)
    # most games outlast the cap: the median lies beyond it, and nobody knows how far
    cut = np.arange(50) > 5
    assert quantile_interval(np.where(cut, 9, 4), 0.5, censored=cut) == (9, math.inf)


def test_a_restricted_mean_stops_where_the_games_do():
    with pytest.raises(ValueError, match="tau = 8"):
        length_curve([5, 7], [False, True]).rmst(8)
