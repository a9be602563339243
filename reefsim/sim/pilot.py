"""A small run before a large one: how long games take, how much they fill, how much they vary."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reefsim.core.kernel import Mode
from reefsim.logs.read import open_run
from reefsim.logs.schema import TABLES
from reefsim.sim.design import Experiment
from reefsim.sim.fresh import PILOT, fresh_seed
from reefsim.sim.progress import Progress
from reefsim.sim.runner import run
from reefsim.sim.stopping import fixed

if TYPE_CHECKING:
    from reefsim.logs.read import Run

REPLICATES = 50


@dataclass(frozen=True)
class ArmCost:
    """What a game of an arm costs: seconds of one core, bytes on disk."""

    arm: str
    games: int
    seconds: float
    size: float


@dataclass(frozen=True)
class Pilot:
    """A pilot that was played: its run, and what its games cost by arm."""

    run: Run
    replicates: int
    costs: dict[str, ArmCost]


def play_pilot(
    experiment: Experiment,
    folder: Path,
    replicates: int = REPLICATES,
    progress: Progress | None = None,
    mode: Mode = "jitted",
) -> Pilot:
    """Play some replicates of every arm of an experiment.

    Parameters
    ----------
    experiment : its own folder is not touched; agents that it tunes play as they are
    folder : for the games
    replicates : of every arm; fewer if the experiment has fewer
    """
    count = min(replicates, experiment.replicates)
    small = replace(
        experiment,
        seed=fresh_seed(experiment.seed, PILOT),  # so that no game is used twice
        stopping=fixed(count),
        retune={},
        run=replace(experiment.run, out=folder),
    )
    found = open_run(run(small, progress=progress, mode=mode))
    timing = found.timing
    costs = {}
    for arm in experiment.arms:
        pieces = timing[timing["arm"] == arm.name]
        games = int(pieces["games"].sum())
        seconds = float(pieces["seconds"].sum()) / max(1, games)
        costs[arm.name] = ArmCost(arm.name, games, seconds, _size(folder, arm.name) / max(1, games))
    return Pilot(found, count, costs)


def _size(folder: Path, arm: str) -> int:
    files = (path for table in TABLES for path in (folder / table / f"arm={arm}").glob("*.parquet"))
    return sum(file.stat().st_size for file in files)
