"""What a small game need not write itself: fields of its state, its log, draws, the end.

It suits games whose events tell at most one number each. Other games pack their own events
(`core.events`) and write kernels like these for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reefsim.core.events import Column, EventLayout, Role
from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import DRAWS_STREAM, uniform
from reefsim.core.work import (
    MAX_SEATS,
    SCRIPT_IMPOSSIBLE,
    kind_of,
    log_event,
    start_row,
    take_script,
)

# Fields that the state of every game has.
STATE_FIELDS: list[tuple[Any, ...]] = [
    ("chance", np.int64, (4,)),  # keys of what will be drawn; hidden
    ("seats", np.int64),
    ("seat", np.int64),  # seat to act
    ("turn", np.int64),  # of a player, from 1; 0 in the set-up
    ("over", np.int64),
    ("cause", np.int64),  # of the end: 0, or 1 + place in `Game.end_causes`
    ("ender", np.int64),  # seat that caused it, or NONE
]
NONE = -1
NO_SEAT = 7  # in an event
_FIELDS = (("event", 5), ("seat", 3), ("a", 16), ("n_legal", 15), ("turn", 15))
_SMALL = range(2**15)  # numbers that columns hold


@dataclass(frozen=True)
class Told:
    """The column that tells the number an event carries.

    Attributes
    ----------
    column, doc : its name and meaning
    words : what stands there for each number: texts, or a range of numbers
    """

    column: str
    doc: str
    words: Sequence[Any]


def basic_events(
    actions: Mapping[str, Told | None], chance: Mapping[str, Told], end_causes: Sequence[str]
) -> EventLayout:
    """The events that the kernels of this module write.

    Their codes are 0, 1, ... in the order of `actions`, then of `chance`; the last is `end`.

    Parameters
    ----------
    actions : by kind: what the low 16 bits of an action say; None if they say nothing
    chance : by event: its outcome
    end_causes : as in `Game`
    """
    told: dict[str, Column] = {}
    for event, of_event in {**actions, **chance}.items():
        if of_event is not None:
            is_text = any(isinstance(word, str) for word in of_event.words)
            name, kind = of_event.column, "string" if is_text else "int16"
            column = told.setdefault(name, Column(name, kind, of_event.doc, {}))
            column.sources[event] = ("a", of_event.words)
    roles: list[tuple[str, Role]] = [(kind, "action") for kind in actions]
    roles += [(event, "chance") for event in chance]
    return EventLayout(
        fields=_FIELDS,
        names=(*roles, ("end", "end")),
        columns=(
            Column("turn", "int16", "number of the player turn", {"*": ("turn", _SMALL)}),
            Column("seat", "int8", "whose event it is", {"*": ("seat", range(MAX_SEATS))}),
            *told.values(),
            Column(
                "n_legal",
                "int16",
                "legal actions at the decision",
                dict.fromkeys(actions, ("n_legal", _SMALL)),
            ),
            Column("value", "string", "cause of the end", {"end": ("a", (None, *end_causes))}),
        ),
    )


@kernel
def log_basic(
    s: Record, w: Record, log: Any, event: int, seat: int, a: int, num_legal: int
) -> None:
    """Write an event with the number it carries."""
    if w.logging:
        log_event(w, log, event | seat << 5 | a << 8 | num_legal << 24 | s.turn << 39)


@kernel
def log_action(s: Record, w: Record, log: Any, action: int) -> None:
    """Write the action of the seat to act, before anything changes."""
    log_basic(s, w, log, kind_of(action), s.seat, action & 0xFFFF, w.num_legal)


@kernel
def draw(s: Record, w: Record, log: Any, event: int, i: int, n: int) -> int:
    """Draw one of 0, ..., n - 1 with equal chances, and write it as a chance event.

    Parameters
    ----------
    event : code of the event, which is what the draw is for
    i : tells apart the draws for the same purpose in a turn, such as 0, 1, ...
    """
    if w.scripted:
        outcome = take_script(w)
        if not 0 <= outcome < n:
            if w.fault == 0:
                w.fault = SCRIPT_IMPOSSIBLE
            outcome = 0
    else:
        k0, k1 = s.chance[2 * DRAWS_STREAM], s.chance[2 * DRAWS_STREAM + 1]
        outcome = uniform(k0, k1, event, s.turn, i, n)
    log_basic(s, w, log, event, s.seat, outcome, 0)
    return outcome


@kernel
def begin_game(s: Record, seats: int) -> None:
    """Set the fields of every state to those of the first turn."""
    s.seats = seats
    s.seat = 0
    s.turn = 1
    s.over = 0
    s.cause = 0
    s.ender = NONE


@kernel
def close_turn(s: Record, w: Record, num_kinds: int) -> int:
    """Write the row of the turn that ends; returns the place for the game's own columns."""
    return start_row(w, s.turn, s.seat, num_kinds) if w.logging else 0


@kernel
def pass_on(s: Record) -> None:
    """Hand the turn to the next seat in order."""
    s.turn += 1
    s.seat = (s.seat + 1) % s.seats


@kernel
def close_game(s: Record, w: Record, log: Any, end: int, cause: int, ender: int) -> None:
    """End the game and write why.

    Parameters
    ----------
    end : code of the event `end`
    cause : 1 + place in `Game.end_causes`
    ender : seat that caused the end, or NONE
    """
    s.over = 1
    s.cause = cause
    s.ender = ender
    log_basic(s, w, log, end, NO_SEAT if ender == NONE else ender, cause, 0)
