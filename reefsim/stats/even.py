"""Which of several like things is used more or less than the others: what stands out.

Each thing is compared with the mean of its group, batch by batch: a batch is a set of replicates,
so that games of one shuffle, and things that happen in one game, may depend on each other as they
like. p values are adjusted over all comparisons (Benjamini-Hochberg), and a thing stands out only
if it also differs by a quarter or more, because with many games every difference is real.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy.stats

from reefsim.stats.checks import FloatArray, is_constant
from reefsim.stats.multiple import benjamini_hochberg
from reefsim.stats.proportions import LEVEL

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
    group with low and high (95 %, t over batches), batches, p of a ratio of 1, p_adjusted over the
    whole table, stands_out
    """
    by = [*dict.fromkeys([*group, "count"])]
    things = [*dict.fromkeys([*by, *keys])]
    rows = []
    for at, part in table.groupby(by, observed=True, sort=False):
        wide = part.pivot_table(index="batch", columns=list(keys), values="value", observed=True)
        mean = wide.mean(axis=1)
        if len(wide) < LEAST_BATCHES or wide.shape[1] < 2 or not (mean > 0).all():
            continue
        ratios = wide.div(mean, axis=0).to_numpy(float)
        for key, ratio, value in zip(wide.columns, ratios.T, wide.mean(axis=0), strict=True):
            names = key if isinstance(key, tuple) else (key,)
            row = dict(zip(by, at, strict=True)) | dict(zip(keys, names, strict=True))
            rows.append(row | {"value": float(value)} | _test(ratio[np.isfinite(ratio)]))
    found = pd.DataFrame(rows, columns=[*things, "value", *COLUMNS[1:6]])
    found["p_adjusted"] = benjamini_hochberg(found["p"].to_numpy(float))
    far = (found["ratio"] >= WORTH_TELLING) | (found["ratio"] <= 1 / WORTH_TELLING)
    found["stands_out"] = (found["p_adjusted"] < FDR) & far
    return found


def _test(ratio: FloatArray) -> dict[str, float]:
    """Mean ratio, its t interval and the p of 1."""
    n = len(ratio)
    value = float(ratio.mean())
    if is_constant(ratio):  # no spread: all batches agree
        p = 1.0 if value == 1 else 2.0 ** (1 - n)
        return {"ratio": value, "low": float("nan"), "high": float("nan"), "batches": n, "p": p}
    se = float(ratio.std(ddof=1)) / n**0.5
    half = se * float(scipy.stats.t.ppf((1 + LEVEL) / 2, n - 1))
    p = float(2 * scipy.stats.t.sf(abs(value - 1) / se, n - 1))
    return {"ratio": value, "low": value - half, "high": value + half, "batches": n, "p": p}
