"""Playing an experiment: tasks out to workers, part files into the run folder.

A task is a chunk of the replicates of one part. A task that is a whole part is written by the
worker that played it; smaller chunks come back and are written together by the parent as soon as
their part is complete. Neither the number nor the kind of workers nor the size of chunks changes a
byte of what is written, except in the table `timing`.

A part that lacks a worker's answer, because the worker died, is played by others. A game in which a
user's agent fails is noted in the table `failures`, and the run goes on.

A run goes from look to look of its stopping rule: the parts up to a look are played by all workers,
then the games are looked at, and only then others are begun. A run that goes on after it was
interrupted looks again where it had looked before, at the same games.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import joblib
import pyarrow as pa

from reefsim.core.kernel import Mode
from reefsim.core.ruleset import Ruleset
from reefsim.errors import ReefsimError, RunError
from reefsim.games import registry
from reefsim.logs.compact import drop_doubles
from reefsim.logs.encode import ArmLabels, Encoder, RawRows, join
from reefsim.logs.files import GATE, is_shared, remove_drafts
from reefsim.logs.lock import locked
from reefsim.logs.manifest import write_manifest
from reefsim.logs.mend import resume_command
from reefsim.logs.stock import kept_replicates
from reefsim.logs.sums import check_whole, keep_sums
from reefsim.logs.write import encode_table, write_part
from reefsim.sim import plan
from reefsim.sim.backends import Pool, WorkersDiedError, open_pool
from reefsim.sim.design import Arm, Experiment, load
from reefsim.sim.extend import extend_run, mend_extension
from reefsim.sim.look import Look, look
from reefsim.sim.plan import Part
from reefsim.sim.playout import jobs_of
from reefsim.sim.progress import Progress
from reefsim.sim.replays import is_kept, judge_positions, keep_replays
from reefsim.sim.retune import retuned
from reefsim.sim.table_play import Player, make_table
from reefsim.sim.warm import warm_up

_TASK_S = 2.0  # how long a task should take, where the size of chunks is left to the runner
_MOST_DEATHS = 3  # of workers in a row, with no task done in between
_stop = threading.Event()  # set: tasks that have not begun are left out; threads see it


class RunInterruptedError(ReefsimError):
    """A run was stopped by its user; what was complete is on disk."""

    exit_code: ClassVar[int] = 3


@dataclass(frozen=True)
class Setting:
    """What tasks of one arm have in common; small, because it is sent to worker processes."""

    game_name: str
    ruleset: Ruleset
    seatings: tuple[tuple[int, ...], ...]
    players: tuple[Player, ...]
    labels: ArmLabels
    chance_arm: int  # 0 where arms share their random numbers, else 1 + the arm's index
    max_plies: int | None
    events: float
    folder: Path
    mode: Mode
    watchdog_s: float | None = None
    writes: bool = True  # whether the worker writes parts, else they are sent back as files
    follows: bool = False  # whether the worker is a process that leaves when its parent is gone


@dataclass(frozen=True)
class _Task:
    setting: Setting
    part: Part
    first: int
    replicates: int

    @property
    def is_whole(self) -> bool:
        """Whether the task is a whole part."""
        return self.replicates == self.part.replicates


@dataclass(frozen=True)
class _Done:
    """A task that was played: as rows or, if it is a whole part, as files; neither once written."""

    task: _Task
    timing: dict[str, Any]
    rows: RawRows | None = None
    files: dict[str, pa.Buffer] | None = None


_Pieces = dict[tuple[int, int], list[_Done]]  # of parts that are not complete, by arm and number


def run(
    source: Experiment | str | os.PathLike[str],
    *,
    progress: Progress | None = None,
    mode: Mode = "jitted",
    extend: bool = False,
    **options: Any,
) -> Path:
    """Play an experiment, or what its run folder lacks of it.

    Parameters
    ----------
    source : an experiment, or its file
    progress : hears of the course of the run
    mode : "plain" plays the same games in ordinary Python, slowly, for breakpoints in the rules
    extend : let the experiment take over a run of another design, with the games both have
    options : as for `design.load`, if `source` is a file: seed, workers, backend, chunk, out,
        scheduler

    Returns
    -------
    the run folder, complete; games that were given up are in its table `failures`

    Raises
    ------
    ConfigError : the file has mistakes
    RunError : the run folder holds something else, or another process is at work in it, or it
        cannot be written, or workers died again and again
    AgentError : a user's agent cannot be imported; what was complete before stays
    RunInterruptedError : on Ctrl-C, after the games in play
    """
    experiment = source if isinstance(source, Experiment) else load(Path(source), **options)
    progress = progress or Progress()
    folder = experiment.run.out
    GATE.open()
    mend_extension(folder)
    plan.check_folder(experiment, extend=extend)
    if extend:
        extend_run(experiment)
    with locked(folder):
        plan.check_folder(experiment)
        remove_drafts(folder)
        try:
            _complete(experiment, progress, mode)
        except KeyboardInterrupt:
            GATE.close()  # a thread that writes a file finishes it, and begins no other
            raise
        finally:
            with suppress(OSError):
                remove_drafts(folder)  # of workers that died
    return folder


def _complete(experiment: Experiment, progress: Progress, mode: Mode) -> None:
    """Play what a run lacks, and what is made of its games when they are all there."""
    folder = experiment.run.out
    ended = plan.ending(experiment)
    if ended is None:
        check_whole(folder)
        try:
            experiment = retuned(experiment, progress)
        except KeyboardInterrupt:
            raise RunInterruptedError(
                f"interrupted while players were tuned for {folder}. The same command "
                "goes on with the rulesets whose players are not tuned yet."
            ) from None
        _play(experiment, progress, mode)
    else:
        plan.ask_anew(experiment)
        games = plan.num_games(experiment, ended)
        progress.start(games, games)
        progress.finish()
    if experiment.judged:
        judge_positions(folder, experiment.judged, mode)
    if any(experiment.replays.values()) and not is_kept(folder, experiment.replays):
        settings = {arm.index: _setting(experiment, arm, mode) for arm in experiment.arms}
        keep_replays(folder, experiment.replays, settings, mode)
    drop_doubles(folder)
    keep_sums(folder)


def _play(experiment: Experiment, progress: Progress, mode: Mode) -> None:
    """Play from look to look what is missing, and keep the manifest up to date."""
    options = experiment.run
    settings = {arm.index: _setting(experiment, arm, mode) for arm in experiment.arms}
    started = datetime.now(UTC)
    volatile: dict[str, Any] = {
        "started": started.isoformat(timespec="seconds"),
        "machine": platform.platform(),
        "cores": joblib.cpu_count(),
        "workers": options.workers or joblib.cpu_count(),
        "backend": options.backend,
        "chunk": options.chunk or "auto",
        "file": str(experiment.source[0].absolute()),
    }

    def save(look: Look | None = None) -> int:
        ended = look.resolved() if look and look.stopped_by else None
        counts = plan.counts(experiment, look.replicates if look and ended else None)
        volatile["seconds"] = round((datetime.now(UTC) - started).total_seconds(), 3)
        manifest = plan.describe(experiment, ended) | {"counts": counts}
        if any("watchdog" in kinds for kinds in counts.get("failures", {}).values()):
            manifest["same_bytes"] = False  # which games hang depends on the machine
        write_manifest(options.out, manifest | {"volatile": volatile})
        return int(counts["games"]) + int(counts.get("failed", 0))

    plan.keep_data_files(experiment)
    there = save()
    missing = plan.missing_parts(experiment)
    if mode == "jitted" and missing:
        tables = {any(player.is_own for player in s.players) for s in settings.values()}
        compile_s = sum(warm_up(experiment.game, own, progress) for own in tables)
        volatile["compile_s"] = round(compile_s, 3)
    progress.start(there, plan.num_games(experiment))
    crew = _Crew(experiment, settings, progress)
    last: Look | None = None
    try:
        with (
            _interruptible(progress) as interrupted,
            open_pool(options.backend, volatile["workers"], options.scheduler) as pool,
        ):
            for number, replicates in enumerate(experiment.stopping.looks, start=1):
                crew.play(pool, replicates, interrupted)
                if plan.missing_parts(experiment, replicates):
                    break
                last = look(options.out, experiment.stopping, number, replicates)
                expected = plan.num_games(experiment, replicates + last.more)
                progress.looked(last, plan.num_games(experiment, replicates), expected)
                if last.stopped_by or interrupted.is_set():
                    break
    except ReefsimError as error:
        volatile["failure"] = str(error)
        with suppress(ReefsimError):  # on a full disk there is no room for this either
            save(last)
        raise
    finally:
        progress.finish()
        if crew.deaths:
            volatile["workers_died"] = crew.deaths
    games = save(last)
    if last is None or not last.stopped_by:
        total = plan.num_games(experiment)
        most = "" if experiment.stopping.rule == "fixed" else "at most "
        raise RunInterruptedError(
            f"interrupted: {games:,} of {most}{total:,} games are in {options.out}. "
            f"Go on with: {resume_command(options.out)}"
        )


class _Crew:
    """Has the parts of a run played and written."""

    def __init__(
        self, experiment: Experiment, settings: Mapping[int, Setting], progress: Progress
    ) -> None:
        self._experiment, self._settings, self._progress = experiment, settings, progress
        self._pieces: _Pieces = {}
        self._rates: dict[int, float] = {}
        self._done = 0
        self.deaths = 0

    def play(self, pool: Pool, replicates: int, interrupted: threading.Event) -> None:
        """Have the parts up to a look played that are missing; other workers replace dead ones.

        Raises
        ------
        RunError : if workers die again and again, and nothing is done in between
        """
        in_a_row, done = 0, self._done
        while not interrupted.is_set():
            _stop.clear()
            if interrupted.is_set():
                _stop.set()
            missing = plan.missing_parts(self._experiment, replicates)
            try:
                self._play(pool, missing)
                return
            except WorkersDiedError as error:
                if interrupted.is_set():
                    return  # the run was interrupted while a worker started
                self.deaths += 1
                in_a_row = 1 if self._done > done else in_a_row + 1
                done = self._done
                if in_a_row >= _MOST_DEATHS:
                    raise RunError(str(error)) from error

    def _play(self, pool: Pool, missing: Sequence[Part]) -> None:
        chunk = self._experiment.run.chunk
        tasks = _tasks(missing, self._settings, chunk, self._rates, self._pieces)
        results = pool(play_task, tasks)
        try:
            for done in results:
                if done is not None:
                    self._take(done)
        finally:
            _stop.set()  # tasks still waiting after an error are not begun
            results.close()  # type: ignore[attr-defined]

    def _take(self, done: _Done) -> None:
        """Count a task that was played, and write its part if that is complete with it."""
        task, arm = done.task, done.task.part.arm
        self._done += 1
        self._rates[arm.index] = task.replicates / max(done.timing["seconds"], 1e-6)
        self._progress.advance(done.timing["games"])
        if done.files is not None:
            write_part(task.setting.folder, arm.name, task.part.number, done.files)
        if done.rows is None:
            return
        found = self._pieces.setdefault((arm.index, task.part.number), [])
        found.append(done)
        if sum(piece.task.replicates for piece in found) == task.part.replicates:
            pieces = self._pieces.pop((arm.index, task.part.number))
            write_part(task.setting.folder, arm.name, task.part.number, _files(pieces))


def _setting(experiment: Experiment, arm: Arm, mode: Mode) -> Setting:
    backend = experiment.run.backend
    return Setting(
        game_name=experiment.game_name,
        ruleset=arm.ruleset,
        seatings=arm.seatings,
        players=tuple(_player(experiment, arm, name) for name in arm.lineup),
        labels=plan.arm_labels(experiment, arm),
        chance_arm=0 if experiment.pairing == "chance" else 1 + arm.index,
        max_plies=experiment.max_plies,
        events=experiment.events,
        folder=experiment.run.out,
        mode=mode,
        watchdog_s=experiment.watchdog_s,
        writes=backend == "threading" or (backend == "loky" and is_shared(experiment.run.out)),
        follows=backend == "loky",
    )


def setting_of(experiment: Experiment, arm: Arm, mode: Mode) -> Setting:
    """The setting in which the games of an arm were played, its tuned players included."""
    if experiment.retune:
        experiment = retuned(experiment, Progress())
        arm = experiment.arms[arm.index]
    return _setting(experiment, arm, mode)


def _player(experiment: Experiment, arm: Arm, name: str) -> Player:
    spec = experiment.agents[name]
    params = spec.params
    if weights := arm.weights_played.get(name):
        params = params | {"weights": weights.values}
    return Player(name, spec.kind, params, experiment.source[0].parent)


def _tasks(
    missing: Iterable[Part],
    settings: Mapping[int, Setting],
    chunk: int | None,
    rates: Mapping[int, float],
    pieces: Mapping[tuple[int, int], Sequence[_Done]] | None = None,
) -> Iterator[_Task]:
    """Cut the missing parts into tasks, as they are asked for.

    Parameters
    ----------
    chunk : replicates of a task; None: what takes a task's time at the rate of its arm
    rates : replicates per second by arm, filled in while tasks are played
    pieces : of these parts, which were played before other workers died
    """
    for part in missing:
        for first, end in _gaps(part, (pieces or {}).get((part.arm.index, part.number), ())):
            while first < end:
                if _stop.is_set():
                    return
                rate = rates.get(part.arm.index, 0.0)
                size = min(chunk or max(1, round(rate * _TASK_S)), end - first)
                yield _Task(settings[part.arm.index], part, first, size)
                first += size


def _gaps(part: Part, pieces: Sequence[_Done]) -> list[tuple[int, int]]:
    """The replicates of a part of which there are no pieces yet: first, and behind the last."""
    found, first = [], part.first
    for piece in sorted(pieces, key=lambda piece: piece.task.first):
        if piece.task.first > first:
            found.append((first, piece.task.first))
        first = piece.task.first + piece.task.replicates
    end = part.first + part.replicates
    return [*found, (first, end)] if first < end else found


def play_task(task: _Task) -> _Done | None:
    """Play a task; write its part if it is whole. Runs in a worker.

    Raises
    ------
    AgentError : if an agent written in Python cannot be imported there
    """
    setting, arm = task.setting, task.part.arm
    if not setting.follows or multiprocessing.parent_process() is None:
        if _stop.is_set():
            return None
    else:
        _follow_parent()
    started = time.time_ns() // 1000
    game = registry.get(setting.game_name)
    table = make_table(
        setting.players,
        game,
        arm.ruleset,
        seed=setting.labels.seed,
        arm=setting.chance_arm,
        max_plies=setting.max_plies,
        mode=setting.mode,
        watchdog_s=setting.watchdog_s,
    )
    jobs = jobs_of(arm.seatings, task.first, task.replicates)
    events = kept_replicates(setting.events, jobs[:, 0])
    rows = table.play(jobs, events=events, keep_failures=True)
    timing = {
        "replicate": task.first,
        "replicates": task.replicates,
        "games": len(jobs),
        "seconds": rows.seconds,
        "worker": f"{os.getpid()}-{threading.get_ident()}",
        "started": started,
    }
    done = _Done(task, timing, rows)
    if not task.is_whole:
        return done
    files = _files([done])
    if not setting.writes:
        return _Done(task, timing, files=files)
    write_part(setting.folder, arm.name, task.part.number, files)
    return _Done(task, timing)


@cache
def _follow_parent() -> None:
    """Make a worker process leave when its parent is gone, and leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        GATE.close()  # so that no draft is left
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _files(pieces: list[_Done]) -> dict[str, pa.Buffer]:
    """Content of the files of the part that the pieces make up, by table."""
    pieces.sort(key=lambda piece: piece.task.first)
    task = pieces[0].task
    game = registry.get(task.setting.game_name).under(task.part.arm.ruleset)
    encoder = Encoder(game, task.setting.labels)
    tables = encoder.encode(join([piece.rows for piece in pieces if piece.rows is not None]))
    tables["timing"] = encoder.timing(piece.timing for piece in pieces)
    return {name: encode_table(table) for name, table in tables.items()}


@contextmanager
def _interruptible(progress: Progress) -> Iterator[threading.Event]:
    """Make Ctrl-C finish the games in play; a second one stops at once.

    Yields
    ------
    an event that is set once Ctrl-C was heard
    """
    _stop.clear()
    heard = threading.Event()

    def handle(number: int, frame: object) -> None:
        if heard.is_set():
            raise KeyboardInterrupt
        heard.set()
        _stop.set()
        progress.stopping()

    if threading.current_thread() is not threading.main_thread():
        yield heard  # only the main thread hears of signals
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)
