"""The section `tune`: toggles that are searched for a setting that meets what is wanted.

The search is a race (successive halving, Jamieson & Talwalkar 2016): all candidates play some
shuffles, the better half goes on to twice as many others, until the finalists are left.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from reefsim.core.allowed import Map, Whole
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import listing
from reefsim.sim.checks import Checker, Key, Later
from reefsim.sim.goals import BASELINE
from reefsim.sim.parts import MAX_ARMS
from reefsim.sim.stopping import MAX_REPLICATES, Stopping
from reefsim.sim.vary import KEYS, Varied, read_varied

MAX_TOGGLES, MAX_COMBINATIONS = 20, 1_000_000
_MOST_REFUSED = 3  # combinations that are told, of those the rules refuse
EXAMPLE = (
    "tune: {ruleset: published, lineup: casual_table, "
    "vary: {some_toggle: [3, 4, 5], other_toggle: [4, 5, 6]}}"
)
_BUDGET: dict[str, Key | Later] = {
    "candidates": Key(Whole(2, MAX_ARMS), 64),
    "replicates": Key(Whole(10, MAX_REPLICATES), 50),
    "finalists": Key(Whole(1, 20), 4),
}
_BUDGET_EXAMPLE = "budget: {candidates: 64, replicates: 50, finalists: 4}"


class Round(NamedTuple):
    """A round of the search: candidates that play, and shuffles each of them plays."""

    candidates: int
    replicates: int


@dataclass(frozen=True)
class Tune:
    """What is searched.

    Attributes
    ----------
    ruleset : name of the one that is changed, and that a setting has to beat
    lineup : name of the table
    settings : values of the toggles, by name of the candidate (candidate_7 is the seventh of all
        combinations)
    combinations : how many there are in all, that of `ruleset` left out
    replicates : shuffles of the first round
    finalists : candidates that are played again in fresh shuffles
    """

    ruleset: str
    lineup: str
    settings: dict[str, dict[str, Any]]
    combinations: int
    replicates: int
    finalists: int

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds of the search; none if all candidates are finalists."""
        found, left, replicates = [], len(self.settings), self.replicates
        while left > self.finalists:
            found.append(Round(left, replicates))
            left, replicates = max(self.finalists, left // 2), 2 * replicates
        return tuple(found)


def read_tune(
    check: Checker,
    top: Mapping[str, Any],
    rulesets: Mapping[str, Ruleset | None],
    lineups: Collection[str],
    seats: int | None,
    seed: int | None,
) -> tuple[Tune | None, dict[str, Ruleset]]:
    """Check `tune`; None if it is missing or wrong.

    Parameters
    ----------
    seed : draws the candidates, where there are more combinations than may be tried

    Returns
    -------
    what is searched, and the rulesets of its candidates by name
    """
    if "tune" not in top:
        return None, {}
    before = len(check.problems)
    keys = KEYS | {"budget": Key(Map("map with candidates, replicates, finalists"), {})}
    given = check.section(("tune",), top["tune"], keys, EXAMPLE)
    budget = check.section(("tune", "budget"), given["budget"], _BUDGET, _BUDGET_EXAMPLE)
    limit = f"Name 1 to {MAX_TOGGLES}."
    varied = read_varied(check, "tune", given, rulesets, lineups, seats, MAX_TOGGLES, limit)
    if budget["finalists"] >= budget["candidates"]:
        what = f"{budget['finalists']} finalists of {budget['candidates']} candidates."
        advice = "Nothing would be searched: name more candidates, or fewer finalists."
        check.fail(("tune", "budget"), what, advice)
    if varied is None or seats is None or seed is None:
        return None, {}
    path = ("tune", "vary")
    total = math.prod(map(len, varied.dials.values()))
    same = _same(varied, seats)  # of all combinations
    if total > MAX_COMBINATIONS:
        what = f"{total:,} combinations. At most {MAX_COMBINATIONS:,} can be drawn from."
        check.fail(path, what, "Name fewer values.")
    if len(check.problems) > before:
        return None, {}
    tried: dict[int, tuple[Ruleset, dict[str, Any]]] = {}
    base = varied.ruleset.for_players(seats)
    for number in _drawn(total, budget["candidates"], seed):
        changes = _combination(varied.dials, number)
        ruleset = varied.combined(check, changes, seats)
        if len(check.problems) >= before + _MOST_REFUSED:
            break
        if ruleset is None:
            continue
        if ruleset.for_players(seats) == base:
            continue
        if len(tried) == budget["candidates"]:
            break
        tried[number] = ruleset, changes
    found: dict[str, Ruleset] = {}
    settings: dict[str, dict[str, Any]] = {}
    for number, (ruleset, changes) in sorted(tried.items()):
        name = f"candidate_{number + 1}"
        if name in rulesets:
            check.fail(path, f"two rulesets would be named {name}.", "Rename yours.")
        found[name], settings[name] = ruleset, changes
    if not found and len(check.problems) == before:
        what = f"every combination is {varied.name} itself."
        check.fail(path, what, "Name values that differ from it.")
    if len(check.problems) > before:
        return None, {}
    chosen = (varied.name, varied.lineup, settings, total - same)
    return Tune(*chosen, budget["replicates"], budget["finalists"]), found


def _same(varied: Varied, seats: int) -> int:
    """How many combinations are the ruleset itself."""
    start = varied.ruleset
    base, values = start.for_players(seats), start.resolved()
    counts = [
        sum(start.make(values | {name: value}, seats).for_players(seats) == base for value in dial)
        for name, dial in varied.dials.items()
    ]
    return math.prod(counts)


def _drawn(total: int, wanted: int, seed: int) -> list[int]:
    """Numbers of combinations in the order in which they are tried: all, or a sample of them.

    A sample has one more than is wanted, for the ruleset itself may be one of them.
    """
    if total <= wanted:
        return list(range(total))
    return random.Random(seed).sample(range(total), wanted + 1)


def _combination(dials: Mapping[str, list[Any]], number: int) -> dict[str, Any]:
    """Values of a combination; the last toggle changes fastest."""
    found = {}
    for name in reversed(list(dials)):
        number, place = divmod(number, len(dials[name]))
        found[name] = dials[name][place]
    return {name: found[name] for name in dials}


def stages(tune: Tune, checked: int) -> list[tuple[str, int, int]]:
    """Name, settings and replicates of every part of a search.

    Parameters
    ----------
    checked : replicates of the check, in which the ruleset to beat plays, too
    """
    found = [(f"round {n}", *part) for n, part in enumerate(tune.rounds, start=1)]
    return [*found, ("check", min(tune.finalists, len(tune.settings)) + 1, checked)]


def goals_of(targets: Mapping[str, Any], lineup: str) -> dict[str, Any]:
    """Targets that every setting at a table can be asked for."""
    return {
        name: target
        for name, target in targets.items()
        if target.get("lineup") in (None, lineup) and target.get("ruleset") is None
    }


def check_tune(
    check: Checker,
    tune: Tune,
    targets: Mapping[str, Any],
    outcomes: Mapping[str, Any],
    design: Mapping[str, Any],
    stopping: Stopping | None,
    retune: bool,
) -> None:
    """Check that there is something to search for, and that candidates can be compared."""
    wishes = [
        name
        for name, claim in outcomes["primary"].items()
        if claim["claim"] in ("equivalent", "superior") and claim.get("to") != BASELINE
    ]
    if not wishes and not goals_of(targets, tune.lineup):
        others = f" ({listing(targets)}: at other tables, or of one ruleset)" if targets else ""
        what = f"nothing is wanted of every setting at {tune.lineup}{others}."
        advice = "Write for example targets: {length_rounds: {median: [14, 20]}}"
        check.fail(("tune",), what, advice, at_name=True)
    if design["pairing"] != "chance":
        what = f"{design['pairing']}. The candidates of a search play the same shuffles."
        check.fail(("design", "pairing"), what, "Write pairing: chance, or leave tune out.")
    if stopping is not None and stopping.rule == "decision":
        what = "decision. The finalists of a search are compared after the last of their games."
        check.fail(("stopping", "rule"), what, "Write rule: fixed or precision.")
    if retune:
        what = "players would be tuned for every candidate of the search anew."
        check.fail(("arms", "retune"), what, "Leave it out; retune the pick instead.", at_name=True)
