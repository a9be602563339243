"""The actions worth a look: what players that look ahead consider of all that is legal.

Of the placements of a tile a few are left that raise powers, cover little and leave something to
build on; of dice to be stored one of each face, into the first box. What is left out here is never
played by a planner or a search.
"""

from __future__ import annotations

from reefsim.core.bits import lowest
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add, close_options, kind_of
from reefsim.games.poseidons_kingdom.constants import (
    END_FOOD,
    NEUTRAL,
    NUM_CORALS,
    NUM_DICE,
    NUM_FACES,
    NUM_OWNERS,
    NUM_POWERS,
    NUM_SIDES,
    NUM_SYMBOLS,
    NUM_TENTACLES,
    P_FOOD,
    P_PLACE,
    P_PUT,
    P_SETUP,
    PLACE,
    PUT,
    PUT_SHIFT,
    STORE,
)
from reefsim.games.poseidons_kingdom.food import (
    buy_options,
    eat_options,
    picks_left,
    zone_dice,
)
from reefsim.games.poseidons_kingdom.legal import legal
from reefsim.games.poseidons_kingdom.reefs import find_hex
from reefsim.games.poseidons_kingdom.tower import owner_of

PLACES = 5  # placements of a tile that are looked at
STARTS = 8  # of a starting tile
COVERED = 0.8  # points that a covered die box costs
BESIDE = 0.1  # points for a hex of equal level and another tile beside the new ones
STACK, FOREIGN, FLAT = range(3)
# Restrictions an agent may play under, in the order of the bits of `forbid`.
RESTRICTIONS = (
    ("stack", "never builds on top of its reef (PK-3.2)"),
    ("foreign", "never stores dice of others (PK-4.7)"),
    ("flat", "never builds beside its reef (PK-3.2)"),
)


@kernel
def propose(s: Record, r: Record, w: Record) -> None:
    """Write the legal actions worth a look into `w`; at least one, as far as any is legal."""
    if s.phase in (P_FOOD, P_PUT):
        k = 0
        if s.phase == P_FOOD:
            k = eat_options(s, r, w, k)
            k = buy_options(s, r, w, k)
        k = add(w, k, END_FOOD << 16, 1)
        close_options(w, wanted_puts(s, r, w, k))
        return
    legal(s, r, w)
    if s.phase == P_PLACE or s.phase == P_SETUP:
        keep_places(s, r, w, PLACES if s.phase == P_PLACE else STARTS)


@kernel
def wanted_puts(s: Record, r: Record, w: Record, k: int) -> int:
    """`put` of one die of each face into the first free box, failing that into any later one."""
    dice = zone_dice(s, r)
    if dice == 0 or picks_left(s) <= 0:
        return k
    seat = s.seat
    wanted = 0
    for face in range(NUM_FACES):
        best = -1
        for owner in range(NUM_OWNERS):
            die = face * NUM_OWNERS + owner
            # neutral dice move nobody and leave the own ones for the crash
            if (dice >> die) & 1 and (best < 0 or owner == NEUTRAL or owner_of(best) != seat):
                best = die
        if best >= 0:
            wanted |= 1 << best
    boxes = s.symbol[seat][STORE] & ~s.dead[seat]
    free = boxes & ~s.stored[seat]
    for i in range(s.num_hexes[seat]):
        h = s.order[seat][i]
        if (free >> h) & 1 and s.cell[seat][h] > s.last_cell:
            return add(w, k, (s.cell[seat][h] + 1) << PUT_SHIFT | PUT << 16, wanted)
    for i in range(s.num_hexes[seat]):
        h = s.order[seat][i]
        if (boxes >> h) & 1 and s.cell[seat][h] > s.last_cell:
            k = add(w, k, (s.cell[seat][h] + 1) << PUT_SHIFT | PUT << 16, wanted)
    return k


@kernel
def raised(symbol: int) -> float:
    """Points for a level more of the power of a symbol: wave, arrow, eat."""
    if symbol >= NUM_POWERS:
        return 0.0
    return 1.0 if symbol == 0 else 1.5 if symbol == 1 else 2.5


@kernel
def symbol_on(s: Record, seat: int, h: int) -> int:
    """The symbol that a hex shows."""
    symbol = 0
    while symbol < NUM_SYMBOLS - 1 and (s.symbol[seat][symbol] >> h) & 1 == 0:
        symbol += 1
    return symbol


@kernel
def place_worth(s: Record, r: Record, w: Record, code: int, first: int, second: int) -> float:
    """How good a placement looks; the reef is in the grid."""
    seat = s.seat
    cell = code // NUM_SIDES
    other = cell + r.offset[code % NUM_SIDES]
    h = w.grid[cell] - 1
    level = 1 + (s.level[seat][h] if h >= 0 else 0)
    worth = 0.0
    for half in range(2):
        here = cell if half == 0 else other
        symbol = first if half == 0 else second
        gain = level - s.power[seat][symbol] if symbol < NUM_POWERS else 0
        if gain > 0:
            worth += raised(symbol) * gain
        h = w.grid[here] - 1
        if h >= 0:
            covered = symbol_on(s, seat, h)
            if covered == STORE:
                worth -= COVERED
            elif covered < NUM_POWERS and s.level[seat][h] == s.power[seat][covered]:
                worth -= 0.5 * raised(covered)
        for side in range(NUM_SIDES):
            beside = w.grid[here + r.offset[side]] - 1
            if beside >= 0 and s.level[seat][beside] == level:
                worth += BESIDE
    return worth


@kernel
def keep_places(s: Record, r: Record, w: Record, wanted: int) -> None:
    """Keep the placements that look best."""
    seat = s.seat
    first, second = r.start_symbol[0], r.start_symbol[1]
    if s.phase == P_PLACE:
        first, second = r.first_symbol[s.kind], r.second_symbol[s.kind]
    for h in range(s.num_hexes[seat]):
        w.grid[s.cell[seat][h]] = 1 + h
    found = 0
    for i in range(w.num_options):
        rest = w.members[i]
        while rest != 0:
            code = (w.first[i] & 0xFFFF) + lowest(rest)
            rest &= rest - 1
            value = place_worth(s, r, w, code, first, second)
            k = found
            while k > 0 and w.best_value[k - 1] < value:
                if k < wanted:
                    w.best_value[k] = w.best_value[k - 1]
                    w.best_place[k] = w.best_place[k - 1]
                k -= 1
            if k < wanted:
                w.best_value[k] = value
                w.best_place[k] = code
                found = min(found + 1, wanted)
    for h in range(s.num_hexes[seat]):
        w.grid[s.cell[seat][h]] = 0
    for i in range(1, found):  # in the order of codes
        code = w.best_place[i]
        k = i
        while k > 0 and w.best_place[k - 1] > code:
            w.best_place[k] = w.best_place[k - 1]
            k -= 1
        w.best_place[k] = code
    k = 0
    for i in range(found):
        k = add(w, k, PLACE << 16 | w.best_place[i], 1)
    close_options(w, k)


@kernel
def forbid(s: Record, w: Record, mask: int) -> None:
    """Drop the actions that restrictions forbid; `mask` has a bit for each of `RESTRICTIONS`."""
    foreign = 0
    for die in range(NUM_DICE):
        owner = owner_of(die)
        if owner != s.seat and owner != NEUTRAL:
            foreign |= 1 << die
    for i in range(w.num_options):
        kind = kind_of(w.first[i])
        if (mask >> FOREIGN) & 1 and (kind == PUT):
            w.members[i] &= ~foreign
        elif kind == PLACE and mask & (1 << STACK | 1 << FLAT) != 0:
            kept = 0
            rest = w.members[i]
            while rest != 0:
                member = lowest(rest)
                rest &= rest - 1
                code = (w.first[i] & 0xFFFF) + member
                on_top = find_hex(s, s.seat, code // NUM_SIDES) >= 0
                if (mask >> (STACK if on_top else FLAT)) & 1 == 0:
                    kept |= 1 << member
            w.members[i] = kept


PRIME = 0x2545F4914F6CDD1D  # xorshift64* (Vigna 2016)
BITS = 0x3FFFFFFFFFFFFFFF


@inlined
def mix(h: int, x: int) -> int:
    """Stir a number into a hash."""
    h = ((h ^ x) * PRIME) & BITS
    return h ^ (h >> 29)


@kernel
def fingerprint(s: Record) -> int:
    """Hash of what a turn can change; flat tiles differ by what they show."""
    h = s.turn << 32 | s.seat << 24 | s.phase << 16 | s.kind << 8 | s.node
    h = mix(h, s.cause << 40 | s.shark << 32 | s.steps << 24 | s.meal << 16 | s.number << 8)
    h = mix(h, s.picked << 40 | s.last_die + 1 << 32 | s.last_cell + 1 << 8 | s.meal_picks)
    for owner in range(NUM_OWNERS):
        h = mix(h, s.tower[owner] << 16 | s.supply[owner] << 8 | s.picks[owner])
    for seat in range(s.seats):
        h = mix(h, s.stored[seat])
        h = mix(h, s.dead[seat])
        for symbol in range(NUM_SYMBOLS):
            h = mix(h, s.symbol[seat][symbol])
        for i in range(NUM_POWERS):
            h = mix(h, s.power[seat][i] << 16 | s.tiles[seat])
        rest = s.stored[seat]
        while rest != 0:
            h = mix(h, s.die[seat][lowest(rest)] << 8 | lowest(rest))
            rest &= rest - 1
        for i in range(2):
            h = mix(h, s.creature[seat][i])
        h = mix(h, s.ring[seat] << 40 | s.seen[seat] << 16 | s.friends[seat] << 8 | s.victims[seat])
    for i in range(NUM_CORALS):
        h = mix(h, s.coral_owner[i] + 1)
    for i in range(NUM_TENTACLES):
        h = mix(h, s.safe_taken[i])
    return h
