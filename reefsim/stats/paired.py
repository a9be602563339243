"""Differences between arms, replicate by replicate.

The arms of a paired experiment share the shuffle of each replicate, so the difference within a
replicate is freed of what the shuffle does to both. How much that helps is measured, never
assumed: the pairing gain is the variance of the difference of independent runs over that of the
paired one. Below 1, sharing shuffles did harm, and the interval is the unpaired one.

References
----------
McNemar (1947), with the mid-p of Fagerland, Lydersen & Laake (2013); Newcombe (1998) and Zou &
Donner (2008) for differences of shares by squaring and adding; Fisher (1935) for sign flips;
Westfall & Young (1993) for the largest t of several metrics.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats

from reefsim.metrics.from_tables import exact_shares
from reefsim.stats.checks import FloatArray, is_constant, numbers, tallies, whole
from reefsim.stats.intervals import Estimate, mean, share
from reefsim.stats.proportions import LEVEL, Interval, binomial_test
from reefsim.stats.replicates import with_games
from reefsim.stats.student import of_difference

COLUMNS = (
    *("arm", "baseline", "measure", "unit", "value", "baseline_value"),
    *("difference", "low", "high", "replicates", "paired", "gain", "identical", "method", "note"),
)
LENGTHS = ("turns", "rounds")
EXACT_FLIPS = 18  # with more replicates that differ, sign flips are drawn, not listed
FEW = 5  # differing pairs below which the interval of a difference is not to be trusted


class McNemar(NamedTuple):
    """Two arms, win or loss in each pair: tests, and the difference of the two shares.

    `statistic` and `p` are those of chi-square without continuity correction; `corrected` and
    `corrected_p` have it.
    """

    statistic: float
    p: float
    exact_p: float
    mid_p: float
    diff: float
    se: float
    corrected: float
    corrected_p: float


class SignFlip(NamedTuple):
    """p by sign flips: of each metric, and adjusted for all of them by the largest t.

    Both are numbers for one metric and arrays for several. `exact`: whether every pattern of signs
    was listed; `flips`: how many were compared.
    """

    p: Any
    max_t_p: Any
    exact: bool
    flips: int


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


def list_pairs(
    games: pd.DataFrame,
    players: pd.DataFrame,
    baselines: Mapping[str, str],
    measure: str = "score_mean",
) -> pd.DataFrame:
    """Both values of each pair of replicates, to see whether sharing their shuffles helped.

    Parameters
    ----------
    games, players : tables of a run
    baselines : baseline of each arm that is compared
    measure : one of `MEASURES`

    Returns
    -------
    pandas.DataFrame
        One row per arm and replicate: baseline, value, baseline_value, and identical (whether all
        games of the pair are alike in length, end and scores).
    """
    arms = {*baselines, *baselines.values()}
    means = {arm: _replicate_means(games[games["arm"] == arm], players) for arm in arms}
    parts = []
    for arm, baseline in baselines.items():
        common = means[arm].index.intersection(means[baseline].index)
        ours, theirs = means[arm].loc[common], means[baseline].loc[common]
        parts.append(
            pd.DataFrame(
                {
                    "arm": arm,
                    "baseline": baseline,
                    "replicate": common,
                    "value": ours[measure].to_numpy(float),
                    "baseline_value": theirs[measure].to_numpy(float),
                    "identical": (ours["print"] == theirs["print"]).to_numpy(),
                }
            )
        )
    columns = ["arm", "baseline", "replicate", "value", "baseline_value", "identical"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


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
    """Interval for the mean of `a` minus that of `b`.

    Paired, that of the mean of the differences. Unpaired, of shares: their own intervals, squared
    and added (Newcombe 1998; Zou & Donner 2008); of other values: Welch's (see `student`).

    Parameters
    ----------
    a, b : float arrays, one value per replicate; the same replicates in the same order if paired
    paired : whether `a` and `b` share their replicates
    bounds : lowest and highest possible difference, (-1, 1) for shares; None if unbounded

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
        if differing == 0 and len(a) > 1:
            return replace(estimate, note=f"none of {len(a)} pairs differs")
        return estimate
    value, n = _mean(a) - _mean(b), min(len(a), len(b))
    if n < 2 or (bounds is None and is_constant(a) and is_constant(b)):
        return Estimate(value, np.nan, np.nan, np.nan, n, "none", "no spread to judge by")
    sd = float(np.sqrt(a.var(ddof=1) + b.var(ddof=1)))
    if bounds is not None:
        low, high = _square_and_add(share(a, math.inf), share(b, math.inf))
        return Estimate(value, low, high, sd, n, "newcombe")
    low, high = of_difference(a, b).interval(LEVEL)
    return Estimate(value, low, high, sd, n, "welch")


def _square_and_add(a: Estimate, b: Estimate) -> Interval:
    """Interval of a difference from those of both values."""
    value = a.value - b.value
    low = value - math.hypot(a.value - a.low, b.high - b.value)
    high = value + math.hypot(a.high - a.value, b.value - b.low)
    return Interval(max(-1.0, low), min(1.0, high))


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


def mcnemar(table: Any) -> McNemar:
    """Test of two arms that win or lose the same replicates, one game each.

    With several rotations per replicate the games of a pair are no single win or loss: use
    `difference` or `sign_flip` on the replicates instead.

    Parameters
    ----------
    table : whole numbers, shape (2, 2): rows first arm won, lost; columns second arm won, lost

    Returns
    -------
    McNemar
        statistic, p, exact_p, mid_p, diff, se, corrected, corrected_p. diff is the share that
        the first arm won minus that of the second, se its Wald standard error. Without
        discordant pairs the statistics are 0 and every p is 1.

    Raises
    ------
    ValueError
        If the table is not 2 by 2 or holds no pair.
    """
    pairs = tallies("table", table, ndim=2)
    if pairs.shape != (2, 2) or pairs.sum() == 0:
        raise ValueError(f"table must be 2 by 2 with at least one pair; found {pairs.tolist()}")
    first, second, n = pairs[0, 1], pairs[1, 0], pairs.sum()
    diff = float((first - second) / n)
    se = float(np.sqrt(max(0.0, (first + second) / n - diff**2) / n))
    if first + second == 0:
        return McNemar(0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    from statsmodels.stats.contingency_tables import mcnemar as test

    plain = test(pairs, exact=False, correction=False)
    corrected = max(0.0, abs(first - second) - 1) ** 2 / (first + second)
    exact = binomial_test(int(first), int(first + second))
    return McNemar(
        float(plain.statistic),
        float(plain.pvalue),
        exact.p,
        exact.mid_p,
        diff,
        se,
        float(corrected),
        float(scipy.stats.chi2.sf(corrected, 1)),
    )


def sign_flip(d: Any, draws: int = 20_000, seed: int = 0) -> SignFlip:
    """Two-sided test that differences are symmetric around 0, by flipping signs of replicates.

    Parameters
    ----------
    d : differences, shape (replicates,), or (replicates, metrics) whose rows are flipped together
    draws : patterns of signs drawn where more than `EXACT_FLIPS` replicates differ
    seed : of the draws

    Returns
    -------
    SignFlip
        p, max_t_p, exact, flips. max_t_p is the chance that the largest abs(t) of all metrics
        reaches that of this one, which holds the error of all claims together (single-step
        Westfall-Young) and uses their correlation. Drawn patterns count the observed one, so p
        is never 0. Zeros stay in; if all differences are 0, p is 1.

    Raises
    ------
    ValueError
        If there is no replicate or a value is missing.
    """
    ndim = 2 if np.ndim(d) == 2 else 1
    table = numbers("d", d, ndim=ndim).reshape(len(d), -1)
    draws = whole("draws", draws, 1)
    metrics = table.shape[1]
    # with all t of the same n, t grows with the sum over the root of the sum of squares
    scale = np.sqrt((table**2).sum(axis=0))
    units = np.divide(table, scale, out=np.zeros_like(table), where=scale > 0)
    units = units[(units != 0).any(axis=1)]
    observed = np.abs(units.sum(axis=0)) - 1e-10
    exact = len(units) <= EXACT_FLIPS
    alone, largest, total = np.zeros(metrics), np.zeros(metrics), 0
    for signs in _signs(len(units), exact, draws, np.random.default_rng(seed)):
        sums = np.abs(signs @ units)
        alone += (sums >= observed).sum(axis=0)
        largest += (sums.max(axis=1)[:, None] >= observed).sum(axis=0)
        total += len(signs)
    counted = 0 if exact else 1
    p, max_t_p = (alone + counted) / (total + counted), (largest + counted) / (total + counted)
    if ndim == 1:
        return SignFlip(float(p[0]), float(max_t_p[0]), exact, total)
    return SignFlip(p, max_t_p, exact, total)


def _signs(
    n: int, exact: bool, draws: int, rng: np.random.Generator, chunk: int = 4096
) -> Iterator[FloatArray]:
    """Patterns of signs, a chunk at a time: all of them, or so many at random."""
    total = 2**n if exact else draws
    for start in range(0, total, chunk):
        size = min(chunk, total - start)
        if exact:
            bits = (np.arange(start, start + size)[:, None] >> np.arange(n)) & 1
        else:
            bits = rng.integers(2, size=(size, n))
        yield np.asarray(2 * bits - 1, dtype=np.float64)


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _replicate_means(games: pd.DataFrame, players: pd.DataFrame) -> pd.DataFrame:
    """Measures by replicate, its number of truncated games, and a fingerprint of all its games."""
    frame = with_games(players, games, ["replicate", "rotation"], ["seat", "score", "win_share"])
    frame = frame.assign(win_share=exact_shares(frame["win_share"]))
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
