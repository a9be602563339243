"""The manifest of a run: what was asked, how it was played, with what, and how much there is.

`manifest.json` stands at the top of a run folder. Two runs of one design differ in the entry
`volatile` only: times, machine, workers.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reefsim.errors import RunError

NAME = "manifest.json"
FORMAT = 1  # raised when the layout of run folders changes
_PACKAGES = ("reefsim", "numpy", "numba", "pyarrow")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a run folder.

    Raises
    ------
    RunError : if there is no such folder, or it holds no run that this version can read
    """
    path = folder / NAME
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "there is no such folder" if not folder.exists() else f"there is no {NAME} in it"
        raise RunError(f"{folder}: not the folder of a run: {what}.") from None
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise RunError(f"{path}: damaged: {error}.") from error
    version = content.get("format") if isinstance(content, dict) else None
    if version != FORMAT:
        raise RunError(f"{path}: run format {version}; this reefsim reads {FORMAT}.")
    return dict(content)


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Write the manifest at once: readers see the old one or the new one, whole.

    Raises
    ------
    RunError : if it cannot be written
    """
    draft = folder / f".{NAME}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"format": FORMAT, **content}, indent=2, ensure_ascii=False)
        draft.write_text(text + "\n", encoding="utf-8")
        draft.replace(folder / NAME)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise RunError(f"{folder / NAME}: cannot be written: {why}.") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that may decide what a run holds."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "unknown"
    return found


def first_difference(
    old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...] = ()
) -> tuple[str, Any, Any] | None:
    """Find the first entry in which two nested maps differ.

    Returns
    -------
    dotted path, old and new value (None where the entry is absent); None if they are equal
    """
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        here = (*path, str(name))
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            return first_difference(before, after, here)
        return ".".join(here), before, after
    return None
