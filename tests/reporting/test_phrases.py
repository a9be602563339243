"""Sentences on skill, story and pieces: the same numbers always read the same."""

from __future__ import annotations

import math

import pytest

from reefsim.reporting.cards import agent_cards, skill_range
from reefsim.reporting.manifest import ArmInfo
from reefsim.reporting.phrases import (
    half_time_sentence,
    lift_words,
    oracle_note,
    skill_sentence,
    story_sentence,
    use_words,
)
from reefsim.reporting.theme import Arms
from tests.reporting.test_suggest import plain

CASUAL = ArmInfo("base-casual", "base", ("casual",) * 2, {"casual": "greedy (noise 0.15)"}, {})
STRONG = ArmInfo("base-strong", "base", ("strong",) * 2, {"strong": "planner (width 8)"}, {})


def test_skill_names_both_tables_and_the_difference():
    row = {
        "ruleset": "base", "share": 0.53, "other_share": 0.47, "difference": 0.06,
        "low": 0.01, "high": 0.11, "replicates": 2000, "paired": False,
    }  # fmt: skip
    assert plain(skill_sentence(row, CASUAL, STRONG)) == (
        "Under base rules, the first seat wins 53.0 % with casual agents and 47.0 % with strong "
        "agents, a difference of +6.0 pp (95 % 1.0-11.0, 2 000 replicates each): seat balance "
        "depends on who plays."
    )
    open_row = row | {"low": -0.01, "paired": True}
    assert plain(skill_sentence(open_row, CASUAL, STRONG)).endswith(
        "(95 % -1.0 to 11.0, 2 000 pairs): whether balance depends on who plays is not yet known."
    )


def test_half_time():
    row = {"q50": 0.55, "q25": 0.49, "q75": 0.583, "games": 90}
    assert plain(half_time_sentence(row, 2)) == (
        "At half of the game, the eventual winner's chance is 55 % in the median game, 49 % to "
        "58 % in the middle half (90 games; all start with 50 % if seats are fair)."
    )


@pytest.mark.parametrize(
    ("metric", "kind", "estimate", "expected"),
    [
        ("lead_changes_by_turn", "number", 4.25,
         "The lead passes to another seat 4.2 times a game, turn by turn "
         "(95 % 0.1-0.3, 90 games)."),
        ("comeback", "share", 0.2,
         "The winner was last in points at half of the game in 20.0 % of games "
         "(95 % 10.0-30.0, 90 games)."),
        ("kingmaking_share", "share", 0.2,
         "A seat without a chance decided who wins in 20.0 % of games (95 % 10.0-30.0, 90 games)."),
    ],
)  # fmt: skip
def test_measures_of_the_story(metric, kind, estimate, expected):
    row = {"metric": metric, "kind": kind, "estimate": estimate, "games": 90}
    assert plain(story_sentence(row | {"low": 0.1, "high": 0.3})) == expected


def test_the_oracle_is_named():
    assert oracle_note("points").startswith(
        "Chances as the oracle \u201cpoints\u201d sees them (each seat's share of the points). "
    )


def test_use_and_lift_have_their_intervals():
    row = {"ratio": 0.46, "low": 0.16, "high": 0.77, "batches": 20}
    assert plain(use_words(row)) == "0.46 times the mean (95 % 0.16-0.77)"
    never = {"ratio": 0.0, "low": math.nan, "high": math.nan, "batches": 20}
    assert use_words(never) == "0.00 times the mean in every one of 20 batches"
    lift = {"lift": 0.85, "low": 0.79, "high": 0.9, "per_game": 2.2, "replicates": 300}
    assert plain(lift_words(lift)) == (
        "winners 15 % less often than all seats (lift 0.85, 95 % 0.79-0.90; 2.2 a game and seat, "
        "300 replicates)"
    )


def test_agent_cards_say_what_players_ignore():
    cards = agent_cards([CASUAL, STRONG, ArmInfo("x", "x", ("own",), {"own": "mine:Mine"}, {})])
    assert [card.name for card in cards] == ["casual", "strong", "own"]
    assert "what the others may do" in cards[0].ignores
    assert cards[2].ignores == ""


def test_the_range_of_skill_names_what_was_not_tried():
    assert skill_range([CASUAL, STRONG]) == (
        "The strongest built-in player at these tables is planner, the weakest greedy. Not tried: "
        "search, stronger still."
    )


def test_a_ruleset_has_one_color_and_a_table_one_marker():
    arms = Arms.crossed(["a-x", "a-y", "b-x", "b-y"], list("aabb"), list("xyxy"))
    assert arms.color(0) == arms.color(1) != arms.color(2)
    assert arms.marker(0) == arms.marker(2) != arms.marker(1)
    looks = {(arms.color(i), arms.marker(i)) for i in range(4)}
    assert len(looks) == 4
    single = Arms.crossed(["a-x", "b-x"], list("ab"), list("xx"))
    assert single.marker(0) != single.marker(1)
