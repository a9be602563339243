"""Blocks, seats and pairs on unseen data, against direct formulas and full enumeration."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import scipy.stats

from reefsim.stats import (
    block_mean,
    equivalence,
    equivalence_independent,
    equivalence_paired,
    equivalence_seats,
    hotelling_seats,
    mcnemar,
    sign_flip,
)
from reefsim.stats.paired import EXACT_FLIPS

# --- blocks ----------------------------------------------------------------------------------


def test_blocks_may_differ_in_size():
    found = block_mean([[1, 0, 0], [1], [0.5, 0.5]], 0.5)
    means = [1 / 3, 1, 0.5]
    assert found.mean == pytest.approx(np.mean(means))
    expected = scipy.stats.ttest_1samp(means, 0.5)
    assert (found.t, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert block_mean(means, 0.5)[:6] == pytest.approx(found[:6])


def test_equal_blocks_have_a_defined_answer():
    found = block_mean([[1, 1]] * 5, 0.5)
    assert (found.se, found.low, found.high) == (0, -math.inf, math.inf)
    assert (found.t, found.p, found.note) == (math.inf, 2**-4, "no spread in 5 replicates")
    bounded = block_mean([[1, 1]] * 5, 0.5, bounds=(0, 1))
    assert bounded.low == pytest.approx(0.025 ** (1 / 5))
    assert bounded.high == 1
    assert bounded.p == 2**-4
    # at three seats a seat that never wins is no coin
    assert block_mean([0] * 10, 1 / 3, bounds=(0, 1)).p == pytest.approx(2 * (2 / 3) ** 10)
    assert block_mean([0.5] * 5, 0.5)[4:6] == (0, 1)


def test_one_block_says_nothing():
    found = block_mean([[0.2, 0.4]], 0)
    assert found[1:6] == (math.inf, -math.inf, math.inf, 0, 1)


# --- all seats -------------------------------------------------------------------------------


def seats(rng, replicates=40, weights=(1, 1, 1, 1)):
    return rng.dirichlet(weights, replicates)


def test_hotelling_is_its_formula_whichever_seat_is_left_out():
    table = seats(np.random.default_rng(1), weights=(2, 1, 1, 1))
    found = hotelling_seats(table)
    for left_out in range(4):
        data = np.delete(table, left_out, axis=1)
        off = data.mean(axis=0) - 0.25
        t2 = 40 * off @ np.linalg.inv(np.cov(data, rowvar=False)) @ off
        assert found.t2 == pytest.approx(t2)
    assert found.f == pytest.approx(t2 * (40 - 3) / (39 * 3))
    assert found.p == pytest.approx(scipy.stats.f.sf(found.f, 3, 37))


def test_hotelling_of_two_seats_is_the_t_test():
    table = seats(np.random.default_rng(2), weights=(3, 2))
    assert hotelling_seats(table).p == pytest.approx(block_mean(table[:, 0], 0.5).p)


def test_hotelling_holds_its_level():
    rng = np.random.default_rng(3)
    p = [hotelling_seats(seats(rng, 60, (0.5, 0.5, 0.5))).p for _ in range(800)]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.02)


def test_seats_that_never_vary():
    assert hotelling_seats(np.full((5, 4), 0.25))[:3] == (0, 0, 1)
    always = hotelling_seats(np.tile([1, 0, 0], (6, 1)))
    assert always.t2 == math.inf
    assert always.p == pytest.approx(2 * 2 * (1 / 3) ** 6)
    rng = np.random.default_rng(4)
    half = rng.random(50)
    never = np.column_stack([half, 1 - half, np.zeros(50)])
    assert hotelling_seats(never).t2 == math.inf
    assert hotelling_seats(never).p == pytest.approx(2 * 2 * (2 / 3) ** 50)
    fair = np.column_stack([half / 2, 0.5 - half / 2, half / 2, 0.5 - half / 2])
    assert hotelling_seats(fair).df == (1, 49)


# --- pairs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [[[5, 9], [2, 7]], [[0, 6], [6, 1]], [[3, 1], [0, 0]]])
def test_mcnemar_by_enumeration(table):
    found = mcnemar(table)
    first, second = table[0][1], table[1][0]
    n, few = first + second, min(first, second)
    tail = sum(math.comb(n, j) for j in range(few + 1)) / 2**n
    at = math.comb(n, few) / 2**n
    assert found.exact_p == pytest.approx(min(1, 2 * tail))
    assert found.mid_p == pytest.approx(2 * tail - at if first != second else 1 - at / 2)
    assert found.statistic == pytest.approx((first - second) ** 2 / n)
    outcomes = np.repeat([0, 1, -1, 0], np.ravel(table))
    assert found.diff == pytest.approx(outcomes.mean())
    assert found.se == pytest.approx(outcomes.std() / math.sqrt(len(outcomes)))


def test_pairs_that_never_differ():
    assert mcnemar([[5, 0], [0, 3]]) == (0, 1, 1, 1, 0, 0, 0, 1)


def t_values(d: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        t = d.mean(axis=0) / (d.std(axis=0, ddof=1) / math.sqrt(len(d)))
    return np.nan_to_num(np.abs(t), nan=0.0, posinf=1e12)


def test_sign_flips_by_enumeration():
    rng = np.random.default_rng(5)
    d = rng.normal(0.4, 1, (9, 3)) @ np.array([[1, 0.8, 0], [0, 0.6, 0], [0, 0, 1]])
    d[2] = 0  # a replicate without a difference stays in
    patterns = [t_values(d * np.array(s)[:, None]) for s in product((-1, 1), repeat=9)]
    all_t, observed = np.array(patterns), t_values(d) - 1e-9
    found = sign_flip(d)
    assert found.exact
    assert found.p == pytest.approx((all_t >= observed).mean(axis=0))
    largest = all_t.max(axis=1)[:, None]
    assert found.max_t_p == pytest.approx((largest >= observed).mean(axis=0))
    for column in range(3):
        assert sign_flip(d[:, column]).p == pytest.approx(found.p[column])


def test_many_replicates_draw_their_flips():
    rng = np.random.default_rng(6)
    d = rng.normal(0.25, 1, 80)
    found = sign_flip(d)
    assert not found.exact
    assert found.p == pytest.approx(scipy.stats.ttest_1samp(d, 0).pvalue, abs=0.006)
    assert sign_flip(np.full(80, 0.1)).p == 1 / 20_001
    assert len(d) > EXACT_FLIPS


def test_no_difference_is_p_of_one():
    assert sign_flip(np.zeros(30))[:2] == (1, 1)
    assert sign_flip([0.7]).p == 1
    both = sign_flip(np.column_stack([np.zeros(6), np.ones(6)]))
    assert list(both.p) == [1, 2 / 64]
    assert list(both.max_t_p) == [1, 2 / 64]


def test_the_largest_t_keeps_the_error_of_all_claims():
    rng = np.random.default_rng(7)
    shared = rng.standard_normal((300, 12, 1))
    d = 0.7 * shared + 0.7 * rng.standard_normal((300, 12, 4))
    found = [sign_flip(table).max_t_p.min() for table in d]
    assert np.mean(np.array(found) <= 0.05) == pytest.approx(0.05, abs=0.03)


# --- equivalence -----------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "n"), [(5, 20), (33, 100), (0, 50), (50, 50), (300, 900)])
def test_equivalence_of_a_share_by_its_tails(k, n):
    low, high = 0.25, 0.45
    above = 1 - sum(math.comb(n, j) * low**j * (1 - low) ** (n - j) for j in range(k))
    below = sum(math.comb(n, j) * high**j * (1 - high) ** (n - j) for j in range(k + 1))
    assert equivalence(k, n, low, high).p == pytest.approx(max(above, below))


def test_equivalence_by_z_is_the_interval_of_90_percent():
    for k in (4800, 4900, 5000, 5050, 5120):
        p = k / 10_000
        low, high = scipy.stats.norm.interval(0.9, p, math.sqrt(p * (1 - p) / 10_000))
        found = equivalence(k, 10_000, 0.48, 0.52)
        assert found.method == "z"
        assert (found.verdict == "equivalent") == (low > 0.48 and high < 0.52)


def test_verdicts_of_equivalence():
    assert equivalence(500, 1000, 0.4, 0.6).verdict == "equivalent"
    assert equivalence(700, 1000, 0.4, 0.6).verdict == "not equivalent"
    assert equivalence(5, 10, 0.4, 0.6).verdict == "not yet known"
    assert equivalence(0, 0, 0.4, 0.6)[:2] == (1, "not yet known")
    assert equivalence(0, 100, 0.0, 0.1, method="z").method == "exact"


def test_paired_equivalence_by_its_formula():
    d = np.random.default_rng(8).normal(0.3, 1, 25)
    se = d.std(ddof=1) / 5
    t = min(d.mean() + 1, 1 - d.mean()) / se
    assert equivalence_paired(d, 1).p == pytest.approx(scipy.stats.t.sf(t, 24))
    assert equivalence_paired(d, 0.01).verdict == "not yet known"
    assert equivalence_paired(d + 5, 1).verdict == "not equivalent"


def test_equal_differences_are_judged_by_their_signs():
    assert equivalence_paired([0.1] * 3, 1)[:2] == (0.125, "not yet known")
    assert equivalence_paired([0.1] * 6, 1)[:2] == (2**-6, "equivalent")
    assert equivalence_paired([3] * 6, 1)[:2] == (1, "not equivalent")


def test_all_seats_are_fair_only_if_each_is():
    rng = np.random.default_rng(9)
    fair = rng.dirichlet([2, 2, 2], 300)
    found = equivalence_seats(fair, 0.05)
    each = [equivalence_paired(fair[:, seat] - 1 / 3, 0.05).p for seat in range(3)]
    assert found == (max(each), "equivalent", "t")
    assert equivalence_seats(rng.dirichlet([4, 2, 2], 300), 0.05).verdict == "not equivalent"
    assert equivalence_seats(fair[:10], 0.05).verdict == "not yet known"


def test_equivalence_of_independent_arms_is_that_of_agresti_and_caffo():
    from statsmodels.stats.proportion import tost_proportions_2indep

    for counts in ((330, 1000, 345, 1000), (12, 40, 9, 35), (0, 30, 1, 30)):
        expected = tost_proportions_2indep(*counts, -0.1, 0.1, method="agresti-caffo").pvalue
        assert equivalence_independent(*counts, 0.1).p == pytest.approx(expected)
    assert equivalence_independent(0, 0, 1, 30, 0.1).p == 1
    assert equivalence_independent(30, 60, 5, 60, 0.1).verdict == "not equivalent"
