"""The game's own metrics and summaries, against counting in the records of the same games."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pandas as pd
import pytest

from reefsim.agents.kinds import resolve_params
from reefsim.core.metric import Part
from reefsim.games.charon_inc.game import GAME
from reefsim.games.charon_inc.metrics import METRICS
from reefsim.games.charon_inc.summaries import SUMMARIES
from reefsim.logs.encode import ArmLabels, Encoder
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table

SEATS, GAMES = 3, 6
METRIC = {metric.name: metric for metric in METRICS}
SUMMARY = {summary.name: summary for summary in SUMMARIES}


def _play(rules: dict[str, Any]) -> tuple[Part, list[list[dict[str, Any]]]]:
    """A few random games as tables, and their events, game by game."""
    ruleset = GAME.ruleset.make(rules, SEATS)
    player = Player("r", "random", resolve_params("random", {"never": ["trade"]}))
    table = make_table([player] * SEATS, GAME, ruleset, seed=8, mode="plain")
    rows = table.play(jobs_of([range(SEATS)], 0, GAMES))
    labels = ArmLabels(0, "a", "base", "{}", "l", ("r",) * SEATS, 8, "x")
    tables = {
        k: t.to_pandas() for k, t in Encoder(GAME.under(ruleset), labels).encode(rows).items()
    }
    ends = [0, *rows.ends[:, 0].tolist()]
    told = [
        GAME.events.rows([int(c) for c in rows.events[a:b]]) for a, b in itertools.pairwise(ends)
    ]
    games = tables["games"].set_index("game_id")
    part = Part(
        games=games,
        players=tables["players"].set_index(["game_id", "seat"]),
        turns=tables["turns"],
        events=tables["events"],
        logged=games.index,
        traces={},
        rules={},
        seats=SEATS,
    )
    return part, told


@pytest.fixture(scope="module", params=[{}, {"build_sequencing": "steps"}], ids=["base", "steps"])
def played(request: pytest.FixtureRequest) -> tuple[Part, list[list[dict[str, Any]]]]:
    return _play(request.param)


def test_metrics_of_the_order(played: tuple[Part, list[list[dict[str, Any]]]]) -> None:
    part, told = played
    orders = [
        [[int(x) for x in row["value"].split(",")] for row in rows if row["event"] == "order"]
        for rows in told
    ]
    leaders = [[order[0] for order in game] for game in orders]
    stays = [sum(a == b for a, b in itertools.pairwise(x)) / 3 for x in leaders]
    assert METRIC["first_stays_share"].compute(part).tolist() == pytest.approx(stays)
    scores, shares = (part.players[name].unstack("seat") for name in ("score", "win_share"))
    margins = [
        scores.iloc[k][game[0][0]] - scores.iloc[k][game[0][-1]] for k, game in enumerate(orders)
    ]
    assert METRIC["early_first_margin"].compute(part).tolist() == margins
    wins = [shares.iloc[k][game[0][0]] for k, game in enumerate(orders)]
    assert METRIC["early_first_wins"].compute(part).tolist() == pytest.approx(wins)
    places = Counter(
        {(k, seat): sum(1 + order.index(seat) for order in game) for k, game in enumerate(orders)
         for seat in range(SEATS)}
    )  # fmt: skip
    assert part.players["places"].tolist() == [
        places[k, x] for k in range(GAMES) for x in range(SEATS)
    ]


def test_metrics_of_mining(played: tuple[Part, list[list[dict[str, Any]]]]) -> None:
    part, told = played
    for k, rows in enumerate(told):
        mined = [row for row in rows if row["event"] == "mine"]
        unwon = sum(row["size"] for row in mined if "seat" not in row)
        share = unwon / sum(row["size"] for row in mined)
        assert METRIC["unmined_share"].compute(part).iloc[k] == pytest.approx(share)
        assert METRIC["dead_heats"].compute(part).iloc[k] <= sum("seat" not in x for x in mined)


def test_gems_paid(played: tuple[Part, list[list[dict[str, Any]]]]) -> None:
    part, told = played
    for k, rows in enumerate(told):
        paid: Counter[int] = Counter()
        for row in rows:
            if row["event"] == "build":
                paid[row["seat"]] += len(row["gems"].strip("-"))
        assert METRIC["paid_by_seat"].compute(part).loc[[k * 1000]].tolist() == [
            paid[seat] for seat in range(SEATS)
        ]
        clear = sum(row["size"] for row in rows if row["event"] == "clear")
        mined = sum(row["size"] for row in rows if row["event"] == "mine" and "seat" in row)
        used = METRIC["used_share"].compute(part).iloc[k]
        assert used == pytest.approx(paid.total() / (mined + clear))


def test_every_metric_has_a_value_for_every_game_or_seat(
    played: tuple[Part, list[list[dict[str, Any]]]],
) -> None:
    part, _ = played
    for metric in METRICS:
        values = metric.compute(part)
        assert len(values) == GAMES * (SEATS if metric.per == "seat" else 1), metric.name
        assert not pd.isna(values).any()


def test_summaries(played: tuple[Part, list[list[dict[str, Any]]]]) -> None:
    part, told = played
    rows = [row for game in told for row in game]
    for summary in SUMMARIES:
        assert list(summary.compute(part)) == [*summary.keys, *summary.counts]
    areas = SUMMARY["areas"].compute(part).set_index("area")
    chosen = Counter(row["area"] for row in rows if row["event"] == "action")
    worked = Counter(row["area"] for row in rows if row.get("value") == "valid")
    assert areas["chosen"].to_dict() == {area: chosen[area] for area in areas.index}
    assert areas["worked"].to_dict() == {area: worked[area] for area in areas.index}
    regions = SUMMARY["regions"].compute(part).set_index("region")
    won = Counter(row["region"] for row in rows if row["event"] == "mine" and "seat" in row)
    assert regions["won"].to_dict() == {region: won[region] for region in regions.index}
    numbers = Counter(row["card"][1:3] for row in rows if row["event"] == "build")
    buildings = SUMMARY["buildings"].compute(part).set_index("number")
    assert buildings["built"].to_dict() == {n: numbers[f"{int(n):02}"] for n in buildings.index}
    assert buildings["built"].sum() > 0
