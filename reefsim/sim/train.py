"""Tuning the weights of a game's evaluation by self-play, for one ruleset and number of seats.

The method is CMA-ES (Hansen & Ostermeier 2001), from the library `cma`. Each generation's
candidates meet the generation's mean: one candidate among copies of it, on every seat, in the same
shuffles for all. A game counts as a soft win, so that a narrow loss beats a heavy one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reefsim.core.driver import PLAYER_BASE
from reefsim.core.game import Game
from reefsim.core.ruleset import Ruleset
from reefsim.sim.design import distinct_seatings
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table

SOFTNESS = 8.0  # points of margin that make a game a win at odds of e to 1
FIRST_STEP = 0.5  # of the search, in units of each weight's scale
_SLOT, _SCORE, _RANK = (PLAYER_BASE.index(name) for name in ("slot", "score", "rank"))


@dataclass(frozen=True)
class Training:
    """What is tuned, and how long.

    Attributes
    ----------
    width : of the planner that plays the training games
    generations, population : of CMA-ES
    replicates : shuffles each candidate plays in a generation, on every seat
    seed : of the search and of the games
    start : weights to start from; those the game gives, where they are missing
    """

    game: Game
    ruleset: Ruleset
    seats: int
    width: int = 4
    generations: int = 40
    population: int = 12
    replicates: int = 40
    seed: int = 1
    start: Mapping[str, float] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """Games of the whole training."""
        return self.generations * self.population * self.replicates * self.seats


def train(
    training: Training, workers: int = 1, told: Callable[[int, float], None] | None = None
) -> dict[str, float]:
    """Tune the weights; the result depends on the training only, not on the workers.

    Parameters
    ----------
    training : what to do
    workers : candidates tried at the same time
    told : called after each generation with its number and the mean share of soft wins

    Returns
    -------
    dict from the name of each weight to its value
    """
    import cma
    from joblib import Parallel, delayed

    names = [name for name, _, _ in training.game.weights]
    held = names.index("spread")  # a planner does not use it
    start = np.array([training.start.get(n, value) for n, value, _ in training.game.weights])
    scale = np.maximum(0.5 * np.abs(start), 0.1)
    scale[held] = 0.0
    options = {
        "popsize": training.population,
        "seed": training.seed + 1,  # 0 would mean the clock
        "verbose": -9,
        "CMA_elitist": False,
    }
    search = cma.CMAEvolutionStrategy(np.zeros(len(names)), FIRST_STEP, options)
    with Parallel(n_jobs=workers, backend="threading") as parallel:
        for generation in range(training.generations):
            candidates = search.ask()
            mean = _weights(names, start + scale * search.mean)
            shares = parallel(
                delayed(soft_share)(training, _weights(names, start + scale * x), mean, generation)
                for x in candidates
            )
            search.tell(candidates, [-share for share in shares])
            if told:
                told(generation, float(np.mean(shares)))
    return _weights(names, start + scale * search.mean)


def _weights(names: Sequence[str], values: NDArray[np.float64]) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


def soft_share(
    training: Training, one: Mapping[str, float], others: Mapping[str, float], generation: int
) -> float:
    """Mean soft win of a planner with weights `one` among planners with weights `others`."""
    players = [
        Player(name, "planner", {"width": training.width, "noise": 0.0, "weights": dict(weights)})
        for name, weights in [("one", one)] + [("other", others)] * (training.seats - 1)
    ]
    seatings = distinct_seatings([player.name for player in players])
    table = make_table(players, training.game, training.ruleset, seed=training.seed)
    jobs = jobs_of(seatings, generation * training.replicates, training.replicates)
    rows = table.play(jobs, events=False, turns=False).players
    mine = rows[:, :, _SLOT] == 0
    score = rows[:, :, _SCORE].astype(float)
    own = score[mine]
    best = np.where(mine, -np.inf, score).max(axis=1)
    return float(np.mean(1 / (1 + np.exp((best - own) / SOFTNESS))))
