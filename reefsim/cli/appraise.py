"""`reefsim appraise`: chances of winning for the positions of the games of a run."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from reefsim.cli.screen import next_step, tell_caveats


def appraise(
    folder: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)
    ],
    oracle: Annotated[
        str,
        typer.Option(
            help="evaluation: as the search judges its leaves; points: shares of the points of the "
            "moment; rollouts: games played on from each turn's end, minutes for each game."
        ),
    ] = "evaluation",
    replicates: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Replicates judged in each arm, evenly spread. If left out 100, for rollouts 5.",
            show_default=False,
        ),
    ] = None,
    playouts: Annotated[int, typer.Option(help="Of each position, for rollouts.")] = 32,
    player: Annotated[
        str, typer.Option(help="Built-in player that plays on, for rollouts.")
    ] = "greedy",
) -> None:
    """Let an oracle judge the positions of saved games, for the metrics that need win chances.

    What it says is kept in the folder `oracle` of the run, and worked out again only if asked for
    otherwise. `reefsim list metrics` names the metrics that need it.
    """
    from reefsim.logs.read import open_run
    from reefsim.metrics.trace_files import FOLDER
    from reefsim.sim.oracle import Settings, count_games
    from reefsim.sim.oracle import appraise as judge

    run = open_run(folder)
    settings = Settings(oracle=oracle, playouts=playouts, player=player)
    files = judge(run, settings, replicates=replicates)
    games = sum(map(count_games, files))
    tell_caveats(run.manifest)
    typer.echo(f"{games} games judged by {oracle}: {run.folder / FOLDER / oracle}")
    next_step(f"reefsim report {shlex.quote(str(run.folder))}")
