"""What holds in every game, over drawn rulesets, seats, seeds and choices (I-01 to I-16)."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reefsim.games.reef import decks
from reefsim.games.reef.constants import LETTERS, NUM_CELLS
from reefsim.games.reef.game import GAME
from reefsim.games.reef.invariants import INVARIANTS, check_record, check_state, check_step
from reefsim.games.reef.invariants.from_scratch import Board, Position, count
from reefsim.games.reef.patterns import matches
from reefsim.games.reef.pieces import clear_board, push
from reefsim.games.reef.state import RULES, STATE, WORK
from reefsim.testing import PlayedGame, check_game, played_games
from tests.games.reef.boards import deck_of
from tests.games.reef.told import WEIGHTS
from tests.sizes import sized

GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(40, 300))
WHOLE = played_games(GAME, weights=WEIGHTS, max_rest=sized(400, 800), max_choices=10)


@settings(max_examples=sized(15, 400))
@given(GAMES)
def test_invariants_hold_at_every_step(game: PlayedGame) -> None:
    match = game.start()
    states = []
    for now, action in game.walk(match):
        states.append((now.plain_state(), action))
        assert now.legal_actions(), "I-11"
    states.append((match.plain_state(), -1))
    for (before, action), (after, _) in pairwise(states):
        assert check_state(before, match.rules) == []
        assert check_step(before, action, after, match.rules) == []
    assert check_state(states[-1][0], match.rules) == []


@settings(max_examples=sized(30, 200))
@given(WHOLE)
def test_invariants_hold_over_whole_games(game: PlayedGame) -> None:
    match = game.final()
    rng = random.Random(game.seed)
    while not match.over:
        match.apply(rng.choice(match.legal_actions()))
    assert check_record(match.events(), match.ruleset, match.results()) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bounds_of_the_published_game(seats: int) -> None:
    """I-13 over games that take as few cards, or play as few, as they can."""
    for seed in range(sized(3, 40)):
        for weights in ({"play": 50}, {"take_display": 50}):
            game = PlayedGame("reef", {}, seats, seed, (), 2000, weights)
            match = game.final()
            assert match.over
            assert check_record(match.events(), match.ruleset, match.results()) == []


def test_every_invariant_is_checked_somewhere() -> None:
    for number, invariant in INVARIANTS.items():
        assert invariant.of_position or invariant.of_step or invariant.of_record, number


# Patterns ----------------------------------------------------------------------------------------

SPACES = st.lists(
    st.tuples(st.sampled_from([0, 0, 1, 1, 2, 3]), st.sampled_from([0, 1, 1, 2, 2, 3, 4])),
    min_size=NUM_CELLS,
    max_size=NUM_CELLS,
)


def _state(spaces: list[tuple[int, int]]) -> Any:
    s = STATE.plain()
    clear_board(s, 0)
    for cell, (color, height) in enumerate(spaces):
        for _ in range(height):
            push(s, 0, cell, color)
    return s


def _rules(ruleset: Any) -> Any:
    r = RULES.plain()
    RULES.fill(r, GAME.pack_rules(ruleset, 2))
    return r


BASE = _rules(GAME.ruleset())
MIRRORED = _rules(GAME.ruleset.make({"allow_reflection": True}, 2))
DECK = decks.find(decks.RECONSTRUCTED)


@pytest.mark.clause("R5.2", "R5.5", "R5.6", "R5.7", "R5.9", "R6.1")
@settings(max_examples=sized(60, 2000))
@given(SPACES)
def test_counts_of_the_deck_agree_with_trying_everything(spaces: list[tuple[int, int]]) -> None:
    s, w = _state(spaces), WORK.plain()
    for card in range(60):
        found = matches(s, BASE, w, 0, card)
        assert found == Position(s, BASE).matches(0, card, mirrored=False), DECK.cards[card]
        if not BASE.special[card]:  # I-09
            assert found * BASE.num_cells[card] <= sum(height > 0 for _, height in spaces)


CELL = st.tuples(
    st.integers(0, 3), st.integers(0, 3), st.sampled_from(LETTERS), st.sampled_from("*12")
)


@st.composite
def odd_patterns(draw: st.DrawFn) -> str:
    """Any pattern of a deck file: 1 to 4 cells that touch row 0 and column 0."""
    cells = draw(st.lists(CELL, min_size=1, max_size=4, unique_by=lambda cell: cell[:2]))
    top, left = min(cell[0] for cell in cells), min(cell[1] for cell in cells)
    more = draw(st.sampled_from(["", "+"]))
    return " ".join(
        f"{row - top}:{column - left}:{color}:{height}{more if height != '*' else ''}"
        for row, column, color, height in cells
    )


@pytest.mark.clause("R5.3", "A4")
@settings(max_examples=sized(60, 3000))
@given(odd_patterns(), SPACES, st.booleans())
def test_counts_of_any_pattern_agree(
    cells: str, spaces: list[tuple[int, int]], mirrored: bool
) -> None:
    ruleset = deck_of(f"A,R,R,pattern,{cells},1,-,-", allow_reflection=mirrored)
    s, r = _state(spaces), _rules(ruleset)
    p = Position(s, r)
    assert matches(s, r, WORK.plain(), 0, 0) == count(p.board(0), p.pattern(0), mirrored)


@pytest.mark.clause("A8")
@settings(max_examples=sized(40, 1000))
@given(odd_patterns(), SPACES)
def test_a_scan_never_finds_more_than_there_is(cells: str, spaces: list[tuple[int, int]]) -> None:
    line = f"A,R,R,pattern,{cells},1,-,-"
    s, w = _state(spaces), WORK.plain()
    most = matches(s, _rules(deck_of(line)), w, 0, 0)
    found = matches(s, _rules(deck_of(line, match_count="greedy_scan")), w, 0, 0)
    assert (found > 0) == (most > 0)
    assert most / 4 <= found <= most


def _mirror_images(spaces: Any) -> list[list[tuple[int, int]]]:
    """A board under the eight symmetries of the square."""
    grid = [list(spaces[4 * row : 4 * row + 4]) for row in range(4)]
    found = []
    for _ in range(4):
        grid = [list(row) for row in zip(*grid[::-1], strict=True)]
        found += [[x for row in grid for x in row], [x for row in grid for x in row[::-1]]]
    return found


@settings(max_examples=sized(20, 300))
@given(SPACES)
def test_known_patterns_do_not_change_with_the_side_one_looks_from(
    spaces: list[tuple[int, int]],
) -> None:
    """I-10, with mirror images counted or not (R5.3)."""
    w = WORK.plain()
    counts = {
        tuple(matches(_state(image), r, w, 0, card) for card in range(60))
        for image in _mirror_images(spaces)
        for r in (BASE, MIRRORED)
    }
    assert len(counts) == 1


def test_hard_boards_are_counted_right() -> None:
    """Full boards of one color, for every shape of up to four cells in three by three."""
    board: Board = tuple((0, 1) for _ in range(NUM_CELLS))
    s, w = _state([(0, 1)] * NUM_CELLS), WORK.plain()
    for cells in ("0:0 0:2", "0:0 1:2", "0:0 2:2", "0:1 1:0 2:1", "0:0 0:1 1:1 1:2", "0:0 0:2 1:1"):
        text = " ".join(f"{cell}:Y:*" for cell in cells.split())
        r = _rules(deck_of(f"A,R,R,pattern,{text},1,-,-", allow_reflection=True))
        assert matches(s, r, w, 0, 0) == count(board, Position(s, r).pattern(0), True), cells


# The promises of a game --------------------------------------------------------------------------


def test_the_game_conforms() -> None:
    assert check_game(GAME, games=sized(3, 60), seed=2, weights=WEIGHTS) == []


@settings(max_examples=sized(6, 60))
@given(GAMES)
def test_same_seed_and_actions_lead_to_the_same_position(game: PlayedGame) -> None:
    """I-15."""
    one, two = game.final(), game.final()
    copy = one.copy()
    assert one.plain_state() == two.plain_state()
    rng = random.Random(1)
    for _ in range(10):
        if one.over:
            break
        action = rng.choice(one.legal_actions())
        one.apply(action)
        copy.apply(action)
    assert one.plain_state() == copy.plain_state()
    assert one.codes == copy.codes
