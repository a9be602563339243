"""Toggles that a section of the file varies: lists of values, and the rulesets they lead to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from reefsim.core.allowed import Anything, ListOf, Map, Text
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import plain, show
from reefsim.sim.checks import REQUIRED, Checker, Key, Later

KEYS: dict[str, Key | Later] = {
    "ruleset": Key(Text("name of a ruleset"), REQUIRED),
    "lineup": Key(Text("name of a lineup"), REQUIRED),
    "vary": Key(Map("map from toggles to lists of values"), REQUIRED),
}


@dataclass(frozen=True)
class Varied:
    """What a section varies: from which ruleset on, at which table, and the values by toggle."""

    section: str
    name: str
    ruleset: Ruleset
    lineup: str
    dials: dict[str, list[Any]]

    def combined(self, check: Checker, changes: dict[str, Any], seats: int) -> Ruleset | None:
        """Ruleset with these values; None, and a mistake, if its rules do not go together."""
        values = self.ruleset.resolved() | changes
        problems = self.ruleset.problems(values, seats)
        for _, message in problems:
            path = (self.section, "vary")
            check.fail(path, f"{plain(changes)} do not go together:", message)
        return None if problems else self.ruleset.make(values, seats)


def read_varied(
    check: Checker,
    section: str,
    given: Mapping[str, Any],
    rulesets: Mapping[str, Ruleset | None],
    lineups: Collection[str],
    seats: int | None,
    most: int,
    limit: str,
) -> Varied | None:
    """Check what a section varies; None if there is too little to go on.

    Parameters
    ----------
    given : the entries of the section, checked by `KEYS`
    most, limit : number of toggles it may vary, and the sentence that says so
    """
    name, lineup, vary = given["ruleset"], given["lineup"], given["vary"]
    start = None
    if name is not None and check.defined((section, "ruleset"), name, rulesets, "rulesets"):
        start = rulesets[name]
    if lineup is not None:
        check.defined((section, "lineup"), lineup, lineups, "lineups")
    if start is None or vary is None or seats is None:
        return None
    if not 1 <= len(vary) <= most:
        check.fail((section, "vary"), f"{len(vary)} toggles.", limit)
        return None
    dials = {toggle: _dial(check, section, toggle, vary[toggle], start, seats) for toggle in vary}
    return Varied(section, name, start, lineup, dials)


def _dial(
    check: Checker, section: str, name: Any, values: Any, start: Ruleset, seats: int
) -> list[Any]:
    """Check one toggle that is varied; return the values that can be played."""
    path = (section, "vary", name)
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
