"""Scores: by seat, and how far apart the first two are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from reefsim.stats.checks import FloatArray
from reefsim.stats.intervals import mean, share
from reefsim.stats.replicates import estimate_by, with_games

QUANTILES = {"q05": 0.05, "q25": 0.25, "q50": 0.50, "q75": 0.75, "q95": 0.95}
SEAT_COLUMNS = ("seat", "games", "replicates", "score", "low", "high", "sd_games", *QUANTILES)
MARGIN_COLUMNS = (
    *("games", "replicates", "margin", "low", "high", "sd_games", *QUANTILES),
    *("tiebreak_share", "tiebreak_low", "tiebreak_high"),
    *("shared_share", "shared_low", "shared_high"),
)


def seat_scores(
    games: pd.DataFrame,
    players: pd.DataFrame,
    by: Sequence[str] = ("arm",),
    column: str = "score",
) -> pd.DataFrame:
    """Mean score of every seat, and its spread between games.

    Parameters
    ----------
    games, players : tables of a run, or subsets of them
    by : columns of `games` that make the groups
    column : of `players`: score, or margin_others (points less the mean of the other seats')

    Returns
    -------
    pandas.DataFrame
        One row per group and seat, in points: score (mean) with low and high; sd_games and the
        quantiles q05 to q95 between single games.
    """
    groups = [*by, "seat"]
    frame = with_games(players, games, [*by, "replicate"], ["seat", column])
    spread = _spread(frame, column, groups)
    rows = [
        cell.row("score") | spread[tuple(cell.key.values())]
        for cell in estimate_by(frame, column, groups, _mean)
    ]
    return pd.DataFrame(rows, columns=[*by, *SEAT_COLUMNS])


def winner_margins(
    games: pd.DataFrame, players: pd.DataFrame, by: Sequence[str] = ("arm",)
) -> pd.DataFrame:
    """Points between the best score of a game and the second best.

    Parameters
    ----------
    games, players : tables of a run, or subsets of them
    by : columns of `games` that make the groups

    Returns
    -------
    pandas.DataFrame
        One row per group, in points: margin (mean) with low and high; sd_games and the quantiles
        q05 to q95 between single games; tiebreak_share: games in which the best score was
        reached twice; shared_share: games that no tie-break decided; both in [0, 1], with their
        intervals (..._low, ..._high).
    """
    by = list(by)
    frame = with_games(
        players, games, [*by, "game_id", "replicate"], ["seat", "score", "win_share"]
    )
    frame = frame.assign(margin=_margins(frame["game_id"].to_numpy(), frame["score"].to_numpy()))
    best = frame[frame["margin"].notna()]
    best = best.assign(
        tied=(best["margin"] == 0) * 1.0,
        shared=(frame.groupby("game_id", sort=False)["win_share"].max()[best["game_id"]] < 0.99)
        .to_numpy()
        .astype(float),
    )
    spread = _spread(best, "margin", by)
    shares = {
        name: {tuple(c.key.values()): c.estimate for c in estimate_by(best, flag, by, share)}
        for name, flag in (("tiebreak", "tied"), ("shared", "shared"))
    }
    rows = []
    for cell in estimate_by(best, "margin", by, _mean):
        key = tuple(cell.key.values())
        row = cell.row("margin") | spread[key]
        for name, estimates in shares.items():
            found = estimates[key]
            row |= {f"{name}_share": found.value, f"{name}_low": found.low}
            row[f"{name}_high"] = found.high
        rows.append(row)
    return pd.DataFrame(rows, columns=[*by, *MARGIN_COLUMNS])


def _mean(means: FloatArray, rows: int) -> Any:
    del rows  # a mean rests on its replicates alone
    return mean(means)


def _margins(game_ids: npt.NDArray[np.int64], scores: npt.NDArray[Any]) -> FloatArray:
    """Best minus second best score on the row of one best seat of each game, NaN on the others."""
    order = np.lexsort((-scores, game_ids))
    ids, points = game_ids[order], scores[order].astype(float)
    is_best = np.append(True, ids[1:] != ids[:-1])[: len(ids)]
    has_second = np.append(ids[1:] == ids[:-1], False)[: len(ids)]
    margins = np.full(len(ids), np.nan)
    rows = np.flatnonzero(is_best & has_second)
    margins[order[rows]] = points[rows] - points[rows + 1]
    return margins


def _spread(
    frame: pd.DataFrame, value: str, by: list[str]
) -> dict[tuple[Any, ...], dict[str, float]]:
    """Measure the spread between games, by group: standard deviation and quantiles."""
    found = {}
    for key, part in frame.groupby(by, observed=True, sort=False)[value]:
        points = part.to_numpy(float)
        levels = np.quantile(points, list(QUANTILES.values()), method="inverted_cdf")
        sd = float(points.std(ddof=1)) if len(points) > 1 else float("nan")
        found[key] = {"sd_games": sd, **dict(zip(QUANTILES, map(float, levels), strict=True))}
    return found
