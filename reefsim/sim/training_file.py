"""The file of `reefsim train`: for which rules and numbers of seats weights are tuned, how long."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reefsim.agents.weights import AUTO, BY_HAND, find_weights
from reefsim.core.allowed import Choice, Either, ListOf, Map, Text, Whole
from reefsim.core.datafiles import looking_in
from reefsim.core.yaml_source import read_yaml
from reefsim.errors import ConfigError
from reefsim.games import registry
from reefsim.sim.checks import REQUIRED, Checker, Key, Later
from reefsim.sim.parts import RETUNE, read_rulesets
from reefsim.sim.schema import SEED, GameName
from reefsim.sim.train import Budget, Training

_SEATS = Whole(1, 100)
_TOP: dict[str, Key | Later] = {
    "game": Key(GameName(), REQUIRED),
    "seats": Key(
        Either((_SEATS, ListOf(_SEATS, "numbers of seats", unique=True, least=1))), REQUIRED
    ),
    "seed": Key(SEED, 1),
    "rulesets": Key(Map("map of rulesets"), REQUIRED),
    "start": Key(Choice((AUTO, BY_HAND)), BY_HAND),
    "budget": Key(Map("map with generations, population, replicates, check, width"), {}),
    "out": Key(Text("path of a folder"), "."),
}
_EXAMPLE = f"game: {registry.names()[0]}, seats: [2, 3], rulesets: {{base: {{}}}}"


@dataclass(frozen=True)
class Plan:
    """Trainings by the file their weights go to."""

    trainings: dict[Path, Training]


def read_training(path: Path, *, seed: int | None = None, out: Path | None = None) -> Plan:
    """Read and check the file of a training.

    Parameters
    ----------
    path : the YAML file; `out` in it is relative to its folder
    seed, out : take the place of what the file says; `out` is relative to the current folder

    Raises
    ------
    ConfigError : with every mistake in it, each with line and column
    """
    with looking_in(path.parent):
        return _read(path, seed, out)


def _read(path: Path, seed: int | None, out: Path | None) -> Plan:
    check = Checker(read_yaml(path))
    top = check.section((), check.document.data, _TOP, _EXAMPLE)
    if top["rulesets"] == {}:
        check.fail(("rulesets",), "an empty map.", f"Write for example {_EXAMPLE}")
    budget = check.section(("budget",), top["budget"] or {}, RETUNE, "{generations: 25}")
    info = registry.info(top["game"]) if top["game"] else None
    given: Any = top["seats"]
    seats = given if isinstance(given, list) else [given] if given else []
    for number in seats if info else []:
        if info and number not in info.seats:
            what = f"{number} is not a number of seats of {info.title}."
            check.fail(("seats",), what, f"Allowed: {info.seats[0]} to {info.seats[-1]}.")
            seats = []
    rulesets = {}
    for number in seats[:1] or [None]:
        rulesets = read_rulesets(check, top if top["rulesets"] else {}, info, number)
    if check.problems or info is None:
        raise ConfigError(check.problems)
    folder = out if out is not None else path.parent / top["out"]
    trainings = {}
    for name in rulesets:
        for number in seats:
            inner = Checker(check.document)
            ruleset = read_rulesets(inner, top, info, number)[name]
            if ruleset is None:
                raise ConfigError(inner.problems)
            start = find_weights(top["start"], info.game, ruleset, number, path.parent)
            trainings[folder / f"{name}_{number}.yaml"] = Training(
                game=info.game,
                ruleset=ruleset,
                seats=number,
                start=start,
                seed=top["seed"] if seed is None else seed,
                budget=Budget(**budget),
            )
    return Plan(trainings)
