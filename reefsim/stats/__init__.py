"""From log columns to estimates with intervals; knows no game."""

from __future__ import annotations

from reefsim.stats.blocks import block_mean, hotelling_seats
from reefsim.stats.effects import bootstrap_interval, superiority
from reefsim.stats.elo import elo_of_share, expected_share, gsprt, pair_scores, share_of_nelo
from reefsim.stats.ends import end_causes, ender_wins
from reefsim.stats.intervals import Estimate, mean, quantile, quantile_interval, rare_share, share
from reefsim.stats.length import length_curve, length_curves, length_quantiles, logrank
from reefsim.stats.looks import crossing_chance, look_bounds
from reefsim.stats.luck import icc, shuffle_luck, variance_components
from reefsim.stats.multiple import benjamini_hochberg, dunnett, holm
from reefsim.stats.paired import compare_arms, mcnemar, pairing_gain, sign_flip
from reefsim.stats.planning import exact_power, games_needed
from reefsim.stats.proportions import (
    Interval,
    binomial_test,
    cohen_h,
    difference_interval,
    multinomial_intervals,
    proportion_interval,
    seat_chisquare,
    upper_bound,
)
from reefsim.stats.scores import seat_scores, winner_margins
from reefsim.stats.seats import agent_shares, first_seat_advantage, seat_shares
from reefsim.stats.sequential import (
    asymptotic_interval,
    e_value,
    sequential_interval,
    sequential_mean,
    sprt,
    sprt_plan,
)
from reefsim.stats.tables import stratified, trend
from reefsim.stats.tost import equivalence, equivalence_paired
from reefsim.stats.variates import antithetic, control_variate
from reefsim.stats.verdict import Call, Verdict, judge

__all__ = [
    "Call",
    "Estimate",
    "Interval",
    "Verdict",
    "agent_shares",
    "antithetic",
    "asymptotic_interval",
    "benjamini_hochberg",
    "binomial_test",
    "block_mean",
    "bootstrap_interval",
    "cohen_h",
    "compare_arms",
    "control_variate",
    "crossing_chance",
    "difference_interval",
    "dunnett",
    "e_value",
    "elo_of_share",
    "end_causes",
    "ender_wins",
    "equivalence",
    "equivalence_paired",
    "exact_power",
    "expected_share",
    "first_seat_advantage",
    "games_needed",
    "gsprt",
    "holm",
    "hotelling_seats",
    "icc",
    "judge",
    "length_curve",
    "length_curves",
    "length_quantiles",
    "logrank",
    "look_bounds",
    "mcnemar",
    "mean",
    "multinomial_intervals",
    "pair_scores",
    "pairing_gain",
    "proportion_interval",
    "quantile",
    "quantile_interval",
    "rare_share",
    "seat_chisquare",
    "seat_scores",
    "seat_shares",
    "sequential_interval",
    "sequential_mean",
    "share",
    "share_of_nelo",
    "shuffle_luck",
    "sign_flip",
    "sprt",
    "sprt_plan",
    "stratified",
    "superiority",
    "trend",
    "upper_bound",
    "variance_components",
    "winner_margins",
]
