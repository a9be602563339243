"""The games that reefsim knows: those that come with it, and those of other packages.

Another package names its games as entry points of the group `reefsim.games`: the name of the game,
and where its `GameInfo` is found. Only this file and a game's own package name a game.
"""

from __future__ import annotations

import importlib
import traceback
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, NamedTuple, cast

from reefsim.core.metric import Metric, Summary
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import did_you_mean, sentences
from reefsim.errors import UnknownGameError

if TYPE_CHECKING:
    from reefsim.core.game import Game

GROUP = "reefsim.games"  # of entry points


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

    def _load(self, path: str) -> object:
        module, _, attribute = path.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except Exception as error:
            if self.name in _GAMES:
                raise
            text = f"the game '{self.name}' cannot be loaded: {path}: {_in_a_line(error)}"
            raise UnknownGameError(text) from error

    @property
    def ruleset(self) -> type[Ruleset]:
        """The class of the game's rulesets."""
        return cast(type[Ruleset], self._load(self.ruleset_path))

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that only this game has."""
        return cast(tuple[Metric, ...], self._load(self.metrics_path)) if self.metrics_path else ()

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """What is counted by kind of this game's things."""
        return (
            cast(tuple[Summary, ...], self._load(self.summaries_path))
            if self.summaries_path
            else ()
        )

    @property
    def game(self) -> Game:
        """The whole game, with its engine."""
        return cast("Game", self._load(self.game_path))


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
        summaries_path="reefsim.games.reef.summaries:SUMMARIES",
    ),
    "charon_inc": GameInfo(
        name="charon_inc",
        title="CHARON Inc.",
        seats=range(2, 6),
        ruleset_path="reefsim.games.charon_inc.ruleset:CharonIncRuleset",
        game_path="reefsim.games.charon_inc.game:GAME",
        metrics_path="reefsim.games.charon_inc.metrics:METRICS",
        summaries_path="reefsim.games.charon_inc.summaries:SUMMARIES",
    ),
    "poseidons_kingdom": GameInfo(
        name="poseidons_kingdom",
        title="Poseidon's Kingdom",
        seats=range(2, 5),
        ruleset_path="reefsim.games.poseidons_kingdom.ruleset:PoseidonsKingdomRuleset",
        game_path="reefsim.games.poseidons_kingdom.game:GAME",
        metrics_path="reefsim.games.poseidons_kingdom.metrics:METRICS",
        summaries_path="reefsim.games.poseidons_kingdom.summaries:SUMMARIES",
    ),
}


class _Known(NamedTuple):
    games: dict[str, GameInfo]
    faults: dict[str, str]  # by name: why a game of another package is not among them


@cache
def _known() -> _Known:
    """All games; what other packages do wrong costs their own games only."""
    games, faults = dict(_GAMES), {}
    offers: dict[str, list[EntryPoint]] = {}
    for offer in entry_points(group=GROUP):
        offers.setdefault(offer.name, []).append(offer)
    for name, of_name in sorted(offers.items()):
        packages = sorted({offer.dist.name if offer.dist else offer.value for offer in of_name})
        origins = ["reefsim"] * (name in _GAMES) + packages
        if len(origins) > 1:
            faults[name] = (
                f"two games are called '{name}', those of {' and '.join(origins)}: "
                f"uninstall {packages[-1]}, or give its game another name."
            )
            continue
        try:
            games[name] = _offered(of_name[0])
        except Exception as error:  # whatever another package does
            what = f"{of_name[0].value}: {_in_a_line(error)}"
            faults[name] = f"the game '{name}' of {packages[0]} cannot be loaded: {what}"
    return _Known(games, faults)


def _offered(offer: EntryPoint) -> GameInfo:
    found = offer.load()
    if not isinstance(found, GameInfo):
        raise TypeError("this is not a GameInfo")
    if found.name != offer.name:
        raise ValueError(f"its GameInfo calls it '{found.name}'; both names have to be equal")
    return found


def _in_a_line(error: Exception) -> str:
    """Say what went wrong and where, without the way there."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "importlib" not in frame.filename][1:]  # [0]: this file
    place = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{place}"


def names() -> tuple[str, ...]:
    """List the names of the games: first those that come with reefsim."""
    return tuple(_known().games)


def faults() -> dict[str, str]:
    """Say why games that other packages offer are not among `names`, by their names."""
    return dict(_known().faults)


def info(name: str) -> GameInfo:
    """Find a game by name, without importing its engine.

    Raises
    ------
    UnknownGameError : no such game; the message says why, or gives the nearest name and all names
    """
    known = _known()
    if name not in known.games:
        question = did_you_mean(name, names())
        there = known.faults.get(name) or sentences(question, f"Games: {', '.join(names())}.")
        raise UnknownGameError(sentences(f"'{name}' is not a game.", there))
    return known.games[name]


def get(name: str) -> Game:
    """Import a game by name.

    Raises
    ------
    UnknownGameError : no such game; the message says why, or gives the nearest name and all names
    """
    return info(name).game
