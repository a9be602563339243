"""Which of several like things is used more or less than the others: what stands out.

Each thing is compared with the mean of its group, batch by batch: a batch is a set of replicates,
so that games of one shuffle, and things that happen in one game, may depend on each other as they
like. p values are adjusted over all comparisons (Benjamini-Hochberg), and a thing stands out only
if it also differs by a quarter or more, because with many games every difference is real.

References
----------
Cochran, 'Sampling techniques', for ratios of means; see `student` for their intervals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reefsim.stats.checks import FloatArray, floats, is_constant
from reefsim.stats.multiple import benjamini_hochberg
from reefsim.stats.student import of_mean

BATCHES = 20
LEAST_BATCHES = 5
WORTH_TELLING = 1.25  # ratio to the mean, or its inverse
FDR = 0.05
COLUMNS = ("count", "ratio", "low", "high", "batches", "p", "p_adjusted", "stands_out")


def batches(replicates: Sequence[int], most: int = BATCHES) -> list[list[int]]:
    """Split replicates into batches of nearly equal size, at most so many.

    >>> batches([3, 5, 8])
    [[3], [5], [8]]
    """
    known = sorted(set(replicates))
    parts = np.array_split(np.array(known, np.int64), max(1, min(most, len(known))))
    return [part.tolist() for part in parts if len(part)]


def uneven(table: pd.DataFrame, keys: Sequence[str], group: Sequence[str]) -> pd.DataFrame:
    """Compare every thing with the mean of its group.

    Parameters
    ----------
    table : one row per batch, count and thing: batch, count (which count it is), value (per game),
        and the columns of `keys` and `group`
    keys : columns that name a thing
    group : columns within which things are compared, of `keys` or others (arm)

    Returns
    -------
    pandas.DataFrame, one row per group, count and thing: value (mean), ratio to the mean of the
    group with low and high (95 %, over batches), batches, p of a ratio of 1, p_adjusted over the
    whole table, stands_out
    """
    by = [*dict.fromkeys([*group, "count"])]
    things = [*dict.fromkeys([*by, *keys])]
    rows = []
    for at, part in table.groupby(by, observed=True, sort=False):
        wide = part.pivot_table(index="batch", columns=list(keys), values="value", observed=True)
        mean = wide.mean(axis=1)
        if len(wide) < LEAST_BATCHES or wide.shape[1] < 2 or not mean.mean() > 0:
            continue
        for key, values in wide.items():
            names = key if isinstance(key, tuple) else (key,)
            row = dict(zip(by, at, strict=True)) | dict(zip(keys, names, strict=True))
            ratios = _ratios(floats(values), floats(mean))
            rows.append(row | {"value": float(values.mean())} | _test(ratios))
    found = pd.DataFrame(rows, columns=[*things, "value", *COLUMNS[1:6]])
    found["p_adjusted"] = benjamini_hochberg(found["p"].to_numpy(float))
    far = (found["ratio"] >= WORTH_TELLING) | (found["ratio"] <= 1 / WORTH_TELLING)
    found["stands_out"] = (found["p_adjusted"] < FDR) & far
    return found


def _ratios(values: FloatArray, mean: FloatArray) -> FloatArray:
    """Batch by batch, what makes the ratio of both means and its spread.

    The mean of the batches' own ratios would be off where a batch holds few of a thing.
    """
    known = np.isfinite(values)
    values, mean = values[known], mean[known]
    ratio = values.mean() / mean.mean()
    linear: FloatArray = ratio + (values - ratio * mean) / mean.mean()
    return linear


def _test(ratio: FloatArray) -> dict[str, float]:
    """Mean ratio, its interval and the p of 1."""
    n = len(ratio)
    value = float(ratio.mean())
    if is_constant(ratio):  # no spread: all batches agree
        p = 1.0 if value == 1 else 2.0 ** (1 - n)
        return {"ratio": value, "low": float("nan"), "high": float("nan"), "batches": n, "p": p}
    student = of_mean(ratio)
    low, high = student.interval()
    p = min(1.0, 2 * min(student.above(1.0), student.below(1.0)))
    return {"ratio": value, "low": max(0.0, low), "high": high, "batches": n, "p": p}
