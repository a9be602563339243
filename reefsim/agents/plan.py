"""Working out a whole turn: a beam search over atomic actions (Lowerre 1976)."""

from __future__ import annotations

from typing import Any

from reefsim.agents.judge import judge, list_promising, outlook, try_action
from reefsim.agents.records import BEAM, LOOK, MAX_PLAN, MAX_WIDTH, TRAIL
from reefsim.core.bits import lowest
from reefsim.core.driver import fingerprint, propose, skip
from reefsim.core.kernel import Record, kernel
from reefsim.core.layout import store
from reefsim.core.rng import unit
from reefsim.core.work import kind_of

# From so many places on, the best turn of every kind of opening keeps its place: turns that begin
# with a sacrifice would not live long enough to show what it is good for.
VARIED = 12


@kernel
def plan_turn(
    states: Any,
    rules: Any,
    works: Any,
    log: Any,
    desk: Record,
    agent: Record,
    start: int,
    turns: int,
    width: int,
    keep: int,
    restricted: bool,
) -> None:
    """Work out what the seat to act in `states[start]` may do until another seat is to act.

    With more than one of its `turns` those of the others in between are passed over.

    Of the unfinished turns the `width` best ones are followed action by action; the `keep` best
    finished ones are left on the desk (`done_...`), best first. A turn counts as finished where
    chance decides how it goes on. Positions that differ only in the order of the actions count
    once. The agent's restrictions hold if `restricted`: they bind it in the running turn, and
    nobody in a later one.
    """
    r, w = rules[0], works[1]
    seat, turn = states[start].seat, states[start].turn
    desk.length = 0
    desk.num_done = 0
    store(states, BEAM, states[start])
    desk.trail[0] = -1
    side, count = 0, 1
    for depth in range(MAX_PLAN):
        other = MAX_WIDTH - side
        entered = 0
        for i in range(side, side + count):
            if restricted:
                list_promising(states[BEAM + i], r, w, agent)
            else:
                propose(states[BEAM + i], r, w)
            now = states[BEAM + i].turn
            for option in range(w.num_options):
                members = w.members[option]
                while members != 0:
                    action = w.first[option] + lowest(members)
                    members &= members - 1
                    opening = kind_of(action) if depth == 0 else desk.opening[i]
                    before = desk.trail[i]
                    if try_action(states, r, w, log, BEAM + i, action):
                        value = outlook(states, r, w, log, agent, BEAM + i, action)
                        if agent.noise > 0:
                            value += agent.noise * unit(agent)
                        look = states[LOOK]
                        finish(desk, look, True, value, opening, before, action, keep)
                        continue
                    after = states[LOOK]
                    ended = after.over or after.turn != now or after.seat != seat
                    if ended and not after.over and after.turn - turn <= (turns - 1) * after.seats:
                        ended = not skip(after, r, seat)
                    value = judge(after, r, w, agent, seat)
                    if ended:
                        if agent.noise > 0:
                            value += agent.noise * unit(agent)
                        finish(desk, after, False, value, opening, before, action, keep)
                    else:
                        entered = enter(
                            states, desk, value, opening, before, action, other, entered, width
                        )
        side, count = other, entered
        if count == 0:
            break
    sort_done(desk)


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
def place_for(
    values: Any, openings: Any, value: float, opening: int, first: int, count: int, room: int
) -> int:
    """The place a turn takes among `count` others from place `first` on, -1 if it takes none.

    While there is room it is a new one, else that of the worst turn that is worse; see `VARIED`.
    """
    if count < room:
        return first + count
    worst = -1
    best_alike = -1e18  # value of the best turn with this opening
    for i in range(first, first + count):
        if openings[i] == opening:
            best_alike = max(best_alike, values[i])
        if worst < 0 or values[i] < values[worst]:
            alike = openings[i] == opening
            if room < VARIED or alike or has_better(values, openings, i, first, count):
                worst = i
    if worst < 0 or (value <= values[worst] and (room < VARIED or best_alike > -1e17)):
        return -1
    return worst


@kernel
def has_better(values: Any, openings: Any, i: int, first: int, count: int) -> bool:
    """Whether another turn with the opening of turn `i` is as good."""
    for k in range(first, first + count):
        if k != i and openings[k] == openings[i] and values[k] >= values[i]:
            return True
    return False


@kernel
def enter(
    states: Any,
    desk: Record,
    value: float,
    opening: int,
    before: int,
    action: int,
    first: int,
    count: int,
    width: int,
) -> int:
    """Take `states[LOOK]` among the unfinished turns from place `first` on, if it is good enough.

    Returns how many there are.
    """
    place = place_for(desk.value, desk.opening, value, opening, first, count, width)
    if place < 0:
        return count
    mark = fingerprint(states[LOOK])
    for i in range(first, first + count):
        if desk.print[i] == mark and mark >= 0:
            return count
    trail = note(desk, before, action)
    if trail < 0:
        return count
    desk.value[place] = value
    desk.print[place] = mark
    desk.opening[place] = opening
    desk.trail[place] = trail
    store(states, BEAM + place, states[LOOK])
    return count if count == width else count + 1


@kernel
def finish(
    desk: Record,
    s: Record,
    chancy: bool,
    value: float,
    opening: int,
    before: int,
    action: int,
    keep: int,
) -> None:
    """Take a finished turn among those kept, if it is good enough.

    It leads to the position `s`, or to one of many if it is chancy, and then is like no other turn.
    """
    count = desk.num_done
    place = place_for(desk.done_value, desk.done_opening, value, opening, 0, count, keep)
    if place < 0:
        return
    mark = -1 if chancy else fingerprint(s)
    for i in range(count):
        if desk.done_print[i] == mark and mark >= 0:
            return
    trail = note(desk, before, action)
    if trail < 0:
        return
    desk.done_value[place] = value
    desk.done_print[place] = mark
    desk.done_opening[place] = opening
    desk.done_trail[place] = trail
    if count < keep:
        desk.num_done = count + 1


@kernel
def sort_done(desk: Record) -> None:
    """Put the finished turns in order, best first, those found earlier first among equals."""
    for k in range(1, desk.num_done):
        value, trail, mark = desk.done_value[k], desk.done_trail[k], desk.done_print[k]
        i = k
        while i > 0 and (
            desk.done_value[i - 1] < value
            or (desk.done_value[i - 1] == value and desk.done_trail[i - 1] > trail)
        ):
            desk.done_value[i] = desk.done_value[i - 1]
            desk.done_trail[i] = desk.done_trail[i - 1]
            desk.done_print[i] = desk.done_print[i - 1]
            i -= 1
        desk.done_value[i] = value
        desk.done_trail[i] = trail
        desk.done_print[i] = mark


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
