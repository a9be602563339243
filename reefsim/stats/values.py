"""Metrics of a run as one value per replicate and arm: what every interval is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import pandas as pd

from reefsim.core.metric import Metric
from reefsim.metrics.catalog import known
from reefsim.metrics.values import game_values, seat_values
from reefsim.stats.checks import FloatArray, floats

if TYPE_CHECKING:
    from reefsim.metrics.values import Source


class Asked(Protocol):
    """What is asked for: a metric of an arm, of one seat, or one value of a category."""

    @property
    def metric(self) -> Metric:
        """The metric."""

    @property
    def arm(self) -> str:
        """The arm."""

    @property
    def seat(self) -> int | None:
        """Seat of metrics with one value per seat; None: the mean over seats."""

    @property
    def value(self) -> str:
        """Value of a category whose share is wanted."""


@dataclass(frozen=True)
class Means:
    """Mean of each replicate, indexed by replicate and in its order, and the games behind them."""

    series: pd.Series[float]
    games: int
    seatings: int

    @property
    def means(self) -> FloatArray:
        """The means alone, shape (replicates,)."""
        return floats(self.series)


@dataclass(frozen=True)
class ReplicateValues:
    """Values of metrics, read once."""

    games: pd.DataFrame
    seats: pd.DataFrame
    seatings: dict[str, int]
    categories: dict[str, list[str]] = field(default_factory=dict)

    def of(self, asked: Asked) -> Means:
        """Replicate means of what is asked for; undefined values are left out."""
        rows = self.rows(asked)
        column = rows[asked.metric.name]
        if asked.metric.kind == "category":
            column = (column == asked.value).astype(float)[column.notna()]
        values = column.astype(float).dropna()
        means = values.groupby(rows.loc[values.index, "replicate"], sort=True).mean()
        return Means(means, len(values), self.seatings.get(asked.arm, 1))

    def rows(self, asked: Asked) -> pd.DataFrame:
        """Rows of the arm, and of the seat if one is asked for."""
        if asked.metric.per == "game":
            return self.games[self.games["arm"] == asked.arm]
        rows = self.seats[self.seats["arm"] == asked.arm]
        return rows if asked.seat is None else rows[rows["seat"] == asked.seat]


def read_values(
    run: Source, names: Sequence[str], arms: Sequence[str] | None = None
) -> ReplicateValues:
    """Read metrics of a run.

    Parameters
    ----------
    run : an open run, finished or going on
    names : metrics of its game, with a value per game or per seat
    arms : which; None: all

    Returns
    -------
    ReplicateValues, of the replicates that every arm has
    """
    metrics = known(run.manifest["game"])
    of_games = [name for name in names if metrics[name].per == "game"]
    of_seats = [name for name in names if metrics[name].per == "seat"]
    games = _common(game_values(run, of_games, arms=arms), arms)
    seats = _common(seat_values(run, of_seats, arms=arms), arms) if of_seats else _NO_SEATS
    categories = {
        name: sorted(games[name].dropna().astype(str).unique())
        for name in of_games
        if metrics[name].kind == "category"
    }
    seatings = {arm["name"]: _seatings(arm) for arm in run.manifest["arms"]}
    return ReplicateValues(games, seats, seatings, categories)


class UpTo:
    """The first replicates of a run, as if it held no others.

    Parameters
    ----------
    run : an open run
    replicates : how many of every arm; parts are whole, so they must end there
    """

    def __init__(self, run: Source, replicates: int) -> None:
        self.manifest, self.folder = run.manifest, run.folder
        self._run, self._replicates = run, replicates

    def parts(self, arms: Sequence[str] | None = None) -> Sequence[tuple[str, int]]:
        """List arm and number of the complete parts among the first replicates."""
        size = int(self.manifest["part_replicates"])
        return [part for part in self._run.parts(arms) if part[1] * size < self._replicates]

    def table(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        filters: Any = None,
        parts: Sequence[tuple[str, int]] | None = None,
    ) -> pd.DataFrame:
        """Read columns and rows of some parts of a table."""
        wanted = self.parts() if parts is None else parts
        return self._run.table(name, columns, filters, wanted)


_NO_SEATS = pd.DataFrame(columns=["arm", "seat", "agent", "replicate"])


def _seatings(arm: dict[str, Any]) -> int:
    return max(1, round(int(arm["games"]) / int(arm["replicates"])))


def _common(table: pd.DataFrame, arms: Sequence[str] | None) -> pd.DataFrame:
    """Rows of replicates that all arms have."""
    if not len(table):
        return table
    by_arm = table.groupby("arm", observed=arms is not None)["replicate"].unique()
    common = set.intersection(*(set(found) for found in by_arm))
    return table[table["replicate"].isin(common)].reset_index(drop=True)
