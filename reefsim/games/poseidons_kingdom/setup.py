"""The opening position: reefs, the first fall, who starts, coral (PK-1)."""

from __future__ import annotations

from reefsim.core.bits import nth, popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import uniform
from reefsim.core.work import SCRIPT_IMPOSSIBLE, reset_work, take_script
from reefsim.games.poseidons_kingdom.constants import (
    ALL_FRIENDS,
    CORAL,
    CORALS,
    MAX_SEATS,
    MAX_TILE_KINDS,
    NEUTRAL,
    NONE,
    NUM_CORALS,
    NUM_FACES,
    NUM_OWNERS,
    NUM_SIDES,
    NUM_SYMBOLS,
    NUM_TENTACLES,
    P_SETUP,
    START,
)
from reefsim.games.poseidons_kingdom.ending import start_turn
from reefsim.games.poseidons_kingdom.log import log_chance, open_turn_counters
from reefsim.games.poseidons_kingdom.reefs import find_powers, lay_tile
from reefsim.games.poseidons_kingdom.tower import (
    clear_zones,
    load_dice,
    own_total,
    room,
    tip,
)
from reefsim.games.poseidons_kingdom.turns import run

CORAL_KEY = 0  # place of the key of the coral tiles in `chance`
NUM_CORAL_KINDS = len(CORALS)


@kernel
def begin(s: Record, r: Record, w: Record, log: list[int], seats: int) -> None:
    """Set up a game up to its first decision; `s.chance` is keyed already."""
    clear(s, r, w, seats)
    clear_counters(w)
    for seat in range(seats):
        for i in range(1 if r.own_layout else r.starting_tiles):
            lay_start(s, r, seat, i)
    if r.own_layout and r.starting_tiles > 1:
        return
    open_play(s, r, w, log)
    run(s, r, w, log)


@kernel
def clear(s: Record, r: Record, w: Record, seats: int) -> None:
    """Everything that does not depend on chance; the records may hold an earlier game."""
    reset_work(w)
    open_turn_counters(w)
    s.seats = seats
    s.seat = 0
    s.active = 0
    s.start = 0
    s.phase = P_SETUP
    s.turn = 0
    s.over = 0
    s.falls = 0
    s.kind = 0
    s.node = r.deep
    s.picked = 0
    s.meal = 0
    s.number = 0
    s.meal_picks = 0
    s.last_die = NONE
    s.last_cell = NONE
    s.white = 0
    s.after_peek = 0
    s.must_peek = 0
    s.steps = 0
    s.asked = 0
    s.cause = 0
    s.ender = NONE
    s.last_turns = 0
    clear_zones(s)
    s.shark = r.shark_start
    s.direction = r.shark_direction
    s.dolphin = NONE
    s.ring_open = 1
    s.skeletons = r.skeletons
    for kind in range(MAX_TILE_KINDS):
        s.reef_left[kind] = r.tile_count[kind]
    for i in range(NUM_CORALS):
        s.coral[i] = NONE
        s.coral_owner[i] = NONE
    for owner in range(NUM_OWNERS):
        s.supply[owner] = r.dice_per_player if owner < seats else 0
        s.tower[owner] = 0
        s.picks[owner] = 0
    s.supply[NEUTRAL] = r.neutral_dice
    for face in range(NUM_FACES):
        s.used[face] = 0
    for tentacle in range(NUM_TENTACLES):
        s.safe_taken[tentacle] = 0
    for seat in range(MAX_SEATS):
        clear_seat(s, r, seat, seat < seats)


@kernel
def clear_seat(s: Record, r: Record, seat: int, is_there: bool) -> None:
    """What a seat has before its first tile is laid."""
    s.num_hexes[seat] = 0
    s.stored[seat] = 0
    s.dead[seat] = 0
    s.tiles[seat] = 0
    for h in range(len(s.cell[seat])):
        s.cell[seat][h] = 0
        s.order[seat][h] = 0
        s.level[seat][h] = 0
        s.tile[seat][h] = 0
        s.die[seat][h] = 0
    for symbol in range(NUM_SYMBOLS):
        s.symbol[seat][symbol] = 0
    find_powers(s, r, seat)
    s.friends[seat] = ALL_FRIENDS if is_there else 0
    s.safe_tiles[seat] = 0
    s.safe_points[seat] = 0
    s.creature[seat][0] = r.deep
    s.creature[seat][1] = r.beach
    s.ring[seat] = 0
    s.seen[seat] = 0
    s.victims[seat] = 0
    s.total[seat] = 0


@kernel
def clear_counters(w: Record) -> None:
    """What a game counts by seat, and in all."""
    for seat in range(MAX_SEATS):
        w.by_eating[seat] = 0
        w.by_ring[seat] = 0
        w.by_reward[seat] = 0
        w.lost[seat] = 0
        w.caught[seat] = 0
        w.builds[seat] = 0
        w.loads[seat] = 0
        w.loaded[seat] = 0
        w.picked_own[seat] = 0
        w.picked_neutral[seat] = 0
        w.picked_others[seat] = 0
        w.stored_dice[seat] = 0
        w.peeks[seat] = 0
        w.crash_points[seat] = 0
        w.rewards[seat] = 0
        w.ring_steps[seat] = 0
    w.crashes = 0
    w.fallen = 0
    w.off_board = 0
    w.skeletons_laid = 0
    w.end_turn = 0


@kernel
def lay_start(s: Record, r: Record, seat: int, i: int) -> None:
    """Lay a starting tile as the reef data have it (PK-1.4)."""
    cell = r.start_cell[i][0]
    side = 0
    while side < NUM_SIDES - 1 and cell + r.offset[side] != r.start_cell[i][1]:
        side += 1
    lay_tile(s, r, seat, cell, side, r.start_symbol[0], r.start_symbol[1])


@kernel
def open_play(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """The first fall, the start player, coral and ring, the first turn (PK-1.6-PK-1.12)."""
    for seat in range(s.seats):
        load_dice(s, seat, r.setup_dice)
    load_dice(s, NEUTRAL, r.setup_neutral)
    tip(s, r, w, log)
    w.fallen = 0
    w.off_board = 0
    s.start = draw_start(s, r, w)
    log_chance(s, w, log, START, s.start, 0)
    for i in range(NUM_CORALS):
        s.coral[i] = draw_coral(s, r, w, i)
        log_chance(s, w, log, CORAL, s.coral[i], r.first_number + i)
    for i in range(s.seats):
        seat = (s.start + i) % s.seats
        load_dice(s, seat, min(r.dice_after_fall, min(room(s, r), s.supply[seat])))
        s.ring[seat] = i * r.ring_spacing
    start_turn(s, w, s.start)


@kernel
def first_test(s: Record, r: Record, seat: int, test: int) -> int:
    """What decides over the first turn: total, highest zone, highest face (PK-1.8)."""
    if test == 0:
        return own_total(s, r, seat)
    best = 0
    for zone in range(1, r.num_zones + 1):
        for face in range(NUM_FACES):
            if s.zone[zone][face * NUM_OWNERS + seat] > 0:
                best = max(best, zone if test == 1 else face + 1)
    return best


@kernel
def draw_start(s: Record, r: Record, w: Record) -> int:
    """Who starts: by the tests, one after the other, then by chance (PK-1.8, PK-1.8a)."""
    left = (1 << s.seats) - 1
    for test in range(3):
        best = -1
        tied = 0
        for seat in range(s.seats):
            if (left >> seat) & 1:
                value = first_test(s, r, seat, test)
                if value > best:
                    best = value
                    tied = 0
                if value == best:
                    tied |= 1 << seat
        left = tied
    if w.scripted:
        seat = take_script(w)
        if 0 <= seat < s.seats and (left >> seat) & 1:
            return seat
        if w.fault == 0:
            w.fault = SCRIPT_IMPOSSIBLE
        return nth(left, 0)
    k0, k1 = s.chance[CORAL_KEY], s.chance[CORAL_KEY + 1]
    return nth(left, uniform(k0, k1, START, 0, 0, popcount(left)))


@kernel
def tiles_left(s: Record, r: Record, kind: int, up_to: int) -> int:
    """Coral tiles of a kind that do not lie on the first numbers."""
    left = r.corals[kind]
    for i in range(up_to):
        if s.coral[i] == kind:
            left -= 1
    return left


@kernel
def draw_coral(s: Record, r: Record, w: Record, i: int) -> int:
    """The kind of the next coral tile, each of those left being as likely (PK-1.10)."""
    if w.scripted:
        kind = take_script(w)
        if 0 <= kind < NUM_CORAL_KINDS and tiles_left(s, r, kind, i) > 0:
            return kind
        if w.fault == 0:
            w.fault = SCRIPT_IMPOSSIBLE
        n = 0
    else:
        k0, k1 = s.chance[CORAL_KEY], s.chance[CORAL_KEY + 1]
        n = uniform(k0, k1, CORAL, i, 0, NUM_CORALS - i)
    return nth_tile(s, r, n, i)


@kernel
def nth_tile(s: Record, r: Record, n: int, up_to: int) -> int:
    """Kind of the n-th of the coral tiles that do not lie on the first numbers."""
    kind = 0
    left = tiles_left(s, r, kind, up_to)
    while n >= left:
        n -= left
        kind += 1
        left = tiles_left(s, r, kind, up_to)
    return kind
