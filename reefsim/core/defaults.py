"""What a `Game` does where its package says nothing: taken from its toggles, state and events."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from reefsim.core.allowed import Allowed, Choice, Flag, Whole
from reefsim.core.layout import Layout
from reefsim.core.notation import Notation, narrator
from reefsim.core.ruleset import Ruleset
from reefsim.core.work import WORK_FIELDS, is_option, kind_of

if TYPE_CHECKING:
    from reefsim.core.game import Game

# Every evaluation has these weights, first; here with the values a game begins with.
FIRST_WEIGHTS = (
    ("rivals", 1.0, "weight of the other seats' worth against one's own"),
    ("spread", 10.0, "points of worth that multiply the chances of a win by e"),
)


def rules_layout(name: str, ruleset: type[Ruleset]) -> Layout:
    """A rules record with a number for every toggle.

    Raises
    ------
    TypeError : for a toggle that is no whole number, word or truth value
    """
    for toggle in ruleset.toggles():
        if not isinstance(toggle.values, Whole | Choice | Flag):
            raise TypeError(
                f"{name}: toggle {toggle.name} is no whole number, word or truth value: "
                "give the game a layout `rules` and a function `pack_rules`"
            )
    return Layout(f"{name}_rules", [(toggle.name, np.int64) for toggle in ruleset.toggles()])


def pack_rules(ruleset: Ruleset, seats: int) -> dict[str, Any]:
    """The toggles that are a number by nature; a word is its place among those allowed."""
    del seats
    values = {toggle.name: toggle.values for toggle in ruleset.toggles()}
    return {
        name: _number(allowed, getattr(ruleset, name))
        for name, allowed in values.items()
        if isinstance(allowed, Whole | Choice | Flag)
    }


def _number(allowed: Allowed, value: Any) -> int:
    return allowed.names.index(value) if isinstance(allowed, Choice) else int(value)


def no_clause(event: str, column: str) -> str:
    """Stands for a clause where a game names none."""
    del event, column
    return "rules"


def no_invariants(state: Any, rules: Any) -> list[str]:
    """Find nothing wrong with any position."""
    del state, rules
    return []


def fill(game: Game) -> dict[str, Any]:
    """What a game leaves to the toolkit, by the name of the attribute.

    Nothing is worked out for attributes that the game has.
    """
    notation = Notation(game.events)
    made: dict[str, Callable[[], Any]] = {
        "rules": lambda: rules_layout(game.name, game.ruleset),
        "work": lambda: Layout(f"{game.name}_work", WORK_FIELDS),
        "action_kinds": lambda: notation.kinds,
        "format_action": lambda: notation.format_action,
        "parse_action": lambda: notation.parse_action,
        "action_of": lambda: notation.action_of,
        "narrate": lambda: narrator(game.events),
        "render_text": lambda: _Renderer(game.state),
        "why_illegal": lambda: _Refusal(game),
    }
    return {name: make() for name, make in made.items() if getattr(game, name) is None}


class _Renderer:
    """A position as text: a line for each field of the state, but for the chance to come."""

    def __init__(self, layout: Layout) -> None:
        self._names = [name for name, *_ in layout.fields if name != "chance"]

    def __call__(self, state: Any, rules: Any) -> str:
        del rules
        values = {name: np.asarray(getattr(state, name)).tolist() for name in self._names}
        return "\n".join(f"{name:<12}{value}" for name, value in values.items())


class _Refusal:
    """Why an action is not legal: it is not among those that are."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __call__(self, state: Any, rules: Any, action: int) -> str:
        game = self._game
        work = game.work.plain()
        if not state.over:
            game.build("plain").legal(state, rules, work)
        if not state.over and is_option(work, action):
            return ""
        event = game.action_kinds[kind_of(action)]
        return f"{game.clause_of(event, 'event')}: it is not among the legal actions"
