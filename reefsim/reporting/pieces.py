"""What is used and what is not: things that games count, and what winners do more of.

The words come from the game: what it counts (`core.metric.Summary`) and its kinds of actions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats

from reefsim.core.metric import Part, Place, Summary
from reefsim.games import registry
from reefsim.metrics.actions import action_counts
from reefsim.metrics.values import has_columns, read_parts
from reefsim.stats.even import BATCHES, FDR, WORTH_TELLING, batches, uneven
from reefsim.stats.lift import lift
from reefsim.stats.multiple import benjamini_hochberg
from reefsim.stats.overview import FirstGames
from reefsim.stats.values import UpTo

_FAR = 1.1  # lift worth telling, or its inverse
_MOST_LIFTED = 2000  # replicates of each arm behind a lift
_LASTING = 0.1  # share of the games that must have come so far


@dataclass(frozen=True)
class Map:
    """Places to draw, and how often each was used per time it was there, by arm."""

    summary: str
    meaning: str
    count: str
    count_meaning: str
    places: tuple[Place, ...]
    values: pd.DataFrame  # arm, panel, place, value, games


@dataclass(frozen=True)
class Series:
    """Things along a game, stacked: what the height is, what the axis counts, values by arm."""

    summary: str
    meaning: str
    count_meaning: str
    time: str
    values: pd.DataFrame  # arm, time, thing, value, games


@dataclass(frozen=True)
class Pieces:
    """What stands out among the things of a game, and among its actions.

    Attributes
    ----------
    uses : one row per summary, arm, count and thing (`stats.even.uneven`), thing in words
    lifts : of `stats.lift`, with p, p_adjusted (over all arms and kinds) and stands_out
    maps : to be drawn
    games : games told again for them, by arm
    series : things along a game
    """

    uses: pd.DataFrame
    lifts: pd.DataFrame
    maps: tuple[Map, ...] = ()
    games: Mapping[str, int] = field(default_factory=dict)
    series: tuple[Series, ...] = ()


def find_pieces(run: Any) -> Pieces:
    """Find what stands out; only the first games whose events were kept are told again."""
    name = run.manifest["game"]
    of_game = registry.info(name).summaries if name in registry.names() else ()
    there = [summary for summary in of_game if has_columns(run, summary)]
    along = [summary for summary in there if summary.over]
    summaries = tuple(summary for summary in there if not summary.over)
    frames, games = _count(run, summaries) if summaries else ([], {})
    long = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
    uses, maps = [], []
    for summary in summaries if len(long) else ():
        part = long[long["summary"] == summary.name].dropna(axis=1, how="all")
        if part.empty:
            continue
        group = ["summary", "arm", *([summary.group] if summary.group else [])]
        found = uneven(part, list(summary.keys), group)
        if summary.map:
            maps.append(_map(summary, found, games))
        uses.append(found.assign(thing=_words(found, summary), unit=summary.per))
    columns = ["summary", "arm", "count", "thing", "unit", "value", "ratio", "low", "high"]
    columns += ["batches", "p", "p_adjusted", "stands_out"]
    table = pd.concat(uses, ignore_index=True) if uses else pd.DataFrame(columns=columns)
    if len(table):  # one family over everything that games count
        table["p_adjusted"] = benjamini_hochberg(table["p"].to_numpy(float))
        far = (table["ratio"] >= WORTH_TELLING) | (table["ratio"] <= 1 / WORTH_TELLING)
        table["stands_out"] = (table["p_adjusted"] < FDR) & far
    return Pieces(table[columns], _lifts(run), tuple(maps), games, _series(run, along))


def _series(run: Any, summaries: Sequence[Summary]) -> tuple[Series, ...]:
    """Means per game along the games."""
    frames: dict[str, list[pd.DataFrame]] = {summary.name: [] for summary in summaries}
    for arm, part in read_parts(UpTo(run, _MOST_LIFTED), summaries) if summaries else ():
        for summary in summaries:
            frames[summary.name].append(summary.compute(part).assign(arm=arm))
    return tuple(
        _along(summary, frames[summary.name]) for summary in summaries if frames[summary.name]
    )


def _along(summary: Summary, frames: Sequence[pd.DataFrame]) -> Series:
    thing = next(key for key in summary.keys if key != summary.over)
    _, count = summary.counts
    sums = pd.concat(frames, ignore_index=True)
    sums = sums.groupby(["arm", summary.over, thing], sort=False)[[summary.per, count]].sum()
    table = sums.reset_index().rename(columns={summary.over: "time", thing: "thing"})
    table = table.assign(value=table[count] / table[summary.per], games=table[summary.per])
    most = table.groupby("arm")["games"].transform("max")
    table = table[table["games"] >= _LASTING * most].reset_index(drop=True)
    kept = table[["arm", "time", "thing", "value", "games"]]
    return Series(summary.name, summary.meaning, summary.counts[count], summary.over, kept)


def _count(run: Any, summaries: tuple[Summary, ...]) -> tuple[list[Any], dict[str, int]]:
    """Counts per game of every thing, batch by batch, and the games behind them."""
    frames: list[Any] = []
    games: dict[str, int] = {}
    numbers: dict[str, int] = {}
    first = FirstGames(run)
    parts = Counter(arm for arm, _ in first.parts())
    for arm, part in read_parts(first, summaries):
        told = part.games["replicate"]
        if part.events is not None:
            told = told.loc[part.logged]
        games[arm] = games.get(arm, 0) + len(told)
        for batch in batches(told.to_list(), -(-BATCHES // parts[arm])):
            some = part.of(told.index[told.isin(batch)])
            numbers[arm] = numbers.get(arm, 0) + 1
            labels: dict[str, Any] = {"arm": arm, "batch": numbers[arm]}
            frames += [_frame(summary, some).assign(**labels) for summary in summaries]
    return frames, games


def _frame(summary: Summary, part: Part) -> pd.DataFrame:
    """Counts of a summary per game, or per time that a thing was there, in long form."""
    found = summary.compute(part)
    found = found[found[summary.per] > 0]
    per = found[list(summary.even)].div(found[summary.per], axis=0)
    wide = pd.concat([found[list(summary.keys)], per], axis=1)
    long: pd.DataFrame = wide.melt(list(summary.keys), var_name="count", value_name="value")
    named: pd.DataFrame = long.assign(summary=summary.name)
    return named


def _words(found: pd.DataFrame, summary: Summary) -> pd.Series[str]:
    parts = zip(*(found[key].astype(str) for key in summary.keys), strict=True)
    return pd.Series([" ".join(words) for words in parts], index=found.index, dtype=object)


def _map(summary: Summary, found: pd.DataFrame, games: Mapping[str, int]) -> Map:
    panel, place = summary.keys
    count = summary.even[0]
    values = found[found["count"] == count].rename(columns={panel: "panel", place: "place"})
    values = values.assign(games=values["arm"].map(games))
    places = summary.map() if summary.map else ()
    kept = values[["arm", "panel", "place", "value", "games"]].reset_index(drop=True)
    return Map(summary.name, summary.meaning, count, summary.counts[count], places, kept)


def _lifts(run: Any) -> pd.DataFrame:
    """Lift of each kind of action in each arm, and which of them stand out."""
    if "decisions" not in (run.manifest.get("columns") or {}).get("turns", ()):
        return pd.DataFrame()
    counts = action_counts(UpTo(run, _MOST_LIFTED))
    counts = counts[counts["replicate"] < _MOST_LIFTED]  # the last part may end behind it
    table = lift(counts, resamples=500)
    table = table[(table["per_game"] > 0) & table["low"].notna()].reset_index(drop=True)
    value, low, high = (
        np.log(table[name].clip(lower=1e-6).to_numpy(float)) for name in ("lift", "low", "high")
    )
    se = (high - low) / (2 * scipy.stats.norm.ppf(0.975))
    z = np.divide(np.abs(value), se, out=np.zeros_like(se), where=se > 0)
    p = 2 * scipy.stats.norm.sf(z)
    adjusted = benjamini_hochberg(p)
    far = (table["lift"] >= _FAR) | (table["lift"] <= 1 / _FAR)
    return table.assign(p=p, p_adjusted=adjusted, stands_out=far & (adjusted < FDR))
