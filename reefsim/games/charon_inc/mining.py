"""Phases 2 and 3: who wins the regions, A2, A3, and the new order (CH-4)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add
from reefsim.games.charon_inc.cards import (
    DRAWS_KEY,
    discards,
    draw_from,
    take_unseen,
)
from reefsim.games.charon_inc.constants import (
    A2,
    A3,
    A3_CARD,
    A3_DRAW,
    A3_TAKE,
    CLEAR,
    CLEAR_GEM,
    DISCARD,
    MINE,
    NONE,
    NUM_REGIONS,
    ORDER,
    P_A3,
)
from reefsim.games.charon_inc.log import (
    NO_SEAT,
    close_turn,
    log_action,
    log_fact,
    open_turn,
    total_held,
)
from reefsim.games.charon_inc.state import PICK_ANY, PICK_TOP


@kernel
def winner(s: Record, r: Record, region: int) -> int:
    """Who wins a region by the flags that touch it, NONE if nobody does (CH-4.2 to CH-4.4)."""
    below = 32767
    while True:
        best = NONE
        most = 0
        shared = False
        for seat in range(s.seats):
            force = s.force[region][seat]
            if force < below:
                if force > most:
                    best, most, shared = seat, force, False
                elif force == most and force > 0:
                    shared = True
        if best == NONE or not shared:
            return best
        if not r.next_best:
            return NONE
        below = most


@kernel
def mine_all(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """The winner of each region takes its gems, else they stay (CH-4.1 to CH-4.5)."""
    for region in range(NUM_REGIONS):
        n = s.gems[region]
        if n == 0:
            continue
        seat = winner(s, r, region)
        color = s.gem_color[region]
        told = color << 2 | n
        if seat == NONE:
            log_fact(s, w, log, MINE, NO_SEAT, region, told)
            w.unmined += n
            note_dead_heat(s, w, region)
            continue
        log_fact(s, w, log, MINE, seat, region, told)
        s.held[seat][color] += n
        s.gem_color[region] = NONE
        s.gems[region] = 0
        w.regions_won[seat] += 1
        w.gems_mined[seat] += n


@kernel
def note_dead_heat(s: Record, w: Record, region: int) -> None:
    """Count a region that nobody won, and who shared its first place."""
    most = 0
    for seat in range(s.seats):
        most = max(most, s.force[region][seat])
    if most > 0:
        w.dead_heats += 1
        for seat in range(s.seats):
            if s.force[region][seat] == most:
                w.ties[seat] += 1


@kernel
def sharing(s: Record, r: Record, i: int) -> int:
    """The i-th seat in the order in which A2 and A3 are resolved (CHQ-14)."""
    return s.order[s.seats - 1 - i if r.reverse_order else i]


@kernel
def give_clear(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """A2: clear gems from the supply, as far as they reach (CH-4.6)."""
    for i in range(s.seats):
        seat = sharing(s, r, i)
        n = min(r.a2_clear_gems, s.supply[CLEAR])
        if (s.valid[seat] >> A2) & 1 and n > 0:
            s.supply[CLEAR] -= n
            s.held[seat][CLEAR] += n
            w.clear_taken[seat] += n
            log_fact(s, w, log, CLEAR_GEM, seat, n, 0)


@kernel
def ask_a3(s: Record, r: Record, w: Record, i: int) -> bool:
    """Ask the next seat with A3, while row or discard pile hold a card (CH-4.7, CH-4.7a)."""
    while i < s.seats:
        seat = sharing(s, r, i)
        cards = discards(s)
        if (s.valid[seat] >> A3) & 1 and (s.row | cards) != 0:
            s.at = i
            if r.pick == PICK_ANY:
                s.seen[seat] |= cards  # he may look through the pile
            open_turn(s, w, seat, P_A3)
            return True
        i += 1
    return False


@kernel
def a3_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`a3_take` a card of the row or a chosen discard, `a3_draw` another (CH-4.7, CH-4.7b)."""
    k = add(w, k, A3_TAKE << 16, s.row)
    cards = discards(s)
    if r.pick == PICK_ANY:
        return add(w, k, A3_TAKE << 16 | DISCARD << 6, cards)
    return add(w, k, A3_DRAW << 16, 1 if cards != 0 else 0)


@kernel
def do_a3(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Take a card into the hand (CH-4.7)."""
    seat = s.seat
    card = action & 63
    if action >> 16 == A3_DRAW:
        log_action(s, w, log, A3_DRAW, 0, 0)
        cards = s.layers[s.num_layers - 1] if r.pick == PICK_TOP else discards(s)
        card = draw_from(s, w, cards, DRAWS_KEY, A3_CARD, s.round_number, seat)
        log_fact(s, w, log, A3_CARD, seat, card, 0)
        take_unseen(s, seat, card, cards)
    else:
        log_action(s, w, log, A3_TAKE, action & 127, 0)
        if action >> 6 & 1 == DISCARD:
            take_unseen(s, seat, card, discards(s))
        else:
            s.row &= ~(1 << card)
            s.hand[seat] |= 1 << card
    close_turn(s, r, w)


@kernel
def reorder(s: Record, w: Record, log: list[int]) -> None:
    """Most gems first, equal ones as before (CH-4.8)."""
    for k in range(1, s.seats):
        seat = s.order[k]
        i = k
        while i > 0 and total_held(s, s.order[i - 1]) < total_held(s, seat):
            s.order[i] = s.order[i - 1]
            i -= 1
        s.order[i] = seat
    for i in range(s.seats):
        w.places[s.order[i]] += i + 1
    log_fact(s, w, log, ORDER, NO_SEAT, order_number(s), 0)


@kernel
def order_number(s: Record) -> int:
    """Place of an order among all orders of its length, and those of fewer seats before them."""
    number = 0
    fewer = 0
    size = 1
    for n in range(2, s.seats):
        size *= n
        fewer += size
    for i in range(s.seats):
        later = 0
        for j in range(i + 1, s.seats):
            if s.order[j] < s.order[i]:
                later += 1
        number = number * (s.seats - i) + later
    return fewer + number
