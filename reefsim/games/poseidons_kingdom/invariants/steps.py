"""What holds from one position to the next. Each check yields what is broken."""

from __future__ import annotations

from functools import cached_property

from reefsim.core import invariants
from reefsim.core.invariants import Broken
from reefsim.core.work import kind_of
from reefsim.games.poseidons_kingdom.constants import (
    BUILD,
    BY_EATING,
    EAT,
    END_MEAL,
    FLEE,
    KRAKEN,
    MOVE,
    NO_PEEK,
    NO_REWARD,
    NUM_TENTACLES,
    PEEK,
    PLACE,
    PUT,
    REWARD,
    SKELETON,
    TAKE,
    USE,
)
from reefsim.games.poseidons_kingdom.invariants.from_scratch import Hex, Position


class Step(invariants.Step[Position]):
    """An action with the positions around it."""

    @property
    def kind(self) -> int:
        """Kind of the action."""
        return kind_of(self.action)

    @property
    def has_crash(self) -> bool:
        """Whether the tower tipped because of the action, the first fall left out."""
        return bool(self.after.s.falls > self.before.s.falls and self.before.s.turn > 0)

    @cached_property
    def freed(self) -> list[int]:
        """Friends that each seat lost from the tentacles."""
        pairs = zip(self.before.s.friends, self.after.s.friends, strict=True)
        return [one.bit_count() - other.bit_count() for one, other in pairs]


def stacks_shrink(x: Step) -> Broken:
    """Friends leave one at a time, and never come back; stacks lose tiles from the top."""
    one, other = x.before.s, x.after.s
    if sum(x.freed) > 1 or min(x.freed) < 0:
        yield f"friends left: {x.freed}"
    if sum(x.freed) and x.kind not in (TAKE, USE, END_MEAL, KRAKEN, REWARD):
        yield f"a friend was freed by an action of kind {x.kind}"
    for tentacle in range(NUM_TENTACLES):
        if not 0 <= other.safe_taken[tentacle] - one.safe_taken[tentacle] <= 1:
            yield f"stack {tentacle + 1} went from {one.safe_taken} to {other.safe_taken} taken"
    for seat, freed in enumerate(x.freed):
        if other.safe_points[seat] != one.safe_points[seat] and not freed:
            yield f"seat {seat} got safe places without freeing a friend"


def reefs_grow(x: Step) -> Broken:
    """Only `place` changes a reef: one tile on two hexes of equal level of two tiles, or flat."""
    for seat in range(x.before.s.seats):
        old = {h.name: h for h in x.before.reefs[seat]}
        new = {h.name: h for h in x.after.reefs[seat]}
        changed = [h for name, h in new.items() if _face(old.get(name)) != _face(h)]
        if set(old) - set(new):
            yield f"hexes of seat {seat} are gone"
        if x.kind != PLACE or seat != x.before.s.seat:
            if changed:
                yield f"the reef of seat {seat} changed without a tile being placed"
            continue
        under = [old.get(h.name) for h in changed]
        if len(changed) != 2 or len({h.tile for h in changed}) != 1:
            yield f"{len(changed)} hexes of seat {seat} changed"
        elif None not in under:
            levels = {h.level for h in under if h}
            if len(levels) != 1 or len({h.tile for h in under if h}) != 2:
                yield f"the tile of seat {seat} does not lie on two tiles of one level"
            if any(h and (h.die or h.is_dead) for h in under):
                yield "a die or a skeleton was built over"
            if {h.level for h in changed} != {level + 1 for level in levels}:
                yield f"the tile of seat {seat} has levels {[h.level for h in changed]}"
        elif any(under) or {h.level for h in changed} != {1}:
            yield f"the tile of seat {seat} hangs over the edge of the reef"


def _face(h: Hex | None) -> object:
    return h and (h.symbols, h.level, h.tile)


def power_never_falls_by_building(x: Step) -> Broken:
    """A tile that covers no symbol lowers no power."""
    seat = x.before.s.seat
    if x.kind == PLACE:
        flat = len(x.after.reefs[seat]) > len(x.before.reefs[seat])
        pairs = zip(x.before.powers(seat), x.after.powers(seat), strict=True)
        if flat and any(new < old for old, new in pairs):
            yield f"a flat tile lowered a power of seat {seat}"


def shark_turns(x: Step) -> Broken:
    """The shark's direction changes in crashes, each time, and then only; creatures stay two."""
    turned = x.before.s.direction != x.after.s.direction
    if turned != x.has_crash:
        yield f"the shark turned: {turned}, the tower tipped: {x.has_crash}"
    for seat in range(x.before.s.seats):
        moved = sorted(x.before.s.creature[seat]) != sorted(x.after.s.creature[seat])
        if moved and not (seat == x.before.s.seat and x.kind in (MOVE, FLEE)):
            yield f"a creature of seat {seat} moved by an action of kind {x.kind}"


def crash_empties_tower(x: Step) -> Broken:
    """Right after a crash at most half of the dice are on the tower; there was none before it."""
    s, r = x.after.s, x.after.r
    if x.has_crash and 2 * sum(s.tower) > r.capacity:
        yield f"{sum(s.tower)} dice are on the tower right after it tipped"
    if s.turn > x.before.s.turn and x.before.s.turn > 0 and not x.has_crash:
        rewarded = x.kind in (REWARD, NO_REWARD, PEEK, NO_PEEK)
        if sum(s.tower) >= r.capacity and not rewarded:
            yield "a turn ended with a full tower"


def ring_moves(x: Step) -> Broken:
    """Only the creature named moves, clockwise and at most to the shallows."""
    one, other = x.before.s, x.after.s
    if one.turn == 0:
        return
    moved = [seat for seat in range(one.seats) if one.ring[seat] != other.ring[seat]]
    if moved and x.kind not in (KRAKEN, REWARD):
        yield f"ring creatures of {moved} moved by an action of kind {x.kind}"
    for seat in moved:
        if 0 < other.ring[seat] < one.ring[seat]:
            yield f"the ring creature of seat {seat} passed the shallows"
        if x.kind == REWARD and seat != one.seat:
            yield f"a reward of seat {one.seat} moved the ring creature of seat {seat}"


def feeds_in_one_zone(x: Step) -> Broken:
    """Dice leave the zone of the creature, one at a time, within eat power."""
    one, other = x.before.s, x.after.s
    if x.has_crash or one.turn == 0:
        return
    for zone, (old, new) in enumerate(zip(one.zone, other.zone, strict=True)):
        gone = sum(old) - sum(new)
        if gone and (x.kind not in (PUT, TAKE) or zone != x.before.r.zone_of[one.node] or gone > 1):
            yield f"{gone} dice left zone {zone}"
    if x.kind in (PUT, TAKE) and one.picked >= x.before.power(one.seat, "eat"):
        yield f"{one.picked + 1} dice were picked up"
    if x.kind == EAT and one.picked:
        yield "dice were stored and eaten in one turn"


def reactions(x: Step) -> Broken:
    """Skeletons come one by one after a creature was eaten; tiles are built when they are taken."""
    one, other = x.before, x.after
    for seat in range(one.s.seats):
        more = sum(h.is_dead for h in other.reefs[seat]) - sum(h.is_dead for h in one.reefs[seat])
        if more > 0 and not (x.kind == SKELETON and seat == one.s.seat and more == 1):
            yield f"{more} skeletons came to seat {seat}"
        if more < 0 and not (x.kind == REWARD and seat == one.s.seat):
            yield f"{-more} skeletons of seat {seat} went away"
    left = sum(one.s.reef_left) - sum(other.s.reef_left)
    built = x.kind == PLACE and one.s.turn > 0
    if left != int(built):
        yield f"{left} tiles left the stacks by an action of kind {x.kind}"
    if x.kind == BUILD and other.s.seat != one.s.seat:
        yield "a tile was taken and not placed"


def end_is_triggered_once(x: Step) -> Broken:
    """The first last friend triggers the end; from then on last turns are counted down."""
    one, other = x.before.s, x.after.s
    rescued = [NUM_TENTACLES - friends.bit_count() for friends in other.friends[: other.seats]]
    if one.cause and (one.cause, one.ender) != (other.cause, other.ender):
        yield "the end was triggered twice"
    if not other.cause and max(rescued) >= x.after.r.end_friends and other.turn:
        yield f"{rescued} friends are rescued, and the end was not triggered"
    if not one.cause and other.cause == BY_EATING and x.kind not in (TAKE, USE, END_MEAL):
        yield f"the end by eating came by an action of kind {x.kind}"
    if one.last_turns and other.turn > one.turn and other.last_turns != one.last_turns - 1:
        yield f"last turns went from {one.last_turns} to {other.last_turns}"
    if other.turn > one.turn and one.cause and not one.last_turns:
        if other.last_turns != one.seats:
            yield f"{other.last_turns} last turns follow"
