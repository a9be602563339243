"""What holds in every position. Each check yields sentences about what is broken."""

from __future__ import annotations

from reefsim.core.invariants import Broken
from reefsim.games.reef.constants import (
    COLORS,
    NONE,
    NUM_CELLS,
    P_CENTRE,
    P_SCORE,
    P_START,
    P_TURN,
)
from reefsim.games.reef.invariants.from_scratch import Position, cards_of, tops_and_heights


def pieces_conserved(p: Position) -> Broken:
    """Count the pieces of each color (R1.1, R1.2)."""
    s = p.s
    for color, name in enumerate(COLORS):
        on_boards = sum(stack.count(color) for seat in range(s.seats) for stack in p.stacks(seat))
        waiting = 0  # starting pieces still in their players' hands
        if s.phase == P_START and not p.r.random_start:
            waiting = s.seats - s.seat - (s.piece > color)
        total = s.supply[color] + on_boards + waiting
        if total != p.r.coral:
            yield f"{total} {name} pieces, there are {p.r.coral}"


def cards_conserved(p: Position) -> Broken:
    """Every card is in one place."""
    s = p.s
    places = [card for card in (*s.display, s.top) if card != NONE]
    for words in (s.unseen, *s.hand, *s.discard):
        places += cards_of(words)
    if sorted(places) != list(range(p.r.num_cards)):
        yield f"the cards in all places are {sorted(places)}, there are {p.r.num_cards}"
    in_deck = len(cards_of(s.unseen)) + (s.top != NONE)
    if s.deck != in_deck:
        yield f"the deck counts {s.deck} cards, {in_deck} are there"


def stacks_within_limit(p: Position) -> Broken:
    """No stack is above the limit (R4.5)."""
    for seat in range(p.s.seats):
        highest = max(map(len, p.stacks(seat)))
        if highest > p.r.stack_limit:
            yield f"seat {seat} has a stack of {highest}, the limit is {p.r.stack_limit}"


def hands_and_display(p: Position) -> Broken:
    """Hands within their limit; no gap in the display while the deck has cards."""
    s, r = p.s, p.r
    for seat, hand in enumerate(p.hands):
        if len(hand) > r.hand_limit:
            yield f"seat {seat} holds {len(hand)} cards, {r.hand_limit} are the limit"
    gaps = [slot for slot in range(r.display_size) if s.display[slot] == NONE]
    if gaps and s.deck and s.turn:
        yield f"slots {gaps} are empty, the deck has {s.deck} cards"
    if (s.top == NONE) != (s.deck == 0) and s.turn:
        yield f"the top card is {s.top}, the deck has {s.deck} cards"
    for slot in range(len(s.display)):
        if s.tokens[slot] and s.display[slot] == NONE:
            yield f"{s.tokens[slot]} points lie on the empty slot {slot}"


def nothing_negative(p: Position) -> Broken:
    """No stock holds less than nothing."""
    s = p.s
    for name in ("supply", "tokens", "points", "unknown", "deck"):
        values = getattr(s, name)
        if min(values if isinstance(values, list) else [values]) < 0:
            yield f"{name} is {values}"


def turns_go_around(p: Position) -> Broken:
    """In a turn the seat is the one whose turn it is; a pending end waits for its round only."""
    s = p.s
    if s.phase == P_TURN and s.seat != (s.turn - 1) % s.seats:
        yield f"seat {s.seat} is to act in turn {s.turn}"
    if s.phase == P_TURN and s.cause and (s.stopped or s.ender >= s.seat):
        yield f"seat {s.seat} has a turn after the end that seat {s.ender} caused"
    if s.phase in (P_CENTRE, P_SCORE) and s.card == NONE:
        yield "no card is being scored"
    if s.phase == P_CENTRE and not p.r.special[s.card]:
        yield "a card without center waits for one"
    if s.phase == P_SCORE and s.most < 1:
        yield f"a card that can be scored {s.most} times waits for an answer"
    if bool(s.over) != (s.phase not in (P_START, P_TURN, P_CENTRE, P_SCORE)):
        yield f"over is {s.over} in phase {s.phase}"


def knowledge(p: Position) -> Broken:
    """What others have not seen of a hand is part of it."""
    s = p.s
    for seat, hand in enumerate(p.hands):
        secret = cards_of(s.secret[seat])
        if not secret <= hand or len(secret) != s.unknown[seat]:
            yield f"seat {seat} holds {hand}, unseen are {secret}, counted {s.unknown[seat]}"


def masks(p: Position) -> Broken:
    """Masks and heights are those of the stacks."""
    s = p.s
    for seat in range(s.seats):
        tops, least = tops_and_heights(p, seat)
        if s.tops[seat] != tops or s.least[seat] != least:
            yield f"the masks of seat {seat} are not those of its stacks"
        heights = [len(p.stack(seat, cell)) for cell in range(NUM_CELLS)]
        if s.height[seat] != heights:
            yield f"the heights of seat {seat} are {s.height[seat]}, its stacks have {heights}"
