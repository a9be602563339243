"""Looking several turns ahead: information set Monte Carlo tree search over plans for whole turns.

Each iteration draws a position that fits what the seat knows (single-observer ISMCTS: Cowling,
Powley & Whitehouse 2012), walks down the tree of plans by PUCT (Rosin 2011; Silver et al. 2017) and
judges the position it arrives at by the game's evaluation. The plans of a node are the best ones
the beam of `agents.plan` finds in the first position that reached it; in another position some of
them may be illegal, then they do not count there. The budget is a number of iterations.
"""

from __future__ import annotations

import math
from typing import Any

from reefsim.agents.judge import SPREAD, list_legal, weigh
from reefsim.agents.plan import plan_turn, read_trail
from reefsim.agents.records import LEAF, LOOK, MAX_DEPTH, ROOT
from reefsim.core.driver import apply
from reefsim.core.kernel import Record, kernel
from reefsim.core.layout import store
from reefsim.core.work import is_option

ROOT_PLANS = 16  # plans looked at for the turn to be played
OWN_PLANS = 8  # plans looked at for a later turn of the same seat
RIVAL_PLANS = 1  # plans looked at for another seat's turn: the best it seems to have
LATER_WIDTH = 3  # of the beam that finds those
GROWN_UP = 3  # visits after which a node more than a round ahead gets plans of its own
EXPLORE = 1.2  # weight of the prior in PUCT
SHARP = 0.25  # spread of the prior over plans, in units of the evaluation's `spread`
FREE = 0  # of the agent's restrictions, which bind nobody in a later turn
FINAL_SPREAD = 1.0  # points that multiply the chances of a win by e once scores are final


def tree_room(iterations: int) -> int:
    """Nodes a tree should have room for; a search that fills it grows no new ones."""
    return 1 + ROOT_PLANS + 2 * iterations


@kernel
def chances(s: Record, r: Record, w: Record, agent: Record, chance: Any) -> None:
    """Write each seat's chance of winning, as the evaluation has it, into `chance`."""
    settled = weigh(s, r, w, agent)
    spread = FINAL_SPREAD if settled else agent.weights[SPREAD]
    most = w.worth[0]
    for seat in range(1, s.seats):
        most = max(most, w.worth[seat])
    total = 0.0
    for seat in range(s.seats):
        chance[seat] = math.exp((w.worth[seat] - most) / spread)
        total += chance[seat]
    for seat in range(s.seats):
        chance[seat] /= total


@kernel
def add_plans(tree: Any, desk: Record, agent: Record, node: int) -> None:
    """Hang the finished turns on the desk below a node, as far as there is room in the tree."""
    spread = SHARP * agent.weights[SPREAD]
    total = 0.0
    for i in range(desk.num_done):
        total += math.exp((desk.done_value[i] - desk.done_value[0]) / spread)
    for i in range(desk.num_done):
        place = desk.tree_size
        if place >= len(tree):
            return
        desk.tree_size = place + 1
        child = tree[place]
        child.prior = math.exp((desk.done_value[i] - desk.done_value[0]) / spread) / total
        child.visits = 0
        child.first = -1
        for seat in range(len(child.value)):
            child.value[seat] = 0.0
        child.length = read_trail(desk, desk.done_trail[i], child.plan)
        child.next = tree[node].first
        tree[node].first = place


@kernel
def best_child(tree: Any, desk: Record, node: int, seat: int) -> int:
    """The plan below a node that PUCT picks for the seat to act, -1 if there is none left.

    A plan that proved illegal in this iteration carries its number.
    """
    visits = tree[node].visits
    parent = tree[node].value[seat] / visits if visits > 0 else 0.5
    reach = EXPLORE * math.sqrt(visits + 1.0)
    best, most = -1, -1e18
    place = tree[node].first
    while place >= 0:
        child = tree[place]
        if child.unfit != desk.iterations:
            known = child.value[seat] / child.visits if child.visits > 0 else parent
            value = known + reach * child.prior / (1.0 + child.visits)
            if value > most:
                best, most = place, value
        place = child.next
    return best


@kernel
def play_plan(states: Any, rules: Any, works: Any, log: Any, node: Record) -> bool:
    """Play a plan out from states[LEAF]; False, with the state as it was, if it is not legal."""
    store(states, LOOK, states[LEAF])
    s, r, w = states[LOOK], rules[0], works[1]
    for i in range(node.length):
        if s.over:
            return False
        list_legal(s, r, w)
        if not is_option(w, node.plan[i]):
            return False
        apply(s, r, w, log, node.plan[i])
    store(states, LEAF, s)
    return True


@kernel
def iterate(
    states: Any, rules: Any, works: Any, log: Any, desk: Record, tree: Any, agent: Record
) -> None:
    """One iteration from the position in states[ROOT]."""
    store(states, LEAF, states[ROOT])
    s = states[LEAF]
    desk.iterations += 1
    node, depth = 0, 0
    desk.path[0] = 0
    while not s.over and depth < MAX_DEPTH:
        if tree[node].first < 0:
            if desk.tree_size >= len(tree) or (tree[node].visits < GROWN_UP and depth > s.seats):
                break
            plans = OWN_PLANS if s.seat == states[ROOT].seat else RIVAL_PLANS
            plan_turn(states, rules, works, log, desk, agent, LEAF, 1, LATER_WIDTH, plans, FREE)
            add_plans(tree, desk, agent, node)
        child = best_child(tree, desk, node, s.seat)
        while child >= 0 and not play_plan(states, rules, works, log, tree[child]):
            tree[child].unfit = desk.iterations
            child = best_child(tree, desk, node, s.seat)
        if child < 0:
            break
        s = states[LEAF]  # the plan was played on a copy
        depth += 1
        node = child
        desk.path[depth] = node
    chances(s, rules[0], works[1], agent, desk.chance)
    for i in range(depth + 1):
        passed = tree[desk.path[i]]
        passed.visits += 1
        for seat in range(s.seats):
            passed.value[seat] += desk.chance[seat]


@kernel
def most_visited(tree: Any) -> int:
    """The plan below the root that was looked at most; among equals the one with the best prior."""
    best = tree[0].first
    place = best
    while place >= 0:
        child, leader = tree[place], tree[best]
        if child.visits > leader.visits or (
            child.visits == leader.visits and child.prior > leader.prior
        ):
            best = place
        place = child.next
    return best


@kernel
def plant(tree: Any, desk: Record) -> None:
    """Begin a tree: a root without plans."""
    root = tree[0]
    root.visits = 0
    root.first = -1
    root.next = -1
    for seat in range(len(root.value)):
        root.value[seat] = 0.0
    desk.tree_size = 1
