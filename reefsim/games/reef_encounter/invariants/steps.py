"""What holds from one position to the next: what an action costs, takes, lays, flips and ends."""

from __future__ import annotations

from functools import cached_property

from reefsim.core import invariants
from reefsim.core.invariants import Broken
from reefsim.games.reef_encounter.constants import (
    ALGAE,
    COLORS,
    FIRST_LOCK,
    FRONT,
    FULL_SPACE,
    LARVA_PAIRS,
    NONE,
    NUM_COLORS,
    NUM_TILES,
    P_BONUS,
    P_FINAL,
    SUPPLY,
    Kind,
)
from reefsim.games.reef_encounter.invariants.from_scratch import Position, growth_cell
from reefsim.games.reef_encounter.state import BAG_END_RULES


class Step(invariants.Step[Position]):
    """An action with the positions around it; its consequences up to the next decision included."""

    @property
    def kind(self) -> Kind:
        """Kind of the action."""
        return Kind(self.action >> 16)

    @property
    def a(self) -> int:
        """First operand."""
        return (self.action >> 8) & 255

    @property
    def b(self) -> int:
        """Second operand."""
        return self.action & 255

    @property
    def seat(self) -> int:
        """Seat that acts."""
        return int(self.before.s.seat)

    @cached_property
    def color(self) -> int:
        """Color of the open grow action before the step."""
        return int(self.before.s.growing)

    def gain(self, name: str) -> list[int]:
        """What a stock of the seat that acts, or one common to all, has gained, by color."""
        old, new = getattr(self.before.s, name), getattr(self.after.s, name)
        if isinstance(old[0], list):
            old, new = old[self.seat], new[self.seat]
        return [y - x for x, y in zip(old, new, strict=True)]


# What each kind of action may change; the end of a turn touches none of it.
_CHANGES: dict[Kind, str] = {
    Kind.STASH: "behind fish stash unknown",
    Kind.CHOOSE_LARVAE: "larvae supply pair",
    Kind.FEED: "tiles shrimp_cell bag fish eaten",
    Kind.GROW: "larvae supply",
    Kind.PLACE: "tiles behind known unknown front bonus bag",
    Kind.END_GROW: "",
    Kind.GROW_BONUS: "tiles bonus bag",
    Kind.SHRIMP_IN: "shrimp_cell in_hand",
    Kind.SHRIMP_MOVE: "shrimp_cell",
    Kind.SHRIMP_OUT: "shrimp_cell in_hand",
    Kind.TO_LARVA: "front bag supply larvae",
    Kind.TO_POLYP: "larvae supply bag bonus behind known",
    Kind.ALGA: "front bag cylinders space reversed locked",
    Kind.COLLECT: "sea cube behind known larvae supply bag bonus",
    Kind.PASS_TURN: "",
    Kind.NO_FEED: "",
}
_OF_SEAT = (
    *("behind", "known", "unknown", "front", "fish", "stash"),
    *("larvae", "pair", "in_hand", "eaten", "shrimp_cell"),
)
_COMMON = (
    *("chance", "seats", "board", "rock", "side", "tiles", "reversed", "locked"),
    *("cylinders", "space", "bag", "bonus", "supply", "sea", "cube"),
)


def nothing_else_changes(x: Step) -> Broken:
    """An action changes only what its clause speaks of, and no other seat's stocks."""
    old, new = x.before.s, x.after.s
    changes = _CHANGES[x.kind].split()
    for name in (*_OF_SEAT, *_COMMON):
        before, after = getattr(old, name), getattr(new, name)
        if name in changes and name in _OF_SEAT:
            before = [v for seat, v in enumerate(before) if seat != x.seat]
            after = [v for seat, v in enumerate(after) if seat != x.seat]
        elif name in changes:
            continue
        if before != after:
            yield f"{x.kind.name.lower()} of seat {x.seat} changed {name}: {before} to {after}"


def costs(x: Step) -> Broken:
    """Every action costs and brings what its clause says (R1.9, R1.10, R4.1, R8, R9.1, R10.2)."""
    for name, gain in _expected_gains(x).items():
        if x.gain(name) != gain:
            yield f"{x.kind.name.lower()}: {name} changed by {x.gain(name)}, not {gain}"


def _expected_gains(x: Step) -> dict[str, list[int]]:
    one, less = _unit(x.b), _unit(x.b, -1)
    s = x.before.s
    if x.kind == Kind.STASH:
        return {"behind": less, "fish": one}
    if x.kind == Kind.CHOOSE_LARVAE:
        cubes = [LARVA_PAIRS[x.b].count(c) for c in range(NUM_COLORS)]
        return {"larvae": cubes, "supply": [-n for n in cubes]}
    if x.kind == Kind.GROW:
        return {"larvae": less, "supply": one}
    if x.kind == Kind.TO_LARVA:
        return {"front": less, "bag": one, "supply": less, "larvae": one}
    if x.kind == Kind.TO_POLYP:
        zero = [0] * NUM_COLORS
        source = {"bag": less, "bonus": zero} if s.bag[x.b] else {"bag": zero, "bonus": less}
        return {"larvae": less, "supply": one, "behind": one, **source}
    if x.kind == Kind.ALGA:
        return {"front": _unit(x.a, -1), "bag": _unit(x.a)}
    if x.kind == Kind.COLLECT:
        return {"behind": list(s.sea[x.b]), "larvae": _unit(x.b, s.cube[x.b])}
    return {}


def _unit(color: int, n: int = 1) -> list[int]:
    return [n if c == color else 0 for c in range(NUM_COLORS)]


def locks_stay(x: Step) -> Broken:
    """Locked coral tiles keep their side; locks never fall, one at most a turn (R9.5, R9.6)."""
    old, new = x.before.s, x.after.s
    if old.locked & ~new.locked:
        yield f"locks fell: {old.locked:b} to {new.locked:b}"
    if (old.reversed ^ new.reversed) & old.locked:
        yield "a locked coral tile changed its side"
    added = new.locked & ~old.locked
    if added and (x.kind != Kind.ALGA or added != 1 << (x.b - FIRST_LOCK)):
        yield f"{x.kind.name.lower()} locked {added:b}"
    if added and (old.lock_made or old.eaten[x.seat] == 0):
        yield "a lock without a right to it: the second of the turn, or nothing fed before"
    if x.kind == Kind.ALGA and x.b >= FIRST_LOCK:
        alga = x.before.face(x.b - FIRST_LOCK)[2]
        if x.after.face(x.b - FIRST_LOCK)[2] != alga:
            yield "the coral tile turned over while it was locked"
        if x.before.s.cylinders[alga] - x.after.s.cylinders[alga] != 1:
            yield f"the lock took no {ALGAE[alga]} cylinder, which the coral tile shows"


def flips(x: Step) -> Broken:
    """An alga flips exactly the free coral tiles that showed it (R9.3, R9.5, R9.9, A6)."""
    turned = x.before.s.reversed ^ x.after.s.reversed
    if x.kind != Kind.ALGA:
        if turned:
            yield f"{x.kind.name.lower()} flipped coral tiles {turned:b}"
        return
    tile = x.b - FIRST_LOCK
    alga = x.b if tile < 0 else x.before.face(tile)[2]
    expected = x.before.showing(alga) - {tile}
    if tile >= 0 and not x.before.r.lock_flips_others:
        expected = set()
    elif x.after.showing(alga):
        yield f"free coral tiles still show {ALGAE[alga]} after it was played"
    if turned != sum(1 << t for t in expected):
        yield f"flipped {turned:b}, expected {expected}"
    for t in expected:
        (top, bottom, _), (new_top, new_bottom, _) = x.before.face(t), x.after.face(t)
        if (top, bottom) != (new_bottom, new_top):
            yield f"T{t + 1} shows {new_top} over {new_bottom} after {top} over {bottom}"


def refill(x: Step) -> Broken:
    """Cube and tiles after collecting, or event 4 (R10.3-R10.5, R11.4, R11.4a, A9)."""
    if x.kind != Kind.COLLECT:
        return
    s, r, new = x.before.s, x.before.r, x.after.s
    levels = [0 if space == x.b else sum(s.sea[space]) for space in range(NUM_COLORS)]
    wanting = [space for space in range(NUM_COLORS) if levels[space] < FULL_SPACE]
    bag, bonus = sum(s.bag), sum(s.bonus)
    rule = BAG_END_RULES[r.bag_end_rule]
    least = {"lt3": 3, "le3": 4}.get(rule, len(wanting))
    joins = bag < least
    if joins:
        bag += bonus
    drawn = wanting[:bag]
    if s.supply[x.b] == 0 or (joins and bag < least and rule in ("lt3", "le3")):
        drawn = []
    complete = s.supply[x.b] > 0 and drawn == wanting
    if rule == "empty" and bag - len(drawn) + (0 if joins else bonus) == 0:
        complete = False
    expected = [level + (space in drawn) for space, level in enumerate(levels)]
    if [sum(stock) for stock in new.sea] != expected:
        yield f"sea levels {[sum(stock) for stock in new.sea]} after a refill, expected {expected}"
    if complete and sorted(levels) in (
        [0, 2, 3, 3, 3],
        [0, 1, 3, 3, 3],
        [0, 1, 2, 3, 3],
        [0, 3, 3, 3, 3],
    ):
        yield from _usual_levels(sorted(expected), len(drawn))
    if new.cube[x.b] != (s.supply[x.b] > 0):
        yield f"{new.cube[x.b]} larvae on the space collected, {s.supply[x.b]} were in the supply"
    if s.cause == 0 and (new.cause == SUPPLY) == complete:
        yield f"cause {new.cause} after a refill that was {'' if complete else 'not '}completed"


def _usual_levels(levels: list[int], drawn: int) -> Broken:
    if levels not in ([1, 2, 3, 3, 3], [1, 3, 3, 3, 3]) or not 1 <= drawn <= 3:
        yield f"sea levels {levels} after a refill of {drawn} tiles"


def captures(x: Step) -> Broken:
    """A tile is laid as R4.4, R4.5 and R5.1 say, from a source that has it (R4.2, R5.4)."""
    if x.kind != Kind.PLACE:
        return
    p, cell = x.before, x.b
    where = f"{COLORS[x.color]} on cell {cell}"
    if cell not in p.rock:
        yield f"{where}: no rock"
    if p.refuses(cell, x.color):
        yield f"{where}: the join rule forbids it"
    gain = [-(c == x.color and x.a == FRONT) for c in range(NUM_COLORS)]
    if cell in p.tiles:
        for clause in p.faults_of_attack(cell, x.color, x.seat):
            yield f"{where}: an attack against {clause}"
        gain[p.tiles[cell]] += 1
    elif cell in p.shrimps:
        yield f"{where}: a shrimp stands there"
    if x.gain("front") != gain:
        yield f"{where}: the front changed by {x.gain('front')}, not {gain}"
    paid = [-(c == x.color and x.a != FRONT) for c in range(NUM_COLORS)]
    if x.gain("behind") != paid:
        yield f"{where}: the tiles behind changed by {x.gain('behind')}, not {paid}"


def growth(x: Step) -> Broken:
    """Growth comes where R6 asks for it and nowhere else, from row or bag (R6.1-R6.9, A16, A20)."""
    if x.kind not in (Kind.PLACE, Kind.GROW_BONUS):
        return
    s = x.before.s
    laid = dict(x.before.tiles)
    if x.kind == Kind.PLACE:
        laid[x.b] = x.color
        target = growth_cell(x.b >> 6)
        due = _with_tile(x.before, x.b, x.color).grows(x.b, x.color)
        asked = x.after.s.phase == P_BONUS
        if asked != bool(due and x.before.r.growth_optional):
            yield f"growth was {'' if asked else 'not '}offered"
        grown = due and not asked
    else:
        target, grown = growth_cell(s.bonus_board), x.b == 1
    if grown:
        laid[target] = x.color
    if x.after.tiles != laid:
        odd = laid.items() ^ x.after.tiles.items()
        yield f"the boards differ from what was laid, growth {grown}: {sorted(odd)}"
    bonus, bag = list(s.bonus), list(s.bag)
    if grown:
        source = bonus if bonus[x.color] else bag
        source[x.color] -= 1
        if bonus[x.color] == 0 and bag[x.color]:
            bonus[x.color], bag[x.color] = 1, bag[x.color] - 1
    if (x.after.s.bonus, x.after.s.bag) != (bonus, bag):
        yield f"bonus row {x.after.s.bonus} and bag {x.after.s.bag}, expected {bonus} and {bag}"


def _with_tile(p: Position, cell: int, color: int) -> Position:
    """The position with a tile laid; only its tiles, not its masks, are right."""
    s = p.s.copy()
    s.tiles[cell >> 6] = [mask & ~(1 << (cell & 63)) for mask in s.tiles[cell >> 6]]
    s.tiles[cell >> 6][color] |= 1 << (cell & 63)
    return Position(s, p.r)


def feeding(x: Step) -> Broken:
    """A coral goes to bag and fish, its shrimp is eaten (R3.1, R3.2, R3.3, R11.6)."""
    if x.kind != Kind.FEED:
        return
    p, is_final = x.before, x.before.s.phase == P_FINAL
    coral = p.coral(x.b)
    least = p.r.min_final_feed_size if is_final else p.r.min_feed_size
    if p.shrimps.get(x.b) != x.seat or len(coral) < least:
        yield f"fed {len(coral)} tiles on cell {x.b}, own shrimps on {p.shrimps_of(x.seat)}"
    if not (is_final or p.s.fresh):
        yield "fed after something else"
    color = p.tiles.get(x.b, 0)
    back = min(len(coral), p.r.final_feed_return if is_final else p.r.feed_return)
    expected = {"bag": _unit(color, back), "fish": _unit(color, len(coral) - back)}
    for name, gain in expected.items():
        if x.gain(name) != gain:
            yield f"feeding {len(coral)} tiles changed {name} by {x.gain(name)}, not {gain}"
    left = {cell: c for cell, c in p.tiles.items() if cell not in coral}
    if x.after.tiles != left or x.after.shrimps != _without(p.shrimps, x.b):
        yield "feeding left other tiles or shrimps than it should"


def shrimp_moves(x: Step) -> Broken:
    """Shrimps go where R7 lets them, and only the one that moves leaves its place."""
    if x.kind not in (Kind.SHRIMP_IN, Kind.SHRIMP_MOVE, Kind.SHRIMP_OUT):
        return
    origin = {Kind.SHRIMP_IN: NONE, Kind.SHRIMP_MOVE: x.a, Kind.SHRIMP_OUT: x.b}[x.kind]
    left = _without(x.before.shrimps, origin)
    if x.kind != Kind.SHRIMP_OUT:
        left[x.b] = x.seat
    if x.after.shrimps != left:
        yield f"shrimps on {x.after.shrimps}, expected {left}"
    if origin != NONE and x.before.shrimps.get(origin) != x.seat:
        yield f"seat {x.seat} moved a shrimp from cell {origin}, which has none of its own"
    if x.kind == Kind.SHRIMP_IN and not x.before.coral(x.b):
        yield f"a shrimp came in on bare rock, cell {x.b}"


def _without(shrimps: dict[int, int], cell: int) -> dict[int, int]:
    return {c: seat for c, seat in shrimps.items() if c != cell}


def involution(x: Step) -> Broken:
    """Turning a coral tile over twice gives back its corals and alga (R9.9)."""
    both = x.before.s.copy()
    both.reversed ^= (1 << NUM_TILES) - 1
    other = Position(both, x.before.r)
    for tile in range(NUM_TILES):
        (top, bottom, alga), (under, over, hidden) = x.before.face(tile), other.face(tile)
        if (top, bottom) != (over, under) or alga == hidden:
            yield f"T{tile + 1} is {top} over {bottom}, reversed {under} over {over}"
