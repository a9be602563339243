"""The end of a game, scores and ties (CH-7)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import log_event
from reefsim.games.charon_inc.constants import (
    CARDS_OF_NUMBER,
    END,
    P_OVER,
    P_PLACE,
    ROUNDS_OVER,
    STOPPED,
)
from reefsim.games.charon_inc.log import NO_SEAT, pack, points
from reefsim.games.charon_inc.state import MOST_FIRST, SHARED

NUM_TIE_BREAKS = 2


@kernel
def close_game(s: Record, w: Record, log: list[int], cause: int) -> None:
    """The closing event (CH-7.1)."""
    s.cause = cause
    s.phase = P_OVER
    s.over = 1
    if w.logging:
        log_event(w, log, pack(END, NO_SEAT, s.round_number, s.turn, 0, cause, 0))


@kernel
def end_game(s: Record, w: Record, log: list[int]) -> None:
    """The last round is over (CH-7.1)."""
    close_game(s, w, log, ROUNDS_OVER)


@kernel
def stop(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Close the game where it stands: a limit on its length was reached."""
    close_game(s, w, log, STOPPED)


@kernel
def built_code(s: Record, r: Record, seat: int) -> int:
    """The built numbers as one int, so that the greater one has the higher first number (CH-7.2).

    From 12 down, the number of cards is a digit to the base of `CARDS_OF_NUMBER` + 1.
    """
    code = 0
    for i in range(11):
        code = code * (CARDS_OF_NUMBER + 1) + popcount(s.built[seat] & r.of_number[12 - i])
    return code


@kernel
def standing(s: Record, r: Record, seat: int, i: int) -> int:
    """Score, then the tie-breaks (CH-7.2): number of cards and highest cards, or the other way."""
    if i == 0:
        return points(s, r, seat)
    if r.tie_break == SHARED:
        return 0
    if (i == 1) == (r.tie_break == MOST_FIRST):
        return popcount(s.built[seat])
    return built_code(s, r, seat)


@kernel
def num_standings() -> int:
    """The score and the tie-breaks of CH-7.2."""
    return 1 + NUM_TIE_BREAKS


@kernel
def skip(s: Record, r: Record, seat: int) -> bool:
    """Pass over the other seats' placements (`core.driver.skip`); a seat's last one is the last."""
    if s.phase != P_PLACE:
        return False
    i = s.at
    while i < s.seats and s.order[i] != seat:
        i += 1
    if i == s.seats:  # its next turn is in the next circle of placements
        if s.step + 1 >= r.placements:
            return False
        s.step += 1
        i = 0
        while s.order[i] != seat:
            i += 1
        s.turn += i + s.seats - s.at
    else:
        s.turn += i - s.at
    s.at = i
    s.seat = seat
    return True
