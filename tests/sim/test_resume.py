"""A run folder survives whatever happens to the processes that play into it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reefsim.errors import RunDamagedError, RunError
from reefsim.logs.compact import compact_run
from reefsim.logs.files import remove_drafts
from reefsim.logs.lock import locked
from reefsim.logs.manifest import read_manifest
from reefsim.logs.read import open_run
from reefsim.logs.write import part_path
from reefsim.sim import plan
from reefsim.sim.resume import reopen
from reefsim.sim.runner import run
from reefsim.sim.verify import verify_run
from tests.runs import ARMS, GAMES, TEXT, digests, experiment, play, small_parts


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)


def lose(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).unlink()


def test_a_run_goes_on_from_its_folder_alone(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "moved")
    lose(out, f"games/arm={ARMS[0]}/part-00001.parquet", f"turns/arm={ARMS[1]}/part-00000.parquet")
    again = reopen(out, workers=1)
    assert again.run.out == out
    assert len(plan.missing_parts(again)) == 2
    run(again, mode="plain")
    assert digests(out) == digests(folder)
    assert read_manifest(out)["checksums"] == read_manifest(folder)["checksums"]


def test_drafts_of_killed_processes_are_removed_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "run"
    drafts = [
        part_path(out, "games", ARMS[0], 0).with_name(".part-00000.parquet.4711-140000"),
        out / ".manifest.json.4711-1",
        out / "replays" / ".17.jsonl.4711.part",
        out / "weights" / ".published.yaml.part",
    ]
    kept = [out / ".hidden", out / "notes.part", out / "games" / ".gitignore"]
    for path in (*drafts, *kept):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    assert remove_drafts(out) == len(drafts)
    assert [path.exists() for path in kept] == [True] * 3


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "run"
    holder = (
        "import sys, time; from pathlib import Path; from reefsim.logs.lock import locked\n"
        f"with locked(Path({str(out)!r})):\n    print('held', flush=True)\n    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", holder], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        message = rf"{out}: another process is at work in this folder \(process {process.pid} on "
        with pytest.raises(RunError, match=message):
            play(out)
        process.kill()
    assert (out / ".lock").exists()  # which holds nobody back
    play(out)
    assert not (out / ".lock").exists()


def test_the_lock_of_another_is_not_removed(tmp_path: Path) -> None:
    with locked(tmp_path):
        (tmp_path / ".lock").unlink()
        with locked(tmp_path):  # as after a clean-up by hand
            pass
        (tmp_path / ".lock").write_text("another's")
    assert (tmp_path / ".lock").read_text() == "another's"


def test_another_design_is_not_touched(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    (out / ".part-0.parquet.1-1").touch()
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    with pytest.raises(RunError, match="of another design"):
        play(out, seed=8)
    with pytest.raises(RunError, match="of another design"):
        run(experiment(out, seed=8), mode="plain", extend=True)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (("replicates: 15", "replicates: 23"), 60),
        (("replicates: 15", "replicates: 8"), 32),
        (
            (
                "{published: {}, advanced: {preset: advanced}}",
                "{fresh: {feed_return: 5}, published: {}, advanced: {preset: advanced}}",
            ),
            60,
        ),
        ((", advanced: {preset: advanced}", ""), 30),
    ],
    ids=["more", "fewer", "an arm in front", "an arm less"],
)
def test_an_extended_run_is_the_one_played_at_once(
    folder: Path, tmp_path: Path, change: tuple[str, str], kept: int
) -> None:
    text = TEXT.replace(*change)
    wanted = play(tmp_path / "wanted", text)
    out = shutil.copytree(folder, tmp_path / "run")
    assert plan.num_same(experiment(out, text), read_manifest(out)) == kept
    played = []

    class Heard(Quiet):
        def start(self, done: int, total: int) -> None:
            played.append((done, total))

    run(experiment(out, text), mode="plain", extend=True, progress=Heard())
    assert digests(out) == digests(wanted)
    assert sorted(tmp_path.iterdir()) == [tmp_path / "run", tmp_path / "wanted"]
    [(done, total)] = played
    assert kept - 2 * 10 < done <= min(kept, total)  # what does not fill a part is played again
    assert verify_run(out, sample=3, mode="plain").faults == []


@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_a_crash_while_a_run_is_extended(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    text = TEXT.replace("replicates: 15", "replicates: 23")
    out = shutil.copytree(folder, tmp_path / "run")
    calls = []
    original, remove = Path.rename, shutil.rmtree

    class Crash(BaseException):
        pass

    def rename(path: Path, target: Path) -> Any:
        calls.append(path)
        if len(calls) == {"before": 1, "between": 2}.get(when):
            raise Crash
        return original(path, target)

    def rmtree(path: Path, *args: Any, **options: Any) -> None:
        if when == "after" and path.name.endswith(".before"):
            raise Crash
        remove(path, *args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", rename)
        patched.setattr("reefsim.sim.extend.shutil.rmtree", rmtree)
        with pytest.raises(Crash):
            run(experiment(out, text), mode="plain", extend=True)
    run(experiment(out, text), mode="plain", extend=True)
    assert open_run(out).manifest["counts"]["games"] == 23 * 4
    assert verify_run(out, sample=0).faults == []
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


class Quiet:
    """Hears of a run and says nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **options: None


def test_a_compact_run_holds_the_same(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    before, after = compact_run(out)
    assert (before, after) == (5 * 2 * 3, 5 * 2)
    one, two = open_run(folder), open_run(out)
    for name in ("games", "players", "turns", "events", "timing"):
        assert one.table(name).equals(two.table(name)), name
    assert one.parts() == two.parts()
    part = one.parts()[1:2]
    assert one.table("events", parts=part).equals(two.table("events", parts=part))
    assert vars(one.record(1001)) | {"path": ""} == vars(two.record(1001)) | {"path": ""}
    found = verify_run(out, sample=4, mode="plain")
    assert (found.faults, found.files, found.games, found.replayed) == ([], 8, GAMES, 4)
    assert compact_run(out) == (after, after)
    manifest = read_manifest(out)
    run(experiment(out), mode="plain")
    assert read_manifest(out) == manifest  # nothing was played


def test_a_compact_run_that_lost_a_file_goes_on(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    compact_run(out)
    next((out / "turns" / f"arm={ARMS[0]}").iterdir()).unlink()
    run(reopen(out), mode="plain")
    assert len(list(out.glob("games/*/part-*.parquet"))) == 0  # nothing stands twice
    assert open_run(out).turns.equals(open_run(folder).turns)
    assert open_run(out).games.equals(open_run(folder).games)
    compact_run(out)
    assert len(list(out.glob("*/*/part-*.parquet"))) == 0
    assert open_run(out).games.equals(open_run(folder).games)
    assert verify_run(out, sample=0).faults == []


def test_a_crash_while_a_run_is_compacted(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    original, calls = Path.unlink, []

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.name.startswith("part-"):
            calls.append(path)
            if len(calls) == 8:
                raise KeyboardInterrupt
        original(path, missing_ok)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", unlink)
        with pytest.raises(KeyboardInterrupt):
            compact_run(out)
    for name in ("games", "players", "turns", "events", "timing"):
        assert open_run(folder).table(name).equals(open_run(out).table(name)), name
    assert not plan.missing_parts(experiment(out))
    compact_run(out)
    assert len(list(out.glob("*/*/part-*.parquet"))) == 0
    assert open_run(out).events.equals(open_run(folder).events)


def test_only_complete_runs_are_compacted(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    text = (out / "manifest.json").read_text().replace('"complete": true', '"complete": false')
    (out / "manifest.json").write_text(text)
    with pytest.raises(RunError, match=r"not complete; only a complete run is compacted\. Go"):
        compact_run(out)
    shutil.copy(folder / "manifest.json", out)
    lose(out, f"turns/arm={ARMS[0]}/part-00001.parquet")  # of which the manifest does not know
    with pytest.raises(RunError, match=r"not complete; only a complete run is compacted\. Go"):
        compact_run(out)


def changed(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 0x10
    path.write_bytes(content)


@pytest.mark.parametrize("table", ["games", "players", "turns", "events"])
def test_damage_is_found(folder: Path, tmp_path: Path, table: str) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    path = part_path(out, table, ARMS[0], 1)
    changed(path, path.stat().st_size // 3)
    found = verify_run(out, sample=0)
    what = "its sum is not the one it was written with"
    assert found.faults == [f"{path}: damaged: {what}. Remove it, then: reefsim resume {out}"]


def test_a_page_that_was_changed_is_not_read(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    path = part_path(out, "events", ARMS[0], 0)
    changed(path, path.stat().st_size // 3)
    with pytest.raises(RunError, match=r"part-00000.parquet: damaged: "):
        _ = open_run(out).events


def test_a_manifest_that_tells_other_rules_is_found(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    content = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    content["arms"][0]["rules"] = {"feed_return": 3}
    (out / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    place = f"{out / 'manifest.json'}: arms.{ARMS[0]}.rules.feed_return"
    faults = verify_run(out, sample=1, mode="plain").faults
    assert faults == [f"{place}: 3, not None as its experiment says."]


def test_what_else_verify_finds(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    extra = part_path(out, "games", ARMS[0], 7)
    shutil.copy(part_path(out, "games", ARMS[0], 0), extra)
    part_path(out, "turns", ARMS[1], 1).unlink()
    faults = verify_run(out, sample=0).faults
    lost = part_path(out, "turns", ARMS[1], 1)
    assert f"{extra}: not in the list of files (SHA256SUMS). Remove it." in faults
    again = f"Its games are played again by: reefsim resume {out}"
    assert [fault for fault in faults if str(lost) in fault] == [f"{lost}: missing. {again}"]
    with (out / "SHA256SUMS").open("a") as file:
        file.write("0  nothing\n")
    faults = verify_run(out, sample=0).faults
    assert any("SHA256SUMS: damaged: it is not the list" in fault for fault in faults)


def test_a_game_that_was_changed_with_its_sums_is_found(folder: Path, tmp_path: Path) -> None:
    """Whoever changes a score and writes all sums anew is found by playing the game again."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from reefsim.logs.sums import write_sums
    from reefsim.logs.write import write_table

    out = shutil.copytree(folder, tmp_path / "run")
    for path in out.glob("players/*/*.parquet"):
        table = pq.read_table(path, partitioning=None)
        score = pa.compute.add(table.column("score"), pa.scalar(1, pa.int16()))
        place = table.column_names.index("score")
        write_table(path, table.set_column(place, table.schema.field("score"), score))
    write_sums(out, read_manifest(out))
    faults = verify_run(out, sample=2, mode="plain").faults
    assert any("played again, its rows in players are others" in fault for fault in faults)
    assert any("result of seat 0" in fault for fault in faults)


@pytest.mark.parametrize(
    ("name", "told", "message"),
    [
        ("seed", 8, r"do not agree: seed is 8 in manifest.json, 7 in games\. "),
        ("config_hash", "0", "do not agree: config_hash is 0 in manifest.json, [0-9a-f]{12} in"),
    ],
)
def test_a_manifest_that_was_changed(
    folder: Path, tmp_path: Path, name: str, told: Any, message: str
) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    manifest = read_manifest(out) | {name: told}
    (out / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RunDamagedError, match=message):
        open_run(out)
    [fault] = verify_run(out, sample=1, mode="plain").faults
    assert re.search(message, fault)
    with pytest.raises(RunError, match=r"the manifest and the experiment in it do not agree"):
        reopen(out)


def test_no_game_is_played_into_a_run_of_other_games(folder: Path, tmp_path: Path) -> None:
    other = play(tmp_path / "other", seed=8)
    out = shutil.copytree(folder, tmp_path / "run")
    shutil.copy(other / "manifest.json", out)
    lose(out, f"games/arm={ARMS[0]}/part-00001.parquet")
    before = digests(out)
    with pytest.raises(RunDamagedError, match=r"seed is 8 in manifest\.json, 7 in games"):
        run(reopen(out), mode="plain")
    assert digests(out) == before


def test_no_game_is_played_into_a_run_that_is_damaged(folder: Path, tmp_path: Path) -> None:
    out = shutil.copytree(folder, tmp_path / "run")
    lose(out, f"games/arm={ARMS[0]}/part-00001.parquet")
    path = part_path(out, "players", ARMS[1], 0)
    changed(path, path.stat().st_size // 3)
    advice = rf"{path}: damaged: its sum .*\. Remove it, then: reefsim resume {out}"
    for _ in range(2):  # the sums are not written anew over the damage
        with pytest.raises(RunError, match=advice):
            run(reopen(out), mode="plain")
    path.unlink()
    run(reopen(out), mode="plain")
    assert digests(out) == digests(folder)
    assert verify_run(out, sample=0).faults == []


def test_sums_are_those_of_the_usual_tool(folder: Path) -> None:
    if shutil.which("sha256sum") is None:
        pytest.skip("there is no sha256sum")
    subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=folder, check=True)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        (tmp_path / "file").touch()
        out = tmp_path / "file" / "run"
        with pytest.raises(RunError, match="cannot be"), locked(out):
            pass
        return
    tmp_path.chmod(0o500)
    with pytest.raises(RunError, match="cannot be written: Permission denied"):
        play(tmp_path / "run")
