"""Cards: the draw pile, the discard pile, hands, the common row (CH-1.7, CH-1.8, CH-4.7, CH-6.7).

Who has seen what is kept along (CH-8.1): the row, built cards and exchanged cards are shown to all;
whoever takes a card from the discards unseen leaves the others in doubt about all it may have been.
"""

from __future__ import annotations

from reefsim.core.bits import nth, popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import uniform
from reefsim.core.work import SCRIPT_IMPOSSIBLE, take_script
from reefsim.games.charon_inc.constants import DRAW, MAX_LAYERS, NUM_CARDS
from reefsim.games.charon_inc.log import log_fact
from reefsim.games.charon_inc.state import PICK_TOP

DRAWS_KEY = 2  # place of the key of all draws after the set-up in `chance`


@kernel
def draw_from(s: Record, w: Record, cards: int, key: int, purpose: int, i: int, j: int) -> int:
    """A card out of a set, each as likely; named by purpose and place, or scripted."""
    if w.scripted:
        card = take_script(w)
        if not 0 <= card < NUM_CARDS or (cards >> card) & 1 == 0:
            if w.fault == 0:
                w.fault = SCRIPT_IMPOSSIBLE
            card = nth(cards, 0)
        return card
    n = uniform(s.chance[key], s.chance[key + 1], purpose, i, j, popcount(cards))
    return nth(cards, n)


@kernel
def discards(s: Record) -> int:
    """All cards of the discard pile."""
    cards = 0
    for layer in range(s.num_layers):
        cards |= s.layers[layer]
    return cards


@kernel
def lay_down(s: Record, r: Record, cards: int) -> None:
    """Put cards on the discard pile, as a layer of their own where the order matters (CH-4.7b)."""
    if cards == 0:
        return
    if s.num_layers == 0 or (r.pick == PICK_TOP and s.num_layers < MAX_LAYERS):
        s.layers[s.num_layers] = cards
        s.num_layers += 1
    else:
        s.layers[s.num_layers - 1] |= cards


@kernel
def pick_up(s: Record, card: int) -> None:
    """Take a card out of the discard pile; an emptied layer vanishes (CH-4.7b)."""
    kept = 0
    for layer in range(s.num_layers):
        rest = s.layers[layer] & ~(1 << card)
        s.layers[layer] = 0
        if rest != 0:
            s.layers[kept] = rest
            kept += 1
    s.num_layers = kept


@kernel
def shuffle_discards(s: Record) -> None:
    """Make one layer of the discard pile (CH-4.7b)."""
    cards = discards(s)
    for layer in range(s.num_layers):
        s.layers[layer] = 0
    s.layers[0] = cards
    s.num_layers = 1 if cards != 0 else 0


@kernel
def show(s: Record, seat: int, card: int) -> None:
    """A card of a seat's hand is laid open for all."""
    bit = 1 << card
    if s.out & bit != 0 and s.unseen_takes[seat] > 0:
        s.unseen_takes[seat] -= 1
    s.out |= bit
    for other in range(s.seats):
        s.seen[other] |= bit


@kernel
def take_unseen(s: Record, seat: int, card: int, among: int) -> None:
    """A seat takes a card of the discard pile that the others only know to be among some."""
    for other in range(s.seats):
        if other != seat:
            s.seen[other] &= ~among
    pick_up(s, card)
    s.hand[seat] |= 1 << card
    s.seen[seat] |= 1 << card
    s.unseen_takes[seat] += 1


@kernel
def return_to_pile(s: Record, cards: int) -> None:
    """Cards are shuffled into the draw pile: nobody knows any longer where they are."""
    s.pile |= cards
    s.pile_size = popcount(s.pile)
    s.out &= ~cards
    for seat in range(s.seats):
        s.seen[seat] &= ~cards


@kernel
def take_top(s: Record, seat: int, card: int) -> None:
    """A seat gets a card of the draw pile."""
    bit = 1 << card
    s.pile &= ~bit
    s.pile_size -= 1
    s.hand[seat] |= bit
    s.seen[seat] |= bit


@kernel
def draw_card(s: Record, w: Record, log: list[int], seat: int, i: int) -> bool:
    """The i-th draw of a seat in a reset (CH-6.4); False if no card is left anywhere (CH-6.7)."""
    if s.pile_size == 0:
        cards = discards(s)
        if cards == 0:
            return False
        for layer in range(s.num_layers):
            s.layers[layer] = 0
        s.num_layers = 0
        return_to_pile(s, cards)
    card = draw_from(s, w, s.pile, DRAWS_KEY, DRAW, s.round_number << 8 | seat, i)
    take_top(s, seat, card)
    s.fresh[seat] |= 1 << card
    s.num_fresh[seat] += 1
    log_fact(s, w, log, DRAW, seat, card, 0)
    return True


@kernel
def may_own(s: Record, r: Record, seat: int, card: int) -> bool:
    """Whether a seat may still build a card of that number (CH-5.5)."""
    return popcount(s.built[seat] & r.alike[card]) < r.max_same_number


@kernel
def barred_cards(s: Record, r: Record, seat: int) -> int:
    """All cards of numbers that a seat may build no more (CH-5.5)."""
    cards = 0
    for number in range(2, 13):
        if popcount(s.built[seat] & r.of_number[number]) >= r.max_same_number:
            cards |= r.of_number[number]
    return cards
