"""The plan of a run: its parts, what is kept of them, and the manifest that describes it.

The games of a run are cut into parts: of one arm, with the same range of replicates in every arm.
Parts depend on the design only, never on workers or chunks, and each is written as whole files, so
a run that was interrupted goes on with the parts that are missing. Part k of every arm comes before
part k + 1 of any, so that what there is of a run can be compared between arms.

A run with a stopping rule has a plan for the most it may play. Its looks fall between parts, and no
part behind a look is begun before the look decided to go on; so the parts of a run that stopped
early are the first ones of the plan, and the manifest then counts those alone.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reefsim.agents import choose, records
from reefsim.agents.kinds import is_own_class, own_source
from reefsim.agents.weights import in_words
from reefsim.core.game import Game
from reefsim.core.jit import source_hash
from reefsim.core.wording import plain
from reefsim.errors import RunError
from reefsim.logs.encode import ArmLabels
from reefsim.logs.lock import NAME as LOCK
from reefsim.logs.manifest import first_difference, read_manifest, versions, write_manifest
from reefsim.logs.read import failure_kinds
from reefsim.logs.schema import FAILURES, fields, type_name
from reefsim.logs.stock import Stock, part_tables
from reefsim.sim.design import Arm, Experiment

_MAX_PART_GAMES, _MIN_PART_GAMES = 500, 100
_MIN_PARTS = 8  # wanted of each arm, as far as parts do not get smaller than the minimum


@dataclass(frozen=True)
class Part:
    """Consecutive replicates of one arm, whose tables are written together."""

    arm: Arm
    number: int
    first: int
    replicates: int

    @property
    def games(self) -> int:
        """Games in it: every seating of each replicate."""
        return self.replicates * len(self.arm.seatings)


def part_replicates(experiment: Experiment) -> int:
    """Replicates of a part: about 500 games, fewer in a small run; looks fall between parts."""
    seatings = max(len(arm.seatings) for arm in experiment.arms)
    stopping = experiment.stopping
    if stopping.rule == "fixed":
        games = experiment.replicates * seatings // _MIN_PARTS
        return max(1, min(max(games, _MIN_PART_GAMES), _MAX_PART_GAMES) // seatings)
    most = max(1, _MAX_PART_GAMES // seatings)
    every = stopping.look_every
    size = next(n for n in range(min(most, every), 0, -1) if every % n == 0)
    # a number of replicates without fitting divisors is left whole rather than cut to pieces
    return size if size * 4 >= min(most, every) else every


def parts(experiment: Experiment, replicates: int | None = None) -> Iterator[Part]:
    """List every part of a run, in the order of play; those up to a look if one is given."""
    size = part_replicates(experiment)
    end = experiment.replicates if replicates is None else replicates
    for number, first in enumerate(range(0, end, size)):
        replicates = min(size, end - first)
        for arm in experiment.arms:
            yield Part(arm, number, first, replicates)


def missing_parts(experiment: Experiment, replicates: int | None = None) -> list[Part]:
    """List the parts of which the run folder lacks a table, in the order of play."""
    stock = Stock(experiment.run.out)
    return [
        part for part in parts(experiment, replicates) if not _is_there(experiment, part, stock)
    ]


def _is_there(experiment: Experiment, part: Part, stock: Stock) -> bool:
    if part.number not in stock.parts("games", part.arm.name):
        return False
    tables = part_tables(experiment.events, part.first, part.replicates)
    return all(part.number in stock.parts(table, part.arm.name) for table in tables)


def num_games(experiment: Experiment, replicates: int | None = None) -> int:
    """Games of the whole plan, or of so many replicates."""
    count = experiment.replicates if replicates is None else replicates
    return count * sum(len(arm.seatings) for arm in experiment.arms)


def counts(experiment: Experiment, replicates: int | None = None) -> dict[str, Any]:
    """What there is of a run: complete, planned, finished and failed games, and finished by arm.

    Parameters
    ----------
    replicates : at which a stopping rule ended the run; None: it has not
    """
    total = num_games(experiment, replicates)
    planned = experiment.replicates if replicates is None else replicates
    arms = {arm.name: planned * len(arm.seatings) for arm in experiment.arms}
    missing = missing_parts(experiment, replicates)
    for part in missing:
        arms[part.arm.name] -= part.games
    failed = _failed(experiment, {(part.arm.name, part.number) for part in missing}, planned)
    for arm, kinds in failed.items():
        arms[arm] -= sum(kinds.values())
    found = {"complete": not missing, "planned": total, "games": sum(arms.values()), "arms": arms}
    if failed:
        found["failed"] = sum(sum(kinds.values()) for kinds in failed.values())
        found["failures"] = failed
    return found


def _failed(
    experiment: Experiment, missing: Collection[tuple[str, int]], replicates: int
) -> dict[str, dict[str, int]]:
    """Games that were given up, by arm and what failed; nothing if there are none."""
    stock, size = Stock(experiment.run.out), part_replicates(experiment)
    found: dict[str, dict[str, int]] = {}
    for arm in experiment.arms:
        kinds: Counter[str] = Counter()
        for number, holding in stock.parts(FAILURES, arm.name).items():
            if (arm.name, number) not in missing and number * size < replicates:
                kinds.update(failure_kinds(holding.path))
        if kinds:
            found[arm.name] = dict(sorted(kinds.items()))
    return found


def arm_labels(experiment: Experiment, arm: Arm) -> ArmLabels:
    """What stands in every row of an arm."""
    return ArmLabels(
        index=arm.index,
        name=arm.name,
        ruleset=arm.ruleset_name,
        rules=json.dumps(arm.ruleset.resolved(), separators=(",", ":")),
        lineup=arm.lineup_name,
        agents=arm.lineup,
        seed=experiment.seed,
        config_hash=experiment.config_hash,
    )


def ending(experiment: Experiment) -> int | None:
    """Replicates at which the run in the folder ended, if it did and all its games are there."""
    try:
        ended = read_manifest(experiment.run.out).get("ended")
    except RunError:
        return None
    replicates = ended.get("replicates") if isinstance(ended, Mapping) else None
    if not isinstance(replicates, int) or missing_parts(experiment, replicates):
        return None
    return replicates


def ask_anew(experiment: Experiment) -> None:
    """Let a finished run answer what its experiment asks now: outcomes, targets, report, question.

    They decide none of its games. The manifest is left alone if nothing was changed.
    """
    manifest = read_manifest(experiment.run.out)
    now = json.loads(json.dumps(describe(experiment, manifest["ended"])))
    names = ("question", "baseline", "config_text", "experiment", "tune")
    asked = {name: now[name] for name in names if name in now}
    if any(manifest.get(name) != value for name, value in asked.items()):
        content = {name: value for name, value in manifest.items() if name != "format"}
        write_manifest(experiment.run.out, content | asked | {"command": now["command"]})


def describe(experiment: Experiment, ended: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the manifest says of a run.

    Parameters
    ----------
    ended : replicates, stopped_by and look of a run that is complete; arms then count those
        replicates, else the most that may be played

    Keys: kind (of `Experiment`), question, game, title, seats, seed, pairing, rotation, baseline
    (ruleset), command, config_hash, config_text, experiment (the design, and what is asked of it),
    arms (name, ruleset, rules that differ from the published game, lineup, agents with kind and
    params, seatings, replicates, games; where the game has them header, the keys its records have,
    and caveats), dials (values of a sweep, by ruleset), tune (of a search that the run is part of:
    see `sim.race`), stopping (its rule, in figures), ended (as given), part_replicates,
    rules_version, rules_source (hash of the code that decides games), versions, columns (types by
    table), result_columns (of a game record).
    """
    game = experiment.game
    asked = {
        "outcomes": experiment.outcomes,
        "targets": experiment.targets,
        "report": experiment.report,
    }
    replicates = ended["replicates"] if ended else experiment.replicates
    stopping = experiment.stopping
    return {
        "kind": experiment.kind,
        "question": experiment.question,
        "game": experiment.game_name,
        "title": game.title,
        "seats": experiment.seats,
        "seed": experiment.seed,
        "pairing": experiment.pairing,
        "rotation": experiment.rotation,
        "baseline": experiment.report.get("compare_to") or experiment.baseline,
        "command": _command(experiment),
        "config_hash": experiment.config_hash,
        "config_text": experiment.source[1],
        "experiment": design(experiment) | asked,
        "arms": [_describe_arm(experiment, arm, replicates) for arm in experiment.arms],
        "dials": experiment.dials,
        **({"tune": experiment.stage} if experiment.stage else {}),
        "stopping": stopping.resolved() | {"tuned_for": stopping.tuned_for},
        "ended": dict(ended) if ended else None,
        "part_replicates": part_replicates(experiment),
        "rules_version": game.rules_version,
        "rules_source": rules_source(game),
        "agents_source": agents_source(experiment),
        "versions": versions() | {"rules": game.rules_version},
        "columns": {
            table: {field.name: type_name(field.type) for field in columns}
            for table, columns in fields(game).items()
        },
        "result_columns": [
            *("seat", "agent", "score", "rank"),
            *(column.name for column in game.player_columns if column.in_record),
        ],
    }


def _command(experiment: Experiment) -> str:
    return experiment.command or written_command(experiment, experiment.kind)


def written_command(experiment: Experiment, verb: str) -> str:
    """The command that plays an experiment from its file, with its seed if that is another one."""
    path, text = experiment.source
    is_written = re.search(rf"^seed:\s*{experiment.seed}\b", text, re.MULTILINE)
    seed = "" if is_written else f" --seed {experiment.seed}"
    return f"reefsim {verb} {shlex.quote(path.as_posix())}{seed}"


def _describe_arm(experiment: Experiment, arm: Arm, replicates: int) -> dict[str, Any]:
    specs = {name: experiment.agents[name] for name in dict.fromkeys(arm.lineup)}
    agents = {name: {"kind": s.kind, "params": dict(s.params)} for name, s in specs.items()}
    for name, weights in arm.weights_played.items():
        agents[name]["weights"] = {
            "origin": weights.origin,
            "for": in_words(weights),
            "fits": weights.fits(arm.ruleset, experiment.seats),
            "provenance": weights.provenance,
            "retuned": name in arm.tuned,
        }
    optional = {
        "header": experiment.game.record_header(arm.ruleset),
        "caveats": list(experiment.game.caveats(arm.ruleset)),
    }
    return {
        "name": arm.name,
        "ruleset": arm.ruleset_name,
        "rules": arm.ruleset.differences(),
        "lineup": list(arm.lineup),
        "agents": agents,
        "seatings": [list(seating) for seating in arm.seatings],
        "replicates": replicates,
        "games": replicates * len(arm.seatings),
        **{key: value for key, value in optional.items() if value},
    }


def keep_data_files(experiment: Experiment) -> None:
    """Put the data files that the rulesets name into the run folder.

    Raises
    ------
    RunError : if one cannot be written
    """
    for arm in experiment.arms:
        for name, text in arm.ruleset.data_files().items():
            target = experiment.run.out / name
            draft = target.with_name(f".{target.name}.{os.getpid()}")
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                draft.write_text(text, encoding="utf-8", newline="\n")
                draft.replace(target)
            except OSError as error:
                raise RunError(f"{target}: cannot be written: {error.strerror}.") from error


def design(experiment: Experiment) -> dict[str, Any]:
    """Everything that decides the games, under the names of the experiment file."""
    resolved = experiment.resolved()
    arms = resolved.pop("arms")
    return resolved | {
        "rulesets": {arm["ruleset"]: arm["rules"] for arm in arms},
        "lineups": {arm["lineup"]: arm["agents"] for arm in arms},
        "arms": {arm.name: [list(s) for s in arm.seatings] for arm in experiment.arms},
        "weights": {
            arm.name: tuned["weights"] for arm, tuned in zip(experiment.arms, arms, strict=True)
        },
    }


def rules_source(game: Game) -> str:
    """Hash of the code that decides what happens in a game: engine, rules and agents."""
    modules = {sys.modules[function.__module__] for function in game.kernels.values()}
    return source_hash(modules, [choose, records])


def agents_source(experiment: Experiment) -> dict[str, str]:
    """Hash of the code of every user's class that plays, by the agent's name."""
    folder = experiment.source[0].parent
    names = sorted({name for arm in experiment.arms for name in arm.lineup})
    own = {name: experiment.agents[name].kind for name in names}
    return {name: own_source(kind, folder) for name, kind in own.items() if is_own_class(kind)}


def check_folder(experiment: Experiment, *, extend: bool = False) -> None:
    """Check that the run folder is new, or holds games of the same design and rules.

    Raises
    ------
    RunError : if it holds anything else, with the first difference
    """
    folder = experiment.run.out
    if not folder.exists() or all(path.name == LOCK for path in folder.iterdir()):
        return
    try:
        manifest = read_manifest(folder)
    except RunError as error:
        what = "this folder holds other things than a run, or a run that cannot be read"
        raise RunError(f"{folder}: {what} ({error}). Choose a new 'out'.") from error
    if manifest["config_hash"] != experiment.config_hash:
        if extend and same_arms(experiment, manifest):
            return
        raise RunError(_other_design(experiment, manifest))
    sources = (rules_source(experiment.game), agents_source(experiment))
    if (manifest["rules_source"], manifest.get("agents_source", {})) != sources:
        raise RunError(
            f"{folder}: these games were played by another version of the rules or agents. "
            "Choose a new 'out', or remove the folder to play them again."
        )


def same_arms(experiment: Experiment, manifest: Mapping[str, Any]) -> dict[str, int]:
    """Arms whose games are those of the run of a manifest, with their index there.

    How many of the games there are is left out: replicates are the same ones from the first on.
    """
    ours, theirs = json.loads(json.dumps(design(experiment))), manifest["experiment"]
    if any(ours.get(name) != theirs.get(name) for name in _OF_ALL_ARMS):
        return {}
    sources = (rules_source(experiment.game), agents_source(experiment))
    if manifest["rules_source"] != sources[0]:
        return {}
    index = {name: number for number, name in enumerate(theirs["arms"])}
    found = {}
    for arm in experiment.arms:
        there = index.get(arm.name)
        if there is None or (experiment.pairing == "none" and there != arm.index):
            continue
        own = {name: source for name, source in sources[1].items() if name in arm.lineup}
        known = manifest.get("agents_source", {})
        is_same = _of_arm(ours, arm) == _of_arm(theirs, arm)
        if is_same and own == {name: known.get(name) for name in own}:
            found[arm.name] = there
    return found


# What all arms have in common, and what not to have in common makes all games others.
_OF_ALL_ARMS = ("game", "seats", "seed", "pairing", "max_plies", "events", "retune")


def _of_arm(of: Mapping[str, Any], arm: Arm) -> list[Any]:
    """What decides the games of an arm, of a design as a manifest holds it."""
    return [
        of.get("rulesets", {}).get(arm.ruleset_name),
        of.get("lineups", {}).get(arm.lineup_name),
        of.get("arms", {}).get(arm.name),
        of.get("weights", {}).get(arm.name),
        *(of.get("agents", {}).get(name) for name in arm.lineup),
    ]


def num_same(experiment: Experiment, manifest: Mapping[str, Any]) -> int:
    """Finished games of a run that an experiment would play, too."""
    counts = manifest.get("counts", {}).get("arms", {})
    planned = {arm.name: experiment.replicates * len(arm.seatings) for arm in experiment.arms}
    return sum(min(counts.get(arm, 0), planned[arm]) for arm in same_arms(experiment, manifest))


def _other_design(experiment: Experiment, manifest: Mapping[str, Any]) -> str:
    folder = experiment.run.out
    games = manifest.get("counts", {}).get("games", 0)
    old, new = manifest["config_hash"], experiment.config_hash
    digits = next((n for n in range(4, len(new)) if old[:n] != new[:n]), len(new))
    same = num_same(experiment, manifest)
    extend = f", or 'reefsim run --extend' to keep the {same:,} games that are the same in both"
    if not same or experiment.stage:  # whose arms follow from the games before
        extend = ""
    where = first_other(experiment, manifest)
    where = where and f"; differs at {where}"
    return (
        f"{folder}: this folder holds {games:,} finished games of another design (config "
        f"{old[:digits]}, yours is {new[:digits]}{where}). Choose a new 'out'{extend}."
    )


def first_other(experiment: Experiment, manifest: Mapping[str, Any]) -> str:
    """Where the design of a manifest is another first: 'seed: 11 -> 12'; empty if nowhere."""
    known = json.loads(json.dumps(design(experiment)))
    # what follows from the rulesets and lineups is named last
    order = [*dict.fromkeys(("rulesets", "lineups", *known))]
    difference = first_difference(
        {name: manifest["experiment"].get(name) for name in order},
        {name: known[name] for name in order},
    )
    if difference is None:
        return ""
    path, was, now = difference
    return f"{path}: {_shown(was)} -> {_shown(now)}"


def _shown(value: Any) -> str:
    text = "nothing" if value is None else plain(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
