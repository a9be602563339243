"""How large a difference is: who is ahead more often, and bootstrap intervals of any statistic.

References
----------
Brunner & Munzel (2000); Efron (1987) for BCa.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.stats
from scipy.special import comb

from reefsim.stats.checks import FloatArray, inside, is_constant, number_of, numbers, whole
from reefsim.stats.proportions import LEVEL, unseen


class Superiority(NamedTuple):
    """P(A > B) + P(A = B) / 2 with its interval, and its test against 1/2.

    `statistic` is Brunner and Munzel's, above 0 where A is ahead; `delta` is Cliff's, -1 to 1.
    """

    effect: float
    low: float
    high: float
    statistic: float
    p: float
    delta: float
    note: str


class Bootstrap(NamedTuple):
    """A bootstrap interval of a statistic, its standard error, how it was made, and a note."""

    low: float
    high: float
    value: float
    se: float
    method: str
    note: str


def superiority(a: Any, b: Any, level: float = LEVEL) -> Superiority:
    """Chance that a value of A exceeds one of B, ties counting half; independent samples.

    The two libraries behind this disagree in sign for the same order of arguments; here a value
    above 1/2, and a statistic above 0, always means that A is ahead.

    Parameters
    ----------
    a, b : values, one per replicate
    level : confidence level

    Returns
    -------
    Superiority
        Where no spread is left to judge by (samples that do not overlap, or a single value), the
        interval is that of so many equal values (`proportions.unseen`), and p counts the ways to
        deal the values (or is Mann and Whitney's, for a single value); the note says so.

    Raises
    ------
    ValueError
        If a sample is empty or a value is missing.
    """
    first, second = numbers("a", a), numbers("b", b)
    level = inside("level", level)
    m, n = len(first), len(second)
    ranks = scipy.stats.rankdata(np.concatenate([first, second]))
    effect = float((ranks[:m].sum() - m * (m + 1) / 2) / (m * n))
    delta = 2 * effect - 1
    if min(m, n) < 2 or effect in (0.0, 1.0) or is_constant(ranks):
        low, high = unseen(effect, 0.0, 1.0, min(m, n), level)
        if is_constant(ranks):
            p, note = 1.0, "all values are equal"
        elif effect in (0.0, 1.0):
            p, note = min(1.0, 2 / float(comb(m + n, m))), "the samples do not overlap"
        else:
            p, note = float(scipy.stats.mannwhitneyu(first, second).pvalue), "a single value"
        statistic = math.copysign(math.inf, delta) if effect in (0.0, 1.0) else 0.0
        return Superiority(effect, low, high, statistic, p, delta, note)
    from statsmodels.stats.nonparametric import rank_compare_2indep

    found = rank_compare_2indep(first, second)
    low, high = (float(end) for end in found.conf_int(alpha=1 - level))
    return Superiority(
        effect,
        max(0.0, low),
        min(1.0, high),
        float(found.statistic),
        float(found.pvalue),
        delta,
        "",
    )


def bootstrap_interval(
    data: Any,
    statistic: Callable[..., Any] = np.mean,
    *,
    paired: bool = False,
    level: float = LEVEL,
    resamples: int = 2000,
    seed: int = 0,
) -> Bootstrap:
    """BCa bootstrap interval of a statistic, by drawing replicates with repetition.

    Parameters
    ----------
    data : values of the replicates, shape (replicates,), or a tuple of such samples
    statistic : function of the sample, or of all samples of a tuple; faster if it takes `axis`
    paired : whether the samples of a tuple share their replicates, which are then drawn together
    level : confidence level
    resamples : samples drawn
    seed : of the draws

    Returns
    -------
    Bootstrap
        low, high, value, se, method (bca, percentile, none), note. If no resample differs from the
        data there is no spread: low and high are the value itself, and the note says that this is
        no interval. Where BCa has no answer, the percentile interval takes its place.

    Raises
    ------
    ValueError
        If a sample is empty, a value is missing, paired samples differ in size, or the statistic
        has no value.
    """
    samples = data if isinstance(data, tuple) else (data,)
    values = tuple(numbers(f"data[{i}]", sample) for i, sample in enumerate(samples))
    if paired and len({len(sample) for sample in values}) != 1:
        sizes = ", ".join(str(len(sample)) for sample in values)
        raise ValueError(f"data: paired samples have {sizes} values; they must have equally many")
    level, resamples = inside("level", level), whole("resamples", resamples, 2)
    value = number_of("the statistic of the data", statistic(*values))
    if all(is_constant(sample) for sample in values):
        note = "no spread in the data, so this is no interval"
        return Bootstrap(value, value, value, 0.0, "none", note)
    low, high, spread = _resampled(values, statistic, paired, level, resamples, seed)
    lost = int((~np.isfinite(spread)).sum())
    spread = spread[np.isfinite(spread)]
    if len(spread) == 0 or is_constant(spread):
        note = "no resample differs, so this is no interval"
        return Bootstrap(value, value, value, 0.0, "none", note)
    method, note, se = "bca", "", float(spread.std(ddof=1))
    if lost or not (math.isfinite(low) and math.isfinite(high)):
        low, high = (float(end) for end in np.quantile(spread, [(1 - level) / 2, (1 + level) / 2]))
        method, note = "percentile", "BCa has no answer for these data"
        note += f"; {lost} of {resamples} resamples have no value" if lost else ""
    return Bootstrap(low, high, value, se, method, note)


def _resampled(
    values: tuple[FloatArray, ...],
    statistic: Callable[..., Any],
    paired: bool,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[float, float, FloatArray]:
    """Ends of scipy's BCa interval and the statistic of every resample."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a degenerate distribution is answered by the caller
        found = scipy.stats.bootstrap(
            values,
            statistic,
            paired=paired,
            confidence_level=level,
            n_resamples=resamples,
            method="BCa",
            rng=np.random.default_rng(seed),
        )
    ends = found.confidence_interval
    return float(ends.low), float(ends.high), np.asarray(found.bootstrap_distribution)
