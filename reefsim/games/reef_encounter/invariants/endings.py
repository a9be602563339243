"""Who acts next and when the game ends, worked out afresh after every action (R2.8, R11)."""

from __future__ import annotations

from reefsim.core.invariants import Broken
from reefsim.games.reef_encounter.constants import (
    ALL_LOCKED,
    ALL_TILES,
    END_CAUSES,
    FIRST_LOCK,
    FOUR_EATEN,
    NO_SPACE,
    NUM_COLORS,
    P_FINAL,
    P_LARVAE,
    P_OVER,
    P_STASH,
    P_TURN,
    SUPPLY,
    TURN_LIMIT,
    Kind,
)
from reefsim.games.reef_encounter.invariants.from_scratch import Position
from reefsim.games.reef_encounter.invariants.steps import Step

_TURN_ENDS = (Kind.COLLECT, Kind.PASS_TURN)


def next_to_act(x: Step) -> Broken:
    """Cause, ender, seat, turn and phase after an action (R2.8, R11, A8, A12, A22)."""
    s, new = x.before.s, x.after.s
    if s.turn == 0:
        if new.turn and (new.turn, new.seat, new.phase, s.phase) != (1, 0, P_TURN, P_LARVAE):
            yield f"play starts with turn {new.turn}, seat {new.seat}, phase {new.phase}"
        return
    if s.phase == P_FINAL:
        expected = _final_feed(x, x.seat)
    else:
        cause = expected_cause(x)
        if new.cause != cause:
            yield f"the cause is {_cause(new.cause)}, expected {_cause(cause)}"
        if cause and not s.cause and cause != TURN_LIMIT and new.ender != x.seat:
            yield f"the ender is {new.ender}, seat {x.seat} was on turn"
        expected = _after_turn(x, cause) if _turn_stops(x, cause) else (s.seat, s.turn, None)
    found = (new.seat, new.turn, new.phase)
    if found[:2] != expected[:2] or expected[2] not in (None, found[2]):
        yield f"seat, turn, phase are {found}, expected {expected}"
    if new.turn != s.turn and not new.fresh:
        yield f"turn {new.turn} starts as if something had been done"
    if s.cause and (new.cause, new.ender) != (s.cause, s.ender):
        yield f"cause and ender changed from {s.cause}, {s.ender} to {new.cause}, {new.ender}"


def set_up_order(x: Step) -> Broken:
    """In the set-up each seat in turn stashes, then each chooses larvae (R1.9, R1.10)."""
    if x.kind not in (Kind.STASH, Kind.CHOOSE_LARVAE):
        return
    s, new = x.before.s, x.after.s
    last = x.seat == s.seats - 1
    phase = s.phase + 1 if last else s.phase
    if (new.seat, new.phase) != ((0 if last else x.seat + 1), phase):
        yield f"after seat {x.seat} in phase {s.phase} comes seat {new.seat} in phase {new.phase}"
    if (x.kind == Kind.STASH) != (s.phase == P_STASH):
        yield f"{x.kind.name.lower()} in phase {s.phase}"


def expected_cause(x: Step) -> int:
    """The cause of the end after an action: the first that came (R2.8, R11.1-R11.4, A8)."""
    s, r, new = x.before.s, x.before.r, x.after.s
    if s.cause or s.last_turns:
        return int(s.cause)
    if x.kind == Kind.ALGA and x.b >= FIRST_LOCK and new.locked == ALL_TILES:
        return ALL_LOCKED
    if x.kind == Kind.FEED and new.eaten[x.seat] == r.shrimps_per_player:
        return FOUR_EATEN
    if x.kind == Kind.COLLECT and new.cause == SUPPLY:  # judged by `steps.refill`
        return SUPPLY
    if x.kind in _TURN_ENDS and is_full(x.after):
        return NO_SPACE
    if x.kind in _TURN_ENDS and s.turn >= r.max_turns:
        return TURN_LIMIT
    return 0


def is_full(p: Position) -> bool:
    """Whether no color can be laid anywhere, or no rock is empty (R11.3, A10)."""
    if p.r.no_empty:
        return not p.rock - set(p.tiles) - set(p.shrimps)
    return not any(
        p.takes_tile(cell, color, seat)
        for cell in p.rock
        for color in range(NUM_COLORS)
        for seat in range(p.s.seats)
    )


def final_feeders(p: Position) -> list[int]:
    """Seats that have something to feed at the end, in the order they are asked (R11.6, A26)."""
    s, r = p.s, p.r
    if r.full_turn or not r.final_feed[s.cause]:
        return []
    order = [(s.ender + i) % s.seats for i in range(1, s.seats)]
    least = r.min_final_feed_size
    return [
        seat for seat in order if any(len(p.coral(cell)) >= least for cell in p.shrimps_of(seat))
    ]


def _turn_stops(x: Step, cause: int) -> bool:
    at_once = cause and not x.before.s.cause and not x.before.r.end_of_turn
    return x.kind in _TURN_ENDS or bool(at_once)


def _after_turn(x: Step, cause: int) -> tuple[int, int, int | None]:
    """Seat, turn and phase when a turn is over."""
    s, r = x.before.s, x.before.r
    following = ((s.seat + 1) % s.seats, s.turn + 1, P_TURN)
    if not cause:
        return following
    ender = x.after.s.ender if cause != TURN_LIMIT else s.seat
    last = [(ender + i) % s.seats for i in range(1, s.seats)]
    if r.full_turn:
        last = last if r.final_feed[cause] else []
    elif r.complete_round and cause in (ALL_LOCKED, FOUR_EATEN):
        last = [seat for seat in last if seat > ender]
    else:
        last = []
    if x.seat != ender:  # a last turn is over
        last = last[last.index(x.seat) + 1 :]
    if last:
        return following
    feeders = final_feeders(x.after)
    if feeders:
        return feeders[0], s.turn, P_FINAL
    return x.after.s.seat, s.turn, P_OVER


def _final_feed(x: Step, seat: int) -> tuple[int, int, int | None]:
    """Seat, turn and phase after a seat's final feed; a feed takes nothing from the later ones."""
    feeders = final_feeders(x.before)
    later = feeders[feeders.index(seat) + 1 :]
    if later:
        return later[0], x.before.s.turn, P_FINAL
    return x.after.s.seat, x.before.s.turn, P_OVER


def _cause(cause: int) -> str:
    return END_CAUSES[cause - 1] if cause else "none"
