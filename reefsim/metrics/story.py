"""The story of a game: how the seats' chances of winning moved.

All functions take a *trace* `chance` (the E of the formulas): a float array of shape (positions,
seats) whose rows sum to 1, row 0 after the set-up, the last row the end (1/k for each of the k
winners). Between two rows lies one step; M is the number of steps. `winners` are the seats that
won; where several shared the win, what is said of the winner's chance is said of their mean.

The measures are after Browne, 'Automatic generation and evaluation of recombination games' (2008),
restated from memory, and after the code of Ludii (github.com/Ludeme/Ludii, Evaluation/src/metrics),
whose definitions differ; where a name stands for two of them, both are here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
NOBODY = -1


def _winners_chance(chance: FloatArray, winners: Sequence[int]) -> FloatArray:
    mean: FloatArray = np.asarray(chance, float)[:, list(winners)].mean(axis=1)
    return mean


def _gaps(chance: FloatArray, winners: Sequence[int]) -> FloatArray:
    """How far the winner was behind the leader: shape (positions,), 0 where it led."""
    behind: FloatArray = np.max(chance, axis=1) - _winners_chance(chance, winners)
    return np.where(behind > 1e-12, behind, 0.0)


class Drama(NamedTuple):
    """Severity of the positions in which the winner was behind: their mean, and the largest."""

    mean: float
    max: float


def drama(chance: FloatArray, winners: Sequence[int]) -> Drama:
    """Drama after Browne: roots of the winner's gaps to the leader where it was behind.

    Returns
    -------
    mean and max of sqrt(E_L - E_w) over the positions with E_w < E_L; 0 if there are none
    """
    roots = np.sqrt(_gaps(chance, winners))
    behind = roots[roots > 0]
    return Drama(float(behind.mean()), float(behind.max())) if len(behind) else Drama(0.0, 0.0)


def mean_gap(chance: FloatArray, winners: Sequence[int]) -> float:
    """Drama as Ludii has it: mean of E_L - E_w over all positions before the end, without root."""
    gaps = _gaps(chance, winners)[:-1]
    return float(gaps.mean()) if len(gaps) else float("nan")


def leaders(chance: FloatArray, threshold: float | FloatArray = 0.0) -> IntArray:
    """Who leads at each position: a seat keeps the lead until another is above it by a threshold.

    Parameters
    ----------
    chance : trace, or any other figure of which more is better
    threshold : one for all positions, or one for each; for an estimated trace twice the standard
        error of a difference, so that noise makes no leaders

    Returns
    -------
    int array, shape (positions,): seats; NOBODY until one is ahead of all others
    """
    values = np.asarray(chance, float)
    thresholds = np.broadcast_to(threshold, len(values))
    found = np.full(len(values), NOBODY)
    leader = NOBODY
    for n, (row, least) in enumerate(zip(values, thresholds, strict=True)):
        best = int(row.argmax())
        rival = np.delete(row, best).max() if leader == NOBODY else row[leader]
        if best != leader and row[best] - rival > least:
            leader = best
        found[n] = leader
    return found


def lead_changes(chance: FloatArray, threshold: float | FloatArray = 0.0) -> int:
    """Number of times the lead passes to another seat; the first to lead is no change."""
    found = leaders(chance, threshold)
    known = found[found != NOBODY]
    return int(np.count_nonzero(np.diff(known)))


def entropies(chance: FloatArray) -> FloatArray:
    """Entropy of the chances at each position over its largest value ln(seats), in [0, 1]."""
    p = np.asarray(chance, float)
    terms = np.where(p > 0, p * np.log(np.where(p > 0, p, 1.0)), 0.0)
    return np.asarray(-terms.sum(axis=1) / np.log(p.shape[1]))


def uncertainty(chance: FloatArray, last: float = 1.0) -> float:
    """Mean normalized entropy of the positions before the end.

    Parameters
    ----------
    last : over the last share of them only, as 1/3
    """
    steps = len(chance) - 1
    first = int(np.ceil(steps * (1 - last) - 1e-9))
    found = entropies(chance)[first:steps]
    return float(found.mean()) if len(found) else float("nan")


def decisiveness_threshold(chance: FloatArray, winners: Sequence[int]) -> float:
    """The best chance that a seat had that did not win (Ludii); NaN if all won."""
    losers = np.delete(np.asarray(chance, float), list(winners), axis=1)
    return float(losers.max()) if losers.size else float("nan")


def decisiveness(chance: FloatArray, winners: Sequence[int]) -> float:
    """Share of the game after the winner passed what any other seat ever had (Ludii).

    Returns
    -------
    (M - n) / M for the first n with E_w(n) above the decisiveness threshold; small if the game was
    decided late; NaN if all won, or if the winners' chance never passes it, as in a shared win
    """
    threshold = decisiveness_threshold(chance, winners)
    above = np.flatnonzero(_winners_chance(chance, winners) > threshold)
    steps = len(chance) - 1
    return float((steps - above[0]) / steps) if len(above) and steps else float("nan")


def clinch(chance: FloatArray, winners: Sequence[int]) -> int:
    """The position from which on nobody but the winners led; 0 if that was always so."""
    values = np.asarray(chance, float)
    losers = np.delete(values, list(winners), axis=1)
    if not losers.size:
        return 0
    open_ = np.flatnonzero(losers.max(axis=1) >= values[:, list(winners)].max(axis=1))
    return int(open_[-1]) + 1 if len(open_) else 0


def stability(chance: FloatArray) -> float:
    """Mean over the seats of the variance of their chance over all positions (Ludii sums)."""
    return float(np.var(np.asarray(chance, float), axis=0).mean())


class KillerMove(NamedTuple):
    """The step by which a mover gained most: how much, and the position it led to."""

    gain: float
    position: int


def killer_move(chance: FloatArray, movers: Sequence[int] | IntArray) -> KillerMove:
    """Largest gain of a mover in one step, after Browne.

    Parameters
    ----------
    movers : seat that made each step, shape (positions - 1,); NOBODY for steps of chance

    Returns
    -------
    gain E_p(n) - E_p(n - 1) and n; NaN and 0 if nobody moved
    """
    gains = _gains(chance, movers)
    if not np.isfinite(gains).any():
        return KillerMove(float("nan"), 0)
    place = int(np.nanargmax(gains))
    return KillerMove(float(gains[place]), place + 1)


def _gains(chance: FloatArray, movers: Sequence[int] | IntArray) -> FloatArray:
    seats = np.asarray(movers, int)
    steps = np.diff(np.asarray(chance, float), axis=0)
    found = steps[np.arange(len(seats)), seats.clip(0)]
    return np.where(seats == NOBODY, np.nan, found)


def permanence(
    chance: FloatArray, movers: Sequence[int] | IntArray, threshold: float = 0.0
) -> float:
    """How much of what movers gain is still theirs when they move again, after Browne.

    Parameters
    ----------
    movers : seat that made each step, shape (positions - 1,); NOBODY for steps of chance
    threshold : gains up to this are left out

    Returns
    -------
    1 - mean over gains of min(1, max(0, loss until the mover's next decision) / gain); the last
    move of a seat counts up to the end; NaN without a gain
    """
    values = np.asarray(chance, float)
    gains = _gains(values, movers)
    following: dict[int, int] = {}  # position at which each seat moves next
    lost = []
    for step in range(len(gains) - 1, -1, -1):
        seat = int(np.asarray(movers)[step])
        if seat == NOBODY:
            continue
        if gains[step] > threshold:
            after = values[step + 1, seat] - values[following.get(seat, len(values) - 1), seat]
            lost.append(min(1.0, max(0.0, float(after / gains[step]))))
        following[seat] = step
    return 1 - float(np.mean(lost)) if lost else float("nan")


def lowest_of_winner(chance: FloatArray, winners: Sequence[int]) -> float:
    """The lowest chance that the winner had: small after a comeback."""
    return float(_winners_chance(chance, winners).min())


def was_last(points: FloatArray, winners: Sequence[int], share: float = 0.5) -> bool:
    """Whether the winner was last in points at a share of the game, alone or with others.

    With all seats equal nobody is last. Of several winners one is enough.

    Parameters
    ----------
    points : float array, shape (positions, seats), true points at the time
    share : of the steps of the game
    """
    row = at_share(points, share)
    least = row.min()
    return bool(least < row.max() and (row[list(winners)] == least).any())


def at_share(values: FloatArray, share: float) -> FloatArray:
    """The row of a trace after a share of the steps of the game, rounded down."""
    row: FloatArray = np.asarray(values, float)[int((len(values) - 1) * share + 1e-9)]
    return row


def outcome_uniformity(shares: FloatArray) -> float:
    """Ludii's outcome uniformity: 1 less the mean over seats of the variance of what they won.

    Parameters
    ----------
    shares : float array, shape (games, seats), win shares
    """
    return float(1 - np.var(np.asarray(shares, float), axis=0).mean())


def balance(shares: FloatArray) -> float:
    """Ludii's balance: 1 less the largest difference of two seats' win shares.

    It ignores chance: with few games even a fair game falls below 1. Show the shares instead.
    """
    won = np.asarray(shares, float).mean(axis=0)
    return float(1 - (won.max() - won.min()))
