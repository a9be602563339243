"""From games to replicates: the step before every interval.

Rotations of a replicate share its shuffle, so they are no independent games. They are averaged
first, and what goes into an interval is one value per replicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from reefsim.stats.checks import FloatArray, floats, numbers

if TYPE_CHECKING:
    from reefsim.stats.intervals import Estimate


def replicate_means(values: Any, replicates: Any) -> pd.Series[float]:
    """Mean of each replicate.

    Parameters
    ----------
    values : shape (rows,), any unit; undefined ones (NaN) are left out
    replicates : replicate of each row; they need not be sorted

    Returns
    -------
    pandas.Series
        Indexed by replicate and in its order, without those that have no value.
    """
    x, r = floats(values), np.asarray(replicates)
    known = ~np.isnan(x)
    if not known.all():
        x, r = x[known], r[known]
    if (r[1:] < r[:-1]).any():  # logs are in order, and may be large
        order = np.argsort(r, kind="stable")
        x, r = x[order], r[order]
    starts = np.flatnonzero(np.append(True, r[1:] != r[:-1])[: len(r)])
    if len(starts) < len(x):
        x = np.add.reduceat(x, starts) / np.diff(starts, append=len(x))
    return pd.Series(x, index=pd.Index(r[starts], name="replicate"))


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

    Raises
    ------
    ValueError
        If a value is missing; the message counts them.
    """
    # unused categories (an arm left out by a filter) are no group
    for key, cell in frame.groupby(list(by), observed=True, sort=False)[[value, "replicate"]]:
        means = replicate_means(numbers(value, cell[value]), cell["replicate"])
        estimate = interval(floats(means), len(cell))
        yield Cell(dict(zip(by, key, strict=True)), len(cell), estimate)
