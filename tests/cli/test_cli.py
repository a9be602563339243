"""The command line, as a user meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import reefsim
from reefsim.cli.app import app
from reefsim.sim import opinions
from reefsim.sim import runner as sim_runner
from tests.runs import ARMS, GAMES, TEXT

RECORDS = Path(__file__).parents[1] / "data" / "records" / "reef_encounter"
RECORD = RECORDS / "3p_turn_limit_01_tie.jsonl"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An experiment file in an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs play without compiling."""
    run = sim_runner.run
    monkeypatch.setattr(
        sim_runner, "run", lambda plan, **options: run(plan, mode="plain", **options)
    )
    ask = opinions.opinion_of
    monkeypatch.setattr(opinions, "opinion_of", lambda *a, **k: ask(*a, **k, mode="plain"))


def reefsim_(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def fine(*args: object) -> str:
    result = reefsim_(*args)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(code: int, *args: object) -> str:
    result = reefsim_(*args)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.stderr


def test_help_names_every_command() -> None:
    text = fine("--help")
    commands = (
        "new validate run resume status report compare sweep tune power ladder train replay watch "
        "explain bug compact verify list bench warmup"
    )
    for command in commands.split():
        assert f"  {command} " in text
        assert fine(command, "--help").startswith("Usage: ")
    assert fine("--version") == f"reefsim {reefsim.__version__}\n"


def test_validate_shows_the_plan(config: Path) -> None:
    text = fine("validate", config)
    assert "Does the advanced game help the first seat?" in text
    assert "extra_growth false, feed_return 5, final_feed_return 6" in text
    assert "60 games with 2 seats, seed 7; all events are kept" in text
    config.write_text(TEXT + "save: {events: 0.25}\n", encoding="utf-8")
    assert "events are kept of 0.25 of the replicates" in fine("validate", config)


def test_every_mistake_has_a_line(config: Path) -> None:
    config.write_text(TEXT.replace("seats: 2", "seats: 9").replace("random", "rndom"))
    lines = refused(2, "validate", config).splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"{config}:") for line in lines)
    assert refused(2, "run", config).splitlines() == lines
    assert "none.yaml" in refused(2, "validate", "none.yaml")


def test_a_run_from_the_file_to_the_report(config: Path, plain: None) -> None:
    result = reefsim_("run", config, "--out", "there", "--workers", "1")
    assert result.exit_code == 0, result.output
    arms = f"--arm {ARMS[1]} --arm {ARMS[0]}"
    last = ["report: reports/there.html", f"next: reefsim compare there {arms}"]
    assert result.stdout.splitlines()[-2:] == last
    assert "Does the advanced game help the first seat?" in result.stdout
    assert Path("reports/there.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert json.loads(Path("there/manifest.json").read_text())["counts"]["games"] == GAMES

    again = reefsim_("run", config, "--out", "there", "--no-report")
    assert f"all {GAMES} games are there already" in again.stderr
    assert again.stdout == "games: there\nnext: reefsim report there\n"
    assert fine("report", "there", "--out", "mine.html", "-q") == "report: mine.html\n"
    assert Path("mine.html").exists()

    other = refused(2, "run", config, "--out", "there", "--seed", "8")
    assert "differs at seed: 7 -> 8" in other
    assert len(other.splitlines()) == 1


@pytest.mark.parametrize("out", ["x:y/z", "s3:/b/x", "~/x"])
def test_any_folder_takes_the_games(
    config: Path, plain: None, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    monkeypatch.setenv("HOME", str(config.parent / "home"))
    fine("run", config, "--out", out, "--no-report")
    folder = Path(out).expanduser()
    assert (folder / "manifest.json").exists()
    assert fine("report", folder, "-q") == f"report: reports/{folder.name}.html\n"
    fine("replay", folder, "--game", 1001, "--json")


def test_addresses_that_nobody_knows(config: Path) -> None:
    message = refused(2, "run", config, "--out", "s4://b/x")
    assert message == ("--out s4://b/x: this place cannot be used: Unsupported filesystem: 's4'.\n")


def test_the_page_is_html(config: Path) -> None:
    for name in ("xx.md", "x.pdf"):
        message = refused(2, "report", "there", "--out", name)
        assert message.startswith(f"{name}: the page is HTML: name a *.html file or a folder")
        assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("manifest.json", b'{"format": 1}'),
        ("manifest.json", b'{"format": 1, "config_hash": "a"}'),
        ("manifest.json", b"[" * 200_000),
        ("manifest.json", b"\xff"),
        (f"games/arm={ARMS[0]}/part-00000.parquet", b"PAR1"),
        (f"players/arm={ARMS[0]}/part-00000.parquet", b""),
        (f"players/arm={ARMS[0]}/part-00000.parquet", None),
    ],
)
def test_damage_to_a_run_has_a_line(
    config: Path, plain: None, file: str, content: bytes | None
) -> None:
    fine("run", config, "--out", "there", "-q", "--no-report")
    path = Path("there", file)
    path.unlink() if content is None else path.write_bytes(content)
    commands = [("report", "there"), ("replay", "there", "--game", 0)]
    commands += [("run", config, "--out", "there", "-q")] if content is not None else []
    for args in commands:
        message = refused(2, *args)
        assert file in message
        assert len(message.splitlines()) == 1
    if content is None:
        fine("run", config, "--out", "there", "-q")


def test_the_games_of_a_run_are_told(config: Path, plain: None) -> None:
    fine("run", config, "--out", "there", "-q", "--no-report")
    text = fine("replay", "there", "--game", 1001, "--export", "game.jsonl")
    assert text.startswith("Reef Encounter, 2 players: seat 0 b, seat 1 a\n    0  turn   0  board ")
    assert "record: game.jsonl" in text
    assert " points, rank 1" in text
    assert fine("replay", "game.jsonl").startswith("game.jsonl: ok, ")

    text = fine("replay", "there", "--game", 1001, "--boards", "--to-ply", 40)
    assert "   40  turn " in text
    assert "   41  turn " not in text
    assert "values: W 3" in text
    assert "there, game 1001: ok, " in text
    found = json.loads(fine("replay", "there", "--game", 1001, "--to-ply", 3, "--json"))
    assert found["status"] == "ok"
    assert [row["ply"] for row in found["rows"]] == [0, 1, 2, 3]

    assert "there is no game 77" in refused(2, "replay", "there", "--game", 77)
    assert "name one of its games with --game" in refused(2, "replay", "there")
    assert "--game goes with one run" in refused(2, "replay", "there", RECORD, "--game", 1)


def test_a_game_of_a_run_or_a_file_is_watched(config: Path, plain: None) -> None:
    fine("run", config, "--out", "there", "--no-report", "--quiet")
    assert "page: reports/there-1001.html\n" in fine(
        "watch", "there", "--game", 1001, "--no-values"
    )
    assert "reefsim explain there " in Path("reports/there-1001.html").read_text("utf-8")
    fine("replay", "there", "--game", 0, "--export", "game.jsonl")
    two = Path("two.jsonl")
    two.write_bytes(Path("game.jsonl").read_bytes() + RECORD.read_bytes())
    assert "page: reports/game.html" in fine("watch", "game.jsonl", "--no-values")
    said = fine("watch", two, "--game", 2, "--out", "pages/second.html")
    assert "ok, 94 events, 3 players, turn_limit\npage: pages/second.html" in said
    assert "has 1 to 2" in refused(2, "watch", two, "--game", 3)
    assert "one record is expected" in refused(2, "watch", two)
    assert "name a game of a run with --game" in refused(2, "watch", "there")
    assert "there is no game 77" in refused(2, "watch", "there", "--game", 77)
    lines = RECORD.read_text("utf-8").splitlines(keepends=True)
    broken = Path("broken.jsonl")
    broken.write_text("".join([*lines[:40], *lines[41:]]), "utf-8")
    found = reefsim_("watch", broken)
    assert found.exit_code == 1
    assert "broken.jsonl: ply 39: " in found.stdout


def test_games_are_watched_side_by_side(config: Path, plain: None) -> None:
    said = fine("watch", RECORD, "--beside", RECORD, "--no-values")
    assert f"page: reports/{RECORD.stem}-beside-{RECORD.stem}.html" in said
    broken = Path("broken.jsonl")
    lines = RECORD.read_text("utf-8").splitlines(keepends=True)
    broken.write_text("".join([*lines[:40], *lines[41:]]), "utf-8")
    found = reefsim_("watch", RECORD, "--beside", broken, "--no-values")
    assert found.exit_code == 1
    assert f"{RECORD}: ok" in found.stdout
    assert "broken.jsonl: ply 39: " in found.stdout
    assert "a record file is expected" in refused(2, "watch", RECORD, "--beside", "x")
    fine("run", config, "--out", "there", "--no-report", "--quiet")
    there = ("watch", "there", "--game", 1001)
    said = fine(*there, "--beside", "advanced-table", "--no-values")
    assert "page: reports/there-1001-beside-1000000001001.html" in said
    assert "Did you mean 'advanced-table'" in refused(2, *there, "--beside", "advanced-tabel")
    assert "there is no game 77" in refused(2, *there, "--beside", 77)
    assert "Did you mean 'planner'" in refused(2, *there, "--agent", "plannr")


def test_a_game_is_exported(plain: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    watch = ("watch", RECORD)
    assert fine(*watch, "--export", "last.svg").endswith("\nfile: last.svg\n")
    assert Path("last.svg").read_text("utf-8").startswith("<svg")
    fine(*watch, "--export", "notes/game.txt")
    assert "rank 1" in Path("notes/game.txt").read_text("utf-8")
    assert "there is no ply 94" in refused(2, *watch, "--export", "x.svg", "--ply", 94)
    wrong = refused(2, *watch, "--export", "last.svg", "--step", "turn")
    assert "--step goes with --export *.gif" in wrong
    assert "go with --export" in refused(2, *watch, "--ply", 3)
    assert "--export goes without" in refused(2, *watch, "--export", "x.svg", "--beside", "1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["last.svg", "notes"]


def test_replay_of_records(tmp_path: Path) -> None:
    assert fine("replay", RECORD) == f"{RECORD}: ok, 94 events, 3 players, turn_limit\n"
    lines = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("".join(lines[:50] + lines[51:]), encoding="utf-8")
    noise = tmp_path / "noise.jsonl"
    noise.write_text("noise", encoding="utf-8")
    result = reefsim_("replay", RECORD, broken)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1].startswith(f"{broken}: ply 49: ")
    result = reefsim_("replay", tmp_path, "--json")
    assert result.exit_code == 2
    statuses = [json.loads(line)["status"] for line in result.stdout.splitlines()]
    assert statuses == ["disagrees", "unreadable"]
    assert "go with --game" in refused(2, "replay", RECORD, "--boards")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "there is no record file" in refused(2, "replay", empty)


@pytest.mark.parametrize(
    ("name", "text", "keys"),
    [
        ("games", "Reef Encounter", {"game", "title", "players"}),
        ("toggles", "feed_return", {"toggle", "clause", "values", "default", "meaning"}),
        ("agents", "module:Class", {"kind", "parameters", "meaning"}),
        (
            "metrics",
            "first_seat_share",
            {"metric", "kind", "unit", "family", "per", "meaning", "formula", "source", "needs"},
        ),
        ("presets", "advanced", {"preset", "rules"}),
        ("tables", "tiebreak_depth", {"table", "column", "type", "null", "meaning"}),
    ],
)
def test_lists(name: str, text: str, keys: set[str]) -> None:
    assert text in fine("list", name)
    rows = json.loads(fine("list", name, "--json"))
    assert all(set(row) == keys for row in rows)
    assert text in json.dumps(rows)
    if name in ("toggles", "metrics", "presets", "tables"):
        assert json.loads(fine("list", name, "reef_encounter", "--json")) == rows
        assert "'chess' is not a game" in refused(2, "list", name, "chess")


@pytest.mark.jitted
def test_bench() -> None:
    args = ("--game", "reef_encounter", "--players", 3, "--games", 50, "--seed", 2)
    found = json.loads(fine("bench", *args, "--agent", "random", "--preset", "advanced", "--json"))
    assert set(found) == {
        "games",
        "seconds",
        "cpu_seconds",
        "games_per_s",
        "games_per_cpu_s",
        "decisions_per_cpu_s",
        "decisions_per_game",
        "turns_per_game",
    }
    assert found["games"] == 50
    assert found["decisions_per_game"] > found["turns_per_game"] > 10
    assert "50 games in" in fine("bench", *args)
    assert "is ready" in fine("warmup")


def test_bench_refuses_what_it_does_not_know() -> None:
    assert "Did you mean 'greedy'" in refused(2, "bench", "--agent", "gredy")
    assert "is not a preset" in refused(2, "bench", "--preset", "gold")
    assert "has 2 to 4 players, not 5" in refused(2, "bench", "--players", 5)


# What follows needs a process of its own.


def command(*args: object, code: str = "from reefsim.cli import main; main()") -> list[str]:
    return [sys.executable, "-c", code, *map(str, args)]


@pytest.mark.parametrize("args", [["--help"], ["validate"], ["list", "toggles"]], ids=" ".join)
def test_light_commands_import_nothing_heavy(config: Path, args: list[str]) -> None:
    code = (
        "import sys, atexit\n"
        "heavy = ('numba', 'pandas', 'matplotlib', 'scipy', 'pyarrow')\n"
        "atexit.register(lambda: print([m for m in heavy if m in sys.modules], file=sys.stderr))\n"
        "from reefsim.cli import main; main()"
    )
    args = [*args, str(config)] if args == ["validate"] else args
    found = subprocess.run(command(*args, code=code), capture_output=True, text=True, check=True)
    assert found.stderr == "[]\n"


def test_nobody_reads_the_output() -> None:
    process = subprocess.Popen(
        command("list", "toggles", "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_the_disk_is_full() -> None:
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            command("list", "toggles"), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert found.returncode == 2
    assert found.stderr == "No space left on device\n"
