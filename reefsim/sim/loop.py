"""The loop over games, as kernels."""

from __future__ import annotations

import sys
from typing import Any

from reefsim.agents import choose as agents_kernels
from reefsim.agents import records as agents_records
from reefsim.agents.choose import choose, is_plain_random
from reefsim.agents.judge import list_allowed
from reefsim.agents.kinds import OUTSIDE
from reefsim.core.driver import begin, legal, step, stop, take_turn_row, write_results
from reefsim.core.kernel import entry, kernel
from reefsim.core.layout import store
from reefsim.core.rng import below, seed_agent, seed_chance
from reefsim.core.work import list_actions, nth_action


@kernel
def play_on(
    states: Any,
    rules: Any,
    works: Any,
    desks: Any,
    tree: Any,
    seated: Any,
    log: Any,
    turns: Any,
    turn: int,
    max_plies: int,
) -> int:
    """Play until the game is over or a seat is to act whose agent is not built in.

    Rows of finished turns are written from place `turn` on; returns the place behind the last.
    """
    s, r, w = states[0], rules[0], works[0]
    while True:
        if w.turn_over:
            turn = take_turn_row(w, turns, turn)
        if s.over:
            break
        if 0 < max_plies <= w.num_events:
            stop(s, r, w, log)
            break
        if seated[s.seat].kind == OUTSIDE:
            break
        legal(s, r, w)
        agent = seated[s.seat]
        if is_plain_random(agent):
            action = nth_action(w, below(agent, w.num_legal))
        else:
            action = choose(states, rules, works, log, desks, tree, agent)
        step(s, r, w, log, action)
    return turn


@kernel
def open_game(
    states: Any,
    rules: Any,
    works: Any,
    line_up: Any,
    seated: Any,
    root: Any,
    arm: int,
    job: Any,
    log: Any,
    log_start: int,
) -> None:
    """Seat the agents of a job and set up its game; every random number is keyed here."""
    seats = len(seated)
    for seat in range(seats):
        store(seated, seat, line_up[job[2 + seat]])
        seed_agent(seated[seat], root, job[0], job[1], job[2 + seat], arm)
    seed_chance(states[0], root, job[0], arm)
    works[0].log_start = log_start
    begin(states[0], rules[0], works[0], log, seats)


@entry
def open_match(
    states: Any,
    rules: Any,
    works: Any,
    line_up: Any,
    seated: Any,
    root: Any,
    arm: int,
    job: Any,
    log: Any,
    log_start: int,
) -> None:
    """Begin one game that ordinary Python takes part in (`sim.table_play`)."""
    open_game(states, rules, works, line_up, seated, root, arm, job, log, log_start)


@entry
def continue_match(
    states: Any,
    rules: Any,
    works: Any,
    desks: Any,
    tree: Any,
    seated: Any,
    log: Any,
    turns: Any,
    turn: int,
    max_plies: int,
) -> int:
    """Let the built-in agents act up to the next decision of another agent, or to the end."""
    return play_on(states, rules, works, desks, tree, seated, log, turns, turn, max_plies)


@entry
def list_choices(states: Any, rules: Any, works: Any, line_up: Any, slot: int, actions: Any) -> int:
    """Write the legal actions that the agent of a slot lets itself take; returns their number."""
    list_allowed(states[0], rules[0], works[1], line_up[slot])
    return list_actions(works[1], actions)


@entry
def play_games(
    states: Any,
    rules: Any,
    works: Any,
    desks: Any,
    tree: Any,
    line_up: Any,
    seated: Any,
    root: Any,
    arm: int,
    jobs: Any,
    kept: Any,
    log: Any,
    games: Any,
    players: Any,
    turns: Any,
    ends: Any,
    first: int,
    event_end: int,
    turn_end: int,
    max_plies: int,
) -> int:
    """Play the games of `jobs` from number `first` on, until all are played or a buffer is full.

    Parameters
    ----------
    states : the game's, and room for agents that look ahead, NUM_STATES in all
    rules : 1 rules record
    works : 2 work records: the game's, and one for looking ahead
    desks : 1 desk on which agents work out a turn
    line_up : agents by slot; seated : room for as many agents by seat
    root : 2 words that stand for the experiment's seed
    arm : 0 where arms share their random numbers, else 1 + the arm's index
    jobs : int64, shape (games, 2 + seats): replicate, rotation, slot on each seat
    kept : int64, shape (games,): 1 where the events are kept; else they are only counted
    log : int64 event codes; turns : rows of finished turns; both from `event_end`, `turn_end` on
    games, players : rows of results, shapes (games, ...) and (games, seats, ...)
    ends : int64, shape (games, 2): where the events and turns of each game end
    event_end, turn_end : where the events and turns written so far end
    max_plies : a game with so many events is stopped at its next decision; 0: never

    Returns
    -------
    the number of the first game not played; its rows did not fit
    """
    for number in range(first, len(jobs)):
        log_start = event_end if kept[number] else len(log)  # past the end nothing is kept
        open_game(states, rules, works, line_up, seated, root, arm, jobs[number], log, log_start)
        turn = play_on(states, rules, works, desks, tree, seated, log, turns, turn_end, max_plies)
        if kept[number]:
            event_end += works[0].num_events
        turn_end = turn if len(turns) > 0 else 0
        if event_end > len(log) or turn_end > len(turns):
            return number
        slots = jobs[number][2:]
        write_results(states[0], rules[0], works[0], slots, games[number], players[number])
        ends[number][0] = event_end
        ends[number][1] = turn_end
    return len(jobs)


# Modules a game is built with for bulk play.
KERNELS = (agents_kernels, agents_records, sys.modules[__name__])
