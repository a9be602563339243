"""Games found by name, by what the tables say of them."""

from __future__ import annotations

import pandas as pd
import pytest

from reefsim.core.picks import PICKS, pick, with_scores

GAMES = pd.DataFrame(
    {
        "arm": ["a"] * 5,
        "game_id": [10, 11, 12, 13, 14],
        "turns": [20, 30, 22, 30, 5],
        "rounds": [10, 15, 11, 15, 3],
        "truncated": [False, True, False, False, True],
        "tiebreak_depth": [1, 0, 2, 0, 0],
    }
)
POINTS = {10: (7, 7), 11: (3, 9), 12: (8, 8), 13: (10, 4), 14: (40, 0)}
PLAYERS = pd.DataFrame(
    [
        {"game_id": game_id, "seat": seat, "score": score}
        for game_id, scores in POINTS.items()
        for seat, score in enumerate(scores)
    ]
)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("closest", 12),  # as 10, but the second tie-break decided
        ("longest", 11),  # the first of two
        ("shortest", 14),
        ("biggest_margin", 14),
        ("oddest", 14),
        ("truncated", 11),
        ("typical", 11),
    ],
)
def test_the_game_of_each_name(name: str, first: int) -> None:
    assert pick(with_scores(GAMES, PLAYERS), name)["game_id"].iloc[0] == first


def test_every_name_orders_all_games_but_one() -> None:
    games = with_scores(GAMES, PLAYERS)
    for name in PICKS:
        wanted = [11, 14] if name == "truncated" else list(POINTS)
        assert sorted(pick(games, name)["game_id"]) == wanted


def test_scores_are_told_best_first() -> None:
    games = with_scores(GAMES, PLAYERS)
    assert games["scores"].iloc[1] == [9, 3]
    assert list(games["margin"]) == [0, 6, 0, 6, 40]
