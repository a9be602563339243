"""Why an action is refused: the first clause it breaks, in the order of the rules.

Nothing here decides what is legal; that is done by `legal.py`. The two are tested against each
other: an action has a reason exactly if it is not legal. What a meal still can become is found by
trying everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reefsim.core.work import kind_of
from reefsim.games.poseidons_kingdom.constants import (
    CLEANSE,
    DICE,
    DOLPHIN,
    END_CAUSES,
    HEX_NAMES,
    LOAD_1,
    LOAD_2,
    MAX_HEXES,
    NONE,
    NUM_CELLS,
    NUM_CORALS,
    NUM_OWNERS,
    NUM_SIDES,
    OFFSETS,
    P_AGAIN,
    P_FLEE,
    P_FOOD,
    P_KRAKEN,
    P_MEAL,
    P_MOVE,
    P_OVER,
    P_PEEK,
    P_PLACE,
    P_PUT,
    P_REWARD,
    P_SETUP,
    P_SKELETON,
    P_STEP,
    PUT_SHIFT,
    RESCUE,
    REWARDS,
    SUM,
    TIERS,
    TO_KRAKEN,
    TO_PEEK,
    Kind,
)
from reefsim.games.poseidons_kingdom.events import ACTION_NAMES
from reefsim.games.poseidons_kingdom.invariants.from_scratch import Position, can_meet, meets
from reefsim.games.poseidons_kingdom.state import RULES, STATE

Reasons = Iterator[str]  # broken clauses in the order of the rules; the first one is the answer
NO_DICE = (0,) * 6


def why_illegal(state: Any, rules: Any, action: int) -> str:
    """Say which clause an action breaks first, for the seat to act.

    Parameters
    ----------
    state, rules : records of either mode; the state is not changed
    action : any int

    Returns
    -------
    the clause and the reason, as 'PK-3.3: ...'; empty if the action is legal
    """
    p = Position(STATE.to_plain(state), RULES.to_plain(rules))
    kind = kind_of(action)
    if action < 0 or kind >= len(Kind):
        return f"M2: {action} is no action of Poseidon's Kingdom"
    return next(_reasons(p, Kind(kind), action & 0xFFFF, (action >> PUT_SHIFT) - 1), "")


# What each phase asks, the clause, and in words.
_ASKED = {
    P_SETUP: ({Kind.PLACE}, "PK-1.4", "lays a starting tile"),
    P_STEP: ({Kind.BUILD, Kind.LOAD}, "PK-3.1", "builds or loads"),
    P_PLACE: ({Kind.PLACE}, "PK-3.2", "places the tile it took"),
    P_MOVE: ({Kind.MOVE}, "PK-3.7", "moves an ocean creature"),
    P_FOOD: ({Kind.EAT, Kind.BUY, Kind.PUT, Kind.END_FOOD}, "PK-4.1", "may feed"),
    P_PUT: ({Kind.PUT, Kind.END_FOOD}, "PK-4.2", "stores dice"),
    P_MEAL: ({Kind.TAKE, Kind.USE, Kind.END_MEAL}, "PK-4.4", "eats"),
    P_AGAIN: ({Kind.BUY, Kind.END_FOOD}, "PK-7.3", "may eat for coral"),
    P_KRAKEN: ({Kind.KRAKEN}, "PK-4.7", "orders the ring moves"),
    P_PEEK: ({Kind.PEEK, Kind.NO_PEEK}, "PK-4.9", "may look at coral"),
    P_FLEE: ({Kind.FLEE}, "PK-5.3", "brings back an eaten creature"),
    P_SKELETON: ({Kind.SKELETON}, "PK-5.4", "lays a skeleton"),
    P_REWARD: ({Kind.REWARD, Kind.NO_REWARD}, "PK-6.5", "takes a reward"),
}


def _reasons(p: Position, kind: Kind, low: int, high: int) -> Reasons:
    s = p.s
    if s.phase == P_OVER:
        yield f"PK-7.2: the game is over ({END_CAUSES[s.cause - 1]}); no action is left"
    kinds, clause, what = _ASKED[s.phase]
    if kind not in kinds:
        yield f"{clause}: seat {s.seat} {what} now, {ACTION_NAMES[kind]} has no place here"
    elif kind == Kind.PUT:
        yield from _put(p, low, high)
    else:
        yield from _CHECKS[kind](p, low)


def _number_on(p: Position, cell: int) -> int:
    """Place of a cell in the reef of the seat to act, NONE if it is not there."""
    cells = p.s.cell[p.s.seat][: p.s.num_hexes[p.s.seat]]
    return cells.index(cell) if cell in cells else NONE


def _place(p: Position, code: int) -> Reasons:
    s, r = p.s, p.r
    cell, side = divmod(code, NUM_SIDES)
    pair = (cell, cell + OFFSETS[side])
    one, other = (_number_on(p, c) for c in pair)
    names = [HEX_NAMES[c] for c in pair if 0 <= c < NUM_CELLS]
    if one < 0 and other < 0:
        reef = set(s.cell[s.seat][: s.num_hexes[s.seat]])
        if not any(c + offset in reef for c in pair for offset in OFFSETS):
            yield "PK-3.2: a tile on the table has to touch the reef"
        if len(names) < 2 or not all(r.inside[c] for c in pair):
            yield f"M2: a tile on the table stays within {r.reef_limit}"
        if s.num_hexes[s.seat] + 2 > MAX_HEXES:
            yield f"M2: a reef has at most {MAX_HEXES} hexes"
        return
    if s.phase == P_SETUP:
        yield "PK-1.4: starting tiles lie on the table"
    if one < 0 or other < 0:
        yield "PK-3.3: the tile would hang over the edge of the reef"
        return
    hexes = p.reefs[s.seat]
    for h in (one, other):
        if hexes[h].die is not None:
            yield f"PK-3.3: a die is stored on {hexes[h].name}"
        if hexes[h].is_dead:
            yield f"PK-3.3: a skeleton lies on {hexes[h].name}"
    if hexes[one].tile == hexes[other].tile:
        yield "PK-3.3: both hexes belong to one tile"
    if hexes[one].level != hexes[other].level:
        yield f"PK-3.2: the hexes have levels {hexes[one].level} and {hexes[other].level}"


def _has_room(p: Position) -> bool:
    return any(
        next(_place(p, cell * NUM_SIDES + side), None) is None
        for hex_ in range(p.s.num_hexes[p.s.seat])
        for offset in (0, *OFFSETS)
        for cell in (p.s.cell[p.s.seat][hex_] + offset,)
        for side in range(NUM_SIDES)
    )


def _build(p: Position, kind: int) -> Reasons:
    if kind >= p.r.num_kinds:
        yield f"PK-1.5: there are {p.r.num_kinds} kinds of reef tiles"
    elif p.s.reef_left[kind] <= 0:
        yield "PK-3.2: no tile of this kind is left"
    if not _has_room(p):
        yield "PK-3.2: no tile can be placed anywhere"


def _load(p: Position, number: int) -> Reasons:
    s, r = p.s, p.r
    room = r.capacity - sum(s.tower)
    if number < r.load_minimum:
        yield f"PK-3.5: at least {r.load_minimum} has to be loaded"
    if room < max(1, number):
        yield f"PK-3.6: the tower has room for {room}"
    if s.supply[s.seat] < max(1, number):
        yield f"PK-3.5: seat {s.seat} has {s.supply[s.seat]} dice in its supply"
    if number > p.power(s.seat, "wave"):
        yield f"PK-3.5: the wave power of seat {s.seat} is {p.power(s.seat, 'wave')}"


def _distance(p: Position, start: int, end: int) -> int:
    """Steps between spaces that do not lead through the shark's, NONE if there is no way."""
    s, r = p.s, p.r
    closed = r.loop[s.shark]
    steps, newest, reached = 0, {start}, {start}
    while newest and end not in newest:
        around = {n for node in newest for n in range(r.num_nodes) if (r.near[node] >> n) & 1}
        newest = around - reached - {closed}
        reached |= newest
        steps += 1
    return steps if newest else NONE


def _move(p: Position, code: int) -> Reasons:
    s, r = p.s, p.r
    start, end = code >> 6, code & 63
    if start not in s.creature[s.seat]:
        yield f"PK-3.7: seat {s.seat} has no creature there"
        return
    if end == start:
        yield "PK-3.7: a move must not end where it began"
    if end == r.loop[s.shark]:
        yield "PK-3.8: the shark is there"
    steps, power = _distance(p, start, end), p.power(s.seat, "arrow")
    if steps == NONE or steps > power:
        way = f"{steps} steps away" if steps != NONE else "behind the shark"
        yield f"PK-3.7: that space is {way}, the arrow power of seat {s.seat} is {power}"


def _picks_left(p: Position) -> int:
    return p.power(p.s.seat, "eat") - p.s.picked


def _no_picks(p: Position) -> Reasons:
    if _picks_left(p) <= 0:
        power = p.power(p.s.seat, "eat")
        yield f"PK-4.1: the eat power of seat {p.s.seat} is {power}, no more dice can be picked up"


def _in_zone(p: Position, die: int) -> Reasons:
    zone = p.r.zone_of[p.s.node]
    if zone == 0 or die >= len(DICE) or p.s.zone[zone][die] == 0:
        yield "PK-4.1: there is no such die in the food zone of the creature"


def _put(p: Position, die: int, cell: int) -> Reasons:
    s = p.s
    yield from _in_zone(p, die)
    yield from _no_picks(p)
    h = _number_on(p, cell)
    if h < 0 or "store" not in p.reefs[s.seat][h].symbols:
        yield "PK-4.3: there is no die box on that hex"
    elif p.reefs[s.seat][h].is_dead:
        yield "PK-5.5: a skeleton lies on that hex"
    if cell <= s.last_cell:
        yield f"M2: boxes are filled in the order of hexes, {HEX_NAMES[s.last_cell]} was the last"


def _zone_faces(p: Position, first: int = 0) -> tuple[int, ...]:
    return p.zone_faces(p.r.zone_of[p.s.node], first)


def _eat(p: Position, tentacle: int) -> Reasons:
    s, r = p.s, p.r
    if not 1 <= tentacle <= 6 or not (s.friends[s.seat] >> tentacle - 1) & 1:
        yield f"PK-4.4: seat {s.seat} has no friend on tentacle {tentacle}"
    dice = (NO_DICE, _zone_faces(p), p.stored_faces(s.seat))
    if not can_meet(*dice, _picks_left(p), r.needs_pick, tentacle, 0, r):
        yield f"PK-4.4: no dice meet the condition of tentacle {tentacle}"


def _buy(p: Position, number: int) -> Reasons:
    s, r = p.s, p.r
    if not s.last_turns:
        yield "PK-7.3: coral can be taken in the last turns only"
    i = number - r.first_number
    if not 0 <= i < NUM_CORALS:
        yield f"PK-1.10: coral lies on {r.first_number} to {r.first_number + NUM_CORALS - 1}"
        return
    if s.coral_owner[i] != NONE:
        yield f"PK-7.4: the coral on {number} is taken"
    if s.white and i < NUM_CORALS // 2:
        yield "PK-7.3: only one coral of a white number can be taken"
    dice = (NO_DICE, _zone_faces(p), p.stored_faces(s.seat))
    if not can_meet(*dice, _picks_left(p), 0, SUM, number, r):
        yield f"PK-7.3: no dice have the sum {number}"


def _completes(p: Position, face: int, rest: tuple[int, ...], behind: int, picks: int) -> bool:
    """Whether the open meal can be completed after a die of a face."""
    s = p.s
    used = tuple(n + (k == face) for k, n in enumerate(s.used))
    return can_meet(used, rest, p.stored_faces(s.seat, behind), picks, 0, s.meal, s.number, p.r)


def _take(p: Position, die: int) -> Reasons:
    s = p.s
    yield from _in_zone(p, die)
    yield from _no_picks(p)
    if s.last_cell != NONE:
        yield "M2: dice are picked up before stored ones are used"
    if die < s.last_die:
        yield "M2: dice are picked up in the order of dice"
    face = die // NUM_OWNERS
    rest = tuple(n - (k == face) for k, n in enumerate(_zone_faces(p, die)))
    if not _completes(p, face, rest, NONE, _picks_left(p) - 1):
        yield "PK-4.4: the meal could not be completed with it"


def _use(p: Position, cell: int) -> Reasons:
    s, r = p.s, p.r
    h = _number_on(p, cell)
    die = p.reefs[s.seat][h].die if h >= 0 else None
    if die is None:
        yield "PK-4.4: no die is stored on that hex"
        return
    if cell <= s.last_cell:
        yield "M2: stored dice are used in the order of hexes"
    if r.needs_pick and s.meal != SUM and s.meal_picks == 0:
        yield "PK-4.4: a die has to be picked up first"
    if not _completes(p, die[0] - 1, NO_DICE, cell, 0):
        yield "PK-4.4: the meal could not be completed with it"


def _end_meal(p: Position, _: int) -> Reasons:
    s = p.s
    if not meets(s.used, s.meal, s.number, p.r) or (p.r.needs_pick and s.meal_picks == 0):
        yield "PK-4.4: the dice eaten so far meet no condition"


def _always(p: Position, _: int) -> Reasons:
    yield from ()


def _kraken(p: Position, owner: int) -> Reasons:
    if owner >= p.s.seats or p.s.picks[owner] == 0:
        yield f"PK-4.7: the ring creature of seat {owner} does not have to move"


def _hidden(p: Position) -> set[int]:
    """Coral numbers a seat may look at."""
    s = p.s
    return {
        i + p.r.first_number
        for i in range(NUM_CORALS)
        if s.coral_owner[i] == NONE and not (s.seen[s.seat] >> i) & 1
    }


def _peek(p: Position, number: int) -> Reasons:
    if number not in _hidden(p):
        yield f"PK-4.11: on {number} lies no coral that seat {p.s.seat} does not know"


def _no_peek(p: Position, _: int) -> Reasons:
    if p.s.must_peek:
        yield "PK-6.6: the reward was a peek"


def _flee(p: Position, node: int) -> Reasons:
    if node not in (p.r.deep, p.r.beach):
        yield "PK-5.3: an eaten creature returns to the deep or the beach end"


def _skeleton(p: Position, cell: int) -> Reasons:
    s, r = p.s, p.r
    h = _number_on(p, cell)
    if h < 0:
        yield "PK-5.4: the reef has no hex there"
        return
    reef = p.reefs[s.seat]
    able = [x for x in reef if not r.boxes_only or "store" in x.symbols]
    free = [x for x in able if x.die is None and not x.is_dead]
    if reef[h].is_dead:
        yield f"PK-5.4: {reef[h].name} has a skeleton"
    elif free and reef[h].die is not None:
        yield f"PK-5.4: a die lies on {reef[h].name}, and there are {len(free)} free hexes"
    elif reef[h] not in able:
        yield "PK-5.4: skeletons lie on die boxes"
    elif not free and reef[h].die is None:
        yield "PK-5.4: only hexes with a die are left"


def _reward(p: Position, reward: int) -> Reasons:
    s, r, seat = p.s, p.r, p.s.seat
    if reward >= len(REWARDS):
        yield "PK-6.6: there is no such reward"
        return
    least = r.threshold[TIERS[reward]]
    if s.total[seat] < least:
        yield f"PK-6.6: the total of seat {seat} is {s.total[seat]}, the reward needs {least}"
    room = r.capacity - sum(s.tower)
    wanted = {LOAD_1: 1, LOAD_2: 2}.get(reward, 0)
    if room < wanted or s.supply[seat] < wanted:
        yield f"PK-6.6: the tower has room for {room}, the supply has {s.supply[seat]} dice"
    if reward == TO_KRAKEN and not s.ring_open:
        yield "PK-7.2: the ring is empty"
    if reward == TO_PEEK and not _hidden(p):
        yield "PK-6.6: there is no coral to look at"
    if reward == CLEANSE and not _hidden(p) and not any(x.is_dead for x in p.reefs[seat]):
        yield "PK-6.6: there is no own skeleton and no coral to look at"
    if reward == RESCUE and not s.friends[seat]:
        yield f"PK-6.6: seat {seat} has no friend on a tentacle"
    if reward == DOLPHIN:
        yield from _no_dolphin(p)


def _no_dolphin(p: Position) -> Reasons:
    s, r = p.s, p.r
    if not r.dolphin:
        yield "PKQ-15: there is no dolphin"
    elif s.dolphin != NONE:
        yield f"PK-6.6: seat {s.dolphin} took the dolphin in this crash"
    order = [(s.active + i) % s.seats for i in range(s.seats)]
    first = max(order, key=lambda seat: s.total[seat])
    if r.highest_total and first != s.seat:
        yield f"PKQ-16: the highest total is that of seat {first}"


_CHECKS = {
    Kind.PLACE: _place,
    Kind.BUILD: _build,
    Kind.LOAD: _load,
    Kind.MOVE: _move,
    Kind.EAT: _eat,
    Kind.BUY: _buy,
    Kind.TAKE: _take,
    Kind.USE: _use,
    Kind.END_MEAL: _end_meal,
    Kind.END_FOOD: _always,
    Kind.KRAKEN: _kraken,
    Kind.PEEK: _peek,
    Kind.NO_PEEK: _no_peek,
    Kind.FLEE: _flee,
    Kind.SKELETON: _skeleton,
    Kind.REWARD: _reward,
    Kind.NO_REWARD: _always,
}
