"""The open sea: action 10, its refill, and the supply running out (R10, R11.4)."""

from __future__ import annotations

from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.rng import uniform
from reefsim.core.work import SCRIPT_IMPOSSIBLE, add, take_script
from reefsim.games.reef_encounter.constants import (
    COLLECT,
    FULL_SPACE,
    PASS_TURN,
    REFILL,
    SUPPLY,
)
from reefsim.games.reef_encounter.log import (
    NO_COLOR,
    NO_GROWTH,
    NO_SEAT,
    NO_SIZE,
    log_action,
    log_chance,
)
from reefsim.games.reef_encounter.scoring import total
from reefsim.games.reef_encounter.shrimps import has_bare_shrimp
from reefsim.games.reef_encounter.state import EMPTY, LE3, LT3

DRAW_KEY = 2  # place of the draws' key in `chance`


@kernel
def draw(s: Record, w: Record, key: int, purpose: int, i: int, j: int) -> int:
    """Take one tile out of the bag, uniform over the tiles in it; the bag is not empty.

    The outcome depends on the keys, on (purpose, i, j) and on what the bag holds, on nothing else.
    """
    if w.scripted:
        c = take_script(w)
        if c < 0 or c > 4 or s.bag[c] == 0:
            if w.fault == 0:
                w.fault = SCRIPT_IMPOSSIBLE
            c = 0
            while s.bag[c] == 0:
                c += 1
    else:
        x = uniform(s.chance[key], s.chance[key + 1], purpose, i, j, total(s.bag))
        c = 0
        while x >= s.bag[c]:
            x -= s.bag[c]
            c += 1
    s.bag[c] -= 1
    return c


@inlined
def sea_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`collect`, and `pass_turn` if the sea is optional: no own shrimp on bare rock (R2.6, A13)."""
    if has_bare_shrimp(s, s.seat):
        return k
    k = add(w, k, COLLECT << 16, 31)
    if not r.collect_mandatory:
        k = add(w, k, PASS_TURN << 16, 1)
    return k


@kernel
def do_collect(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Tiles and cube of a sea space go behind the screen, then the sea is refilled (R10.2)."""
    log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
    seat = s.seat
    space = action & 255
    for c in range(5):
        s.behind[seat][c] += s.sea[space][c]
        s.known[seat][c] += s.sea[space][c]
        s.sea[space][c] = 0
    s.larvae[seat][space] += s.cube[space]
    s.cube[space] = 0
    w.sea_space = space
    if not refill(s, r, w, log, space) and s.cause == 0 and s.last_turns == 0:
        s.cause = SUPPLY
        s.ender = seat


@kernel
def refill(s: Record, r: Record, w: Record, log: list[int], space: int) -> bool:
    """Cube, then a tile on each space with fewer than three (R10.3, R10.5, A9).

    Returns whether the refill could be completed (else R11.4).
    """
    if s.supply[space] == 0:
        return False
    s.supply[space] -= 1
    s.cube[space] = 1
    need = 0
    for i in range(5):
        if total(s.sea[i]) < FULL_SPACE:
            need += 1
    least = need  # the bag below this calls for the bonus row
    if r.bag_end_rule == LT3:
        least = 3
    elif r.bag_end_rule == LE3:
        least = 4
    if total(s.bag) < least:
        for c in range(5):
            s.bag[c] += s.bonus[c]
            s.bonus[c] = 0
        if total(s.bag) < least and (r.bag_end_rule == LT3 or r.bag_end_rule == LE3):
            return False
    for i in range(5):
        if total(s.sea[i]) < FULL_SPACE:
            if total(s.bag) == 0:
                return False
            c = draw(s, w, DRAW_KEY, REFILL, s.turn, i)
            s.sea[i][c] += 1
            log_chance(s, w, log, REFILL, NO_SEAT, c, i)
    return not (r.bag_end_rule == EMPTY and total(s.bag) + total(s.bonus) == 0)
