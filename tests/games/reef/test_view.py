"""What a seat may know: nothing of dealt cards, the deck or, in the set-up, the others' pieces."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reefsim.core.agent import View
from reefsim.core.match import Match
from reefsim.games.reef.game import GAME
from reefsim.games.reef.invariants import check_state
from reefsim.games.reef.invariants.from_scratch import cards_of
from reefsim.testing import PlayedGame, played_games
from tests.games.reef.told import WEIGHTS

GAMES = played_games(GAME, weights=WEIGHTS, max_rest=80)
SEEDS = st.integers(0, 1000)


def blind(state: Any, match: Match, seat: int) -> Any:
    known = state.copy()
    GAME.build("plain").view_match([known], [match.rules], seat)
    return known


def scramble(state: Any, seat: int, rng: random.Random) -> Any:
    """The same position with other cards where the seat cannot look."""
    s = state.copy()
    others = [x for x in range(s.seats) if x != seat]
    pool = sorted(cards_of(s.unseen).union(*(cards_of(s.secret[x]) for x in others)))
    rng.shuffle(pool)
    for x in others:
        for card in cards_of(s.secret[x]):
            s.hand[x][card // 60] &= ~(1 << card % 60)
        s.secret[x] = [0, 0]
        for _ in range(s.unknown[x]):
            card = pool.pop()
            s.hand[x][card // 60] |= 1 << card % 60
            s.secret[x][card // 60] |= 1 << card % 60
    s.unseen = [0, 0]
    for card in pool:
        s.unseen[card // 60] |= 1 << card % 60
    s.chance = [rng.getrandbits(32) for _ in range(4)]
    return s


@pytest.mark.clause("R8.3")
@given(GAMES, SEEDS)
def test_a_view_is_the_same_whatever_is_hidden(game: PlayedGame, seed: int) -> None:
    """I-16."""
    match = game.final()
    state, rng = match.plain_state(), random.Random(seed)
    for seat in range(game.seats):
        other = scramble(state, seat, rng)
        assert check_state(other, match.rules) == []
        assert blind(other, match, seat) == blind(state, match, seat)


@pytest.mark.clause("R8.2", "R8.3", "A13", "A18")
@given(GAMES)
def test_what_is_public_or_own_is_in_the_view(game: PlayedGame) -> None:
    match = game.final()
    s = match.plain_state()
    for seat in range(game.seats):
        known = blind(s, match, seat)
        hidden = {"chance", "hand", "secret", "unseen"}
        if s.phase == 0:
            hidden |= {"stack", "height", "tops", "least"}
        if not match.ruleset.points_visible:
            hidden |= {"points"}
        for name, *_ in GAME.state.fields:
            if name not in hidden:
                assert getattr(known, name) == getattr(s, name), name
        assert known.hand[seat] == s.hand[seat]
        assert known.points[seat] == s.points[seat]
        for x in range(game.seats):
            if x != seat:
                assert cards_of(known.hand[x]) == cards_of(s.hand[x]) - cards_of(s.secret[x])
        assert blind(known, match, seat) == known


@given(GAMES, SEEDS)
def test_drawn_positions_fit_the_view(game: PlayedGame, seed: int) -> None:
    match = game.final()
    if match.over:
        return
    view = View.of(match)
    drawn = view.sample(np.random.default_rng(seed))
    assert check_state(drawn.plain_state(), match.rules) == []
    assert blind(drawn.plain_state(), match, match.seat) == view.state
    assert drawn.legal_actions() == view.legal_actions


@pytest.mark.clause("A1", "R1.6")
@pytest.mark.parametrize("rules", [{}, {"setup_mode": "free", "setup_timing": "after_display"}])
def test_a_seat_does_not_see_the_pieces_of_earlier_seats(rules: dict[str, str]) -> None:
    views = []
    for pick in (0, -1):
        match = Match(GAME, GAME.ruleset.make(rules, 3), 3, seed=4)
        for _ in range(8):
            match.apply(match.legal_actions()[pick])
        views.append(View.of(match))
    assert views[0].seat == 2
    assert views[0].state == views[1].state
    assert views[0].legal_actions == views[1].legal_actions


@pytest.mark.clause("R8.2", "A13")
def test_hidden_points_are_not_told() -> None:
    match = Match(GAME, GAME.ruleset.make({"points_visible": False}, 2), 2, seed=1)
    view = View.of(match)
    assert view.state.points[:2] == [3, -1]
    assert "points hidden" in view.to_text()


def test_hidden_cards_are_drawn_with_equal_chances() -> None:
    """Each unseen card is in the other's hand as often as any, about."""
    rules = {"setup_mode": "centre_random"}
    match = Match(GAME, GAME.ruleset.make(rules, 2), 2, seed=5)
    view = View.of(match)
    pool = cards_of(view.state.unseen)
    found = dict.fromkeys(pool, 0)
    rng = np.random.default_rng(9)
    samples = 600
    for _ in range(samples):
        for card in cards_of(view.sample(rng).plain_state().hand[1]):
            found[card] += 1
    expected = 2 * samples / len(pool)
    chi_square = sum((number - expected) ** 2 / expected for number in found.values())
    assert chi_square < len(pool) + 4 * (2 * len(pool)) ** 0.5
