"""The actions worth a look: what players that look ahead consider of all that is legal.

Most legal actions of a turn differ in nothing that matters, or only waste what they use. What is
left out here is never played by a planner or a search, so in doubt an action stays in.
"""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add, close_options
from reefsim.games.reef_encounter.algae import alga_plays
from reefsim.games.reef_encounter.constants import (
    ALGA,
    BEHIND,
    COLLECT,
    FIRST_LOCK,
    FRONT,
    GROWTH,
    GROWTH_NEIGHBORS,
    P_GROW,
    P_TURN,
    PASS_TURN,
    PLACE,
    SHRIMP_IN,
    SHRIMP_MOVE,
    TO_LARVA,
    TO_POLYP,
)
from reefsim.games.reef_encounter.corals import attackable, flood, neighbors, refused, targets
from reefsim.games.reef_encounter.feed import feed_options
from reefsim.games.reef_encounter.grow import end_grow_options, grow_options
from reefsim.games.reef_encounter.legal import legal
from reefsim.games.reef_encounter.scoring import color_value
from reefsim.games.reef_encounter.shrimps import has_bare_shrimp, shrimp_out_options

WANTED_SPACES = 3  # sea spaces looked at
LOCK, ATTACK, SECOND_SHRIMP = range(3)
# Restrictions an agent may play under, in the order of the bits of `forbid`.
RESTRICTIONS = (
    ("lock", "never locks a coral tile (R9.5)"),
    ("attack", "never lays a tile on another (R5)"),
    ("second_shrimp", "brings in a shrimp only while none of its own is on the boards (R7.1)"),
)


@kernel
def propose(s: Record, r: Record, w: Record) -> None:
    """Write the legal actions worth a look into `w`; at least one, as far as any is legal."""
    k = 0
    if s.phase == P_TURN:
        if s.fresh:
            k = feed_options(s, w, k, r.min_feed_size)
        k = grow_options(s, r, w, k)
        k = claim_options(s, r, w, k)
        k = move_options(s, r, w, k)
        k = shrimp_out_options(s, w, k)
        k = useful_exchanges(s, w, k)
        k = cheapest_alga(s, r, w, k)
        k = wanted_spaces(s, r, w, k)
        close_options(w, k)
    elif s.phase == P_GROW:
        k = useful_places(s, r, w, k)
        if s.placed > 0 or r.allow_empty_grow:
            k = end_grow_options(w, k)
            if has_bare_shrimp(s, s.seat):
                k = move_options(s, r, w, k)
        close_options(w, k)
    else:
        legal(s, r, w)


@kernel
def best_cover(s: Record, board: int, coral: int) -> int:
    """The cell of a coral from which a shrimp protects most (R0.5), tiles at its edge before all.

    Returns the cell's bit.
    """
    edge = coral & neighbors(s.rock[board] & ~coral)
    best, most = coral & -coral, -1
    rest = coral
    while rest != 0:
        bit = rest & -rest
        rest &= rest - 1
        cover = (bit | neighbors(bit)) & coral
        count = 2 * popcount(cover & edge) + popcount(cover)
        if count > most:
            best, most = bit, count
    return best


@kernel
def best_covers(s: Record, board: int, least: int) -> int:
    """The best cells of all corals of a board without shrimp and of at least `least` tiles."""
    cells = 0
    for c in range(5):
        free = s.tiles[board][c] & ~s.guarded[board]
        while free != 0:
            coral = flood(free & -free, s.tiles[board][c])
            free &= ~coral
            if popcount(coral) >= least:
                cells |= best_cover(s, board, coral)
    return cells


@kernel
def claim_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`shrimp_in` on the best cell of each coral."""
    if s.entered or s.in_hand[s.seat] == 0:
        return k
    for board in range(s.seats):
        if s.on_board[s.seat][board] < r.max_own_shrimps_per_board:
            k = add(w, k, SHRIMP_IN << 16 | board << 6, best_covers(s, board, 1))
    return k


@kernel
def move_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`shrimp_move` to the best cell of the own coral, or of a larger one without shrimp."""
    if s.moves >= r.max_shrimp_moves_per_turn:
        return k
    seat = s.seat
    for i in range(s.num_shrimps[seat]):
        cell = s.shrimp_cell[seat][i]
        coral = s.coral[seat][i]
        home = cell >> 6
        base = SHRIMP_MOVE << 16 | cell << 8
        for board in range(s.seats):
            cells = 0
            if board == home or s.on_board[seat][board] < r.max_own_shrimps_per_board:
                cells = best_covers(s, board, popcount(coral) + 1)
            if board == home and coral != 0:
                cells |= best_cover(s, board, coral) & ~(1 << (cell & 63))
            k = add(w, k, base | board << 6, cells)
    return k


@kernel
def useful_exchanges(s: Record, w: Record, k: int) -> int:
    """`to_larva` for a color without cube, `to_polyp` for a cube that has nothing to lay."""
    seat = s.seat
    larvae = 0
    polyps = 0
    for c in range(5):
        cubes = s.larvae[seat][c]
        if s.front[seat][c] > 0 and s.supply[c] > 0 and cubes == 0:
            larvae |= 1 << c
        if s.bag[c] + s.bonus[c] > 0 and (
            cubes > 1 or (cubes == 1 and s.behind[seat][c] + s.front[seat][c] == 0)
        ):
            polyps |= 1 << c
    k = add(w, k, TO_LARVA << 16, larvae)
    return add(w, k, TO_POLYP << 16, polyps)


@kernel
def cheapest_alga(s: Record, r: Record, w: Record, k: int) -> int:
    """`alga`, paid with a front tile of the color that is worth least and there most."""
    seat = s.seat
    pay = -1
    least = 0
    for c in range(5):
        if s.front[seat][c] > 0:
            price = 100 * color_value(s, r, c) - s.front[seat][c]
            if pay < 0 or price < least:
                pay, least = c, price
    if pay < 0:
        return k
    return add(w, k, ALGA << 16 | pay << 8, alga_plays(s, r, False))


@kernel
def wanted_spaces(s: Record, r: Record, w: Record, k: int) -> int:
    """`collect` of the spaces that promise most by their tiles and cube, or `pass_turn`."""
    seat = s.seat
    if has_bare_shrimp(s, seat):
        return k
    spaces = 0
    for _ in range(WANTED_SPACES):
        best, most = -1, -1
        for space in range(5):
            if (spaces >> space) & 1 == 0:
                count = 0
                if s.cube[space] > 0:
                    count = 4 if s.larvae[seat][space] == 0 else 2
                for c in range(5):
                    if s.sea[space][c] > 0:
                        use = 2 if s.larvae[seat][c] > 0 or c == space else 1
                        count += s.sea[space][c] * (color_value(s, r, c) + use)
                if count > most:
                    best, most = space, count
        spaces |= 1 << best
    k = add(w, k, COLLECT << 16, spaces)
    if not r.collect_mandatory:
        k = add(w, k, PASS_TURN << 16, 1)
    return k


@kernel
def useful_places(s: Record, r: Record, w: Record, k: int) -> int:
    """`place`: attacks, cells next to corals one may own, and cells that bring a growth tile."""
    seat = s.seat
    c = s.growing
    behind = s.from_behind < r.max_tiles_from_behind and s.behind[seat][c] > 0
    if not behind and s.front[seat][c] == 0:
        return k
    base = PLACE << 16 | (BEHIND if behind else FRONT) << 8
    first = k
    for board in range(s.seats):
        k = add(w, k, base | board << 6, useful_cells(s, r, board, c, seat))
    if k == first:
        for board in range(s.seats):
            k = add(w, k, base | board << 6, targets(s, r, board, c, seat))
    return k


@kernel
def useful_cells(s: Record, r: Record, board: int, c: int, seat: int) -> int:
    """Cells of one board on which a tile of color c may be of use to the seat."""
    area = s.tiles[board][c]
    own = 0
    for i in range(s.num_shrimps[seat]):
        if s.shrimp_cell[seat][i] >> 6 == board:
            own |= s.coral[seat][i] & area
    rivals = area & s.guarded[board] & ~own
    near = neighbors(own | (area & ~s.guarded[board])) & ~neighbors(rivals)
    if r.extra_growth and s.occupied[board] & GROWTH == 0:
        near |= GROWTH_NEIGHBORS
    empty = s.rock[board] & ~s.occupied[board] & ~s.shrimps[board]
    attacks = attackable(s, r, board, c, seat)
    return ((near & empty) | attacks) & ~refused(s, r, board, c)


@kernel
def forbid(s: Record, w: Record, mask: int) -> None:
    """Drop the actions that restrictions forbid; `mask` has a bit for each of `RESTRICTIONS`."""
    for i in range(w.num_options):
        kind = w.first[i] >> 16
        if kind == ALGA and (mask >> LOCK) & 1:
            w.members[i] &= (1 << FIRST_LOCK) - 1
        elif kind == PLACE and (mask >> ATTACK) & 1:
            w.members[i] &= ~s.occupied[(w.first[i] >> 6) & 3]
        elif kind == SHRIMP_IN and (mask >> SECOND_SHRIMP) & 1 and s.num_shrimps[s.seat] > 0:
            w.members[i] = 0


PRIME = 0x2545F4914F6CDD1D  # xorshift64* (Vigna 2016)
WORD = 0x3FFFFFFFFFFFFFFF


@inlined
def mix(h: int, x: int) -> int:
    """Stir a number into a hash."""
    h = ((h ^ x) * PRIME) & WORD
    return h ^ (h >> 29)


@kernel
def fingerprint(s: Record) -> int:
    """Hash of what a turn can change, but for the count of shrimp moves."""
    h = s.phase << 40 | s.growing + 1 << 36 | s.grows << 32 | s.entered << 31 | s.fresh << 30
    h = mix(h, s.placed << 50 | s.from_behind << 40 | s.lock_made << 30 | s.reversed << 12)
    h = mix(h, s.locked << 20 | s.space + 1)
    for board in range(s.seats):
        for c in range(5):
            h = mix(h, s.tiles[board][c])
        h = mix(h, s.shrimps[board])
    for seat in range(s.seats):
        larvae = 0
        behind = 0
        front = s.in_hand[seat]
        for c in range(5):
            larvae = larvae << 8 | s.larvae[seat][c]
            behind = behind << 8 | s.behind[seat][c]
            front = front << 8 | s.front[seat][c]
        h = mix(mix(mix(h, larvae), behind), front)
    return h
