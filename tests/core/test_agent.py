"""What an agent sees of a game, and what it may not see."""

from __future__ import annotations

import numpy as np
import pytest

from reefsim.core.agent import View
from reefsim.core.match import Match
from reefsim.games import registry

GAME = registry.get("reef_encounter")


def match_at(ply: int, seed: int = 1) -> Match:
    match = Match(GAME, GAME.ruleset(), 3, seed=seed)
    rng = np.random.default_rng(seed)
    while match.ply < ply:
        match.apply(int(rng.choice(match.legal_actions())))
    return match


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


@pytest.mark.parametrize("ply", [0, 60, 150, 400])
def test_a_view_of_a_sample_is_the_view(ply: int, rng: np.random.Generator) -> None:
    """Whatever a seat knows, it knows in every position that fits: nothing else is in a view."""
    view = View.of(match_at(ply))
    for _ in range(5):
        sample = view.sample(rng)
        assert View.of(sample).state == view.state
        assert sample.legal_actions() == view.legal_actions
        assert GAME.check_state(sample.plain_state(), sample.rules) == []


def test_a_view_stays_when_the_game_goes_on(rng: np.random.Generator) -> None:
    match = match_at(100)
    view = View.of(match)
    before = view.state, view.to_text(), list(view.legal_actions)
    sample = view.sample(rng)
    for _ in range(5):
        match.apply(match.legal_actions()[0])
        sample.apply(sample.legal_actions()[-1])
    view.state.seat = 2
    assert (view.state, view.to_text(), list(view.legal_actions)) == before


def test_a_view_says_where_it_is() -> None:
    match = match_at(100)
    view = View.of(match)
    assert (view.seat, view.seats, view.turn, view.ply) == (match.seat, 3, match.turn, match.ply)
    assert view.text(view.legal_actions[0]) == GAME.format_action(match.legal_actions()[0])
    assert view.ruleset is match.ruleset
    assert view.rules.feed_return == 4


def test_a_sample_can_be_played_to_its_end(rng: np.random.Generator) -> None:
    sample = View.of(match_at(300)).sample(rng)
    while not sample.over:
        sample.apply(int(rng.choice(sample.legal_actions())))
    assert sample.end_cause in GAME.end_causes
    assert len(sample.scores()) == len(sample.ranks()) == 3
    assert sample.events() == []


def test_samples_differ_in_what_the_seat_does_not_know(rng: np.random.Generator) -> None:
    view = View.of(match_at(150))
    samples = [view.sample(rng) for _ in range(6)]
    others = {str([s.plain_state().behind[i] for i in range(3) if i != view.seat]) for s in samples}
    assert len(others) > 1
    assert len({str(sample.plain_state().chance) for sample in samples}) == 6
