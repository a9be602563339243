"""Differences between arms, replicate by replicate.

The arms of a paired experiment share the shuffle of each replicate, so the difference within a
replicate is freed of what the shuffle does to both. How much that helps is measured, never
assumed: the pairing gain is the variance of the difference of independent runs over that of the
paired one. Below 1, sharing shuffles did harm, and the interval is the unpaired one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from reefsim.stats.intervals import LEVEL, Estimate, FloatArray, is_constant, mean
from reefsim.stats.replicates import win_shares, with_games

COLUMNS = (
    *("arm", "baseline", "measure", "unit", "value", "baseline_value"),
    *("difference", "low", "high", "replicates", "paired", "gain", "identical", "method", "note"),
)
LENGTHS = ("turns", "rounds")
FEW = 5  # differing pairs below which the interval of a difference is not to be trusted


class Measure(NamedTuple):
    """Something compared between arms: its unit, its possible range, and its replicate means."""

    name: str
    unit: str
    bounds: tuple[float, float] | None


MEASURES = (
    Measure("first_seat_share", "share", (-1.0, 1.0)),
    Measure("score_mean", "points", None),
    *(Measure(length, length, None) for length in LENGTHS),
)


def compare_arms(
    games: pd.DataFrame,
    players: pd.DataFrame,
    baselines: Mapping[str, str],
    paired: bool = True,
) -> pd.DataFrame:
    """Difference of each arm from its baseline in first-seat share, score and length.

    Parameters
    ----------
    games, players : tables of a run
    baselines : baseline of each arm that is compared
    paired : whether arms share the shuffles of a replicate

    Returns
    -------
    pandas.DataFrame
        One row per arm and measure, in the measure's unit: value and baseline_value; difference
        (value - baseline_value over the same replicates) with low and high; replicates (pairs,
        or the smaller arm's if unpaired); paired: whether the interval is; gain: Var(independent)
        / Var(paired); identical: share of pairs whose games are alike in length, end and scores.
        Gain and identical are NaN if the experiment is not paired. Truncated games count with
        the length they reached (a restricted mean), and the note says so.
    """
    arms = {*baselines, *baselines.values()}
    means = {arm: _replicate_means(games[games["arm"] == arm], players) for arm in arms}
    rows = []
    for arm, baseline in baselines.items():
        ours, theirs = means[arm], means[baseline]
        identical = float("nan")
        if paired:
            common = ours.index.intersection(theirs.index)
            ours, theirs = ours.loc[common], theirs.loc[common]
            identical = float((ours["print"] == theirs["print"]).mean())
        cut = int(ours["truncated"].sum() + theirs["truncated"].sum())
        for measure in MEASURES:
            a, b = ours[measure.name].to_numpy(float), theirs[measure.name].to_numpy(float)
            row = _compare(a, b, paired, measure.bounds)
            row |= {"arm": arm, "baseline": baseline, "identical": identical}
            row |= {"measure": measure.name, "unit": measure.unit}
            if cut and measure.name in LENGTHS:
                row["note"] = f"{cut} truncated games count with the length they reached"
            rows.append(row)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _compare(
    a: FloatArray, b: FloatArray, paired: bool, bounds: tuple[float, float] | None
) -> dict[str, Any]:
    gain = pairing_gain(a, b) if paired else float("nan")
    is_paired = paired and not gain < 1
    estimate = difference(a, b, is_paired, bounds)
    return {
        **estimate.row(),
        "difference": estimate.value,
        "value": _mean(a),
        "baseline_value": _mean(b),
        "paired": is_paired,
        "gain": gain,
    }


def difference(
    a: FloatArray, b: FloatArray, paired: bool, bounds: tuple[float, float] | None = None
) -> Estimate:
    """Interval for the mean of `a` minus that of `b`: t on differences if paired, else Welch.

    Parameters
    ----------
    a, b : float arrays, one value per replicate; the same replicates in the same order if paired
    paired : whether `a` and `b` share their replicates
    bounds : lowest and highest possible difference; None if unbounded

    Returns
    -------
    Estimate
        In the unit of the values.
    """
    if paired:
        estimate = mean(a - b, bounds)
        differing = int((a != b).sum())
        if 0 < differing < min(FEW, len(a)):
            return replace(estimate, note=f"only {differing} of {len(a)} pairs differ")
        return estimate
    value, n = _mean(a) - _mean(b), min(len(a), len(b))
    if n < 2 or (is_constant(a) and is_constant(b)):
        return Estimate(value, np.nan, np.nan, np.nan, n, "none", "no spread to judge by")
    interval = scipy.stats.ttest_ind(a, b, equal_var=False).confidence_interval(LEVEL)
    sd = float(np.sqrt(a.var(ddof=1) + b.var(ddof=1)))
    return Estimate(value, float(interval.low), float(interval.high), sd, n, "welch")


def pairing_gain(a: FloatArray, b: FloatArray) -> float:
    """Divide the variance of independent differences by that of paired ones.

    Returns
    -------
    float
        Replicates saved by pairing, as a factor; inf if all differences are equal; NaN if
        nothing varies at all, or with fewer than two pairs.
    """
    if len(a) < 2:
        return float("nan")
    independent = float(a.var(ddof=1) + b.var(ddof=1))
    if not is_constant(a - b):
        return independent / float((a - b).var(ddof=1))
    return float("inf") if independent > 0 else float("nan")


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _replicate_means(games: pd.DataFrame, players: pd.DataFrame) -> pd.DataFrame:
    """Measures by replicate, its number of truncated games, and a fingerprint of all its games."""
    frame = with_games(players, games, ["replicate", "rotation"], ["seat", "score", "win_share"])
    frame = frame.assign(win_share=win_shares(frame["win_share"]))
    of_games, of_seats = games.groupby("replicate"), frame.groupby("replicate")
    first_seats = frame[frame["seat"] == 0].groupby("replicate")
    # sums of 64-bit hashes: equal for equal games, in whatever order the rows stand
    ends = games[["rotation", "turns", "plies"]].assign(end_cause=games["end_cause"].astype(str))
    end_prints = pd.util.hash_pandas_object(ends, index=False)
    seat_prints = pd.util.hash_pandas_object(frame[["rotation", "seat", "score"]], index=False)
    prints = end_prints.groupby(games["replicate"]).sum()
    prints += seat_prints.groupby(frame["replicate"]).sum()
    lengths: pd.DataFrame = of_games[list(LENGTHS)].mean()
    return lengths.assign(
        truncated=of_games["truncated"].sum(),
        first_seat_share=first_seats["win_share"].mean(),
        score_mean=of_seats["score"].mean(),
        print=prints,
    )
