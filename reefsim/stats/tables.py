"""Shares that change with something else: strata of skill, and trends along a number.

References
----------
Mantel & Haenszel (1959), Breslow & Day (1980) with Tarone's data in R's `UCBAdmissions`; Agresti,
'Categorical data analysis', for the logit.
"""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np
import scipy.stats

from reefsim.stats.checks import FloatArray, is_constant, numbers, tallies


class Strata(NamedTuple):
    """Tables of 2 by 2, stratum by stratum: common odds ratio and the tests of it.

    `statistic` and `p` test that the odds ratio is 1 (Cochran-Mantel-Haenszel, corrected as in R);
    `plain` is the statistic without correction; `breslow_day` and `alike_p` test that all strata
    have the same odds ratio; `crude` is the odds ratio of the table of sums, which may point the
    other way (Simpson's paradox).
    """

    odds_ratio: float
    statistic: float
    p: float
    plain: float
    plain_p: float
    breslow_day: float
    alike_p: float
    crude: float


class Trend(NamedTuple):
    """Slope of the logit of a share, and its tests: Wald's, and by likelihood ratio."""

    slope: float
    se: float
    chi2: float
    p: float
    lr_chi2: float
    lr_p: float


def stratified(tables: Any) -> Strata:
    """Common odds ratio of 2 by 2 tables, one per stratum; strata are never pooled.

    Parameters
    ----------
    tables : whole numbers, shape (strata, 2, 2): rows the two groups, columns won and lost

    Returns
    -------
    Strata
        Strata in which a whole row or column is empty say nothing and are left out; the odds
        ratio is infinite if no stratum has counts on the second diagonal, and alike_p then 1.

    Raises
    ------
    ValueError
        If the tables are not 2 by 2, or none says anything.
    """
    data = tallies("tables", tables, ndim=3, least=1)
    if data.shape[1:] != (2, 2):
        raise ValueError(f"tables has shape {data.shape}; it must be (strata, 2, 2)")
    margins = np.concatenate([data.sum(axis=1), data.sum(axis=2)], axis=1)
    used = data[(margins > 0).all(axis=1)]
    if len(used) == 0:
        raise ValueError("tables: every stratum has an empty row or column; nothing to compare")
    from statsmodels.stats.contingency_tables import StratifiedTable

    found = StratifiedTable(list(used))
    plain = found.test_null_odds()
    # as R does, the correction never turns the difference round (statsmodels lets it)
    off = abs(float((used[:, 0, 0] - _expected(used)).sum()))
    kept = max(0.0, 1 - 0.5 / off) if off > 0 else 0.0
    corrected = float(plain.statistic) * kept**2
    first = float((used[:, 0, 0] * used[:, 1, 1] / used.sum(axis=(1, 2))).sum())
    second = float((used[:, 0, 1] * used[:, 1, 0] / used.sum(axis=(1, 2))).sum())
    alike, alike_p = 0.0, 1.0
    if len(used) > 1 and first > 0 and second > 0:
        alike = _breslow_day(used, first / second)
        alike_p = float(scipy.stats.chi2.sf(alike, len(used) - 1))
    total = used.sum(axis=0)
    crude = _odds(total[0, 0] * total[1, 1], total[0, 1] * total[1, 0])
    return Strata(
        _odds(first, second),
        corrected,
        float(scipy.stats.chi2.sf(corrected, 1)),
        float(plain.statistic),
        float(plain.pvalue),
        alike,
        alike_p,
        crude,
    )


def _expected(tables: FloatArray) -> FloatArray:
    """Wins of the first group in each stratum if the groups were alike."""
    total = tables.sum(axis=(1, 2))
    expected: FloatArray = tables[:, 0].sum(axis=1) * tables[:, :, 0].sum(axis=1) / total
    return expected


def _breslow_day(tables: FloatArray, odds: float) -> float:
    """Squared distances from what a common odds ratio makes expected.

    Written out because statsmodels (0.15.0) divides by 0 where the ratio is 1: its root of the
    quadratic cancels there.
    """
    group, won = tables[:, 0].sum(axis=1), tables[:, :, 0].sum(axis=1)
    rest = tables.sum(axis=(1, 2)) - group - won
    half = odds * (group + won) + rest
    root = np.sqrt(half**2 + 4 * (1 - odds) * odds * group * won)
    expected = 2 * odds * group * won / (half + root)
    cells = (expected, group - expected, won - expected, rest + expected)
    return float(((tables[:, 0, 0] - expected) ** 2 * sum(1 / cell for cell in cells)).sum())


def _odds(above: float, below: float) -> float:
    return float(above / below) if below > 0 else math.inf


def trend(wins: Any, games: Any, x: Any) -> Trend:
    """Trend of a share along a number, by logistic regression on groups of independent games.

    Parameters
    ----------
    wins, games : whole numbers, shape (groups,), wins <= games; groups without games say nothing
    x : number of each group (feed return, skill, round), shape (groups,)

    Returns
    -------
    Trend
        slope and se in logits per unit of `x`; chi2 = (slope / se)**2 and p (Wald); lr_chi2, lr_p.
        Without both wins and losses, or without different x: slope 0, se infinite, p = 1. If wins
        and losses do not overlap along x, slope and se are infinite, and chi2 and p those of the
        likelihood ratio.

    Raises
    ------
    ValueError
        If the shapes do not fit, or wins exceed games.
    """
    won = tallies("wins", wins, least=1)
    played = tallies("games", games, least=1)
    place = numbers("x", x)
    if not len(won) == len(played) == len(place):
        what = f"{len(won)}, {len(played)} and {len(place)}"
        raise ValueError(f"wins, games and x have {what} values; they must have equally many")
    if (won > played).any():
        raise ValueError(f"wins exceed games in {int((won > played).sum())} of {len(won)} groups")
    lost = played - won
    if won.sum() == 0 or lost.sum() == 0 or is_constant(place[played > 0]):
        return Trend(0.0, math.inf, 0.0, 1.0, 0.0, 1.0)
    null = _log_likelihood(won, lost, np.full(len(won), won.sum() / played.sum()))
    wins_at, losses_at = place[won > 0], place[lost > 0]
    rises, falls = losses_at.max() <= wins_at.min(), wins_at.max() <= losses_at.min()
    if rises or falls:
        _, level = np.unique(place, return_inverse=True)
        shares = np.bincount(level, won) / np.maximum(np.bincount(level, played), 1)
        lr = 2 * (_log_likelihood(won, lost, shares[level]) - null)
        lr_p = float(scipy.stats.chi2.sf(lr, 1))
        return Trend(math.inf if rises else -math.inf, math.inf, lr, lr_p, lr, lr_p)
    slope, se, shares = _logit(won, lost, place)
    lr = max(0.0, 2 * (_log_likelihood(won, lost, shares) - null))
    chi2 = (slope / se) ** 2
    tail = scipy.stats.chi2.sf([chi2, lr], 1)
    return Trend(slope, se, chi2, float(tail[0]), lr, float(tail[1]))


def _logit(won: FloatArray, lost: FloatArray, x: FloatArray) -> tuple[float, float, FloatArray]:
    """Slope, its standard error, and fitted shares."""
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    used = won + lost > 0
    scale = float(x[used].std())  # a unit like the spread keeps the fit stable
    z = (x - x[used].mean()) / scale
    design = np.column_stack([np.ones(len(z)), z])
    model = GLM(np.column_stack([won, lost])[used], design[used], family=Binomial())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # groups at 0 or 1 are no fault; infinite fits are out
        # the errors are those of the step before the last, so the last must move nothing
        fit = model.fit(tol=1e-10, tol_criterion="params", maxiter=200)
    shares = 1 / (1 + np.exp(-design @ fit.params))
    return float(fit.params[1]) / scale, float(fit.bse[1]) / scale, shares


def _log_likelihood(won: FloatArray, lost: FloatArray, shares: FloatArray) -> float:
    from scipy.special import xlog1py, xlogy

    return float((xlogy(won, shares) + xlog1py(lost, -shares)).sum())
