"""Games worth watching: chosen by the tables, each with the command that shows it."""

from __future__ import annotations

import math
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reefsim.core.picks import GAME_COLUMNS, PICKS, PLAYER_COLUMNS, pick, with_scores
from reefsim.core.wording import did_you_mean, sentences
from reefsim.errors import RunError
from reefsim.reporting.story import find_story

WORST = 0.01  # share of the longest games
_MOST_WORST = 3
SWINGS = {  # by name: column of `story.Story.swings`, and its words
    "biggest_swing": ("swing", "one action gained a seat {:.0f} points of win chance"),
    "kingmaking": ("kingmaking", "a seat without a chance moved another's by {:.0f} points"),
}
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
    if not kept:
        return Watch(_table([]), _table([]), num_worst, False)
    games = run.table("games", list(GAME_COLUMNS))
    there = _scored(run, games[games["game_id"].isin(kept)])
    if there.empty:
        return Watch(_table([]), _table([]), num_worst, True)
    least = games["turns"].nlargest(max(1, num_worst)).min()
    longest = there[there["turns"] >= least].nlargest(_MOST_WORST, "turns")
    worst = [_row(run, row, "among the longest 1 %", "") for row in _dicts(longest)]
    return Watch(_table(_chosen(run, there, swings)), _table(worst), num_worst, True)


def _chosen(run: Any, there: pd.DataFrame, swings: pd.DataFrame) -> list[dict[str, Any]]:
    rows = _dicts(there)
    picks = [(why, _dicts(pick(there, why).head(1))[0], PICKS[why]) for why in _SHOWN]
    by_id = {row["game_id"]: row for row in rows}
    for why, (column, words) in SWINGS.items():
        for top in _dicts(_swung(swings, column, by_id).head(1)):
            picks.append((why, by_id[top["game_id"]], words.format(100 * top[column])))
    return [_row(run, row, why.replace("_", " "), detail) for why, row, detail in picks]


def _scored(run: Any, games: pd.DataFrame) -> pd.DataFrame:
    wanted = [("game_id", "in", games["game_id"].to_list())]
    return with_scores(games, run.table("players", list(PLAYER_COLUMNS), wanted))


def _swung(swings: pd.DataFrame, column: str, ids: Collection[int]) -> pd.DataFrame:
    """Games of some ids that an oracle saw swing, the largest first."""
    if swings.empty:
        return swings
    found = swings[swings["game_id"].isin(list(ids)) & (swings[column] > 0)]
    return found.sort_values(column, ascending=False, kind="stable")


def find_pick(run: Any, name: str, arm: str | None = None) -> int:
    """Id of the game that a name means, among those whose actions were kept.

    Parameters
    ----------
    run : an open run
    name : of `PICKS`, or of `SWINGS` if an oracle has judged games
    arm : among its games only; None: of all arms

    Raises
    ------
    RunError : if there is no such name or arm, or no such game
    """
    if name not in PICKS and name not in SWINGS:
        known = [*PICKS, *SWINGS]
        there = f"There are: {', '.join(known)}."
        raise RunError(sentences(f"'{name}' chooses no game.", did_you_mean(name, known), there))
    arms = None if arm is None else [arm]
    games = run.table("games", list(GAME_COLUMNS), None, run.parts(arms))
    there = games[games["game_id"].isin(kept_games(run))]
    if there.empty:
        raise RunError(f"{run.folder}: no game was kept (save in the experiment).")
    if name in PICKS:
        found = pick(_scored(run, there), name)
    else:
        found = _swung(find_story(run).swings, SWINGS[name][0], there["game_id"])
    if found.empty:
        judge = "" if name in PICKS else f" `reefsim appraise {run.folder}` judges games."
        raise RunError(f"{run.folder}: no game that was kept is '{name}'.{judge}")
    return int(found["game_id"].iloc[0])


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
