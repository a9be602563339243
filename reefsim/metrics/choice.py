"""Choices and what they do to others: pure functions on the values of actions.

`values` (the Q of the formulas) holds what the legal actions of one decision promise: chances of
winning, shape (actions,) for the seat that decides, or (actions, seats) for all seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

TEMPERATURE = 0.05  # of effective choices
FORCED = 0.20  # sharpness above which a decision is forced
AT_STAKE, NEAR_BEST = 0.05, 0.02  # of a meaningful decision
HOPELESS, SWING = 0.02, 0.20  # of kingmaking
_EXACT = 1e-9  # so that .62 - .60 is within .02


def stakes(values: FloatArray) -> float:
    """Difference of the best and the worst action."""
    return float(np.max(values) - np.min(values))


def sharpness(values: FloatArray) -> float:
    """Difference of the best and the second-best action; 0 with one action."""
    best = np.sort(np.asarray(values, float))[::-1]
    return float(best[0] - best[1]) if len(best) > 1 else 0.0


def is_forced(values: FloatArray) -> bool:
    """Whether one action is far better than all others."""
    return len(values) == 1 or sharpness(values) > FORCED + _EXACT


def is_free(values: FloatArray, error: float) -> bool:
    """Whether the actions differ by less than the standard error of their values."""
    return stakes(values) < error


def near_best(values: FloatArray) -> int:
    """Number of actions within 2 % of the best one, which is among them."""
    return int(np.count_nonzero(np.max(values) - np.asarray(values) <= NEAR_BEST + _EXACT))


def is_meaningful(values: FloatArray) -> bool:
    """Whether 5 % or more are at stake and at least two actions are near the best."""
    return bool(stakes(values) >= AT_STAKE - _EXACT and near_best(values) >= 2)


def effective_choices(values: FloatArray, temperature: float = TEMPERATURE) -> float:
    """Number of equally good actions that would be as hard to choose from.

    Returns
    -------
    exp H(softmax(Q / temperature)), from 1 to the number of actions
    """
    scaled = (np.asarray(values, float) - np.max(values)) / temperature
    weights = np.exp(scaled)
    p = weights / weights.sum()
    shown = p[p > 0]
    return float(np.exp(-(shown * np.log(shown)).sum()))


class Kingmaking(NamedTuple):
    """What a seat that cannot win decides for the others.

    `swing` is the largest change of a rival's chance between actions that are equally good for the
    seat itself, 0 if that is no kingmaking; `favorites` are the rivals it could put in front.
    """

    swing: float
    favorites: tuple[int, ...]


def kingmaking(values: FloatArray, seat: int) -> Kingmaking:
    """Whether a seat without a chance decides who of the others wins.

    Parameters
    ----------
    values : shape (actions, seats)
    seat : who decides

    Returns
    -------
    Kingmaking; its swing is above 0 if the best own value is at most 2 %, and actions within 2 %
    of it change a rival's chance by 20 % or more and change who is the favorite
    """
    q = np.asarray(values, float)
    own, rivals = q[:, seat], np.delete(q, seat, axis=1)
    if own.max() > HOPELESS + _EXACT:
        return Kingmaking(0.0, ())
    near = rivals[own.max() - own <= HOPELESS + _EXACT]
    swing = float(np.ptp(near, axis=0).max())
    seats = np.delete(np.arange(q.shape[1]), seat)
    favorites = tuple(int(p) for p in np.unique(seats[near.argmax(axis=1)]))
    if swing < SWING - _EXACT or len(favorites) < 2:
        return Kingmaking(0.0, ())
    return Kingmaking(swing, favorites)


def interaction(chance: FloatArray, movers: Sequence[int] | IntArray) -> float:
    """How much moves shift chances among the others, beyond what the mover's own gain takes.

    A gain of the mover has to come from somebody: it moves the others' chances by at least as much
    in sum. What is above that moves chances between the others. Always 0 with two seats.

    Parameters
    ----------
    chance : trace, shape (positions, seats)
    movers : seat that made each step, shape (positions - 1,); -1 for steps of chance

    Returns
    -------
    mean over the moves of the sum over the others of |dE_q|, less |dE_mover|; NaN without a move
    """
    seats = np.asarray(movers, int)
    steps = np.abs(np.diff(np.asarray(chance, float), axis=0))[seats >= 0]
    if not len(steps):
        return float("nan")
    own = steps[np.arange(len(steps)), seats[seats >= 0]]
    return float((steps.sum(axis=1) - 2 * own).mean())


class Targeting(NamedTuple):
    """Whom attacks hit: shares of attacks, and what they would be if rivals were picked by lot."""

    attacks: int
    leader: float
    last: float
    next_seat: float
    leader_expected: float
    last_expected: float
    next_expected: float


def targeting(
    attackers: Sequence[int] | IntArray, victims: Sequence[int] | IntArray, points: FloatArray
) -> Targeting:
    """Whether attacks fall on the leader, the last or the neighbor after the attacker.

    Attacks of a seat on itself are left out. The leader and the last are those among the rivals of
    the attacker; rivals who share such a place all count as it.

    Parameters
    ----------
    attackers, victims : seats, shape (attacks,)
    points : of all seats before each attack, shape (attacks, seats)

    Returns
    -------
    Targeting; shares are NaN without an attack
    """
    by, at = np.asarray(attackers, int), np.asarray(victims, int)
    standing = np.asarray(points, float)
    real = by != at
    by, at, standing = by[real], at[real], standing[real]
    if not len(by):
        return Targeting(0, *[float("nan")] * 6)
    seats = standing.shape[1]
    rows = np.arange(len(by))
    best, worst = standing.copy(), standing.copy()
    best[rows, by], worst[rows, by] = -np.inf, np.inf
    leads = best == best.max(axis=1, keepdims=True)
    lasts = worst == worst.min(axis=1, keepdims=True)
    return Targeting(
        len(by),
        float(leads[rows, at].mean()),
        float(lasts[rows, at].mean()),
        float((at == (by + 1) % seats).mean()),
        float(leads.sum(axis=1).mean() / (seats - 1)),
        float(lasts.sum(axis=1).mean() / (seats - 1)),
        1 / (seats - 1),
    )


def evenness(counts: FloatArray) -> float:
    """How evenly something is spread over kinds: entropy over its largest value, in [0, 1].

    Parameters
    ----------
    counts : uses of each kind

    Returns
    -------
    H / ln(kinds); NaN if nothing was used
    """
    n = np.asarray(counts, float)
    if n.sum() <= 0:
        return float("nan")
    p = n[n > 0] / n.sum()
    return float(-(p * np.log(p)).sum() / np.log(len(n)))


def chi2_equal(counts: FloatArray) -> float:
    """Chi-square statistic against equal use of all kinds; NaN if nothing was used."""
    n = np.asarray(counts, float)
    expected = n.sum() / len(n)
    return float(((n - expected) ** 2 / expected).sum()) if expected > 0 else float("nan")
