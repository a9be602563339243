"""Every number of a report, computed once for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import pandas as pd

from reefsim.reporting.manifest import RunInfo, read_manifest
from reefsim.stats.claims import find_answers, read_outcomes
from reefsim.stats.ends import end_causes, ender_wins
from reefsim.stats.intervals import NO_GAMES, share
from reefsim.stats.length import length_curves, length_quantiles
from reefsim.stats.paired import compare_arms
from reefsim.stats.replicates import estimate_by
from reefsim.stats.scores import seat_scores, winner_margins
from reefsim.stats.seats import agent_shares, seat_shares
from reefsim.stats.targets import find_targets
from reefsim.stats.values import ReplicateValues

_GAMES = (
    "arm",
    "game_id",
    "replicate",
    "rotation",
    "players",
    "turns",
    "rounds",
    "plies",
    "end_cause",
    "ender",
    "truncated",
)
_PLAYERS = ("game_id", "seat", "agent", "score", "win_share")


class Run(Protocol):
    """What a report needs of a run; tables carry the column `arm`."""

    @property
    def games(self) -> pd.DataFrame:
        """One row per game."""

    @property
    def players(self) -> pd.DataFrame:
        """One row per game and seat."""

    def table(self, name: str, columns: Sequence[str]) -> pd.DataFrame:
        """Some columns of a table, or more."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What was asked and how it was run; see `manifest.read_manifest`."""


@dataclass(frozen=True)
class Findings:
    """Tables of a report, each as documented by the function of `stats` that makes it.

    `health` has one row per arm of the manifest, also without games: games, replicates, planned
    (replicates; NaN if unknown), truncated (games), and their share with low and high. `answers`
    and `targets` are those of `stats.claims` and `stats.targets`; empty if nothing was asked.
    `values` are those behind the answers.
    """

    info: RunInfo
    health: pd.DataFrame
    seats: pd.DataFrame
    agents: pd.DataFrame
    length: pd.DataFrame
    length_curve: pd.DataFrame
    ends: pd.DataFrame
    enders: pd.DataFrame
    scores: pd.DataFrame
    margins: pd.DataFrame
    comparisons: pd.DataFrame
    answers: pd.DataFrame
    targets: pd.DataFrame
    values: ReplicateValues | None = None

    def tables(self) -> dict[str, pd.DataFrame]:
        """Tables by name."""
        return {
            field.name: table
            for field in fields(self)
            if isinstance(table := getattr(self, field.name), pd.DataFrame)
        }

    @property
    def num_games(self) -> int:
        """Finished games of all arms."""
        return int(self.health["games"].sum())


def find(run: Run) -> Findings:
    """Compute what a report shows.

    Parameters
    ----------
    run : an open run; its events are not read

    Returns
    -------
    Findings
    """
    games = _read(run, "games", _GAMES)
    info = read_manifest(run.manifest, games)
    games, players = _in_order(info, games), _read(run, "players", _PLAYERS)
    source: Any = run
    values = read_outcomes(source) if _asks(run, "outcomes") else None
    return Findings(
        info=info,
        health=_health(info, games),
        seats=seat_shares(games, players, margin_pp=info.margin_pp),
        agents=agent_shares(games, players),
        length=length_quantiles(games),
        length_curve=length_curves(games, "rounds"),
        ends=end_causes(games),
        enders=ender_wins(games, players),
        scores=seat_scores(games, players),
        margins=winner_margins(games, players),
        comparisons=compare_arms(games, players, info.baselines, info.is_paired),
        answers=pd.DataFrame() if values is None else find_answers(source, values=values),
        targets=find_targets(source) if _asks(run, "targets") else pd.DataFrame(),
        values=values,
    )


def read_games(
    run: Run, info: RunInfo, more: Sequence[str] = ()
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tables of games and players, with the columns that a report needs.

    Parameters
    ----------
    run : an open run
    info : of its manifest
    more : further columns of players

    Returns
    -------
    games, players
    """
    games = _in_order(info, _read(run, "games", _GAMES))
    return games, _read(run, "players", [*_PLAYERS, *more])


def _in_order(info: RunInfo, games: pd.DataFrame) -> pd.DataFrame:
    """Games with arms in the order of the plan, as they stand in every table and figure."""
    order = pd.CategoricalDtype([arm.name for arm in info.arms], ordered=True)
    games = games.assign(arm=games["arm"].astype(order))
    return games[games["arm"].notna()].sort_values("arm", kind="stable", ignore_index=True)


def _asks(run: Run, what: str) -> bool:
    """Whether the experiment has such an entry."""
    return bool((run.manifest.get("experiment") or {}).get(what))


def _read(run: Run, name: str, columns: Sequence[str]) -> pd.DataFrame:
    """Read no more than a report needs: the lists in the other columns would fill the memory.

    Games of a run whose manifest does not name its arms tell them, so they are read whole.
    """
    read: pd.DataFrame = (
        run.table(name, columns) if run.manifest.get("arms") else getattr(run, name)
    )
    return read


def records(table: pd.DataFrame, **wanted: object) -> list[dict[str, Any]]:
    """Rows of a table with these values, as dicts.

    Parameters
    ----------
    table : any
    **wanted : value by column
    """
    for column, value in wanted.items():
        table = table[table[column] == value]
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def _health(info: RunInfo, games: pd.DataFrame) -> pd.DataFrame:
    cut = games[["arm", "replicate"]].assign(cut=games["truncated"].astype(float))
    cells = estimate_by(cut, "cut", ["arm"], share)
    shares = {cell.key["arm"]: cell.estimate for cell in cells}
    rows = []
    for arm in info.arms:
        played = games[games["arm"] == arm.name]
        cut_short = shares.get(arm.name, NO_GAMES)
        rows.append(
            {
                "arm": arm.name,
                "games": len(played),
                "replicates": cut_short.replicates,
                "planned": float("nan") if arm.planned is None else arm.planned,
                "truncated": int(played["truncated"].sum()),
                "share": cut_short.value,
                "low": cut_short.low,
                "high": cut_short.high,
            }
        )
    columns = ["arm", "games", "replicates", "planned", "truncated", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns)
