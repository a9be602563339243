"""Many claims at once: adjusted p values.

A family of planned claims keeps its error with Holm; a screen of many metrics keeps the share of
false finds with Benjamini and Hochberg. Arms that share shuffles are correlated: `paired.sign_flip`
uses that. Dunnett's test is for independent groups.

References
----------
Holm (1979); Benjamini & Hochberg (1995); Dunnett (1955).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.stats

from reefsim.stats.checks import FloatArray, is_constant, numbers


class Dunnett(NamedTuple):
    """Each group against the control: statistics and adjusted p values."""

    statistic: FloatArray
    p: FloatArray


def holm(p: Any) -> FloatArray:
    """P values adjusted so that the chance of any false claim is kept (Holm, step-down).

    Parameters
    ----------
    p : shape (claims,), in [0, 1]; may be empty

    Returns
    -------
    float array, shape (claims,)
        In the order given.

    Examples
    --------
    >>> [round(float(x), 2) for x in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    return _adjusted(p, "holm")


def benjamini_hochberg(p: Any) -> FloatArray:
    """P values adjusted so that the share of false finds is kept (false discovery rate).

    Parameters
    ----------
    p : shape (claims,), in [0, 1]; may be empty

    Returns
    -------
    float array, shape (claims,)
        In the order given.

    Examples
    --------
    >>> [round(float(x), 2) for x in benjamini_hochberg([0.01, 0.04, 0.03, 0.005])]
    [0.02, 0.04, 0.04, 0.02]
    """
    return _adjusted(p, "fdr_bh")


def _adjusted(p: Any, method: str) -> FloatArray:
    values = numbers("p", p, least=0, low=0.0, high=1.0)
    if len(values) == 0:
        return values
    from statsmodels.stats.multitest import multipletests

    return np.asarray(multipletests(values, method=method)[1], dtype=np.float64)


def dunnett(groups: Sequence[Any], control: Any, seed: int = 0) -> Dunnett:
    """Compare several independent groups with one control (Dunnett, two-sided).

    Parameters
    ----------
    groups : values of each group, shape (values,)
    control : values of the control
    seed : of the integration behind p, which is right to about 1e-3

    Returns
    -------
    Dunnett
        statistic, p; one per group. 0 and 1 if no value of any group differs from another.

    Raises
    ------
    ValueError
        If there is no group, one has fewer than 2 values, or groups differ but none has spread.
    """
    if len(groups) == 0:
        raise ValueError("groups is empty; there must be at least one")
    samples = [numbers(f"groups[{i}]", group, least=2) for i, group in enumerate(groups)]
    base = numbers("control", control, least=2)
    if all(is_constant(sample) for sample in [*samples, base]):
        if not is_constant(np.concatenate([*samples, base])):
            raise ValueError("groups and control have no spread; there is nothing to judge by")
        return Dunnett(np.zeros(len(samples)), np.ones(len(samples)))
    rng = np.random.default_rng(seed)
    found = scipy.stats.dunnett(*samples, control=base, rng=rng)
    return Dunnett(np.asarray(found.statistic), np.asarray(found.pvalue))
