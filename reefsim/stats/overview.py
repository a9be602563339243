"""Every metric of a run in every arm, with its difference from the baseline.

Metrics that read columns rest on all games, those that read events on the first games whose events
were kept: telling a game again takes time, and replicates are alike, so the first of them are as
good a sample as any.

All metrics of all games are worked out in one pass, and every value is kept, in the fewest bits
that hold it exactly: intervals and comparisons of replicates need them one by one.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.dataset as ds

from reefsim.core.metric import Metric
from reefsim.logs.encode import ARM_FACTOR, REPLICATE_FACTOR
from reefsim.metrics.trace_files import DEFAULT
from reefsim.metrics.values import value_batches
from reefsim.stats.checks import FloatArray, floats
from reefsim.stats.intervals import NO_GAMES
from reefsim.stats.means import compare_means, one_mean
from reefsim.stats.multiple import benjamini_hochberg
from reefsim.stats.replicates import replicate_means

if TYPE_CHECKING:
    from reefsim.metrics.values import Source

MOST_TOLD, LEAST_TOLD = 240, 40  # games that are told again: of all arms, of each
COLUMNS = (
    *("metric", "family", "unit", "kind", "seat", "arm", "estimate", "low", "high"),
    *("replicates", "games", "against", "difference", "diff_low", "diff_high"),
    *("paired", "gain", "p", "p_adjusted", "method", "note"),
)


class FirstGames:
    """The first replicates of a run whose events were kept, and nothing else of it.

    Parameters
    ----------
    run : an open run
    games : how many to have, shared by the arms; each has `LEAST_TOLD` or more if there are
    """

    def __init__(self, run: Source, games: int = MOST_TOLD) -> None:
        self.manifest, self.folder = run.manifest, run.folder
        self._run = run
        kept = float(self.manifest["experiment"].get("events") or 0)
        arms = self.manifest["arms"]
        of_arm = max(LEAST_TOLD, games // len(arms))
        self._size = max(1, int(self.manifest.get("part_replicates", 1)))
        self._ends: dict[str, tuple[int, int]] = {}  # arm: replicates, game ids below
        for index, arm in enumerate(arms):
            seatings = max(1, round(int(arm["games"]) / int(arm["replicates"])))
            end = math.ceil(of_arm / (seatings * kept)) if kept else 0
            self._ends[arm["name"]] = end, index * ARM_FACTOR + end * REPLICATE_FACTOR

    def parts(self, arms: Sequence[str] | None = None) -> Sequence[tuple[str, int]]:
        """List arm and number of the parts that hold such replicates."""
        return [
            (arm, number)
            for arm, number in self._run.parts(arms)
            if number * self._size < self._ends[arm][0]
        ]

    def table(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        filters: Any = None,
        parts: Sequence[tuple[str, int]] | None = None,
    ) -> pd.DataFrame:
        """Read columns and rows of such games, of parts of one arm."""
        wanted = self.parts() if parts is None else parts
        (arm,) = {arm for arm, _ in wanted}
        first = ds.field("game_id") < self._ends[arm][1]
        both = first if filters is None else first & filters
        return self._run.table(name, columns, both, wanted)


def overview(
    run: Source,
    metrics: Sequence[Metric],
    baselines: Mapping[str, str],
    is_paired: bool,
    oracle: str = DEFAULT,
) -> pd.DataFrame:
    """Estimate metrics in every arm, and their differences from the baseline.

    Parameters
    ----------
    run : an open run
    metrics : those with a number or a share; one that needs win chances needs them there
    baselines : baseline of every arm that has one
    is_paired : whether arms share the shuffles of a replicate
    oracle : whose win chances are read

    Returns
    -------
    pandas.DataFrame, one row per metric, seat (NA for those of games) and arm: family, unit, kind;
    estimate, low, high, replicates, games; against, difference, diff_low, diff_high, paired and
    gain (empty or NaN without baseline); p of the difference and p_adjusted over the whole table
    (Benjamini-Hochberg); method, note. Metrics without a value in any game are left out.
    """
    rows: list[dict[str, Any]] = []
    first = FirstGames(run)
    for (told, _), some in groupby(sorted(metrics, key=_reading), _reading):
        chosen = list(some)
        kept = _Values(first if told else run, chosen, oracle)
        rows += [row for metric in chosen for row in _rows(kept, metric, baselines, is_paired)]
    order = {metric.name: place for place, metric in enumerate(metrics)}
    rows.sort(key=lambda row: order[row["metric"]])
    _adjust(rows)
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    return found.astype({"seat": "Int64"})


def _reading(metric: Metric) -> tuple[bool, bool]:
    """Whether it reads events, and traces; metrics alike in both are read together."""
    return "events" in metric.reads, metric.oracle


class _Values:
    """Values of metrics in every game, or seat of a game, of a run."""

    def __init__(self, run: Source, metrics: Sequence[Metric], oracle: str) -> None:
        self._seats = int(run.manifest["seats"])
        self._replicates: dict[str, list[Any]] = {}
        self._values: dict[tuple[str, str], list[Any]] = {}
        for arm, part, values in value_batches(run, metrics, oracle=oracle):
            self._replicates.setdefault(arm, []).append(part.games["replicate"].to_numpy())
            for name, column in values.items():
                self._values.setdefault((arm, name), []).append(_shortest(column))

    def of(self, metric: Metric) -> dict[tuple[Any, ...], tuple[pd.Series[float], int]]:
        """Replicate means by arm, or by arm and seat, and the games behind them."""
        found: dict[tuple[Any, ...], tuple[pd.Series[float], int]] = {}
        for arm, batches in self._replicates.items():
            replicates = np.concatenate(batches)
            values = floats(np.concatenate(self._values[arm, metric.name]))
            columns: dict[tuple[Any, ...], FloatArray] = {(arm,): values}
            if metric.per == "seat":
                by_seat = values.reshape(-1, self._seats)
                columns = {(arm, seat): by_seat[:, seat] for seat in range(self._seats)}
            for key, column in columns.items():
                means = replicate_means(column, replicates)
                found[key] = means, int((~np.isnan(column)).sum())
        return found


def _shortest(values: FloatArray) -> npt.NDArray[Any]:
    """The same values in the fewest bits that hold them exactly; most are small whole numbers."""
    for kind in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            short = values.astype(kind)
        if np.array_equal(short, values, equal_nan=True):
            return short
    return values


def _rows(
    values: _Values, metric: Metric, baselines: Mapping[str, str], is_paired: bool
) -> list[dict[str, Any]]:
    """Rows of one metric."""
    found = []
    series = values.of(metric)
    is_share = metric.kind == "share"
    for (arm, *seat), (ours, games) in series.items():
        if len(ours) == 0:
            continue
        estimate = one_mean(floats(ours), games, is_share)
        row = {
            "metric": metric.name,
            "family": metric.family,
            "unit": metric.unit,
            "kind": metric.kind,
            "seat": seat[0] if seat else None,
            "arm": arm,
            "estimate": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "replicates": estimate.replicates,
            "games": games,
            "method": estimate.method,
            "note": estimate.note,
        }
        theirs, _ = series.get((baselines.get(arm, ""), *seat), (None, 0))
        found.append(row | _difference(ours, theirs, is_share, is_paired, baselines, arm))
    return found


def _difference(
    ours: pd.Series[float],
    theirs: pd.Series[float] | None,
    is_share: bool,
    is_paired: bool,
    baselines: Mapping[str, str],
    arm: str,
) -> dict[str, Any]:
    """How an arm differs from its baseline; empty without one."""
    compared = None
    if theirs is not None and len(theirs):
        bounds = (-1.0, 1.0) if is_share else None
        with warnings.catch_warnings():  # metrics that hardly vary; their p is near 1 or 0 anyway
            warnings.simplefilter("ignore", RuntimeWarning)
            compared = compare_means(ours, theirs, is_paired, bounds)
    estimate = compared.estimate if compared else NO_GAMES
    test = compared.test if compared else None
    p = math.nan if test is None else min(1.0, 2 * min(test.above(0.0), test.below(0.0)))
    return {
        "against": baselines.get(arm, ""),
        "difference": estimate.value,
        "diff_low": estimate.low,
        "diff_high": estimate.high,
        "paired": bool(compared and compared.paired),
        "gain": compared.gain if compared else math.nan,
        "p": p,
    }


def _adjust(rows: list[dict[str, Any]]) -> None:
    tested = [row for row in rows if not math.isnan(row["p"])]
    adjusted: FloatArray = benjamini_hochberg([row["p"] for row in tested])
    for row in rows:
        row["p_adjusted"] = math.nan
    for row, p in zip(tested, adjusted, strict=True):
        row["p_adjusted"] = float(p)
