"""The clauses by example, and each toggle's other values (CH-1 to CH-8, CHQ-01 to CHQ-17)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from reefsim.core.match import Match
from reefsim.games.charon_inc.claims import put_flag
from reefsim.games.charon_inc.constants import REGIONS
from reefsim.games.charon_inc.ending import standing
from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.mining import winner
from reefsim.games.charon_inc.position import position
from reefsim.games.charon_inc.state import RULES
from reefsim.testing import legal_texts, play, why_not

W, B, U, G, T = range(5)  # white, burgundy, blue, gold, teal


def win(flags: str, region: str, **rules: Any) -> int | None:
    """Who wins a region, all regions in play; flags as 'X07:0'."""
    ruleset = GAME.ruleset.make(rules, 5)
    r, s = RULES.plain(), GAME.state.plain()
    RULES.fill(r, GAME.pack_rules(ruleset, 5))
    s.seats = 5
    spots = [spot.name for spot in ruleset.map.spots]
    for word in flags.split():
        name, seat = word.split(":")
        put_flag(s, r, int(seat), spots.index(name))
    found = winner(s, r, REGIONS.index(region))
    return None if found < 0 else found


@pytest.mark.clause("CH-4.1", "CH-4.2", "CH-4.3", "CH-4.4", "CH-4.4a", "CHQ-11", "CHQ-17")
@pytest.mark.parametrize(
    ("flags", "region", "rules", "seat"),
    [
        (f"X07:{W} E22:{W} X08:{B}", "R13", {}, W),  # two against one
        (f"X07:{W} E22:{W} X08:{B}", "R14", {}, W),  # an edge before a crossing
        (f"E13:{U} X12:{W}", "R13", {}, U),
        (f"E13:{U} E23:{W}", "R13", {}, None),  # a dead heat
        (f"E13:{U} E23:{W}", "R07", {}, U),
        (f"E13:{U} E23:{W}", "R18", {}, W),
        (f"X07:{W} X08:{W} E20:{W} E13:{G} E22:{G} C13:{U}", "R13", {}, W),
        (f"C13:{G} E13:{W} X07:{U}", "R13", {}, G),
        (f"C13:{T} X12:{T} E20:{U} E22:{U}", "R13", {}, T),
        (f"C13:{T} X12:{T} E20:{U} E22:{U}", "R13", {"tie_rank": "rank_sum"}, None),
        (f"E13:{W} E20:{G} X08:{U}", "R13", {}, None),  # nobody inherits
        (f"E13:{W} E20:{G} X08:{U}", "R13", {"inherit_on_top_tie": "next_best"}, U),
        (f"E13:{W} E20:{G}", "R13", {"inherit_on_top_tie": "next_best"}, None),
        ("", "R13", {}, None),
    ],
)
def test_who_wins_a_region(
    flags: str, region: str, rules: dict[str, Any], seat: int | None
) -> None:
    assert win(flags, region, **rules) == seat


def told(match: Match, action: str, *events: str, chance: tuple[int, ...] = ()) -> list[str]:
    """What follows an action, as 'event column=value ...', of some events."""
    ply = match.ply
    match.apply(match.game.parse_action(action), chance)
    columns = ("seat", "area", "size", "value", "card")
    return [
        " ".join((row["event"], *(str(row[c]) for c in columns if c in row)))
        for row in match.events(ply)
        if row["event"] in events
    ]


@pytest.mark.clause("CH-3.3", "CH-3.4", "CHQ-03")
@pytest.mark.parametrize(
    ("seats", "rules", "on_a2", "value"),
    [
        (3, {}, 3, "void"),
        (4, {}, 3, "void"),
        (4, {}, 2, "valid"),
        (5, {}, 2, "valid"),
        (3, {}, 2, "void"),
        (2, {}, 2, "void"),
        (2, {}, 1, "valid"),
        (4, {"action_cap_4p": 1}, 2, "void"),
        (2, {"action_cap": 2}, 2, "valid"),
    ],
)
def test_how_many_flags_an_action_bears(
    seats: int, rules: dict[str, Any], on_a2: int, value: str
) -> None:
    match = Match(GAME, GAME.ruleset.make(rules, seats), seats, seed=1)
    while match.state.phase == 0:
        match.apply(match.legal_actions()[0])
    keep = {x: "A2" if x < on_a2 else f"A{[1, 3, 4][x % 3]}" for x in range(seats)}
    while match.state.phase == 1:
        seat = match.seat
        match.apply(
            next(a for a in match.legal_actions() if GAME.format_action(a).split()[1] != keep[seat])
        )
    rows = [row for row in match.events() if row["event"] == "action" and row["area"] == "A2"]
    assert [row["value"] for row in rows] == [value] * on_a2
    clear = [row for row in match.events() if row["event"] == "clear"]
    if match.state.phase > 2:
        assert len(clear) == (on_a2 if value == "valid" else 0)


@pytest.mark.clause("CH-3.1", "CH-3.2", "CH-1.3", "CHQ-10")
def test_a_flag_goes_to_a_free_spot_in_play() -> None:
    match = position("place", moon="R13:BBB")
    assert len(legal_texts(match)) == 5 * 45
    assert why_not(match, "place A1 X01") == ""  # R01 and R05 are out of play, R06 is not
    assert why_not(match, "place A1 C01") == "CH-1.3: the spot is not in play"
    strict = position("place", rules={"edge_of_play_spots": "all_in_play"})
    assert why_not(strict, "place A1 X01").startswith("CH-1.3")
    assert why_not(match, "place A1 Q01").startswith("CH-1.3")
    assert why_not(position("place", seats=5, rules={"rim_corners": True}), "place A1 Q01") == ""
    play(match, "place A3 X08")
    assert why_not(match, "place A3 X08") == "CH-3.2: a flag is there already"
    play(match, "place A3 X07")
    assert why_not(match, "place A3 C13").startswith("CH-3.1: seat 0 has no flag there")


@pytest.mark.clause("CH-3.5", "CH-3.5a", "CHQ-02")
def test_where_a1_may_move_a_flag() -> None:
    flags = "X07:1 X08:1 C06:1 C07:1"

    def at(seats: int, **rules: Any) -> Match:
        return position("a1", seat=1, seats=seats, flags=flags, left={1: "A1"}, rules=rules)

    assert why_not(at(4), "a1_move X07 E20").startswith("CH-3.5: A1 may not")  # R13 has 3 slots
    assert why_not(at(4), "a1_move X07 E28") == ""
    assert why_not(at(4), "a1_move X07 X08") == "CH-3.2: a flag is there already"
    assert why_not(at(4), "a1_move X07 X07") == "CH-3.2: a flag is there already"
    assert why_not(at(4), "a1_move E28 E29").startswith("CH-3.5: seat 1 has no flag")
    other = {"a1_target": "not_exactly_three_regions"}
    assert why_not(at(4, **other), "a1_move X07 E20") == ""
    assert why_not(at(4, **other), "a1_move X07 X11") == ""  # touches two in play
    assert why_not(at(5, **other), "a1_move X07 X11").startswith("CH-3.5: A1 may not")
    fewer = {"a1_target": "fewer_than_three_regions"}
    assert why_not(at(5, **fewer), "a1_move X07 X13").startswith("CH-3.5: A1 may not")
    assert why_not(at(5, a1_target="any"), "a1_move X07 X13") == ""
    assert why_not(at(4), "a1_pass") == ""


@pytest.mark.clause("CH-3.6")
def test_the_later_one_moves_first() -> None:
    match = position("a1", seat=3, seats=4, left={1: "A1", 3: "A1"})
    play(match, "a1_pass")
    assert (match.seat, match.state.phase) == (1, 2)
    play(match, "a1_pass")
    assert match.state.phase > 2


@pytest.mark.clause("CH-4.5", "CH-4.6", "CHQ-14", "CH-4.8")
@pytest.mark.parametrize(
    ("rules", "clear"),
    [
        ({}, ["clear 1 1"]),
        ({"shared_action_order": "reverse_order"}, ["clear 2 1"]),
        ({"clear_gems": 8, "a2_clear_gems": 2}, ["clear 1 2", "clear 2 1"]),
    ],
)
def test_the_supply_of_clear_gems(rules: dict[str, Any], clear: list[str]) -> None:
    match = position(
        "a1", seats=4, left={0: "A1", 1: "A2", 2: "A2", 3: "A4"},
        gems={3: "CCCCC"}, moon="R13:BBB", flags="X07:0 C13:3 E13:3", rules=rules,
    )  # fmt: skip
    assert told(match, "a1_pass", "clear") == clear
    mined = [row for row in match.events() if row["event"] == "mine"]
    assert mined == [{"ply": mined[0]["ply"], "turn": mined[0]["turn"], "round": 1, "seat": 3,
                      "event": "mine", "region": "R13", "color": "blue", "size": 3}]  # fmt: skip


@pytest.mark.clause("CH-4.7", "CH-4.7a", "CH-4.7b", "CHQ-05")
def test_what_a3_may_take() -> None:
    at: dict[str, Any] = {"left": {0: "A3"}, "row": "B04A B05A", "discards": "B12A B12B"}
    match = position("a3", **at)
    assert legal_texts(match) == [
        "a3_take B04A row", "a3_take B05A row", "a3_take B12A discard", "a3_take B12B discard",
    ]  # fmt: skip
    play(match, "a3_take B04A row")
    assert match.state.phase == 4
    assert why_not(match, "build B04A row BYP").startswith("CH-5.4: the card is not in the row")
    drawn = position("a3", **at, rules={"a3_discard_pick": "random"}, scripted=True)
    assert legal_texts(drawn) == ["a3_take B04A row", "a3_take B05A row", "a3_draw"]
    assert told(drawn, "a3_draw", "a3_card", chance=(51,)) == ["a3_card 0 B12B"]
    nothing = position("a1", left={0: "A1", 1: "A3"}, discards="")
    play(nothing, "a1_pass")
    assert nothing.state.phase == 4  # there was nothing to take


@pytest.mark.clause("CH-4.7b")
def test_the_topmost_layer() -> None:
    rules = {"a3_discard_pick": "top_card", "buried_cards": 3}
    match = Match(GAME, GAME.ruleset.make(rules, 2), 2, seed=3)
    buried = {row["card"] for row in match.events() if row["event"] == "bury"}
    s = match.plain_state()
    ids = [card.id for card in match.ruleset.cards.cards]
    assert s.num_layers == 2
    assert {ids[i] for i in range(55) if (s.layers[1] >> i) & 1} == buried
    assert {ids[i][:3] for i in range(55) if (s.layers[0] >> i) & 1} == {"B12"}


@pytest.mark.clause("CH-4.8")
def test_the_new_order() -> None:
    gems = {0: "BBBBB", 1: "YYYYYYY", 2: "GGGGG", 3: "PPPPPPP"}
    match = position("a1", seats=4, left={0: "A1", 1: "A5", 2: "A4", 3: "A5"}, gems=gems)
    assert told(match, "a1_pass", "order") == ["order 1,3,0,2"]
    assert match.seat == 1


@pytest.mark.clause("CH-5.2", "CH-5.2a", "CHQ-12")
def test_trades() -> None:
    match = position(gems={0: "BBYC"}, left={0: "A1"})
    assert legal_texts(match, "trade") == [f"trade BBY {c}" for c in ("green", "purple", "black")]
    assert why_not(match, "trade BBY blue").startswith("CH-5.2a")
    assert why_not(match, "trade BBC green").startswith("CHQ-12")
    assert why_not(match, "trade BB green").startswith("CH-5.2: 2 gems are given, the rate")
    open_ = position(gems={0: "BBYC"}, left={0: "A1"}, rules={"clear_in_trade": True})
    assert why_not(open_, "trade BBC green") == ""
    warehouse = position(gems={0: "BB"}, left={0: "A5"})
    assert len(legal_texts(warehouse, "trade")) == 4
    play(warehouse, "trade BB green")
    assert warehouse.plain_state().held[0] == [0, 0, 1, 0, 0, 0]
    empty = position(gems={0: "BBB", 1: "G" * 10}, left={0: "A1"}, rules={"gems_per_color": 10})
    assert "trade BBB green" not in legal_texts(empty)


@pytest.mark.clause("CH-5.3", "CHQ-13", "CH-5.8")
def test_the_synchrotron() -> None:
    at: dict[str, Any] = {"gems": {0: "BBBBBK"}, "left": {0: "A4"}, "hand": {0: "B05A"}}
    match = position(**at)
    assert len(legal_texts(match, "synchrotron")) == 4 * 5 + 4 * 1
    play(match, "synchrotron blue purple 2", "build B05A hand BBPP")
    assert match.plain_state().held[0] == [1, 0, 0, 0, 1, 0]
    assert why_not(match, "synchrotron blue green 1").startswith("CH-5.3: the synchrotron was used")
    assert why_not(position(**at), "synchrotron blue clear 1").startswith("CH-5.3: two different")
    clear = position(**at, rules={"synchrotron_clear": True, "clear_gems": 3})
    assert why_not(clear, "synchrotron blue clear 3") == ""
    assert why_not(clear, "synchrotron blue clear 4").startswith("CH-5.3: 4 gems; seat 0 and the s")
    without = position(**at | {"left": {0: "A1"}})
    assert legal_texts(without, "synchrotron") == []


@pytest.mark.clause("CH-5.4", "CH-5.7")
def test_clear_gems_stand_for_any() -> None:
    match = position(gems={0: "BBBYPPC"}, hand={0: "B09A"})
    assert sorted(legal_texts(match, "build")) == [
        "build B09A hand BBBPPC", "build B09A hand BBBYPC",
        "build B09A hand BBBYPP", "build B09A hand BBYPPC",
    ]  # fmt: skip
    play(match, "build B09A hand BBYPPC")
    assert match.plain_state().held[0] == [1, 0, 0, 0, 0, 0]
    assert match.scores()[0] == 9
    assert "end_build" in legal_texts(position(gems={0: "BBBYPP"}, hand={0: "B09A"}))


@pytest.mark.clause("CH-5.5")
def test_one_building_of_a_number() -> None:
    at: dict[str, Any] = {"gems": {0: "BBBGG"}, "hand": {0: "B07A"}, "built": {0: "B07B"}}
    assert why_not(position(**at), "build B07A hand BBBGG").startswith("CH-5.5")
    assert why_not(position(**at, rules={"max_same_number": 2}), "build B07A hand BBBGG") == ""


@pytest.mark.clause("CH-5.6", "CH-6.3", "CHQ-09", "CH-5.1", "CH-5.1a")
def test_cards_of_the_row() -> None:
    at: dict[str, Any] = {"row": "B10A B04C", "gems": {0: "BBGGPKBGP", 1: "BGP"}}
    match = position(**at, order=(0, 1))
    play(match, "build B10A row BBGGPK")
    assert why_not(match, "build B04C row BGP").startswith("CH-5.6: seat 0 has built 1 cards")
    play(match, "end_build", "build B04C row BGP")
    assert match.plain_state().row == 0
    more = position(**at, rules={"row_builds_per_round": 2})
    play(more, "build B10A row BBGGPK", "build B04C row BGP")
    left = position(seat=1, **at)
    play(left, "end_build", "keep -", "keep -")
    s, ids = left.plain_state(), [card.id for card in left.ruleset.cards.cards]
    assert all((sum(s.layers) >> ids.index(name)) & 1 for name in ("B10A", "B04C"))


@pytest.mark.clause("CH-5.1a", "CHQ-09")
def test_step_by_step() -> None:
    match = position(
        gems={0: "BBBBB", 1: "YYY"}, left={1: "A4"}, hand={0: "B02A"},
        rules={"build_sequencing": "steps"},
    )  # fmt: skip
    match.state.step = 1
    kinds = []
    while match.state.phase == 4:
        names = {text.split()[0] for text in legal_texts(match)}
        kinds.append((match.seat, *sorted(names - {"end_build"})))
        match.apply(GAME.parse_action("end_build"))
    assert kinds == [(0, "trade"), (1, "trade"), (1, "synchrotron"), (0,), (1,)]


@pytest.mark.clause("CH-6.1", "CH-6.2")
def test_storage() -> None:
    match = position("keep", gems={0: "BBGGC", 1: "BBGGC"}, left={0: "A1", 1: "A5"})
    texts = legal_texts(match)
    assert len(texts) == 1 + 3 + 5  # none, one, two gems
    assert "keep BC" in texts
    assert why_not(match, "keep BBG").startswith("CH-6.1: 3 gems, seat 0 may keep 2")
    play(match, "keep BC")
    assert "keep BBGGC" in legal_texts(match)
    assert len(legal_texts(match)) == 3 * 3 * 2


@pytest.mark.clause("CH-6.4", "CH-6.4a", "CHQ-04")
def test_exchanges() -> None:
    at: dict[str, Any] = {
        "hand": {0: "B07C"}, "fresh": {0: "B07E"}, "built": {0: "B07A"}, "round_": 2,
    }  # fmt: skip
    match = position("exchange", **at, scripted=True)
    assert legal_texts(match) == ["exchange B07E", "no_exchange"]
    assert why_not(match, "exchange B07C").startswith("CH-6.4: only a card drawn in this reset")
    ids = [card.id for card in match.ruleset.cards.cards]
    draws = tuple(ids.index(name) for name in ("B12C", "B02A", "B02B"))
    assert told(match, "exchange B07E", "redraw", "draw", chance=draws) == [
        "redraw 0 B12C", "draw 1 B02A", "draw 1 B02B",
    ]  # fmt: skip
    assert match.state.phase == 0  # a 12 is no duplicate
    only_built = position("exchange", **at, discards="B12A")
    assert "exchange B07E" in legal_texts(only_built)
    pile = position("exchange", **at, rules={"duplicate_redraw": "draw_pile"}, scripted=True)
    back = ids.index("B07E")
    assert told(pile, "exchange B07E", "redraw", chance=(back,)) == ["redraw 0 B07E"]
    assert legal_texts(pile) == ["exchange B07E", "no_exchange"]  # the same card again
    never = position(
        "keep", seat=1, built={0: "B07A"}, hand={0: "B02A"},
        rules={"duplicate_redraw": "never"}, scripted=True,
    )  # fmt: skip
    draws = tuple(ids.index(name) for name in ("B07B", "B07C", "B03A", "B03B"))
    assert len(told(never, "keep -", "draw", chance=draws)) == 4
    assert never.state.phase == 0  # nobody is asked


@pytest.mark.clause("CH-6.5", "CHQ-16", "CH-1.8")
def test_a_card_for_the_row() -> None:
    at: dict[str, Any] = {"hand": {0: "B02A B03A"}, "fresh": {0: "B04A"}, "round_": 2}
    assert len(legal_texts(position("row", **at))) == 3
    newly = position("row", **at, rules={"row_choice": "newly_drawn"})
    assert legal_texts(newly) == ["row_card B04A"]
    assert why_not(newly, "row_card B02A").startswith("CHQ-16")
    old = position("row", **at | {"fresh": {}}, rules={"row_choice": "newly_drawn"})
    assert len(legal_texts(old)) == 2
    play(newly, "row_card B04A")
    assert newly.state.phase == 1  # seat 1 has no card and is not asked
    assert newly.plain_state().row.bit_count() == 1


@pytest.mark.clause("CH-1.2", "CH-1.4", "CH-1.5", "CH-1.5a", "CH-1.7", "CH-1.1", "CH-1.9")
@pytest.mark.parametrize(
    ("seats", "regions", "bag"), [(2, 8, 3), (3, 12, 4), (4, 16, 4), (5, 20, 5)]
)
def test_the_opening_position(seats: int, regions: int, bag: int) -> None:
    match = Match(GAME, GAME.ruleset(), seats, seed=seats)
    s = match.plain_state()
    seeds = [row for row in match.events() if row["event"] == "seed"]
    assert len(seeds) == regions
    assert max(Counter(row["color"] for row in seeds).values()) <= bag
    assert [row["region"] for row in seeds] == sorted(row["region"] for row in seeds)
    assert sum(s.bag) == 0
    counts = Counter(row["event"] for row in match.events())
    assert (counts["bury"], counts["deal"]) == (2, 3 * seats)
    assert s.pile_size == 55 - 7 - 3 * seats
    assert not match.rules.of_number[12] & s.pile
    assert (s.round_number, s.turn, s.phase) == (0, 0, 0)
    aside = Match(GAME, GAME.ruleset.make({"twelves_aside": False, "buried_cards": 0}, 2), 2)
    assert aside.plain_state().num_layers == 0


def _to_round(match: Match, number: int, pick: int = 0) -> None:
    while match.state.round_number < number and not match.over:
        match.apply(match.legal_actions()[pick])


@pytest.mark.clause("CH-6.6", "CH-6.6a", "CHQ-06", "CH-1.5b", "CHQ-07", "CH-1.6", "CH-1.6a")
@pytest.mark.parametrize(
    ("rules", "seeded"),
    [
        ({}, 6),
        ({"reseed_nonempty": "replace"}, 8),
        ({"reseed_nonempty": "refill_if_partial"}, 6),
        ({"bag_policy": "carry_over"}, 6),
    ],
)
def test_seeding_again(rules: dict[str, Any], seeded: int) -> None:
    """Two regions keep gems: R06 one of three, R12 two of two."""
    match = position(
        "row", seat=1, seats=2, hand={1: "B02A"}, round_=1, moon="R06:B R12:KK", rules=rules
    )
    events = told(match, "row_card B02A", "seed")
    assert len(events) == seeded
    s = match.plain_state()
    gems = {REGIONS[i]: s.gems[i] for i in range(20) if s.gems[i]}
    assert sum(gems.values()) == 22 - (2 if seeded == 6 and "reseed_nonempty" not in rules else 0)
    assert gems["R06"] == (1 if "reseed_nonempty" not in rules else 3)
    assert sum(s.bag) == (15 - 6 if "bag_policy" in rules else 0)


@pytest.mark.clause("CH-1.6", "CH-1.6a")
def test_a_short_supply() -> None:
    rules = {"gems_per_color": 10}
    hands = {x: letter * 10 for x, letter in enumerate("BYG")}
    match = position("row", seat=2, seats=3, gems={x: g[:2] for x, g in hands.items()}, rules=rules,
                     hand={2: "B02A"})  # fmt: skip
    s = match.state
    for color in range(5):
        s.held[0][color] += s.supply[color] - (1 if color < 2 else 0)
        s.supply[color] = 1 if color < 2 else 0
    sizes = told(match, "row_card B02A", "seed")
    assert sizes == ["seed 1", "seed 1"]  # a blue and a yellow gem, ten regions stay bare


@pytest.mark.clause("CH-2.1", "CHQ-15", "CH-7.1", "CH-6.7")
@pytest.mark.parametrize("rounds", [1, 4, 6])
def test_the_last_round(rounds: int) -> None:
    ruleset = GAME.ruleset.make({"rounds": rounds, "hand_later_rounds": 4}, 5)
    match = Match(GAME, ruleset, 5, seed=2)
    _to_round(match, rounds + 1, pick=-1)
    assert match.over
    rows = match.events()
    assert rows[-1]["value"] == "rounds"
    assert rows[-2]["event"] == "end_build"
    resets = {row["round"] for row in rows if row["event"] == "keep"}
    assert resets == set(range(1, rounds))
    if rounds == 6:  # 33 cards last for one reset and a half
        drawn = [row["card"] for row in rows if row["event"] == "draw"]
        assert len(drawn) > 33
        assert len(set(drawn)) < len(drawn)


@pytest.mark.clause("CH-7.2", "CHQ-08")
@pytest.mark.parametrize(
    ("tie_break", "built", "ranks"),
    [
        ("most_cards_then_highest", {0: "B12A B11A B03A", 1: "B10A B09A B05A B02A"}, [2, 1]),
        ("highest_then_most_cards", {0: "B12A B11A B03A", 1: "B10A B09A B05A B02A"}, [1, 2]),
        ("shared", {0: "B12A B11A B03A", 1: "B10A B09A B05A B02A"}, [1, 1]),
        ("most_cards_then_highest", {0: "B12A B09A B08A", 1: "B12B B10A B07A"}, [2, 1]),
    ],
)
def test_ties_of_the_game(tie_break: str, built: dict[int, str], ranks: list[int]) -> None:
    match = position(built=built, discards="", rules={"tie_break": tie_break})
    assert match.ranks() == ranks
    assert len(set(match.scores())) == 1
    assert [standing(match.state, match.rules, x, 0) for x in range(2)] == match.scores()


@pytest.mark.clause("CH-5.8", "CH-6.4b")
def test_the_deck_lasts_for_five() -> None:
    match = Match(GAME, GAME.ruleset(), 5, seed=9)
    while not match.over:
        names = {GAME.format_action(a): a for a in match.legal_actions()}
        match.apply(names.get("no_exchange", names.get("end_build", match.legal_actions()[0])))
    assert match.plain_state().pile_size == 3
    draws = [row["seat"] for row in match.events() if row["event"] == "draw" and row["round"] == 1]
    order = list(dict.fromkeys(draws))
    assert draws == [seat for seat in order for _ in range(2)]
