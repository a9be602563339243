"""Why an action is refused: the first clause it breaks, in the order of the rules.

Nothing here decides what is legal; that is done by `legal.py`. The two are tested against each
other: an action has a reason exactly if it is not legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reefsim.core.invariants import as_plain
from reefsim.core.kernel import Record
from reefsim.games.charon_inc.building import is_payable, trade_rate
from reefsim.games.charon_inc.cards import discards, may_own
from reefsim.games.charon_inc.constants import (
    A4,
    AREAS,
    BUILDINGS,
    CLEAR,
    COLORS,
    FROM_ROW,
    MAX_SPOTS,
    NUM_AREAS,
    NUM_CARDS,
    NUM_COLORS,
    NUM_ORDINARY,
    P_A1,
    P_A3,
    P_BUILD,
    P_EXCHANGE,
    P_KEEP,
    P_OVER,
    P_PLACE,
    P_ROW,
    ROW,
    SPOT_WORD,
    SYNCHROTRONS,
    TRADES,
    WHOLE,
    Kind,
)
from reefsim.games.charon_inc.events import ACTION_NAMES
from reefsim.games.charon_inc.gems import BY_NUMBER
from reefsim.games.charon_inc.reset import exchangeable, storage
from reefsim.games.charon_inc.state import PICK_ANY, RULES, STATE

Reasons = Iterator[str]  # broken clauses in the order of the rules; the first one is the answer


def why_illegal(state: Any, rules: Any, action: int) -> str:
    """Say which clause an action breaks first, for the seat to act.

    Parameters
    ----------
    state, rules : records of either mode; the state is not changed
    action : any int

    Returns
    -------
    the clause and the reason, as 'CH-3.2: a flag is there already'; empty if the action is legal
    """
    s, r = as_plain(STATE, state), as_plain(RULES, rules)
    kind, low = action >> 16, action & 0xFFFF
    if not 0 <= kind < len(Kind):
        return f"M2: {action} is no action of CHARON Inc."
    return next(_reasons(s, r, Kind(kind), low), "")


_ASKED = {
    P_ROW: {Kind.ROW_CARD},
    P_PLACE: {Kind.PLACE},
    P_A1: {Kind.A1_MOVE, Kind.A1_PASS},
    P_A3: {Kind.A3_TAKE, Kind.A3_DRAW},
    P_BUILD: {Kind.TRADE, Kind.SYNCHROTRON, Kind.BUILD, Kind.END_BUILD},
    P_KEEP: {Kind.KEEP},
    P_EXCHANGE: {Kind.EXCHANGE, Kind.NO_EXCHANGE},
    P_OVER: set[Kind](),
}
_NOW = {
    P_ROW: "CH-6.5: seat {} chooses a card for the row now, {} is not asked",
    P_PLACE: "CH-3.1: seat {} places a flag now, {} is not asked",
    P_A1: "CH-3.5: seat {} may move a flag now, {} is not asked",
    P_A3: "CH-4.7: seat {} takes a card now, {} is not asked",
    P_BUILD: "CH-5.1: seat {} builds now, {} is not asked",
    P_KEEP: "CH-6.1: seat {} says now which gems it keeps, {} is not asked",
    P_EXCHANGE: "CH-6.4: seat {} may exchange a card now, {} is not asked",
    P_OVER: "CH-7.1: the game is over; seat {} and all others have no action left, so no {}",
}


def _reasons(s: Record, r: Record, kind: Kind, low: int) -> Reasons:
    if kind not in _ASKED[s.phase]:
        yield _NOW[s.phase].format(s.seat, ACTION_NAMES[kind])
    yield from _CHECKS[kind](s, r, low)


def _row_card(s: Record, r: Record, card: int) -> Reasons:
    if not (s.hand[s.seat] >> card) & 1:
        yield f"CH-6.5: seat {s.seat} does not hold that card"
    drawn = s.hand[s.seat] & s.fresh[s.seat]
    if r.newly_drawn and drawn and not (drawn >> card) & 1:
        yield "CHQ-16: only a card drawn in this reset may be chosen"


def _free(s: Record, r: Record, spot: int) -> Reasons:
    word, bit = divmod(spot, SPOT_WORD)
    if spot >= MAX_SPOTS or not (r.usable[word] >> bit) & 1:
        yield "CH-1.3: the spot is not in play"
    elif (s.taken[word] >> bit) & 1:
        yield "CH-3.2: a flag is there already"


def _place(s: Record, r: Record, low: int) -> Reasons:
    area, spot = low >> 7, low & 127
    if area >= NUM_AREAS or not (s.left[s.seat] >> area) & 1:
        left = [AREAS[a] for a in range(NUM_AREAS) if (s.left[s.seat] >> a) & 1]
        yield f"CH-3.1: seat {s.seat} has no flag there; it has on {', '.join(left)}"
    yield from _free(s, r, spot)


def _a1_move(s: Record, r: Record, low: int) -> Reasons:
    spot, to_spot = low >> 7, low & 127
    word, bit = divmod(spot, SPOT_WORD)
    if spot >= MAX_SPOTS or not (s.own_spots[s.seat][word] >> bit) & 1:
        yield f"CH-3.5: seat {s.seat} has no flag on the first spot"
    yield from _free(s, r, to_spot)
    word, bit = divmod(to_spot, SPOT_WORD)
    if to_spot < MAX_SPOTS and not (r.a1_spots[word] >> bit) & 1:
        yield "CH-3.5: A1 may not move a flag to that spot (a1_target)"


def _a3_take(s: Record, r: Record, low: int) -> Reasons:
    card, source = low & 63, low >> 6
    if source == ROW and not (s.row >> card) & 1:
        yield "CH-4.7: the card is not in the row"
    elif source != ROW and r.pick != PICK_ANY:
        yield "CH-4.7b: a card of the discard pile is not chosen but drawn (a3_draw)"
    elif source != ROW and not (discards(s) >> card) & 1:
        yield "CH-4.7: the card is not in the discard pile"


def _a3_draw(s: Record, r: Record, low: int) -> Reasons:
    if r.pick == PICK_ANY:
        yield "CH-4.7: a card of the discard pile is chosen, not drawn"
    elif discards(s) == 0:
        yield "CH-4.7: the discard pile is empty"


def _pass_of(s: Record, step: int, what: str) -> Reasons:
    if s.step not in (WHOLE, step):
        yield f"CH-5.1a: this pass is not for {what}"


def _trade(s: Record, r: Record, low: int) -> Reasons:
    yield from _pass_of(s, TRADES, "trades")
    gems, color = BY_NUMBER.get(low & 4095), low >> 12
    if gems is None or color >= NUM_ORDINARY:
        yield "M2: there is no such trade"
        return
    rate, held = trade_rate(s, r, s.seat), s.held[s.seat]
    if sum(gems) != rate:
        yield f"CH-5.2: {sum(gems)} gems are given, the rate of seat {s.seat} is {rate}"
    if gems[CLEAR] and not r.clear_in_trade:
        yield "CHQ-12: clear gems are not given in a trade"
    if gems[color]:
        yield f"CH-5.2a: {COLORS[color]} is among the gems given"
    if any(gems[c] > held[c] for c in range(NUM_COLORS)):
        yield f"CH-5.2: seat {s.seat} does not hold these gems"
    if s.supply[color] == 0:
        yield f"CH-5.2: the supply has no {COLORS[color]} gem"


def _synchrotron(s: Record, r: Record, low: int) -> Reasons:
    yield from _pass_of(s, SYNCHROTRONS, "the synchrotron")
    color, color2, size = low >> 9, low >> 6 & 7, low & 63
    if not (s.valid[s.seat] >> A4) & 1:
        yield f"CH-5.3: seat {s.seat} has no valid A4"
    if s.exchanged:
        yield "CH-5.3: the synchrotron was used in this phase"
    colors = NUM_COLORS if r.synchrotron_clear else NUM_ORDINARY
    if color >= colors or color2 >= colors or color == color2:
        yield "CH-5.3: two different colors are named, clear only with synchrotron_clear"
        return
    most = min(s.held[s.seat][color], s.supply[color2])
    if not 1 <= size <= most:
        yield f"CH-5.3: {size} gems; seat {s.seat} and the supply allow 1 to {most}"


def _build(s: Record, r: Record, low: int) -> Reasons:
    yield from _pass_of(s, BUILDINGS, "building")
    source, card, payment = low >> 15, low >> 9 & 63, low & 511
    if card >= NUM_CARDS or payment >= r.ways[card]:
        yield "M2: there is no such card or payment"
        return
    if not ((s.row if source == FROM_ROW else s.hand[s.seat]) >> card) & 1:
        place = "the row" if source == FROM_ROW else f"the hand of seat {s.seat}"
        yield f"CH-5.4: the card is not in {place}"
    if not may_own(s, r, s.seat, card):
        yield f"CH-5.5: seat {s.seat} has built number {r.number[card]} already"
    if source == FROM_ROW and s.row_built >= r.row_builds_per_round:
        yield f"CH-5.6: seat {s.seat} has built {s.row_built} cards of the row in this round"
    if not is_payable(s, r, s.seat, card, payment):
        yield f"CH-5.4: seat {s.seat} does not hold these gems"


def _keep(s: Record, r: Record, number: int) -> Reasons:
    gems = BY_NUMBER.get(number)
    if gems is None:
        yield "M2: there is no such multiset"
        return
    limit = storage(s, r, s.seat)
    if sum(gems) > limit:
        yield f"CH-6.1: {sum(gems)} gems, seat {s.seat} may keep {limit}"
    if any(gems[c] > s.held[s.seat][c] for c in range(NUM_COLORS)):
        yield f"CH-6.1: seat {s.seat} does not hold these gems"


def _exchange(s: Record, r: Record, card: int) -> Reasons:
    if not (s.fresh[s.seat] & s.hand[s.seat]) >> card & 1:
        yield "CH-6.4: only a card drawn in this reset may be exchanged"
    if may_own(s, r, s.seat, card):
        yield f"CH-6.4: seat {s.seat} may still build that number"
    if not exchangeable(s, r, s.seat) >> card & 1:
        yield "CH-6.4a: no exchange is offered"


def _nothing(s: Record, r: Record, low: int) -> Reasons:
    if low:
        yield "M2: there is no such action"


_CHECKS = {
    Kind.ROW_CARD: _row_card,
    Kind.PLACE: _place,
    Kind.A1_MOVE: _a1_move,
    Kind.A1_PASS: _nothing,
    Kind.A3_TAKE: _a3_take,
    Kind.A3_DRAW: _a3_draw,
    Kind.TRADE: _trade,
    Kind.SYNCHROTRON: _synchrotron,
    Kind.BUILD: _build,
    Kind.END_BUILD: _nothing,
    Kind.KEEP: _keep,
    Kind.EXCHANGE: _exchange,
    Kind.NO_EXCHANGE: _nothing,
}
