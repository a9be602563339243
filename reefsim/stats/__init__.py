"""From log columns to estimates with intervals; knows no game."""

from __future__ import annotations

from reefsim.stats.ends import end_causes, ender_wins
from reefsim.stats.intervals import Estimate, mean, quantile, rare_share, share
from reefsim.stats.ladder import agent_ratings, circles, head_to_head, steps
from reefsim.stats.length import length_curve, length_quantiles
from reefsim.stats.paired import compare_arms
from reefsim.stats.ratings import bradley_terry, plackett_luce
from reefsim.stats.scores import seat_scores, winner_margins
from reefsim.stats.seats import agent_shares, first_seat_advantage, seat_shares
from reefsim.stats.verdict import Call, Verdict, judge

__all__ = [
    "Call",
    "Estimate",
    "Verdict",
    "agent_ratings",
    "agent_shares",
    "bradley_terry",
    "circles",
    "compare_arms",
    "end_causes",
    "ender_wins",
    "first_seat_advantage",
    "head_to_head",
    "judge",
    "length_curve",
    "length_quantiles",
    "mean",
    "plackett_luce",
    "quantile",
    "rare_share",
    "seat_scores",
    "seat_shares",
    "share",
    "steps",
    "winner_margins",
]
