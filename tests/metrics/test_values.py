"""Values of metrics against the records of the same games, replayed."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reefsim.core.match import Match
from reefsim.core.replay import check_record
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.logs.read import Run
from reefsim.metrics.catalog import known
from reefsim.metrics.from_tables import spread_of
from reefsim.metrics.values import game_values, seat_values
from reefsim.testing.toy_runs import ToyArm, toy_run

GAME = registry.get("reef_encounter")
PER_GAME = [m.name for m in known(GAME.name).values() if m.per == "game" and not m.oracle]
PER_SEAT = [m.name for m in known(GAME.name).values() if m.per == "seat" and not m.oracle]


@pytest.fixture(scope="session")
def per_game(opened: Run) -> pd.DataFrame:
    return game_values(opened, PER_GAME)


@pytest.fixture(scope="session")
def per_seat(opened: Run) -> pd.DataFrame:
    return seat_values(opened, PER_SEAT)


def replayed(run: Run, game_id: int) -> tuple[list[dict[str, Any]], Match]:
    """Rows of a game, and the match at its end."""
    record = run.record(game_id)
    seen: list[Match] = []
    verdict = check_record(record, GAME, watch=seen.append)
    assert verdict.ok, verdict
    return record.rows, seen[-1]


@pytest.fixture(params=[0, 14_000, 10**12 + 7001], scope="session")
def game(opened: Run, request: pytest.FixtureRequest) -> tuple[int, list[dict[str, Any]], Match]:
    return request.param, *replayed(opened, request.param)


def test_every_metric_has_a_value_somewhere(per_game: pd.DataFrame, per_seat: pd.DataFrame) -> None:
    for name, frame in itertools.chain(
        ((name, per_game) for name in PER_GAME), ((name, per_seat) for name in PER_SEAT)
    ):
        assert frame[name].notna().any(), name


def test_game_values_agree_with_a_replay(
    per_game: pd.DataFrame, game: tuple[int, list[dict[str, Any]], Match]
) -> None:
    game_id, rows, match = game
    found = per_game.set_index("game_id").loc[game_id]
    legal = [row["n_legal"] for row in rows if "n_legal" in row]
    scores = sorted(match.scores(), reverse=True)
    assert found["length_plies"] == len(rows)
    assert found["length_decisions"] == len(legal)
    assert found["length_turns"] == match.turn
    assert found["end_cause"] == match.end_cause
    assert found["margin_points"] == scores[0] - scores[1]
    assert found["winning_score"] == scores[0]
    assert found["close_share"] == (scores[0] - scores[1] <= 3)
    assert found["branching"] == pytest.approx(np.mean(legal), rel=1e-6)
    assert found["branching_median"] == np.median(legal)
    assert found["branching_p95"] == pytest.approx(np.quantile(legal, 0.95))
    assert found["decision_share"] == pytest.approx(np.mean([n >= 2 for n in legal]))
    assert found["decision_factor"] == pytest.approx(np.mean([n for n in legal if n >= 2]))
    assert found["decisions_per_turn"] == pytest.approx(len(legal) / match.turn)
    winners = [rank == 1 for rank in match.ranks()]
    assert found["first_seat_share"] == winners[0] / sum(winners)


def test_shares_of_a_game_sum_to_one(per_seat: pd.DataFrame) -> None:
    assert per_seat.groupby("game_id")["seat_share"].sum().to_numpy() == pytest.approx(1)


def test_seat_values_are_those_of_the_table(opened: Run, per_seat: pd.DataFrame) -> None:
    players = opened.players
    assert list(per_seat["game_id"]) == list(players["game_id"])
    assert list(per_seat["agent"]) == list(players["agent"])
    for metric, column in (("score", "score"), ("laying_turns_by_seat", "laying_turns")):
        assert per_seat[metric].tolist() == players[column].tolist()


@pytest.mark.parametrize(("read", "names"), [(game_values, PER_GAME), (seat_values, PER_SEAT)])
def test_what_is_read_together_changes_no_value(
    opened: Run, monkeypatch: pytest.MonkeyPatch, read: Any, names: list[str]
) -> None:
    of_columns = [name for name in names if "events" not in known(GAME.name)[name].reads]
    together = read(opened, of_columns)
    assert len(opened.parts(opened.arms[:1])) > 2
    for most in (1, 2):
        monkeypatch.setattr("reefsim.metrics.values.PARTS_AT_ONCE", most)
        pd.testing.assert_frame_equal(read(opened, of_columns), together, check_exact=True)


def test_arms_can_be_picked(opened: Run) -> None:
    name = opened.arms[1]
    picked = game_values(opened, ["length_turns"], arms=[name])
    assert set(picked["arm"]) == {name}
    assert len(picked) == (opened.games["arm"] == name).sum()
    with pytest.raises(RunError, match="'third' is not an arm"):
        game_values(opened, ["length_turns"], arms=["third"])


def test_names_are_checked(opened: Run) -> None:
    with pytest.raises(RunError, match=r"'lenght_turns' is not a metric\. Did you mean"):
        game_values(opened, ["lenght_turns"])
    with pytest.raises(RunError, match=r"score has one value per seat\. Use seat_values"):
        game_values(opened, ["score"])
    with pytest.raises(RunError, match=r"length_turns has one value per game\. Use game_values"):
        seat_values(opened, ["length_turns"])


def test_shared_wins_count_as_shares() -> None:
    run = toy_run([ToyArm("shared", shared=1.0)], replicates=20)
    values = seat_values(run, ["seat_share"])
    assert set(values["seat_share"]) == {0.0, 0.5}
    assert set(game_values(run, ["shared_win_share"])["shared_win_share"]) == {1.0}


def test_spread_of_the_worked_example() -> None:
    found = spread_of(np.array([[31.0, 28.0, 19.0]]))
    assert found["margin"][0] == 3
    assert found["gap_ratio"][0] == pytest.approx(0.096774, abs=5e-7)
    assert found["cv"][0] == pytest.approx(0.240192, abs=5e-7)


def test_spread_without_points_is_undefined() -> None:
    found = spread_of(np.zeros((1, 2)))
    assert found["margin"][0] == 0
    assert np.isnan(found["gap_ratio"][0])
    assert np.isnan(found["cv"][0])
