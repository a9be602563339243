"""What holds in every position. Each check yields sentences about what is broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reefsim.core.invariants import Broken
from reefsim.core.kernel import Record
from reefsim.games.charon_inc.constants import (
    ALL_AREAS,
    ALL_CARDS,
    AREAS,
    COLORS,
    MAX_SPOTS,
    NUM_REGIONS,
    P_A1,
    P_EXCHANGE,
    P_KEEP,
    P_PLACE,
    REGIONS,
    SPOT_WORD,
)


@dataclass(frozen=True)
class Position:
    """A plain state with the rules record, which is read only."""

    s: Record
    r: Any

    def flags(self, seat: int) -> list[int]:
        """Spots with a flag of a seat."""
        return [
            spot
            for spot in range(MAX_SPOTS)
            if (self.s.own_spots[seat][spot // SPOT_WORD] >> spot % SPOT_WORD) & 1
        ]

    def ranks(self, seat: int, region: int) -> list[int]:
        """Ranks of a seat's flags that touch a region, best first."""
        found = [
            int(self.r.rank[spot])
            for spot in self.flags(seat)
            if region in [int(x) for x in self.r.touched[spot]]
        ]
        return sorted(found, reverse=True)

    def totals(self) -> list[int]:
        """Gems each seat holds."""
        return [sum(self.s.held[seat]) for seat in range(self.s.seats)]


def gems_conserved(p: Position) -> Broken:
    """Count the gems of each color (CH-1.4)."""
    s = p.s
    for color, name in enumerate(COLORS):
        moon = sum(s.gems[i] for i in range(NUM_REGIONS) if s.gem_color[i] == color)
        hands = sum(s.held[seat][color] for seat in range(s.seats))
        bag = s.bag[color] if color < len(s.bag) else 0
        total = moon + hands + bag + s.supply[color]
        there = int(p.r.clear_gems if name == "clear" else p.r.gems_per_color)
        if total != there or min(s.supply[color], bag, *(h[color] for h in s.held)) < 0:
            yield f"{total} {name} gems, there are {there}"
    for i in range(NUM_REGIONS):
        limit = int(p.r.slots[i]) if (int(p.r.in_play) >> i) & 1 else 0
        if not 0 <= s.gems[i] <= limit or (s.gems[i] > 0) != (s.gem_color[i] >= 0):
            yield f"{REGIONS[i]} holds {s.gems[i]} gems of color {s.gem_color[i]}"


def cards_conserved(p: Position) -> Broken:
    """Every card is in one place."""
    s = p.s
    places = [s.pile, s.row, *s.layers, *s.hand, *s.built]
    if sum(cards.bit_count() for cards in places) != ALL_CARDS.bit_count():
        yield f"{sum(cards.bit_count() for cards in places)} cards are somewhere"
    union = 0
    for cards in places:
        union |= cards
    if union != ALL_CARDS:
        yield f"cards {ALL_CARDS & ~union:b} are nowhere"
    if s.pile_size != s.pile.bit_count():
        yield f"the pile counts {s.pile_size} cards, {s.pile.bit_count()} are there"
    if 0 in s.layers[: s.num_layers] or any(s.layers[s.num_layers :]):
        yield f"{s.num_layers} layers of the discard pile: {s.layers}"


def flags(p: Position) -> Broken:
    """Five flags each: so many on the moon, the others on areas."""
    s = p.s
    if s.round_number == 0:
        return
    seen: set[int] = set()
    for place in range(s.seats):
        seat = s.order[place]
        spots = p.flags(seat)
        placed = int(p.r.placements)
        if s.phase == P_PLACE:
            placed = s.step + (place < s.at)
        # a player that looks ahead passes over placements of the others
        if len(spots) != placed or len(spots) + s.left[seat].bit_count() != ALL_AREAS.bit_count():
            yield f"seat {seat} has {len(spots)} flags on the moon and {s.left[seat]:b} on areas"
        if seen & set(spots):
            yield f"spots {seen & set(spots)} have two flags"
        seen |= set(spots)
        if any(not (int(p.r.usable[x // SPOT_WORD]) >> x % SPOT_WORD) & 1 for x in spots):
            yield f"a flag of seat {seat} is on a spot out of play"
    if seen != {x for x in range(MAX_SPOTS) if (s.taken[x // SPOT_WORD] >> x % SPOT_WORD) & 1}:
        yield "the spots taken are not those with flags"


def buildings(p: Position) -> Broken:
    """Numbers within what may be built (CH-5.5)."""
    s = p.s
    for seat in range(s.seats):
        for number in range(2, 13):
            n = (s.built[seat] & int(p.r.of_number[number])).bit_count()
            if n > p.r.max_same_number:
                yield f"seat {seat} has built number {number} {n} times"


def order(p: Position) -> Broken:
    """Every seat stands once on the track."""
    s = p.s
    if sorted(s.order[: s.seats]) != list(range(s.seats)):
        yield f"the order is {s.order[: s.seats]}"


def storage(p: Position) -> Broken:
    """No more gems than may be kept, from the reset on."""
    s, r = p.s, p.r
    starts = s.phase == P_PLACE and s.round_number > 1
    if starts or (s.round_number > 0 and (s.phase > P_KEEP or s.phase < P_PLACE) and not s.over):
        limit = max(int(r.storage_limit), int(r.warehouse_limit))
        if max(p.totals()) > limit:
            yield f"gems held are {p.totals()}, {limit} may be kept"


def row(p: Position) -> Broken:
    """No more cards in the row than seats; none in a reset before the choice."""
    s = p.s
    if s.row.bit_count() > s.seats or (s.row and (s.phase > P_KEEP and not s.over)):
        yield f"{s.row.bit_count()} cards are in the row"


def actions(p: Position) -> Broken:
    """Actions that work, from the flags left (CH-3.4)."""
    s = p.s
    if s.phase < P_A1:
        if s.phase == P_PLACE and any(s.valid):
            yield "an action works before all flags are placed"
        return
    for area, name in enumerate(AREAS):
        there = [seat for seat in range(s.seats) if (s.left[seat] >> area) & 1]
        works = [seat for seat in range(s.seats) if (s.valid[seat] >> area) & 1]
        if works != (there if len(there) <= p.r.cap else []):
            yield f"{name} has flags of seats {there} and works for {works}"


def knowledge(p: Position) -> Broken:
    """Who has seen what (CH-8.1)."""
    s = p.s
    shown = s.row
    for cards in s.built:
        shown |= cards
    for seat in range(s.seats):
        if (s.hand[seat] | shown) & ~s.seen[seat]:
            yield f"seat {seat} has not seen all of its hand, the row and the buildings"
        if s.seen[seat] & s.pile:
            yield f"seat {seat} has seen cards of the pile"
        if s.fresh[seat].bit_count() != s.num_fresh[seat] or s.fresh[seat] & ~s.hand[seat]:
            yield f"{s.num_fresh[seat]} cards of seat {seat} are new: {s.fresh[seat]:b}"
    if s.out & s.pile or shown & ~s.out:
        yield "cards known to have left the pile are in it, or the other way round"
    if any(s.hidden_hand) or any(s.hidden_layer):
        yield "cards of a position are hidden as in a view"
    if s.phase != P_EXCHANGE and s.exchanges:
        yield "exchanges are counted outside the reset"


def force(p: Position) -> Broken:
    """Compare sums by region with the flags."""
    s = p.s
    for seat in range(s.seats):
        sums = [0] * NUM_REGIONS
        for spot in p.flags(seat):
            for region in p.r.touched[spot][: int(p.r.num_touched[spot])]:
                sums[region] += int(p.r.force[spot])
        if sums != [s.force[region][seat] for region in range(NUM_REGIONS)]:
            yield f"the sums of seat {seat} are not those of its flags"
