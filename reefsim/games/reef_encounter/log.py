"""What the rules write down: one packed event per action and chance outcome, one row per turn."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import log_event, start_row
from reefsim.games.reef_encounter.constants import COLLECT, PASS_TURN, PLACE
from reefsim.games.reef_encounter.scoring import color_value, points, total

NO_SEAT, NO_COLOR, NO_GROWTH, NO_SIZE = 7, 7, 3, 0
NUM_KINDS = 16


@kernel
def pack(
    event: int,
    seat: int,
    a: int,
    b: int,
    captured: int,
    growth: int,
    size: int,
    num_legal: int,
    turn: int,
) -> int:
    """An event in one int64; `events.py` names the same fields for reading."""
    return (
        event
        | seat << 5
        | a << 8
        | b << 16
        | captured << 24
        | growth << 27
        | size << 29
        | num_legal << 35
        | turn << 46
    )


@kernel
def log_chance(s: Record, w: Record, log: list[int], event: int, seat: int, a: int, b: int) -> None:
    """Write a chance event."""
    if w.logging:
        log_event(w, log, pack(event, seat, a, b, NO_COLOR, NO_GROWTH, NO_SIZE, 0, s.turn))


@kernel
def log_action(
    s: Record, w: Record, log: list[int], action: int, captured: int, growth: int, size: int
) -> None:
    """Write a player's action with its consequences."""
    if w.logging:
        a = (action >> 8) & 255
        b = action & 255
        event = action >> 16
        log_event(w, log, pack(event, s.seat, a, b, captured, growth, size, w.num_legal, s.turn))


@kernel
def close_turn(s: Record, r: Record, w: Record) -> None:
    """Write the row of the turn that just ended; the columns are those of `tables.TURN_COLUMNS`."""
    if not w.logging:
        return
    seat = s.seat
    i = start_row(w, s.turn, seat, NUM_KINDS)
    kinds = i - NUM_KINDS
    laid = w.row[kinds + PLACE]
    if laid > 0:
        w.laid[seat] += laid
        w.laying_turns[seat] += 1
    decisions = w.row[2]
    if decisions == w.row[kinds + COLLECT] + w.row[kinds + PASS_TURN]:
        w.passes[seat] += 1
    w.row[i] = laid + w.turn_growths
    w.row[i + 1] = w.turn_captured
    w.row[i + 2] = w.turn_growths
    w.row[i + 3] = w.turn_flips
    w.row[i + 4] = w.turn_locks
    w.row[i + 5] = w.sea_space
    w.row[i + 6] = total(s.front[seat])
    w.row[i + 7] = total(s.larvae[seat])
    w.row[i + 8] = total(s.behind[seat])
    w.row[i + 9] = s.in_hand[seat]
    w.row[i + 10] = s.eaten[seat]
    for c in range(5):
        w.row[i + 11 + c] = color_value(s, r, c)
    w.row[i + 16] = points(s, r, seat)


@kernel
def open_turn_counters(w: Record) -> None:
    """Restart the game's own counters of a turn."""
    w.turn_captured = 0
    w.turn_growths = 0
    w.turn_flips = 0
    w.turn_locks = 0
    w.sea_space = -1
