"""The legal actions a second time, straight from the action model (RULES.md M2), cell by cell.

Written for reading, not for speed, on `from_scratch.Position`: it shares no line with the rules
that the engine plays by.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from reefsim.games.reef_encounter.constants import (
    FIRST_LOCK,
    LARVA_PAIRS,
    NUM_ALGAE,
    NUM_COLORS,
    NUM_TILES,
    P_BONUS,
    P_FINAL,
    P_GROW,
    P_LARVAE,
    P_OVER,
    P_STASH,
    P_TURN,
    Kind,
)
from reefsim.games.reef_encounter.invariants.from_scratch import Position

COLORS = range(NUM_COLORS)


def legal_actions(p: Position) -> list[int]:
    """All legal actions of the seat to act, in increasing order."""
    by_phase = {
        P_STASH: _stashes,
        P_LARVAE: _larvae,
        P_TURN: _turn,
        P_GROW: _growing,
        P_BONUS: _bonus,
        P_FINAL: _final,
        P_OVER: lambda p: iter(()),
    }
    actions = sorted(kind << 16 | a << 8 | b for kind, a, b in by_phase[p.s.phase](p))
    assert len(set(actions)) == len(actions)
    return actions


Actions = Iterator[tuple[Kind, int, int]]


def _stashes(p: Position) -> Actions:
    for c in COLORS:
        if p.s.behind[p.s.seat][c]:
            yield Kind.STASH, 0, c


def _larvae(p: Position) -> Actions:
    for i, (c, d) in enumerate(LARVA_PAIRS):
        supply = list(p.s.supply)
        supply[c] -= 1
        supply[d] -= 1
        if min(supply) >= 0:
            yield Kind.CHOOSE_LARVAE, 0, i


def _turn(p: Position) -> Actions:
    s, r, seat = p.s, p.r, p.s.seat
    if s.fresh:
        yield from _feeds(p, r.min_feed_size)
    yield from _grows(p)
    if not s.entered and s.in_hand[seat]:
        for cell in p.tiles:
            if not p.guards(p.coral(cell)) and _room(p, cell >> 6):
                yield Kind.SHRIMP_IN, 0, cell
    yield from _shrimps(p)
    for c in COLORS:
        if s.front[seat][c] and s.supply[c]:
            yield Kind.TO_LARVA, 0, c
        if s.larvae[seat][c] and (s.bag[c] or s.bonus[c]):
            yield Kind.TO_POLYP, 0, c
    for pay, play in product(COLORS, range(FIRST_LOCK + NUM_TILES)):
        if s.front[seat][pay] and _may_play(p, play):
            yield Kind.ALGA, pay, play
    if all(cell in p.tiles for cell in p.shrimps_of(seat)):
        for c in COLORS:
            yield Kind.COLLECT, 0, c
        if not r.collect_mandatory:
            yield Kind.PASS_TURN, 0, 0


def _feeds(p: Position, least: int) -> Actions:
    for cell in p.shrimps_of(p.s.seat):
        if cell in p.tiles and len(p.coral(cell)) >= least:
            yield Kind.FEED, 0, cell


def _grows(p: Position) -> Actions:
    s, r, seat = p.s, p.r, p.s.seat
    if s.grows >= r.grow_actions_per_turn:
        return
    for c in COLORS:
        tiles = s.behind[seat][c] + s.front[seat][c]
        has_place = r.allow_empty_grow or (tiles and any(p.takes_tile(x, c, seat) for x in p.rock))
        if s.larvae[seat][c] and has_place:
            yield Kind.GROW, 0, c


def _growing(p: Position) -> Actions:
    s, r, seat = p.s, p.r, p.s.seat
    color = s.growing
    sources = []
    if s.behind[seat][color] and s.from_behind < r.max_tiles_from_behind:
        sources.append(0)
    if s.front[seat][color]:
        sources.append(1)
    for cell in p.rock:
        if sources and p.takes_tile(cell, color, seat):
            for source in sources:
                yield Kind.PLACE, source, cell
    if s.placed or r.allow_empty_grow:
        yield Kind.END_GROW, 0, 0
        yield from _shrimps(p)


def _shrimps(p: Position) -> Actions:
    s, r = p.s, p.r
    for origin in p.shrimps_of(s.seat):
        yield Kind.SHRIMP_OUT, 0, origin
        if s.moves >= r.max_shrimp_moves_per_turn:
            continue
        for cell in p.rock - set(p.shrimps):
            own = cell in p.coral(origin)
            unguarded = cell not in p.tiles or not p.guards(p.coral(cell))
            if (own or unguarded) and (cell >> 6 == origin >> 6 or _room(p, cell >> 6)):
                yield Kind.SHRIMP_MOVE, origin, cell


def _room(p: Position, board: int) -> bool:
    own = sum(cell >> 6 == board for cell in p.shrimps_of(p.s.seat))
    return own < int(p.r.max_own_shrimps_per_board)


def _may_play(p: Position, play: int) -> bool:
    s, r, seat = p.s, p.r, p.s.seat
    tile = play - FIRST_LOCK
    if tile < 0:
        return s.cylinders[play] > 0 and bool(r.allow_null_flip or p.showing(play))
    alga = p.face(tile)[2]
    free = NUM_TILES - s.locked.bit_count()
    return (
        tile in p.showing(alga)
        and s.cylinders[alga] > 0
        and s.eaten[seat] > 0
        and not s.lock_made
        and (free > 1 or sum(s.fish[seat]) >= 2)
    )


def _bonus(p: Position) -> Actions:
    yield Kind.GROW_BONUS, 0, 0
    yield Kind.GROW_BONUS, 0, 1


def _final(p: Position) -> Actions:
    yield from _feeds(p, p.r.min_final_feed_size)
    yield Kind.NO_FEED, 0, 0


assert NUM_ALGAE == FIRST_LOCK
