"""How the games of an experiment are played, from its file and from the command line."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reefsim.core.allowed import Allowed
from reefsim.core.wording import sentences, show
from reefsim.errors import Problem, RunError
from reefsim.logs.files import find_place, is_address, is_local
from reefsim.sim import schema
from reefsim.sim.checks import Checker

# What the command line may set instead of the file.
_OPTIONS: dict[str, Allowed] = {
    "seed": schema.SEED,
    "workers": schema.WORKERS,
    "backend": schema.BACKEND,
    "chunk": schema.CHUNK,
    "out": schema.OUT,
    "scheduler": schema.SCHEDULER,
}
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")  # control characters, broken UTF-8, ends of lines


@dataclass(frozen=True)
class RunOptions:
    """How the games are played; nothing here changes a result. None: chosen automatically."""

    workers: int | None
    backend: str
    chunk: int | None
    out: Path
    scheduler: str | None = None


def read_options(check: Checker, options: Mapping[str, Any]) -> dict[str, Any]:
    """Check what the command line gives instead of the file; None stands for not given."""
    found = {}
    for name, option in options.items():
        if option is None:
            continue
        value = str(option) if name == "out" and not isinstance(option, int | float) else option
        if name != "out" and isinstance(value, str) and re.fullmatch(r"-?\d{1,1000}", value):
            value = int(value)
        for _, what, advice in _OPTIONS[name].faults(value):
            check.problems.append(Problem(f"--{name}", 0, 0, "", sentences(f"{what}.", advice)))
        found[name] = value
    return found


def find_out(check: Checker, written: str | None, given: str | None, folder: Path) -> Path | None:
    """Find the folder for the games; None stands for the default.

    A leading ~ is the home folder; an address (s3://bucket/runs) is a place elsewhere; any other
    name of a folder is taken as it stands.
    """
    text = written if given is None else given
    if text is None:
        return None
    message = ""
    if is_address(text):
        out, message = _find_address(text)
    else:
        place = os.path.expanduser(text)
        out = Path(os.path.normpath(place if given is not None else folder / place))
    message = message or _refusal(text, out)
    if message and given is not None:
        check.problems.append(Problem("--out", 0, 0, "", message))
    elif message:
        check.fail(("run", "out"), message)
    return out


def _find_address(text: str) -> tuple[Path, str]:
    """The place at an address, and what speaks against it."""
    try:
        return find_place(text), ""
    except RunError as error:
        return Path(), str(error)


def _refusal(text: str, out: Path) -> str:
    """What speaks against a folder as it was written; empty if nothing does."""
    if any(unicodedata.category(sign) in _UNSEEN for sign in text):
        return f"{show(text)} holds control characters, which the name of a folder must not."
    if not is_local(out):
        return ""
    try:
        if not stat.S_ISDIR(out.stat().st_mode):
            return "there is a file of this name. Name a folder, which need not exist."
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        return f"this cannot be a folder: {getattr(error, 'strerror', None) or error}."
    return ""


def run_options(run: Mapping[str, Any], out: Path | None) -> RunOptions:
    """Turn the checked entries of `run` into options; 'auto' becomes None."""
    return RunOptions(
        workers=None if run["workers"] == "auto" else run["workers"],
        backend=run["backend"],
        chunk=None if run["chunk"] == "auto" else run["chunk"],
        out=out or Path(),
        scheduler=run["scheduler"],
    )
