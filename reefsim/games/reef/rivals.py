"""What players who plan ahead expect of the others between two turns of their own.

The others do what hands of strong players look like: they gather cards until the hand is full, and
take the one that scores most on their board as it lies (RULES.md §6.1: hold several cards, let one
feed the next). What they lay is not foreseen, only what it uses up.
"""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.games.reef.cards import card_from, drop_card, num_cards, put_card
from reefsim.games.reef.constants import NONE, NUM_CELLS, P_TURN
from reefsim.games.reef.patterns import best_neighbors, corners


@kernel
def skip(s: Record, r: Record, seat: int) -> bool:
    """Pass over the other seats' turns (`core.driver.skip`); there is none in the last round."""
    if s.phase != P_TURN or s.cause > 0:
        return False
    s.turn += s.seats - 1
    while s.seat != seat:
        if num_cards(s.hand[s.seat]) < r.hand_limit:
            expect_take(s, r, s.seat)
        else:
            expect_play(s, r, s.seat)
        s.seat = (s.seat + 1) % s.seats
    return True


@kernel
def expect_take(s: Record, r: Record, seat: int) -> None:
    """A seat takes the card of the display that promises it most.

    The visible card fills the gap, a later gap stays open: nobody knows the card that will fill it.
    A seat that finds nothing takes such a card.
    """
    best, most = NONE, NONE
    for slot in range(r.display_size):
        card = s.display[slot]
        if card >= 0:
            value = promise(s, r, seat, card) + s.tokens[slot]
            if value > most:
                best, most = slot, value
    if s.deck > 0:
        s.deck -= 1
    if best == NONE:
        return
    put_card(s.hand[seat], s.display[best])
    s.points[seat] += s.tokens[best]
    s.tokens[best] = 0
    s.display[best] = s.top
    s.top = NONE


@kernel
def expect_play(s: Record, r: Record, seat: int) -> None:
    """A seat plays the card that scores most; what is only expected never empties the supply."""
    best, most = NONE, NONE
    card = card_from(s.hand[seat], 0)
    while card >= 0:
        value = promise(s, r, seat, card)
        if value > most:
            best, most = card, value
        card = card_from(s.hand[seat], card + 1)
    drop_card(s.hand[seat], best)
    s.points[seat] += most
    for i in range(2):
        color = r.corals[best][i]
        if s.supply[color] > 1:
            s.supply[color] -= 1


@kernel
def promise(s: Record, r: Record, seat: int, card: int) -> int:
    """Points a card would score on a board as it lies, if appearances might overlap."""
    if r.special[card]:
        return r.value[card] * best_neighbors(s, r, seat, card)
    found = 0
    for turned in range(r.num_turned[card]):
        found += popcount(corners(s, r, seat, card, turned))
    return r.value[card] * min(found, NUM_CELLS // r.num_cells[card])
