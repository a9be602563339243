"""Opening a run: its tables as data frames, its games as records."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from reefsim.core.record import Record, make_header
from reefsim.errors import RunError
from reefsim.logs.encode import ARM_FACTOR, REPLICATE_FACTOR
from reefsim.logs.manifest import read_manifest
from reefsim.logs.write import part_path

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """A run folder, opened; tables are read when they are first asked for.

    Attributes
    ----------
    folder : pathlib.Path
    manifest : what was asked and how it was played (see `sim.plan`)
    arms : names of the arms, in the order of the plan
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.manifest: dict[str, Any] = read_manifest(self.folder)
        self.arms: tuple[str, ...] = tuple(arm["name"] for arm in self.manifest["arms"])

    def __repr__(self) -> str:
        counts = self.manifest["counts"]
        return f"<Run {self.folder}: {counts['games']} of {counts['planned']} games>"

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row per game."""
        return self.table("games")

    @cached_property
    def players(self) -> pd.DataFrame:
        """One row per game and seat."""
        return self.table("players")

    @cached_property
    def turns(self) -> pd.DataFrame:
        """One row per player turn."""
        return self.table("turns")

    @cached_property
    def events(self) -> pd.DataFrame:
        """One row per event of the games whose events were kept; large."""
        return self.table("events")

    @cached_property
    def timing(self) -> pd.DataFrame:
        """One row per piece of work: when it was played, and how long it took."""
        return self.table("timing")

    def table(
        self, name: str, columns: Sequence[str] | None = None, filters: Any = None
    ) -> pd.DataFrame:
        """Read a table, or some of its columns and rows.

        Parameters
        ----------
        name : games, players, turns, events or timing
        columns : which to read, `arm` among them if wanted; None: all
        filters : which rows: a pyarrow expression, or a list of (column, operator, value)

        Returns
        -------
        pandas.DataFrame, in the order of arms, replicates and rotations. Strings are categories;
        numbers that may be null have the types with a capital (Int8).

        Raises
        ------
        RunError : if there is no such table or column
        """
        known = self._columns(name)
        wanted = list(known if columns is None else columns)
        for column in wanted:
            if column not in known:
                raise RunError(f"{name} has no column '{column}'. Columns: {', '.join(known)}.")
        paths = [
            path for arm, part in self._parts() if (path := self._path(name, arm, part)).exists()
        ]
        if not paths:
            import pandas as pd

            return pd.DataFrame(columns=wanted)
        if isinstance(filters, list):
            filters = pq.filters_to_expression(filters)
        return _frame(self._dataset(name, paths).to_table(columns=wanted, filter=filters))

    def record(self, game_id: int) -> Record:
        """Rebuild the record of a game from its events.

        Raises
        ------
        RunError : if the run has no such game, or kept no events of it
        """
        arm, part = self._place(game_id)
        read = {
            name: pq.read_table(path, filters=[("game_id", "=", game_id)], partitioning=None)
            for name in ("games", "players", "events")
            if (path := self._path(name, arm, part)).exists()
        }
        if "games" not in read or not len(read["games"]):
            raise RunError(f"{self.folder}: there is no game {game_id} in this run.")
        if "events" not in read or not len(read["events"]):
            raise RunError(
                f"{self.folder}: the events of game {game_id} were not kept "
                "(save.events in the experiment)."
            )
        game = read["games"].to_pylist()[0]
        header = make_header(
            self.manifest["game"],
            game["players"],
            json.loads(game["rules"]),
            game["agents"],
            game["seed"],
        )
        results = [
            {"result": True} | {name: row[name] for name in self.manifest["result_columns"]}
            for row in read["players"].to_pylist()
        ]
        rows = [
            {k: v for k, v in row.items() if v is not None and k != "game_id"}
            for row in read["events"].to_pylist()
        ]
        return Record(header, rows, results, path=f"{self.folder}, game {game_id}")

    def _columns(self, name: str) -> list[str]:
        tables = self.manifest["columns"]
        if name not in tables:
            raise RunError(f"'{name}' is not a table. Tables: {', '.join(tables)}.")
        return ["arm", *tables[name]]

    def _parts(self) -> list[tuple[str, int]]:
        """Parts that are complete, in order: those whose file of the table games is there."""
        found = []
        for arm in self.arms:
            files = self._path("games", arm, 0).parent.glob("part-*.parquet")
            found += [(arm, number) for number in sorted(int(file.stem[5:]) for file in files)]
        return found

    def _path(self, table: str, arm: str, part: int) -> Path:
        return part_path(self.folder, table, arm, part)

    def _place(self, game_id: int) -> tuple[str, int]:
        index, rest = divmod(game_id, ARM_FACTOR)
        if not 0 <= index < len(self.arms):
            raise RunError(f"{self.folder}: there is no game {game_id} in this run.")
        return self.arms[index], rest // REPLICATE_FACTOR // int(self.manifest["part_replicates"])

    def _dataset(self, name: str, paths: Sequence[Path]) -> ds.Dataset:
        arms = pa.schema([("arm", pa.dictionary(pa.int16(), pa.string()))])
        return ds.dataset(
            [str(path) for path in paths],
            format="parquet",
            partitioning=ds.partitioning(
                arms, flavor="hive", dictionaries={"arm": pa.array(self.arms)}
            ),
            partition_base_dir=str(self.folder / name),
        )


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open a run folder.

    Raises
    ------
    RunError : if it is none
    """
    return Run(folder)


def _frame(table: pa.Table) -> pd.DataFrame:
    """A data frame with a type for each column that does not depend on the rows in it."""
    import pandas as pd

    nullable = {
        pa.int8(): pd.Int8Dtype(),
        pa.int16(): pd.Int16Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    series = {}
    for field in table.schema:
        column = table.column(field.name)
        if pa.types.is_dictionary(field.type):
            column = column.unify_dictionaries()
        series[field.name] = column.to_pandas(types_mapper=nullable.get if field.nullable else None)
    return pd.DataFrame(series, copy=False)
