"""The players at Reef: they do not peek, keep what they are told, plan ahead, and form a ladder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reefsim.agents.explain import explain
from reefsim.agents.kinds import resolve_params
from reefsim.core.agent import View
from reefsim.core.driver import PLAYER_BASE
from reefsim.core.events import EventLayout
from reefsim.core.match import Match
from reefsim.games.reef.constants import CORAL_OUT, MAX_LEVEL, P_TURN
from reefsim.games.reef.game import GAME
from reefsim.games.reef.position import position
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table
from reefsim.testing import PlayedGame, legal_texts
from tests.games.reef.boards import EMPTY
from tests.games.reef.told import WEIGHTS
from tests.sizes import sized

SLOT, RANK = (PLAYER_BASE.index(name) for name in ("slot", "rank"))


def positions(number: int, **rules: Any) -> list[Match]:
    """Positions of played games, each with something that the seat to act cannot see."""
    found = []
    for seed in range(number):
        game = PlayedGame("reef", rules, 2 + seed % 3, seed, (), 12 + 3 * seed, WEIGHTS)
        match = game.final()
        if not match.over:
            found.append(match)
    return found


def by_hand(kind: str, params: dict[str, Any]) -> dict[str, Any]:
    """Parameters with the weights set by hand."""
    filled = resolve_params(kind, params)
    return {name: value for name, value in filled.items() if name != "weights"}


def best(match: Match, kind: str, **params: Any) -> list[tuple[Any, ...]]:
    options = explain(match, kind, by_hand(kind, params), seed=3, top=3)
    return [(option.text, option.plan, option.value, option.visits) for option in options]


@pytest.mark.parametrize(
    ("kind", "params", "number"),
    [
        ("greedy", {}, 6),
        ("planner", {"width": 1}, 3),
        ("search", {"width": 2, "iterations": 4}, 3),
    ],
)
def test_nobody_peeks(kind: str, params: dict[str, Any], number: int) -> None:
    """The same options in positions that look the same to the seat."""
    moved = 0
    for k, match in enumerate(positions(sized(number, 40), points_visible=True)):
        other = View.of(match).sample(np.random.default_rng(k))
        assert View.of(other).state == View.of(match).state
        moved += other.plain_state().hand != match.plain_state().hand
        assert best(match, kind, **params) == best(other, kind, **params)
    assert moved > 0


def test_a_planner_takes_a_card_for_what_it_will_score() -> None:
    """A yellow diagonal that lies on the board is worth a turn of taking its card."""
    board = "Y1 . . . / . Y1 . . / . . Y1 . / . . . ."
    match = position(board, hand="RF46", display="RF45 RF56 RF59", points=0)
    (first, *_) = explain(match, "planner", by_hand("planner", {"width": 4}), seed=1, top=1)
    assert "take_display 0" in first.plan
    assert len(first.plan) == GAME.turns_ahead  # one action is a turn


def test_proposals_hold_the_placement_that_completes_a_pattern() -> None:
    board = "R1 . . . / . R1 . . / . . . . / . . . ."
    match = position(board, hand="RF02 RF46", points=0)
    kernels = GAME.build("plain", [])
    work = GAME.work.plain()
    kernels.propose(match.state, match.rules, work)
    from reefsim.core.work import list_actions

    actions = [0] * GAME.max_legal
    proposed = [GAME.format_action(a) for a in actions[: list_actions(work, actions)]]
    assert set(proposed) <= set(legal_texts(match))
    assert len(proposed) < 60
    # no red coral in hand: purple must not be laid on the red ones only
    assert any("A1" not in text and "B2" not in text for text in proposed)


@pytest.mark.parametrize(
    ("never", "broken"),
    [
        (["stack"], lambda rows: _on_covered(rows) > 0),
        (["double"], lambda rows: any("cell2" in x and x["cell"] == x["cell2"] for x in rows)),
        (["take_deck"], lambda rows: any(row["event"] == "take_deck" for row in rows)),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_restrictions_are_kept(never: list[str], broken: Any) -> None:
    rules = {"setup_mode": "centre_random", "stack_limit": MAX_LEVEL, "max_turns": 24}
    ruleset = GAME.ruleset.make(rules, 2)
    told: dict[bool, bool] = {}
    for forbidden in (True, False):
        params = resolve_params("random", {"never": never} if forbidden else {})
        table = make_table([Player("a", "random", params)] * 2, GAME, ruleset, seed=4, mode="plain")
        rows = table.play(jobs_of([range(2)], 0, 3))
        layout: EventLayout = GAME.under(ruleset).events
        told[forbidden] = broken(layout.rows([int(code) for code in rows.events]))
    assert (told[True], told[False]) == (False, True)


def _on_covered(rows: list[dict[str, Any]]) -> int:
    """Pieces put on others before the board is covered so far that it cannot be avoided."""
    covered: dict[int, set[str]] = {}
    found = 0
    for row in rows:
        if row["event"] == "start_random":
            if row["color"] == "yellow":
                covered[row["seat"]] = set()
            covered[row["seat"]].add(row["cell"])
        if row["event"] != "play":
            continue
        mine = covered[row["seat"]]
        for cell in [row[name] for name in ("cell", "cell2") if name in row]:
            found += cell in mine and len(mine) < 14
            mine.add(cell)
    return found


def test_worth_counts_what_a_hand_may_score() -> None:
    weights = [value for _, value, _ in GAME.weights]
    kernels, work = GAME.build("plain"), GAME.work.plain()
    worths = []
    for board in (EMPTY, "Y1 . . . / . Y1 . . / . . Y1 . / . . . ."):
        match = position(board, hand="RF45", rules={"coral_per_color": 40})
        assert match.plain_state().phase == P_TURN
        assert not kernels.evaluate(match.state, match.rules, work, weights)
        worths.append(work.worth[0])
    assert worths[1] - worths[0] > 1
    board = "Y1 Y1 Y1 . / . . . . / . . . . / . . . ."  # RF07 gives yellow and scores green
    worths = []
    for cause in (0, 1):
        match = position(board, seat=1, seats=2, hand={0: "RF13 RF01 RF49"})
        match.state.cause = cause  # then seat 0 has no further turn
        kernels.evaluate(match.state, match.rules, work, weights)
        worths.append(work.worth[0])
    assert worths[1] < worths[0]


def play(one: str, others: str, seats: int, replicates: int) -> tuple[float, int]:
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
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("one", "others", "replicates"),
    [("greedy", "random", 30), ("planner", "greedy", 80), ("search", "planner", 30)],
)
def test_players_form_a_ladder(one: str, others: str, replicates: int, seats: int) -> None:
    won, games = play(one, others, seats, replicates)
    fair = games / seats
    # Of a player no better than the others fewer than one in 800 would win so many.
    assert won > fair + 3 * (fair * (1 - 1 / seats)) ** 0.5


DISPLAY = "RF07 RF46 RF13"
DIAGONAL = "R1 . . . / . R1 . . / . . R1 . / . . . ."


@pytest.mark.parametrize("board", [DIAGONAL, EMPTY])
def test_a_plan_does_not_count_on_a_card_that_scores_for_another_seat(board: str) -> None:
    match = position(DIAGONAL, board, seat=1, hand="RF57", display=DISPLAY)
    assert GAME.build("plain").skip(match.state, match.rules, 0)
    assert match.state.seat == 0
    diagonal = int("RF46"[2:]) - 1
    assert (diagonal in match.state.display) == (board == EMPTY)


def test_between_two_turns_the_others_play_with_a_full_hand_and_take_with_room_in_it() -> None:
    squares = "Y1 Y1 . . / Y1 Y1 . . / . . . . / . . . ."
    match = position(EMPTY, squares, seat=1, hand="RF01 RF02 RF57 RF60", display=DISPLAY)
    kernels, state = GAME.build("plain"), match.state
    supply, deck, turn = list(state.supply), state.deck, state.turn
    assert kernels.skip(state, match.rules, 0)
    assert (state.seat, state.turn, state.deck) == (0, turn + 1, deck)
    used = [before - after for before, after in zip(supply, state.supply, strict=True)]
    assert used == [0, 0, 0, 2]  # RF57 scores most and gives two green pieces
    assert state.points[1] == 3 + 6
    state.seat = 1
    assert kernels.skip(state, match.rules, 0)
    assert state.deck == deck - 1
    state.seat, state.cause = 1, CORAL_OUT
    assert not kernels.skip(state, match.rules, 0)  # in the last round nobody has another turn
