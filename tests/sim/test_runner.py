"""Runs: the same bytes however they are played, whole files, and what happens on the way."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from reefsim.errors import ConfigError, RunError
from reefsim.logs.read import open_run
from reefsim.sim import plan, runner
from reefsim.sim.design import loads
from reefsim.sim.progress import Progress
from reefsim.sim.runner import RunInterruptedError, run
from tests.runs import ARMS, GAMES, PARTS, TEXT, digests, experiment, play, small_parts

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)


class Heard(Progress):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.games = 0

    def start(self, done: int, total: int) -> None:
        self.told.append((done, total))

    def advance(self, games: int) -> None:
        self.games += games

    def stopping(self) -> None:
        self.told.append("stopping")

    def finish(self) -> None:
        self.told.append("finish")


@pytest.mark.parametrize(
    "options",
    [
        {"workers": 2},
        {"workers": 1, "chunk": 1},
        {"workers": 2, "chunk": 2},
        {"workers": 1, "chunk": 100},
        {"workers": 2, "backend": "loky"},
        {"workers": 2, "backend": "loky", "chunk": 3},
    ],
    ids=str,
)
def test_neither_workers_nor_chunks_change_a_byte(
    folder: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    found = play(tmp_path / "run", **options)
    assert digests(found) == digests(folder)
    assert len(digests(found)) == 4 * len(ARMS) * PARTS
    assert without_volatile(found) == without_volatile(folder)


@pytest.mark.jitted
@pytest.mark.parametrize("options", [{"workers": 2}, {"workers": 2, "backend": "loky"}], ids=str)
def test_compiled_runs_have_the_same_bytes(
    folder: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    found = run(experiment(tmp_path / "run", **options))
    assert digests(found) == digests(folder)


def without_volatile(folder: Path) -> dict[str, Any]:
    text = (folder / "manifest.json").read_text(encoding="utf-8")
    manifest: dict[str, Any] = json.loads(text.replace(str(folder.parent), ""))
    del manifest["volatile"]
    return manifest


def test_no_draft_is_left(folder: Path) -> None:
    assert not [path for path in folder.rglob(".*") if path.is_file()]


def test_a_complete_run_is_not_played_again(tmp_path: Path) -> None:
    out = play(tmp_path / "run")
    before = digests(out)
    stamp = (out / "manifest.json").stat().st_mtime_ns
    heard = Heard()
    assert run(experiment(out), progress=heard) == out
    assert heard.told == [(GAMES, GAMES), "finish"]
    assert digests(out) == before
    assert (out / "manifest.json").stat().st_mtime_ns == stamp


def test_an_incomplete_run_goes_on_with_the_parts_it_lacks(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    shutil.copytree(folder, out)
    lost = out / "games" / f"arm={ARMS[0]}" / "part-00001.parquet"
    lost.unlink()
    untouched = {path: path.stat().st_mtime_ns for path in out.glob("games/*/*.parquet")}
    heard = Heard()
    run(experiment(out), progress=heard, mode="plain")
    assert heard.told == [(GAMES - 10, GAMES), "finish"]
    assert heard.games == 10
    assert digests(out) == digests(folder)
    assert untouched == {path: path.stat().st_mtime_ns for path in untouched}


def interrupt_at(monkeypatch: pytest.MonkeyPatch, task: int, times: int = 1) -> None:
    """Press Ctrl-C when a task begins, and let no task go on before it was heard."""
    begun = itertools.count(1)
    original = runner.play_task

    def play_task(what: Any) -> Any:
        if next(begun) == task:
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
                assert runner._stop.wait(60)
        return original(what)

    monkeypatch.setattr(runner, "play_task", play_task)


@pytest.mark.parametrize(
    ("options", "task"), [({"workers": 1}, 4), ({"workers": 2, "chunk": 2}, 13)], ids=str
)
def test_an_interrupted_run_keeps_what_is_complete(
    folder: Path,
    tmp_path: Path,
    options: dict[str, Any],
    task: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "run"
    heard = Heard()
    with monkeypatch.context() as patched:
        interrupt_at(patched, task)
        with pytest.raises(RunInterruptedError, match=rf"\d+ of {GAMES} games are in") as error:
            run(experiment(out, **options), progress=heard, mode="plain")
    assert error.value.exit_code == 3
    assert heard.told[1:] == ["stopping", "finish"]
    left = open_run(out)
    assert 0 < len(left.games) < GAMES
    assert left.manifest["counts"]["games"] == len(left.games)
    assert not left.manifest["counts"]["complete"]
    run(experiment(out), mode="plain")
    assert digests(out) == digests(folder)
    assert without_volatile(out) == without_volatile(folder)


def test_a_second_interrupt_stops_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    with monkeypatch.context() as patched:
        interrupt_at(patched, task=2, times=2)
        with pytest.raises(KeyboardInterrupt):
            run(experiment(tmp_path / "run"), mode="plain")
    assert signal.getsignal(signal.SIGINT) is before
    play(tmp_path / "run")


def test_the_share_of_events(folder: Path, tmp_path: Path) -> None:
    found = open_run(play(tmp_path / "some", TEXT + "save: {events: 0.2}\n"))
    whole = open_run(folder)
    assert found.games["turns"].tolist() == whole.games["turns"].tolist()
    kept = found.games[found.games["replicate"] % 5 == 0]
    assert set(found.events["game_id"]) == set(kept["game_id"])
    wanted = whole.events[whole.events["game_id"].isin(kept["game_id"])]
    assert found.events["cell"].tolist() == wanted["cell"].tolist()
    with pytest.raises(RunError, match=r"the events of game 1000 were not kept \(save.events"):
        found.record(1000)
    none = open_run(play(tmp_path / "none", TEXT + "save: {events: none}\n"))
    assert not len(none.events)
    assert "cell" in none.events


def test_unpaired_arms_have_shuffles_of_their_own(folder: Path, tmp_path: Path) -> None:
    same = TEXT.replace("{preset: advanced}", "{}")
    paired = open_run(play(tmp_path / "paired", same)).games
    alone = open_run(play(tmp_path / "alone", same + "design: {pairing: none}\n")).games
    boards = [tuple(boards) for boards in paired["boards"]]
    assert boards[: GAMES // 2] == boards[GAMES // 2 :]
    first, second = (alone[alone["arm"] == arm] for arm in ARMS)
    assert first["plies"].tolist() != second["plies"].tolist()


OWN = TEXT.replace("b: {kind: random}", 'b: {kind: "own_agents:%s"}').replace("15", "5")


def own(out: Path, text: str, **options: Any) -> Any:
    text += "limits: {max_plies: 120}\n"
    return loads(text, HERE / "own.yaml", **{"workers": 1, **options, "out": out})


def test_own_agents_from_the_file_to_the_tables(tmp_path: Path) -> None:
    first = run(own(tmp_path / "one", OWN % "Careful"), mode="plain")
    second = run(own(tmp_path / "two", OWN % "Careful", workers=2, chunk=1), mode="plain")
    assert digests(first) == digests(second)
    found = open_run(first)
    assert set(found.players["agent"]) == {"a", "b"}
    assert found.games["truncated"].all()
    assert found.games["ender"].isna().all()


def test_games_of_another_version_of_an_own_agent_are_not_mixed(tmp_path: Path) -> None:
    code = (HERE / "own_agents.py").read_text(encoding="utf-8")
    (tmp_path / "own_agents.py").write_text(code)
    file = tmp_path / "run.yaml"
    file.write_text(OWN % "Chance")
    run(file, out=tmp_path / "run", mode="plain")
    run(file, out=tmp_path / "run", mode="plain")
    (tmp_path / "own_agents.py").write_text(code + "\n# changed\n")
    with pytest.raises(RunError, match="another version of the rules or agents"):
        run(file, out=tmp_path / "run", mode="plain")


def test_options_and_mistakes_reach_the_loader(tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    file.write_text(TEXT, encoding="utf-8")
    assert run(file, out=tmp_path / "there", workers=1, mode="plain") == tmp_path / "there"
    with pytest.raises(ConfigError):
        run(file, workers=0)


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = itertools.count()

    def full(*args: object) -> None:
        if next(calls) > 0:  # the manifest still has room
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("reefsim.logs.files.os.fsync", full)
    with pytest.raises(RunError, match=r"part-00000.parquet: cannot be written: No space left"):
        play(tmp_path / "run")


def test_chunks_grow_until_they_take_their_time(tmp_path: Path) -> None:
    design = experiment(tmp_path / "run", TEXT.replace("replicates: 15", "replicates: 400"))
    missing = plan.missing_parts(design)
    settings = {arm.index: runner._setting(design, arm, "plain") for arm in design.arms}
    rates: dict[int, float] = {}
    runner._stop.clear()
    tasks = runner._tasks(missing, settings, None, rates)
    assert [next(tasks).replicates for _ in range(2)] == [1, 1]
    rates[0] = 5.0
    assert next(tasks).replicates == 10
    rates[0] = 1e6
    assert next(tasks).replicates == missing[0].replicates - 12
    assert next(tasks).replicates == 1  # the other arm is not known yet
