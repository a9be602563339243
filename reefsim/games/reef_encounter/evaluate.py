"""What a position promises each seat, in points: the evaluation behind every built-in player.

A weighted sum of what a seat holds, each thing at the points it may become. `WEIGHTS` names the
terms; the values there were set by hand and are where training starts (`sim.train`).
"""

from __future__ import annotations

from typing import Any

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.games.reef_encounter.constants import P_FINAL, P_GROW, P_TURN
from reefsim.games.reef_encounter.corals import attackable, color_at, flood, neighbors
from reefsim.games.reef_encounter.scoring import color_value, points

# (name, value set by hand, meaning). The toolkit reads the first two, in every game.
WEIGHTS = (
    ("rivals", 1.2, "weight of the other seats' worth against one's own"),
    ("spread", 20.0, "points of worth that multiply the chances of a win by e"),
    ("locked", 0.0, "a fish tile for each locked coral tile with its color on top, less below"),
    ("meal", 0.16, "a tile that a guarded coral would feed, in tiles of its color"),
    ("beyond", 0.87, "the same from the third tile of a meal on"),
    ("seed", 2.8, "a guarded coral just ready to be fed, in tiles; smaller ones in proportion"),
    ("ripe", 0.13, "points for a guarded coral that can be fed"),
    ("threat", 0.71, "share written off of a guarded tile that another seat could take at once"),
    ("exposed", 0.78, "the same where no other seat holds tile and cube of a color that takes it"),
    ("open", 0.12, "share written off of an unprotected guarded tile at the edge of its coral"),
    ("room", 0.0, "an empty cell beside a guarded coral, up to four, in tiles of its color"),
    ("hand", 0.0, "points for a shrimp behind the screen"),
    ("bare", -3.5, "points for a shrimp on bare rock"),
    ("fed", 0.0, "points for each coral fed"),
    ("lock_right", 0.4, "points for the right to lock"),
    ("lock_pay", 2.3, "points for a tile in front, once there is the right to lock"),
    ("front", 0.83, "a tile in front, in tiles of its color"),
    ("behind", 0.28, "a tile behind, in tiles of its color"),
    ("cube", 0.67, "points for a larva cube"),
    ("cube_color", 0.0, "points for each color of cubes held"),
    ("ready", 0.08, "a tile that a held cube could lay, in tiles of its color"),
    ("ready_grow", 0.1, "more for it where a guarded coral of its color has room"),
    ("lead", 0.82, "points of lead in the fish, as the end comes near"),
    ("final", 0.3, "points of the best final feed, as the end comes near"),
    ("claim", 0.73, "an unguarded coral that a shrimp could still claim, against a guarded one"),
    ("to_lay", 0.44, "a tile that a grow action just opened may lay, in tiles of its color"),
    ("played", 0.25, "points for the cube of a grow action just opened"),
)
(
    RIVALS,
    SPREAD,
    LOCKED,
    MEAL,
    BEYOND,
    SEED,
    RIPE,
    THREAT,
    EXPOSED,
    OPEN,
    ROOM,
    HAND,
    BARE,
    FED,
    LOCK_RIGHT,
    LOCK_PAY,
    AT_FRONT,
    AT_BACK,
    CUBE,
    CUBE_COLOR,
    READY,
    READY_GROW,
    LEAD,
    FINAL,
    CLAIM,
    TO_LAY,
    PLAYED,
) = range(len(WEIGHTS))

MUCH_ROOM = 4
SMALL_MEAL = 2  # tiles of a meal that count as `meal`, further ones as `beyond`
# Points lost, so that idle moves are not made and a finished grow action is closed.
SHRIMP_MOVE, OPEN_GROW = 0.01, 0.005


@kernel
def meal(r: Record, weights: Any, size: float) -> float:
    """Worth of a guarded coral of some size, in tiles of its color."""
    if size >= r.min_feed_size:
        fed = max(0.0, size - r.feed_return)
        small = min(fed, SMALL_MEAL)
        return weights[SEED] + weights[MEAL] * small + weights[BEYOND] * (fed - small)
    return weights[SEED] * size / r.min_feed_size


@kernel
def nearness(s: Record, r: Record) -> float:
    """How near the end is, 0 to 1: by corals fed (R11.2) or coral tiles locked (R11.1)."""
    near = popcount(s.locked) / 10.0
    for seat in range(s.seats):
        near = max(near, s.eaten[seat] / r.shrimps_per_player)
    return near * near


@kernel
def find_threats(s: Record, r: Record, w: Record) -> None:
    """Write into `w.takes` the guarded tiles each color could take now, by board (R5.1)."""
    for board in range(s.seats):
        exposed = s.guarded[board] & ~s.protected[board]
        for c in range(5):
            w.takes[board][c] = 0
            if exposed != 0:
                for seat in range(s.seats if r.attack_needs_own_shrimp else 1):
                    w.takes[board][c] |= exposed & attackable(s, r, board, c, seat)


@kernel
def find_armed(s: Record, w: Record) -> None:
    """Write into `w.armed` the colors of which a seat holds a cube and a tile, as bits."""
    for seat in range(s.seats):
        armed = 0
        for c in range(5):
            if s.larvae[seat][c] > 0 and s.behind[seat][c] + s.front[seat][c] > 0:
                armed |= 1 << c
        w.armed[seat] = armed


@kernel
def written_off(s: Record, w: Record, weights: Any, seat: int, board: int, coral: int) -> float:
    """Tiles of a seat's coral that count as lost, since others may take them."""
    armed = 0
    for other in range(s.seats):
        if other != seat:
            armed |= w.armed[other]
    threatened = 0
    exposed = 0
    for c in range(5):
        if (armed >> c) & 1:
            threatened |= w.takes[board][c]
        else:
            exposed |= w.takes[board][c]
    threatened &= coral
    exposed &= coral & ~threatened
    return weights[THREAT] * popcount(threatened) + weights[EXPOSED] * popcount(exposed)


@kernel
def stocks_worth(s: Record, r: Record, weights: Any, seat: int, roomy: int) -> float:
    """Points the tiles, cubes and shrimps in stock promise; `roomy`: colors with room to grow."""
    worth = s.in_hand[seat] * weights[HAND] + s.eaten[seat] * weights[FED]
    front_tiles = 0
    for c in range(5):
        value = color_value(s, r, c)
        behind, front = s.behind[seat][c], s.front[seat][c]
        front_tiles += front
        worth += value * (behind * weights[AT_BACK] + front * weights[AT_FRONT])
        if s.larvae[seat][c] > 0:
            layable = min(behind, r.max_tiles_from_behind) + front
            worth += s.larvae[seat][c] * weights[CUBE] + weights[CUBE_COLOR]
            ready = weights[READY]
            if (roomy >> c) & 1:
                ready += weights[READY_GROW]
            worth += value * layable * ready
    if s.eaten[seat] > 0:
        worth += weights[LOCK_RIGHT]
        if front_tiles > 0:
            worth += weights[LOCK_PAY]
    return worth


@kernel
def locks_worth(s: Record, r: Record, seat: int) -> int:
    """Fish tiles, for each locked coral tile those of the color on top less those below (R9.5)."""
    worth = 0
    locked = s.locked
    tile = 0
    while locked != 0:
        if locked & 1:
            side = (s.reversed >> tile) & 1
            worth += s.fish[seat][r.top[side][tile]] - s.fish[seat][r.bottom[side][tile]]
        locked >>= 1
        tile += 1
    return worth


@kernel
def evaluate(s: Record, r: Record, w: Record, weights: Any) -> bool:
    """Write the points the position promises each seat into `w.worth`; see the module.

    Returns whether these are the final scores: only final feeds are left, and nobody waives one.
    """
    near = nearness(s, r)
    average = 0.0
    for seat in range(s.seats):
        w.worth[seat] = points(s, r, seat)
        average += w.worth[seat] / s.seats
    if s.phase == P_FINAL:
        # nothing can happen any more but the feeds of the seats still to be asked
        for i in range(s.asked, s.seats):
            seat = (s.ender + i) % s.seats
            w.worth[seat] += best_final_feed(s, r, seat)
        return True
    find_threats(s, r, w)
    find_armed(s, w)
    for seat in range(s.seats):
        worth = w.worth[seat] + weights[LEAD] * near * (w.worth[seat] - average)
        roomy = 0
        best_final = 0.0
        for k in range(s.num_shrimps[seat]):
            coral = s.coral[seat][k]
            if coral == 0:
                worth += weights[BARE]
                continue
            board = s.shrimp_cell[seat][k] >> 6
            c = color_at(s, board, coral & -coral)
            value = color_value(s, r, c)
            around = neighbors(coral) & s.rock[board] & ~coral
            room = popcount(around & ~s.occupied[board] & ~s.shrimps[board])
            if room > 0:
                roomy |= 1 << c
                worth += weights[ROOM] * value * min(room, MUCH_ROOM)
            edge = coral & neighbors(around) & ~s.protected[board]
            count = popcount(coral)
            size = count - written_off(s, w, weights, seat, board, coral)
            size -= weights[OPEN] * popcount(edge)
            worth += value * meal(r, weights, size)
            if count >= r.min_feed_size:
                worth += weights[RIPE]
            best_final = max(best_final, value * (size - r.final_feed_return))
        worth += weights[FINAL] * near * best_final
        worth += weights[LOCKED] * locks_worth(s, r, seat)
        w.worth[seat] = worth + stocks_worth(s, r, weights, seat, roomy)
    if s.phase == P_TURN or s.phase == P_GROW:
        w.worth[s.seat] += turn_worth(s, r, weights, s.seat)
    return False


@kernel
def best_final_feed(s: Record, r: Record, seat: int) -> float:
    """Points of a seat's best final feed (R11.6)."""
    best = 0.0
    for k in range(s.num_shrimps[seat]):
        coral = s.coral[seat][k]
        size = popcount(coral)
        if size >= r.min_final_feed_size and size > r.final_feed_return:
            c = color_at(s, s.shrimp_cell[seat][k] >> 6, coral & -coral)
            best = max(best, float(color_value(s, r, c) * (size - r.final_feed_return)))
    return best


@kernel
def claimable_worth(s: Record, r: Record, weights: Any, seat: int) -> float:
    """Points of the best coral a shrimp of the seat could still claim this turn."""
    best = 0.0
    for board in range(s.seats):
        if s.on_board[seat][board] >= r.max_own_shrimps_per_board:
            continue
        for c in range(5):
            free = s.tiles[board][c] & ~s.guarded[board]
            value = color_value(s, r, c)
            while free != 0 and value * meal(r, weights, popcount(free)) > best:
                coral = flood(free & -free, s.tiles[board][c])
                best = max(best, value * meal(r, weights, popcount(coral)))
                free &= ~coral
    return best * weights[CLAIM]


@kernel
def turn_worth(s: Record, r: Record, weights: Any, seat: int) -> float:
    """Points that what can still be done in the running turn promises."""
    worth = -s.moves * SHRIMP_MOVE
    if s.in_hand[seat] > 0 and not s.entered:
        worth += claimable_worth(s, r, weights, seat)
    if s.phase == P_GROW:
        worth -= OPEN_GROW
        if s.placed == 0:
            c = s.growing
            layable = min(s.behind[seat][c], r.max_tiles_from_behind) + s.front[seat][c]
            worth += color_value(s, r, c) * layable * weights[TO_LAY] + weights[PLAYED]
    return worth
