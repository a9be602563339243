"""The worked examples of the rules, by number (RULES.md, examples)."""

from __future__ import annotations

import pytest

from reefsim.core.match import Match
from reefsim.core.record import read_record
from reefsim.games.reef.constants import END_CAUSES
from reefsim.games.reef.game import GAME
from reefsim.games.reef.patterns import matches
from reefsim.games.reef.position import position
from reefsim.testing import legal_texts, play, why_not
from tests.games.reef.boards import EMPTY, appears, deck_of, fill, rows
from tests.games.reef.told import FOLDER


@pytest.mark.clause("R1.1", "R1.2", "R1.3", "R1.4", "R1.6", "R1.8")
@pytest.mark.parametrize(("seats", "supply", "deck"), [(2, 16, 53), (3, 21, 51), (4, 24, 49)])
def test_e01_set_up(seats: int, supply: int, deck: int) -> None:
    match = Match(GAME, GAME.ruleset(), seats, seed=3)
    for actions in (4, 3, 2, 1) * seats:
        assert match.turn == 0
        assert len(match.legal_actions()) == actions
        match.apply(match.legal_actions()[0])
    s = match.plain_state()
    assert (s.supply, s.deck, match.turn, match.seat) == ([supply] * 4, deck, 1, 0)
    assert [card >= 0 for card in s.display] == [True] * 3 + [False] * 3
    assert s.points[:seats] == [3] * seats
    assert [sum(word.bit_count() for word in hand) for hand in s.hand[:seats]] == [2] * seats
    assert [sorted(heights) for heights in s.height[:seats]] == [[0] * 12 + [1] * 4] * seats


@pytest.mark.clause("R5.1", "R5.5", "R5.9")
@pytest.mark.parametrize(
    ("pattern", "count"),
    [("Y:*", 4), ("Y:4", 1), ("Y:2+", 3), ("W:1", 4), ("W:4", 2), ("W:2+", 5)],
)
def test_e02_single_cells(pattern: str, count: int) -> None:
    board = "Y1 . R1 Y3 / . G2 Y2 . / P1 P1 . Y4 / . . R4 ."
    assert appears(board, f"0:0:{pattern}") == count


@pytest.mark.clause("R5.5", "R4.7")
def test_e03_exact_height() -> None:
    board = "Y4 Y4 . . / . Y4 Y3 . / . . Y4 . / R4 . . ."
    match = position(board, hand="RF14", supply="Y1 R1 P1")
    play(match, "play RF14 red A3 purple D4")
    assert match.plain_state().points[0] == 3 + 4 * 5


@pytest.mark.clause("R5.6", "R5.7", "A8")
def test_e04_a_scan_would_find_one() -> None:
    board = "Y1 R2 Y1 . / R1 . . . / . . . . / . . . ."
    assert appears(board, "0:0:Y:* 0:1:R:*") == 2
    assert appears(board, "0:0:Y:* 0:1:R:*", match_count="greedy_scan") == 1


@pytest.mark.clause("R5.4")
def test_e05_orthogonal_is_not_diagonal() -> None:
    assert appears("Y1 . . . / . R1 . . / . . . . / . . . .", "0:0:Y:* 0:1:R:*") == 0


@pytest.mark.clause("R5.4", "R5.5")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("R2 . . . / . G3 . R1 / . . R4 . / . G2 . .", 2),
        ("R2 G3 . . / . . . . / . . . . / . . . .", 0),
        ("G2 . . . / . R2 . . / . . G2 . / . . . R2", 2),
    ],
)
def test_e06_diagonal_pair(board: str, count: int) -> None:
    assert appears(board, "0:0:R:2+ 1:1:G:2+") == count


@pytest.mark.clause("R5.2", "R5.6")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("P1 P2 P3 P1 / . . . . / . . . . / . . . .", 1),
        ("P1 . . . / P2 . . . / P4 . . . / . . . .", 1),
        (". P1 . . / P1 P1 P1 . / . P1 . . / . . . .", 1),
        ("P1 P1 P1 . / P1 . . . / P1 . . . / . . . .", 1),
    ],
)
def test_e07_line_of_three(board: str, count: int) -> None:
    assert appears(board, "0:0:P:* 0:1:P:* 0:2:P:*") == count


@pytest.mark.clause("R5.2", "R5.6")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("G1 G2 G3 . / G1 G1 G1 . / . . . . / . . . .", 2),
        ("G1 G2 . . / G1 G1 . . / . . . . / . . . .", 1),
        ("G1 G2 G1 . / . G1 . . / . . . . / . . . .", 1),
    ],
)
def test_e08_corner(board: str, count: int) -> None:
    assert appears(board, "0:0:G:* 1:0:G:* 1:1:G:*") == count


@pytest.mark.clause("R5.6", "R5.7")
@pytest.mark.parametrize(("height", "width", "count"), [(3, 3, 1), (2, 4, 2), (2, 3, 1), (4, 4, 4)])
def test_e09_square(height: int, width: int, count: int) -> None:
    board = rows(
        (row, column, f"R{1 + (row + column) % 4}")
        for row in range(height)
        for column in range(width)
    )
    assert appears(board, "0:0:R:* 0:1:R:* 1:0:R:* 1:1:R:*") == count


@pytest.mark.clause("R5.2", "R5.4", "R5.7")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("Y1 . Y1 . / . Y1 . . / Y1 . Y1 . / . . . .", 1),
        ("Y1 . . . / . Y1 . . / . . Y1 . / . . . Y1", 1),
        (". . Y1 . / . Y1 . . / Y1 . . . / . . . .", 1),
        ("Y1 . . . / Y1 Y2 . . / . Y1 Y1 . / . . Y1 .", 2),
    ],
)
def test_e10_diagonal_of_three(board: str, count: int) -> None:
    assert appears(board, "0:0:Y:* 1:1:Y:* 2:2:Y:*") == count


@pytest.mark.clause("R5.7", "R5.9")
@pytest.mark.parametrize(
    ("pattern", "height", "count"),
    [
        ("0:0:Y:* 0:1:Y:* 0:2:Y:*", 1, 5),
        ("0:0:Y:* 1:0:Y:* 1:1:Y:*", 1, 5),
        ("0:0:Y:* 1:1:Y:* 2:2:Y:*", 1, 4),
        ("0:0:Y:* 0:1:Y:* 1:0:Y:* 1:1:Y:*", 1, 4),
        ("0:0:Y:*", 1, 16),
        ("0:0:Y:2 0:1:Y:2", 2, 8),
    ],
)
def test_e11_full_board(pattern: str, height: int, count: int) -> None:
    assert appears(fill(f"Y{height}"), pattern) == count


@pytest.mark.clause("R5.5", "R5.6")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("P2 P2 P2 . / . P3 P2 . / . . . . / P2 . . P1", 2),
        ("P2 P3 . . / . . . . / . . . . / . . . .", 0),
    ],
)
def test_e12_pair_at_height_two(board: str, count: int) -> None:
    assert appears(board, "0:0:P:2 0:1:P:2") == count


E13B = "Y2 . . . / . P1 . . / . P1 P3 P1 / . . Y2 ."


@pytest.mark.clause("R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.6")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("P1 P2 . . / P1 Y3 P4 . / . R1 . P1 / . . . Y2", 4),
        (E13B, 3),
        ("Y1 P1 P1 . / P1 P1 . . / . . . . / . . . Y2", 0),
        ("P1 R4 . . / . Y1 P1 . / . . . . / . . . .", 2),
        ("P1 R4 . . / . G1 P1 . / . . . . / . . . .", 0),
        ("P1 P1 P1 . / P1 Y1 P1 . / P1 P1 P1 . / . . . .", 8),
    ],
)
def test_e13_special(board: str, count: int) -> None:
    match = position(board, hand="RF37", seats=4, rules={"coral_per_color": 60})
    card = GAME.ruleset().deck().numbers["RF37"]
    assert matches(match.plain_state(), match.rules, match.work, 0, card) == count


@pytest.mark.clause("R4.4", "A16")
def test_e14_order_on_one_stack() -> None:
    board = ". . . . / . Y1 . . / . . . . / . . . ."
    for order, top in (("purple B2 red B2", "R"), ("red B2 purple B2", "P")):
        match = position(board, hand="RF14")  # gives red and purple
        play(match, f"play RF14 {order}")
        s = match.plain_state()
        assert s.height[0][5] == 3
        assert s.tops[0]["YRPG".index(top)] == 1 << 5


@pytest.mark.clause("R4.5", "R4.3")
def test_e15_height_limit() -> None:
    match = position("Y4 R3 . . / . . . . / . . . . / . . . .", hand="RF14")
    assert why_not(match, "play RF14 red B1 purple C1") == ""
    assert why_not(match, "play RF14 red B1 purple B1").startswith("R4.5: B1 has 3 pieces")
    assert why_not(match, "play RF14 red A1 purple C1").startswith("R4.5: A1 has 4 pieces")
    assert not [text for text in legal_texts(match) if "A1" in text]


@pytest.mark.clause("R3.2", "R3.6", "R3.7")
def test_e16_display_card_with_tokens() -> None:
    match = position(EMPTY, tokens=(0, 2, 0), top="RF20")
    s = match.plain_state()
    deck, taken = s.deck, s.display[1]
    play(match, "take_display 1")
    s = match.plain_state()
    assert (s.points[0], s.deck, s.tokens[1]) == (5, deck - 1, 0)
    assert s.hand[0] == [1 << taken, 0]
    assert s.display[1] == GAME.ruleset().deck().numbers["RF20"]


@pytest.mark.clause("R3.3", "R3.4", "R3.7", "A9", "A10")
def test_e17_deck_card() -> None:
    cards = "RF45 RF37 RF21"  # printed 4, 2 (per neighbor), 2
    match = position(EMPTY, display=cards, tokens=(0, 3, 0))
    assert legal_texts(match, "take_deck") == ["take_deck 1", "take_deck 2"]
    before = match.plain_state()
    play(match, "take_deck 2")
    s = match.plain_state()
    assert (s.points[0], s.tokens[:3], s.display) == (2, [0, 3, 1], before.display)
    assert s.deck == before.deck - 1
    left = position(EMPTY, display=cards, rules={"lowest_tie": "leftmost"})
    assert legal_texts(left, "take_deck") == ["take_deck 1"]


@pytest.mark.clause("R2.2", "R2.3", "R3.1", "R3.5")
def test_e18_legality() -> None:
    poor = position(EMPTY, hand="RF01 RF02", points=0)
    assert legal_texts(poor, "take_deck") == []
    assert len(legal_texts(poor, "take_display")) == 3
    assert why_not(poor, "take_deck 0").startswith("R3.5")
    full = position(EMPTY, hand="RF01 RF02 RF03 RF04")
    assert {text.split()[0] for text in legal_texts(full)} == {"play"}
    assert why_not(full, "take_display 0").startswith("R3.1")
    assert len(legal_texts(full)) == 4 * 136
    none = position(EMPTY)
    assert {text.split()[0] for text in legal_texts(none)} == {"take_display", "take_deck"}


@pytest.mark.clause("R4.2", "R4.9", "R4.9a", "R7.1", "R7.1a", "A15")
def test_e19_shortage() -> None:
    match = position(EMPTY, EMPTY, hand="RF07", supply="Y1")  # gives two yellow, scores green
    assert len(legal_texts(match, "play")) == 16
    play(match, "play RF07 yellow C1")
    s = match.plain_state()
    assert (s.supply[0], s.height[0][2], s.tops[0][0]) == (0, 1, 4)
    assert END_CAUSES[s.cause - 1] == "coral_out"
    assert (match.seat, match.over) == (1, False)


@pytest.mark.clause("R7.1", "R7.2", "R7.4a")
def test_e20_last_round() -> None:
    for seat, turns in ((1, 3), (2, 3)):
        match = position(EMPTY, EMPTY, EMPTY, seat=seat, hand={seat: "RF07"}, supply="Y1", seats=4)
        match = position(
            EMPTY, EMPTY, EMPTY, seat=seat, hand={seat: "RF07", 0: "RF01"}, supply="Y1", seats=3
        )
        play(match, "play RF07 yellow C1")
        if seat == 1:
            assert (match.seat, match.over) == (2, False)
            match.apply(match.legal_actions()[0])
        assert match.over
        assert match.turn == turns
        assert match.events()[-1]["seat"] == seat
    at_once = position(EMPTY, EMPTY, hand="RF07", supply="Y1", rules={"coral_out_end": "immediate"})
    assert play(at_once, "play RF07 yellow C1").over


@pytest.mark.clause("R7.3", "A5", "A6")
def test_e21_deck_out() -> None:
    match = position(EMPTY, seat=1, seats=4, deck=1)
    play(match, "take_display 0")
    s = match.plain_state()
    assert (match.over, match.end_cause, match.turn, s.deck) == (True, "deck_out", 2, 0)
    assert s.display[0] >= 0
    assert match.events()[-1]["seat"] == 1
    later = position(EMPTY, seat=1, seats=4, deck=1, rules={"deck_out_test": "refill_fails"})
    play(later, "take_display 0")
    assert (later.over, later.seat) == (False, 2)
    assert why_not(later, "take_deck 0") == "R7.3: the deck is empty"
    assert play(later, "take_display 0").over


@pytest.mark.clause("R7.4", "R7.4a", "A3", "A20")
@pytest.mark.parametrize(
    ("rules", "points"),
    [
        ({}, [1, 0, 2]),
        ({"endgame_special": "all_neighbours"}, [1, 0, 6]),
        ({"final_hand_scoring": "full"}, [5, 0, 6]),
        ({"final_hand_scoring": "none"}, None),
    ],
)
def test_e22_hand_scoring(rules: dict[str, str], points: list[int] | None) -> None:
    board = "G1 G1 G1 . / G1 G1 . . / . . P1 P1 / . . P1 Y1"
    match = position(board, seat=1, seats=2, hand={0: "RF08 RF45 RF37", 1: ""}, deck=1)
    match = position(board, seat=1, seats=2, hand={0: "RF08 RF45 RF37"}, deck=1, rules=rules)
    play(match, "take_display 0")
    told = [row for row in match.events() if row["event"] == "hand_card" and row["seat"] == 0]
    if points is None:
        assert told == []
        return
    assert [row["card"] for row in told] == ["RF08", "RF37", "RF45"]  # the order of the deck file
    by_card = {row["card"]: row["points"] for row in told}
    assert [by_card[card] for card in ("RF08", "RF45", "RF37")] == points
    assert match.scores()[0] == 3 + sum(points)


@pytest.mark.clause("R7.5", "R7.6")
@pytest.mark.parametrize(("stacks", "ranks"), [((3, 1, 2), [3, 2, 1]), ((3, 2, 2), [3, 1, 1])])
def test_e23_ties(stacks: tuple[int, int, int], ranks: list[int]) -> None:
    boards = []
    for covered, full in zip((12, 13, 13), stacks, strict=True):
        spaces = ["RYPG"[k % 4] + ("4" if k < full else "1") for k in range(covered)]
        boards.append(rows((k // 4, k % 4, space) for k, space in enumerate(spaces)))
    match = position(
        *boards, seat=2, points=50, deck=1, rules={"coral_per_color": 60, "hand_limit": 4}
    )
    match.stop()
    assert match.ranks() == ranks
    assert [row["covered"] for row in match.results()] == [12, 13, 13]
    assert [row["full_stacks"] for row in match.results()] == list(stacks)


@pytest.mark.clause("R4.10", "R4.10a", "A14")
def test_e24_little_room() -> None:
    almost = "R4 Y4 P4 G4 / R4 Y4 P4 G4 / R4 Y4 P4 G4 / R4 Y4 P4 G3"
    match = position(almost, hand="RF14", rules={"coral_per_color": 60})
    assert legal_texts(match, "play") == ["play RF14 red D4", "play RF14 purple D4"]
    supply = match.plain_state().supply
    s = play(match, "play RF14 red D4").plain_state()
    assert [a - b for a, b in zip(supply, s.supply, strict=True)] == [0, 1, 0, 0]
    full = position(almost[:-1] + "4", hand="RF14", rules={"coral_per_color": 60})
    assert legal_texts(full, "play") == ["play RF14"]
    short = position(almost, hand="RF14", supply="R0 P5", rules={"coral_per_color": 60})
    assert legal_texts(short, "play") == ["play RF14 purple D4"]


@pytest.mark.clause("R2.3a")
def test_e25_pass() -> None:
    match = position(
        EMPTY, seats=3, deck=1, display="RF02", top="RF01",
        rules={"display_size": 1, "deck_out_end": "finish_round"},
    )  # fmt: skip
    play(match, "take_deck 0", "take_display 0")
    assert legal_texts(match) == ["pass_turn"]
    assert play(match, "pass_turn").over
    assert match.results()[2]["hand"] == 0


@pytest.mark.clause("R7.3a", "R7.1")
def test_e26_two_ends() -> None:
    def play_it(**rules: str) -> Match:
        match = position(EMPTY, hand="RF07", seats=4, supply="Y1", deck=1, rules=rules)
        return play(match, "play RF07 yellow C1", "take_display 0")

    assert (play_it().end_cause, play_it().events()[-1]["seat"]) == ("deck_out", 1)
    slow = play_it(deck_out_end="finish_round")
    play(slow, "take_display 1", "take_display 2")
    assert (slow.end_cause, slow.events()[-1]["seat"]) == ("coral_out", 0)


@pytest.mark.clause("R6.2a", "R4.7", "A7", "A11")
def test_e27_choices() -> None:
    rules = {"special_tie": "choose", "scoring_choice": "optional"}
    match = position(E13B, hand="RF37", rules=rules)
    play(match, "play RF37 red C1 green D1")
    assert legal_texts(match) == ["centre A1", "centre C4"]
    assert (match.seat, match.turn) == (0, 1)
    play(match, "centre C4")
    assert legal_texts(match) == ["score 0", "score 1", "score 2", "score 3"]
    play(match, "score 2")
    assert (match.scores()[0], match.seat) == (7, 1)
    told = [row for row in match.events() if row["event"] in ("play", "centre", "score")]
    assert [row.get("points") for row in told] == [None, None, 4]


@pytest.mark.clause("R1.7", "R1.7a", "A1", "A2")
@pytest.mark.parametrize(
    ("rules", "numbers"),
    [
        ({"setup_mode": "free"}, [12, 13, 14, 15]),
        ({"setup_mode": "free", "free_setup_area": "anywhere"}, [16, 17, 18, 19]),
        ({}, [4, 3, 2, 1]),
    ],
)
def test_e28_free_set_up(rules: dict[str, str], numbers: list[int]) -> None:
    match = Match(GAME, GAME.ruleset.make(rules, 2), 2)
    found = []
    for number in numbers:
        found.append(len(match.legal_actions()))
        match.apply(match.legal_actions()[number // 2])
    assert found == numbers


@pytest.mark.clause("R1.7a")
def test_a_piece_slips_in_below_others() -> None:
    rules = {"setup_mode": "free"}
    match = Match(GAME, GAME.ruleset.make(rules, 2), 2)
    play(match, "start_piece yellow A1 1", "start_piece red A1 1", "start_piece purple A1 2")
    s = match.plain_state()
    assert s.stack[0][0] == 0b1_01_10_00  # red, purple, yellow from below
    assert s.tops[0][0] == 1
    play(match, "start_piece green A1 4")
    assert match.plain_state().tops[0][3] == 1


@pytest.mark.clause("A4")
def test_mirror_images_count_only_if_the_rules_say_so() -> None:
    pattern, board = "0:0:Y:* 0:1:Y:* 1:1:R:*", "Y1 Y1 . . / R1 . . . / . . . . / . . . ."
    assert appears(board, pattern) == 0
    assert appears("R1 . . . / Y1 Y1 . . / . . . . / . . . .", pattern) == 1  # turned twice
    assert appears(board, pattern, allow_reflection=True) == 1


@pytest.mark.clause("A16")
def test_a_center_is_not_its_own_neighbor() -> None:
    board = "Y2 Y1 . . / . Y1 . . / . . . . / . . . ."
    match = position(board, rules=deck_of("A,R,R,special,centre=Y neighbour=Y,1,-,-"))
    assert matches(match.plain_state(), match.rules, match.work, 0, 0) == 2


@pytest.mark.clause("R1.9", "A1")
@pytest.mark.parametrize("timing", ["before_display", "after_display"])
def test_when_the_display_is_shown(timing: str) -> None:
    match = Match(GAME, GAME.ruleset.make({"setup_timing": timing}, 2), 2)
    shown = [row["event"] for row in match.events()]
    assert ("display" in shown) == (timing == "after_display")
    while match.turn == 0:
        match.apply(match.legal_actions()[0])
    order = list(dict.fromkeys(row["event"] for row in match.events()))
    setup = ["start_piece", "display", "top"]
    assert order == ["deal", *(setup if timing == "before_display" else setup[1:] + setup[:1])]


@pytest.mark.clause("R2.1", "R1.5")
def test_turns_go_around_from_seat_0() -> None:
    match = position(EMPTY, seats=3)
    seats = []
    for _ in range(6):
        seats.append(match.seat)
        play(match, "take_display 0")
    assert seats == [0, 1, 2] * 2


@pytest.mark.clause("R1.10", "R4.1", "R4.6", "R4.8")
def test_a_played_card_lies_on_the_discard_pile_and_scores_once() -> None:
    match = position("G1 . . . / . . . . / . . . . / . . . .", hand="RF07 RF08")
    play(match, "play RF07 yellow A1 yellow B1")  # the green piece is covered before it is scored
    s = match.plain_state()
    assert (s.points[0], s.discard[0]) == (3, [1 << 6, 0])
    assert s.stack[0][0] == 0b1_11_00


@pytest.mark.clause("R5.8")
def test_pieces_score_again_for_other_cards() -> None:
    match = position("G1 G1 . . / . . . . / . . . . / . . . .", seats=2, hand="RF07 RF08")
    play(match, "play RF07 yellow C1 yellow D1", "take_display 0")
    play(match, "play RF08 red C1 red D1")
    assert match.plain_state().points[0] == 3 + 2 + 2


@pytest.mark.clause("R8.1", "A12")
def test_points_on_the_display_belong_to_nobody() -> None:
    match = position(EMPTY, tokens=(5, 0, 0), deck=1, points=0, seat=1, seats=2)
    play(match, "take_display 1")
    assert match.over
    assert match.scores() == [0, 0] or sum(match.scores()) == sum(
        row["hand_points"] for row in match.results()
    )


@pytest.mark.clause("A17", "R1.4")
def test_records_name_other_decks() -> None:
    header = read_record(FOLDER / "3p_other_deck_01_mirror.jsonl").header
    assert header["rules"]["deck_id"] != GAME.ruleset().deck_id
    assert header["cards"][0].startswith("M00,")
    assert "cards" not in read_record(FOLDER / "2p_base_01.jsonl").header


@pytest.mark.clause("A19")
def test_coral_may_end_the_game_at_once() -> None:
    rules = {"coral_out_end": "immediate", "empty_colors_to_end": 2}
    match = position(EMPTY, EMPTY, hand="RF07", supply="Y1", rules=rules)
    assert not play(match, "play RF07 yellow C1").over
    match = position(EMPTY, EMPTY, hand="RF14", supply="R1 P1", rules=rules)
    play(match, "play RF14 red C1 purple C1")
    assert (match.over, match.end_cause) == (True, "coral_out")
