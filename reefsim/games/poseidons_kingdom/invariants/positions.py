"""What holds in every position. Each check yields sentences about what is broken."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from reefsim.core.invariants import Broken
from reefsim.games.poseidons_kingdom.constants import (
    HEX_NAMES,
    MAX_SEATS,
    NEUTRAL,
    NONE,
    NUM_CORALS,
    NUM_TENTACLES,
    P_OVER,
    P_SETUP,
)
from reefsim.games.poseidons_kingdom.invariants.from_scratch import Position

_ACTIVE_ONLY = range(1, 9)  # phases in which the seat whose turn it is decides


def dice_conserved(p: Position) -> Broken:
    """Every owner's dice are in supply, tower, zones and stores."""
    s, r = p.s, p.r
    for owner in (*range(s.seats), NEUTRAL):
        wanted = r.neutral_dice if owner == NEUTRAL else r.dice_per_player
        places = (s.supply[owner], s.tower[owner], p.board_dice(owner), p.stored_dice(owner))
        if sum(places) != wanted or min(places) < 0:
            whose = "neutral" if owner == NEUTRAL else f"seat {owner}"
            yield f"{whose}: supply, tower, board and store have {places}, {wanted} dice are there"
    if any(s.supply[x] or s.tower[x] for x in range(s.seats, MAX_SEATS)):
        yield "there are dice of seats that do not play"
    if any(
        s.zone[zone][die] for zone in (0, *range(r.num_zones + 1, len(s.zone))) for die in range(30)
    ):
        yield "dice lie in zones that are not there"


def tower_holds(p: Position) -> Broken:
    """The tower never holds more than it can."""
    if sum(p.s.tower) > p.r.capacity:
        yield f"{sum(p.s.tower)} dice are on the tower, it holds {p.r.capacity}"


def friends_add_up(p: Position) -> Broken:
    """Tiles taken are tiles owned, at most one per friend rescued."""
    s, r = p.s, p.r
    rescued = [NUM_TENTACLES - s.friends[seat].bit_count() for seat in range(s.seats)]
    for seat in range(s.seats):
        if s.safe_tiles[seat] > rescued[seat]:
            yield f"seat {seat} has {s.safe_tiles[seat]} safe places for {rescued[seat]} friends"
    if sum(s.safe_tiles) != sum(s.safe_taken):
        yield f"{sum(s.safe_taken)} safe places are gone, players have {sum(s.safe_tiles)}"
    points = sum(
        sum(r.stack[tentacle][: s.safe_taken[tentacle]]) for tentacle in range(NUM_TENTACLES)
    )
    if points != sum(s.safe_points):
        yield f"safe places worth {points} are gone, players have {sum(s.safe_points)} points"


def stacks_last(p: Position) -> Broken:
    """A stack has lost a tile for each friend that left, as long as it had any."""
    s, r = p.s, p.r
    for tentacle in range(NUM_TENTACLES):
        gone = sum(not (s.friends[seat] >> tentacle) & 1 for seat in range(s.seats))
        if s.safe_taken[tentacle] != min(gone, r.stack_size[tentacle]):
            yield (
                f"{gone} friends left tentacle {tentacle + 1}, "
                f"{s.safe_taken[tentacle]} safe places are gone"
            )


def tiles_conserved(p: Position) -> Broken:
    """Reef tiles in stacks and reefs are as many as there are; the two halves lie level."""
    s, r = p.s, p.r
    laid = sum(s.tiles[: s.seats])
    left = sum(s.reef_left[: r.num_kinds])
    start = s.seats * r.starting_tiles
    if s.phase != P_SETUP and laid - start + left != sum(r.tile_count[: r.num_kinds]):
        yield f"{laid - start} tiles were built and {left} are left"
    for seat, reef in enumerate(p.reefs):
        for tile in {x.tile for x in reef}:
            halves = [x for x in reef if x.tile == tile]
            if len(halves) > 2 or len({x.level for x in halves}) > 1:
                yield f"tile {tile} of seat {seat} lies on levels {[x.level for x in halves]}"
        if any(not 0 <= x.tile < s.tiles[seat] for x in reef):
            yield f"seat {seat} has {s.tiles[seat]} tiles, others are to be seen"


def one_thing_per_hex(p: Position) -> Broken:
    """Dice lie on boxes, nothing lies on anything else, skeletons are those not in stock."""
    s = p.s
    for seat, reef in enumerate(p.reefs):
        for x in reef:
            if x.die is not None and (x.is_dead or "store" not in x.symbols):
                yield f"the die on {x.name} of seat {seat} does not lie on a live box"
            if len(x.symbols) != 1:
                yield f"{x.name} of seat {seat} shows {x.symbols}"
        if (s.stored[seat] | s.dead[seat]) >> s.num_hexes[seat]:
            yield f"something lies beside the reef of seat {seat}"
    laid = sum(x.is_dead for reef in p.reefs for x in reef)
    if s.skeletons + laid != p.r.skeletons or s.skeletons < 0:
        yield f"{s.skeletons} skeletons in stock and {laid} on reefs, there are {p.r.skeletons}"


def powers(p: Position) -> Broken:
    """The powers kept for speed are what the reefs say, and so is the order of hexes."""
    s = p.s
    for seat, reef in enumerate(p.reefs):
        if s.power[seat] != p.powers(seat):
            yield f"the powers of seat {seat} are {p.powers(seat)}, kept are {s.power[seat]}"
        order = s.order[seat][: len(reef)]
        if sorted(order) != list(range(len(reef))) or any(
            s.cell[seat][one] >= s.cell[seat][other] for one, other in pairwise(order)
        ):
            yield f"the hexes of seat {seat} are not in their order"
        spots = [tuple(map(int, HEX_NAMES[c].split(","))) for c in s.cell[seat][: len(reef)]]
        if any(max(abs(q), abs(r)) > p.r.reef_limit for q, r in spots):
            yield f"the reef of seat {seat} goes beyond {p.r.reef_limit}"


def shark_on_loop(p: Position) -> Broken:
    """The shark is on its loop; creatures are on spaces."""
    s, r = p.s, p.r
    if not 0 <= s.shark < r.loop_length or s.direction not in (1, -1):
        yield f"the shark is at {s.shark} of its loop, direction {s.direction}"
    if any(not 0 <= node < r.num_nodes for pair in s.creature[: s.seats] for node in pair):
        yield f"the ocean creatures are on {s.creature[: s.seats]}"
    if s.dolphin != NONE and not (r.dolphin and 0 <= s.dolphin < s.seats):
        yield f"the dolphin is with seat {s.dolphin}"


def ring_apart(p: Position) -> Broken:
    """No two creatures share a ring space but the shallows."""
    s, r = p.s, p.r
    if not s.ring_open or s.phase == P_SETUP:
        return
    neutral = [place for place in range(r.ring_length) if (r.ring_neutral >> place) & 1]
    places = Counter([*s.ring[: s.seats], *neutral])
    for place, number in places.items():
        if not 0 <= place < r.ring_length or (number > 1 and place > 0):
            yield f"{number} creatures are on ring space {place}"


def coral_adds_up(p: Position) -> Broken:
    """Coral tiles are all there; nobody owns any before the last turns, or two of a color."""
    s, r = p.s, p.r
    if s.phase == P_SETUP:
        return
    known = Counter(kind for kind in s.coral if kind != NONE)
    if any(number > r.corals[kind] for kind, number in known.items()):
        yield f"the coral tiles are {s.coral}, there are {r.corals}"
    owned = [(s.coral_owner[i], i < NUM_CORALS // 2) for i in range(NUM_CORALS)]
    for (owner, white), number in Counter(owned).items():
        if owner != NONE and (number > 1 or not (s.last_turns or s.over)):
            yield f"seat {owner} owns {number} {'white' if white else 'black'} coral tiles"
        for i in range(NUM_CORALS):
            if owner == s.coral_owner[i] != NONE and not (s.seen[owner] >> i) & 1:
                yield f"seat {owner} does not know its own coral tile"


def turns_go_around(p: Position) -> Broken:
    """Turns go around from the start player; in his own decisions the active seat acts."""
    s = p.s
    if s.phase == P_SETUP:
        return
    if s.active != (s.start + s.turn - 1) % s.seats:
        yield f"turn {s.turn} is that of seat {s.active}, seat {s.start} started"
    if s.phase in _ACTIVE_ONLY and s.seat != s.active:
        yield f"seat {s.seat} acts in a turn of seat {s.active}"
    if (s.phase == P_OVER) != bool(s.over):
        yield f"the game is over: {s.over}, its phase is {s.phase}"
    if s.last_turns and (not s.cause or s.ring_open):
        yield "these are last turns, and the end was not triggered"
