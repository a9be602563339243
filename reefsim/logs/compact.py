"""Putting the many small part files of a finished run into few large ones.

Each part stays a row group of its own, so that everything that reads parts, and a run that lacks
some, finds them as before.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from reefsim.errors import RunError
from reefsim.logs.files import draft_of, is_local, remove_drafts, unwritable
from reefsim.logs.lock import locked
from reefsim.logs.manifest import read_manifest
from reefsim.logs.mend import damaged, resume_command
from reefsim.logs.read import Run
from reefsim.logs.schema import TABLES
from reefsim.logs.stock import PARTS_KEY, Stock, compact_path, is_compact, parts_in
from reefsim.logs.sums import write_sums
from reefsim.logs.write import options, part_path

PARTS = 100  # of a file at most; who reads one of them reads the list of all


def compact_run(folder: Path) -> tuple[int, int]:
    """Put the parts of a complete run into few files.

    A crash on the way leaves a run that can be read, and compacted again.

    Returns
    -------
    number of files before and after

    Raises
    ------
    RunError : if the run is not complete or another process is at work in it, or a file is damaged
        or cannot be written
    """
    if not is_local(folder):
        raise RunError(f"{folder}: only a folder of this machine can be compacted.")
    manifest = read_manifest(folder)
    with locked(folder):
        if not manifest["counts"].get("complete") or Run(folder).num_missing:
            what = "not complete; only a complete run is compacted."
            raise RunError(f"{folder}: {what} Go on with: {resume_command(folder)}")
        remove_drafts(folder)
        before = _count(folder)
        drop_doubles(folder)
        for table in TABLES:
            for arm in manifest["arms"]:
                _compact(folder, table, arm["name"])
        write_sums(folder, manifest)
        return before, _count(folder)


def _count(folder: Path) -> int:
    return sum(1 for _ in folder.glob("*/arm=*/part*.parquet"))


def drop_doubles(folder: Path) -> None:
    """Remove the files of parts that a file of many holds, too.

    They are left by a crash while a run was compacted, or written when a compact run lost one of
    its tables and its games were played again. Readers that know nothing of reefsim would count
    their rows twice.
    """
    if not is_local(folder):
        return
    for many in sorted(folder.glob("*/arm=*/parts-*.parquet")):
        if is_compact(many):
            table, arm = many.parts[-3], many.parts[-2].removeprefix("arm=")
            for number in parts_in(many):
                part_path(folder, table, arm, number).unlink(missing_ok=True)


def _compact(folder: Path, table: str, arm: str) -> None:
    held = Stock(folder).parts(table, arm)
    # a part without rows cannot be a row group
    singles = [n for n, held_at in held.items() if held_at.group is None and _rows(held_at.path)]
    if len(singles) > 1:
        for first in range(0, len(singles), PARTS):
            numbers = singles[first : first + PARTS]
            _join(compact_path(folder, table, arm, numbers), [(n, held[n].path) for n in numbers])


def _join(path: Path, parts: Iterable[tuple[int, Path]]) -> None:
    """Write parts into one file, then remove theirs."""
    parts = list(parts)
    draft = draft_of(path)
    try:
        schema = _read(parts[0][1]).schema
        with (
            draft.open("wb") as file,
            pq.ParquetWriter(file, schema, **options(schema)) as writer,
        ):
            for _, part in parts:
                table = _read(part)
                writer.write_table(table, row_group_size=max(1, len(table)))
            numbers = json.dumps([number for number, _ in parts])
            writer.add_key_value_metadata({PARTS_KEY: numbers.encode()})
        with draft.open("rb+") as written:
            os.fsync(written.fileno())
        draft.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    for _, part in parts:
        part.unlink()


def _rows(path: Path) -> int:
    try:
        return int(pq.read_metadata(path).num_rows)
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, error) from error


def _read(path: Path) -> pa.Table:
    try:
        return pq.read_table(path, partitioning=None, page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, error) from error
