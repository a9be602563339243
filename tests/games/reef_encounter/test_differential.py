"""The two modes play the same games, decision by decision.

The only rules tests that compile (`-m "not jitted"` leaves them out), all in one process.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from reefsim.core import work
from reefsim.core.kernel import Mode
from reefsim.games.reef_encounter.game import GAME
from reefsim.testing import PlayedGame, check_game, played_games
from tests.games.modes import (
    assert_modes_agree,
    assert_players_alike,
    assert_walks_agree,
    assert_within_arrays,
)
from tests.games.reef_encounter.told import FILES, WEIGHTS, walk
from tests.sizes import sized

pytestmark = pytest.mark.jitted
GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(300, 3000))


@settings(max_examples=sized(30, 400))
@given(GAMES)
def test_jitted_and_plain_agree_at_every_ply(game: PlayedGame) -> None:
    assert_modes_agree(game)


@pytest.mark.parametrize("path", FILES[:: sized(6, 1)], ids=lambda path: path.stem)
def test_they_agree_on_the_handed_records(path: Path) -> None:
    assert_walks_agree(walk(path), walk(path, "jitted"))


@pytest.mark.parametrize("mode", ["plain", "jitted"])
def test_counting_picking_and_listing_agree(mode: Mode) -> None:
    """`nth_action` and `is_option`, by which agents choose, go by the same list."""
    kernels = GAME.build(mode, [work])
    game = PlayedGame(
        "reef_encounter", {"shrimps_per_player": 6}, 3, 8, (), sized(150, 2000), WEIGHTS
    )
    for match, action in game.walk(game.start(mode)):
        legal = match.legal_actions()
        assert match.work.num_legal == len(legal)
        assert [kernels.nth_action(match.work, n) for n in range(len(legal))] == legal
        near = {action + step for step in (-1, 1, 7, 8, 64, 256, 1 << 16)} | {0, -1, 16 << 16}
        for other in {action, *near}:
            assert bool(kernels.is_option(match.work, other)) == (other in legal)


def test_players_see_and_judge_alike() -> None:
    """Views, proposals, fingerprints and worths of both modes, along a game."""
    assert_players_alike(PlayedGame("reef_encounter", {}, 3, 21, (), 200, WEIGHTS), every=9)


@pytest.mark.slow
@given(GAMES)
def test_no_index_leaves_its_array(game: PlayedGame) -> None:
    assert_within_arrays(game)


def test_the_game_conforms_in_both_modes() -> None:
    failures = check_game(GAME, games=sized(1, 20), seed=1, jitted=True, weights=WEIGHTS)
    assert [failure for failure in failures if "differ" in failure] == []
