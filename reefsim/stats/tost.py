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


def _verdict(
    above: float, below: float, not_above: float, not_below: float, method: str
) -> Equivalence:
    """Verdict from the p of 'above the low end' and 'below the high end', and their opposites."""
    p = max(above, below)
    if p < ALPHA:
        return Equivalence(p, "equivalent", method)
    outside = min(not_above, not_below) < ALPHA
    return Equivalence(p, "not equivalent" if outside else "not yet known", method)
