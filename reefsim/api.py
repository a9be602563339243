"""Playing and opening runs from Python, as in a notebook."""

from __future__ import annotations

import os
from typing import Any

from reefsim.cli.screen import progress
from reefsim.logs.read import Run, open_run
from reefsim.sim.design import Experiment
from reefsim.sim.runner import run as play


def run(source: Experiment | str | os.PathLike[str], *, quiet: bool = False, **options: Any) -> Run:
    """Play an experiment, or what its run folder lacks of it, and open the run.

    Parameters
    ----------
    source : an experiment, or its file
    quiet : show no progress
    options : seed, workers, backend, chunk, out; take the place of what the file says

    Raises
    ------
    ConfigError : with every mistake in the file
    RunError : the run folder holds something else
    """
    return open_run(play(source, progress=progress(quiet), **options))


def open(folder: str | os.PathLike[str]) -> Run:
    """Open a run folder.

    Raises
    ------
    RunError : if it is none
    """
    return open_run(folder)
