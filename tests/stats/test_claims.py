"""Claims and targets: the answer of an interval, families of claims, pairs, looks at any time."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reefsim.metrics.catalog import known
from reefsim.stats.claim import Claim, judge_claim
from reefsim.stats.claims import answer_claims, baseline_arms, find_answers
from reefsim.stats.forecast import forecast, replicates_for_widths
from reefsim.stats.intervals import Estimate
from reefsim.stats.means import compare_means, one_mean
from reefsim.stats.multiple import holm
from reefsim.stats.planning import games_needed
from reefsim.stats.proportions import binomial_test
from reefsim.stats.response import response
from reefsim.stats.sequential import sequential_interval, sequential_share
from reefsim.stats.targets import find_targets, status
from reefsim.stats.values import ReplicateValues
from reefsim.testing.toy_runs import ToyArm, ToyRun, toy_run
from tests.sizes import sized

METRICS = known("toy_race")
FIRST = METRICS["first_seat_share"]
ROUNDS = METRICS["length_rounds"]
EQUIVALENT = {"first_seat_share": {"claim": "equivalent", "to": "1/seats", "margin_pp": 5.0}}


def asks(run: ToyRun, **asked: Any) -> ToyRun:
    run.manifest["experiment"] = {"events": 1.0, **asked}
    return run


@pytest.fixture(scope="module")
def race() -> ToyRun:
    arms = [
        ToyArm("base-table"),
        ToyArm("steep-table", weights=(2.0, 1, 1)),
        ToyArm("long-table", rounds=14),
        ToyArm("base-mixed", ("strong", "greedy", "greedy"), skill={"strong": 6.0}),
    ]
    return toy_run(arms, 1500, luck=0.5, baseline="base")


def rows(table: pd.DataFrame, **wanted: Any) -> list[dict[str, Any]]:
    for name, value in wanted.items():
        table = table[table[name] == value]
    return table.to_dict("records")


def test_a_fair_seat_is_confirmed_and_a_rigged_one_refuted(race: ToyRun) -> None:
    table = find_answers(asks(race, outcomes={"primary": EQUIVALENT}))
    found = {row["arm"]: row for row in table.to_dict("records")}
    assert found["base-table"]["answer"] == "yes"
    assert found["base-table"]["verdict"] == "fair within ±5.0 pp"
    assert found["steep-table"]["answer"] == "no"
    assert found["steep-table"]["verdict"] == "unfair"
    assert found["steep-table"]["estimate"] == pytest.approx(0.5, abs=0.05)
    assert found["base-table"]["against"] == "1/seats"
    assert found["base-mixed"]["games"] == 4500
    adjusted = holm(table["p"])
    assert table["p_adjusted"].tolist() == pytest.approx(adjusted.tolist())
    assert set(table["correction"]) == {"holm"}


def test_arms_are_compared_with_the_baseline_at_their_table(race: ToyRun) -> None:
    asked = {"length_rounds": {"claim": "differs", "to": "baseline", "margin": 1.0}}
    table = find_answers(asks(race, outcomes={"primary": asked, "secondary": ["end_cause"]}))
    found = {row["arm"]: row for row in rows(table, role="primary")}
    assert set(found) == {"steep-table", "long-table"}  # base-mixed plays the baseline itself
    assert {row["against"] for row in found.values()} == {"base-table"}
    assert found["long-table"]["answer"] == "yes"
    assert found["long-table"]["verdict"] == "larger by more than 1 round"
    assert found["long-table"]["paired"]
    assert found["long-table"]["gain"] > 1
    assert found["steep-table"]["answer"] == "no"
    shares = rows(table, role="secondary", claim="estimate", arm="base-table")
    assert sum(row["estimate"] for row in shares) == pytest.approx(1)
    assert {row["outcome"] for row in shares} == {
        f"end_cause = {cause}" for cause in set(race.games["end_cause"])
    }
    assert set(rows(table, role="secondary", claim="differs")[0]["correction"].split()) == {"bh"}


def test_baselines_are_found_by_ruleset_or_arm(race: ToyRun) -> None:
    arms = race.manifest["arms"]
    assert baseline_arms(arms, "base") == {"steep-table": "base-table", "long-table": "base-table"}
    assert baseline_arms(arms, "steep-table") == {
        "base-table": "steep-table", "long-table": "steep-table"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "margin", "interval", "answer", "words"),
    [
        ("equivalent", 0.02, (-0.01, 0.01), "yes", "the same within ±2.0 pp"),
        ("equivalent", 0.02, (0.005, 0.015), "yes", "real but too small to matter"),
        ("equivalent", 0.02, (0.03, 0.05), "no", "larger by more than 2.0 pp"),
        ("equivalent", 0.02, (-0.05, -0.01), "open", "smaller, size not yet known"),
        ("equivalent", 0.02, (-0.01, 0.03), "open", "not yet known (needs about 300 more"),
        ("differs", math.nan, (0.001, 0.02), "yes", "larger"),
        ("differs", math.nan, (-0.01, 0.03), "open", "not yet known (needs about 300 more"),
        ("differs", 0.02, (-0.01, 0.01), "no", "the same within ±2.0 pp"),
        ("differs", 0.02, (0.01, 0.05), "yes", "larger, size not yet known"),
        ("superior", math.nan, (0.001, 0.02), "yes", "larger"),
        ("superior", math.nan, (-0.02, -0.001), "no", "not larger"),
        ("superior", 0.02, (0.021, 0.05), "yes", "larger by at least 2.0 pp"),
        ("superior", 0.02, (0.0, 0.019), "no", "not larger by at least 2.0 pp"),
        ("superior", 0.02, (0.01, 0.05), "open", "not yet known (needs about 300 more"),
    ],
)
def test_what_an_interval_says_to_a_claim(
    claim: str, margin: float, interval: tuple[float, float], answer: str, words: str
) -> None:
    asked = Claim("close_share", METRICS["close_share"], claim, "a", "b", 0.0, margin)
    low, high = interval
    estimate = Estimate((low + high) / 2, low, high, 1.0, 100, "t")
    found = judge_claim(asked, estimate)
    assert found.answer == answer
    assert found.words.replace("\u00a0", " ").startswith(words)


def values(arms: dict[str, Any], metric: str = "first_seat_share") -> ReplicateValues:
    frames = [
        pd.DataFrame({"arm": arm, "replicate": range(len(x)), metric: x}) for arm, x in arms.items()
    ]
    return ReplicateValues(pd.concat(frames), pd.DataFrame(), dict.fromkeys(arms, 1))


def plan(**more: Any) -> dict[str, Any]:
    return {"pairing": "chance", "experiment": {"outcomes": {}}, **more}


def test_p_of_whole_wins_is_exact() -> None:
    wins = np.array([1.0] * 62 + [0.0] * 38)
    claim = Claim("first_seat_share", FIRST, "differs", "a", null=0.5, seats=2)
    [row] = answer_claims([claim], values({"a": wins}), plan()).to_dict("records")
    assert row["p"] == pytest.approx(binomial_test(62, 100, 0.5).p)
    assert row["method"] == "wilson"
    one_sided = replace(claim, claim="superior")
    [row] = answer_claims([one_sided], values({"a": wins}), plan()).to_dict("records")
    assert row["p"] == pytest.approx(binomial_test(62, 100, 0.5).at_least)


def test_pairs_that_do_harm_are_taken_apart() -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(size=200)
    series = [pd.Series(x) for x in (a, -a + 0.1 * rng.normal(size=200))]
    found = compare_means(series[0], series[1], True, None)
    assert found.gain < 1
    assert not found.paired
    assert "unpaired interval" in found.estimate.note
    same = compare_means(series[0], series[0], True, None)
    assert same.paired
    assert same.estimate.value == 0


def test_a_rule_that_changes_no_game_is_said_to() -> None:
    rounds = np.random.default_rng(4).integers(10, 20, 60).astype(float)
    claim = Claim("length_rounds", ROUNDS, "equivalent", "a", "b", 0.0, margin=1.0, seats=3)
    played = values({"a": rounds, "b": rounds}, "length_rounds")
    [row] = answer_claims([claim], played, plan()).to_dict("records")
    assert row["verdict"] == "not yet known: none of 60 pairs differs"
    assert row["estimate"] == 0


def test_a_find_may_vanish_among_many() -> None:
    rng = np.random.default_rng(8)
    base = rng.normal(size=400)
    arms = {"base": base} | {f"a{i}": base + rng.normal(size=400) for i in range(20)}
    arms["a0"] = base + 0.12 + rng.normal(size=400)
    claims = [
        Claim("length_rounds", ROUNDS, "differs", f"a{i}", "base", 0.0, seats=2) for i in range(20)
    ]
    table = answer_claims(claims, values(arms, "length_rounds"), plan())
    first = table.iloc[0]
    assert first["p"] < 0.05 < first["p_adjusted"]
    assert first["answer"] == "open"
    assert first["verdict"] == "larger; not once all are counted"


def test_shares_at_any_time_take_shared_wins() -> None:
    whole = np.array([1.0, 0, 0, 1, 1, 0, 1, 1] * 20)
    assert sequential_share(whole) == sequential_interval(100, 160)
    thirds = np.full(300, 1 / 3)
    assert sequential_share(thirds) == pytest.approx(sequential_interval(100, 300), abs=1e-9)


def test_shared_wins_do_not_break_the_interval_of_all_looks() -> None:
    rng = np.random.default_rng(11)
    missed = 0
    for _ in range(300):
        x = rng.choice([0.0, 0.5, 1.0], p=[0.45, 0.1, 0.45], size=400)
        looks = [sequential_share(x[:n]) for n in range(20, 401, 20)]
        missed += any(not low <= 0.5 <= high for low, high in looks)
    assert missed / 300 <= 0.05


def test_claims_of_a_run_that_stops_on_them_are_wider_and_split_the_error(race: ToyRun) -> None:
    run = asks(race, outcomes={"primary": EQUIVALENT})
    planned = find_answers(run)
    run.manifest["stopping"] = {"intervals": "anytime", "tuned_for": 500}
    try:
        anytime = find_answers(run)
    finally:
        del run.manifest["stopping"]
    assert set(anytime["method"]) == {"anytime"}
    assert anytime["level"].tolist() == pytest.approx([1 - 0.05 / 4] * 4)
    assert ((anytime["high"] - anytime["low"]) > (planned["high"] - planned["low"])).all()
    steep = anytime[anytime["arm"] == "steep-table"].iloc[0]
    assert steep["answer"] == "no"
    assert set(anytime["correction"]) == {"bonferroni"}
    for row in anytime.to_dict("records"):
        assert (row["answer"] == "yes") <= (row["p_adjusted"] < 0.05)


TARGETS = {
    "length_rounds": {"median": [10, 20], "p95_below": 30},
    "truncated_share": {"below": 0.01},
    "seat_share": {"between": [0.25, 0.42], "lineup": "table"},
    "strong_wins": {"lineup": "mixed", "agent": "strong", "share_above": 0.5},
    "score": {"mean": [0, 5], "ruleset": "steep"},
}


def test_targets_arm_by_arm(race: ToyRun) -> None:
    table = find_targets(asks(race, targets=TARGETS))
    [strong] = rows(table, target="strong_wins")
    assert (strong["arm"], strong["status"], strong["agent"]) == ("base-mixed", "inside", "strong")
    assert strong["estimate"] == pytest.approx(0.75, abs=0.04)
    assert strong["replicates"] == 1500
    seats = rows(table, target="seat_share", arm="steep-table")
    assert [row["seat"] for row in seats] == [0, 1, 2]
    assert seats[0]["status"] == "outside"
    assert {row["status"] for row in rows(table, target="seat_share", arm="base-table")} == {
        "inside"
    }
    assert not rows(table, target="seat_share", arm="base-mixed")
    [score] = rows(table, target="score")
    assert (score["arm"], score["status"], score["what"]) == ("steep-table", "outside", "mean")
    median = rows(table, target="length_rounds", what="median", arm="base-table")[0]
    games = race.games[race.games["arm"] == "base-table"]
    assert median["estimate"] == games["rounds"].median()
    assert median["low"] <= median["estimate"] <= median["high"]
    assert rows(table, target="truncated_share", arm="base-table")[0]["method"] == "exact"


def test_lengths_of_games_cut_short_are_lower_bounds() -> None:
    run = toy_run([ToyArm("a-table", rounds=40, max_turns=60)], 300, baseline="a")
    asked = asks(run, targets={"length_rounds": {"median": [5, 30]}})
    [row] = find_targets(asked).to_dict("records")
    cut = run.games["truncated"].mean()
    assert cut > 0.5
    assert math.isinf(row["estimate"])
    assert row["status"] != "inside"


@pytest.mark.parametrize(
    ("low", "high", "what", "expected"),
    [
        (14, 20, "median", "inside"),
        (13, 20, "median", "not yet known"),
        (21, 25, "median", "outside"),
        (5, 29, "p95_below", "inside"),
        (5, 30, "p95_below", "not yet known"),
        (30, 40, "p95_below", "outside"),
        (math.nan, math.nan, "mean", "not yet known"),
    ],
)
def test_status(low: float, high: float, what: str, expected: str) -> None:
    limits = (-math.inf, 30) if what == "p95_below" else (14, 20)
    assert status(Estimate(0, low, high, 0, 9, "t"), *limits, what) == expected


def test_a_pilot_forecasts_what_the_plan_says_of_independent_games() -> None:
    pilot = toy_run([ToyArm("base-table")], 4000, baseline="base")
    run = asks(pilot, outcomes={"primary": EQUIVALENT})
    [row] = forecast(run, 1000).to_dict("records")
    assert row["half_width"] == pytest.approx(1.96 * math.sqrt(2 / 9 / 1000), rel=1e-4)
    assert row["needed"] == games_needed(3, margin=0.05).n
    assert 0.5 < row["chance"] < 1
    wanted = replicates_for_widths(run, {"first_seat_share": 0.02})
    assert wanted == pytest.approx(games_needed(3, half_width=0.02).n, rel=0.06)


def test_a_fair_game_is_called_fair_with_the_games_the_planner_names() -> None:
    pilot = toy_run([ToyArm("base-table")], 50, baseline="base")
    [row] = forecast(asks(pilot, outcomes={"primary": EQUIVALENT}), 1000).to_dict("records")
    games = int(row["needed"])
    claim = Claim(
        "first_seat_share", FIRST, "equivalent", "base-table",
        null=1 / 3, margin=0.05, seats=3,
    )  # fmt: skip
    rng = np.random.default_rng(6)
    runs = 1000
    yes = sum(
        judge_claim(claim, one_mean((rng.random(games) < 1 / 3) * 1.0, games, True)).answer == "yes"
        for _ in range(runs)
    )
    assert yes / runs == pytest.approx(0.9, abs=0.03)


def test_a_pilot_that_is_unfair_by_chance_needs_no_more_than_a_fair_one() -> None:
    unfair = ToyArm("base-table", weights=(2.0, 1, 1), shared=0.1)
    pilot = asks(toy_run([unfair], 200, baseline="base"), outcomes={"primary": EQUIVALENT})
    assert forecast(pilot, 500)["needed"][0] <= games_needed(3, margin=0.05).n


def test_differences_with_a_margin_are_sized_too_and_those_without_are_not() -> None:
    arms = [ToyArm("base-table"), ToyArm("long-table", rounds=9)]
    pilot = toy_run(arms, 300, baseline="base")
    asked = {
        "first_seat_share": {"claim": "equivalent", "to": "1/seats", "margin_pp": 5.0},
        "length_rounds": {"claim": "differs", "margin": 1.0},
        "margin_points": {"claim": "differs"},
    }
    table = forecast(asks(pilot, outcomes={"primary": asked}), 300).set_index("outcome")
    rounds = table.loc["length_rounds"]
    assert rounds["needed"] == math.ceil(300 * rounds["smallest"] ** 2)
    assert math.isnan(table.loc["margin_points", "needed"])
    assert (table.loc["first_seat_share", "needed"] == games_needed(3, margin=0.05).n).all()


def test_the_chance_of_a_forecast_is_that_of_the_verdict() -> None:
    pilot = asks(toy_run([ToyArm("b-table")], 2000, baseline="b"), outcomes={"primary": EQUIVALENT})
    chance = forecast(pilot, 400)["chance"][0]
    fair, runs = 0, sized(20, 60)
    for seed in range(runs):
        run = asks(
            toy_run([ToyArm("b-table")], 400, seed=seed + 50, baseline="b"),
            outcomes={"primary": EQUIVALENT},
        )
        fair += find_answers(run)["answer"][0] == "yes"
    assert fair / runs == pytest.approx(chance, abs=0.18)


def test_a_curve_through_a_sweep() -> None:
    rng = np.random.default_rng(4)
    x = np.array([[3.0], [4], [5], [6], [7]])
    truth = 10 + (x[:, 0] - 5) ** 2
    shared = rng.normal(size=(500, 1))
    found = response(x, truth + shared + rng.normal(size=(500, 5)), ["dial"])
    assert found.terms == ("1", "dial", "dial^2")
    assert found.fitted == pytest.approx(truth, abs=0.2)
    assert ((found.low < truth) & (truth < found.high)).all()
    assert found.fits
    jump = np.array([0.0, 0, 5, 0, 0])
    assert not response(x, jump + rng.normal(size=(500, 5)), ["dial"]).fits


def test_bands_of_curves_cover() -> None:
    rng = np.random.default_rng(5)
    x = np.array([[1.0], [2], [3], [4]])
    truth = 2.0 * x[:, 0]
    covered = 0
    for _ in range(400):
        y = truth + rng.normal(size=(30, 1)) + rng.normal(size=(30, 4))
        found = response(x, y, ["dial"])
        covered += int((found.low[1] <= truth[1]) and (truth[1] <= found.high[1]))
    assert 0.92 <= covered / 400 <= 0.98


def test_two_dials_make_a_surface() -> None:
    grid = np.array([[a, b] for a in (1.0, 2, 3) for b in (0.0, 1)])
    truth = grid[:, 0] + 2 * grid[:, 1] + 3 * grid[:, 0] * grid[:, 1]
    y = truth + np.random.default_rng(1).normal(size=(200, 6))
    found = response(grid, y, ["a", "b"])
    assert found.terms == ("1", "a", "b", "a b", "a^2")
    assert found.fitted == pytest.approx(truth, abs=0.3)
