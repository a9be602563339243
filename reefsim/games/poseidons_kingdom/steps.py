"""Steps 1 and 2: build, load, move (PK-3)."""

from __future__ import annotations

from reefsim.core.bits import lowest
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add
from reefsim.games.poseidons_kingdom.constants import (
    ARROW,
    BUILD,
    LOAD,
    MOVE,
    NUM_SIDES,
    P_MOVE,
    P_PLACE,
    P_SETUP,
    PLACE,
    WAVE,
)
from reefsim.games.poseidons_kingdom.food import open_food
from reefsim.games.poseidons_kingdom.log import log_action
from reefsim.games.poseidons_kingdom.reefs import has_place, lay_tile
from reefsim.games.poseidons_kingdom.shark import shark_node
from reefsim.games.poseidons_kingdom.tower import load_dice, room


@kernel
def kinds_left(s: Record, r: Record) -> int:
    """Kinds of reef tiles of which one is left, as bits."""
    found = 0
    for kind in range(r.num_kinds):
        if s.reef_left[kind] > 0:
            found |= 1 << kind
    return found


@kernel
def most_dice(s: Record, r: Record) -> int:
    """Dice that may be loaded (PK-3.5)."""
    return min(s.power[s.seat][WAVE], min(room(s, r), s.supply[s.seat]))


@kernel
def step_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`build` and `load`; none of them if neither is possible (PK-3.1)."""
    kinds = kinds_left(s, r)
    if kinds != 0 and has_place(s, r, w, s.seat):
        k = add(w, k, BUILD << 16, kinds)
    most = most_dice(s, r)
    if most > 0:
        k = add(w, k, LOAD << 16, (2 << most) - (1 << r.load_minimum))
    return k


@kernel
def can_step(s: Record, r: Record, w: Record) -> bool:
    """Whether there is anything to do in step 1."""
    if most_dice(s, r) > 0:
        return True
    return kinds_left(s, r) != 0 and has_place(s, r, w, s.seat)


@kernel
def do_build(s: Record, w: Record, log: list[int], kind: int) -> None:
    """Take a reef tile; where it goes is asked next."""
    log_action(s, w, log, BUILD, kind, 0)
    s.kind = kind
    s.phase = P_PLACE


@kernel
def do_place(s: Record, r: Record, w: Record, log: list[int], code: int) -> None:
    """Lay the tile that was taken, or a starting tile (PK-1.4, PK-3.2)."""
    seat = s.seat
    first, second = r.start_symbol[0], r.start_symbol[1]
    if s.phase == P_PLACE:
        first, second = r.first_symbol[s.kind], r.second_symbol[s.kind]
        s.reef_left[s.kind] -= 1
        w.builds[seat] += 1
        s.phase = P_MOVE
    level = lay_tile(s, r, seat, code // NUM_SIDES, code % NUM_SIDES, first, second)
    log_action(s, w, log, PLACE, code, level)
    if s.phase == P_SETUP and s.tiles[seat] == r.starting_tiles:
        s.seat += 1


@kernel
def do_load(s: Record, w: Record, log: list[int], number: int) -> None:
    """Put own dice on the tower."""
    log_action(s, w, log, LOAD, number, 0)
    load_dice(s, s.seat, number)
    w.loads[s.seat] += 1
    w.loaded[s.seat] += number
    s.phase = P_MOVE


@kernel
def reachable(s: Record, r: Record, start: int, power: int) -> int:
    """Spaces within so many steps that do not lead through the shark (PK-3.8, PK-3.9), as bits."""
    closed = 1 << shark_node(s, r)
    reached = 1 << start
    newest = reached
    for _ in range(power):
        around = 0
        while newest != 0:
            around |= r.near[lowest(newest)]
            newest &= newest - 1
        newest = around & ~(reached | closed)
        reached |= newest
    return reached & ~(1 << start)


@kernel
def move_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`move`: either creature, one to arrow power steps (PK-3.7)."""
    one = min(s.creature[s.seat][0], s.creature[s.seat][1])
    other = max(s.creature[s.seat][0], s.creature[s.seat][1])
    power = s.power[s.seat][ARROW]
    k = add(w, k, MOVE << 16 | one << 6, reachable(s, r, one, power))
    if other != one:
        k = add(w, k, MOVE << 16 | other << 6, reachable(s, r, other, power))
    return k


@kernel
def do_move(s: Record, r: Record, w: Record, log: list[int], start: int, end: int) -> None:
    """Move an ocean creature; it may feed then."""
    log_action(s, w, log, MOVE, start, end)
    i = 0 if s.creature[s.seat][0] == start else 1
    s.creature[s.seat][i] = end
    s.node = end
    open_food(s, r)
