"""Points and tie-breaks (PK-7.5-PK-7.7)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.games.poseidons_kingdom.constants import (
    BLANK,
    GRAVEYARD,
    NUM_CORALS,
    TRIDENT,
)
from reefsim.games.poseidons_kingdom.reefs import highest_level, live_symbols

NUM_TIE_BREAKS = 4
TILES, VISIBLE_HEXES = 0, 1  # places in state.REEF_SIZES


@kernel
def best_of_four(s: Record, r: Record, seat: int) -> int:
    """The best that one of the four plain kinds is worth to a seat."""
    dead = popcount(s.dead[seat])
    best = r.graveyard_points if dead == 0 else -dead
    for kind in range(GRAVEYARD):
        best = max(best, live_symbols(s, seat, kind))
    return best


@kernel
def tile_points(s: Record, r: Record, seat: int, kind: int) -> int:
    """Points of one coral tile for a seat (§1, PK-7.6)."""
    if kind < GRAVEYARD:  # wave rider, speedy fins, bigmouth: each for its symbol
        return live_symbols(s, seat, kind)
    if kind == GRAVEYARD:
        dead = popcount(s.dead[seat])
        return r.graveyard_points if dead == 0 else -dead
    if kind == TRIDENT:
        return best_of_four(s, r, seat)
    return 0


@kernel
def coral_points(s: Record, r: Record, seat: int) -> int:
    """Points of a seat's coral tiles whose kinds are known."""
    total = 0
    for i in range(NUM_CORALS):
        if s.coral_owner[i] == seat and s.coral[i] >= 0:
            total += tile_points(s, r, seat, s.coral[i])
    return total


@kernel
def has_trident(s: Record, seat: int) -> bool:
    """Whether a seat owns the trident."""
    for i in range(NUM_CORALS):
        if s.coral_owner[i] == seat and s.coral[i] == TRIDENT:
            return True
    return False


@kernel
def reef_size(s: Record, r: Record, seat: int) -> int:
    """Size of a reef, by the measure in force (PKQ-09)."""
    if r.reef_size == TILES:
        return s.tiles[seat]
    if r.reef_size == VISIBLE_HEXES:
        return s.num_hexes[seat]
    return highest_level(s, seat)


@kernel
def standing(s: Record, r: Record, seat: int, i: int) -> int:
    """What decides the order of the seats: points, trident, reef, skeletons, safe places."""
    if i == 0:
        return s.safe_points[seat] + coral_points(s, r, seat)
    if i == 1:
        return 1 if has_trident(s, seat) else 0
    if i == 2:
        return reef_size(s, r, seat)
    if i == 3:
        return -popcount(s.dead[seat])
    return s.safe_tiles[seat]


assert GRAVEYARD < TRIDENT < BLANK  # kinds below the graveyard score the symbol of their number
