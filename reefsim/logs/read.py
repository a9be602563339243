"""Opening a run: its tables as data frames, its games as records."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from reefsim.core.json_text import parse_json
from reefsim.core.record import Record, make_header, read_record
from reefsim.errors import RunDamagedError, RunError
from reefsim.logs.encode import split_id
from reefsim.logs.files import arrow_place, find_place
from reefsim.logs.manifest import NAME as MANIFEST
from reefsim.logs.manifest import read_manifest
from reefsim.logs.mend import damaged, missing
from reefsim.logs.schema import FAILURES, TABLES, type_name
from reefsim.logs.stock import Stock, part_tables
from reefsim.logs.write import part_path

if TYPE_CHECKING:
    import pandas as pd

Part = tuple[str, int]  # arm and number
_FORMAT = ds.ParquetFileFormat(page_checksum_verification=True)


class Run:
    """A run folder, opened; tables are read when they are first asked for.

    Attributes
    ----------
    folder : pathlib.Path
    manifest : what was asked and how it was played (see `sim.plan`)
    arms : names of the arms, in the order of the plan
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = find_place(folder)
        self._stock = Stock(self.folder)
        self.manifest: dict[str, Any] = read_manifest(self.folder)
        self._arms: dict[str, dict[str, Any]] = {arm["name"]: arm for arm in self.manifest["arms"]}
        self.arms: tuple[str, ...] = tuple(self._arms)

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

    @cached_property
    def failures(self) -> pd.DataFrame:
        """One row per game that was given up, because a player or a rule failed in it."""
        return self.table(FAILURES)

    def parts(self, arms: Collection[str] | None = None) -> list[Part]:
        """List the complete parts, in order: arm and number of each, for `table`.

        Parameters
        ----------
        arms : those of which arms; None: all

        Raises
        ------
        RunError : if there is no such arm
        """
        for arm in arms or ():
            if arm not in self.arms:
                raise RunError(f"'{arm}' is not an arm. Arms: {', '.join(self.arms)}.")
        return [part for part in self._parts() if arms is None or part[0] in arms]

    def table(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        filters: Any = None,
        parts: Sequence[Part] | None = None,
    ) -> pd.DataFrame:
        """Read a table, or some of its columns and rows.

        Parameters
        ----------
        name : games, players, turns, events, timing or failures
        columns : which to read, `arm` among them if wanted; None: all
        filters : which rows: a pyarrow expression, or a list of (column, operator, value)
        parts : of which parts, as `parts` lists them; None: all

        Returns
        -------
        pandas.DataFrame, in the order of arms, replicates and rotations. Strings are categories;
        numbers that may be null have the types with a capital (Int8).

        Raises
        ------
        RunError : if there is no such table or column, or a file is missing or damaged
        """
        known = self._columns(name)
        wanted = list(known if columns is None else columns)
        for column in wanted:
            if column not in known:
                raise RunError(f"{name} has no column '{column}'. Columns: {', '.join(known)}.")
        if isinstance(filters, list):
            filters = pq.filters_to_expression(filters)
        found = self._read(name, self._parts(name) if parts is None else parts, wanted, filters)
        if found is None:
            import pandas as pd

            return pd.DataFrame(columns=wanted)
        return _frame(found)

    def arrow(self, name: str, parts: Sequence[Part]) -> pa.Table | None:
        """Parts of a table as they are in the files, in order; None if there are none.

        Raises
        ------
        RunError : as from `table`
        """
        return self._read(name, parts, self._columns(name)[1:], None)

    def record(self, game_id: int) -> Record:
        """Rebuild the record of a game from its events, or read it if it was kept as one.

        Raises
        ------
        RunError : if the run has no such game, or kept no events of it, or a file of it is missing
            or damaged
        """
        parts = [part for part in self._parts() if part == self.part_of(game_id)]

        def read(name: str) -> list[dict[str, Any]]:
            wanted = ds.field("game_id") == game_id
            found = self._read(name, parts, self._columns(name)[1:], wanted)
            return [] if found is None else list(found.to_pylist())

        games, players, events = map(read, ("games", "players", "events"))
        if not games:
            raise self.no_game(game_id)
        if not events:
            for row in self.manifest.get("replays") or ():
                if row["game_id"] == game_id:
                    return read_record(self.folder / row["file"])
            raise RunError(
                f"{self.folder}: the events of game {game_id} were not kept "
                "(save.events in the experiment)."
            )
        path = f"{self.folder}, game {game_id}"
        try:
            parse_json(games[0]["rules"])
        except (ValueError, RecursionError) as error:
            raise damaged(self._path("games", parts[0]), f"rules: {error}") from error
        return make_record(self.manifest, games[0], players, events, path)

    def _columns(self, name: str) -> list[str]:
        tables = self.manifest["columns"]
        if name not in tables:
            raise RunError(f"'{name}' is not a table. Tables: {', '.join(tables)}.")
        return ["arm", *tables[name]]

    def _parts(self, name: str = "games") -> list[Part]:
        """Parts of the plan that are complete, in order: their file of the table games is there.

        Those in which every game was given up have nothing in other tables than `failures`.
        """
        return [
            (arm, number)
            for arm in self.arms
            for number in self._stock.parts("games", arm)
            if self._num_planned((arm, number)) > 0
            and (name == FAILURES or self._num_games((arm, number)) > 0)
        ]

    def _num_planned(self, part: Part) -> int:
        """Games of a part by the plan; 0 or less of a part that is none."""
        arm, size = self._arms[part[0]], int(self.manifest["part_replicates"])
        replicates = int(arm["replicates"])
        seatings = int(arm["games"]) // replicates
        return min(size, replicates - part[1] * size) * seatings

    @property
    def num_failed(self) -> int:
        """Games that were given up."""
        return sum(map(self._num_failed, self._parts(FAILURES)))

    @property
    def num_missing(self) -> int:
        """Games of the plan that are not there, with all their tables."""
        missing = sum(int(arm["games"]) for arm in self._arms.values())
        for arm in self.arms:
            parts = [(arm, number) for number in self._stock.parts("games", arm)]
            missing -= sum(max(0, self._num_planned(part)) for part in parts if self.is_whole(part))
        return missing

    def is_whole(self, part: Part) -> bool:
        """Whether there is a file of every table of a part."""
        (arm, number), size = part, int(self.manifest["part_replicates"])
        replicates = min(size, int(self._arms[arm]["replicates"]) - number * size)
        share = self.manifest["experiment"]["events"]
        wanted = part_tables(share, number * size, max(0, replicates))
        return all(self._stock.get(table, arm, number) is not None for table in wanted)

    def check_design(self, parts: Sequence[Part]) -> None:
        """Check that games are of the design that the manifest describes.

        Raises
        ------
        RunDamagedError : if they are not
        RunError : if a file is damaged
        """
        found = self._read("games", parts, ["seed", "config_hash"], None, checked=False)
        if found is None:
            return
        for name in found.column_names:
            told = self.manifest[name]
            other = found.filter(pc.not_equal(found.column(name).cast(pa.string()), str(told)))
            if len(other):
                is_ = other.column(name)[0].as_py()
                raise RunDamagedError(
                    f"{self.folder}: the manifest and the games do not agree: {name} is {told} in "
                    f"{MANIFEST}, {is_} in games. One of them is of another run: put its own back, "
                    "or play anew into another folder ('out')."
                )

    def _num_failed(self, part: Part) -> int:
        """Games of a part that were given up."""
        holding = self._stock.get(FAILURES, *part)
        if holding is None:
            return 0
        system, path = arrow_place(holding.path)
        try:
            with system.open_input_file(path) as file:
                return int(pq.read_metadata(file).num_rows)
        except (pa.ArrowException, OSError) as error:
            raise damaged(holding.path, error) from error

    def _num_games(self, part: Part) -> int:
        """Games of a part that were played to an end."""
        return self._num_planned(part) - self._num_failed(part)

    def files(self, part: Part) -> list[Path]:
        """Where the tables of a part are, or would be."""
        return [self._path(table, part) for table in (*TABLES, FAILURES)]

    def _path(self, table: str, part: Part) -> Path:
        holding = self._stock.get(table, *part)
        return part_path(self.folder, table, *part) if holding is None else holding.path

    def part_of(self, game_id: int) -> Part:
        """The part in which a game is, if the run has it.

        Raises
        ------
        RunError : if no arm of the run has such a game
        """
        index, replicate, _ = split_id(game_id)
        if not 0 <= index < len(self.arms):
            raise self.no_game(game_id)
        return self.arms[index], replicate // int(self.manifest["part_replicates"])

    def no_game(self, game_id: int) -> RunError:
        """The error of a game that the run does not have."""
        find = f"reefsim replay {shlex.quote(str(self.folder))} --where 'plies > 0'"
        what = f"there is no game {game_id} in this run. Its games are listed by: {find}"
        return RunError(f"{self.folder}: {what}")

    def _read(
        self,
        name: str,
        parts: Sequence[Part],
        columns: list[str],
        filters: Any,
        checked: bool = True,
    ) -> pa.Table | None:
        """Read parts of a table; None if there are none.

        A file that cannot be read is looked for only after all of them together could not.
        """
        found = {part: self._stock.get(name, *part) for part in parts}
        absent = [part for part, holding in found.items() if holding is None]
        if absent and not self._may_lack(name):
            raise missing(self._lost(name, absent[0]))
        held: dict[Path, list[Part]] = {}
        for part, holding in found.items():
            if holding is not None:
                held.setdefault(holding.path, []).append(part)
        if not held:
            return None
        try:
            dataset = self._dataset(name, held)
            if checked:
                self._check(name, dataset, held)
            return dataset.to_table(columns=columns, filter=filters)
        except (pa.ArrowException, OSError) as error:
            for path, inside in held.items():
                self._check_file(name, path, inside, columns)
            raise RunError(f"{self.folder / name}: cannot be read: {_line(error)}") from error

    def _lost(self, name: str, part: Part) -> Path:
        """The file of a part that is not there: that of many, if those of other tables are such."""
        held = (self._stock.get(table, *part) for table in TABLES)
        many = next((h.path.name for h in held if h and h.group is not None), None)
        path = self._path(name, part)
        return path if many is None else path.with_name(many)

    def _may_lack(self, name: str) -> bool:
        """Whether parts may be without a file of this table."""
        return name == FAILURES or (name == "events" and self.manifest["experiment"]["events"] < 1)

    def _check(self, name: str, dataset: ds.Dataset, held: Mapping[Path, list[Part]]) -> None:
        """Check that files have the columns of the manifest and the rows of their games."""
        columns = self.manifest["columns"][name]
        rows = {"games": 1, "players": int(self.manifest["seats"])}.get(name)  # of a game
        good: pa.Schema | None = None  # as a rule that of all files
        for (path, parts), fragment in zip(held.items(), dataset.get_fragments(), strict=True):
            wanted = (rows or 0) * sum(map(self._num_games, parts))
            schema = fragment.physical_schema
            if schema != good and {c.name: type_name(c.type) for c in schema} != columns:
                what = "its columns are not those of the manifest"
            elif rows and (found := _num_rows(fragment)) != wanted:
                what = f"{found} rows, not {wanted}"
            else:
                good = schema
                continue
            raise damaged(path, what)

    def _check_file(self, name: str, path: Path, parts: list[Part], columns: list[str]) -> None:
        try:
            self._dataset(name, {path: parts}).to_table(columns=columns)
        except PermissionError as error:
            raise RunError(f"{path}: cannot be read: {error.strerror}.") from error
        except (pa.ArrowException, OSError) as error:
            raise damaged(path, error) from error

    def _dataset(self, name: str, held: Mapping[Path, list[Part]]) -> ds.Dataset:
        """Parts of a table, file by file; of files that hold many parts only those asked for."""
        arms = pa.schema([("arm", pa.dictionary(pa.int16(), pa.string()))])
        system, base = arrow_place(self.folder / name)
        dataset = ds.dataset(
            [arrow_place(path)[1] for path in held],
            filesystem=system,
            format=_FORMAT,
            partitioning=ds.partitioning(
                arms, flavor="hive", dictionaries={"arm": pa.array(self.arms)}
            ),
            partition_base_dir=base,
        )
        fragments = []
        for fragment, parts in zip(dataset.get_fragments(), held.values(), strict=True):
            groups = [holding.group for part in parts if (holding := self._stock.get(name, *part))]
            is_whole = None in groups
            fragments.append(fragment if is_whole else fragment.subset(row_group_ids=groups))
        return ds.FileSystemDataset(fragments, dataset.schema, _FORMAT, system)


def _num_rows(fragment: ds.ParquetFileFragment) -> int:
    """Rows of a fragment; `count_rows` counts the whole file where it is a part of one."""
    return sum(group.num_rows for group in fragment.row_groups)


def failure_kinds(path: Path) -> list[str]:
    """What failed in each game of a file of failures.

    Raises
    ------
    RunError : if it is damaged
    """
    system, name = arrow_place(path)
    try:
        kinds = pq.read_table(name, columns=["kind"], filesystem=system, partitioning=None)
        return [str(kind) for kind in kinds.column("kind").to_pylist()]
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, error) from error


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open a run folder.

    Raises
    ------
    RunDamagedError : if its first games are not those of its manifest
    RunError : if it is none, or its manifest or its first games are damaged
    """
    run = Run(folder)
    run.check_design(run.parts()[:1])
    return run


def make_record(
    manifest: Mapping[str, Any],
    game: Mapping[str, Any],
    players: Sequence[Mapping[str, Any]],
    events: Sequence[Mapping[str, Any]],
    path: str = "",
) -> Record:
    """Make the record of a game from its rows.

    Parameters
    ----------
    manifest : of its run
    game, players, events : rows of the tables, nulls included
    path : how messages name the record
    """
    header = make_header(
        manifest["game"],
        game["players"],
        parse_json(game["rules"]),
        game["agents"],
        game["seed"],
    )
    header |= manifest["arms"][split_id(game["game_id"])[0]].get("header", {})
    results = [
        {"result": True}
        | {name: row[name] for name in manifest["result_columns"] if row[name] is not None}
        for row in players
    ]
    rows = [{k: v for k, v in row.items() if v is not None and k != "game_id"} for row in events]
    return Record(header, rows, results, path=path)


def _line(error: Exception) -> str:
    """What pyarrow says, without the name it knows the file by."""
    what = str(error).partition("\n")[0].rpartition("': ")[2].rstrip(".")
    return f"{what}."


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
