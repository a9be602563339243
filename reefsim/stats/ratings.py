"""Strengths from comparisons: Bradley-Terry from wins, Plackett-Luce from finishing orders.

Both models give item i the strength s_i; of some items the next best is i with chance
``exp(s_i) / sum(exp(s))``. They are fitted by maximum likelihood: with choix, or by Newton's method
where wins are so lopsided that choix's iteration hardly moves. A finite maximum
exists only if a chain of wins leads from every item to every other (Ford 1957); an item that is
undefeated, without a win, or never compared breaks the chain. Then choix's regularization takes
over, the strengths are finite but their size is that of the regularization, and `components` tells.

References
----------
Bradley & Terry (1952); Plackett (1975); Luce (1959); Ford (1957), "Solution of a ranking problem
from binary comparisons"; Maystre & Grossglauser (2015) for the algorithm.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence
from typing import Any

import choix
import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from reefsim.stats.checks import FloatArray

ALPHA = 0.1  # of choix, where there is no finite maximum
_MAX_ITER = 200  # near the edge of a finite maximum the iteration takes thousands


def bradley_terry(wins_matrix: npt.ArrayLike, start: FloatArray | None = None) -> FloatArray:
    """Strengths of items from wins in pairs.

    Parameters
    ----------
    wins_matrix : shape (items, items); wins_matrix[i, j] counts how often i beat j. A shared win
        counts half for each, so counts need not be whole. The diagonal is ignored.
    start : strengths to start from; makes a fit near known ones faster

    Returns
    -------
    float array, shape (items,)
        Log-strengths with mean 0. Regularized with `ALPHA` if `components` finds more than one.

    Raises
    ------
    ValueError
        If the counts are not a square matrix of finite numbers of at least 0.

    Examples
    --------
    >>> strong, weak = bradley_terry([[0, 3], [1, 0]])
    >>> round(strong - weak, 6) == round(np.log(3), 6)
    True
    """
    counts = _counts(wins_matrix)
    if len(counts) < 2:
        return np.zeros(len(counts))
    is_one = components(counts).max() == 0
    # dense counts: the number of items sets the time of a fit, not that of games
    try:
        found = choix.ilsr_pairwise_dense(
            counts, 0.0 if is_one else ALPHA, start, max_iter=_MAX_ITER
        )
    except RuntimeError:  # it has not converged
        first, second = np.nonzero(counts)
        items = np.eye(len(counts))
        found = _newton(first, items[first] + items[second], counts[first, second])
    return np.asarray(found)


def plackett_luce(rankings: Sequence[Sequence[int]]) -> FloatArray:
    """Strengths of items from rankings.

    Parameters
    ----------
    rankings : each the items 0, 1, ... of one comparison, best first; copies of an item may stand
        at several places, as when equal agents share a table

    Returns
    -------
    float array, shape (items,)
        Log-strengths with mean 0, of the items up to the largest. Regularized with `ALPHA` if
        `components` of `wins_of` finds more than one.

    Raises
    ------
    ValueError
        If there is no ranking, one is empty, or an item is no whole number from 0 up.
    """
    data = _rankings(rankings)
    counts = wins_of(data)
    size, is_one = len(counts), components(counts).max() == 0
    try:
        found = choix.ilsr_rankings(size, data, 0.0 if is_one else ALPHA, max_iter=_MAX_ITER)
    except RuntimeError:  # it has not converged
        choices = [
            (ranking[place], np.bincount(ranking[place:], minlength=size), times)
            for ranking, times in Counter(data).items()
            for place in range(len(ranking) - 1)
        ]
        chosen, among, times = (np.array(column) for column in zip(*choices, strict=True))
        found = _newton(chosen, among, times)
    return np.asarray(found)


def _newton(
    chosen: npt.NDArray[np.intp], among: npt.NDArray[Any], times: npt.NDArray[Any]
) -> FloatArray:
    """Strengths that make choices most likely; a finite maximum must exist.

    Parameters
    ----------
    chosen : the item that came first, shape (choices,)
    among : copies of each item it was chosen from, itself included, shape (choices, items)
    times : how often the choice was made, shape (choices,)
    """
    size = among.shape[1]
    wins, strengths = np.bincount(chosen, times, size), np.zeros(size)
    for _ in range(_MAX_ITER):
        chances = among * np.exp(strengths - strengths.max())
        chances /= chances.sum(axis=1, keepdims=True)
        expected = times @ chances
        curve = np.diag(expected) - (chances * times[:, None]).T @ chances
        # strengths may shift together at no cost: the ones rule that out
        step = np.linalg.solve(curve + 1.0, wins - expected)
        longest = float(np.abs(step).max())
        strengths = strengths + step / max(1.0, longest)  # a longer step may overshoot
        if longest < 1e-10:
            break
    centred: FloatArray = strengths - strengths.mean()
    return centred


def wins_of(rankings: Sequence[Sequence[int]]) -> FloatArray:
    """Count how often an item stands before another.

    Parameters
    ----------
    rankings : as for `plackett_luce`

    Returns
    -------
    float array, shape (items, items)
    """
    counts = np.zeros((1 + max(map(max, rankings)),) * 2)
    for ranking in rankings:
        for place, item in enumerate(ranking):
            for behind in ranking[place + 1 :]:
                counts[item, behind] += 1
    return counts


def components(wins: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Group items that chains of wins lead between in both directions.

    Parameters
    ----------
    wins : shape (items, items), as for `bradley_terry`

    Returns
    -------
    int32 array, shape (items,)
        Number of each item's group. If there is more than one, the data set no finite difference
        in strength between groups.
    """
    labels: npt.NDArray[np.int32] = connected_components(
        np.asarray(wins) > 0, directed=True, connection="strong"
    )[1]
    return labels


def _rankings(rankings: Any) -> list[tuple[int, ...]]:
    try:
        data = [tuple(operator.index(item) for item in ranking) for ranking in rankings]
    except TypeError:
        data = []
    if not data or not all(data) or min(map(min, data)) < 0:
        raise ValueError("rankings of items 0, 1, ... are expected, each with its best item first")
    return data


def _counts(wins: npt.ArrayLike) -> FloatArray:
    counts: npt.NDArray[Any] = np.array(wins, dtype=float)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise ValueError(f"wins of shape {counts.shape}; a square matrix is expected")
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise ValueError("a count of wins is negative or not a number")
    np.fill_diagonal(counts, 0.0)
    return counts
