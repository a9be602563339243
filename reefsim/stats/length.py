"""Length of games: quantiles with intervals, and the whole curve.

The right tail decides whether a game fits an evening, so lengths are quantiles first. A game cut
short by an engine limit is right-censored: it would have lasted at least that long. Such games
are never dropped; a quantile that lies beyond them is given as a lower bound and flagged.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reefsim.stats.intervals import FloatArray, distribution, quantile

MEASURES = ("turns", "rounds", "plies")
LEVELS = {"q05": 0.05, "q25": 0.25, "q50": 0.50, "q75": 0.75, "q95": 0.95, "q99": 0.99}


def length_quantiles(
    games: pd.DataFrame, by: Sequence[str] = ("arm",), measures: Sequence[str] = MEASURES
) -> pd.DataFrame:
    """Quantiles 5, 25, 50, 75, 95, 99 and the maximum of each measure of length.

    Parameters
    ----------
    games : table of a run, or a subset of it
    by : columns that make the groups
    measures : columns to describe, in their own unit (turns, rounds, plies)

    Returns
    -------
    pandas.DataFrame
        One row per group and measure: games, replicates, truncated (games cut short); q05 to q99
        and max; low and high, the 95 % interval of the median; beyond: the lowest level whose
        quantile is only a lower bound because of truncated games (NaN if there is none), where
        the value shown is the longest length seen.
    """
    by = list(by)
    rows = []
    for key, part in games.groupby(by, observed=True, sort=False):
        censored = part["truncated"].to_numpy(bool)
        for measure in measures:
            values = part[measure].to_numpy(float)
            estimate = quantile(values, 0.5, part["replicate"].to_numpy(), censored)
            support, reached = distribution(values, censored)
            rows.append(
                {
                    **dict(zip(by, key, strict=True)),
                    "measure": measure,
                    "games": len(part),
                    "replicates": estimate.replicates,
                    "truncated": int(censored.sum()),
                    **_levels(support, reached, values.max()),
                    "max": values.max(),
                    "low": estimate.low,
                    "high": estimate.high,
                }
            )
    columns = [
        *by,
        *("measure", "games", "replicates", "truncated"),
        *(*LEVELS, "max", "low", "high", "beyond"),
    ]
    return pd.DataFrame(rows, columns=columns)


def length_curve(
    games: pd.DataFrame, measure: str = "rounds", by: Sequence[str] = ("arm",)
) -> pd.DataFrame:
    """Share of games that are over after each length seen.

    Parameters
    ----------
    games : table of a run, or a subset of it
    measure : column of lengths
    by : columns that make the groups

    Returns
    -------
    pandas.DataFrame
        One row per group and distinct length: `measure`, over (share of games that last no
        longer, in [0, 1]; the last one is below 1 if games were truncated there).
    """
    by = list(by)
    parts = [pd.DataFrame(columns=[*by, measure, "over"])]
    for key, part in games.groupby(by, observed=True, sort=False):
        support, reached = distribution(part[measure].to_numpy(float), part["truncated"].to_numpy())
        curve = pd.DataFrame({measure: support, "over": reached})
        for place, name in enumerate(by):
            curve.insert(place, name, [key[place]] * len(curve))
        parts.append(curve)
    return pd.concat(parts[1:] or parts, ignore_index=True)


def _levels(support: FloatArray, reached: FloatArray, longest: float) -> dict[str, float]:
    """Quantiles by name, and the lowest level that the data do not reach."""
    values, beyond = {}, np.nan
    for name, level in LEVELS.items():
        place = int(np.searchsorted(reached, level - 1e-12))
        is_reached = place < len(support)
        values[name] = float(support[place]) if is_reached else float(longest)
        if not is_reached and np.isnan(beyond):
            beyond = level
    return {**values, "beyond": float(beyond)}
