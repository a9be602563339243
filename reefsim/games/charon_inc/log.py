"""What the rules write down: a packed event for whatever happens, one row per turn."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import clear_turn, log_event, start_row
from reefsim.games.charon_inc.constants import NUM_COLORS, NUM_KINDS, P_BUILD, P_PLACE

NO_SEAT = 7


@kernel
def pack(event: int, seat: int, round_: int, turn: int, num_legal: int, a: int, b: int) -> int:
    """An event in one int64; `events.py` names the same fields for reading."""
    return event | seat << 5 | round_ << 8 | turn << 11 | num_legal << 20 | a << 33 | b << 49


@kernel
def log_fact(s: Record, w: Record, log: list[int], event: int, seat: int, a: int, b: int) -> None:
    """Write a chance event, whose outcome is `a`, or a consequence."""
    if w.logging:
        log_event(w, log, pack(event, seat, s.round_number, s.turn, 0, a, b))


@kernel
def log_action(s: Record, w: Record, log: list[int], event: int, a: int, b: int) -> None:
    """Write a player's action."""
    if w.logging:
        log_event(w, log, pack(event, s.seat, s.round_number, s.turn, w.num_legal, a, b))


@kernel
def total_held(s: Record, seat: int) -> int:
    """Gems a seat holds, clear ones included."""
    total = 0
    for color in range(NUM_COLORS):
        total += s.held[seat][color]
    return total


@kernel
def points(s: Record, r: Record, seat: int) -> int:
    """Points of a seat's buildings (CH-7.1)."""
    total = 0
    for number in range(2, 13):
        total += number * popcount(s.built[seat] & r.of_number[number])
    return total


@kernel
def open_turn(s: Record, w: Record, seat: int, phase: int) -> None:
    """Begin a turn of a seat; what was decided since the last one belongs to no turn."""
    s.turn += 1
    s.seat = seat
    s.phase = phase
    clear_turn(w, NUM_KINDS)


@kernel
def close_turn(s: Record, r: Record, w: Record) -> None:
    """Write the row of the turn that ends; the columns are those of `tables.TURN_COLUMNS`."""
    if not w.logging:
        return
    i = start_row(w, s.turn, s.seat, NUM_KINDS)
    place = 0
    while s.order[place] != s.seat:
        place += 1
    w.row[i] = s.round_number
    w.row[i + 1] = s.phase - P_PLACE + (s.step if s.phase == P_BUILD else 0)
    w.row[i + 2] = place + 1
    w.row[i + 3] = total_held(s, s.seat)
    w.row[i + 4] = popcount(s.hand[s.seat])
    w.row[i + 5] = points(s, r, s.seat)
