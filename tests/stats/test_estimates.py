"""The tables of a run: what was put into a toy run is found, and its edges hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from reefsim.stats import (
    agent_shares,
    compare_arms,
    end_causes,
    ender_wins,
    first_seat_advantage,
    length_curves,
    length_quantiles,
    seat_scores,
    seat_shares,
    winner_margins,
)
from reefsim.stats.paired import difference, pairing_gain
from reefsim.testing.toy_runs import ToyArm, toy_run

MIXED = ("strong", "greedy", "greedy")


def tables(wins: list[int], seats: int = 3) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tables of independent games with so many wins per seat."""
    winner = np.repeat(np.arange(seats), wins)
    ids = np.arange(len(winner))
    games = pd.DataFrame({"arm": "a", "game_id": ids, "replicate": ids, "players": seats})
    players = pd.DataFrame(
        {"game_id": np.repeat(ids, seats), "seat": np.tile(range(seats), len(ids))}
    )
    players["win_share"] = (players["seat"] == np.repeat(winner, seats)).astype(np.float32)
    return games, players.assign(agent="greedy", score=10 * players["win_share"])


# --- seats -----------------------------------------------------------------------------------


def test_seat_shares_of_a_known_table():
    table = seat_shares(*tables([412, 310, 278])).set_index("seat")
    assert list(table["share"]) == pytest.approx([0.412, 0.310, 0.278])
    assert (table.loc[0, "low"], table.loc[0, "high"]) == pytest.approx(
        (0.381887, 0.442786), abs=1e-6
    )
    assert table.loc[0, "verdict"] == "unfair"
    assert set(table["games"]) == {1000}


def test_a_fair_toy_is_covered_at_the_nominal_rate():
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(100):
        table = seat_shares(*tables(list(rng.multinomial(150, [1 / 3] * 3))))
        covered += int(((table["low"] <= 1 / 3) & (table["high"] >= 1 / 3)).sum())
    assert covered / 300 == pytest.approx(0.95, abs=0.03)


def test_a_rigged_toy_is_found():
    # at .40 of three seats, 1 600 games reach past the margin in about nine of ten experiments
    rng = np.random.default_rng(6)
    calls = [
        seat_shares(*tables(list(rng.multinomial(1600, [0.4, 0.3, 0.3]))))["call"][0]
        for _ in range(60)
    ]
    assert set(calls) <= {"unfair", "favours"}
    assert calls.count("unfair") > 50


def test_first_seat_advantage_is_in_percentage_points():
    row = first_seat_advantage(*tables([412, 310, 278])).iloc[0]
    assert row["advantage_pp"] == pytest.approx(41.2 - 100 / 3)
    assert row["low_pp"] == pytest.approx(38.1887 - 100 / 3, abs=1e-3)


def test_shares_of_a_game_sum_to_one_with_ties_and_rotations():
    run = toy_run([ToyArm("mixed", MIXED, shared=0.3, skill={"strong": 3.0})], 150)
    table = seat_shares(run.games, run.players)
    assert table["share"].sum() == pytest.approx(1.0, abs=1e-12)
    assert set(table["method"]) == {"wilson"}
    assert (set(table["games"]), set(table["replicates"])) == ({450}, {150})
    assert table["rotated"].all()


def test_agents_of_a_mixed_line_up_are_free_of_their_seat():
    run = toy_run(
        [ToyArm("same"), ToyArm("mixed", MIXED, weights=(2.0, 1.0, 1.0), skill={"strong": 2.0})],
        2000,
    )
    table = agent_shares(run.games, run.players).set_index("agent")
    assert list(table["arm"].unique()) == ["mixed"]  # the other has one agent only
    truth = np.mean([2 * 2 / (4 + 1 + 1), 2 / (2 + 2 + 1), 2 / (2 + 1 + 2)])
    assert table.loc["strong", "low"] < truth < table.loc["strong", "high"]
    assert table.loc["strong", "share"] + 2 * table.loc["greedy", "share"] == pytest.approx(1)
    assert table.loc["greedy", "games"] == 6000


def test_a_line_up_that_never_moves_is_flagged():
    run = toy_run([ToyArm("mixed", MIXED)], 60)
    still = run.games[run.games["rotation"] == 0]
    assert not seat_shares(still, run.players)["rotated"].any()


def test_numbers_of_seats_are_never_mixed():
    three, two = tables([30, 30, 30]), tables([50, 40], seats=2)
    games = pd.concat([three[0], two[0].assign(game_id=two[0]["game_id"] + 1000)])
    players = pd.concat([three[1], two[1].assign(game_id=two[1]["game_id"] + 1000)])
    table = seat_shares(games, players)
    assert list(table["seats"]) == [3, 3, 3, 2, 2]
    assert list(table["fair"]) == pytest.approx([1 / 3] * 3 + [0.5] * 2)


def test_arms_keep_the_order_of_the_run_and_subsets_have_no_empty_arms():
    run = toy_run([ToyArm("z"), ToyArm("a"), ToyArm("m")], 20)
    assert list(seat_shares(run.games, run.players)["arm"].unique()) == ["z", "a", "m"]
    some = run.games[run.games["arm"] != "a"]
    assert list(seat_shares(some, run.players)["arm"].unique()) == ["z", "m"]


def test_pooled_arms_share_their_replicates():
    run = toy_run([ToyArm("a"), ToyArm("b")], 40)
    table = seat_shares(run.games, run.players, by=["players"])
    assert set(table["replicates"]) == {40}
    assert set(table["games"]) == {80}


# --- length, ends, scores --------------------------------------------------------------------


def test_truncated_games_are_counted_and_flagged_never_dropped():
    run = toy_run([ToyArm("long", rounds=14, max_turns=60)], 500)
    table = length_quantiles(run.games).set_index("measure")
    assert (table["games"] == 500).all()
    assert table.loc["turns", "truncated"] == run.games["truncated"].sum() > 0
    assert table.loc["turns", "max"] == 60
    reached = 1 - run.games["truncated"].mean()
    levels = np.array([0.05, 0.25, 0.5, 0.75, 0.95, 0.99])
    assert table.loc["turns", "beyond"] == levels[levels > reached][0]
    curve = length_curves(run.games, "turns")
    assert curve["over"].iloc[-1] == pytest.approx(reached)


def test_length_quantiles_of_whole_games():
    run = toy_run(replicates=400)
    row = length_quantiles(run.games, measures=["rounds"]).iloc[0]
    assert row["q50"] == np.quantile(run.games["rounds"], 0.5, method="inverted_cdf")
    assert row["low"] <= row["q50"] <= row["high"]
    assert np.isnan(row["beyond"])


def test_end_causes_sum_to_one_and_list_the_unseen():
    run = toy_run([ToyArm("base"), ToyArm("cut", rounds=14, max_turns=60)], 300)
    table = end_causes(run.games)
    assert table.groupby("arm")["share"].sum().to_numpy() == pytest.approx([1, 1])
    assert list(table[table["arm"] == "base"]["end_cause"]) == list(
        table[table["arm"] == "cut"]["end_cause"]
    )
    unseen = table[(table["arm"] == "base") & (table["end_cause"] == "turn_limit")].iloc[0]
    assert (unseen["count"], unseen["method"]) == (0, "exact")
    assert unseen["high"] == pytest.approx(1 - 0.025 ** (1 / 300))


def test_enders_of_a_toy_win_their_fair_share():
    run = toy_run([ToyArm("cut", rounds=14, max_turns=60)], 3000, seed=2)
    row = ender_wins(run.games, run.players).iloc[0]
    assert row["games"] == (~run.games["truncated"]).sum()
    assert row["low"] < 1 / 3 < row["high"]


def test_scores_and_margins():
    games, players = tables([6, 3, 1])
    scores = seat_scores(games, players).set_index("seat")
    assert list(scores["score"]) == pytest.approx([6, 3, 1])
    assert scores.loc[0, "sd_games"] == pytest.approx(np.std([10] * 6 + [0] * 4, ddof=1))
    margins = winner_margins(games, players).iloc[0]
    assert (margins["margin"], margins["q50"], margins["tiebreak_share"]) == (10, 10, 0)
    assert np.isnan(margins["low"])  # all equal: no interval of zero width


def test_margins_count_ties():
    run = toy_run([ToyArm("ties", shared=0.25)], 2000)
    row = winner_margins(run.games, run.players).iloc[0]
    assert row["shared_share"] == pytest.approx(0.25, abs=0.03)
    assert row["tiebreak_share"] >= row["shared_share"]
    wide = run.players.pivot_table(index="game_id", columns="seat", values="score").to_numpy()
    best = np.sort(wide, axis=1)
    assert row["margin"] == pytest.approx((best[:, -1] - best[:, -2]).mean())


# --- comparisons -----------------------------------------------------------------------------

DRUG_1 = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2])
DRUG_2 = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])


def test_paired_differences_of_the_sleep_data():
    estimate = difference(DRUG_1, DRUG_2, paired=True)
    t_interval = (-2.459886, -0.700114)
    assert estimate.high == pytest.approx(t_interval[1], abs=1e-6)
    # one difference of -4.6 among small ones: the lower end is moved out, as far as it may
    center = sum(t_interval) / 2
    assert center - estimate.low == pytest.approx(1.75 * (center - t_interval[0]), abs=1e-5)
    assert pairing_gain(DRUG_1, DRUG_2) == pytest.approx(4.765423, abs=1e-6)
    unpaired = difference(DRUG_1, DRUG_2, paired=False)
    expected = scipy.stats.ttest_ind(DRUG_1, DRUG_2, equal_var=False).confidence_interval()
    assert (unpaired.low, unpaired.high) == pytest.approx(tuple(expected), rel=0.05)


def test_an_arm_against_itself_differs_by_exactly_nothing():
    run = toy_run([ToyArm("a")], 80)
    games = pd.concat([run.games, run.games.assign(arm="b", game_id=run.games["game_id"] + 1e12)])
    players = pd.concat([run.players, run.players.assign(game_id=run.players["game_id"] + 1e12)])
    table = compare_arms(games, players, {"b": "a"})
    assert (table["difference"] == 0).all()
    assert (table["identical"] == 1).all()
    share = table.iloc[0]
    assert share["low"] < 0 < share["high"]  # unseen differences stay possible
    assert share["note"] == "none of 80 pairs differs"


def test_shared_luck_is_a_gain_and_is_measured():
    arms = [ToyArm("base"), ToyArm("rigged", weights=(1.6, 1, 1))]
    lucky = toy_run(arms, 1500, luck=0.9)
    table = compare_arms(lucky.games, lucky.players, {"rigged": "base"}).set_index("measure")
    truth = 1.6 / 3.6 - 1 / 3
    row = table.loc["first_seat_share"]
    assert row["low"] < truth < row["high"]
    assert row["gain"] > 2
    assert row["paired"]
    assert row["replicates"] == 1500


def test_pairing_that_does_harm_is_not_used():
    rng = np.random.default_rng(2)
    a = rng.standard_normal(100)
    assert pairing_gain(a, -a) == pytest.approx(0.5)
    games, players = tables([50, 25, 25])
    mirrored = games.assign(arm="b", game_id=games["game_id"] + 1000)
    swapped = players.assign(game_id=players["game_id"] + 1000)
    swapped["win_share"] = np.where(
        swapped["seat"] == 0, 1 - players["win_share"], players["win_share"] * 0
    )
    columns = {"rotation": 0, "turns": 30, "rounds": 10, "plies": 99, "end_cause": "x"}
    both = pd.concat([games, mirrored]).assign(**columns, truncated=False)
    table = compare_arms(both, pd.concat([players, swapped]), {"b": "a"})
    first = table[table["measure"] == "first_seat_share"].iloc[0]
    assert first["gain"] == pytest.approx(0.5)
    assert (first["paired"], first["method"]) == (False, "newcombe")


def test_unpaired_arms_have_no_gain():
    run = toy_run([ToyArm("a"), ToyArm("b")], 50)
    table = compare_arms(run.games, run.players, {"b": "a"}, paired=False)
    assert table["gain"].isna().all()
    assert set(table["method"]) == {"newcombe", "welch"}  # shares, numbers


def test_truncated_games_are_named_in_a_comparison():
    run = toy_run([ToyArm("a"), ToyArm("cut", rounds=14, max_turns=60)], 100)
    notes = compare_arms(run.games, run.players, {"cut": "a"}).set_index("measure")["note"]
    assert "truncated games count with the length they reached" in notes["turns"]
    assert notes["score_mean"] == ""


# --- edges -----------------------------------------------------------------------------------


def test_a_run_without_games_gives_empty_tables():
    run = toy_run(replicates=5)
    games, players = run.games.head(0), run.players.head(0)
    for table in (seat_shares, first_seat_advantage, agent_shares, ender_wins, seat_scores):
        assert table(games, players).empty
    for table in (end_causes, length_quantiles, length_curves):
        assert table(games).empty
    assert winner_margins(games, players).empty
    rows = compare_arms(games, players, {"b": "a"})
    assert set(rows["note"]) == {"no games"}


def test_one_replicate_gives_wide_intervals_or_none():
    run = toy_run([ToyArm("mixed", MIXED)], 1)
    table = seat_shares(run.games, run.players)
    assert (table["high"] - table["low"] > 0.5).all()
    assert set(table["call"]) == {"open"}
    assert set(table["note"]) <= {"one replicate only"}
    assert seat_scores(run.games, run.players)["low"].isna().all()


def test_a_missing_win_share_is_an_error():
    run = toy_run(replicates=5)
    players = run.players.assign(win_share=run.players["win_share"].where(run.players["seat"] > 0))
    with pytest.raises(ValueError, match="missing"):
        seat_shares(run.games, players)


def test_a_game_listed_twice_is_an_error():
    run = toy_run(replicates=5)
    with pytest.raises(ValueError, match="twice"):
        seat_shares(pd.concat([run.games, run.games.head(2)]), run.players)
