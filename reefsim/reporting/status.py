"""How far a run is, read from its folder; safe while it is being played."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reefsim.logs.read import Run
from reefsim.stats.checks import floats
from reefsim.stats.course import claimed_series
from reefsim.stats.forecast import replicates_for_widths
from reefsim.stats.intervals import share
from reefsim.stats.replicates import replicate_means

_RECENT_S = 60.0


@dataclass(frozen=True)
class ArmStatus:
    """Replicates of an arm that are complete, and the most there can be."""

    arm: str
    replicates: int
    most: int


@dataclass(frozen=True)
class Status:
    """How far a run is.

    Attributes
    ----------
    games, most : finished games, and those of the plan (or of the run, once it ended)
    arms : by arm
    ended : replicates, stopped_by and look; None while it is going on, or was interrupted
    rate : games per second in the last minute in which any were played; NaN before that
    expected : games after which the stopping rule is expected to end the run, if it stops on the
        width of intervals and the spread stays; else `most`
    seconds_left : until the games expected are played at that rate; NaN if unknown
    last : when the last piece of work that is on disk was done; None before that
    truncated, truncated_high : games that a limit cut short, and the upper end of their share
    failed : games that were given up, because a player or a rule failed in them
    failure : why the run itself was given up, if it was
    estimates : one row per primary outcome (or the first seat's share, without one), arm and seat:
        outcome, seat, unit, kind, arm, against, claim, null, replicates, estimate, low, high; the
        intervals hold at every look
    """

    games: int
    most: int
    arms: tuple[ArmStatus, ...]
    ended: Mapping[str, Any] | None
    rate: float
    expected: int
    seconds_left: float
    last: pd.Timestamp | None
    truncated: int
    truncated_high: float
    failed: int
    failure: str
    estimates: pd.DataFrame


def find_status(run: Run) -> Status:
    """Read how far a run is.

    Parameters
    ----------
    run : opened just now; parts that are written later are not seen
    """
    games = run.table("games", ["arm", "replicate", "truncated"])
    timing = run.table("timing", ["games", "seconds", "started"])
    counts = games.groupby("arm", observed=False)["replicate"].nunique()
    arms = tuple(
        ArmStatus(arm["name"], int(counts.get(arm["name"], 0)), int(arm["replicates"]))
        for arm in run.manifest["arms"]
    )
    most = sum(int(arm["games"]) for arm in run.manifest["arms"])
    rate, last = _rate(timing)
    expected = _expected(run, most) if len(games) else most
    left = max(0, expected - len(games)) / rate if rate > 0 else math.nan
    cut = int(games["truncated"].sum()) if len(games) else 0
    means = floats(replicate_means(games["truncated"], games["replicate"]))
    return Status(
        games=len(games),
        most=most,
        arms=arms,
        ended=run.manifest.get("ended"),
        rate=rate,
        expected=expected,
        seconds_left=left,
        last=last,
        truncated=cut,
        truncated_high=share(means, len(games)).high,
        failed=run.num_failed,
        failure=str((run.manifest.get("volatile") or {}).get("failure", "")),
        estimates=_estimates(run),
    )


def _expected(run: Run, most: int) -> int:
    """Games until the intervals are narrow enough, by the spread so far."""
    rule = run.manifest.get("stopping") or {}
    if run.manifest.get("ended") or not rule.get("half_widths"):
        return most
    needed = replicates_for_widths(run, rule["half_widths"])
    every = int(rule["look_every"])
    look = max(int(rule["replicates"]["min"]), every * math.ceil(needed / every))
    replicates = int(run.manifest["arms"][0]["replicates"])
    return most * min(look, replicates) // replicates


def _rate(timing: pd.DataFrame) -> tuple[float, pd.Timestamp | None]:
    """Games per second in the last minute of work, and when that ended."""
    if not len(timing):
        return math.nan, None
    seconds = pd.to_timedelta(timing["seconds"], unit="s")
    ends = timing["started"] + seconds
    last = ends.max()
    recent = ends >= last - pd.Timedelta(seconds=_RECENT_S)
    begun = timing["started"][recent].min()
    elapsed = max((last - begun).total_seconds(), 1e-3)
    return float(timing["games"][recent].sum()) / elapsed, last


def _estimates(run: Run) -> pd.DataFrame:
    rows = []
    for series in claimed_series(run):
        claim, x = series.claim, series.values
        low, high = series.interval(len(x)) if len(x) else (math.nan, math.nan)
        rows.append(
            {
                "outcome": claim.outcome,
                "seat": claim.seat,
                **claim.measure,
                "arm": claim.arm,
                "against": claim.against,
                "claim": claim.claim,
                "null": claim.null,
                "replicates": len(x),
                "estimate": float(x.mean()) if len(x) else math.nan,
                "low": low,
                "high": high,
            }
        )
    return pd.DataFrame(rows)
