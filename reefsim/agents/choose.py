"""The built-in players inside kernels: which of them decides, and how."""

from __future__ import annotations

from typing import Any

import numpy as np

from reefsim.core.bits import lowest
from reefsim.core.driver import apply, blind, determinize, evaluate
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.layout import Layout, store
from reefsim.core.rng import below, unit
from reefsim.core.work import nth_action

RANDOM, GREEDY = 0, 1

AGENT = Layout(
    "agent",
    [
        ("rng", np.int64, (4,)),  # xoshiro128++, see core.rng
        ("kind", np.int64),  # RANDOM or GREEDY
        ("noise", np.float64),
    ],
)


@inlined
def choose(states: Any, rules: Any, works: Any, log: Any, agent: Record) -> int:
    """The action an agent takes; the legal ones are in works[0].

    states[0] is the game; states[1] and states[2] are room to look ahead, with works[1], which
    logs nothing.
    """
    if agent.kind == GREEDY:
        return choose_greedy(states, rules, works, log, agent)
    return nth_action(works[0], below(agent, works[0].num_legal))


# Improving actions come first, then those that end the turn, then the rest.
ENDS_TURN, IMPROVES = 1e6, 2e6


@kernel
def choose_greedy(states: Any, rules: Any, works: Any, log: Any, agent: Record) -> int:
    """The action after which the position looks best to the seat.

    The seat looks at a position drawn to fit what it may know, never at the game itself. Ending the
    turn can wait: such an action is taken once no other one improves the position. Each value gets
    an error, uniform in 0..noise; equal values are decided by lot.
    """
    w, ahead = works[0], works[1]
    seat = states[0].seat
    if w.num_legal == 1:
        return nth_action(w, 0)
    store(states, 1, states[0])
    now = states[1]
    blind(now, rules[0], seat)
    determinize(now, rules[0], seat, agent)
    standing_still = evaluate(now, rules[0], seat)
    best, best_value, ties = -1, -1e18, 0
    for i in range(w.num_options):
        members = w.members[i]
        while members != 0:
            action = w.first[i] + lowest(members)
            members &= members - 1
            store(states, 2, now)
            after = states[2]
            apply(after, rules[0], ahead, log, action)
            value = evaluate(after, rules[0], seat)
            improves = value > standing_still
            value += agent.noise * unit(agent)
            if after.over or after.turn != now.turn or after.seat != seat:
                value += ENDS_TURN
            elif improves:
                value += IMPROVES
            if value > best_value:
                best, best_value, ties = action, value, 1
            elif value == best_value:
                ties += 1
                if below(agent, ties) == 0:
                    best = action
    return best
