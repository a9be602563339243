"""What a seat may know, and full positions that fit it (CH-8.1).

Gems, flags, the row and buildings are public. What a seat does not know is where those cards are
that it has not seen since they last moved face down (`cards.py`): they lie in a pool, together with
how many of them each hand and each layer of the discard pile holds.
"""

from __future__ import annotations

from reefsim.core.bits import nth, popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import MASK, below, next_word
from reefsim.games.charon_inc.constants import NONE, P_ROW


@kernel
def blind(s: Record, r: Record, seat: int) -> None:
    """Turn a state into what `seat` may know (CH-8.1).

    Cards it does not know lie in `pile`. Choices of others for the row are undone; chance keys are
    erased, and so is what the others know.
    """
    for i in range(4):
        s.chance[i] = 0
    for other in range(s.seats):
        if other == seat:
            continue
        hidden = s.hand[other] & ~s.seen[seat]
        s.hidden_hand[other] += popcount(hidden)
        s.pile |= hidden
        s.hand[other] &= s.seen[seat]
        s.seen[other] = 0
        s.fresh[other] = 0
        s.chosen[other] = NONE
    for layer in range(s.num_layers):
        hidden = s.layers[layer] & ~s.seen[seat]
        s.hidden_layer[layer] += popcount(hidden)
        s.pile |= hidden
        s.layers[layer] &= s.seen[seat]


@kernel
def draw_hidden(s: Record, cards: int, agent: Record) -> int:
    """A card of the pool that lies among some cards, and leaves it; NONE if none does."""
    found = s.pile & cards
    if found == 0:
        return NONE
    card = nth(found, below(agent, popcount(found)))
    s.pile &= ~(1 << card)
    return card


@kernel
def determinize(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Draw a full state that fits what `seat` may know, with the agent's random numbers (CH-8.1).

    Cards that all know to have left the pile are put where they can be: among the discards, or with
    those who took some unseen. Every other unknown card is as likely to be anywhere.
    """
    for i in range(4):
        s.chance[i] = next_word(agent) & MASK
    pool = s.pile
    s.pile = pool & ~s.out
    pile = 0
    for _ in range(s.pile_size):
        pile |= 1 << draw_hidden(s, s.pile, agent)
    s.pile = pool & ~pile
    for takers in range(2):
        for other in range(s.seats):
            if other != seat and (s.unseen_takes[other] > 0) == (takers == 1):
                fill_hand(s, other, agent)
    for layer in range(s.num_layers):
        for _ in range(s.hidden_layer[layer]):
            s.layers[layer] |= 1 << draw_hidden(s, s.pile, agent)
        s.hidden_layer[layer] = 0
    s.pile = pile
    for other in range(s.seats):
        if other != seat:
            recall(s, r, other, agent)


@kernel
def fill_hand(s: Record, seat: int, agent: Record) -> None:
    """Draw the unknown cards of a hand; discards only as far as the seat took some unseen."""
    taken = s.unseen_takes[seat]
    for _ in range(s.hidden_hand[seat]):
        cards = s.pile if taken > 0 else s.pile & ~s.out
        card = draw_hidden(s, cards if cards != 0 else s.pile, agent)
        if (s.out >> card) & 1:
            taken -= 1
        s.hand[seat] |= 1 << card
    s.hidden_hand[seat] = 0


@kernel
def recall(s: Record, r: Record, seat: int, agent: Record) -> None:
    """What a seat knows itself: its hand, which cards are new in it, its choice for the row."""
    known = s.hand[seat] | s.row
    for other in range(s.seats):
        known |= s.built[other]
    s.seen[seat] = known
    rest = s.hand[seat]
    for _ in range(s.num_fresh[seat]):
        card = nth(rest, below(agent, popcount(rest)))
        rest &= ~(1 << card)
        s.fresh[seat] |= 1 << card
    if s.phase == P_ROW and has_chosen(s, seat):
        cards = s.hand[seat]
        if r.newly_drawn and s.fresh[seat] != 0:
            cards = s.fresh[seat]
        s.chosen[seat] = nth(cards, below(agent, popcount(cards)))


@kernel
def has_chosen(s: Record, seat: int) -> bool:
    """Whether a seat was asked for its row card already, and has cards to choose from."""
    for i in range(s.at):
        if s.order[i] == seat:
            return s.hand[seat] != 0
    return False
