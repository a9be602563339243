"""What a position promises each seat, in points: the evaluation behind every built-in player.

The stock, and what the hand may still score: cards in the order of what they would score now, the
k-th one as far as the game is likely to last for k more turns, else what it scores in hand.
`WEIGHTS` names the terms; the values there were set by hand and are where training starts.
"""

from __future__ import annotations

from typing import Any

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, kernel
from reefsim.games.reef.cards import card_from
from reefsim.games.reef.constants import ALL_CELLS, NUM_COLORS
from reefsim.games.reef.patterns import cells_for, matches, tallest
from reefsim.games.reef.state import FULL, NO_SCORING

# (name, value set by hand, meaning). The toolkit reads the first two, in every game.
WEIGHTS = (
    ("rivals", 0.5, "weight of the other seats' worth against one's own"),
    ("spread", 20.0, "points of worth that multiply the chances of a win by e"),
    ("match", 0.75, "a point that the best hand card would score now"),
    ("later", 0.75, "the same of each next card, times the one before"),
    ("near", 0.35, "an appearance that lacks one piece, against a whole one"),
    ("card", 0.6, "points for a hand card there is time to play"),
    ("pair", 0.2, "points of a hand card's corals that another hand card names"),
    ("in_hand", 0.8, "a point that a hand card scores at the end, if it is not played"),
    ("covered", 0.1, "points for a covered space"),
    ("pace", 0.3, "pieces of the scarcest color that a turn uses up, to tell how long it lasts"),
)
RIVALS, SPREAD, MATCH, LATER, NEAR, CARD, PAIR, IN_HAND, COVERED, PACE = range(len(WEIGHTS))

LONG = 8.0  # own turns beyond which the end does not matter


@kernel
def nearly(s: Record, r: Record, seat: int, card: int) -> int:
    """1 if one more piece might make the pattern of a card appear once more, else 0."""
    if r.special[card]:
        return 1 if tallest(s, seat, r.color[card][0]) != 0 else 0
    size = r.num_cells[card]
    if size == 1:
        return 1
    room = ALL_CELLS & ~s.least[seat][r.stack_limit]
    for turned in range(r.num_turned[card]):
        whole = r.fits[card][turned]
        lacking = 0  # boxes that lack one piece so far, on a cell with room
        for k in range(size):
            cells = cells_for(s, r, seat, card, k)
            shift = r.shift[card][turned][k]
            lacking = lacking & cells >> shift | whole & (room & ~cells) >> shift
            whole &= cells >> shift
        if lacking != 0:
            return 1
    return 0


@kernel
def turns_left(s: Record, r: Record, weights: Any, seat: int) -> float:
    """Own turns a seat is likely to have before the game ends."""
    if s.cause > 0:
        return 1.0 if seat >= s.seat else 0.0
    lower = 0  # the supply whose end ends the game: as many are smaller
    for c in range(NUM_COLORS):
        smaller = 0
        for d in range(NUM_COLORS):
            if s.supply[d] < s.supply[c] or (s.supply[d] == s.supply[c] and d < c):
                smaller += 1
        if smaller == r.empty_colors_to_end - 1:
            lower = s.supply[c]
    by_coral = lower / (s.seats * max(weights[PACE], 0.01))
    by_deck = 2.0 * s.deck / s.seats
    return min(min(by_coral, by_deck), LONG)


@kernel
def feeds_hand(s: Record, r: Record, seat: int, card: int) -> int:
    """How many corals of a hand card another hand card's pattern names."""
    found = 0
    other = card_from(s.hand[seat], 0)
    while other >= 0:
        if other != card:
            for i in range(2):
                for k in range(2 if r.special[other] else r.num_cells[other]):
                    if r.color[other][k] == r.corals[card][i]:
                        found += 1
                        break
        other = card_from(s.hand[seat], other + 1)
    return found


@kernel
def hand_worth(s: Record, r: Record, w: Record, weights: Any, seat: int) -> float:
    """Points the cards in a seat's hand promise."""
    left = turns_left(s, r, weights, seat)
    n = 0
    kept = 0.0  # what the cards score if the game ends before they are played
    worth = 0.0
    card = card_from(s.hand[seat], 0)
    while card >= 0:
        found = matches(s, r, w, seat, card)
        value = r.value[card] * (found + weights[NEAR] * nearly(s, r, seat, card))
        held = 0.0
        if r.hand_scoring != NO_SCORING:
            full = r.hand_scoring == FULL or (r.special[card] and r.all_neighbors)
            held = weights[IN_HAND] * r.value[card] * (found if full else min(1, found))
        kept += held
        if left > 1.0:
            worth += weights[PAIR] * feeds_hand(s, r, seat, card)
        # In order of what playing them adds to that, the best first.
        gain = value * weights[MATCH] + weights[CARD] - held
        i = n
        while i > 0 and w.offer[i - 1] < gain:
            w.offer[i] = w.offer[i - 1]
            i -= 1
        w.offer[i] = gain
        n += 1
        card = card_from(s.hand[seat], card + 1)
    share = 1.0
    for k in range(n):
        time = min(1.0, max(0.0, left - k))
        worth += max(0.0, w.offer[k]) * share * time
        share *= weights[LATER]
    return worth + kept


@kernel
def evaluate(s: Record, r: Record, w: Record, weights: Any) -> bool:
    """Write the points the position promises each seat into `w.worth`; see the module.

    Returns whether these are the final scores: only hand cards are left to be scored.
    """
    for seat in range(s.seats):
        w.worth[seat] = s.points[seat]
        if s.final:
            w.worth[seat] += rest_of_hand(s, r, w, seat)
        else:
            w.worth[seat] += hand_worth(s, r, w, weights, seat)
            w.worth[seat] += weights[COVERED] * popcount(s.least[seat][1])
    if s.card >= 0 and not s.over:
        w.worth[s.seat] += open_score(s, r, w)
    return s.final == 1


@kernel
def open_score(s: Record, r: Record, w: Record) -> float:
    """Points of the card whose scoring is being asked about."""
    found = matches(s, r, w, s.seat, s.card)
    if s.final and r.hand_scoring != FULL and not (r.special[s.card] and r.all_neighbors):
        found = min(1, found)
    return r.value[s.card] * found


@kernel
def rest_of_hand(s: Record, r: Record, w: Record, seat: int) -> float:
    """Points of the hand cards that are still to be scored at the end (R7.4)."""
    total = 0.0
    if seat < s.asked:
        return total
    card = card_from(s.hand[seat], s.next_card if seat == s.asked else 0)
    while card >= 0:
        found = matches(s, r, w, seat, card)
        if r.hand_scoring != FULL and not (r.special[card] and r.all_neighbors):
            found = min(1, found)
        total += r.value[card] * found
        card = card_from(s.hand[seat], card + 1)
    return total
