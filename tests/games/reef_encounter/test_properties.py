"""The invariants hold in every position, step and record, under any rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reefsim.core.layout import PlainRecord
from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import CORAL_TILES, Kind
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.invariants import (
    INVARIANTS,
    check_record,
    check_state,
    check_step,
)
from reefsim.games.reef_encounter.invariants.from_scratch import Position
from reefsim.games.reef_encounter.position import position
from reefsim.games.reef_encounter.state import RULES
from reefsim.testing import Chooser, PlayedGame, check_game, play, played_games, rulesets
from tests.games.reef_encounter import oracle
from tests.games.reef_encounter.told import FILES, WEIGHTS, walk
from tests.sizes import sized

GAMES = played_games(GAME, weights=WEIGHTS, max_rest=sized(150, 1500))
SOME = FILES[:: sized(3, 1)]


@settings(max_examples=sized(25, 200))
@given(GAMES)
def test_invariants_hold_and_legal_actions_are_those_of_the_oracle(game: PlayedGame) -> None:
    match = game.start()
    rules = RULES.to_plain(match.rules)
    before, action = match.plain_state(), -1
    for _, following in game.walk(match):
        after = match.plain_state()
        assert check_state(after, rules) == []
        if action >= 0:
            assert check_step(before, action, after, rules) == []
        assert match.legal_actions() == oracle.legal_actions(Position(after, rules))
        before, action = after, following
    if action >= 0:
        assert check_step(before, action, match.plain_state(), rules) == []
    assert check_state(match.plain_state(), rules) == []
    results = match.results() if match.over else []
    assert check_record(match.events(), match.ruleset, results) == []


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_invariants_hold_in_the_handed_records(path: Path) -> None:
    before, last = None, -1
    for ply, (match, action) in enumerate(walk(path)):
        state = match.plain_state()
        if before is not None:
            assert check_step(before, last, state, match.rules) == []
        if ply % 5 == 0 or match.over:
            assert check_state(state, match.rules) == []
            assert oracle.legal_actions(Position(state, match.rules)) == match.legal_actions()
        before, last = state, action
    assert check_record(match.events(), match.ruleset, match.results()) == []


def test_the_drawn_games_come_to_everything() -> None:
    """Or the properties would show little; games like those drawn above, by number."""
    kinds: Counter[str] = Counter()
    causes: Counter[str | None] = Counter()
    for seed in range(sized(40, 300)):
        game = PlayedGame(
            "reef_encounter", _differences(seed), 2 + seed % 3, seed, (), 3000, WEIGHTS
        )
        match = game.start()
        for _, action in game.walk(match):
            kinds[Kind(action >> 16).name.lower()] += 1
        causes[match.end_cause] += 1
    assert set(kinds) == set(GAME.action_kinds)
    assert set(causes) >= {"four_eaten", "no_space", "supply", "turn_limit"}


def _differences(seed: int) -> dict[str, object]:
    """Rules that bring a game to its end in different ways."""
    return [
        {},
        {"min_feed_size": 2, "min_final_feed_size": 1, "growth_optional": True},
        {"shrimps_per_player": 1, "min_feed_size": 3, "min_final_feed_size": 1},
        {"collect_mandatory": False, "max_turns": 30},
        {"larvae_per_color": 20, "tiles_per_color": 60, "attack_needs_own_shrimp": True},
    ][seed % 5]


# test_view and test_tools show what is behind these
def test_the_game_conforms() -> None:
    failures = check_game(GAME, games=sized(2, 30), weights=WEIGHTS)
    assert failures == []


# The checks find what is wrong: each invariant is broken once.


def broken(**changes: object) -> list[int | str]:
    """Numbers of the invariants that some changes of a sound position break."""
    match = position("R2 R4", "W: F4 G4; Y: F5 E5; O: K5 | red@F4 green@K5", front="W2", eaten=1)
    s = match.plain_state()
    for name, value in changes.items():
        place = getattr(s, name)
        if callable(value):
            value(place)
        else:
            setattr(s, name, value)
    return _numbers(check_state(s, match.rules))


def _numbers(sentences: list[str]) -> list[int | str]:
    found = dict.fromkeys(sentence.split()[0] for sentence in sentences)
    return [int(number) if number.isdigit() else number for number in found]


def test_a_sound_position_breaks_nothing() -> None:
    assert broken() == []


@pytest.mark.parametrize(
    ("number", "changes"),
    [
        (1, {"bag": lambda bag: bag.__setitem__(0, bag[0] - 1)}),
        (2, {"supply": lambda supply: supply.__setitem__(1, supply[1] + 1)}),
        (3, {"space": 2}),
        (3, {"locked": 1}),
        (4, {"in_hand": lambda hand: hand.__setitem__(1, 4)}),
        (5, {"tiles": lambda tiles: tiles[0].__setitem__(3, tiles[0][3] | 1)}),  # A1 is water
        (5, {"tiles": lambda tiles: tiles[0].__setitem__(3, tiles[0][0])}),
        (6, {"shrimp_cell": lambda cells: cells[1].__setitem__(0, 3 << 3 | 6)}),  # both on F4 G4
        (8, {"shrimp_cell": lambda cells: cells[1].__setitem__(0, 5 << 3 | 2)}),
        (9, {"beats": [0, 0, 0, 0, 0]}),
        (13, {"fish": lambda fish: fish[1].__setitem__(0, 2)}),
        (13, {"stash": [-1, 0, -1, -1]}),
        (17, {"turn": 2}),
        (18, {"rock": lambda rock: rock.__setitem__(0, rock[1])}),
        ("masks", {"guarded": [0, 0, 0, 0]}),
        ("masks", {"protected": [0, 0, 0, 0]}),
        ("masks", {"on_board": [[0] * 4] * 4}),
        ("masks", {"coral": [[0] * 6] * 4}),
        ("stocks", {"bag": lambda bag: bag.__setitem__(0, -1)}),
        ("limits", {"grows": 3}),
        ("limits", {"growing": 2}),
        ("knowledge", {"unknown": [1, 0, 0, 0]}),
    ],
)
def test_a_broken_position_is_found(number: int | str, changes: dict[str, object]) -> None:
    assert number in broken(**changes)


def _step(change: str) -> list[int | str]:
    """What is said of a step after which something is changed by hand."""
    match = position("R2 R4", "W: F4 G4; Y: F5 E5 | red@F4", larvae="W", behind="W2", front="W2")
    actions = {
        "growth": ("grow white", "place E4 behind"),
        "capture": ("grow white", "place F5 behind"),
        "flip": ("alga white blue space",),
        "refill": ("collect white",),
        "next": ("collect white",),
        "larva": ("to_larva white",),
        "shrimp": ("shrimp_move F4 G4",),
    }[change]
    play(match, *actions[:-1])
    before = match.plain_state()
    play(match, actions[-1])
    after = match.plain_state()
    edits = {
        "growth": lambda s: s.tiles[0].__setitem__(0, s.tiles[0][0] & ~(1 << 27)),
        "capture": lambda s: s.front[0].__setitem__(1, 0),
        "flip": lambda s: setattr(s, "reversed", s.reversed ^ 1),
        "refill": lambda s: s.sea[0].__setitem__(0, 3),
        "next": lambda s: setattr(s, "seat", 0),
        "larva": lambda s: s.larvae[0].__setitem__(0, 3),
        "shrimp": lambda s: s.in_hand.__setitem__(1, 3),
    }
    sound = check_step(before, match.game.parse_action(actions[-1]), after, match.rules)
    assert sound == []
    edits[change](after)
    return _numbers(check_step(before, match.game.parse_action(actions[-1]), after, match.rules))


@pytest.mark.parametrize(
    ("change", "number"),
    [
        ("growth", 15),
        ("capture", 14),
        ("flip", 11),
        ("refill", 12),
        ("next", "ends"),
        ("larva", 16),
        ("shrimp", "frame"),
    ],
)
def test_a_broken_step_is_found(change: str, number: int | str) -> None:
    assert number in _step(change)


def test_a_broken_record_is_found() -> None:
    rows = [
        {"ply": 0, "event": "board", "turn": 0},
        {"ply": 1, "event": "board", "turn": 0},
        {"ply": 2, "event": "alga", "turn": 1, "seat": 0, "on": "T1"},
        {"ply": 3, "event": "alga", "turn": 1, "seat": 0, "on": "T1"},
        {"ply": 5, "event": "collect", "turn": 3, "seat": 1},
        {"result": True, "seat": 0, "fish_white": 2, "feeds": 1},
    ]
    sentences = check_record(rows, GAME.ruleset())
    assert set(_numbers(sentences)) == {10, 13, 17}


def test_every_invariant_of_the_rules_is_there_and_checks_something() -> None:
    assert [number for number in INVARIANTS if isinstance(number, int)] == list(range(1, 21))
    for invariant in INVARIANTS.values():
        assert invariant.text
        assert invariant.clauses
        assert invariant.of_position or invariant.of_step or invariant.of_record


# Component data (RULES.md, components)


@pytest.mark.clause("A23", "R9.9")
def test_the_coral_tiles_make_two_rings() -> None:
    """Starfish: every color beats the next two of the ring; each alga is on five sides."""
    for star, reverse in CORAL_TILES:
        assert (star[0], star[1]) == (reverse[1], reverse[0])
        assert star[2] != reverse[2]
        assert (star[1] - star[0]) % 5 in (1, 2)
    shown = [Counter(tile[side][2] for tile in CORAL_TILES) for side in (0, 1)]
    assert [shown[0][alga] for alga in range(4)] == [3, 3, 2, 2]
    assert [shown[1][alga] for alga in range(4)] == [2, 2, 3, 3]
    assert len({frozenset(tile[0][:2]) for tile in CORAL_TILES}) == 10
    assert CORAL_TILES[0][1] == (1, 0, 0)  # T1 reversed: yellow over white, shows blue (A23)


def test_plain_records_are_what_is_checked() -> None:
    match = position("R2")
    assert isinstance(match.plain_state(), PlainRecord)
    assert check_state(match.state, match.rules) == []


# Endings, where the readings of the rules come together


TABLES = {
    2: ("R2 R4", "P: A2 B2 C2 A3 B3 A4; W: D1 E1 F1 D2 E2 F2 H2; O: K5 J5", "red@A2 green@D1"),
    3: (
        "R2 R3 R4",
        "P: A2 B2 C2 A3 B3 A4; W: D1 E1 F1 D2 E2 F2; Y: I5 I6 J5 J6 K5 K6",
        "red@A2 green@D1 yellow@I5",
    ),
    4: (
        "R2 R3 R4 R4",
        "P: A2 B2 C2 A3 B3 A4; W: D1 E1 F1 D2 E2 F2; Y: I5 I6 J5 J6 K5 K6; O: R4 R3 R2 Q4 P4",
        "red@A2 green@D1 yellow@I5 purple@R4",
    ),
}


@st.composite
def near_the_end(draw: st.DrawFn) -> Match:
    """A position in which every cause of the end is one action away, under drawn rules."""
    seats = draw(st.sampled_from([2, 3, 4]))
    ruleset = draw(rulesets(GAME, seats, changes=3))
    ruleset = ruleset.model_copy(
        update={
            "max_own_shrimps_per_board": max(2, ruleset.max_own_shrimps_per_board),
            "tiles_per_color": max(40, ruleset.tiles_per_color),
            "larvae_per_color": max(8, ruleset.larvae_per_color),
            "cylinders_per_alga": max(3, ruleset.cylinders_per_alga),
            "max_turns": draw(st.integers(1, 12)),
        }
    )
    names = ("red", "green", "yellow", "purple")[:seats]
    boards, tiles, shrimps = TABLES[seats]
    eaten = ruleset.shrimps_per_player - 1
    return position(
        boards,
        f"{tiles} | {shrimps}",
        seat=draw(st.sampled_from(names)),
        seats=seats,
        rules=ruleset,
        front=dict.fromkeys(names, "W1 P1 Y1"),
        larvae=dict.fromkeys(names, "WP"),
        behind=dict.fromkeys(names, "W2 P2 O"),
        fish=dict.fromkeys(names, "W2" if eaten else "W"),
        eaten=dict.fromkeys(names, eaten),
        locked=draw(st.sampled_from(["T1 T2 T3 T4 T5 T6 T7 T8 T9", "T1 T2 T3 T4 T5 T6 T7 T8", ""])),
        supply=draw(st.sampled_from(["", "W0", "W0 Y0 O0 P0 G0"])),
        bag=draw(st.sampled_from([None, "", "W2", "W2 Y1", "W3 P1"])),
        bonus=draw(st.sampled_from(["WYOPG", "W", ""])),
        seed=draw(st.integers(0, 2**16)),
    )


@pytest.mark.clause("R2.8", "R11.5", "A7", "A8", "A9", "A12", "A22")
@settings(max_examples=sized(60, 2000))
@given(near_the_end(), st.lists(st.integers(0, 2**12), min_size=30, max_size=60))
def test_the_end_comes_as_worked_out_afresh(match: Match, numbers: list[int]) -> None:
    kinds = GAME.action_kinds
    chooser = Chooser({kinds.index(kind): weight for kind, weight in WEIGHTS.items()})
    rules = RULES.to_plain(match.rules)
    for number in numbers:
        if match.over:
            break
        before, action = match.plain_state(), chooser.choose(match.legal_actions(), number)
        match.apply(action)
        assert check_step(before, action, match.plain_state(), rules) == []
    assert check_state(match.plain_state(), rules) == []
