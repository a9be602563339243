"""Kernels that play a recorded game again and judge its positions.

Chance is a function of what is drawn, so the key of a game and its actions are the whole game.
"""

from __future__ import annotations

from typing import Any

from reefsim.agents.judge import list_legal
from reefsim.agents.records import NUM_STATES
from reefsim.agents.search import chances
from reefsim.core.driver import apply, begin, rank, standing, stop
from reefsim.core.kernel import Record, entry, kernel
from reefsim.core.layout import store
from reefsim.core.rng import seed_agent, seed_chance
from reefsim.core.work import is_option, kind_of, list_actions
from reefsim.sim.loop import play_on

TRUE = NUM_STATES  # place of the true position among the states; the others are room for players
POINTS, EVALUATION = 0, 1  # how positions are judged
PLY, TURN, SEAT, KIND, LEGAL, OVER = range(6)  # columns of `marks`
NUM_MARKS = 6


@kernel
def share_of_points(s: Record, r: Record, chance: Any) -> None:
    """Write each seat's share of the points of all into `chance`; equal shares without points."""
    least = 0
    for seat in range(s.seats):
        least = min(least, standing(s, r, seat, 0))
    total = 0.0
    for seat in range(s.seats):
        chance[seat] = 0.0 + standing(s, r, seat, 0) - least
        total += chance[seat]
    for seat in range(s.seats):
        chance[seat] = chance[seat] / total if total > 0.0 else 1.0 / s.seats


@kernel
def outcome(s: Record, r: Record, chance: Any) -> None:
    """Write what each seat won into `chance`: 1/k for each of the k winners."""
    winners = 0
    for seat in range(s.seats):
        if rank(s, r, seat) == 1:
            winners += 1
    for seat in range(s.seats):
        chance[seat] = 1.0 / winners if rank(s, r, seat) == 1 else 0.0


@kernel
def appraise(s: Record, r: Record, w: Record, agent: Record, method: int, chance: Any) -> None:
    """Write each seat's chance of winning; what it won once the game is over."""
    if s.over:
        outcome(s, r, chance)
    elif method == EVALUATION:
        chances(s, r, w, agent, chance)
    else:
        share_of_points(s, r, chance)


@kernel
def mark(s: Record, r: Record, w: Record, seat: int, kind: int, row: Any, points: Any) -> None:
    """Note where a position stands in the game, and the points of all seats."""
    row[PLY] = w.num_events
    row[TURN] = s.turn
    row[SEAT] = seat
    row[KIND] = kind
    row[OVER] = s.over
    for p in range(s.seats):
        points[p] = standing(s, r, p, 0)


@kernel
def set_up(
    states: Any, i: int, rules: Any, work: Record, log: Any, root: Any, replicate: int, arm: int,
    seats: int,
) -> None:  # fmt: skip
    """Set up the game of a replicate in place `i` of the states."""
    seed_chance(states[i], root, replicate, arm)
    begin(states[i], rules[0], work, log, seats)


@entry
def retrace(
    states: Any,
    rules: Any,
    works: Any,
    log: Any,
    agents: Any,
    root: Any,
    replicate: int,
    arm: int,
    seats: int,
    actions: Any,
    method: int,
    marks: Any,
    points: Any,
    chance: Any,
    options: Any,
    values: Any,
) -> int:
    """Play a game again and judge every position of it.

    Parameters
    ----------
    states : the game's place, and one to try actions in
    works : 2 work records: the game's, which counts its events, and one to judge with
    log : empty, nothing is kept
    agents : 1 agent, whose weights the evaluation uses
    root, replicate, arm : the key of the game's chance, as it was played
    actions : int64, shape (decisions,)
    method : POINTS or EVALUATION
    marks : int64, shape (decisions + 1, NUM_MARKS): for each position the events so far, the turn,
        who acted and the kind of the action (-1 after the set-up), the legal actions there were
    points, chance : int64 and float64, shape (decisions + 1, seats)
    options : int64, room for the legal actions of a decision
    values : float64, shape (actions tried, seats): chances after each legal action of each decision
        in turn; nothing is tried if it is empty

    Returns
    -------
    the number of actions tried, if it is more than there is room for the rest is missing; less than
    0, if the action of decision -1 - (what is returned) is not legal
    """
    r, w, scratch = rules[0], works[0], works[1]
    set_up(states, 0, rules, w, log, root, replicate, arm, seats)
    s = states[0]
    mark(s, r, w, -1, -1, marks[0], points[0])
    appraise(s, r, scratch, agents[0], method, chance[0])
    tried = 0
    for n in range(len(actions)):
        list_legal(s, r, w)
        if len(values) > 0:
            legal = list_actions(w, options)
            for i in range(legal):
                if tried < len(values):
                    store(states, 1, s)
                    apply(states[1], r, scratch, log, options[i])
                    appraise(states[1], r, scratch, agents[0], method, values[tried])
                tried += 1
        if s.over or not is_option(w, actions[n]):
            return -1 - n
        seat = s.seat
        marks[n + 1][LEGAL] = w.num_legal
        apply(s, r, w, log, actions[n])
        mark(s, r, w, seat, kind_of(actions[n]), marks[n + 1], points[n + 1])
        appraise(s, r, scratch, agents[0], method, chance[n + 1])
    if not s.over:  # a limit on its events stopped it
        last = len(actions)
        stop(s, r, w, log)
        mark(s, r, w, marks[last][SEAT], marks[last][KIND], marks[last], points[last])
        appraise(s, r, scratch, agents[0], method, chance[last])
    return tried


@entry
def roll_out(
    states: Any,
    rules: Any,
    works: Any,
    desks: Any,
    tree: Any,
    players: Any,
    log: Any,
    turns: Any,
    root: Any,
    replicate: int,
    arm: int,
    seats: int,
    actions: Any,
    stops: Any,
    playouts: int,
    playout_root: Any,
    max_plies: int,
    won: Any,
    squares: Any,
) -> None:
    """Play a game again, and from some of its positions on to the end, many times.

    A playout starts from the true position. Playout number i has the same chance and its players
    the same random numbers from whichever position of a replicate it starts, so that differences
    between positions are not those of luck.

    Parameters
    ----------
    states : room for players, and the true position in place TRUE
    works : 3 work records: the playout's, one to look ahead, the game's
    desks, tree, players : 1 desk, room for a search, one agent per seat
    log, turns : empty, nothing is kept
    root, replicate, arm, actions : the game, as for `retrace`
    stops : int64: positions to play out from, by the number of actions before them, rising; none of
        them the end
    playout_root : 2 words that stand for the random numbers of the playouts
    max_plies : a playout is stopped at so many events; 0: never
    won, squares : float64, shape (stops, seats), 0: sums of what each seat won, and of its squares
    """
    r = rules[0]
    set_up(states, TRUE, rules, works[2], log, root, replicate, arm, seats)
    done = 0
    for place in range(len(stops)):
        while done < stops[place]:
            list_legal(states[TRUE], r, works[2])
            apply(states[TRUE], r, works[2], log, actions[done])
            done += 1
        for number in range(playouts):
            store(states, 0, states[TRUE])
            store(works, 0, works[2])
            works[0].turn_over = 0
            seed_chance(states[0], playout_root, replicate, 1 + number)
            for seat in range(seats):
                seed_agent(players[seat], playout_root, replicate, 0, seat, 1 + number)
                players[seat].plan_len = 0
                players[seat].plan_at = 0
                players[seat].plan_turn = -1
            play_on(states, rules, works, desks, tree, players, log, turns, 0, max_plies)
            winners = 0.0
            for seat in range(seats):
                if rank(states[0], r, seat) == 1:
                    winners += 1.0
            for seat in range(seats):
                if rank(states[0], r, seat) == 1:
                    won[place][seat] += 1.0 / winners
                    squares[place][seat] += 1.0 / (winners * winners)
