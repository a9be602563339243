"""What a seat may know: nothing hidden is in a view, and positions drawn to fit it do (R14)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reefsim.core.agent import View
from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import P_LARVAE, P_STASH, P_TURN
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.invariants import check_state
from reefsim.games.reef_encounter.position import position
from reefsim.testing import PlayedGame, legal_texts, play, played_games
from tests.games.reef_encounter.told import WEIGHTS

GAMES = played_games(GAME, weights=WEIGHTS, max_rest=300)
SEEDS = st.integers(0, 2**16)


def blind(state: Any, match: Match, seat: int) -> Any:
    """The state as a seat may know it."""
    known = state.copy()
    GAME.build("plain").view_match([known], [match.rules], seat)
    return known


def tells(s: Any, seat: int) -> list[bool]:
    """Colors of which the seat can tell that the bag has them, or has none: by `to_polyp`."""
    asked = s.phase == P_TURN and s.seat == seat
    return [bool(asked and s.larvae[seat][c] and not s.bonus[c] and s.bag[c]) for c in range(5)]


def scramble(state: Any, seat: int, rng: random.Random) -> Any:
    """The same position to a seat: all that it cannot see is dealt anew."""
    for _ in range(200):
        s = _dealt_anew(state, seat, rng)
        if tells(s, seat) == tells(state, seat):
            return s
    return state


def _dealt_anew(state: Any, seat: int, rng: random.Random) -> Any:
    s = state.copy()
    pool: list[int] = []
    others = [x for x in range(s.seats) if x != seat]
    for c in range(5):
        pool += [c] * s.bag[c]
        s.bag[c] = 0
        for x in others:
            pool += [c] * (s.behind[x][c] - s.known[x][c])
            s.behind[x][c] = s.known[x][c]
    for x in others:
        if s.stash[x] >= 0:
            pool.append(s.stash[x])
            s.fish[x][s.stash[x]] -= 1
    rng.shuffle(pool)
    for x in others:
        for _ in range(s.unknown[x]):
            s.behind[x][pool.pop()] += 1
        if s.stash[x] >= 0:
            s.stash[x] = pool.pop()
            s.fish[x][s.stash[x]] += 1
    for c in pool:
        s.bag[c] += 1
    s.chance = [rng.getrandbits(32) for _ in range(4)]
    return s


@pytest.mark.clause("R14.1", "R14.2")
@given(GAMES, SEEDS)
def test_a_view_is_the_same_whatever_is_hidden(game: PlayedGame, seed: int) -> None:
    match = game.final()
    state, rng = match.plain_state(), random.Random(seed)
    for seat in range(game.seats):
        other = scramble(state, seat, rng)
        assert check_state(other, match.rules) == []
        assert blind(other, match, seat) == blind(state, match, seat)


@pytest.mark.clause("R14.1", "R7.8")
@given(GAMES)
def test_what_is_public_or_own_is_in_the_view(game: PlayedGame) -> None:
    match = game.final()
    s = match.plain_state()
    for seat in range(game.seats):
        known = blind(s, match, seat)
        for name, *_ in GAME.state.fields:
            if name in ("chance", "behind", "fish", "stash", "bag", "in_bag"):
                continue
            if name in ("larvae", "pair", "supply") and s.phase == P_LARVAE:
                continue
            assert getattr(known, name) == getattr(s, name), name
        for name in ("behind", "fish", "stash", "larvae", "pair"):
            assert getattr(known, name)[seat] == getattr(s, name)[seat]
        assert known.chance == [0] * 4
        for x in range(game.seats):
            if x != seat:
                assert known.stash[x] == -1
                assert known.behind[x] == s.known[x]
        # every tile is somewhere: what is not seen is in the pool
        assert sum(known.bag) == sum(s.bag) + sum(
            s.unknown[x] + (s.stash[x] >= 0) for x in range(game.seats) if x != seat
        )


@given(GAMES)
def test_blinding_twice_changes_nothing(game: PlayedGame) -> None:
    match = game.final()
    for seat in range(game.seats):
        once = blind(match.plain_state(), match, seat)
        assert blind(once, match, seat) == once


@pytest.mark.clause("R14.2")
@given(GAMES, SEEDS)
def test_drawn_positions_fit_the_view(game: PlayedGame, seed: int) -> None:
    match = game.final()
    if match.over or match.plain_state().phase == P_LARVAE:
        return
    view = View.of(match)
    drawn = view.sample(np.random.default_rng(seed))
    s = drawn.plain_state()
    assert check_state(s, match.rules) == []
    assert blind(s, match, match.seat) == view.state
    assert drawn.legal_actions() == view.legal_actions
    while not drawn.over and drawn.turn <= match.turn:
        drawn.apply(drawn.legal_actions()[-1])
    assert check_state(drawn.plain_state(), match.rules) == []


@pytest.mark.clause("R14.2", "A2")
def test_drawn_positions_in_the_choice_of_larvae() -> None:
    match = Match(GAME, GAME.ruleset(), 3, seed=4)
    while match.plain_state().phase == P_STASH:
        match.apply(match.legal_actions()[0])
    play(match, "choose_larvae white pink", "choose_larvae grey grey")
    drawn = View.of(match).sample(np.random.default_rng(1))
    assert [sum(larvae) for larvae in drawn.plain_state().larvae] == [2, 2, 0, 0]
    assert check_state(drawn.plain_state(), match.rules) == []


@pytest.mark.clause("A2", "R1.10")
def test_a_seat_does_not_see_what_others_choose() -> None:
    """The later seat's view is the same after any earlier choices."""
    views = []
    for choices in (("white white", "white white"), ("pink grey", "yellow orange")):
        match = Match(GAME, GAME.ruleset(), 3, seed=4)
        while match.plain_state().phase == P_STASH:
            match.apply(match.legal_actions()[0])
        play(match, *(f"choose_larvae {pair}" for pair in choices))
        views.append(View.of(match))
    assert views[0].state == views[1].state
    assert views[0].legal_actions == views[1].legal_actions


def test_only_the_seat_to_act_can_tell_what_the_bag_has() -> None:
    """Yellow's pink larva does not show it whether green hides the last pink tile."""
    views = []
    for bag, stash in (("W5 P", "W"), ("W6", "P")):
        match = position(
            "R2 R3 R4", larvae={"yellow": "P"}, fish={"green": stash}, bag=bag, bonus="W"
        )
        s = match.plain_state()
        known = blind(s, match, 2)
        views.append((known.in_bag, known.bag[3], known.bag[0]))
    assert views[0] == views[1]


@pytest.mark.clause("R8.2", "R14.2")
def test_drawn_positions_keep_what_the_seat_can_tell() -> None:
    """Red cannot change its pink larva, so both unseen pink tiles are behind yellow's screen."""
    match = position("R2 R3 R4", larvae="P", behind={"yellow": "P2"}, bag="W25 Y25", bonus="W")
    s = match.state
    s.known[2], s.unknown[2] = [0] * 5, 2
    assert check_state(s, match.rules) == []
    assert legal_texts(match, "to_polyp") == []
    drawn = View.of(match).sample(np.random.default_rng(3))
    assert legal_texts(drawn, "to_polyp") == []


def test_hidden_tiles_are_drawn_with_their_chances() -> None:
    """An opponent's hand has each color as often as the unseen tiles have it, about."""
    match = Match(GAME, GAME.ruleset(), 2, seed=5)
    while match.turn == 0:
        match.apply(match.legal_actions()[0])
    view = View.of(match)
    pool = np.array(view.state.bag) / sum(view.state.bag)
    rng = np.random.default_rng(9)
    samples = 400
    found: Counter[int] = Counter()
    for _ in range(samples):
        s = view.sample(rng).plain_state()
        for c in range(5):
            found[c] += s.behind[1][c]
        found[s.stash[1]] += 1
    total = samples * 9
    error = 4 * np.sqrt(pool * (1 - pool) / total)
    shares = np.array([found[c] / total for c in range(5)])
    assert (abs(shares - pool) < error).all(), (shares, pool)


@pytest.mark.clause("R14.2")
def test_what_was_collected_is_known_and_what_is_laid_is_spent() -> None:
    match = Match(GAME, GAME.ruleset(), 2, seed=5)
    while match.turn == 0:
        match.apply(match.legal_actions()[0])
    play(match, "collect white")
    s = match.plain_state()
    assert (sum(s.known[0]), s.unknown[0]) == (sum(s.behind[0]) - 5, 5)
    assert "collect white" in legal_texts(match)
    assert sum(blind(s, match, 1).behind[0]) == sum(s.known[0])
