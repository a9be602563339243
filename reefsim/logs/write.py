"""Part files of a run: whole or absent, the same bytes whoever writes them.

A file is written under a temporary name beside its place and then moved there, so that what stands
in a run folder is complete. The file of the table `games` is moved last: readers count a part once
that file is there. A runner plays a part again that lacks the file of any table.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.fs import LocalFileSystem

from reefsim.errors import RunError

_LEVEL = 1  # of zstd; 3 saves 2 % and costs 10 % of the time
LOCAL = LocalFileSystem()  # else pyarrow takes some names of folders for addresses
_SORTED = ("ply",)  # increasing within a game: small differences


def part_path(folder: Path, table: str, arm: str, part: int) -> Path:
    """Where a part of a table of an arm is kept."""
    return folder / table / f"arm={arm}" / f"part-{part:05d}.parquet"


def part_number(path: Path) -> int | None:
    """Number of a part from the path of one of its files; None if it is no such path."""
    found = re.fullmatch(r"part-([0-9]{5}|[1-9][0-9]{5,8})\.parquet", path.name)
    return int(found[1]) if found else None


def write_part(folder: Path, arm: str, part: int, tables: Mapping[str, pa.Table]) -> None:
    """Write the tables of one part, `games` last.

    Parameters
    ----------
    folder : of the run
    arm : name of the arm
    part : number of the part
    tables : table by name
    """
    for name in sorted(tables, key=lambda name: name == "games"):
        write_table(part_path(folder, name, arm, part), tables[name])


def write_table(path: Path, table: pa.Table) -> None:
    """Write a parquet file at once: readers see the whole file or none.

    Statistics are kept of `game_id` only, by which single games are found.

    Raises
    ------
    RunError : if the file cannot be written, as on a full disk
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
    sorted_columns = [name for name in _SORTED if name in table.column_names]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(
            table,
            str(draft.absolute()),
            filesystem=LOCAL,
            compression="zstd",
            compression_level=_LEVEL,
            use_dictionary=[name for name in _leaves(table.schema) if name not in sorted_columns],
            column_encoding=dict.fromkeys(sorted_columns, "DELTA_BINARY_PACKED") or None,
            write_statistics=["game_id"],
        )
        draft.replace(path)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise RunError(f"{path}: cannot be written: {why}.") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _leaves(schema: pa.Schema) -> list[str]:
    """Names of the columns as parquet counts them."""
    return [
        f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name
        for field in schema
    ]
