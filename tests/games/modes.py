"""Plain and jitted play of a game, held side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pytest

from reefsim.core import work
from reefsim.core.driver import GAME_BASE, PLAYER_BASE
from reefsim.core.game import Game
from reefsim.core.match import Match
from reefsim.games import registry
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table
from reefsim.testing import PlayedGame

Walk = Iterable[tuple[Match, int]]


def assert_same(plain: Match, jitted: Match, scratch: Collection[str]) -> None:
    """Both stand at the same position with the same legal actions and the same work record.

    Parameters
    ----------
    scratch : fields of the work record that a kernel leaves behind in whatever state
    """
    assert plain.legal_actions() == jitted.legal_actions()
    assert plain.plain_state() == jitted.plain_state()
    for name, value in vars(plain.work).items():
        if name not in scratch:
            assert jitted.work[name].tolist() == value, name


def assert_same_end(plain: Match, jitted: Match) -> None:
    """Both tell the same game."""
    assert plain.codes == jitted.codes
    assert plain.events() == jitted.events()
    assert plain.result_row() == jitted.result_row()
    assert (plain.scores(), plain.ranks()) == (jitted.scores(), jitted.ranks())


def assert_modes_agree(game: PlayedGame, scratch: Collection[str] = ()) -> None:
    """The modes agree at every ply of a drawn game."""
    plain, jitted = game.start("plain"), game.start("jitted")
    for _, action in game.walk(plain):
        assert_same(plain, jitted, scratch)
        jitted.apply(action)
    assert_same(plain, jitted, scratch)
    assert_same_end(plain, jitted)


def assert_walks_agree(one: Walk, other: Walk, scratch: Collection[str] = ()) -> None:
    """The modes agree at every ply of a record; `one` is its plain walk."""
    for (plain, _), (jitted, _) in zip(one, other, strict=True):
        assert_same(plain, jitted, scratch)
    assert_same_end(plain, jitted)


def assert_players_alike(played: PlayedGame, every: int = 1) -> None:
    """Views, proposals, fingerprints and worths of both modes agree along a game.

    Parameters
    ----------
    every : look at one ply out of so many
    """
    game = registry.get(played.game)
    kernels: dict[str, Any] = {mode: game.build(mode, [work]) for mode in ("plain", "jitted")}
    weights = [value for _, value, _ in game.weights]
    plain, jitted = played.start("plain"), played.start("jitted")
    for ply, (_, action) in enumerate(played.walk(plain)):
        if ply % every == 0:
            for seat in range(played.seats):
                one, two = plain.copy(), jitted.copy()
                kernels["plain"].view_match([one.state], [one.rules], seat)
                kernels["jitted"].view_match(two._states, two._rules, seat)
                assert one.plain_state() == two.plain_state()
            one, two = plain.copy(), jitted.copy()
            lists = []
            for mode, match in (("plain", one), ("jitted", two)):
                kernels[mode].propose(match.state, match.rules, match.work)
                actions = np.zeros(game.max_legal, np.int64)
                lists.append(actions[: kernels[mode].list_actions(match.work, actions)].tolist())
            assert lists[0] == lists[1]
            marks = [kernels[m].fingerprint(x.state) for m, x in (("plain", one), ("jitted", two))]
            assert marks[0] == marks[1]
            kernels["plain"].evaluate(one.state, one.rules, one.work, weights)
            kernels["jitted"].evaluate(two.state, two.rules, two.work, np.array(weights))
            assert two.work["worth"].tolist() == pytest.approx(one.work.worth)
        jitted.apply(action)


def assert_within_arrays(game: PlayedGame) -> None:
    """Compiled with checks of bounds, which raise where jitted code would corrupt memory."""
    jitted = game.start("jitted", boundscheck=True)
    for _, action in game.walk(game.start("plain")):
        jitted.apply(action)
    jitted.result_row()


def random_play(game: Game, seats: int, games: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Random games under the rules of the preset base.

    Returns
    -------
    columns of the games, arrays (games,), and of the players, arrays (games, seats)
    """
    table = make_table([Player("random", "random", {})] * seats, game, game.ruleset(), seed=1)
    rows = table.play(jobs_of([range(seats)], 0, games), events=False, turns=False)
    names = [*PLAYER_BASE, *(column.name for column in game.player_columns)]
    players = {name: rows.players[:, :, k].astype(float) for k, name in enumerate(names)}
    return {name: rows.games[:, k].astype(float) for k, name in enumerate(GAME_BASE)}, players
