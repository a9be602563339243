"""Strengths from wins and rankings: known answers, recovery, and what sets no finite maximum."""

from __future__ import annotations

import numpy as np
import pytest

from reefsim.stats.ratings import bradley_terry, components, plackett_luce, wins_of

# American League 1987; rows beat columns: Milwaukee, Detroit, Toronto, New York, Boston,
# Cleveland, Baltimore (Agresti, Categorical Data Analysis)
LEAGUE = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
STRENGTHS = np.array([0.9, 0.3, -0.2, -1.0])


def test_three_wins_to_one() -> None:
    strong, weak = bradley_terry([[0, 3], [1, 0]])
    assert strong - weak == pytest.approx(np.log(3))
    assert strong + weak == pytest.approx(0)
    strong, weak = plackett_luce([(0, 1)] * 3 + [(1, 0)])
    assert strong - weak == pytest.approx(np.log(3))


def test_the_american_league() -> None:
    found = bradley_terry(LEAGUE)
    assert found - found[-1] == pytest.approx([1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0], abs=0.01)


def test_shared_wins_count_half() -> None:
    assert bradley_terry([[0, 2.5], [1.5, 0]]) == pytest.approx(bradley_terry([[0, 5], [3, 0]]))
    assert bradley_terry([[0, 0.5], [0.5, 0]]) == pytest.approx([0, 0])


def test_a_start_changes_nothing() -> None:
    start = np.array([3.0, -1, 0, 2, 0, 0, -4])
    assert bradley_terry(LEAGUE, start) == pytest.approx(bradley_terry(LEAGUE), abs=1e-6)


def test_bradley_terry_data_are_recovered() -> None:
    rng = np.random.default_rng(1)
    wins = np.zeros((4, 4))
    for i in range(4):
        for j in range(i):
            chance = 1 / (1 + np.exp(STRENGTHS[j] - STRENGTHS[i]))
            wins[i, j] = rng.binomial(20_000, chance)
            wins[j, i] = 20_000 - wins[i, j]
    assert bradley_terry(wins) == pytest.approx(STRENGTHS, abs=0.03)


def test_plackett_luce_data_are_recovered_and_so_are_its_pairs() -> None:
    rng = np.random.default_rng(2)
    tables = rng.integers(4, size=(12_000, 3))  # copies of an item sit at one table, too
    order = np.argsort(-(STRENGTHS[tables] + rng.gumbel(size=tables.shape)), axis=1)
    rankings = np.take_along_axis(tables, order, axis=1).tolist()
    assert plackett_luce(rankings) == pytest.approx(STRENGTHS, abs=0.05)
    # the pairs of an order follow Bradley and Terry with the same strengths
    assert bradley_terry(wins_of(rankings)) == pytest.approx(STRENGTHS, abs=0.05)


def test_groups_without_a_finite_difference() -> None:
    assert components(LEAGUE).max() == 0
    assert len(set(components([[0, 5, 9], [0, 0, 3], [0, 1, 0]]))) == 2  # undefeated
    assert len(set(components(np.zeros((3, 3))))) == 3  # never compared
    two_islands = np.kron(np.eye(2), [[0, 1], [1, 0]])
    assert len(set(components(two_islands))) == 2


def test_without_a_maximum_the_strengths_are_finite_and_ordered() -> None:
    best, middle, worst = bradley_terry([[0, 5, 9], [0, 0, 3], [0, 1, 0]])
    assert np.inf > best > middle > worst > -np.inf
    assert bradley_terry(np.zeros((3, 3))) == pytest.approx([0, 0, 0])
    first, second = plackett_luce([(0, 1)] * 5)
    assert np.inf > first > second


def test_a_rare_upset_is_still_fitted() -> None:
    strong, weak = bradley_terry([[0, 100_000], [1, 0]])
    assert strong - weak == pytest.approx(np.log(1e5), rel=1e-6)


def test_a_long_way_round_is_fitted_too() -> None:
    # three steps of which two are all but certain: choix's iteration gives up
    wins = np.array([[0, 0, 0, 1], [1, 0, 0, 1], [0, 200, 0, 0], [1, 0, 200, 0]])
    found = bradley_terry(wins)
    chances = 1 / (1 + np.exp(found - found[:, None]))
    assert wins.sum(axis=1) == pytest.approx(((wins + wins.T) * chances).sum(axis=1), abs=1e-6)
    rankings = [(i, j) for i, j in np.argwhere(wins) for _ in range(wins[i, j])]
    assert plackett_luce(rankings) == pytest.approx(found, abs=1e-6)


def test_rankings_may_be_the_rows_of_an_array() -> None:
    rows = [(0, 1, 2), (2, 1, 0), (1, 0, 2)]
    assert plackett_luce(np.array(rows)) == pytest.approx(plackett_luce(rows))


@pytest.mark.parametrize("wins", [[[0, 1]], [[0, -1], [1, 0]], [[0, np.nan], [1, 0]]])
def test_what_are_no_counts(wins: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="wins"):
        bradley_terry(wins)


@pytest.mark.parametrize("rankings", [[], [(0, -1)], [(0, 1), ()], [(0, 0.5)], [("a", "b")], [0]])
def test_what_are_no_rankings(rankings: list[tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match="rankings"):
        plackett_luce(rankings)
