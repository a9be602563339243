"""Oracles: chances for the positions of saved games, the same whenever they are worked out."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reefsim.agents.records import AGENT
from reefsim.core.match import Match
from reefsim.core.replay import check_record
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.logs.read import Run, open_run
from reefsim.metrics import choice, story
from reefsim.metrics.catalog import known
from reefsim.metrics.trace import DECISION, Trace, between_turns
from reefsim.metrics.trace_files import read_traces, trace_path
from reefsim.metrics.values import game_values, seat_values
from reefsim.sim import oracle
from reefsim.sim.oracle import ORACLES, Settings, appraise
from tests.runs import play

GAME = registry.get("reef_encounter")
SAMPLE = 2  # replicates of each arm that are judged
PLAIN = Settings("evaluation", options=False)
NEEDS_ORACLE = {name: metric for name, metric in known(GAME.name).items() if metric.oracle}


@pytest.fixture(scope="session")
def judged(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A copy of the run, judged by the evaluation and by points."""
    copy = tmp_path_factory.mktemp("judged") / "run"
    shutil.copytree(folder, copy)
    run = open_run(copy)
    for settings in (PLAIN, Settings("points")):
        appraise(run, settings, replicates=SAMPLE, mode="plain")
    return run


def traces(run: Run, name: str = "evaluation") -> dict[int, Trace]:
    found: dict[int, Trace] = {}
    for part in run.parts():
        found |= read_traces(trace_path(run.folder, name, *part), 2)
    return found


@pytest.fixture(scope="session")
def replayed(judged: Run) -> tuple[Trace, Trace, list[dict[str, Any]]]:
    """Evaluation and points of a game, and what its positions are by a replay."""
    game_id = min(traces(judged))
    agent = AGENT.plain()
    settings = oracle._Judge(judged, GAME, judged.arms[0], PLAIN, "plain")
    AGENT.fill(agent, oracle.record_values("greedy", {"weights": settings.weights}, GAME))
    plain = GAME.build("plain", oracle._MODULES)
    seen: list[dict[str, Any]] = []

    def watch(match: Match) -> None:
        chance = [0.0, 0.0]
        plain.chances(match.plain_state(), match.rules, GAME.work.plain(), agent, chance)
        points = match.scores()
        known_ = {"turn": match.turn, "seat": match.seat, "ply": match.ply, "over": match.over}
        seen.append({"chance": chance, "points": points, **known_})

    assert check_record(judged.record(game_id), GAME, watch=watch).ok
    return traces(judged)[game_id], traces(judged, "points")[game_id], seen


def test_every_position_is_judged(replayed: tuple[Trace, Trace, list[dict[str, Any]]]) -> None:
    trace, _, seen = replayed
    assert trace.points.tolist() == [row["points"] for row in seen]
    assert trace.ply.tolist() == [row["ply"] for row in seen]
    assert trace.turn.tolist() == [row["turn"] for row in seen]
    assert trace.movers.tolist() == [row["seat"] for row in seen[:-1]]


def test_the_evaluation_is_that_of_the_players(
    replayed: tuple[Trace, Trace, list[dict[str, Any]]],
) -> None:
    trace, _, seen = replayed
    assert trace.chance[:-1] == pytest.approx(np.array([row["chance"] for row in seen[:-1]]))


def test_points_are_shares_of_the_true_points(
    replayed: tuple[Trace, Trace, list[dict[str, Any]]],
) -> None:
    _, trace, seen = replayed
    points = np.array([row["points"] for row in seen], float)
    total = points.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, points / np.where(total > 0, total, 1), 0.5)
    assert trace.chance[:-1] == pytest.approx(shares[:-1])


@pytest.mark.parametrize("name", ["evaluation", "points"])
def test_chances_sum_to_one_and_end_with_the_result(judged: Run, name: str) -> None:
    won = judged.players.set_index(["game_id", "seat"])["win_share"]
    found = traces(judged, name)
    assert len(found) == SAMPLE * 2 * len(judged.arms)  # two rotations
    for game_id, trace in found.items():
        assert trace.chance.sum(axis=1) == pytest.approx(1)
        assert trace.chance[-1].tolist() == won[game_id].tolist()


def test_the_sample_is_the_same_in_all_arms(judged: Run) -> None:
    ids = pd.Series(sorted(traces(judged)))
    replicates = (ids % 10**12 // 1000).groupby(ids // 10**12).unique()
    assert [list(found) for found in replicates] == [[0, 7], [0, 7]]


def test_the_same_bytes_again(judged: Run, folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(folder, copy)
    paths = appraise(open_run(copy), PLAIN, replicates=SAMPLE, mode="plain")
    assert paths
    for path in paths:
        assert path.read_bytes() == (judged.folder / path.relative_to(copy)).read_bytes()


def test_what_is_there_is_not_worked_out_again(
    judged: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("worked out again")

    monkeypatch.setattr(oracle._Judge, "table", fail)
    assert len(appraise(judged, PLAIN, replicates=SAMPLE, mode="plain")) == 4
    with pytest.raises(AssertionError, match="worked out again"):
        appraise(judged, PLAIN, replicates=SAMPLE + 1, mode="plain")


def test_metrics_read_the_oracle(judged: Run) -> None:
    names = [name for name, metric in NEEDS_ORACLE.items() if metric.per == "game"]
    found = game_values(judged, names).set_index("game_id")
    all_traces = traces(judged)
    assert set(found.index[found["lead_changes"].notna()]) == set(all_traces)
    for game_id, trace in all_traces.items():
        row = found.loc[game_id]
        assert row["lead_changes"] == story.lead_changes(trace.chance)
        assert row["drama_max"] == story.drama(trace.chance, trace.winners).max
        assert row["clinch_share"] == story.clinch(trace.chance, trace.winners) / len(trace.movers)
        assert row["interaction"] == pytest.approx(0, abs=1e-12)  # two seats
        assert np.isnan(row["targeting_leader"])
        assert np.isnan(row["stakes"])  # options were not judged
    other = game_values(judged, ["lead_changes"], oracle="points").set_index("game_id")
    assert not other["lead_changes"].equals(found["lead_changes"])


def test_deficits_at_half_time_are_opposite_with_two_seats(judged: Run) -> None:
    found = seat_values(judged, ["deficit_half"]).dropna()
    assert len(found) == 2 * len(traces(judged))
    assert (found.groupby("game_id")["deficit_half"].sum() == 0).all()


def test_an_oracle_that_judged_nothing_is_named(opened: Run) -> None:
    with pytest.raises(RunError, match=r"comeback needs chances .* 'evaluation' has judged no"):
        game_values(opened, ["length_turns", "comeback"])


def test_settings_are_checked(judged: Run) -> None:
    with pytest.raises(RunError, match=r"'pionts' is not an oracle\. Did you mean 'points'"):
        Settings("pionts")
    with pytest.raises(RunError, match="'gredy' is not a built-in player"):
        Settings("rollouts", player="gredy")
    with pytest.raises(RunError, match="playouts: 0 is outside"):
        Settings("rollouts", playouts=0)
    assert set(ORACLES) == {"evaluation", "points", "rollouts"}


def test_the_command(judged: Run) -> None:
    from typer.testing import CliRunner

    from reefsim.cli.app import app

    def reefsim(*args: object) -> Any:
        return CliRunner().invoke(app, [str(arg) for arg in ("appraise", judged.folder, *args)])

    # worked out already, so that nothing is compiled
    found = reefsim("--oracle", "points", "--replicates", SAMPLE)
    assert found.exit_code == 0
    assert found.stdout.startswith("8 games judged by points: ")
    wrong = reefsim("--oracle", "piont")
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("'piont' is not an oracle. Did you mean 'points'?")


def test_runs_without_events_cannot_be_judged(tmp_path: Path) -> None:
    from tests.runs import TEXT

    text = TEXT.replace("replicates: 15", "replicates: 1") + "save: {events: none}\n"
    run = open_run(play(tmp_path / "run", text))
    with pytest.raises(RunError, match="no events were kept"):
        appraise(run, PLAIN, mode="plain")


def test_a_game_that_plays_otherwise_is_found(
    judged: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copy = tmp_path / "run"
    shutil.copytree(judged.folder, copy)
    run = open_run(copy)
    run.manifest["seed"] += 1
    with pytest.raises(RunError, match="does not play as it is recorded: its decision"):
        appraise(run, Settings("points"), replicates=3, mode="plain")


def test_rollouts_in_plain_mode(judged: Run) -> None:
    """Random players play on from the positions between turns; few, since plain mode is slow."""
    settings = Settings("rollouts", playouts=2, player="random")
    arm = judged.arms[0]
    appraise(judged, settings, replicates=1, arms=[arm], mode="plain")
    found = traces(judged, "rollouts")
    ends = traces(judged)
    assert len(found) == 2  # rotations
    for game_id, trace in found.items():
        rows = between_turns(ends[game_id].turn)
        assert trace.ply.tolist() == ends[game_id].ply[rows].tolist()
        assert trace.chance.sum(axis=1) == pytest.approx(1)
        assert set(np.unique(trace.chance)) <= {0.0, 0.25, 0.5, 0.75, 1.0}
        split = trace.chance[:-1, 0] == 0.5  # one win each, or two shared ones
        assert trace.error[:-1][~split].max() <= 0.5
        assert trace.error[-1].tolist() == [0, 0]
        assert trace.threshold == pytest.approx(2 * trace.error.max(axis=1))


@pytest.mark.jitted
def test_jitted_and_plain_agree(judged: Run, folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(folder, copy)
    run = open_run(copy)
    appraise(run, Settings("evaluation"), replicates=SAMPLE)
    found, plain = traces(run), traces(judged)
    assert found.keys() == plain.keys()
    for game_id, trace in found.items():
        assert trace.chance == pytest.approx(plain[game_id].chance)
        assert trace.points.tolist() == plain[game_id].points.tolist()
        # the value of the action played is the chance in the next position
        own = trace.chance[np.arange(1, len(trace.chance)), trace.movers]
        known_ = np.isfinite(trace.decisions["best"])
        assert (trace.decisions["best"][known_] >= own[known_] - 1e-12).all()
        assert (trace.decisions["worst"][known_] <= own[known_] + 1e-12).all()
        assert (trace.decisions["swing"][known_] == 0).all()  # two seats
    shares = game_values(run, ["forced_share", "free_share", "meaningful_share"]).dropna()
    assert len(shares) == len(found)
    assert ((shares.iloc[:, 5:] >= 0) & (shares.iloc[:, 5:] <= 1)).all(axis=None)


def test_sharpness_is_found_again() -> None:
    """Results drawn by chances that are then made twice too sure call for half the sharpness."""
    rng = np.random.default_rng(3)
    games = []
    for _ in range(800):
        truth = rng.dirichlet((1.0, 1.0, 1.0))
        sure = truth**2 / (truth**2).sum()
        games.append(np.vstack([sure, sure, np.eye(3)[rng.choice(3, p=truth)]]))
    assert oracle.fit_sharpness(games) == pytest.approx(0.5, abs=0.06)


def test_the_evaluation_is_calibrated_on_enough_games(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "run"
    shutil.copytree(folder, copy)
    run = open_run(copy)
    monkeypatch.setattr(oracle, "LEAST_GAMES", 4)
    files = appraise(run, PLAIN, replicates=1, mode="plain")
    raw = replace(PLAIN, calibrate=False)
    spread = oracle._meta_of(files[0])["spread"]
    chances = [trace.chance for trace in traces(run).values()]
    appraise(run, raw, replicates=1, mode="plain")
    first = oracle._meta_of(files[0])["spread"]
    assert first == {name: value for name, value, _ in GAME.weights}["spread"] != spread
    assert oracle.fit_sharpness([t.chance for t in traces(run).values()]) == pytest.approx(
        first / spread, rel=0.01
    )
    assert oracle.fit_sharpness(chances) == pytest.approx(1, abs=0.01)


def test_the_summary_of_decisions() -> None:
    marks = np.zeros((4, oracle.NUM_MARKS), np.int64)
    marks[1:, oracle.LEGAL] = (4, 1, 3)
    marks[1:, oracle.SEAT] = (0, 1, 0)
    q = np.zeros((8, 3))
    q[:4, 0] = (0.62, 0.60, 0.41, 0.20)
    q[5:] = [(0.02, 0.60, 0.38), (0.02, 0.30, 0.68), (0.01, 0.45, 0.54)]
    judged_ = np.full((4, len(DECISION)), np.nan)
    oracle._summarize(marks, q, judged_)
    first = dict(zip(DECISION, judged_[1], strict=True))
    assert first["best"] == 0.62
    assert first["second"] == pytest.approx(0.60)
    assert first["worst"] == 0.20
    assert first["near"] == 2
    assert first["effective"] == pytest.approx(choice.effective_choices(q[:4, 0]))
    assert np.isnan(judged_[2]).all()  # no choice
    assert judged_[3, DECISION.index("swing")] == pytest.approx(0.30)
