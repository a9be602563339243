"""Step 4: the shark, creatures it eats, skeletons, die symbols (PK-5)."""

from __future__ import annotations

from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.poseidons_kingdom.constants import (
    A_CRASH,
    A_SHARK,
    A_VICTIM,
    FLEE,
    NEUTRAL,
    P_FLEE,
    P_SKELETON,
    SKELETON,
    STORE,
)
from reefsim.games.poseidons_kingdom.food import clear_box
from reefsim.games.poseidons_kingdom.log import log_action
from reefsim.games.poseidons_kingdom.reefs import find_hex, find_powers
from reefsim.games.poseidons_kingdom.tower import load_dice, room


@inlined
def shark_node(s: Record, r: Record) -> int:
    """The space of the shark."""
    return r.loop[s.shark]


@inlined
def next_place(s: Record, r: Record, shark: int) -> int:
    """The next place on the shark's loop."""
    return (shark + s.direction + r.loop_length) % r.loop_length


@kernel
def symbol_die(s: Record, r: Record) -> None:
    """A die symbol puts a die on the tower (PK-5.6, PK-5.6a)."""
    if room(s, r) <= 0:
        return
    if s.supply[NEUTRAL] > 0:
        load_dice(s, NEUTRAL, 1)
        return
    for i in range(s.seats if r.each_player else 1):
        owner = (s.active + i) % s.seats
        if room(s, r) > 0 and s.supply[owner] > 0:
            load_dice(s, owner, 1)


@kernel
def shark_step(s: Record, r: Record) -> None:
    """One step of the shark: path, space, symbol, and who is to be eaten there (PK-5.2a)."""
    before = shark_node(s, r)
    if r.on_leaving and (r.has_symbol >> before) & 1:
        symbol_die(s, r)
    s.shark = next_place(s, r, s.shark)
    node = shark_node(s, r)
    if (r.symbol_path[before] >> node) & 1:
        symbol_die(s, r)
    if r.on_entering and (r.has_symbol >> node) & 1:
        symbol_die(s, r)
    s.steps -= 1
    for seat in range(s.seats):
        s.victims[seat] = 0
        if s.dolphin != seat:
            for i in range(2):
                if s.creature[seat][i] == node:
                    s.victims[seat] += 1


@kernel
def move_shark(s: Record, r: Record) -> None:
    """Go on with the shark's move until somebody is eaten, or it ends (PK-5.1, PK-5.2)."""
    while True:
        for i in range(s.seats):
            seat = (s.active + i) % s.seats
            if s.victims[seat] > 0:
                s.seat = seat
                s.phase = P_FLEE
                return
        if s.steps == 0:
            s.phase = A_CRASH
            return
        shark_step(s, r)


@kernel
def start_shark(s: Record, r: Record) -> None:
    """The shark's number is that of the space the active player moved to."""
    s.steps = r.shark_number[s.node]
    move_shark(s, r)


@kernel
def flee_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`flee`: to either end, always (PK-5.3)."""
    low = min(r.deep, r.beach)
    return add(w, k, FLEE << 16 | low, 1 | 1 << max(r.deep, r.beach) - low)


@kernel
def do_flee(s: Record, r: Record, w: Record, log: list[int], node: int) -> None:
    """An eaten creature returns to an end; then comes the skeleton (PK-5.3, PK-5.4)."""
    seat = s.seat
    log_action(s, w, log, FLEE, node, 0)
    place = shark_node(s, r)
    i = 0 if s.creature[seat][0] == place else 1
    if s.creature[seat][0] == place and s.creature[seat][1] == place and s.victims[seat] == 1:
        i = 1  # the first one was eaten here before and came back
    s.creature[seat][i] = node
    s.victims[seat] -= 1
    w.lost[seat] += 1
    w.turn_eaten += 1
    if seat != s.active:
        w.caught[s.active] += 1
    s.phase = A_VICTIM
    if s.skeletons > 0 and skeleton_hexes(s, r, seat) != 0:
        s.phase = P_SKELETON


@kernel
def skeleton_hexes(s: Record, r: Record, seat: int) -> int:
    """Hexes that may take a skeleton: free ones, failing these those with a die (PK-5.4)."""
    hexes = (1 << s.num_hexes[seat]) - 1
    if r.boxes_only:
        hexes = s.symbol[seat][STORE]
    free = hexes & ~(s.stored[seat] | s.dead[seat])
    return free if free != 0 else s.stored[seat]


@kernel
def skeleton_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`skeleton`: one for each such hex."""
    hexes = skeleton_hexes(s, r, s.seat)
    for i in range(s.num_hexes[s.seat]):
        h = s.order[s.seat][i]
        if (hexes >> h) & 1:
            k = add(w, k, SKELETON << 16 | s.cell[s.seat][h], 1)
    return k


@kernel
def do_skeleton(s: Record, r: Record, w: Record, log: list[int], cell: int) -> None:
    """Lay a skeleton; a die in its place goes home (PK-5.4, PK-5.5)."""
    seat = s.seat
    log_action(s, w, log, SKELETON, cell, 0)
    h = find_hex(s, seat, cell)
    clear_box(s, seat, h)
    s.dead[seat] |= 1 << h
    s.skeletons -= 1
    w.skeletons_laid += 1
    find_powers(s, r, seat)
    s.phase = A_VICTIM


assert A_SHARK < A_VICTIM < A_CRASH  # stages in the order of a turn
