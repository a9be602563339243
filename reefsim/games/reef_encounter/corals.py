"""Corals: adjacency, protection, where a tile may be laid, and what laying changes (R0, R4, R5).

Every function works on one board. `c` is a color, sets of cells are masks.
"""

from __future__ import annotations

from reefsim.core.bits import lowest, popcount
from reefsim.core.kernel import Record, kernel


@kernel
def neighbors(cells: int) -> int:
    """Cells next to any of the given ones (R0.2); bits that are no rock may be set."""
    return (cells << 1) | (cells >> 1) | (cells << 8) | (cells >> 8)


@kernel
def flood(cells: int, area: int) -> int:
    """The connected parts of `area` that contain `cells`, a subset of `area` (R0.3)."""
    while True:
        grown = cells | (neighbors(cells) & area)
        more = grown | (neighbors(grown) & area)
        if more == grown:
            return grown
        cells = more


@kernel
def color_at(s: Record, board: int, bit: int) -> int:
    """Color of the tile on an occupied cell."""
    c = 0
    while s.tiles[board][c] & bit == 0:
        c += 1
    return c


@kernel
def coral_at(s: Record, board: int, bit: int) -> int:
    """The coral the cell belongs to, empty on bare rock."""
    if s.occupied[board] & bit == 0:
        return 0
    return flood(bit, s.tiles[board][color_at(s, board, bit)])


@kernel
def in_corals_of(area: int, size: int) -> int:
    """Tiles of the corals of `area` (one color) that have at least `size` tiles."""
    if size <= 1:
        return area
    if size == 2:
        return area & neighbors(area)
    large = 0
    while area != 0:
        coral = flood(area & -area, area)
        if popcount(coral) >= size:
            large |= coral
        area &= ~coral
    return large


@kernel
def refused(s: Record, r: Record, board: int, c: int) -> int:
    """Cells where the join rule forbids a tile of color c (R4.5; A5 `never`: R4.5 of any two)."""
    area = s.tiles[board][c]
    once = 0
    twice = 0
    if r.merge_never:
        while area != 0:
            coral = flood(area & -area, area)
            reach = neighbors(coral)
            twice |= once & reach
            once |= reach
            area &= ~coral
        return twice
    shrimps = s.shrimps[board] & area
    if shrimps & (shrimps - 1) == 0:
        return 0
    while shrimps != 0:
        reach = neighbors(flood(shrimps & -shrimps, area))
        twice |= once & reach
        once |= reach
        shrimps &= shrimps - 1
    return twice


@kernel
def attackers(s: Record, r: Record, board: int, c: int, seat: int) -> int:
    """Tiles of the corals of color c that `seat` may attack with (R5.1c, R5.2, R5.3, A4)."""
    area = s.tiles[board][c]
    if r.attack_needs_own_shrimp:
        own = 0
        for k in range(s.num_shrimps[seat]):
            if s.shrimp_cell[seat][k] >> 6 == board:
                own |= s.coral[seat][k] & area
        area = own
    return in_corals_of(area, r.min_attack_size)


@kernel
def attackable(s: Record, r: Record, board: int, c: int, seat: int) -> int:
    """Cells whose tile a tile of color c may replace (R5.1 a-d)."""
    base = attackers(s, r, board, c, seat)
    if base == 0:
        return 0
    victims = 0
    beats = s.beats[c]
    for v in range(5):
        if (beats >> v) & 1:
            victims |= s.tiles[board][v]
    return victims & ~s.protected[board] & neighbors(base)


@kernel
def targets(s: Record, r: Record, board: int, c: int, seat: int) -> int:
    """Cells on which `seat` may lay a tile of color c (R4.4, R4.5, R5.1)."""
    empty = s.rock[board] & ~s.occupied[board] & ~s.shrimps[board]
    return (empty | attackable(s, r, board, c, seat)) & ~refused(s, r, board, c)


@kernel
def has_target(s: Record, r: Record, c: int, seat: int) -> bool:
    """Whether any board has a legal cell for color c."""
    for board in range(s.seats):
        if targets(s, r, board, c, seat) != 0:
            return True
    return False


@kernel
def has_open_cell(s: Record, r: Record) -> bool:
    """Whether some empty cell is open to every color, because no join rule can touch it.

    A cheap sufficient test: it spares the exact one almost always.
    """
    for board in range(s.seats):
        joinable = s.occupied[board] if r.merge_never else s.guarded[board]
        taken = s.occupied[board] | s.shrimps[board] | neighbors(joinable)
        if s.rock[board] & ~taken != 0:
            return True
    return False


@kernel
def set_coral(s: Record, board: int, shrimp: int, old: int, coral: int) -> None:
    """The shrimp on that cell, which guarded `old`, now guards `coral` (R0.4, R0.5, R5.8)."""
    cell = board << 6 | lowest(shrimp)
    for seat in range(s.seats):
        for k in range(s.num_shrimps[seat]):
            if s.shrimp_cell[seat][k] == cell:
                s.coral[seat][k] = coral
    s.guarded[board] = (s.guarded[board] & ~old) | coral
    s.protected[board] = (s.protected[board] & ~old) | (coral & (shrimp | neighbors(shrimp)))


@kernel
def lay(s: Record, board: int, bit: int, c: int) -> None:
    """Put a tile on an empty cell; it joins the corals of its color next to it (R4.5)."""
    s.tiles[board][c] |= bit
    s.occupied[board] |= bit
    if (
        (neighbors(bit) | (bit & s.shrimps[board]))
        & s.tiles[board][c]
        & (s.guarded[board] | s.shrimps[board])
    ):
        coral = flood(bit, s.tiles[board][c])
        set_coral(s, board, coral & s.shrimps[board], coral, coral)


@kernel
def take(s: Record, board: int, bit: int) -> int:
    """Remove an unprotected tile; a coral it splits loses the parts without shrimp (R5.4, R5.8).

    Returns the tile's color.
    """
    c = color_at(s, board, bit)
    if s.guarded[board] & bit:
        old = flood(bit, s.tiles[board][c])
        shrimp = old & s.shrimps[board]
        s.tiles[board][c] &= ~bit
        set_coral(s, board, shrimp, old, flood(shrimp, s.tiles[board][c]))
    else:
        s.tiles[board][c] &= ~bit
    s.occupied[board] &= ~bit
    return c
