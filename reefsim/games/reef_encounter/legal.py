"""The legal actions of the seat to act, by phase (R2.2-R2.6 and the action model)."""

from __future__ import annotations

from reefsim.core.kernel import Record, inlined
from reefsim.core.work import close_options
from reefsim.games.reef_encounter.algae import alga_options
from reefsim.games.reef_encounter.constants import (
    P_BONUS,
    P_GROW,
    P_LARVAE,
    P_STASH,
    P_TURN,
)
from reefsim.games.reef_encounter.exchanges import exchange_options
from reefsim.games.reef_encounter.feed import feed_options, final_feed_options
from reefsim.games.reef_encounter.grow import (
    end_grow_options,
    grow_bonus_options,
    grow_options,
    place_options,
)
from reefsim.games.reef_encounter.sea import sea_options
from reefsim.games.reef_encounter.setup import larva_options, stash_options
from reefsim.games.reef_encounter.shrimps import (
    shrimp_in_options,
    shrimp_move_options,
    shrimp_out_options,
)


@inlined
def legal(s: Record, r: Record, w: Record) -> int:
    """Write the legal actions into `w`; returns their number. The game is not over."""
    k = 0
    if s.phase == P_TURN:
        # in the order of the codes of the kinds
        if s.fresh:
            k = feed_options(s, w, k, r.min_feed_size)
        k = grow_options(s, r, w, k)
        k = shrimp_in_options(s, r, w, k)
        k = shrimp_move_options(s, r, w, k)
        k = shrimp_out_options(s, w, k)
        k = exchange_options(s, w, k)
        k = alga_options(s, r, w, k)
        k = sea_options(s, r, w, k)
    elif s.phase == P_GROW:
        k = place_options(s, r, w, k)
        if s.placed > 0 or r.allow_empty_grow:
            k = end_grow_options(w, k)
            k = shrimp_move_options(s, r, w, k)
            k = shrimp_out_options(s, w, k)
    elif s.phase == P_BONUS:
        k = grow_bonus_options(w, k)
    elif s.phase == P_STASH:
        k = stash_options(s, w, k)
    elif s.phase == P_LARVAE:
        k = larva_options(s, r, w, k)
    else:
        k = final_feed_options(s, r, w, k)
    return close_options(w, k)
