"""Length of games: quantiles with intervals, and the whole curve.

The right tail decides whether a game fits an evening, so lengths are quantiles first. A game cut
short by an engine limit is right-censored: it would have lasted at least that long. Such games
are never dropped; a quantile that lies beyond them is given as a lower bound and flagged.

References
----------
Kaplan & Meier (1958); Mantel (1966) for the log-rank test.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from reefsim.stats.checks import BoolArray, FloatArray, flags, number_of, numbers
from reefsim.stats.intervals import distribution, quantile

MEASURES = ("turns", "rounds", "plies")
LEVELS = {"q05": 0.05, "q25": 0.25, "q50": 0.50, "q75": 0.75, "q95": 0.95, "q99": 0.99}


class LogRank(NamedTuple):
    """Test that two samples of lengths come from one curve."""

    chi2: float
    p: float


@dataclass(frozen=True)
class LengthCurve:
    """Share of games that last longer than each length seen (Kaplan-Meier).

    Unpacks as times, survival, survival_at, median, rmst.

    Attributes
    ----------
    times : float array, shape (distinct lengths,), in the unit of the lengths
    survival : float array, shape (distinct lengths,), in [0, 1]
    median : float
        Shortest length that half of the games do not exceed; inf if the data do not reach it.
    """

    times: FloatArray
    survival: FloatArray
    median: float

    def survival_at(self, t: float) -> float:
        """Share of games that last longer than `t`; beyond the last game seen, its last value."""
        place = int(np.searchsorted(self.times, number_of("t", t), side="right"))
        return float(self.survival[place - 1]) if place else 1.0

    def rmst(self, tau: float) -> float:
        """Mean length if every game were stopped at `tau` (restricted mean).

        Raises
        ------
        ValueError
            If tau is below 0, or beyond the last game seen while some games last longer.
        """
        tau = number_of("tau", tau)
        if tau < 0 or (tau > self.times[-1] and self.survival[-1] > 0):
            last = f"the last game seen, {self.times[-1]:g}"
            raise ValueError(f"tau = {tau:g} is not allowed; it must lie between 0 and {last}")
        inner = self.times < tau
        edges = np.concatenate([[0.0], self.times[inner], [tau]])
        return float((np.diff(edges) * np.concatenate([[1.0], self.survival[inner]])).sum())

    def __iter__(self) -> Iterator[Any]:
        return iter((self.times, self.survival, self.survival_at, self.median, self.rmst))


def length_curve(times: Any, censored: Any = None) -> LengthCurve:
    """Curve of lengths of independent games, some of them cut short.

    Parameters
    ----------
    times : lengths, shape (games,), 0 or more
    censored : true where a game was cut short at its length; None if none was. At equal lengths a
        game that was cut short counts as the longer one

    Returns
    -------
    LengthCurve
        With every game cut short, survival stays 1 and the median is infinite.

    Raises
    ------
    ValueError
        If there is no game, a length is missing or below 0, or the shapes differ.
    """
    lengths, cut = _lengths("times", times, "censored", censored)
    support, reached = distribution(lengths, cut)
    over = np.flatnonzero(reached >= 0.5 - 1e-12)
    median = float(support[over[0]]) if len(over) else math.inf
    return LengthCurve(support, 1 - reached, median)


def logrank(a: Any, a_cens: Any, b: Any, b_cens: Any) -> LogRank:
    """Log-rank test that games of two arms last equally long; for independent games.

    Arms that share shuffles are not independent: bootstrap their replicates instead.

    Parameters
    ----------
    a, b : lengths, shape (games,), 0 or more
    a_cens, b_cens : true where a game was cut short; None if none was

    Returns
    -------
    LogRank
        chi2 (one degree of freedom), p; 0 and 1 if no game ended while games of both arms ran.
    """
    first, second = _lengths("a", a, "a_cens", a_cens), _lengths("b", b, "b_cens", b_cens)
    ends = np.concatenate([first[0][~first[1]], second[0][~second[1]]])
    if not (ends <= min(first[0].max(), second[0].max())).any():
        return LogRank(0.0, 1.0)
    samples = (scipy.stats.CensoredData.right_censored(*arm) for arm in (first, second))
    with np.errstate(invalid="ignore", divide="ignore"):
        z = float(scipy.stats.logrank(*samples).statistic)
    if math.isnan(z):  # a lone end of everything that runs: no variance
        return LogRank(0.0, 1.0)
    return LogRank(z**2, float(scipy.stats.chi2.sf(z**2, 1)))


def _lengths(name: str, times: Any, flag: str, censored: Any) -> tuple[FloatArray, BoolArray]:
    lengths = numbers(name, times, low=0.0)
    if censored is None:
        return lengths, np.zeros(len(lengths), dtype=bool)
    return lengths, flags(flag, censored, len(lengths))


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


def length_curves(
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
