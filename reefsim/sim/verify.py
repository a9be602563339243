"""Whether a run folder is what it says: sums, counts, columns, and some games played again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from reefsim.core.kernel import Mode
from reefsim.core.replay import check_record
from reefsim.errors import ReefsimError, RunError
from reefsim.logs.encode import game_ids, split_id
from reefsim.logs.manifest import NAME as MANIFEST
from reefsim.logs.manifest import first_difference
from reefsim.logs.read import Part, Run
from reefsim.logs.schema import FAILURES, TABLES
from reefsim.logs.sums import read_sums, wrong_files
from reefsim.sim import plan
from reefsim.sim.design import Experiment
from reefsim.sim.playout import jobs_of
from reefsim.sim.replays import play_again
from reefsim.sim.resume import reopen
from reefsim.sim.runner import setting_of

SAMPLE = 20  # games that are played again if nothing is said
_COMPARED = ("games", "players", "turns", "events")


@dataclass
class Verification:
    """What was checked, and every fault in a line.

    Attributes
    ----------
    faults : what is wrong, each with the place
    notes : what could not be checked, and why
    files : that were checked against their sums
    games, replayed : that were read, and of those the ones that were played again
    """

    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: int = 0
    games: int = 0
    replayed: int = 0


def verify_run(folder: Path, sample: int = SAMPLE, mode: Mode = "jitted") -> Verification:
    """Read a run again and check it.

    Parameters
    ----------
    folder : of the run
    sample : games that are played again, evenly spread over the run
    mode : in which they are

    Raises
    ------
    RunError : if the folder holds no run
    """
    run = Run(folder)
    found = Verification()
    wrong = _check_sums(run, found)
    whole = [
        part
        for part in run.parts()
        if wrong.isdisjoint(run.files(part)) and (run.is_whole(part) or not wrong)
    ]
    good = [part for part in whole if not _faults_of(run, part, found)]
    if not run.manifest["counts"].get("complete"):
        found.notes.append("the run is not complete: what there is of it was checked")
    else:
        planned = int(run.manifest["counts"]["planned"])
        failed = run.num_failed
        if not found.faults and found.games + failed != planned:
            found.faults.append(f"{folder}: {found.games + failed:,} games, not {planned:,}.")
    _replay(run, good, sample, mode, found)
    found.faults = [*dict.fromkeys(found.faults)]
    return found


def _check_sums(run: Run, found: Verification) -> set[Path]:
    """Check the files against their sums; returns those that are missing or damaged."""
    wanted = run.manifest.get("checksums")
    if not isinstance(wanted, str):
        found.notes.append("no sums: they are written when a run is complete")
        return set()
    try:
        sums = read_sums(run.folder, wanted)
        found.files = len(sums)
        wrong = dict(wrong_files(run.folder, sums))
    except RunError as error:
        found.faults.append(str(error))
        return set()
    found.faults += wrong.values()
    return set(wrong)


def _faults_of(run: Run, part: Part, found: Verification) -> bool:
    """Read every table of a part; note what is wrong with it."""
    before = len(found.faults)
    ids: dict[str, Any] = {}
    try:
        run.check_design([part])
        for name in (*TABLES, FAILURES):
            table = run.arrow(name, [part])
            if table is not None and name != "timing":
                table.validate(full=True)
                ids[name] = table.column("game_id").to_numpy()
    except (RunError, pa.ArrowException) as error:
        found.faults.append(str(error))
        return True
    place = f"{run.folder}, {part[0]}, part {part[1]}"
    wanted = _ids(run, part)
    played = ids["games"]
    known = np.sort(np.concatenate([played, ids.get(FAILURES, played[:0])]))
    if not np.array_equal(known, wanted):
        found.faults.append(f"{place}: games: their ids are not those of the plan.")
    elif not np.array_equal(ids["players"], np.repeat(played, int(run.manifest["seats"]))):
        found.faults.append(f"{place}: players: not one row per game and seat.")
    for name in ("turns", "events"):
        if name in ids and not np.isin(ids[name], played).all():
            found.faults.append(f"{place}: {name}: rows of games that are not there.")
    found.games += len(played)
    return len(found.faults) > before


def _ids(run: Run, part: Part) -> Any:
    """Ids of the games of a part by the plan."""
    arm = run.manifest["arms"][run.arms.index(part[0])]
    size, most = int(run.manifest["part_replicates"]), int(arm["replicates"])
    first = part[1] * size
    jobs = jobs_of([()] * (int(arm["games"]) // most), first, min(size, most - first))
    return game_ids(run.arms.index(part[0]), jobs)


def _replay(run: Run, parts: list[Part], sample: int, mode: Mode, found: Verification) -> None:
    """Play a sample of the games again, from their seeds and from their events."""
    if not parts or not sample:
        return
    try:
        experiment = reopen(run.folder)
    except ReefsimError as error:
        found.notes.append(f"no game was played again: {error}")
        return
    sources = (plan.rules_source(experiment.game), plan.agents_source(experiment))
    if sources != (run.manifest["rules_source"], run.manifest.get("agents_source", {})):
        found.notes.append("no game was played again: the rules or agents are another version")
        return
    told, asked = _told(run.manifest), _told(plan.describe(experiment, run.manifest["ended"]))
    if other := first_difference(asked, told):
        found.faults.append(
            f"{run.folder / MANIFEST}: {other[0]}: {other[2]!r}, "
            f"not {other[1]!r} as its experiment says."
        )
    for game_id in _sample(run, parts, sample):
        found.replayed += 1
        try:
            found.faults += _faults_of_game(run, experiment, game_id, mode)
        except ReefsimError as error:
            found.faults.append(str(error))


def _told(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a manifest says beside the experiment in it, and readers go by."""
    arms = {
        arm["name"]: {name: arm[name] for name in ("ruleset", "rules", "lineup")}
        for arm in json.loads(json.dumps(manifest["arms"]))
    }
    names = ("game", "seats", "seed", "pairing", "baseline")
    return {name: manifest[name] for name in names} | {"arms": arms}


def _sample(run: Run, parts: list[Part], sample: int) -> list[int]:
    chosen = [parts[i * len(parts) // sample] for i in range(sample)]
    ids = []
    for number, part in enumerate(chosen):
        table = run.arrow("games", [part])
        if table is not None and len(table):
            ids.append(int(table.column("game_id")[number * 7919 % len(table)].as_py()))
    return sorted(set(ids))


def _faults_of_game(run: Run, experiment: Experiment, game_id: int, mode: Mode) -> Iterator[str]:
    index, replicate, _ = split_id(game_id)
    arm = experiment.arms[index]
    setting = setting_of(experiment, arm, mode)
    again = play_again(setting, game_id, mode)
    part = (arm.name, replicate // int(run.manifest["part_replicates"]))
    has_events = False
    for name in _COMPARED:
        rows = run.arrow(name, [part])
        if rows is not None:
            rows = rows.filter(pc.equal(rows.column("game_id"), game_id))
        if name == "events" and (rows is None or not len(rows)):
            continue
        if rows is None:
            raise RunError(f"{run.folder}, game {game_id}: not in {name}.")
        has_events = has_events or name == "events"
        if rows.to_pylist() != again[name].to_pylist():
            yield f"{run.folder}, game {game_id}: played again, its rows in {name} are others."
    if has_events:
        record = run.record(game_id)
        verdict = check_record(record, experiment.game, max_plies=setting.max_plies)
        if not verdict.ok:
            yield f"{run.folder}, game {game_id}: {verdict}"
