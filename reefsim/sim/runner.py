"""Playing an experiment: tasks out to workers, part files into the run folder.

A task is a chunk of the replicates of one part. A task that is a whole part is written by the
worker that played it; smaller chunks come back and are written together by the parent as soon as
their part is complete. Neither the number nor the kind of workers nor the size of chunks changes a
byte of what is written, except in the table `timing`.

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
import warnings
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import joblib

from reefsim.core.agent import AgentError
from reefsim.core.kernel import Mode
from reefsim.core.ruleset import Ruleset
from reefsim.errors import ReefsimError, RunError
from reefsim.games import registry
from reefsim.logs.encode import ArmLabels, Encoder, RawRows, join
from reefsim.logs.manifest import write_manifest
from reefsim.logs.write import write_part
from reefsim.sim import judge, plan
from reefsim.sim.design import Arm, Experiment, load
from reefsim.sim.judge import Look
from reefsim.sim.plan import Part
from reefsim.sim.playout import jobs_of
from reefsim.sim.progress import Progress
from reefsim.sim.replays import is_kept, judge_positions, keep_replays
from reefsim.sim.retune import retuned
from reefsim.sim.table_play import Player, make_table
from reefsim.sim.warm import warm_up

_TASK_S = 2.0  # how long a task should take, where the size of chunks is left to the runner
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
    """A task that was played; `rows` is None if they are written already."""

    task: _Task
    rows: RawRows | None
    timing: dict[str, Any]


def run(
    source: Experiment | str | os.PathLike[str],
    *,
    progress: Progress | None = None,
    mode: Mode = "jitted",
    **options: Any,
) -> Path:
    """Play an experiment, or what its run folder lacks of it.

    Parameters
    ----------
    source : an experiment, or its file
    progress : hears of the course of the run
    mode : "plain" plays the same games in ordinary Python, slowly, for breakpoints in the rules
    options : as for `design.load`, if `source` is a file: seed, workers, backend, chunk, out

    Returns
    -------
    the run folder, complete

    Raises
    ------
    ConfigError : the file has mistakes
    RunError : the run folder holds something else, or a worker died
    AgentError : a user's agent failed; what was complete before stays
    RunInterruptedError : on Ctrl-C, after the games in play
    """
    experiment = source if isinstance(source, Experiment) else load(Path(source), **options)
    progress = progress or Progress()
    plan.check_folder(experiment)
    ended = plan.ending(experiment)
    if ended is None:
        try:
            experiment = retuned(experiment, progress)
        except KeyboardInterrupt:
            raise RunInterruptedError(
                f"interrupted while players were tuned for {experiment.run.out}. The same command "
                "goes on with the rulesets whose players are not tuned yet."
            ) from None
        _play(experiment, progress, mode)
    else:
        plan.ask_anew(experiment)
        games = plan.num_games(experiment, ended)
        progress.start(games, games)
        progress.finish()
    if experiment.judged:
        judge_positions(experiment.run.out, experiment.judged, mode)
    if any(experiment.replays.values()) and not is_kept(experiment.run.out, experiment.replays):
        settings = {arm.index: _setting(experiment, arm, mode) for arm in experiment.arms}
        keep_replays(experiment.run.out, experiment.replays, settings, mode)
    return experiment.run.out


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
    }

    def save(look: Look | None = None) -> int:
        ended = look.resolved() if look and look.stopped_by else None
        counts = plan.counts(experiment, look.replicates if look and ended else None)
        volatile["seconds"] = round((datetime.now(UTC) - started).total_seconds(), 3)
        manifest = plan.describe(experiment, ended)
        write_manifest(options.out, manifest | {"counts": counts, "volatile": volatile})
        return int(counts["games"])

    plan.keep_data_files(experiment)
    there = save()
    if mode == "jitted" and plan.missing_parts(experiment):
        tables = {any(player.is_own for player in s.players) for s in settings.values()}
        compile_s = sum(warm_up(experiment.game, own, progress) for own in tables)
        volatile["compile_s"] = round(compile_s, 3)
    progress.start(there, plan.num_games(experiment))
    rates: dict[int, float] = {}
    last: Look | None = None
    try:
        with _interruptible(progress) as interrupted:
            for number, replicates in enumerate(experiment.stopping.looks, start=1):
                missing = plan.missing_parts(experiment, replicates)
                tasks = _tasks(missing, settings, options.chunk, rates)
                _work(tasks, volatile["workers"], options.backend, rates, progress)
                if plan.missing_parts(experiment, replicates):
                    break
                last = judge.look(options.out, experiment.stopping, number, replicates)
                expected = plan.num_games(experiment, replicates + last.more)
                progress.looked(last, plan.num_games(experiment, replicates), expected)
                if last.stopped_by or interrupted.is_set():
                    break
                _stop.clear()
    except AgentError as error:
        volatile["failure"] = str(error)
        raise
    finally:
        progress.finish()
        games = save(last)
    if last is None or not last.stopped_by:
        total = plan.num_games(experiment)
        most = "" if experiment.stopping.rule == "fixed" else "at most "
        raise RunInterruptedError(
            f"interrupted: {games:,} of {most}{total:,} games are in {options.out}. "
            "The same command goes on from there."
        )


def _setting(experiment: Experiment, arm: Arm, mode: Mode) -> Setting:
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
    )


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
) -> Iterator[_Task]:
    """Cut the missing parts into tasks, as they are asked for.

    Parameters
    ----------
    chunk : replicates of a task; None: what takes a task's time at the rate of its arm
    rates : replicates per second by arm, filled in while tasks are played
    """
    for part in missing:
        first, end = part.first, part.first + part.replicates
        while first < end:
            if _stop.is_set():
                return
            rate = rates.get(part.arm.index, 0.0)
            size = min(chunk or max(1, round(rate * _TASK_S)), end - first)
            yield _Task(settings[part.arm.index], part, first, size)
            first += size


def _work(
    tasks: Iterator[_Task],
    workers: int,
    backend: str,
    rates: dict[int, float],
    progress: Progress,
) -> None:
    """Let the workers play the tasks; write the parts that came in chunks."""
    pieces: dict[tuple[int, int], list[_Done]] = {}
    parallel = joblib.Parallel(
        n_jobs=workers,
        backend=backend,
        return_as="generator_unordered",
        pre_dispatch="2*n_jobs",  # keeps the tasks that wait, and so the memory, few
        batch_size=1,
    )
    with _shielded():
        results = parallel(joblib.delayed(play_task)(task) for task in tasks)
    try:
        for done in results:
            if done is None:
                continue
            task, arm = done.task, done.task.part.arm.index
            rates[arm] = task.replicates / max(done.timing["seconds"], 1e-6)
            progress.advance(done.timing["games"])
            if done.rows is None:
                continue
            found = pieces.setdefault((arm, task.part.number), [])
            found.append(done)
            if sum(piece.task.replicates for piece in found) == task.part.replicates:
                _write(pieces.pop((arm, task.part.number)))
    except BrokenProcessPool as error:
        if _stop.is_set():
            return  # the run was interrupted while a worker started
        raise RunError(
            "a worker process died, perhaps for want of memory. Use fewer workers, or "
            "backend: threading, which keeps all in one process."
        ) from error
    finally:
        _stop.set()  # tasks still waiting after an error are not begun
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that some results were not asked for
            results.close()


def play_task(task: _Task) -> _Done | None:
    """Play a task; write its part if it is whole. Runs in a worker.

    Raises
    ------
    AgentError : with the arm and the game, if an agent written in Python failed
    """
    if multiprocessing.parent_process() is not None:
        _follow_parent()
    elif _stop.is_set():
        return None
    started = time.time_ns() // 1000
    setting, arm = task.setting, task.part.arm
    game = registry.get(setting.game_name)
    table = make_table(
        setting.players,
        game,
        arm.ruleset,
        seed=setting.labels.seed,
        arm=setting.chance_arm,
        max_plies=setting.max_plies,
        mode=setting.mode,
    )
    jobs = jobs_of(arm.seatings, task.first, task.replicates)
    try:
        rows = table.play(jobs, events=plan.kept_replicates(setting.events, jobs[:, 0]))
    except AgentError as error:
        raise AgentError(f"arm {arm.name}: {error}") from error
    timing = {
        "replicate": task.first,
        "replicates": task.replicates,
        "games": len(jobs),
        "seconds": rows.seconds,
        "worker": f"{os.getpid()}-{threading.get_ident()}",
        "started": started,
    }
    if task.is_whole:
        _write([_Done(task, rows, timing)])
        return _Done(task, None, timing)
    return _Done(task, rows, timing)


@cache
def _follow_parent() -> None:
    """Make a worker process leave when its parent is gone, and leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _shielded() -> Iterator[None]:
    """Processes that start inside never hear of Ctrl-C; this one hears of it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _write(pieces: list[_Done]) -> None:
    """Write the part that the pieces make up."""
    pieces.sort(key=lambda piece: piece.task.first)
    task = pieces[0].task
    game = registry.get(task.setting.game_name).under(task.part.arm.ruleset)
    encoder = Encoder(game, task.setting.labels)
    tables = encoder.encode(join([piece.rows for piece in pieces if piece.rows is not None]))
    tables["timing"] = encoder.timing(piece.timing for piece in pieces)
    write_part(task.setting.folder, task.part.arm.name, task.part.number, tables)


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
