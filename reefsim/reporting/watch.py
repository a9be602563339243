"""Games worth watching: chosen by the tables, each with the command that shows it."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

WORST = 0.01  # share of the longest games
_MOST_WORST = 3
_COLUMNS = ("arm", "game_id", "rounds", "turns", "truncated", "tiebreak_depth")


@dataclass(frozen=True)
class Watch:
    """Games to watch.

    Attributes
    ----------
    games : why, arm, game_id, rounds, scores (best first, in words), detail, command
    worst : the same of the longest games, with truncated
    num_worst : games among the longest 1 %
    has_records : whether the actions of some games were kept
    """

    games: pd.DataFrame
    worst: pd.DataFrame
    num_worst: int
    has_records: bool


def find_watch(run: Any, num_games: int, swings: pd.DataFrame) -> Watch:
    """Choose games to watch among those whose actions were kept.

    Parameters
    ----------
    run : an open run
    num_games : in it
    swings : of `story.Story`; may be empty
    """
    kept = kept_games(run)
    num_worst = math.ceil(WORST * num_games)
    games = run.table("games", list(_COLUMNS)) if kept else pd.DataFrame(columns=list(_COLUMNS))
    there = games[games["game_id"].isin(kept)].reset_index(drop=True)
    if there.empty:
        return Watch(_table([]), _table([]), num_worst, bool(kept))
    scores = _scores(run, there["game_id"])
    there = there.assign(
        best=scores[:, 0], margin=scores[:, 0] - scores[:, 1], scores=[_words(s) for s in scores]
    )
    least = games["turns"].nlargest(max(1, num_worst)).min()
    longest = there[there["turns"] >= least].nlargest(_MOST_WORST, "turns")
    worst = [_row(run, row, "among the longest 1 %", "") for row in _dicts(longest)]
    return Watch(_table(_chosen(run, there, swings)), _table(worst), num_worst, True)


def _chosen(run: Any, there: pd.DataFrame, swings: pd.DataFrame) -> list[dict[str, Any]]:
    off = _distances(there)
    rows = _dicts(there)
    picks = [
        ("typical", rows[int(np.argmin(off))], "nearest to the medians of length and points"),
        (
            "closest",
            rows[int(np.lexsort((-there["tiebreak_depth"], there["margin"]))[0])],
            "smallest margin",
        ),
        ("longest", rows[int(there["turns"].to_numpy().argmax())], "most turns"),
        ("oddest", rows[int(np.argmax(off))], "farthest from the medians of length and points"),
    ]
    judged = swings[swings["game_id"].isin(there["game_id"])] if len(swings) else swings
    by_id = {row["game_id"]: row for row in rows}
    for why, column, words in (
        ("biggest swing", "swing", "one action gained a seat {:.0f} points of win chance"),
        ("kingmaking", "kingmaking", "a seat without a chance moved another's by {:.0f} points"),
    ):
        found = judged[judged[column] > 0] if len(judged) else judged
        if len(found):
            top = found.nlargest(1, column).iloc[0]
            picks.append((why, by_id[int(top["game_id"])], words.format(100 * top[column])))
    return [_row(run, row, why, detail) for why, row, detail in picks]


def _distances(there: pd.DataFrame) -> Any:
    """How far games are from the medians of their arm, in robust units."""
    total = np.zeros(len(there))
    for column in ("rounds", "best", "margin"):
        by_arm = there.groupby("arm", observed=True)[column]
        gap = (there[column] - by_arm.transform("median")).abs().to_numpy(float)
        spread = float(np.median(gap)) or float(gap.mean()) or 1.0
        total += (gap / spread) ** 2
    return np.sqrt(total)


def kept_games(run: Any) -> set[int]:
    """Ids of games that can be told again."""
    kept = {int(row["game_id"]) for row in run.manifest.get("replays") or ()}
    experiment = run.manifest.get("experiment") or {}
    if experiment.get("events") and "events" in (run.manifest.get("columns") or {}):
        kept |= set(run.table("events", ["game_id"], [("ply", "==", 0)])["game_id"])
    return kept


def watch_command(run: Any, game_id: int) -> str:
    """The command that shows a game."""
    return f"reefsim watch {shlex.quote(run.folder.as_posix())} --game {game_id}"


def _scores(run: Any, ids: pd.Series[int]) -> Any:
    """Scores of games, best first: shape (games, seats)."""
    wanted = [("game_id", "in", ids.to_list())]
    some = run.table("players", ["game_id", "seat", "score"], wanted)
    wide = some.pivot(index="game_id", columns="seat", values="score").loc[ids]
    return -np.sort(-wide.to_numpy(float), axis=1)


def _words(scores: Sequence[float]) -> str:
    return " : ".join(f"{score:.0f}" for score in scores)


def _dicts(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(k): v for k, v in row.items()} for row in table.to_dict("records")]


def _row(run: Any, row: dict[str, Any], why: str, detail: str) -> dict[str, Any]:
    game_id = int(row["game_id"])
    return {
        "why": why,
        "arm": row["arm"],
        "game_id": game_id,
        "rounds": int(row["rounds"]),
        "turns": int(row["turns"]),
        "truncated": bool(row["truncated"]),
        "scores": row["scores"],
        "detail": detail,
        "command": watch_command(run, game_id),
    }


def _table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    columns = ["why", "arm", "game_id", "rounds", "turns", "truncated", "scores", "detail"]
    return pd.DataFrame(rows, columns=[*columns, "command"])
