"""Outcomes and targets of an experiment file: what is claimed, and what the designer wants."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reefsim.core.allowed import Allowed, Anything, Choice, Either, Fault, ListOf, Number, Text
from reefsim.core.metric import Metric
from reefsim.core.wording import did_you_mean, listing, show
from reefsim.sim.checks import REQUIRED, Checker, Key, Later
from reefsim.sim.stopping import WIN_SHARE

CLAIMS = ("differs", "equivalent", "superior")
BASELINE, FAIR = "baseline", "1/seats"
_MARGINS = {"share": "margin_pp", "number": "margin"}


@dataclass(frozen=True)
class Band(Allowed):
    """A lower and an upper end."""

    low: float | None = None
    high: float | None = None

    types = (list, tuple)

    def _text(self) -> str:
        return "list [low, high]"

    def _inside(self, value: Any) -> Iterator[Fault]:
        if len(value) != 2:
            yield Fault((), f"{show(value)} is not a low and a high end", "Write [low, high].")
            return
        ends = Number(self.low, self.high)
        faults = [Fault((i, *f[0]), f[1], f[2]) for i in (0, 1) for f in ends.faults(value[i])]
        yield from faults
        if not faults and value[0] > value[1]:
            yield Fault((), f"the low end {value[0]} is above the high end {value[1]}")


_PLACES: dict[str, Key | Later] = {
    "lineup": Key(Text("name of a lineup")),
    "ruleset": Key(Text("name of a ruleset")),
}
_TARGETS: dict[str, dict[str, Key | Later]] = {
    "number": {"median": Key(Band()), "mean": Key(Band()), "p95_below": Key(Number())},
    "share": {"below": Key(Number(0, 1)), "above": Key(Number(0, 1)), "between": Key(Band(0, 1))},
}
_NAMED: dict[str, Key | Later] = {
    "agent": Key(Text("name of an agent")),
    "share_below": Key(Number(0, 1)),
    "share_above": Key(Number(0, 1)),
    "share_between": Key(Band(0, 1)),
}


Metrics = Mapping[str, Metric]  # by name, those of the game


def read_outcomes(
    check: Checker, top: dict[str, Any], metrics: Metrics, seats: int | None
) -> dict[str, Any]:
    """Check `outcomes` and return it with its defaults filled in."""
    path = ("outcomes",)
    found: dict[str, Any] = {"primary": {}, "secondary": [], "correction": {}}
    if "outcomes" not in top:
        return found
    example = "outcomes: {primary: {first_seat_share: {claim: equivalent, margin_pp: 2.0}}}"
    given = check.mapping(path, top["outcomes"], example) or {}
    for name in given:
        if name not in found:
            check.unknown((*path, name), found)
    if "correction" in given:
        keys: dict[str, Key | Later] = {
            "primary": Key(Choice(("holm",))), "secondary": Key(Choice(("bh",))),
        }  # fmt: skip
        correction = check.section(
            (*path, "correction"), given["correction"], keys, "{primary: holm, secondary: bh}"
        )
        found["correction"] = {name: value for name, value in correction.items() if value}
    if "primary" in given:
        found["primary"] = _primary(check, given["primary"], metrics, seats)
        if len(found["primary"]) > 1 and "primary" not in found["correction"]:
            what = f"{len(found['primary'])} primary outcomes without a correction."
            advice = "Name one, or write correction: {primary: holm}."
            check.fail((*path, "primary"), what, advice)
    if "secondary" in given:
        found["secondary"] = _secondary(check, given["secondary"], metrics)
    return found


def _primary(check: Checker, value: Any, metrics: Metrics, seats: int | None) -> dict[str, Any]:
    path = ("outcomes", "primary")
    example = "primary: {first_seat_share: {claim: equivalent, margin_pp: 2.0}}"
    found = {}
    for name, item in (check.mapping(path, value, example) or {}).items():
        here = (*path, name)
        if not _is_metric(check, here, name, metrics, at_name=True):
            continue
        metric = metrics[name]
        margin = _MARGINS.get(metric.kind)
        if margin is None:
            what = f"{name} is a category, which is not larger or smaller."
            check.fail(here, what, f"It can be secondary: [{name}].", at_name=True)
            continue
        is_share = metric.kind == "share"
        wins = metric.unit == WIN_SHARE
        to = Either((Choice((FAIR, BASELINE) if wins else (BASELINE,)), Number(*_range(is_share))))
        keys: dict[str, Key | Later] = {"claim": Key(Choice(CLAIMS), REQUIRED)}
        keys |= {"to": Key(to), "than": Key(to)}
        keys |= {margin: Key(Number(0, 100 if is_share else None))}
        claim = check.section(here, item, keys, f"{{claim: equivalent, {margin}: 2.0}}")
        _than(check, here, claim)
        claim["to"] = claim["to"] if claim["to"] is not None else (FAIR if wins else BASELINE)
        if claim["claim"] == "equivalent" and margin not in item:
            check.fail(here, _needs_margin(margin, metric.unit, seats))
        elif claim["claim"] == "equivalent" and claim[margin] == 0:
            what = f"'claim: equivalent' needs a '{margin}' above 0."
            check.fail((*here, margin), what, "No number of games shows a difference of 0.")
        found[name] = {key: setting for key, setting in claim.items() if setting is not None}
    return found


def _range(is_share: bool) -> tuple[float | None, float | None]:
    return (0, 1) if is_share else (None, None)


def _than(check: Checker, here: tuple[Any, ...], claim: dict[str, Any]) -> None:
    """Let `than` stand for `to` where something is superior."""
    than = claim.pop("than")
    if than is None:
        return
    if claim["to"] is not None:
        check.fail((*here, "than"), "'to' says the same.", "Keep one.", at_name=True)
    elif claim["claim"] not in ("superior", None):
        advice = "Write to: instead."
        check.fail((*here, "than"), "goes with claim: superior.", advice, at_name=True)
    claim["to"] = than


def check_compared(
    check: Checker, outcomes: Mapping[str, Any], rulesets: Collection[str], baseline: str
) -> None:
    """Check that primary outcomes that are compared with the baseline have something to compare.

    Parameters
    ----------
    rulesets : those that are played
    baseline : name of the one the others are compared with
    """
    if not rulesets or set(rulesets) != {baseline}:
        return
    for name, claim in outcomes["primary"].items():
        if claim.get("to") == BASELINE:
            what = f"compared with the baseline, but every arm plays it ({baseline})."
            advice = f"Add a ruleset, or name a number: {{claim: {claim['claim']}, to: ...}}."
            check.fail(("outcomes", "primary", name), what, advice)


def _needs_margin(margin: str, unit: str, seats: int | None) -> str:
    if margin == "margin":
        return (
            "'claim: equivalent' needs 'margin', the difference "
            f"in {unit} you would still call the same."
        )
    size = f"with {seats} seats it needs about {_games_to_confirm(seats)} games" if seats else ""
    text = "'claim: equivalent' needs 'margin_pp', the difference you would still call fair."
    return f"{text} 2.0 is common; {size} per arm to confirm." if size else f"{text} 2.0 is common."


def _games_to_confirm(seats: int, margin: float = 0.02) -> str:
    """Independent games for equivalence with power .9 if truly fair, to two digits.

    Two one-sided tests at 5 %: n = (z.95 + z.95)^2 p (1 - p) / margin^2, where the second z.95
    is that of the power, half of the missing tenth for each test.
    """
    share = 1 / seats
    games = round((2 * 1.6448536) ** 2 * share * (1 - share) / margin**2)
    return f"{round(games, 2 - len(str(games))):,}"


def _secondary(check: Checker, value: Any, metrics: Metrics) -> list[str]:
    path = ("outcomes", "secondary")
    wanted = ListOf(Anything(), "metrics", unique=True)
    names = check.value(path, value, wanted, ())
    return [name for i, name in enumerate(names) if _is_metric(check, (*path, i), name, metrics)]


def read_targets(
    check: Checker,
    top: dict[str, Any],
    metrics: Metrics,
    lineups: Mapping[str, tuple[str, ...]],
    played: Collection[tuple[str, str]],
) -> dict[str, Any]:
    """Check `targets`: metrics, or names of the user's own, and for each what is wanted of it.

    Parameters
    ----------
    lineups : agents by name of the line-up
    played : ruleset and line-up of every arm
    """
    path = ("targets",)
    found: dict[str, Any] = {}
    if "targets" not in top:
        return found
    given = check.mapping(path, top["targets"], "targets: {length_rounds: {median: [14, 20]}}")
    for name, item in (given or {}).items():
        here = (*path, name)
        is_named = name not in metrics and isinstance(item, dict) and "lineup" in item
        if not is_named and not _is_metric(check, here, name, metrics, at_name=True):
            continue
        keys = _NAMED if is_named else _TARGETS.get(metrics[name].kind)
        if keys is None:
            check.fail(here, f"{name} is a category and cannot have a target.", at_name=True)
            continue
        example = "{below: 0.001}"
        if is_named:
            example = "{lineup: one_expert, share_above: 0.5}"
        elif "median" in keys:
            example = "{median: [14, 20]}"
        wanted = check.section(here, item, keys | _PLACES, example)
        found[name] = {key: limit for key, limit in wanted.items() if limit is not None}
        if isinstance(item, dict) and not (set(item) - {*_PLACES, "agent"}):
            check.fail(here, "no target.", f"Write for example {example}")
        _check_places(check, here, found[name], lineups, played)
        if is_named:
            _find_agent(check, here, found[name], lineups)
    return found


def _check_places(
    check: Checker,
    here: tuple[Any, ...],
    target: Mapping[str, Any],
    lineups: Mapping[str, tuple[str, ...]],
    played: Collection[tuple[str, str]],
) -> None:
    """Check that some arm has the line-up and ruleset a target is about."""
    ruleset, lineup = target.get("ruleset"), target.get("lineup")
    if lineup is not None and not check.defined((*here, "lineup"), lineup, lineups, "lineups"):
        return
    names = {arm[0] for arm in played}
    if ruleset is not None and not check.defined((*here, "ruleset"), ruleset, names, "rulesets"):
        return
    fitting = [arm for arm in played if ruleset in (None, arm[0]) and lineup in (None, arm[1])]
    if played and not fitting:
        what = " with ".join(f"'{name}'" for name in (ruleset, lineup) if name is not None)
        tables = listing(dict.fromkeys(arm[1] for arm in played))
        check.fail(here, f"no arm plays {what}.", f"Lineups played: {tables}.")


def _find_agent(
    check: Checker,
    here: tuple[Any, ...],
    target: dict[str, Any],
    lineups: Mapping[str, tuple[str, ...]],
) -> None:
    """Fill in the agent a target is about: the single one of its line-up."""
    lineup = lineups.get(target.get("lineup", ""), ())
    if not lineup:
        return
    single = [name for name in dict.fromkeys(lineup) if lineup.count(name) == 1]
    if "agent" in target:
        names = list(dict.fromkeys(lineup))
        check.defined((*here, "agent"), target["agent"], names, f"lineups.{target['lineup']}")
    elif len(single) == 1 and len(lineup) > 2:
        target["agent"] = single[0]
    else:
        what = f"whose share? {target['lineup']} has no single agent among others."
        check.fail(here, what, f"Write agent: {lineup[0]}")


def _is_metric(
    check: Checker, path: tuple[Any, ...], name: Any, metrics: Metrics, *, at_name: bool = False
) -> bool:
    if isinstance(name, str) and name in metrics:
        return True
    question = did_you_mean(name, metrics)
    what = f"{show(name)} is not a metric."
    check.fail(path, what, question, "See: reefsim list metrics", at_name=at_name)
    return False
