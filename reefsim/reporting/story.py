"""How games went: win chances as an oracle saw them, for the section on the story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reefsim.logs.encode import split_id
from reefsim.metrics.catalog import known
from reefsim.metrics.from_traces import deficits
from reefsim.metrics.story import at_share
from reefsim.metrics.trace import Trace
from reefsim.metrics.trace_files import DEFAULT, FOLDER
from reefsim.metrics.values import game_values, read_parts
from reefsim.stats.checks import floats
from reefsim.stats.means import one_mean
from reefsim.stats.replicates import replicate_means

MAIN = (
    *("lead_changes_by_turn", "comeback", "winner_lowest", "clinch_share", "uncertainty"),
    *("drama_mean", "leader_share_50", "kingmaking_share"),
)
_POINTS = np.linspace(0, 1, 41)
_LEVELS = {"q05": 0.05, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q95": 0.95}
_SWING = ("game_id", "arm", "swing", "kingmaking", "changes")


@dataclass(frozen=True)
class Story:
    """What oracles say of the games they judged.

    Attributes
    ----------
    oracles : those that judged games of the run, the one told of first
    measures : one row per oracle, metric of `MAIN` and arm: unit, kind, estimate, low, high,
        replicates, games; what an oracle does not know is left out
    fan : one row per arm and share of the game: games, and quantiles q05 to q95 over games of the
        chance of the eventual winner
    leads : one row per arm and number of lead changes from turn to turn: games
    swings : one row per judged game: game_id, arm, swing (largest gain of a seat by one action),
        kingmaking (swing of a kingmaking decision; 0 or NaN if none), changes (of the lead, from
        turn to turn)
    deficits : one row per seat of a judged game: arm, game_id, replicate, seat, deficit (points
        behind the best other seat at half of the game), won
    effective : one row per arm and turn: effective (median number of effective choices), games
    """

    oracles: tuple[str, ...]
    measures: pd.DataFrame
    fan: pd.DataFrame
    leads: pd.DataFrame
    swings: pd.DataFrame
    deficits: pd.DataFrame
    effective: pd.DataFrame

    @property
    def oracle(self) -> str:
        """The oracle told of; empty if no game was judged."""
        return self.oracles[0] if self.oracles else ""


def find_story(run: Any) -> Story:
    """Read what oracles say of the games of a run, part by part."""
    oracles = _oracles(run)
    if not oracles:
        return Story((), *(pd.DataFrame() for _ in range(6)))
    measures = pd.concat([_measures(run, oracle) for oracle in oracles], ignore_index=True)
    return Story(oracles, measures, *_first_oracle(run, oracles[0]))


def _oracles(run: Any) -> tuple[str, ...]:
    """Names of the oracles with files for parts of the run; the usual one first."""
    folder = run.folder / FOLDER
    found = {path.parent.parent.name for path in folder.glob("*/arm=*/part-*.parquet")}
    return tuple(sorted(found, key=lambda name: (name != DEFAULT, name)))


def _measures(run: Any, oracle: str) -> pd.DataFrame:
    metrics = known(run.manifest["game"])
    names = [name for name in MAIN if not (name == "kingmaking_share" and _seats(run) < 3)]
    table = game_values(run, names, oracle=oracle)
    rows = []
    for name in names:
        metric = metrics[name]
        for arm, part in table.groupby("arm", observed=True, sort=False):
            values = part[["replicate", name]].dropna()
            if values.empty:
                continue
            means = floats(replicate_means(values[name], values["replicate"]))
            found = one_mean(means, len(values), metric.kind == "share")
            rows.append(
                {
                    "oracle": oracle,
                    "metric": name,
                    "arm": arm,
                    "unit": metric.unit,
                    "kind": metric.kind,
                    "estimate": found.value,
                    "low": found.low,
                    "high": found.high,
                    "replicates": found.replicates,
                    "games": len(values),
                }
            )
    columns = ["oracle", "metric", "arm", "unit", "kind", "estimate", "low", "high"]
    return pd.DataFrame(rows, columns=[*columns, "replicates", "games"])


def _first_oracle(run: Any, oracle: str) -> tuple[pd.DataFrame, ...]:
    """Curves of the winner's chance, lead changes, swings, deficits and choices of single games."""
    metrics = known(run.manifest["game"])
    needed = [metrics[name] for name in ("lead_changes_by_turn", "killer_move", "kingmaking_swing")]
    curves: dict[str, list[Any]] = {}
    leads: list[dict[str, Any]] = []
    swings: list[dict[str, Any]] = []
    behind: list[dict[str, Any]] = []
    choices: list[pd.DataFrame] = []
    for arm, part in read_parts(run, needed, None, oracle):
        changes, swing, kings = (metric.compute(part) for metric in needed)
        for game_id, trace in part.traces.items():
            curves.setdefault(arm, []).append(winner_curve(trace))
            leads.append({"arm": arm, "changes": int(changes[game_id])})
            swings.append(
                {
                    "game_id": game_id,
                    "arm": arm,
                    "swing": float(swing[game_id]),
                    "kingmaking": float(kings[game_id]) if _seats(run) > 2 else np.nan,
                    "changes": int(changes[game_id]),
                }
            )
            behind += _behind(arm, game_id, trace)
            choices.append(_choices(arm, trace))
    rows: list[dict[str, Any]] = []
    for arm, found in curves.items():
        quantiles = np.quantile(np.array(found), list(_LEVELS.values()), axis=0)
        rows += [
            {"arm": arm, "share_of_game": float(x), "games": len(found)}
            | dict(zip(_LEVELS, map(float, column), strict=True))
            for x, column in zip(_POINTS, quantiles.T, strict=True)
        ]
    counted = pd.DataFrame(leads).groupby(["arm", "changes"], sort=False).size()
    table = counted.rename("games").reset_index().sort_values(["arm", "changes"])
    effective = pd.concat(choices, ignore_index=True).groupby(["arm", "turn"], sort=False)
    return (
        pd.DataFrame(rows),
        table.reset_index(drop=True),
        pd.DataFrame(swings, columns=[*_SWING]),
        pd.DataFrame(behind),
        effective["effective"].agg(effective="median", games="size").reset_index(),
    )


def _behind(arm: str, game_id: int, trace: Trace) -> list[dict[str, Any]]:
    """How far each seat was behind at half of a game, and what it won."""
    return [
        {
            "arm": arm,
            "game_id": game_id,
            "replicate": split_id(game_id)[1],
            "seat": seat,
            "deficit": float(deficit),
            "won": float(trace.chance[-1, seat]),
        }
        for seat, deficit in enumerate(deficits(trace))
    ]


def _choices(arm: str, trace: Trace) -> pd.DataFrame:
    """Effective choices of the decisions of a game that were judged, turn by turn."""
    found = pd.DataFrame({"turn": trace.turn[:-1], "effective": trace.decisions["effective"]})
    means = found[found["turn"] > 0].dropna().groupby("turn")["effective"].mean()
    return means.reset_index().assign(arm=arm)


def winner_curve(trace: Trace) -> Any:
    """Mean chance of the eventual winners at equal steps through a game.

    Returns
    -------
    float array, shape (41,), from the set-up to the end
    """
    chance = trace.chance[:, list(trace.winners)].mean(axis=1)
    return np.array([at_share(chance, share) for share in _POINTS])


def measure(story: Story, metric: str, arm: str) -> Mapping[str, Any] | None:
    """Row of a metric in an arm by the oracle told of, if there is one."""
    table = story.measures
    if table.empty:
        return None
    is_it = (table["oracle"] == story.oracle) & (table["metric"] == metric) & (table["arm"] == arm)
    rows: Any = table[is_it].to_dict("records")
    return dict(rows[0]) if rows else None


def _seats(run: Any) -> int:
    return int(run.manifest["seats"])
