"""Two agents, seats swapped: Elo, pair scores, and the sequential test of chess programs.

The games of a pair share a shuffle, so the pair with its 0, 1/2, 1, 3/2 or 2 points is the unit
('pentanomial'). Elo is a scale for two seats only; of a share among more it says nothing.

References
----------
Elo (1978); Li, Liu & Ying (2014) for the generalized test; Van den Bergh, 'Normalized Elo' and
'Comments on normalized Elo' (the mathematics of Fishtest).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from reefsim.stats.checks import FloatArray, choice, inside, number_of, tallies
from reefsim.stats.sequential import Sprt, decide, wald_bounds

NELO = 800 / math.log(10)  # normalized Elo of one standard deviation of a single game
_UNSEEN = 1e-3  # count given to a score never seen, so that every mean can be reached


class PairScores(NamedTuple):
    """Moments of pairs, scores scaled to [0, 1], and what they are in Elo.

    `variance` is that of a pair, `per_game` twice as much: that of a single game with this spread.
    """

    mean: float
    variance: float
    per_game: float
    elo: float
    nelo: float
    pairs: int


def elo_of_share(share: float) -> float:
    """Elo difference that makes a share expected, for two seats; infinite at 0 and 1.

    >>> round(elo_of_share(0.55), 6)
    34.86007
    """
    if share in (0, 1):
        return math.inf if share == 1 else -math.inf
    share = inside("share", share)
    return 400 * math.log10(share / (1 - share))


def expected_share(elo: float) -> float:
    """Share expected at an Elo difference.

    >>> round(expected_share(200), 6)
    0.759747
    """
    return 1 / (1 + 10 ** (-number_of("elo", elo) / 400))


def share_of_nelo(nelo: float, per_game: float) -> float:
    """Share expected at a normalized Elo, if a single game has variance `per_game`."""
    return 0.5 + number_of("nelo", nelo) / NELO * math.sqrt(inside("per_game", per_game, high=1))


def pair_scores(pair_counts: Any) -> PairScores:
    """Mean, variance and Elo of pairs of games.

    Parameters
    ----------
    pair_counts : whole numbers, shape (5,): pairs with 0, 1/2, 1, 3/2, 2 points; or shape (3,) for
        single games with 0, 1/2, 1 points

    Returns
    -------
    PairScores
        Without spread nelo is 0 at a mean of 1/2 and infinite otherwise.

    Raises
    ------
    ValueError
        If there are not 3 or 5 counts, or no pair at all.
    """
    counts = _checked(pair_counts)
    pairs = counts.sum()
    if pairs == 0:
        raise ValueError("pair_counts holds no pair; it must hold at least one")
    scores, games = _scores(len(counts))
    mean = float(counts @ scores / pairs)
    variance = float(counts @ (scores - mean) ** 2 / pairs)
    per_game = games * variance
    if per_game > 0:
        nelo = (mean - 0.5) / math.sqrt(per_game) * NELO
    else:
        nelo = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
    return PairScores(mean, variance, per_game, elo_of_share(mean), nelo, int(pairs))


def gsprt(
    pair_counts: Any,
    h0: float,
    h1: float,
    model: str = "logistic",
    alpha: float = 0.05,
    beta: float = 0.05,
    max_pairs: int | None = None,
) -> Sprt:
    """Generalized sequential test of one strength against another, from pairs of games.

    The log-likelihood ratio compares the most likely distribution of pair scores under each
    hypothesis. Scores never seen count as 0.001 pairs.

    Parameters
    ----------
    pair_counts : as in `pair_scores`; all may be 0
    h0, h1 : strengths in Elo (model 'logistic') or normalized Elo (model 'normalized')
    model : 'logistic' fixes the mean score, 'normalized' its distance from 1/2 in sd of a game
    alpha, beta : chance of deciding for h1 under h0, and for h0 under h1
    max_pairs : pairs at which an open test is given up as 'undecided'

    Returns
    -------
    Sprt
        llr, decision ('h0', 'h1', 'continue', 'undecided'), lower, upper; llr is 0 without pairs.

    Raises
    ------
    ValueError
        If an argument is not allowed, or a hypothesis is beyond what these scores can reach.
    """
    counts = _checked(pair_counts)
    choice("model", model, ("logistic", "normalized"))
    h0, h1 = number_of("h0", h0), number_of("h1", h1)
    lower, upper = wald_bounds(alpha, beta)
    pairs = int(counts.sum())
    if pairs == 0:
        return decide(0.0, lower, upper, 0, max_pairs)
    seen = np.where(counts == 0, _UNSEEN, counts)
    scores, games = _scores(len(counts))
    chances = seen / seen.sum()
    if model == "logistic":
        of_h0, of_h1 = (
            _tilted(scores - expected_share(elo), chances, f"{name} = {elo:g}")
            for name, elo in (("h0", h0), ("h1", h1))
        )
    else:
        of_h0, of_h1 = (
            _with_drift(scores, chances, nelo / NELO * math.sqrt(games), f"{name} = {nelo:g}")
            for name, nelo in (("h0", h0), ("h1", h1))
        )
    llr = float(seen @ (np.log(of_h1) - np.log(of_h0)))
    return decide(llr, lower, upper, pairs, max_pairs)


def _checked(pair_counts: Any) -> FloatArray:
    counts = tallies("pair_counts", pair_counts, least=3)
    if len(counts) not in (3, 5):
        raise ValueError(f"pair_counts holds {len(counts)} counts; it must hold 5 (or 3)")
    return counts


def _scores(num: int) -> tuple[FloatArray, int]:
    """Scores in [0, 1], and the games that make one."""
    return np.linspace(0, 1, num), (num - 1) // 2


def _tilted(values: FloatArray, chances: FloatArray, name: str) -> FloatArray:
    """Most likely chances under which the mean of `values` is 0 (empirical likelihood)."""
    if not values.min() < 0 < values.max():
        raise ValueError(f"{name} is beyond what these scores can reach; move it towards 0")
    low, high = -1 / values.max(), -1 / values.min()
    inward = 1e-12 * (high - low)

    def pull(x: float) -> float:
        return float((chances * values / (1 + x * values)).sum())

    x = brentq(pull, low + inward, high - inward, xtol=1e-15)
    tilted: FloatArray = chances / (1 + x * values)
    return tilted


def _with_drift(scores: FloatArray, chances: FloatArray, drift: float, name: str) -> FloatArray:
    """Most likely chances whose mean is `drift` of their own sd above 1/2."""
    found = np.full(len(scores), 1 / len(scores))
    for _ in range(200):
        mean = float(found @ scores)
        sd = math.sqrt(float(found @ (scores - mean) ** 2))
        # the condition, linear in the chances near those of the last round
        values = scores - 0.5 - drift * sd * (1 + ((scores - mean) / sd) ** 2) / 2
        before, found = found, _tilted(values, chances, name)
        if float(np.abs(found - before).max()) < 1e-12:
            break
    return found
