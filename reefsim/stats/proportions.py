"""Shares of independent games that are won or lost: intervals, tests, differences.

Counts are whole wins. Shared wins and rotations are fractions, not counts; they belong into
`blocks`.

References
----------
Wilson (1927); Clopper & Pearson (1934); Goodman (1965) for all seats at once; Newcombe (1998) and
Miettinen & Nurminen (1985) for differences; Lancaster (1961) for the mid-p.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy.stats
from scipy.optimize import brentq

from reefsim.stats.checks import choice, inside, tallies, whole, within

LEVEL = 0.95


class Interval(NamedTuple):
    """A lower and an upper end, in the unit of the values."""

    low: float
    high: float


class ChiSquare(NamedTuple):
    """A test by chi-square, and its degrees of freedom."""

    statistic: float
    p: float
    df: int


class BinomialTest(NamedTuple):
    """Wins against a share: two-sided p, its mid-p, and P(K = k), P(K >= k), P(K <= k)."""

    p: float
    mid_p: float
    at: float
    at_least: float
    at_most: float


def proportion_interval(k: int, n: int, method: str = "wilson", level: float = LEVEL) -> Interval:
    """Interval for the share of `k` wins in `n` independent games.

    Parameters
    ----------
    k, n : whole numbers, 0 <= k <= n
    method : 'wilson'; 'exact' (Clopper-Pearson, for rare events); 'jeffreys' (equal tails of the
        posterior under Beta(1/2, 1/2), whose lower end at 0 wins is not 0)
    level : confidence level, in (0, 1)

    Returns
    -------
    Interval
        low, high in [0, 1]; 0 to 1 without any game.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it.
    """
    n = whole("n", n)
    k = whole("k", k, 0, n)
    level = inside("level", level)
    choice("method", method, ("wilson", "exact", "jeffreys"))
    if n == 0 or method == "wilson":
        return wilson(k, n, level)
    if method == "exact":
        return clopper_pearson(k, n, level)
    ends = scipy.stats.beta.interval(level, k + 0.5, n - k + 0.5)
    return Interval(float(ends[0]), float(ends[1]))


def wilson(wins: float, games: float, level: float = LEVEL) -> Interval:
    """Wilson interval of `wins` in `games`, which may be effective numbers; 0 to 1 without any."""
    if games == 0:
        return Interval(0.0, 1.0)
    z = float(scipy.stats.norm.ppf((1 + level) / 2))
    center = (wins + z * z / 2) / (games + z * z)
    half = z * math.sqrt(wins * (games - wins) / games + z * z / 4) / (games + z * z)
    return Interval(max(0.0, center - half), min(1.0, center + half))


def clopper_pearson(events: float, games: float, level: float = LEVEL) -> Interval:
    """Exact interval of `events` in `games`; both may be effective numbers, not whole ones."""
    tail, misses = (1 - level) / 2, games - events
    low = scipy.stats.beta.ppf(tail, events, misses + 1) if events > 0 else 0.0
    high = scipy.stats.beta.ppf(1 - tail, events + 1, misses) if misses > 0 else 1.0
    return Interval(float(low), float(high))


def upper_bound(events: int, games: int, level: float = LEVEL) -> float:
    """One-sided exact bound: the share is below it (1 without any game).

    With no event in n games this is about 3/n, the rule of three.

    >>> round(upper_bound(0, 1000), 9)
    0.00299125
    """
    games = whole("games", games)
    events = whole("events", events, 0, games)
    if games == 0:
        return 1.0
    return clopper_pearson(events, games, 2 * inside("level", level, 0.5) - 1).high


def unseen(center: float, low: float, high: float, n: int, level: float = LEVEL) -> Interval:
    """Widest interval for a mean after `n` equal values `center` between `low` and `high`.

    The chance of a different value is below the Clopper-Pearson bound of 0 in n, and it could lie
    at either limit.
    """
    chance = clopper_pearson(0, n, level).high
    return Interval(center - chance * (center - low), center + chance * (high - center))


def multinomial_intervals(counts: Any, level: float = LEVEL) -> tuple[Interval, ...]:
    """Intervals that hold for the shares of all seats at once (Goodman).

    Parameters
    ----------
    counts : whole numbers, shape (seats,), games won by each seat
    level : chance that all intervals cover

    Returns
    -------
    tuple of Interval, one per seat
        low, high in [0, 1]; 0 to 1 without any game.
    """
    wins = tallies("counts", counts)
    level = inside("level", level)
    if wins.sum() == 0:
        return tuple(Interval(0.0, 1.0) for _ in wins)
    from statsmodels.stats.proportion import multinomial_proportions_confint

    ends = multinomial_proportions_confint(wins, 1 - level, method="goodman")
    return tuple(Interval(float(low), float(high)) for low, high in ends)


def seat_chisquare(counts: Any) -> ChiSquare:
    """Test that all seats win equally often; for independent games with one winner each.

    Parameters
    ----------
    counts : whole numbers, shape (seats,), games won by each seat

    Returns
    -------
    ChiSquare
        statistic, p, df; 0 and 1 without any game.
    """
    wins = tallies("counts", counts)
    if wins.sum() == 0:
        return ChiSquare(0.0, 1.0, len(wins) - 1)
    found = scipy.stats.chisquare(wins)
    return ChiSquare(float(found.statistic), float(found.pvalue), len(wins) - 1)


def binomial_test(k: int, n: int, share: float = 0.5) -> BinomialTest:
    """Exact test of `k` wins in `n` independent games against a share, and its mid-p.

    Parameters
    ----------
    k, n : whole numbers, 0 <= k <= n
    share : expected share, in (0, 1)

    Returns
    -------
    BinomialTest
        p: chance of a count no more likely than k; mid_p: the same with counts exactly as likely
        as k counted half; at, at_least, at_most: P(K = k), P(K >= k), P(K <= k). All 1 without
        any game, but mid_p, which is then 1/2.
    """
    n = whole("n", n)
    k = whole("k", k, 0, n)
    share = inside("share", share)
    chances = scipy.stats.binom.pmf(np.arange(n + 1), n, share)
    p = float(scipy.stats.binomtest(k, n, share).pvalue) if n else 1.0
    alike = float(chances[np.isclose(chances, chances[k], rtol=1e-7, atol=0)].sum())
    return BinomialTest(
        p,
        max(0.0, p - alike / 2),
        float(chances[k]),
        float(scipy.stats.binom.sf(k - 1, n, share)),
        float(scipy.stats.binom.cdf(k, n, share)),
    )


def difference_interval(
    k1: int, n1: int, k2: int, n2: int, method: str = "newcombe", level: float = LEVEL
) -> Interval:
    """Interval for the difference of two shares from independent games, first minus second.

    Parameters
    ----------
    k1, n1, k2, n2 : wins and games of each, 0 <= k <= n
    method : 'newcombe' (square-and-add of Wilson intervals) or 'miettinen_nurminen' (all
        differences that the score test keeps)
    level : confidence level, in (0, 1)

    Returns
    -------
    Interval
        low, high in [-1, 1]; -1 to 1 if either has no games.

    Notes
    -----
    The score test is inverted here, because statsmodels (0.15.0 and before, its issue 10269)
    solves a wrong cubic when the tested difference is not 0.
    """
    n1, n2 = whole("n1", n1), whole("n2", n2)
    k1, k2 = whole("k1", k1, 0, n1), whole("k2", k2, 0, n2)
    level = inside("level", level)
    choice("method", method, ("newcombe", "miettinen_nurminen"))
    if n1 == 0 or n2 == 0:
        return Interval(-1.0, 1.0)
    if method == "miettinen_nurminen":
        return _miettinen_nurminen(k1, n1, k2, n2, level)
    from statsmodels.stats.proportion import confint_proportions_2indep

    ends = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", alpha=1 - level)
    return Interval(max(-1.0, float(ends[0])), min(1.0, float(ends[1])))


def _miettinen_nurminen(k1: int, n1: int, k2: int, n2: int, level: float) -> Interval:
    found = k1 / n1 - k2 / n2
    limit = float(scipy.stats.chi2.ppf(level, 1)) * (n1 + n2) / (n1 + n2 - 1)

    def excess(delta: float) -> float:
        """Squared distance less what the score test allows at `delta`; negative if kept."""
        p2 = _restricted(k1, n1, k2, n2, delta)
        p1 = min(1.0, max(0.0, p2 + delta))
        return (found - delta) ** 2 - limit * (p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)

    ends = []
    for outer in (-1.0, 1.0):
        near = found + 1e-9 * (outer - found)  # at the estimate itself both sides may be 0
        is_outside = abs(outer - found) > 1e-9 and excess(near) < 0
        ends.append(brentq(excess, near, outer, xtol=1e-13) if is_outside else outer)
    return Interval(float(ends[0]), float(ends[1]))


def _restricted(k1: int, n1: int, k2: int, n2: int, delta: float) -> float:
    """Second share that is most likely if the first is larger by `delta`."""
    low, high = max(0.0, -delta), min(1.0, 1 - delta)

    def slope(p: float) -> float:
        """Slope of the log-likelihood, times what makes it finite at the ends."""
        q = p + delta
        first = (k1 * (1 - q) - (n1 - k1) * q) * p * (1 - p)
        return first + (k2 * (1 - p) - (n2 - k2) * p) * q * (1 - q)

    # the likelihood has one peak; where the slope vanishes at an end, look just inside
    step = 1e-13 * (high - low)
    if high - low <= 0 or slope(low + step) <= 0:
        return low
    if slope(high - step) >= 0:
        return high
    return float(brentq(slope, low + step, high - step, xtol=1e-15))


def cohen_h(first: float, second: float) -> float:
    """Cohen's h, the difference of two shares on the arcsine scale.

    >>> round(cohen_h(0.55, 0.5), 6)
    0.100167
    """
    named = (("first", first), ("second", second))
    angles = [math.asin(math.sqrt(within(name, share))) for name, share in named]
    return 2 * (angles[0] - angles[1])
