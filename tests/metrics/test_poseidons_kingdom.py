"""What only Poseidon's Kingdom counts, against the tables of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from reefsim.core.metric import Part
from reefsim.core.replay import check_record
from reefsim.games import registry
from reefsim.logs.read import Run, open_run
from reefsim.metrics.values import game_values, seat_values, summary
from tests.runs import play

OWN = registry.info("poseidons_kingdom").metrics
TEXT = """\
question: What is counted?
game: poseidons_kingdom
seats: 3
seed: 5
rulesets: {short: {end_friends: 2, max_turns_per_player: 60}}
agents: {a: {kind: random}}
lineups: {table: [a, a, a]}
stopping: {rule: fixed, replicates: 6}
save: {events: 1.0}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder: Path = tmp_path_factory.mktemp("poseidon") / "run"
    return open_run(play(folder, TEXT))


def test_every_metric_has_its_range(run: Run) -> None:
    names = [metric.name for metric in OWN if metric.per == "game"]
    games = game_values(run, names)
    for metric in OWN:
        if metric.kind == "share":
            values = games[metric.name].dropna()
            assert values.between(0, 1).all(), metric.name
            assert len(values) or metric.name == "fourth_in_order_share", metric.name
    seats = seat_values(run, [metric.name for metric in OWN if metric.per == "seat"])
    assert (seats.select_dtypes("number") >= -36).all().all()
    assert (games["crashes"] > 0).any()


def test_shares_of_places_and_causes_add_up(run: Run) -> None:
    places = ["first_in_order_share", "second_in_order_share", "third_in_order_share"]
    causes = ["eating_share", "ring_share", "reward_share"]
    games = game_values(run, [*places, *causes, "best_falls_share"]).set_index("game_id")
    assert games[places].sum(axis=1).tolist() == pytest.approx([1] * len(games))
    assert games[causes].sum(axis=1).tolist() == pytest.approx([1] * len(games))
    players: pd.DataFrame = run.players.set_index(["game_id", "seat"])
    for row in run.games.itertuples():
        started = players.loc[(row.game_id, row.start_seat), "win_share"]
        assert games.loc[row.game_id, places[0]] == pytest.approx(started)


def test_corals_by_kind_and_number() -> None:
    players = pd.DataFrame(
        {
            "game_id": [0, 0, 1, 1],
            "seat": [0, 1, 0, 1],
            "rank": [1, 2, 2, 1],
            "coral_white": ["trident", None, "bigmouth", None],
            "coral_black": ["bigmouth", None, None, "trident"],
        }
    ).set_index(["game_id", "seat"])
    games = pd.DataFrame(index=pd.Index([0, 1], name="game_id"))
    part = Part(games, players, None, None, games.index, {}, {}, 2)
    metric = next(metric for metric in OWN if metric.name == "corals_by_seat")
    assert metric.compute(part).tolist() == [2, 0, 1, 1]
    (corals,) = registry.info("poseidons_kingdom").summaries
    found = corals.compute(part).set_index("coral")
    told = found.loc["trident"].to_dict()
    assert told == {"tiles": 2, "taken": 2, "white": 1, "black": 1, "by_winners": 2}
    told = found.loc["bigmouth"].to_dict()
    assert told == {"tiles": 4, "taken": 2, "white": 1, "black": 1, "by_winners": 1}
    none = {"graveyard": 0, "trident": 0, "blank": 8, "bigmouth": 0}
    other = replace(part, rules={"coral": none | {"wave_rider": 0, "speedy_fins": 0}})
    assert corals.compute(other)["tiles"].tolist() == [0, 0, 0, 0, 0, 16]
    assert found["taken"].sum() == 4


def test_corals_of_a_run(run: Run) -> None:
    found = summary(run, "corals")
    assert found["taken"].sum() == seat_values(run, ["corals_by_seat"])["corals_by_seat"].sum()


def test_logged_games_are_rebuilt(run: Run) -> None:
    """A seat without coral has no such key in its result line."""
    found = set()
    for game_id in run.games.game_id.tolist():
        record = run.record(game_id)
        verdict = check_record(record, registry.get(run.manifest["game"]))
        assert verdict.ok, str(verdict)
        found |= {"coral_white" in row for row in record.results}
    assert False in found
