"""The experiment of a run folder, from the folder alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from reefsim.core.yaml_source import parse_yaml
from reefsim.errors import ConfigError, RunError
from reefsim.logs.files import is_local
from reefsim.logs.manifest import read_manifest
from reefsim.sim.design import Experiment, Kind, resolve
from reefsim.sim.dials import only_sweep


def reopen(folder: Path, **options: Any) -> Experiment:
    """Find the experiment a run folder belongs to, as its manifest holds it.

    Parameters
    ----------
    folder : of the run
    options : workers, backend, chunk, scheduler; take the place of what the file said

    Raises
    ------
    RunError : if the folder holds no run, or one that only the command it came from can go on with
    """
    manifest = read_manifest(folder)
    volatile = manifest.get("volatile") or {}
    text, command = (str(manifest.get(name, "")) for name in ("config_text", "command"))
    path = Path(str(volatile.get("file") or folder / "experiment.yaml"))
    kind: Kind = "ladder" if manifest.get("kind") == "ladder" else "run"
    out = folder if is_local(folder) else None  # the place itself is put in below
    given = {**options, "seed": manifest.get("seed"), "out": out}
    shorthand = command if kind == "ladder" and not path.is_file() else ""
    try:
        found = resolve(parse_yaml(text, str(path)), path, given, kind, shorthand)
        candidates: list[Callable[[Experiment], Experiment]] = [lambda same: same]
        if found.dials:
            candidates.append(only_sweep)
        for candidate in candidates:
            one = candidate(found)
            if one.config_hash == manifest["config_hash"]:
                return replace(one, run=replace(one.run, out=folder))
    except ConfigError as error:
        raise RunError(f"{folder}: its experiment cannot be read any more: {error}") from error
    raise RunError(f"{folder}: this run goes on with the command it came from: {command}")
