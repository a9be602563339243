"""A metric along the dials of a sweep: one curve through all values, with its band.

The values of a dial are not tested one against the other: a polynomial is fitted to the mean of
every replicate, and the band is that of the fits of all replicates. So what the arms share with
each other (their shuffles) is allowed for, whatever it is. For shares, two replicates of wins and
two of losses at every point are added to the band, never to the curve, as to a single share: rare
wins would have a band too narrow, wins never seen none.

References
----------
Agresti & Coull (1998) for the four that are added, see `student` for the rest of the band.
Growth curves by two-stage least squares: Rao (1965); with equal designs for every replicate the
mean of the fits is the fit to the means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.stats

from reefsim.stats.checks import FloatArray, is_constant, numbers
from reefsim.stats.student import of_mean

_MISFIT = 0.01


class Response(NamedTuple):
    """Fitted curve at the values of a sweep.

    Attributes
    ----------
    fitted, low, high : shape (points,), in the unit of the values; the band is pointwise
    terms : what the curve is made of, such as x and x^2
    misfit : p of the worst point's distance from the curve, adjusted for their number; 1 if the
        curve goes through all points by construction
    """

    fitted: FloatArray
    low: FloatArray
    high: FloatArray
    terms: tuple[str, ...]
    misfit: float

    @property
    def fits(self) -> bool:
        """Whether no point lies clearly off the curve."""
        return self.misfit >= _MISFIT


def response(
    dials: Any,
    values: Any,
    names: Sequence[str] = (),
    bounds: tuple[float, float] | None = None,
) -> Response:
    """Fit one curve (or surface) to a sweep.

    Parameters
    ----------
    dials : numbers of the dials at every point, shape (points, 1 or 2)
    values : mean of every replicate at every point, shape (replicates, points)
    names : of the dials, for `terms`
    bounds : lowest and highest possible value, (0, 1) for shares; None if unbounded

    Returns
    -------
    Response
        A parabola in each dial that has at least 4 values (3 if there are two dials), a straight
        line otherwise, with the product of two dials; fewer terms where there are too few points.
        Without bounds, a point at which no replicate differs has no band (NaN).

    Raises
    ------
    ValueError
        If there are fewer than 2 points or replicates, or the shapes do not fit.
    """
    x = numbers("dials", dials, ndim=2, least=2)
    y = numbers("values", values, ndim=2, least=2)
    if y.shape[1] != len(x):
        raise ValueError(f"values has {y.shape[1]} points and dials {len(x)}; they must agree")
    design, terms = _design(x, names or [f"x{i}" for i in range(x.shape[1])])
    solve = np.linalg.pinv(design)
    fits = y @ solve.T @ design.T
    mean = fits.mean(axis=0)
    low, high = _band(y, bounds, design @ solve)
    # the curve itself is never left out
    low, high = np.minimum(low, mean), np.maximum(high, mean)
    return Response(mean, low, high, terms, _misfit(y - fits, design))


def _band(
    y: FloatArray, bounds: tuple[float, float] | None, hat: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Ends of the intervals of the means of fits, point by point."""
    floor, ceiling = bounds if bounds is not None else (-math.inf, math.inf)
    if bounds is not None:
        y = np.vstack([y, *(np.full((2, y.shape[1]), bound) for bound in bounds)])
    ends = [
        (math.nan, math.nan) if is_constant(fit) else of_mean(fit).interval()
        for fit in (y @ hat.T).T
    ]
    low, high = np.array(ends).T
    return np.maximum(low, floor), np.minimum(high, ceiling)


def _design(x: FloatArray, names: Sequence[str]) -> tuple[FloatArray, tuple[str, ...]]:
    """Columns of the polynomial: scaled, so that the fit is stable."""
    center, scale = x.mean(axis=0), np.maximum(x.std(axis=0), 1e-12)
    z = (x - center) / scale
    columns, terms = [np.ones(len(x))], ["1"]
    for place, name in enumerate(names):
        columns.append(z[:, place])
        terms.append(name)
    if x.shape[1] == 2:
        columns.append(z[:, 0] * z[:, 1])
        terms.append(f"{names[0]} {names[1]}")
    enough = 4 if x.shape[1] == 1 else 3
    for place, name in enumerate(names):
        if len(np.unique(x[:, place])) >= enough:
            columns.append(z[:, place] ** 2)
            terms.append(f"{name}^2")
    count = min(len(columns), len(x))
    return np.column_stack(columns[:count]), tuple(terms[:count])


def _misfit(residuals: FloatArray, design: FloatArray) -> float:
    points, n = design.shape[0], len(residuals)
    if np.linalg.matrix_rank(design) >= points:
        return 1.0
    sd = residuals.std(axis=0, ddof=1)
    off = residuals.mean(axis=0)
    varies = sd > 1e-12
    if not varies.any():
        return 1.0
    t = np.abs(off[varies]) / (sd[varies] / math.sqrt(n))
    p = 2 * float(scipy.stats.t.sf(t.max(), n - 1))
    return float(min(1.0, points * p))
