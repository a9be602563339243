"""The sweep of an experiment file: one or two toggles, each value an arm of its own."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Mapping
from typing import Any

from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import plain
from reefsim.sim.checks import Checker
from reefsim.sim.parts import MAX_ARMS, ArmNames
from reefsim.sim.vary import KEYS, read_varied

_EXAMPLE = "sweep: {ruleset: published, lineup: casual_table, vary: {some_toggle: [3, 4, 5]}}"


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
    rulesets by name, such as published_some_toggle_3, their arms, and the values of the dials
    behind each name
    """
    if "sweep" not in top:
        return {}, [], {}
    given = check.section(("sweep",), top["sweep"], KEYS, _EXAMPLE)
    varied = read_varied(
        check, "sweep", given, rulesets, lineups, seats, 2, "A sweep varies one or two."
    )
    if varied is None or seats is None:
        return {}, [], {}
    path = ("sweep", "vary")
    points = math.prod(map(len, varied.dials.values()))
    if points > MAX_ARMS:
        check.fail(path, f"{points} arms. At most {MAX_ARMS} can be played.")
        return {}, [], {}
    found: dict[str, Ruleset] = {}
    settings: dict[str, dict[str, Any]] = {}
    for values in itertools.product(*varied.dials.values()):
        changes = dict(zip(varied.dials, values, strict=True))
        ruleset = varied.combined(check, changes, seats)
        own = (f"{toggle}_{_as_name(changes[toggle])}" for toggle in changes)
        point = "_".join([varied.name, *own])
        if point in rulesets or point in found:
            check.fail(path, f"two rulesets would be named {point}. Rename '{varied.name}'.")
        elif ruleset is not None:
            found[point] = ruleset
            settings[point] = changes
    return found, [ArmNames(point, varied.lineup) for point in found], settings


def _as_name(value: Any) -> str:
    """Write a value with letters, digits and _ only: 6_7_9 for [6, 7, 9]."""
    return re.sub(r"[^A-Za-z0-9]+", "_", plain(value)).strip("_")
