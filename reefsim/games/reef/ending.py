"""The turn's end, the ends of the game, and the scoring of hand cards (R7)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import log_event
from reefsim.games.reef.constants import (
    CORAL_OUT,
    DECK_OUT,
    END,
    NONE,
    NUM_COLORS,
    P_OVER,
    P_TURN,
    TURN_LIMIT,
)
from reefsim.games.reef.log import NO_SEAT, close_turn, open_turn_counters, pack


@kernel
def start_turn(s: Record, w: Record, seat: int) -> None:
    """Hand the turn to a seat."""
    s.turn += 1
    s.seat = seat
    s.phase = P_TURN
    s.card = NONE
    open_turn_counters(w)


@kernel
def note_end(s: Record, cause: int, at_once: bool) -> None:
    """An end of the game has come in the running turn (R7.1a, R7.3a).

    The first one is the cause, unless a later one stops the game at once.
    """
    if at_once:
        s.cause = cause
        s.ender = s.seat
        s.stopped = 1
    elif s.cause == 0:
        s.cause = cause
        s.ender = s.seat


@kernel
def look_at_supply(s: Record, r: Record) -> None:
    """Whether enough colors have run out (R7.1, R7.1a)."""
    empty = 0
    for c in range(NUM_COLORS):
        if s.supply[c] == 0:
            empty += 1
    if empty >= r.empty_colors_to_end:
        note_end(s, CORAL_OUT, r.coral_at_once == 1)


@kernel
def deck_ran_out(s: Record, r: Record) -> None:
    """The deck has run out (R7.3)."""
    note_end(s, DECK_OUT, r.deck_at_once == 1)


@kernel
def is_last_turn(s: Record, r: Record) -> bool:
    """Whether the game ends with the running turn; notes the turn limit."""
    if s.cause > 0:
        return s.stopped == 1 or s.seat == s.seats - 1
    if s.turn >= r.max_turns:
        s.cause = TURN_LIMIT
        return True
    return False


@kernel
def close_game(s: Record, w: Record, log: list[int]) -> None:
    """The closing event."""
    s.phase = P_OVER
    s.over = 1
    s.card = NONE
    if w.logging:
        seat = NO_SEAT if s.cause == TURN_LIMIT else s.ender
        log_event(w, log, pack(END, seat, 0, s.cause, 0, 0, s.turn))


@kernel
def stop(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Close the game where it stands: an engine limit was reached, no hand card scores."""
    s.cause = TURN_LIMIT
    s.ender = NONE
    close_game(s, w, log)


@kernel
def leave_turn(s: Record, r: Record, w: Record) -> bool:
    """A turn is over; returns whether the game is, else the next seat has the turn (R2.1)."""
    close_turn(s, r, w)
    if is_last_turn(s, r):
        return True
    start_turn(s, w, (s.seat + 1) % s.seats)
    return False
