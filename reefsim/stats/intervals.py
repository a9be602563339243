"""Intervals: one estimate, what it rests on, and how it was made.

Every function takes one value per **replicate**, the unit that is independent of the others
(rotations of a replicate share its shuffle, so they are averaged first; see `replicates`).
No function returns an interval of zero width: where the data show no spread, the interval says
how much unseen spread is still possible, or is missing and the note says so.

References
----------
Wilson (1927); Clopper & Pearson (1934); Korn & Graubard (1998) for the effective sample size of
shares in clusters, Dean & Pagano (2015) for Wilson's interval with it; Conover (1999), section 3.2,
for quantiles; Kaplan & Meier (1958) and Greenwood (1926) for games cut short. See `student` for
means.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.stats

from reefsim.stats.checks import FloatArray, Values, flags, floats, inside, is_constant, numbers
from reefsim.stats.proportions import LEVEL, Interval, clopper_pearson, unseen, wilson
from reefsim.stats.replicates import replicate_means
from reefsim.stats.student import of_mean

RARE = 20  # with fewer events, or fewer games without, Wilson's interval is at times too short


@dataclass(frozen=True)
class Estimate:
    """A number and its interval, both in the unit of the values.

    Attributes
    ----------
    value, low, high : float
        Estimate and interval; NaN where there is none.
    sd : float
        Standard deviation between replicates; NaN if unknown.
    replicates : int
        Number of independent values.
    method : str
        wilson, t, exact, bound, order, or none.
    note : str
        What a reader must know before using the interval; usually empty.
    """

    value: float
    low: float
    high: float
    sd: float
    replicates: int
    method: str
    note: str = ""

    def row(self) -> dict[str, Any]:
        """Fields by name, as columns of a table."""
        return asdict(self)


NO_GAMES = Estimate(np.nan, np.nan, np.nan, np.nan, 0, "none", "no games")


def share(means: Values, games: float | None = None, level: float = LEVEL) -> Estimate:
    """Interval for a share, from the share of each replicate.

    Wilson's, or the exact one (Clopper-Pearson, which covers oftener) where fewer than `RARE` games
    show what is counted, or lack it. If every replicate was wholly won or lost, its wins are
    counted. Otherwise (ties count 1/k, rotations are averaged) both count as many games as would
    vary as much, ``p (1 - p) / Var(p)``, by as much fewer as t is wider than z; the exact one no
    more than were played.

    Parameters
    ----------
    means : float array, shape (replicates,), in [0, 1]
    games : games behind the means; one each by default, inf if unknown
    level : confidence level

    Returns
    -------
    Estimate
        In [0, 1]. Constant fractions get the bound of `mean`.

    Raises
    ------
    ValueError
        If a value is missing or outside [0, 1]; the message counts them.
    """
    values = numbers("means", means, least=0, low=0.0, high=1.0)
    n = len(values)
    is_whole = bool(np.isin(values, (0.0, 1.0)).all())
    if n == 0 or (is_constant(values) and not is_whole):
        return mean(values, bounds=(0.0, 1.0), level=level)
    p, sd = float(values.mean()), _sd(values)
    played, alike, known = float(n), float(n), 1.0
    if not is_whole:
        played = effective_games(values, n if games is None else games)
        alike = effective_games(values, math.inf)
        known = _known_spread(n, level)
    if min(p, 1 - p) * played < RARE:
        low, high = clopper_pearson(p * played * known, played * known, level)
        note = "one replicate only" if n == 1 else ""
        return Estimate(p, low, high, sd, n, "exact", note)
    low, high = wilson(p * alike * known, alike * known, level)
    return Estimate(p, low, high, sd, n, "wilson")


def mean(
    means: Values, bounds: tuple[float, float] | None = None, level: float = LEVEL
) -> Estimate:
    """Interval for the mean of replicate means: Student's t, made to allow for skewness.

    Equal values have no measured spread. If the values are bounded, the interval is then the
    widest that fits: with n equal values, the chance of a different one is below the
    Clopper-Pearson bound of 0 in n, and it could lie at either bound. Without bounds there is no
    interval, and the note says why.

    Parameters
    ----------
    means : float array, shape (replicates,)
    bounds : lowest and highest possible value; None if unbounded
    level : confidence level

    Returns
    -------
    Estimate
        In the unit of `means`, clipped to the bounds.

    Raises
    ------
    ValueError
        If a value is missing or outside the bounds; the message counts them.
    """
    floor, ceiling = bounds if bounds is not None else (-np.inf, np.inf)
    values = numbers("means", means, least=0, low=floor, high=ceiling)
    n = len(values)
    if n == 0:
        return NO_GAMES
    center, sd = float(values.mean()), _sd(values)
    if is_constant(values):
        note = "one replicate only" if n == 1 else f"no spread in {n} replicates"
        if bounds is None:
            return Estimate(center, np.nan, np.nan, sd, n, "none", note)
        low, high = unseen(center, floor, ceiling, n, level)
        return Estimate(center, low, high, sd, n, "bound", note)
    low, high = of_mean(values).interval(level)
    return Estimate(center, max(floor, low), min(ceiling, high), sd, n, "t")


def quantile(
    values: Values,
    q: float,
    replicates: npt.NDArray[Any] | None = None,
    censored: npt.NDArray[Any] | None = None,
    level: float = LEVEL,
) -> Estimate:
    """Interval for a quantile, between two order statistics.

    The quantile is the smallest value that a share q of the games does not exceed, so it is a
    value that was observed. For independent games the ranks are those of
    ``scipy.stats.quantile_test(values, p=q).confidence_interval()``. Games of the same replicate
    are counted as the number of independent games that would vary as much (`effective_games`).
    Censored games lasted at least as long as their value: Kaplan-Meier; a quantile that the data
    do not reach is infinite. Those cut short before the quantile count for less, by Greenwood's
    variance.

    Parameters
    ----------
    values : float array, shape (games,)
    q : in (0, 1)
    replicates : replicate of each game; None if every game is its own
    censored : bool array, shape (games,); None if no game was cut short
    level : confidence level

    Returns
    -------
    Estimate
        In the unit of `values`; -inf or inf for a bound that lies outside the data.

    Raises
    ------
    ValueError
        If a value is missing.
    """
    data = numbers("values", values, least=0)
    if len(data) == 0:
        return NO_GAMES
    support, reached = distribution(data, censored)
    point = _inverse(support, reached, q)
    effective, units = float(len(data)), len(data)
    if replicates is not None:
        means = floats(replicate_means(data <= point, replicates))
        units = len(means)
        if units < len(data):
            effective = effective_games(means, len(data))
    if censored is not None:
        effective *= _known(data, np.asarray(censored, dtype=bool), point)
    n = max(1, int(effective + 1e-9))
    tail = (1 - level) / 2
    # the interval misses a side with at most half of the error each (Conover)
    low_rank = int(scipy.stats.binom.ppf(tail, n, q))
    if scipy.stats.binom.cdf(low_rank, n, q) <= tail:
        low_rank += 1
    high_rank = int(scipy.stats.binom.ppf(1 - tail, n, q)) + 1
    # a lower end that the data do not reach lies beyond the longest game seen
    longest = float(data.max())
    low = -np.inf if low_rank < 1 else min(_inverse(support, reached, low_rank / n), longest)
    high = np.inf if high_rank > n else _inverse(support, reached, high_rank / n)
    return Estimate(point, low, high, np.nan, units, "order")


def quantile_interval(
    x: Values,
    q: float,
    replicates: npt.NDArray[Any] | None = None,
    censored: npt.NDArray[Any] | None = None,
    level: float = LEVEL,
) -> Interval:
    """Interval for a quantile, two of the values seen; `quantile` with its inputs checked.

    Parameters
    ----------
    x, q, replicates, censored, level : as in `quantile`; q in (0, 1)

    Returns
    -------
    Interval
        low, high in the unit of `x`; -inf or inf where too few values lie on that side.

    Raises
    ------
    ValueError
        If there are no values, one is missing, or q or level is outside (0, 1).
    """
    data = numbers("x", x)
    cut = None if censored is None else flags("censored", censored, len(data))
    if replicates is not None and np.shape(replicates) != data.shape:
        found = f"replicates has shape {np.shape(replicates)}"
        raise ValueError(f"{found}; it must have {len(data)} values, as x has")
    ends = quantile(data, inside("q", q), replicates, cut, inside("level", level))
    return Interval(ends.low, ends.high)


def distribution(
    values: Values, censored: npt.NDArray[Any] | None = None
) -> tuple[FloatArray, FloatArray]:
    """Share of games that ended at or below each value seen.

    Parameters
    ----------
    values : float array, shape (games,)
    censored : bool array, shape (games,); games that were cut short at their value

    Returns
    -------
    support, reached : float arrays, shape (distinct values,)
        Sorted values, and the estimated share of games that end no later (Kaplan-Meier when some
        are censored, so the last share may stay below 1).
    """
    data = numbers("values", values, least=0)
    if len(data) == 0:
        return np.empty(0), np.empty(0)
    if censored is None or not np.any(censored):
        support, counts = np.unique(data, return_counts=True)
        return support, np.cumsum(counts) / len(data)
    sample = scipy.stats.CensoredData.right_censored(data, np.asarray(censored, dtype=bool))
    cdf = scipy.stats.ecdf(sample).cdf
    return np.asarray(cdf.quantiles, dtype=float), np.asarray(cdf.probabilities, dtype=float)


def effective_games(means: FloatArray, games: float) -> float:
    """Independent games that would vary as much as these replicates (Korn and Graubard).

    Parameters
    ----------
    means : float array, shape (replicates,), the share in each
    games : games played in all of them

    Returns
    -------
    float
        At most `games`; the number of replicates if all shares are equal.
    """
    if len(means) < 2 or is_constant(means):
        return float(len(means))
    p = float(means.mean())
    return min(float(games), p * (1 - p) * len(means) / float(means.var()))


def _known_spread(n: int, level: float) -> float:
    """Share of the games that count as much, their spread being measured in `n` replicates."""
    tail = (1 - level) / 2
    ratio = float(scipy.stats.norm.isf(tail) / scipy.stats.t.isf(tail, n - 1))
    return ratio**2 * (n - 1) / n


def _known(data: FloatArray, censored: npt.NDArray[np.bool_], point: float) -> float:
    """Share of the games that would be needed if none were cut short before `point`."""
    if not (censored & (data < point)).any():
        return 1.0
    ends, counts = np.unique(data[~censored & (data <= point)], return_counts=True)
    at_risk = len(data) - np.searchsorted(np.sort(data), ends)
    alive = float(np.prod(1 - counts / at_risk))
    if alive <= 0 or len(ends) == 0:
        return 1.0
    greenwood = float((counts / (at_risk * (at_risk - counts))).sum())
    return min(1.0, (1 - alive) / (alive * greenwood * len(data)))


def _sd(values: FloatArray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else float("nan")


def _inverse(support: FloatArray, reached: FloatArray, level: float) -> float:
    """Smallest value that a share `level` of the games does not exceed."""
    place = int(np.searchsorted(reached, level - 1e-12))
    return float(support[place]) if place < len(support) else float("inf")
