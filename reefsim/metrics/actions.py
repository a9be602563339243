"""What seats did: how often they took each kind of action, game by game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from reefsim.metrics.values import Source

if TYPE_CHECKING:
    import pandas as pd

KEYS = ("arm", "game_id", "replicate", "seat", "agent", "win_share")


def action_kinds(manifest: Mapping[str, Any]) -> list[str]:
    """Names of the kinds of actions, each a column of the table `turns` of a run."""
    columns = list(manifest["columns"]["turns"])
    return columns[columns.index("seat") + 1 : columns.index("decisions")]


def action_counts(run: Source, *, arms: Sequence[str] | None = None) -> pd.DataFrame:
    """Count the actions of every seat of every game, by kind.

    Parameters
    ----------
    run : an open run
    arms : which; None: all

    Returns
    -------
    pandas.DataFrame, one row per game and seat: arm, game_id, replicate, seat, agent, win_share
    (1/k for each of k winners), and a column of whole numbers for each kind

    Raises
    ------
    RunError : if there is no such arm, or a file is missing or damaged
    """
    import pandas as pd

    kinds = action_kinds(run.manifest)
    frames = []
    for place in run.parts(arms):
        games = run.table("games", ["game_id", "replicate"], None, [place])
        players = run.table("players", ["game_id", "seat", "agent", "win_share"], None, [place])
        turns = run.table("turns", ["game_id", "seat", *kinds], None, [place])
        index = [players["game_id"], players["seat"].astype("int64")]
        sums = turns.astype("int64").groupby(["game_id", "seat"], sort=False).sum()
        sums = sums.reindex(pd.MultiIndex.from_arrays(index), fill_value=0).reset_index(drop=True)
        won = players["win_share"].to_numpy(np.float64)
        frame = players.assign(
            arm=place[0],
            agent=players["agent"].astype(str),
            replicate=games.set_index("game_id")["replicate"]
            .reindex(players["game_id"])
            .to_numpy(),
            win_share=1 / np.round(np.divide(1, won, out=np.full_like(won, np.inf), where=won > 0)),
        )
        frames.append(pd.concat([frame[list(KEYS)], sums], axis=1))
    if not frames:
        return pd.DataFrame(columns=[*KEYS, *kinds])
    joined = pd.concat(frames, ignore_index=True)
    names = [arm["name"] for arm in run.manifest["arms"]]
    return joined.assign(arm=pd.Categorical(joined["arm"], names))
