"""The actions worth a look: what players that look ahead consider of all that is legal.

Of the placements of a card those are left whose cells, one by one, help the hand most. What is left
out here is never played by a planner or a search.
"""

from __future__ import annotations

from reefsim.core.bits import lowest, popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add, close_options
from reefsim.games.reef.cards import card_from, num_cards, take_options
from reefsim.games.reef.constants import (
    MAX_LEVEL,
    NUM_CELLS,
    NUM_COLORS,
    NUM_PAIR_WORDS,
    NUM_PAIRS,
    NUM_WORDS,
    P_TURN,
    PAIR_WORD,
    PLAY,
    TAKE_DECK,
    TAKE_DISPLAY,
)
from reefsim.games.reef.evaluate import nearly
from reefsim.games.reef.legal import legal
from reefsim.games.reef.patterns import matches
from reefsim.games.reef.pieces import find_pairs, open_cells, placed_pieces, play_options, pop, push

WANTED = 4  # cells looked at for each piece
CLOSE = 0.4  # an appearance that lacks one piece, against a whole one
FRESH = 0.05  # points for a piece on an empty cell, so that equals are decided
STACK, DOUBLE, HOARD = range(3)
# Restrictions an agent may play under, in the order of the bits of `forbid`.
RESTRICTIONS = (
    ("stack", "never puts a piece on another (R4.3)"),
    ("double", "never puts both pieces of a card on one space (R4.4)"),
    ("hoard", "takes no card while it holds three or more (R3.1)"),
)
MANY = 3  # cards in hand that are many


@kernel
def propose(s: Record, r: Record, w: Record) -> None:
    """Write the legal actions worth a look into `w`; at least one, as far as any is legal."""
    if s.phase != P_TURN:
        legal(s, r, w)
        return
    k = take_options(s, r, w, 0)
    if num_cards(s.hand[s.seat]) > 0:
        find_pairs(s, r, w, s.seat)
        find_gains(s, r, w, s.seat)
        card = card_from(s.hand[s.seat], 0)
        while card >= 0:
            k = wanted_plays(s, r, w, k, card)
            card = card_from(s.hand[s.seat], card + 1)
    if k == 0:
        legal(s, r, w)
        return
    close_options(w, k)


@kernel
def hand_promise(s: Record, r: Record, w: Record, seat: int) -> float:
    """Points that all hand cards would score now, and nearly."""
    total = 0.0
    card = card_from(s.hand[seat], 0)
    while card >= 0:
        total += r.value[card] * (matches(s, r, w, seat, card) + CLOSE * nearly(s, r, seat, card))
        card = card_from(s.hand[seat], card + 1)
    return total


@kernel
def find_gains(s: Record, r: Record, w: Record, seat: int) -> None:
    """Write into `w.gain` what a piece of each color that the hand gives adds on each cell."""
    colors = 0
    card = card_from(s.hand[seat], 0)
    while card >= 0:
        colors |= 1 << r.corals[card][0] | 1 << r.corals[card][1]
        card = card_from(s.hand[seat], card + 1)
    before = hand_promise(s, r, w, seat)
    cells = open_cells(s, r, seat)
    for color in range(NUM_COLORS):
        if (colors >> color) & 1 == 0:
            continue
        rest = cells
        while rest != 0:
            cell = lowest(rest)
            rest &= rest - 1
            fresh = FRESH if s.height[seat][cell] == 0 else 0.0
            push(s, seat, cell, color)
            w.gain[color][cell] = hand_promise(s, r, w, seat) - before + fresh
            pop(s, seat, cell)


@kernel
def best_cells(s: Record, r: Record, w: Record, color: int) -> int:
    """The cells on which a piece of a color helps most."""
    cells = open_cells(s, r, s.seat)
    chosen = 0
    for _ in range(min(WANTED, popcount(cells))):
        best = -1
        rest = cells & ~chosen
        while rest != 0:
            cell = lowest(rest)
            rest &= rest - 1
            if best < 0 or w.gain[color][cell] > w.gain[color][best]:
                best = cell
        chosen |= 1 << best
    return chosen


@inlined
def pair_of(low: int, high: int) -> int:
    """Number of a pair of cells, low <= high (`constants.PAIRS`)."""
    return low * NUM_CELLS - low * (low - 1) // 2 + high - low


@kernel
def wanted_plays(s: Record, r: Record, w: Record, k: int, card: int) -> int:
    """`play` of a card on the best cells of its pieces."""
    if placed_pieces(s, r, s.seat, card) != 3:
        return play_options(s, r, w, k, card)
    first = r.corals[card][0]
    second = r.corals[card][1]
    firsts = best_cells(s, r, w, first)
    seconds = best_cells(s, r, w, second)
    before = k
    for order in range(1 if first == second else 2):
        lows = firsts if order == 0 else seconds
        highs = seconds if order == 0 else firsts
        for word in range(NUM_PAIR_WORDS):
            members = 0
            rest = lows
            while rest != 0:
                low = lowest(rest)
                rest &= rest - 1
                others = highs >> low << low
                while others != 0:
                    pair = pair_of(low, lowest(others)) - word * PAIR_WORD
                    others &= others - 1
                    if 0 <= pair < PAIR_WORD:
                        members |= 1 << pair
            start = PLAY << 16 | card << 9
            start += order * NUM_PAIRS + word * PAIR_WORD
            k = add(w, k, start, members & w.pairs[word])
    return k if k > before else play_options(s, r, w, k, card)


@kernel
def forbid(s: Record, w: Record, mask: int) -> None:
    """Drop the actions that restrictions forbid; `mask` has a bit for each of `RESTRICTIONS`."""
    for i in range(w.num_options):
        kind = w.first[i] >> 16
        if TAKE_DISPLAY <= kind <= TAKE_DECK:
            if (mask >> HOARD) & 1 and num_cards(s.hand[s.seat]) >= MANY:
                w.members[i] = 0
        elif kind == PLAY:
            kept = 0
            rest = w.members[i]
            while rest != 0:
                member = lowest(rest)
                rest &= rest - 1
                if not is_forbidden(s, mask, (w.first[i] + member) & 511):
                    kept |= 1 << member
            w.members[i] = kept


@kernel
def is_forbidden(s: Record, mask: int, placement: int) -> bool:
    """Whether a restriction forbids a placement of two pieces, or of one."""
    covered = s.least[s.seat][1]
    if placement >= 2 * NUM_PAIRS:
        one = placement - 2 * NUM_PAIRS
        if one >= 2 * NUM_CELLS:
            return False
        return (mask >> STACK) & 1 == 1 and (covered >> one % NUM_CELLS) & 1 == 1
    rest = placement % NUM_PAIRS
    low = 0
    while rest >= NUM_CELLS - low:
        rest -= NUM_CELLS - low
        low += 1
    high = low + rest
    if low == high and mask & (1 << STACK | 1 << DOUBLE) != 0:
        return True
    return (mask >> STACK) & 1 == 1 and covered & (1 << low | 1 << high) != 0


PRIME = 0x2545F4914F6CDD1D  # xorshift64* (Vigna 2016)
BITS = 0x3FFFFFFFFFFFFFFF


@inlined
def mix(h: int, x: int) -> int:
    """Stir a number into a hash."""
    h = ((h ^ x) * PRIME) & BITS
    return h ^ (h >> 29)


@kernel
def fingerprint(s: Record) -> int:
    """Hash of what a turn can change; of a stack only top and height matter."""
    h = s.turn << 32 | s.seat << 16 | s.phase << 8 | s.piece
    h = mix(h, s.cause << 8 | s.card + 1)
    for seat in range(s.seats):
        for c in range(NUM_COLORS):
            h = mix(h, s.tops[seat][c])
        for level in range(MAX_LEVEL):
            h = mix(h, s.least[seat][level + 1])
        for word in range(NUM_WORDS):
            h = mix(h, s.hand[seat][word])
        h = mix(h, s.points[seat])
    for slot in range(len(s.display)):
        h = mix(h, s.tokens[slot] << 16 | s.display[slot] + 1)
    return h
