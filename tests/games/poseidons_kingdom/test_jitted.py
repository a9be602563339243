"""Jitted play: the same games as in plain mode.

These tests compile (`-m "not jitted"` leaves them out).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from reefsim.core.match import Match
from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.testing import PlayedGame, played_games
from tests.games.poseidons_kingdom.told import FILES, WEIGHTS, walk
from tests.sizes import sized

pytestmark = pytest.mark.jitted
GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(60, 800))


def assert_same(plain: Match, jitted: Match) -> None:
    assert plain.legal_actions() == jitted.legal_actions()
    assert plain.plain_state() == jitted.plain_state()


@settings(max_examples=sized(8, 400))
@given(GAMES)
def test_jitted_and_plain_agree_at_every_ply(game: PlayedGame) -> None:
    plain, jitted = game.start("plain"), game.start("jitted")
    for _, action in game.walk(plain):
        assert_same(plain, jitted)
        jitted.apply(action)
    assert_same(plain, jitted)
    assert plain.codes == jitted.codes
    assert plain.result_row() == jitted.result_row()


@pytest.mark.parametrize("path", FILES[:: sized(6, 1)], ids=lambda path: path.stem)
def test_they_agree_on_the_handed_records(path: Path) -> None:
    for (plain, _), (jitted, _) in zip(walk(path), walk(path, "jitted"), strict=True):
        assert_same(plain, jitted)
    assert plain.codes == jitted.codes
    assert plain.result_row() == jitted.result_row()


def test_players_see_and_judge_alike() -> None:
    """Views, proposals, fingerprints and worths of both modes, along a game."""
    kernels: dict[str, Any] = {mode: GAME.build(mode) for mode in ("plain", "jitted")}
    weights = [value for _, value, _ in GAME.weights]
    game = PlayedGame(GAME.name, {"end_friends": 2}, 3, 21, (), sized(60, 400), WEIGHTS)
    plain, jitted = game.start("plain"), game.start("jitted")
    for _, action in game.walk(plain):
        one, two = plain.copy(), jitted.copy()
        assert kernels["plain"].fingerprint(one.state) == kernels["jitted"].fingerprint(two.state)
        kernels["plain"].propose(one.state, one.rules, one.work)
        kernels["jitted"].propose(two.state, two.rules, two.work)
        lists = []
        for mode, match in (("plain", one), ("jitted", two)):
            actions = np.zeros(GAME.max_legal, np.int64)
            lists.append(actions[: kernels[mode].list_actions(match.work, actions)].tolist())
        assert lists[0] == lists[1]
        kernels["plain"].evaluate(one.state, one.rules, one.work, weights)
        kernels["jitted"].evaluate(two.state, two.rules, two.work, np.array(weights))
        assert two.work["worth"].tolist() == pytest.approx(one.work.worth)
        jitted.apply(action)


@pytest.mark.slow
@given(GAMES)
def test_no_index_leaves_its_array(game: PlayedGame) -> None:
    """Compiled with checks of bounds, which raise where jitted code would corrupt memory."""
    jitted = game.start("jitted", boundscheck=True)
    for _, action in game.walk(game.start("plain")):
        jitted.apply(action)
    jitted.result_row()
