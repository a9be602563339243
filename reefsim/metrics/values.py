"""Values of metrics, game by game and seat by seat.

Tables may be large, so they are read some parts at a time, of each only the columns and the events
that the metrics asked for read. What is read together never changes a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow.dataset as ds

from reefsim.core.metric import Metric, Part, Per, Summary
from reefsim.core.wording import did_you_mean, sentences
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.logs.manifest import arm_rules
from reefsim.metrics.catalog import known
from reefsim.metrics.trace_files import DEFAULT, read_traces, trace_path

if TYPE_CHECKING:
    import pandas as pd

KEYS = ("arm", "game_id", "replicate", "rotation", "truncated")
SEAT_KEYS = (*KEYS[:2], "seat", "agent", *KEYS[2:])
PARTS_AT_ONCE = 20  # that are read together; a part holds at most 500 games


class Source(Protocol):
    """What is read of a run: `reefsim.logs.read.Run`, or something like it."""

    manifest: dict[str, Any]
    folder: Path

    def parts(self, arms: Sequence[str] | None = None) -> Sequence[tuple[str, int]]:
        """List arm and number of every complete part."""

    def table(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        filters: Any = None,
        parts: Sequence[tuple[str, int]] | None = None,
    ) -> pd.DataFrame:
        """Read columns and rows of some parts of a table."""


def game_values(
    run: Source,
    names: Iterable[str],
    *,
    arms: Sequence[str] | None = None,
    oracle: str = DEFAULT,
) -> pd.DataFrame:
    """Values of metrics for each game.

    Parameters
    ----------
    run : an open run
    names : metrics with one value per game (`per` is "game")
    arms : which; None: all
    oracle : whose win chances are read by metrics that need some

    Returns
    -------
    pandas.DataFrame, one row per game in the order of arms, replicates and rotations: arm (a
    category), game_id, replicate, rotation, truncated, then one column per metric: floats, NaN
    where undefined or where what it needs was not kept; text for metrics of kind "category"

    Raises
    ------
    RunError : if a name is no metric of the game, or one with a value per seat, or there is no such
        arm, or a file is missing or damaged, or the oracle has judged no game
    """
    return values_of(run, _find(run, names, "game"), arms=arms, oracle=oracle)[0]


def seat_values(
    run: Source,
    names: Iterable[str],
    *,
    arms: Sequence[str] | None = None,
    oracle: str = DEFAULT,
) -> pd.DataFrame:
    """Values of metrics for each seat of each game.

    Parameters
    ----------
    run : an open run
    names : metrics with one value per seat (`per` is "seat")
    arms : which; None: all
    oracle : whose win chances are read by metrics that need some

    Returns
    -------
    pandas.DataFrame, as from `game_values`, one row per game and seat, with the columns seat and
    agent (name of who sat there) behind game_id

    Raises
    ------
    RunError : as in `game_values`
    """
    return values_of(run, _find(run, names, "seat"), arms=arms, oracle=oracle)[1]


def summary(run: Source, name: str, *, arms: Sequence[str] | None = None) -> pd.DataFrame:
    """What a game counts by kind of its things, summed over the games of each arm.

    Parameters
    ----------
    run : an open run
    name : of a summary of the game (`reefsim.games.registry`)
    arms : which; None: all

    Returns
    -------
    pandas.DataFrame, one row per arm and kind: arm, the keys, the counts

    Raises
    ------
    RunError : if the game has no such summary, or as in `game_values`
    """
    import pandas as pd

    game = run.manifest["game"]
    known_ = registry.info(game).summaries if game in registry.names() else ()
    found = {summary.name: summary for summary in known_}
    if name not in found:
        there = f"There are: {', '.join(found) or 'none'}."
        raise RunError(sentences(f"'{name}' is not a summary.", did_you_mean(name, found), there))
    wanted = found[name]
    frames = [wanted.compute(part).assign(arm=arm) for arm, part in read_parts(run, [wanted], arms)]
    columns = ["arm", *wanted.keys, *wanted.counts]
    if not frames:
        return pd.DataFrame(columns=columns)
    by = ["arm", *wanted.keys]
    joined = pd.concat(frames, ignore_index=True).groupby(by, sort=False, as_index=False)
    summed: pd.DataFrame = joined[list(wanted.counts)].sum()[columns]
    return summed


def has_columns(run: Source, metric: Metric | Summary) -> bool:
    """Whether a run has all columns that a metric reads; runs of older versions may lack some."""
    columns = run.manifest.get("columns") or {}
    return all(set(names) <= set(columns.get(table, ())) for table, names in metric.reads.items())


def _find(run: Source, names: Iterable[str], per: Per) -> list[Metric]:
    metrics = known(run.manifest["game"])
    found = []
    for name in dict.fromkeys(names):
        if name not in metrics:
            question = did_you_mean(name, metrics)
            raise RunError(sentences(f"'{name}' is not a metric.", question))
        if metrics[name].per != per:
            other = {"game": "seat_values", "seat": "game_values"}[per]
            raise RunError(f"{name} has one value per {metrics[name].per}. Use {other}.")
        found.append(metrics[name])
    return found


def values_of(
    run: Source,
    metrics: Sequence[Metric],
    *,
    arms: Sequence[str] | None = None,
    oracle: str = DEFAULT,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Values of metrics of both kinds, read together.

    Parameters
    ----------
    run, arms, oracle : as for `game_values`
    metrics : with one value per game, or per seat

    Returns
    -------
    two pandas.DataFrame, as from `game_values` and from `seat_values`; the second has no rows if no
    metric has a value per seat

    Raises
    ------
    RunError : as in `game_values`
    """
    import pandas as pd

    of_games, of_seats = ([m for m in metrics if m.per == per] for per in ("game", "seat"))
    names = pd.CategoricalDtype([arm["name"] for arm in run.manifest["arms"]])
    games, seats = [], []
    for arm, part, values in value_batches(run, metrics, arms, oracle):
        keys = part.games.reset_index()[[*KEYS[1:]]]
        keys["arm"] = pd.Series(arm, index=keys.index, dtype=names)
        games.append(keys.assign(**{m.name: values[m.name] for m in of_games}))
        if of_seats:
            repeated = keys.loc[keys.index.repeat(part.seats)].reset_index(drop=True)
            seat = part.players.index.get_level_values("seat")
            agent = part.players["agent"].astype(str).array
            found = {m.name: values[m.name] for m in of_seats}
            seats.append(repeated.assign(seat=seat, agent=agent, **found))

    def join(frames: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
        if not frames:
            return pd.DataFrame(columns=columns)
        return pd.concat(frames, ignore_index=True)[columns]

    return (
        join(games, [*KEYS, *(m.name for m in of_games)]),
        join(seats, [*SEAT_KEYS, *(m.name for m in of_seats)]),
    )


def value_batches(
    run: Source,
    metrics: Sequence[Metric],
    arms: Sequence[str] | None = None,
    oracle: str = DEFAULT,
) -> Iterator[tuple[str, Part, dict[str, Any]]]:
    """Values of metrics, some games at a time.

    Parameters
    ----------
    run, arms, oracle : as for `game_values`
    metrics : with one value per game, or per seat

    Yields
    ------
    arm, tables of some of its games (whole replicates, in order), and by metric an array with a
    value for each row of `games` or `players`; undefined ones are NaN
    """
    for arm, part in read_parts(run, metrics, arms, oracle):
        yield arm, part, {metric.name: _column(metric, part) for metric in metrics}


def _column(metric: Metric, part: Part) -> Any:
    """Values of one metric on the rows of a part, undefined ones NaN."""
    index = (part.games if metric.per == "game" else part.players).index
    series = metric.compute(part)
    if series.index is not index:
        series = series.reindex(index)
    if metric.kind == "category":
        return series.astype(object).to_numpy()
    return series.astype("float64").to_numpy(np.float64, na_value=np.nan)


def read_parts(
    run: Source,
    metrics: Sequence[Metric | Summary],
    arms: Sequence[str] | None = None,
    oracle: str = DEFAULT,
) -> Iterator[tuple[str, Part]]:
    """Read what metrics need, some parts at a time.

    Events and traces, of which a game has hundreds, are read part by part.

    Parameters
    ----------
    run, arms, oracle : as for `game_values`
    metrics : whose columns, events and traces are read

    Yields
    ------
    arm, and the tables of some of its games: whole replicates, in order
    """
    reads: dict[str, set[str]] = {}
    for metric in metrics:
        for table, columns in metric.reads.items():
            reads.setdefault(table, set()).update(columns)
    events = {name for metric in metrics for name in metric.events}
    if any("events" in metric.reads and not metric.events for metric in metrics):
        events = set()  # one of them reads all
    rules = arm_rules(run.folder, run.manifest)
    places = run.parts(arms)
    asked = [m.name for m in metrics if isinstance(m, Metric) and m.oracle]
    if asked and places and not any(trace_path(run.folder, oracle, *at).exists() for at in places):
        raise RunError(
            f"{asked[0]} needs chances of winning, and the oracle '{oracle}' has judged no game "
            "of this run. `reefsim appraise` lets it do so."
        )
    most = 1 if asked or "events" in reads else PARTS_AT_ONCE
    for arm, of_arm in groupby(places, lambda place: place[0]):
        some = list(of_arm)
        for start in range(0, len(some), most):
            batch = some[start : start + most]
            paths = [trace_path(run.folder, oracle, *at) for at in batch] if asked else []
            yield arm, _read_part(run, batch, reads, events, paths, rules[arm])


def _read_part(
    run: Source,
    places: Sequence[tuple[str, int]],
    reads: Mapping[str, set[str]],
    events: set[str],
    traces: Sequence[Path],
    rules: Mapping[str, Any],
) -> Part:
    import pandas as pd

    seats = int(run.manifest["seats"])

    def read(table: str, base: Sequence[str], filters: Any = None) -> pd.DataFrame:
        columns = dict.fromkeys([*base, *sorted(reads.get(table, ()))])
        return run.table(table, list(columns), filters, places)

    games = read("games", ("game_id", "replicate", "rotation", "truncated")).set_index("game_id")
    players = read("players", ("game_id", "seat", "agent"))
    players["seat"] = players["seat"].astype("int64")
    turns = read("turns", ("game_id", "seat")) if "turns" in reads else None
    found, logged = None, games.index[:0]
    if "events" in reads:
        wanted = ds.field("event").isin(sorted(events)) if events else None
        found = read("events", ("game_id", "event"), wanted)
        kept = found if wanted is None else run.table("events", ["game_id"], None, places)
        logged = games.index.intersection(pd.Index(kept["game_id"].unique()))
    return Part(
        games=games,
        players=players.set_index(["game_id", "seat"]),
        turns=turns,
        events=found,
        logged=logged,
        traces={i: trace for path in traces for i, trace in read_traces(path, seats).items()},
        rules=rules,
        seats=seats,
    )
