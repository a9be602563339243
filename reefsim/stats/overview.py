"""Every metric of a run in every arm, with its difference from the baseline.

Metrics that read columns rest on all games, those that read events on the first games whose events
were kept: telling a game again takes time, and replicates are alike, so the first of them are as
good a sample as any.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow.dataset as ds

from reefsim.core.metric import Metric
from reefsim.logs.encode import ARM_FACTOR, REPLICATE_FACTOR
from reefsim.metrics.trace_files import DEFAULT
from reefsim.metrics.values import game_values, seat_values
from reefsim.stats.checks import FloatArray, floats
from reefsim.stats.intervals import NO_GAMES
from reefsim.stats.means import compare_means, one_mean
from reefsim.stats.multiple import benjamini_hochberg

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
    for per, read in (("game", game_values), ("seat", seat_values)):
        for told in (False, True):
            chosen = [m for m in metrics if m.per == per and ("events" in m.reads) == told]
            if chosen:
                table = read(first if told else run, [m.name for m in chosen], oracle=oracle)
                rows += _rows(table, chosen, baselines, is_paired)
    order = {metric.name: place for place, metric in enumerate(metrics)}
    rows.sort(key=lambda row: order[row["metric"]])
    _adjust(rows)
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    return found.astype({"seat": "Int64"})


def _rows(
    table: pd.DataFrame, metrics: Sequence[Metric], baselines: Mapping[str, str], is_paired: bool
) -> list[dict[str, Any]]:
    """Rows of metrics that were read together."""
    names = [metric.name for metric in metrics]
    by = ["arm", "seat"] if "seat" in table else ["arm"]
    series: dict[tuple[Any, ...], pd.DataFrame] = {}
    games: dict[tuple[Any, ...], pd.Series[int]] = {}
    values = table[names].astype(float)
    keyed = pd.concat([table[[*by, "replicate"]], values], axis=1)
    for key, part in keyed.groupby(by, observed=True, sort=False):
        where = key if isinstance(key, tuple) else (key,)
        series[where] = part.groupby("replicate", sort=True)[names].mean()
        games[where] = part[names].notna().sum()
    found = []
    for metric in metrics:
        for (arm, *seat), means in series.items():
            ours = means[metric.name].dropna()
            if len(ours) == 0:
                continue
            is_share = metric.kind == "share"
            count = int(games[(arm, *seat)][metric.name])
            base = series.get((baselines.get(str(arm), ""), *seat))
            estimate = one_mean(floats(ours), count, is_share)
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
                "games": count,
                "method": estimate.method,
                "note": estimate.note,
            }
            theirs = None if base is None else base[metric.name].dropna()
            found.append(row | _difference(ours, theirs, is_share, is_paired, baselines, str(arm)))
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
