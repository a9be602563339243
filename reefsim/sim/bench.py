"""How fast games are played: one worker, nothing logged, compilation left out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from reefsim.core.driver import GAME_BASE
from reefsim.core.game import Game
from reefsim.core.ruleset import Ruleset
from reefsim.sim.playout import jobs_of
from reefsim.sim.progress import Progress
from reefsim.sim.table_play import Player, make_table
from reefsim.sim.warm import warm_up


def measure(
    game: Game,
    ruleset: Ruleset,
    seats: int,
    *,
    games: int,
    seed: int,
    kind: str,
    params: Mapping[str, Any],
    progress: Progress | None = None,
) -> dict[str, float]:
    """Play games of equal agents and measure.

    Parameters
    ----------
    game, ruleset, seats : what is played
    games : how many
    seed : of chance and agents
    kind, params : of the agents, parameters filled with their defaults

    Returns
    -------
    dict with games, seconds, cpu_seconds, games_per_s, games_per_cpu_s, decisions_per_cpu_s,
    decisions_per_game, turns_per_game, and for agents that search iterations_per_cpu_s
    """
    players = [Player(kind, kind, params)] * seats
    table = make_table(players, game, ruleset, seed=seed)
    warm_up(game, players[0].is_own, progress)
    jobs = jobs_of([range(seats)], 0, games)
    start, cpu_start = time.perf_counter(), time.process_time()
    rows = table.play(jobs, events=False, turns=False).games
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    decisions = int(rows[:, GAME_BASE.index("decisions")].sum())
    turns = int(rows[:, GAME_BASE.index("turns")].sum())
    found = {
        "games": games,
        "seconds": seconds,
        "cpu_seconds": cpu,
        "games_per_s": games / seconds,
        "games_per_cpu_s": games / cpu,
        "decisions_per_cpu_s": decisions / cpu,
        "decisions_per_game": decisions / games,
        "turns_per_game": turns / games,
    }
    if table.iterations:
        found["iterations_per_cpu_s"] = table.iterations / cpu
    return found
