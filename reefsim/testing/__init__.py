"""Tools for tests of games: positions, walks and counts, conformance, hypothesis strategies.

`position` builds a match from a picture in the words of a game: see the module `position` of the
game's package. From there:

>>> from reefsim.core.match import Match
>>> from reefsim.games import registry
>>> from reefsim.testing import perft
>>> game = registry.get(registry.names()[0])
>>> match = Match(game, game.ruleset(), seats=2, seed=1)
>>> perft(match, 1) == len(match.legal_actions())
True

`played_games`, `positions`, `rulesets` and `PlayedGame` need hypothesis (`pip install
reefsim[testing]`); the rest does not, and nothing here needs numba.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from reefsim.core.match import Match
from reefsim.games import registry
from reefsim.testing.conformance import check_game
from reefsim.testing.drawing import draw_ruleset
from reefsim.testing.walks import Chooser, divide, legal_texts, perft, play, why_not

if TYPE_CHECKING:
    from reefsim.testing.strategies import PlayedGame, played_games, positions, rulesets

_STRATEGIES = ("PlayedGame", "played_games", "positions", "rulesets")

__all__ = [
    "Chooser",
    "PlayedGame",
    "check_game",
    "divide",
    "draw_ruleset",
    "legal_texts",
    "perft",
    "play",
    "played_games",
    "position",
    "positions",
    "rulesets",
    "why_not",
]


def position(game: str, *args: Any, **settings: Any) -> Match:
    """Build a position of a game in a few words.

    Parameters
    ----------
    game : registered name
    args, settings : as the game's own builder takes them (`reefsim.games.<game>.position`)

    Raises
    ------
    KeyError : no such game; the message names the nearest
    ValueError : this is no position of the game; the message says why
    """
    package = registry.info(game).game_path.partition(":")[0].rpartition(".")[0]
    builder = importlib.import_module(f"{package}.position").position
    match: Match = builder(*args, **settings)
    return match


def __getattr__(name: str) -> Any:
    """Import the strategies when they are asked for, as they need hypothesis."""
    if name in _STRATEGIES:
        return getattr(importlib.import_module("reefsim.testing.strategies"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
