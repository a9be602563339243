"""A small run, played in plain mode, for tests of logs and runners."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from reefsim.sim import plan
from reefsim.sim.design import Experiment, loads
from reefsim.sim.runner import run

TEXT = """\
question: Does the advanced game help the first seat?
game: reef_encounter
seats: 2
seed: 7
rulesets: {published: {}, advanced: {preset: advanced}}
agents: {a: {kind: random}, b: {kind: random}}
lineups: {table: [a, b]}
stopping: {rule: fixed, replicates: 15}
"""
ARMS = ("published-table", "advanced-table")
GAMES, PARTS = 60, 3  # games of the run, parts of each arm


def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make parts so small that a small run has several of them."""
    monkeypatch.setattr(plan, "_MIN_PART_GAMES", 10)


def experiment(out: Path, text: str = TEXT, **options: Any) -> Experiment:
    """The experiment, its games in `out`."""
    return loads(text, out.parent / "small.yaml", **{"workers": 1, **options, "out": out})


def play(out: Path, text: str = TEXT, **options: Any) -> Path:
    """Play the experiment in plain mode."""
    return run(experiment(out, text, **options), mode="plain")


def digests(folder: Path) -> dict[str, str]:
    """Digest of every parquet file that must not depend on how it was played."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.parquet"))
        if path.relative_to(folder).parts[0] != "timing"
    }
