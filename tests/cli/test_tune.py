"""`reefsim tune`: settings are raced, and checked in shuffles that the search did not see."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import reefsim as rs
from reefsim.logs.manifest import read_manifest
from reefsim.sim import plan as sim_plan
from reefsim.sim import runner as sim_runner
from reefsim.sim.resume import reopen
from tests.cli.test_answers import plain_pilot
from tests.cli.test_cli import fine, plain, reefsim_, refused
from tests.runs import digests, small_parts
from tests.sim.test_runner import interrupt_at

__all__ = ["plain", "plain_pilot"]

# Random players need as many rounds as there are tiles: 31 with the printed 40 of each color.
TEXT = """\
question: How many tiles give games of 18 to 24 rounds?
game: reef_encounter
seats: 2
seed: 7
rulesets: {printed: {}}
agents: {a: {kind: random}}
lineups: {table: [a, a]}
tune:
  ruleset: printed
  lineup: table
  vary: {tiles_per_color: [24, 30, 40, 50, 60]}
  budget: {replicates: 10, finalists: 1}
outcomes: {primary: {first_seat_share: {claim: equivalent, margin_pp: 40}}}
targets: {length_rounds: {mean: [18, 24]}}
stopping: {rule: fixed, replicates: 20}
save: {events: none}
run: {out: runs/t}
report: {formats: [html, md], show: [changes]}
"""
FOLDERS = ("t-tune-round-1", "t-tune-round-2", "t-tune")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("tune.yaml")
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder in which the search was played by one worker, and what was said."""
    place = tmp_path_factory.mktemp("searched")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(place)
        small_parts(patched)
        play = sim_runner.run
        patched.setattr(sim_runner, "run", lambda plan, **o: play(plan, mode="plain", **o))
        Path("tune.yaml").write_text(TEXT, encoding="utf-8")
        return place, fine("tune", "tune.yaml", "--workers", 1)


@pytest.fixture
def played(searched: tuple[Path, str], file: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The current folder holds the search; what was said."""
    small_parts(monkeypatch)
    shutil.copytree(searched[0], file.absolute().parent, dirs_exist_ok=True)
    return searched[1]


def told(folder: Path) -> dict[str, Any]:
    """A manifest without times, and without the folder it was played in."""
    return {name: value for name, value in read_manifest(folder).items() if name != "volatile"}


def test_the_setting_that_meets_the_target_is_found_and_confirmed(played: str) -> None:
    words = " ".join(played.split())
    assert "round 1 of 2: 4 candidates in 10 shuffles (seed 10)" in words
    assert "round 2 of 2: 2 candidates in 20 shuffles (seed 11)" in words
    assert "check: 1 finalist and printed in 20 shuffles of their own (seed 9)" in words
    assert "candidate_2 (tiles_per_color 30) is shown to be better than printed: nearer to" in words
    assert "wanted 18 to 24 rounds" in words
    assert played.splitlines()[-3:] == [
        "games: runs/t-tune",
        "report: reports/t-tune.html",
        "next: reefsim compare runs/t-tune --arm candidate_2-table --arm printed-table",
    ]
    for page in ("reports/t-tune.html", "reports/t-tune.md"):
        assert "is shown to be better than printed" in Path(page).read_text(encoding="utf-8")
    assert Path("reports/t-tune_figures/tune.svg").is_file()
    assert {"tune_settings.csv", "tune_goals.csv", "tune_search.csv"} <= {
        path.name for path in Path("reports/t-tune_data").iterdir()
    }


def test_what_was_found_as_json(played: str) -> None:
    found = json.loads(fine("tune", "tune.yaml", "--json"))  # all games are there already
    assert found["pick"] == "candidate_2-table"
    assert [row["name"] for row in found["settings"]] == ["printed", "candidate_2"]
    first = [row for row in found["search"] if row["round"] == 1]
    assert [row["candidate"] for row in first if row["went_on"]] == ["candidate_2", "candidate_1"]
    rounds = next(row for row in found["goals"] if row["effect"] == "nearer")
    assert (rounds["target"], rounds["status"]) == ("length_rounds", "inside")
    assert rounds["change_low"] < rounds["change"] < rounds["change_high"] < 0


def test_the_check_shares_no_shuffle_with_the_search(played: str) -> None:
    stages = [rs.open(f"runs/{name}").games for name in FOLDERS]
    # chance is keyed by seed and replicate
    shuffles = [set(zip(games["seed"], games["replicate"], strict=True)) for games in stages]
    assert [len(some) for some in shuffles] == [10, 20, 20]
    assert len(set.union(*shuffles)) == 50
    assert all(set(games["seed"]) != {7} for games in stages)  # that of the experiment itself
    for games in stages:  # all settings of a part play the same ones
        by_arm = games.groupby("arm", observed=True)["replicate"]
        assert by_arm.nunique().eq(games["replicate"].nunique()).all()


def test_workers_and_interruptions_change_nothing(
    played: str, plain: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    places = [tmp_path, tmp_path / "two", tmp_path / "three"]
    for place in places[1:]:
        place.mkdir()
        shutil.copy("tune.yaml", place)
    monkeypatch.chdir(places[1])
    fine("tune", "tune.yaml", "--workers", 2)
    monkeypatch.chdir(places[2])
    with monkeypatch.context() as patched:
        interrupt_at(patched, task=11)  # in the second round
        error = refused(3, "tune", "tune.yaml", "--workers", 1, "--chunk", 5)
    assert error.rstrip().endswith("in runs/t-tune-round-2. The same command goes on with it.")
    assert not Path("runs/t-tune").exists()
    fine("tune", "tune.yaml", "--workers", 1)
    for place in places[1:]:
        for name in FOLDERS:
            folder, wanted = place / "runs" / name, tmp_path / "runs" / name
            assert digests(folder)
            assert digests(folder) == digests(wanted)
            assert told(folder) == told(wanted)
        pages = [*Path(tmp_path / "reports").rglob("*.*")]
        assert len(pages) > 10
        for page in pages:
            again = place / "reports" / page.relative_to(tmp_path / "reports")
            assert again.read_bytes() == page.read_bytes(), page


def test_parts_of_a_search_are_runs_of_their_own(played: str, plain: None) -> None:
    for folder in (Path("runs") / name for name in FOLDERS):
        wanted = digests(folder)
        sorted((folder / "games").rglob("*.parquet"))[-1].unlink()
        again = reopen(folder)
        assert again.run.out == folder
        assert len(sim_plan.missing_parts(again)) == 1
        fine("resume", folder, "--no-report")
        assert digests(folder) == wanted


def test_where_nothing_is_better_it_says_so(file: Path, plain: None) -> None:
    # tiles given back hardly matter to random players
    text = TEXT.replace("tiles_per_color: [24, 30, 40, 50, 60]", "feed_return: [3, 4, 5]")
    file.write_text(text, encoding="utf-8")
    said = fine("tune", file, "--no-report")
    assert "No setting is shown to be better than printed." in " ".join(said.split())
    assert said.splitlines()[-1] == "next: reefsim power --from runs/t-tune"
    file.write_text(text.replace("[18, 24]", "[1, 500]"), encoding="utf-8")
    said = " ".join(fine("tune", file, "--out", "wide", "--no-report").split())
    assert "No setting is shown to be better than printed, which is inside of everything" in said


def test_a_plan_prices_the_search(file: Path, plain_pilot: None) -> None:
    text = fine("validate", file)
    assert "4 settings of tiles_per_color; to beat: printed at table" in text
    assert text.splitlines()[-1] == f"next: reefsim validate --plan {file}"
    text = fine("validate", file, "--plan", "--pilot", 2)
    words = " ".join(text.split())
    assert "the whole search: 80 games in 2 rounds and 40 of the check, about " in words
    assert text.splitlines()[-1] == f"next: reefsim tune {file}"


def test_more_combinations_than_the_budget_are_sampled(file: Path) -> None:
    text = TEXT.replace(
        "vary: {", "vary: {feed_return: [2, 3, 4, 5, 6], min_feed_size: [4, 5, 6], "
    )
    file.write_text(text.replace("{replicates: 10", "{candidates: 9, replicates: 10"))
    drawn = rs.load(file).tune
    assert len(drawn.settings) == 9
    assert drawn.combinations == 74  # that of the ruleset is none
    assert rs.load(file).tune == drawn
    assert set(rs.load(file, seed=8).tune.settings) != set(drawn.settings)


def test_no_more_settings_are_tried_than_the_budget_allows(file: Path) -> None:
    budget = "{candidates: 4, replicates: 10"
    text = TEXT.replace("{replicates: 10", budget).replace("40, 50", "45, 50")
    file.write_text(text, encoding="utf-8")  # five combinations, none of them the ruleset
    drawn = rs.load(file).tune
    assert (len(drawn.settings), drawn.combinations) == (4, 5)


def test_failures_of_every_part_of_a_search_are_told(
    file: Path, plain: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("bad_players.py").write_text(
        "class Bad:\n"
        "    def __init__(self, rng):\n"
        "        pass\n\n"
        "    def act(self, view):\n"
        "        raise ValueError('no')\n"
    )
    file.write_text(TEXT.replace("kind: random", 'kind: "bad_players:Bad"'), encoding="utf-8")
    told = refused(4, "tune", file, "--quiet", "--no-report", "--workers", 1).splitlines()
    assert [line.partition(":")[0] for line in told] == [f"runs/{name}" for name in FOLDERS]


def test_a_file_without_a_search_is_refused(file: Path) -> None:
    file.write_text(TEXT[: TEXT.index("tune:")] + TEXT[TEXT.index("outcomes:") :])
    assert "there is nothing to tune in this file. Write for example" in refused(2, "tune", file)
    assert reefsim_("tune", file).stdout == ""
