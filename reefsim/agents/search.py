"""Looking several turns ahead: information set Monte Carlo tree search over plans for whole turns.

The plans for the turn to be played compete by sequential halving (Karnin, Koren & Somekh 2013):
each pass draws one position that fits what the seat knows (single-observer ISMCTS: Cowling, Powley
& Whitehouse 2012) and tries every plan still in the race in it, so that they are compared under
the same luck; after each round the worse half drops out. Below, an iteration walks down the tree
of plans by PUCT (Rosin 2011; Silver et al. 2017) and judges the position it arrives at by the
game's evaluation. The plans of a node are the best ones the beam of `agents.plan` finds in the
first position that reached it. In another position some of them may be illegal, then they do not
count there; where none is left, the beam is asked again. The budget is a number of iterations.
"""

from __future__ import annotations

import math
from typing import Any

from reefsim.agents.judge import SPREAD, imagine, list_legal, weigh
from reefsim.agents.plan import plan_turn, read_trail
from reefsim.agents.records import LEAF, LOOK, MAX_DEPTH, MAX_WIDTH, NOW, ROOT
from reefsim.core.driver import apply
from reefsim.core.kernel import Record, kernel
from reefsim.core.layout import store
from reefsim.core.work import is_option

ROOT_PLANS = 16  # plans that compete for the turn to be played
OWN_PLANS = 8  # plans looked at for a later turn of the same seat
RIVAL_PLANS = 1  # plans looked at for another seat's turn: the best it seems to have
LATER_SHARE = 5  # the beam that finds those follows so many times fewer turns than the first one
# An iteration ends after a turn of the seat that searches, a round or more ahead, so that positions
# are judged with the same seat to act; a node there is looked beyond from this number of visits on.
GROWN_UP = 3
EXPLORE = 1.2  # weight of the prior in PUCT
SHARP = 0.1  # spread of the prior over plans, in units of the evaluation's `spread`
FINAL_SPREAD = 1.0  # points that multiply the chances of a win by e once scores are final


def width_for(iterations: int) -> int:
    """Unfinished turns to follow for a budget: better plans are worth more than more of the same.

    >>> [width_for(budget) for budget in (1, 100, 400, 1600, 100_000)]
    [8, 8, 16, 32, 64]
    """
    return min(max(8, round(0.8 * math.sqrt(iterations))), MAX_WIDTH)


def tree_room(iterations: int) -> int:
    """Nodes a tree should have room for; a search that fills it grows no new ones."""
    return 1 + ROOT_PLANS + 6 * iterations


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
def grow(
    states: Any, rules: Any, works: Any, log: Any, desk: Record, tree: Any, agent: Record, node: int
) -> None:
    """Hang the plans that look best in states[LEAF] below a node."""
    plans = OWN_PLANS if states[LEAF].seat == states[ROOT].seat else RIVAL_PLANS
    width = max(2, agent.width // LATER_SHARE)
    plan_turn(states, rules, works, log, desk, agent, LEAF, width, plans, False)
    add_plans(tree, desk, agent, node)


@kernel
def iterate(
    states: Any,
    rules: Any,
    works: Any,
    log: Any,
    desk: Record,
    tree: Any,
    agent: Record,
    first: int,
) -> None:
    """One iteration from the position in states[ROOT], beginning with the plan of node `first`."""
    store(states, LEAF, states[ROOT])
    s = states[LEAF]
    desk.iterations += 1
    node, depth = 0, 0
    desk.path[0] = 0
    child = first
    while True:
        mover = states[LEAF].seat
        asked = depth == 0
        while child >= 0 and not play_plan(states, rules, works, log, tree[child]):
            tree[child].unfit = desk.iterations
            child = -1 if depth == 0 else best_child(tree, desk, node, mover)
            if child < 0 and not asked:
                grow(states, rules, works, log, desk, tree, agent, node)
                child = best_child(tree, desk, node, mover)
                asked = True
        if child < 0:
            break
        depth += 1
        node = child
        desk.path[depth] = node
        s = states[LEAF]  # the plan was played on a copy
        if s.over or depth == MAX_DEPTH:
            break
        if tree[node].first < 0:
            is_round = depth > 1 and mover == states[ROOT].seat
            if is_round and tree[node].visits < GROWN_UP:
                break
            grow(states, rules, works, log, desk, tree, agent, node)
        child = best_child(tree, desk, node, s.seat)
    chances(s, rules[0], works[1], agent, desk.chance)
    for i in range(depth + 1):
        passed = tree[desk.path[i]]
        passed.visits += 1
        for seat in range(s.seats):
            passed.value[seat] += desk.chance[seat]


@kernel
def is_better(one: Record, other: Record, seat: int) -> bool:
    """Whether a plan did better than another: by chances, then by visits, then by prior."""
    if one.visits == 0 or other.visits == 0:
        return one.visits > other.visits
    mean, other_mean = one.value[seat] / one.visits, other.value[seat] / other.visits
    return mean > other_mean or (mean == other_mean and one.prior > other.prior)


@kernel
def search_plans(
    states: Any, rules: Any, works: Any, log: Any, desk: Record, tree: Any, agent: Record
) -> int:
    """Let the finished turns on the desk compete; returns the node of the best one."""
    plant(tree, desk)
    add_plans(tree, desk, agent, 0)
    racing = desk.tree_size - 1
    for i in range(racing):
        desk.race[i] = 1 + i
    rounds = 0
    while 1 << rounds < racing:
        rounds += 1
    left = agent.iterations
    while racing > 1 and left > 0:
        # every round gets the same share of the budget, the last one all that is left
        spare = left - max(1, left // (rounds * racing)) * racing if rounds > 1 else 0
        while left > max(0, spare):
            seat = imagine(states, rules, agent)
            store(states, ROOT, states[NOW])
            for i in range(min(racing, left)):
                iterate(states, rules, works, log, desk, tree, agent, desk.race[i])
                left -= 1
        for k in range(1, racing):  # in order, best first
            i = k
            while i > 0 and is_better(tree[desk.race[i]], tree[desk.race[i - 1]], seat):
                desk.race[i], desk.race[i - 1] = desk.race[i - 1], desk.race[i]
                i -= 1
        racing = (racing + 1) // 2
        rounds -= 1
    return desk.race[0]


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
