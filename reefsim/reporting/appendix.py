"""What only the appendix of a page shows: for whom, how far apart, why, and how far to trust."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from reefsim.reporting.findings import Findings, read_games
from reefsim.reporting.manifest import RunInfo
from reefsim.reporting.story import Story
from reefsim.reporting.watch import kept_games, watch_command
from reefsim.stats.course import courses
from reefsim.stats.length import length_quantiles
from reefsim.stats.luck import wins_by_shuffle
from reefsim.stats.options import options_by_turn
from reefsim.stats.paired import list_pairs
from reefsim.stats.recovery import recovery, recovery_curve
from reefsim.stats.scores import seat_scores
from reefsim.stats.values import ReplicateValues, UpTo

_MOST_OPTIONS = 500  # replicates whose turns are read
_PAIRED = {"length_rounds": "rounds", "length_turns": "turns"}  # measures of pairs; else the score


@dataclass(frozen=True)
class Appendix:
    """Tables of the appendix; those a run has no data for are empty.

    Attributes
    ----------
    by_table : first seats (`stats.seat_shares`) with ruleset and table, if there are several tables
    seat_margins : of `stats.seat_scores`: points less the mean of the others
    drivers : of `stats.length_quantiles`, by arm and cause of the end
    pairs : of `stats.list_pairs`, with what the values are
    luck : of `stats.wins_by_shuffle`
    recovery, recovery_curve : of `stats.recovery`, at half of the game
    options : of `stats.options_by_turn`
    effective : of `story.Story`
    courses : of `stats.courses`, with the number of the claim
    health : one row per arm: games, replicates, planned, truncated, failed, ms_per_game (of one
        core, NaN if unknown), agents
    examples : figure, what, arm, game_id, command: a game behind the points of a figure
    """

    by_table: pd.DataFrame
    seat_margins: pd.DataFrame
    drivers: pd.DataFrame
    pairs: pd.DataFrame
    luck: pd.DataFrame
    recovery: pd.DataFrame
    recovery_curve: pd.DataFrame
    options: pd.DataFrame
    effective: pd.DataFrame
    courses: pd.DataFrame
    health: pd.DataFrame
    examples: pd.DataFrame

    def tables(self) -> dict[str, pd.DataFrame]:
        """Tables by name, those with columns."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: table for name, table in named.items() if len(table)}


def find_appendix(run: Any, found: Findings, story: Story | None, forks: pd.DataFrame) -> Appendix:
    """Work out the appendix.

    Parameters
    ----------
    run : an open run whose manifest names its columns
    found : its main findings
    story : of its games, if an oracle judged some
    forks : of `stats.first_differences`; may be empty
    """
    info = found.info
    games, players = read_games(run, info, ("margin_others",))
    columns = run.manifest["columns"]
    deficits = story.deficits if story is not None else pd.DataFrame()
    has_options = {"options", "decisions"} <= set(columns.get("turns", ()))
    measure = _PAIRED.get(info.primary, "score_mean")
    pairs = list_pairs(games, players, info.baselines, measure) if info.is_paired else None
    return Appendix(
        by_table=_by_table(found),
        seat_margins=seat_scores(games, players, column="margin_others"),
        drivers=_drivers(games),
        pairs=pd.DataFrame() if pairs is None else pairs.assign(measure=measure),
        luck=wins_by_shuffle(games, players),
        recovery=recovery(deficits) if len(deficits) else pd.DataFrame(),
        recovery_curve=recovery_curve(deficits) if len(deficits) else pd.DataFrame(),
        options=options_by_turn(UpTo(run, _MOST_OPTIONS)) if has_options else pd.DataFrame(),
        effective=story.effective if story is not None else pd.DataFrame(),
        courses=_courses(run, found.values),
        health=_health(run, found),
        examples=_examples(run, games, players, story, forks),
    )


def _by_table(found: Findings) -> pd.DataFrame:
    """First seats with ruleset and table, if some ruleset was played at several tables."""
    first = found.seats[found.seats["seat"] == 0]
    rules = {arm.name: arm.ruleset for arm in found.info.arms}
    ruleset = first["arm"].astype(str).map(rules)
    if not ruleset.duplicated().any():
        return pd.DataFrame()
    tables = [table_of(found.info, str(arm)) for arm in first["arm"]]
    return first.assign(ruleset=ruleset, table=tables).reset_index(drop=True)


def table_of(info: RunInfo, arm: str) -> str:
    """Name of the table of an arm, which is named ruleset-lineup."""
    return arm.removeprefix(f"{info.arm(arm).ruleset}-")


def _drivers(games: pd.DataFrame) -> pd.DataFrame:
    """Rounds by cause of the end; nothing if all games end alike. A limit of ours is no cause."""
    games = games[~games["truncated"].astype(bool)]
    if games["end_cause"].nunique() < 2:
        return pd.DataFrame()
    return length_quantiles(games, by=("arm", "end_cause"), measures=("rounds",))


def _courses(run: Any, values: ReplicateValues | None) -> pd.DataFrame:
    table = courses(run, values)
    if table.empty:
        return table
    keys = ["outcome", "seat", "arm", "against"]
    return table.assign(claim=table.groupby(keys, sort=False, dropna=False).ngroup())


def _health(run: Any, found: Findings) -> pd.DataFrame:
    cost = {}
    if "timing" in run.manifest["columns"]:
        sums = run.timing.groupby("arm", observed=True)[["games", "seconds"]].sum()
        cost = (1000 * sums["seconds"] / sums["games"].clip(lower=1)).to_dict()
    failed: dict[str, int] = {}
    if found.info.failed:
        failed = run.failures.groupby("arm", observed=True).size().to_dict()
    agents = {
        arm.name: ", ".join(
            f"{name}: {text}" if text else name for name, text in arm.agents.items()
        )
        for arm in found.info.arms
    }
    arm = found.health["arm"]
    return found.health.assign(
        failed=arm.map(failed).fillna(0).astype(int),
        ms_per_game=arm.map(cost).astype(float),
        agents=arm.map(agents),
    )


def _examples(
    run: Any,
    games: pd.DataFrame,
    players: pd.DataFrame,
    story: Story | None,
    forks: pd.DataFrame,
) -> pd.DataFrame:
    """Games that can be told again, one or two for the points of a figure."""
    kept = kept_games(run)
    there = games[games["game_id"].isin(kept)]
    chosen: list[tuple[str, str, int]] = []
    for cause, rows in there.groupby("end_cause", observed=True, sort=True):
        off = (rows["rounds"] - rows["rounds"].median()).abs().to_numpy(float)
        what = f"typical length among those that end by {str(cause).replace('_', ' ')}"
        chosen.append(("length by end", what, int(rows["game_id"].to_numpy()[off.argmin()])))
    best = players[players["game_id"].isin(kept)].nlargest(1, "margin_others")
    chosen += [("margins", "largest lead over the others", int(i)) for i in best["game_id"]]
    if story is not None and len(story.swings):
        most = story.swings.nlargest(1, "changes").iloc[0]
        chosen.append(("lead changes", "most lead changes", int(most["game_id"])))
        won = story.deficits[story.deficits["won"] == 1].nlargest(1, "deficit")
        chosen += [
            ("recovery", f"won from {deficit:.0f} points behind at half of the game", int(i))
            for i, deficit in zip(won["game_id"], won["deficit"], strict=True)
        ]
    if len(forks) and forks["ply"].notna().any():
        last: Any = forks.nlargest(1, "ply").iloc[0]
        words = f"parts from its twin latest, at event {last['ply']:.0f}"
        chosen.append(("pairs", words, int(last["game_id"])))
        chosen.append(("pairs", "its twin", int(last["baseline_id"])))
    arms = games.set_index("game_id")["arm"]
    examples = [
        {
            "figure": figure,
            "what": what,
            "arm": str(arms.loc[game_id]),
            "game_id": game_id,
            "command": watch_command(run, game_id),
        }
        for figure, what, game_id in chosen
        if game_id in kept
    ]
    return pd.DataFrame(examples, columns=["figure", "what", "arm", "game_id", "command"])


def median_fork(forks: pd.DataFrame) -> dict[str, tuple[float, int, int]]:
    """Median number of the first event that differs, pairs, and those that never do, by arm.

    Pairs that are the same to their end count as parting after it, so the median may be infinite.
    """
    found: dict[str, tuple[float, int, int]] = {}
    if forks.empty:
        return found
    for arm, rows in forks.groupby("arm", observed=True, sort=False):
        ply = rows["ply"].fillna(np.inf).to_numpy(float)
        found[str(arm)] = (
            float(np.quantile(ply, 0.5, method="inverted_cdf")),
            len(ply),
            int(np.isinf(ply).sum()),
        )
    return found
