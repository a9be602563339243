"""Jitted play: the same games as in plain mode, and random play as it is known to be.

These tests compile (`-m "not jitted"` leaves them out).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from reefsim.games.reef.game import GAME
from reefsim.testing import PlayedGame, played_games
from tests.games.modes import (
    assert_modes_agree,
    assert_players_alike,
    assert_walks_agree,
    assert_within_arrays,
    random_play,
)
from tests.games.reef.told import FILES, WEIGHTS, walk
from tests.sizes import sized

pytestmark = pytest.mark.jitted
GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(50, 800))
SCRATCH = ("match", "rest", "pick", "gain", "offer")


@settings(max_examples=sized(12, 400))
@given(GAMES)
def test_jitted_and_plain_agree_at_every_ply(game: PlayedGame) -> None:
    assert_modes_agree(game, SCRATCH)


@pytest.mark.parametrize("path", FILES[:: sized(4, 1)], ids=lambda path: path.stem)
def test_they_agree_on_the_handed_records(path: Path) -> None:
    assert_walks_agree(walk(path), walk(path, "jitted"), SCRATCH)


def test_players_see_and_judge_alike() -> None:
    """Views, proposals, fingerprints and worths of both modes, along a game."""
    assert_players_alike(
        PlayedGame("reef", {"special_tie": "choose"}, 3, 21, (), sized(60, 400), WEIGHTS)
    )


@pytest.mark.slow
@given(GAMES)
def test_no_index_leaves_its_array(game: PlayedGame) -> None:
    assert_within_arrays(game)


# Mean and standard error of 1 500 games by an independent implementation, each action with the
# same chance: score, rounds, cards played by a player, deck cards paid for in a game.
NAMES = ("score", "rounds", "plays", "deck")
FIGURES = {
    2: ((15.58, 0.13), (22.79, 0.09), (12.30, 0.04), (6.45, 0.06)),
    3: ((14.67, 0.09), (21.41, 0.06), (11.61, 0.03), (8.96, 0.08)),
    4: ((12.82, 0.07), (19.12, 0.05), (10.46, 0.02), (10.42, 0.08)),
}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_play_is_as_an_independent_implementation_has_it(seats: int) -> None:
    games = sized(4000, 40_000)
    played, players = random_play(GAME, seats, games)
    found = {
        "score": players["score"].mean(axis=1),
        "rounds": played["rounds"],
        "plays": players["plays"].mean(axis=1),
        "deck": players["takes_deck"].sum(axis=1),
    }
    for name, (mean, error) in zip(NAMES, FIGURES[seats], strict=True):
        own = found[name].std() / games**0.5
        # The figures are rounded to two digits.
        distance = max(0.0, abs(found[name].mean() - mean) - 0.005)
        assert distance < 4 * (own**2 + error**2) ** 0.5, (name, found[name].mean())
