"""Known right answers, one test per row of the table they come from (S1 to S50).

Rows are published or were computed twice by independent means. Bradley-Terry and ratings (S38 to
S40) belong to the ratings.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from reefsim.stats import (
    antithetic,
    asymptotic_interval,
    benjamini_hochberg,
    binomial_test,
    block_mean,
    bootstrap_interval,
    cohen_h,
    control_variate,
    crossing_chance,
    difference_interval,
    dunnett,
    e_value,
    elo_of_share,
    equivalence,
    equivalence_paired,
    exact_power,
    expected_share,
    games_needed,
    gsprt,
    holm,
    icc,
    look_bounds,
    mcnemar,
    pair_scores,
    pairing_gain,
    proportion_interval,
    quantile_interval,
    seat_chisquare,
    sequential_interval,
    share_of_nelo,
    shuffle_luck,
    sign_flip,
    sprt,
    sprt_plan,
    stratified,
    superiority,
    upper_bound,
)
from reefsim.stats.paired import difference
from reefsim.stats.planning import (
    detection_games,
    detection_games_by_h,
    precision_games,
    tost_games,
)

SIX_BLOCKS = [[1, 1], [1, 0.5], [1, 0], [0.5, 0.5], [1, 1], [0, 1]]
COPIES = [[1, 1], [1, 1], [0, 0], [1, 1], [0, 0], [1, 0]]
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
DRUG_1 = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2])
DRUG_2 = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
BERKELEY = [
    [[512, 313], [89, 19]],
    [[353, 207], [17, 8]],
    [[120, 205], [202, 391]],
    [[138, 279], [131, 244]],
    [[53, 138], [94, 299]],
    [[22, 351], [24, 317]],
]
PAIRS = [13, 37, 50, 25, 3]
LSAT = [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594]
GPA = [3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43, 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96]


def close(expected: object, tolerance: float = 1e-6) -> object:
    return pytest.approx(expected, abs=tolerance, rel=0)


def test_s1_exact_and_mid_p():
    found = binomial_test(97, 156)
    assert (found.p, found.mid_p) == close((0.002930582, 0.002317473), 1e-9)


@pytest.mark.parametrize(
    ("k", "n", "method", "expected", "tolerance"),
    [
        pytest.param(97, 156, "wilson", (0.543633, 0.694103), 1e-6, id="S2-wilson"),
        pytest.param(97, 156, "exact", (0.540758, 0.698111), 1e-6, id="S2-exact"),
        pytest.param(97, 156, "jeffreys", (0.544027, 0.695090), 1e-6, id="S2-jeffreys"),
        pytest.param(81, 263, "wilson", (0.2553, 0.3662), 5e-5, id="S3-wilson"),
        pytest.param(81, 263, "exact", (0.2527, 0.3676), 5e-5, id="S3-exact"),
        pytest.param(0, 20, "wilson", (0, 0.1611), 5e-5, id="S5-wilson-0"),
        pytest.param(0, 20, "exact", (0, 0.1684), 5e-5, id="S5-exact-0"),
        pytest.param(1, 29, "wilson", (0.0061, 0.1718), 5e-5, id="S5-wilson-1"),
        pytest.param(1, 29, "exact", (0.0009, 0.1776), 5e-5, id="S5-exact-1"),
    ],
)
def test_intervals_of_proportions(k, n, method, expected, tolerance):
    assert proportion_interval(k, n, method) == close(expected, tolerance)


def test_s7_seven_of_ten():
    found = binomial_test(7, 10)
    assert (found.at, found.at_least) == close((0.1171875, 0.171875), 1e-12)


def test_s8_three_seats():
    found = seat_chisquare([412, 310, 278])
    assert found.statistic == close(29.384, 1e-9)
    assert found.p == close(4.162416e-07, 1e-13)
    assert binomial_test(412, 1000, 1 / 3).p == close(2.250191e-07, 1e-13)
    assert proportion_interval(412, 1000) == close((0.381887, 0.442786))


def test_s10_blocks_of_two():
    found = block_mean(SIX_BLOCKS, 0.5)
    assert (found.mean, found.se) == close((0.708333, 0.100347))
    assert (found.t, found.p) == close((2.076137, 0.092515))
    assert (found.low, found.high) == close((0.450384, 0.966283))
    assert np.std(SIX_BLOCKS, ddof=1) / math.sqrt(12) == close(0.114454)


def test_s10_blocks_are_the_clustered_regression():
    from statsmodels.regression.linear_model import OLS

    groups = {"groups": np.repeat(np.arange(6), 2)}
    model = OLS(np.ravel(SIX_BLOCKS), np.ones(12))
    fit = model.fit(cov_type="cluster", cov_kwds=groups, use_t=True)
    found = block_mean(SIX_BLOCKS, 0)
    assert (fit.params[0], fit.bse[0]) == close((found.mean, found.se), 1e-12)
    plain = model.fit(cov_type="cluster", cov_kwds=groups | {"use_correction": False})
    assert plain.bse[0] == close(0.091604)  # S10b


def test_s10b_agreement_within_blocks():
    assert icc(SIX_BLOCKS).icc11 == close(-0.216216)


def test_s11_copies_of_a_shuffle():
    assert np.std(COPIES, ddof=1) / math.sqrt(12) == close(0.148647)
    assert block_mean(COPIES, 0.5).se == close(0.200693)


def test_s14_approval_of_the_prime_minister():
    found = mcnemar([[794, 86], [150, 570]])
    assert (found.statistic, found.corrected) == close((17.355932, 16.817797))
    assert (found.diff, found.se) == close((-0.04, 0.009549215), 1e-9)


def test_s15_twelve_to_four():
    found = mcnemar([[0, 12], [4, 0]])
    assert (found.exact_p, found.mid_p) == close((0.076812745, 0.049041748), 1e-9)


def test_s16_darwins_maize():
    found = sign_flip(DARWIN)
    assert found.exact
    assert found.p == pytest.approx(1726 / 32768, abs=1e-15)
    block = block_mean(DARWIN, 0)
    assert (block.t, block.p) == close((2.147987, 0.049703))


def test_s17_students_sleep():
    found = block_mean(DRUG_1 - DRUG_2, 0)
    assert (found.t, found.p) == close((-4.062128, 0.002832890))
    assert (found.low, found.high) == close((-2.459886, -0.700114))
    assert scipy.stats.ttest_ind(DRUG_1, DRUG_2, equal_var=False).pvalue == close(0.079394)
    estimate = difference(DRUG_1, DRUG_2, paired=False)
    assert estimate.low < 0 < estimate.high
    assert np.corrcoef(DRUG_1, DRUG_2)[0, 1] == close(0.795170)
    assert pairing_gain(DRUG_1, DRUG_2) == close(4.765423)


def test_s18_paired_equivalence():
    found = equivalence_paired(DRUG_1 - DRUG_2, 3)
    assert (found.p, found.verdict) == (close(0.002655570, 1e-9), "equivalent")


def test_s19_equivalence_of_a_share():
    assert equivalence(5050, 10000, 0.48, 0.52).p == close(0.001349233, 1e-9)
    assert equivalence(505, 1000, 0.47, 0.53).p == close(0.060378520, 1e-9)
    se = math.sqrt(0.505 * 0.495 / 1000)
    assert scipy.stats.norm.interval(0.9, 0.505, se) == close((0.478994, 0.531006))


def test_s20_difference_of_two_shares():
    newcombe = difference_interval(56, 70, 48, 80)
    assert newcombe == close((0.0524, 0.3339), 5e-5)
    score = difference_interval(56, 70, 48, 80, "miettinen_nurminen")
    assert score == close((0.052830, 0.338173))


def test_s21_games_for_equivalence():
    assert tost_games(0.5, 0.02, 0.9) == close(6763.8586, 1e-4)


def test_s22_games_for_precision():
    found = [
        precision_games(1 / 2, 0.01),
        precision_games(1 / 3, 0.02),
        precision_games(1 / 4, 0.02),
    ]
    assert found == close([9603.647, 2134.144, 1800.684], 5e-4)


def test_s23_games_for_an_effect():
    assert detection_games_by_h(0.5, 0.05) == close(782.2645, 5e-5)
    # the table gives 782.5258; the formula, here and in statsmodels, is 782.52596
    assert detection_games(0.5, 0.05) == close(782.5258, 2e-4)
    assert exact_power(783, 0.5, 0.55) == close(0.788537)
    assert exact_power(156, 0.5, 0.55) == close(0.225666)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_table_of_games(seats):
    half_widths = {2: (1068, 2401, 9604), 3: (949, 2135, 8537), 4: (801, 1801, 7203)}
    found = tuple(games_needed(seats, half_width=h).n for h in (0.03, 0.02, 0.01))
    assert found == half_widths[seats]
    margins = {2: (3007, 6764, 27056), 3: (2673, 6013, 24050), 4: (2255, 5073, 20292)}
    tost = tuple(math.ceil(tost_games(1 / seats, m)) for m in (0.03, 0.02, 0.01))
    assert tost == margins[seats]
    assert games_needed(seats, margin=0.02).n == pytest.approx(1.2 * tost[1], rel=1e-3)
    # 609.47 for four seats, which must be rounded up
    assert games_needed(seats, effect=0.05).n == {2: 783, 3: 711, 4: 610}[seats]


def test_s24_effect_sizes():
    assert (cohen_h(0.55, 0.5), cohen_h(97 / 156, 0.5)) == close((0.100167, 0.246065))
    assert (elo_of_share(0.55), elo_of_share(97 / 156)) == close((34.860070, 86.367889))
    assert expected_share(200) == close(0.759747)


def test_s25_walds_test():
    plan = sprt_plan(0.5, 0.55)
    assert (plan.lower, plan.upper) == close((-2.944439, 2.944439))
    assert (plan.win, plan.loss) == close((0.095310, -0.105361))
    assert (plan.games_h0, plan.games_h1) == close((527.34, 529.11), 5e-3)
    found = sprt(60, 100, 0.5, 0.55)
    assert (found.llr, found.decision) == (close(1.504190), "continue")


def test_s26_pair_scores():
    found = pair_scores(PAIRS)
    assert found[:3] == close((0.4375, 0.0576171875, 0.115234375), 1e-12)
    assert (found.elo, found.nelo) == (close(-43.6578, 5e-5), close(-63.968, 5e-4))


def test_s27_score_of_a_hypothesis():
    share = share_of_nelo(4, pair_scores(PAIRS).per_game)
    assert share == close(0.503908)
    assert elo_of_share(share) == close(2.715750)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_s28_sequential_test_of_pairs(model):
    found = gsprt(PAIRS, 0, 4, model)
    # small strengths: llr is near (s1 - s0) (2 mean - s0 - s1) / variance * pairs / 2
    h1 = expected_share(4) if model == "logistic" else 0.503908
    near = (h1 - 0.5) * (2 * 0.4375 - h1 - 0.5) / 0.0576171875 * 128 / 2
    assert found.llr == pytest.approx(near, rel=0.08)
    assert (found.lower, found.upper) == close((-2.944439, 2.944439))
    assert found.decision == "continue"


@pytest.mark.parametrize(
    ("k", "n", "expected"),
    [
        (60, 100, (0.440774, 0.746036)),
        (0, 10, (0, 1 - (0.05 / 11) ** 0.1)),
        (97, 156, (0.491667, 0.741052)),
        (500, 1000, (0.444385, 0.555615)),
        (5000, 10000, (0.480804, 0.519196)),
    ],
)
def test_s29_interval_at_any_time(k, n, expected):
    assert sequential_interval(k, n) == close(expected)


def test_s29b_evidence_at_any_time():
    found = [e_value(60, 100), e_value(0, 10), e_value(97, 156)]
    assert found == close([0.913050, 93.090909, 10.388749])


def test_s30_asymptotic_interval():
    assert asymptotic_interval(0.52, 0.5, 1000, 1000) == close((0.472009, 0.567991))


def test_s32_looks():
    assert crossing_chance([1.959964] * 100) == close(0.37, 0.02)
    assert crossing_chance([1.96] * 5) == close(0.142, 5e-4)
    assert look_bounds(5, "pocock").constant == close(2.413, 5e-4)
    assert look_bounds(5, "obrien_fleming").constant == close(2.040, 5e-4)
    assert crossing_chance([2.413] * 5) == close(0.05, 1e-4)
    assert crossing_chance(2.040 * np.sqrt(5 / np.arange(1, 6))) == close(0.05, 1e-4)


def test_s33_admissions_at_berkeley():
    found = stratified(BERKELEY)
    assert found.odds_ratio == close(0.904697)
    assert (found.statistic, found.p, found.plain) == close((1.426946, 0.232263, 1.524607))
    assert (found.breslow_day, found.alike_p) == close((18.825514, 0.002071))
    assert found.crude > 1.8  # pooled, men seem favored: Simpson's paradox


def test_s35_brunner_and_munzel():
    x = [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1]
    y = [3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4]
    found = superiority(y, x)
    assert (found.statistic, found.p) == (close(3.137467), close(0.005786209, 1e-9))
    assert superiority(x, y).effect == close(0.211039)


def test_s35b_who_is_ahead():
    found = superiority([7, 4, 9, 17], [11, 6, 21, 14])
    assert (found.effect, found.delta) == (0.3125, -0.375)
    assert found.effect * 16 == 5


P_BH = (0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459)
P_BH = (*P_BH, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1)


def test_s36_largest_t_of_correlated_metrics():
    # the same metric twice costs nothing; an independent one costs like Bonferroni at most
    d = np.array(DARWIN, float)
    twice = sign_flip(np.column_stack([d, 2 * d]))
    assert twice.max_t_p == pytest.approx([1726 / 32768] * 2)
    assert twice.p == pytest.approx([1726 / 32768] * 2)


def test_s37_fifteen_claims():
    assert int((np.array(P_BH) <= 0.05 / 15).sum()) == 3
    assert int((benjamini_hochberg(P_BH) <= 0.05).sum()) == 4


def test_s37b_adjusted_p():
    p = [0.01, 0.04, 0.03, 0.005]
    assert holm(p) == close([0.03, 0.06, 0.06, 0.02], 1e-12)
    assert benjamini_hochberg(p) == close([0.02, 0.04, 0.04, 0.02], 1e-12)


def test_s42_nothing_seen():
    assert upper_bound(0, 1000) == close(0.002991250, 1e-9)
    assert proportion_interval(0, 1000, "exact").high == close(0.003682084, 1e-9)


def test_s43_quantiles():
    x = np.arange(1, 101)
    assert quantile_interval(x, 0.9) == (84, 96)
    assert quantile_interval(x, 0.5) == (40, 61)


def test_s45_luck_of_the_shuffle():
    table = [[1] * wins + [0] * (10 - wins) for wins in (9, 8, 2, 1)]
    found = shuffle_luck(table)
    assert found[:3] == close((1.666667, 0.138889, 0.523810))
    assert (found.chi2, found.p) == (close(20.0, 1e-9), close(0.000169742, 1e-9))
    assert found.entropy == close(0.595462)


def test_s46_variance_reduction():
    u = (np.arange(20_000) + 0.5) / 20_000  # a fine grid stands for the uniform distribution
    y = np.exp(u)
    assert y.var() == close(0.242036)
    pairs = np.column_stack([y, np.exp(1 - u)])
    assert pairs.mean(axis=1).var() == close(0.003912497, 1e-8)
    assert antithetic(pairs).gain == close(0.242036 / 2 / 0.003912497, 1e-3)
    found = control_variate(y, u, 0.5)
    assert found.mean == close(math.e - 1)
    assert found.beta == close(1.690309)
    assert found.se**2 * 19_998 == close(0.003940223, 1e-7)


def test_s48_law_schools():
    def r(x, y, axis=-1):
        x = x - x.mean(axis=axis, keepdims=True)
        y = y - y.mean(axis=axis, keepdims=True)
        root = np.sqrt((x**2).sum(axis=axis) * (y**2).sum(axis=axis))
        return (x * y).sum(axis=axis) / root

    found = bootstrap_interval((LSAT, GPA), r, paired=True, resamples=5000)
    assert found.value == close(0.776374)
    assert found.se == close(0.135, 0.01)
    assert (found.method, found.note) == ("bca", "")


def test_s49_constant_data():
    found = bootstrap_interval(np.ones(12))
    assert (found.low, found.high) == (1, 1)
    assert found.note == "no spread in the data, so this is no interval"


def test_s50_dunnett():
    control = [7.40, 8.50, 7.20, 8.24, 9.84, 8.32]
    groups = ([9.76, 8.80, 7.68, 9.36], [12.80, 9.68, 12.16, 9.20, 10.55])
    found = dunnett(groups, control)
    assert found.statistic == close([0.857032, 3.693752])
    assert found.p == close([0.62, 0.006], 0.003)
