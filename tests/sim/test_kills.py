"""Runs whose processes are killed at random moments, and runs that fill the disk."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from reefsim.errors import RunError
from reefsim.sim.design import loads
from reefsim.sim.resume import reopen
from reefsim.sim.runner import run
from tests.runs import digests, play, small_parts
from tests.sizes import sized

TEXT = """\
question: Does a run survive?
game: reef_encounter
seats: 2
seed: 11
rulesets: {published: {}}
agents: {a: {kind: random}, b: {kind: random}}
lineups: {table: [a, b]}
stopping: {rule: fixed, replicates: %d}
save: {events: 0.1}
"""
REPLICATES = sized(10_000, 40_000)  # two games each
KILLS = sized(2, 20)
MAIN = [sys.executable, "-c", "from reefsim.cli import main; main()"]


def parts(out: Path) -> int:
    return len(list(out.glob("games/*/part-*.parquet")))


def workers_of(process: subprocess.Popen[bytes], mark: str) -> list[psutil.Process]:
    """Processes a run started whose command line holds the mark of a back end's workers."""
    try:
        children = psutil.Process(process.pid).children(recursive=True)
        return [child for child in children if mark in " ".join(child.cmdline())]
    except psutil.Error:
        return []


@pytest.mark.jitted
@pytest.mark.slow  # it kills at moments of real time, which a busy machine moves about
@pytest.mark.parametrize("backend", sized(["loky"], ["threading", "loky"]))
def test_a_run_that_is_killed_again_and_again(tmp_path: Path, backend: str) -> None:
    wanted = run(loads(TEXT % REPLICATES, tmp_path / "run.yaml", out=tmp_path / "wanted"))
    file, out, told = tmp_path / "run.yaml", tmp_path / "run", tmp_path / "told.txt"
    file.write_text(TEXT % REPLICATES)
    options = ["--workers", "2", "--backend", backend, "--quiet", "--no-report"]
    command = [*MAIN, "run", str(file), "--out", str(out), *options]
    dice, kills = random.Random(5), 0
    orphans: list[psutil.Process] = []
    while kills < KILLS and parts(out) < parts(wanted):
        before = parts(out)
        with told.open("wb") as stderr:  # no pipe: workers of a killed run outlive it for a while
            process = subprocess.Popen(command, stderr=stderr)
        early = dice.random() < 0.2  # while it starts
        deadline = time.monotonic() + (dice.uniform(0, 3) if early else 120)
        while process.poll() is None and time.monotonic() < deadline and parts(out) == before:
            time.sleep(0.005)
        time.sleep(dice.uniform(0, 0.1))
        workers = workers_of(process, "popen_loky")
        orphans += workers
        if kills % 2 and workers:
            dice.choice(workers).kill()
            time.sleep(dice.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0:  # a busy machine looked away for too long
            break
        assert process.returncode == -signal.SIGKILL, told.read_text()
        kills += 1
        if (out / "manifest.json").exists():
            command = [*MAIN, "resume", str(out), *options]
    assert kills > KILLS / 2
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert digests(out) == digests(wanted)
    assert (out / "SHA256SUMS").read_bytes() == (wanted / "SHA256SUMS").read_bytes()
    _, left = psutil.wait_procs(orphans, timeout=60)  # they end the piece of work they are at
    assert not left
    assert not [path for path in out.rglob(".*") if path.is_file()]


@pytest.mark.jitted
@pytest.mark.slow
def test_a_run_whose_dask_workers_are_killed_again_and_again(tmp_path: Path) -> None:
    """Dask starts others; where it gives a piece of work up, the run is resumed."""
    pytest.importorskip("distributed")
    wanted = run(loads(TEXT % REPLICATES, tmp_path / "run.yaml", out=tmp_path / "wanted"))
    file, out, told = tmp_path / "run.yaml", tmp_path / "run", tmp_path / "told.txt"
    file.write_text(TEXT % REPLICATES)
    options = ["--workers", "2", "--backend", "dask", "--quiet", "--no-report"]
    command = [*MAIN, "run", str(file), "--out", str(out), *options]
    dice, kills, done = random.Random(6), 0, 1
    while done:
        with told.open("wb") as stderr:
            process = subprocess.Popen(command, stderr=stderr)
        before = parts(out)
        while process.poll() is None:
            workers = workers_of(process, "spawn_main")
            if kills < KILLS and parts(out) > before and workers:
                time.sleep(dice.uniform(0, 0.1))
                before = parts(out)
                dice.choice(workers).kill()
                kills += 1
            time.sleep(0.005)
        done = process.wait()
        message = told.read_text()
        assert message == "" if done == 0 else "workers died again and again" in message
        command = [*MAIN, "resume", str(out), *options]
    assert kills == KILLS
    assert digests(out) == digests(wanted)
    assert (out / "SHA256SUMS").read_bytes() == (wanted / "SHA256SUMS").read_bytes()
    assert not [path for path in out.rglob(".*") if path.is_file()]


@pytest.mark.jitted
def test_ctrl_c_names_the_command_that_goes_on(tmp_path: Path) -> None:
    file, out = tmp_path / "run.yaml", tmp_path / "run"
    file.write_text(TEXT % 40_000)
    options = ["--workers", "2", "--quiet", "--no-report"]
    command = [*MAIN, "run", str(file), "--out", str(out), *options]
    for presses in (1, 2):
        before = parts(out)
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and parts(out) == before:
            time.sleep(0.01)
        for _ in range(presses):
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        _, told = process.communicate(timeout=60)
        assert process.returncode == 3, told
        if presses == 1:
            assert told.startswith("interrupted: ")
            assert told.endswith(f" games are in {out}. Go on with: reefsim resume {out}\n")
        else:
            assert "interrupted" in told
        assert len(told.splitlines()) == 1
        assert not [path for path in out.rglob(".*") if path.is_file()]
        assert parts(out) > before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk(folder: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)
    out = small_disk / "run"
    with pytest.raises(RunError) as error:
        play(out, workers=2)
    assert str(error.value).startswith(f"{out}/")
    assert str(error.value).endswith(": cannot be written: No space left on device.")
    assert "\n" not in str(error.value)
    assert not [path for path in out.rglob(".*") if path.is_file()]
    with pytest.raises(RunError, match="No space left on device"):
        run(reopen(out), mode="plain")
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    run(reopen(out), mode="plain")
    assert digests(out) == digests(folder)
