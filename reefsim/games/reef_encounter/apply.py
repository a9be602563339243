"""Carry out one action, with every consequence up to the next decision."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.games.reef_encounter.algae import do_alga
from reefsim.games.reef_encounter.constants import (
    ALGA,
    CHOOSE_LARVAE,
    COLLECT,
    END_GROW,
    FEED,
    GROW,
    GROW_BONUS,
    P_FINAL,
    PASS_TURN,
    PLACE,
    SHRIMP_IN,
    SHRIMP_MOVE,
    SHRIMP_OUT,
    STASH,
    TO_LARVA,
    TO_POLYP,
)
from reefsim.games.reef_encounter.ending import end_turn, go_on, next_final_feed
from reefsim.games.reef_encounter.exchanges import do_to_larva, do_to_polyp
from reefsim.games.reef_encounter.feed import do_feed, feed_turn
from reefsim.games.reef_encounter.grow import do_end_grow, do_grow, do_grow_bonus, do_place
from reefsim.games.reef_encounter.log import NO_COLOR, NO_GROWTH, NO_SIZE, log_action
from reefsim.games.reef_encounter.sea import do_collect
from reefsim.games.reef_encounter.setup import do_choose_larvae, do_stash
from reefsim.games.reef_encounter.shrimps import do_shrimp_in, do_shrimp_move, do_shrimp_out


@kernel
def apply(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Change the state by a legal action; `w.num_legal` is the number there was to choose from."""
    kind = action >> 16
    if s.phase == P_FINAL:
        do_final(s, r, w, log, action, kind)
        return
    s.fresh = 0  # R2.5
    if kind == PLACE:
        do_place(s, r, w, log, action)
    elif SHRIMP_IN <= kind <= TO_POLYP:
        log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
        if kind == SHRIMP_MOVE:
            do_shrimp_move(s, (action >> 8) & 255, action & 255)
        elif kind == SHRIMP_IN:
            do_shrimp_in(s, action & 255)
        elif kind == SHRIMP_OUT:
            do_shrimp_out(s, action & 255)
        elif kind == TO_LARVA:
            do_to_larva(s, action & 255)
        else:
            do_to_polyp(s, action & 255)
    elif kind == COLLECT:
        do_collect(s, r, w, log, action)
        end_turn(s, r, w, log)
    elif kind == GROW:
        do_grow(s, w, log, action)
    elif kind == END_GROW:
        do_end_grow(s, w, log, action)
    elif kind == ALGA:
        if do_alga(s, r, w, log, action):
            go_on(s, r, w, log)
    elif kind == FEED:
        if feed_turn(s, r, w, log, action):
            go_on(s, r, w, log)
    elif kind == GROW_BONUS:
        do_grow_bonus(s, w, log, action)
    elif kind == PASS_TURN:
        log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
        end_turn(s, r, w, log)
    elif kind == STASH:
        do_stash(s, w, log, action)
    elif kind == CHOOSE_LARVAE:
        do_choose_larvae(s, r, w, log, action)


@kernel
def do_final(s: Record, r: Record, w: Record, log: list[int], action: int, kind: int) -> None:
    """One seat's final feed, or none (R11.6, R11.8)."""
    if kind == FEED:
        do_feed(s, w, log, action, r.final_feed_return)
    else:
        log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
    next_final_feed(s, r, w, log)
