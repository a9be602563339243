"""How good a position is for a seat, in points: the evaluation behind `greedy`.

A sum of what the seat holds, each thing at the points it may become:

==============  ==================================================================================
fish            points at the present color values (R12.2)
guarded corals  worth of the tiles they would feed: a coral grows in worth up to the size that is
                worth a meal (three tiles above those returned), threatened tiles count half
claimable       the best coral without shrimp, while a shrimp may still come in this turn
stocks          tiles in front and behind, larva cubes, and more for a cube with tiles to lay
open grow       what a just opened grow action may still lay
locks           coral tiles fixed in favor of the colors in the fish
others          half of the fish and corals of the others, on average
==============  ==================================================================================

The weights are in units of one tile's value; they were set by hand and checked against random play.
"""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.games.reef_encounter.constants import P_GROW, P_TURN
from reefsim.games.reef_encounter.corals import attackable, color_at, flood, neighbors
from reefsim.games.reef_encounter.scoring import color_value, points

WORTH_A_MEAL = 2  # tiles that should reach the fish before a coral is fed
UNEATEN = 0.95  # a tile on the boards against one in the fish
THREATENED = 0.5  # share of a threatened tile that is written off
CLAIMABLE = 0.8  # an unguarded coral against a guarded one
TILE_BEHIND = 0.06
TILE_FRONT = 0.16
TILE_WITH_CUBE = 0.13  # more for each tile a held cube could lay
TILE_TO_LAY = 0.20  # the same in a grow action just opened
CUBE = 0.25  # points, whatever the color
SHRIMP_IN_HAND = 0.4  # points
BARE_SHRIMP = 1.0  # points lost
SHRIMP_MOVE = 0.01  # points lost, so that idle moves are not made
OPEN_GROW = 0.005  # points lost, so that a finished grow action is closed
LOCKED = 0.1  # per tile in the fish of the color on top, less that below
OTHERS = 0.5


@kernel
def meal(r: Record, size: float) -> float:
    """Tiles a coral of some size is worth to its owner, in tiles of its color."""
    goal = max(r.min_feed_size, r.feed_return + WORTH_A_MEAL)
    if size >= goal:
        return UNEATEN * (size - r.feed_return)
    return UNEATEN * (goal - r.feed_return) * size / goal


@kernel
def threatened(s: Record, r: Record, board: int) -> int:
    """Guarded tiles that some color could take now."""
    exposed = s.guarded[board] & ~s.protected[board]
    if exposed == 0:
        return 0
    cells = 0
    for seat in range(s.seats if r.attack_needs_own_shrimp else 1):
        for c in range(5):
            cells |= attackable(s, r, board, c, seat)
    return cells & exposed


@kernel
def corals_worth(s: Record, r: Record, seat: int, others: float) -> float:
    """Points the guarded corals of a seat promise, and `others` times those of the others."""
    worth = 0.0
    for board in range(s.seats):
        if s.shrimps[board] == 0:
            continue
        lost = threatened(s, r, board)
        for owner in range(s.seats):
            weight = 1.0 if owner == seat else others
            for k in range(s.num_shrimps[owner]):
                if s.shrimp_cell[owner][k] >> 6 != board:
                    continue
                coral = s.coral[owner][k]
                if coral == 0:
                    worth -= weight * BARE_SHRIMP
                else:
                    c = color_at(s, board, coral & -coral)
                    size = popcount(coral) - THREATENED * popcount(coral & lost)
                    worth += weight * color_value(s, r, c) * meal(r, size)
    return worth


@kernel
def claimable_worth(s: Record, r: Record, seat: int) -> float:
    """Points of the best coral a shrimp of the seat could still claim this turn."""
    best = 0.0
    for board in range(s.seats):
        if s.on_board[seat][board] >= r.max_own_shrimps_per_board:
            continue
        for c in range(5):
            free = s.tiles[board][c] & ~s.guarded[board]
            value = color_value(s, r, c)
            while free != 0 and value * meal(r, popcount(free)) > best:
                coral = flood(free & -free, s.tiles[board][c])
                best = max(best, value * meal(r, popcount(coral)))
                free &= ~coral
    return best * CLAIMABLE


@kernel
def has_room(s: Record, seat: int, c: int) -> bool:
    """Whether a guarded coral of color c of the seat has an empty cell beside it."""
    for k in range(s.num_shrimps[seat]):
        board = s.shrimp_cell[seat][k] >> 6
        coral = s.coral[seat][k]
        if coral & s.tiles[board][c] != 0:
            empty = s.rock[board] & ~s.occupied[board] & ~s.shrimps[board]
            if neighbors(coral) & empty != 0:
                return True
    return False


@kernel
def stocks_worth(s: Record, r: Record, seat: int) -> float:
    """Points the tiles, cubes and shrimps in stock promise."""
    worth = s.in_hand[seat] * SHRIMP_IN_HAND
    for c in range(5):
        value = color_value(s, r, c)
        behind, front = s.behind[seat][c], s.front[seat][c]
        worth += value * (behind * TILE_BEHIND + front * TILE_FRONT)
        if s.larvae[seat][c] > 0:
            layable = min(behind, r.max_tiles_from_behind) + front
            worth += s.larvae[seat][c] * CUBE + value * layable * TILE_WITH_CUBE
    return worth


@kernel
def locks_worth(s: Record, r: Record, seat: int) -> float:
    """Points for coral tiles that keep the colors in the fish on top (R9.5)."""
    worth = 0
    if s.locked != 0:
        for tile in range(10):
            if (s.locked >> tile) & 1:
                side = (s.reversed >> tile) & 1
                worth += s.fish[seat][r.top[side][tile]] - s.fish[seat][r.bottom[side][tile]]
    return worth * LOCKED


@kernel
def evaluate(s: Record, r: Record, seat: int) -> float:
    """Points the position promises a seat, relative to the others; see the module."""
    share = -OTHERS / (s.seats - 1)
    worth = points(s, r, seat) + corals_worth(s, r, seat, share)
    worth += stocks_worth(s, r, seat) + locks_worth(s, r, seat)
    for other in range(s.seats):
        if other != seat:
            worth += share * points(s, r, other)
    if s.seat == seat and (s.phase == P_TURN or s.phase == P_GROW):
        worth += turn_worth(s, r, seat)
    return worth


@kernel
def turn_worth(s: Record, r: Record, seat: int) -> float:
    """Points that what can still be done in the running turn promises."""
    worth = -s.moves * SHRIMP_MOVE
    can_claim = s.in_hand[seat] > 0 and not s.entered
    if can_claim:
        worth += claimable_worth(s, r, seat)
    if s.phase == P_GROW:
        worth -= OPEN_GROW
        c = s.growing
        if s.placed == 0 and (can_claim or has_room(s, seat, c)):
            layable = min(s.behind[seat][c], r.max_tiles_from_behind) + s.front[seat][c]
            worth += color_value(s, r, c) * layable * TILE_TO_LAY + CUBE
    return worth
