"""What winners do more of: frequencies of kinds of actions, and their lift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from reefsim.stats.checks import FloatArray
from reefsim.stats.student import expanded_tail

COLUMNS = (*("action", "seats", "replicates", "per_game", "among_winners", "lift", "low", "high"),)
_NOT_KINDS = ("arm", "game_id", "replicate", "seat", "agent", "win_share")


def lift(
    counts: pd.DataFrame,
    by: Sequence[str] = ("arm",),
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 1,
) -> pd.DataFrame:
    """How much more often winners take each kind of action than all seats do.

    A lift of 1 says that winners do it as often as everybody; it says nothing of causes: who is
    about to win may have more to do. The interval is the percentile bootstrap over replicates, its
    tails moved outwards as Student's t would for so few of them (`student.expanded_tail`).

    Parameters
    ----------
    counts : one row per game and seat, from `reefsim.metrics.actions.action_counts`, or a subset
    by : columns that make the groups, of arm, seat and agent
    level : of the interval
    resamples, seed : of the bootstrap; the same seed gives the same interval

    Returns
    -------
    pandas.DataFrame
        One row per group and kind, in the order of the kinds: seats (rows behind it), replicates,
        per_game (mean count of a seat in a game), among_winners (the same of the winners, a shared
        win counting as its share), lift (their ratio) with low and high. Lift is NaN where nobody
        did it or nobody won; the limits are NaN with fewer than two replicates.
    """
    kinds = [name for name in counts.columns if name not in _NOT_KINDS]
    rows = []
    for key, group in counts.groupby(list(by), observed=True, sort=False):
        done = group[kinds].to_numpy(float)
        won = group["win_share"].to_numpy(float)
        sums = _by_replicate(group["replicate"].to_numpy(), done, won)
        found = _ratios(sums.sum(axis=0, keepdims=True))[0]
        low, high = _interval(sums, level, resamples, seed)
        for i, kind in enumerate(kinds):
            rows.append(
                {
                    **dict(zip(by, key, strict=True)),
                    "action": kind,
                    "seats": len(group),
                    "replicates": len(sums),
                    "per_game": float(done[:, i].mean()),
                    "among_winners": float((won @ done[:, i]) / won.sum())
                    if won.sum() > 0
                    else float("nan"),
                    "lift": float(found[i]),
                    "low": float(low[i]),
                    "high": float(high[i]),
                }
            )
    return pd.DataFrame(rows, columns=[*by, *COLUMNS])


def _by_replicate(replicate: Any, done: FloatArray, won: FloatArray) -> FloatArray:
    """Sums of each replicate: rows, wins, then actions by kind, then those of winners."""
    names, place = np.unique(replicate, return_inverse=True)
    parts = np.column_stack([np.ones(len(won)), won, done, done * won[:, None]])
    sums = np.zeros((len(names), parts.shape[1]))
    np.add.at(sums, place, parts)
    return sums


def _ratios(sums: FloatArray) -> FloatArray:
    """Lift of each kind from sums, shape (samples, 2 + 2 * kinds)."""
    kinds = (sums.shape[1] - 2) // 2
    with np.errstate(divide="ignore", invalid="ignore"):
        among_all = sums[:, 2 : 2 + kinds] / sums[:, :1]
        among_winners = sums[:, 2 + kinds :] / sums[:, 1:2]
        ratio: FloatArray = np.where(among_all > 0, among_winners / among_all, np.nan)
    return ratio


def _interval(
    sums: FloatArray, level: float, resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Percentiles of the lift over resampled replicates."""
    kinds, n = (sums.shape[1] - 2) // 2, len(sums)
    if n < 2:
        nothing = np.full(kinds, np.nan)
        return nothing, nothing
    rng = np.random.default_rng(seed)
    drawn = np.array(
        [np.bincount(rng.integers(n, size=n), minlength=n) @ sums for _ in range(resamples)]
    )
    with np.errstate(all="ignore"):
        ratios = _ratios(drawn)
        tail = expanded_tail(n, level)
        # a kind that some resamples lack has no percentiles of its lift
        low, high = np.quantile(ratios, [tail, 1 - tail], axis=0)
    return low, high
