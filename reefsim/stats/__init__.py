"""From log columns to estimates with intervals; knows no game.

What the numbers mean. The win share of a seat in a game is 1/k if it is among the k winners after
all tie-breaks, else 0; shares of a game sum to 1, and a fair seat has 1/seats. Equal agents show
the seat's own effect at their skill; a mixed line-up that rotates shows seats averaged over agents
and agents averaged over seats. The independent unit is the replicate: its rotations share a
shuffle and are averaged before anything else.

========================  ==========================================================
what was asked of a run   `claims`, `targets`, `goals` (on `values`), `response` for sweeps
tables of a run           `seats`, `length`, `ends`, `scores`, `paired`, `verdict`
one share, all seats      `proportions` (whole wins), `blocks` (fractions, rotations)
two arms                  `paired` (shared shuffles), `proportions`, `effects`, `length`
nearly the same           `tost`
many claims               `multiple`, and `paired.sign_flip` for arms that share shuffles
before a run              `planning`, and `forecast` from a pilot
during a run              `sequential`, `looks`, `elo`
skill, trends             `tables`
luck, less of it          `luck`, `variates`
========================  ==========================================================

Functions that take counts or values return small records, which have named fields and unpack in
their order. Where evidence is missing, `checks` says what is returned.
"""

from __future__ import annotations

from reefsim.stats.blocks import block_mean, hotelling_seats
from reefsim.stats.claims import find_answers
from reefsim.stats.effects import bootstrap_interval, superiority
from reefsim.stats.elo import elo_of_share, expected_share, gsprt, pair_scores, share_of_nelo
from reefsim.stats.ends import end_causes, ender_wins
from reefsim.stats.intervals import Estimate, mean, quantile, quantile_interval, share
from reefsim.stats.ladder import agent_ratings, circles, head_to_head, steps
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
from reefsim.stats.ratings import bradley_terry, plackett_luce
from reefsim.stats.scores import seat_scores, winner_margins
from reefsim.stats.seats import agent_shares, first_seat_advantage, seat_shares
from reefsim.stats.sequential import (
    asymptotic_interval,
    e_value,
    sequential_interval,
    sequential_mean,
    sequential_share,
    sprt,
    sprt_plan,
)
from reefsim.stats.tables import stratified, trend
from reefsim.stats.targets import find_targets
from reefsim.stats.tost import (
    equivalence,
    equivalence_independent,
    equivalence_paired,
    equivalence_seats,
)
from reefsim.stats.variates import antithetic, control_variate
from reefsim.stats.verdict import Call, Verdict, judge

__all__ = [
    "Call",
    "Estimate",
    "Interval",
    "Verdict",
    "agent_ratings",
    "agent_shares",
    "antithetic",
    "asymptotic_interval",
    "benjamini_hochberg",
    "binomial_test",
    "block_mean",
    "bootstrap_interval",
    "bradley_terry",
    "circles",
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
    "equivalence_independent",
    "equivalence_paired",
    "equivalence_seats",
    "exact_power",
    "expected_share",
    "find_answers",
    "find_targets",
    "first_seat_advantage",
    "games_needed",
    "gsprt",
    "head_to_head",
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
    "plackett_luce",
    "proportion_interval",
    "quantile",
    "quantile_interval",
    "seat_chisquare",
    "seat_scores",
    "seat_shares",
    "sequential_interval",
    "sequential_mean",
    "sequential_share",
    "share",
    "share_of_nelo",
    "shuffle_luck",
    "sign_flip",
    "sprt",
    "sprt_plan",
    "steps",
    "stratified",
    "superiority",
    "trend",
    "upper_bound",
    "variance_components",
    "winner_margins",
]
