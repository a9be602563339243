"""Jitted play: the same games as in plain mode.

These tests compile (`-m "not jitted"` leaves them out).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.testing import PlayedGame, played_games
from tests.games.modes import (
    assert_modes_agree,
    assert_players_alike,
    assert_walks_agree,
    assert_within_arrays,
)
from tests.games.poseidons_kingdom.told import FILES, WEIGHTS, walk
from tests.sizes import sized

pytestmark = pytest.mark.jitted
GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(60, 800))


@settings(max_examples=sized(8, 400))
@given(GAMES)
def test_jitted_and_plain_agree_at_every_ply(game: PlayedGame) -> None:
    assert_modes_agree(game)


@pytest.mark.parametrize("path", FILES[:: sized(6, 1)], ids=lambda path: path.stem)
def test_they_agree_on_the_handed_records(path: Path) -> None:
    assert_walks_agree(walk(path), walk(path, "jitted"))


def test_players_see_and_judge_alike() -> None:
    """Views, proposals, fingerprints and worths of both modes, along a game."""
    assert_players_alike(
        PlayedGame(GAME.name, {"end_friends": 2}, 3, 21, (), sized(60, 400), WEIGHTS)
    )


@pytest.mark.slow
@given(GAMES)
def test_no_index_leaves_its_array(game: PlayedGame) -> None:
    assert_within_arrays(game)
