"""Run folders below a place, and what there is of each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reefsim.errors import ReefsimError, RunError
from reefsim.logs.lock import is_held
from reefsim.logs.manifest import NAME as MANIFEST
from reefsim.logs.read import Run

USUAL = ("*", "runs", "*/runs", "experiments/*/runs")  # where runs are, if nobody says


@dataclass(frozen=True)
class RunFolder:
    """A run folder.

    Attributes
    ----------
    folder, name : as it was found, and its own name
    state : complete, at work, interrupted, given up, lost games (a complete run that lacks some)
        or broken
    size : of all its files, in bytes
    game, config_hash : of its manifest; empty if it is broken
    games, planned, failed : finished games, those of the plan, those that were given up
    fault : why it is broken or was given up; else empty
    """

    folder: Path
    name: str
    state: str
    size: int
    game: str = ""
    config_hash: str = ""
    games: int | None = None
    planned: int | None = None
    failed: int | None = None
    fault: str = ""


def find_runs(place: Path | None = None) -> list[RunFolder]:
    """Describe the run folders below a place, by name.

    Parameters
    ----------
    place : None: the current folder and those in it that are usual (`USUAL`)

    Raises
    ------
    RunError : there is no such folder
    """
    if place is not None and not place.is_dir():
        raise RunError(f"{place}: there is no such folder.")
    found = _usual() if place is None else _below(place)
    return [_describe(folder) for folder in sorted(set(found))]


def _usual() -> Iterator[Path]:
    folders = [Path(), *(folder for pattern in USUAL for folder in Path().glob(pattern))]
    for folder in folders:
        if folder.is_dir() and not folder.name.startswith("."):
            yield from _below(folder) if folder.name == "runs" else filter(_is_run, [folder])


def _below(place: Path) -> Iterator[Path]:
    """Run folders in a tree, linked ones too; nothing is looked for inside of them."""
    for name, folders, _ in os.walk(place):
        if _is_run(Path(name)):
            folders.clear()
            yield Path(name)
        folders[:] = [folder for folder in folders if not folder.startswith(".")]
        links = filter(Path.is_symlink, (Path(name, folder) for folder in folders))
        yield from filter(_is_run, links)


def _is_run(folder: Path) -> bool:
    """Whether a folder is that of a run, or was: others have a manifest.json, too."""
    manifest = folder / MANIFEST
    try:
        if next(folder.glob("games/arm=*"), None) is not None:
            return True
        is_file = manifest.is_file()
        return is_file and (
            folder.resolve().parent.name == "runs" or b'"config_hash"' in manifest.read_bytes()
        )
    except OSError:
        return False


def _describe(folder: Path) -> RunFolder:
    name, size = folder.resolve().name, _size(folder)
    try:
        run = Run(folder)
        planned = sum(int(arm["games"]) for arm in run.manifest["arms"])
        missing, failed = run.num_missing, run.num_failed
    except (ReefsimError, OSError) as error:
        fault = str(error).removeprefix(f"{folder}: ").removeprefix(f"{folder}{os.sep}")
        return RunFolder(folder, name, "broken", size, fault=fault)
    failure = str((run.manifest.get("volatile") or {}).get("failure", ""))
    is_complete = bool(run.manifest["counts"].get("complete"))
    state = "complete"
    if is_held(folder):
        state = "at work"
    elif missing:
        state = "lost games" if is_complete else "given up" if failure else "interrupted"
    return RunFolder(
        folder,
        name,
        state,
        size,
        run.manifest["game"],
        run.manifest["config_hash"],
        planned - missing - failed,
        planned,
        failed,
        failure if missing else "",
    )


def _size(folder: Path) -> int:
    return sum(_size_of(path) for path in _files(folder))


def _files(folder: Path) -> Iterable[Path]:
    return (Path(name, file) for name, _, files in os.walk(folder) for file in files)


def _size_of(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:  # gone meanwhile
        return 0
