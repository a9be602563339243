"""What holds in every game, over drawn rulesets, seats, seeds and choices (I-01 to I-12)."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reefsim.core.agent import View
from reefsim.games.poseidons_kingdom.constants import NONE, TOTAL
from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.games.poseidons_kingdom.invariants import (
    INVARIANTS,
    check_record,
    check_state,
    check_step,
)
from reefsim.games.poseidons_kingdom.invariants.from_scratch import can_meet
from reefsim.games.poseidons_kingdom.meals import can_complete
from reefsim.games.poseidons_kingdom.state import RULES, WORK
from reefsim.testing import PlayedGame, check_game, played_games
from tests.games.poseidons_kingdom.told import FILES, WEIGHTS, walk
from tests.sizes import sized

GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(60, 400))


@settings(max_examples=sized(6, 200))
@given(GAMES)
def test_invariants_hold_at_every_step(game: PlayedGame) -> None:
    match = game.start()
    states = []
    for now, action in game.walk(match):
        states.append((now.plain_state(), action))
    states.append((match.plain_state(), -1))
    for (before, action), (after, _) in pairwise(states):
        assert check_state(before, match.rules) == []
        assert check_step(before, action, after, match.rules) == []
    assert check_state(states[-1][0], match.rules) == []


@pytest.mark.parametrize("path", FILES[:: sized(6, 1)], ids=lambda path: path.stem)
def test_invariants_hold_along_the_handed_records(path: Any) -> None:
    before: Any = None
    for match, action in walk(path):
        state = match.plain_state()
        assert check_state(state, match.rules) == []
        if before is not None:
            assert check_step(*before, state, match.rules) == []
        before = (state, action)


@settings(max_examples=sized(3, 60))
@given(played_games(GAME, weights=WEIGHTS, max_rest=20, max_choices=10))
def test_invariants_hold_over_whole_games(game: PlayedGame) -> None:
    match = game.final()
    rng = random.Random(game.seed)
    while not match.over:
        match.apply(rng.choice(match.legal_actions()))
    assert check_record(match.events(), match.ruleset, match.results()) == []


def test_every_invariant_is_checked_somewhere() -> None:
    for number, invariant in INVARIANTS.items():
        assert invariant.of_position or invariant.of_step or invariant.of_record, number


def _rules(**differences: Any) -> Any:
    r = RULES.plain()
    RULES.fill(r, GAME.pack_rules(GAME.ruleset.make(differences, 2), 2))
    return r


BASE, LONG = _rules(), _rules(straight_length="3_or_more", total_target=9, all_different_size=5)
FEW = st.tuples(*[st.integers(0, 2)] * 6)


@pytest.mark.clause("PK-4.4", "PK-7.3")
@settings(max_examples=sized(150, 5000))
@given(FEW, FEW, st.lists(st.integers(0, 5), max_size=3), st.integers(0, 4), st.integers(0, 1))
def test_meals_are_found_as_by_trying_everything(
    available: tuple[int, ...],
    storable: tuple[int, ...],
    eaten: list[int],
    picks: int,
    need: int,
) -> None:
    counts = tuple(eaten.count(face) for face in range(6))
    w = WORK.plain()
    for r in (BASE, LONG):
        for meal in range(TOTAL, TOTAL + 7):
            w.available, w.storable, w.eaten = list(available), list(storable), list(counts)
            found = can_complete(r, w, meal, 8, picks, need)
            expected = can_meet(counts, available, storable, picks, need, meal, 8, r)
            assert found == expected, meal


@pytest.mark.clause("PK-8.1", "PK-4.11")
@settings(max_examples=sized(8, 200))
@given(GAMES, st.integers(0, 1000))
def test_a_view_shows_known_coral_only(game: PlayedGame, seed: int) -> None:
    match = game.final()
    if match.over:
        return
    view, state = View.of(match), match.plain_state()
    known = state.seen[match.seat]
    for i in range(8):
        seen = (known >> i) & 1
        assert view.state.coral[i] == (state.coral[i] if seen else NONE)
    state.chance = view.state.chance
    state.coral = view.state.coral
    assert view.state == state  # all else is open


def test_the_game_conforms() -> None:
    # a game has a thousand decisions; drawn rulesets are met above
    assert check_game(GAME, games=sized(1, 60), seed=2, weights=WEIGHTS) == []
