"""The search: its books balance, it sees a win, and a full tree does no harm."""

from __future__ import annotations

import math
from typing import Any

import pytest

from reefsim.agents import search
from reefsim.agents.records import NODE
from reefsim.agents.search import OWN_PLANS, RIVAL_PLANS, ROOT_PLANS, tree_room
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import P_FINAL, P_TURN
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.position import position
from reefsim.testing import play
from tests.agents.thinking import PLAIN, Player, listed, positions
from tests.sizes import sized

MODES = ["plain", pytest.param("jitted", marks=pytest.mark.jitted)]
TURNS = [match for match in positions(60) if match.state.phase == P_TURN]
FINALS = [match for match in positions(60) if match.state.phase == P_FINAL]


def children(tree: Any, node: Any) -> list[Any]:
    found, place = [], int(node.first)
    while place >= 0:
        found.append(tree[place])
        place = int(tree[place].next)
    return found


def searched(
    match: Match, iterations: int, mode: Mode = "plain", **params: Any
) -> tuple[Player, list[Any]]:
    """A search of a position, and the nodes below its root."""
    player = Player("search", mode, iterations=iterations, **{"width": 3} | params)
    player.consider(match)
    return player, children(player.tree, player.tree[0])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("iterations", [1, 2, 30])
def test_the_books_of_the_tree_balance(iterations: int, mode: Mode) -> None:
    """Visits below a node are its own, less those that ended there; chances sum to visits."""
    for match in TURNS[:: sized(60 if mode == "plain" else 20, 4)]:
        player, plans = searched(match, iterations, mode)
        tree, size = player.tree, int(player.desks[0].tree_size)
        assert 2 <= len(plans) <= ROOT_PLANS
        assert tree[0].visits == iterations == sum(plan.visits for plan in plans)
        assert sum(plan.prior for plan in plans) == pytest.approx(1)
        assert size <= len(tree)
        for node in tree[:size]:
            below = children(tree, node)
            assert sum(child.visits for child in below) <= node.visits
            assert len(below) <= (ROOT_PLANS if node is tree[0] else max(OWN_PLANS, ROOT_PLANS))
            chances = [float(value) for value in node.value[: match.seats]]
            assert sum(chances) == pytest.approx(float(node.visits))
            assert all(-1e-9 <= chance <= node.visits + 1e-9 for chance in chances)
            assert all(value == 0 for value in node.value[match.seats :])


def test_rivals_get_fewer_plans_than_the_seat_itself() -> None:
    match = next(match for match in TURNS if match.seats == 2)
    player, plans = searched(match, 60)
    replies = [children(player.tree, plan) for plan in plans if plan.first >= 0]
    assert replies
    assert all(len(reply) <= RIVAL_PLANS for reply in replies)
    own = [children(player.tree, child) for reply in replies for child in reply if child.first >= 0]
    assert own
    assert max(map(len, own)) > RIVAL_PLANS
    assert all(len(found) <= OWN_PLANS for found in own)


def mean(plan: Any, seat: int) -> float:
    return float(plan.value[seat] / plan.visits)


@pytest.mark.jitted
def test_the_worse_half_of_the_plans_drops_out_in_each_round() -> None:
    """All plans are tried equally often until half of them drop out; the last one is played."""
    match = next(match for match in TURNS if len(searched(match, 1)[1]) == ROOT_PLANS)
    player, plans = searched(match, 64 * 4, "jitted")
    visits = sorted((int(plan.visits) for plan in plans), reverse=True)
    assert visits == [60] * 2 + [28] * 2 + [12] * 4 + [4] * 8
    last = [plan for plan in plans if plan.visits == 60]
    best = max(last, key=lambda plan: mean(plan, match.seat))
    played = player.turn(match.plain_state(), match)
    assert played == list(best.plan[: best.length])


def test_positions_are_judged_after_turns_of_the_seat_that_searches() -> None:
    """Else a plan could look better only because its branches end with another seat to act."""
    early = [match for match in TURNS if match.seats == 2 and match.turn < 8]  # no end is near
    assert early
    for match in early[: sized(3, 20)]:
        player, plans = searched(match, 60)
        replies = [reply for plan in plans for reply in children(player.tree, plan)]
        assert sum(plan.visits for plan in plans) == sum(reply.visits for reply in replies)
        for reply in replies:
            own = children(player.tree, reply)
            assert sum(plan.visits for plan in own) == reply.visits


@pytest.mark.parametrize("room", [1, 2, 5, 18])
def test_a_full_tree_grows_no_more_and_keeps_its_books(room: int) -> None:
    """Trees are made large enough; a smaller one ends its branches early."""
    player = Player("search", iterations=12, width=2)
    player.tree = NODE.plains(max(room, ROOT_PLANS + 2))
    match = TURNS[3]
    player.consider(match)
    assert player.desks[0].tree_size <= len(player.tree)
    assert player.tree[0].visits == 12
    assert sum(plan.visits for plan in children(player.tree, player.tree[0])) == 12


def test_a_tree_has_room_for_its_plans() -> None:
    assert tree_room(0) >= 1 + ROOT_PLANS
    assert tree_room(100) - tree_room(99) == 6


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("iterations", [1, 2, sized(60, 600)])
def test_games_end_whatever_the_budget(iterations: int, mode: Mode) -> None:
    """Tiny games: a search looks beyond their end, where there is nothing."""
    rules = GAME.ruleset.make({"max_turns": 3, "min_feed_size": 2, "shrimps_per_player": 1}, 2)
    match = Match(GAME, rules, 2, seed=2)
    player = Player("search", mode, iterations=iterations, width=2)
    while not match.over:
        for action in player.turn(match.plain_state(), match):
            match.apply(action)
    assert match.turn <= 4


def test_every_final_feed_is_answered_at_once() -> None:
    assert FINALS
    for match in FINALS:
        [action] = Player("search", iterations=3, width=2).turn(match.plain_state(), match)
        assert action in match.legal_actions()


# Red can feed its last shrimp: the game ends, and red is ahead.
WIN: dict[str, Any] = {
    "boards": "R2",
    "layout": "P: A3 B3 C3 C2 B2 D2 E2 | red@A3",
    "fish": {"red": "W5", "green": "W"},
    "eaten": 3,
    "turn": 21,
}


@pytest.mark.parametrize(
    ("kind", "params"),
    [("planner", {"width": 4}), ("search", {"width": 4, "iterations": 40})],
    ids=["planner", "search"],
)
def test_an_ending_that_wins_is_played(kind: str, params: dict[str, Any]) -> None:
    match = position(**WIN)
    assert "feed A3" in [GAME.format_action(action) for action in match.legal_actions()]
    [action] = Player(kind, **params).turn(match.plain_state(), match)
    assert GAME.format_action(action) == "feed A3"
    play(match, "feed A3")
    assert match.over
    assert match.ranks() == [1, 2]


def test_chances_follow_worth() -> None:
    match = TURNS[0]
    state, work, agent = match.plain_state(), GAME.work.plain(), Player("search").agent(0)
    chance = [0.0] * 5
    PLAIN.chances(state, match.rules, work, agent, chance)
    assert sum(chance) == pytest.approx(1)
    one, other = work.worth[:2]
    spread = agent.weights[search.SPREAD]
    assert chance[0] / chance[1] == pytest.approx(math.exp((one - other) / spread))


def test_plans_that_are_not_legal_any_more_are_passed_over() -> None:
    """A plan that is not legal in an iteration's position leaves it as it was."""
    match = TURNS[5]
    player, plans = searched(match, 4)
    states, rules = player.states, [match.rules]
    works: Any = GAME.work.plains(2)
    node, before = plans[0], match.plain_state()
    states[search.LEAF] = match.plain_state()
    node.plan[0] = 99 << 16
    assert node.plan[0] not in listed("list_legal", match)
    assert not PLAIN.play_plan(states, rules, works, [], node)
    assert states[search.LEAF] == before
    node.plan[0], node.length = listed("list_legal", match)[0], 1
    assert PLAIN.play_plan(states, rules, works, [], node)
    assert states[search.LEAF] != before
