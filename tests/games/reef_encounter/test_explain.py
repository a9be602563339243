"""Why an action is refused: the right clause, for exactly the actions that are not legal."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from reefsim.core.match import Match
from reefsim.games.reef_encounter import explain
from reefsim.games.reef_encounter.clauses import clause_of
from reefsim.games.reef_encounter.constants import Kind
from reefsim.games.reef_encounter.explain import why_illegal
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.notation import format_action, parse_action
from reefsim.games.reef_encounter.position import position
from reefsim.testing import play, why_not

RULES_MD = Path(explain.__file__).with_name("RULES.md")
ODD_RULES: dict[str, dict[str, Any]] = {
    "base": {},
    "two readings": {
        "growth_optional": True,
        "allow_null_flip": False,
        "collect_mandatory": False,
        "merge_rule": "never",
        "attack_needs_own_shrimp": True,
        "max_own_shrimps_per_board": 1,
    },
    "crowded": {
        "boards": ["R1", "R1"],
        "tiles_per_color": 60,
        "allow_empty_grow": True,
        "shrimp_blocks_growth": False,
        "min_feed_size": 3,
        "max_shrimp_moves_per_turn": 1,
        "grow_actions_per_turn": 4,
        "cylinders_per_alga": 1,
        "end_timing": "end_of_turn",
        "final_turn": "full_turn",
    },
}


@pytest.mark.parametrize("name", ODD_RULES)
def test_an_action_has_a_reason_exactly_if_it_is_not_legal(name: str) -> None:
    clauses, drawn = set(), random.Random(5)
    known = set(re.findall(r"\*\*([RA][\d.]+a?)\*\*|^## (M\d)", RULES_MD.read_text(), re.M))
    ids = {first or second for first, second in known}
    for seed in range(2):
        match = Match(GAME, GAME.ruleset.make(ODD_RULES[name], 2), 2, seed=seed)
        while not match.over:
            legal = match.legal_actions()
            for action in {*drawn.sample(legal, min(2, len(legal))), *_any_actions(drawn, 8)}:
                why = why_illegal(match.state, match.rules, action)
                assert (why == "") == (action in legal), (format_action(action), why)
                if why:
                    clause, reason = why.split(": ", 1)
                    assert clause.rstrip("abcde") in ids
                    assert reason
                    clauses.add(clause)
            match.apply(drawn.choice(legal))
        assert why_illegal(match.state, match.rules, parse_action("pass_turn")).startswith("R11.5:")
    assert len(clauses) >= 20


def _any_actions(drawn: random.Random, count: int) -> list[int]:
    """Actions of every kind, on cells of the first two boards."""
    cells = [b << 6 | row << 3 | column for b in (0, 1) for row in range(6) for column in range(7)]
    made = []
    for _ in range(count):
        kind, color = drawn.choice(list(Kind)), drawn.randrange(5)
        one, other = drawn.choice(cells), drawn.choice(cells)
        operand = {
            Kind.CHOOSE_LARVAE: drawn.randrange(15),
            Kind.GROW_BONUS: drawn.randrange(2),
            Kind.PLACE: drawn.randrange(2) << 8 | one,
            Kind.SHRIMP_MOVE: one << 8 | other,
            Kind.ALGA: color << 8 | drawn.randrange(14),
            Kind.END_GROW: 0,
            Kind.PASS_TURN: 0,
            Kind.NO_FEED: 0,
        }.get(kind, one if kind in (Kind.FEED, Kind.SHRIMP_IN, Kind.SHRIMP_OUT) else color)
        made.append(kind << 16 | operand)
    return made


def test_a_number_that_is_no_action_is_told_so() -> None:
    match = position("R2")
    for code in (-1, 99 << 16, Kind.END_GROW << 16 | 1, Kind.FEED << 16 | 7):
        assert why_illegal(match.state, match.rules, code).startswith("M2: ")


GROWING_WHITE = {"larvae": "W", "behind": "W5", "front": ""}
# layout, actions before, the refused action, what the reason starts with
REFUSALS = {
    "attacker too small (E7)": ("W: F4; Y: F5", "place F5 behind", "R5.1c: no white coral"),
    "own color": ("W: F4 F5", "place F5 behind", "R5.1a: the tile on F5 is white"),
    "weaker (E12)": ("W: F4 G4; G: F5", "place F5 behind", "R5.1b: white does not dominate grey"),
    "protected neighbor (E9)": (
        "W: F4 G4; Y: F5 E5 | red@E5",
        "place F5 behind",
        "R5.1d: the yellow tile on F5 is protected by the shrimp of seat 0 on E5",
    ),
    "under the shrimp": ("W: F4 G4; Y: F5 | red@F5", "place F5 behind", "R5.1d: "),
    "attack that joins": (
        "W: F3 G3 F5; Y: F4 | red@G3 green@F5",
        "place F4 behind",
        "R5.1e: white on F4 would join corals with two shrimps",
    ),
    "joins two guarded corals": ("W: F2 F4 | red@F2 green@F4", "place F3 behind", "R4.5: "),
    "deep water": ("", "place A1 behind", "R0.1: A1 is deep water"),
    "board not in play": ("", "place V2 behind", "R0.1: V2 is on board 4; 2 boards"),
    "nothing in front": ("", "place A3 front", "R4.2: seat 0 has no white tile in front"),
    "end before the first tile": ("", "end_grow", "R4.2: a grow action lays at least one tile"),
    "shrimp before the first tile": ("W: F4 | red@F4", "shrimp_out F4", "M2: shrimps move before"),
    "other action": ("", "collect white", "R2.4: the grow action in white is open"),
    "feeding": ("", "feed A3", "R2.5: feeding comes first"),
    "stash": ("", "stash white", "R1.9: a tile is hidden in the set-up only"),
    "no_feed": ("", "no_feed", "R11.6: no_feed is an answer to the final feed only"),
    "growth": ("", "grow_bonus yes", "A20: no growth is declined under these rules"),
}


@pytest.mark.parametrize(("layout", "action", "why"), REFUSALS.values(), ids=REFUSALS)
def test_refusals_in_a_grow_action(layout: str, action: str, why: str) -> None:
    match = play(position(["R2", "R3"], layout, **GROWING_WHITE), "grow white")
    assert why_not(match, action).startswith(why), why_not(match, action)


# position, actions before, the refused action, what the reason starts with
IN_TURN: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "feed after an exchange (E30)": (
        {"layout": "P: A3 B3 C3 C2 B2 | red@A3", "front": "W"},
        "to_larva white",
        "feed A3",
        "R2.5: something was done this turn",
    ),
    "coral of four (E29)": (
        {"layout": "P: A3 B3 C3 C2 | red@A3"},
        "",
        "feed A3",
        "R3.1: the coral",
    ),
    "foreign coral (E29)": (
        {"layout": "P: A3 B3 C3 C2 B2 | green@A3"},
        "",
        "feed A3",
        "R3.1: the shrimp on A3 belongs to seat 1",
    ),
    "no larva": ({"behind": "W"}, "", "grow white", "R4.1: seat 0 has no white larva"),
    "no tile": ({"larvae": "W"}, "", "grow white", "R4.2: seat 0 has no white tile to lay"),
    "third grow action": (
        {"behind": "W3", "larvae": "W3"},
        "grow white, place A3 behind, end_grow, grow white, place B3 behind, end_grow",
        "grow white",
        "R2.2: 2 grow actions were made this turn",
    ),
    "fifth tile (E23)": (
        {"behind": "W5", "larvae": "W"},
        "grow white, place A3 behind, place A5 behind, place B6 behind, place G5 behind",
        "place G4 behind",
        "R4.2: 4 tiles came from behind in this action",
    ),
    "laying without growing": ({"behind": "W"}, "", "place A3 behind", "R4.1: place needs an open"),
    "third shrimp on a board (E24)": (
        {"layout": "W: A3; Y: F4; P: C3 | red@A3 red@F4"},
        "",
        "shrimp_in C3",
        "R7.5: seat 0 has 2 shrimps on board 1",
    ),
    "second shrimp in": (
        {"layout": "W: A3; Y: F4"},
        "shrimp_in A3",
        "shrimp_in F4",
        "R7.1: a shrimp came in this turn already",
    ),
    "shrimp on bare rock": ({}, "", "shrimp_in A3", "R7.1: A3 has no tile"),
    "guarded coral": (
        {"layout": "W: A3 B3 | green@A3"},
        "",
        "shrimp_in B3",
        "R7.4: the coral on B3 has a shrimp, on A3",
    ),
    "foreign shrimp": (
        {"layout": "W: A3 | green@A3"},
        "",
        "shrimp_out A3",
        "R7.3: the shrimp on A3",
    ),
    "no shrimp there": ({}, "", "shrimp_move A3 B3", "R7.2: seat 0 has no shrimp on A3"),
    "no consumed tile": ({}, "", "to_larva white", "R8.1: seat 0 has no white tile in front"),
    "no larva to change": ({}, "", "to_polyp white", "R8.2: seat 0 has no white larva"),
    "no tile to pay": ({}, "", "alga white blue space", "R9.1: seat 0 has no white tile in front"),
    "no shrimp eaten (E28a)": (
        {"front": "W"},
        "",
        "alga white T3",
        "R9.5: seat 0 has no shrimp on",
    ),
    "locked tile (E28c)": (
        {"front": "W", "eaten": 1, "locked": "T3"},
        "",
        "alga white T3",
        "R9.5: T3 carries a cylinder",
    ),
    "second lock (E28d)": (
        {"front": "W2", "eaten": 1},
        "alga white T3",
        "alga white T9",
        "R9.6: a coral tile was locked this turn",
    ),
    "last lock (E37)": (
        {"front": "W", "eaten": 1, "fish": "W", "locked": "T1 T2 T4 T5 T6 T7 T8 T9 T10"}
        | {"rules": {"feed_return": 5}},
        "",
        "alga white T3",
        "R9.7: the last coral tile takes two tiles in the fish; seat 0 has 1",
    ),
    "shrimp on bare rock (E38)": (
        {"layout": "W: A3 | red@A3"},
        "shrimp_move A3 B3",
        "collect white",
        "R2.6: a shrimp of seat 0 stands on bare rock, on B3",
    ),
    "passing": ({}, "", "pass_turn", "R2.7: a turn ends with collecting"),
    "null flip (A14)": (
        {"front": "W2", "rules": {"allow_null_flip": False}},
        "alga white blue space",
        "alga white blue space",
        "A14: no free coral tile shows blue",
    ),
    "own attacker (A4)": (
        {"layout": "W: F4 G4; Y: F5", "behind": "W2", "larvae": "W"}
        | {"rules": {"attack_needs_own_shrimp": True}},
        "grow white, place A3 behind",
        "place F5 behind",
        "A4: no white coral next to F5 has a shrimp of seat 0",
    ),
}


@pytest.mark.parametrize(("about", "before", "action", "why"), IN_TURN.values(), ids=IN_TURN)
def test_refusals_in_a_turn(about: dict[str, Any], before: str, action: str, why: str) -> None:
    match = play(position("R2", **about), *(text for text in before.split(", ") if text))
    assert why_not(match, action).startswith(why), why_not(match, action)


def test_every_column_of_the_record_has_a_clause() -> None:
    for event, _ in GAME.events.names:
        for column in ("event", "ply", *GAME.events.columns_of(event)):
            assert re.fullmatch(r"[RM]\d+(\.\d+)?", clause_of(event, column))
    assert clause_of("place", "captured") == "R5.4"
    assert clause_of("feed", "size") == "R3.2"
    assert clause_of("end", "four_eaten") == "R11.2"
    assert clause_of("result", "fish_white") == "R3.2"
