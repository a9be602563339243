"""How the games of an experiment are played, from its file and from the command line."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from reefsim.core.allowed import Allowed
from reefsim.core.wording import sentences
from reefsim.errors import Problem
from reefsim.sim import schema
from reefsim.sim.checks import Checker

# What the command line may set instead of the file.
_OPTIONS: dict[str, Allowed] = {
    "seed": schema.SEED,
    "workers": schema.WORKERS,
    "backend": schema.BACKEND,
    "chunk": schema.CHUNK,
    "out": schema.OUT,
}


@dataclass(frozen=True)
class RunOptions:
    """How the games are played; nothing here changes a result. None: chosen automatically."""

    workers: int | None
    backend: str
    chunk: int | None
    out: Path


def read_options(check: Checker, options: Mapping[str, Any]) -> dict[str, Any]:
    """Check what the command line gives instead of the file; None stands for not given."""
    found = {}
    for name, option in options.items():
        if option is None:
            continue
        value = str(option) if isinstance(option, PurePath) else option
        if name != "out" and isinstance(value, str) and re.fullmatch(r"-?\d{1,19}", value):
            value = int(value)
        for _, what, advice in _OPTIONS[name].faults(value):
            check.problems.append(Problem(f"--{name}", 0, 0, "", sentences(f"{what}.", advice)))
        found[name] = value
    return found


def find_out(check: Checker, written: str | None, given: str | None, folder: Path) -> Path | None:
    """Find the folder for the games; None stands for the default."""
    if given is None and written is None:
        return None
    out = Path(os.path.normpath(given if given is not None else folder / (written or "")))
    message = ""
    try:
        if not stat.S_ISDIR(out.stat().st_mode):
            message = "there is a file of this name. Name a folder, which need not exist."
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        message = f"this cannot be a folder: {getattr(error, 'strerror', None) or error}."
    if message and given is not None:
        check.problems.append(Problem("--out", 0, 0, "", message))
    elif message:
        check.fail(("run", "out"), message)
    return out


def run_options(run: Mapping[str, Any], out: Path | None) -> RunOptions:
    """Turn the checked entries of `run` into options; 'auto' becomes None."""
    return RunOptions(
        workers=None if run["workers"] == "auto" else run["workers"],
        backend=run["backend"],
        chunk=None if run["chunk"] == "auto" else run["chunk"],
        out=out or Path(),
    )
