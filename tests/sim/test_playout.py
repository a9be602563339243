"""Playing in bulk: what is kept, limits, and buffers that are too small."""

from __future__ import annotations

import numpy as np
import pytest

from reefsim.core.driver import GAME_BASE
from reefsim.games import registry
from reefsim.sim import playout
from reefsim.sim.playout import Chunk, Table, jobs_of

GAME = registry.get("reef_encounter")
JOBS = jobs_of([(0, 1), (1, 0)], 3, 3)
NAMES = ("jobs", "games", "players", "turns", "events", "ends")


def table(max_plies: int | None = None) -> Table:
    agents = [{"kind": 0}, {"kind": 0}]
    return Table(GAME, GAME.ruleset(), 2, agents, seed=1, max_plies=max_plies, mode="plain")


@pytest.fixture(scope="module")
def whole() -> Chunk:
    return table().play(JOBS)


def assert_equal(found: Chunk, wanted: Chunk) -> None:
    for name in NAMES:
        assert np.array_equal(getattr(found, name), getattr(wanted, name)), name


def test_jobs_are_replicates_with_every_seating() -> None:
    assert JOBS.tolist() == [
        [replicate, rotation, *seating]
        for replicate in (3, 4, 5)
        for rotation, seating in enumerate([(0, 1), (1, 0)])
    ]


def test_games_do_not_depend_on_what_was_played_before(whole: Chunk) -> None:
    same = table()
    same.play(JOBS[2:])
    assert_equal(same.play(JOBS), whole)


def test_small_buffers_grow(whole: Chunk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "_room", lambda games, each: games and 100)
    assert_equal(table().play(JOBS), whole)


def test_events_are_kept_of_the_games_that_are_asked_for(whole: Chunk) -> None:
    kept = np.array([0, 1, 0, 0, 1, 1], bool)
    found = table().play(JOBS, events=kept)
    for name in ("games", "players", "turns"):
        assert np.array_equal(getattr(found, name), getattr(whole, name))
    counts = np.diff(whole.ends[:, 0], prepend=0)
    assert np.diff(found.ends[:, 0], prepend=0).tolist() == np.where(kept, counts, 0).tolist()
    assert found.events.tolist() == whole.events[np.repeat(kept, counts)].tolist()
    nothing = table().play(JOBS, events=False, turns=False)
    assert len(nothing.events) == len(nothing.turns) == 0
    assert np.array_equal(nothing.games, whole.games)


@pytest.mark.parametrize("limit", [1, 150])
def test_a_limit_on_plies_stops_games_at_their_next_decision(whole: Chunk, limit: int) -> None:
    found = table(limit).play(JOBS)
    plies, cause, ender = (found.games[:, GAME_BASE.index(n)] for n in ("plies", "cause", "ender"))
    causes = {GAME.end_causes[code - 1] for code in cause.tolist()}
    assert causes == {GAME.truncated_cause}
    assert set(ender.tolist()) == {-1}  # nobody caused it
    assert ((plies > limit) & (plies < limit + 100)).all()
    first, end = whole.events[: found.ends[0, 0] - 1], found.events[found.ends[0, 0] - 1]
    assert found.events[: found.ends[0, 0] - 1].tolist() == first.tolist()
    [row] = GAME.events.rows([int(end)])
    assert (row["event"], row["value"]) == ("end", GAME.truncated_cause)
    assert "seat" not in row


def test_a_limit_that_is_not_reached_changes_nothing(whole: Chunk) -> None:
    assert_equal(table(5000).play(JOBS), whole)


@pytest.mark.jitted
def test_compiled_play_gives_the_same_rows(whole: Chunk) -> None:
    agents = [{"kind": 0}, {"kind": 0}]
    found = Table(GAME, GAME.ruleset(), 2, agents, seed=1).play(JOBS)
    assert_equal(found, whole)
