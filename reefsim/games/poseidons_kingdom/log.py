"""What the rules write down: one packed event per action and chance outcome, one row per turn."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import log_event, start_row
from reefsim.games.poseidons_kingdom.constants import MAX_POINTS, NUM_KINDS, NUM_OWNERS

NO_SEAT = 7
FREED_STEP = MAX_POINTS + 1


@kernel
def pack(event: int, seat: int, a: int, b: int, num_legal: int, turn: int) -> int:
    """An event in one int64; `events.py` names the same fields for reading."""
    return event | seat << 5 | a << 8 | b << 24 | num_legal << 34 | turn << 46


@kernel
def log_chance(s: Record, w: Record, log: list[int], event: int, a: int, b: int) -> None:
    """Write a chance event; `a` is its outcome."""
    if w.logging:
        log_event(w, log, pack(event, NO_SEAT, a, b, 0, s.turn))


@kernel
def log_action(s: Record, w: Record, log: list[int], event: int, a: int, b: int) -> None:
    """Write the action of the seat to act with its consequences."""
    if w.logging:
        log_event(w, log, pack(event, s.seat, a, b, w.num_legal, s.turn))


@kernel
def freed_code(tentacle: int, points: int) -> int:
    """A freed friend, for the log: tentacle from 0 on and value of the safe place."""
    return 1 + tentacle * FREED_STEP + points


@kernel
def open_turn_counters(w: Record) -> None:
    """Restart the game's own counters of a turn."""
    w.turn_picked = 0
    w.turn_freed = 0
    w.turn_eaten = 0
    w.turn_crash = 0


@kernel
def close_turn(s: Record, r: Record, w: Record) -> None:
    """Write the row of the turn that just ended; the columns are those of `tables.TURN_COLUMNS`."""
    if not w.logging:
        return
    seat = s.active
    i = start_row(w, s.turn, seat, NUM_KINDS)
    tower = 0
    for owner in range(NUM_OWNERS):
        tower += s.tower[owner]
    w.row[i] = w.turn_picked
    w.row[i + 1] = w.turn_freed
    w.row[i + 2] = w.turn_eaten
    w.row[i + 3] = w.turn_crash
    w.row[i + 4] = s.total[seat] if w.turn_crash else -1
    w.row[i + 5] = s.tiles[seat]
    for k in range(3):
        w.row[i + 6 + k] = s.power[seat][k]
    w.row[i + 9] = tower
    w.row[i + 10] = s.safe_points[seat]
