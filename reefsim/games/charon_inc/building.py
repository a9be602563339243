"""Phase 4: trading, the synchrotron, building (CH-5)."""

from __future__ import annotations

from reefsim.core.bits import lowest
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add
from reefsim.games.charon_inc.cards import barred_cards, show
from reefsim.games.charon_inc.constants import (
    A4,
    A5,
    BUILD,
    BUILDINGS,
    CLEAR,
    END_BUILD,
    FROM_ROW,
    HAND,
    NUM_COLORS,
    NUM_ORDINARY,
    P_BUILD,
    SYNCHROTRON,
    SYNCHROTRONS,
    TRADE,
    TRADES,
    WHOLE,
)
from reefsim.games.charon_inc.gems import GEM_WORD, MAX_SIZE
from reefsim.games.charon_inc.log import close_turn, log_action, open_turn, total_held


@kernel
def start_building(s: Record, r: Record, w: Record) -> None:
    """The first seat of the new order is asked (CH-5.1, CH-5.1a)."""
    s.step = TRADES if r.steps else WHOLE
    ask_builder(s, w, 0)


@kernel
def ask_builder(s: Record, w: Record, at: int) -> bool:
    """Ask the next seat of the pass, else of the next pass; False after the last one."""
    while True:
        while at < s.seats:
            seat = s.order[at]
            if s.step != SYNCHROTRONS or (s.valid[seat] >> A4) & 1:
                s.at = at
                s.row_built = 0
                s.exchanged = 0
                open_turn(s, w, seat, P_BUILD)
                return True
            at += 1
        if s.step == WHOLE or s.step == BUILDINGS:
            return False
        s.step += 1
        at = 0


@kernel
def trade_rate(s: Record, r: Record, seat: int) -> int:
    """Gems a seat gives for one (CH-5.2)."""
    return r.warehouse_trade_rate if (s.valid[seat] >> A5) & 1 else r.trade_rate


@kernel
def trade_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`trade`: gems of other colors for one that the supply has (CH-5.2, CH-5.2a)."""
    held = s.held[s.seat]
    rate = trade_rate(s, r, s.seat)
    for color in range(NUM_ORDINARY):
        if s.supply[color] == 0:
            continue
        for word in range(r.first_word[rate], r.first_word[rate + 1]):
            members = -1
            for c in range(NUM_COLORS):
                n = 0
                if c != color and (c != CLEAR or r.clear_in_trade):
                    n = min(held[c], MAX_SIZE)
                members &= r.fits[c][n][word]
            k = add(w, k, (TRADE << 16 | color << 12) + word * GEM_WORD, members)
    return k


@kernel
def synchrotron_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`synchrotron`: gems of one color for as many of another, once (CH-5.3)."""
    if s.exchanged or (s.valid[s.seat] >> A4) & 1 == 0:
        return k
    colors = NUM_COLORS if r.synchrotron_clear else NUM_ORDINARY
    for color in range(colors):
        for color2 in range(colors):
            size = min(s.held[s.seat][color], s.supply[color2])
            if color != color2:
                base = SYNCHROTRON << 16 | color << 9 | color2 << 6
                k = add(w, k, base, (2 << size) - 2)
    return k


@kernel
def buildable(s: Record, r: Record, seat: int) -> int:
    """Cards of a seat's hand and of the row that it may build, gems aside (CH-5.5, CH-5.6)."""
    cards = s.hand[seat]
    if s.row_built < r.row_builds_per_round:
        cards |= s.row
    return cards & ~barred_cards(s, r, seat)


@kernel
def missing(s: Record, r: Record, seat: int, card: int) -> int:
    """Gems of the cost that a seat lacks, clear ones aside."""
    total = 0
    for c in range(NUM_ORDINARY):
        total += max(0, r.cost[card][c] - s.held[seat][c])
    return total


@kernel
def build_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`build` of a hand card, then of a row card, in every way of paying (CH-5.4 to CH-5.6)."""
    cards = buildable(s, r, s.seat)
    for source in range(2):
        rest = cards & (s.row if source == FROM_ROW else s.hand[s.seat])
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            if missing(s, r, s.seat, card) <= s.held[s.seat][CLEAR]:
                base = BUILD << 16 | source << 15 | card << 9
                k = payment_options(s, r, w, k, base, card)
    return k


@kernel
def payment_options(s: Record, r: Record, w: Record, k: int, base: int, card: int) -> int:
    """All payments of a card that can be paid (CH-5.4).

    A payment is told by how many gems of each color clear ones stand for, in mixed radix.
    """
    if s.held[s.seat][CLEAR] == 0:
        return add(w, k, base, 1)
    first = 0
    while first < r.ways[card]:
        members = 0
        for i in range(min(GEM_WORD, r.ways[card] - first)):
            if is_payable(s, r, s.seat, card, first + i):
                members |= 1 << i
        k = add(w, k, base + first, members)
        first += GEM_WORD
    return k


@kernel
def is_payable(s: Record, r: Record, seat: int, card: int, payment: int) -> bool:
    """Whether a seat holds the gems of a payment."""
    clear = 0
    for c in range(NUM_ORDINARY):
        base = r.most_clear[card][c] + 1
        stood_for = payment % base
        payment //= base
        clear += stood_for
        if r.cost[card][c] - stood_for > s.held[seat][c]:
            return False
    return clear <= s.held[seat][CLEAR]


@kernel
def pay(s: Record, r: Record, seat: int, card: int, payment: int) -> None:
    """Return the gems of a payment to the supply (CH-5.4)."""
    for c in range(NUM_ORDINARY):
        base = r.most_clear[card][c] + 1
        stood_for = payment % base
        payment //= base
        give_back(s, seat, c, r.cost[card][c] - stood_for)
        give_back(s, seat, CLEAR, stood_for)


@kernel
def give_back(s: Record, seat: int, color: int, n: int) -> None:
    """A seat returns gems to the supply, or takes some if n is negative."""
    s.held[seat][color] -= n
    s.supply[color] += n


@kernel
def builder_options(s: Record, r: Record, w: Record, k: int) -> int:
    """Everything a seat may do in its build turn, by pass (CH-5.1, CH-5.1a)."""
    if s.step == WHOLE or s.step == TRADES:
        k = trade_options(s, r, w, k)
    if s.step == WHOLE or s.step == SYNCHROTRONS:
        k = synchrotron_options(s, r, w, k)
    if s.step == WHOLE or s.step == BUILDINGS:
        k = build_options(s, r, w, k)
    return add(w, k, END_BUILD << 16, 1)


@kernel
def do_trade(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Return some gems and take one (CH-5.2)."""
    log_action(s, w, log, TRADE, action & 0x7FFF, 0)
    for c in range(NUM_COLORS):
        give_back(s, s.seat, c, r.gems[action & 4095] >> 4 * c & 15)
    give_back(s, s.seat, action >> 12 & 7, -1)
    w.trades[s.seat] += 1


@kernel
def do_synchrotron(s: Record, w: Record, log: list[int], action: int) -> None:
    """Return gems of one color and take as many of another (CH-5.3)."""
    log_action(s, w, log, SYNCHROTRON, action & 4095, 0)
    size = action & 63
    give_back(s, s.seat, action >> 9 & 7, size)
    give_back(s, s.seat, action >> 6 & 7, -size)
    s.exchanged = 1
    w.synchrotrons[s.seat] += 1


@kernel
def do_build(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Pay a card and lay it down (CH-5.4, CH-5.6, CH-5.7)."""
    source = action >> 15 & 1
    card = action >> 9 & 63
    log_action(s, w, log, BUILD, action & 0x7FFF, source)
    w.gems_paid[s.seat] += total_held(s, s.seat)
    pay(s, r, s.seat, card, action & 511)
    w.gems_paid[s.seat] -= total_held(s, s.seat)
    if source == HAND:
        show(s, s.seat, card)
        s.hand[s.seat] &= ~(1 << card)
    else:
        s.row &= ~(1 << card)
        s.row_built += 1
        w.row_builds[s.seat] += 1
    s.built[s.seat] |= 1 << card


@kernel
def do_end_build(s: Record, r: Record, w: Record, log: list[int]) -> bool:
    """End a build turn; True after the last one of the round (CH-5.1)."""
    log_action(s, w, log, END_BUILD, 0, 0)
    close_turn(s, r, w)
    return not ask_builder(s, w, s.at + 1)
