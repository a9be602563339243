"""The worked examples of the rules, by number, and an example for each clause and toggle."""

from __future__ import annotations

from typing import Any

import pytest

from reefsim.core.match import Match
from reefsim.games.poseidons_kingdom.constants import P_OVER
from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.games.poseidons_kingdom.position import position
from reefsim.games.poseidons_kingdom.scoring import coral_points, standing
from reefsim.testing import legal_texts, play, why_not

STACKED = ["1,0 1,1 wave arrow", "1,2 1,3 wave eat"]  # two tiles on the default layout, level 2


def targets(match: Match, start: str) -> set[str]:
    """Spaces a creature may move to."""
    return {text.split()[2] for text in legal_texts(match, "move") if text.split()[1] == start}


def event(match: Match, name: str) -> dict[str, Any]:
    """The last event of a name."""
    return [row for row in match.events() if row["event"] == name][-1]


@pytest.mark.clause("PK-1.1", "PK-1.3", "PK-1.6", "PK-1.7", "PK-1.9", "PK-3.6", "PK-1.12")
@pytest.mark.parametrize(
    ("seats", "dice", "ring"), [(2, 9, 0b1010000), (3, 12, 0b1000000), (4, 15, 0)]
)
def test_e01_set_up(seats: int, dice: int, ring: int) -> None:
    match = Match(GAME, GAME.ruleset(), seats, seed=4)
    rows = match.events()
    falls = [row for row in rows if row["event"] == "fall"]
    assert len(falls) == dice
    off = sum(row["zone"] == 0 for row in falls)
    s = match.plain_state()
    assert sum(s.tower) == 2 * seats + off
    assert [row["event"] for row in rows[dice:]] == ["start", *["coral"] * 8]
    assert (match.seat, match.turn) == (s.start, 1)
    assert [s.ring[(s.start + i) % seats] for i in range(seats)] == [0, 2, 4, 6][:seats]
    assert match.rules.ring_neutral == ring
    assert s.creature[0] == [match.rules.deep, match.rules.beach]


@pytest.mark.clause("PK-3.4", "PK-5.5", "PKQ-05")
def test_e02_power() -> None:
    tiles = [*STACKED, "1,1 1,2 arrow eat"]  # arrow 3 on 1,1, eat 3 on 1,2
    match = position(reefs={0: [*tiles, "0,4 1,4 arrow eat"]})
    assert match.plain_state().power[0] == [2, 3, 3]
    match = position(reefs={0: tiles}, skeletons={0: ["1,1"]})
    assert match.plain_state().power[0] == [2, 1, 3]
    match = position(reefs={0: tiles}, skeletons={0: ["1,1"]}, rules={"dead_symbol_power": True})
    assert match.plain_state().power[0] == [2, 3, 3]


@pytest.mark.clause("PK-3.2", "PK-3.2a", "PK-3.3")
def test_e03_placement() -> None:
    match = play(position(store={0: {"0,1": "4a"}}), "build WA")
    legal = legal_texts(match, "place")
    for tile in ("1,0 1,1", "1,1 1,0", "2,0 2,1", "1,0 0,0"):
        assert ("place " + tile in legal) == (tile != "1,0 0,0"), tile
    assert why_not(match, "place 0,0 1,0").startswith("PK-3.3: both hexes belong to one tile")
    assert "hang over" in why_not(match, "place 1,0 2,0")
    assert "a die is stored on 0,1" in why_not(match, "place 0,0 0,1")
    assert event(play(match.copy(), "place 1,1 1,0"), "place")["number"] == 2
    assert event(play(match.copy(), "place 2,0 2,1"), "place")["number"] == 1
    match = play(position(reefs={0: STACKED}), "build AE")
    assert event(play(match.copy(), "place 1,1 1,2"), "place")["number"] == 3
    assert why_not(play(match, "place 1,1 1,2"), "move D L1") == ""
    match = play(position(reefs={0: STACKED}), "build AE")
    assert why_not(match, "place 1,0 0,1").startswith("PK-3.2: the hexes have levels 2 and 1")


@pytest.mark.clause("PK-3.7", "PK-3.8", "PK-3.9", "PKQ-12")
@pytest.mark.parametrize(
    ("start", "power", "shark", "spaces"),
    [
        ("L3", 2, "L4", "L1 L2 R3 R4 R5"),
        ("D", 3, "R1", "L1 L2 L3"),
        ("L6", 3, "D", "B L3 L4 L5 R3 R5 R6"),
        ("B", 1, "L6", "R6"),
    ],
)
def test_e04_moves(start: str, power: int, shark: str, spaces: str) -> None:
    match = position(creatures={0: f"{start} {start}"}, shark=shark, power=power, phase="move")
    assert targets(match, start) == set(spaces.split())


@pytest.mark.clause("PK-4.4", "PKQ-18")
@pytest.mark.parametrize(
    ("faces", "tentacles"),
    [
        ("16", {1}), ("223", {1}), ("115", {1}), ("11", {2}), ("44", {3}), ("456", {4}),
        ("222", {5}), ("3456", {6}), ("1456", {6}), ("111", {5}),
    ],
)  # fmt: skip
def test_e05_conditions(faces: str, tentacles: set[int]) -> None:
    """Each condition is met by all the dice, or not; spare dice are not allowed."""
    from reefsim.games.poseidons_kingdom.invariants.from_scratch import meets

    match = position()
    counts = [faces.count(face) for face in "123456"]
    assert {t for t in range(1, 7) if meets(counts, t, 0, match.rules)} == tentacles


@pytest.mark.clause("PK-4.1", "PK-4.5", "PK-4.6")
def test_e06_rescue() -> None:
    match = position(
        store={0: {"0,0": "1a", "0,1": "6b"}}, zones={5: "4n 5a"},
        reefs={0: [*STACKED, "1,4 0,4 eat arrow"]}, creatures={0: "R5 D"}, phase="food", at="R5",
    )  # fmt: skip
    assert "eat 6" in legal_texts(match)
    play(match, "eat 6", "take -1 4", "take 0 5", "use 0,0", "use 0,1")
    s = match.plain_state()
    assert (event(match, "use")["tentacle"], event(match, "use")["points"]) == (6, 8)
    assert (s.stored[0], s.supply[:2], s.safe_points[0]) == (0, [10, 10], 8)


@pytest.mark.clause("PK-4.2", "PK-4.3")
def test_e07_all_or_nothing() -> None:
    where: dict[str, Any] = {"creatures": {0: "R5 D"}, "phase": "food", "at": "R5", "power": 3}
    match = position(store={0: {"0,0": "2a"}}, zones={5: "4n 4a 2n"}, **where)
    play(match, "eat 3", "take 0 4")
    assert legal_texts(match) == ["take -1 4"]
    play(match, "take -1 4")
    s = match.plain_state()
    assert (sum(s.zone[5]), s.stored[0] != 0, s.safe_points[0]) == (1, True, 5)
    match = position(zones={5: "4n 4a 2n"}, **where)
    play(match, "put 0 4 0,0", "put -1 4 0,1", "put -1 2 0,3")
    assert legal_texts(match) == ["end_food"]


@pytest.mark.clause("PK-4.3a", "PK-4.7")
def test_a_stored_die_goes_home_for_another() -> None:
    match = position(
        store={0: {"0,0": "2b"}}, zones={5: "4n"}, creatures={0: "R5 D"}, phase="food", at="R5"
    )
    play(match, "put -1 4 0,0", "end_food")
    s = match.plain_state()
    assert (s.supply[1], s.ring[1]) == (10, position().plain_state().ring[1])


def ring(places: dict[int, int], zones: str, *, seats: int = 4) -> Match:
    """Seat 0 stores all the dice of a zone and then orders the ring moves."""
    match = position(
        seats=seats, ring=places, zones={5: zones}, creatures={0: "R5 D"}, phase="food", at="R5",
        reefs={0: [*STACKED, "1,1 1,2 arrow eat", "0,4 1,4 eat wave"]}, rules={"base_power": 3},
    )  # fmt: skip
    hexes = iter(("0,0", "0,1", "0,2", "0,3"))
    return play(
        match,
        *(f"put {'abcdn'.index(d[1])} {d[0]} {next(hexes)}" for d in zones.split()),
        "end_food",
    )


@pytest.mark.clause("PK-4.7", "PK-4.7a", "PK-4.8", "PK-4.9", "PK-4.10", "PK-4.11", "PK-4.11a")
def test_e08_ring() -> None:
    match = ring({0: 3, 1: 7, 2: 2, 3: 5}, "1b 2b 3c")
    assert legal_texts(match) == ["kraken 1", "kraken 2"]
    play(match, "kraken 1")
    told = event(match, "kraken")
    assert (told["number"], told["tentacle"], told["points"]) == (0, 1, 5)
    assert match.seat == 1
    assert "no_peek" in legal_texts(match)
    play(match, "peek 4")
    assert match.plain_state().seen[1] == 2
    play(match, "kraken 2")
    assert event(match, "kraken")["number"] == 4  # one step: 3 is jumped


@pytest.mark.clause("PK-4.8", "PK-4.9")
@pytest.mark.parametrize(
    ("places", "seats", "dice", "reached"),
    [
        ({1: 6, 2: 7}, 4, "1b", 0),
        ({1: 5, 2: 0, 0: 1}, 4, "1b 2b 3b", 0),
        ({1: 5, 2: 3, 0: 1}, 3, "1b", 7),
    ],
)
def test_e09_ring_more(places: dict[int, int], seats: int, dice: str, reached: int) -> None:
    others = {x: p for x, p in {0: 1, 2: 2, 3: 3}.items() if x < seats}
    match = ring(others | places, dice, seats=seats)
    play(match, "kraken 1")
    assert event(match, "kraken")["number"] == reached


@pytest.mark.clause("PK-5.1", "PK-5.6", "PKQ-13", "PKQ-20")
@pytest.mark.parametrize(
    ("shark", "direction", "steps", "end", "dice"),
    [
        ("L2", 1, 3, "R5", 1), ("R6", 1, 2, "L6", 1), ("R1", 1, 2, "L1", 1),
        ("R4", -1, 2, "L2", 1), ("B", -1, 2, "R5", 0),
    ],
)  # fmt: skip
def test_e10_shark(shark: str, direction: int, steps: int, end: str, dice: int) -> None:
    nodes = {
        name: node | {"shark34": steps, "shark2": 9}
        for name, node in GAME.ruleset().data_set("ocean")["nodes"].items()
    }
    ocean = GAME.ruleset().data_set("ocean") | {"id": "even", "nodes": nodes}
    match = position(
        shark=shark, direction=direction, rules={"ocean": ocean}, phase="food", at="L1",
        creatures=dict.fromkeys(range(4), "B B" if shark == "R1" else "D D"),
    )  # fmt: skip
    play(match, "end_food")
    spaces = list(nodes)
    assert spaces[match.rules.loop[match.state.shark]] == end
    assert sum(match.plain_state().tower) == dice


def bitten(**more: Any) -> Match:
    """Both creatures of seat 1 are on R5, and the shark comes by in the turn of seat 0."""
    return play(
        position(creatures={0: "R2 B", 1: "R5 R5"}, shark="R4", phase="food", at="R2", **more),
        "end_food",
    )


@pytest.mark.clause("PK-5.2", "PK-5.2a", "PK-5.3", "PK-5.4", "PK-5.7")
def test_e11_eaten_twice() -> None:
    match = bitten()
    asked = []
    while match.turn == 1:
        asked.append((match.seat, legal_texts(match)[0].split()[0]))
        play(match, legal_texts(match)[0])
    assert asked == [(1, "flee"), (1, "skeleton")] * 2
    s = match.plain_state()
    assert (s.dead[1].bit_count(), s.creature[1]) == (2, [0, 0])
    match = position(creatures={0: "R2 B", 1: "R5 R5"}, shark="R4", phase="food", at="R2")
    match.state.dolphin = 1
    assert play(match, "end_food").turn == 2


@pytest.mark.clause("PK-5.4", "PKQ-19")
def test_e12_no_room_for_a_skeleton() -> None:
    dead = [f"{q},{r}" for q in (0, 1) for r in range(4) if (q, r) != (0, 2)]
    match = play(bitten(skeletons={1: dead}, store={1: {"0,2": "3c"}}), "flee D")
    assert legal_texts(match) == ["skeleton 0,2"]
    play(match, "skeleton 0,2")
    assert match.plain_state().supply[2] == 10
    assert play(match, "flee B").turn == 2  # nothing is left
    match = play(bitten(rules={"skeletons": 0}), "flee D", "flee B")
    assert match.turn == 2


def crash(totals: dict[int, str], **more: Any) -> Match:
    """The tower tips in the turn of seat 0, with own dice on the board; what falls is neutral."""
    match = position(
        zones={7: " ".join(totals.values())}, tower="n" * 15, phase="food", at="L1",
        creatures={0: "L1 D"}, shark="L3", scripted=True, **more,
    )  # fmt: skip
    match.apply(GAME.parse_action("end_food"), [1] * 15)
    return match


@pytest.mark.clause("PK-6.1", "PK-6.4", "PK-6.5", "PK-6.6", "PK-6.6a", "PKQ-16")
def test_e13_crash_rewards() -> None:
    match = crash({0: "6a 6a 6a", 1: "1b 1b"})
    assert (match.seat, match.plain_state().direction) == (0, -1)
    assert [text.split()[-1] for text in legal_texts(match, "reward")] == [
        "load_1", "load_2", "kraken", "peek", "cleanse",
    ]  # fmt: skip
    match.apply(GAME.parse_action("no_reward"))
    assert match.turn == 2  # a total of 2 is not asked
    match = crash({0: "6a 6a 6a 6a", 1: "6b 6b 6b 6b 2b"})
    match.apply(GAME.parse_action("reward dolphin"))
    assert (match.seat, match.state.dolphin) == (1, 0)
    assert "reward dolphin" not in legal_texts(match)
    assert why_not(match, "reward dolphin").startswith("PK-6.6: seat 0 took the dolphin")
    match = crash(
        {0: "6a 6a 6a 6a", 1: "6b 6b 6b 6b 2b"}, rules={"dolphin_contest": "highest_total"}
    )
    assert why_not(match, "reward dolphin").startswith(
        "PKQ-16: the highest total is that of seat 1"
    )


@pytest.mark.clause("PK-6.2", "PK-6.3", "PK-6.7")
def test_dice_that_leave_the_board_wait_on_the_tower() -> None:
    match = position(tower="n" * 14 + "a", phase="food", at="L1", shark="L3", scripted=True,
                     creatures={0: "L1 D"})  # fmt: skip
    match.apply(GAME.parse_action("end_food"), [0] * 8 + [1] * 7 + [0] * 7 + [1] * 8)
    s = match.plain_state()
    assert (s.tower, sum(s.zone[1]), match.turn) == ([1, 0, 0, 0, 6], 8, 2)


@pytest.mark.clause("PK-1.11", "PKQ-04", "PKQ-08")
@pytest.mark.parametrize(
    ("seats", "rules", "stacks"),
    [
        (3, {}, {1: [5, 4, 3], 4: [6, 5, 4], 5: [8, 6, 4], 6: [8, 7, 5]}),
        (2, {}, {1: [5, 3], 4: [6, 5], 5: [6, 4], 6: [7, 5]}),
        (4, {}, {1: [5, 4, 3, 2], 6: [8, 7, 5, 2]}),
        (3, {"three_player_safe": "remove_two_tiles"}, {1: [5, 4], 6: [8, 7]}),
        (2, {"two_player_hard_stacks": "lowest_two"}, {1: [5, 3], 5: [8, 6]}),
    ],
)
def test_e14_safe_places(seats: int, rules: dict[str, str], stacks: dict[int, list[int]]) -> None:
    found = GAME.ruleset.make(rules, seats).stacks(seats)
    assert {t: found[t - 1] for t in stacks} == stacks


@pytest.mark.clause("PK-4.5a")
def test_an_empty_stack_gives_nothing() -> None:
    match = position(
        seats=3, rules={"three_player_safe": "remove_two_tiles"}, power=2, zones={5: "1n 6n"},
        friends={1: [2, 3, 4, 5, 6], 2: [2, 3, 4, 5, 6]}, phase="food", at="R5",
        creatures={0: "R5 D"},
    )  # fmt: skip
    play(match, "eat 1", "take -1 1", "take -1 6")
    assert (event(match, "take")["points"], match.plain_state().safe_tiles[0]) == (0, 0)


CORALS = ("wave_rider", "wave_rider", "speedy_fins", "speedy_fins", "bigmouth", "bigmouth",
          "graveyard", "trident")  # fmt: skip


@pytest.mark.clause("PK-7.3", "PK-7.3a", "PK-7.4", "PKQ-10")
@pytest.mark.parametrize(
    ("numbers", "singles", "pairs"),
    [
        ("3_10", {3, 5, 6, 8, 9}, {(3, 8)}),
        ("2_9", {2, 3, 5, 6, 8, 9}, {(2, 6), (2, 9), (3, 6), (3, 8), (5, 6)}),
    ],
)
def test_e15_last_turn(numbers: str, singles: set[int], pairs: set[tuple[int, int]]) -> None:
    match = position(
        power=3, zones={5: "2n 3n 6n"}, last_turns=2, phase="food", at="R5", coral=CORALS,
        creatures={0: "R5 D"}, rules={"coral_numbers": numbers},
    )  # fmt: skip
    first = [int(text.split()[1]) for text in legal_texts(match, "buy")]
    assert set(first) == singles
    found = set()
    for number in first:
        after = play(match.copy(), f"buy {number}")
        while legal_texts(after, "take"):
            play(after, legal_texts(after, "take")[0])
        found |= {(number, int(text.split()[1])) for text in legal_texts(after, "buy")}
    assert found <= pairs
    assert {white for white, _ in found} == {white for white, _ in pairs}


@pytest.mark.clause("PK-7.5", "PK-7.6")
def test_e16_coral_scoring() -> None:
    flat = ["0,4 1,4 wave arrow", "0,5 1,5 wave arrow", "0,6 1,6 arrow eat", "0,7 1,7 arrow eat",
            "0,8 1,8 wave store"]  # fmt: skip
    for skeletons, points in ((["0,0", "0,1"], 4 + 4 - 2 + 4), ([], 4 + 4 + 3 + 4)):
        match = position(reefs={0: flat}, skeletons={0: skeletons}, coral=CORALS, last_turns=1)
        s = match.plain_state()
        for i in (2, 3, 6, 7):  # speedy fins twice, graveyard, trident
            s.coral_owner[i] = 0
        assert coral_points(s, match.rules, 0) == points


@pytest.mark.clause("PK-7.1", "PK-7.1a", "PK-7.2")
def test_e17_last_round() -> None:
    match = position(
        seat=2, friends={0: [1]}, ring={0: 7, 1: 1, 2: 2, 3: 3}, zones={5: "4a"}, phase="food",
        at="R5", creatures={2: "R5 D"}, shark="D",
    )  # fmt: skip
    play(match, "put 0 4 0,0", "end_food", "kraken 0")
    seats = []
    while not match.over:
        if match.turn > 1 and (not seats or seats[-1][1] != match.turn):
            seats.append((match.state.active, match.turn))
        play(match, legal_texts(match)[0])
    assert [seat for seat, _ in seats] == [3, 0, 1, 2]
    assert match.events()[-1] | {"ply": 0} == {
        "ply": 0, "turn": 5, "event": "end", "seat": 0, "value": "sixth_by_ring",
    }  # fmt: skip
    assert match.state.phase == P_OVER


@pytest.mark.clause("PK-1.8", "PK-1.8a")
def test_e18_start_player() -> None:
    rules = {"setup_dice": 2, "setup_neutral": 0}
    die = [(5, 6), (6, 6), (3, 6), (7, 6), (7, 3), (7, 4)]  # totals 12, 12, 7
    chance = [1 + (zone - 1) * 6 + face - 1 for zone, face in die]
    corals = [0, 0, 1, 1, 2, 2, 3, 4]
    match = Match(GAME, GAME.ruleset.make(rules, 3), 3, chance=[*chance, 1, *corals])
    assert match.seat == 1


@pytest.mark.clause("PKQ-18")
def test_a_long_straight_may_be_left_or_grow() -> None:
    rules = {"straight_length": "3_or_more"}
    match = position(
        power=3, zones={5: "3n 4n 5n"}, store={0: {"0,0": "6a"}}, rules=rules, phase="food",
        at="R5", creatures={0: "R5 D"},
    )  # fmt: skip
    play(match, "eat 4", "take -1 3", "take -1 4", "take -1 5")
    assert legal_texts(match) == ["use 0,0", "end_meal"]
    assert event(play(match.copy(), "end_meal"), "end_meal")["points"] == 6
    assert event(play(match.copy(), "use 0,0"), "use")["points"] == 6


@pytest.mark.clause("PKQ-03")
def test_stored_dice_alone_may_not_do() -> None:
    where: dict[str, Any] = {"phase": "food", "at": "R5", "creatures": {0: "R5 D"}, "power": 2}
    store = {0: {"0,0": "1a", "0,1": "6a"}}
    assert "eat 1" in legal_texts(position(store=store, **where))
    match = position(store=store, rules={"eat_stored_only": "needs_pick"}, **where)
    assert "eat 1" not in legal_texts(match)


@pytest.mark.clause("PK-3.1", "PK-3.5", "PKQ-17")
def test_loading() -> None:
    assert legal_texts(position(power=2), "load") == ["load 1", "load 2"]
    assert legal_texts(position(power=2, rules={"load_minimum": 0}), "load")[0] == "load 0"
    assert legal_texts(position(tower="n" * 15), "load") == []


@pytest.mark.clause("PK-7.7", "PKQ-09")
def test_ties_are_broken_by_trident_reef_skeletons_and_safe_places() -> None:
    match = position(reefs={0: STACKED}, skeletons={0: ["0,0"]}, coral=CORALS, last_turns=1)
    s = match.plain_state()
    s.coral_owner[7] = 1
    assert [standing(s, match.rules, 0, i) for i in range(1, 5)] == [0, 6, -1, 0]
    assert standing(s, match.rules, 1, 1) == 1


@pytest.mark.clause("PK-1.2")
def test_sides_of_the_ocean() -> None:
    found = {
        (side, seats): Match(
            GAME, GAME.ruleset.make({"ocean_side": side}, seats), seats
        ).rules.shark_number[0]
        for side in ("by_players", "high", "low")
        for seats in (2, 3)
    }
    assert found == {
        ("by_players", 2): 2, ("by_players", 3): 1, ("high", 2): 2, ("high", 3): 2,
        ("low", 2): 1, ("low", 3): 1,
    }  # fmt: skip


@pytest.mark.clause("PK-8.2", "PK-8.2a")
def test_the_turn_limit_is_looked_at_between_turns() -> None:
    match = Match(GAME, GAME.ruleset.make({"max_turns_per_player": 1}, 2), 2, seed=1)
    while not match.over:
        play(match, legal_texts(match)[0])
    assert (match.turn, match.end_cause) == (2, "turn_limit")


@pytest.mark.clause("PKQ-21")
def test_a_shore_without_food() -> None:
    rules = GAME.rules_record(GAME.ruleset.make({"shore_food": False}, 2), 2, "plain")[0]
    assert (rules.num_zones, rules.zone_of[rules.beach]) == (6, 0)


@pytest.mark.clause("PK-1.4", "PKQ-14")
def test_players_may_shape_their_reefs() -> None:
    match = Match(GAME, GAME.ruleset.make({"starting_layout": "player_choice"}, 2), 2, seed=1)
    seats = []
    while match.turn == 0:
        seats.append(match.seat)
        play(match, legal_texts(match)[0])
    assert seats == [0] * 3 + [1] * 3
    assert why_not(Match(GAME, match.ruleset, 2), "place 1,0 0,0").startswith("PK-1.4")


@pytest.mark.clause("PK-1.5", "PK-1.10", "PK-2.1")
def test_tiles_coral_and_the_order_of_steps() -> None:
    match = Match(GAME, GAME.ruleset(), 2, seed=1)
    assert match.plain_state().reef_left[:5] == [4, 4, 4, 2, 2]
    corals = [row for row in match.events() if row["event"] == "coral"]
    assert [row["number"] for row in corals] == list(range(3, 11))
    assert sorted(row["kind"] for row in corals) == sorted(CORALS)
    start = match.seat
    play(match, "load 1", legal_texts(play(match.copy(), "load 1"), "move")[0], "end_food")
    while match.turn == 1:
        play(match, legal_texts(match)[0])
    assert (match.turn, match.state.active) == (2, 1 - start)
    order = [row["event"] for row in match.events() if row["turn"] == 1]
    assert order[:3] == ["load", "move", "end_food"]


@pytest.mark.clause("PK-5.2b")
def test_a_creature_that_flees_ahead_of_the_shark_is_eaten_again() -> None:
    match = position(
        shark="R5", phase="food", at="L5",
        creatures={0: "L5 D", 1: "R6 D", 2: "D D", 3: "D D"},
    )  # fmt: skip
    play(match, "end_food", "flee B", "skeleton 0,0")
    assert (match.seat, legal_texts(match)) == (1, ["flee D", "flee B"])


@pytest.mark.clause("PK-5.6a", "PKQ-20")
@pytest.mark.parametrize(("whose", "dice"), [("active_player", 1), ("each_player", 4)])
def test_own_dice_replace_neutral_ones(whose: str, dice: int) -> None:
    rules = {"neutral_dice": 0, "setup_neutral": 0, "symbol_die_owner": whose}
    match = position(
        shark="R6", phase="food", at="L1", rules=rules, creatures=dict.fromkeys(range(4), "L1 D")
    )
    play(match, "end_food")
    tower = match.plain_state().tower
    assert (sum(tower), tower[0]) == (dice, 1)


@pytest.mark.clause("PKQ-06", "PKQ-07")
def test_the_ring_and_the_order_of_its_tentacles() -> None:
    where: dict[str, Any] = {
        "ring": {1: 7}, "zones": {5: "1b"}, "creatures": {0: "R5 D"}, "phase": "food", "at": "R5",
    }  # fmt: skip
    long = position(rules={"ring_length": 12}, **where)
    play(long, "put 1 1 0,0", "end_food", "kraken 1")
    assert event(long, "kraken")["number"] == 8
    other = position(rules={"nearest_order": [6, 5, 4, 3, 2, 1]}, **where)
    play(other, "put 1 1 0,0", "end_food", "kraken 1")
    assert (event(other, "kraken")["number"], event(other, "kraken")["tentacle"]) == (0, 6)


@pytest.mark.clause("PKQ-11")
@pytest.mark.parametrize("rule", ["either", "both"])
def test_a_rescue_and_coral_in_one_last_turn(rule: str) -> None:
    match = position(
        power=3, zones={5: "4n 4n 3n"}, last_turns=2, phase="food", at="R5", coral=CORALS,
        creatures={0: "R5 D"}, rules={"last_turn_rescue_and_coral": rule},
    )  # fmt: skip
    play(match, "eat 3", "take -1 4", "take -1 4")
    if rule == "both":
        assert legal_texts(match) == ["buy 3", "end_food"]
    else:
        assert match.turn == 2


@pytest.mark.clause("PKQ-15", "PKQ-22")
def test_the_dolphin_and_the_first_tier_may_be_other_ones() -> None:
    match = crash({0: "6a 6a 6a 6a"}, rules={"dolphin": False})
    assert why_not(match, "reward dolphin") == "PKQ-15: there is no dolphin"
    rules = {"reward_thresholds": [4, 7, 12, 16, 19, 23]}
    assert crash({0: "3a"}).turn == 1
    assert crash({0: "3a"}, rules=rules).turn == 2
