"""The legal actions of the seat to act, by phase (the action model, RULES.md)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import close_options
from reefsim.games.charon_inc.building import builder_options
from reefsim.games.charon_inc.claims import a1_options, place_options
from reefsim.games.charon_inc.constants import P_A1, P_A3, P_BUILD, P_KEEP, P_PLACE, P_ROW
from reefsim.games.charon_inc.mining import a3_options
from reefsim.games.charon_inc.reset import exchange_options, keep_options, row_options


@kernel
def legal(s: Record, r: Record, w: Record) -> int:
    """Write the legal actions into `w`; returns their number. The game is not over."""
    if s.phase == P_PLACE:
        k = place_options(s, r, w, 0)
    elif s.phase == P_BUILD:
        k = builder_options(s, r, w, 0)
    elif s.phase == P_KEEP:
        k = keep_options(s, r, w, 0)
    elif s.phase == P_ROW:
        k = row_options(s, r, w, 0)
    elif s.phase == P_A1:
        k = a1_options(s, r, w, 0)
    elif s.phase == P_A3:
        k = a3_options(s, r, w, 0)
    else:
        k = exchange_options(s, r, w, 0)
    return close_options(w, k)
