"""What may not be handed to a statistic is refused in one line that names it."""

from __future__ import annotations

import math

import pytest

from reefsim import stats

NAN = math.nan
BAD = [
    ("k = 5 ", lambda: stats.proportion_interval(5, 4)),
    ("k = -1 ", lambda: stats.proportion_interval(-1, 4)),
    ("k = 2.5 is not a whole number", lambda: stats.proportion_interval(2.5, 4)),
    ("n = nan", lambda: stats.proportion_interval(1, NAN)),
    ("level = 95 ", lambda: stats.proportion_interval(1, 4, level=95)),
    ("method = 'wald'", lambda: stats.proportion_interval(1, 4, "wald")),
    ("level = 0.3 ", lambda: stats.upper_bound(0, 10, 0.3)),
    ("counts: 1 of 3 values", lambda: stats.multinomial_intervals([1, 2, -3])),
    ("counts: 1 of 2 values", lambda: stats.seat_chisquare([1.5, 2])),
    ("counts holds 1 values", lambda: stats.seat_chisquare([4])),
    ("share = 1 ", lambda: stats.binomial_test(1, 2, 1)),
    ("k2 = 9 ", lambda: stats.difference_interval(1, 2, 9, 8)),
    ("method = 'score'", lambda: stats.difference_interval(1, 2, 3, 8, "score")),
    ("first = 1.2 ", lambda: stats.cohen_h(1.2, 0.5)),
    ("values_per_block holds 0", lambda: stats.block_mean([], 0)),
    ("values_per_block holds 0", lambda: stats.block_mean([[1, 0], []], 0)),
    ("values_per_block: 1 of 2", lambda: stats.block_mean([[1, NAN]], 0)),
    ("values_per_block: 1 of 1 values are outside", lambda: stats.block_mean([2], 0, (0, 1))),
    ("values_per_block has 0 dimensions", lambda: stats.block_mean(3, 0)),
    ("null = 2 ", lambda: stats.block_mean([1, 0], 2, (0, 1))),
    ("bounds = (1, 0)", lambda: stats.block_mean([1, 0], 0.5, (1, 0))),
    ("null = 'half'", lambda: stats.block_mean([1, 2], "half")),
    ("shares: 1 of 3 rows", lambda: stats.hotelling_seats([[0.5, 0.5], [1, 1], [0, 1]])),
    ("shares has 2 replicates", lambda: stats.hotelling_seats([[1, 0, 0], [0, 1, 0]])),
    ("shares has 1 dimensions", lambda: stats.hotelling_seats([1, 0, 0])),
    ("table must be 2 by 2", lambda: stats.mcnemar([[0, 0], [0, 0]])),
    ("table must be 2 by 2", lambda: stats.mcnemar([[1, 2, 3], [4, 5, 6]])),
    ("d holds 0 values", lambda: stats.sign_flip([])),
    ("d holds 0 values", lambda: stats.sign_flip([[], []])),
    ("d: 1 of 4 values", lambda: stats.sign_flip([[1, 2], [3, math.inf]])),
    ("low = 0.6 is not below", lambda: stats.equivalence(1, 2, 0.6, 0.4)),
    ("margin = 0 ", lambda: stats.equivalence_paired([1, 2], 0)),
    ("seats = 1 ", lambda: stats.games_needed(1, margin=0.02)),
    ("found none", lambda: stats.games_needed(3)),
    ("found margin and effect", lambda: stats.games_needed(3, margin=0.02, effect=0.05)),
    ("margin = 2 ", lambda: stats.games_needed(3, margin=2)),
    ("share + effect = 1.1", lambda: stats.games_needed(2, effect=0.6)),
    ("effect = 0 ", lambda: stats.games_needed(2, effect=0)),
    ("power = 1 ", lambda: stats.games_needed(2, effect=0.1, power=1)),
    ("power has no meaning", lambda: stats.games_needed(2, half_width=0.1, power=0.9)),
    ("x holds 0 values", lambda: stats.sequential_mean([])),
    ("bounds = (1, 0)", lambda: stats.sequential_mean([1], (1, 0))),
    ("bounds = inf", lambda: stats.sequential_mean([1, 2], (0, math.inf))),
    ("h0 and h1 are both", lambda: stats.sprt(1, 2, 0.5, 0.5)),
    ("alpha = 0.5 ", lambda: stats.sprt(1, 2, 0.5, 0.6, alpha=0.5)),
    ("pair_counts holds 4", lambda: stats.gsprt([1, 2, 3, 4], 0, 5)),
    ("model = 'bayes'", lambda: stats.gsprt([1, 2, 3], 0, 5, "bayes")),
    ("pair_counts holds no pair", lambda: stats.pair_scores([0, 0, 0])),
    ("share = 1.5 ", lambda: stats.elo_of_share(1.5)),
    ("looks = 0 ", lambda: stats.look_bounds(0)),
    ("times: 1 of 2", lambda: stats.length_curve([1, -2])),
    ("censored has shape (1,)", lambda: stats.length_curve([1, 2], [True])),
    ("b_cens must hold", lambda: stats.logrank([1], None, [2], [7])),
    ("q = 1 ", lambda: stats.quantile_interval([1, 2], 1)),
    ("x holds 0 values", lambda: stats.quantile_interval([], 0.5)),
    ("replicates has shape (1,)", lambda: stats.quantile_interval([1, 2], 0.5, [7])),
    ("table has shape (2, 1)", lambda: stats.icc([[1], [2]])),
    ("table: 1 of 4 values are outside", lambda: stats.shuffle_luck([[0, 1], [2, 0]])),
    ("c has shape (2,)", lambda: stats.control_variate([1, 2, 3], [1, 2], 0)),
    ("y holds 2 values", lambda: stats.control_variate([1, 2], [1, 2], 0)),
    ("pairs has 3 columns", lambda: stats.antithetic([[1, 2, 3]])),
    ("p: 1 of 2 values are outside", lambda: stats.holm([0.1, 1.2])),
    ("p: 1 of 2 values are missing", lambda: stats.benjamini_hochberg([0.1, NAN])),
    ("groups is empty", lambda: stats.dunnett([], [1, 2])),
    ("groups[0] holds 1", lambda: stats.dunnett([[1]], [1, 2])),
    ("wins exceed games", lambda: stats.trend([3, 1], [2, 2], [0, 1])),
    ("wins, games and x have 1, 2 and 1", lambda: stats.trend([3], [2, 2], [0])),
    ("tables has shape (1, 2, 3)", lambda: stats.stratified([[[1, 2, 3], [4, 5, 6]]])),
    ("tables: every stratum", lambda: stats.stratified([[[1, 2], [0, 0]]])),
    ("a holds 0 values", lambda: stats.superiority([], [1])),
    ("data: paired samples", lambda: stats.bootstrap_interval(([1, 2], [1]), max, paired=True)),
]


@pytest.mark.parametrize(("words", "call"), BAD, ids=[words for words, _ in BAD])
def test_refused_in_one_line(words, call):
    with pytest.raises(ValueError) as caught:
        call()
    message = str(caught.value)
    assert words in message + " "
    assert "\n" not in message
