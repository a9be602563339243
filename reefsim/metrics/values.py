"""Values of metrics, game by game and seat by seat.

Tables may be large, so part files are read one after the other, of each only the columns and the
events that the metrics asked for read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import pyarrow.dataset as ds

from reefsim.core.metric import Metric, Part, Summary
from reefsim.core.wording import did_you_mean, sentences
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.metrics.catalog import known
from reefsim.metrics.trace_files import DEFAULT, read_traces, trace_path

if TYPE_CHECKING:
    import pandas as pd

KEYS = ("arm", "game_id", "replicate", "rotation", "truncated")
SEAT_KEYS = (*KEYS[:2], "seat", "agent", *KEYS[2:])


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
    return _values(run, _find(run, names, "game"), arms, "game", oracle)


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
    return _values(run, _find(run, names, "seat"), arms, "seat", oracle)


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
    frames = [
        wanted.compute(part).assign(arm=place[0]) for place, part in read_parts(run, [wanted], arms)
    ]
    columns = ["arm", *wanted.keys, *wanted.counts]
    if not frames:
        return pd.DataFrame(columns=columns)
    by = ["arm", *wanted.keys]
    joined = pd.concat(frames, ignore_index=True).groupby(by, sort=False, as_index=False)
    summed: pd.DataFrame = joined[list(wanted.counts)].sum()[columns]
    return summed


def _find(run: Source, names: Iterable[str], per: Literal["game", "seat"]) -> list[Metric]:
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


def _values(
    run: Source,
    metrics: Sequence[Metric],
    arms: Sequence[str] | None,
    per: Literal["game", "seat"],
    oracle: str,
) -> pd.DataFrame:
    import pandas as pd

    keys = KEYS if per == "game" else SEAT_KEYS
    frames = []
    for place, part in read_parts(run, metrics, arms, oracle):
        of_games = part.games[["replicate", "rotation", "truncated"]]
        frame = of_games if per == "game" else of_games.reindex(part.players.index, level="game_id")
        columns: dict[str, Any] = {"arm": place[0]}
        if per == "seat":
            columns["agent"] = part.players["agent"].astype(str)
        frame = frame.assign(**columns)
        found = {metric.name: _column(metric, part, frame.index) for metric in metrics}
        frame = pd.concat([frame, pd.DataFrame(found, index=frame.index)], axis=1)
        frames.append(frame.reset_index()[[*keys, *found]])
    if not frames:
        return pd.DataFrame(columns=[*keys, *(metric.name for metric in metrics)])
    joined = pd.concat(frames, ignore_index=True)
    names = [arm["name"] for arm in run.manifest["arms"]]
    return joined.assign(arm=pd.Categorical(joined["arm"], names))


def _column(metric: Metric, part: Part, index: Any) -> Any:
    """Values of one metric on the rows of a part, undefined ones NaN."""
    series = metric.compute(part)
    if metric.kind == "category":
        return series.astype(object).reindex(index)
    return series.astype("float64").reindex(index).to_numpy(np.float64, na_value=np.nan)


def read_parts(
    run: Source,
    metrics: Sequence[Metric | Summary],
    arms: Sequence[str] | None = None,
    oracle: str = DEFAULT,
) -> Iterator[tuple[tuple[str, int], Part]]:
    """Read what metrics need, part by part.

    Parameters
    ----------
    run, arms, oracle : as for `game_values`
    metrics : whose columns, events and traces are read

    Yields
    ------
    arm and number of the part, and its tables
    """
    reads: dict[str, set[str]] = {}
    for metric in metrics:
        for table, columns in metric.reads.items():
            reads.setdefault(table, set()).update(columns)
    events = {name for metric in metrics for name in metric.events}
    if any("events" in metric.reads and not metric.events for metric in metrics):
        events = set()  # one of them reads all
    rules = {arm["name"]: arm["rules"] for arm in run.manifest["arms"]}
    places = run.parts(arms)
    asked = [m.name for m in metrics if isinstance(m, Metric) and m.oracle]
    if asked and places and not any(_trace_path(run, oracle, place).exists() for place in places):
        raise RunError(
            f"{asked[0]} needs chances of winning, and the oracle '{oracle}' has judged no game "
            "of this run. `reefsim appraise` lets it do so."
        )
    for place in places:
        part = _read_part(run, place, reads, events, rules[place[0]])
        if asked:
            found = read_traces(_trace_path(run, oracle, place), part.seats)
            part = replace(part, traces=found)
        yield place, part


def _trace_path(run: Source, oracle: str, place: tuple[str, int]) -> Path:
    return trace_path(run.folder, oracle, *place)


def _read_part(
    run: Source,
    place: tuple[str, int],
    reads: Mapping[str, set[str]],
    events: set[str],
    rules: Mapping[str, Any],
) -> Part:
    import pandas as pd

    def read(table: str, base: Sequence[str], filters: Any = None) -> pd.DataFrame:
        columns = dict.fromkeys([*base, *sorted(reads.get(table, ()))])
        return run.table(table, list(columns), filters, [place])

    games = read("games", ("game_id", "replicate", "rotation", "truncated")).set_index("game_id")
    players = read("players", ("game_id", "seat", "agent"))
    players["seat"] = players["seat"].astype("int64")
    turns = read("turns", ("game_id", "seat")) if "turns" in reads else None
    found, logged = None, games.index[:0]
    if "events" in reads:
        wanted = ds.field("event").isin(sorted(events)) if events else None
        found = read("events", ("game_id", "event"), wanted)
        kept = found if wanted is None else run.table("events", ["game_id"], None, [place])
        logged = games.index.intersection(pd.Index(kept["game_id"].unique()))
    return Part(
        games=games,
        players=players.set_index(["game_id", "seat"]),
        turns=turns,
        events=found,
        logged=logged,
        traces={},
        rules=rules,
        seats=int(run.manifest["seats"]),
    )
