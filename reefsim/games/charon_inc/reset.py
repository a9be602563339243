"""Phase 5: storage, new cards, exchanges, the common row (CH-6), and the row of the set-up."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add
from reefsim.games.charon_inc.building import give_back
from reefsim.games.charon_inc.cards import (
    DRAWS_KEY,
    barred_cards,
    discards,
    draw_card,
    draw_from,
    lay_down,
    return_to_pile,
    show,
    shuffle_discards,
    take_top,
    take_unseen,
)
from reefsim.games.charon_inc.claims import start_round
from reefsim.games.charon_inc.constants import (
    A5,
    EXCHANGE,
    KEEP,
    NO_EXCHANGE,
    NONE,
    NUM_COLORS,
    P_EXCHANGE,
    P_KEEP,
    P_ROW,
    REDRAW,
    ROW_CARD,
)
from reefsim.games.charon_inc.gems import GEM_WORD, MAX_SIZE
from reefsim.games.charon_inc.log import log_action, log_fact
from reefsim.games.charon_inc.seeding import seed_moon
from reefsim.games.charon_inc.state import FROM_DISCARDS, FROM_PILE, NO_REDRAW


@kernel
def ask(s: Record, phase: int, at: int) -> None:
    """Ask a place of the order for something that belongs to no turn."""
    s.at = at
    s.seat = s.order[at]
    s.phase = phase


@kernel
def storage(s: Record, r: Record, seat: int) -> int:
    """Gems a seat may keep (CH-6.1, CH-6.2)."""
    return r.warehouse_limit if (s.valid[seat] >> A5) & 1 else r.storage_limit


@kernel
def keep_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`keep`: every multiset of gems held, up to the limit (CH-6.1)."""
    for word in range(r.first_word[storage(s, r, s.seat) + 1]):
        members = -1
        for c in range(NUM_COLORS):
            members &= r.fits[c][min(s.held[s.seat][c], MAX_SIZE)][word]
        k = add(w, k, (KEEP << 16) + word * GEM_WORD, members)
    return k


@kernel
def do_keep(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Keep some gems; after the last seat cards are drawn (CH-6.1 to CH-6.4)."""
    kept = action & 4095
    log_action(s, w, log, KEEP, kept, 0)
    for c in range(NUM_COLORS):
        give_back(s, s.seat, c, s.held[s.seat][c] - (r.gems[kept] >> 4 * c & 15))
    if s.at + 1 < s.seats:
        ask(s, P_KEEP, s.at + 1)
        return
    lay_down(s, r, s.row)
    s.row = 0
    for seat in range(s.seats):
        s.fresh[seat] = 0
        s.num_fresh[seat] = 0
    draw_cards(s, r, w, log, 0)


@kernel
def draw_cards(s: Record, r: Record, w: Record, log: list[int], at: int) -> None:
    """From a place of the order on, draw cards until somebody may exchange one (CH-6.4b)."""
    while at < s.seats:
        seat = s.order[at]
        for i in range(r.hand_later_rounds):
            if not draw_card(s, w, log, seat, i):
                break
        s.exchanges = 0
        if exchangeable(s, r, seat) != 0:
            ask(s, P_EXCHANGE, at)
            return
        at += 1
    start_row_choice(s, r, w, log)


@kernel
def exchangeable(s: Record, r: Record, seat: int) -> int:
    """Cards a seat may exchange now (CH-6.4, CH-6.4a)."""
    if r.redraw == NO_REDRAW or s.exchanges >= r.max_exchanges:
        return 0
    barred = barred_cards(s, r, seat)
    source = s.pile if r.redraw == FROM_PILE else discards(s)
    if source & ~barred == 0:
        return 0
    return s.fresh[seat] & s.hand[seat] & barred


@kernel
def exchange_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`exchange` of a card just drawn, and `no_exchange` (CH-6.4)."""
    k = add(w, k, EXCHANGE << 16, exchangeable(s, r, s.seat))
    return add(w, k, NO_EXCHANGE << 16, 1)


@kernel
def do_exchange(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Exchange a card for one drawn at random, or end that (CH-6.4, CH-6.4a)."""
    seat = s.seat
    if action >> 16 == NO_EXCHANGE:
        log_action(s, w, log, NO_EXCHANGE, 0, 0)
        draw_cards(s, r, w, log, s.at + 1)
        return
    given = action & 63
    log_action(s, w, log, EXCHANGE, given, 0)
    show(s, seat, given)
    s.hand[seat] &= ~(1 << given)
    s.fresh[seat] &= ~(1 << given)
    i = s.round_number << 8 | seat
    if r.redraw == FROM_DISCARDS:
        cards = discards(s)
        card = draw_from(s, w, cards, DRAWS_KEY, REDRAW, i, s.exchanges)
        take_unseen(s, seat, card, cards)
        shuffle_discards(s)
        lay_down(s, r, 1 << given)
    else:
        return_to_pile(s, 1 << given)
        card = draw_from(s, w, s.pile, DRAWS_KEY, REDRAW, i, s.exchanges)
        take_top(s, seat, card)
    log_fact(s, w, log, REDRAW, seat, card, 0)
    s.fresh[seat] |= 1 << card
    s.exchanges += 1
    w.exchanges[seat] += 1
    if exchangeable(s, r, seat) == 0:
        draw_cards(s, r, w, log, s.at + 1)


@kernel
def start_row_choice(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Every seat with a card chooses one for the row, unseen by the others (CH-1.8, CH-6.5)."""
    s.exchanges = 0
    for seat in range(s.seats):
        s.chosen[seat] = NONE
    ask_row(s, r, w, log, 0)


@kernel
def ask_row(s: Record, r: Record, w: Record, log: list[int], at: int) -> None:
    """Ask the next seat with a card; after the last one the round begins."""
    while at < s.seats:
        if s.hand[s.order[at]] != 0 or s.hidden_hand[s.order[at]] > 0:
            ask(s, P_ROW, at)
            return
        at += 1
    open_row(s)
    if s.round_number > 0:
        seed_moon(s, r, w, log)
    start_round(s, w)


@kernel
def open_row(s: Record) -> None:
    """The chosen cards are revealed together: the new common row (CH-1.8, CH-6.5)."""
    for seat in range(s.seats):
        card = s.chosen[seat]
        if card != NONE:
            show(s, seat, card)
            s.hand[seat] &= ~(1 << card)
            s.row |= 1 << card
        s.chosen[seat] = NONE
        s.fresh[seat] = 0
        s.num_fresh[seat] = 0


@kernel
def row_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`row_card`: any hand card, or only those just drawn if there are any (CH-6.5, CHQ-16)."""
    cards = s.hand[s.seat]
    drawn = cards & s.fresh[s.seat]
    return add(w, k, ROW_CARD << 16, drawn if r.newly_drawn and drawn != 0 else cards)


@kernel
def do_row_card(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Choose a card for the row."""
    log_action(s, w, log, ROW_CARD, action & 63, 0)
    s.chosen[s.seat] = action & 63
    ask_row(s, r, w, log, s.at + 1)


@kernel
def num_cards_of(s: Record, seat: int) -> int:
    """Cards in a seat's hand, those that a view does not know included."""
    return popcount(s.hand[seat]) + s.hidden_hand[seat]
