"""The legal actions of the seat to act, by phase (R2.2-R2.3a and the action model)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add, close_options
from reefsim.games.reef.cards import card_from, take_options
from reefsim.games.reef.constants import P_CENTRE, P_START, P_TURN, PASS_TURN
from reefsim.games.reef.pieces import find_pairs, play_options
from reefsim.games.reef.scoring import centre_options, score_options
from reefsim.games.reef.setup import start_options


@kernel
def legal(s: Record, r: Record, w: Record) -> int:
    """Write the legal actions into `w`; returns their number. The game is not over."""
    k = 0
    if s.phase == P_TURN:
        # in the order of the codes of the kinds, cards in the order of the deck file
        k = take_options(s, r, w, k)
        find_pairs(s, r, w, s.seat)
        card = card_from(s.hand[s.seat], 0)
        while card >= 0:
            k = play_options(s, r, w, k, card)
            card = card_from(s.hand[s.seat], card + 1)
        if k == 0:
            k = add(w, k, PASS_TURN << 16, 1)
    elif s.phase == P_START:
        k = start_options(s, r, w, k)
    elif s.phase == P_CENTRE:
        k = centre_options(s, r, w, k)
    else:
        k = score_options(s, w, k)
    return close_options(w, k)
