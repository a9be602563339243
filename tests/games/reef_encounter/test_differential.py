"""The two modes play the same games, decision by decision.

The only rules tests that compile (`-m "not jitted"` leaves them out), all in one process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from reefsim.core import work
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.games.reef_encounter.game import GAME
from reefsim.testing import PlayedGame, check_game, played_games
from tests.games.reef_encounter.told import FILES, WEIGHTS, walk
from tests.sizes import sized

pytestmark = pytest.mark.jitted
GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(300, 3000))


def assert_same(plain: Match, jitted: Match) -> None:
    assert plain.legal_actions() == jitted.legal_actions()
    assert plain.plain_state() == jitted.plain_state()
    for name, value in vars(plain.work).items():
        assert jitted.work[name].tolist() == value, name


@settings(max_examples=sized(30, 400))
@given(GAMES)
def test_jitted_and_plain_agree_at_every_ply(game: PlayedGame) -> None:
    plain, jitted = game.start("plain"), game.start("jitted")
    for _, action in game.walk(plain):
        assert_same(plain, jitted)
        jitted.apply(action)
    assert_same(plain, jitted)
    assert plain.codes == jitted.codes
    assert plain.events() == jitted.events()
    assert plain.result_row() == jitted.result_row()
    assert (plain.scores(), plain.ranks()) == (jitted.scores(), jitted.ranks())


@pytest.mark.parametrize("path", FILES[:: sized(6, 1)], ids=lambda path: path.stem)
def test_they_agree_on_the_handed_records(path: Path) -> None:
    for (plain, _), (jitted, _) in zip(walk(path), walk(path, "jitted"), strict=True):
        assert_same(plain, jitted)
    assert plain.codes == jitted.codes
    assert plain.result_row() == jitted.result_row()


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


def test_views_agree() -> None:
    game = PlayedGame("reef_encounter", {}, 3, 21, (), 200, WEIGHTS)
    plain, jitted = game.start("plain"), game.start("jitted")
    kernels: dict[str, Any] = {mode: GAME.build(mode) for mode in ("plain", "jitted")}
    for ply, (_, action) in enumerate(game.walk(plain)):
        if ply % 9 == 0:
            for seat in range(3):
                one, two = plain.copy(), jitted.copy()
                kernels["plain"].view_match([one.state], [one.rules], seat)
                kernels["jitted"].view_match(two._states, two._rules, seat)
                assert one.plain_state() == two.plain_state()
        jitted.apply(action)


@pytest.mark.slow
@given(GAMES)
def test_no_index_leaves_its_array(game: PlayedGame) -> None:
    """Compiled with checks of bounds, which raise where jitted code would corrupt memory."""
    jitted = game.start("jitted", boundscheck=True)
    for _, action in game.walk(game.start("plain")):
        jitted.apply(action)
    jitted.result_row()


def test_the_game_conforms_in_both_modes() -> None:
    failures = check_game(GAME, games=sized(1, 20), seed=1, jitted=True, weights=WEIGHTS)
    assert [failure for failure in failures if "differ" in failure] == []
