"""The actions worth a look: what players that look ahead consider of all that is legal.

Flags go to the spots that gain most, from the areas that promise least; trades and the synchrotron
bring what a card lacks for what it does not need; clear gems pay only for what is missing. What is
left out here is never played by a planner or a search.
"""

from __future__ import annotations

from reefsim.core.bits import lowest, popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add, close_options
from reefsim.games.charon_inc.building import (
    buildable,
    missing,
    trade_rate,
)
from reefsim.games.charon_inc.constants import (
    A1_MOVE,
    A1_PASS,
    A3,
    A4,
    A5,
    BUILD,
    BUILDINGS,
    CLEAR,
    END_BUILD,
    EXCHANGE,
    KEEP,
    NONE,
    NUM_AREAS,
    NUM_COLORS,
    NUM_ORDINARY,
    NUM_SPOT_WORDS,
    P_A1,
    P_BUILD,
    P_KEEP,
    P_PLACE,
    PLACE,
    SPOT_WORD,
    SYNCHROTRON,
    SYNCHROTRONS,
    TRADE,
    TRADES,
    WHOLE,
)
from reefsim.games.charon_inc.evaluate import works_for
from reefsim.games.charon_inc.gems import GEM_WORD, MAX_SIZE
from reefsim.games.charon_inc.legal import legal
from reefsim.games.charon_inc.log import total_held
from reefsim.games.charon_inc.mining import winner
from reefsim.games.charon_inc.reset import storage

SPOTS_WANTED, AREAS_WANTED, TARGETS_WANTED = 8, 2, 5
STRENGTHEN, DENY = 0.25, 0.5  # a flag where one leads, or where it makes a dead heat; a region is 1
SAFER = 0.03  # for the rank of the spot: what it wins is harder to take
BASE_WANT = 1.0
# Restrictions an agent may play under, in the order of the bits of `forbid`.
RESTRICTIONS = (
    ("row_build", "never builds a card of the common row (CH-5.6)"),
    ("engineering", "never leaves a flag on A3: it is the first one placed (CH-4.7)"),
    ("warehouse", "never leaves a flag on A5: it is the first one placed (CH-5.2, CH-6.2)"),
)
ROW_BUILD, ENGINEERING, WAREHOUSE = range(3)


@kernel
def propose(s: Record, r: Record, w: Record) -> None:
    """Write the legal actions worth a look into `w`; at least one, as far as any is legal."""
    if s.phase == P_PLACE:
        k = wanted_places(s, r, w)
    elif s.phase == P_BUILD:
        k = wanted_builds(s, r, w)
    elif s.phase == P_A1:
        k = wanted_moves(s, r, w)
    elif s.phase == P_KEEP:
        k = wanted_gems(s, r, w)
    else:
        legal(s, r, w)
        return
    close_options(w, k)


@kernel
def find_want(s: Record, r: Record, w: Record, seat: int) -> None:
    """Write into `w.want` how much a seat's cards and the row ask for each color."""
    for color in range(NUM_COLORS):
        w.want[color] = BASE_WANT
    cards = buildable(s, r, seat)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        for color in range(NUM_ORDINARY):
            lack = r.cost[card][color] - s.held[seat][color]
            if lack > 0:
                w.want[color] += 0.05 * r.number[card] * lack / r.price[card]


@kernel
def find_gains(s: Record, r: Record, w: Record, seat: int) -> None:
    """Write into `w.gain` what a flag of a seat gains on each free spot."""
    find_want(s, r, w, seat)
    for word in range(NUM_SPOT_WORDS):
        spots = r.usable[word] & ~s.taken[word]
        while spots != 0:
            spot = word * SPOT_WORD + lowest(spots)
            spots &= spots - 1
            w.gain[spot] = 0.0
            for i in range(r.num_touched[spot]):
                region = r.touched[spot][i]
                if s.gems[region] > 0:
                    value = s.gems[region] * w.want[s.gem_color[region]]
                    share = change(s, r, seat, region, r.force[spot])
                    w.gain[spot] += value * (share + SAFER * r.rank[spot])


@kernel
def change(s: Record, r: Record, seat: int, region: int, force: int) -> float:
    """What a flag of some force changes in a region for a seat: 1 if it wins it."""
    before = winner(s, r, region)
    if before == seat:
        return STRENGTHEN
    s.force[region][seat] += force
    after = winner(s, r, region)
    s.force[region][seat] -= force
    if after == seat:
        return 1.0 + (DENY if before != NONE else 0.0)
    return DENY if after != before else 0.0


@kernel
def pick_spots(s: Record, w: Record, allowed: list[int], wanted: int) -> None:
    """Write into `w.picked` the free ones of some spots that gain most, at most so many."""
    for word in range(NUM_SPOT_WORDS):
        w.picked[word] = 0
    for _ in range(wanted):
        best = NONE
        for word in range(NUM_SPOT_WORDS):
            rest = allowed[word] & ~s.taken[word] & ~w.picked[word]
            while rest != 0:
                spot = word * SPOT_WORD + lowest(rest)
                rest &= rest - 1
                if best == NONE or w.gain[spot] > w.gain[best]:
                    best = spot
        if best == NONE:
            return
        w.picked[best // SPOT_WORD] |= 1 << best % SPOT_WORD


@kernel
def wanted_places(s: Record, r: Record, w: Record) -> int:
    """`place`: from the areas that promise least, to the spots that gain most."""
    seat = s.seat
    find_gains(s, r, w, seat)
    pick_spots(s, w, r.usable, SPOTS_WANTED)
    areas = 0
    for _ in range(min(AREAS_WANTED, popcount(s.left[seat]))):
        worst = NONE
        least = 2.0
        for area in range(NUM_AREAS):
            if (s.left[seat] & ~areas) >> area & 1:
                chance = works_for(s, r, seat, area)
                if worst == NONE or chance < least:
                    worst, least = area, chance
        areas |= 1 << worst
    if s.step + 1 == r.placements:  # what is left now is the action of the round
        areas = s.left[seat]
    k = 0
    for area in range(NUM_AREAS):
        if (areas >> area) & 1:
            for word in range(NUM_SPOT_WORDS):
                k = add(w, k, (PLACE << 16 | area << 7) + word * SPOT_WORD, w.picked[word])
    return k


@kernel
def wanted_moves(s: Record, r: Record, w: Record) -> int:
    """`a1_move` of each own flag to the spots that gain most without it, and `a1_pass`."""
    find_gains(s, r, w, s.seat)
    pick_spots(s, w, r.a1_spots, TARGETS_WANTED)
    k = 0
    for own in range(NUM_SPOT_WORDS):
        spots = s.own_spots[s.seat][own]
        while spots != 0:
            base = A1_MOVE << 16 | (own * SPOT_WORD + lowest(spots)) << 7
            spots &= spots - 1
            for word in range(NUM_SPOT_WORDS):
                k = add(w, k, base + word * SPOT_WORD, w.picked[word])
    return add(w, k, A1_PASS << 16, 1)


@kernel
def wanted_builds(s: Record, r: Record, w: Record) -> int:
    """What a build turn may hold: trades and exchanges that serve a card, builds, the end."""
    seat = s.seat
    cards = buildable(s, r, seat)
    k = 0
    if s.step == WHOLE or s.step == TRADES:
        k = wanted_trades(s, r, w, k, cards)
    if (s.step == WHOLE or s.step == SYNCHROTRONS) and not s.exchanged:
        if (s.valid[seat] >> A4) & 1:
            k = wanted_synchrotrons(s, r, w, k, cards)
    if s.step == WHOLE or s.step == BUILDINGS:
        for source in range(2):
            rest = cards & (s.row if source else s.hand[seat])
            while rest != 0:
                card = lowest(rest)
                rest &= rest - 1
                if missing(s, r, seat, card) <= s.held[seat][CLEAR]:
                    base = BUILD << 16 | source << 15 | card << 9
                    k = add(w, k, base + cheapest(s, r, seat, card), 1)
    return add(w, k, END_BUILD << 16, 1)


@kernel
def cheapest(s: Record, r: Record, seat: int, card: int) -> int:
    """The payment of a card in which clear gems stand only for what is missing."""
    payment = 0
    factor = 1
    for c in range(NUM_ORDINARY):
        payment += factor * max(0, r.cost[card][c] - s.held[seat][c])
        factor *= r.most_clear[card][c] + 1
    return payment


@kernel
def wanted_trades(s: Record, r: Record, w: Record, k: int, cards: int) -> int:
    """`trade`: for each card one that gives gems it does not need for one it lacks."""
    seat = s.seat
    rate = trade_rate(s, r, seat)
    for color in range(NUM_ORDINARY):
        if s.supply[color] == 0:
            continue
        for word in range(r.first_word[rate], r.first_word[rate + 1]):
            w.members[k] = 0
            rest = cards
            while rest != 0:
                card = lowest(rest)
                rest &= rest - 1
                if r.cost[card][color] > s.held[seat][color]:
                    bits = surplus(s, r, w, seat, card, rate, word)
                    if bits >= 0:
                        w.members[k] |= 1 << bits
            base = (TRADE << 16 | color << 12) + word * GEM_WORD
            k = add(w, k, base, w.members[k])
    return k


@kernel
def surplus(s: Record, r: Record, w: Record, seat: int, card: int, rate: int, word: int) -> int:
    """Place in a word of the `rate` gems that a card needs least, NONE if it can spare fewer.

    They are taken one by one from the color of which most is to spare.
    """
    for c in range(NUM_ORDINARY):
        w.spare[c] = s.held[seat][c] - r.cost[card][c]
    for c in range(NUM_ORDINARY):
        w.want[c] = 0.0
    for _ in range(rate):
        best = 0
        for c in range(1, NUM_ORDINARY):
            if w.spare[c] > w.spare[best]:
                best = c
        if w.spare[best] <= 0.0:
            return NONE
        w.spare[best] -= 1.0
        w.want[best] += 1.0
    members = -1
    for c in range(NUM_COLORS):
        n = int(w.want[c]) if c < NUM_ORDINARY else 0
        members &= r.fits[c][n][word]
    return lowest(members) if members != 0 else NONE


@kernel
def wanted_synchrotrons(s: Record, r: Record, w: Record, k: int, cards: int) -> int:
    """`synchrotron`: as many gems as a card can spare of one color and lacks of another."""
    seat = s.seat
    for color in range(NUM_ORDINARY):
        for color2 in range(NUM_ORDINARY):
            sizes = 0
            rest = cards if color != color2 else 0
            while rest != 0:
                card = lowest(rest)
                rest &= rest - 1
                spare = s.held[seat][color] - r.cost[card][color]
                lack = r.cost[card][color2] - s.held[seat][color2]
                size = min(spare, min(lack, s.supply[color2]))
                if size > 0:
                    sizes |= 1 << size
            k = add(w, k, SYNCHROTRON << 16 | color << 9 | color2 << 6, sizes)
    return k


@kernel
def wanted_gems(s: Record, r: Record, w: Record) -> int:
    """`keep`: as many gems as there is room for."""
    held = total_held(s, s.seat)
    size = min(held, storage(s, r, s.seat))
    k = 0
    for word in range(r.first_word[size], r.first_word[size + 1]):
        members = -1
        for c in range(NUM_COLORS):
            members &= r.fits[c][min(s.held[s.seat][c], MAX_SIZE)][word]
        k = add(w, k, (KEEP << 16) + word * GEM_WORD, members)
    return k


@kernel
def forbid(s: Record, w: Record, mask: int) -> None:
    """Drop the actions that restrictions forbid; `mask` has a bit for each of `RESTRICTIONS`."""
    for i in range(w.num_options):
        kind = w.first[i] >> 16
        if kind == BUILD:
            if (mask >> ROW_BUILD) & 1 and (w.first[i] >> 15) & 1:
                w.members[i] = 0
        elif kind == PLACE:
            unwanted = (mask >> ENGINEERING & 1) << A3 | (mask >> WAREHOUSE & 1) << A5
            unwanted &= s.left[s.seat]
            if unwanted != 0 and (unwanted >> (w.first[i] >> 7 & 7)) & 1 == 0:
                w.members[i] = 0


@kernel
def is_chancy(s: Record, action: int) -> bool:
    """Whether chance decides what an action leads to (`core.driver.is_chancy`): an exchange."""
    return action >> 16 == EXCHANGE


PRIME = 0x2545F4914F6CDD1D  # xorshift64* (Vigna 2016)
BITS = 0x3FFFFFFFFFFFFFFF


@inlined
def mix(h: int, x: int) -> int:
    """Stir a number into a hash."""
    h = ((h ^ x) * PRIME) & BITS
    return h ^ (h >> 29)


@kernel
def fingerprint(s: Record) -> int:
    """Hash of what a turn can change."""
    h = s.turn << 32 | s.seat << 16 | s.phase << 8 | s.step
    h = mix(h, s.exchanged << 16 | s.row_built << 8 | s.over)
    h = mix(h, s.row)
    for seat in range(s.seats):
        h = mix(h, s.left[seat] << 5 | s.valid[seat])
        h = mix(h, s.hand[seat])
        h = mix(h, s.built[seat])
        h = mix(h, s.chosen[seat] + 1)
        for word in range(NUM_SPOT_WORDS):
            h = mix(h, s.own_spots[seat][word])
        gems = 0
        for color in range(NUM_COLORS):
            gems = gems << 7 | s.held[seat][color]
        h = mix(h, gems)
    return h
