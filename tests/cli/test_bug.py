"""Faults are bundled, and told in a line."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import reefsim
from reefsim.cli.app import app
from reefsim.core.record import read_record
from reefsim.logs.bundle import without_homes
from reefsim.sim import bug as sim_bug
from reefsim.sim.bug import bundle_of_run, played_as_far
from reefsim.sim.design import load
from reefsim.sim.runner import run
from tests.runs import TEXT

RECORD = Path(__file__).parents[1] / "data/records/reef_encounter/3p_turn_limit_01_tie.jsonl"
AGENTS = '''\
SECRET = "my way to win"


class Shaky:
    """Fails in some games, always in the same ones."""

    def __init__(self, rng):
        self.rng = rng

    def act(self, view):
        if view.ply > 60 and self.rng.random() < 0.05:
            raise ValueError("/home/ann/plans")  # SECRET
        return self.rng.choice(view.legal_actions)
'''


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which games failed."""
    home = tmp_path_factory.mktemp("failed")
    (home / "shaky_players.py").write_text(AGENTS, encoding="utf-8")
    text = TEXT.replace("b: {kind: random}", 'b: {kind: "shaky_players:Shaky"}')
    (home / "shaky.yaml").write_text(text.replace("15", "5") + "limits: {max_plies: 120}\n")
    return run(load(home / "shaky.yaml", out=str(home / "run"), workers="1"), mode="plain")


def reefsim_(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def unpacked(archive: Path) -> Path:
    folder = archive.with_suffix("")
    zipfile.ZipFile(archive).extractall(folder)
    return folder


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games be played again without compiling."""
    make = sim_bug.table_for
    monkeypatch.setattr(
        sim_bug, "table_for", lambda setting, game, mode: make(setting, game, "plain")
    )


def test_a_failed_game_is_bundled_and_fails_again(
    failed: Path, tmp_path: Path, plain: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = reefsim_("bug", failed)
    assert result.exit_code == 0, result.output
    first = json.loads((failed / "manifest.json").read_text("utf-8"))["counts"]["failed"]
    assert first > 0
    archive = next(Path("reports").glob("bug-run-*.zip"))
    assert f"bundle: {archive} (" in result.stdout
    assert "Played again here, it fails after ply" in result.stdout
    assert "no names of users or home folders" in " ".join(result.stdout.split())
    folder = unpacked(archive)
    failure = json.loads((folder / "failure.json").read_text("utf-8"))
    assert failure["kind"] == "agent"
    record = read_record(folder / "record.jsonl")
    assert len(record.rows) == failure["ply"]
    assert [json.loads(row) for row in failure["last_actions"]] == record.rows[-10:]
    assert "seat 0" in (folder / "position.txt").read_text("utf-8")
    versions = json.loads((folder / "versions.json").read_text("utf-8"))
    assert versions["here"]["reefsim"] == versions["run"]["reefsim"]
    text = "".join(path.read_text("utf-8") for path in folder.iterdir())
    assert str(tmp_path.parent) not in text
    assert "SECRET" not in text  # no line of the player's code
    assert "~/plans" in text
    assert "/ann" not in text
    with_code = tmp_path / "with_code.zip"
    assert reefsim_("bug", failed, "--with-agents", "--out", with_code, "-q").exit_code == 0
    folder = unpacked(with_code)
    assert (folder / "shaky_players.py").read_text("utf-8").startswith("SECRET")
    match, error = played_as_far(folder, failure["game_id"])
    assert match.ply == failure["ply"]
    assert "ValueError" in str(error)


def test_a_bundle_is_the_same_bytes_each_time(failed: Path) -> None:
    bundles = [bundle_of_run(failed, with_agents=True, mode="plain").to_zip() for _ in range(2)]
    assert len({hashlib.sha256(content).hexdigest() for content in bundles}) == 1


def test_failed_games_name_the_command(failed: Path, tmp_path: Path) -> None:
    report = reefsim_("report", failed, "--out", tmp_path / "page.html")
    assert report.exit_code == 4
    assert report.stderr.rstrip().endswith(f"What reproduces it: reefsim bug {failed}")
    assert report.stdout.splitlines()[-1] == f"next: reefsim bug {failed}"
    assert reefsim_("status", failed).stdout.splitlines()[-1] == f"next: reefsim bug {failed}"


def test_any_game_of_a_run_is_bundled(failed: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.zip"
    result = reefsim_("bug", failed, "--game", "shortest", "--out", out)
    assert result.exit_code == 0, result.output
    assert "Replayed here: ok, " in result.stdout
    assert json.loads((unpacked(out) / "verdict.json").read_text("utf-8"))["status"] == "ok"
    missing = reefsim_("bug", failed, "--game", 77)
    assert missing.exit_code == 2
    assert "there is no game 77" in missing.stderr


def test_without_failures_the_game_is_to_be_named(tmp_path: Path) -> None:
    (tmp_path / "fine.yaml").write_text(TEXT.replace("15", "2"), encoding="utf-8")
    plan = load(tmp_path / "fine.yaml", out=str(tmp_path / "fine"), workers="1")
    folder = run(plan, mode="plain")
    refused = reefsim_("bug", folder)
    assert refused.exit_code == 2
    assert refused.stderr == (
        f"{folder}: no game failed. Name the game it is about: reefsim bug {folder} --game ID\n"
    )


@pytest.mark.parametrize("is_readable", [True, False])
def test_a_record_at_fault_is_bundled(tmp_path: Path, is_readable: bool) -> None:
    lines = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
    broken, out = tmp_path / "broken.jsonl", tmp_path / "b.zip"
    broken.write_text("".join(lines[:50] + lines[51:]) if is_readable else "noise", "utf-8")
    checked = reefsim_("replay", broken)
    assert (f"next: reefsim bug {broken}\n" in checked.stdout) == is_readable
    result = reefsim_("bug", broken, "--out", out)
    assert result.exit_code == 0, result.output
    assert ("ply 49: " if is_readable else "not JSON") in result.stdout
    folder = unpacked(out)
    names = {path.name for path in folder.iterdir()}
    common = {"README.txt", "versions.json"}
    own = {"record.jsonl", "verdict.json", "position.txt"} if is_readable else {"record.txt"}
    assert names == common | own


def test_what_cannot_be_bundled_is_refused(tmp_path: Path) -> None:
    assert "No such file" in reefsim_("bug", tmp_path / "none.jsonl").stderr
    assert "not the folder of a run" in reefsim_("bug", tmp_path).stderr
    assert "a bundle is a zip file" in reefsim_("bug", RECORD, "--out", "x.html").stderr
    assert f"reefsim {reefsim.__version__}\n" in reefsim_("bug").stdout


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("open /home/ann/x.yaml failed", "open ~/x.yaml failed"),
        (r"C:\\Users\\Ann\\x.yaml", r"~\\x.yaml"),
        ("/Users/ann", "~"),
        ("at home in 3/4", "at home in 3/4"),
    ],
)
def test_home_folders_have_no_names(text: str, shown: str) -> None:
    assert without_homes(text) == shown


def test_a_fault_of_reefsim_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise KeyError("nobody thought of this")

    monkeypatch.setattr("reefsim.games.registry.names", fail)
    result = reefsim_("list", "games")
    assert result.exit_code == 70
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("a fault of reefsim: KeyError: 'nobody thought of this' (")
    assert "`reefsim bug`" in result.stderr
    monkeypatch.setenv("REEFSIM_TRACEBACK", "1")
    assert isinstance(reefsim_("list", "games").exception, KeyError)


@pytest.mark.parametrize("given", [("--game", "3"), ("--out", "x.zip"), ("--with-agents",)])
def test_options_without_anything_to_bundle_are_refused(given):
    result = CliRunner().invoke(app, ["bug", *given])
    assert result.exit_code == 2
    assert "go with a run or a record" in result.stderr
