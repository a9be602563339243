"""What the rules write down: one packed event per action and chance outcome, one row per turn."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import log_event, start_row
from reefsim.games.reef.constants import NO_SCORE, NUM_COLORS, NUM_KINDS

NO_SEAT = 7


@kernel
def pack(event: int, seat: int, card: int, a: int, b: int, num_legal: int, turn: int) -> int:
    """An event in one int64; `events.py` names the same fields for reading."""
    return event | seat << 4 | card << 7 | a << 15 | b << 27 | num_legal << 36 | turn << 48


@kernel
def log_chance(s: Record, w: Record, log: list[int], event: int, seat: int, a: int, b: int) -> None:
    """Write a chance event; `a` is its outcome."""
    if w.logging:
        log_event(w, log, pack(event, seat, 0, a, b, 0, s.turn))


@kernel
def log_action(s: Record, w: Record, log: list[int], event: int, card: int, a: int, b: int) -> None:
    """Write a player's action with its consequences."""
    if w.logging:
        log_event(w, log, pack(event, s.seat, card, a, b, w.num_legal, s.turn))


@kernel
def scored(s: Record, r: Record, matches: int) -> int:
    """How the scoring of the card in question ended, for the log: matches and printed points."""
    return NO_SCORE if matches < 0 else matches * 21 + r.value[s.card]


@kernel
def open_turn_counters(w: Record) -> None:
    """Restart the game's own counters of a turn."""
    w.turn_matches = 0
    w.turn_points = 0
    w.turn_card = -1


@kernel
def close_turn(s: Record, r: Record, w: Record) -> None:
    """Write the row of the turn that just ended; the columns are those of `tables.TURN_COLUMNS`."""
    if not w.logging:
        return
    seat = s.seat
    i = start_row(w, s.turn, seat, NUM_KINDS)
    on_display = 0
    for slot in range(r.display_size):
        on_display += s.tokens[slot]
    w.row[i] = w.turn_card
    w.row[i + 1] = w.turn_matches
    w.row[i + 2] = w.turn_points
    w.row[i + 3] = popcount(s.hand[seat][0]) + popcount(s.hand[seat][1])
    w.row[i + 4] = popcount(s.least[seat][1])
    w.row[i + 5] = s.deck
    w.row[i + 6] = on_display
    for c in range(NUM_COLORS):
        w.row[i + 7 + c] = s.supply[c]
    w.row[i + 11] = s.points[seat]
    w.row[i + 12] = w.turn_card  # the column says its family
