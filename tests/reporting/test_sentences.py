"""Sentences: the same numbers always read the same."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from reefsim.reporting import numbers
from reefsim.reporting.manifest import ArmInfo, read_manifest
from reefsim.reporting.notes import limits, pairing_note, primary_length, primary_note
from reefsim.reporting.sentences import (
    agent_sentence,
    answer,
    caution,
    change_sentence,
    end_sentence,
    ender_sentence,
    length_sentence,
    margin_sentence,
    other_seats_sentence,
    pairing_sentence,
    same_length_sentence,
    share_sentence,
    truncated_sentence,
    verdict_sentence,
)
from reefsim.reporting.words import line_up, rules_text
from reefsim.stats.paired import MEASURES
from reefsim.testing.toy_runs import ToyArm, toy_run

GREEDY = ArmInfo("base-table", "base", ("greedy",) * 3, {"greedy": "greedy"}, {})
MIXED = ArmInfo("base-mixed", "base", ("strong", "greedy", "greedy"), {}, {})


def plain(text: str) -> str:
    return text.replace(numbers.NBSP, " ").replace(numbers.DASH, "-").replace(numbers.MINUS, "-")


def seat(share=34.6, low=33.7, high=35.5, call="favours", verdict="", more=5503, **other):
    row = {
        "arm": "base-table",
        "seat": 0,
        "seats": 3,
        "games": 10_700,
        "replicates": 10_700,
        "share": share / 100,
        "low": low / 100,
        "high": high / 100,
        "fair": 1 / 3,
        "call": call,
        "verdict": verdict,
        "more": more,
        "rotated": True,
        "note": "",
    }
    return row | other


def test_the_headline_names_agents_interval_games_and_margin():
    assert plain(share_sentence(seat(), GREEDY, 2.0)) == (
        "With greedy agents, the first seat wins 34.6 % of three-player games "
        "(95 % 33.7-35.5, 10 700 games; fair would be 33.3 ± 2.0)."
    )


def test_a_mixed_table_says_that_its_agents_move():
    text = share_sentence(seat(), MIXED, 2.0)
    assert text.startswith("With one strong and two greedy agents that take turns in every seat, ")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            seat(call="favours", verdict="favours the first seat, size not yet known"),
            "Favours the first seat, size not yet known: the interval excludes 33.3 but reaches "
            "past 35.3. About 5 500 more replicates would settle it if the estimate stays.",
        ),
        (
            seat(33.0, 32.0, 34.0, call="fair", verdict="fair within ±2.0 pp"),
            "Fair within ±2.0 pp: the whole interval lies between 31.3 and 35.3, around 33.3.",
        ),
        (
            seat(34.4, 33.8, 35.0, call="small", verdict="real but too small to matter"),
            "Real but too small to matter: the interval excludes 33.3 but lies between 31.3 and "
            "35.3.",
        ),
        (
            seat(41.0, 39.5, 42.5, call="unfair", verdict="unfair"),
            "Unfair: the whole interval lies above 35.3, in favour of the first seat.",
        ),
        (
            seat(25.0, 24.0, 26.0, call="unfair", verdict="unfair"),
            "Unfair: the whole interval lies below 31.3, in favour of the other seats.",
        ),
        (
            seat(
                34.0, 31.0, 37.0, "open", "not yet known (needs about 5 500 more replicates)", 5503
            ),
            "Not yet known: the interval contains 33.3 and reaches past 31.3 and 35.3. "
            "About 5 500 more replicates would settle it if the estimate stays.",
        ),
        (seat(call="none", verdict="no games"), "No games."),
    ],
)
def test_verdicts_give_their_reason(row, expected):
    assert plain("".join(verdict_sentence(row, 2.0))) == expected


def test_other_seats_in_one_sentence():
    rows = [
        seat(),
        seat(seat=1, call="fair", verdict="fair within ±2.0 pp"),
        seat(seat=2, call="open", verdict="not yet known (needs ...)"),
    ]
    assert plain(other_seats_sentence(rows)) == (
        "The second seat wins 34.6 % (95 % 33.7-35.5, 10 700 games), fair within ±2.0 pp; "
        "the third seat wins 34.6 % (95 % 33.7-35.5, 10 700 games), not yet known."
    )


def test_cautions():
    assert caution(seat()) == ""
    assert "did not take turns" in caution(seat(rotated=False))
    assert "one replicate only" in caution(seat(note="one replicate only"))


def test_answers_of_several_arms_stand_by_verdict():
    rows = [
        seat(arm="a", call="unfair", verdict="unfair"),
        seat(arm="b", call="fair", verdict="fair within ±2.0 pp"),
        seat(arm="c", call="fair", verdict="fair within ±2.0 pp"),
        seat(arm="c", seat=1, call="open", verdict="not yet known"),
    ]
    found = [(plain(verdict), plain(arms)) for verdict, arms in answer(rows)]
    shown = "(34.6 %, 95 % 33.7-35.5, 10 700 games)"
    assert found == [("Fair within ±2.0 pp", f"b {shown} and c {shown}"), ("Unfair", f"a {shown}")]


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (40, 50, "more than 33.3."),
        (20, 30, "less than 33.3."),
        (30, 40, "not clearly different from 33.3."),
    ],
)
def test_agents(low, high, words):
    text = agent_sentence(seat(share=40, low=low, high=high, agent="strong"))
    assert plain(text).startswith("A strong agent wins 40.0 % per place (95 % ")
    assert text.endswith(words)


def length(**other):
    row = {"measure": "rounds", "games": 1200, "truncated": 0, "beyond": math.nan, "max": 47}
    row |= {"q25": 13, "q50": 15, "q75": 18, "q95": 24, "low": 15, "high": 16}
    return row | other


def test_lengths():
    assert plain(length_sentence(length())) == (
        "The median game lasts 15 rounds (95 % 15-16, 1 200 games), the middle half 13 to 18; "
        "the longest twentieth lasts at least 24, the longest game 47."
    )
    assert "the longest game at least 47" in length_sentence(length(truncated=3))
    tail = length_sentence(length(truncated=90, beyond=0.95))
    assert tail.endswith("the longest twentieth lasts at least 47, where games are cut.")
    assert "median lies beyond 47 rounds" in length_sentence(length(truncated=700, beyond=0.5))


def test_games_that_are_all_equally_long_need_one_sentence():
    row = length(q05=4, max=4, games=80)
    ends = [{"end_cause": "all_rounds", "count": 80}, {"end_cause": "supply", "count": 0}]
    text = plain(same_length_sentence([row, row], ends))
    assert text == "Every game lasts 4 rounds and ends by “all rounds” (160 games)."
    assert same_length_sentence([row, length(q05=5, max=5)], ends) == ""
    assert same_length_sentence([row | {"truncated": 1}], ends) == ""
    assert same_length_sentence([row], [ends[0], ends[1] | {"count": 1}]) == ""


def test_truncated_games_are_bounded_or_counted():
    row = {"games": 1000, "replicates": 1000, "truncated": 0}
    text = plain(truncated_sentence(row))
    assert text == "No game was cut short (95 %: fewer than 0.30 % are)."
    text = plain(
        truncated_sentence(row | {"truncated": 7, "share": 0.007, "low": 0.003, "high": 0.014})
    )
    assert text.startswith("7 of 1 000 games (0.70 %, 95 % 0.30-1.40) were cut short")


def test_ends_and_enders():
    row = seat(end_cause="all_locked", count=9)
    text = end_sentence([row, row | {"end_cause": "supply", "count": 0}])
    assert plain(text) == (
        "Games end by \u201call locked\u201d in 34.6 % (95 % 33.7-35.5); 10 700 games."
    )
    assert "wins it in 34.6 % of cases (95 % 33.7-35.5, 10 700 games; 33.3 if" in plain(
        ender_sentence(seat())
    )


def test_margins():
    row = {"margin": 6.04, "low": 5.8, "high": 6.3, "games": 2000}
    row |= {"tiebreak_share": 0.06, "tiebreak_low": 0.051, "tiebreak_high": 0.071}
    row |= {"shared_share": 0.0, "shared_low": 0.0, "shared_high": 0.002}
    assert plain(margin_sentence(row)) == (
        "The best score is 6.0 points above the second on average (95 % 5.8-6.3, 2 000 games). "
        "The first two are level in 6.0 % (95 % 5.1-7.1) of games; 0.0 % (95 % 0.0-0.2) end "
        "shared."
    )


def change(**other):
    row = {"arm": "steep", "baseline": "base", "measure": "first_seat_share", "unit": "share"}
    row |= {"difference": 0.0123, "low": 0.004, "high": 0.0206, "replicates": 4000}
    row |= {"paired": True, "gain": 1.44, "identical": 0.021, "note": ""}
    return row | other


def test_changes():
    assert plain(change_sentence(change())) == (
        "Against base, steep changes the first seat's win share by +1.2 pp "
        "(95 % 0.4-2.1, 4 000 pairs)."
    )
    text = plain(change_sentence(change(low=-0.004, paired=False)))
    assert text == (
        "Whether steep changes the first seat's win share is not yet known: +1.2 pp "
        "(95 % -0.4 to 2.1, 4 000 replicates each, unpaired)."
    )
    assert change_sentence(change(low=math.nan, note="no games")).endswith(": no games.")


def test_pairing_says_what_it_was_worth():
    assert plain(pairing_sentence(change())) == (
        "Sharing shuffles was worth 1.4 times as many games; 2.1 % of pairs are identical games."
    )
    assert "did not help (gain 0.80)" in pairing_sentence(change(gain=0.8))
    assert pairing_sentence(change(gain=math.nan)).startswith("Nothing varies")
    assert "unpaired" in pairing_sentence(change(gain=math.nan, identical=math.nan))


def test_every_page_says_what_sharing_shuffles_was_worth():
    def comparisons(gain, **other):
        return pd.DataFrame([change(measure=one.name, gain=gain, **other) for one in MEASURES])

    text = plain(pairing_note(comparisons(4.0)))
    assert text.endswith("identical games: steep 4.00, 4.00, 4.00 (2.1 %).")
    assert "That is little: the players do something else" in pairing_note(comparisons(1.02))
    assert "nothing varies" in pairing_note(comparisons(math.nan))
    assert pairing_note(comparisons(math.nan, identical=math.nan)) == ""


def test_limits_name_the_agents_and_what_is_missing():
    run = toy_run([ToyArm("a"), ToyArm("b", rounds=14, max_turns=60)], 50)
    run.manifest["arms"][0]["replicates"] = 80
    info = read_manifest(run.manifest, run.games)
    health = pd.DataFrame(
        {"arm": ["a", "b"], "games": 50, "replicates": 50, "planned": [80, 50], "truncated": [0, 9]}
    )
    text = " ".join(limits(info, health))
    assert "Agents are not people" in text
    assert "greedy agents" in text
    assert "only one table was tried" in text
    assert "9 games were cut short" in text
    assert "50 of 80 replicates of a" in text
    assert "two arms side by side" in text


def test_the_primary_outcome_decides_the_answer():
    games = toy_run(replicates=2).games
    for primary, note, unit in [
        ({}, False, ""),
        ({"first_seat_share": {"margin_pp": 3.0}}, False, ""),
        ({"length_rounds": {"claim": "differs"}}, False, "rounds"),
        ({"kingmaking": {}}, True, ""),
    ]:
        experiment = {"outcomes": {"primary": primary}}
        info = read_manifest({"experiment": experiment}, games)
        assert bool(primary_note(info)) == note
        assert primary_length(info) == unit


def test_line_ups_and_rules():
    assert line_up(GREEDY) == "greedy agents"
    assert line_up(MIXED) == "one strong and two greedy agents"
    assert rules_text({}) == "as printed"
    assert rules_text({"feed_return": 5, "extra_growth": False}) == (
        "feed_return = 5; extra_growth = False"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (numbers.percent(math.nan), numbers.NONE),
        (numbers.span(math.nan, 1), "no interval"),
        (numbers.span(12, math.inf, digits=0), f"12{numbers.DASH}no limit"),
        (numbers.signed(-0.04), "0.0"),
        (numbers.signed(-1.25, 2), f"{numbers.MINUS}1.25"),
        (numbers.count(1234567), "1 234 567"),
    ],
)
def test_numbers(text, expected):
    assert text.replace(numbers.NBSP, " ") == expected
