"""`reefsim train`: weights for the evaluation of a game, tuned by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reefsim.cli.screen import console, next_step, progress


def train(
    config: Annotated[
        Path,
        typer.Argument(metavar="CONFIG", help="The training file (YAML).", show_default=False),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the weights, instead of that of the file.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="Replaces the seed of the file.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Candidates tried at once; one per core if left out.")
    ] = None,
) -> None:
    """Tune the weights by which players judge positions, for given rules and seats.

    One file of weights for each ruleset and number of seats; those that are there already, from the
    same training, are left alone. The same file and seed give the same weights, whatever the number
    of workers.
    """
    import joblib

    from reefsim.agents.weights import write_weights
    from reefsim.reporting.weight_notes import check_sentence
    from reefsim.sim.runner import RunInterruptedError
    from reefsim.sim.train import check_found
    from reefsim.sim.train import train as tune
    from reefsim.sim.training_file import read_training
    from reefsim.sim.warm import warm_up

    plan = read_training(config, seed=seed, out=out)
    screen = console()
    for path, training in plan.trainings.items():
        if path.exists():
            check_found(path, training)
    for path, training in plan.trainings.items():
        if path.exists():
            screen.print(f"{path}: there already", markup=False)
            continue
        warm_up(training.game, progress=progress())
        screen.print(f"{path}: {training.games:,} games", markup=False)
        generations = training.budget.generations

        def tell(generation: int, share: float, generations: int = generations) -> None:
            screen.print(f"  generation {generation + 1} of {generations}", markup=False)

        try:
            found = tune(training, path.stem, workers or joblib.cpu_count(), tell)
        except KeyboardInterrupt:
            raise RunInterruptedError(
                f"interrupted: {path} is not written. The same command goes on with the weights "
                "that are missing."
            ) from None
        write_weights(path, training.game, found)
        screen.print(f"  {check_sentence(found.provenance)}", markup=False)
    typer.echo(f"weights: {', '.join(str(path) for path in plan.trainings)}")
    next_step("reefsim list weights")
