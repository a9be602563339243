"""Working out a turn: legal and complete, in order, each position once, wider is no worse."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings

from reefsim.agents.records import BEAM, DESK, MAX_KEPT, NOW, NUM_STATES
from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import P_GROW, P_TURN
from reefsim.games.reef_encounter.position import position
from reefsim.testing import PlayedGame, play, played_games, rulesets
from tests.agents.thinking import GAME, PLAIN, Player, listed, plans_on, positions
from tests.games.reef_encounter.told import WEIGHTS
from tests.sizes import sized

GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(120, 1500))


def sample(step: int) -> list[Match]:
    """Positions in which there is something to plan."""
    found = [m for m in positions(60) if m.state.phase in (P_TURN, P_GROW)]
    return found[::step]


def plan(match: Match, keep: int = MAX_KEPT, **params: Any) -> tuple[Player, Any, list[Any]]:
    """A planner, the position it imagined, the finished turns it kept."""
    player = Player("planner", **params)
    now = player.consider(match, keep)
    return player, now, plans_on(player.desks[0])


def is_over(now: Any, after: Any) -> bool:
    return bool(after.over or after.turn != now.turn or after.seat != now.seat)


@pytest.mark.parametrize("width", [1, 3])
def test_plans_are_whole_legal_turns_that_lead_to_what_they_are_worth(width: int) -> None:
    for match in sample(sized(6, 1)):
        player, now, found = plan(match, width=width)
        agent, work = player.agent(match.seat), GAME.work.plain()
        assert found
        for value, mark, actions in found:
            after = now.copy()
            for action in actions:
                assert not is_over(now, after)
                assert action in listed("list_legal", match, after)
                PLAIN.apply(after, match.rules, work, [], action)
            assert is_over(now, after)
            assert PLAIN.judge(after, match.rules, work, agent, match.seat) == value
            assert PLAIN.fingerprint(after) == mark
        values = [value for value, *_ in found]
        assert values == sorted(values, reverse=True)
        assert len({mark for _, mark, _ in found}) == len(found)
        assert len({tuple(actions) for *_, actions in found}) == len(found)


def test_the_best_turn_is_played_as_far_as_it_is_legal() -> None:
    """A plan may hope for a tile that the bag turns out not to have.

    Where only one action is legal it is taken without a thought, and the rest is planned anew.
    """
    steps = 0
    for match in sample(sized(8, 2)):
        player, _, found = plan(match, keep=1, width=2)
        [(value, _, actions)] = found
        assert value == plan(match, width=2)[2][0][0]
        played, game = player.turn(match.plain_state(), match), match.copy()
        for taken, planned in zip(played, actions, strict=False):
            if not game.is_legal(planned) or len(game.legal_actions()) == 1:
                break
            assert taken == planned
            game.apply(taken)
            steps += 1
        else:
            assert len(played) == len(actions)
    assert steps > 30


def test_wider_beams_are_better_on_average_by_their_own_judgment() -> None:
    values = {
        width: [plan(match, keep=1, width=width)[2][0][0] for match in sample(sized(8, 1))]
        for width in (1, 4, sized(8, 16))
    }
    narrow, *wide = (mean(found) for found in values.values())
    assert narrow < min(wide)
    for found in values.values():  # a beam of one is seldom better, where it leads elsewhere
        worse = [one > other + 1e-9 for one, other in zip(values[1], found, strict=True)]
        assert sum(worse) <= len(worse) / 4


def test_noise_changes_what_a_planner_does() -> None:
    plans = {
        noise: [plan(match, keep=1, width=1, noise=noise)[2][0][2] for match in sample(12)]
        for noise in (0.0, 30.0)
    }
    assert plans[0.0] != plans[30.0]


@settings(max_examples=sized(15, 300))
@given(GAMES)
def test_proposed_actions_are_legal_and_never_none(game: PlayedGame) -> None:
    match = game.start()
    for _, _action in game.walk(match):
        legal, proposed = match.legal_actions(), listed("propose", match)
        assert proposed
        assert len(set(proposed)) == len(proposed)
        assert set(proposed) <= set(legal)


def test_proposed_actions_leave_much_out_and_all_kinds_in() -> None:
    kept = total = 0
    kinds: set[int] = set()
    for match in positions(60):
        proposed = listed("propose", match)
        assert proposed
        assert set(proposed) <= set(match.legal_actions())
        kinds |= {action >> 16 for action in proposed}
        if match.state.phase in (P_TURN, P_GROW):
            kept += len(proposed)
            total += len(match.legal_actions())
    assert kept < total / 3
    names = {GAME.action_kinds[kind] for kind in kinds}
    assert names >= {"grow", "place", "shrimp_in", "shrimp_move", "to_larva", "alga", "collect"}


@given(rulesets(GAME, 2, changes=6))
@settings(max_examples=sized(15, 300))
def test_a_planner_gets_to_the_end_of_a_turn_under_any_rules(ruleset: Any) -> None:
    match = Match(GAME, ruleset, 2, seed=3)
    player = Player("planner", width=1)
    while not match.over and match.turn < 3:
        for action in player.turn(match.plain_state(), match):
            match.apply(action)


def after(match: Match, *actions: str) -> Match:
    twin = match.copy()
    for text in actions:
        twin.apply(GAME.parse_action(text))
    return twin


def marks(*matches: Match) -> set[int]:
    return {PLAIN.fingerprint(match.plain_state()) for match in matches}


def test_positions_of_one_turn_have_one_fingerprint_whatever_the_order() -> None:
    """Two actions that can be taken in either order; others lead elsewhere, with another one."""
    swapped = 0
    for match in sample(sized(10, 2)):
        by_mark: dict[int, Any] = {}
        for first in listed("propose", match):
            one = match.copy()
            one.apply(first)
            if is_over(match.state, one.state):
                continue
            for second in listed("propose", one)[:12]:
                two = one.copy()
                two.apply(second)
                mark, state = PLAIN.fingerprint(two.plain_state()), two.plain_state()
                state.moves = 0  # which is left out on purpose
                if mark in by_mark:
                    swapped += by_mark[mark][1] != (first, second)
                    assert by_mark[mark][0] == state
                by_mark.setdefault(mark, (state, (first, second)))
    assert swapped > 20


def test_the_order_of_laying_two_tiles_does_not_matter() -> None:
    match = play(position("R2", "W: F4 | red@F4", behind="W4", larvae="W"), "grow white")
    one, two, third = (f"place {cell} behind" for cell in ("G4", "E4", "F5"))
    assert len(marks(after(match, one, two), after(match, two, one))) == 1
    assert len(marks(match, after(match, one), after(match, two), after(match, one, third))) == 4


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("phase", P_GROW),
        ("growing", 1),
        ("grows", 1),
        ("entered", 1),
        ("fresh", 0),
        ("placed", 1),
        ("from_behind", 1),
        ("lock_made", 1),
        ("reversed", 1),
        ("locked", 1),
        ("space", 2),
        ("tiles", [[1, 0, 0, 0, 0]] * 4),
        ("shrimps", [8, 0, 0, 0]),
        ("in_hand", [1, 4, 0, 0]),
        ("larvae", [[0, 0, 0, 0, 1]] * 4),
        ("behind", [[0, 3, 0, 0, 0]] * 4),
        ("front", [[0, 0, 7, 0, 0]] * 4),
    ],
)
def test_whatever_a_turn_changes_changes_the_fingerprint(field: str, value: Any) -> None:
    state = position("R2", "W: F4 | red@F4", behind="W4", larvae="W").plain_state()
    before = PLAIN.fingerprint(state)
    assert getattr(state, field) != value
    setattr(state, field, value)
    assert PLAIN.fingerprint(state) != before


def test_a_beam_keeps_no_more_than_it_is_wide() -> None:
    """What lies beyond the places of a narrow beam is not touched."""
    match = sample(1)[5]
    player = Player("planner", width=2)
    states = GAME.state.plains(NUM_STATES)
    states[NOW] = match.plain_state()
    desk, marker = DESK.plain(), GAME.state.plain()
    for place in range(2, 32):
        states[BEAM + place] = marker
    agent = player.agent(match.seat)
    rules, works = [match.rules], GAME.work.plains(2)
    PLAIN.plan_turn(states, rules, works, [], desk, agent, NOW, 1, 2, 3, 0)
    assert all(states[BEAM + place] is marker for place in range(2, 32))
    assert 0 < desk.num_done <= 3
