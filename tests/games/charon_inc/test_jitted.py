"""Jitted play: the same games as in plain mode, and random play as it is known to be.

These tests compile (`-m "not jitted"` leaves them out).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from reefsim.core import work
from reefsim.core.driver import GAME_BASE, PLAYER_BASE
from reefsim.core.match import Match
from reefsim.games.charon_inc.game import GAME
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table
from reefsim.testing import PlayedGame, played_games
from tests.games.charon_inc.told import FILES, WEIGHTS, walk
from tests.sizes import sized

pytestmark = pytest.mark.jitted
GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(60, 800))
SCRATCH = ("means", "spare", "want", "gain", "picked")


def assert_same(plain: Match, jitted: Match) -> None:
    assert plain.legal_actions() == jitted.legal_actions()
    assert plain.plain_state() == jitted.plain_state()
    for name, value in vars(plain.work).items():
        if name not in SCRATCH:
            assert jitted.work[name].tolist() == value, name


@settings(max_examples=sized(12, 400))
@given(GAMES)
def test_jitted_and_plain_agree_at_every_ply(game: PlayedGame) -> None:
    plain, jitted = game.start("plain"), game.start("jitted")
    for _, action in game.walk(plain):
        assert_same(plain, jitted)
        jitted.apply(action)
    assert_same(plain, jitted)
    assert plain.codes == jitted.codes
    assert plain.result_row() == jitted.result_row()


@pytest.mark.parametrize("path", FILES[:: sized(4, 1)], ids=lambda path: path.stem)
def test_they_agree_on_the_handed_records(path: Path) -> None:
    for (plain, _), (jitted, _) in zip(walk(path), walk(path, "jitted"), strict=True):
        assert_same(plain, jitted)
    assert plain.codes == jitted.codes
    assert plain.result_row() == jitted.result_row()


@pytest.mark.slow
def test_players_see_and_judge_alike() -> None:
    """Views, proposals, fingerprints and worths of both modes, along a game."""
    kernels: dict[str, Any] = {mode: GAME.build(mode, [work]) for mode in ("plain", "jitted")}
    weights = [value for _, value, _ in GAME.weights]
    game = PlayedGame("charon_inc", {}, 3, 21, (), sized(90, 400), WEIGHTS)
    plain, jitted = game.start("plain"), game.start("jitted")
    for ply, (_, action) in enumerate(game.walk(plain)):
        if ply % 3 == 0:
            one, two = plain.copy(), jitted.copy()
            kernels["plain"].view_match([one.state], [one.rules], ply % 3)
            kernels["jitted"].view_match(two._states, two._rules, ply % 3)
            assert one.plain_state() == two.plain_state()
            one, two = plain.copy(), jitted.copy()
            marks = [
                k.fingerprint(m.state) for k, m in zip(kernels.values(), (one, two), strict=True)
            ]
            assert marks[0] == marks[1]
            lists = []
            for mode, match in (("plain", one), ("jitted", two)):
                kernels[mode].propose(match.state, match.rules, match.work)
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
    table = make_table([Player("random", "random", {})] * seats, GAME, GAME.ruleset(), seed=1)
    games = sized(4000, 40_000)
    rows = table.play(jobs_of([range(seats)], 0, games), events=False, turns=False)
    columns = [*PLAYER_BASE, *(column.name for column in GAME.player_columns)]
    players = {name: rows.players[:, :, k].astype(float) for k, name in enumerate(columns)}
    found = {
        "score": players["score"].mean(axis=1),
        "winner": players["score"].max(axis=1),
        "builds": players["builds"].mean(axis=1),
        "mined": players["gems_mined"].mean(axis=1),
        "turns": rows.games[:, GAME_BASE.index("turns")].astype(float),
        "decisions": rows.games[:, GAME_BASE.index("decisions")].astype(float),
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
