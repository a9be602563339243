"""Less variance from the same games: what is known beforehand, and games that mirror each other.

The control must be chosen before its effect is seen: picking the one that gives the nicest answer
makes the interval too short.

References
----------
Ross, 'Simulation', chapter on variance reduction.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy.stats

from reefsim.stats.blocks import block_mean
from reefsim.stats.checks import FloatArray, inside, is_constant, numbers
from reefsim.stats.proportions import LEVEL


class Controlled(NamedTuple):
    """A mean freed of what controls explain; `gain`: variance without controls over that with."""

    mean: float
    se: float
    beta: Any
    low: float
    high: float
    gain: float


class Antithetic(NamedTuple):
    """A mean of mirrored pairs; `gain`: variance of independent pairs over that of these."""

    mean: float
    se: float
    low: float
    high: float
    gain: float


def control_variate(y: Any, c: Any, expectation: Any, level: float = LEVEL) -> Controlled:
    """Mean of `y`, by regression on controls whose mean is known.

    Parameters
    ----------
    y : values of the replicates, shape (replicates,)
    c : control of each, shape (replicates,) or (replicates, controls): starting hand value, say
    expectation : true mean of the control, or of each
    level : confidence level

    Returns
    -------
    Controlled
        mean, se, beta (a number, or one per control), low, high, gain. A control that does not
        vary has beta 0. Where nothing is left to vary, se is 0 and low to high infinite.

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is missing, or there are fewer than controls + 2
        replicates.
    """
    values = numbers("y", y)
    ndim = 2 if np.ndim(c) == 2 else 1
    controls = numbers("c", c, ndim=ndim).reshape(len(c), -1)
    means = numbers("expectation", np.atleast_1d(expectation))
    n, num = controls.shape
    if n != len(values) or len(means) != num:
        what = f"c has shape {np.shape(c)} and expectation {len(means)} values"
        raise ValueError(f"{what}; y has {len(values)} values and each control needs its mean")
    if n < num + 2:
        raise ValueError(f"y holds {n} values; {num} controls need at least {num + 2}")
    used = np.array([not is_constant(column) for column in controls.T])
    from statsmodels.regression.linear_model import OLS

    centered = (controls - means)[:, used]
    fit = OLS(values, np.column_stack([np.ones(n), centered])).fit()
    beta = np.zeros(num)
    beta[used] = fit.params[1:]
    mean, se = float(fit.params[0]), float(fit.bse[0])
    plain = float(values.var(ddof=1) / n)
    if se <= 1e-9 * max(1.0, float(np.abs(values).max())):
        low, high, se, gain = -math.inf, math.inf, 0.0, math.inf if plain > 0 else 1.0
    else:
        half = float(scipy.stats.t.ppf((1 + inside("level", level)) / 2, fit.df_resid)) * se
        low, high, gain = mean - half, mean + half, plain / se**2
    return Controlled(mean, se, float(beta[0]) if ndim == 1 else beta, low, high, gain)


def antithetic(pairs: Any, level: float = LEVEL) -> Antithetic:
    """Mean of pairs that mirror each other: swapped seats, or a draw u and 1 - u.

    Parameters
    ----------
    pairs : shape (pairs, 2)
    level : confidence level

    Returns
    -------
    Antithetic
        mean, se, low, high (t, from the means of the pairs), gain: below 1 mirroring did harm;
        inf if the pairs' means do not vary, 1 if nothing does.
    """
    table: FloatArray = numbers("pairs", pairs, ndim=2)
    if table.shape[1] != 2:
        raise ValueError(f"pairs has {table.shape[1]} columns; it must have 2")
    found = block_mean(table, 0.0, level=level)
    gain = 1.0
    if len(table) > 1 and not is_constant(table):
        independent = float(table.var(axis=0, ddof=1).sum()) / 4
        means = table.mean(axis=1)
        gain = math.inf if is_constant(means) else independent / float(means.var(ddof=1))
    return Antithetic(found.mean, found.se, found.low, found.high, gain)
