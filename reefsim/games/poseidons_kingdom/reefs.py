"""Reefs: laying tiles, where they may go, the powers of symbols (PK-1.4, PK-3.2-PK-3.4)."""

from __future__ import annotations

from reefsim.core.bits import lowest, popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.poseidons_kingdom.constants import (
    GROUP,
    MAX_HEXES,
    NONE,
    NUM_POWERS,
    NUM_SIDES,
    NUM_SYMBOLS,
    PLACE,
    SIDE,
)


@kernel
def find_hex(s: Record, seat: int, cell: int) -> int:
    """The hex of a reef on a cell, NONE if there is none."""
    for h in range(s.num_hexes[seat]):
        if s.cell[seat][h] == cell:
            return h
    return NONE


@kernel
def lay_hex(s: Record, seat: int, cell: int, symbol: int, level: int) -> None:
    """Lay one half of a tile; levels, neighbors and the other half are the caller's business."""
    h = find_hex(s, seat, cell)
    if h < 0:
        h = s.num_hexes[seat]
        s.num_hexes[seat] = h + 1
        s.cell[seat][h] = cell
        i = h
        while i > 0 and s.cell[seat][s.order[seat][i - 1]] > cell:
            s.order[seat][i] = s.order[seat][i - 1]
            i -= 1
        s.order[seat][i] = h
    bit = 1 << h
    for k in range(NUM_SYMBOLS):
        s.symbol[seat][k] &= ~bit
    s.symbol[seat][symbol] |= bit
    s.level[seat][h] = level
    s.tile[seat][h] = s.tiles[seat]


@kernel
def lay_tile(s: Record, r: Record, seat: int, cell: int, side: int, first: int, second: int) -> int:
    """Lay a tile, its first symbol on a cell and its second one beside it; returns its level."""
    h = find_hex(s, seat, cell)
    level = 1 + (s.level[seat][h] if h >= 0 else 0)
    lay_hex(s, seat, cell, first, level)
    lay_hex(s, seat, cell + r.offset[side], second, level)
    s.tiles[seat] += 1
    find_powers(s, r, seat)
    return level


@kernel
def find_powers(s: Record, r: Record, seat: int) -> None:
    """Work out the powers of wave, arrow and eat again (§3, PK-5.5)."""
    live = -1 if r.dead_symbol_power else ~s.dead[seat]
    for k in range(NUM_POWERS):
        best = r.base_power
        rest = s.symbol[seat][k] & live
        while rest != 0:
            h = lowest(rest)
            rest &= rest - 1
            if s.level[seat][h] > best:
                best = s.level[seat][h]
        s.power[seat][k] = best


@inlined
def live_symbols(s: Record, seat: int, symbol: int) -> int:
    """Visible symbols of a kind that carry no skeleton."""
    return popcount(s.symbol[seat][symbol] & ~s.dead[seat])


@kernel
def highest_level(s: Record, seat: int) -> int:
    """The highest level of a reef."""
    best = 0
    for h in range(s.num_hexes[seat]):
        if s.level[seat][h] > best:
            best = s.level[seat][h]
    return best


@inlined
def note_place(w: Record, cell: int, side: int) -> None:
    """Add a placement to the groups; see `place_options`."""
    code = cell * NUM_SIDES + side
    group = code // (GROUP * NUM_SIDES)
    w.group[group] |= 1 << (code - group * (GROUP * NUM_SIDES))


@kernel
def stamp(s: Record, r: Record, w: Record, seat: int) -> int:
    """Write a reef and the cells beside it into the grid; returns how many cells are in `w.rim`."""
    rim = 0
    for h in range(s.num_hexes[seat]):
        w.grid[s.cell[seat][h]] = 1 + h
    for h in range(s.num_hexes[seat]):
        for side in range(NUM_SIDES):
            cell = s.cell[seat][h] + r.offset[side]
            if w.grid[cell] == 0 and r.inside[cell]:
                w.grid[cell] = -1
                w.rim[rim] = cell
                rim += 1
    return rim


@kernel
def wipe(s: Record, w: Record, seat: int, rim: int) -> None:
    """Take a reef out of the grid again."""
    for h in range(s.num_hexes[seat]):
        w.grid[s.cell[seat][h]] = 0
    for i in range(rim):
        w.grid[w.rim[i]] = 0


@kernel
def find_places(s: Record, r: Record, w: Record, seat: int, on_top: bool) -> None:
    """Note where a tile may go: on two tiles of equal level, flat beside the reef (PK-3.2, PK-3.3).

    Placements are collected by groups of cells, since they come up in no order.
    """
    rim = stamp(s, r, w, seat)
    if on_top:
        free = ~(s.stored[seat] | s.dead[seat])
        for h in range(s.num_hexes[seat]):
            if (free >> h) & 1 == 0:
                continue
            for side in range(NUM_SIDES):
                other = w.grid[s.cell[seat][h] + r.offset[side]] - 1
                if (
                    other >= 0
                    and (free >> other) & 1
                    and s.tile[seat][h] != s.tile[seat][other]
                    and s.level[seat][h] == s.level[seat][other]
                ):
                    note_place(w, s.cell[seat][h], side)
    if s.num_hexes[seat] + 2 <= MAX_HEXES:
        for i in range(rim):
            for side in range(NUM_SIDES):
                cell = w.rim[i] + r.offset[side]
                if w.grid[cell] == -1:
                    note_place(w, w.rim[i], side)
                elif w.grid[cell] == 0 and r.inside[cell]:
                    note_place(w, w.rim[i], side)
                    note_place(w, cell, (side + 3) % NUM_SIDES)
    wipe(s, w, seat, rim)


@inlined
def first_group(s: Record, seat: int) -> int:
    """The first group that may have placements: they lie within two rows of the reef."""
    return max(0, (s.cell[seat][s.order[seat][0]] - 2 * SIDE) // GROUP)


@inlined
def end_group(s: Record, w: Record, seat: int) -> int:
    """The group behind the last one."""
    last = s.order[seat][s.num_hexes[seat] - 1]
    return min((s.cell[seat][last] + 2 * SIDE) // GROUP + 1, len(w.group))


@kernel
def place_options(s: Record, r: Record, w: Record, k: int, seat: int, on_top: bool) -> int:
    """`place`: the first symbol on a cell, the second beside it."""
    find_places(s, r, w, seat, on_top)
    for group in range(first_group(s, seat), end_group(s, w, seat)):
        if w.group[group] != 0:
            base = PLACE << 16 | group * (GROUP * NUM_SIDES)
            k = add(w, k, base, w.group[group])
            w.group[group] = 0
    return k


@kernel
def has_place(s: Record, r: Record, w: Record, seat: int) -> bool:
    """Whether a tile can be laid anywhere."""
    # Beyond the outermost hex there is room for one, unless the table ends there.
    first = s.cell[seat][s.order[seat][0]]
    last = s.cell[seat][s.order[seat][s.num_hexes[seat] - 1]]
    if s.num_hexes[seat] + 2 <= MAX_HEXES and (r.inside[first - SIDE] or r.inside[last + SIDE]):
        return True
    find_places(s, r, w, seat, True)
    found = False
    for group in range(first_group(s, seat), end_group(s, w, seat)):
        if w.group[group] != 0:
            w.group[group] = 0
            found = True
    return found
