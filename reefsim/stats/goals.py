"""Goals: what is wanted of every setting of the rules, how far off settings are, which is nearer.

Goals are targets, and primary claims about a single arm that say how large its value should be. A
setting's distance from a goal is how far its value lies outside of what is wanted, in the unit of
the metric; 0 inside. Distances of several goals are added in steps: a step is half of the wanted
band (the margin of an equivalence), or a tenth of a single limit.

Whether one setting is nearer than another is read off an interval for the difference of their two
distances. A distance is the largest of up to three straight lines in the value x: ``low - x``,
``x - high`` and 0. So the difference is at most the largest one of a line of the one from *some*
line of the other, and at least the smallest one from *some* line of its own. Each of these bounds
needs only intervals for means of replicates (of ``x - y`` or ``x + y``, over common replicates),
and takes their error once. Quantiles are no means; there the ends of the intervals of both
settings, each at half of the error, are put together, which is wider.

References
----------
Berger (1982) for intersection-union tests; James & Stein (1961), Efron & Morris (1975) for drawing
estimates together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from reefsim.stats.checks import BoolArray, FloatArray, floats
from reefsim.stats.claim import Claim
from reefsim.stats.claims import answer_claims, list_claims
from reefsim.stats.intervals import mean
from reefsim.stats.paired import FEW
from reefsim.stats.proportions import LEVEL
from reefsim.stats.replicates import replicate_means
from reefsim.stats.targets import (
    INSIDE,
    OPEN,
    OUTSIDE,
    Target,
    evaluate,
    list_targets,
)
from reefsim.stats.values import read_values

if TYPE_CHECKING:
    from reefsim.metrics.values import Source
    from reefsim.stats.values import ReplicateValues

NEARER, FARTHER = "nearer", "farther"
_CHANGES = ("arm", "goal", "change", "change_low", "change_high", "pairs", "effect")
_STATUS = {"yes": INSIDE, "no": OUTSIDE, "open": OPEN}
_Z = float(scipy.stats.norm.ppf((1 + LEVEL) / 2))


class Change(NamedTuple):
    """How much farther from a goal one setting is than another, with its interval.

    In the unit of the metric; below 0 it is nearer. NaN where nothing can be said; 0 at both ends
    where both are inside, as far as their intervals go.
    """

    value: float
    low: float
    high: float
    replicates: int

    @property
    def effect(self) -> str:
        """Nearer, farther or not yet known."""
        return NEARER if self.high < 0 else FARTHER if self.low > 0 else OPEN


def find_goals(run: Source) -> pd.DataFrame:
    """Evaluate every goal in every arm.

    Parameters
    ----------
    run : an open run, finished or going on

    Returns
    -------
    pandas.DataFrame with the columns of `targets.find_targets`, and goal (number of the goal among
    those of its arm), distance (in the unit of the metric) and step. The status of a claim is its
    answer, once all claims are counted.
    """
    claims, targets = _claims(run.manifest), list_targets(run.manifest)
    wanted = [*targets, *(_as_target(claim) for claim in claims if _is_wish(claim))]
    values = read_values(run, _metrics([*targets, *claims]))
    table = evaluate(wanted, values)
    if len(wanted) > len(targets):
        answers = answer_claims(claims, values, run.manifest)["answer"]
        found = zip(claims, answers, strict=True)
        table.loc[len(targets) :, "status"] = [_STATUS[a] for claim, a in found if _is_wish(claim)]
    table["goal"] = table.groupby("arm", sort=False).cumcount()
    ends = [table[name] for name in ("estimate", "wanted_low", "wanted_high")]
    table["distance"] = distance(*(floats(end) for end in ends))
    table["step"] = [_step(*row) for row in zip(*ends[1:], table["kind"], strict=True)]
    return table


def list_goals(manifest: Mapping[str, Any]) -> list[Target]:
    """List the goals of every arm, in the order of `find_goals`."""
    wishes = (_as_target(claim) for claim in _claims(manifest) if _is_wish(claim))
    return [*list_targets(manifest), *wishes]


def _claims(manifest: Mapping[str, Any]) -> list[Claim]:
    return [claim for claim in list_claims(manifest, {}) if claim.role == "primary"]


def _is_wish(claim: Claim) -> bool:
    """Whether a claim says how large the value of a single arm should be."""
    return claim.claim in ("equivalent", "superior") and not claim.against


def _metrics(asked: Sequence[Target | Claim]) -> list[str]:
    return [*dict.fromkeys(one.metric.name for one in asked)]


def _as_target(claim: Claim) -> Target:
    margin = 0.0 if math.isnan(claim.margin) else claim.margin
    band = [claim.null - margin, claim.null + margin]
    if claim.claim == "superior":
        band = [claim.null + margin, math.inf]
    what = "between" if claim.is_share else "mean"
    return Target(claim.outcome, claim.metric, what, band, claim.arm, claim.seat)


def distance(x: Any, low: Any, high: Any) -> Any:
    """How far `x` lies outside of low to high; 0 inside."""
    return np.maximum(np.maximum(np.subtract(low, x), np.subtract(x, high)), 0.0)


def _step(low: float, high: float, kind: str) -> float:
    """The distance from a goal that counts as much as such a one from any other."""
    if math.isfinite(low) and math.isfinite(high) and high > low:
        return (high - low) / 2
    limit = low if math.isfinite(low) else high
    size = min(limit, 1 - limit) if kind == "share" else abs(limit)
    return size / 10 or 1.0


def rank_settings(goals: pd.DataFrame) -> pd.Series[float]:
    """Settings by their distance from all goals together, in steps, the nearest first.

    Estimates are drawn together before they are measured: where settings differ no more than by
    chance, a goal says nothing about who goes on. Goals whose value is unknown count as missed by
    more than any known one.

    Parameters
    ----------
    goals : of `find_goals`, every arm with the same goals

    Returns
    -------
    pandas.Series by arm; those equally near in the order of their arms
    """
    arms = list(dict.fromkeys(goals["arm"]))
    total = np.zeros(len(arms))
    for _, rows in goals.groupby("goal", sort=True):
        rows = rows.set_index("arm").loc[arms]
        low, high, step = (floats(rows[name])[0] for name in ("wanted_low", "wanted_high", "step"))
        total += distance(_drawn_together(rows), low, high) / step
    total = np.where(np.isnan(total), np.inf, total)
    order = np.argsort(total, kind="stable")
    return pd.Series(total[order], index=[arms[place] for place in order])


def _drawn_together(rows: pd.DataFrame) -> FloatArray:
    """Estimates of a goal, nearer to their mean the less their spread exceeds their error."""
    x, low, high = (floats(rows[name]) for name in ("estimate", "low", "high"))
    is_known = np.isfinite(x)
    if is_known.sum() < 2:
        return x
    se = (high - low) / (2 * _Z)
    variance = np.where(np.isfinite(se), se**2, np.inf)
    center = float(x[is_known].mean())
    error = variance[is_known & np.isfinite(variance)]
    between = float(x[is_known].var(ddof=1)) - (float(error.mean()) if len(error) else 0.0)
    if between <= 0:
        return np.where(is_known, center, x)
    return np.where(is_known, center + (x - center) * between / (between + variance), x)


def not_dominated(distances: Any) -> BoolArray:
    """Which settings no other one beats: as near to every goal, and nearer to some.

    Parameters
    ----------
    distances : shape (settings, goals), 0 inside; NaN counts as farthest

    Examples
    --------
    >>> not_dominated([[0, 3], [1, 1], [1, 2]]).tolist()
    [True, True, False]
    """
    x = np.where(np.isnan(distances), np.inf, np.asarray(distances, dtype=float))
    as_near = (x[:, None, :] <= x[None, :, :]).all(axis=2)
    nearer = (x[:, None, :] < x[None, :, :]).any(axis=2)
    return np.asarray(~(as_near & nearer).any(axis=0), dtype=np.bool_)


def find_changes(run: Source, base: str, level: float) -> pd.DataFrame:
    """How much farther from every goal each arm is than the base.

    Parameters
    ----------
    run : an open run
    base : its arm
    level : of the intervals

    Returns
    -------
    pandas.DataFrame, one row per other arm and goal: arm, goal, change, change_low, change_high (in
    the unit of the metric; below 0 it is nearer), pairs, effect (nearer, farther, not yet known)
    """
    goals = list_goals(run.manifest)
    values = read_values(run, _metrics(goals))
    by_arm: dict[str, list[Target]] = {}
    for goal in goals:
        by_arm.setdefault(goal.arm, []).append(goal)
    rows = []
    for arm, wanted in by_arm.items():
        if arm == base:
            continue
        for number, (ours, theirs) in enumerate(zip(wanted, by_arm[base], strict=True)):
            found = change_of_distance(ours, theirs, values, level)
            ends = {"change_low": found.low, "change_high": found.high}
            rows.append(
                {"arm": arm, "goal": number, "change": found.value, **ends}
                | {"pairs": found.replicates, "effect": found.effect}
            )
    return pd.DataFrame(rows, columns=list(_CHANGES))


def change_of_distance(
    ours: Target, theirs: Target, values: ReplicateValues, level: float = LEVEL
) -> Change:
    """How much farther from a goal one arm is than another, whose shuffles it shares.

    Parameters
    ----------
    ours, theirs : the same goal in both arms
    values : of its metric, read by `values.read_values`
    level : of the interval; the error of each end is half of what is missing to 1
    """
    low, high = ours.limits
    lines = [(-1.0, low), (1.0, -high), (0.0, 0.0)]
    lines = [line for line in lines if math.isfinite(line[1])]
    a, b = ours.rows(values), theirs.rows(values)
    value = _distance_of(ours, a) - _distance_of(theirs, b)
    if ours.level is None:
        one, two = (replicate_means(rows["value"], rows["replicate"]) for rows in (a, b))
        common = one.index.intersection(two.index)
        x, y = floats(one.loc[common]), floats(two.loc[common])
        if np.array_equal(x, y):
            return Change(value, math.nan, math.nan, len(common))
        ends = [[_mean_ends(x, y, line, other, level) for other in lines] for line in lines]
        replicates = len(common)
    else:
        half = 1 - (1 - level) / 2  # of the error for each of the two intervals
        found = [target.estimate(rows, half) for target, rows in ((ours, a), (theirs, b))]
        ours_at, theirs_at = ((estimate.low, estimate.high) for estimate in found)
        ends = [[_span_ends(ours_at, theirs_at, line, other) for other in lines] for line in lines]
        replicates = min(estimate.replicates for estimate in found)
    least = np.array([[pair[0] for pair in row] for row in ends])
    most = np.array([[pair[1] for pair in row] for row in ends])
    bounds = float(least.min(axis=1).max()), float(most.max(axis=0).min())
    low, high = (end if math.isfinite(end) else math.nan for end in bounds)
    return Change(value, low, high, replicates)


def _distance_of(goal: Target, rows: pd.DataFrame) -> float:
    return float(distance(goal.estimate(rows).value, *goal.limits))


_Line = tuple[float, float]  # slope and constant
_Ends = tuple[float, float]


def _mean_ends(x: FloatArray, y: FloatArray, line: _Line, other: _Line, level: float) -> _Ends:
    """Interval for the mean of one line in x less another in y; infinite where none is known."""
    (slope, constant), (other_slope, other_constant) = line, other
    if slope == other_slope == 0:
        return 0.0, 0.0
    z = slope * x - other_slope * y
    # a t interval needs more than a few replicates that differ from the others
    if not len(z) or len(z) - np.unique(z, return_counts=True)[1].max() < FEW:
        return -math.inf, math.inf
    found = mean(z, level=level)
    return found.low + constant - other_constant, found.high + constant - other_constant


def _span_ends(ours: _Ends, theirs: _Ends, line: _Line, other: _Line) -> _Ends:
    """The same from one interval for x and one for y."""
    (low, high), (other_low, other_high) = _along(ours, line), _along(theirs, other)
    return low - other_high, high - other_low


def _along(ends: _Ends, line: _Line) -> _Ends:
    slope, constant = line
    if slope == 0:
        return 0.0, 0.0
    if math.isnan(ends[0]) or math.isnan(ends[1]):
        return -math.inf, math.inf
    found = sorted(slope * end for end in ends)
    return found[0] + constant, found[1] + constant


def shared_level(comparisons: int) -> float:
    """Level of each of so many intervals that hold together at the usual level (Bonferroni)."""
    return 1 - (1 - LEVEL) / max(1, comparisons)
