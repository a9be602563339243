"""Two arms side by side: of one run, or of two."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from reefsim.core.metric import Metric
from reefsim.core.wording import did_you_mean, listing, sentences
from reefsim.errors import RunError
from reefsim.logs.read import Run
from reefsim.metrics.catalog import known
from reefsim.stats.claim import Claim
from reefsim.stats.claims import answer_claims
from reefsim.stats.values import ReplicateValues, read_values

USUAL = (
    *("first_seat_share", "last_seat_share", "length_rounds", "length_turns", "length_plies"),
    *("margin_points", "winning_score", "truncated_share"),
)
_UNCHANGED = "as published"


@dataclass(frozen=True)
class Comparison:
    """Arms compared, metric by metric.

    Attributes
    ----------
    table : one row per pair of arms, metric and seat: outcome (the metric), seat, unit, kind, arm,
        against, value, against_value, estimate (value less against_value over the same replicates)
        with low and high, replicates, paired, gain, p, p_holm (over all rows), verdict, note
    rules : for each pair of arms, the toggles that differ: name, value of the arm, of the other
    is_paired : whether the arms share their shuffles
    why : why not, if they do not
    """

    table: pd.DataFrame
    rules: dict[tuple[str, str], list[tuple[str, Any, Any]]]
    is_paired: bool
    why: str


def compare(
    run: Run,
    arm: str | None = None,
    against: str | None = None,
    *,
    other: Run | None = None,
    metrics: Sequence[str] | None = None,
) -> Comparison:
    """Compare arms of one run, or of two: `compare(run, "advanced", "published").table`.

    Replicates are paired where seeds and design allow.

    Parameters
    ----------
    run : an open run
    arm : name of an arm, or of a ruleset: then every arm that plays it, each with the arm of the
        same table; None, with another run: every arm that both have
    against : the same for what it is compared with
    other : run that `against` belongs to; None: the same run
    metrics : names; None: length, balance, margin, and what the experiment asks for

    Returns
    -------
    Comparison

    Raises
    ------
    RunError : if there is no such arm or metric, or the runs are of different games or seats
    """
    pairs = _pairs(run, arm, against, other)
    is_paired, why = _pairing(run, other)
    names = _metrics(run, metrics)
    ours = read_values(run, names, list(dict.fromkeys(pair[0] for pair in pairs)))
    source = run if other is None else other
    theirs = read_values(source, names, list(dict.fromkeys(pair[1] for pair in pairs)))
    labels = ("", "") if other is None else (f"{run.folder.name}: ", f"{source.folder.name}: ")
    if other is not None and labels[0] == labels[1]:
        labels = ("first: ", "second: ")
    values = _joined(_renamed(ours, labels[0]), _renamed(theirs, labels[1]))
    claims = list(_claims(run, names, pairs, labels))
    manifest = {
        "pairing": "chance" if is_paired else "none",
        "experiment": {"outcomes": {"correction": {"primary": "holm"}}},
    }
    table = answer_claims(claims, values, manifest)
    table["against_value"] = [
        _mean(values.of(replace(claim, arm=claim.against)).series) for claim in claims
    ]
    table = table.rename(columns={"p_adjusted": "p_holm"})
    rules = {
        (labels[0] + one, labels[1] + two): _differences(_arm(run, one), _arm(source, two))
        for one, two in pairs
    }
    wanted = (
        *("outcome", "seat", "unit", "kind", "claim", "null", "arm", "against"),
        *("value", "against_value", "estimate", "low", "high", "replicates", "paired", "gain"),
        *("p", "p_holm", "answer", "verdict", "method", "note"),
    )
    return Comparison(table[list(wanted)], rules, is_paired, why)


def _mean(values: pd.Series[float]) -> float:
    return float(values.mean()) if len(values) else math.nan


def _arm(run: Run, name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(arm for arm in run.manifest["arms"] if arm["name"] == name)
    return found


def _pairs(
    run: Run, arm: str | None, against: str | None, other: Run | None
) -> list[tuple[str, str]]:
    source = run if other is None else other
    if arm is None and against is None and other is not None:
        common = [name for name in run.arms if name in other.arms]
        if common:
            return [(name, name) for name in common]
        if len(run.arms) == len(other.arms) == 1:
            return [(run.arms[0], other.arms[0])]
        what = f"{run.folder} and {other.folder} have no arm of the same name."
        raise RunError(f"{what} Name one of each with --arm: {_arms(run)}; {_arms(other)}.")
    if arm is None or against is None:
        raise RunError(f"{run.folder}: name two arms with --arm. Arms: {_arms(run)}.")
    ours, theirs = _named(run, arm), _named(source, against)
    if len(ours) == 1 and len(theirs) == 1:
        return [(ours[0], theirs[0])]
    pairs = [
        (one, two)
        for one in ours
        for two in theirs
        if Counter(_arm(run, one)["lineup"]) == Counter(_arm(source, two)["lineup"])
    ]
    if not pairs:
        raise RunError(f"{run.folder}: '{arm}' and '{against}' share no line-up.")
    return pairs


def _named(run: Run, name: str) -> list[str]:
    """Arms of this name, or that play a ruleset of this name."""
    if name in run.arms:
        return [name]
    found = [arm["name"] for arm in run.manifest["arms"] if arm["ruleset"] == name]
    if found:
        return found
    rulesets = dict.fromkeys(arm["ruleset"] for arm in run.manifest["arms"])
    question = did_you_mean(name, [*run.arms, *rulesets])
    what = f"{run.folder}: '{name}' is not an arm or ruleset."
    raise RunError(sentences(what, question, f"Arms: {_arms(run)}."))


def _arms(run: Run) -> str:
    return listing(run.arms)


def _pairing(run: Run, other: Run | None) -> tuple[bool, str]:
    """Whether replicates share their shuffles, and why not."""
    ours = run.manifest
    theirs = ours if other is None else other.manifest
    for name in ("game", "seats"):
        if ours[name] != theirs[name]:
            what = f"{ours[name]} and {theirs[name]}"
            raise RunError(f"{run.folder}: other {name} than the other run ({what}).")
    if "none" in (ours["pairing"], theirs["pairing"]):
        return False, "the arms do not share their shuffles (design.pairing: none)"
    if ours.get("seed") != theirs.get("seed"):
        return False, f"the runs have different seeds ({ours.get('seed')}, {theirs.get('seed')})"
    if ours["rules_source"] != theirs["rules_source"]:
        return False, "the runs were played by different versions of the rules"
    return True, ""


def _metrics(run: Run, names: Sequence[str] | None) -> list[str]:
    metrics = known(run.manifest["game"])
    if names is None:
        asked = run.manifest["experiment"]
        outcomes = asked.get("outcomes") or {}
        wanted = [*(outcomes.get("primary") or {}), *(outcomes.get("secondary") or ())]
        wanted += [*(asked.get("targets") or {}), *USUAL]
        return [name for name in dict.fromkeys(wanted) if name in metrics]
    for name in names:
        if name not in metrics:
            question = did_you_mean(name, metrics)
            raise RunError(
                sentences(f"'{name}' is not a metric.", question, "See: reefsim list metrics")
            )
    return list(dict.fromkeys(names))


def _claims(
    run: Run,
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    labels: tuple[str, str],
) -> list[Claim]:
    metrics = known(run.manifest["game"])
    seats = int(run.manifest["seats"])
    found = []
    for one, two in pairs:
        for metric in (metrics[name] for name in names if metrics[name].kind != "category"):
            places: Sequence[int | None] = [None] if metric.per == "game" else range(seats)
            found += [
                _claim(metric, labels[0] + one, labels[1] + two, seat, seats) for seat in places
            ]
    return found


def _claim(metric: Metric, arm: str, against: str, seat: int | None, seats: int) -> Claim:
    return Claim(metric.name, metric, "differs", arm, against, 0.0, seat=seat, seats=seats)


def _renamed(values: ReplicateValues, label: str) -> ReplicateValues:
    def rename(table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(arm=label + table["arm"].astype(str))

    seatings = {label + name: number for name, number in values.seatings.items()}
    return ReplicateValues(rename(values.games), rename(values.seats), seatings)


def _joined(one: ReplicateValues, two: ReplicateValues) -> ReplicateValues:
    def join(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
        if not len(first) or not len(second):
            return first if len(first) else second
        return pd.concat([first, second], ignore_index=True)

    seatings = one.seatings | two.seatings
    return ReplicateValues(join(one.games, two.games), join(one.seats, two.seats), seatings)


def _differences(one: Mapping[str, Any], two: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """Toggles in which two arms differ; those that an arm does not name are as published."""
    ours, theirs = one["rules"], two["rules"]
    return [
        (name, ours.get(name, _UNCHANGED), theirs.get(name, _UNCHANGED))
        for name in dict.fromkeys([*ours, *theirs])
        if ours.get(name, _UNCHANGED) != theirs.get(name, _UNCHANGED)
    ]
