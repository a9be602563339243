"""Letting an experiment take over a run of another design, with the games both have.

A game follows from the design, so the games of an arm that is the same in both need not be played
again, only put under the new design: into its parts, with its name. That is done in a folder beside
the run, which then takes its place, so that a crash leaves the old run or the new one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from reefsim.errors import RunError
from reefsim.logs.arrays import dictionary, numbers
from reefsim.logs.encode import ARM_FACTOR, split_id
from reefsim.logs.files import is_local
from reefsim.logs.lock import locked
from reefsim.logs.manifest import NAME, read_manifest, write_manifest
from reefsim.logs.read import Run, open_run
from reefsim.logs.schema import FAILURES, TABLES, schemas
from reefsim.logs.write import encode_table, write_part
from reefsim.sim import plan
from reefsim.sim.design import Experiment
from reefsim.sim.plan import Part


def extend_run(experiment: Experiment) -> None:
    """Put the games of the run in the folder under this experiment's design.

    Nothing is done if there is no run, or one of this very design. `plan.check_folder` came before.

    Raises
    ------
    RunError : if a file of the run is damaged, or the folder cannot be written
    """
    folder = experiment.run.out
    if not is_local(folder):
        raise RunError(f"{folder}: --extend needs a folder of this machine.")
    if not (folder / NAME).exists():
        return
    with locked(folder):
        manifest = read_manifest(folder)
        if manifest["config_hash"] == experiment.config_hash:
            return
        new, before = _beside(folder)
        shutil.rmtree(new, ignore_errors=True)
        try:
            _fill(new, experiment, open_run(folder))
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        folder.rename(before)
        new.rename(folder)
    shutil.rmtree(before)


def mend_extension(folder: Path) -> None:
    """Finish or undo an extension that a crash broke off."""
    if not is_local(folder):
        return
    new, before = _beside(folder)
    if before.exists():
        with locked(before):
            if not folder.exists() and (new / NAME).exists():
                new.rename(folder)
            elif not folder.exists():
                before.rename(folder)
        shutil.rmtree(before, ignore_errors=True)


def _beside(folder: Path) -> tuple[Path, Path]:
    folder = folder.absolute()
    return (
        folder.with_name(f".{folder.name}.extended"),
        folder.with_name(f".{folder.name}.before"),
    )


def _fill(new: Path, experiment: Experiment, old: Run) -> None:
    """Write the parts of which all games are there, and a manifest last."""
    there = plan.same_arms(experiment, old.manifest)
    for part in plan.parts(experiment):
        if part.arm.name not in there:
            continue
        tables = dict(_tables(part, experiment, old, there[part.arm.name]))
        if tables:
            files = {name: encode_table(table) for name, table in tables.items()}
            write_part(new, part.arm.name, part.number, files)
    if (old.folder / "weights").exists():
        shutil.copytree(old.folder / "weights", new / "weights")
    moved = _at(experiment, new)
    write_manifest(new, plan.describe(experiment) | {"counts": plan.counts(moved)})


def _at(experiment: Experiment, folder: Path) -> Experiment:
    return replace(experiment, run=replace(experiment.run, out=folder))


def _tables(
    part: Part, experiment: Experiment, old: Run, index: int
) -> Iterator[tuple[str, pa.Table]]:
    """The tables of a part from those of the old run; nothing unless all its games are there."""
    size = int(old.manifest["part_replicates"])
    end = part.first + part.replicates
    wanted = range(part.first // size, (end - 1) // size + 1)
    places = [place for place in old.parts([part.arm.name]) if place[1] in wanted]
    found = {}
    for name in (*TABLES, FAILURES):
        table = old.arrow(name, places) if places else None
        if table is not None:
            table = table.filter(_between(table, name, part.first, end))
            schema = schemas(experiment.game)[name]
            found[name] = _relabeled(table, schema, experiment, part.arm.index - index)
    games = sum(len(found[name]) for name in ("games", FAILURES) if name in found)
    if games < part.games:
        return
    has_failures = FAILURES in found and len(found[FAILURES])
    for name, table in found.items():
        if len(table) or (has_failures and name == "events") or name not in (FAILURES, "events"):
            yield name, table


def _between(table: pa.Table, name: str, first: int, end: int) -> pa.Array:
    """Which rows are of replicates from `first` on, before `end`."""
    if name == "timing":  # what was played at a time counts with its first replicate
        replicates = table.column("replicate").to_numpy()
    else:
        _, replicates, _ = split_id(table.column("game_id").to_numpy())
    return numbers((replicates >= first) & (replicates < end))


def _relabeled(table: pa.Table, schema: pa.Schema, experiment: Experiment, shift: int) -> pa.Table:
    """The rows under the names of another design, of the very types a runner writes."""
    table = table.unify_dictionaries().combine_chunks()
    labels = dictionary(np.zeros(len(table), np.int64), [experiment.config_hash])
    changed = {"game_id": lambda: pc.add(table.column("game_id"), shift * ARM_FACTOR)}
    changed["config_hash"] = lambda: labels
    for name in set(changed) & set(table.column_names):
        place = table.column_names.index(name)
        table = table.set_column(place, schema.field(name), changed[name]())
    return table.cast(schema).combine_chunks()
