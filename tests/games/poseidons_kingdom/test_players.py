"""The players at Poseidon's Kingdom: no peeking, reactions, restrictions, plans, a ladder."""

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
from reefsim.games.poseidons_kingdom.constants import P_FLEE, P_PEEK, P_REWARD, P_STEP
from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.games.poseidons_kingdom.position import position
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table
from reefsim.testing import PlayedGame, legal_texts
from tests.games.poseidons_kingdom.told import WEIGHTS
from tests.sizes import sized

SLOT, RANK = (PLAYER_BASE.index(name) for name in ("slot", "rank"))


def positions(number: int) -> list[Match]:
    """Positions of played games: some of each kind of decision, in last turns and before."""
    found: dict[tuple[int, bool], list[Match]] = {}
    for seed in range(3):
        game = PlayedGame(GAME.name, {"end_friends": 2}, 2 + seed, seed, (), 900, WEIGHTS)
        for match, _ in game.walk():
            if len(match.legal_actions()) > 1:
                alike = found.setdefault((match.state.phase, match.state.last_turns > 0), [])
                if len(alike) < number:
                    alike.append(match.copy())
    assert {P_STEP, P_FLEE, P_PEEK, P_REWARD} <= {phase for phase, _ in found}
    assert any(last for _, last in found)
    return [match for alike in found.values() for match in alike]


def by_hand(kind: str, params: dict[str, Any]) -> dict[str, Any]:
    """Parameters with the weights set by hand."""
    filled = resolve_params(kind, params)
    return {name: value for name, value in filled.items() if name != "weights"}


def best(match: Match, kind: str, **params: Any) -> list[tuple[Any, ...]]:
    options = explain(match, kind, by_hand(kind, params), seed=3, top=3)
    return [(option.text, option.plan, option.value, option.visits) for option in options]


@pytest.mark.parametrize(
    ("kind", "params", "every"),
    [
        ("greedy", {}, 1),
        ("planner", {"width": 1}, 2),
        ("search", {"width": 1, "iterations": 3}, sized(7, 1)),
    ],
)
def test_nobody_peeks(kind: str, params: dict[str, Any], every: int) -> None:
    """The same options in positions that look the same to the seat, whoever's turn it is."""
    moved = 0
    for k, match in enumerate(positions(sized(1, 8))[::every]):
        other = View.of(match).sample(np.random.default_rng(k))
        assert View.of(other).state == View.of(match).state
        moved += other.plain_state().coral != match.plain_state().coral
        assert best(match, kind, **params) == best(other, kind, **params)
    assert moved > 0


def test_a_planner_eats_what_is_there() -> None:
    match = position(
        zones={5: "4n 4a", 6: "1n"}, creatures={0: "R6 D"}, phase="move", power=2, shark="L2"
    )
    (first, *_) = explain(match, "planner", by_hand("planner", {"width": 4}), seed=1, top=1)
    assert "eat 3" in first.plan
    assert first.plan[0].startswith("move R6 ")


def test_proposals_hold_a_placement_that_raises_the_reef() -> None:
    match = position(reefs={0: ["1,0 1,1 wave arrow", "1,2 1,3 wave eat"]})
    match.apply(GAME.parse_action("build AE"))
    kernels, work = GAME.build("plain"), GAME.work.plain()
    kernels.propose(match.state, match.rules, work)
    actions = [0] * GAME.max_legal
    proposed = [GAME.format_action(a) for a in actions[: list_actions(work, actions)]]
    assert set(proposed) <= set(legal_texts(match))
    assert len(proposed) <= 6
    assert {"place 1,1 1,2", "place 1,2 1,1"} & set(proposed)


@pytest.mark.parametrize(
    ("never", "broken"),
    [
        (["stack"], lambda row: row["event"] == "place" and row["number"] > 1),
        (["foreign"], lambda row: row["event"] == "put" and row["owner"] not in (-1, row["seat"])),
        (["flat"], lambda row: row["event"] == "place" and row["number"] == 1),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_restrictions_are_kept(never: list[str], broken: Any) -> None:
    ruleset = GAME.ruleset.make({"max_turns_per_player": 12, "skeletons": 0}, 2)
    told: dict[bool, int] = {}
    for forbidden in (True, False):
        params = resolve_params("random", {"never": never} if forbidden else {})
        table = make_table([Player("a", "random", params)] * 2, GAME, ruleset, seed=4, mode="plain")
        rows = table.play(jobs_of([range(2)], 0, 3))
        told[forbidden] = sum(map(broken, GAME.events.rows([int(code) for code in rows.events])))
    # where skeletons leave nothing to build on, a tile has to be laid flat
    assert told[True] <= (told[False] / 4 if never == ["flat"] else 0) < told[False]


def worth(match: Match, seat: int = 0) -> float:
    weights = [value for _, value, _ in GAME.weights]
    work = GAME.work.plain()
    assert not GAME.build("plain").evaluate(match.state, match.rules, work, weights)
    return float(work.worth[seat])


def test_worth_counts_food_dangers_and_the_end() -> None:
    where: dict[str, Any] = {"creatures": {0: "R6 R6"}, "phase": "move", "power": 2}
    assert worth(position(zones={6: "4n 4a"}, **where)) - worth(position(**where)) > 3
    before = position(creatures={0: "L3 B"}, shark="L2")
    assert worth(before) < worth(position(creatures={0: "L3 B"}, shark="R2"))
    last = position(zones={6: "4n 4a"}, last_turns=1, seat=1, **where)
    assert worth(last) == 0  # seat 0 has no turn left


def play(one: str, others: str, seats: int, replicates: int, **params: Any) -> tuple[float, int]:
    """Games won by one player among equal others on every seat, shared wins in parts; games."""
    kinds = [(one, params), *[(others, {})] * (seats - 1)]
    players = [Player(f"{k}", kind, resolve_params(kind, p)) for k, (kind, p) in enumerate(kinds)]
    seatings = [[*range(1, seat + 1), 0, *range(seat + 1, seats)] for seat in range(seats)]
    table = make_table(players, GAME, GAME.ruleset(), seed=77)
    rows = table.play(jobs_of(seatings, 0, replicates), events=False, turns=False)
    first = rows.players[:, :, RANK] == 1
    shares = first / first.sum(axis=1, keepdims=True)
    own = rows.players[:, :, SLOT] == 0
    return float(shares[own].sum()), len(rows.players)


@pytest.mark.jitted
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("one", "others", "replicates"), [("greedy", "random", 20), ("planner", "greedy", 40)]
)
def test_players_form_a_ladder(one: str, others: str, replicates: int, seats: int) -> None:
    won, games = play(one, others, seats, replicates)
    assert won > 1.7 * games / seats


@pytest.mark.jitted
def test_a_search_plays_through_reactions_and_last_turns() -> None:
    """With a tenth of its budget it has to hold its own."""
    won, games = play("search", "planner", 3, sized(5, 100), iterations=40)
    assert won > 0.5 * games / 3
