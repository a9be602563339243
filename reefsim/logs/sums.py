"""Sums of the files of a run, by which damage is found.

`SHA256SUMS` at the top of a run folder lists the files of its tables as `sha256sum` does, which can
check them, too. Its own sum stands in the manifest. Two runs with the same games have the same
sums; the table `timing` has none, because no two runs take the same time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from reefsim.errors import RunError
from reefsim.logs.files import is_local, write_whole
from reefsim.logs.manifest import NAME as MANIFEST
from reefsim.logs.manifest import read_manifest, write_manifest
from reefsim.logs.mend import damaged, missing
from reefsim.logs.read import Run
from reefsim.logs.schema import FAILURES, TABLES

NAME = "SHA256SUMS"
_TABLES = (*(table for table in TABLES if table != "timing"), FAILURES)
_BLOCK = 1 << 20
_MAX_BYTES = 1 << 30
_AT_ONCE = 1000  # parts whose games are looked at together
_OTHER = "its sum is not the one it was written with"


def keep_sums(folder: Path) -> None:
    """Write the sums of a complete run, unless they are there.

    Raises
    ------
    RunError : if a file cannot be read, or the sums not written
    """
    manifest = read_manifest(folder)
    if "checksums" not in manifest:
        write_sums(folder, manifest)


def check_whole(folder: Path) -> None:
    """Check what there is of a run before more is played into it; nothing if there is no run.

    Raises
    ------
    RunDamagedError : if games are not those of its manifest
    RunError : if a file cannot be read, or is not the one that was written
    """
    if not (folder / MANIFEST).exists():
        return
    run = Run(folder)
    parts = run.parts()
    for first in range(0, len(parts), _AT_ONCE):
        run.check_design(parts[first : first + _AT_ONCE])
    sums: dict[str, str] = {}
    with suppress(RunError):  # a run without its list can still be completed
        sums = read_sums(folder, str(run.manifest.get("checksums")))
    for name in sorted(set(_names(folder)) & set(sums)):
        if _sum(folder / name) != sums[name]:
            raise damaged(folder / name, _OTHER)


def write_sums(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the sums of the files that are there now, and name them in the manifest."""
    lines = [f"{_sum(folder / name)}  {name}\n" for name in _names(folder)]
    content = "".join(lines).encode()
    write_whole(folder / NAME, content)
    kept = {name: value for name, value in manifest.items() if name != "format"}
    write_manifest(folder, kept | {"checksums": hashlib.sha256(content).hexdigest()})


def read_sums(folder: Path, wanted: str) -> dict[str, str]:
    """Read the sums of a run, by file.

    Parameters
    ----------
    wanted : sum of the list itself, as it stands in the manifest

    Raises
    ------
    RunError : if the list is missing, or not the one that was written
    """
    path = folder / NAME
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES)
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}.") from error
    if hashlib.sha256(content).hexdigest() != wanted:
        raise RunError(f"{path}: damaged: it is not the list that the manifest was written with.")
    rows = (line.split("  ", 1) for line in content.decode().splitlines())
    return {name: found for found, name in rows}


def wrong_files(folder: Path, sums: dict[str, str]) -> Iterator[tuple[Path, str]]:
    """Check all files against their sums; tell in a line what is wrong with one."""
    there = set(_names(folder))
    for name in sorted(there | set(sums)):
        path = folder / name
        if name not in there:
            yield path, str(missing(path))
        elif name not in sums:
            yield path, f"{path}: not in the list of files ({NAME}). Remove it."
        elif _sum(path) != sums[name]:
            yield path, str(damaged(path, _OTHER))


def _names(folder: Path) -> Iterator[str]:
    """Files of the tables, relative to the folder, in order."""
    for table in _TABLES:
        arms = sorted((folder / table).iterdir()) if (folder / table).is_dir() else []
        for arm in arms:
            if not arm.name.startswith("arm=") or not arm.is_dir():
                continue
            for name in sorted(path.name for path in arm.iterdir()):
                if name.endswith(".parquet") and not name.startswith("."):
                    yield f"{table}/{arm.name}/{name}"


def _sum(path: Path) -> str:
    try:
        with path.open("rb") as file:
            if is_local(path):
                return hashlib.file_digest(file, "sha256").hexdigest()
            found = hashlib.sha256()
            while block := file.read(_BLOCK):
                found.update(block)
            return found.hexdigest()
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}.") from error
