"""Run folders on the command line: resume, compact, verify, extend, failures."""

from __future__ import annotations

import json
import os
import shutil
import socket
from pathlib import Path

import pytest

from reefsim.logs.read import open_run
from reefsim.sim import oracle
from reefsim.sim import runner as sim_runner
from reefsim.sim import verify as sim_verify
from tests.cli.test_cli import config, fine, plain, reefsim_, refused  # noqa: F401
from tests.runs import ARMS, GAMES, TEXT, small_parts

pytestmark = pytest.mark.usefixtures("config", "plain")

SHAKY = """
class Shaky:
    def __init__(self, rng, share=0.03):
        self.rng, self.share = rng, share

    def act(self, view):
        if self.rng.random() < self.share:
            raise ValueError("shaken")
        return int(self.rng.choice(view.legal_actions))
"""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Path:
    verify = sim_verify.verify_run
    monkeypatch.setattr(sim_verify, "verify_run", lambda folder, n: verify(folder, n, "plain"))
    fine("run", "small.yaml", "--out", "there", "--quiet", "--no-report", "--workers", 1)
    return Path("there")


def test_the_way_of_a_run_folder(run: Path) -> None:
    (run / "games" / f"arm={ARMS[0]}" / "part-00000.parquet").unlink()
    assert "are there already" in reefsim_("resume", run, "--no-report").stderr
    assert fine("verify", run, "--games", 1) == (
        f"there: {GAMES} games and 8 files are as they should be; 1 games were played again\n"
        "next: reefsim report there\n"
    )
    assert fine("compact", run) == "there: 10 files became 10\nnext: reefsim verify there\n"
    found = json.loads(fine("verify", run, "--games", 0, "--json"))
    assert (found["faults"], found["games"], found["replayed"]) == ([], GAMES, 0)
    path = run / "players" / f"arm={ARMS[1]}" / "part-00000.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    assert f"{path}: damaged: " in refused(1, "verify", run)
    assert "not the folder of a run" in refused(2, "resume", "nowhere")


def test_a_run_that_lost_games_says_so(run: Path) -> None:
    for table in ("games", "players", "turns", "events", "timing"):
        (run / table / f"arm={ARMS[0]}" / "part-00000.parquet").unlink()
    done = reefsim_("report", run)
    what = f"there: {GAMES // 2} of {GAMES} games are missing, though the run was complete."
    assert done.exit_code == 1
    assert done.stderr == f"{what} Go on with: reefsim resume there\n"
    assert done.stdout.endswith("\nnext: reefsim resume there\n")
    assert fine("status", run).endswith("\nnext: reefsim resume there\n")


def test_a_folder_that_cannot_be_made_is_told_before_the_run() -> None:
    if not Path("/proc").is_dir():
        pytest.skip("there is no folder in which nobody can make one")
    Path("small.yaml").write_text(TEXT + "run: {out: /proc/none/run}\n")
    told = refused(2, "validate", "small.yaml")
    assert told.startswith("/proc/none/run: cannot be written: ")
    Path("small.yaml").write_text(TEXT + "run: {out: a/b}\n")
    fine("validate", "small.yaml")
    assert [path.name for path in Path().iterdir()] == ["small.yaml"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run"], "reefsim run: Missing argument 'CONFIG'. Help: reefsim run -h"),
        (["bogus"], "reefsim: No such command 'bogus'. Help: reefsim -h"),
        (["--bogus"], "reefsim: No such option: --bogus. Help: reefsim -h"),
        (
            ["explain", "x.jsonl", "-1"],
            "reefsim explain: -1 is below zero, and no argument here takes such a number. "
            "Help: reefsim explain -h",
        ),
        (["new", ""], "the folder of a question needs a name, as in: reefsim new my_question"),
        (
            ["ladder", "random", "random"],
            "random: two agents are named 'random'. Name one of them: other=random",
        ),
    ],
)
def test_a_command_line_that_cannot_be_understood(words: list[str], told: str) -> None:
    assert refused(2, *words).replace("root", "reefsim") == f"{told}\n"  # as the runner calls it


def test_a_ply_that_a_game_has_not(run: Path) -> None:
    told = refused(2, "replay", run, "--game", 0, "--to-ply", 999_999)
    assert told.startswith("there, game 0: there is no ply 999999; the last one is ")


def test_extending_a_run(run: Path) -> None:
    Path("small.yaml").write_text(TEXT.replace("replicates: 15", "replicates: 60"))
    options = ("run", "small.yaml", "--out", "there", "--quiet", "--no-report", "--workers", 1)
    assert "or 'reefsim run --extend' to keep the 60 games" in refused(2, *options)
    fine(*options, "--extend")
    assert len(open_run(run).games) == 4 * GAMES


def test_failed_games_have_their_own_code() -> None:
    Path("shaky.py").write_text(SHAKY)
    text = TEXT.replace("b: {kind: random}", 'b: {kind: "shaky:Shaky", share: 0.002}')
    Path("small.yaml").write_text(text)
    told = refused(4, "run", "small.yaml", "--out", "there", "--workers", 1)
    failed = len(open_run("there").failures)
    assert 0 < failed < GAMES
    assert f"there: {failed} of {GAMES} games failed (table failures), the first one: " in told
    assert "ValueError: shaken (shaky.py:8)." in told
    page = Path("reports/there.html").read_text(encoding="utf-8")
    assert f"{failed} games failed and are missing everywhere" in page
    assert f"failed: {failed} games were given up" in fine("status", "there")
    found = json.loads(reefsim_("report", "there", "--json").stdout)
    assert (found["games"], found["failed"]) == (GAMES - failed, failed)


def test_a_run_without_a_game_has_no_report() -> None:
    Path("shaky.py").write_text(SHAKY)
    text = TEXT.replace("b: {kind: random}", 'b: {kind: "shaky:Shaky", share: 1}')
    Path("small.yaml").write_text(text)
    told = refused(4, "run", "small.yaml", "--out", "there", "--workers", 1)
    assert f"there: {GAMES} of {GAMES} games failed" in told
    assert not Path("reports").exists()
    fine("status", "there")


def test_the_command_that_goes_on_can_be_pasted() -> None:
    assert sim_runner.resume_command(Path("a b")) == "reefsim resume 'a b'"


def test_a_lost_file_of_many_parts_is_named(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)
    fine("run", "small.yaml", "--out", "many", "-q", "--no-report", "--workers", 1)
    fine("compact", "many")
    [lost] = Path("many", "timing", f"arm={ARMS[1]}").iterdir()
    assert lost.name.startswith("parts-")
    lost.unlink()
    assert refused(2, "status", "many").startswith(
        f"{lost}: missing. Its games are played again by"
    )


def test_runs_are_listed_whatever_their_state(run: Path) -> None:
    """Whole, interrupted and broken runs stand side by side; other folders are left out."""
    Path("runs", "broken").mkdir(parents=True)
    Path("runs", "broken", "manifest.json").write_text('{"format": 1')
    Path("other").mkdir()
    Path("other", "manifest.json").write_text('{"name": "an extension"}')
    half = Path("experiments", "first", "runs", "half")
    shutil.copytree(run, half)
    for path in half.glob(f"*/arm={ARMS[0]}/*"):
        path.unlink()
    manifest = json.loads((half / "manifest.json").read_text("utf-8"))
    manifest["counts"]["complete"] = False
    (half / "manifest.json").write_text(json.dumps(manifest))
    listed = reefsim_("list", "runs")
    assert listed.exit_code == 0
    lines = [line.split() for line in listed.stdout.splitlines()[1:]]
    assert [line[0] for line in lines] == [str(half), "runs/broken", "there"]
    assert f" {GAMES // 2} of {GAMES} interrupted {manifest['config_hash']} " in " ".join(lines[0])
    assert f" {GAMES} of {GAMES} complete " in " ".join(lines[2])
    assert lines[1][1] == "broken"
    assert listed.stderr.startswith("runs/broken: manifest.json: damaged: ")
    rows = json.loads(fine("list", "runs", "--json"))
    size = sum(path.stat().st_size for path in run.rglob("*") if path.is_file())
    assert (rows[2]["name"], rows[2]["games"], rows[2]["size"]) == ("there", GAMES, size)
    assert [row["name"] for row in json.loads(fine("list", "runs", "runs", "--json"))] == ["broken"]
    (half / ".lock").write_text(f"process {os.getpid()} on {socket.gethostname()}\n")
    assert json.loads(fine("list", "runs", half, "--json"))[0]["state"] == "at work"
    (half / ".lock").write_text(f"process {2**22 + 1} on {socket.gethostname()}\n")
    assert json.loads(fine("list", "runs", half, "--json"))[0]["state"] == "interrupted"
    Path("runs", "linked").symlink_to(run.absolute())
    names = [row["name"] for row in json.loads(fine("list", "runs", "runs", "--json"))]
    assert names == ["broken", "there"]
    assert fine("list", "runs", "other") == "there are no runs in other\n"
    assert refused(2, "list", "runs", "nowhere") == "nowhere: there is no such folder.\n"


@pytest.mark.parametrize(
    "given",
    [
        ("--where", "truncated", "--boards"),
        ("--where", "truncated", "--fork", 3, "feed"),
        ("--where", "truncated", "--export", "x.jsonl"),
        ("--where", "truncated", "--agent", "planner"),
        ("--game", 0, "--top", 3),
    ],
)
def test_replay_refuses_options_that_do_not_go_together(
    run: Path, given: tuple[object, ...]
) -> None:
    assert " go" in refused(2, "replay", run, *given)
    assert not Path("x.jsonl").exists()


def test_rules_as_published_for_the_players_are_the_same_rules(run: Path) -> None:
    told = fine("replay", run, "--game", "longest", "--ruleset", "initial_hand=[6, 9]")
    assert "by initial_hand=[6, 9] (the same rules)" in told


def test_games_are_named_in_every_command(run: Path) -> None:
    longest = int(open_run(run).games.sort_values("turns", kind="stable")["game_id"].iloc[-1])
    turns = open_run(run).games.set_index("game_id")["turns"]
    text = fine("watch", run, "--game", "longest", "--no-values")
    name = text.splitlines()[-2].removeprefix("page: reports/there-").removesuffix(".html")
    assert turns[int(name)] == turns[longest]
    last = text.splitlines()[-1]
    assert last.startswith("next: reefsim explain there ")
    assert last.endswith(" --game longest")
    asked = fine(*last.removeprefix("next: reefsim ").split())
    assert " legal actions\nasked: " in asked
    assert f"there, game {name}: ok, " in fine("replay", run, "--game", "longest")
    assert "Did you mean 'closest'?" in refused(2, "replay", run, "--game", "closets")
    fine("replay", run, "--game", name, "--export", "game.jsonl")
    assert "only games of a run have names" in refused(
        2, "watch", "game.jsonl", "--game", "longest"
    )


def test_every_command_on_the_way_names_the_next(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = oracle.appraise
    monkeypatch.setattr(oracle, "appraise", lambda *a, **more: judge(*a, **more, mode="plain"))
    compare = f"next: reefsim compare there --arm {ARMS[1]} --arm {ARMS[0]}"
    for command in (("run", "small.yaml", "--out", "there"), ("resume", run)):
        assert fine(*command).splitlines()[-1] == compare
    judged = fine("appraise", run, "--oracle", "points", "--replicates", 1)
    assert judged.splitlines()[-1] == "next: reefsim report there"


def test_a_folder_on_the_way_is_not_made() -> None:
    fine("new", "a/../mine")
    assert Path("mine", "experiment.yaml").exists()
    assert not Path("a").exists()
