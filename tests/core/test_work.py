"""Options, counters, log and chance script of the scratch record."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reefsim.core import work
from reefsim.core.layout import Layout
from reefsim.core.work import SCRIPT_OVER, WORK_FIELDS

WORK = Layout("test_work", WORK_FIELDS)


def new(**values: Any) -> Any:
    w = WORK.plain()
    WORK.fill(w, values)
    return w


sets = st.sets(st.integers(0, 62), max_size=12)


@given(st.lists(sets, max_size=20))
def test_options_stand_for_a_sorted_list(members: list[set[int]]) -> None:
    w, k = new(), 0
    for place, those in enumerate(members):
        k = work.add(w, k, place << 8, sum(1 << m for m in those))
    expected = [place << 8 | m for place, those in enumerate(members) for m in sorted(those)]
    assert work.close_options(w, k) == len(expected) == w.num_legal
    assert k == sum(bool(those) for those in members)  # empty sets take no place
    actions = [0] * (len(expected) + 1)
    assert work.list_actions(w, actions) == len(expected)
    assert actions[: len(expected)] == expected
    assert [work.nth_action(w, n) for n in range(len(expected))] == expected
    for action in {*expected, *range(0, 20 << 8, 37), -1, 63, 255}:
        assert work.is_option(w, action) == (action in expected)


def test_old_options_are_forgotten() -> None:
    w = new()
    work.close_options(w, work.add(w, 0, 0, 0b111))
    work.close_options(w, work.add(w, 0, 0, 0b1))
    assert not work.is_option(w, 1)
    assert work.close_options(w, 0) == 0
    assert not work.is_option(w, 0)


def test_the_log_keeps_what_fits_and_counts_the_rest() -> None:
    w, log = new(logging=1, log_start=1), [0] * 3
    for event in (5, 6, 7):
        work.log_event(w, log, event)
    assert (log, w.num_events) == ([0, 5, 6], 3)


def test_without_logging_nothing_is_counted() -> None:
    w, log = new(), [0] * 3
    work.log_event(w, log, 5)
    assert (log, w.num_events) == ([0, 0, 0], 0)


def test_a_script_is_taken_in_order() -> None:
    w = new(script_len=2)
    w.script[0], w.script[1] = 4, 9
    assert [work.take_script(w), work.take_script(w), w.fault] == [4, 9, 0]
    assert (work.take_script(w), w.fault) == (-1, SCRIPT_OVER)


def test_decisions_are_counted_by_turn_and_by_seat() -> None:
    w = new(num_legal=3)
    work.count_decision(w, 1, 2 << 16)
    w.num_legal = 5
    work.count_decision(w, 1, 2 << 16 | 77)
    work.count_decision(w, 0, 4 << 16)
    assert w.turn_legal == 13
    assert w.seat_decisions[:2] == [1, 2]
    assert w.seat_legal[:2] == [5, 8]
    assert w.turn_kinds[:5] == [0, 0, 2, 0, 1]


def test_the_row_of_a_turn_starts_the_next() -> None:
    w = new(num_legal=3)
    work.count_decision(w, 1, 2 << 16)
    assert work.start_row(w, 8, 1, 3) == 7
    assert w.row[:7] == [8, 1, 1, 3, 0, 0, 1]
    assert w.turn_over == 1
    assert (w.turn_legal, w.turn_kinds[2]) == (0, 0)
    assert w.seat_decisions[1] == 1  # of the whole game


@pytest.mark.parametrize("field", ["script", "logging", "scripted", "log_start"])
def test_reset_keeps_what_is_set_before_a_game(field: str) -> None:
    w = new(logging=1, scripted=1, log_start=7, num_events=4, fault=2, script_pos=3, turn_over=1)
    w.script[0] = 5
    kept = getattr(w, field)
    w.seat_legal[1], w.turn_kinds[3] = 9, 9
    work.reset_work(w)
    assert getattr(w, field) == kept
    assert (w.num_events, w.fault, w.script_pos, w.turn_over) == (0, 0, 0, 0)
    assert not any(w.seat_legal)
    assert not any(w.turn_kinds)
