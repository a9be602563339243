"""What is said of a run that is not whole, and the command that mends it: one wording for all."""

from __future__ import annotations

import shlex
from pathlib import Path

from reefsim.errors import RunError


def resume_command(folder: Path) -> str:
    """The command that goes on with a run."""
    return f"reefsim resume {shlex.quote(str(folder))}"


def bug_command(place: Path) -> str:
    """The command that bundles what failed in a run, or a record that is none by its rules."""
    return f"reefsim bug {shlex.quote(str(place))}"


def damaged(path: Path, why: object) -> RunError:
    """The error of a file of a part (`table/arm=name/file`) that is not as it was written."""
    what = str(why).partition("\n")[0].rstrip(".")
    what = what.rpartition("': ")[2]  # pyarrow begins with the name it knows the file by
    return RunError(f"{path}: damaged: {what}. Remove it, then: {_resume(path)}")


def missing(path: Path) -> RunError:
    """The error of a file of a part that is not there."""
    return RunError(f"{path}: missing. Its games are played again by: {_resume(path)}")


def _resume(path: Path) -> str:
    return resume_command(path.parents[2])
