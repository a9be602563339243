"""Tuning the weights of a game's evaluation by self-play, for one ruleset and number of seats.

The method is CMA-ES (Hansen & Ostermeier 2001), from the library `cma`. Each generation's
candidates meet the generation's mean: one candidate among copies of it, on every seat, in the same
shuffles for all. A game counts as a soft win, so that a narrow loss beats a heavy one. Afterwards
the tuned weights meet those the training began with, in fresh shuffles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reefsim.agents.weights import Weights, read_weights
from reefsim.core.driver import PLAYER_BASE
from reefsim.core.game import Game
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import plain
from reefsim.errors import RunError
from reefsim.sim.design import distinct_seatings
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table

SOFTNESS = 8.0  # points of margin that make a game a win at odds of e to 1
FIRST_STEP = 0.25  # of the search, in units of each weight's scale
SCALE, LEAST_SCALE = 0.5, 0.1  # a weight's scale: a share of its first value, and at least this
HELD = ("spread",)  # weights a planner does not use
CHECK_SEED = 1  # added to the seed for the games of the check, so that no shuffle is seen twice
_SLOT, _SCORE, _RANK = (PLAYER_BASE.index(name) for name in ("slot", "score", "rank"))


@dataclass(frozen=True)
class Budget:
    """How long a training takes.

    Attributes
    ----------
    generations, population : of CMA-ES
    replicates : shuffles each candidate plays in a generation, on every seat
    check : shuffles in which the tuned weights meet the first ones, on every seat
    width : of the planners that play the games of the training; those of the check have the width
        planners have by default
    """

    generations: int
    population: int
    replicates: int
    check: int
    width: int

    def games(self, seats: int) -> int:
        """Games of a training at a number of seats, the check included."""
        return seats * (self.generations * self.population * self.replicates + self.check)


@dataclass(frozen=True)
class Training:
    """What is tuned: the weights for a ruleset and a number of seats, from first values on."""

    game: Game
    ruleset: Ruleset
    seats: int
    start: Weights
    seed: int
    budget: Budget

    @property
    def games(self) -> int:
        """Games of the whole training, the check included."""
        return self.budget.games(self.seats)


def train(
    training: Training,
    name: str,
    workers: int = 1,
    told: Callable[[int, float], None] | None = None,
) -> Weights:
    """Tune the weights; the result depends on the training only, not on the workers.

    Parameters
    ----------
    training : what to do
    name : of the result
    workers : candidates tried at the same time
    told : called after each generation with its number and the mean share of soft wins

    Returns
    -------
    the tuned weights; their provenance says how they were found, and under `check` the mean share
    of wins of one tuned planner among planners with the first weights, with its standard error
    over replicates. Weights that won no more than their share are given up for the first ones
    """
    import cma
    from joblib import Parallel, delayed

    names = list(training.start.values)
    start = np.array(list(training.start.values.values()))
    scale = np.maximum(SCALE * np.abs(start), LEAST_SCALE)
    scale[[names.index(held) for held in HELD]] = 0.0
    budget = training.budget
    seed = 1 + training.seed % (2**32 - 1)  # 0 would mean the clock, 2**32 is refused
    options = {"popsize": budget.population, "seed": seed, "verbose": -9}
    search = cma.CMAEvolutionStrategy(np.zeros(len(names)), FIRST_STEP, options)
    with Parallel(n_jobs=workers, backend="threading") as parallel:
        for generation in range(budget.generations):
            candidates = search.ask()
            mean = _by_name(names, start + scale * search.mean)
            shares = parallel(
                delayed(soft_share)(training, _by_name(names, start + scale * x), mean, generation)
                for x in candidates
            )
            search.tell(candidates, [-share for share in shares])
            if told:
                told(generation, float(np.mean(shares)))
    tuned = _by_name(names, start + scale * search.mean)
    wins = check_shares(training, tuned)
    helped = bool(wins.mean() > 1 / training.seats)
    provenance = {
        "method": f"CMA-ES (cma {version('cma')}), self-play of planners of width {budget.width}",
        "rules_version": training.game.rules_version,
        "start": training.start.origin,
        "seed": training.seed,
        "generations": budget.generations,
        "population": budget.population,
        "replicates": budget.replicates,
        "games": training.games,
        "check": {
            "against": training.start.origin,
            "replicates": budget.check,
            "fair": round(1 / training.seats, 6),
            "share": round(float(wins.mean()), 6),
            "se": round(float(wins.std(ddof=1)) / math.sqrt(len(wins)), 6),
            "kept": "tuned" if helped else "first",
        },
    }
    if caveats := training.game.caveats(training.ruleset):
        provenance["caveats"] = list(caveats)
    values = tuned if helped else dict(training.start.values)
    return Weights(values, name, training.seats, training.ruleset.differences(), provenance)


def check_found(path: Path, training: Training) -> None:
    """Check that the weights in a file are those of this training.

    Raises
    ------
    RunError : if they come from another one, with the first difference
    ConfigError : if the file cannot be used
    """
    found = read_weights(path, training.game)
    made = found.provenance
    budget = training.budget
    check = made.get("check")
    pairs = {
        "seats": (found.seats, training.seats),
        "rules": (found.rules, training.ruleset.differences()),
        "seed": (made.get("seed"), training.seed),
        "start": (made.get("start"), training.start.origin),
        "rules_version": (made.get("rules_version"), training.game.rules_version),
        "generations": (made.get("generations"), budget.generations),
        "population": (made.get("population"), budget.population),
        "replicates": (made.get("replicates"), budget.replicates),
        "check": (check.get("replicates") if isinstance(check, Mapping) else None, budget.check),
        "width": (str(made.get("method", "")).rpartition(" ")[2], str(budget.width)),
    }
    for name, (was, wanted) in pairs.items():
        if plain(was) != plain(wanted):
            raise RunError(
                f"{path}: these weights come from another training ({name}: {plain(was)}, asked "
                f"for is {plain(wanted)}). Choose another folder with --out, or remove the file."
            )


def _by_name(names: Sequence[str], values: NDArray[np.float64]) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}


def soft_share(
    training: Training, one: Mapping[str, float], others: Mapping[str, float], generation: int
) -> float:
    """Mean soft win of a planner with weights `one` among planners with weights `others`."""
    budget = training.budget
    first = generation * budget.replicates
    rows = _play(training, one, others, training.seed, first, budget.replicates, budget.width)
    mine = rows[:, :, _SLOT] == 0
    score = rows[:, :, _SCORE].astype(float)
    best = np.where(mine, -np.inf, score).max(axis=1)
    return float(np.mean(1 / (1 + np.exp((best - score[mine]) / SOFTNESS))))


def check_shares(training: Training, tuned: Mapping[str, float]) -> NDArray[np.float64]:
    """Share of wins of one tuned planner among planners with the first weights, by replicate."""
    seed, replicates = training.seed + CHECK_SEED, training.budget.check
    rows = _play(training, tuned, training.start.values, seed, 0, replicates, None)
    first = rows[:, :, _RANK] == 1
    shares = first / first.sum(axis=1, keepdims=True)
    mine = np.where(rows[:, :, _SLOT] == 0, shares, 0.0).sum(axis=1)
    by_replicate: NDArray[np.float64] = mine.reshape(replicates, -1).mean(axis=1)
    return by_replicate


def _play(
    training: Training,
    one: Mapping[str, float],
    others: Mapping[str, float],
    seed: int,
    first: int,
    replicates: int,
    width: int | None,
) -> NDArray[np.int64]:
    """Rows of players of the games of one planner among others, on every seat."""
    from reefsim.agents.kinds import resolve_params

    params = resolve_params("planner", {} if width is None else {"width": width})
    line_up = [("one", one)] + [("other", others)] * (training.seats - 1)
    players = [
        Player(name, "planner", params | {"weights": dict(weights)}) for name, weights in line_up
    ]
    seatings = distinct_seatings([player.name for player in players])
    table = make_table(players, training.game, training.ruleset, seed=seed)
    return table.play(jobs_of(seatings, first, replicates), events=False, turns=False).players
