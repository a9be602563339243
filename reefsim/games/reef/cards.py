"""Cards: sets of them, dealing, the display, and taking a card (R1.4, R1.8, R3)."""

from __future__ import annotations

from reefsim.core.bits import lowest, nth, popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.rng import uniform
from reefsim.core.work import SCRIPT_IMPOSSIBLE, add, take_script
from reefsim.games.reef.constants import (
    DISPLAY,
    MAX_POINTS,
    NO_SLOT,
    NONE,
    NUM_WORDS,
    TAKE_DECK,
    TAKE_DISPLAY,
    TOP,
    WORD,
)
from reefsim.games.reef.ending import deck_ran_out
from reefsim.games.reef.log import NO_SEAT, log_action, log_chance

CARDS_KEY = 2  # place of the key of the shuffle in `chance`


@inlined
def put_card(cards: list[int], card: int) -> None:
    """Add a card to a set."""
    cards[card // WORD] |= 1 << card % WORD


@inlined
def drop_card(cards: list[int], card: int) -> None:
    """Take a card out of a set."""
    cards[card // WORD] &= ~(1 << card % WORD)


@inlined
def has_card(cards: list[int], card: int) -> bool:
    """Whether a card is in a set."""
    return (cards[card // WORD] >> card % WORD) & 1 == 1


@inlined
def num_cards(cards: list[int]) -> int:
    """Size of a set of cards."""
    return popcount(cards[0]) + popcount(cards[1])


@kernel
def nth_card(cards: list[int], n: int) -> int:
    """The n-th card of a set, in the order of the deck file."""
    size = popcount(cards[0])
    if n < size:
        return nth(cards[0], n)
    return WORD + nth(cards[1], n - size)


@kernel
def card_from(cards: list[int], first: int) -> int:
    """The first card of a set from a number on, NONE if there is none."""
    for word in range(NUM_WORDS):
        rest = cards[word]
        start = first - word * WORD
        if start >= WORD:
            rest = 0
        elif start > 0:
            rest &= ~((1 << start) - 1)
        if rest != 0:
            return word * WORD + lowest(rest)
    return NONE


@kernel
def reveal_card(s: Record, r: Record, w: Record) -> int:
    """The next card of the shuffled deck, which is seen now (by somebody)."""
    left = num_cards(s.unseen)
    card = NONE
    if w.scripted:
        card = take_script(w)
        if not 0 <= card < r.num_cards or not has_card(s.unseen, card):
            if w.fault == 0:
                w.fault = SCRIPT_IMPOSSIBLE
            card = nth_card(s.unseen, 0)
    else:
        # Keyed by its place in the shuffle, so that rulesets with one deck share the shuffle.
        place = r.num_cards - left
        n = uniform(s.chance[CARDS_KEY], s.chance[CARDS_KEY + 1], TOP, place, 0, left)
        card = nth_card(s.unseen, n)
    drop_card(s.unseen, card)
    return card


@kernel
def open_display(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """The first cards from the deck form the display, the next one is visible (R1.8)."""
    for slot in range(r.display_size):
        s.display[slot] = reveal_card(s, r, w)
        s.deck -= 1
        log_chance(s, w, log, DISPLAY, NO_SEAT, s.display[slot], slot)
    turn_top(s, r, w, log)


@kernel
def turn_top(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Show the top card of the deck, if there is one (R1.8)."""
    s.top = NONE
    if s.deck > 0:
        s.top = reveal_card(s, r, w)
        log_chance(s, w, log, TOP, NO_SEAT, s.top, 0)


@kernel
def take_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`take_display` and `take_deck` (R3.1-R3.5)."""
    if num_cards(s.hand[s.seat]) >= r.hand_limit:
        return k
    slots = 0
    for slot in range(r.display_size):
        if s.display[slot] >= 0:
            slots |= 1 << slot
    k = add(w, k, TAKE_DISPLAY << 16, slots)
    if s.top < 0 or s.points[s.seat] < r.deck_card_price:
        return k
    if r.deck_card_price == 0:
        return add(w, k, TAKE_DECK << 16, 1 << NO_SLOT)
    return add(w, k, TAKE_DECK << 16, lowest_slots(s, r))


@kernel
def lowest_slots(s: Record, r: Record) -> int:
    """Slots of the display cards with the lowest printed points (R3.3, R3.4, A9)."""
    least = MAX_POINTS + 1
    slots = 0
    for slot in range(r.display_size):
        card = s.display[slot]
        if card >= 0 and r.value[card] <= least:
            if r.value[card] < least:
                least = r.value[card]
                slots = 0
            slots |= 1 << slot
    return slots & -slots if r.leftmost else slots


@kernel
def do_take_display(s: Record, r: Record, w: Record, log: list[int], slot: int) -> None:
    """A display card and the points on it; the deck fills the gap (R3.2)."""
    seat = s.seat
    card = s.display[slot]
    log_action(s, w, log, TAKE_DISPLAY, card, s.tokens[slot], slot)
    put_card(s.hand[seat], card)
    s.points[seat] += s.tokens[slot]
    w.tokens_taken[seat] += s.tokens[slot]
    w.takes_display[seat] += 1
    w.turn_card = card
    s.tokens[slot] = 0
    s.display[slot] = s.top
    if s.top >= 0:
        leave_deck(s, r, w, log)
    elif r.refill_fails and s.deck == 0:  # players who look ahead do not know every card
        deck_ran_out(s, r)


@kernel
def do_take_deck(s: Record, r: Record, w: Record, log: list[int], slot: int) -> None:
    """The top card of the deck; its price lies on a lowest display card (R3.3)."""
    seat = s.seat
    card = s.top
    log_action(s, w, log, TAKE_DECK, card, r.deck_card_price, slot)
    put_card(s.hand[seat], card)
    s.points[seat] -= r.deck_card_price
    w.tokens_paid[seat] += r.deck_card_price
    w.takes_deck[seat] += 1
    w.turn_card = card
    if slot != NO_SLOT:
        s.tokens[slot] += r.deck_card_price
    leave_deck(s, r, w, log)


@kernel
def leave_deck(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """The visible card has left the deck (R7.3, A6)."""
    s.deck -= 1
    turn_top(s, r, w, log)
    if s.deck == 0 and not r.refill_fails:
        deck_ran_out(s, r)
