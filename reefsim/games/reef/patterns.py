"""Appearances of a card's pattern on a board, and the neighbors of special cards (R5, R6)."""

from __future__ import annotations

from reefsim.core.bits import lowest, popcount
from reefsim.core.kernel import Record, kernel
from reefsim.games.reef.constants import MAX_LEVEL, NUM_COLORS


@kernel
def cells_for(s: Record, r: Record, seat: int, card: int, k: int) -> int:
    """Cells whose top and height are those of cell k of a pattern (R5.1, R5.5)."""
    cells = s.least[seat][r.low[card][k]] & ~s.least[seat][r.high[card][k] + 1]
    color = r.color[card][k]
    if color < NUM_COLORS:
        cells &= s.tops[seat][color]
    return cells


@kernel
def corners(s: Record, r: Record, seat: int, card: int, turned: int) -> int:
    """Corners of the bounding box at which the pattern, turned one way, appears (R5.2)."""
    found = r.fits[card][turned]
    for k in range(r.num_cells[card]):
        found &= cells_for(s, r, seat, card, k) >> r.shift[card][turned][k]
    return found


@kernel
def cells_at(r: Record, card: int, turned: int, corner: int) -> int:
    """Cells of the pattern, turned one way, with its box at a corner."""
    cells = 0
    for k in range(r.num_cells[card]):
        cells |= 1 << corner + r.shift[card][turned][k]
    return cells


@kernel
def scan(s: Record, r: Record, w: Record, seat: int, card: int) -> int:
    """Appearances a player finds who takes each one at once, box by box (A8)."""
    num = r.num_turned[card]
    for turned in range(num):
        w.rest[turned] = corners(s, r, seat, card, turned)
    used = 0
    found = 0
    for corner in range(16):
        for turned in range(num):
            if (w.rest[turned] >> corner) & 1:
                cells = cells_at(r, card, turned, corner)
                if cells & used == 0:
                    used |= cells
                    found += 1
    return found


@kernel
def find_matches(s: Record, r: Record, w: Record, seat: int, card: int) -> int:
    """Write the cells of every appearance into `w.match`, by lowest cell; returns their number."""
    n = 0
    for turned in range(r.num_turned[card]):
        found = corners(s, r, seat, card, turned)
        while found != 0:
            cells = cells_at(r, card, turned, lowest(found))
            found &= found - 1
            i = n
            while i > 0 and lowest(w.match[i - 1]) > lowest(cells):
                w.match[i] = w.match[i - 1]
                i -= 1
            w.match[i] = cells
            n += 1
    w.rest[n] = 0
    for k in range(n):
        w.rest[n - 1 - k] = w.rest[n - k] | w.match[n - 1 - k]
    return n


@kernel
def largest_packing(w: Record, n: int, size: int) -> int:
    """The largest number of pairwise disjoint ones of `n` appearances of `size` cells (R5.7).

    Depth first: each appearance is taken where it can be, then left out, unless the cells that are
    left hold too few for more than the best found.
    """
    best = 0
    depth = 0
    used = 0
    i = 0
    while True:
        if i < n and depth + popcount(w.rest[i] & ~used) // size > best:
            if w.match[i] & used == 0:
                w.pick[depth] = i
                depth += 1
                used |= w.match[i]
                best = max(best, depth)
            i += 1
        elif depth == 0:
            return best
        else:
            depth -= 1
            i = w.pick[depth]
            used &= ~w.match[i]
            i += 1


@kernel
def appearances(s: Record, r: Record, w: Record, seat: int, card: int) -> int:
    """How often the pattern of a card counts on a seat's board (R5.7, R5.9, A8)."""
    size = r.num_cells[card]
    if size == 1:
        return popcount(cells_for(s, r, seat, card, 0))
    if r.scan:
        return scan(s, r, w, seat, card)
    n = find_matches(s, r, w, seat, card)
    return n if n < 2 else largest_packing(w, n, size)


@kernel
def tallest(s: Record, seat: int, color: int) -> int:
    """Cells of the tallest stacks with a top of a color (R6.1)."""
    for level in range(MAX_LEVEL):
        cells = s.tops[seat][color] & s.least[seat][MAX_LEVEL - level]
        if cells != 0:
            return cells
    return 0


@kernel
def neighbors_of(s: Record, r: Record, seat: int, card: int, center: int) -> int:
    """How many tops around a cell a special card scores (R6.1, R6.3)."""
    return popcount(r.near[center] & s.tops[seat][r.color[card][1]])


@kernel
def best_neighbors(s: Record, r: Record, seat: int, card: int) -> int:
    """The same for the best of the tallest stacks (R6.2, R6.4, R6.5)."""
    best = 0
    centers = tallest(s, seat, r.color[card][0])
    while centers != 0:
        best = max(best, neighbors_of(s, r, seat, card, lowest(centers)))
        centers &= centers - 1
    return best


@kernel
def matches(s: Record, r: Record, w: Record, seat: int, card: int) -> int:
    """How often a card would score on a seat's board if it were just played."""
    if r.special[card]:
        return best_neighbors(s, r, seat, card)
    return appearances(s, r, w, seat, card)
