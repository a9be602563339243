"""Values of parameters far from the published game, and positions that only they lead to."""

from __future__ import annotations

import pytest

from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.games.poseidons_kingdom.position import position
from reefsim.testing import legal_texts, play
from tests.games.poseidons_kingdom.test_examples import crash, event


@pytest.mark.clause("PKQ-21")
def test_the_weight_of_a_shore_without_food_goes_to_the_last_wave() -> None:
    scatter = {"id": "even", "p_off": 0.25, "weights": {"1": 1, "3": 1, "7": 1}}
    ruleset = GAME.ruleset.make({"shore_food": False, "scatter": scatter}, 2)
    rules = GAME.rules_record(ruleset, 2, "plain")[0]
    assert [part / 2**30 for part in rules.chance_up_to[:7]] == [
        0.25, 0.5, 0.5, 0.75, 0.75, 0.75, 1.0,
    ]  # fmt: skip
    assert rules.possible == 0b1001011


@pytest.mark.clause("PK-3.2", "PK-3.5")
def test_a_tower_of_tiles_grows_on_four_hexes() -> None:
    """Two tiles are a level: each rests on both tiles below, across the way they lie."""
    kind = {"id": "WA", "symbols": ["wave", "arrow"], "count": 60}
    across, along = ("0,0 0,1", "1,0 1,1"), ("0,0 1,0", "0,1 1,1")
    tiles = [f"{two} wave arrow" for i in range(15) for two in (along if i % 2 else across)]
    reef = GAME.ruleset().data_set("reef") | {"id": "tall", "kinds": [kind]}
    rules = {"reef": reef, "tower_capacity": 40, "dice_per_player": 20}
    match = position(reefs={0: tiles}, rules=rules)
    assert len(legal_texts(match, "load")) == 16
    assert event(play(match.copy(), "load 16"), "load")["number"] == 16
    assert event(play(match, "build WA", "place 0,0 1,0"), "place")["number"] == 17


@pytest.mark.clause("PK-6.6")
def test_a_tier_may_be_out_of_reach() -> None:
    rules = {"reward_thresholds": [3, 7, 12, 16, 19, 10**30]}
    match = crash({0: "6a 6a 6a 6a 6a"}, rules=rules)
    assert legal_texts(match)[-2:] == ["reward rescue", "no_reward"]


@pytest.mark.clause("PK-6.5", "PK-6.6a")
def test_who_reaches_a_tier_is_asked_though_nothing_is_to_be_had() -> None:
    rules = {"dice_per_player": 5, "setup_dice": 1}
    match = position(
        zones={7: "1a 1a 1a 1a 1a"}, tower="n" * 15, phase="food", at="L1", shark="L3",
        creatures={0: "L1 D"}, scripted=True, rules=rules,
    )  # fmt: skip
    match.apply(GAME.parse_action("end_food"), [1] * 15)
    assert (match.seat, legal_texts(match)) == (0, ["no_reward"])
