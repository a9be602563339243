"""What the designer wants, arm by arm: inside, outside or not yet known.

A target is met (inside) if the whole 95 % interval lies within what is wanted, and missed (outside)
if the whole interval lies beyond it. Medians and 95 % quantiles have intervals between order
statistics, means of replicates t intervals, shares exact ones where events are rare. Games that a
limit cut short lasted at least as long: they count so where a length is wanted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from reefsim.core.metric import Metric
from reefsim.metrics.catalog import known
from reefsim.stats.checks import floats
from reefsim.stats.intervals import NO_GAMES, Estimate, mean, quantile
from reefsim.stats.means import one_mean
from reefsim.stats.proportions import LEVEL
from reefsim.stats.replicates import replicate_means
from reefsim.stats.values import ReplicateValues, read_values

if TYPE_CHECKING:
    from reefsim.metrics.values import Source

INSIDE, OUTSIDE, OPEN = "inside", "outside", "not yet known"
COLUMNS = (
    *("target", "metric", "what", "arm", "seat", "agent", "kind", "unit"),
    *("wanted", "wanted_low", "wanted_high", "estimate", "low", "high"),
    *("replicates", "games", "status", "method", "note"),
)
_NUMBERS = {"median": 0.5, "mean": None, "p95_below": 0.95}
_SHARES = {"below", "above", "between", "share_below", "share_above", "share_between"}
_WINS = "seat_share"  # metric behind a target on an agent
_LENGTH = "length"  # family of the metrics that truncation cuts short


@dataclass(frozen=True)
class Target:
    """One thing that is wanted of one arm.

    Attributes
    ----------
    name : in the file
    metric : that it is about
    what : median, mean, p95_below, or one of the limits of a share
    wanted : low and high end, or a single limit
    arm, seat, agent : whose values count; None and empty: those of all
    """

    name: str
    metric: Metric
    what: str
    wanted: Any
    arm: str
    seat: int | None = None
    agent: str = ""
    value: str = ""

    @property
    def is_share(self) -> bool:
        """Whether it is about a share of games or seats."""
        return self.what in _SHARES

    @property
    def limits(self) -> tuple[float, float]:
        """Lower and upper end of what is wanted, in the metric's unit; infinite where nothing is.

        Shares are proportions.
        """
        limit = self.wanted
        if isinstance(limit, Sequence):
            return float(limit[0]), float(limit[1])
        if self.what.endswith("below"):
            return -math.inf, float(limit)
        return float(limit), math.inf

    @property
    def level(self) -> float | None:
        """Of the quantile that is wanted; None where a mean or share is."""
        return _NUMBERS.get(self.what)

    def rows(self, values: ReplicateValues) -> pd.DataFrame:
        """Rows with a value, which stands in the column `value`."""
        rows = values.rows(self)
        if self.agent:
            rows = rows[rows["agent"] == self.agent]
        column = rows[self.metric.name].astype(float)
        return rows[column.notna()].assign(value=column[column.notna()])

    def estimate(self, rows: pd.DataFrame, level: float = LEVEL) -> Estimate:
        """The median, quantile, mean or share, with its interval, of `rows`."""
        if not len(rows):
            return NO_GAMES
        if self.level is None:
            means = floats(replicate_means(rows["value"], rows["replicate"]))
            if self.is_share:
                return one_mean(means, len(rows), is_share=True, level=level)
            return mean(means, level=level)
        is_length = self.metric.family == _LENGTH
        censored = rows["truncated"].to_numpy(bool) if is_length else None
        replicates = rows["replicate"].to_numpy()
        x = rows["value"].to_numpy(np.float64)
        return quantile(x, self.level, replicates, censored, level)


def find_targets(run: Source) -> pd.DataFrame:
    """Evaluate the targets of an experiment in every arm they are about.

    Parameters
    ----------
    run : an open run, finished or going on; replicates that some arm lacks are left out

    Returns
    -------
    pandas.DataFrame, one row per target, limit and arm (and seat, for shares of each seat): target
    (its name), metric, what (median, mean, p95 or share), arm, seat, agent, kind, unit; wanted in
    words, wanted_low and wanted_high; estimate, low, high in the unit of the metric, shares as
    proportions; replicates, games; status (inside, outside or not yet known), method and note
    """
    wanted = list_targets(run.manifest)
    values = read_values(run, [*dict.fromkeys(target.metric.name for target in wanted)])
    return evaluate(wanted, values)


def list_targets(manifest: Mapping[str, Any]) -> list[Target]:
    """List the targets of an experiment, each limit and arm (and seat) by itself."""
    targets = manifest["experiment"].get("targets") or {}
    metrics = known(manifest["game"])
    return [
        target
        for name, asked in targets.items()
        for target in _expand(name, asked, metrics, manifest)
    ]


def evaluate(wanted: Sequence[Target], values: ReplicateValues) -> pd.DataFrame:
    """Evaluate targets that were listed; see `find_targets`."""
    rows = [_evaluate(target, values) for target in wanted]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"seat": "Int64"})


def _expand(
    name: str, asked: Mapping[str, Any], metrics: Mapping[str, Metric], manifest: Mapping[str, Any]
) -> Iterator[Target]:
    """Targets of each arm, limit and seat."""
    metric = metrics.get(name) or metrics[_WINS]
    limits = {key: limit for key, limit in asked.items() if key in _SHARES | set(_NUMBERS)}
    for arm in manifest["arms"]:
        if not _is_about(asked, arm):
            continue
        for what, limit in limits.items():
            if name not in metrics:
                yield Target(name, metric, what, limit, arm["name"], agent=asked["agent"])
            elif metric.per == "seat" and metric.kind == "share":
                for seat in range(int(manifest["seats"])):
                    yield Target(name, metric, what, limit, arm["name"], seat)
            else:
                yield Target(name, metric, what, limit, arm["name"])


def _is_about(asked: Mapping[str, Any], arm: Mapping[str, Any]) -> bool:
    lineup = arm["name"].removeprefix(f"{arm['ruleset']}-")  # an arm is named ruleset-lineup
    return asked.get("lineup") in (None, lineup) and asked.get("ruleset") in (None, arm["ruleset"])


def _evaluate(target: Target, values: ReplicateValues) -> dict[str, Any]:
    seen = target.rows(values)
    estimate = target.estimate(seen)
    low, high = target.limits
    return {
        "target": target.name,
        "metric": target.metric.name,
        "what": "share" if target.is_share else target.what.removesuffix("_below"),
        "arm": target.arm,
        "seat": target.seat,
        "agent": target.agent,
        "kind": "share" if target.is_share else "number",
        "unit": "share" if target.is_share else target.metric.unit,
        "wanted": _in_words(target),
        "wanted_low": low,
        "wanted_high": high,
        "estimate": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "replicates": estimate.replicates,
        "games": seen["game_id"].nunique() if len(seen) else 0,
        "status": status(estimate, low, high, target.what),
        "method": estimate.method,
        "note": estimate.note,
    }


def status(estimate: Estimate, low: float, high: float, what: str = "between") -> str:
    """Compare an interval with what is wanted.

    A band includes its ends; 'below' and 'above' leave out the limit.

    Parameters
    ----------
    estimate : with its interval
    low, high : what is wanted; infinite where nothing is
    what : limit of the target; those that end in below or above are strict
    """
    if np.isnan(estimate.low) or np.isnan(estimate.high):
        return OPEN
    strict = what.endswith(("below", "above"))
    if strict:
        is_inside = low < estimate.low and estimate.high < high
        is_outside = estimate.high <= low or high <= estimate.low
    else:
        is_inside = low <= estimate.low and estimate.high <= high
        is_outside = estimate.high < low or high < estimate.low
    if is_inside:
        return INSIDE
    return OUTSIDE if is_outside else OPEN


def _in_words(target: Target) -> str:
    scale, unit = (100, " %") if target.is_share else (1, f" {target.metric.unit}")
    low, high = (_rounded(scale * end) for end in target.limits)
    if math.isinf(low):
        return f"below {high:g}{unit}"
    if math.isinf(high):
        return f"above {low:g}{unit}"
    return f"{low:g} to {high:g}{unit}"


def _rounded(end: float) -> float:
    """An end without the digits of a third: those of a small share stay."""
    return round(end, 2) if 1 <= abs(end) < math.inf else end
