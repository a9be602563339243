"""Where the games of a pair part: the first event in which they differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from reefsim.logs.encode import split_id
from reefsim.stats.overview import FirstGames

if TYPE_CHECKING:
    from reefsim.metrics.values import Source

COLUMNS = ("arm", "baseline", "replicate", "rotation", "game_id", "baseline_id", "ply", "plies")
_NOT_PLAYED = ("game_id", "ply", "n_legal")  # columns that say nothing of what happened


def first_differences(run: Source, baselines: Mapping[str, str]) -> pd.DataFrame:
    """First event in which a game and that of its baseline differ, chance included.

    Only the first games whose events were kept are read: pairs are alike, and events are many.

    Parameters
    ----------
    run : an open run whose arms share the shuffles of a replicate
    baselines : baseline of each arm that is compared

    Returns
    -------
    pandas.DataFrame, one row per arm, replicate and rotation: baseline, both game ids, ply (number
    of the first event that differs, from 0; NaN if both games are the same to their end) and plies
    (of the shorter game)
    """
    prints = {arm: _prints(run, arm) for arm in {*baselines, *baselines.values()}}
    rows = []
    for arm, baseline in baselines.items():
        ours, theirs = prints[arm], prints[baseline]
        for place in sorted(ours.keys() & theirs.keys()):
            (game_id, one), (baseline_id, two) = ours[place], theirs[place]
            rows.append(
                {
                    "arm": arm,
                    "baseline": baseline,
                    "replicate": place[0],
                    "rotation": place[1],
                    "game_id": game_id,
                    "baseline_id": baseline_id,
                    "ply": _first(one, two),
                    "plies": min(len(one), len(two)),
                }
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _prints(run: Source, arm: str) -> dict[tuple[int, int], tuple[int, Any]]:
    """A hash of every event of the first games of an arm, by replicate and rotation."""
    first = FirstGames(run)
    names = ["game_id", *(n for n in run.manifest["columns"]["events"] if n not in _NOT_PLAYED)]
    found = {}
    for part in first.parts([arm]):
        events = first.table("events", names, None, [part])
        hashed = pd.util.hash_pandas_object(_plain(events.drop(columns="game_id")), index=False)
        ids = events["game_id"].to_numpy()
        for game_id in map(int, np.unique(ids)):
            found[split_id(game_id)[1:]] = game_id, hashed.to_numpy()[ids == game_id]
    return found


def _plain(events: pd.DataFrame) -> pd.DataFrame:
    """The same with columns of lists as text, which can be hashed."""
    lists = [name for name in events if events[name].map(type).isin([list, np.ndarray]).any()]
    return events.assign(**{str(name): events[name].astype(str) for name in lists})


def _first(one: Any, two: Any) -> float:
    shorter = min(len(one), len(two))
    differ = np.flatnonzero(one[:shorter] != two[:shorter])
    if len(differ):
        return float(differ[0])
    return math.nan if len(one) == len(two) else float(shorter)
