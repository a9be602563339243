"""The search of `reefsim tune`: rounds that leave the better half, and a check of who is left.

Every round is a run of its own, and so is the check, in a folder of its own: `NAME-tune-round-1`,
..., `NAME-tune`. Each has its own shuffles, shared by all settings that play in it, so no luck by
which a setting got on is counted again. Who goes on follows from the games of a round alone; a
search that was interrupted finds the rounds that are complete, and decides as before.

The manifest of each says under `tune` which part of which search it is: stage, seed (of the
experiment), ruleset (the one to beat), settings (values of the toggles by candidate), combinations,
and of the rounds before seed, replicates, games and ranking (how far each setting is from what is
wanted, best first).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reefsim.errors import RunError
from reefsim.logs.manifest import CHECKED, ROUND
from reefsim.logs.mend import resume_command
from reefsim.logs.read import open_run
from reefsim.sim import runner
from reefsim.sim.design import Experiment
from reefsim.sim.dials import beside
from reefsim.sim.fresh import CHECK, ROUNDS, fresh_seed
from reefsim.sim.plan import written_command
from reefsim.sim.progress import Progress
from reefsim.sim.stopping import Stopping, fixed
from reefsim.sim.tune import EXAMPLE, Tune, goals_of
from reefsim.stats.goals import find_goals, rank_settings

Hear = Callable[[Experiment, Tune, int], None]


def race(
    experiment: Experiment, progress: Progress | None = None, hear: Hear | None = None
) -> Path:
    """Search the settings of an experiment, or go on with that.

    Parameters
    ----------
    progress : hears of the course of every run
    hear : told before each round, and before the check: what is played, and the number of the
        round (that of the check is one more than that of the last)

    Returns
    -------
    the folder of the check: the base in front, then the finalists by number

    Raises
    ------
    RunError : if the experiment has no search, or a folder holds something else
    RunInterruptedError : on Ctrl-C; the same search goes on with what it lacks
    """
    tune = searched(experiment)
    left = list(tune.settings)
    rounds: list[dict[str, Any]] = []
    for number, part in enumerate(tune.rounds, start=1):
        stage = round_stage(experiment, left, number, rounds)
        if hear is not None:
            hear(stage, tune, number)
        run = open_run(_play(stage, progress))
        ranking = rank_settings(find_goals(run))
        names = {arm.name: arm.ruleset_name for arm in stage.arms}
        scores = {names[str(arm)]: _told(score) for arm, score in ranking.items()}
        rounds.append(
            {
                "seed": stage.seed,
                "replicates": part.replicates,
                "games": int(run.manifest["counts"]["games"]),
                "ranking": scores,
            }
        )
        following = [*tune.rounds[number:], None][0]
        best = list(scores)[: following.candidates if following else tune.finalists]
        left = [name for name in tune.settings if name in best]
    stage = check_stage(experiment, left, rounds)
    if hear is not None:
        hear(stage, tune, len(tune.rounds) + 1)
    return _play(stage, progress)


def searched(experiment: Experiment) -> Tune:
    """What an experiment searches.

    Raises
    ------
    RunError : if it searches nothing
    """
    if experiment.tune is None:
        what = f"{experiment.source[0]}: there is nothing to tune in this file."
        raise RunError(f"{what} Write for example {EXAMPLE}")
    return experiment.tune


def _play(stage: Experiment, progress: Progress | None) -> Path:
    try:
        return runner.run(stage, progress=progress)
    except runner.RunInterruptedError as error:
        text = str(error).removesuffix(f"Go on with: {resume_command(stage.run.out)}")
        raise runner.RunInterruptedError(f"{text}The same command goes on with it.") from error


def _told(score: float) -> float | None:
    return round(score, 6) if math.isfinite(score) else None


def round_stage(
    experiment: Experiment, names: Collection[str], number: int, rounds: Collection[Any]
) -> Experiment:
    """A round of the search: these candidates, on shuffles of its own.

    Parameters
    ----------
    number : from 1 on
    rounds : what was found in those before
    """
    seed = fresh_seed(experiment.seed, ROUNDS + number - 1)
    stopping = fixed(searched(experiment).rounds[number - 1].replicates)
    stage = _stage(experiment, names, seed, stopping, f"{ROUND}{number}", rounds)
    return replace(stage, replays={})


def check_stage(
    experiment: Experiment, names: Collection[str], rounds: Collection[Any]
) -> Experiment:
    """The check: these finalists and the base, on shuffles that the search did not see."""
    seed = fresh_seed(experiment.seed, CHECK)
    kept = [searched(experiment).ruleset, *names]
    return _stage(experiment, kept, seed, experiment.stopping, CHECKED, rounds)


def _stage(
    experiment: Experiment,
    names: Collection[str],
    seed: int,
    stopping: Stopping,
    stage: str,
    rounds: Collection[Any],
) -> Experiment:
    tune = searched(experiment)
    arms = [arm for arm in experiment.settings if arm.ruleset_name in names]
    first = arms[0].ruleset_name
    folder = beside(experiment.run.out, "tune" if stage == CHECKED else f"tune-{stage}")
    return replace(
        experiment,
        seed=seed,
        arms=tuple(replace(arm, index=index) for index, arm in enumerate(arms)),
        baseline=first,
        report=experiment.report | {"compare_to": first},
        targets=goals_of(experiment.targets, tune.lineup),
        stopping=stopping,
        run=replace(experiment.run, out=folder),
        command=written_command(experiment, "tune"),
        dials={},
        stage={
            "stage": stage,
            "seed": experiment.seed,
            "ruleset": tune.ruleset,
            "settings": {name: values for name, values in tune.settings.items() if name in names},
            "combinations": tune.combinations,
            "candidates": len(tune.settings),
            "rounds": list(rounds),
        },
    )


def stage_again(experiment: Experiment, manifest: Mapping[str, Any]) -> Iterator[Experiment]:
    """The part of a search that a manifest tells of, if there is such a part.

    Parameters
    ----------
    experiment : with the seed of the search
    """
    told, tune = manifest["tune"], searched(experiment)
    names = [arm["ruleset"] for arm in manifest["arms"]]
    if not set(names) <= {arm.ruleset_name for arm in experiment.settings}:
        return
    if told["stage"] == CHECKED:
        yield check_stage(experiment, names, told["rounds"])
        return
    number = int(told["stage"].removeprefix(ROUND))
    if number <= len(tune.rounds):
        yield round_stage(experiment, names, number, told["rounds"])
