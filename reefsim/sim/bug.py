"""What reproduces a fault: versions, experiment, game, position, and what failed."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from reefsim.agents.kinds import is_own_class, own_files
from reefsim.core.game import Game
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import MAX_FILE_BYTES, Record, format_lines, make_header, read_records
from reefsim.core.replay import verdict_to_json
from reefsim.errors import RecordError, ReefsimError, RunError
from reefsim.games import registry
from reefsim.logs.bundle import Bundle
from reefsim.logs.encode import split_id
from reefsim.logs.manifest import FORMAT, versions
from reefsim.logs.manifest import NAME as MANIFEST
from reefsim.logs.mend import bug_command
from reefsim.logs.read import Run, open_run
from reefsim.logs.saved import SavedGame, find_game, game_of, saved_record
from reefsim.sim.design import Experiment
from reefsim.sim.plan import rules_source
from reefsim.sim.replays import table_for
from reefsim.sim.resume import reopen
from reefsim.sim.runner import setting_of

_EXPERIMENT = "experiment.yaml"
_FILE = re.compile(r" (?:'[^']*\.ya?ml'|\S*\.ya?ml)(?= |$)")  # the file in a command line
_LEFT_OUT = ("volatile", "checksums", "format")  # of a manifest: the machine, and what is not here


def bundle_of_run(
    folder: Path, game_id: int | None = None, *, with_agents: bool = False, mode: Mode = "jitted"
) -> Bundle:
    """Bundle a game of a run that failed, or any other.

    A game that failed is played again, as far as it goes.

    Parameters
    ----------
    game_id : None: the first game that failed
    with_agents : put in the code of players that are classes of a user

    Raises
    ------
    RunError : if there is no such run or game, or no game failed and none is named
    """
    run = open_run(folder)
    failures = run.failures
    if game_id is None:
        if not len(failures):
            what = "no game failed. Name the game it is about:"
            raise RunError(f"{folder}: {what} {bug_command(folder)} --game ID")
        game_id = int(failures["game_id"].iloc[0])
    failed = failures[failures["game_id"] == game_id]
    kept = None if len(failed) else _kept(run, game_id)
    bundle = Bundle(
        f"{folder.resolve().name}-{game_id}", f"{run.manifest['title']}: game {game_id} of a run"
    )
    _add_versions(bundle, registry.get(run.manifest["game"]), run.manifest)
    if len(failed):
        _add_failure(bundle, failed.iloc[0], with_agents)
    _add_facts(bundle, run, game_id)
    try:
        experiment = reopen(folder)
        if kept is None:
            _play_again(bundle, experiment, game_id, mode)
        _add_sources(bundle, run, experiment, with_agents)
    except ReefsimError as error:
        bundle.story.append(f"The game could not be played again here: {error}")
    if kept is not None:
        _add_record(bundle, kept)
    _add_run(bundle, run, game_id)
    return bundle


def bundle_of_record(path: Path, number: int | None = None) -> Bundle:
    """Bundle a game record: the first one in a file that is no game by its rules, or any.

    Parameters
    ----------
    number : which of several in the file, from 1; None: the first that is at fault, or the first

    Raises
    ------
    RecordError : if there is no such file, or no such record in it
    """
    bundle = Bundle(path.stem, f"a game record, {path.name}")
    if number is not None or not path.is_file():
        saved = find_game(path, number)
        _add_versions(bundle, saved.game)
        _add_record(bundle, saved)
        return bundle
    try:
        saved = _at_fault(path)
        _add_record(bundle, saved)
        _add_versions(bundle, saved.game)
    except RecordError as error:  # what cannot be read is bundled as it is
        bundle.story.append(str(error))
        _add_versions(bundle, None)
        with path.open("rb") as file:
            bundle.files["record.txt"] = file.read(MAX_FILE_BYTES)
        bundle.meanings["record.txt"] = "the file as it is"
    return bundle


def played_as_far(
    folder: Path, game_id: int, mode: Mode = "plain"
) -> tuple[Match, Exception | None]:
    """Play a game of a run again, as far as it goes: the match, and what failed in it.

    Parameters
    ----------
    folder : of the run, or of a bundle that was unpacked

    Raises
    ------
    RunError : if its experiment cannot be read, or has no such game
    """
    return _played(reopen(folder), game_id, mode)


def _played(experiment: Experiment, game_id: int, mode: Mode) -> tuple[Match, Exception | None]:
    index, replicate, rotation = split_id(game_id)
    arms = experiment.arms
    if not 0 <= index < len(arms) or rotation >= len(arms[index].seatings) or replicate < 0:
        raise RunError(f"{experiment.run.out}: there is no game {game_id} in this run.")
    setting = setting_of(experiment, arms[index], mode)
    table, job = table_for(setting, game_id, mode)
    return table.play_as_far(job[0])


def _play_again(bundle: Bundle, experiment: Experiment, game_id: int, mode: Mode) -> None:
    """Add the events and the position up to where a game fails."""
    match, error = _played(experiment, game_id, mode)
    what = (
        "plays to its end" if error is None else f"fails after ply {match.ply - 1}: {_line(error)}"
    )
    bundle.story.append(f"Played again here, it {what}")
    index, _, rotation = split_id(game_id)
    arm = experiment.arms[index]
    agents = [arm.lineup[slot] for slot in arm.seatings[rotation]]
    header = make_header(
        match.game.name, match.seats, match.ruleset.resolved(), agents, experiment.seed
    )
    record = Record(header | match.game.record_header(match.ruleset), match.events())
    bundle.add("record.jsonl", "the game up to there, as `reefsim replay` reads it", _text(record))
    bundle.add("position.txt", "the position there", _position(match))


def _add_record(bundle: Bundle, saved: SavedGame) -> None:
    """Add a record, what its check says, and the last position that is by the rules."""
    last: list[Match] = []

    def keep(match: Match) -> None:
        last[:] = [match.copy()]

    verdict = saved.follow(keep)
    bundle.story.append(f"Replayed here: {verdict}")
    bundle.add("record.jsonl", "the game, as `reefsim replay` reads it", _text(saved.record))
    found = verdict_to_json("record.jsonl", verdict)
    bundle.add("verdict.json", "what its check says", found)
    if last:
        bundle.add("position.txt", "the last position that is by the rules", _position(last[0]))


def _at_fault(path: Path) -> SavedGame:
    """The first game of a file that is none by its rules; the first one if there is none."""
    found = [saved_record(record) for record in read_records(path)]
    return next((saved for saved in found if not saved.follow().ok), found[0])


def _kept(run: Run, game_id: int) -> SavedGame | None:
    """A game of a run, if what happened in it was kept.

    Raises
    ------
    RunError : there is no such game
    """
    if not (run.table("games", ["game_id"])["game_id"] == game_id).any():
        raise run.no_game(game_id)
    try:
        return game_of(run, game_id)
    except RunError:
        return None


def _add_versions(
    bundle: Bundle, game: Game | None, manifest: Mapping[str, Any] | None = None
) -> None:
    here: dict[str, Any] = versions() | {"system": platform.system(), "machine": platform.machine()}
    if game is not None:
        here |= {"rules": game.rules_version, "rules_source": rules_source(game)}
    found = {"here": here}
    if manifest:
        found["run"] = manifest["versions"] | {"rules_source": manifest["rules_source"]}
    bundle.add("versions.json", "reefsim, Python, packages, rules and processor", found)


def _add_failure(bundle: Bundle, row: Any, with_agents: bool) -> None:
    """Add the row of the table failures."""
    found = {name: None if value is pd.NA else value for name, value in row.items()}
    found["last_actions"] = list(row["last_actions"])
    if row["kind"] != "rules" and not with_agents:  # lines of a user's code stand in it
        lines = str(row["traceback"]).splitlines()
        found["traceback"] = "\n".join(line for line in lines if not line.startswith("    "))
    bundle.story.append(f"It failed: {row['error']}")
    text = json.dumps(found, indent=2, ensure_ascii=False, default=int)
    bundle.add("failure.json", "its row of the table failures", f"{text}\n")


def _add_facts(bundle: Bundle, run: Run, game_id: int) -> None:
    """Add what the game is, from the manifest."""
    index, replicate, rotation = split_id(game_id)
    manifest, arm = run.manifest, run.manifest["arms"][index]
    facts = {"game": manifest["game"], "game_id": game_id, "arm": arm["name"]}
    facts |= {name: manifest[name] for name in ("seats", "seed", "pairing", "config_hash")}
    facts |= {"replicate": replicate, "rotation": rotation}
    facts |= {name: arm[name] for name in ("rules", "lineup", "seatings", "agents") if name in arm}
    bundle.add("game.json", "rules, players, seed and replicate of the game", facts)


def _add_sources(bundle: Bundle, run: Run, experiment: Experiment, with_agents: bool) -> None:
    """Add the files that an experiment names: data of the rules, weights, and players if wanted."""
    for arm in experiment.arms:
        for name, text in arm.ruleset.data_files().items():
            bundle.add(name, "a data file of the rules", text)
    for path in sorted(run.folder.glob("weights/*.yaml")):
        bundle.add(f"weights/{path.name}", "tuned weights of the run", path.read_text("utf-8"))
    folder = experiment.source[0].parent
    kinds = {spec.kind for spec in experiment.agents.values() if is_own_class(spec.kind)}
    for kind in sorted(kinds):
        if not with_agents:
            bundle.story.append(f"The code of the player {kind} is not in it (--with-agents).")
            continue
        for path in own_files(kind, folder):
            bundle.add(path.name, f"code of the player {kind}", path.read_text("utf-8"))


def _add_run(bundle: Bundle, run: Run, game_id: int) -> None:
    """Add the experiment and the manifest, and how the game is played again from them."""
    manifest = {n: value for n, value in run.manifest.items() if n not in _LEFT_OUT}
    command = str(manifest.get("command", ""))
    if (file := _FILE.search(command)) is not None:
        command = command.replace(file[0], f" {_EXPERIMENT}")
        bundle.add(_EXPERIMENT, "the experiment as it was written", str(manifest["config_text"]))
    bundle.add(
        MANIFEST, "the manifest of the run", {"format": FORMAT, **manifest, "command": command}
    )
    bundle.usage += [
        "To play it again, unpack it, go to its folder, put players that are missing beside it:",
        "",
        "  from pathlib import Path",
        "  from reefsim.sim.bug import played_as_far",
        f"  match, error = played_as_far(Path(), {game_id})",
        "  raise error",
        "",
    ]


def _text(record: Record) -> str:
    return "".join(format_lines(record))


def _position(match: Match) -> str:
    """The position as text, for whatever state it is in."""
    try:
        return f"{match.to_text()}\n"
    except Exception as error:  # rules that failed may leave anything
        return f"cannot be written: {_line(error)}\n"


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
