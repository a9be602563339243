"""From a question to its answer on the command line: claims, targets, plans, comparisons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import reefsim as rs
from reefsim.cli.planning import conclusion
from reefsim.core.presets import config_dir
from reefsim.errors import RunError
from reefsim.sim import pilot as sim_pilot
from reefsim.sim import runner as sim_runner
from reefsim.sim.design import load
from tests.cli.test_cli import fine, plain, reefsim_, refused
from tests.runs import TEXT

__all__ = ["plain"]

ASKS = (
    TEXT.replace("stopping: {rule: fixed, replicates: 15}\n", "")
    + """\
outcomes:
  primary:
    first_seat_share: {claim: superior, than: 0.05}
    length_rounds: {claim: differs, margin: 40}
  secondary: [margin_points, end_cause]
  correction: {primary: holm, secondary: bh}
targets:
  length_rounds: {median: [1, 500]}
  a_wins: {lineup: table, agent: a, share_above: 0.01}
stopping:
  rule: precision
  half_width: {length_turns: 6}
  look_every: 10
  replicates: {min: 10, max: 40}
"""
)
MISSED = ASKS.replace("median: [1, 500]", "median: [1, 2]")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "asks.yaml"
    path.write_text(ASKS, encoding="utf-8")
    return path


@pytest.fixture
def plain_pilot(monkeypatch: pytest.MonkeyPatch, plain: None) -> None:
    """Let pilots play without compiling, too."""
    monkeypatch.setattr(sim_pilot, "run", lambda design, **o: sim_runner.run(design, **_plain(o)))


def _plain(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "mode"}


def test_a_run_answers_what_it_was_asked(file: Path, plain: None) -> None:
    text = fine("run", file, "--out", "r", "--check")
    assert "Answers to what was asked" in text
    assert "first seat share larger than 5 %" in text
    assert "Targets" in text
    assert "a wins (wins of a)" in text
    assert "Secondary outcomes" in text
    last = "next: reefsim compare r --arm advanced-table --arm published-table"
    assert text.splitlines()[-1] == last
    assert fine("report", "r").splitlines()[-1] == last

    found = json.loads(fine("report", "r", "--json"))
    assert found["ended"]["stopped_by"] == "precision"
    by = {(row["outcome"], row["arm"]): row for row in found["answers"] if row["role"] == "primary"}
    assert by["first_seat_share", "published-table"]["answer"] == "yes"
    assert by["length_rounds", "advanced-table"]["answer"] == "no"
    assert by["length_rounds", "advanced-table"]["against"] == "published-table"
    assert {row["status"] for row in found["targets"]} == {"inside"}

    status = json.loads(fine("status", "r", "--json"))
    assert status["games"] == found["games"] == status["most"]
    assert {row["outcome"] for row in status["estimates"]} == {"first_seat_share", "length_rounds"}
    assert "stopped by precision at look" in fine("status", "r")


def test_a_missed_target_has_its_own_code(file: Path, plain: None) -> None:
    file.write_text(MISSED, encoding="utf-8")
    result = reefsim_("run", file, "--out", "r", "--check", "-q")
    assert result.exit_code == 5
    assert result.stdout == "report: reports/r.html\n"
    lines = result.stderr.splitlines()
    assert lines[0].startswith("target missed in published-table: length rounds, median is ")
    assert lines[0].endswith("wanted 1 to 2 rounds")
    assert len(lines) == 2
    assert reefsim_("report", "r", "--check", "-q").exit_code == 5
    fine("report", "r", "-q")
    file.write_text(TEXT, encoding="utf-8")
    assert "--check needs targets" in refused(2, "run", file, "--check")


def test_programs_read_the_course_of_a_run(file: Path, plain: None) -> None:
    result = reefsim_("run", file, "--out", "r", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["report"] == "reports/r.html"
    events = [json.loads(line) for line in result.stderr.splitlines()]
    assert events[0] == {"event": "start", "games": 0, "most": 160}
    looks = [event for event in events if event["event"] == "look"]
    assert looks[-1]["stopped_by"] == "precision"
    assert looks[0]["widths"][0]["metric"] == "length_turns"


def test_validate_plays_a_pilot_and_leaves_no_trace(file: Path, plain_pilot: None) -> None:
    text = fine("validate", "--plan", file, "--pilot", 10)
    assert "pilot: 10 replicates of every arm" in text
    assert "with 2 workers" in text or "workers, " in text
    assert "replicates allow to say" in text
    # the claim without a margin names what it sees, the one with a margin sizes the run
    assert "larger, from " in text
    assert "a difference, from " in text
    assert "(length_rounds in advanced-table against published-table" in " ".join(text.split())
    assert text.splitlines()[-1].startswith("next: reefsim run ")
    assert sorted(path.name for path in file.parent.iterdir()) == ["asks.yaml"]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"claim": "equivalent", "chance": 0.95},
         "within ±2.0 pp, if it is; a difference, from 1.50 pp"),
        ({"claim": "equivalent", "chance": 0.4},
         "within ±2.0 pp with 40 %, if it is; a difference, from 1.50 pp"),
        ({"claim": "equivalent", "chance": 0.0},
         "hardly that it is within ±2.0 pp; a difference, from 1.50 pp"),
        ({"claim": "superior"}, "larger, from 3.50 pp up"),
        ({"claim": "differs"}, "a difference, from 1.50 pp"),
    ],
)  # fmt: skip
def test_what_a_plan_could_conclude(row: dict[str, Any], words: str) -> None:
    row = {"kind": "share", "unit": "share", "margin": 0.02, "smallest": 0.015, **row}
    assert conclusion(row).replace("\u00a0", " ") == words


def test_validate_knows_ladders_and_trainings(tmp_path: Path) -> None:
    text = fine("validate", config_dir() / "ladders" / "players_2.yaml")
    assert "a ladder: it names agents and no line-ups" in text
    assert "next: reefsim validate --plan " in text
    text = fine("validate", config_dir() / "training" / "reef_encounter.yaml")
    assert "a training: it tunes the weights" in text
    assert "next: reefsim train " in text
    wrong = tmp_path / "training.yaml"
    wrong.write_text("game: reef_encounter\nseats: 9\nrulesets: {base: {}}\n", encoding="utf-8")
    assert "9 is not a number of seats" in refused(2, "validate", wrong)


def test_compare_arms_of_one_run_and_of_two(file: Path, plain: None) -> None:
    fine("run", file, "--out", "r", "-q", "--no-report")
    text = fine("compare", "r", "--arm", "advanced", "--arm", "published")
    assert text.startswith("advanced-table against published-table\n")
    assert "feed_return: 5, against as published" in text
    assert "paired by replicate; p adjusted for" in text
    found = json.loads(fine("compare", "r", "--metric", "length_turns", "--json"))
    [row] = found["table"]
    assert row["estimate"] == pytest.approx(row["value"] - row["against_value"])

    fine("run", file, "--out", "other", "--seed", 8, "-q", "--no-report")
    text = fine("compare", "r", "other", "--metric", "length_turns")
    assert "r: published-table against other: published-table" in text
    assert "the same rules" in text
    assert "unpaired: the runs have different seeds (7, 8)" in text
    fine("run", file, "--out", "again", "-q", "--no-report")
    found = json.loads(fine("compare", "r", "again", "--metric", "length_turns", "--json"))
    assert found["paired"]
    assert [row["estimate"] for row in found["table"]] == [0, 0]
    assert [row["p_holm"] for row in found["table"]] == [1, 1]

    assert "'advnced' is not an arm or ruleset. Did you mean 'advanced'?" in refused(
        2, "compare", "r", "--arm", "advnced", "--arm", "published"
    )
    assert "is not a metric" in refused(2, "compare", "r", "--metric", "lenght")
    assert "one run or two" in refused(2, "compare", "r", "--arm", "advanced")

    run = rs.open("r")
    table = rs.compare(run, "advanced", "published").table
    assert {"outcome", "estimate", "low", "high", "p_holm", "gain", "paired"} <= set(table.columns)
    shares = rs.seat_shares(run, by=["ruleset", "lineup"])
    assert shares.groupby(["ruleset", "lineup"], observed=True)["share"].sum().tolist() == (
        pytest.approx([1, 1])
    )
    with pytest.raises(RunError, match="is not an arm or ruleset"):
        rs.compare(run, "nothing", "published")


def test_power() -> None:
    text = fine("power", "--seats", 3, "--half-width-pp", 2)
    assert "2,135" in text
    rows = json.loads(fine("power", "--seats", 2, "--effect-pp", 5, "--json"))
    assert rows == [{"for": "a difference of 5 pp from fair", "chance": 0.8, "replicates": 783}]
    halved = json.loads(fine("power", "--effect-pp", 5, "--gain", 2, "--json"))
    assert halved[0]["replicates"] == 392
    found = json.loads(fine("power", "--replicates", 2401, "--json"))
    assert found[0]["for"] == "interval of ±2 pp"
    assert "--margin-pp -1 is not between 0 and 100" in refused(2, "power", "--margin-pp", -1)
    assert "effect of 60 pp" in refused(2, "power", "--effect-pp", 60)


def test_power_from_a_run(file: Path, plain: None) -> None:
    fair = "{claim: equivalent, margin_pp: 7}"
    file.write_text(ASKS.replace("{claim: superior, than: 0.05}", fair), encoding="utf-8")
    fine("run", file, "--out", "r", "-q", "--no-report")
    rows = json.loads(fine("power", "--from", "r", "--margin-pp", 5, "--json"))
    arms = [row["arm"] for row in rows]
    assert arms == ["published-table", "advanced-table", "advanced-table against published-table"]
    assert all(row["games"] == 2 * row["replicates"] for row in rows)
    text = fine("power", "--from", "r")
    assert "fair within ±7 pp, if it is" in " ".join(text.split())  # what the run itself claims
    last = text.splitlines()[-1]
    assert last == f"next: reefsim run --extend {file.absolute()}"
    assert "Leave it out" in refused(2, "power", "--from", "r", "--seats", 3)


SWEEP = """\
question: Where should the dial be?
game: reef_encounter
seats: 2
seed: 7
rulesets: {published: {}}
agents: {a: {kind: random}}
lineups: {table: [a, a]}
sweep: {ruleset: published, lineup: table, vary: {feed_return: [3, 4, 5, 6]}}
outcomes: {primary: {first_seat_share: {claim: equivalent, margin_pp: 49.9}}}
targets: {length_rounds: {median: [1, 500]}}
stopping: {rule: fixed, replicates: 20}
"""


def test_a_sweep_picks_a_value_and_plays_it_again(file: Path, plain: None) -> None:
    file.write_text(SWEEP, encoding="utf-8")
    text = fine("sweep", file, "--out", "s")
    assert "pick: feed_return " in text
    assert "in fresh shuffles (seed 9)" in text
    assert text.splitlines()[-2:] == ["games: s-sweep", "next: reefsim report s-sweep"]
    run = rs.open("s-sweep")
    assert len(run.arms) == 4
    assert run.manifest["baseline"] == "published_feed_return_4"
    found = json.loads(fine("sweep", file, "--out", "s", "--json"))
    assert found["dials"] == ["feed_return"]
    assert [point["status"] for point in found["points"]] == ["inside"] * 4
    curve = [row for row in found["curves"] if row["outcome"] == "first_seat_share"]
    assert all(row["fit_low"] < row["fitted"] < row["fit_high"] for row in curve)
    assert found["fresh"]["folder"] == f"s-sweep-confirm-{found['pick']}"
    fresh = rs.open(found["fresh"]["folder"])
    assert fresh.manifest["seed"] == 9
    assert fresh.arms == (found["pick"],)
    file.write_text(SWEEP.replace("[1, 500]", "[1, 2]"), encoding="utf-8")
    assert "no pick: every value misses a target" in fine("sweep", file, "--out", "s")
    file.write_text(TEXT, encoding="utf-8")
    assert "there is no sweep in this file" in refused(2, "sweep", file)


@pytest.mark.parametrize("path", sorted((config_dir() / "templates").glob("*.yaml")), ids=str)
def test_templates_run_as_they_are(path: Path) -> None:
    experiment = load(path)
    assert experiment.outcomes["primary"]
    assert path.read_text(encoding="utf-8").startswith("# ")


def test_from_a_question_to_its_answer_in_five_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain_pilot: None
) -> None:
    monkeypatch.chdir(tmp_path)
    text = fine("new", "my_question")
    file = tmp_path / "my_question" / "experiment.yaml"
    assert "Is the published two-player game fair" in (file.parent / "README.md").read_text()
    small = yaml.safe_load(file.read_text(encoding="utf-8"))
    small["agents"] = {name: {"kind": "random"} for name in small["agents"]}
    small["stopping"] = {
        "rule": "precision",
        "half_width_pp": {"first_seat_share": 25.0},
        "look_every": 10,
        "replicates": {"min": 20, "max": 40},
    }
    file.write_text(yaml.safe_dump(small, sort_keys=False), encoding="utf-8")
    said = []
    for _ in range(4):
        last = text.splitlines()[-1]
        assert last.startswith("next: reefsim ")
        words = last.removeprefix("next: reefsim ").split()
        said.append(words[0])
        text = fine(*words, *(["--pilot", 5] if words[0] == "validate" else []))
    assert said == ["validate", "run", "watch", "explain"]
    assert Path("reports/my_question.html").exists()  # another question has a page of its own
    assert "there is something already" in refused(2, "new", "my_question")
    assert "Did you mean 'seat-balance'?" in refused(2, "new", "x", "--from", "seat-balanc")


def test_records_of_games_to_watch(file: Path, plain: None) -> None:
    extra = "save: {events: 0.1, replays: {sample: 3, always: [longest, shortest]}}\n"
    file.write_text(TEXT + extra, encoding="utf-8")
    fine("run", file, "--out", "r", "-q", "--no-report")
    run = rs.open("r")
    replays = run.manifest["replays"]
    assert [row["why"] for row in replays].count("longest") >= 1
    lengths = run.games.set_index("game_id")["turns"]
    for arm in run.arms:
        ids = {row["game_id"] for row in replays if row["arm"] == arm and "longest" in row["why"]}
        longest = run.games[run.games["arm"] == arm]["turns"].max()
        assert {lengths[game_id] for game_id in ids} == {longest}
    files = [Path("r", row["file"]) for row in replays]
    for path in files:
        assert ": ok, " in fine("replay", path)
    kept = set(run.events["game_id"])
    other = next(row["game_id"] for row in replays if row["game_id"] not in kept)
    assert "points, rank 1" in fine("replay", "r", "--game", other)  # told from its record
    before = [path.read_bytes() for path in files]
    files[0].unlink()
    fine("run", file, "--out", "r", "-q", "--no-report")
    assert [path.read_bytes() for path in files] == before
