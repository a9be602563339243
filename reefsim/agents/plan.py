"""Working out a whole turn: a beam search over atomic actions (Lowerre 1976)."""

from __future__ import annotations

from typing import Any

from reefsim.agents.judge import judge, restrict
from reefsim.agents.records import BEAM, LOOK, MAX_PLAN, MAX_WIDTH, TRAIL
from reefsim.core.bits import lowest
from reefsim.core.driver import apply, fingerprint, propose
from reefsim.core.kernel import Record, kernel
from reefsim.core.layout import store
from reefsim.core.rng import unit


@kernel
def plan_turn(
    states: Any,
    rules: Any,
    works: Any,
    log: Any,
    desk: Record,
    agent: Record,
    start: int,
    width: int,
    keep: int,
    restricted: int,
) -> None:
    """Work out what the seat to act in `states[start]` may do until another seat is to act.

    Of the unfinished turns the `width` best ones are followed action by action; the `keep` best
    finished ones are left on the desk (`done_...`), best first. Positions that differ only in the
    order of the actions count once.
    """
    r, w = rules[0], works[1]
    seat, turn = states[start].seat, states[start].turn
    desk.length = 0
    desk.num_done = 0
    store(states, BEAM, states[start])
    desk.trail[0] = -1
    side, count = 0, 1
    for _ in range(MAX_PLAN):
        other = MAX_WIDTH - side
        entered = 0
        for i in range(side, side + count):
            propose(states[BEAM + i], r, w)
            if restricted and restrict(states[BEAM + i], w, agent) == 0:
                propose(states[BEAM + i], r, w)
            for option in range(w.num_options):
                members = w.members[option]
                while members != 0:
                    action = w.first[option] + lowest(members)
                    members &= members - 1
                    store(states, LOOK, states[BEAM + i])
                    after = states[LOOK]
                    apply(after, r, w, log, action)
                    value = judge(after, r, w, agent, seat)
                    if after.over or after.turn != turn or after.seat != seat:
                        if agent.noise > 0:
                            value += agent.noise * unit(agent)
                        finish(desk, after, value, desk.trail[i], action, keep)
                    else:
                        entered = enter(
                            states, desk, value, desk.trail[i], action, other, entered, width
                        )
        side, count = other, entered
        if count == 0:
            break


@kernel
def note(desk: Record, before: int, action: int) -> int:
    """Write an action on the trail; returns its place, -1 if the trail is full."""
    place = desk.length
    if place >= TRAIL:
        return -1
    desk.action[place] = action
    desk.before[place] = before
    desk.length = place + 1
    return place


@kernel
def enter(
    states: Any,
    desk: Record,
    value: float,
    before: int,
    action: int,
    side: int,
    count: int,
    width: int,
) -> int:
    """Take `states[LOOK]` among the unfinished turns from place `side` on, if it is good enough.

    Returns how many there are.
    """
    place = side + count
    if count == width:
        place = side
        for i in range(side + 1, side + count):
            if desk.value[i] < desk.value[place]:
                place = i
        if value <= desk.value[place]:
            return count
    mark = fingerprint(states[LOOK])
    for i in range(side, side + count):
        if desk.print[i] == mark:
            return count
    trail = note(desk, before, action)
    if trail < 0:
        return count
    desk.value[place] = value
    desk.print[place] = mark
    desk.trail[place] = trail
    store(states, BEAM + place, states[LOOK])
    return count if count == width else count + 1


@kernel
def finish(desk: Record, s: Record, value: float, before: int, action: int, keep: int) -> None:
    """Take a finished turn among the best, which are kept in order."""
    count = desk.num_done
    if count == keep and value <= desk.done_value[count - 1]:
        return
    mark = fingerprint(s)
    for i in range(count):
        if desk.done_print[i] == mark:
            return
    trail = note(desk, before, action)
    if trail < 0:
        return
    i = count if count < keep else count - 1
    while i > 0 and desk.done_value[i - 1] < value:
        desk.done_value[i] = desk.done_value[i - 1]
        desk.done_print[i] = desk.done_print[i - 1]
        desk.done_trail[i] = desk.done_trail[i - 1]
        i -= 1
    desk.done_value[i] = value
    desk.done_print[i] = mark
    desk.done_trail[i] = trail
    if count < keep:
        desk.num_done = count + 1


@kernel
def read_trail(desk: Record, trail: int, plan: Any) -> int:
    """Write the actions that lead to a place on the trail, first to last; returns their number."""
    length = 0
    place = trail
    while place >= 0:
        length += 1
        place = desk.before[place]
    i = length
    place = trail
    while place >= 0:
        i -= 1
        plan[i] = desk.action[place]
        place = desk.before[place]
    return length
