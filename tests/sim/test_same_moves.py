"""Players that think: the same seed gives the same moves, however a run is played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reefsim.agents.kinds import record_values
from reefsim.games import registry
from reefsim.sim.playout import Table, jobs_of
from reefsim.sim.runner import run
from tests.runs import digests, experiment, play, small_parts
from tests.sizes import sized

GAME = registry.get("reef_encounter")
TEXT = """\
question: Do players play the same every time?
game: reef_encounter
seats: 3
seed: 11
rulesets: {short: {max_turns: 9}, bold: {preset: advanced, max_turns: 9}}
agents:
  glance: {kind: greedy, noise: 0.5}
  plan: {kind: planner, width: 1, noise: 0.5, never: [lock]}
  look: {kind: search, width: 1, iterations: 2}
lineups: {table: [glance, plan, look]}
design: {rotation: none}
stopping: {rule: fixed, replicates: 4}
"""
WAYS: list[dict[str, Any]] = [
    {"workers": 2},
    {"workers": 1, "chunk": 1},
    {"workers": 2, "chunk": 3},
    {"workers": 2, "backend": "loky"},
    {"workers": 2, "backend": "loky", "chunk": 1},
]


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as monkeypatch:
        small_parts(monkeypatch)
        return play(tmp_path_factory.mktemp("same") / "run", TEXT)


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_neither_workers_nor_chunks_change_a_move(
    wanted: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    found = play(tmp_path / "run", TEXT, **options)
    assert digests(found) == digests(wanted)
    assert len(digests(found)) == 4 * 2


def test_another_seed_gives_other_moves(wanted: Path, tmp_path: Path) -> None:
    found = digests(play(tmp_path / "run", TEXT, seed=12))
    before = digests(wanted)
    assert found.keys() == before.keys()
    assert not set(found.values()) & set(before.values())


@pytest.mark.jitted
@pytest.mark.parametrize("options", [{"workers": 1}, *WAYS[2:4]], ids=str)
def test_compiled_runs_make_the_same_moves(
    wanted: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    assert digests(run(experiment(tmp_path / "run", TEXT, **options))) == digests(wanted)


@pytest.mark.jitted
@pytest.mark.parametrize(
    ("kind", "params"),
    [
        ("greedy", {"noise": 0.3}),
        ("planner", {"width": 3}),
        ("planner", {"width": 2, "noise": 1.5, "never": ["second_shrimp"]}),
        ("search", {"width": 2, "iterations": 4}),
    ],
    ids=str,
)
def test_both_modes_play_the_same_games(kind: str, params: dict[str, Any]) -> None:
    jobs = jobs_of([(0, 1)], 0, sized(1, 12))
    ruleset = GAME.ruleset.make({} if kind != "search" else {"max_turns": sized(12, 60)}, 2)
    agents = [record_values(kind, params, GAME)] * 2
    plain, jitted = (
        Table(GAME, ruleset, 2, agents, seed=6, mode=mode).play(jobs)
        for mode in ("plain", "jitted")
    )
    assert len(plain.events) > 50 * len(jobs)
    for name in ("events", "games", "players", "turns", "ends"):
        assert getattr(plain, name).tolist() == getattr(jitted, name).tolist()
