"""Clauses that neither an example nor a toggle shows."""

from __future__ import annotations

import pytest

from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import COLORS
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.invariants.from_scratch import Position
from reefsim.games.reef_encounter.notation import cell_index
from reefsim.games.reef_encounter.position import position
from reefsim.testing import PlayedGame, legal_texts, play, why_not
from tests.games.reef_encounter.told import WEIGHTS


def seen(match: Match) -> Position:
    return Position(match.plain_state(), match.rules)


@pytest.mark.clause("R0.3", "R0.4", "R12.3")
def test_corals_and_their_guards() -> None:
    match = position("R2 R4", "W: F4 G4 F5 A5 M4; Y: F3 | red@G4 green@M4")
    s, p = match.plain_state(), seen(match)
    sizes = {cell: len(p.coral(cell_index(cell))) for cell in ("F4", "A5", "M4", "F3")}
    assert sizes == {"F4": 3, "A5": 1, "M4": 1, "F3": 1}
    assert p.guards(p.coral(cell_index("F5"))) == [0]
    assert p.guards(p.coral(cell_index("A5"))) == []
    assert [s.coral[seat][0].bit_count() for seat in (0, 1)] == [3, 1]
    assert [row["guarded"] for row in match.results()] == [3, 1]


@pytest.mark.clause("R0.7", "R0.8", "R1.3")
def test_stocks_at_the_start() -> None:
    s = Match(GAME, GAME.ruleset(), 3).plain_state()
    assert s.bonus == [1] * 5
    assert s.front[:3] == s.fish[:3] == [[0] * 5] * 3
    assert (s.supply, s.cylinders, s.space) == ([9] * 5, [5] * 4, -1)


@pytest.mark.clause("R1.7", "R1.8", "R2.1")
def test_seat_0_starts_and_turns_go_around() -> None:
    match = Match(GAME, GAME.ruleset(), 3)
    asked = []
    while match.turn < 8:
        if match.turn:
            play(match, f"collect {COLORS[match.turn % 5]}")
        else:
            match.apply(match.legal_actions()[0])
        asked.append(match.seat)
    assert asked[:5] == [1, 2, 0, 1, 2]  # stash and larvae, seat by seat
    assert asked[5:] == [0, 1, 2, 0, 1, 2, 0, 1]
    deals = [row["seat"] for row in match.events() if row["event"] == "deal"]
    assert deals == [0] * 6 + [1] * 7 + [2] * 9


@pytest.mark.clause("R1.9", "R1.10")
def test_the_secret_tile_and_the_larvae() -> None:
    match = Match(GAME, GAME.ruleset(), 2, seed=3)
    hand = match.plain_state().behind[0]
    assert legal_texts(match) == [f"stash {COLORS[c]}" for c in range(5) if hand[c]]
    play(match, legal_texts(match)[0], match.game.format_action(match.copy().legal_actions()[0]))
    while match.plain_state().phase == 0:
        match.apply(match.legal_actions()[0])
    assert [sum(fish) for fish in match.plain_state().fish[:2]] == [1, 1]
    assert len(legal_texts(match, "choose_larvae")) == 15
    play(match, "choose_larvae pink pink", "choose_larvae white grey")
    s = match.plain_state()
    assert (s.larvae[:2], s.supply) == ([[0, 0, 0, 2, 0], [1, 0, 0, 0, 1]], [8, 9, 9, 7, 8])
    assert (match.seat, match.turn) == (0, 1)


@pytest.mark.clause("R4.7", "R4.8")
def test_tiles_of_one_action_go_to_several_boards() -> None:
    match = position("R2 R4", "W: F4 M4 | green@F4", larvae="W", behind="W3")
    play(match, "grow white", "place F5 behind", "place L6 behind", "place A2 behind")
    assert {len(coral) for coral in seen(match).corals} == {1, 2}


@pytest.mark.clause("R10.1", "R2.2")
def test_a_turn_may_be_collecting_alone() -> None:
    match = position("R2", larvae="W", behind="W")
    play(match, "collect grey")
    assert (match.seat, match.turn) == (1, 2)


@pytest.mark.clause("R10.6", "R8.3", "R2.2")
def test_stocks_are_unlimited() -> None:
    match = position("R2", behind="W30 Y30", larvae="W9")
    play(match, "collect white")
    s = match.plain_state()
    assert (sum(s.behind[0]), s.larvae[0][0]) == (63, 10)


@pytest.mark.clause("R2.2", "R2.3")
def test_actions_between_come_in_any_order() -> None:
    tiles = "W: F4 G4; Y: F5 E5; O: A5 | red@A5"
    match = position("R2 R4", tiles, larvae="W2 P", behind="W5", front="O4")
    play(match, "alga orange blue space", "grow white", "place F5 behind", "end_grow")
    play(match, "shrimp_in F4", "to_larva orange", "to_polyp orange", "to_polyp pink")
    play(match, "grow white", "place A2 behind", "end_grow", "alga yellow red space")
    play(match, "shrimp_move A5 A2", "shrimp_out A2", "alga orange green space", "collect pink")
    assert match.turn == 2


@pytest.mark.clause("R9.11", "R5.1")
def test_a_flip_changes_the_next_attack() -> None:
    match = position("R2", "Y: F4 G4; W: F5; P: A5", larvae="Y2", behind="Y2", front="P")
    play(match, "grow yellow")
    assert why_not(match, "place F5 behind").startswith("R5.1b")
    play(match, "place F3 behind", "end_grow", "alga pink green space", "grow yellow")
    play(match, "place F5 behind")  # green turned T1 over: yellow beats white now
    assert match.events()[-1]["captured"] == "white"


@pytest.mark.clause("A24", "R11.6")
def test_the_order_of_final_feeds_changes_nothing() -> None:
    layout = "P: A2 B2 C2 A3 B3 A4; W: D1 E1 F1 D2 E2 F2; Y: I5 I6 J5 J6 K5 K6 | {}"
    results = []
    for green, yellow in (("D1", "I5"), ("I5", "D1")):
        shrimps = f"red@A2 green@{green} yellow@{yellow}"
        match = position("R2 R3 R4", layout.format(shrimps), eaten=3)
        play(match, "feed A2")
        assert match.seat == 1
        play(match, f"feed {green}")
        assert match.seat == 2
        play(match, f"feed {yellow}")
        results.append(sorted(tuple(fish) for fish in match.plain_state().fish[1:3]))
    assert sorted(map(sum, results[0])) == [2, 2]
    assert results[0] == results[1]


@pytest.mark.clause("R15")
def test_a_placement_step_by_step() -> None:
    """Every condition of R15, each broken alone."""
    tiles = "W: F4 G4 E2; Y: F5 E1; P: A5 | red@A5 green@E2"
    match = position("R2", tiles, larvae="W", behind="W5", front="W")
    play(match, "shrimp_move A5 A3", "grow white")
    refused = {"A1": "R0.1", "A3": "R4.10", "A5": "R5.1b", "F4": "R5.1a", "E1": "R5.1c"}
    for cell, clause in refused.items():
        assert why_not(match, f"place {cell} behind").split(":")[0] == clause
    assert not why_not(match, "place F5 behind")
    play(match, *(f"place {cell} behind" for cell in ("F5", "B2", "C2", "B3")))
    assert why_not(match, "place A2 behind").startswith("R4.2")
    assert not why_not(match, "place A2 front")


@pytest.mark.clause("R2.1", "R10.4", "R12.1")
def test_rows_of_a_whole_game_add_up() -> None:
    """The counters kept for the tables are what the record tells."""
    game = PlayedGame("reef_encounter", {"min_feed_size": 2}, 3, 17, (), 5000, WEIGHTS)
    match = game.final()
    assert match.over
    rows = match.events()
    _, players = match.result_row()
    names = [column.name for column in GAME.player_columns]
    for seat, raw in enumerate(players):
        own = [row for row in rows if row.get("seat") == seat and "n_legal" in row]
        result = dict(zip(names, raw[-len(names) :], strict=True))
        assert raw[3:5] == [len(own), sum(row["n_legal"] for row in own)]
        assert result["captured"] == sum("captured" in row for row in own)
        assert result["growths"] == sum(row.get("growth", False) for row in own)
        assert result["locks"] == sum(row.get("on", "space") != "space" for row in own)
        assert result["feeds"] == sum(row["event"] == "feed" for row in own)
        fed = sum(row.get("size", 0) for row in own)
        fish = sum(result[f"fish_{color}"] for color in COLORS)
        assert fed - result["returned"] == fish - 1
