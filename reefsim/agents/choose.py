"""The built-in players inside kernels: which of them decides, and how."""

from __future__ import annotations

from typing import Any

from reefsim.agents.judge import imagine, is_restricted, judge, judge_action, list_allowed
from reefsim.agents.plan import plan_turn, read_trail
from reefsim.agents.records import LOOK, NOW
from reefsim.agents.search import ROOT_PLANS, search_plans
from reefsim.core.bits import lowest
from reefsim.core.driver import is_chancy
from reefsim.core.kernel import Record, entry, inlined, kernel
from reefsim.core.rng import below, unit
from reefsim.core.work import is_option, nth_action

RANDOM, GREEDY, PLANNER, SEARCH = range(4)


@inlined
def is_plain_random(agent: Record) -> bool:
    """Whether an agent takes any legal action, so that `choose` need not be asked."""
    return agent.kind == RANDOM and not is_restricted(agent)


@kernel
def choose(
    states: Any, rules: Any, works: Any, log: Any, desks: Any, tree: Any, agent: Record
) -> int:
    """The action an agent takes; the legal ones are in works[0].

    states[0] is the game, the other states are room to look ahead, as are works[1], which logs
    nothing, desks[0] and the tree.
    """
    if agent.kind >= PLANNER:
        # the next action of the plan for this turn; a new plan where there is none that fits
        turn = states[0].turn
        fits = agent.plan_turn == turn and agent.plan_at < agent.plan_len
        if not fits or not is_option(works[0], agent.plan[agent.plan_at]):
            if works[0].num_legal == 1:
                return nth_action(works[0], 0)
            make_plan(states, rules, works, log, desks[0], tree, agent, 1)
            agent.plan_turn = turn
        action = agent.plan[agent.plan_at]
        agent.plan_at += 1
        return action if is_option(works[0], action) else nth_action(works[0], 0)
    if works[0].num_legal == 1:
        return nth_action(works[0], 0)
    list_allowed(states[0], rules[0], works[1], agent)
    if agent.kind == RANDOM:
        return nth_action(works[1], below(agent, works[1].num_legal))
    return choose_greedy(states, rules, works, log, agent)


# Improving actions come first, then those that end the turn, then the rest.
ENDS_TURN, IMPROVES = 1e6, 2e6


@kernel
def choose_greedy(states: Any, rules: Any, works: Any, log: Any, agent: Record) -> int:
    """The action after which the position looks best to the seat; they are in works[1].

    The seat looks at a position drawn to fit what it may know, never at the game itself. Ending the
    turn can wait, unless it ends the game well: such an action is taken once no other one improves
    the position. Each value gets an error, uniform in 0..noise; equal values are decided by lot.
    """
    w = works[1]
    seat = imagine(states, rules, agent)
    now = states[NOW]
    standing_still = judge(now, rules[0], w, agent, seat)
    best, best_value, ties = nth_action(w, 0), -1e18, 0
    for i in range(w.num_options):
        members = w.members[i]
        while members != 0:
            action = w.first[i] + lowest(members)
            members &= members - 1
            value = judge_action(states, rules[0], w, log, agent, NOW, action)
            after = states[LOOK]
            improves = value > standing_still
            value += agent.noise * unit(agent)
            goes_on = after.turn == now.turn and after.seat == seat
            if is_chancy(now, action):  # as far as the seat can tell
                goes_on = True
            if improves and (goes_on or after.over):
                value += IMPROVES
            elif not goes_on or after.over:
                value += ENDS_TURN
            if value > best_value:
                best, best_value, ties = action, value, 1
            elif value == best_value:
                ties += 1
                if below(agent, ties) == 0:
                    best = action
    return best


@kernel
def make_plan(
    states: Any,
    rules: Any,
    works: Any,
    log: Any,
    desk: Record,
    tree: Any,
    agent: Record,
    keep: int,
) -> None:
    """Write the plan for the running turn into the agent.

    The `keep` best finished turns stay on the desk; a search takes at least its own number.
    """
    imagine(states, rules, agent)
    turns = agent.turns
    if agent.kind == SEARCH:
        turns = 1
        keep = max(keep, ROOT_PLANS)
    plan_turn(states, rules, works, log, desk, agent, NOW, turns, agent.width, keep, True)
    agent.plan_at = 0
    if desk.num_done == 0:  # no turn came to its end within the actions looked ahead
        agent.plan[0] = nth_action(works[0], 0)
        agent.plan_len = 1
        return
    if agent.kind == PLANNER or desk.num_done == 1:
        agent.plan_len = read_trail(desk, desk.done_trail[0], agent.plan)
        return
    best = tree[search_plans(states, rules, works, log, desk, tree, agent)]
    agent.plan_len = best.length
    for i in range(best.length):
        agent.plan[i] = best.plan[i]


@entry
def consider(
    states: Any,
    rules: Any,
    works: Any,
    log: Any,
    desks: Any,
    tree: Any,
    agents: Any,
    keep: int,
) -> None:
    """Let agents[0] make its plan for the game in states[0] and leave what it found.

    The best finished turns are on desks[0]; a search leaves its tree, rooted at tree[0].
    """
    make_plan(states, rules, works, log, desks[0], tree, agents[0], keep)


@entry
def judge_actions(
    states: Any, rules: Any, works: Any, log: Any, agents: Any, actions: Any, values: Any
) -> None:
    """Write what agents[0], looking one action ahead, thinks of each of some legal actions."""
    imagine(states, rules, agents[0])
    for i in range(len(actions)):
        values[i] = judge_action(states, rules[0], works[1], log, agents[0], NOW, actions[i])
