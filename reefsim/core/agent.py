"""What a user's own agent gets to see: a position as its seat may know it, and ways to look ahead.

An agent is a class with two methods::

    class Patient:
        def __init__(self, rng: numpy.random.Generator, **params): ...
        def act(self, view: View) -> int: ...

`act` returns one of `view.legal_actions`. All random numbers of an agent come from its `rng`, then
a run gives the same games every time. One agent object plays one seat of one game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from reefsim.core.game import Game
from reefsim.core.kernel import Kernels, Mode
from reefsim.core.layout import Layout
from reefsim.core.match import Match
from reefsim.core.ruleset import Ruleset
from reefsim.errors import ReefsimError

if TYPE_CHECKING:
    from numpy.random import Generator

_DICE = Layout("dice", [("rng", np.int64, (4,))])  # what `determinize` draws with
_ATTEMPTS = 10  # draws until a position has the legal actions that the seat sees


class AgentError(ReefsimError):
    """A user's agent failed or answered with something that is no legal action.

    Attributes
    ----------
    agent, seat, ply : its name, where it sat, and how many events there were; None if not known
    """

    exit_code: ClassVar[int] = 4

    def __init__(
        self,
        message: str,
        agent: str | None = None,
        seat: int | None = None,
        ply: int | None = None,
    ) -> None:
        self.agent, self.seat, self.ply = agent, seat, ply
        super().__init__(message)


class Agent(Protocol):
    """A player: anything that chooses one of the legal actions of a view."""

    def act(self, view: View) -> int:
        """Choose one of `view.legal_actions`."""


class View:
    """A position as one seat may know it.

    Hidden information of the others is not in it: `state` is blinded, and `sample` draws what the
    seat does not know. A view is a copy; it does not change when the game goes on.

    Attributes
    ----------
    game, ruleset : what is played
    seat, seats : seat to act, and number of seats
    turn, ply : number of the player turn (0 in the set-up), and events so far
    legal_actions : list of int, in increasing order
    """

    def __init__(
        self,
        game: Game,
        ruleset: Ruleset,
        kernels: Kernels,
        rules: Any,
        states: Any,
        *,
        seat: int,
        seats: int,
        ply: int,
        legal_actions: list[int],
        mode: Mode,
    ) -> None:
        self.game, self.ruleset = game, ruleset
        self.seat, self.seats, self.ply = seat, seats, ply
        self.legal_actions = legal_actions
        self._kernels, self._rules, self._mode = kernels, rules, mode
        self._states = states[:1].copy() if mode == "jitted" else [states[0].copy()]
        self.turn = int(self._states[0].turn)
        kernels.view_match(self._states, rules, seat)

    @classmethod
    def of(cls, match: Match) -> View:
        """View of the seat to act in a match that is not over."""
        return cls(
            match.game,
            match.ruleset,
            match._kernels,
            match._rules,
            match._states,
            seat=match.seat,
            seats=match.seats,
            ply=match.ply,
            legal_actions=list(match.legal_actions()),
            mode=match.mode,
        )

    @property
    def state(self) -> Any:
        """The blinded state, a plain copy: ints and lists of ints under the names of its fields."""
        return self.game.state.to_plain(self._states[0])

    @property
    def rules(self) -> Any:
        """The rules record, a plain copy."""
        return self.game.rules.to_plain(self._rules[0])

    def text(self, action: int) -> str:
        """Text form of an action."""
        return self.game.format_action(action)

    def to_text(self) -> str:
        """The position as text, as far as the seat knows it."""
        return self.game.render_text(self.state, self.rules)

    def sample(self, rng: Generator) -> Match:
        """Draw a full position that fits what the seat knows.

        Parameters
        ----------
        rng : numpy.random.Generator
            Draws the hidden pieces, and keys the chance of everything that follows.

        Returns
        -------
        Match
            At the same decision: it can be played on and copied. It keeps no events. What is legal
            may hang on hidden pieces; positions in which it would differ are drawn anew, with few
            exceptions.
        """
        match = self._draw(rng)
        for _ in range(_ATTEMPTS):
            if match.legal_actions() == self.legal_actions:
                break
            match = self._draw(rng)
        return match

    def _draw(self, rng: Generator) -> Match:
        dice = _DICE.records(1, self._mode)
        words = [int(word) for word in rng.integers(2**32, size=4)]
        _DICE.fill(dice[0], {"rng": [*words[:3], words[3] | 1]})  # never all zero
        jitted = self._mode == "jitted"
        states = self._states.copy() if jitted else [self._states[0].copy()]
        self._kernels.fit_match(states, self._rules, self.seat, dice)
        return Match.at(self.game, self.ruleset, self._kernels, self._rules, states, self._mode)
