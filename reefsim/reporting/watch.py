"""Games worth watching: chosen by the tables, each with the command that shows it."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reefsim.core.picks import GAME_COLUMNS, PICKS, PLAYER_COLUMNS, pick, with_scores

WORST = 0.01  # share of the longest games
_MOST_WORST = 3
_SHOWN = ("typical", "closest", "longest", "oddest")  # whatever an oracle says


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
    games = (
        run.table("games", list(GAME_COLUMNS)) if kept else pd.DataFrame(columns=list(GAME_COLUMNS))
    )
    there = games[games["game_id"].isin(kept)].reset_index(drop=True)
    if there.empty:
        return Watch(_table([]), _table([]), num_worst, bool(kept))
    wanted = [("game_id", "in", there["game_id"].to_list())]
    there = with_scores(there, run.table("players", list(PLAYER_COLUMNS), wanted))
    least = games["turns"].nlargest(max(1, num_worst)).min()
    longest = there[there["turns"] >= least].nlargest(_MOST_WORST, "turns")
    worst = [_row(run, row, "among the longest 1 %", "") for row in _dicts(longest)]
    return Watch(_table(_chosen(run, there, swings)), _table(worst), num_worst, True)


def _chosen(run: Any, there: pd.DataFrame, swings: pd.DataFrame) -> list[dict[str, Any]]:
    rows = _dicts(there)
    picks = [(why, _dicts(pick(there, why).head(1))[0], PICKS[why]) for why in _SHOWN]
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
        "scores": _words(row["scores"]),
        "detail": detail,
        "command": watch_command(run, game_id),
    }


def _table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    columns = ["why", "arm", "game_id", "rounds", "turns", "truncated", "scores", "detail"]
    return pd.DataFrame(rows, columns=[*columns, "command"])
