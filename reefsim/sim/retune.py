"""Tuning agents for each arm before its games, so that rulesets meet players adapted to them."""

from __future__ import annotations

from dataclasses import replace

import joblib

from reefsim.agents.weights import Weights, read_weights, write_weights
from reefsim.logs.manifest import NAME, write_manifest
from reefsim.sim import plan
from reefsim.sim.design import Arm, Experiment
from reefsim.sim.progress import Progress
from reefsim.sim.train import Budget, Training, train


def retuned(experiment: Experiment, progress: Progress) -> Experiment:
    """The experiment with weights tuned for each of its rulesets, if it asks for that.

    The weights are kept in the run folder and tuned once. They follow from the design alone: rules,
    seats, seed, budget, first weights.

    Raises
    ------
    ConfigError : weights in the run folder were damaged
    """
    if not experiment.retune:
        return experiment
    out = experiment.run.out
    if not (out / NAME).exists():  # so that a run that is interrupted while it tunes can go on
        write_manifest(out, plan.describe(experiment) | {"counts": plan.counts(experiment)})
    tuned: dict[str, Weights] = {}
    arms = []
    for arm in experiment.arms:
        names = [name for name in arm.weights if experiment.retunes(name)]
        if names and arm.ruleset_name not in tuned:
            tuned[arm.ruleset_name] = _tune(experiment, arm, progress)
        if names:
            arm = replace(arm, tuned=dict.fromkeys(names, tuned[arm.ruleset_name]))
        arms.append(arm)
    return replace(experiment, arms=tuple(arms))


def _tune(experiment: Experiment, arm: Arm, progress: Progress) -> Weights:
    game, seats = experiment.game, experiment.seats
    path = experiment.run.out / "weights" / f"{arm.ruleset_name}.yaml"
    if path.exists():
        return read_weights(path, game)
    training = Training(
        game=game,
        ruleset=arm.ruleset,
        seats=seats,
        start=next(arm.weights[name] for name in arm.weights if experiment.retunes(name)),
        seed=experiment.seed,
        budget=Budget(**experiment.retune),
    )
    total = training.budget.generations
    progress.tuning(arm.ruleset_name, 0, total)
    workers = experiment.run.workers or joblib.cpu_count()
    found = train(
        training,
        arm.ruleset_name,
        workers,
        lambda generation, _: progress.tuning(arm.ruleset_name, generation + 1, total),
    )
    write_weights(path, game, found)
    return found
