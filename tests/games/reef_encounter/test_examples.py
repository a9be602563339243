"""The worked examples of the rules, E1 to E38, each with the clauses it shows.

Positions are on the starfish side and under the base rules unless an example says otherwise.
"""

from __future__ import annotations

from typing import Any

import pytest

from reefsim.core.match import Match
from reefsim.errors import IllegalActionError
from reefsim.games.reef_encounter.constants import COLORS, LETTERS
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.invariants import check_state
from reefsim.games.reef_encounter.invariants.from_scratch import Position
from reefsim.games.reef_encounter.notation import cell_index
from reefsim.games.reef_encounter.position import position
from reefsim.testing import legal_texts, play, why_not

NINE = "T1 T2 T3 T4 T5 T6 T7 T8 T9"


def stock(values: list[int]) -> str:
    """A stock as text, "W3 Y1"."""
    return " ".join(f"{letter}{n}" for letter, n in zip(LETTERS, values, strict=True) if n)


def levels(match: Match) -> list[int]:
    return [sum(space) for space in match.plain_state().sea]


def seen(match: Match) -> Position:
    return Position(match.plain_state(), match.rules)


def coral(match: Match, cell: str) -> set[str]:
    names = [f"{'ABCDEFG'[c & 7]}{(c >> 3 & 7) + 1}" for c in seen(match).coral(cell_index(cell))]
    return set(names)


def tops(match: Match) -> dict[str, str]:
    """Each coral tile as "W>Y"."""
    faces = [seen(match).face(tile) for tile in range(10)]
    return {f"T{i + 1}": f"{LETTERS[a]}>{LETTERS[b]}" for i, (a, b, _) in enumerate(faces)}


@pytest.mark.clause("R1.2", "R1.3", "R1.5", "R1.6", "R1.8", "R1.11")
@pytest.mark.parametrize(
    ("seats", "on_boards", "hands", "bag"),
    [(2, 10, [6, 9], 158), (3, 15, [6, 7, 9], 146), (4, 20, [6, 7, 8, 9], 133)],
)
def test_e1_counts_of_the_set_up(seats: int, on_boards: int, hands: list[int], bag: int) -> None:
    match = Match(GAME, GAME.ruleset(), seats)
    s = match.plain_state()
    assert len(seen(match).tiles) == on_boards
    assert sum(levels(match)) == 12
    assert [sum(behind) for behind in s.behind[:seats]] == hands
    assert (s.bonus, sum(s.bag), sum(s.supply)) == ([1] * 5, bag, 45)
    assert s.in_hand[:seats] == [4] * seats


@pytest.mark.clause("R1.6")
@pytest.mark.parametrize(
    ("start", "expected"),
    [("pink", "W3 Y2 O1 P3 G3"), ("white", "W3 Y3 O3 P2 G1"), ("grey", "W3 Y3 O2 P1 G3")],
)
def test_e2_the_sea_is_filled_clockwise_from_the_start(start: str, expected: str) -> None:
    first = COLORS.index(start)
    script = [0, 1, 0, first, *[0, 1, 2, 3] * 3, *[0, 1, 2, 3, 4] * 3]
    match = Match(GAME, GAME.ruleset(), 2, chance=script)
    assert stock(levels(match)) == expected
    assert check_state(match.state, match.rules) == []


@pytest.mark.clause("R10.2", "R10.3", "R10.4")
@pytest.mark.parametrize(
    ("space", "expected", "draws"),
    [
        ("orange", "W3 Y3 O1 P3 G2", 3),  # E3
        ("grey", "W3 Y3 O3 P3 G1", 2),  # E4
        ("pink", "W3 Y3 O3 P1 G2", 2),
    ],
)
def test_e3_e4_refill(space: str, expected: str, draws: int) -> None:
    match = position("R2", "W: F4")
    before, ply = match.plain_state(), match.ply
    c = COLORS.index(space)
    play(match, f"collect {space}")
    s = match.plain_state()
    assert stock(levels(match)) == expected
    drawn = [row for row in match.events(ply) if row["event"] == "refill"]
    assert len(drawn) == draws
    assert [row["color2"] for row in drawn] == sorted(
        {row["color2"] for row in drawn}, key=COLORS.index
    )
    assert s.supply[c] == before.supply[c] - 1
    assert (s.larvae[0][c], s.behind[0][c]) == (1, before.sea[c][c])
    assert s.cube == [1] * 5


@pytest.mark.clause("R2.3", "R4.3", "R5.9", "R9.5", "R9.11")
def test_e5_a_whole_turn_of_the_rulebook() -> None:
    match = position(
        "R2",
        "Y: A5 A4; O: C5 D5 E5 D4 E4 D3 D2; P: F3 F2 E2 F1 E1 | red@A5 green@D3 yellow@E2",
        eaten=1,
        behind="Y×3 W×4",
        larvae="Y W",
        front="W×1",
    )
    play(match, "grow yellow", "place B5 behind", "place C5 behind", "place D5 behind", "end_grow")
    assert stock(match.plain_state().front[0]) == "W1 O2"
    play(match, "alga orange T4")
    assert tops(match)["T7"] == "W>P"
    assert tops(match)["T4"] == "Y>P"
    play(match, "grow white", "place F4 behind", "place F5 behind", "place E5 behind")
    play(match, "place E4 behind", "place F3 front", "end_grow", "shrimp_in F4")
    s = match.plain_state()
    assert stock(s.front[0]) == "O3 P1"
    assert stock(s.behind[0]) == ""
    assert coral(match, "F4") == {"E4", "E5", "F3", "F4", "F5"}
    assert not any(row.get("growth") for row in match.events())
    assert check_state(match.state, match.rules) == []


JOIN = "P: F6 G5 F5 E5 F4 D4 C4 C3; O: C6 C5 B5; W: G3 | yellow@F5 green@C4 yellow@C5 purple@G3"


@pytest.mark.clause("R4.5", "R4.8", "R0.2")
@pytest.mark.parametrize(
    ("color", "cell", "legal"),
    [("pink", "D5", False), ("pink", "E4", False), ("orange", "D5", True), ("pink", "D6", True)],
)
def test_e6_join_rule(color: str, cell: str, legal: bool) -> None:
    match = position("R2", JOIN, larvae="PO", behind="PO")
    play(match, f"grow {color}")
    assert (f"place {cell} behind" in legal_texts(match)) == legal
    if not legal:
        assert why_not(match, f"place {cell} behind").startswith("R4.5")


@pytest.mark.clause("R5.1", "R5.2", "R5.5", "R0.5", "R0.6", "A21")
@pytest.mark.parametrize(
    ("tiles", "reason"),
    [
        ("W: F4; Y: F5", "R5.1c"),  # E7: the attacker is too small
        ("W: F4 G4; Y: F5 E5", ""),  # E8
        ("W: F4 G4; Y: F5 E5 | green@E5", "R5.1d"),  # E9: protected by a neighbor
        ("W: F4 G4; Y: F5 E5 | green@F5", "R5.1d"),  # the shrimp on the tile itself
        ("W: F4 G4; Y: F5 F6 E6 | green@E6", ""),  # E10: a diagonal protects nothing
        ("W: F4 G4; Y: F5; P: E5 | green@E5", ""),  # E11: nor does a shrimp of another color
        ("W: E5 G5; Y: F5", "R5.1c"),  # E14: two single tiles do not add up
        ("W: F4 G4 F5", "R5.1a"),
    ],
)
def test_e7_to_e14_white_on_f5(tiles: str, reason: str) -> None:
    match = position("R2", tiles, larvae="W", behind="W")
    play(match, "grow white")
    assert why_not(match, "place F5 behind").split(":")[0] == reason
    assert ("place F5 behind" in legal_texts(match)) == (not reason)


@pytest.mark.clause("R5.4")
def test_e8_the_captured_tile_goes_to_the_front() -> None:
    match = position("R2", "W: F4 G4; Y: F5 E5", larvae="W", behind="W")
    play(match, "grow white", "place F5 behind")
    assert stock(match.plain_state().front[0]) == "Y1"
    assert coral(match, "E5") == {"E5"}
    assert coral(match, "F5") == {"F4", "G4", "F5"}
    assert match.events()[-1]["captured"] == "yellow"


@pytest.mark.clause("R5.1", "R0.6")
@pytest.mark.parametrize(("side", "reason"), [("starfish", "R5.1b"), ("reverse", "")])
def test_e12_the_weaker_color_cannot_attack(side: str, reason: str) -> None:
    match = position("R2", "Y: F4 G4; W: F5", side=side, larvae="Y", behind="Y")
    play(match, "grow yellow")
    assert why_not(match, "place F5 behind").split(":")[0] == reason


@pytest.mark.clause("R5.8", "R5.3")
def test_e13_a_coral_is_split() -> None:
    match = position("R2", "Y: A5 B5 C5 D5 E5; W: C4 C3 | red@A5", larvae="W", behind="W")
    play(match, "grow white", "place C5 behind")
    assert stock(match.plain_state().front[0]) == "Y1"
    p = seen(match)
    assert (coral(match, "A5"), p.guards(p.coral(cell_index("A5")))) == ({"A5", "B5"}, [0])
    assert (coral(match, "E5"), p.guards(p.coral(cell_index("E5")))) == ({"D5", "E5"}, [])
    assert check_state(match.state, match.rules) == []


@pytest.mark.clause("R6.1", "R6.2", "R6.6", "R4.4")
def test_e15_growth() -> None:
    match = position("R2", larvae="P", behind="P2")
    bag = match.plain_state().bag
    play(match, "grow pink", "place D3 behind")
    s = match.plain_state()
    assert coral(match, "D3") == {"D3", "D4"}
    assert stock(s.behind[0]) == "P1"
    assert stock(s.bonus) == "W1 Y1 O1 P1 G1"
    assert s.bag[3] == bag[3] - 1
    assert match.events()[-1]["growth"] is True


@pytest.mark.clause("R6.3", "R4.5", "R6.7")
@pytest.mark.parametrize(
    ("shrimps", "expected"),
    [
        ("green@C4 red@F4", {"E4", "F4"}),  # E16: growth would join two guarded corals
        ("green@C4", {"C4", "D4", "E4", "F4"}),  # E17
        ("", {"C4", "D4", "E4", "F4"}),
    ],
)
def test_e16_e17_growth_and_the_join_rule(shrimps: str, expected: set[str]) -> None:
    match = position("R2", f"P: C4 F4 | {shrimps}", larvae="P", behind="P")
    play(match, "grow pink", "place E4 behind")
    assert coral(match, "E4") == expected
    assert match.events()[-1]["growth"] is ("D4" in expected)
    if shrimps == "green@C4":
        p = seen(match)
        assert p.guards(p.coral(cell_index("E4"))) == [1]
    assert check_state(match.state, match.rules) == []


@pytest.mark.clause("R6.1", "R6.8")
@pytest.mark.parametrize(
    ("tiles", "cell", "growth"),
    [
        ("W: F4 G4; Y: E4", "E4", True),  # E18: an attack beside the growth cell
        ("W: E4 F4; Y: D4", "D4", False),  # E19: an attack on it
    ],
)
def test_e18_e19_attack_and_growth(tiles: str, cell: str, growth: bool) -> None:
    match = position("R2", tiles, larvae="W", behind="W")
    bonus = match.plain_state().bonus
    play(match, "grow white", f"place {cell} behind")
    last = match.events()[-1]
    assert (last["captured"], last["growth"]) == ("yellow", growth)
    assert seen(match).tiles[cell_index("D4")] == 0
    assert stock(match.plain_state().front[0]) == "Y1"
    assert match.plain_state().bonus == bonus


@pytest.mark.clause("R5.6", "R5.7", "R7.7", "R2.6")
def test_e20_a_player_eats_an_own_coral() -> None:
    match = position("R2", "Y: A5 B5 C5; W: C4 C3 | red@B5", larvae="W", behind="W3", seat="red")
    refused = match.copy()
    play(refused, "grow white")
    assert why_not(refused, "place C5 behind").startswith("R5.1d")
    play(match, "shrimp_move B5 A3", "grow white")
    play(match, "place C5 behind", "place B5 behind", "place A5 behind", "end_grow")
    assert stock(match.plain_state().front[0]) == "Y3"
    assert why_not(match, "collect white").startswith("R2.6")
    play(match, "shrimp_move A3 A5", "collect white")


@pytest.mark.clause("R5.3", "A4")
@pytest.mark.parametrize(
    ("needs_own", "shrimps", "reason"),
    [
        (False, "", ""),
        (True, "", "A4"),
        (True, "green@F4", "A4"),
        (True, "red@G4", ""),
        (False, "green@F4", ""),
    ],
)
def test_e21_whose_shrimp_the_attacker_needs(needs_own: bool, shrimps: str, reason: str) -> None:
    match = position(
        "R2",
        f"W: F4 G4; Y: F5 E5 | {shrimps}",
        rules={"attack_needs_own_shrimp": needs_own},
        larvae="W",
        behind="W",
    )
    play(match, "grow white")
    assert why_not(match, "place F5 behind").split(":")[0] == reason


@pytest.mark.clause("R4.12", "R8.1", "R9.1")
@pytest.mark.parametrize(
    "later", [("grow yellow", "place A5 front"), ("to_larva yellow",), ("alga yellow blue space",)]
)
def test_e22_a_captured_tile_serves_later_actions(later: tuple[str, ...]) -> None:
    match = position("R2", "W: F4 G4; Y: F5 E5", larvae="WY", behind="W2")
    play(match, "grow white", "place F5 behind")
    assert not [text for text in legal_texts(match, "place") if text.endswith("front")]
    play(match, "end_grow", *later)
    assert stock(match.plain_state().front[0]) == ""


@pytest.mark.clause("R4.2")
def test_e23_four_tiles_from_behind_and_any_from_the_front() -> None:
    match = position("R2", larvae="W", behind="W6", front="W3")
    play(match, "grow white", *(f"place {cell} behind" for cell in ("A2", "B2", "C2", "A3")))
    assert why_not(match, "place B3 behind").startswith("R4.2")
    play(match, *(f"place {cell} front" for cell in ("B3", "A4", "A5")))
    assert match.plain_state().front[0] == [0] * 5
    assert legal_texts(match, "place") == []


@pytest.mark.clause("R7.5", "R7.1")
def test_e24_two_own_shrimps_on_a_board() -> None:
    match = position("R2 R4", "W: A5; Y: F4; O: C2; P: K5 | red@R2.A5 red@R2.F4")
    assert why_not(match, "shrimp_in C2").startswith("R7.5")
    assert "shrimp_in K5" in legal_texts(match)
    play(match, "shrimp_move F4 K5")
    assert "shrimp_in C2" in legal_texts(match)


@pytest.mark.clause("R9.3", "R9.9", "R9.10")
def test_e25_blue_on_the_space() -> None:
    match = position("R2", front="W")
    before = tops(match)
    play(match, "alga white blue space")
    changed = {tile for tile, top in tops(match).items() if top != before[tile]}
    assert changed == {"T3", "T6", "T10"}
    assert stock(match.plain_state().front[0]) == ""
    assert not seen(match).showing(0)


@pytest.mark.clause("R9.5", "R9.9", "R9.10")
def test_e26_red_locked_on_t3() -> None:
    match = position("R2", front="W2", eaten=1)
    play(match, "alga white blue space")
    before = tops(match)
    play(match, "alga white T3")
    after = tops(match)
    assert {t for t in after if after[t] != before[t]} == {"T2", "T9", "T10"}
    assert [after[t] for t in ("T2", "T9", "T10", "T3")] == ["O>W", "W>G", "G>Y", "O>Y"]
    s = match.plain_state()
    assert (s.space, s.cylinders) == (0, [4, 5, 5, 4])
    match = position("R2", front="W2", flipped="T3", locked="T3")
    play(match, "alga white red space", "alga white blue space")
    assert tops(match)["T3"] == "O>Y"  # for good


@pytest.mark.clause("R9.3", "R9.4", "A14")
def test_e27_a_play_without_a_flip() -> None:
    match = position("R2", front="W2")
    play(match, "alga white blue space")
    before, sides = match.plain_state(), tops(match)
    play(match, "alga white blue space")
    s = match.plain_state()
    assert tops(match) == sides
    assert (s.cylinders, s.space) == (before.cylinders, before.space)
    assert (sum(s.front[0]), s.bag[0]) == (0, before.bag[0] + 1)


@pytest.mark.clause("R9.2", "R9.5", "R9.6")
@pytest.mark.parametrize(
    ("first", "action", "reason", "setting"),
    [
        ((), "alga white T1", "R9.5", {}),  # (a) nothing fed yet
        (("alga white blue space", "alga white T3"), "alga white T3", "R9.5", {"eaten": 1}),  # (c)
        (("alga white T1",), "alga white T2", "R9.6", {"eaten": 1}),  # (d)
        (
            (),
            "alga white blue space",  # (e) four on coral tiles, one on the space
            "R9.2",
            {"locked": "T1 T3 T6 T10", "flipped": "T1", "space": "blue"},
        ),
    ],
)
def test_e28_plays_that_are_refused(
    first: tuple[str, ...], action: str, reason: str, setting: dict[str, Any]
) -> None:
    match = position("R2", front="W4", **setting)
    play(match, *first)
    assert why_not(match, action).split(":")[0] == reason
    with pytest.raises(IllegalActionError, match=reason):
        play(match, action)


@pytest.mark.clause("R9.5")
def test_e28b_a_lock_takes_the_alga_that_is_shown() -> None:
    """An action names the coral tile only, so that no other alga can be asked for."""
    match = position("R2", front="W", eaten=1)
    play(match, "alga white T2")
    assert match.events()[-1]["alga"] == "red"
    assert match.plain_state().cylinders == [5, 5, 5, 4]


@pytest.mark.clause("R3.1", "R3.2", "R3.3", "R3.4")
@pytest.mark.parametrize("eaten", [0, 1])
def test_e29_feeding(eaten: int) -> None:
    tiles = "P: A2 B2 C2 A3 B3 A4 A5; W: F4 G4 G5 F5; Y: D1 E1 F1 D2 F2 | red@A3 red@F4 green@D1"
    match = position("R2", tiles, eaten=eaten)
    bag = match.plain_state().bag[3]
    assert legal_texts(match, "feed") == ["feed A3"]
    assert why_not(match, "feed F4").startswith("R3.1")
    assert why_not(match, "feed D1").startswith("R3.1")
    play(match, "feed A3")
    s = match.plain_state()
    assert (s.bag[3], stock(s.fish[0]), s.eaten[0]) == (bag + 4, "W1 P3", eaten + 1)
    assert legal_texts(match, "feed") == []
    assert match.events()[-1]["size"] == 7


@pytest.mark.clause("R2.5")
@pytest.mark.parametrize("first", ["shrimp_move A3 A4", "to_larva white", "shrimp_out A3"])
def test_e30_feeding_comes_first(first: str) -> None:
    match = position("R2", "P: A2 B2 C2 A3 B3 A4 A5 | red@A3", front="W")
    assert legal_texts(match, "feed") == ["feed A3"]
    play(match, first)
    assert legal_texts(match, "feed") == []
    assert why_not(match, "feed A3").startswith("R2.5")


@pytest.mark.clause("R3.5", "R11.2", "R11.5", "R11.6", "R11.8")
def test_e31_the_fourth_shrimp() -> None:
    match = position(
        "R2 R4",
        "P: A2 B2 C2 A3 B3 A4; W: D1 E1 F1 D2 E2 F2 F3 G3; Y: F4 F5 E5 G4 G5; O: B5 C5 D5 C6 "
        "| red@A3 green@D1 yellow@F4 purple@B5",
        eaten=3,
        fish={"red": "W"},
    )
    play(match, "feed A3")
    s = match.plain_state()
    assert stock(s.fish[0]) == "W1 P2"
    assert (match.seat, match.turn, match.over) == (1, 1, False)
    assert legal_texts(match) == ["feed D1", "no_feed"]
    bag = s.bag[0]
    play(match, "feed D1")
    s = match.plain_state()
    assert (stock(s.fish[1]), s.bag[0]) == ("W4", bag + 5)
    assert legal_texts(match) == ["feed F4", "no_feed"]
    play(match, "feed F4")  # five tiles, all of which go to the bag
    assert stock(match.plain_state().fish[2]) == "W1"
    assert match.over  # purple's four tiles are too few, so purple is not asked
    last = match.events()[-1]
    assert (last["event"], last["value"], last["seat"], last["turn"]) == ("end", "four_eaten", 0, 1)
    assert not [row for row in match.events() if row["event"] == "collect"]


@pytest.mark.clause("R9.8", "R11.1", "R11.5", "R11.6")
def test_e32_the_tenth_lock() -> None:
    match = position(
        "R2",
        "W: D1 E1 F1 D2 E2 F2; P: A2 B2 C2 A3 B3 A4 | green@D1 red@A3",
        front="W2",
        eaten=1,
        fish="W2",
        locked=NINE,
        fresh=False,
    )
    play(match, "alga white T10")
    assert (match.seat, match.over) == (1, False)
    assert legal_texts(match) == ["feed D1", "no_feed"]
    play(match, "no_feed")
    assert match.over
    end = match.events()[-1]
    assert (end["value"], end["seat"]) == ("all_locked", 0)
    assert not [row for row in match.events() if row["event"] in ("collect", "refill", "feed")]


@pytest.mark.clause("R11.4", "R11.4a", "R11.7")
def test_e33_no_larva_is_left() -> None:
    match = position("R2", "W: D1 E1 F1 D2 E2 F2 | green@D1", supply="P0")
    behind = match.plain_state().behind[0]
    ply = match.ply
    play(match, "collect pink")
    s = match.plain_state()
    assert match.over
    assert match.end_cause == "supply"
    assert (s.larvae[0][3], s.behind[0][3]) == (1, behind[3] + 2)
    assert [row["event"] for row in match.events(ply)] == ["collect", "end"]


@pytest.mark.clause("R10.5", "R11.4")
@pytest.mark.parametrize(("bonus", "over"), [("WYOPG", False), ("", True)])
def test_e34_the_bag_is_short(bonus: str, over: bool) -> None:
    match = position("R2", "W: F4", bag="W1", bonus=bonus)
    ply = match.ply
    play(match, "collect orange")
    s = match.plain_state()
    assert match.over == over
    refills = [row["color2"] for row in match.events(ply) if row["event"] == "refill"]
    assert refills == (["orange"] if over else ["orange", "pink", "grey"])
    assert s.bonus == [0] * 5
    assert sum(s.bag) == (0 if over else 3)
    assert match.end_cause == ("supply" if over else None)


FISH = {"red": "G2 W3 Y1", "green": "P1 Y4", "yellow": "O4 W4", "purple": "G3 P3 Y1"}


@pytest.mark.clause("R12.1", "R12.2")
def test_e35_scoring() -> None:
    match = position("R2", fish=FISH, eaten=dict.fromkeys(FISH, 1), flipped="T1 T5 T7 T10")
    assert stock(seen(match).values()) == "W3 Y5 O2 P3 G2"
    assert match.scores() == [18, 23, 20, 20]
    assert match.ranks()[:2] == [4, 1]


@pytest.mark.clause("R12.3")
@pytest.mark.parametrize(
    ("setting", "ranks"),
    [
        ({"front": {"yellow": "W2", "purple": "W1"}}, [4, 1, 2, 3]),
        ({"larvae": {"yellow": "W1", "purple": "W2"}}, [4, 1, 3, 2]),
        ({"behind": {"yellow": "W2", "purple": "W1"}}, [4, 1, 2, 3]),
        ({"layout": "W: F4 G4; Y: A5 | yellow@A5 purple@F4"}, [4, 1, 3, 2]),
        ({}, [4, 1, 2, 2]),
        ({"front": {"yellow": "W1"}, "larvae": {"purple": "W9"}}, [4, 1, 2, 3]),
        ({"larvae": {"yellow": "W1"}, "behind": {"purple": "W9"}}, [4, 1, 2, 3]),
    ],
)
def test_e36_ties(setting: dict[str, Any], ranks: list[int]) -> None:
    base = {"boards": "R2", "fish": FISH, "eaten": dict.fromkeys(FISH, 1)}
    match = position(**base, flipped="T1 T5 T7 T10", **setting)
    assert match.ranks() == ranks


@pytest.mark.clause("R9.7", "R13.4")
@pytest.mark.parametrize(("fish", "legal"), [("W", False), ("W2", True)])
def test_e37_the_last_lock_takes_two_tiles_in_the_fish(fish: str, legal: bool) -> None:
    advanced = {"extra_growth": False, "feed_return": 5, "final_feed_return": 6}
    match = position("R2", rules=advanced, front="W", eaten=1, fish=fish, locked=NINE)
    assert ("alga white T10" in legal_texts(match)) == legal
    if not legal:
        assert why_not(match, "alga white T10").startswith("R9.7")


@pytest.mark.clause("R2.6", "R7.2")
@pytest.mark.parametrize("way", ["shrimp_move A3 F4", "shrimp_out A3"])
def test_e38_bare_rock_at_the_end_of_a_turn(way: str) -> None:
    match = position("R2", "W: F4; Y: A5 | red@A5")
    play(match, "shrimp_move A5 A3")
    assert legal_texts(match, "collect") == []
    assert why_not(match, "collect pink").startswith("R2.6")
    play(match, way)
    assert len(legal_texts(match, "collect")) == 5
