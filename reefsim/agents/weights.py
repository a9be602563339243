"""Weights of a game's evaluation: the tuned ones that come with reefsim, a user's own, by hand.

A weights file is YAML: what the weights were tuned for (game, seats, rules that differ from the
published game), the weights by name, and where they come from (provenance).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from reefsim.core.game import Game
from reefsim.core.presets import config_dir, package_dir
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import did_you_mean, listing, plain, sentences, show
from reefsim.core.yaml_source import Document, read_yaml
from reefsim.errors import ConfigError, Problem

AUTO, BY_HAND = "auto", "hand"
LARGEST, LEAST_SPREAD = 1_000_000, 0.01  # beyond, values of positions would not be finite
_KEYS = ("game", "seats", "rules", "weights", "provenance")


@dataclass(frozen=True)
class Weights:
    """Weights of an evaluation and what they are for.

    Attributes
    ----------
    values : by name, of every weight
    origin : name of their file without ending, or "hand"
    seats, rules : what they were tuned for: number of seats, differences from the published game;
        None for weights set by hand
    provenance : how they were found
    """

    values: dict[str, float]
    origin: str
    seats: int | None = None
    rules: dict[str, Any] | None = None
    provenance: dict[str, Any] = field(default_factory=dict)

    def fits(self, ruleset: Ruleset, seats: int) -> bool:
        """Whether they were tuned for exactly these rules and this number of seats."""
        return self.rules == ruleset.differences() and self.seats == seats


def by_hand(game: Game) -> Weights:
    """The weights a game gives itself, from which training starts."""
    return Weights({name: value for name, value, _ in game.weights}, BY_HAND)


def agents_dir(game: Game) -> Path:
    """Folder of the weights that come with a game; it need not exist."""
    with_reefsim = config_dir() / "agents" / game.name
    return with_reefsim if with_reefsim.is_dir() else package_dir(game.ruleset) / "agents"


_shipped: dict[Path, tuple[Weights, ...]] = {}  # what was read, by folder


def shipped(game: Game) -> tuple[Weights, ...]:
    """The tuned weights that come with a game, in the order of their files."""
    folder = agents_dir(game)
    if folder not in _shipped:
        _shipped[folder] = tuple(read_weights(file, game) for file in sorted(folder.glob("*.yaml")))
    return _shipped[folder]


def find_weights(setting: str, game: Game, ruleset: Ruleset, seats: int, folder: Path) -> Weights:
    """The weights an agent plays with.

    Parameters
    ----------
    setting : "auto" (of those that come with the game the ones tuned for these rules and seats;
        else those for the published game; else those set by hand), "hand", or a weights file
    game, ruleset, seats : what is played
    folder : where a file named by a relative path is looked for

    Raises
    ------
    ConfigError : the file cannot be used
    """
    if setting == BY_HAND:
        return by_hand(game)
    if setting != AUTO:
        return read_weights(folder / setting, game)
    known = shipped(game)
    for wanted in (ruleset.differences(), {}):
        fitting = [weights for weights in known if weights.rules == wanted]
        if fitting:
            return min(fitting, key=lambda weights: abs((weights.seats or 0) - seats))
    return by_hand(game)


def read_weights(path: Path, game: Game) -> Weights:
    """Read a weights file; a weight that is missing keeps the value set by hand.

    Raises
    ------
    ConfigError : with every mistake in it, each with line and column
    """
    document = read_yaml(path)
    problems = list(document.problems) or list(_problems(document, game))
    if problems:
        raise ConfigError(problems)
    data = document.data
    values = by_hand(game).values | {k: float(v) for k, v in data["weights"].items()}
    return Weights(values, path.stem, data["seats"], data["rules"], data.get("provenance", {}))


def _problems(document: Document, game: Game) -> Iterable[Problem]:
    data = document.data
    if not isinstance(data, dict):
        yield document.problem((), f"a weights file is a map of {', '.join(_KEYS)}.")
        return
    for name in data:
        if name not in _KEYS:
            text = sentences(f"unknown key {show(str(name))}.", did_you_mean(name, _KEYS))
            yield document.problem((name,), text, at_name=True)
    for name in _KEYS[:4]:
        if name not in data:
            yield document.problem((name,), "missing.")
    if data.get("game", game.name) != game.name:
        what = f"{show(data['game'])}, but the experiment plays {game.name}."
        yield document.problem(("game",), what)
    seats = data.get("seats", game.seats[0])
    if type(seats) is not int or seats not in game.seats:
        limits = f"Allowed: {game.seats[0]} to {game.seats[-1]}."
        what = f"{show(seats)} is not a number of seats of {game.title}. {limits}"
        yield document.problem(("seats",), what)
        seats = None
    maps = {name: data.get(name, {}) for name in ("rules", "weights", "provenance")}
    for name in [name for name, value in maps.items() if not isinstance(value, dict)]:
        yield document.problem((name,), "a map is expected here.")
        maps[name] = {}
    for inner, message in game.ruleset.problems(
        {str(k): v for k, v in maps["rules"].items()}, seats
    ):
        yield document.problem(("rules", *inner), message)
    known = [name for name, _, _ in game.weights]
    for name, value in maps["weights"].items():
        path = ("weights", name)
        if name not in known:
            question = did_you_mean(name, known)
            there = f"Known: {listing(known, 60)}."
            text = sentences(f"unknown weight {show(str(name))}.", question, there)
            yield document.problem(path, text, at_name=True)
        elif type(value) not in (int, float) or not abs(value) <= LARGEST:
            what = f"{show(value)} is not a number of at most {LARGEST:,} in size."
            yield document.problem(path, what)
        elif name == "spread" and value < LEAST_SPREAD:
            yield document.problem(path, f"{show(value)} is below {LEAST_SPREAD}.")


def write_weights(path: Path, game: Game, weights: Weights) -> None:
    """Write a weights file, under a temporary name first."""
    data = {
        "game": game.name,
        "seats": weights.seats,
        "rules": weights.rules,
        "weights": dict(weights.values),
        "provenance": dict(weights.provenance),
    }
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def in_words(weights: Weights) -> str:
    """What weights are for, as the end of a sentence."""
    if weights.rules is None:
        return "set by hand"
    rules = ", ".join(f"{name} {plain(value)}" for name, value in weights.rules.items())
    return f"tuned for {weights.seats} seats, {rules or 'the published game'}"
