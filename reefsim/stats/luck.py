"""How much of a result the shuffle decides, and how far repeated measurements agree.

References
----------
Shrout & Fleiss (1979) for the six coefficients; Searle, Casella & McCulloch (1992) for variance
components by analysis of variance.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.stats
from scipy.special import entr

from reefsim.stats.checks import FloatArray, numbers
from reefsim.stats.proportions import Interval
from reefsim.stats.replicates import with_games
from reefsim.stats.student import expanded_tail


class Icc(NamedTuple):
    """Intraclass correlations of Shrout and Fleiss, in their order.

    `icc11` raters differ from target to target; `icc21` raters are a sample; `icc31` they are
    these and no others. `icc1k` to `icc3k`: the same for means over all raters.
    """

    icc11: float
    icc21: float
    icc31: float
    icc1k: float
    icc2k: float
    icc3k: float


class ShuffleLuck(NamedTuple):
    """What the shuffle decides, from repeats of the same shuffles.

    `rho` is the share of the variance that lies between shuffles; `entropy` the mean of what
    remains open once the shuffle is known, in bits (1: a coin, 0: decided).
    """

    between: float
    within: float
    rho: float
    chi2: float
    p: float
    entropy: float


class Components(NamedTuple):
    """Variance that agents, shuffles, their interaction and the rest contribute, each 0 or more."""

    agents: float
    shuffles: float
    interaction: float
    residual: float


def icc(table: Any) -> Icc:
    """Six intraclass correlations of a table of targets and raters.

    Targets are what is measured (shuffles, say), raters what measures it (repeats, agents).

    Parameters
    ----------
    table : shape (targets, raters), at least 2 by 2, any unit

    Returns
    -------
    Icc
        (1,1), (2,1), (3,1), (1,k), (2,k), (3,k); at most 1, and negative where targets differ
        less than chance alone would make them. 0 if nothing varies at all; -inf for the means
        over raters if only the targets' means do not vary.

    Raises
    ------
    ValueError
        If the table is smaller than 2 by 2 or a value is missing.
    """
    data = _table("table", table, 2)
    n, k = data.shape
    between, columns, error, within = _mean_squares(data)
    return Icc(
        _ratio(between - within, between + (k - 1) * within),
        _ratio(between - error, between + (k - 1) * error + k * (columns - error) / n),
        _ratio(between - error, between + (k - 1) * error),
        _ratio(between - within, between),
        _ratio(between - error, between + (columns - error) / n),
        _ratio(between - error, between),
    )


def shuffle_luck(table: Any) -> ShuffleLuck:
    """Share of a seat's wins that the shuffle decides, with the agents fixed.

    Parameters
    ----------
    table : win shares in [0, 1], shape (shuffles, repeats), at least 2 by 2

    Returns
    -------
    ShuffleLuck
        between and within: mean squares; rho: ICC (1,1); chi2 and p: test that all shuffles are
        alike, on shuffles - 1 degrees of freedom (Pearson's for whole wins); entropy. If nothing
        varies, all are 0 but p, which is 1.
    """
    data = _table("table", table, 2, low=0.0, high=1.0)
    shuffles, repeats = data.shape
    between, _, _, within = _mean_squares(data)
    shares = data.mean(axis=1)
    bits = (entr(shares) + entr(1 - shares)) / math.log(2)
    total = float(data.var())
    chi2 = between * (shuffles - 1) / total if total > 1e-12 else 0.0
    p = float(scipy.stats.chi2.sf(chi2, shuffles - 1))
    rho = _ratio(between - within, between + (repeats - 1) * within)
    return ShuffleLuck(between, within, rho, chi2, p, float(bits.mean()))


def wins_by_shuffle(games: pd.DataFrame, players: pd.DataFrame) -> pd.DataFrame:
    """How many games of one shuffle the first seat wins, against shuffles that decide nothing.

    The seatings of a line-up replay each shuffle with other agents in the seats. If shuffles were
    all alike, the games of a shuffle would be won independently, each with the chance that the
    first seat has under that seating.

    Parameters
    ----------
    games, players : tables of a run; arms with one seating only have nothing to compare

    Returns
    -------
    pandas.DataFrame, one row per arm and number of games won (by the first seat, alone): arm,
    seatings, won, shuffles, share (of the shuffles), expected (the same if shuffles were alike),
    rho (variance between shuffles in the games of one seating, ICC (3,1)) with low and high, by
    the bootstrap over shuffles (`student.expanded_tail`)
    """
    first = players[players["seat"] == 0]
    frame = with_games(first, games, ["arm", "replicate", "rotation"], ["win_share"])
    frame = frame.assign(won=(frame["win_share"] > 0.99) * 1.0)
    rows = []
    for arm, part in frame.groupby("arm", observed=True, sort=False):
        table = part.pivot_table(index="replicate", columns="rotation", values="won").dropna()
        seatings = table.shape[1]
        if seatings < 2 or len(table) < 2:
            continue
        chances = np.ones(1)
        for chance in table.mean():
            chances = np.convolve(chances, [1 - chance, chance])
        counts = np.bincount(table.sum(axis=1).to_numpy(int), minlength=seatings + 1)
        rho = icc(table).icc31
        low, high = _rho_interval(table.to_numpy(float))
        rows += [
            {
                "arm": arm,
                "seatings": seatings,
                "won": won,
                "shuffles": int(counts[won]),
                "share": float(counts[won] / len(table)),
                "expected": float(chances[won]),
                "rho": rho,
                "low": low,
                "high": high,
            }
            for won in range(seatings + 1)
        ]
    columns = ["arm", "seatings", "won", "shuffles", "share", "expected", "rho", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _rho_interval(table: FloatArray, resamples: int = 1000, seed: int = 1) -> Interval:
    """Expanded percentiles of ICC (3,1) over resampled shuffles."""
    n, k = table.shape
    means = table.mean(axis=1)
    of_row = np.column_stack([table, means**2, (table**2).sum(axis=1)])
    rng = np.random.default_rng(seed)
    drawn = np.array(
        [np.bincount(rng.integers(n, size=n), minlength=n) @ of_row for _ in range(resamples)]
    )
    columns = drawn[:, :k] / n
    mean = columns.mean(axis=1)
    rows_ss = k * (drawn[:, k] - n * mean**2)
    columns_ss = n * ((columns - mean[:, None]) ** 2).sum(axis=1)
    rows_ms = rows_ss / (n - 1)
    rest = drawn[:, k + 1] - n * k * mean**2 - rows_ss - columns_ss
    rest_ms = rest / ((n - 1) * (k - 1))
    varies = (rows_ms + (k - 1) * rest_ms) > 1e-12
    rho = (rows_ms - rest_ms)[varies] / (rows_ms + (k - 1) * rest_ms)[varies]
    if not len(rho):
        return Interval(math.nan, math.nan)
    tail = expanded_tail(n)
    low, high = np.quantile(rho, [tail, 1 - tail])
    return Interval(float(low), float(high))


def variance_components(table: Any) -> Components:
    """Variance between agents, between shuffles, of their interaction, and within repeats.

    Parameters
    ----------
    table : scores, shape (agents, shuffles, repeats), each at least 2. A table without repeats
        has shape (agents, shuffles); its interaction is then part of the residual

    Returns
    -------
    Components
        In the squared unit of the scores; estimates below 0 are set to 0.
    """
    ndim = 3 if np.ndim(table) == 3 else 2
    data = _table("table", table, ndim)
    cells = data if ndim == 2 else data.mean(axis=2)
    repeats = 1 if ndim == 2 else data.shape[2]
    agents, shuffles = cells.shape
    of_agents, of_shuffles, of_cells, _ = (repeats * square for square in _mean_squares(cells))
    residual = of_cells if ndim == 2 else float(data.var(axis=2, ddof=1).mean())
    return Components(
        max(0.0, (of_agents - of_cells) / (shuffles * repeats)),
        max(0.0, (of_shuffles - of_cells) / (agents * repeats)),
        0.0 if ndim == 2 else max(0.0, (of_cells - residual) / repeats),
        residual,
    )


def _mean_squares(data: FloatArray) -> tuple[float, float, float, float]:
    """Mean squares of rows, of columns, of the rest of both, and within rows."""
    n, k = data.shape
    rows, columns = data.mean(axis=1), data.mean(axis=0)
    grand = float(data.mean())
    rest = data - rows[:, None] - columns[None, :] + grand
    squares = (
        k * float(((rows - grand) ** 2).sum()) / (n - 1),
        n * float(((columns - grand) ** 2).sum()) / (k - 1),
        float((rest**2).sum()) / ((n - 1) * (k - 1)),
        float(((data - rows[:, None]) ** 2).sum()) / (n * (k - 1)),
    )
    rounding = 1e-20 * float((data**2).sum())
    between, of_columns, error, within = (s if s > rounding else 0.0 for s in squares)
    return between, of_columns, error, within


def _ratio(above: float, below: float) -> float:
    if below == 0:
        return 0.0 if above == 0 else math.copysign(math.inf, above)
    return above / below


def _table(
    name: str, values: Any, ndim: int, low: float = -math.inf, high: float = math.inf
) -> FloatArray:
    data = numbers(name, values, ndim=ndim, least=2, low=low, high=high)
    if min(data.shape) < 2:
        raise ValueError(f"{name} has shape {data.shape}; every side must be at least 2")
    return data
