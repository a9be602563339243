"""The sweep of an experiment file: one or two toggles, each value an arm of its own."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Mapping
from typing import Any

from reefsim.core.allowed import Anything, ListOf, Map, Text
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import plain, show
from reefsim.sim.checks import REQUIRED, Checker, Key, Later
from reefsim.sim.parts import MAX_ARMS, ArmNames

_EXAMPLE = "sweep: {ruleset: published, lineup: casual_table, vary: {feed_return: [3, 4, 5]}}"
_KEYS: dict[str, Key | Later] = {
    "ruleset": Key(Text("name of a ruleset"), REQUIRED),
    "lineup": Key(Text("name of a lineup"), REQUIRED),
    "vary": Key(Map("map from toggles to lists of values"), REQUIRED),
}


def read_sweep(
    check: Checker,
    top: Mapping[str, Any],
    rulesets: Mapping[str, Ruleset | None],
    lineups: Collection[str],
    seats: int | None,
) -> tuple[dict[str, Ruleset], list[ArmNames], dict[str, dict[str, Any]]]:
    """Check `sweep`: every value of one or two toggles becomes a ruleset and an arm of its own.

    Returns
    -------
    rulesets by name, such as published_feed_return_3, their arms, and the values of the dials
    behind each name
    """
    if "sweep" not in top:
        return {}, [], {}
    given = check.section(("sweep",), top["sweep"], _KEYS, _EXAMPLE)
    name, lineup, vary = given["ruleset"], given["lineup"], given["vary"]
    start = None
    if name is not None and check.defined(("sweep", "ruleset"), name, rulesets, "rulesets"):
        start = rulesets[name]
    if lineup is not None:
        check.defined(("sweep", "lineup"), lineup, lineups, "lineups")
    if start is None or vary is None or seats is None:
        return {}, [], {}
    path = ("sweep", "vary")
    if not 1 <= len(vary) <= 2:
        check.fail(path, f"{len(vary)} toggles. A sweep varies one or two.")
        return {}, [], {}
    dials = {toggle: _dial(check, toggle, vary[toggle], start, seats) for toggle in vary}
    points = math.prod(map(len, dials.values()))
    if points > MAX_ARMS:
        check.fail(path, f"{points} arms. At most {MAX_ARMS} can be played.")
        return {}, [], {}
    found: dict[str, Ruleset] = {}
    settings: dict[str, dict[str, Any]] = {}
    for values in itertools.product(*dials.values()):
        changes = dict(zip(dials, values, strict=True))
        ruleset = _point(check, start, changes, seats)
        point = "_".join([name, *(f"{toggle}_{_as_name(changes[toggle])}" for toggle in changes)])
        if point in rulesets or point in found:
            check.fail(path, f"two rulesets would be named {point}. Rename '{name}'.")
        elif ruleset is not None:
            found[point] = ruleset
            settings[point] = changes
    return found, [ArmNames(point, lineup) for point in found], settings


def _as_name(value: Any) -> str:
    """Write a value with letters, digits and _ only: 6_7_9 for [6, 7, 9]."""
    return re.sub(r"[^A-Za-z0-9]+", "_", plain(value)).strip("_")


def _point(check: Checker, start: Ruleset, changes: dict[str, Any], seats: int) -> Ruleset | None:
    values = start.resolved() | changes
    problems = start.problems(values, seats)
    for _, message in problems:
        check.fail(("sweep", "vary"), f"{plain(changes)} do not go together:", message)
    return None if problems else start.make(values, seats)


def _dial(check: Checker, name: Any, values: Any, start: Ruleset, seats: int) -> list[Any]:
    """Check one toggle of the sweep; return the values that can be played."""
    path = ("sweep", "vary", name)
    rules = type(start)
    if name not in rules.model_fields:
        for _, message in rules.problems({name: None}):
            check.fail(path, message, at_name=True)
        return []
    found: list[Any] = []
    listed = ListOf(Anything(), f"values for {name}", least=1)
    for place, value in enumerate(check.value(path, values, listed, ())):
        problems = rules.problems(start.resolved() | {name: value}, seats)
        for inner, message in problems:
            check.fail((*path, place, *(inner[1:] if inner[0] == name else ())), message)
        if not problems and value in found:
            check.fail((*path, place), f"{show(value)} stands twice in the list.", "Keep one.")
        elif not problems:
            found.append(value)
    return found
