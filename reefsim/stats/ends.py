"""How games end: the mix of causes, and whether ending the game wins it."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from reefsim.metrics.from_tables import exact_shares
from reefsim.stats.intervals import share
from reefsim.stats.replicates import estimate_by, with_games

ESTIMATE = ("games", "replicates", "share", "low", "high")
CAUSE_COLUMNS = ("end_cause", "count", *ESTIMATE, "method", "note")
ENDER_COLUMNS = ("seats", *ESTIMATE, "fair", "method", "note")


def end_causes(games: pd.DataFrame, by: Sequence[str] = ("arm",)) -> pd.DataFrame:
    """Share of games per cause of their end.

    Parameters
    ----------
    games : table of a run, or a subset of it
    by : columns that make the groups

    Returns
    -------
    pandas.DataFrame
        One row per group and cause, most frequent cause first (the same order in every group,
        causes that a group never saw included): count, games, replicates, share, low, high.
        Rare causes have exact intervals.
    """
    by = list(by)
    causes = games["end_cause"].astype(str)
    order = causes.value_counts().index
    counts = games.groupby([*by, causes], observed=True, sort=False).size()
    rows = []
    for key, part in games.groupby(by, observed=True, sort=False):
        for cause in order:
            shown = part[[*by, "replicate"]].assign(shown=(causes[part.index] == cause) * 1.0)
            for cell in estimate_by(shown, "shown", by, share):
                count = int(counts.get((*key, cause), 0))
                rows.append(cell.row("share", end_cause=cause, count=count))
    return pd.DataFrame(rows, columns=[*by, *CAUSE_COLUMNS])


def ender_wins(
    games: pd.DataFrame, players: pd.DataFrame, by: Sequence[str] = ("arm",)
) -> pd.DataFrame:
    """Win share of the seat that caused the end, among games that a seat ended.

    Parameters
    ----------
    games, players : tables of a run, or subsets of them
    by : columns of `games` that make the groups; numbers of seats are never mixed

    Returns
    -------
    pandas.DataFrame
        One row per group: seats, games (those with an ender), replicates, share, low, high, fair
        (1/seats: what an ender would win if ending had nothing to do with winning).
    """
    groups = list(dict.fromkeys([*by, "players"]))
    ended = games[games["ender"].notna()]
    frame = with_games(players, ended, [*groups, "replicate", "ender"], ["seat", "win_share"])
    frame = frame[frame["seat"].astype(int) == frame["ender"].astype(int)]
    frame = frame.assign(win_share=exact_shares(frame["win_share"]))
    rows = []
    for cell in estimate_by(frame, "win_share", groups, share):
        seats = int(cell.key["players"])
        rows.append(cell.row("share", seats=seats, fair=1 / seats))
    return pd.DataFrame(rows, columns=[*by, *ENDER_COLUMNS])
