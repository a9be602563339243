"""The turn's end, the last turns, and the end of the game (PK-7.1, PK-7.2, PK-8.2)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import log_event
from reefsim.games.poseidons_kingdom.constants import END, NONE, P_OVER, P_STEP, TURN_LIMIT
from reefsim.games.poseidons_kingdom.log import NO_SEAT, close_turn, open_turn_counters, pack


@kernel
def start_turn(s: Record, w: Record, seat: int) -> None:
    """Hand the turn to a seat."""
    s.turn += 1
    s.seat = seat
    s.active = seat
    s.phase = P_STEP
    s.last_cell = NONE
    s.last_die = NONE
    s.picked = 0
    s.meal_picks = 0
    s.number = 0
    s.white = 0
    s.asked = 0
    for other in range(s.seats):
        s.total[other] = 0
    open_turn_counters(w)


@kernel
def end_turn(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """The turn is over; so is the game after the last one, or at the limit."""
    close_turn(s, r, w)
    if s.last_turns > 0:
        s.last_turns -= 1
        if s.last_turns == 0:
            close_game(s, w, log)
            return
    elif s.cause > 0:
        s.last_turns = s.seats
        s.ring_open = 0
    elif s.turn >= r.max_turns:
        s.cause = TURN_LIMIT
        s.ender = NONE
        close_game(s, w, log)
        return
    start_turn(s, w, (s.active + 1) % s.seats)


@kernel
def close_game(s: Record, w: Record, log: list[int]) -> None:
    """The closing event."""
    s.phase = P_OVER
    s.over = 1
    if w.logging:
        seat = NO_SEAT if s.cause == TURN_LIMIT else s.ender
        log_event(w, log, pack(END, seat, s.cause, 0, 0, s.turn))


@kernel
def stop(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Close the game where it stands: an engine limit was reached."""
    s.cause = TURN_LIMIT
    s.ender = NONE
    close_game(s, w, log)
