"""Corals on boards: stacks, room, and where the two pieces of a card may go (R4.2-R4.6, R4.9)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.reef.constants import (
    ALL_CELLS,
    MAX_LEVEL,
    NOTHING,
    NUM_CELLS,
    NUM_COLORS,
    NUM_PAIR_WORDS,
    NUM_PAIRS,
    ONE,
    PAIR_WORD,
    PLAY,
    TOLD_NOTHING,
    TOLD_ONE,
)


@kernel
def push(s: Record, seat: int, cell: int, color: int) -> None:
    """Put a piece on top of a stack; supply and limits are the caller's business."""
    bit = 1 << cell
    s.stack[seat][cell] = s.stack[seat][cell] << 2 | color
    s.height[seat][cell] += 1
    s.least[seat][s.height[seat][cell]] |= bit
    for c in range(NUM_COLORS):
        s.tops[seat][c] &= ~bit
    s.tops[seat][color] |= bit


@kernel
def pop(s: Record, seat: int, cell: int) -> None:
    """Take a piece off again that was only tried out."""
    bit = 1 << cell
    s.least[seat][s.height[seat][cell]] &= ~bit
    s.tops[seat][s.stack[seat][cell] & 3] &= ~bit
    s.stack[seat][cell] >>= 2
    s.height[seat][cell] -= 1
    if s.height[seat][cell] > 0:
        s.tops[seat][s.stack[seat][cell] & 3] |= bit


@kernel
def slip_in(s: Record, seat: int, cell: int, color: int, level: int) -> None:
    """Put a piece into a stack at a level from 1 on; those above move up (R1.7a)."""
    above = 2 * (s.height[seat][cell] - level + 1)
    upper = s.stack[seat][cell] & (1 << above) - 1
    if above == 0:
        push(s, seat, cell, color)
    else:
        s.stack[seat][cell] = (s.stack[seat][cell] >> above << 2 | color) << above | upper
        s.height[seat][cell] += 1
        s.least[seat][s.height[seat][cell]] |= 1 << cell


@kernel
def clear_board(s: Record, seat: int) -> None:
    """Take everything off a board."""
    for cell in range(NUM_CELLS):
        s.stack[seat][cell] = 1
        s.height[seat][cell] = 0
    for c in range(NUM_COLORS):
        s.tops[seat][c] = 0
    s.least[seat][0] = ALL_CELLS
    for level in range(MAX_LEVEL + 1):
        s.least[seat][level + 1] = 0


@kernel
def num_pieces(s: Record, seat: int) -> int:
    """Pieces on a seat's board."""
    total = 0
    for level in range(MAX_LEVEL):
        total += popcount(s.least[seat][level + 1])
    return total


@inlined
def open_cells(s: Record, r: Record, seat: int) -> int:
    """Cells that take another piece (R4.5)."""
    return ALL_CELLS & ~s.least[seat][r.stack_limit]


@kernel
def placed_pieces(s: Record, r: Record, seat: int, card: int) -> int:
    """Which pieces of a card are placed: 0 none, 1 the first, 2 the second, 3 both.

    4 if only one of two different ones has room, and the player chooses (R4.9a, R4.10a).
    """
    a = r.corals[card][0]
    b = r.corals[card][1]
    first = 1 if s.supply[a] > 0 else 0
    second = 1 if s.supply[b] > (1 if a == b else 0) else 0
    given = first | second << 1
    if given == 0:
        return 0
    room = r.stack_limit * NUM_CELLS - num_pieces(s, seat)
    if room == 0:
        return 0
    if given == 3 and room == 1:
        return 1 if a == b else 4
    return given


@kernel
def play_options(s: Record, r: Record, w: Record, k: int, card: int) -> int:
    """`play` of one card in every canonical way (R4.3-R4.5, R4.9, R4.10)."""
    seat = s.seat
    base = PLAY << 16 | card << 9
    what = placed_pieces(s, r, seat, card)
    if what == 3:
        orders = 1 if r.corals[card][0] == r.corals[card][1] else 2
        for order in range(orders):
            for word in range(NUM_PAIR_WORDS):
                first = base + order * NUM_PAIRS + word * PAIR_WORD
                k = add(w, k, first, w.pairs[word])
        return k
    if what == 0:
        return add(w, k, base + NOTHING, 1)
    cells = open_cells(s, r, seat)
    if what & 1 or what == 4:
        k = add(w, k, base + ONE, cells)
    if what & 2 or what == 4:
        k = add(w, k, base + ONE + NUM_CELLS, cells)
    return k


@kernel
def find_pairs(s: Record, r: Record, w: Record, seat: int) -> None:
    """Write into `w.pairs` the pairs of cells that take two pieces."""
    full = s.least[seat][r.stack_limit]
    # One piece below the limit; on a board of limit 1 that is every empty cell.
    nearly = s.least[seat][r.stack_limit - 1] & ~full
    for word in range(NUM_PAIR_WORDS):
        w.pairs[word] = r.all_pairs[word]
    if full | nearly == 0:
        return
    for cell in range(NUM_CELLS):
        if (full >> cell) & 1:
            for word in range(NUM_PAIR_WORDS):
                w.pairs[word] &= ~r.pairs_of[cell][word]
        elif (nearly >> cell) & 1:
            for word in range(NUM_PAIR_WORDS):
                w.pairs[word] &= ~r.double_of[cell][word]


@kernel
def place(s: Record, r: Record, seat: int, card: int, placement: int) -> int:
    """Put the pieces of a card (R4.2-R4.6); returns the placement with its colors, for the log."""
    if placement == NOTHING:
        return TOLD_NOTHING
    if placement >= ONE:
        which = (placement - ONE) // NUM_CELLS
        cell = (placement - ONE) % NUM_CELLS
        color = r.corals[card][which]
        push(s, seat, cell, color)
        s.supply[color] -= 1
        return TOLD_ONE + cell * 4 + color
    order = placement // NUM_PAIRS
    pair = placement % NUM_PAIRS
    first = r.corals[card][order]
    second = r.corals[card][1 - order]
    push(s, seat, r.low_cell[pair], first)
    push(s, seat, r.high_cell[pair], second)
    s.supply[first] -= 1
    s.supply[second] -= 1
    return pair * 16 + first * 4 + second
