"""Story metrics: the worked trace, and traces whose story is plain."""

from __future__ import annotations

import numpy as np
import pytest

from reefsim.metrics import story

TRACE = np.array(
    [
        (0.34, 0.33, 0.33),
        (0.30, 0.40, 0.30),
        (0.25, 0.50, 0.25),
        (0.20, 0.60, 0.20),
        (0.45, 0.40, 0.15),
        (0.70, 0.20, 0.10),
        (1.0, 0.0, 0.0),
    ]
)
WON = (0,)


def close(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def test_drama_of_the_worked_trace() -> None:
    assert story.drama(TRACE, WON).mean == close(0.482894)
    assert story.drama(TRACE, WON).max == close(0.632456)
    assert story.mean_gap(TRACE, WON) == close(0.125)


def test_lead_changes_of_the_worked_trace() -> None:
    assert story.leaders(TRACE).tolist() == [0, 1, 1, 1, 0, 0, 0]
    assert story.lead_changes(TRACE) == 2
    assert story.lead_changes(TRACE) / (len(TRACE) - 1) == close(0.333333)


def test_decisions_of_the_worked_trace() -> None:
    assert story.decisiveness_threshold(TRACE, WON) == close(0.60)
    assert story.decisiveness(TRACE, WON) == close(0.166667)
    assert story.clinch(TRACE, WON) == 4
    assert story.clinch(TRACE, WON) / (len(TRACE) - 1) == close(0.666667)


def test_uncertainty_of_the_worked_trace() -> None:
    assert story.uncertainty(TRACE) == close(0.908667)
    last = story.entropies(TRACE)[4:6].mean()
    assert story.uncertainty(TRACE, last=1 / 3) == pytest.approx(last)


def test_noise_makes_no_leaders() -> None:
    wobble = np.array([(0.51, 0.49), (0.49, 0.51), (0.51, 0.49), (0.3, 0.7), (0.0, 1.0)])
    assert story.lead_changes(wobble) == 3
    assert story.lead_changes(wobble, threshold=0.05) == 0  # the first to lead is no change
    assert story.leaders(wobble, 0.05).tolist() == [story.NOBODY] * 3 + [1, 1]
    each = np.array([0.0, 0.05, 0.05, 0.05, 0.0])
    assert story.lead_changes(wobble, each) == 1


def test_equal_chances_have_no_leader() -> None:
    assert story.leaders(np.full((3, 4), 0.25)).tolist() == [story.NOBODY] * 3


def test_who_always_led_had_no_drama() -> None:
    straight = np.array([(0.6, 0.4), (0.8, 0.2), (1.0, 0.0)])
    assert story.drama(straight, WON) == (0.0, 0.0)
    assert story.mean_gap(straight, WON) == 0
    assert story.clinch(straight, WON) == 0
    assert story.decisiveness(straight, WON) == 1.0
    assert story.lowest_of_winner(straight, WON) == 0.6


def test_a_shared_win() -> None:
    shared = np.array([(0.4, 0.2, 0.4), (0.3, 0.5, 0.2), (0.5, 0.5, 0.0)])
    assert story.mean_gap(shared, (0, 1)) == pytest.approx(0.1)  # (.4 - .3, .5 - .4) / 2
    assert story.clinch(shared, (0, 1)) == 1  # at first a loser led as well
    assert story.decisiveness_threshold(shared, (0, 1)) == 0.4
    assert np.isnan(story.decisiveness_threshold(shared, (0, 1, 2)))
    assert story.clinch(shared, (0, 1, 2)) == 0


def test_stability_is_the_mean_variance() -> None:
    two = np.array([(0.5, 0.5), (1.0, 0.0)])
    assert story.stability(two) == pytest.approx(0.0625)
    assert story.stability(np.full((5, 3), 1 / 3)) == pytest.approx(0)


def test_killer_move_is_the_movers_own() -> None:
    movers = [1, 1, 1, 0, 0, 0]
    assert story.killer_move(TRACE, movers) == (pytest.approx(0.30), 6)
    # the step to .45 is the largest of seat 0 before the end, but seat 1 made it here
    assert story.killer_move(TRACE[:6], [1, 1, 1, 1, 0]) == (pytest.approx(0.25), 5)
    assert np.isnan(story.killer_move(TRACE, [story.NOBODY] * 6).gain)


def test_permanence() -> None:
    kept = np.array([(0.5, 0.5), (0.6, 0.4), (0.6, 0.4), (0.7, 0.3)])
    assert story.permanence(kept, [0, 1, 0]) == 1
    half = np.array([(0.5, 0.5), (0.7, 0.3), (0.6, 0.4), (0.6, 0.4)])
    # seat 0 gains .2 and loses .1 until it moves again; seat 1 gains .1 and keeps it
    assert story.permanence(half, [0, 1, 0]) == pytest.approx(1 - (0.5 + 0) / 2)
    assert story.permanence(half, [0, 1, 0], threshold=0.15) == pytest.approx(0.5)
    assert np.isnan(story.permanence(half, [1, 0, 1]))
    gone = np.array([(0.5, 0.5), (0.6, 0.4), (0.2, 0.8), (0.2, 0.8)])
    assert story.permanence(gone, [0, 1, 0]) == pytest.approx(1 - (1 + 0) / 2)


def test_comeback_looks_at_half_the_game() -> None:
    points = np.array([(0, 0, 0), (3, 5, 4), (3, 5, 9), (6, 5, 9), (20, 5, 9)], float)
    assert story.was_last(points, WON)
    assert not story.was_last(points, (1,))
    assert not story.was_last(points[[0, 0, 0, 3, 4]], WON)  # nobody is last at 0 : 0 : 0
    assert story.at_share(points, 0.75).tolist() == [6, 5, 9]
    assert story.at_share(points[:4], 0.5).tolist() == [3, 5, 4]


def test_balance_and_uniformity_after_ludii() -> None:
    shares = np.array([(1, 0), (1, 0), (1, 0), (0, 1)], float)
    assert story.balance(shares) == 0.5
    assert story.outcome_uniformity(shares) == pytest.approx(1 - 0.1875)
