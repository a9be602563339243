"""From games to replicates: the step before every interval.

Rotations of a replicate share its shuffle, so they are no independent games. They are averaged
first, and what goes into an interval is one value per replicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from reefsim.stats.checks import FloatArray
from reefsim.stats.intervals import Estimate


def with_games(
    players: pd.DataFrame, games: pd.DataFrame, columns: Sequence[str], of_players: Sequence[str]
) -> pd.DataFrame:
    """Rows of `players` with columns of their game.

    Parameters
    ----------
    players, games : tables of a run, or subsets of them
    columns : columns to take from `games` (by game_id)
    of_players : columns to keep of `players`

    Returns
    -------
    pandas.DataFrame
        One row per game and seat, in the order of `players`; players of other games are left out.

    Raises
    ------
    ValueError
        If a game_id stands twice in `games`.
    """
    ids = pd.Index(games["game_id"])
    if not ids.is_unique:
        raise ValueError(f"{ids.duplicated().sum()} games are in the table of games twice")
    place = ids.get_indexer(pd.Index(players["game_id"]))
    frame = players.loc[place >= 0, list(of_players)].reset_index(drop=True)
    of_games = games[list(columns)].take(place[place >= 0]).reset_index(drop=True)
    joined: pd.DataFrame = pd.concat([of_games, frame], axis=1)
    return joined


class Cell(NamedTuple):
    """The estimate of one group, with the group's keys and the rows behind it."""

    key: dict[str, Any]
    rows: int
    estimate: Estimate

    def row(self, value: str, **more: object) -> dict[str, Any]:
        """Row of a table: the keys, the estimate (its value under the name `value`), and more."""
        return {
            **self.key,
            "games": self.rows,
            value: self.estimate.value,
            **self.estimate.row(),
            **more,
        }


def estimate_by(
    frame: pd.DataFrame,
    value: str,
    by: Sequence[str],
    interval: Callable[[FloatArray, int], Estimate],
) -> Iterator[Cell]:
    """One estimate per group, from the mean of each of its replicates.

    Parameters
    ----------
    frame : table with `value`, `replicate` and the columns of `by`
    value : column to average, first within replicates
    by : columns that make the groups
    interval : makes an estimate from the replicate means and the number of rows behind them

    Yields
    ------
    Cell
        In order of appearance.
    """
    # unused categories (an arm left out by a filter) are no group
    by_replicate = frame.groupby([*by, "replicate"], observed=True, sort=False)
    means = by_replicate[value].agg(["mean", "size"]).reset_index()
    for key, cell in means.groupby(list(by), observed=True, sort=False):
        rows = int(cell["size"].sum())
        estimate = interval(cell["mean"].to_numpy(float), rows)
        yield Cell(dict(zip(by, key, strict=True)), rows, estimate)


def win_shares(win_share: pd.Series[float]) -> FloatArray:
    """Win shares 1/k in double precision; logs keep them in single precision.

    Parameters
    ----------
    win_share : column of `players`: 1/k for each of the k winners, else 0

    Returns
    -------
    float array, shape (rows,)
    """
    logged = win_share.to_numpy(np.float64)
    winners = np.round(np.divide(1.0, logged, out=np.full_like(logged, np.inf), where=logged > 0))
    return np.where(np.isnan(logged), np.nan, 1.0 / winners)
