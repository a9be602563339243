"""The parts of an experiment file that the user names: rulesets, agents, lineups, arms."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from reefsim.agents.kinds import KINDS, is_own_class, param_problems, resolve_params
from reefsim.agents.records import MAX_WIDTH
from reefsim.agents.weights import AUTO, BY_HAND, read_weights
from reefsim.core.allowed import Anything, Either, Flag, ListOf, Map, Text, Whole
from reefsim.core.presets import package_dir, presets
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import did_you_mean, listing, plain, show
from reefsim.errors import ConfigError
from reefsim.games.registry import GameInfo
from reefsim.sim.checks import REQUIRED, Checker, Key, Later

MAX_ARMS = 1000

_ARMS: dict[str, Key | Later] = {
    "cross": Key(Map("map with ruleset and lineup"), {}),
    "baseline": Key(Map("map with ruleset")),
    "retune": Key(Either((Flag(), Map("map with the budget")))),
}
RETUNE: dict[str, Key | Later] = {
    "generations": Key(Whole(1, 10_000), 25),
    "population": Key(Whole(4, 1000), 12),
    "replicates": Key(Whole(1, 100_000), 30),
    "check": Key(Whole(2, 100_000), 200),
    "width": Key(Whole(1, MAX_WIDTH), 4),
}
_CROSS: dict[str, Key | Later] = {
    "ruleset": Key(ListOf(Text("name"), "names under rulesets", unique=True, least=1)),
    "lineup": Key(ListOf(Text("name"), "names under lineups", unique=True, least=1)),
}
_BASELINE: dict[str, Key | Later] = {"ruleset": Key(Text("name of a ruleset"), REQUIRED)}


@dataclass(frozen=True)
class AgentSpec:
    """An agent as the experiment file defines it, its parameters filled with the defaults."""

    name: str
    kind: str
    params: dict[str, Any]


class ArmNames(NamedTuple):
    """The names of an arm's ruleset and lineup, before the arm is built."""

    ruleset: str
    lineup: str


def _named(check: Checker, section: str, top: Mapping[str, Any], example: str) -> dict[str, Any]:
    return check.names((section,), top[section], example) if section in top else {}


def read_rulesets(
    check: Checker, top: Mapping[str, Any], info: GameInfo | None, seats: int | None
) -> dict[str, Ruleset | None]:
    """Check `rulesets`; one with a mistake is None, so that its name still counts as defined."""
    try:
        known = presets(info.name, package_dir(info.ruleset)) if info else {}
    except ConfigError as error:
        check.problems += error.problems
        known = {}
    found: dict[str, Ruleset | None] = {}
    for name, item in _named(check, "rulesets", top, "rulesets: {published: {}}").items():
        path = ("rulesets", name)
        found[name] = None
        differences = check.mapping(path, item, "{} (no difference) or {some_toggle: 5}")
        if info is None or differences is None:
            continue
        start: dict[str, Any] = {}
        if "preset" in differences:
            preset = differences["preset"]
            if not isinstance(preset, str) or preset not in known:
                what = f"{show(preset)} is not a preset of {info.name}."
                names = f"Presets: {', '.join(known)}."
                check.fail((*path, "preset"), what, did_you_mean(preset, known), names)
            else:
                start = known[preset]
        own = {str(key): setting for key, setting in differences.items() if key != "preset"}
        problems = info.ruleset.problems(start | own, seats)
        for inner, message in problems:
            unknown = inner[0] not in info.ruleset.model_fields
            check.fail(path + inner, message, at_name=unknown)
        if not problems and seats is not None:
            found[name] = info.ruleset.make(start | own, seats)
    return found


def read_agents(
    check: Checker, top: Mapping[str, Any], info: GameInfo | None, folder: Path
) -> dict[str, AgentSpec | None]:
    """Check `agents`; one with a mistake is None, so that its name still counts as defined.

    A kind `module:Class` is imported, which runs the user's code; the module is looked for in
    `folder`, too.
    """
    found: dict[str, AgentSpec | None] = {}
    example = "agents: {casual: {kind: greedy, noise: 0.15}}"
    for name, item in _named(check, "agents", top, example).items():
        path = ("agents", name)
        found[name] = None
        settings = check.mapping(path, item, "{kind: greedy, noise: 0.15}")
        if settings is None:
            continue
        kind = settings.get("kind")
        if "kind" not in settings:
            check.fail((*path, "kind"), "missing.", "Write for example {kind: greedy}")
        elif not isinstance(kind, str) or not (kind in KINDS or is_own_class(kind)):
            kinds = f"Kinds: {', '.join(KINDS)}, or a class of yours as module:Class."
            what = f"{show(kind)} is not a kind of agent."
            check.fail((*path, "kind"), what, did_you_mean(kind, KINDS), kinds)
        else:
            params = {str(key): setting for key, setting in settings.items() if key != "kind"}
            problems = param_problems(kind, params, folder, info.game if info else None)
            for param, message in problems:
                unknown = kind in KINDS and param not in KINDS[kind].params.model_fields
                check.fail((*path, param), message, at_name=unknown)
            if not problems and _can_judge(check, path, kind, params, info, folder):
                found[name] = AgentSpec(name, kind, resolve_params(kind, params))
    return found


def _can_judge(
    check: Checker,
    path: tuple[str, ...],
    kind: str,
    params: Mapping[str, Any],
    info: GameInfo | None,
    folder: Path,
) -> bool:
    """Check the weights file an agent names; its mistakes are listed with their own places."""
    setting = params.get("weights", AUTO)
    if info is None or is_own_class(kind) or setting in (AUTO, BY_HAND):
        return True
    try:
        read_weights(folder / setting, info.game)
    except ConfigError as error:
        if not error.problems[0].line:  # there is no text to read
            check.fail((*path, "weights"), f"{show(setting)} {error.problems[0].message}.")
        else:
            check.fail((*path, "weights"), f"{show(setting)} cannot be used: it has mistakes.")
            check.problems += error.problems
        return False
    return True


def read_lineups(
    check: Checker, top: Mapping[str, Any], agents: Collection[str], seats: int | None
) -> dict[str, tuple[str, ...]]:
    """Check `lineups`: as many names of agents as there are seats."""
    found: dict[str, tuple[str, ...]] = {}
    example = "lineups: {casual_table: [casual, casual]}"
    for name, item in _named(check, "lineups", top, example).items():
        path = ("lineups", name)
        found[name] = ()
        if check.value(path, item, ListOf(Anything(), "names of agents", least=1)) is None:
            continue
        if seats is not None and len(item) != seats:
            defined = [agent for agent in item if isinstance(agent, str) and agent in agents]
            filled = [*defined, *[*defined[:1], *agents, "casual"][:1] * seats][:seats]
            count = f"{len(item)} agent{'' if len(item) == 1 else 's'} for {seats} seats."
            exact = f"Give exactly {seats} names, for example {plain(filled)}."
            check.fail(path, count, exact)
        known = [check.defined((*path, i), agent, agents, "agents") for i, agent in enumerate(item)]
        if all(known):
            found[name] = tuple(item)
    return found


def read_arms(
    check: Checker, top: Mapping[str, Any], rulesets: Collection[str], lineups: Collection[str]
) -> tuple[list[ArmNames], str, dict[str, int]]:
    """Check `arms`; without it, every ruleset is played with every lineup.

    Returns
    -------
    arms in order; the ruleset that the others are compared with: the named baseline, else the
    first ruleset of the arms; and how long the agents are tuned for each arm, empty if they are not
    """
    example = "arms: {cross: {ruleset: [published], lineup: [casual_table]}}"
    arms = check.section(("arms",), top.get("arms", {}), _ARMS, example)
    cross = check.section(("arms", "cross"), arms["cross"], _CROSS, "{ruleset: [published]}")
    chosen = {}
    for side, known in (("ruleset", rulesets), ("lineup", lineups)):
        path, names = ("arms", "cross", side), known if cross[side] is None else cross[side]
        chosen[side] = [
            name
            for i, name in enumerate(names)
            if check.defined((*path, i), name, known, f"{side}s")
        ]
    count = len(chosen["ruleset"]) * len(chosen["lineup"])
    if count > MAX_ARMS:
        check.fail(("arms",), f"{count} arms. At most {MAX_ARMS} can be played.")
    crossed = itertools.product(chosen["ruleset"], chosen["lineup"])
    pairs = [ArmNames(*pair) for pair in itertools.islice(crossed, MAX_ARMS)]
    baseline = next(iter(chosen["ruleset"]), "")
    if arms["baseline"] is not None:
        here = ("arms", "baseline")
        given = check.section(here, arms["baseline"], _BASELINE, "{ruleset: published}")
        if given["ruleset"] is not None:
            baseline = given["ruleset"]
            check_played(check, (*here, "ruleset"), baseline, rulesets, chosen["ruleset"])
    retune = arms["retune"] if isinstance(arms["retune"], dict) else {}
    budget = check.section(("arms", "retune"), retune, RETUNE, "{generations: 25}")
    return pairs, baseline, budget if arms["retune"] not in (None, False) else {}


def check_played(
    check: Checker, path: tuple[str, ...], name: Any, defined: Collection[str], played: list[str]
) -> None:
    """Check that a ruleset is defined and that some arm plays it.

    Where nothing is played there is a mistake with a message of its own.
    """
    if check.defined(path, name, defined, "rulesets") and played and name not in played:
        check.fail(path, f"no arm plays '{name}'.", f"Played: {listing(played)}.")
