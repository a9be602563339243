"""The records of the built-in players: an agent, the desk it plans turns on, its search tree."""

from __future__ import annotations

import numpy as np

from reefsim.core.game import MAX_WEIGHTS
from reefsim.core.layout import Layout
from reefsim.core.work import MAX_SEATS

MAX_PLAN = 64  # actions of a turn looked ahead
MAX_WIDTH = 64  # unfinished turns followed at a time
MAX_KEPT = 24  # finished turns kept
MAX_ITERATIONS = 100_000
MAX_DEPTH = 12  # turns a search looks ahead
TRAIL = 1 << 15  # actions tried while one turn is worked out

AGENT = Layout(
    "agent",
    [
        ("rng", np.int64, (4,)),  # xoshiro128++, see core.rng
        ("kind", np.int64),  # code of its kind (`agents.kinds`)
        ("noise", np.float64),  # spread of the error in its judgment, in points
        ("width", np.int64),  # unfinished turns followed at a time
        ("iterations", np.int64),  # of a search, for each turn
        ("never", np.int64),  # kinds of actions it does not take, by bit
        ("forbidden", np.int64),  # restrictions of the game it plays under, by bit
        ("weights", np.float64, (MAX_WEIGHTS,)),  # of the evaluation, see `Game.weights`
        # what it does in the running turn
        ("plan", np.int64, (MAX_PLAN,)),
        ("plan_len", np.int64),
        ("plan_at", np.int64),
        ("plan_turn", np.int64),
    ],
)

# Where things lie in the array of states a player works with; 0 is the game's own.
NOW, LOOK, ROOT, LEAF, BEAM = 1, 2, 3, 4, 5
NUM_STATES = BEAM + 2 * MAX_WIDTH

DESK = Layout(
    "desk",
    [
        # unfinished turns: two sets of MAX_WIDTH, the one being read and the one being filled
        ("value", np.float64, (2 * MAX_WIDTH,)),
        ("print", np.int64, (2 * MAX_WIDTH,)),
        ("opening", np.int64, (2 * MAX_WIDTH,)),  # kind of its first action
        ("trail", np.int64, (2 * MAX_WIDTH,)),
        ("count", np.int64, (2,)),
        # finished turns, best first
        ("done_value", np.float64, (MAX_KEPT,)),
        ("done_print", np.int64, (MAX_KEPT,)),
        ("done_opening", np.int64, (MAX_KEPT,)),
        ("done_trail", np.int64, (MAX_KEPT,)),
        ("num_done", np.int64),
        # every action tried and kept for a while, with the one before it
        ("action", np.int64, (TRAIL,)),
        ("before", np.int64, (TRAIL,)),
        ("length", np.int64),
        # a search
        ("iterations", np.int64),  # since the desk was made
        ("tree_size", np.int64),
        ("race", np.int64, (MAX_KEPT,)),  # nodes of the plans that compete, best first
        ("path", np.int64, (MAX_DEPTH + 1,)),  # nodes of an iteration
        ("chance", np.float64, (MAX_SEATS,)),  # of winning, where it ended
    ],
)

# A node of a search tree: a plan for a turn, and what is known of the position after it.
NODE = Layout(
    "node",
    [
        ("prior", np.float64),  # of the plan among its siblings
        ("visits", np.int64),
        ("value", np.float64, (MAX_SEATS,)),  # sum of each seat's chances of winning
        ("unfit", np.int64),  # the last iteration in which the plan was not legal
        ("first", np.int64),  # the newest of its children, -1 if it has none
        ("next", np.int64),  # the sibling made before it
        ("length", np.int64),
        ("plan", np.int64, (MAX_PLAN,)),
    ],
)
