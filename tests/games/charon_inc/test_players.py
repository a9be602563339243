"""The players at CHARON Inc.: they do not peek, keep what they are told, and form a ladder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reefsim.agents.explain import explain
from reefsim.agents.kinds import resolve_params
from reefsim.core.agent import View
from reefsim.core.driver import PLAYER_BASE
from reefsim.core.match import Match
from reefsim.core.work import list_actions
from reefsim.games.charon_inc.constants import P_A1, P_A3, P_BUILD, P_KEEP, P_PLACE, P_ROW
from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.position import position
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table
from reefsim.testing import PlayedGame, legal_texts, play
from tests.games.charon_inc.told import WEIGHTS
from tests.sizes import sized

SLOT, RANK = (PLAYER_BASE.index(name) for name in ("slot", "rank"))


def by_hand(kind: str, params: dict[str, Any]) -> dict[str, Any]:
    """Parameters with the weights set by hand."""
    filled = resolve_params(kind, params)
    return {name: value for name, value in filled.items() if name != "weights"}


def best(match: Match, kind: str, **params: Any) -> list[tuple[Any, ...]]:
    options = explain(match, kind, by_hand(kind, params), seed=3, top=3)
    return [(option.text, option.plan, option.value, option.visits) for option in options]


def positions(every: int, games: int) -> list[Match]:
    """Positions of played games."""
    found = []
    for seed in range(games):
        game = PlayedGame("charon_inc", {}, 2 + seed % 4, seed, (), 400, WEIGHTS)
        for k, (match, _) in enumerate(game.walk()):
            if k % every == seed:
                found.append(match.copy())
    return found


def pairs(every: int, games: int) -> list[tuple[Match, Match]]:
    """Positions, each with one that looks the same to the seat to act."""
    found = []
    for k, match in enumerate(positions(every, games)):
        other = View.of(match).sample(np.random.default_rng(k))
        if other.legal_actions() == match.legal_actions():
            found.append((match, other))
    return found


def test_the_pairs_look_the_same_and_differ() -> None:
    """Else nothing would be shown; every phase is among them."""
    found = pairs(5, 4)
    phases = {int(match.state.phase) for match, _ in found}
    assert phases >= {P_ROW, P_PLACE, P_A1, P_A3, P_BUILD, P_KEEP}
    moved = 0
    for match, other in found:
        assert View.of(other).state == View.of(match).state
        moved += other.plain_state().hand != match.plain_state().hand
    assert moved > len(found) / 2


@pytest.mark.parametrize(
    ("kind", "params", "every"),
    [
        ("greedy", {}, 29),
        ("planner", {"width": 1}, 61),
        ("search", {"width": 2, "iterations": 2}, 83),
    ],
)
def test_nobody_peeks(kind: str, params: dict[str, Any], every: int) -> None:
    """The same options in positions that look the same to the seat."""
    found = pairs(every, sized(4, 40))
    assert found
    for match, other in found:
        assert best(match, kind, **params) == best(other, kind, **params)


def test_a_planner_trades_for_what_completes_a_card() -> None:
    match = position(gems={0: "BBBPPGGG"}, hand={0: "B09A"}, left={0: "A1"})
    (first, *_) = explain(match, "planner", by_hand("planner", {"width": 4}), seed=1, top=1)
    assert list(first.plan) == ["trade GGG yellow", "build B09A hand BBBYPP", "end_build"]
    glut = position(gems={0: "BBBBBK"}, hand={0: "B05A"}, left={0: "A4"})
    (first, *_) = explain(glut, "planner", by_hand("planner", {"width": 4}), seed=1, top=1)
    assert list(first.plan)[:2] == ["synchrotron blue purple 2", "build B05A hand BBPP"]


def test_a_planner_keeps_the_gems_that_fit_its_hand() -> None:
    at: dict[str, Any] = {"gems": {0: "BBYYGGPPKK"}, "hand": {0: "B07A"}, "left": {0: "A1"}}
    match = position("keep", **at)
    (first, *_) = explain(match, "planner", by_hand("planner", {"width": 4}), seed=1, top=1)
    assert first.plan[0] in ("keep BB", "keep BG", "keep GG")


def test_proposals_are_few_and_legal() -> None:
    kernels, work = GAME.build("plain"), GAME.work.plain()
    for match in positions(17, 4):
        kernels.propose(match.state, match.rules, work)
        actions = [0] * GAME.max_legal
        proposed = actions[: list_actions(work, actions)]
        assert set(proposed) <= set(match.legal_actions())
        if match.state.phase == P_PLACE:
            assert len(proposed) <= 8 * 5
    match = position("place", moon="R13:BBB")
    kernels.propose(match.state, match.rules, work)
    proposed = [GAME.format_action(a) for a in actions[: list_actions(work, actions)]]
    assert any("C13" in text for text in proposed)  # the only gems lie there


def test_worth_counts_what_gems_will_build() -> None:
    weights = [value for _, value, _ in GAME.weights]
    kernels, work = GAME.build("plain"), GAME.work.plain()

    def worth(**what: Any) -> float:
        match = position(**what)
        assert not kernels.evaluate(match.state, match.rules, work, weights)
        return float(work.worth[0])

    ready = worth(gems={0: "BBBYPP"}, hand={0: "B09A"})
    assert ready > worth(gems={0: "BBBYPK"}, hand={0: "B09A"}) > worth(hand={0: "B09A"})
    assert worth(gems={0: "BBBYPP"}, hand={0: "B09A"}, built={0: "B09B"}) < 9 + ready - 5
    last = position(round_=4, seat=1, gems={1: "BBB"})
    play(last, "end_build")
    assert last.over


@pytest.mark.parametrize(
    ("never", "event", "column", "value"),
    [
        ("row_build", "build", "source", "row"),
        ("engineering", "action", "area", "A3"),
        ("warehouse", "action", "area", "A5"),
        ("trade", "trade", "event", "trade"),
    ],
)
def test_restrictions_are_kept(never: str, event: str, column: str, value: str) -> None:
    told: dict[bool, bool] = {}
    for forbidden in (True, False):
        params = resolve_params("random", {"never": [never] if forbidden else []})
        table = make_table(
            [Player("a", "random", params)] * 2, GAME, GAME.ruleset(), seed=4, mode="plain"
        )
        rows = table.play(jobs_of([range(2)], 0, 8))
        found = GAME.events.rows([int(code) for code in rows.events])
        told[forbidden] = any(row["event"] == event and row[column] == value for row in found)
    assert (told[True], told[False]) == (False, True)


def test_passing_over_the_placements_of_others() -> None:
    kernels = GAME.build("plain")
    match = position("place", seats=3)
    seen = []
    while True:
        seat, turn = 0, int(match.state.turn)
        play(match, legal_texts(match)[0])
        if not kernels.skip(match.state, match.rules, seat):
            break
        seen.append(int(match.state.turn) - turn)
        assert match.seat == 0
        match._legal = None
    assert seen == [3, 3, 3]


def wins(one: str, others: str, seats: int, replicates: int) -> tuple[float, int]:
    """Games won by one player among equal others on every seat, shared wins in parts; games."""
    kinds = [one] + [others] * (seats - 1)
    players = [Player(f"{k}", kind, resolve_params(kind, {})) for k, kind in enumerate(kinds)]
    seatings = [[*range(1, seat + 1), 0, *range(seat + 1, seats)] for seat in range(seats)]
    table = make_table(players, GAME, GAME.ruleset(), seed=77)
    rows = table.play(jobs_of(seatings, 0, replicates), events=False, turns=False)
    first = rows.players[:, :, RANK] == 1
    shares = first / first.sum(axis=1, keepdims=True)
    own = rows.players[:, :, SLOT] == 0
    return float(shares[own].sum()), len(rows.players)


@pytest.mark.jitted
@pytest.mark.parametrize(
    ("one", "others", "seats", "replicates"),
    [
        ("greedy", "random", 2, 10),
        ("greedy", "random", 5, 10),
        ("planner", "greedy", 2, 20),
        ("planner", "greedy", 5, 20),
        ("search", "planner", 2, 12),
    ],
)
def test_players_form_a_ladder(one: str, others: str, seats: int, replicates: int) -> None:
    won, games = wins(one, others, seats, replicates)
    fair = games / seats
    # Of a player no better than the others fewer than one in 150 would win so many.
    assert won > fair + 2.5 * (fair * (1 - 1 / seats)) ** 0.5
