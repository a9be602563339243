"""What holds in every game, over drawn rulesets, seats, seeds and choices (I-01 to I-10)."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reefsim.core.match import Match
from reefsim.core.work import kind_of, list_actions
from reefsim.games.charon_inc.claims import put_flag
from reefsim.games.charon_inc.constants import LETTERS
from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.invariants import INVARIANTS, check_record, check_state, check_step
from reefsim.games.charon_inc.mining import winner
from reefsim.games.charon_inc.position import position
from reefsim.games.charon_inc.state import RULES
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


HELD = st.lists(st.integers(0, 4), min_size=5, max_size=5)
CLEAR = st.sampled_from(["", "C"])


@pytest.mark.clause("CH-5.8")
@settings(max_examples=sized(40, 1500))
@given(HELD, st.integers(0, 2), st.integers(0, 54), st.booleans())
def test_what_can_be_paid(held: list[int], clear: int, number: int, has_a5: bool) -> None:
    """The trades that players look at reach a card exactly if it can be paid at all."""
    card = GAME.ruleset().cards.cards[number]
    gems = "".join(letter * n for letter, n in zip(LETTERS, (*held, clear), strict=True))
    where = {"left": {0: "A5" if has_a5 else "A1"}, "gems": {0: gems} if gems else {}}
    match = position(**where, hand={0: card.id}, discards="")  # type: ignore[arg-type]
    kernels, work, actions = GAME.build("plain"), GAME.work.plain(), [0] * GAME.max_legal
    payable = False
    while not payable:
        kernels.propose(match.state, match.rules, work)
        texts = [GAME.format_action(a) for a in actions[: list_actions(work, actions)]]
        payable = any(text.startswith("build") for text in texts)
        trades = [text for text in texts if text.startswith("trade")]
        if payable or not trades:
            break
        match.apply(GAME.parse_action(trades[0]))
    lack = sum(max(0, n - h) for n, h in zip(card.cost, held, strict=True))
    surplus = sum(max(0, h - n) for n, h in zip(card.cost, held, strict=True))
    assert payable == ((2 if has_a5 else 3) * max(0, lack - clear) <= surplus)


@settings(max_examples=sized(40, 1000))
@given(
    st.lists(
        st.tuples(st.integers(0, 64), st.integers(0, 4)), max_size=20, unique_by=lambda x: x[0]
    ),
    st.permutations(range(5)),
    st.sampled_from([{}, {"tie_rank": "rank_sum"}, {"inherit_on_top_tie": "next_best"}]),
)
def test_no_seat_is_special_where_regions_are_decided(
    flags: list[tuple[int, int]], seats: list[int], rules: dict[str, str]
) -> None:
    """I-09: other numbers for the seats change the winners' numbers, nothing else."""
    r = RULES.plain()
    RULES.fill(r, GAME.pack_rules(GAME.ruleset.make(rules, 5), 5))
    one, other = GAME.state.plain(), GAME.state.plain()
    one.seats = other.seats = 5
    for spot, seat in flags:
        put_flag(one, r, seat, spot)
        put_flag(other, r, seats[seat], spot)
    for region in range(20):
        best = winner(one, r, region)
        assert winner(other, r, region) == (seats[best] if best >= 0 else -1)


def _sales(match: Match, kind: str) -> list[Match]:
    """The matches after each trade or exchange of gems that is legal."""
    after = []
    for action in match.legal_actions():
        if GAME.action_kinds[kind_of(action)] == kind:
            after.append(match.copy())
            after[-1].apply(action)
    return after


def _sold(matches: list[Match], kind: str, *, once: bool) -> list[Match]:
    """Matches with all gems that trades, or one exchange, make of those of others."""
    found = {tuple(match.plain_state().held[0]): match for match in matches}
    new = matches
    while new:
        sales = [after for match in new for after in _sales(match, kind)]
        by_gems = {tuple(match.plain_state().held[0]): match for match in sales}
        new = [] if once else [by_gems[gems] for gems in by_gems.keys() - found.keys()]
        found = by_gems | found
    return list(found.values())


@pytest.mark.clause("CH-5.8")
@settings(max_examples=sized(6, 30))
@given(st.lists(st.sampled_from(LETTERS[:5]), min_size=3, max_size=sized(5, 6)), CLEAR)
def test_trades_before_or_after_the_synchrotron(held: list[str], clear: str) -> None:
    """I-10: both ways the same cards, and the same pairs of cards, can be paid."""
    gems = "".join(sorted(held, key=LETTERS.index)) + clear
    start = [position(gems={0: gems}, left={0: "A4 A5"}, rules={"placements": 3})]
    costs = np.array([card.cost for card in GAME.ruleset().cards.cards])
    needs = np.unique(np.concatenate([costs, *(costs + cost for cost in costs)]), axis=0)

    def payable(matches: list[Match]) -> list[bool]:
        hands = np.array([match.plain_state().held[0] for match in matches])
        lack = np.maximum(needs[:, None] - hands[:, :5], 0).sum(2)
        return (lack <= hands[:, 5]).any(1).tolist()

    first = _sold(_sold(start, "trade", once=False), "synchrotron", once=True)
    last = _sold(_sold(start, "synchrotron", once=True), "trade", once=False)
    assert payable(first) == payable(last)
