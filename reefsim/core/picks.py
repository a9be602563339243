"""Games of a run worth a look, found by name: by the tables of the run alone.

The same names choose games that are kept as records, those a report shows, and those of a notebook.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

PICKS = {
    "typical": "nearest to the medians of length and points",
    "closest": "smallest margin",
    "longest": "most turns",
    "shortest": "fewest turns",
    "biggest_margin": "largest margin",
    "oddest": "farthest from the medians of length and points",
    "truncated": "cut short",
}
GAME_COLUMNS = ("arm", "game_id", "turns", "rounds", "truncated", "tiebreak_depth")
PLAYER_COLUMNS = ("game_id", "seat", "score")


def with_scores(games: pd.DataFrame, players: pd.DataFrame) -> pd.DataFrame:
    """Add to games what their players scored.

    Parameters
    ----------
    games : GAME_COLUMNS
    players : PLAYER_COLUMNS, of those games or more

    Returns
    -------
    pandas.DataFrame : the games, with scores (list, best first), best and margin (points between
        the two best)
    """
    wide = players.pivot(index="game_id", columns="seat", values="score")
    scores = -np.sort(-wide.reindex(games["game_id"]).to_numpy(float), axis=1)
    second = scores[:, min(1, scores.shape[1] - 1)]
    return games.assign(scores=scores.tolist(), best=scores[:, 0], margin=scores[:, 0] - second)


def pick(games: pd.DataFrame, name: str) -> pd.DataFrame:
    """Order games by how well they fit a name of `PICKS`.

    Parameters
    ----------
    games : as from `with_scores`

    Returns
    -------
    pandas.DataFrame : the best fit first, among equals the first game; "truncated" has no others
    """
    if name == "truncated":
        return games[games["truncated"].to_numpy(bool)]
    keys: dict[str, Callable[[], list[Any]]] = {
        "typical": lambda: [_distances(games)],
        "closest": lambda: [games["margin"], -games["tiebreak_depth"].astype(int)],
        "longest": lambda: [-games["turns"].astype(int)],
        "shortest": lambda: [games["turns"]],
        "biggest_margin": lambda: [-games["margin"]],
        "oddest": lambda: [-_distances(games)],
    }
    order = np.lexsort([np.asarray(key, float) for key in reversed(keys[name]())])
    return games.iloc[order]


def _distances(games: pd.DataFrame) -> Any:
    """How far games are from the medians of their arm, in robust units."""
    total = np.zeros(len(games))
    for column in ("rounds", "best", "margin"):
        by_arm = games.groupby("arm", observed=True)[column]
        gap = (games[column] - by_arm.transform("median")).abs().to_numpy(float)
        spread = float(np.median(gap)) or float(gap.mean()) or 1.0
        total += (gap / spread) ** 2
    return np.sqrt(total)
