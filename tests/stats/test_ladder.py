"""Ratings, shares, steps and circles of made-up tournaments with known strengths."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations

import numpy as np
import pytest

from reefsim.stats.ladder import POINTS, agent_ratings, circles, head_to_head, steps
from reefsim.testing.toy_runs import ToyArm, ToyRun, toy_run
from tests.sizes import sized

SKILL = {"random": 1.0, "middle": 2.0, "top": 4.0}
STEP = POINTS * np.log(2)  # twice the weight, in points


def tournament(
    skill: Mapping[str, float], seats: int = 2, replicates: int = 100, **options: float
) -> ToyRun:
    """Play every pairing of a ladder."""
    pairs = (combinations if seats == 2 else permutations)(skill, 2)
    arms = [
        ToyArm(f"base-{row}-{column}", (row, *[column] * (seats - 1)), skill=dict(skill))
        for row, column in pairs
    ]
    return toy_run(arms, replicates, **options)


def rated(run: ToyRun, anchor: str = "random", **options: int):
    return agent_ratings(run.games, run.players, anchor, **options).set_index("agent")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_strengths_are_recovered_at_every_number_of_seats(seats: int) -> None:
    run = tournament(SKILL, seats, 1500)
    table = rated(run, resamples=100)
    assert list(table.index) == ["top", "middle", "random"]
    assert table["rating"].to_numpy() == pytest.approx([2 * STEP, STEP, 0], abs=15)
    top = table.loc["top"]
    assert top["low"] < 2 * STEP < top["high"]
    assert top["high"] - top["low"] < 50
    seatings, pairings = seats, 2 * (1 if seats == 2 else 2)  # of each agent
    assert set(table["games"]) == {1500 * seatings * pairings}
    assert set(table["replicates"]) == {1500}
    assert set(table["fair"]) == {1 / seats}
    assert np.isnan(table.loc["random", "low"])


@pytest.mark.parametrize("seats", [2, 3])
def test_shares_are_those_of_one_among_the_others(seats: int) -> None:
    run = tournament(SKILL, seats, 2000)
    heads = head_to_head(run.games, run.players)
    assert [tuple(pair) for pair in heads[["row", "column"]].to_numpy()] == [
        (row, column) for row in SKILL for column in SKILL if row != column
    ]
    for row in heads.to_dict("records"):
        mine, theirs = SKILL[row["row"]], SKILL[row["column"]]
        expected = mine / (mine + (seats - 1) * theirs)
        assert row["share"] == pytest.approx(expected, abs=0.03)
        assert row["low"] < row["share"] < row["high"]
        assert (row["games"], row["replicates"]) == (2000 * seats, 2000)
    found = steps(rated(run, resamples=10).reset_index(), heads)
    assert list(zip(found["stronger"], found["weaker"], strict=True)) == [
        ("top", "middle"),
        ("middle", "random"),
    ]
    assert set(found["call"]) == {"above"}


def test_the_replicate_is_the_unit() -> None:
    # where the shuffle decides, more seatings of it are not more evidence
    widths = []
    for luck in (0.0, 0.9):
        arm = ToyArm("base-a-b", ("a", "b"), weights=(1.0, 1.0), skill={"a": 1.0, "b": 1.0})
        run = toy_run([arm], 400, luck=luck)
        table = rated(run, "b", resamples=300)
        widths.append(table.loc["a", "high"] - table.loc["a", "low"])
    # a seat that wins whoever sits there gives each agent one win of two
    assert widths[1] < 0.6 * widths[0]


def test_intervals_cover_the_truth() -> None:
    experiments = sized(40, 400)
    covered = 0
    for seed in range(experiments):
        table = rated(tournament(SKILL, 3, 60, seed=seed, luck=0.3), seed=seed, resamples=150)
        covered += sum(
            table.loc[name, "low"] <= STEP * rank <= table.loc[name, "high"]
            for name, rank in (("middle", 1), ("top", 2))
        )
    assert covered / (2 * experiments) == pytest.approx(0.95, abs=sized(0.06, 0.025))


def test_the_same_seed_gives_the_same_intervals() -> None:
    run = tournament(SKILL)
    assert rated(run, seed=3, resamples=50).equals(rated(run, seed=3, resamples=50))
    assert not rated(run, seed=3, resamples=50).equals(rated(run, seed=4, resamples=50))


def test_another_anchor_moves_the_ladder() -> None:
    run = tournament(SKILL)
    low, high = rated(run, resamples=20), rated(run, "top", resamples=20)
    moved = low["rating"] - low.loc["top", "rating"]
    assert high["rating"].to_numpy() == pytest.approx(moved.to_numpy())


def test_an_undefeated_agent_has_no_upper_limit() -> None:
    table = rated(tournament(SKILL | {"top": 1e12}, replicates=100))
    top = table.loc["top"]
    assert top["high"] == np.inf
    # the exact bound of 0 in 100 replicates is 3.6 %: 570 points
    assert 500 < top["low"] < top["rating"] < np.inf
    assert top["note"].startswith("no upper limit")
    assert np.isfinite(table.loc["middle", "high"])
    below = rated(tournament(SKILL | {"middle": 1e-12}, 3)).loc["middle"]
    assert below["low"] == -np.inf
    assert -np.inf < below["rating"] < below["high"] < 0


def test_no_spread_is_not_certainty() -> None:
    # the first seat always wins: every replicate is one to one
    run = toy_run([ToyArm("base-a-b", ("a", "b"), weights=(1e12, 1.0))], 100)
    row = rated(run, "a").loc["b"]
    assert row["rating"] == pytest.approx(0)
    assert -40 < row["low"] < -2
    assert 2 < row["high"] < 40


def test_one_replicate_gives_no_interval() -> None:
    table = rated(tournament(SKILL, replicates=1))
    assert table[["low", "high"]].isna().all(axis=None)
    assert table.loc["top", "note"] == "one replicate only"


def circle(seats: int, edge: float) -> ToyRun:
    """Rock, paper and scissors: each has `edge` times the weight of the one it beats."""
    beats = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
    names = ("rock", "paper", "scissors")
    pairs = (combinations if seats == 2 else permutations)(names, 2)
    arms = []
    for row, column in pairs:
        skill = {row: edge if (row, column) in beats else 1 / edge}
        arms.append(ToyArm(f"base-{row}-{column}", (row, *[column] * (seats - 1)), skill=skill))
    return toy_run(arms, 200)


@pytest.mark.parametrize("seats", [2, 3])
def test_rock_beats_scissors_beats_paper_beats_rock(seats: int) -> None:
    run = circle(seats, 2.0)
    assert circles(head_to_head(run.games, run.players)) == [("rock", "scissors", "paper")]
    run = circle(seats, 1.0)
    assert circles(head_to_head(run.games, run.players)) == []


def test_an_order_is_no_circle() -> None:
    run = tournament(SKILL | {"other": 8.0}, 3, 300)
    assert circles(head_to_head(run.games, run.players)) == []
