"""Why an action is refused: the first clause it breaks, in the order of the rules.

Nothing here decides what is legal; that is done by `legal.py`. The two are tested against each
other: an action has a reason exactly if it is not legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reefsim.core.kernel import Record
from reefsim.games.reef.cards import has_card, lowest_slots, num_cards
from reefsim.games.reef.constants import (
    CELL_NAMES,
    COLORS,
    END_CAUSES,
    NO_SLOT,
    NONE,
    NOTHING,
    NUM_CELLS,
    NUM_PAIRS,
    ONE,
    P_CENTRE,
    P_OVER,
    P_SCORE,
    P_START,
    P_TURN,
    PAIRS,
    Kind,
)
from reefsim.games.reef.events import ACTION_NAMES
from reefsim.games.reef.patterns import tallest
from reefsim.games.reef.pieces import open_cells, placed_pieces
from reefsim.games.reef.setup import start_cells
from reefsim.games.reef.state import RULES, STATE

Reasons = Iterator[str]  # broken clauses in the order of the rules; the first one is the answer


def why_illegal(state: Any, rules: Any, action: int) -> str:
    """Say which clause an action breaks first, for the seat to act.

    Parameters
    ----------
    state, rules : records of either mode; the state is not changed
    action : any int

    Returns
    -------
    the clause and the reason, as 'R4.5: D4 has 4 pieces ...'; empty if the action is legal
    """
    s, r = STATE.to_plain(state), RULES.to_plain(rules)
    kind, low = action >> 16, action & 0xFFFF
    if not 0 <= kind < len(Kind):
        return f"M2: {action} is no action of Reef"
    return next(_reasons(s, r, Kind(kind), low), "")


_ASKED = {
    P_START: {Kind.START_PIECE},
    P_TURN: {Kind.TAKE_DISPLAY, Kind.TAKE_DECK, Kind.PLAY, Kind.PASS_TURN},
    P_CENTRE: {Kind.CENTRE},
    P_SCORE: {Kind.SCORE},
    P_OVER: set[Kind](),
}


def _reasons(s: Record, r: Record, kind: Kind, low: int) -> Reasons:
    yield from _wrong_time(s, kind)
    yield from _CHECKS[kind](s, r, low)


def _wrong_time(s: Record, kind: Kind) -> Reasons:
    """Actions that the phase does not ask for."""
    name, seat = ACTION_NAMES[kind], s.seat
    if kind in _ASKED[s.phase]:
        return
    if s.phase == P_OVER:
        yield f"R7.1: the game is over ({END_CAUSES[s.cause - 1]}); no action is left"
    elif s.phase == P_START:
        yield f"R1.6: seat {seat} puts its first {COLORS[s.piece]} piece now, {name} comes later"
    elif s.phase == P_CENTRE:
        yield f"R6.2a: seat {seat} names the center of its special card now, not {name}"
    elif s.phase == P_SCORE:
        yield f"R4.7: seat {seat} says now how often its card scores, not {name}"
    elif kind == Kind.START_PIECE:
        yield "R1.6: starting pieces are put in the set-up only"
    elif kind == Kind.CENTRE:
        yield "R6.2: no special card waits for its center"
    else:
        yield "R4.7: no card waits to be scored"


def _start_piece(s: Record, r: Record, low: int) -> Reasons:
    color, cell, level = low >> 7, (low >> 3) & 15, low & 7
    clause = "R1.7" if r.free else "R1.6"
    if color != s.piece:
        yield f"{clause}: the {COLORS[s.piece]} piece comes next"
    if not (r.start_area >> cell) & 1:
        yield f"{clause}: starting pieces do not go on {CELL_NAMES[cell]}"
    height = s.height[s.seat][cell]
    if not (start_cells(s, r, s.seat) >> cell) & 1:
        yield f"{clause}: {CELL_NAMES[cell]} has {height} pieces already"
    if not r.free and level:
        yield "R1.6: one piece on each space, so that no level is named"
    if r.free and not 1 <= level <= height + 1:
        yield f"R1.7a: level {level or 'nowhere'}; on {CELL_NAMES[cell]} 1-{height + 1} are there"


def _full_hand(s: Record, r: Record) -> Reasons:
    held = num_cards(s.hand[s.seat])
    if held >= r.hand_limit:
        yield f"R3.1: seat {s.seat} holds {held} cards, {r.hand_limit} are the limit"


def _take_display(s: Record, r: Record, slot: int) -> Reasons:
    yield from _full_hand(s, r)
    if slot >= r.display_size:
        yield f"R1.8: the display has slots 0-{r.display_size - 1}"
    elif s.display[slot] == NONE:
        yield f"R3.2: slot {slot} is empty"


def _take_deck(s: Record, r: Record, slot: int) -> Reasons:
    yield from _full_hand(s, r)
    if s.top == NONE:
        yield "R7.3: the deck is empty"
    if s.points[s.seat] < r.deck_card_price:
        yield (
            f"R3.5: seat {s.seat} has {s.points[s.seat]} points, the card costs {r.deck_card_price}"
        )
    if r.deck_card_price == 0:
        if slot != NO_SLOT:
            yield "R3.3: the card costs nothing, so that no slot is named"
    elif slot == NO_SLOT:
        yield "R3.3: a slot has to be named for the price"
    elif not (lowest_slots(s, r) >> slot) & 1:
        slots = [i for i in range(r.display_size) if (lowest_slots(s, r) >> i) & 1]
        yield f"R3.3: the price goes to slot {' or '.join(map(str, slots))}, not {slot}"


def _play(s: Record, r: Record, low: int) -> Reasons:
    card, placement, seat = low >> 9, low & 511, s.seat
    if card >= r.num_cards or placement > NOTHING:
        yield "M2: there is no such card or placement"
    if not has_card(s.hand[seat], card):
        yield f"R4.1: seat {seat} does not hold the card"
    a, b = r.corals[card]
    what = placed_pieces(s, r, seat, card)
    number = 2 if placement < ONE else 1 if placement < NOTHING else 0
    can = {0: 0, 3: 2}.get(what, 1)
    if number != can:
        yield f"R4.9: the card places {can} pieces here (supplies and room), not {number}"
    if a == b and (NUM_PAIRS <= placement < ONE or ONE + NUM_CELLS <= placement < NOTHING):
        yield "M2: two equal pieces have no order"
    full = ~open_cells(s, r, seat)
    if number == 1:
        which, cell = divmod(placement - ONE, NUM_CELLS)
        if what in (1, 2) and which != what - 1:
            yield f"R4.9: only the {COLORS[(a, b)[what - 1]]} piece is there"
        yield from _no_room(s, r, cell, full)
    elif number == 2:
        low_cell, high_cell = PAIRS[placement % NUM_PAIRS]
        yield from _no_room(s, r, low_cell, full)
        yield from _no_room(s, r, high_cell, full)
        if low_cell == high_cell and s.height[seat][low_cell] > r.stack_limit - 2:
            height = s.height[seat][low_cell]
            yield f"R4.5: {CELL_NAMES[low_cell]} has {height} pieces, two more are too many"


def _no_room(s: Record, r: Record, cell: int, full: int) -> Reasons:
    if (full >> cell) & 1:
        yield f"R4.5: {CELL_NAMES[cell]} has {r.stack_limit} pieces, the limit of a stack"


def _centre(s: Record, r: Record, cell: int) -> Reasons:
    if cell >= NUM_CELLS or not (tallest(s, s.seat, r.color[s.card][0]) >> cell) & 1:
        color = COLORS[r.color[s.card][0]]
        yield f"R6.1: on that space is no tallest stack with a {color} top"


def _score(s: Record, r: Record, matches: int) -> Reasons:
    if matches > s.most:
        yield f"R4.7: the card can be scored {s.most} times, not {matches}"


def _pass_turn(s: Record, r: Record, low: int) -> Reasons:
    held = num_cards(s.hand[s.seat])
    if held:
        yield f"R2.3: seat {s.seat} holds {held} cards and may play one"
    if any(s.display[slot] != NONE for slot in range(r.display_size)):
        yield "R2.3: there is a card to take"
    if s.top != NONE and s.points[s.seat] >= r.deck_card_price:
        yield "R2.3: the top card of the deck can be taken"


_CHECKS = {
    Kind.START_PIECE: _start_piece,
    Kind.TAKE_DISPLAY: _take_display,
    Kind.TAKE_DECK: _take_deck,
    Kind.PLAY: _play,
    Kind.CENTRE: _centre,
    Kind.SCORE: _score,
    Kind.PASS_TURN: _pass_turn,
}
