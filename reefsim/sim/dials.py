"""The sweep of an experiment as an experiment of its own, and the check of the value it picks."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from reefsim.errors import RunError
from reefsim.sim.design import Arm, Experiment
from reefsim.sim.fresh import CHECK, fresh_seed


def only_sweep(experiment: Experiment) -> Experiment:
    """The arms of a sweep alone, in a folder of their own, on the shuffles of the experiment.

    Raises
    ------
    RunError : if the experiment has no sweep
    """
    path = experiment.source[0]
    swept = [arm for arm in experiment.arms if arm.ruleset_name in experiment.dials]
    if not swept:
        raise RunError(
            f"{path}: there is no sweep in this file. Write for example sweep: {{ruleset: "
            "published, lineup: casual_table, vary: {some_toggle: [3, 4, 5]}}."
        )
    baseline = _baseline(experiment) or swept[0].ruleset_name
    return replace(
        experiment,
        arms=tuple(replace(arm, index=index) for index, arm in enumerate(swept)),
        baseline=baseline,
        report=experiment.report | {"compare_to": baseline},
        run=replace(experiment.run, out=beside(experiment.run.out, "sweep")),
        command=f"reefsim sweep {shlex.quote(path.as_posix())}",
    )


def is_sweep(experiment: Experiment) -> bool:
    """Whether an experiment is about its sweep: hardly anything else is played in it."""
    others = [arm for arm in experiment.arms if arm.ruleset_name not in experiment.dials]
    return bool(experiment.dials) and len(others) <= 1


def _baseline(experiment: Experiment) -> str | None:
    """Ruleset of the sweep that is the experiment's baseline under another name, if one is."""
    rules = {arm.ruleset_name: arm.ruleset.for_players(experiment.seats) for arm in experiment.arms}
    wanted = rules.get(experiment.baseline)
    return next((name for name in experiment.dials if rules.get(name) == wanted), None)


def confirmation(experiment: Experiment, arm_name: str) -> Experiment:
    """One arm of a sweep again, in fresh shuffles.

    The value that looks best among several owes some of that to luck; only games it was not
    chosen by tell how good it is.
    """
    fresh = replace(experiment, seed=fresh_seed(experiment.seed, CHECK))
    return only_arm(fresh, next(arm for arm in experiment.arms if arm.name == arm_name))


def only_arm(experiment: Experiment, arm: Arm) -> Experiment:
    """One arm of a sweep alone, in a folder of its own."""
    return replace(
        experiment,
        arms=(replace(arm, index=0),),
        baseline=arm.ruleset_name,
        report=experiment.report | {"compare_to": arm.ruleset_name},
        run=replace(experiment.run, out=beside(experiment.run.out, f"confirm-{arm.name}")),
    )


def beside(out: Path, what: str) -> Path:
    """The folder of a part of an experiment, beside that of the experiment."""
    return out.with_name(f"{out.name}-{what}")
