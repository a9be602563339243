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
from reefsim.games.reef.game import GAME
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table
from reefsim.testing import PlayedGame, played_games
from tests.games.reef.told import FILES, WEIGHTS, walk
from tests.sizes import sized

pytestmark = pytest.mark.jitted
GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(50, 800))


def assert_same(plain: Match, jitted: Match) -> None:
    assert plain.legal_actions() == jitted.legal_actions()
    assert plain.plain_state() == jitted.plain_state()
    for name, value in vars(plain.work).items():
        if name not in ("match", "rest", "pick", "gain", "offer"):  # scratch
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


def test_players_see_and_judge_alike() -> None:
    """Views, proposals, fingerprints and worths of both modes, along a game."""
    kernels: dict[str, Any] = {mode: GAME.build(mode, [work]) for mode in ("plain", "jitted")}
    weights = [value for _, value, _ in GAME.weights]
    game = PlayedGame("reef", {"special_tie": "choose"}, 3, 21, (), sized(60, 400), WEIGHTS)
    plain, jitted = game.start("plain"), game.start("jitted")
    for _, action in game.walk(plain):
        for seat in range(3):
            one, two = plain.copy(), jitted.copy()
            kernels["plain"].view_match([one.state], [one.rules], seat)
            kernels["jitted"].view_match(two._states, two._rules, seat)
            assert one.plain_state() == two.plain_state()
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
    table = make_table([Player("random", "random", {})] * seats, GAME, GAME.ruleset(), seed=1)
    games = sized(4000, 40_000)
    rows = table.play(jobs_of([range(seats)], 0, games), events=False, turns=False)
    columns = [*PLAYER_BASE, *(column.name for column in GAME.player_columns)]
    players = {name: rows.players[:, :, k].astype(float) for k, name in enumerate(columns)}
    found = {
        "score": players["score"].mean(axis=1),
        "rounds": rows.games[:, GAME_BASE.index("rounds")].astype(float),
        "plays": players["plays"].mean(axis=1),
        "deck": players["takes_deck"].sum(axis=1),
    }
    for name, (mean, error) in zip(NAMES, FIGURES[seats], strict=True):
        own = found[name].std() / games**0.5
        # The figures are rounded to two digits.
        distance = max(0.0, abs(found[name].mean() - mean) - 0.005)
        assert distance < 4 * (own**2 + error**2) ** 0.5, (name, found[name].mean())
