"""Every toggle and every reading (A1-A26) that has one: what changes, and what comes together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import BOARDS
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.invariants import check_state
from reefsim.games.reef_encounter.invariants.from_scratch import Position
from reefsim.games.reef_encounter.notation import cell_index
from reefsim.games.reef_encounter.position import position
from reefsim.testing import legal_texts, play, why_not

NINE = "T1 T2 T3 T4 T5 T6 T7 T8 T9"
SIX = "A2 B2 C2 A3 B3 A4"  # six cells of R2 in one piece, and six more on the other side
FAR = "D1 E1 F1 D2 E2 F2"


def new(seats: int = 2, seed: int = 0, **rules: Any) -> Match:
    return Match(GAME, GAME.ruleset.make(rules, seats), seats, seed=seed)


def tile(match: Match, cell: str) -> int | None:
    return Position(match.plain_state(), match.rules).tiles.get(cell_index(cell))


def names(match: Match, ply: int, kinds: Iterable[str] = ()) -> list[str]:
    events = [row["event"] for row in match.events(ply)]
    return [event for event in events if not kinds or event in kinds]


def end_of(match: Match) -> tuple[str, int | None]:
    last = match.events()[-1]
    assert last["event"] == "end"
    return last["value"], last.get("seat")


# Set-up


@pytest.mark.clause("R1.1", "R0.1")
def test_boards_may_be_listed_and_repeated() -> None:
    match = new(3, boards=["R3", "R3", "R1"])
    assert [row["value"] for row in match.events()[:3]] == ["R3", "R3", "R1"]
    assert match.plain_state().board == [2, 2, 0, -1]
    assert check_state(match.state, match.rules) == []


@pytest.mark.clause("R1.1")
def test_random_boards_differ_and_all_come_up() -> None:
    seen = [tuple(new(3, seed).plain_state().board[:3]) for seed in range(60)]
    assert all(len(set(boards)) == 3 for boards in seen)
    assert {board for boards in seen for board in boards} == {0, 1, 2, 3}


@pytest.mark.clause("R1.4", "A1")
@pytest.mark.parametrize("side", ["starfish", "reverse"])
def test_the_side_may_be_fixed(side: str) -> None:
    matches = [new(2, seed, initial_side=side) for seed in range(5)]
    assert {match.events()[2]["value"] for match in matches} == {side}


@pytest.mark.clause("R1.4", "A1")
def test_the_side_is_tossed() -> None:
    sides = [new(2, seed).events()[2]["value"] for seed in range(40)]
    assert {"starfish", "reverse"} == set(sides)
    reversed_ = {seed: new(2, seed).plain_state().reversed for seed in range(40)}
    assert {reversed_[seed] for seed in range(40)} == {0, 1023}


@pytest.mark.clause("R1.8")
@pytest.mark.parametrize(
    ("hand", "dealt"), [([1, 30], [1, 30]), ({2: [4, 4], 3: [1, 1, 1]}, [4, 4])]
)
def test_hands(hand: Any, dealt: list[int]) -> None:
    assert [sum(tiles) for tiles in new(2, initial_hand=hand).plain_state().behind[:2]] == dealt


@pytest.mark.clause("R1.9", "R1.10", "A2")
def test_a_hand_of_one_tile_and_few_larvae() -> None:
    match = new(4, initial_hand=[1, 1, 1, 1], larvae_per_color=3)
    for _ in range(4):
        assert len(match.legal_actions()) == 1
        match.apply(match.legal_actions()[0])
    play(match, "choose_larvae white white")
    assert "choose_larvae white yellow" not in legal_texts(match)
    assert why_not(match, "choose_larvae white yellow").startswith("R1.10")
    play(match, "choose_larvae yellow orange", "choose_larvae yellow orange")
    assert legal_texts(match) == [
        "choose_larvae pink pink",
        "choose_larvae pink grey",
        "choose_larvae grey grey",
    ]


# Growing


@pytest.mark.clause("R2.2")
@pytest.mark.parametrize("limit", [1, 2, 4])
def test_grow_actions_per_turn(limit: int) -> None:
    rules = {"grow_actions_per_turn": limit, "extra_growth": False}
    match = position("R2", rules=rules, larvae="W5", behind="W5")
    for cell in ("A2", "C2", "E2", "A4")[:limit]:
        play(match, "grow white", f"place {cell} behind", "end_grow")
    assert legal_texts(match, "grow") == []
    assert why_not(match, "grow white").startswith("R2.2")


@pytest.mark.clause("R4.2")
@pytest.mark.parametrize("limit", [1, 10])
def test_max_tiles_from_behind(limit: int) -> None:
    match = position("R2", rules={"max_tiles_from_behind": limit}, larvae="W", behind="W12")
    play(match, "grow white")
    for _ in range(limit):
        match.apply(match.legal_actions()[0])
    assert legal_texts(match, "place") == []


@pytest.mark.clause("R4.1", "R4.2", "A15")
@pytest.mark.parametrize("empty", [False, True])
def test_an_empty_grow_action(empty: bool) -> None:
    match = position(
        "R2", "Y: A5 | red@A5", rules={"allow_empty_grow": empty}, larvae="WY", behind="Y"
    )
    assert legal_texts(match, "grow") == (
        ["grow white", "grow yellow"] if empty else ["grow yellow"]
    )
    if not empty:
        assert why_not(match, "grow white").startswith("R4.2")
    play(match, "grow yellow")
    assert ("end_grow" in legal_texts(match)) == empty
    assert bool(legal_texts(match, "shrimp_move")) == empty
    if empty:
        supply = match.plain_state().supply[0]
        play(match, "shrimp_out A5", "end_grow", "grow white", "end_grow", "collect white")
        assert match.plain_state().supply[0] == supply  # one came back, one went to the sea


@pytest.mark.clause("R2.4", "R4.9", "R7.7")
def test_only_shrimps_come_inside_a_grow_action() -> None:
    match = position("R2", "Y: A5 | red@A5", larvae="W2", behind="W3", front="Y")
    play(match, "grow white")
    assert {text.split()[0] for text in legal_texts(match)} == {"place"}
    play(match, "place F4 behind")
    kinds = {"place", "end_grow", "shrimp_move", "shrimp_out"}
    assert {text.split()[0] for text in legal_texts(match)} == kinds
    for refused in ("collect white", "to_larva yellow", "shrimp_in F4", "grow white"):
        assert why_not(match, refused).startswith("R2.4")


@pytest.mark.clause("R4.4", "R4.10", "R4.11", "R6.9")
def test_a_tile_cannot_go_under_a_shrimp_on_bare_rock() -> None:
    match = position("R2", "Y: A5 | red@A5", larvae="W", behind="W4")
    play(match, "shrimp_move A5 D4", "grow white")
    assert why_not(match, "place D4 behind").startswith("R4.10")
    assert why_not(match, "place B4 behind").startswith("R0.1")
    play(match, "place A2 behind", "shrimp_move D4 A5", "place D4 behind")
    assert (tile(match, "D4"), match.events()[-1]["growth"]) == (0, False)


@pytest.mark.clause("R4.6", "R5.1")
def test_the_join_rule_holds_for_attacks() -> None:
    match = position("R2", "W: F4 G4 E5 D5; Y: F5 | green@F4 red@E5", larvae="W", behind="W")
    play(match, "grow white")
    assert why_not(match, "place F5 behind").startswith("R5.1e")


@pytest.mark.clause("A5", "R4.5", "R6.3")
@pytest.mark.parametrize("rule", ["two_shrimps", "never"])
def test_merging_corals(rule: str) -> None:
    never = rule == "never"
    tiles = "W: A2 C2 D3; P: E4; Y: D6"
    match = position("R2", tiles, rules={"merge_rule": rule}, larvae="WP", behind="W P")
    play(match, "grow white")
    assert ("place B2 behind" in legal_texts(match)) != never
    assert ("place D2 behind" in legal_texts(match)) != never
    assert "place D4 behind" in legal_texts(match)  # beside one coral only
    match = position("R2", "P: C4 E4 F4", rules={"merge_rule": rule}, larvae="P", behind="P")
    play(match, "grow pink", "place D3 behind")
    assert (tile(match, "D4") is None) == never


@pytest.mark.clause("R5.1", "R5.2")
@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_min_attack_size(size: int) -> None:
    cells = ("F4", "G4", "G5", "E4", "F3", "G3")
    for n in range(1, 7):
        match = position(
            "R2",
            f"W: {' '.join(cells[:n])}; Y: F5",
            rules={"min_attack_size": size},
            larvae="W",
            behind="W",
        )
        play(match, "grow white")
        assert ("place F5 behind" in legal_texts(match)) == (n >= size)


# Extra growth


@pytest.mark.clause("R13.1", "R6.1")
def test_no_extra_growth() -> None:
    match = position("R2", rules={"extra_growth": False}, larvae="P", behind="P")
    play(match, "grow pink", "place D3 behind")
    assert tile(match, "D4") is None


@pytest.mark.clause("R6.2", "R6.4", "A19")
@pytest.mark.parametrize(
    ("bonus", "bag", "grown", "left"),
    [
        ("P", "P2", True, (1, 1)),
        ("P", "W", True, (0, 0)),  # the row is not refilled
        ("", "P2", True, (1, 0)),  # from the bag, which refills the row as well
        ("", "P", True, (0, 0)),
        ("", "W", False, (0, 0)),
        ("P2", "P", True, (1, 1)),
    ],
)
def test_where_the_growth_tile_comes_from(
    bonus: str, bag: str, grown: bool, left: tuple[int, int]
) -> None:
    match = position("R2", larvae="P", behind="P", bonus=bonus, bag=bag)
    play(match, "grow pink", "place D3 behind")
    s = match.plain_state()
    assert (tile(match, "D4") == 3) == grown
    assert (s.bonus[3], s.bag[3]) == left


@pytest.mark.clause("A20", "R6.2")
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_growth_may_be_declined(answer: str) -> None:
    match = position("R2", rules={"growth_optional": True}, larvae="P", behind="P2")
    play(match, "grow pink", "place D3 behind")
    assert match.events()[-1]["growth"] is False
    assert legal_texts(match) == ["grow_bonus no", "grow_bonus yes"]
    play(match, f"grow_bonus {answer}")
    assert match.events()[-1]["n_legal"] == 2
    assert tile(match, "D4") == (3 if answer == "yes" else None)
    play(match, "place C4 behind")
    assert (match.legal_actions() == [6 << 16, 6 << 16 | 1]) == (answer == "no")


@pytest.mark.clause("R6.5", "A16")
@pytest.mark.parametrize("blocks", [True, False])
def test_an_own_shrimp_on_the_growth_cell(blocks: bool) -> None:
    rules = {"shrimp_blocks_growth": blocks}
    match = position("R2", "Y: A5 | red@A5", rules=rules, larvae="P", behind="P3")
    play(match, "shrimp_move A5 D4", "grow pink", "place D3 behind")
    assert tile(match, "D4") == (None if blocks else 3)
    assert check_state(match.state, match.rules) == []
    p = Position(match.plain_state(), match.rules)
    assert p.guards(p.coral(cell_index("D3"))) == ([] if blocks else [0])


@pytest.mark.clause("A16", "R6.3")
@pytest.mark.parametrize("guarded", [True, False])
def test_a_shrimp_on_the_growth_cell_counts_for_the_join_rule(guarded: bool) -> None:
    shrimps = "red@A5 green@C4" if guarded else "red@A5"
    match = position(
        "R2",
        f"Y: A5; P: C4 | {shrimps}",
        rules={"shrimp_blocks_growth": False},
        larvae="P",
        behind="P3",
    )
    play(match, "shrimp_move A5 D4", "grow pink", "place E4 behind")
    assert (tile(match, "D4") is None) == guarded
    assert check_state(match.state, match.rules) == []


@pytest.mark.clause("R3.6", "R6.8")
def test_an_emptied_growth_cell_grows_again() -> None:
    match = position("R2", "W: D4 D3 D2 E2 F2 | red@D2", larvae="P", behind="P")
    play(match, "feed D2", "grow pink", "place D5 behind")
    assert tile(match, "D4") == 3


# Shrimps


@pytest.mark.clause("R7.5", "A3")
@pytest.mark.parametrize("limit", [1, 2, 6])
def test_own_shrimps_per_board(limit: int) -> None:
    match = position(
        "R2 R4",
        "W: A5; Y: F4; O: C2; P: K5 | red@K5",
        rules={"max_own_shrimps_per_board": limit, "shrimps_per_player": 6},
    )
    play(match, "shrimp_in A5", "collect white", "collect white")
    assert bool(why_not(match, "shrimp_in C2")) == (limit == 1)
    assert bool(why_not(match, "shrimp_move K5 C2")) == (limit == 1)
    assert not why_not(match, "shrimp_move A5 C2")


@pytest.mark.clause("R7.2", "R7.3", "R7.4", "R7.6", "R0.1")
def test_where_shrimps_go() -> None:
    match = position("R2 R4", "W: A5 A4; Y: F4 F5; O: C2; P: K5 | red@A5 green@F4")
    assert not why_not(match, "shrimp_move A5 A4")  # (a)
    assert not why_not(match, "shrimp_move A5 K5")  # (b)
    assert not why_not(match, "shrimp_move A5 N3")  # (c)
    assert why_not(match, "shrimp_move A5 F5").startswith("R7.4")
    assert why_not(match, "shrimp_move F4 F5").startswith("R7.3")
    assert why_not(match, "shrimp_move A5 A1").startswith("R0.1")
    assert why_not(match, "shrimp_in C3").startswith("R7.1")
    assert why_not(match, "shrimp_in A4").startswith("R7.4")
    play(match, "shrimp_out A5", "shrimp_in C2")
    assert why_not(match, "shrimp_in A5").startswith("R7.1")
    assert match.plain_state().in_hand[0] == 3


@pytest.mark.clause("M2")
@pytest.mark.parametrize("limit", [0, 1, 8])
def test_the_engine_limits_shrimp_moves(limit: int) -> None:
    match = position("R2", "W: A5 A4 | red@A5", rules={"max_shrimp_moves_per_turn": limit})
    for i in range(limit):
        play(match, "shrimp_move A5 A4" if i % 2 == 0 else "shrimp_move A4 A5")
    assert legal_texts(match, "shrimp_move") == []
    assert legal_texts(match, "shrimp_out")


# Exchanges and algae


@pytest.mark.clause("R8.1", "R8.2", "R8.3", "R8.4", "A17", "A18")
def test_exchanges() -> None:
    match = position("R2", front="P", bag="P W9", bonus="P G", larvae="P")
    play(match, "to_larva pink", "to_polyp pink", "to_polyp pink")
    s = match.plain_state()
    assert (s.bag[3], s.bonus[3], s.behind[0][3], s.larvae[0][3]) == (0, 1, 2, 0)
    match = position("R2", bag="W9", bonus="P", larvae="P2")
    play(match, "to_polyp pink")  # from the row, as the bag has none
    assert match.plain_state().bonus[3] == 0
    assert why_not(match, "to_polyp pink").startswith("R8.2")
    match = position("R2", front="P", supply="P0")
    assert why_not(match, "to_larva pink").startswith("R8.1")


@pytest.mark.clause("A6", "R9.5")
@pytest.mark.parametrize("others", [True, False])
def test_a_lock_flips_the_others(others: bool) -> None:
    match = position("R2", rules={"lock_flips_others": others}, front="W", eaten=1)
    play(match, "alga white T3")  # blue, as are T6 and T10
    assert match.plain_state().reversed == (1 << 5 | 1 << 9 if others else 0)
    assert match.plain_state().locked == 1 << 2


@pytest.mark.clause("A14", "R9.4")
@pytest.mark.parametrize("allowed", [True, False])
def test_a_play_that_flips_nothing(allowed: bool) -> None:
    match = position("R2", rules={"allow_null_flip": allowed}, front="W2", eaten=1)
    play(match, "alga white blue space")
    assert ("alga white blue space" in legal_texts(match)) == allowed
    if not allowed:
        assert why_not(match, "alga white blue space").startswith("A14")
    # a lock is no play to the space: it may flip nothing
    match = position("R2", rules={"allow_null_flip": allowed}, front="W", eaten=1, locked="T6 T10")
    play(match, "alga white T3")


@pytest.mark.clause("R9.1", "R9.2")
def test_one_cylinder_of_each_alga() -> None:
    match = position("R2", rules={"cylinders_per_alga": 1}, front="W5", eaten=1)
    play(match, "alga white blue space")
    assert why_not(match, "alga white blue space").startswith("R9.2")
    play(match, "alga white red space", "alga white blue space", "alga white red space")
    play(match, "alga white T2")  # the red one is on the space, so it shows purple now
    assert match.plain_state().cylinders == [1, 1, 0, 0]


# Feeding


@pytest.mark.clause("R3.1", "R3.2", "R13.2", "R13.3")
@pytest.mark.parametrize(("least", "back"), [(1, 0), (1, 10), (5, 4), (6, 5), (12, 0)])
def test_sizes_and_returns(least: int, back: int) -> None:
    rules = {"min_feed_size": least, "feed_return": back}
    cells = f"{SIX} A5 B5 C5 C3 D3 D2".split()
    for size in (1, 5, 6, 12):
        layout = f"P: {' '.join(cells[:size])} | red@A2"
        match = position("R2", layout, rules=rules | {"extra_growth": False})
        assert bool(legal_texts(match, "feed")) == (size >= least)
        if size >= least:
            play(match, "feed A2")
            assert match.plain_state().fish[0][3] == max(0, size - back)


@pytest.mark.clause("R3.3", "R9.5")
@pytest.mark.parametrize("shrimps", [1, 6])
def test_number_of_shrimps(shrimps: int) -> None:
    match = position(
        "R2", f"P: {SIX} | red@A2", rules={"shrimps_per_player": shrimps}, eaten=shrimps - 1
    )
    play(match, "feed A2")
    assert match.over
    assert end_of(match) == ("four_eaten", 0)
    match = position("R2", f"P: {SIX} | red@A2", rules={"shrimps_per_player": 6}, eaten=4)
    play(match, "feed A2", "collect white")
    assert not match.over


@pytest.mark.clause("R11.6", "A26", "R13.2")
@pytest.mark.parametrize(
    ("least", "back", "gain"), [(5, 5, 1), (7, 0, None), (1, 10, 0), (6, 6, 0)]
)
def test_final_feed(least: int, back: int, gain: int | None) -> None:
    rules = {"min_final_feed_size": least, "final_feed_return": back}
    match = position("R2", f"P: {SIX}; W: {FAR} | red@A2 green@D1", rules=rules, eaten=3)
    play(match, "feed A2")
    assert match.over == (gain is None)
    if gain is not None:
        play(match, "feed D1")
        assert match.plain_state().fish[1][0] == 1 + gain
        assert match.results()[1]["feeds"] == 1


# The end of the turn and of the game


@pytest.mark.clause("A13", "R2.6", "R2.7")
@pytest.mark.parametrize("mandatory", [True, False])
def test_collecting(mandatory: bool) -> None:
    match = position("R2", "W: F4 | red@F4", rules={"collect_mandatory": mandatory})
    assert ("pass_turn" in legal_texts(match)) != mandatory
    if mandatory:
        assert why_not(match, "pass_turn").startswith("R2.7")
        return
    play(match, "shrimp_move F4 A5")
    assert why_not(match, "pass_turn").startswith("R2.6")
    ply = match.ply
    play(match, "shrimp_out A5", "pass_turn")
    assert (match.seat, match.turn) == (1, 2)
    assert names(match, ply) == ["shrimp_out", "pass_turn"]


@pytest.mark.clause("A7", "R11.6", "R11.7")
@pytest.mark.parametrize("events", [[], [1, 2], [1, 2, 3, 4]])
def test_final_feed_events(events: list[int]) -> None:
    rules = {"final_feed_events": events}
    layout = f"P: {SIX}; W: {FAR} | red@A2 green@D1"
    match = position("R2", layout, rules=rules, eaten=3)
    play(match, "feed A2")
    assert match.over == (2 not in events)
    match = position("R2", layout, rules=rules, supply="P0")
    play(match, "collect pink")
    assert match.over == (4 not in events)


@pytest.mark.clause("A8", "R11.5")
def test_the_ender_finishes_the_turn_and_the_first_cause_stands() -> None:
    """The fourth feed, then the tenth lock, then a refill that fails, all in one turn."""
    match = position(
        "R2",
        f"P: {SIX}; W: {FAR} | red@A2 green@D1",
        rules={"end_timing": "end_of_turn"},
        front="W2",
        eaten=3,
        fish="W2",
        locked=NINE,
        supply="P0",
    )
    play(match, "feed A2")
    assert (match.seat, match.over) == (0, False)
    play(match, "alga white T10")
    assert (match.seat, match.over) == (0, False)
    play(match, "collect pink")
    assert match.plain_state().cube[3] == 0
    assert sum(match.plain_state().sea[3]) == 0
    assert legal_texts(match) == ["feed D1", "no_feed"]
    play(match, "no_feed")
    assert end_of(match) == ("four_eaten", 0)


@pytest.mark.clause("A8", "R2.6")
def test_a_lock_at_the_end_of_the_turn_leaves_no_shrimp_on_bare_rock() -> None:
    match = position(
        "R2",
        "P: A2 | red@A2",
        rules={"end_timing": "end_of_turn"},
        front="W2",
        eaten=1,
        fish="W2",
        locked=NINE,
    )
    play(match, "shrimp_move A2 A5", "alga white T10")
    assert why_not(match, "collect white").startswith("R2.6")
    play(match, "shrimp_out A5", "collect white")
    assert end_of(match) == ("all_locked", 0)


@pytest.mark.clause("A25")
def test_a_shrimp_may_be_on_bare_rock_at_an_immediate_end() -> None:
    match = position("R2", "P: A2 | red@A2", front="W2", eaten=1, fish="W2", locked=NINE)
    play(match, "shrimp_move A2 A5", "alga white T10")
    assert match.over
    assert check_state(match.state, match.rules) == []


@pytest.mark.clause("A8", "R11.4")
@pytest.mark.parametrize("timing", ["immediate", "end_of_turn"])
def test_events_3_and_4_end_at_once(timing: str) -> None:
    match = position("R2", rules={"end_timing": timing}, supply="P0")
    play(match, "collect pink")
    assert end_of(match) == ("supply", 0)


@pytest.mark.clause("A12", "R2.1", "R3.2")
def test_a_full_last_turn_each() -> None:
    """Three seats; seat 1 ends, so seats 2 and 0 take a turn each, in that order, and no feed."""
    match = position(
        "R2 R3 R4",
        f"P: {SIX}; W: {FAR}; Y: I5 I6 J5 J6 K5 K6 | green@A2 yellow@D1 red@I5",
        seat="green",
        rules={"final_turn": "full_turn", "max_turns": 2, "complete_round": True},
        eaten=3,
        supply="P0",
    )
    play(match, "feed A2")
    assert (match.seat, match.turn) == (2, 3)
    assert "feed D1" in legal_texts(match)
    play(match, "feed D1")
    assert match.plain_state().fish[2][0] == 1 + 6 - 4  # feed_return, not that of a final feed
    ply = match.ply
    play(match, "collect pink")  # no pink larva is left: nothing is drawn, and the game goes on
    assert (names(match, ply), match.plain_state().cube[3]) == (["collect"], 0)
    assert (match.seat, match.turn) == (0, 4)
    larvae = match.plain_state().larvae[0][3]
    play(match, "collect pink")
    assert match.plain_state().larvae[0][3] == larvae  # the space had no larva
    assert end_of(match) == ("four_eaten", 1)
    assert match.events()[-1]["turn"] == 4


@pytest.mark.clause("A12", "A7")
def test_no_full_turn_after_other_events() -> None:
    match = position("R2", rules={"final_turn": "full_turn"}, supply="P0")
    play(match, "collect pink")
    assert match.over


@pytest.mark.clause("A12")
def test_a_space_without_a_larva_gets_one_when_it_is_collected_again() -> None:
    match = position(
        "R2 R3 R4",
        f"P: {SIX} | red@A2",
        rules={"final_turn": "full_turn", "shrimps_per_player": 1},
        larvae={"yellow": "P"},
        behind={"yellow": "P"},
        supply="P0",
    )
    play(match, "feed A2", "collect pink")
    assert (match.seat, match.plain_state().cube[3]) == (2, 0)
    play(match, "to_polyp pink")  # a larva comes back to the supply
    assert match.plain_state().cube[3] == 0
    ply = match.ply
    play(match, "collect pink")
    assert (match.plain_state().cube[3], match.over) == (1, True)
    assert "refill" in names(match, ply)


@pytest.mark.clause("A22")
@pytest.mark.parametrize("ender", ["red", "green", "yellow"])
def test_the_round_is_completed(ender: str) -> None:
    seat = ["red", "green", "yellow"].index(ender)
    others = {"red": "D1", "green": "I5", "yellow": "A2"}
    match = position(
        "R2 R3 R4",
        f"P: {SIX}; W: {FAR}; Y: I5 I6 J5 J6 K5 K6 | red@D1 green@I5 yellow@A2",
        seat=ender,
        rules={"complete_round": True},
        eaten=3,
    )
    play(match, f"feed {others[ender]}")
    for turn, last in enumerate(range(seat + 1, 3), seat + 2):
        assert (match.seat, match.turn) == (last, turn)
        play(match, "collect white")
    asked = []
    while not match.over:
        asked.append(match.seat)
        play(match, "no_feed")
    assert asked == [(seat + 1) % 3, (seat + 2) % 3]
    assert end_of(match) == ("four_eaten", seat)
    assert match.events()[-1]["turn"] == 3


@pytest.mark.clause("A22")
def test_only_events_1_and_2_complete_the_round() -> None:
    match = position("R2", rules={"complete_round": True, "final_feed_events": [4]}, supply="P0")
    play(match, "collect pink")
    assert match.over


@pytest.mark.clause("A9", "R10.5")
@pytest.mark.parametrize(
    ("rule", "bag", "bonus", "space", "refills", "over"),
    [
        # grey needs two tiles, orange three
        ("insufficient", "W2", "", "grey", 2, False),
        ("insufficient", "W", "Y", "grey", 2, False),
        ("insufficient", "W", "", "grey", 1, True),
        ("insufficient", "", "", "grey", 0, True),
        ("lt3", "W3", "", "grey", 2, False),
        ("lt3", "W2", "", "grey", 0, True),
        ("lt3", "W2", "Y", "grey", 2, False),
        ("le3", "W3", "", "grey", 0, True),
        ("le3", "W3", "Y", "grey", 2, False),
        ("le3", "W4", "", "orange", 3, False),
        ("le3", "W", "YO", "grey", 0, True),
        ("empty", "W2", "", "grey", 2, True),
        ("empty", "W2", "Y", "grey", 2, False),
        ("empty", "W", "Y", "grey", 2, True),
        ("empty", "W3", "", "grey", 2, False),
        ("empty", "W", "", "grey", 1, True),
    ],
)
def test_how_few_tiles_end_the_game(
    rule: str, bag: str, bonus: str, space: str, refills: int, over: bool
) -> None:
    match = position("R2", "W: F4", rules={"bag_end_rule": rule}, bag=bag, bonus=bonus)
    ply = match.ply
    play(match, f"collect {space}")
    assert names(match, ply, ["refill", "end"]) == ["refill"] * refills + ["end"] * over
    s = match.plain_state()
    assert s.cube == [1] * 5  # the larva is put back before tiles are drawn
    if rule in ("lt3", "le3") and over:
        assert s.bonus == [0] * 5
    assert check_state(match.state, match.rules) == []


def full(**changes: str) -> str:
    """R2 full of white and R3 of yellow, except for some tiles of R2: nothing attacks anything."""
    lines = [
        [
            *("~" if sign == "~" else "W" for sign in left),
            " ",
            *("~" if sign == "~" else "Y" for sign in right),
        ]
        for left, right in zip(BOARDS[1], BOARDS[2], strict=True)
    ]
    for cell, sign in changes.items():
        lines[int(cell[1]) - 1]["ABCDEFG".index(cell[0])] = sign
    return "\n".join(map("".join, lines))


def test_the_picture_is_full() -> None:
    match = position("R2 R3", full())
    p = Position(match.plain_state(), match.rules)
    assert set(p.tiles) == p.rock


@pytest.mark.clause("R11.3", "A10", "R11.7")
@pytest.mark.parametrize("rule", ["no_legal", "no_empty"])
@pytest.mark.parametrize(
    ("changes", "no_legal", "no_empty"),
    [
        ({}, True, True),
        ({"F6": "."}, False, False),  # an empty cell takes some color always
        ({"F6": "G"}, True, True),  # grey beats white, but a single tile cannot attack
        ({"F6": "G", "E6": "G"}, False, True),
        ({"F6": "O"}, False, True),  # white attacks orange
    ],
)
def test_no_space(rule: str, changes: dict[str, str], no_legal: bool, no_empty: bool) -> None:
    match = position("R2 R3", full(**changes), rules={"no_space_rule": rule})
    play(match, "collect white")
    over = no_legal if rule == "no_legal" else no_empty
    assert match.over == over
    if over:
        assert end_of(match) == ("no_space", 0)


@pytest.mark.clause("R11.3", "A4", "A10")
@pytest.mark.parametrize(("shrimps", "over"), [("", True), ("red@E6", False), ("green@F6", False)])
def test_an_attack_of_any_seat_is_space(shrimps: str, over: bool) -> None:
    match = position(
        "R2 R3",
        full(F6="G", E6="G") + f" | {shrimps}",
        rules={"attack_needs_own_shrimp": True},
    )
    play(match, "collect white")
    assert match.over == over


@pytest.mark.clause("R11.3", "R5.1", "R0.5")
@pytest.mark.parametrize(("shrimp", "over"), [("", False), ("green@E5", True), ("green@D5", False)])
def test_protected_tiles_are_no_space(shrimp: str, over: bool) -> None:
    """Grey could attack E5 and F5 only; a shrimp on E5 protects both, one on D5 only E5."""
    layout = full(F6="G", E6="G", D6="P")
    match = position("R2 R3", f"{layout} | {shrimp}")
    play(match, "collect white")
    assert match.over == over


@pytest.mark.clause("R2.8", "M2")
def test_the_turn_limit_comes_last() -> None:
    match = position("R2", rules={"max_turns": 2})
    play(match, "collect white", "collect white")
    assert end_of(match) == ("turn_limit", None)
    match = position("R2 R3", full(), rules={"max_turns": 1})
    play(match, "collect white")
    assert end_of(match) == ("no_space", 0)
    match = position("R2 R3", full(), rules={"max_turns": 1}, supply="W0")
    play(match, "collect white")
    assert end_of(match) == ("supply", 0)
    layout = f"P: {SIX} | red@A2 "
    match = position("R2", layout, rules={"max_turns": 1, "end_timing": "end_of_turn"}, eaten=3)
    play(match, "feed A2", "collect white")
    assert end_of(match) == ("four_eaten", 0)


# Scoring


@pytest.mark.clause("R12.1", "A11")
@pytest.mark.parametrize("base", [0, 1, 5])
def test_base_tile_value(base: int) -> None:
    match = position("R2", fish="W2 P3", eaten=1, rules={"base_tile_value": base})
    assert match.scores()[0] == 5 * (base + 2)  # each color is on top of two coral tiles


@pytest.mark.clause("R13.1", "R13.2")
def test_the_advanced_preset() -> None:
    from reefsim.core.presets import presets

    found = presets("reef_encounter")
    assert found["advanced"] == {"extra_growth": False, "feed_return": 5, "final_feed_return": 6}
    assert not found["base"]
