"""What a seat may know, and full positions that fit it (R8.2, R8.3).

With perfect memory only the dealt cards in the others' hands and the deck below its top are
unknown; cards taken later were seen. Starting pieces are put without seeing those of others.
"""

from __future__ import annotations

from reefsim.core.bits import nth, popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import MASK, below, next_word
from reefsim.games.reef.cards import drop_card, nth_card, num_cards, put_card
from reefsim.games.reef.constants import NONE, NUM_COLORS, NUM_WORDS, P_START
from reefsim.games.reef.pieces import clear_board, push, slip_in
from reefsim.games.reef.setup import start_cells


@kernel
def blind(s: Record, r: Record, seat: int) -> None:
    """Turn a state into what `seat` may know (R8.3).

    Dealt cards of the others lie in `unseen`, together with the deck below its top. In the set-up
    pieces of others are not there yet. Chance keys are erased; so are the others' points where
    they are hidden (A13).
    """
    for i in range(4):
        s.chance[i] = 0
    for other in range(s.seats):
        if other == seat:
            continue
        for word in range(NUM_WORDS):
            s.unseen[word] |= s.secret[other][word]
            s.hand[other][word] &= ~s.secret[other][word]
            s.secret[other][word] = 0
        if s.phase == P_START and not r.random_start:
            clear_board(s, other)
        if not r.points_visible and not s.over:
            s.points[other] = NONE


@kernel
def determinize(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Draw a full state that fits what `seat` may know, with the agent's random numbers (R8.3).

    Every unseen card is as likely to be in a hand as in the deck. Hidden points of the others are
    taken to be as many as one's own.
    """
    for i in range(4):
        s.chance[i] = next_word(agent) & MASK
    for other in range(s.seats):
        if other == seat:
            continue
        for _ in range(s.unknown[other]):
            card = nth_card(s.unseen, below(agent, num_cards(s.unseen)))
            drop_card(s.unseen, card)
            put_card(s.hand[other], card)
            put_card(s.secret[other], card)
        if s.phase == P_START and other < s.seat:
            draw_pieces(s, r, other, agent)
        if s.points[other] == NONE:
            s.points[other] = s.points[seat]


@kernel
def draw_pieces(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Starting pieces for a seat that put them unseen: any cells, on top where stacks may be."""
    for color in range(NUM_COLORS):
        cells = start_cells(s, r, seat)
        cell = nth(cells, below(agent, popcount(cells)))
        if r.free:
            slip_in(s, seat, cell, color, 1 + below(agent, s.height[seat][cell] + 1))
        else:
            push(s, seat, cell, color)
