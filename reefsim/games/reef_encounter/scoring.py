"""Values of the colors, points, tie-breaks and ranks (R12)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel

NUM_TIE_BREAKS = 4


@kernel
def total(stock: list[int]) -> int:
    """Tiles or cubes of all colors in a stock."""
    return stock[0] + stock[1] + stock[2] + stock[3] + stock[4]


@kernel
def set_dominance(s: Record, r: Record) -> None:
    """Read off the coral tiles which colors each color beats (R0.6)."""
    for c in range(5):
        s.beats[c] = 0
    for tile in range(10):
        side = (s.reversed >> tile) & 1
        s.beats[r.top[side][tile]] |= 1 << r.bottom[side][tile]


@kernel
def color_value(s: Record, r: Record, c: int) -> int:
    """Value of a tile of color c: the coral tiles that show it on top, and the base (R12.1)."""
    return r.base_tile_value + popcount(s.beats[c])


@kernel
def points(s: Record, r: Record, seat: int) -> int:
    """Points of a seat's fish at the present values (R12.2)."""
    score = 0
    for c in range(5):
        score += s.fish[seat][c] * color_value(s, r, c)
    return score


@kernel
def guarded_tiles(s: Record, seat: int) -> int:
    """Tiles on the boards in corals a seat guards (R12.3, fourth tie-break)."""
    tiles = 0
    for k in range(s.num_shrimps[seat]):
        tiles += popcount(s.coral[seat][k])
    return tiles


@kernel
def standing(s: Record, r: Record, seat: int, i: int) -> int:
    """What decides the order of the seats: 0 the score, 1..4 the tie-breaks (R12.3)."""
    if i == 0:
        return points(s, r, seat)
    if i == 1:
        return total(s.front[seat])
    if i == 2:
        return total(s.larvae[seat])
    if i == 3:
        return total(s.behind[seat])
    return guarded_tiles(s, seat)
