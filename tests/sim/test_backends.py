"""Clusters play the same games, and folders elsewhere hold the same files."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from reefsim.errors import ConfigError, RunError
from reefsim.logs.files import find_place, is_local
from reefsim.logs.manifest import read_manifest
from reefsim.logs.read import open_run
from reefsim.sim import plan
from reefsim.sim.design import Experiment, loads
from reefsim.sim.progress import Progress
from reefsim.sim.resume import reopen
from reefsim.sim.runner import run
from reefsim.sim.verify import verify_run
from tests.runs import ARMS, GAMES, TEXT, digests, experiment, play, small_parts


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)


@pytest.fixture(scope="module")
def cluster() -> Any:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as found:
        yield found


@pytest.mark.parametrize("chunk", [None, 2])
def test_a_dask_cluster_plays_the_same_games(
    folder: Path, tmp_path: Path, cluster: Any, chunk: int | None
) -> None:
    out = tmp_path / "run"
    play(out, backend="dask", scheduler=cluster.scheduler_address, chunk=chunk)
    assert digests(out) == digests(folder)
    assert verify_run(out, sample=0).faults == []


def test_a_dask_cluster_is_started_if_none_is_named(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    out = play(tmp_path / "run", backend="dask", workers=1)
    assert digests(out) == digests(folder)


def test_a_dask_worker_that_is_killed_costs_its_chunk_only(
    folder: Path, tmp_path: Path, cluster: Any
) -> None:
    class Killer(Progress):
        games = 0

        def advance(self, games: int) -> None:
            if not self.games:
                workers = list(cluster.workers.values())
                os.kill(workers[0].process.pid, signal.SIGKILL)
            self.games += games

    killer = Killer()
    out = tmp_path / "run"
    options = {"backend": "dask", "scheduler": cluster.scheduler_address, "chunk": 1}
    run(experiment(out, **options), mode="plain", progress=killer)
    assert digests(out) == digests(folder)
    assert killer.games == GAMES
    assert not [path for path in out.rglob(".*") if path.is_file()]


def test_ray_plays_the_same_games(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    out = play(tmp_path / "run", backend="ray", workers=2, chunk=2)
    assert digests(out) == digests(folder)


@pytest.mark.parametrize("chunk", [None, 1])
def test_a_loky_worker_that_is_killed_is_replaced(
    folder: Path, tmp_path: Path, chunk: int | None
) -> None:
    import psutil

    def kill() -> None:
        me = psutil.Process()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            workers = [p for p in me.children() if "popen_loky" in " ".join(p.cmdline())]
            if workers:
                time.sleep(1.0)
                workers[0].kill()
                return
            time.sleep(0.05)

    thread = threading.Thread(target=kill)
    thread.start()
    out = play(tmp_path / "run", backend="loky", workers=2, chunk=chunk)
    thread.join()
    assert digests(out) == digests(folder)
    assert read_manifest(out)["counts"]["complete"]


def test_workers_that_die_again_and_again(tmp_path: Path) -> None:
    text = TEXT.replace("b: {kind: random}", 'b: {kind: "dying:Dying"}')
    (tmp_path / "dying.py").write_text(
        "import os\n\nclass Dying:\n    def __init__(self, rng):\n        pass\n\n"
        "    def act(self, view):\n        os._exit(3)\n"
    )
    with pytest.raises(RunError, match="a worker process died, perhaps for want of memory"):
        play(tmp_path / "run", text, backend="loky", workers=2)
    assert read_manifest(tmp_path / "run")["volatile"]["failure"].startswith("a worker process")
    assert not [path for path in (tmp_path / "run").rglob(".*") if path.is_file()]


def test_clusters_that_do_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("reefsim.sim.backends._PATIENCE_S", 0.5)
    with pytest.raises(RunError, match=r"tcp://127\.0\.0\.1:9: no Dask scheduler answers there"):
        play(tmp_path / "run", backend="dask", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(ConfigError, match=r"run.scheduler: 'loky' has no scheduler"):
        play(tmp_path / "run", backend="loky", scheduler="tcp://127.0.0.1:9")


def test_back_ends_that_are_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        RunError, match=r'dask is not installed. Try: pip install "reefsim\[dask\]"'
    ):
        play(tmp_path / "run", backend="dask")


def test_games_may_go_to_an_address(folder: Path) -> None:
    pytest.importorskip("upath")
    out = "memory://games/first run"
    place = run(_at(out), mode="plain")
    assert not is_local(place)
    found, wanted = open_run(out), open_run(folder)
    for name in ("games", "players", "turns", "events"):
        assert found.table(name).equals(wanted.table(name)), name
    assert found.manifest["checksums"] == wanted.manifest["checksums"]
    assert found.record(1001).rows == wanted.record(1001).rows
    assert verify_run(found.folder, sample=1, mode="plain").faults == []
    (found.folder / "games" / f"arm={ARMS[0]}" / "part-00001.parquet").unlink()
    again = reopen(find_place(out))
    assert len(plan.missing_parts(again)) == 1
    run(again, mode="plain")
    assert open_run(out).manifest["checksums"] == wanted.manifest["checksums"]


def _at(out: str) -> Experiment:
    return loads(TEXT, "small.yaml", workers=2, out=out)


def test_file_addresses_are_folders(tmp_path: Path) -> None:
    assert find_place(f"file://{tmp_path}/a%20b") == tmp_path / "a b"
    assert find_place("s3:/b/x") == Path("s3:/b/x")


def test_addresses_that_cannot_be_used() -> None:
    pytest.importorskip("upath")
    with pytest.raises(ConfigError, match=r"--out nowhere://x: this place cannot be used: "):
        _at("nowhere://x")
    kept = TEXT + "save: {replays: {sample: 2}}\n"
    with pytest.raises(ConfigError, match="needs a folder of this machine, and 'out' is an addr"):
        loads(kept, "small.yaml", out="memory://x")
