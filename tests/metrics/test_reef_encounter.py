"""What only Reef Encounter counts, against games that are replayed and against its own tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reefsim.core.bits import popcount
from reefsim.core.match import Match
from reefsim.core.record import read_records
from reefsim.core.replay import check_record
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.games.reef_encounter import chronicle
from reefsim.games.reef_encounter.constants import COLORS
from reefsim.games.reef_encounter.ruleset import ReefEncounterRuleset
from reefsim.logs.read import Run
from reefsim.metrics.catalog import known
from reefsim.metrics.values import game_values, seat_values, summary

GAME = registry.get("reef_encounter")
RECORDS = sorted((Path(__file__).parents[1] / "data/records/reef_encounter").glob("*.jsonl"))
OWN = {metric.name: metric for metric in registry.info(GAME.name).metrics}


@pytest.fixture(scope="module")
def per_game(opened: Run) -> pd.DataFrame:
    names = [name for name, metric in OWN.items() if metric.per == "game"]
    return game_values(opened, names).set_index("game_id")


@pytest.fixture(scope="module")
def per_seat(opened: Run) -> pd.DataFrame:
    names = [name for name, metric in OWN.items() if metric.per == "seat"]
    return seat_values(opened, names).set_index(["game_id", "seat"])


@pytest.fixture(scope="module")
def by_game(opened: Run) -> pd.DataFrame:
    """Sums of the table of players."""
    return opened.players.drop(columns=["arm", "agent"]).groupby("game_id").sum()


@pytest.fixture(params=[0, 5001, 10**12 + 3000], scope="module")
def game(opened: Run, request: pytest.FixtureRequest) -> tuple[int, list[dict[str, Any]], Any]:
    """A game: its id, what each action did by a replay, and the state at its end."""
    steps: list[dict[str, Any]] = []
    before: list[Any] = []
    rows = opened.record(request.param)

    def watch(match: Match) -> None:
        state = match.plain_state()
        if before:
            action = next(
                row
                for row in rows.rows[int(before[-1][1]) : match.ply]
                if row["event"] in GAME.action_kinds
            )
            steps.append({"row": action, "before": before[-1][0], "after": state})
        before.append((state, match.ply))

    assert check_record(rows, GAME, watch=watch).ok
    return request.param, steps, before[-1][0]


def bit_of(cell: str) -> tuple[int, int]:
    number = chronicle._CELLS[cell]
    return number >> 6, 1 << (number & 63)


def owner(state: Any, cell: str) -> int:
    """Who guards the coral of a cell, read off the state of the engine."""
    board, bit = bit_of(cell)
    for seat in range(state.seats):
        for k in range(state.num_shrimps[seat]):
            if state.shrimp_cell[seat][k] >> 6 == board and state.coral[seat][k] & bit:
                return seat
    return -1


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_fish_of_recorded_games(path: Path) -> None:
    """Boards, meals, taxes and final feeds of every variant lead to the fish that were recorded."""
    for record in read_records(path):
        rules = ReefEncounterRuleset.make(record.header["rules"], record.players)
        rows = [
            (0, row["event"], *(row.get(name) for name in chronicle.COLUMNS))
            for row in record.rows
            if row["event"] in chronicle.EVENTS
        ]
        told = chronicle.tell(rows, record.players, rules)
        fish = [Counter[str]() for _ in range(record.players)]
        for row in record.rows:
            if row["event"] == "stash":
                fish[row["seat"]][row["color"]] += 1
        for meal in told.meals:
            fish[meal.seat][meal.color] += meal.eaten
        for seat, result in enumerate(record.results):
            assert [fish[seat][c] for c in COLORS] == [result[f"fish_{c}"] for c in COLORS]
            assert (
                sum(x.captured is not None for x in told.laid if x.seat == seat)
                == (result["captured"])
            )
            assert sum(x.locked for x in told.turned if x.seat == seat) == result["locks"]
            assert told.points[0][seat] == result["score"]


def test_tiles_and_attacks(
    per_game: pd.DataFrame,
    per_seat: pd.DataFrame,
    game: tuple[int, list[dict[str, Any]], Any],
) -> None:
    game_id, steps, _ = game
    laid: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    taken, robbed = Counter[int](), Counter[int]()
    for step in steps:
        row = step["row"]
        if row["event"] != "place":
            continue
        laid[COLORS[step["before"].growing]] += 1 + row["growth"]
        if "captured" in row:
            lost[row["captured"]] += 1
            victim = owner(step["before"], row["cell"])
            if victim not in (-1, row["seat"]):
                taken[row["seat"]] += 1
                robbed[victim] += 1
    found = per_game.loc[game_id]
    for color in COLORS:
        assert found[f"laid_{color}"] == laid[color]
        assert found[f"lost_{color}"] == lost[color]
    assert found["attacks_on_guarded"] == pytest.approx(taken.total() / lost.total())
    for seat in range(2):
        assert per_seat.loc[(game_id, seat), "taken_from_others_by_seat"] == taken[seat]
        assert per_seat.loc[(game_id, seat), "lost_to_others_by_seat"] == robbed[seat]


def test_flips_and_locks(
    per_game: pd.DataFrame, game: tuple[int, list[dict[str, Any]], Any]
) -> None:
    game_id, steps, _ = game
    flips, locks, own, led, known_leader, swing = Counter[int](), 0, 0, 0, 0, 0
    for step in steps:
        before, after, row = step["before"], step["after"], step["row"]
        turned = before.reversed ^ after.reversed
        for tile in range(10):
            flips[tile] += turned >> tile & 1
        points = [points_of(state) for state in (before, after)]
        if turned:
            moved = [now - then for then, now in zip(*points, strict=True)]
            swing = max(moved) - min(moved)
        if before.locked != after.locked:
            locks += 1
            tile = (before.locked ^ after.locked).bit_length() - 1
            top = chronicle.CORAL_TILES[tile][after.reversed >> tile & 1][0]
            own += after.fish[row["seat"]][top] > 0
            if points[0][0] != points[0][1]:
                known_leader += 1
                led += points[0][row["seat"]] == max(points[0])
    found = per_game.loc[game_id]
    assert found["flips"] == flips.total()
    assert found["locks"] == locks
    assert found["reversals"] == sum(max(0, n - 1) for n in flips.values())
    assert found["lock_own_share"] == pytest.approx(own / locks if locks else np.nan, nan_ok=True)
    share = led / known_leader if known_leader else np.nan
    assert found["lock_leader_share"] == pytest.approx(share, nan_ok=True)
    assert found["last_flip_swing"] == swing


def points_of(state: Any) -> list[int]:
    """Points of every seat; base value 1."""
    values = [1 + popcount(beaten) for beaten in state.beats]
    return [sum(n * v for n, v in zip(fish, values, strict=True)) for fish in state.fish[:2]]


def test_meals(
    per_game: pd.DataFrame,
    per_seat: pd.DataFrame,
    game: tuple[int, list[dict[str, Any]], Any],
) -> None:
    game_id, steps, end = game
    eaten, sizes, final = Counter[str](), [], Counter[int]()
    for step in steps:
        row, before, after = step["row"], step["before"], step["after"]
        if row["event"] != "feed":
            continue
        board, bit = bit_of(row["cell"])
        color = next(c for c in range(5) if before.tiles[board][c] & bit)
        eaten[COLORS[color]] += row["size"]
        sizes.append(row["size"])
        if before.cause:  # the end has come, what is left are final feeds
            final[row["seat"]] += after.fish[row["seat"]][color] - before.fish[row["seat"]][color]
    found = per_game.loc[game_id]
    for color in COLORS:
        assert found[f"eaten_{color}"] == eaten[color]
    assert found["feed_size"] == pytest.approx(np.mean(sizes) if sizes else np.nan, nan_ok=True)
    for seat in range(2):
        assert per_seat.loc[(game_id, seat), "final_meal_tiles_by_seat"] == final[seat]
    for color, beaten in zip(COLORS, end.beats, strict=True):
        assert found[f"value_{color}"] == 1 + popcount(beaten)


def test_the_sea(per_game: pd.DataFrame, game: tuple[int, list[dict[str, Any]], Any]) -> None:
    game_id, steps, _ = game
    tiles, most = [], []
    for step in steps:
        if step["row"]["event"] == "collect":
            space = COLORS.index(step["row"]["color"])
            there = [sum(stock) for stock in step["before"].sea]
            tiles.append(there[space])
            most.append(there[space] == max(there))
    found = per_game.loc[game_id]
    assert found["sea_tiles"] == pytest.approx(np.mean(tiles))
    assert found["sea_fullest_share"] == pytest.approx(np.mean(most))


def test_values_sum_to_15(per_game: pd.DataFrame) -> None:
    total = sum(per_game[f"value_{color}"] for color in COLORS)
    assert (total == 15).all()
    assert all(per_game[f"value_{color}"].between(1, 5).all() for color in COLORS)


def test_sums_agree_with_the_table_of_players(
    per_game: pd.DataFrame, by_game: pd.DataFrame
) -> None:
    laid = sum(per_game[f"laid_{color}"] for color in COLORS)
    assert (laid == by_game["laid"] + by_game["growths"]).all()
    assert (sum(per_game[f"lost_{color}"] for color in COLORS) == by_game["captured"]).all()
    fish = sum(by_game[f"fish_{color}"] for color in COLORS) - 2  # one stash per seat
    eaten = sum(per_game[f"eaten_{color}"] for color in COLORS)
    assert (eaten == fish + by_game["returned"]).all()
    assert (per_game["overwrite_share"] == by_game["captured"] / by_game["laid"]).all()
    for name in ("flips", "locks", "growths"):
        assert (per_game[name] == by_game[name]).all()


def test_taken_and_lost_are_the_same_tiles(per_seat: pd.DataFrame) -> None:
    found = per_seat.groupby("game_id")[["taken_from_others_by_seat", "lost_to_others_by_seat"]]
    assert found.sum().nunique(axis=1).eq(1).all()
    assert per_seat["taken_from_others_by_seat"].sum() > 0


def test_actions_by_seat_are_those_of_the_events(opened: Run, per_seat: pd.DataFrame) -> None:
    events = opened.events
    for name, kinds in (
        ("exchanges_by_seat", ("to_larva", "to_polyp")),
        ("cubes_played_by_seat", ("grow", "to_polyp")),
        ("shrimp_moves_by_seat", ("shrimp_move", "shrimp_out")),
        ("algae_by_seat", ("alga",)),
    ):
        rows = events[events["event"].isin(kinds)]
        counts = rows.groupby(["game_id", rows["seat"].astype(int)]).size()
        assert (per_seat[name] == counts.reindex(per_seat.index, fill_value=0)).all(), name


def test_the_slope_of_stocks(opened: Run, per_game: pd.DataFrame) -> None:
    turns = opened.turns[opened.turns["game_id"] == 0]
    held = turns[["front", "behind", "larvae"]].astype(float).sum(axis=1)
    slope = np.polyfit((turns["turn"].astype(float) - 1) // 2, held, 1)[0]
    assert per_game.loc[0, "stock_slope"] == pytest.approx(slope)


def test_cells(opened: Run, by_game: pd.DataFrame) -> None:
    found = summary(opened, "cells")
    by_arm = found.groupby("arm", observed=True)
    games = opened.games.set_index("game_id")
    assert len(found) == 4 * 33 * len(opened.arms)
    for arm, rows in by_arm:
        here = by_game[(games["arm"] == arm).reindex(by_game.index)]
        assert rows["visits"].sum() == (here["laid"] + here["growths"]).sum()
        assert rows["overwrites"].sum() == here["captured"].sum()
        assert rows["growths"].sum() == here["growths"].sum()
        assert set(rows.loc[rows["growths"] > 0, "cell"]) <= {"D4"}
        played = Counter(b for boards in games.loc[games["arm"] == arm, "boards"] for b in boards)
        assert dict(zip(rows["board"], rows["boards"], strict=True)) == played


def test_unused_cells_are_those_without_a_visit(opened: Run, per_game: pd.DataFrame) -> None:
    events = opened.events[opened.events["game_id"] == 0]
    placed = events[events["event"] == "place"]
    growth_cells = {("D4", "K4")[x > "G"] for x in placed.loc[placed["growth"], "cell"].str[0]}
    used = set(placed["cell"]) | growth_cells
    assert per_game.loc[0, "unused_cells"] == pytest.approx(1 - len(used) / 66)


def test_other_summaries_agree_with_the_metrics(opened: Run, per_game: pd.DataFrame) -> None:
    colors = summary(opened, "colors").groupby("color").sum(numeric_only=True)
    for color in COLORS:
        for what in ("laid", "lost", "eaten"):
            assert colors.loc[color, what] == per_game[f"{what}_{color}"].sum()
    tiles = summary(opened, "coral_tiles")
    assert tiles["flips"].sum() == per_game["flips"].sum()
    assert tiles["locks"].sum() == per_game["locks"].sum()
    sea = summary(opened, "sea", arms=[opened.arms[0]])
    assert set(sea["arm"]) == {opened.arms[0]}
    with pytest.raises(RunError, match=r"'cell' is not a summary\. Did you mean 'cells'"):
        summary(opened, "cell")


def test_the_last_value_of_the_advanced_game_counts_its_own_tax(opened: Run) -> None:
    """Final feeds and taxes follow the rules of the arm."""
    advanced = ReefEncounterRuleset.make(opened.manifest["arms"][1]["rules"], 2)
    assert (advanced.feed_return, advanced.final_feed_return) == (5, 6)
    found = seat_values(opened, ["final_meal_tiles_by_seat", "final_meal_points_by_seat"])
    assert (found["final_meal_points_by_seat"] >= found["final_meal_tiles_by_seat"]).all()


def test_every_metric_says_what_it_is() -> None:
    for name, metric in known(GAME.name).items():
        assert metric.needs, name
        assert all((metric.formula, metric.meaning, metric.unit, metric.family)), name
        assert metric.kind in ("share", "number", "category")
        assert metric.name == name
