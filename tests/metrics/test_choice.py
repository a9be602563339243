"""Metrics of choice and interaction: worked examples and invariants."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from reefsim.metrics import choice

Q = np.array([0.62, 0.60, 0.41, 0.20])


def chances(rows: int | st.SearchStrategy[int], seats: int) -> st.SearchStrategy[np.ndarray]:
    def normalized(raw: np.ndarray) -> np.ndarray:
        found: np.ndarray = raw / raw.sum(axis=1, keepdims=True)
        return found

    number = st.just(rows) if isinstance(rows, int) else rows
    drawn = number.flatmap(
        lambda n: arrays(float, (n, seats), elements=st.floats(1e-6, 1, allow_subnormal=False))
    )
    return drawn.map(normalized)


def test_worked_decision() -> None:
    assert choice.effective_choices(Q) == pytest.approx(2.053710, abs=5e-7)
    assert choice.stakes(Q) == pytest.approx(0.42)
    assert choice.sharpness(Q) == pytest.approx(0.02)
    assert choice.is_meaningful(Q)
    assert not choice.is_forced(Q)
    assert not choice.is_free(Q, error=0.01)


def test_kinds_of_decisions() -> None:
    assert choice.is_forced(np.array([0.9, 0.6, 0.5]))
    assert choice.is_forced(np.array([0.3]))
    assert not choice.is_meaningful(np.array([0.9, 0.6, 0.5]))  # much at stake, one good action
    assert not choice.is_meaningful(np.array([0.50, 0.49, 0.48]))  # nothing at stake
    assert choice.is_free(np.array([0.50, 0.49]), error=0.02)
    assert choice.sharpness(np.array([0.3])) == 0


@pytest.mark.parametrize("n", [1, 2, 7])
def test_equal_actions_are_as_many_choices(n: int) -> None:
    assert choice.effective_choices(np.full(n, 0.4)) == pytest.approx(n)


def test_worked_kingmaking() -> None:
    rows = np.array([(0.02, 0.60, 0.38), (0.02, 0.30, 0.68), (0.01, 0.45, 0.54)])
    found = choice.kingmaking(rows, seat=0)
    assert found.swing == pytest.approx(0.30)
    assert found.favorites == (1, 2)


def test_no_kingmaking_without_need() -> None:
    hopeful = np.array([(0.10, 0.60, 0.30), (0.10, 0.30, 0.60)])
    assert choice.kingmaking(hopeful, 0).swing == 0
    same_favorite = np.array([(0.02, 0.90, 0.08), (0.02, 0.55, 0.43)])
    assert choice.kingmaking(same_favorite, 0).swing == 0
    small = np.array([(0.02, 0.50, 0.48), (0.02, 0.40, 0.58)])
    assert choice.kingmaking(small, 0).swing == 0


@given(chances(st.integers(1, 8), 2), st.integers(0, 1))
def test_two_seats_know_no_kingmaking(q: np.ndarray, seat: int) -> None:
    assert choice.kingmaking(q, seat).swing == 0


@given(chances(6, 2), st.lists(st.integers(-1, 1), min_size=5, max_size=5))
def test_two_seats_know_no_interaction(trace: np.ndarray, movers: list[int]) -> None:
    if max(movers) >= 0:
        assert choice.interaction(trace, movers) == pytest.approx(0, abs=1e-12)


def test_interaction_is_what_moves_between_the_others() -> None:
    trace = np.array([(0.3, 0.4, 0.3), (0.3, 0.2, 0.5), (0.4, 0.1, 0.5)])
    assert choice.interaction(trace, [0, -1]) == pytest.approx(0.4)
    assert choice.interaction(trace, [-1, 0]) == pytest.approx(0.0)
    assert choice.interaction(trace, [0, 0]) == pytest.approx(0.2)


def test_targeting() -> None:
    points = np.array([(9, 5, 1), (9, 5, 1), (9, 5, 1), (9, 5, 5)], float)
    found = choice.targeting([1, 2, 0, 0], [0, 1, 0, 2], points)
    assert found.attacks == 3  # an attack on oneself is none
    assert found.leader == pytest.approx(2 / 3)  # seat 1 on 0; seat 0 on 2, a leader of its rivals
    assert found.last == pytest.approx(2 / 3)  # seat 2 on 1, seat 0 on 2
    assert found.next_seat == pytest.approx(0)
    assert found.leader_expected == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert found.next_expected == 0.5
    assert choice.targeting([1], [2], points[:1]).next_seat == 1
    assert choice.targeting([], [], np.zeros((0, 3))).attacks == 0


def test_worked_evenness() -> None:
    counts = np.array([30, 25, 20, 15, 10])
    assert choice.evenness(counts) == pytest.approx(0.959639, abs=5e-7)
    assert choice.chi2_equal(counts) == pytest.approx(12.5)
    assert choice.evenness(np.full(5, 7)) == pytest.approx(1)
    assert choice.chi2_equal(np.full(5, 7)) == 0
    assert np.isnan(choice.evenness(np.zeros(5)))
