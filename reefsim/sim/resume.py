"""The experiment of a run folder, from the folder alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reefsim.core.yaml_source import parse_yaml
from reefsim.errors import ConfigError, RunError
from reefsim.logs.files import is_local
from reefsim.logs.manifest import read_manifest
from reefsim.sim.design import Experiment, Kind, resolve
from reefsim.sim.dials import only_arm, only_sweep
from reefsim.sim.plan import first_other
from reefsim.sim.race import stage_again


def reopen(folder: Path, **options: Any) -> Experiment:
    """Find the experiment a run folder belongs to, as its manifest holds it.

    Parameters
    ----------
    folder : of the run
    options : workers, backend, chunk, scheduler; take the place of what the file said

    Raises
    ------
    RunError : if the folder holds no run, or one whose manifest and experiment do not agree
    """
    manifest = read_manifest(folder)
    volatile = manifest.get("volatile") or {}
    text, command = (str(manifest.get(name, "")) for name in ("config_text", "command"))
    path = Path(str(volatile.get("file") or folder / "experiment.yaml"))
    kind: Kind = "ladder" if manifest.get("kind") == "ladder" else "run"
    out = folder if is_local(folder) else None  # the place itself is put in below
    stage = manifest.get("tune")
    given = {**options, "seed": (stage or manifest).get("seed"), "out": out}
    shorthand = command if kind == "ladder" and not path.is_file() else ""
    try:
        found = resolve(parse_yaml(text, str(path)), path, given, kind, shorthand)
        for one in _made_from(found, manifest):
            if one.config_hash == manifest["config_hash"]:
                return replace(one, run=replace(one.run, out=folder))
    except ConfigError as error:
        raise RunError(f"{folder}: its experiment cannot be read any more: {error}") from error
    where = first_other(found, manifest)
    raise RunError(
        f"{folder}: the manifest and the experiment in it do not agree"
        f"{where and f' ({where})'}: it was changed, or its games are of another version of the "
        f"rules or weights. Put it back as it was, or play anew with: {command} --out FOLDER"
    )


def _made_from(experiment: Experiment, manifest: Mapping[str, Any]) -> Iterator[Experiment]:
    """The experiments that are played from one file, in folders of their own."""
    if manifest.get("tune"):
        yield from stage_again(experiment, manifest)
        return
    yield experiment
    if experiment.dials:
        sweep = only_sweep(experiment)
        yield sweep
        yield from (only_arm(sweep, arm) for arm in sweep.arms)
