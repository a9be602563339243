"""Telling which command a YAML file is for."""

from __future__ import annotations

from typing import Any, Literal

FileKind = Literal["run", "ladder", "train"]
_OF_RUNS = {"lineups", "arms", "sweep", "tune", "outcomes", "targets"}


def file_kind(data: Any) -> FileKind:
    """Command that plays a file: a training names no agents, a ladder makes its own line-ups.

    Parameters
    ----------
    data : what stands in the file
    """
    if not isinstance(data, dict):
        return "run"
    if "question" not in data and "agents" not in data and "rulesets" in data:
        return "train"
    if "agents" in data and not _OF_RUNS & set(data):
        return "ladder"
    return "run"
