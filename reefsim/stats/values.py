"""Metrics of a run as one value per replicate and arm: what every interval is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd

from reefsim.core.metric import Metric
from reefsim.metrics.catalog import known
from reefsim.metrics.values import values_of
from reefsim.stats.checks import BoolArray, FloatArray, floats
from reefsim.stats.replicates import replicate_means

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

    def has(self, name: str) -> bool:
        """Whether a metric is among them."""
        return name in self.games or name in self.seats

    def of(self, asked: Asked) -> Means:
        """Replicate means of what is asked for; undefined values are left out."""
        table, place = self._table(asked), self._place(asked)
        column = table.loc[place, asked.metric.name]
        if asked.metric.kind == "category":
            column = (column == asked.value).astype(float).where(column.notna())
        values = floats(column)
        means = replicate_means(values, table["replicate"].to_numpy()[place])
        return Means(means, int((~np.isnan(values)).sum()), self.seatings.get(asked.arm, 1))

    def rows(self, asked: Asked) -> pd.DataFrame:
        """Rows of the arm, and of the seat if one is asked for."""
        return self._table(asked)[self._place(asked)]

    def _table(self, asked: Asked) -> pd.DataFrame:
        return self.games if asked.metric.per == "game" else self.seats

    def _place(self, asked: Asked) -> BoolArray:
        table = self._table(asked)
        place = np.asarray(table["arm"] == asked.arm)
        if asked.metric.per == "seat" and asked.seat is not None:
            place = place & np.asarray(table["seat"] == asked.seat)
        return place


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
    tables = values_of(run, [metrics[name] for name in names], arms=arms)
    games, seats = (_common(table, arms) for table in tables)
    categories = {
        name: sorted(games[name].dropna().astype(str).unique())
        for name in names
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


def _seatings(arm: dict[str, Any]) -> int:
    return max(1, round(int(arm["games"]) / int(arm["replicates"])))


def _common(table: pd.DataFrame, arms: Sequence[str] | None) -> pd.DataFrame:
    """Rows of replicates that all arms have."""
    if not len(table):
        return table
    wanted = table["arm"].cat.categories if arms is None else table["arm"].unique()
    if len(wanted) == 1:
        return table
    found = [np.unique(table.loc[table["arm"] == arm, "replicate"]) for arm in wanted]
    common = reduce(np.intersect1d, found)
    if all(len(replicates) == len(common) for replicates in found):
        return table
    return table[table["replicate"].isin(common)].reset_index(drop=True)
