"""What a seat may know: nothing of hands, the pile, choices for the row, unseen discards."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reefsim.core.agent import View
from reefsim.core.match import Match
from reefsim.games.charon_inc.cards import discards
from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.invariants import check_state
from reefsim.games.charon_inc.position import position
from reefsim.testing import PlayedGame, play, played_games
from tests.games.charon_inc.told import WEIGHTS

GAMES = played_games(GAME, weights=WEIGHTS, max_rest=120)
SEEDS = st.integers(0, 1000)
HIDDEN = {
    "chance",
    "hand",
    "layers",
    "pile",
    "seen",
    "fresh",
    "chosen",
    "hidden_hand",
    "hidden_layer",
}


def blind(state: Any, match: Match, seat: int) -> Any:
    known = state.copy()
    GAME.build("plain").view_match([known], [match.rules], seat)
    return known


@pytest.mark.clause("CH-8.1")
@given(GAMES)
def test_what_is_public_or_own_is_in_the_view(game: PlayedGame) -> None:
    match = game.final()
    s = match.plain_state()
    for seat in range(game.seats):
        known = blind(s, match, seat)
        for name, *_ in GAME.state.fields:
            if name not in HIDDEN:
                assert getattr(known, name) == getattr(s, name), name
        assert known.hand[seat] == s.hand[seat]
        for x in range(game.seats):
            if x != seat:
                assert known.hand[x] == s.hand[x] & s.seen[seat]
                assert known.chosen[x] == -1
                assert known.hidden_hand[x] == (s.hand[x] & ~s.seen[seat]).bit_count()
        assert known.pile & s.seen[seat] == 0
        assert blind(known, match, seat) == known


@given(GAMES, SEEDS)
def test_drawn_positions_fit_the_view(game: PlayedGame, seed: int) -> None:
    match = game.final()
    s = match.plain_state()
    for seat in range(game.seats):
        known = blind(s, match, seat)
        drawn = known.copy()
        dice = random.Random(seed)
        agent: Any = type("dice", (), {"rng": [dice.getrandbits(32) | 1 for _ in range(4)]})()
        GAME.build("plain").fit_match([drawn], [match.rules], seat, [agent])
        assert check_state(drawn, match.rules) == []
        assert blind(drawn, match, seat) == known
    if not match.over:
        view = View.of(match)
        again = view.sample(np.random.default_rng(seed))
        assert View.of(again).state == view.state
        assert again.legal_actions() == view.legal_actions


@pytest.mark.clause("CH-1.8", "CH-6.5")
def test_choices_for_the_row_are_not_seen_before_all_have_chosen() -> None:
    views = []
    for pick in (0, -1):
        match = Match(GAME, GAME.ruleset(), 3, seed=4)
        for _ in range(2):
            match.apply(match.legal_actions()[pick])
        views.append(View.of(match))
    assert views[0].seat == 2
    assert views[0].state == views[1].state
    assert views[0].legal_actions == views[1].legal_actions


@pytest.mark.clause("CH-4.7", "CH-8.1")
def test_who_takes_a_discard_leaves_the_others_in_doubt() -> None:
    views = []
    for card in ("B12A", "B12B"):
        match = position("a3", seats=4, left={0: "A3"}, hand={1: "B02A"}, seed=1)
        play(match, f"a3_take {card} discard")
        views.append((blind(match.plain_state(), match, 1), blind(match.plain_state(), match, 0)))
    assert views[0][0] == views[1][0]
    assert views[0][0].hidden_hand[0] == 1
    assert views[0][0].hidden_layer[0] == 4
    assert views[0][1] != views[1][1]  # the one who took it knows
    drawn = set()
    rng = np.random.default_rng(3)
    match = position("a3", seats=4, left={0: "A3"}, seed=1)
    play(match, "a3_take B12A discard")
    match.state.seat, match.state.at = 1, 1
    view = View.of(match)
    for _ in range(40):
        state = view.sample(rng).plain_state()
        assert state.hand[0].bit_count() == 1
        assert discards(state).bit_count() == 4
        drawn.add(state.hand[0])
    assert len(drawn) == 5  # any of the five 12s


@pytest.mark.clause("CH-4.7b", "CH-8.1")
def test_who_takes_the_top_card_leaves_no_doubt_about_lower_layers() -> None:
    match = position("a3", left={0: "A3"}, rules={"a3_discard_pick": "top_card"})
    s = match.state
    s.layers[1] = 0b111 << 4  # the row of a reset, laid down before the eyes of all
    s.num_layers, s.pile, s.pile_size = 2, s.pile & ~s.layers[1], s.pile_size - 3
    s.out |= s.layers[1]
    for seat in range(s.seats):
        s.seen[seat] |= s.layers[1]
    play(match, "a3_draw")
    known = blind(match.plain_state(), match, 1)
    assert list(known.hidden_layer[:2]) == [0, 2]
    assert known.layers[0].bit_count() == 5  # the 12s
    assert known.hidden_hand[0] == 1


@pytest.mark.clause("CH-8.1")
def test_a_card_taken_from_the_row_is_known() -> None:
    match = position("a3", left={0: "A3"}, row="B04A")
    play(match, "a3_take B04A row")
    known = blind(match.plain_state(), match, 1)
    assert known.hand[0].bit_count() == 1
    assert known.hidden_hand[0] == 0


def test_buried_cards_are_seen_by_who_looks() -> None:
    match = Match(GAME, GAME.ruleset(), 2, seed=6)
    s = match.plain_state()
    assert blind(s, match, 0).hidden_layer[0] == 2
    asked = position("a1", left={0: "A1", 1: "A3"})
    asked.state.seen[1] &= ~discards(asked.plain_state())
    assert blind(asked.plain_state(), asked, 1).hidden_layer[0] == 5
    play(asked, "a1_pass")
    assert asked.seat == 1
    assert blind(asked.plain_state(), asked, 1).hidden_layer[0] == 0
