"""What should I change? Rows from rules that were played; otherwise what to try."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reefsim.core.allowed import Choice
from reefsim.core.metric import Metric
from reefsim.games import registry
from reefsim.metrics.catalog import known
from reefsim.reporting.manifest import ArmInfo, RunInfo
from reefsim.reporting.numbers import LEVEL, NBSP, count, decimal, percent, signed, span
from reefsim.reporting.words import listed, rules_text
from reefsim.stats.claim import FAIR
from reefsim.stats.intervals import NO_GAMES, Estimate
from reefsim.stats.means import compare_means
from reefsim.stats.replicates import replicate_means
from reefsim.stats.values import ReplicateValues, read_values

MOST = 3
_SURE = 0.05
_COSTS = 2  # told per row
BETTER, WORSE, EVEN, OPEN = "better", "worse", "no difference that matters", "not yet known"


@dataclass(frozen=True)
class Suggestion:
    """One row: a change, what it does to the goal, what it costs, how sure that is, what next.

    Attributes
    ----------
    change, cost, confidence : in words
    effect : in words, table by table
    following : a command, or what to do before one; may be empty
    status : better, worse, no difference that matters (it is within the margin) or not yet known;
        "try" for a change that was not played
    arms : names of the arms it is about
    """

    change: str
    effect: tuple[str, ...]
    cost: str
    confidence: str
    following: str
    status: str
    arms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Goal:
    """What an experiment is after: a metric and where it should be.

    `wanted` is a number, or NaN where more is better; then `sign` says which way.
    """

    metric: Metric
    wanted: float
    margin: float
    sign: int = 1

    @property
    def is_share(self) -> bool:
        """Whether it is told in percent."""
        return self.metric.kind == "share"

    def words(self, value: float) -> str:
        """Write a value in its unit."""
        return percent(value) if self.is_share else f"{decimal(value)}{NBSP}{self.metric.unit}"


def find_suggestions(
    run: Any,
    info: RunInfo,
    overview: pd.DataFrame,
    folder: str,
    tries: bool = True,
    values: ReplicateValues | None = None,
) -> list[Suggestion]:
    """Find what could be changed, best first.

    Parameters
    ----------
    run : an open run
    info : of its manifest
    overview : of `stats.overview.overview`, for what a change does elsewhere
    folder : of the run, as a command names it
    tries : whether something is to be tried where nothing that was played is better
    values : of `claims.read_outcomes`, if they were read already

    Returns
    -------
    list of Suggestion, at most three. Rows of rules that were played come first: for each such
    ruleset, the change of the primary outcome's distance from where it should be, at every table.
    """
    goal = find_goal(run.manifest)
    compared = [arm for arm in info.arms if arm.baseline]
    if goal is None or not run.parts():
        return []
    rows: list[tuple[float, Suggestion]] = []
    if compared:
        name = goal.metric.name
        if values is None or not values.has(name):
            values = read_values(run, [name])
        by_rules: dict[str, list[ArmInfo]] = {}
        for arm in compared:
            by_rules.setdefault(arm.ruleset, []).append(arm)
        rows = [_row(goal, arms, values, info, overview, folder) for arms in by_rules.values()]
        rows.sort(key=lambda pair: -pair[0])
    found = [row for _, row in rows][:MOST]
    if tries and not any(row.status == BETTER for row in found) and len(found) < MOST:
        found.append(_try(info, goal, compared, str(run.manifest["game"])))
    return found


def find_goal(manifest: Mapping[str, Any]) -> Goal | None:
    """The primary outcome as a goal; seat balance if an experiment names none.

    A claim that two arms differ wants nothing of either; its metric is told without better or
    worse.
    """
    metrics = known(str(manifest.get("game")))
    primary = ((manifest.get("experiment") or {}).get("outcomes") or {}).get("primary") or {}
    seats = int(manifest.get("seats") or 0)
    for name, claim in primary.items():
        if name not in metrics or metrics[name].per != "game":
            continue
        metric = metrics[name]
        scale = 100.0 if metric.kind == "share" else 1.0
        margin = float(claim.get("margin_pp", claim.get("margin")) or 0) / scale
        to = claim.get("to")
        if claim["claim"] == "superior":
            return Goal(metric, math.nan, margin, 1)
        if isinstance(to, int | float):
            return Goal(metric, float(to), margin)
        if metric.unit == "win share" and to in (FAIR, None):
            return Goal(metric, 1 / seats, margin)
        return Goal(metric, math.nan, margin, 0)
    return Goal(metrics["first_seat_share"], 1 / seats, 0.0) if seats else None


@dataclass(frozen=True)
class _Effect:
    """What rules do at one table."""

    arm: ArmInfo
    before: float
    after: float
    low: float
    high: float
    replicates: int
    paired: bool
    status: str
    gained: float  # distance from the goal that was lost; positive is better


def _row(
    goal: Goal,
    arms: Sequence[ArmInfo],
    values: ReplicateValues,
    info: RunInfo,
    overview: pd.DataFrame,
    folder: str,
) -> tuple[float, Suggestion]:
    effects = [_effect(goal, arm, values, info.is_paired) for arm in arms]
    statuses = [effect.status for effect in effects]
    status = statuses[0] if len(set(statuses)) == 1 else WORSE if WORSE in statuses else OPEN
    if goal.sign == 0:
        status = ""
    rank = {BETTER: 2, "": 1, EVEN: 1, OPEN: 1, WORSE: 0}[status] * 1000
    gained = sum(effect.gained for effect in effects) / len(effects)
    several = len(effects) > 1
    text = tuple(
        (f"{_table(effect.arm)}: " if several else "") + _effect_words(goal, effect)
        for effect in effects
    )
    open_tables = [effect for effect in effects if effect.status == OPEN and goal.sign]
    more = f"reefsim power --from {folder}" if open_tables else _compare(folder, arms[0])
    suggestion = Suggestion(
        change=f"{arms[0].ruleset}: {rules_text(arms[0].rules)}",
        effect=text,
        cost=_cost(goal, arms, overview),
        confidence=_confidence(goal, effects),
        following=more,
        status=status,
        arms=tuple(arm.name for arm in arms),
    )
    return rank + gained, suggestion


def _effect(goal: Goal, arm: ArmInfo, values: ReplicateValues, is_paired: bool) -> _Effect:
    ours, theirs = (_means(goal, name, values) for name in (arm.name, arm.baseline or ""))
    bounds = (-1.0, 1.0) if goal.is_share else None
    change = compare_means(ours, theirs, is_paired, bounds)
    after, before = (float(x.mean()) if len(x) else math.nan for x in (ours, theirs))
    lost = _lost(goal, ours, theirs, is_paired)
    status = OPEN
    if lost.high < 0:
        status = BETTER
    elif lost.low > 0:
        status = WORSE
    elif -goal.margin <= lost.low and lost.high <= goal.margin:
        status = EVEN
    return _Effect(
        arm=arm,
        before=before,
        after=after,
        low=change.estimate.low,
        high=change.estimate.high,
        replicates=change.estimate.replicates,
        paired=change.paired,
        status=status,
        gained=0.0 if math.isnan(lost.value) else -lost.value,
    )


def _lost(
    goal: Goal, ours: pd.Series[float], theirs: pd.Series[float], is_paired: bool
) -> Estimate:
    """How much farther from the goal an arm is than its baseline, with its interval.

    On one side of the goal that is the difference of the arms; if they lie on both sides, that of
    one arm and the mirror image of the other.
    """
    if goal.sign == 0 or not len(ours) or not len(theirs):
        return NO_GAMES
    if math.isnan(goal.wanted):
        return compare_means(theirs, ours, is_paired, None).estimate
    above = float(ours.mean()) >= goal.wanted
    same_side = above == (float(theirs.mean()) >= goal.wanted)
    reference = theirs if same_side else 2 * goal.wanted - theirs
    pair = (ours, reference) if above else (reference, ours)
    return compare_means(*pair, is_paired, None).estimate


def _means(goal: Goal, arm: str, values: ReplicateValues) -> pd.Series[float]:
    rows = values.games[values.games["arm"] == arm]
    return replicate_means(rows[goal.metric.name], rows["replicate"])


def _effect_words(goal: Goal, effect: _Effect) -> str:
    scale, unit = (100, "pp") if goal.is_share else (1, goal.metric.unit)
    change = signed(scale * (effect.after - effect.before))
    interval = span(effect.low, effect.high, scale)
    pairs = "pairs" if effect.paired else "replicates each"
    return (
        f"{_name(goal.metric)} {goal.words(effect.before)} → {goal.words(effect.after)}, "
        f"{change}{NBSP}{unit} ({LEVEL}{interval}, {count(effect.replicates)} {pairs})"
    )


def _confidence(goal: Goal, effects: Sequence[_Effect]) -> str:
    if goal.sign == 0:
        clear = [effect for effect in effects if effect.low > 0 or effect.high < 0]
        if not clear:
            return "no change is shown"
        where = (
            "" if len(clear) == len(effects) else f" at {listed([_table(e.arm) for e in clear])}"
        )
        return f"a change is shown{where}"
    words = {BETTER: "nearer to the goal", WORSE: "farther from the goal"}
    if goal.sign and math.isnan(goal.wanted):
        words |= {BETTER: "larger", WORSE: "smaller"}
    if len({effect.status for effect in effects}) == 1:
        where = " at every table" if len(effects) > 1 else ""
        return f"{words.get(effects[0].status, effects[0].status)}{where}"
    told = [(_table(effect.arm), words.get(effect.status, effect.status)) for effect in effects]
    return "; ".join(f"{table}: {text}" for table, text in told)


def _cost(goal: Goal, arms: Sequence[ArmInfo], overview: pd.DataFrame) -> str:
    """What else changes for certain: the largest changes of what everybody looks at."""
    if overview.empty:
        return "not looked at"
    names = [arm.name for arm in arms]
    usual = overview["metric"].isin(
        ["length_rounds", "margin_points", "winning_score", "truncated_share", "branching"]
    )
    rows = overview[usual & overview["arm"].isin(names) & (overview["metric"] != goal.metric.name)]
    rows = rows[(rows["p_adjusted"] < _SURE) & rows["seat"].isna()]
    if rows.empty:
        return "none shown in length, scores, margin or options"
    size = (rows["difference"] / rows["estimate"].abs().clip(lower=1e-9)).abs()
    told = []
    for row in rows.loc[size.sort_values(ascending=False).index[:_COSTS]].to_dict("records"):
        scale, unit = (100, "pp") if row["kind"] == "share" else (1, row["unit"])
        interval = span(row["diff_low"], row["diff_high"], scale)
        at = f" at {_table(_arm(arms, row['arm']))}" if len(arms) > 1 else ""
        told.append(
            f"{str(row['metric']).replace('_', ' ')} {signed(scale * row['difference'])}{NBSP}"
            f"{unit} ({LEVEL}{interval}){at}"
        )
    return "; ".join(told)


def _arm(arms: Sequence[ArmInfo], name: str) -> ArmInfo:
    return next(arm for arm in arms if arm.name == name)


def _table(arm: ArmInfo) -> str:
    """Name of the table of an arm, which is named ruleset-lineup."""
    return arm.name.removeprefix(f"{arm.ruleset}-").replace("_", " ")


def _name(metric: Metric) -> str:
    names = {"first_seat_share": "first seat wins", "last_seat_share": "last seat wins"}
    return names.get(metric.name, metric.name.replace("_", " "))


def _compare(folder: str, arm: ArmInfo) -> str:
    return f"reefsim compare {folder} --arm {arm.name} --arm {arm.baseline}"


def _try(info: RunInfo, goal: Goal, compared: Sequence[ArmInfo], game: str) -> Suggestion:
    """A change that was not played, with the command that plays it, or finds it."""
    toggles = _untried(info, compared, game)
    file = config_file(info.command)
    if toggles:
        change = f"Try other values of {listed(toggles[:2])}"
        following = f"reefsim sweep {shlex.quote(file) if file else 'FILE'}"
        how = "name the values under sweep: in the experiment file first"
    else:
        change = "Try a rule that bears on it"
        following = f"reefsim list toggles {game}"
        how = "add one of them as a second ruleset, and run the file again"
    return Suggestion(
        change=change,
        effect=(f"not played; what it does to how often the {_name(goal.metric)} is open",)
        if goal.metric.unit == "win share"
        else (f"not played; what it does to {_name(goal.metric)} is open",),
        cost="not played",
        confidence=f"none; {how}",
        following=following,
        status="try",
    )


def _untried(info: RunInfo, compared: Sequence[ArmInfo], game: str) -> list[str]:
    """Toggles that were changed, and have values that no arm plays."""
    ruleset = registry.info(game).ruleset if game in registry.names() else None
    choices = {
        toggle.name: len(toggle.values.names)
        for toggle in (ruleset.toggles() if ruleset else ())
        if isinstance(toggle.values, Choice)
    }
    arms = [*compared, *(_baseline(info, arm) for arm in compared)]
    changed = {name: value for arm in compared for name, value in arm.rules.items()}
    found = []
    for name, value in changed.items():
        played = {repr(arm.rules.get(name)) for arm in arms}  # None: as published
        there_are = 2 if isinstance(value, bool) else choices.get(name, math.inf)
        if len(played) < there_are:
            found.append(name)
    return found


def _baseline(info: RunInfo, arm: ArmInfo) -> ArmInfo:
    """What an arm is compared with: itself, if with nothing else."""
    return info.arm(info.baselines.get(arm.name, arm.name))


def config_file(command: str) -> str:
    """The experiment file in the command that played a run; empty if there is none.

    >>> config_file("reefsim run configs/a.yaml --seed 3")
    'configs/a.yaml'
    """
    words = shlex.split(command)
    return next((word for word in words if re.search(r"\.ya?ml$", word)), "")
