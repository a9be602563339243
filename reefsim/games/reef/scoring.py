"""Scoring a card, hand cards at the end, points and tie-breaks (R4.7, R4.8, R7.4-R7.6)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add, log_event
from reefsim.games.reef.cards import card_from, drop_card, has_card, put_card
from reefsim.games.reef.constants import (
    CENTRE,
    HAND_CARD,
    NONE,
    P_CENTRE,
    P_SCORE,
    PASS_TURN,
    PLAY,
    SCORE,
    TURN_LIMIT,
)
from reefsim.games.reef.ending import close_game, leave_turn, look_at_supply
from reefsim.games.reef.log import log_action, pack, scored
from reefsim.games.reef.patterns import appearances, best_neighbors, neighbors_of, tallest
from reefsim.games.reef.pieces import num_pieces, place
from reefsim.games.reef.state import NO_SCORING, ONCE

NUM_TIE_BREAKS = 2


@kernel
def start_scoring(s: Record, r: Record, w: Record, card: int) -> int:
    """Score a card of the seat to act, or ask how; returns the matches scored, -1 if asked.

    In the final scoring `s.final` is set: there a card scores once (R7.4).
    """
    s.card = card
    if not r.special[card]:
        return offer(s, r, w, appearances(s, r, w, s.seat, card))
    if r.choose_centre and popcount(tallest(s, s.seat, r.color[card][0])) > 1:
        s.phase = P_CENTRE
        return -1
    return offer(s, r, w, best_neighbors(s, r, s.seat, card))


@kernel
def offer(s: Record, r: Record, w: Record, found: int) -> int:
    """Score what was found, or ask how much of it; returns the matches scored, -1 if asked."""
    most = found
    once = s.final == 1 and r.hand_scoring == ONCE
    if once and not (r.special[s.card] and r.all_neighbors):
        most = min(1, found)
    if r.optional and most > 0:
        s.most = most
        s.phase = P_SCORE
        return -1
    conclude(s, r, w, most)
    return most


@kernel
def conclude(s: Record, r: Record, w: Record, matches: int) -> None:
    """Pay out a card: printed points for each appearance or neighbor (R4.7)."""
    points = matches * r.value[s.card]
    s.points[s.seat] += points
    if s.final:
        w.hand_points[s.seat] += points
    else:
        w.pattern_points[s.seat] += points
        w.turn_matches = matches
        w.turn_points = points
        if points == 0:
            w.blank_plays[s.seat] += 1


@kernel
def do_play(s: Record, r: Record, w: Record, log: list[int], card: int, placement: int) -> None:
    """Play a card: pieces, end of the game, scoring, in this order (R4.1-R4.9)."""
    seat = s.seat
    before = num_pieces(s, seat)
    drop_card(s.hand[seat], card)
    if has_card(s.secret[seat], card):
        drop_card(s.secret[seat], card)
        s.unknown[seat] -= 1
    put_card(s.discard[seat], card)
    w.turn_card = card
    told = place(s, r, seat, card, placement)
    w.missing[seat] += before + 2 - num_pieces(s, seat)
    look_at_supply(s, r)
    found = start_scoring(s, r, w, card)
    log_action(s, w, log, PLAY, card, told, scored(s, r, found))
    go_on(s, r, w, log, found)


@kernel
def do_centre(s: Record, r: Record, w: Record, log: list[int], cell: int) -> None:
    """Name the center of a special card (R6.2a)."""
    found = offer(s, r, w, neighbors_of(s, r, s.seat, s.card, cell))
    log_action(s, w, log, CENTRE, 0, cell, scored(s, r, found))
    go_on(s, r, w, log, found)


@kernel
def do_score(s: Record, r: Record, w: Record, log: list[int], matches: int) -> None:
    """Say how often a card scores (A7)."""
    conclude(s, r, w, matches)
    log_action(s, w, log, SCORE, 0, 0, scored(s, r, matches))
    go_on(s, r, w, log, matches)


@kernel
def do_pass(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Nothing can be done (R2.3a)."""
    w.passes[s.seat] += 1
    log_action(s, w, log, PASS_TURN, 0, 0, 0)
    end_turn(s, r, w, log)


@kernel
def go_on(s: Record, r: Record, w: Record, log: list[int], found: int) -> None:
    """After an action that scores a card: a question is open, the turn ends, or the next card."""
    if found < 0:
        return
    if s.final:
        score_hands(s, r, w, log)
    else:
        end_turn(s, r, w, log)


@kernel
def end_turn(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """The turn is over; after the last one hand cards are scored (R7.1, R7.4)."""
    if not leave_turn(s, r, w):
        return
    if s.cause == TURN_LIMIT or r.hand_scoring == NO_SCORING:
        close_game(s, w, log)
        return
    s.final = 1
    s.asked = 0
    s.next_card = 0
    score_hands(s, r, w, log)


@kernel
def score_hands(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Score hand cards, seat by seat, until one asks a question; then the game is over (R7.4a)."""
    while s.asked < s.seats:
        card = card_from(s.hand[s.asked], s.next_card)
        if card == NONE:
            s.asked += 1
            s.next_card = 0
            continue
        s.seat = s.asked
        s.next_card = card + 1
        found = start_scoring(s, r, w, card)
        if w.logging:
            score = scored(s, r, found)
            log_event(w, log, pack(HAND_CARD, s.seat, card, 0, score, 0, s.turn))
        if found < 0:
            return
    close_game(s, w, log)


@kernel
def centre_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`centre`: one per tallest stack (R6.2a)."""
    return add(w, k, CENTRE << 16, tallest(s, s.seat, r.color[s.card][0]))


@kernel
def score_options(s: Record, w: Record, k: int) -> int:
    """`score`: from 0 to the number of appearances (A7)."""
    return add(w, k, SCORE << 16, (2 << s.most) - 1)


@kernel
def standing(s: Record, r: Record, seat: int, i: int) -> int:
    """What decides the order of the seats: points, covered spaces, full stacks (R7.5, R7.6)."""
    if i == 0:
        return s.points[seat]
    if i == 1:
        return popcount(s.least[seat][1])
    return popcount(s.least[seat][r.stack_limit])
