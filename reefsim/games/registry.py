"""The games that reefsim knows. Only this file and a game's own package name a game."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from reefsim.core.metric import Metric, Summary
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import did_you_mean, sentences

if TYPE_CHECKING:
    from reefsim.core.game import Game


@dataclass(frozen=True)
class GameInfo:
    """What a configuration needs to know of a game; reading it imports no engine."""

    name: str
    title: str
    seats: range
    ruleset_path: str
    game_path: str
    metrics_path: str = ""  # empty: it has none of its own
    summaries_path: str = ""

    @property
    def ruleset(self) -> type[Ruleset]:
        """The class of the game's rulesets."""
        return cast(type[Ruleset], _load(self.ruleset_path))

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that only this game has."""
        return cast(tuple[Metric, ...], _load(self.metrics_path)) if self.metrics_path else ()

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """What is counted by kind of this game's things."""
        return cast(tuple[Summary, ...], _load(self.summaries_path)) if self.summaries_path else ()

    @property
    def game(self) -> Game:
        """The whole game, with its engine."""
        return cast("Game", _load(self.game_path))


_GAMES = {
    "reef_encounter": GameInfo(
        name="reef_encounter",
        title="Reef Encounter",
        seats=range(2, 5),
        ruleset_path="reefsim.games.reef_encounter.ruleset:ReefEncounterRuleset",
        game_path="reefsim.games.reef_encounter.game:GAME",
        metrics_path="reefsim.games.reef_encounter.metrics:METRICS",
        summaries_path="reefsim.games.reef_encounter.summaries:SUMMARIES",
    ),
    "reef": GameInfo(
        name="reef",
        title="Reef",
        seats=range(2, 5),
        ruleset_path="reefsim.games.reef.ruleset:ReefRuleset",
        game_path="reefsim.games.reef.game:GAME",
        metrics_path="reefsim.games.reef.metrics:METRICS",
    ),
}


def names() -> tuple[str, ...]:
    """List the names of the games."""
    return tuple(_GAMES)


def info(name: str) -> GameInfo:
    """Find a game by name, without importing its engine.

    Raises
    ------
    KeyError : no such game; the message gives the nearest name and all names
    """
    if name not in _GAMES:
        question = did_you_mean(name, names())
        known = f"Games: {', '.join(names())}."
        raise KeyError(sentences(f"'{name}' is not a game.", question, known))
    return _GAMES[name]


def get(name: str) -> Game:
    """Import a game by name.

    Raises
    ------
    KeyError : no such game; the message gives the nearest name and all names
    """
    return info(name).game


def _load(path: str) -> object:
    module, _, attribute = path.partition(":")
    return getattr(importlib.import_module(module), attribute)
