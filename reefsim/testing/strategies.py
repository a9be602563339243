"""Hypothesis strategies: rulesets, games played by drawn choices, and positions they reach.

They need hypothesis; nothing else in `reefsim.testing` does.

>>> game = PlayedGame(registry.names()[0], {}, seats=2, seed=1, rest=4)
>>> len(list(game.walk()))
4
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from reefsim.core.game import Game
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.ruleset import Ruleset
from reefsim.games import registry
from reefsim.testing.drawing import draw_ruleset
from reefsim.testing.walks import Chooser

_NUMBERS = st.integers(0, 2**12)


@dataclass(frozen=True)
class PlayedGame:
    """A game, or the beginning of one, told by numbers; its text is the code that makes it.

    Attributes
    ----------
    game : registered name
    differences : of the ruleset from the published game
    seats, seed : as for a `Match`
    choices : a number for each of the first decisions (see `Chooser`)
    rest : how many decisions follow at most, chosen by a generator that `seed` starts
    weights : of kinds of action, by name (see `Chooser`)
    """

    game: str
    differences: dict[str, Any]
    seats: int
    seed: int
    choices: tuple[int, ...] = ()
    rest: int = 0
    weights: dict[str, int] = field(default_factory=dict)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rules it is played by."""
        return registry.get(self.game).ruleset.make(self.differences, self.seats)

    def start(self, mode: Mode = "plain", *, boundscheck: bool = False) -> Match:
        """The match at its first decision."""
        return Match(
            registry.get(self.game),
            self.ruleset,
            self.seats,
            seed=self.seed,
            mode=mode,
            boundscheck=boundscheck,
        )

    def walk(self, match: Match | None = None) -> Iterator[tuple[Match, int]]:
        """The match before each of its actions, and the action; it is taken on going on.

        Parameters
        ----------
        match : walk this one instead, from its first decision on
        """
        match = match or self.start()
        kinds = match.game.action_kinds
        chooser = Chooser({kinds.index(kind): weight for kind, weight in self.weights.items()})
        rng = random.Random(self.seed)
        for i in range(len(self.choices) + self.rest):
            if match.over:
                return
            number = self.choices[i] if i < len(self.choices) else rng.randrange(2**20)
            action = chooser.choose(match.legal_actions(), number)
            yield match, action
            match.apply(action)

    def final(self) -> Match:
        """The match after its last action."""
        match = self.start()
        for _ in self.walk(match):
            pass
        return match

    @cached_property
    def actions(self) -> list[int]:
        """All actions taken."""
        return [action for _, action in self.walk()]


def rulesets(game: str | Game, seats: int, changes: int = 1) -> st.SearchStrategy[Ruleset]:
    """Rulesets that are valid for a number of seats, over every toggle; shrink to the default.

    Parameters
    ----------
    game : registered name or the game
    seats : number of players
    changes : a toggle is changed with chance changes / (changes + 3)
    """
    kind = _game(game).ruleset

    @st.composite
    def draw_one(draw: st.DrawFn) -> Ruleset:
        return draw_ruleset(kind, seats, lambda low, high: draw(st.integers(low, high)), changes)

    return draw_one()


def played_games(
    game: str | Game,
    *,
    seats: int | None = None,
    differences: dict[str, Any] | None = None,
    max_choices: int = 40,
    max_rest: int = 200,
    weights: dict[str, int] | None = None,
) -> st.SearchStrategy[PlayedGame]:
    """Games with drawn ruleset, seats, seed and choices; shrink to few, simple choices.

    Parameters
    ----------
    game : registered name or the game
    seats, differences : fix the number of players, the ruleset
    max_choices : decisions that hypothesis chooses one by one
    max_rest : decisions after those; a whole game may have some hundreds
    weights : how often each kind of action is taken, by name; 1 if not named
    """
    made = _game(game)

    @st.composite
    def draw_one(draw: st.DrawFn) -> PlayedGame:
        n = seats or draw(st.sampled_from(list(made.seats)))
        rules = differences
        if rules is None:
            rules = draw(rulesets(made, n)).differences()
        return PlayedGame(
            game=made.name,
            differences=rules,
            seats=n,
            seed=draw(st.integers(0, 2**16)),
            choices=tuple(draw(st.lists(_NUMBERS, max_size=max_choices))),
            rest=draw(st.integers(0, max_rest)),
            weights=weights or {},
        )

    return draw_one()


def positions(game: str | Game, **fixed: Any) -> st.SearchStrategy[Match]:
    """Matches in plain mode that some play reached, the end included; `fixed` as `played_games`."""
    return played_games(game, **fixed).map(PlayedGame.final)


def _game(game: str | Game) -> Game:
    return registry.get(game) if isinstance(game, str) else game
