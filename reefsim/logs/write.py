"""Part files of a run: whole or absent, the same bytes whoever writes them.

The file of the table `games` is written last: readers count a part once that file is there. A
runner plays a part again that lacks the file of any table.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from reefsim.logs.files import unwritable, write_whole

_LEVEL = 1  # of zstd; 3 saves 2 % and costs 10 % of the time
_SORTED = ("ply",)  # increasing within a game: small differences


def part_path(folder: Path, table: str, arm: str, part: int) -> Path:
    """Where a part of a table of an arm is kept."""
    return folder / table / f"arm={arm}" / f"part-{part:05d}.parquet"


def write_part(folder: Path, arm: str, part: int, tables: Mapping[str, pa.Buffer]) -> None:
    """Write the tables of one part, `games` last.

    Parameters
    ----------
    folder : of the run
    arm : name of the arm
    part : number of the part
    tables : content of the file of each table
    """
    for name in sorted(tables, key=lambda name: name == "games"):
        write_whole(part_path(folder, name, arm, part), tables[name])


def write_table(path: Path, table: pa.Table) -> None:
    """Write a parquet file at once: readers see the whole file or none.

    Raises
    ------
    RunError : if the file cannot be written, as on a full disk
    """
    try:
        content = encode_table(table)
    except OSError as error:
        raise unwritable(path, error) from error
    write_whole(path, content)


def encode_table(table: pa.Table) -> pa.Buffer:
    """Content of the parquet file of a table."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, **options(table.schema))
    return sink.getvalue()


def options(schema: pa.Schema) -> dict[str, Any]:
    """How parquet files are written.

    Statistics are kept of `game_id` only, by which single games are found. Every page has a sum by
    which a damaged one is known.
    """
    sorted_columns = [name for name in _SORTED if name in schema.names]
    return {
        "compression": "zstd",
        "compression_level": _LEVEL,
        "use_dictionary": [name for name in _leaves(schema) if name not in sorted_columns],
        "column_encoding": dict.fromkeys(sorted_columns, "DELTA_BINARY_PACKED") or None,
        "write_statistics": ["game_id"],
        "write_page_checksum": True,
    }


def _leaves(schema: pa.Schema) -> list[str]:
    """Names of the columns as parquet counts them."""
    return [
        f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name
        for field in schema
    ]
