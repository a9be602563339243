"""The opening position and the starting pieces (R1)."""

from __future__ import annotations

from reefsim.core.bits import nth, popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import uniform
from reefsim.core.work import SCRIPT_IMPOSSIBLE, add, reset_work, take_script
from reefsim.games.reef.cards import open_display, put_card, reveal_card
from reefsim.games.reef.constants import (
    DEAL,
    MAX_DISPLAY,
    MAX_SEATS,
    NONE,
    NUM_CELLS,
    NUM_COLORS,
    NUM_WORDS,
    P_START,
    START_PIECE,
    START_RANDOM,
    WORD,
)
from reefsim.games.reef.ending import start_turn
from reefsim.games.reef.log import log_action, log_chance, open_turn_counters
from reefsim.games.reef.pieces import clear_board, open_cells, push, slip_in

SETUP_KEY = 0  # place of the set-up's key in `chance`


@kernel
def begin(s: Record, r: Record, w: Record, log: list[int], seats: int) -> None:
    """Set up a game up to its first decision (R1.1-R1.8); `s.chance` is keyed already."""
    clear(s, r, w, seats)
    for seat in range(seats):
        for _ in range(r.start_hand):
            card = reveal_card(s, r, w)
            put_card(s.hand[seat], card)
            put_card(s.secret[seat], card)
            s.deck -= 1
            log_chance(s, w, log, DEAL, seat, card, 0)
        s.unknown[seat] = r.start_hand
    if r.after_display:
        open_display(s, r, w, log)
    if r.random_start:
        for seat in range(seats):
            for color in range(NUM_COLORS):
                draw_start(s, r, w, log, seat, color)
        leave_setup(s, r, w, log)


@kernel
def clear(s: Record, r: Record, w: Record, seats: int) -> None:
    """Everything that does not depend on chance; the records may hold an earlier game."""
    reset_work(w)
    open_turn_counters(w)
    s.seats = seats
    s.seat = 0
    s.phase = P_START
    s.turn = 0
    s.over = 0
    s.piece = 0
    s.card = NONE
    s.most = 0
    s.cause = 0
    s.ender = NONE
    s.stopped = 0
    s.final = 0
    s.asked = 0
    s.next_card = 0
    s.top = NONE
    s.deck = r.num_cards
    for slot in range(MAX_DISPLAY):
        s.display[slot] = NONE
        s.tokens[slot] = 0
    for c in range(NUM_COLORS):
        s.supply[c] = r.coral - seats  # R1.2
    for word in range(NUM_WORDS):
        size = min(WORD, max(0, r.num_cards - word * WORD))
        s.unseen[word] = (1 << size) - 1
    for seat in range(MAX_SEATS):
        clear_board(s, seat)
        s.points[seat] = r.start_points[seat] if seat < seats else 0
        s.unknown[seat] = 0
        for word in range(NUM_WORDS):
            s.hand[seat][word] = 0
            s.secret[seat][word] = 0
            s.discard[seat][word] = 0
        w.takes_display[seat] = 0
        w.takes_deck[seat] = 0
        w.passes[seat] = 0
        w.blank_plays[seat] = 0
        w.missing[seat] = 0
        w.pattern_points[seat] = 0
        w.hand_points[seat] = 0
        w.tokens_taken[seat] = 0
        w.tokens_paid[seat] = 0


@kernel
def start_cells(s: Record, r: Record, seat: int) -> int:
    """Cells for a starting piece: empty ones of the centre, or in the free set-up with room."""
    if r.free:
        return r.start_area & open_cells(s, r, seat)
    return r.start_area & ~s.least[seat][1]


@kernel
def draw_start(s: Record, r: Record, w: Record, log: list[int], seat: int, color: int) -> None:
    """A starting piece on a random space of the centre (A1)."""
    cells = start_cells(s, r, seat)
    cell = 0
    if w.scripted:
        cell = take_script(w)
        if not 0 <= cell < NUM_CELLS or (cells >> cell) & 1 == 0:
            if w.fault == 0:
                w.fault = SCRIPT_IMPOSSIBLE
            cell = nth(cells, 0)
    else:
        k0, k1 = s.chance[SETUP_KEY], s.chance[SETUP_KEY + 1]
        cell = nth(cells, uniform(k0, k1, START_RANDOM, seat, color, popcount(cells)))
    push(s, seat, cell, color)
    log_chance(s, w, log, START_RANDOM, seat, cell, color)


@kernel
def start_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`start_piece`: the cells, and in the free set-up the levels of their stacks (R1.6, R1.7)."""
    cells = start_cells(s, r, s.seat)
    for block in range(4):
        members = 0
        for i in range(4):
            cell = 4 * block + i
            if (cells >> cell) & 1:
                if r.free:
                    members |= ((2 << s.height[s.seat][cell]) - 1) << 8 * i + 1
                else:
                    members |= 1 << 8 * i
        k = add(w, k, START_PIECE << 16 | s.piece << 7 | block << 5, members)
    return k


@kernel
def do_start_piece(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Put a starting piece; after the last seat's last one play begins (R1.6-R1.9)."""
    log_action(s, w, log, START_PIECE, 0, action & 511, 0)
    cell = (action >> 3) & 15
    level = action & 7
    slip_in(s, s.seat, cell, s.piece, max(1, level))
    s.piece += 1
    if s.piece < NUM_COLORS:
        return
    s.piece = 0
    s.seat += 1
    if s.seat == s.seats:
        leave_setup(s, r, w, log)


@kernel
def leave_setup(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Show the display, unless it lies there already, and begin (R1.8, R1.9)."""
    if not r.after_display:
        open_display(s, r, w, log)
    start_turn(s, w, 0)
