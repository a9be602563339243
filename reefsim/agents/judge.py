"""What players share: what a seat may believe, how it judges, the actions it lets itself take."""

from __future__ import annotations

from typing import Any

from reefsim.agents.records import LOOK, NOW
from reefsim.core.driver import (
    apply,
    blind,
    determinize,
    evaluate,
    forbid,
    is_chancy,
    legal,
    propose,
    standing,
)
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.layout import store
from reefsim.core.work import close_options, kind_of

RIVALS, SPREAD = 0, 1  # places of the weights that mean the same in every game
DECIDED = 20.0  # points that a won game is worth beyond its margin
# Of an action that chance decides; the error of their mean is an eighth of the spread.
OUTCOMES = 64


@kernel
def judge(s: Record, r: Record, w: Record, agent: Record, seat: int) -> float:
    """How good a position is for a seat, in points; once the scores are final, winning counts."""
    settled = weigh(s, r, w, agent)
    own = w.worth[seat]
    if settled:
        best = -1e18
        for other in range(s.seats):
            if other != seat:
                best = max(best, w.worth[other])
        margin = own - best
        return margin + DECIDED * margin / (abs(margin) + 2.0)
    others = 0.0
    for other in range(s.seats):
        if other != seat:
            others += w.worth[other]
    return own - agent.weights[RIVALS] * others / (s.seats - 1)


@kernel
def outlook(
    states: Any, r: Record, w: Record, log: Any, agent: Record, start: int, action: int
) -> float:
    """How good an action in `states[start]` that chance decides is for the seat to act.

    It is the mean over many outcomes; `states[LOOK]` is the last of them.
    """
    seat = states[start].seat
    total = 0.0
    for _ in range(OUTCOMES):
        store(states, LOOK, states[start])
        blind(states[LOOK], r, seat)
        determinize(states[LOOK], r, seat, agent)
        apply(states[LOOK], r, w, log, action)
        total += judge(states[LOOK], r, w, agent, seat)
    return total / OUTCOMES


@kernel
def try_action(states: Any, r: Record, w: Record, log: Any, start: int, action: int) -> bool:
    """Carry out an action of `states[start]` in `states[LOOK]`, unless chance decides what it does.

    Returns whether chance does; then `outlook` judges the action.
    """
    if is_chancy(states[start], action):
        return True
    drawn = w.drawn
    store(states, LOOK, states[start])
    apply(states[LOOK], r, w, log, action)
    return w.drawn != drawn


@kernel
def judge_action(
    states: Any, r: Record, w: Record, log: Any, agent: Record, start: int, action: int
) -> float:
    """How good an action in `states[start]` is for the seat to act; it leads to `states[LOOK]`."""
    if try_action(states, r, w, log, start, action):
        return outlook(states, r, w, log, agent, start, action)
    return judge(states[LOOK], r, w, agent, states[start].seat)


@kernel
def weigh(s: Record, r: Record, w: Record, agent: Record) -> bool:
    """Write each seat's worth into `w.worth`; returns whether these are final scores."""
    if s.over:
        for seat in range(s.seats):
            w.worth[seat] = standing(s, r, seat, 0)
        return True
    return evaluate(s, r, w, agent.weights)


@kernel
def list_legal(s: Record, r: Record, w: Record) -> None:
    """Write the legal actions; `legal` itself is inlined wherever it is called."""
    legal(s, r, w)


@kernel
def list_allowed(s: Record, r: Record, w: Record, agent: Record) -> None:
    """Write the legal actions an agent lets itself take: all, if that would leave none."""
    list_legal(s, r, w)
    if is_restricted(agent) and restrict(s, w, agent) == 0:
        list_legal(s, r, w)


@kernel
def list_promising(s: Record, r: Record, w: Record, agent: Record) -> None:
    """Write the actions worth a look among those an agent lets itself take.

    If that leaves none, it is any action it lets itself take, and failing that, any worth a look.
    """
    propose(s, r, w)
    if is_restricted(agent) and restrict(s, w, agent) == 0:
        list_legal(s, r, w)
        if restrict(s, w, agent) == 0:
            propose(s, r, w)


@inlined
def is_restricted(agent: Record) -> bool:
    """Whether there are legal actions an agent does not take."""
    return agent.never != 0 or agent.forbidden != 0


@kernel
def restrict(s: Record, w: Record, agent: Record) -> int:
    """Drop the options an agent does not take; returns how many actions are left."""
    for i in range(w.num_options):
        if (agent.never >> kind_of(w.first[i])) & 1:
            w.members[i] = 0
    if agent.forbidden != 0:
        forbid(s, w, agent.forbidden)
    return close_options(w, w.num_options)


@kernel
def imagine(states: Any, rules: Any, agent: Record) -> int:
    """Draw what the seat to act may believe into states[NOW]; returns the seat."""
    seat = states[0].seat
    store(states, NOW, states[0])
    blind(states[NOW], rules[0], seat)
    determinize(states[NOW], rules[0], seat, agent)
    return seat
