"""How much there is to choose from as a game goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from reefsim.metrics.values import Source

COLUMNS = ("arm", "turn", "q25", "q50", "q75", "games")
_LEAST = 0.1  # share of the games that must have reached a turn


def options_by_turn(run: Source) -> pd.DataFrame:
    """Legal actions per decision, turn by turn.

    Parameters
    ----------
    run : an open run, or some of it (`stats.values.UpTo`)

    Returns
    -------
    pandas.DataFrame, one row per arm and turn that a tenth of its games reached: q25, q50 and q75
    over games of the mean number of legal actions in the decisions of that turn; games
    """
    parts: dict[str, list[pd.DataFrame]] = {}
    for place in run.parts():
        rows = run.table("turns", ["game_id", "turn", "options", "decisions"], None, [place])
        rows = rows[rows["decisions"] > 0]
        legal = rows["options"].to_numpy(float) / rows["decisions"].to_numpy(float)
        parts.setdefault(place[0], []).append(
            pd.DataFrame({"turn": rows["turn"].to_numpy(int), "legal": legal})
        )
    frames = []
    for arm, found in parts.items():
        by_turn = pd.concat(found, ignore_index=True).groupby("turn")["legal"]
        table = by_turn.quantile(np.array([0.25, 0.5, 0.75])).unstack()
        table = table.set_axis(["q25", "q50", "q75"], axis=1).assign(games=by_turn.size())
        table = table[table["games"] >= _LEAST * table["games"].max()]
        frames.append(table.reset_index().assign(arm=arm))
    joined = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=COLUMNS)
    return joined[list(COLUMNS)].astype({"games": np.int64})
