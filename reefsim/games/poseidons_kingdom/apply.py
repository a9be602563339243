"""Carrying out an action: each kind's own function, then on to the next decision."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import kind_of
from reefsim.games.poseidons_kingdom.constants import (
    BUILD,
    BUY,
    EAT,
    END_FOOD,
    END_MEAL,
    FLEE,
    KRAKEN,
    LOAD,
    MOVE,
    NO_PEEK,
    NO_REWARD,
    P_SETUP,
    PEEK,
    PLACE,
    PUT,
    PUT_SHIFT,
    REWARD,
    SKELETON,
    TAKE,
    USE,
)
from reefsim.games.poseidons_kingdom.crash import do_no_reward, do_reward
from reefsim.games.poseidons_kingdom.food import (
    do_buy,
    do_eat,
    do_end_food,
    do_end_meal,
    do_kraken,
    do_put,
    do_take,
    do_use,
)
from reefsim.games.poseidons_kingdom.friends import do_peek
from reefsim.games.poseidons_kingdom.setup import open_play
from reefsim.games.poseidons_kingdom.shark import do_flee, do_skeleton
from reefsim.games.poseidons_kingdom.steps import do_build, do_load, do_move, do_place
from reefsim.games.poseidons_kingdom.turns import run


@kernel
def apply(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Change the state by a legal action; `w.num_legal` is the number there was to choose from."""
    kind = kind_of(action)
    low = action & 0xFFFF
    if kind == MOVE:
        do_move(s, r, w, log, low >> 6, low & 63)
    elif kind == BUILD:
        do_build(s, w, log, low)
    elif kind == PLACE:
        do_place(s, r, w, log, low)
        if s.phase == P_SETUP and s.seat == s.seats:
            open_play(s, r, w, log)
    elif kind == LOAD:
        do_load(s, w, log, low)
    elif kind == PUT:
        do_put(s, r, w, log, (action >> PUT_SHIFT) - 1, low)
    elif kind == EAT:
        do_eat(s, w, log, low)
    elif kind == BUY:
        do_buy(s, w, log, low)
    elif kind == TAKE:
        do_take(s, r, w, log, low)
    elif kind == USE:
        do_use(s, r, w, log, low)
    elif kind == END_MEAL:
        do_end_meal(s, r, w, log)
    elif kind == END_FOOD:
        do_end_food(s, w, log)
    elif kind == KRAKEN:
        do_kraken(s, r, w, log, low)
    elif kind == PEEK:
        do_peek(s, r, w, log, low)
    elif kind == NO_PEEK:
        do_peek(s, r, w, log, 0)
    elif kind == FLEE:
        do_flee(s, r, w, log, low)
    elif kind == SKELETON:
        do_skeleton(s, r, w, log, low)
    elif kind == REWARD:
        do_reward(s, r, w, log, low)
    elif kind == NO_REWARD:
        do_no_reward(s, w, log)
    run(s, r, w, log)
