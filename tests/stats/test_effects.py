"""Effects, luck, tables, controls, adjusted p and plans on unseen data, by independent means."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from reefsim.stats import (
    antithetic,
    benjamini_hochberg,
    bootstrap_interval,
    control_variate,
    dunnett,
    exact_power,
    games_needed,
    holm,
    icc,
    shuffle_luck,
    stratified,
    superiority,
    trend,
    variance_components,
)
from reefsim.stats.planning import detection_games
from tests.sizes import sized

SAMPLE = st.lists(st.integers(0, 9), min_size=2, max_size=12)

# --- who is ahead ----------------------------------------------------------------------------


@given(SAMPLE, SAMPLE)
def test_superiority_counts_pairs(a, b):
    found = superiority(a, b)
    effect = np.mean([(x > y) + (x == y) / 2 for x, y in product(a, b)])
    assert found.effect == pytest.approx(effect)
    assert found.delta == pytest.approx(2 * effect - 1)
    assert 0 <= found.low < found.high <= 1
    assert found.low <= effect <= found.high
    assert found.statistic * (effect - 0.5) >= 0  # the sign is that of who is ahead
    assert 0 < found.p <= 1


@given(SAMPLE, SAMPLE)
def test_the_order_of_samples_turns_the_sign_and_nothing_else(a, b):
    one, other = superiority(a, b), superiority(b, a)
    assert other.effect == pytest.approx(1 - one.effect)
    assert other.statistic == pytest.approx(-one.statistic)
    assert other.p == pytest.approx(one.p)


def test_libraries_disagree_on_the_order_and_ours_is_fixed():
    from statsmodels.stats.nonparametric import rank_compare_2indep

    a, b = [5, 6, 7, 9, 4], [1, 2, 5, 3, 2]
    assert scipy.stats.brunnermunzel(a, b).statistic < 0 < rank_compare_2indep(a, b).statistic
    assert superiority(a, b).statistic > 0


def test_samples_without_overlap_have_a_width():
    found = superiority([5, 6, 7], [1, 2, 3, 4])
    assert (found.effect, found.high, found.note) == (1, 1, "the samples do not overlap")
    assert found.low == pytest.approx(0.025 ** (1 / 3))
    assert found.p == pytest.approx(2 / 35)
    assert superiority([2, 2], [2, 2, 2])[0:5:4] == (0.5, 1)
    assert superiority([3], [1, 2, 3, 4, 5]).note == "a single value"


# --- bootstrap -------------------------------------------------------------------------------


def test_bootstrap_of_a_mean_is_near_its_t_interval():
    x = np.random.default_rng(1).normal(10, 2, 80)
    found = bootstrap_interval(x, resamples=4000)
    expected = scipy.stats.t.interval(0.95, 79, x.mean(), scipy.stats.sem(x))
    assert (found.low, found.high) == pytest.approx(expected, abs=0.08)
    assert found.se == pytest.approx(scipy.stats.sem(x), rel=0.05)
    assert found == bootstrap_interval(x, resamples=4000)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_bca_of_scipy_has_no_answer_and_ours_has():
    with pytest.warns(scipy.stats.DegenerateDataWarning):
        plain = scipy.stats.bootstrap((np.ones(9),), np.mean, method="BCa", rng=1)
    assert math.isnan(plain.confidence_interval.low)
    found = bootstrap_interval((np.full(9, 4.0), np.full(9, 3.0)), lambda a, b: a.mean() - b.mean())
    assert found[:5] == (1, 1, 1, 0, "none")


def test_a_statistic_that_cannot_be_corrected_falls_back():
    # the largest value of all but ties: no resample lies above, BCa has nothing to correct by
    found = bootstrap_interval(np.array([1.0] * 5 + [2.0] * 200), np.median, resamples=200)
    assert found.method in ("none", "percentile")
    assert found.note
    assert (found.low, found.high) == (2, 2)


def test_resamples_without_a_value_are_left_out_and_counted():
    def ratio(x):
        return 1 / x.sum() if x.sum() else math.nan

    found = bootstrap_interval(np.array([0.0, 0, 0, 1]), ratio, resamples=400)
    assert found.method == "percentile"
    assert "resamples have no value" in found.note
    assert 0 < found.low < found.high


# --- luck ------------------------------------------------------------------------------------


def test_the_example_of_shrout_and_fleiss():
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    assert icc(table) == pytest.approx((0.17, 0.29, 0.71, 0.44, 0.62, 0.91), abs=5e-3)


def test_agreement_without_spread():
    assert icc(np.full((4, 3), 0.1)) == (0,) * 6
    same = icc([[1, 1], [4, 4], [2, 2]])
    assert same == pytest.approx((1,) * 6)
    assert icc([[0, 1], [1, 0]]).icc1k == -math.inf


def test_luck_of_decided_and_of_undecided_shuffles():
    decided = shuffle_luck(np.repeat([[1], [0], [1], [0]], 6, axis=1))
    assert (decided.rho, decided.entropy) == (1, 0)
    assert decided.chi2 == pytest.approx(24)
    coin = shuffle_luck(np.tile([1, 0], (5, 4)))
    assert (coin.between, coin.chi2, coin.p, coin.entropy) == (0, 0, 1, 1)
    assert shuffle_luck(np.ones((3, 4)))[:5] == (0, 0, 0, 0, 1)


def test_luck_is_the_test_of_a_table_of_counts():
    wins = np.array([3, 7, 5, 9, 6])
    table = (np.arange(12) < wins[:, None]) * 1.0
    expected = scipy.stats.chi2_contingency(np.array([wins, 12 - wins]), correction=False)
    found = shuffle_luck(table)
    assert (found.chi2, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_components_put_in_are_found():
    rng = np.random.default_rng(2)
    agents, shuffles, repeats = 60, 80, 4
    scores = (
        2.0 * rng.standard_normal((agents, 1, 1))
        + 1.0 * rng.standard_normal((1, shuffles, 1))
        + 0.7 * rng.standard_normal((agents, shuffles, 1))
        + 1.5 * rng.standard_normal((agents, shuffles, repeats))
    )
    found = variance_components(scores)
    assert found.shuffles == pytest.approx(1.0, rel=0.4)
    assert found.agents == pytest.approx(4.0, rel=0.4)
    assert found.interaction == pytest.approx(0.49, rel=0.2)
    assert found.residual == pytest.approx(2.25, rel=0.05)
    pooled = variance_components(scores.mean(axis=2))
    assert pooled.agents == pytest.approx(found.agents)
    assert pooled.residual == pytest.approx(found.interaction + found.residual / repeats)
    assert variance_components(np.ones((3, 3, 2))) == (0, 0, 0, 0)


# --- tables ----------------------------------------------------------------------------------


def test_strata_by_their_sums():
    tables = np.array([[[4, 9], [7, 6]], [[12, 3], [10, 8]], [[5, 5], [0, 4]]], float)
    n = tables.sum(axis=(1, 2))
    a, b, c, d = (tables[:, i, j] for i, j in product((0, 1), repeat=2))
    found = stratified(tables)
    assert found.odds_ratio == pytest.approx((a * d / n).sum() / (b * c / n).sum())
    expected = (a + b) * (a + c) / n
    variance = ((a + b) * (c + d) * (a + c) * (b + d) / (n**2 * (n - 1))).sum()
    off = abs((a - expected).sum())
    assert found.plain == pytest.approx(off**2 / variance)
    assert found.statistic == pytest.approx((off - 0.5) ** 2 / variance)


def test_strata_whose_common_odds_ratio_is_one():
    # statsmodels divides by 0 here
    tables = np.array([[[6, 4], [4, 6]], [[4, 6], [6, 4]]], float)
    found = stratified(tables)
    assert found.odds_ratio == 1
    assert found.breslow_day == pytest.approx(2 * (1 / 5 * 4))
    tables[1, 1, 1] = 5
    from statsmodels.stats.contingency_tables import StratifiedTable

    elsewhere = StratifiedTable(list(tables)).test_equal_odds()
    assert stratified(tables).breslow_day == pytest.approx(elsewhere.statistic)


def test_the_correction_never_turns_a_difference_round():
    found = stratified([[[5, 5], [5, 5]], [[10, 11], [10, 10]]])
    assert 0 < found.plain < 0.1
    assert (found.statistic, found.p) == (0, 1)


def test_strata_that_say_nothing():
    one = stratified([[[5, 3], [2, 6]], [[4, 0], [7, 0]]])
    assert one == stratified([[[5, 3], [2, 6]]])
    assert (one.breslow_day, one.alike_p) == (0, 1)
    assert stratified([[[5, 0], [2, 6]]]).odds_ratio == math.inf


def logit_fit(wins, games, x):
    def cost(beta):
        eta = beta[0] + beta[1] * x
        return float((games * np.logaddexp(0, eta) - wins * eta).sum())

    options = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
    found = scipy.optimize.minimize(cost, [0.0, 0.0], method="Nelder-Mead", options=options)
    p = 1 / (1 + np.exp(-found.x[0] - found.x[1] * x))
    w = games * p * (1 - p)
    center = (w * x).sum() / w.sum()
    return found.x[1], 1 / math.sqrt((w * (x - center) ** 2).sum())


def test_trends_by_direct_likelihood():
    wins, games, x = (
        np.array([24, 35, 21, 30]),
        np.array([1379, 638, 213, 254]),
        np.array([0, 2, 4, 5]),
    )
    slope, se = logit_fit(wins, games, x)
    found = trend(wins, games, x)
    # Agresti's table of snoring and heart disease: logit slope .397
    assert found.slope == pytest.approx(0.397, abs=5e-4)
    assert (found.slope, found.se) == pytest.approx((slope, se), rel=1e-4)
    assert found.chi2 == pytest.approx((found.slope / found.se) ** 2)
    assert found.p == pytest.approx(scipy.stats.chi2.sf(found.chi2, 1))
    moved = trend(wins, games, 1e6 + 1000 * x)
    assert moved.slope * 1000 == pytest.approx(found.slope, rel=1e-6)


def test_the_error_of_a_trend_in_few_games_is_exact_too():
    wins, games, x = np.array([1, 2, 0, 4, 1]), np.array([3, 4, 0, 4, 1]), np.arange(5.0)
    found = trend(wins, games, x)
    shares = 1 / (1 + np.exp(-found.slope * (x - center(wins, games, x, found.slope))))
    weights = games * shares * (1 - shares)
    spread = weights @ (x - weights @ x / weights.sum()) ** 2
    assert found.se == pytest.approx(spread**-0.5, rel=1e-8)


def center(wins, games, x, slope):
    """Where a logistic curve of this slope is one half, if it gives as many wins as there were."""

    def excess(at):
        return float((games / (1 + np.exp(-slope * (x - at)))).sum() - wins.sum())

    return scipy.optimize.brentq(excess, -50, 50, xtol=1e-14)


def test_trends_without_an_answer_have_one():
    for wins in ([0, 0, 0], [9, 9, 9]):
        assert trend(wins, [9, 9, 9], [1, 2, 3])[:4] == (0, math.inf, 0, 1)
    assert trend([3, 4], [9, 9], [5, 5]).p == 1
    split = trend([0, 4, 9], [9, 9, 9], [1, 2, 3])
    assert (split.slope, split.se) == (math.inf, math.inf)
    assert split.chi2 == split.lr_chi2
    nearly = trend([0, 4000, 9000, 1], [9000, 9000, 9000, 1], [1, 2, 3, 4])
    assert nearly.slope == math.inf
    assert trend([9, 4, 0], [9, 9, 9], [1, 2, 3]).slope == -math.inf
    assert trend([0, 4, 8], [9, 9, 9], [1, 2, 3]).slope < math.inf


# --- less variance ---------------------------------------------------------------------------


def test_controls_free_a_mean_of_what_they_explain():
    rng = np.random.default_rng(3)
    c = rng.standard_normal((400, 2))
    y = 5 + c @ [2.0, -1.0] + 0.5 * rng.standard_normal(400)
    found = control_variate(y, c, [0, 0])
    design = np.column_stack([np.ones(400), c])
    beta, rest, _, _ = np.linalg.lstsq(design, y, rcond=None)
    assert found.mean == pytest.approx(beta[0])
    assert found.beta == pytest.approx(beta[1:])
    cov = rest[0] / 397 * np.linalg.inv(design.T @ design)
    assert found.se == pytest.approx(math.sqrt(cov[0, 0]))
    assert found.gain == pytest.approx(5.25 / 0.25, rel=0.3)
    one = control_variate(y, c[:, 0], 0.0)
    assert one.beta == pytest.approx(np.cov(y, c[:, 0])[0, 1] / c[:, 0].var(ddof=1))


def test_controls_that_do_not_vary_do_nothing():
    y = np.array([1.0, 4, 2, 8])
    found = control_variate(y, np.full(4, 3.0), 3)
    assert (found.mean, found.beta, found.gain) == pytest.approx((3.75, 0, 1))
    assert found.se == pytest.approx(y.std(ddof=1) / 2)
    flat = control_variate(np.ones(5), np.arange(5), 2)
    assert (flat.mean, flat.se, flat.low, flat.high) == (pytest.approx(1), 0, -math.inf, math.inf)


def test_mirrored_pairs():
    pairs = np.array([[1.0, 0], [0.8, 0.1], [0.3, 0.9], [0.5, 0.4]])
    found = antithetic(pairs)
    means = pairs.mean(axis=1)
    assert found.se == pytest.approx(means.std(ddof=1) / 2)
    assert found.gain == pytest.approx(pairs.var(axis=0, ddof=1).mean() / 2 / means.var(ddof=1))
    assert antithetic([[1, 0], [0, 1], [0.5, 0.5]]).gain == math.inf
    assert antithetic([[1, 1], [1, 1]]).gain == 1


# --- many claims -----------------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), max_size=9))
def test_adjusted_p_by_their_definitions(p):
    order, m = np.argsort(p, kind="stable"), len(p)
    down = [min(1.0, max((m - j) * p[order[j]] for j in range(i + 1))) for i in range(m)]
    up = [min(1.0, min(m / (j + 1) * p[order[j]] for j in range(i, m))) for i in range(m)]
    assert holm(p)[order] == pytest.approx(down)
    assert benjamini_hochberg(p)[order] == pytest.approx(up)


def test_dunnett_of_groups_without_spread():
    assert list(dunnett([[2, 2], [2, 2]], [2, 2, 2]).p) == [1, 1]
    with pytest.raises(ValueError, match="no spread"):
        dunnett([[3, 3]], [2, 2, 2])


# --- plans -----------------------------------------------------------------------------------


def test_power_by_enumeration():
    n, share, true = 23, 1 / 3, 0.5
    rejected = [k for k in range(n + 1) if scipy.stats.binomtest(k, n, share).pvalue <= 0.05]
    expected = scipy.stats.binom.pmf(rejected, n, true).sum()
    assert exact_power(n, share, true) == pytest.approx(expected)
    assert exact_power(0, share, true) == 0


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_planned_games_reach_their_power(seats):
    rng, runs = np.random.default_rng(seats), sized(4000, 40_000)
    fair = 1 / seats
    n = games_needed(seats, margin=0.05, power=0.9).n
    share = rng.binomial(n, fair, runs) / n
    half = 1.959964 * np.sqrt(share * (1 - share) / n)
    inside = (share - half > fair - 0.05) & (share + half < fair + 0.05)
    assert inside.mean() == pytest.approx(0.9, abs=0.02)
    n = games_needed(seats, effect=0.1).n
    share = rng.binomial(n, fair + 0.1, runs) / n
    found = np.abs(share - fair) > 1.959964 * math.sqrt(fair * (1 - fair) / n)
    assert found.mean() == pytest.approx(0.8, abs=0.04)


def test_a_gain_saves_games_and_a_smaller_effect_costs_them():
    assert games_needed(3, margin=0.02, gain=2).exact * 2 == games_needed(3, margin=0.02).exact
    assert detection_games(1 / 3, -0.05) < detection_games(1 / 3, 0.05)
    assert games_needed(4, effect=0.05, power=0.9).n > games_needed(4, effect=0.05).n
