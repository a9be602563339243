"""The legal actions of the seat to act, by phase (M2)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import close_options
from reefsim.games.poseidons_kingdom.constants import (
    P_FLEE,
    P_KRAKEN,
    P_MOVE,
    P_PEEK,
    P_PLACE,
    P_REWARD,
    P_SETUP,
    P_SKELETON,
    P_STEP,
)
from reefsim.games.poseidons_kingdom.crash import reward_options
from reefsim.games.poseidons_kingdom.food import food_options, kraken_options
from reefsim.games.poseidons_kingdom.friends import peek_options
from reefsim.games.poseidons_kingdom.reefs import place_options
from reefsim.games.poseidons_kingdom.shark import flee_options, skeleton_options
from reefsim.games.poseidons_kingdom.steps import move_options, step_options


@kernel
def legal(s: Record, r: Record, w: Record) -> int:
    """Write the legal actions into `w`; returns their number. The game is not over."""
    k = 0
    if s.phase == P_STEP:
        k = step_options(s, r, w, k)
    elif s.phase == P_PLACE or s.phase == P_SETUP:
        k = place_options(s, r, w, k, s.seat, s.phase == P_PLACE)
    elif s.phase == P_MOVE:
        k = move_options(s, r, w, k)
    elif s.phase < P_KRAKEN:
        k = food_options(s, r, w, k)
    elif s.phase == P_KRAKEN:
        k = kraken_options(s, w, k)
    elif s.phase == P_PEEK:
        k = peek_options(s, r, w, k)
    elif s.phase == P_FLEE:
        k = flee_options(s, r, w, k)
    elif s.phase == P_SKELETON:
        k = skeleton_options(s, r, w, k)
    elif s.phase == P_REWARD:
        k = reward_options(s, r, w, k)
    return close_options(w, k)
