"""Can a seat that is behind still win? Chances by points behind, in bins and as a curve."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pandas as pd

from reefsim.stats.checks import FloatArray, floats
from reefsim.stats.means import one_mean
from reefsim.stats.replicates import replicate_means

BIN_COLUMNS = ("arm", "deficit", "least", "most", "share", "low", "high", "seats", "replicates")
CURVE_COLUMNS = ("arm", "deficit", "chance")
_BINS, _LEAST = 8, 10  # bins of each arm, seats in each of them
_POINTS = 41


def recovery(seats: pd.DataFrame) -> pd.DataFrame:
    """Win share by points behind, in bins of about equally many seats.

    Parameters
    ----------
    seats : one row per seat of a game: arm, replicate, deficit (points behind the best other seat,
        negative for who leads), won (win share)

    Returns
    -------
    pandas.DataFrame, one row per arm and bin: deficit (mean), least and most, share won with low
    and high, seats and replicates behind it
    """
    rows = []
    for arm, part in seats.groupby("arm", observed=True, sort=False):
        number = max(1, min(_BINS, len(part) // _LEAST))
        edges = np.unique(np.quantile(part["deficit"], np.linspace(0, 1, number + 1)[1:-1]))
        place = np.searchsorted(edges, part["deficit"], side="left")
        for _, some in part.groupby(place, sort=True):
            means = floats(replicate_means(some["won"], some["replicate"]))
            found = one_mean(means, len(some), True)
            rows.append(
                {
                    "arm": arm,
                    "deficit": float(some["deficit"].mean()),
                    "least": float(some["deficit"].min()),
                    "most": float(some["deficit"].max()),
                    "share": found.value,
                    "low": found.low,
                    "high": found.high,
                    "seats": len(some),
                    "replicates": found.replicates,
                }
            )
    return pd.DataFrame(rows, columns=list(BIN_COLUMNS))


def recovery_curve(seats: pd.DataFrame) -> pd.DataFrame:
    """Logistic curve through the same: chance of winning by points behind.

    Returns
    -------
    pandas.DataFrame, one row per arm and point: deficit, chance; arms in which points at that time
    tell nothing, or everything, have no curve
    """
    rows: list[dict[str, Any]] = []
    for arm, part in seats.groupby("arm", observed=True, sort=False):
        x, y = floats(part["deficit"]), floats(part["won"])
        fitted = _logistic(x, y)
        if fitted is None:
            continue
        points = np.linspace(x.min(), x.max(), _POINTS)
        chance = 1 / (1 + np.exp(-(fitted[0] + fitted[1] * points)))
        rows += [
            {"arm": arm, "deficit": float(at), "chance": float(value)}
            for at, value in zip(points, chance, strict=True)
        ]
    return pd.DataFrame(rows, columns=list(CURVE_COLUMNS))


def _logistic(x: FloatArray, y: FloatArray) -> tuple[float, float] | None:
    """Intercept and slope by maximum likelihood; None if there is no maximum."""
    import statsmodels.api as sm

    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    scale = float(x.std())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            design = np.column_stack([np.ones(len(x)), x / scale])
            found = sm.GLM(y, design, family=sm.families.Binomial()).fit()
        except (RuntimeWarning, UserWarning, np.linalg.LinAlgError, ValueError):
            return None  # the deficit tells winners and losers apart without an exception
    intercept, slope = (float(value) for value in found.params)
    return (intercept, slope / scale) if math.isfinite(slope) else None
