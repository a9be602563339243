"""The players form a ladder, and the better ones play games like those of people."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

from reefsim.agents.kinds import resolve_params
from reefsim.core.driver import GAME_BASE, PLAYER_BASE
from reefsim.core.presets import presets
from reefsim.games import registry
from reefsim.sim.design import distinct_seatings
from reefsim.sim.playout import Chunk, jobs_of
from reefsim.sim.table_play import Player, make_table
from tests.sizes import sized

GAME = registry.get("reef_encounter")
SLOT, SCORE, RANK = (PLAYER_BASE.index(name) for name in ("slot", "score", "rank"))
ROUNDS, CAUSE = GAME_BASE.index("rounds"), GAME_BASE.index("cause")

pytestmark = pytest.mark.jitted


def play(one: str, others: str, seats: int, replicates: int, **params: Any) -> Chunk:
    """One player among equal others, on every seat."""
    kinds = [one] + [others] * (seats - 1)
    players = [
        Player(f"{kind}_{i > 0}", kind, resolve_params(kind, params if i == 0 else {}))
        for i, kind in enumerate(kinds)
    ]
    ruleset = GAME.ruleset.make(presets(GAME.name)["base"], seats)
    table = make_table(players, GAME, ruleset, seed=77)
    jobs = jobs_of(distinct_seatings([p.name for p in players]), 0, replicates)
    return table.play(jobs, events=False, turns=False)


def wins(chunk: Chunk) -> tuple[float, int]:
    """Games won by slot 0, shared wins in parts, and games."""
    first = chunk.players[:, :, RANK] == 1
    shares = first / first.sum(axis=1, keepdims=True)
    return float(np.where(chunk.players[:, :, SLOT] == 0, shares, 0).sum()), len(chunk.players)


def is_above(won: float, games: int, share: float) -> bool:
    """Whether so many wins are no surprise for a player that wins at least that share of games."""
    tail = sum(comb(games, k) * share**k * (1 - share) ** (games - k) for k in range(int(won) + 1))
    return tail > 0.001


@pytest.mark.parametrize(
    ("one", "others", "share", "games"),
    [
        ("greedy", "random", 0.97, sized(40, 400)),
        ("planner", "greedy", 0.85, sized(40, 400)),
        ("search", "planner", 0.65, sized(16, 400)),
    ],
)
def test_two_seats(one: str, others: str, share: float, games: int) -> None:
    won, played = wins(play(one, others, 2, games // 2))
    assert is_above(won, played, share), f"{won} of {played}"
    assert won > played / 2


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(
    ("one", "others", "replicates"),
    [
        ("greedy", "random", sized(6, 60)),
        ("planner", "greedy", sized(6, 60)),
        ("search", "planner", sized(2, 60)),
    ],
)
def test_one_stronger_seat_among_weaker_ones(
    seats: int, one: str, others: str, replicates: int
) -> None:
    won, played = wins(play(one, others, seats, replicates))
    assert is_above(won, played, 1.7 / seats), f"{won} of {played}"


@pytest.mark.slow
def test_four_times_the_iterations() -> None:
    won, played = wins(play("search", "search", 2, 200, iterations=1600))
    assert is_above(won, played, 0.55), f"{won} of {played}"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_of_planners_look_like_games_of_people(seats: int) -> None:
    """R11: events 1 and 2 end nearly every game; about ten rounds; 20 to 50 points win."""
    rows = play("planner", "planner", seats, sized(10, 100))
    causes = np.bincount(rows.games[:, CAUSE], minlength=6)
    assert causes[5] == 0  # turn_limit
    assert causes[1] + causes[2] >= 0.8 * len(rows.games)
    assert 7 <= np.median(rows.games[:, ROUNDS]) <= 20
    assert 20 <= np.median(rows.players[:, :, SCORE].max(axis=1)) <= 70
