"""What holds from one position to the next: gems of regions, and the new order."""

from __future__ import annotations

from reefsim.core import invariants
from reefsim.core.invariants import Broken
from reefsim.games.charon_inc.constants import (
    NUM_REGIONS,
    P_A1,
    P_A3,
    P_BUILD,
    P_PLACE,
    REGIONS,
    Kind,
)
from reefsim.games.charon_inc.invariants.positions import Position

_BEFORE_MINING = (P_PLACE, P_A1)


class Step(invariants.Step[Position]):
    """An action with the positions around it; its consequences up to the next decision included."""

    @property
    def kind(self) -> Kind:
        """Kind of the action."""
        return Kind(self.action >> 16)


def best_seats(p: Position, region: int) -> list[int]:
    """Seats that share the first place in a region (CH-4.2, CH-4.3), from the flags."""
    by_sum = max(p.r.force) - 256 == 3
    seats = [seat for seat in range(p.s.seats) if p.ranks(seat, region)]

    def strength(seat: int) -> tuple[object, ...]:
        ranks = p.ranks(seat, region)
        return len(ranks), sum(ranks) if by_sum else ranks

    while seats:
        top = max(strength(seat) for seat in seats)
        best = [seat for seat in seats if strength(seat) == top]
        if len(best) == 1 or not p.r.next_best:
            return best
        seats = [seat for seat in seats if seat not in best]
    return []


def gems_move_whole(x: Step) -> Broken:
    """Mining takes all gems of a region that one seat is best in, and no others (CH-4.5)."""
    before, after = x.before.s, x.after.s
    if before.phase not in _BEFORE_MINING or after.phase in _BEFORE_MINING:
        return
    for region in range(NUM_REGIONS):
        best = best_seats(x.after, region)
        expected = 0 if len(best) == 1 else before.gems[region]
        if after.gems[region] != expected:
            yield f"{REGIONS[region]} held {before.gems[region]} and holds {after.gems[region]}"
    mined = sum(before.gems) - sum(after.gems)
    gained = sum(x.after.totals()) - sum(x.before.totals())
    if after.phase in (P_A3, P_BUILD) and gained < mined:
        yield f"{mined} gems left the moon, the seats have {gained} more"


def new_order(x: Step) -> Broken:
    """Before building: by gems, equal ones in the order before (CH-4.8)."""
    before, after = x.before.s, x.after.s
    seats = list(before.order[: before.seats])
    if before.phase < P_BUILD and after.phase == P_BUILD:
        totals = x.after.totals()
        seats.sort(key=lambda seat: -totals[seat])
    if list(after.order[: after.seats]) != seats:
        yield f"the order is {after.order[: after.seats]}, {seats} is expected"
