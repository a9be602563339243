"""Jitted play: the same games as in plain mode, and random play as it is known to be.

These tests compile (`-m "not jitted"` leaves them out).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from reefsim.games.charon_inc.game import GAME
from reefsim.testing import PlayedGame, played_games
from tests.games.charon_inc.told import FILES, WEIGHTS, walk
from tests.games.modes import (
    assert_modes_agree,
    assert_players_alike,
    assert_walks_agree,
    assert_within_arrays,
    random_play,
)
from tests.sizes import sized

pytestmark = pytest.mark.jitted
GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(60, 800))
SCRATCH = ("means", "spare", "want", "gain", "picked")


@settings(max_examples=sized(12, 400))
@given(GAMES)
def test_jitted_and_plain_agree_at_every_ply(game: PlayedGame) -> None:
    assert_modes_agree(game, SCRATCH)


@pytest.mark.parametrize("path", FILES[:: sized(4, 1)], ids=lambda path: path.stem)
def test_they_agree_on_the_handed_records(path: Path) -> None:
    assert_walks_agree(walk(path), walk(path, "jitted"), SCRATCH)


@pytest.mark.slow
def test_players_see_and_judge_alike() -> None:
    """Views, proposals, fingerprints and worths of both modes, along a game."""
    assert_players_alike(PlayedGame("charon_inc", {}, 3, 21, (), sized(90, 400), WEIGHTS), every=3)


@pytest.mark.slow
@given(GAMES)
def test_no_index_leaves_its_array(game: PlayedGame) -> None:
    assert_within_arrays(game)


# Mean and standard error of 520 games by an independent implementation, each action with the same
# chance: score and its best, cards built and gems mined by a player, turns and decisions of a game.
NAMES = ("score", "winner", "builds", "mined", "turns", "decisions")
FIGURES = {
    2: ((2.71, 0.10), (4.65, 0.16), (0.67, 0.02), (4 * 8.68, 4 * 0.03), (42.5, 0.1), (88.1, 0.3)),
    3: ((2.54, 0.08), (5.52, 0.17), (0.64, 0.02), (4 * 7.79, 4 * 0.03), (63.1, 0.1), (125.6, 0.3)),
    4: ((2.80, 0.07), (6.72, 0.16), (0.73, 0.02), (4 * 7.12, 4 * 0.02), (85.6, 0.1), (166.6, 0.3)),
    5: ((2.81, 0.07), (7.19, 0.15), (0.73, 0.01), (4 * 6.65, 4 * 0.02), (106.5, 0.1), (201.9, 0.3)),
}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_play_is_as_an_independent_implementation_has_it(seats: int) -> None:
    games = sized(4000, 40_000)
    played, players = random_play(GAME, seats, games)
    found = {
        "score": players["score"].mean(axis=1),
        "winner": players["score"].max(axis=1),
        "builds": players["builds"].mean(axis=1),
        "mined": players["gems_mined"].mean(axis=1),
        "turns": played["turns"],
        "decisions": played["decisions"],
    }
    for name, (mean, error) in zip(NAMES, FIGURES[seats], strict=True):
        own = found[name].std() / games**0.5
        # The figures are rounded: standard errors to one digit, means by as much as that.
        rounding = 0.02 if name == "mined" else 0.05 if mean > 20 else 0.005
        distance = max(0.0, abs(found[name].mean() - mean) - rounding)
        assert distance < 4 * (own**2 + (error + rounding / 10) ** 2) ** 0.5, (
            name,
            found[name].mean(),
        )
