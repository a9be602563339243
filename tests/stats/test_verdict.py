"""The verdict of one interval: five wordings, and how many replicates are missing."""

from __future__ import annotations

import math

import pytest

from reefsim.stats.intervals import NO_GAMES, Estimate, share
from reefsim.stats.verdict import MOST_REPLICATES, Call, about, judge, replicates_needed

FAIR = 1 / 3


def between(low_pp: float, high_pp: float, n: int = 1000) -> Estimate:
    """Share whose interval lies so many percentage points from fair."""
    low, high = FAIR + low_pp / 100, FAIR + high_pp / 100
    sd = (high - low) / 2 / 1.959964 * math.sqrt(n)
    return Estimate((low + high) / 2, low, high, sd, n, "t")


@pytest.mark.parametrize(
    ("low", "high", "call", "words"),
    [
        (-1.0, 1.0, Call.FAIR, "fair within ±2.0 pp"),
        (-1.99, 1.99, Call.FAIR, "fair within ±2.0 pp"),
        (0.5, 1.5, Call.SMALL, "real but too small to matter"),
        (-1.5, -0.5, Call.SMALL, "real but too small to matter"),
        (2.1, 3.0, Call.UNFAIR, "unfair"),
        (-9.0, -2.1, Call.UNFAIR, "unfair"),
        (0.5, 2.5, Call.FAVOURS, "favours the first seat, size not yet known"),
        (-2.5, -0.5, Call.FAVOURS, "favours the other seats, size not yet known"),
    ],
)
def test_words(low, high, call, words):
    verdict = judge(between(low, high), FAIR, 0.02, seat=0, seats=3)
    assert (verdict.call, verdict.words) == (call, words)


def test_an_open_question_says_how_many_more():
    verdict = judge(between(-2.5, 2.5), FAIR, 0.02, seat=0, seats=3)
    assert verdict.call is Call.OPEN
    # the half-width must fall from 2.5 to 2.0: 1000 * 1.5625 in all
    assert verdict.more == pytest.approx(563, abs=1)
    assert verdict.words.replace("\u00a0", " ") == "not yet known (needs about 560 more replicates)"


def test_two_seats_name_the_rival():
    verdict = judge(between(-2.5, -0.5), FAIR, 0.02, seat=0, seats=2)
    assert verdict.words == "favours the second seat, size not yet known"


def test_an_interval_across_both_margins_is_open():
    assert judge(between(-9, 9), FAIR, 0.02, 0, 3).call is Call.OPEN


def test_no_games_is_no_verdict():
    verdict = judge(NO_GAMES, FAIR, 0.02, 0, 3)
    assert (verdict.call, verdict.words, verdict.more) == (Call.NONE, "no games", None)


def test_one_game_is_an_open_question():
    verdict = judge(share([1.0]), FAIR, 0.02, 0, 3)
    assert verdict.call is Call.OPEN
    assert verdict.more is not None


def test_forecast_of_the_worked_example():
    # 34.6 % of 10 700 games, 33.7-35.5: the half-width must fall from 0.9 to 0.73
    estimate = between(0.37, 2.17, n=10_700)
    assert replicates_needed(estimate, FAIR, 0.02) == pytest.approx(5_500, rel=0.02)


def test_the_forecast_comes_true():
    estimate = between(-0.6, 2.2, n=800)
    n = 800 + replicates_needed(estimate, FAIR, 0.02)
    shrink = math.sqrt(800 / n)
    later = between(0.8 - 1.4 * shrink, 0.8 + 1.4 * shrink, n)
    assert judge(later, FAIR, 0.02, 0, 3).call in (Call.FAIR, Call.SMALL)


def test_an_estimate_on_the_margin_needs_the_most():
    assert replicates_needed(between(-1, 5), FAIR, 0.02) == MOST_REPLICATES
    assert about(MOST_REPLICATES).startswith("more than")


@pytest.mark.parametrize(
    ("number", "words"),
    [(7, "about 7"), (99, "about 99"), (123, "about 120"), (5564, "about 5 600")],
)
def test_forecasts_have_two_digits(number, words):
    assert about(number).replace("\u00a0", " ") == words
