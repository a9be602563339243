"""The tools themselves: walks, drawing, strategies, positions, conformance."""

from __future__ import annotations

import random
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from reefsim.core.allowed import (
    Allowed,
    Choice,
    Counts,
    DataName,
    Flag,
    ListOf,
    Number,
    Order,
    Rising,
    Text,
    Whole,
)
from reefsim.core.kernel import kernel
from reefsim.core.layout import Layout
from reefsim.core.match import Match
from reefsim.games import registry
from reefsim.testing import (
    Chooser,
    PlayedGame,
    check_game,
    divide,
    draw_ruleset,
    perft,
    played_games,
    position,
    positions,
    rulesets,
)
from reefsim.testing.declarations import check_words
from reefsim.testing.drawing import draw_value

GAME = registry.get("reef_encounter")
GAMES = [registry.get(name) for name in registry.names()]


def build(boards: Any = "R2", *args: Any, **settings_: Any) -> Match:
    return position("reef_encounter", boards, *args, **settings_)


# Walks and counts


def test_perft_counts_the_leaves_and_leaves_the_match_alone() -> None:
    match = Match(GAME, GAME.ruleset(), 2)
    before = match.plain_state()
    assert perft(match, 0) == 1
    assert perft(match, 1) == len(match.legal_actions())
    by_first = divide(match, 3)
    assert sum(by_first.values()) == perft(match, 3)
    assert list(by_first) == [GAME.format_action(a) for a in match.legal_actions()]
    assert match.plain_state() == before


def test_sequences_end_with_the_game() -> None:
    match = build("R2", rules={"max_turns": 1, "collect_mandatory": False})
    assert perft(match, 3) == perft(match, 1) == 6


def test_a_chooser_follows_its_moods() -> None:
    legal = [0 << 16 | 3, 5 << 16, 8 << 16 | 10, 8 << 16 | 14, 8 << 16 | 30]
    chooser = Chooser()
    assert chooser.choose(legal, 0) == legal[0]
    assert chooser.choose(legal, 1 + 4 * 3) == legal[3]  # among all
    assert chooser.choose(legal, 3) == legal[3]  # stubborn: the same kind, nearest
    assert chooser.choose([legal[2], legal[4]], 3) == legal[2]
    assert chooser.choose(legal, 4 * 2) == legal[2]  # the third kind
    assert Chooser({5: 3}).choose(legal, 4 * 2) == legal[1]
    assert {chooser.choose(legal, n) for n in range(400)} == set(legal)


# Drawing


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_drawn_rulesets_turn_every_toggle(game: Any) -> None:
    rng = random.Random(1)
    changed: set[str] = set()
    for number in range(300):
        seats = game.seats[number % len(game.seats)]
        ruleset = draw_ruleset(game.ruleset, seats, rng.randint)
        assert game.ruleset.problems(ruleset.differences(), seats) == []
        changed |= set(ruleset.differences())
    assert changed == {
        toggle.name
        for toggle in game.ruleset.toggles()
        if not (isinstance(toggle.values, DataName) and len(toggle.values.names) == 1)
    }


def test_zeros_draw_the_published_rules() -> None:
    assert draw_ruleset(GAME.ruleset, 3, lambda low, high: low) == GAME.ruleset()


def test_values_of_every_kind() -> None:
    def high(low: int, high: int) -> int:
        return high

    assert draw_value(Flag(), 2, high) is True
    assert draw_value(Whole(1, 9), 2, high) == 9
    assert draw_value(Whole(1), 2, high) > 9
    assert isinstance(draw_value(Number(0, 2), 2, high), float)
    assert draw_value(Choice(("a", "b")), 2, high) == "b"
    assert draw_value(ListOf(Whole(1, 4), "numbers"), 3, high) == [4, 4, 4]
    assert draw_value(ListOf(Whole(1, 4), "numbers", unique=True), 3, high) == [4]
    for allowed in (Counts(("a", "b"), 4), Rising(3, 2), Order(range(1, 5))):
        for source in (high, lambda low, high: low, lambda low, high: (low + high) // 2):
            assert allowed.faults(draw_value(allowed, 2, source)) == []
    with pytest.raises(TypeError, match="Text"):
        draw_value(Text("a name"), 2, high)


# Strategies


@pytest.mark.parametrize(
    ("allowed", "value", "message"),
    [
        (Counts(("a", "b"), 4), {"a": 1, "b": 2}, "3 in all where 4 are expected"),
        (Counts(("a", "b"), 4), {"a": 4}, "b is missing"),
        (Counts(("a", "b"), 4), {"a": 4, "b": 0, "c": 0}, "'c' is not one of a, b"),
        (Counts(("a", "b"), 4), {"a": 5, "b": -1}, "5 is outside 0-4"),
        (Rising(3, 1), [1, 2], "2 numbers where 3 are expected"),
        (Rising(3, 1), [1, 4, 4], "4 comes after 4"),
        (Rising(3, 1), [0, 1, 2], "0 is below 1"),
        (Order(range(1, 4)), [1, 2, 2], "[1, 2, 2] is not a list of the numbers 1-3 in any order"),
        (Order(range(1, 4)), [1, 2, 3.0], "[1, 2, 3.0] is not a list"),
    ],
)
def test_lists_and_maps_of_numbers(allowed: Allowed, value: Any, message: str) -> None:
    assert allowed.faults(value)[0].what.startswith(message)


@given(st.sampled_from([2, 3, 4]).flatmap(lambda n: st.tuples(st.just(n), rulesets(GAME, n))))
def test_drawn_rulesets_are_valid(drawn: tuple[int, Any]) -> None:
    seats, ruleset = drawn
    assert GAME.ruleset.problems(ruleset.differences(), seats) == []
    Match(GAME, ruleset, seats)


@given(played_games(GAME, max_rest=60))
def test_a_played_game_is_told_by_its_text(game: PlayedGame) -> None:
    again = eval(repr(game), {"PlayedGame": PlayedGame})
    assert again.actions == game.actions
    assert again.final().codes == game.final().codes
    assert len(game.actions) <= len(game.choices) + game.rest


def test_games_and_rulesets_shrink_to_something_simple() -> None:
    quick = settings(max_examples=30, derandomize=True, database=None)
    small = find(
        played_games(GAME, differences={}, max_choices=8, max_rest=12),
        lambda game: len(game.actions) >= 6,
        settings=quick,
    )
    assert (small.seats, small.seed, len(small.actions)) == (2, 0, 6)
    assert not any(small.choices)
    assert find(rulesets(GAME, 2), lambda ruleset: True, settings=quick) == GAME.ruleset()


@given(positions(GAME, seats=3, differences={"max_turns": 4}, max_rest=100))
def test_positions_are_matches(match: Match) -> None:
    assert (match.seats, match.mode) == (3, "plain")
    assert match.turn <= 4
    assert match.over == (not match.legal_actions())


# Positions


def test_a_position_holds_what_is_said() -> None:
    match = build(
        "R4 R1",
        "W: R4.B4 N6 | green@B4 red@N6",
        seat="green",
        behind={"red": "W2", "green": "P×1 G"},
        front="O3",
        larvae="YY",
        fish="P2 W",
        eaten={"green": 2},
        side="reverse",
        flipped="T1",
        locked="T1",
        space="red",
        sea=["W2", "Y", "O3", "P1 G2", "G3"],
        turn=6,
        rules={"shrimps_per_player": 6},
    )
    s = match.plain_state()
    assert (match.seat, match.turn, s.fresh, s.seats) == (1, 6, 1, 2)
    assert s.board[:2] == [3, 0]
    assert (s.behind[0], s.behind[1]) == ([2, 0, 0, 0, 0], [0, 0, 0, 1, 1])
    assert (s.front[1], s.larvae[1], s.fish[1]) == (
        [0, 0, 3, 0, 0],
        [0, 2, 0, 0, 0],
        [1, 0, 0, 2, 0],
    )
    assert (s.stash[0], s.stash[1]) == (0, 3)
    assert (s.in_hand[:2], s.eaten[:2]) == ([5, 3], [0, 2])
    assert (s.reversed, s.locked, s.space) == (1022, 1, 3)
    assert s.cylinders == [5, 4, 5, 4]  # T1 shows green with its starfish side up
    assert [sum(space) for space in s.sea] == [2, 1, 3, 3, 3]
    assert s.shrimp_cell[0][0] == 1 << 6 | 5 << 3 | 6


@pytest.mark.jitted
def test_both_modes_take_a_position() -> None:
    plain = build("R2", "W: F4 | red@F4", seed=3)
    jitted = build("R2", "W: F4 | red@F4", seed=3, mode="jitted")
    assert plain.plain_state() == jitted.plain_state()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("R2", "W: A1"), "no rock"),
        (("R2", "W: F4 G4 | red@F4 green@G4"), "one shrimp per coral"),
        (("R2", "| red@A3"), "bare rock"),
        (("R2", "W: R3.F4"), "R3"),
        (("R2", "V: F4"), "V"),
        (("R2", "WWW"), "6 lines of 7 signs"),
        (("R2", "W: F4 | blue@F4"), "blue"),
        (("R2", "W: Z9"), "Z9"),
    ],
)
def test_positions_that_cannot_be(arguments: tuple[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build(*arguments)


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"behind": "W60"}, "nothing negative"),
        ({"larvae": "W10"}, "nothing negative"),
        ({"behind": "X4"}, "no stock"),
        ({"eaten": 5}, "nothing negative|shrimps"),
        ({"turn": 2}, "turn"),
        ({"seat": "white"}, "sits nowhere"),
        ({"rules": {"feed_return": 99}}, "feed_return"),
    ],
)
def test_settings_that_cannot_be(settings_: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build("R2", **settings_)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(KeyError, match="reef_encounter"):
        position("reef_encountre", "R2")


# Conformance: a game with one thing wrong is found out


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_words_conform(game: Any) -> None:
    assert list(check_words(game)) == []


def fails(**changes: Any) -> str:
    broken = replace(GAME, **changes)
    found = check_game(broken, games=1, seed=3)
    assert found
    return "\n".join(found)


def no_inverse(text: str) -> int:
    return GAME.parse_action(text) ^ 1


def silent(state: Any, rules: Any, action: int) -> str:
    return ""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parse_action": no_inverse}, "is action"),
        ({"why_illegal": silent}, "not legal, the reason is ''"),
        ({"max_legal": 4}, "IndexError"),
        ({"truncated_cause": "boredom"}, "boredom"),
        ({"check_state": lambda s, r: ["a tile is missing"]}, "a tile is missing"),
        ({"action_kinds": GAME.action_kinds[::-1]}, "in the order of their codes"),
        ({"kernels": {k: v for k, v in GAME.kernels.items() if k != "stop"}}, "slot stop"),
        ({"kernels": GAME.kernels | {"blnid": GAME.kernels["blind"]}}, "no slot blnid"),
        ({"end_causes": GAME.end_causes[:1]}, "turn_limit"),
        ({"rules": GAME.state}, "equal dtypes"),
        ({"render_text": lambda s, r: ""}, "no text"),
        ({"weights": GAME.weights[1:]}, "do not begin with"),
        ({"restrictions": (("feed", "never eats"),)}, "both restrictions and kinds of action"),
    ],
)
def test_a_broken_game_is_found(changes: dict[str, Any], message: str) -> None:
    assert message in fails(**changes)


def test_an_error_of_the_engine_is_a_finding() -> None:
    def broken(s: Any, r: Any, w: Any, log: Any, action: int) -> None:
        raise IndexError("no such cell")

    found = fails(kernels=GAME.kernels | {"apply": _kernel_like("apply", broken)})
    assert "IndexError: no such cell" in found


def test_a_leak_in_a_view_is_found() -> None:
    def leaky(s: Any, r: Any, seat: int) -> None:
        pass

    found = fails(kernels=GAME.kernels | {"blind": _kernel_like("blind", leaky)})
    assert "view" in found


def test_a_narrow_field_is_found() -> None:
    fields = [
        (name, "i2" if name == "chance" else kind, *shape)
        for name, kind, *shape in GAME.state.fields
    ]
    assert "narrow.chance holds" in fails(state=Layout("narrow", fields))


def _kernel_like(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel of that name in a module of its own, as `build` expects it."""
    module = types.ModuleType(f"broken_{name}")
    function.__module__, function.__name__ = module.__name__, name
    setattr(module, name, kernel(function))
    sys.modules[module.__name__] = module
    return function


def test_a_changed_copy_of_a_game_plays_its_own_rules() -> None:
    Match(GAME, GAME.ruleset(), 2)

    def rich(s: Any, r: Any, seat: int, i: int) -> int:
        return 99

    changed = replace(GAME, kernels=GAME.kernels | {"standing": _kernel_like("standing", rich)})
    assert Match(changed, GAME.ruleset(), 2).scores() == [99, 99]
