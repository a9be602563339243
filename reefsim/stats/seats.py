"""Win shares: of seats, to see if one is worth more, and of agents, to see who plays better.

A win shared by k seats counts 1/k for each, so the shares of a game sum to 1 and a fair seat has
1/seats. Two designs, two questions: with equal agents the share of a seat is the seat's own
effect at that skill; with a mixed line-up that rotates, seats are averaged over who sits there
and agents over where they sit.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from reefsim.metrics.from_tables import exact_shares
from reefsim.stats.intervals import share
from reefsim.stats.replicates import estimate_by, with_games
from reefsim.stats.verdict import MARGIN_PP, judge

ESTIMATE = ("games", "replicates", "share", "low", "high", "sd", "fair")
VERDICT = ("call", "verdict", "more", "rotated")
SEAT_COLUMNS = ("seats", "seat", *ESTIMATE, *VERDICT, "method", "note")
AGENT_COLUMNS = ("seats", "agent", *ESTIMATE, "method", "note")


def seat_shares(
    games: pd.DataFrame,
    players: pd.DataFrame,
    by: Sequence[str] = ("arm",),
    margin_pp: float = MARGIN_PP,
) -> pd.DataFrame:
    """Win share of every seat, with interval and verdict.

    Parameters
    ----------
    games, players : tables of a run, or subsets of them
    by : columns of `games` that make the groups; numbers of seats are never mixed
    margin_pp : largest difference from 1/seats that would still be fair, in percentage points

    Returns
    -------
    pandas.DataFrame
        One row per group and seat: seats (their number), seat, games, replicates; share, low,
        high, sd and fair in [0, 1]; call, verdict and more (see `verdict.judge`); rotated: false
        if some agent sat in one seat more often than in another, so that the seat's share is
        partly the agent's.
    """
    groups = list(dict.fromkeys([*by, "players"]))
    frame = _wins(games, players, groups)
    rotated = {
        _key(key): _is_rotated(part)
        for key, part in frame.groupby(groups, observed=True, sort=False)
    }
    rows = []
    for cell in estimate_by(frame, "win_share", [*groups, "seat"], share):
        seats = int(cell.key["players"])
        verdict = judge(cell.estimate, 1 / seats, margin_pp / 100, cell.key["seat"], seats)
        rows.append(
            cell.row(
                "share",
                seats=seats,
                fair=1 / seats,
                call=str(verdict.call),
                verdict=verdict.words,
                more=verdict.more,
                rotated=rotated[tuple(cell.key[name] for name in groups)],
            )
        )
    table = pd.DataFrame(rows, columns=[*by, *SEAT_COLUMNS])
    return table.astype({"more": "Int64"})


def first_seat_advantage(
    games: pd.DataFrame,
    players: pd.DataFrame,
    by: Sequence[str] = ("arm",),
    margin_pp: float = MARGIN_PP,
) -> pd.DataFrame:
    """Win share of the first seat minus 1/seats, in percentage points.

    Parameters
    ----------
    games, players, by, margin_pp : as in `seat_shares`

    Returns
    -------
    pandas.DataFrame
        One row per group: the columns of `seat_shares`, and advantage_pp, low_pp, high_pp.
    """
    table = seat_shares(games, players, by, margin_pp)
    first = table[table["seat"] == 0].reset_index(drop=True)
    return first.assign(
        advantage_pp=100 * (first["share"] - first["fair"]),
        low_pp=100 * (first["low"] - first["fair"]),
        high_pp=100 * (first["high"] - first["fair"]),
    )


def agent_shares(
    games: pd.DataFrame, players: pd.DataFrame, by: Sequence[str] = ("arm",)
) -> pd.DataFrame:
    """Win share of every agent of a mixed line-up, per place it holds, over all its seats.

    Parameters
    ----------
    games, players, by : as in `seat_shares`

    Returns
    -------
    pandas.DataFrame
        One row per group and agent: seats, agent, games, replicates, share, low, high, sd, fair.
        Groups in which all agents are the same are left out: their share is 1/seats.
    """
    groups = list(dict.fromkeys([*by, "players"]))
    frame = _wins(games, players, groups)
    mixed = frame.groupby(groups, observed=True, sort=False)["agent"].transform("nunique") > 1
    frame = frame[mixed]
    played = frame.groupby([*groups, "agent"], observed=True, sort=False)["game_id"].nunique()
    rows = []
    for cell in estimate_by(frame, "win_share", [*groups, "agent"], share):
        seats = int(cell.key["players"])
        num_games = int(played[tuple(cell.key.values())])
        rows.append(cell.row("share", seats=seats, fair=1 / seats) | {"games": num_games})
    return pd.DataFrame(rows, columns=[*by, *AGENT_COLUMNS])


def _wins(games: pd.DataFrame, players: pd.DataFrame, groups: list[str]) -> pd.DataFrame:
    frame = with_games(
        players, games, [*groups, "replicate"], ["game_id", "seat", "agent", "win_share"]
    )
    return frame.assign(
        win_share=exact_shares(frame["win_share"]), agent=frame["agent"].astype("category")
    )


def _is_rotated(frame: pd.DataFrame) -> bool:
    """Whether every agent sat equally often in every seat, up to an unfinished replicate."""
    counts = pd.crosstab(frame["agent"], frame["seat"])
    most = counts.max(axis=1)
    return bool((most - counts.min(axis=1) <= 0.02 * most).all())


def _key(key: object) -> tuple[object, ...]:
    return key if isinstance(key, tuple) else (key,)
