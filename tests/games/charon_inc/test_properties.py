"""What holds in every game, over drawn rulesets, seats, seeds and choices (I-01 to I-10)."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given, settings

from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.invariants import INVARIANTS, check_record, check_state, check_step
from reefsim.testing import PlayedGame, check_game, played_games
from tests.games.charon_inc.told import WEIGHTS
from tests.sizes import sized

GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(50, 400))
WHOLE = played_games(GAME, weights=WEIGHTS, max_rest=sized(100, 800), max_choices=10)


@settings(max_examples=sized(10, 300))
@given(GAMES)
def test_invariants_hold_at_every_step(game: PlayedGame) -> None:
    match = game.start()
    states = []
    for now, action in game.walk(match):
        states.append((now.plain_state(), action))
        assert now.legal_actions()
    states.append((match.plain_state(), -1))
    for (before, action), (after, _) in pairwise(states):
        assert check_state(before, match.rules) == []
        assert check_step(before, action, after, match.rules) == []
    assert check_state(states[-1][0], match.rules) == []


@settings(max_examples=sized(12, 200))
@given(WHOLE)
def test_invariants_hold_over_whole_games(game: PlayedGame) -> None:
    match = game.final()
    rng = random.Random(game.seed)
    while not match.over:
        match.apply(rng.choice(match.legal_actions()))
    assert check_record(match.events(), match.ruleset, match.results()) == []


def test_every_invariant_is_checked_somewhere() -> None:
    for number, invariant in INVARIANTS.items():
        assert invariant.of_position or invariant.of_step or invariant.of_record, number


def test_the_game_conforms() -> None:
    assert check_game(GAME, games=sized(4, 60), seed=2, weights=WEIGHTS) == []
