"""Equivalence: showing that a difference is too small to matter, which no large p can show.

Two one-sided tests at 5 % each: the claim holds if both ends of the margin are rejected, which is
so when the 90 % interval lies inside the margin. The verdict of a report (`verdict.judge`) uses
the 95 % interval and is therefore a little stricter.

References
----------
Schuirmann (1987).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.stats

from reefsim.stats.checks import choice, inside, is_constant, numbers, whole, within

ALPHA = 0.05
MANY = 1000  # wins and losses from which the normal approximation is as good as exact


class Equivalence(NamedTuple):
    """The larger p of two one-sided tests, and what it allows to say.

    `verdict` is 'equivalent' (p below 5 %), 'not equivalent' (the value lies outside the margin at
    5 %, one-sided) or 'not yet known'; `method` is exact, z, t, or sign (equal differences).
    """

    p: float
    verdict: str
    method: str


def equivalence(k: int, n: int, low: float, high: float, method: str = "auto") -> Equivalence:
    """Test that a share lies between `low` and `high`, from `k` wins in `n` independent games.

    Parameters
    ----------
    k, n : whole numbers, 0 <= k <= n
    low, high : limits of what is called the same, 0 <= low < high <= 1
    method : 'exact' (binomial), 'z' (normal, variance of the sample), or 'auto': exact unless
        both wins and losses number `MANY` or more

    Returns
    -------
    Equivalence
        p, verdict, method; p = 1 without any game. 'z' needs wins and losses, else it is exact.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it.
    """
    n = whole("n", n)
    k = whole("k", k, 0, n)
    low, high = within("low", low), within("high", high)
    if low >= high:
        raise ValueError(f"low = {low:g} is not below high = {high:g}")
    choice("method", method, ("auto", "exact", "z"))
    if n == 0:
        return Equivalence(1.0, "not yet known", "exact")
    rarer = min(k, n - k)
    if rarer >= (MANY if method == "auto" else 1) and method != "exact":
        se = np.sqrt(k / n * (1 - k / n) / n)
        above, below = scipy.stats.norm.sf([(k / n - low) / se, (high - k / n) / se])
        return _verdict(float(above), float(below), 1 - above, 1 - below, "z")
    binomial = scipy.stats.binom
    return _verdict(
        float(binomial.sf(k - 1, n, low)),
        float(binomial.cdf(k, n, high)),
        binomial.cdf(k, n, low),
        binomial.sf(k - 1, n, high),
        "exact",
    )


def equivalence_paired(d: Any, margin: float) -> Equivalence:
    """Test that the mean of paired differences lies between -margin and margin.

    Parameters
    ----------
    d : differences, shape (replicates,)
    margin : largest difference that is still the same, in the unit of `d`, above 0

    Returns
    -------
    Equivalence
        p, verdict, method (t). Equal differences have no spread to judge by: p is then that of n
        equal signs, 2**-n, if they lie inside the margin, and 1 otherwise.

    Raises
    ------
    ValueError
        If there is no difference, one is missing, or the margin is not above 0.
    """
    values = numbers("d", d)
    margin = inside("margin", margin, 0.0, np.inf)
    n, mean = len(values), float(values.mean())
    if is_constant(values):
        chance = 0.5**n
        above, below = (chance if mean > -margin else 1.0), (chance if mean < margin else 1.0)
        outside = chance if abs(mean) > margin else 1.0
        return _verdict(above, below, outside, outside, "sign")
    se = float(values.std(ddof=1)) / np.sqrt(n)
    t = np.array([(mean + margin) / se, (margin - mean) / se])
    p, other = scipy.stats.t.sf(t, n - 1), scipy.stats.t.cdf(t, n - 1)
    return _verdict(float(p[0]), float(p[1]), other[0], other[1], "t")


def equivalence_seats(shares: Any, margin: float) -> Equivalence:
    """Test that every seat's mean share lies within `margin` of 1/seats.

    All seats must pass their own test (`equivalence_paired`), so no adjustment is due.

    Parameters
    ----------
    shares : shape (replicates, seats), in [0, 1]
    margin : largest difference from 1/seats that is still fair, in (0, 1)

    Returns
    -------
    Equivalence
        That of the seat with the largest p; 'not equivalent' as soon as one seat is.
    """
    table = numbers("shares", shares, ndim=2, low=0.0, high=1.0)
    if table.shape[1] < 2:
        raise ValueError(f"shares has {table.shape[1]} seats; it must have at least 2")
    margin = inside("margin", margin)
    found = [equivalence_paired(seat, margin) for seat in (table - 1 / table.shape[1]).T]
    return max(found, key=lambda seat: (seat.verdict == "not equivalent", seat.p))


def equivalence_independent(k1: int, n1: int, k2: int, n2: int, margin: float) -> Equivalence:
    """Test that two shares from independent games differ by less than `margin`.

    Parameters
    ----------
    k1, n1, k2, n2 : wins and games of each, 0 <= k <= n
    margin : largest difference that is still the same, in (0, 1)

    Returns
    -------
    Equivalence
        Two z tests with the variances of Agresti and Caffo (one win and one loss added to each),
        which are never 0; p = 1 if either has no games. statsmodels' method 'score' must not take
        their place (see `proportions.difference_interval`).
    """
    n1, n2 = whole("n1", n1), whole("n2", n2)
    k1, k2 = whole("k1", k1, 0, n1), whole("k2", k2, 0, n2)
    margin = inside("margin", margin)
    if n1 == 0 or n2 == 0:
        return Equivalence(1.0, "not yet known", "z")
    p1, p2 = (k1 + 1) / (n1 + 2), (k2 + 1) / (n2 + 2)
    se = np.sqrt(p1 * (1 - p1) / (n1 + 2) + p2 * (1 - p2) / (n2 + 2))
    z = np.array([(p1 - p2 + margin) / se, (margin - p1 + p2) / se])
    p, other = scipy.stats.norm.sf(z), scipy.stats.norm.cdf(z)
    return _verdict(float(p[0]), float(p[1]), other[0], other[1], "z")


def _verdict(
    above: float, below: float, not_above: float, not_below: float, method: str
) -> Equivalence:
    """Verdict from the p of 'above the low end' and 'below the high end', and their opposites."""
    p = max(above, below)
    if p < ALPHA:
        return Equivalence(p, "equivalent", method)
    outside = min(not_above, not_below) < ALPHA
    return Equivalence(p, "not equivalent" if outside else "not yet known", method)
