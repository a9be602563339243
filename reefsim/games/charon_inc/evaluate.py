"""What a position promises each seat, in points: buildings, gems for others, claims, actions.

Gems a seat holds, and those of regions it is about to win, pay for the cards in its hand and in
the row: the best card first, then the next best with what is left. A card that cannot be paid yet
counts by the share of its cost that is covered. What a seat may still earn in later rounds enters
through the cards it holds and the gems it may keep.
"""

from __future__ import annotations

from typing import Any

from reefsim.core.bits import lowest, popcount
from reefsim.core.kernel import Record, kernel
from reefsim.games.charon_inc.building import trade_rate
from reefsim.games.charon_inc.cards import barred_cards
from reefsim.games.charon_inc.constants import (
    A2,
    A3,
    A4,
    BUILDINGS,
    CLEAR,
    NONE,
    NUM_AREAS,
    NUM_COLORS,
    NUM_ORDINARY,
    NUM_REGIONS,
    P_A1,
    P_A3,
    P_BUILD,
    P_PLACE,
    WHOLE,
)
from reefsim.games.charon_inc.log import points
from reefsim.games.charon_inc.mining import winner
from reefsim.games.charon_inc.reset import storage

RIVALS, SPREAD, READY, PART, TRADED, ROW_SHARE, CARD, SPARE, LATER, INCOME = range(10)
RISK, CHASE, HEAT, FIRST = range(10, 14)
ACTIONS = 14  # the first of five
WEIGHTS = (
    ("rivals", 0.4, "the others' worth against one's own"),
    ("spread", 8.0, "points that multiply the chances of a win by e"),
    ("ready", 0.95, "points of a card that can be paid, against a built one"),
    (
        "part",
        0.7,
        "the same of a card that cannot be paid yet, times the square of what is covered",
    ),
    ("traded", 0.8, "gems that trades would bring, against gems held"),
    ("row_share", 0.6, "a card of the row, which others may take, against one in hand"),
    ("card", 0.12, "a hand card that is not built in this round, for each point"),
    ("spare", 0.15, "points for a gem that pays for nothing"),
    ("later", 0.5, "what the next round promises, against this one"),
    ("income", 1.6, "gems of each color a round is expected to bring"),
    ("risk", 0.5, "chance to lose a region one leads in, with all flags still to come"),
    ("chase", 0.15, "chance to win a region in which one is behind, with flags still to come"),
    ("heat", 0.3, "chance to win a region whose first place is shared, with flags still to come"),
    ("first", 0.4, "points for each place in the order ahead of the last"),
    ("a1", 1.5, "points of A1 to a seat that will have it, before it is used"),
    ("a2", 1.6, "the same of A2"),
    ("a3", 2.5, "the same of A3"),
    ("a4", 1.6, "the same of A4"),
    ("a5", 1.6, "the same of A5"),
)
PICKS = 3  # cards of a round that are looked at


@kernel
def evaluate(s: Record, r: Record, w: Record, weights: Any) -> bool:
    """Write the points the position promises each seat into `w.worth`; see the module.

    Returns whether these are the final scores: every seat has built in the last round.
    """
    if s.phase <= P_A1 and s.phase >= P_PLACE:
        expect_gems(s, r, w, weights)
    else:
        for seat in range(s.seats):
            for color in range(NUM_COLORS):
                w.means[seat][color] = s.held[seat][color]
    settled = True
    for place in range(s.seats):
        seat = s.order[place]
        w.worth[seat] = points(s, r, seat)
        if has_built(s, place):
            if s.round_number < r.rounds:
                settled = False
                w.worth[seat] += next_round(s, r, w, weights, seat)
        else:
            settled = False
            w.worth[seat] += this_round(s, r, w, weights, seat)
        if s.round_number < r.rounds:
            w.worth[seat] += weights[FIRST] * (s.seats - 1 - place)
    return settled


@kernel
def has_built(s: Record, place: int) -> bool:
    """Whether the seat at a place of the order has had its build turn of the round."""
    if s.phase == P_BUILD:
        return (s.step == WHOLE or s.step == BUILDINGS) and place < s.at
    return s.phase > P_BUILD or s.round_number == 0


@kernel
def flags_to_come(s: Record, r: Record, seat: int) -> int:
    """Flags a seat still places in this round."""
    if s.phase != P_PLACE:
        return 0
    return max(0, popcount(s.left[seat]) - (NUM_AREAS - r.placements))


@kernel
def expect_gems(s: Record, r: Record, w: Record, weights: Any) -> None:
    """Write into `w.means` the gems held and those that flags on the moon promise."""
    coming = 0
    for seat in range(s.seats):
        coming += flags_to_come(s, r, seat)
        for color in range(NUM_COLORS):
            w.means[seat][color] = s.held[seat][color]
        if s.phase == P_A1 and (s.valid[seat] >> A2) & 1:
            w.means[seat][CLEAR] += r.a2_clear_gems
    share = coming / (s.seats * r.placements)
    for region in range(NUM_REGIONS):
        n = s.gems[region]
        if n == 0:
            continue
        color = s.gem_color[region]
        best = winner(s, r, region)
        most = 0
        for seat in range(s.seats):
            most = max(most, s.force[region][seat])
        for seat in range(s.seats):
            force = s.force[region][seat]
            if seat == best:
                w.means[seat][color] += n * (1.0 - weights[RISK] * share)
            elif force > 0 and flags_to_come(s, r, seat) > 0:
                hope = weights[HEAT] if best == NONE and force == most else weights[CHASE]
                w.means[seat][color] += n * hope


@kernel
def open_cards(s: Record, r: Record, seat: int) -> int:
    """Cards of a seat's hand that it may build."""
    return s.hand[seat] & ~barred_cards(s, r, seat)


@kernel
def this_round(s: Record, r: Record, w: Record, weights: Any, seat: int) -> float:
    """Points a seat may count on before its build turn of the round is over."""
    row = s.row & ~barred_cards(s, r, seat)
    row_builds = r.row_builds_per_round
    share = weights[ROW_SHARE]
    if s.phase == P_BUILD and s.order[s.at] == seat:
        row_builds -= s.row_built
        share = 1.0
    for color in range(NUM_COLORS):
        w.spare[color] = w.means[seat][color]
    hand = open_cards(s, r, seat)
    rate = trade_rate(s, r, seat)
    worth = best_cards(r, w, weights, hand, row, row_builds, share, rate)
    if s.round_number < r.rounds:
        worth += weights[CARD] * card_points(r, hand)
        worth += weights[LATER] * weights[SPARE] * storage(s, r, seat)
    for color in range(NUM_COLORS):
        worth += weights[SPARE] * w.spare[color]
    return worth + action_worth(s, r, weights, seat)


@kernel
def next_round(s: Record, r: Record, w: Record, weights: Any, seat: int) -> float:
    """Points the next round promises a seat, for what it keeps and holds."""
    total = 0.0
    for color in range(NUM_COLORS):
        total += s.held[seat][color]
    kept = min(1.0, storage(s, r, seat) / total) if total > 0 else 0.0
    for color in range(NUM_COLORS):
        w.spare[color] = kept * s.held[seat][color]
        if color != CLEAR:
            w.spare[color] += weights[INCOME]
    hand = open_cards(s, r, seat)
    worth = best_cards(r, w, weights, hand, 0, 0, 1.0, r.trade_rate)
    for color in range(NUM_COLORS):
        worth += weights[SPARE] * w.spare[color]
    return weights[LATER] * worth + weights[CARD] * card_points(r, hand)


@kernel
def card_points(r: Record, cards: int) -> int:
    """Sum of the numbers of some cards, one of each number."""
    total = 0
    for number in range(2, 13):
        if cards & r.of_number[number] != 0:
            total += number
    return total


@kernel
def best_cards(
    r: Record,
    w: Record,
    weights: Any,
    hand: int,
    row: int,
    row_builds: int,
    row_share: float,
    rate: int,
) -> float:
    """Points of the cards that `w.spare` pays best, one after the other; they are taken from it."""
    worth = 0.0
    for _ in range(PICKS):
        cards = hand | row if row_builds > 0 else hand
        best = NONE
        most = 0.0
        total = 0.0
        for color in range(NUM_COLORS):
            total += w.spare[color]
        rest = cards
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            value = promise(r, w, weights, card, total, rate)
            if (row >> card) & 1:
                value *= row_share
            if value > most:
                best, most = card, value
        if best == NONE:
            return worth
        worth += most
        if (row >> best) & 1:
            row_builds -= 1
        hand &= ~r.alike[best]
        row &= ~r.alike[best]
        spend(r, w, best, total, rate)
    return worth


@kernel
def covered(r: Record, w: Record, card: int) -> float:
    """Gems of a card's cost that `w.spare` holds, clear ones aside."""
    found = 0.0
    for color in range(NUM_ORDINARY):
        found += min(r.cost[card][color] * 1.0, w.spare[color])
    return found


@kernel
def promise(r: Record, w: Record, weights: Any, card: int, total: float, rate: int) -> float:
    """Points of a card for the gems in `w.spare`, `total` of them."""
    size = r.price[card]
    found = covered(r, w, card)
    surplus = total - w.spare[CLEAR] - found
    found += w.spare[CLEAR]
    if found >= size:
        return weights[READY] * r.number[card]
    found = min(size * 1.0, found + weights[TRADED] * surplus / rate)
    part = found / size
    return weights[PART] * r.number[card] * part * part


@kernel
def spend(r: Record, w: Record, card: int, total: float, rate: int) -> None:
    """Take a card's cost from `w.spare`, with clear gems and trades where gems are missing."""
    lacking = 0.0
    for color in range(NUM_ORDINARY):
        used = min(r.cost[card][color] * 1.0, w.spare[color])
        w.spare[color] -= used
        lacking += r.cost[card][color] - used
        total -= used
    used = min(lacking, w.spare[CLEAR])
    w.spare[CLEAR] -= used
    lacking -= used
    total -= used + w.spare[CLEAR]
    if lacking > 0.0 and total > 0.0:
        left = max(0.0, 1.0 - lacking * rate / total)
        for color in range(NUM_ORDINARY):
            w.spare[color] *= left


@kernel
def action_worth(s: Record, r: Record, weights: Any, seat: int) -> float:
    """Points of the actions a seat has or may get in this round."""
    if s.phase == P_PLACE:
        best = 0.0
        for area in range(NUM_AREAS):
            if (s.left[seat] >> area) & 1:
                best = max(best, weights[ACTIONS + area] * works_for(s, r, seat, area))
        return best
    worth = 0.0
    for area in range(NUM_AREAS):
        if (s.valid[seat] >> area) & 1 and not is_used(s, seat, area):
            worth += weights[ACTIONS + area]
    return worth


@kernel
def is_used(s: Record, seat: int, area: int) -> bool:
    """Whether an action that works has been used, or counts otherwise by now."""
    if s.phase == P_A1:
        if area == A2:
            return True  # among the gems expected
        return area < A2 and place_of(s, seat) > s.at
    if s.phase == P_A3:
        return area < A3 or (area == A3 and place_of(s, seat) < s.at)
    return area <= A3 or (area == A4 and s.exchanged == 1 and s.seat == seat)


@kernel
def place_of(s: Record, seat: int) -> int:
    """Place of a seat in the order, from 0 on."""
    place = 0
    while s.order[place] != seat:
        place += 1
    return place


@kernel
def works_for(s: Record, r: Record, seat: int, area: int) -> float:
    """Chance that an action works for a seat that leaves its flag there.

    Every other seat is taken to leave its last flags on any of the areas it has one on.
    """
    none = 1.0  # chance that no other seat stays there, or just one
    one = 0.0
    stays = NUM_AREAS - r.placements
    for other in range(s.seats):
        if other != seat and (s.left[other] >> area) & 1:
            chance = min(1.0, stays / popcount(s.left[other]))
            one = one * (1.0 - chance) + none * chance
            none *= 1.0 - chance
    if r.cap == 1:
        return none
    return none + one if r.cap == 2 else 1.0
