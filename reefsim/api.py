"""Playing and opening runs from Python, as in a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pandas as pd

from reefsim.cli.screen import progress
from reefsim.logs.read import Run, open_run
from reefsim.sim.design import Experiment
from reefsim.sim.runner import run as play
from reefsim.stats.seats import seat_shares as find_seat_shares
from reefsim.stats.verdict import MARGIN_PP


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


def seat_shares(
    run: Run, by: Sequence[str] = ("arm",), margin_pp: float | None = None
) -> pd.DataFrame:
    """Win share of every seat, with interval and verdict.

    Parameters
    ----------
    run : an open run
    by : columns of `run.games` that make the groups, such as ["ruleset", "lineup"]
    margin_pp : largest difference from 1/seats that would still be fair, in percentage points;
        None: that of the experiment, or 2

    Returns
    -------
    pandas.DataFrame, one row per group and seat: seat, games, replicates, share, low, high, fair,
    verdict and more, as from `reefsim.stats.seat_shares`
    """
    if margin_pp is None:
        primary = (run.manifest["experiment"].get("outcomes") or {}).get("primary") or {}
        margin_pp = (primary.get("first_seat_share") or {}).get("margin_pp") or MARGIN_PP
    return find_seat_shares(run.games, run.players, tuple(by), margin_pp)
