"""The appendix: figures from their tables, what pairs share, and games behind the points."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reefsim.reporting.appendix import median_fork
from reefsim.reporting.notes import pairing_note
from reefsim.reporting.pictures import draw
from reefsim.reporting.render import find_report, render, write_markdown
from reefsim.reporting.sweep import Sweep
from reefsim.reporting.sweep_figures import sweep_figure
from reefsim.stats.forks import first_differences
from reefsim.stats.luck import _rho_interval, wins_by_shuffle
from reefsim.stats.paired import list_pairs
from reefsim.stats.recovery import recovery, recovery_curve
from reefsim.testing.toy_runs import ToyArm, toy_run
from tests.reporting.test_sections import commands, prose

MIXED = ("strong", "greedy", "greedy")


@pytest.fixture(scope="module")
def report(real):
    return find_report(real)


def test_every_figure_names_its_games_its_players_and_a_table_that_is_written(report) -> None:
    drawn = draw(report)
    assert set(drawn) >= {
        "skill", "margins", "pairs", "options", "course", "recovery", "areas-values"
    }  # fmt: skip
    tables = report.tables()
    for name, picture in drawn.items():
        assert len(tables[picture.data]), name
        assert " games by " in picture.caption, name
        assert f"Data: {picture.data}.csv." in picture.told


def test_what_a_run_has_no_data_for_is_left_out(real, monkeypatch) -> None:
    monkeypatch.setattr("reefsim.reporting.story._oracles", lambda run: ())
    monkeypatch.setattr("reefsim.reporting.report.first_differences", lambda *a: pd.DataFrame())
    found = find_report(real)
    assert not {"recovery", "fan", "leads", "sweep", "luck"} & set(draw(found))
    assert "First ply" not in prose(render(found))


def test_games_behind_the_figures_can_be_told(report, real_page) -> None:
    examples = report.appendix.examples
    assert set(examples["figure"]) >= {"length by end", "margins", "lead changes", "pairs"}
    assert set(examples["command"]) <= set(commands(real_page))


def test_values_of_all_colors_add_up_to_fifteen(report) -> None:
    (values,) = (s.values for s in report.pieces.series if s.summary == "values")
    sums = values.groupby(["arm", "time"], sort=False)["value"].sum()
    assert sums.to_numpy() == pytest.approx(15)


def test_pairs_part_where_their_events_do(real) -> None:
    baselines = {"advanced-table": "published-table"}
    forks = first_differences(real, baselines)
    assert len(forks) == 6
    events = real.table("events").drop(columns=["ply", "n_legal", "arm"], errors="ignore")
    events = events.astype(object).where(events.notna(), "")
    row = forks.iloc[0]
    one, two = (
        events[events["game_id"] == row[name]].drop(columns="game_id").to_numpy()
        for name in ("game_id", "baseline_id")
    )
    ply = int(row["ply"])
    assert (one[:ply] == two[:ply]).all()
    assert (one[ply] != two[ply]).any()
    same = first_differences(real, {"published-table": "published-table"})
    assert same["ply"].isna().all()


def test_the_median_ply_of_the_first_difference_is_told() -> None:
    forks = pd.DataFrame({"arm": ["b"] * 3, "ply": [10.0, 30.0, np.nan], "plies": [90] * 3})
    assert median_fork(forks) == {"b": (30.0, 3, 1)}
    compared = pd.DataFrame(
        [
            {"arm": "b", "measure": name, "gain": 2.0, "identical": 0.5}
            for name in ("first_seat_share", "score_mean", "rounds")
        ]
    )
    note = pairing_note(compared, median_fork(forks)).replace("\u00a0", " ")
    assert note.endswith("as the median of pairs: b 30 (3 pairs, 1 of them the same to their end).")
    assert "First ply" not in pairing_note(compared, {})


def test_pairs_of_an_arm_and_its_copy_lie_on_the_diagonal() -> None:
    run = toy_run([ToyArm("base-table"), ToyArm("copy-table")], 50, luck=1.0)
    pairs = list_pairs(run.games, run.players, {"base-table": "base-table"})
    assert pairs["identical"].all()
    assert (pairs["value"] == pairs["baseline_value"]).all()


@pytest.mark.parametrize(("luck", "decided"), [(0.0, False), (1.0, True)])
def test_shuffles_that_decide_everything_are_won_in_all_seatings_or_none(luck, decided) -> None:
    run = toy_run([ToyArm("base-mixed", MIXED)], 2000, luck=luck)
    found = wins_by_shuffle(run.games, run.players)
    assert found["share"].sum() == pytest.approx(1)
    assert found["expected"].sum() == pytest.approx(1)
    if decided:
        assert found["share"].to_list()[1:3] == [0, 0]
        assert found["rho"].iloc[0] == pytest.approx(1)
    else:
        assert found["share"].to_numpy() == pytest.approx(found["expected"].to_numpy(), abs=0.04)
        assert abs(found["rho"].iloc[0]) < 0.05
    first = found.iloc[0]
    assert first["low"] <= first["rho"] + 1e-9
    assert first["rho"] <= first["high"] + 1e-9
    assert first["high"] - first["low"] < 0.1
    assert (first["low"] > 0) == decided


def test_intervals_of_what_the_shuffle_decides_hold_the_truth() -> None:
    """A seat wins by lot in half of the shuffles and in both seatings or none in the others."""
    held, trials, shuffles = 0, 200, 60
    for trial in range(trials):
        rng = np.random.default_rng(trial)
        fate, lots = rng.random((shuffles, 1)) < 0.5, rng.random((shuffles, 2)) < 0.5
        won = np.where(rng.random((shuffles, 1)) < 0.5, fate, lots)  # a correlation of one half
        low, high = _rho_interval(won.astype(float), resamples=400)
        held += low <= 0.5 <= high
    assert 0.9 <= held / trials <= 0.99


def test_one_seating_has_nothing_to_compare() -> None:
    run = toy_run(replicates=20)
    assert wins_by_shuffle(run.games, run.players).empty


def test_recovery_finds_the_curve_it_was_drawn_from() -> None:
    rng = np.random.default_rng(1)
    deficit = rng.normal(0, 5, 4000).round()
    won = (rng.random(4000) < 1 / (1 + np.exp(0.5 + 0.3 * deficit))) * 1.0
    seats = pd.DataFrame({"arm": "a", "replicate": np.arange(4000), "deficit": deficit, "won": won})
    bins, curve = recovery(seats), recovery_curve(seats)
    assert bins["seats"].sum() == 4000
    assert (bins["least"] <= bins["deficit"]).all()
    true = 1 / (1 + np.exp(0.5 + 0.3 * curve["deficit"]))
    assert curve["chance"].to_numpy() == pytest.approx(true.to_numpy(), abs=0.04)
    apart = seats.assign(won=(seats["deficit"] < 0) * 1.0)
    assert recovery_curve(apart).empty
    assert recovery(apart)["share"].to_numpy()[0] == 1


@pytest.mark.parametrize("dials", [("x",), ("x", "y")])
def test_a_sweep_is_drawn_with_its_pick(dials) -> None:
    arms = ["a", "b", "c", "d"]
    points = pd.DataFrame({"arm": arms, "point": arms, "x": [1, 1, 2, 2], "y": [1, 2, 1, 2]})
    points["status"] = ["inside", "outside", "not yet known", "outside"]
    if dials == ("x",):
        points["x"] = [1, 2, 3, 4]
    curves = pd.DataFrame(
        {
            "outcome": "length_rounds", "kind": "number", "unit": "rounds", "arm": arms,
            "estimate": [10.0, 12, 14, 16], "low": [9.0, 11, 13, 15], "high": [11.0, 13, 15, 17],
            "fitted": [10.0, 12, 14, 16], "fit_low": [9.5, 11.5, 13.5, 15.5],
            "fit_high": [10.5, 12.5, 14.5, 16.5],
        }
    )  # fmt: skip
    wanted = {"metric": "length_rounds", "wanted_low": 9.0, "wanted_high": 12.0}
    figure = sweep_figure(Sweep(dials, points, curves, "a", "why"), pd.DataFrame([wanted]))
    (axes,) = (a for a in figure.axes if a.get_visible())
    assert axes.get_title(loc="left") == "length rounds"
    if len(dials) == 2:
        assert {text.get_text() for text in axes.texts} == {"10.0 ★", "12.0", "14.0", "16.0"}
        framed = [patch for patch in axes.patches if patch.get_facecolor()[3] == 0]
        assert len(framed) == 1  # what meets everything that is wanted
    else:
        assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "3", "4"]
        assert any(list(line.get_xdata()) == [1, 1] for line in axes.lines)  # the pick


def test_markdown_has_the_figures_of_the_appendix(report, tmp_path) -> None:
    page = write_markdown(tmp_path / "page.html", report, draw(report), "data")
    text = page.read_text(encoding="utf-8")
    assert "](page_figures/options.svg)" in text
    assert (tmp_path / "page_figures" / "pairs.svg").exists()
