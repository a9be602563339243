"""The turn's end, the end of the game, last turns and final feeds (R2.8, R11)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import log_event
from reefsim.games.reef_encounter.constants import (
    END,
    FOUR_EATEN,
    NO_SPACE,
    NONE,
    P_FINAL,
    P_OVER,
    P_TURN,
    TURN_LIMIT,
)
from reefsim.games.reef_encounter.corals import has_open_cell, has_target
from reefsim.games.reef_encounter.feed import has_feed
from reefsim.games.reef_encounter.log import (
    NO_COLOR,
    NO_GROWTH,
    NO_SEAT,
    NO_SIZE,
    close_turn,
    open_turn_counters,
    pack,
)


@kernel
def start_turn(s: Record, w: Record, seat: int) -> None:
    """Hand the turn to a seat."""
    s.turn += 1
    s.seat = seat
    s.phase = P_TURN
    s.fresh = 1
    s.grows = 0
    s.moves = 0
    s.entered = 0
    s.lock_made = 0
    s.growing = -1
    open_turn_counters(w)


@kernel
def skip(s: Record, r: Record, seat: int) -> bool:
    """Pass over the other seats' turns (`core.driver.skip`); there is none in the last round."""
    if s.phase != P_TURN or s.cause > 0:
        return False
    s.turn += s.seats - 1
    s.seat = seat
    return True


@kernel
def is_full(s: Record, r: Record) -> bool:
    """Whether no polyp tile can be laid anywhere (R11.3; A10 `no_empty`: no empty rock cell)."""
    if has_open_cell(s, r):
        return False
    if r.no_empty:
        for board in range(s.seats):
            if s.rock[board] & ~s.occupied[board] != 0:
                return False
        return True
    for c in range(5):
        # An attack of any seat counts (A4); without that toggle all seats have the same targets.
        for seat in range(s.seats if r.attack_needs_own_shrimp else 1):
            if has_target(s, r, c, seat):
                return False
    return True


@kernel
def end_turn(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """After action 10 and its refill, or a pass: event 3, turn limit, next seat (R2.8)."""
    if s.cause == 0 and s.last_turns == 0:
        if is_full(s, r):
            s.cause = NO_SPACE
            s.ender = s.seat
        elif s.turn >= r.max_turns:
            s.cause = TURN_LIMIT
    go_on(s, r, w, log)


@kernel
def go_on(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """A turn is over, whether it was finished or the game stopped in it."""
    close_turn(s, r, w)
    if s.last_turns > 0:
        s.last_turns -= 1
    elif s.cause > 0:
        s.last_turns = num_last_turns(s, r)
    if s.cause == 0 or s.last_turns > 0:
        start_turn(s, w, (s.seat + 1) % s.seats)
    else:
        s.asked = 0
        next_final_feed(s, r, w, log)


@kernel
def num_last_turns(s: Record, r: Record) -> int:
    """Turns the other seats still get (A12 `full_turn`, A22 `complete_round`)."""
    if r.full_turn:
        return s.seats - 1 if r.final_feed[s.cause] else 0
    if r.complete_round and s.cause <= FOUR_EATEN:
        return s.seats - 1 - s.seat
    return 0


@kernel
def next_final_feed(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Ask the next seat that has something to feed, or close the game (R11.6, R11.7)."""
    if r.final_feed[s.cause] and not r.full_turn:
        while s.asked < s.seats - 1:
            s.asked += 1
            seat = (s.ender + s.asked) % s.seats
            if has_feed(s, seat, r.min_final_feed_size):
                s.seat = seat
                s.phase = P_FINAL
                return
    s.phase = P_OVER
    s.over = 1
    if w.logging:
        seat = NO_SEAT if s.cause == TURN_LIMIT else s.ender
        log_event(w, log, pack(END, seat, s.cause, 0, NO_COLOR, NO_GROWTH, NO_SIZE, 0, s.turn))


@kernel
def stop(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Close the game where it stands: an engine limit was reached, scores stand (M2)."""
    s.cause = TURN_LIMIT
    s.ender = NONE
    next_final_feed(s, r, w, log)
