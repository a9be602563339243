"""Means of replicates: blocks of games that share a shuffle, and all seats at once.

References
----------
Hotelling (1931) for several means at once.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy.stats

from reefsim.stats.checks import FloatArray, inside, is_constant, limits, number_of, numbers, within
from reefsim.stats.intervals import mean
from reefsim.stats.proportions import LEVEL


class BlockMean(NamedTuple):
    """A mean over blocks, its standard error and interval, and its test against `null`."""

    mean: float
    se: float
    low: float
    high: float
    t: float
    p: float
    blocks: int
    note: str


class Hotelling(NamedTuple):
    """A test of all seats at once: T squared, the F it makes, and p."""

    t2: float
    f: float
    p: float
    df: tuple[int, int]


def block_mean(
    values_per_block: Any,
    null: float,
    bounds: tuple[float, float] | None = None,
    level: float = LEVEL,
) -> BlockMean:
    """T interval and test for a mean of blocks; the block is the unit, its games are averaged.

    For blocks of equal size this is the cluster-robust regression on a constant. The intervals of a
    run are those of `intervals.share` and `intervals.mean`, which also hold for rare and skewed
    values.

    Parameters
    ----------
    values_per_block : one list of values per block (blocks may differ in size), or one value each
    null : mean that is tested
    bounds : lowest and highest possible value, (0, 1) for shares; None if unbounded
    level : confidence level

    Returns
    -------
    BlockMean
        mean, se, low, high, t, p, in the unit of the values. Equal blocks have no measured spread:
        se is 0 and the interval the widest that fits into the bounds (see `intervals.mean`),
        infinite without bounds; p is twice the largest chance that values of mean `null` within
        the bounds would all agree, or that of sign flips, 2**(1 - blocks), without bounds. A
        single block has an infinite se and p = 1. A note says so.

    Raises
    ------
    ValueError
        If there is no block, a block is empty, or a value is missing or outside the bounds.
    """
    if bounds is not None:
        bounds = limits("bounds", bounds)
    null = number_of("null", null) if bounds is None else within("null", null, *bounds)
    means = _block_means(values_per_block, bounds)
    estimate = mean(means, bounds, inside("level", level))
    low, high = estimate.low, estimate.high
    if math.isnan(low):
        low, high = -math.inf, math.inf
    n, off = len(means), estimate.value - null
    if n == 1:
        se, t, p = math.inf, 0.0, 1.0
    elif is_constant(means):
        se, t, p = 0.0, 0.0, 1.0
        if not math.isclose(estimate.value, null, rel_tol=1e-9, abs_tol=1e-9):
            t = math.copysign(math.inf, off)
            p = 2 * float(_agreement(estimate.value, null, bounds) ** n)
    else:
        se = estimate.sd / math.sqrt(n)
        t = off / se
        p = float(2 * scipy.stats.t.sf(abs(t), n - 1))
        half = se * float(scipy.stats.t.ppf((1 + level) / 2, n - 1))
        floor, ceiling = bounds if bounds is not None else (-math.inf, math.inf)
        low, high = max(floor, estimate.value - half), min(ceiling, estimate.value + half)
    return BlockMean(estimate.value, se, low, high, t, min(1.0, p), n, estimate.note)


def _agreement(value: float, null: float, bounds: tuple[float, float] | None) -> float:
    """Largest chance of `value`, if the mean is `null`; that of a coin's side without bounds."""
    if bounds is None:
        return 0.5
    end = bounds[1] if value < null else bounds[0]
    return (end - null) / (end - value)


def _block_means(blocks: Any, bounds: tuple[float, float] | None) -> FloatArray:
    name = "values_per_block"
    low, high = bounds if bounds is not None else (-math.inf, math.inf)
    try:
        table = np.asarray(blocks, dtype=np.float64)
    except (TypeError, ValueError):  # blocks of different sizes
        means = [numbers(name, np.atleast_1d(b), low=low, high=high).mean() for b in blocks]
        return numbers(name, means)
    if table.ndim == 2 and table.shape[1] > 0:
        return np.asarray(numbers(name, table, ndim=2, low=low, high=high).mean(axis=1))
    return numbers(name, table, low=low, high=high)


def hotelling_seats(shares: Any) -> Hotelling:
    """Test that all seats have the same mean share, from shares that may be fractions.

    Hotelling's one-sample test of 1/seats on all seats but one, whichever it is: its share follows
    from the others.

    Parameters
    ----------
    shares : shape (replicates, seats); every row sums to 1; at least as many replicates as seats

    Returns
    -------
    Hotelling
        t2, f, p, df. Where some combination of seats never varies, only the others are tested
        (df counts them). If that combination is not what is fair, t2 and f are infinite and p is
        the largest chance that shares with fair means would never vary in it.

    Raises
    ------
    ValueError
        If rows do not sum to 1, or there are too few of them.
    """
    table = numbers("shares", shares, ndim=2, least=1, low=0, high=1)
    n, seats = table.shape
    if seats < 2:
        raise ValueError(f"shares has {seats} seats; it must have at least 2")
    wrong = int((np.abs(table.sum(axis=1) - 1) > 1e-4).sum())
    if wrong:
        raise ValueError(f"shares: {wrong} of {n} rows do not sum to 1")
    if n < seats:
        raise ValueError(f"shares has {n} replicates; it must have at least {seats}, one per seat")
    table = table / table.sum(axis=1, keepdims=True)
    # the direction in which all seats gain is one that never varies; nothing is off in it
    values, axes = np.linalg.eigh(np.cov(table, rowvar=False))
    off = axes.T @ (table.mean(axis=0) - 1 / seats)
    varies = values > 1e-12
    rank = int(varies.sum())
    stuck = axes[:, ~varies] @ off[~varies]
    if float(np.abs(stuck).max()) > 1e-9:
        return Hotelling(math.inf, math.inf, _stuck_p(stuck, table), (rank, n - rank))
    if rank == 0:
        return Hotelling(0.0, 0.0, 1.0, (0, n))
    t2 = float(n * (off[varies] ** 2 / values[varies]).sum())
    f = t2 * (n - rank) / ((n - 1) * rank)
    return Hotelling(t2, f, float(scipy.stats.f.sf(f, rank, n - rank)), (rank, n - rank))


def _stuck_p(direction: FloatArray, table: FloatArray) -> float:
    """Largest chance that all replicates agree in a direction whose fair mean they miss."""
    n, seats = table.shape
    value, fair = float(table.mean(axis=0) @ direction), float(direction.mean())
    chance = _agreement(value, fair, (float(direction.min()), float(direction.max())))
    return float(min(1.0, 2 * (seats - 1) * chance**n))
