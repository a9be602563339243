"""Looking while games are played: intervals and evidence that hold at every look.

An ordinary interval may be looked at once (or whenever stopping depends on its width alone). A
decision to stop because of what it shows needs one of these:

* `sequential_interval`, `e_value`: wins of independent games, valid at any time;
* `sequential_share`: shares of replicates between 0 and 1, shared wins included;
* `sequential_mean`: values of replicates, valid at any time (bounded) or for long runs;
* `sprt`: one share against another; for pairs of games see `elo.gsprt`;
* `looks`: a few looks planned beforehand.

References
----------
Robbins (1970) and Howard, Ramdas, McAuliffe & Sekhon (2021) for the beta-binomial mixture;
Waudby-Smith & Ramdas (2024) for bounded means; Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas
(2024) for the asymptotic sequence; Wald (1945).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy.special
from scipy.optimize import brentq

from reefsim.stats.checks import FloatArray, inside, is_constant, limits, numbers, whole
from reefsim.stats.proportions import LEVEL, Interval

_LEAST = 5  # values before which a spread says too little for an interval of all looks


class Sprt(NamedTuple):
    """Log-likelihood ratio, decision ('h0', 'h1', 'continue' or 'undecided'), and its bounds."""

    llr: float
    decision: str
    lower: float
    upper: float


class SprtPlan(NamedTuple):
    """What Wald's test will do: bounds, steps of a win and a loss, mean games under each."""

    lower: float
    upper: float
    win: float
    loss: float
    games_h0: float
    games_h1: float


def sequential_interval(k: int, n: int, level: float = LEVEL, prior: float = 1.0) -> Interval:
    """Interval for a share that may be looked at after every game (beta-binomial mixture).

    All shares p against which the e-value stays below 1/(1 - level). About twice as wide as
    Wilson's.

    Parameters
    ----------
    k, n : wins and independent games so far
    level : chance that the interval covers at all looks together
    prior : both parameters of the mixing beta distribution; larger ones are narrower near 1/2

    Returns
    -------
    Interval
        low, high in [0, 1]; 0 to 1 without any game.
    """
    n = whole("n", n)
    k = whole("k", k, 0, n)
    limit = -math.log1p(-inside("level", level))
    prior = inside("prior", prior, 0.0, math.inf)
    if n == 0:
        return Interval(0.0, 1.0)

    # the upper end of the share won is the lower end of the share lost
    return Interval(_lowest(k, n, limit, prior), 1 - _lowest(n - k, n, limit, prior))


def sequential_share(x: Any, level: float = LEVEL, prior: float = 1.0) -> Interval:
    """Interval for a mean of values in [0, 1] that may be looked at after every value.

    That of `sequential_interval`, with the sum of the values for the wins. Shared wins may be
    among them: the likelihood ratio of a win by a chance q against p is convex in the value, so
    for one between 0 and 1 its mean is no larger than for a win or a loss of the same mean, and
    the interval covers as often or oftener.

    Parameters
    ----------
    x : values, shape (replicates,)
    level, prior : as in `sequential_interval`

    Returns
    -------
    Interval
        low, high in [0, 1].
    """
    values = numbers("x", x, low=0.0, high=1.0)
    limit = -math.log1p(-inside("level", level))
    prior = inside("prior", prior, 0.0, math.inf)
    n, k = len(values), float(values.sum())
    k = round(k, 9)  # thirds that sum to a whole number
    return Interval(_lowest(k, n, limit, prior), 1 - _lowest(n - k, n, limit, prior))


def _lowest(k: float, n: int, limit: float, prior: float) -> float:
    least = 1e-300
    if k == 0 or _log_e(k, n, least, prior) <= limit:
        return 0.0
    return float(brentq(lambda p: _log_e(k, n, p, prior) - limit, least, k / n, xtol=1e-15))


def e_value(k: int, n: int, share: float = 0.5, prior: float = 1.0) -> float:
    """Evidence against a share that may be looked at after every game.

    If the share is true, the e-value ever reaches 20 with a chance of at most 1/20.

    Parameters
    ----------
    k, n : wins and independent games so far
    share : in (0, 1)
    prior : as in `sequential_interval`

    Returns
    -------
    float
        1 without any game; inf beyond what a float holds.
    """
    n = whole("n", n)
    k = whole("k", k, 0, n)
    log_e = _log_e(k, n, inside("share", share), inside("prior", prior, 0.0, math.inf))
    return math.exp(log_e) if log_e < 700 else math.inf


def _log_e(k: float, n: int, p: float, prior: float) -> float:
    mixed = scipy.special.betaln(prior + k, prior + n - k) - scipy.special.betaln(prior, prior)
    return float(mixed - scipy.special.xlogy(k, p) - scipy.special.xlog1py(n - k, -p))


def sequential_mean(
    x: Any,
    bounds: tuple[float, float] | None = None,
    tuned_for: int = 1000,
    level: float = LEVEL,
) -> Interval:
    """Interval for a mean that may be looked at after every replicate.

    Parameters
    ----------
    x : values in the order they were seen, shape (replicates,): shares, scores, differences
    bounds : lowest and highest possible value. With bounds the interval is valid from the first
        value on (predictable plug-in empirical Bernstein), and what one look excludes no later
        one includes. Without, it is that of `asymptotic_interval`: valid in long runs, so that
        looks should begin after some dozens of replicates; of fewer than 5, -inf to inf
    tuned_for : replicates at which the asymptotic interval is narrowest; chosen beforehand
    level : chance that the interval covers at all looks together

    Returns
    -------
    Interval
        low, high in the unit of `x`. Without bounds, values without spread have -inf to inf.

    Raises
    ------
    ValueError
        If there is no value, or one is missing or outside the bounds.
    """
    level = inside("level", level)
    if bounds is None:
        values = numbers("x", x)
        if len(values) < _LEAST or is_constant(values):
            return Interval(-math.inf, math.inf)
        sd = float(values.std(ddof=1))
        return asymptotic_interval(float(values.mean()), sd, len(values), tuned_for, level)
    low, high = limits("bounds", bounds)
    values = (numbers("x", x, low=low, high=high) - low) / (high - low)
    ends = _empirical_bernstein(values, 1 - level)
    return Interval(low + (high - low) * ends.low, low + (high - low) * ends.high)


def asymptotic_interval(
    mean: float, sd: float, n: int, tuned_for: int = 1000, level: float = LEVEL
) -> Interval:
    """Asymptotic confidence sequence for a mean, from its sd between replicates.

    Parameters
    ----------
    mean, sd : of the values seen
    n : how many they are, 1 or more
    tuned_for, level : as in `sequential_mean`

    Returns
    -------
    Interval
        mean -+ sd sqrt(2 (n r + 1) / (n**2 r) log(sqrt(n r + 1) / alpha)), where
        r = (-2 log alpha + log(1 - 2 log alpha)) / tuned_for. -inf to inf if sd is 0.
    """
    n, tuned_for = whole("n", n, 1), whole("tuned_for", tuned_for, 1)
    alpha = 1 - inside("level", level)
    if not sd > 0:
        return Interval(-math.inf, math.inf)
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / tuned_for
    spread = n * rho2 + 1
    half = sd * math.sqrt(2 * spread / (n**2 * rho2) * math.log(math.sqrt(spread) / alpha))
    return Interval(mean - half, mean + half)


def _empirical_bernstein(x: FloatArray, alpha: float) -> Interval:
    """Predictable plug-in empirical Bernstein sequence for values in [0, 1], at its last look."""
    time = np.arange(1, len(x) + 1)
    mean = (0.5 + np.cumsum(x)) / (time + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2)) / (time + 1)
    before_mean = np.concatenate([[0.5], mean[:-1]])
    before_variance = np.concatenate([[0.25], variance[:-1]])
    bet = np.sqrt(2 * math.log(2 / alpha) / (before_variance * time * np.log1p(time)))
    bet = np.minimum(bet, 0.5)
    price = (-np.log1p(-bet) - bet) * (x - before_mean) ** 2
    centers = np.cumsum(bet * x) / np.cumsum(bet)
    halves = (math.log(2 / alpha) + np.cumsum(price)) / np.cumsum(bet)
    # what was excluded at an earlier look stays excluded
    low = max(0.0, float((centers - halves).max()))
    high = min(1.0, float((centers + halves).min()))
    return Interval(min(low, high), max(low, high))


def sprt(
    k: int,
    n: int,
    h0: float,
    h1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int | None = None,
) -> Sprt:
    """Wald's sequential test of one share against another, after `k` wins in `n` games.

    Parameters
    ----------
    k, n : wins and independent games so far
    h0, h1 : the two shares, in (0, 1)
    alpha, beta : chance of deciding for h1 under h0, and for h0 under h1
    max_games : games at which an open test is given up as 'undecided'

    Returns
    -------
    Sprt
        llr, decision, lower, upper; llr = 0 without any game.
    """
    n = whole("n", n)
    k = whole("k", k, 0, n)
    plan = sprt_plan(h0, h1, alpha, beta)
    llr = k * plan.win + (n - k) * plan.loss
    return decide(llr, plan.lower, plan.upper, n, max_games)


def decide(llr: float, lower: float, upper: float, n: int, most: int | None = None) -> Sprt:
    """Decision of a sequential test at a log-likelihood ratio."""
    if llr >= upper:
        decision = "h1"
    elif llr <= lower:
        decision = "h0"
    else:
        decision = "undecided" if most is not None and n >= whole("most", most, 1) else "continue"
    return Sprt(llr, decision, lower, upper)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Bounds of a log-likelihood ratio for error chances `alpha` and `beta`, below and above."""
    alpha, beta = inside("alpha", alpha, 0.0, 0.5), inside("beta", beta, 0.0, 0.5)
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def sprt_plan(h0: float, h1: float, alpha: float = 0.05, beta: float = 0.05) -> SprtPlan:
    """Bounds, steps and mean numbers of games of Wald's test, before it is played.

    Parameters
    ----------
    h0, h1, alpha, beta : as in `sprt`

    Returns
    -------
    SprtPlan
        The mean numbers of games neglect that the last step overshoots its bound.
    """
    h0, h1 = inside("h0", h0), inside("h1", h1)
    if h0 == h1:
        raise ValueError(f"h0 and h1 are both {h0:g}; they must differ")
    lower, upper = wald_bounds(alpha, beta)
    win, loss = math.log(h1 / h0), math.log((1 - h1) / (1 - h0))
    games_h0 = ((1 - alpha) * lower + alpha * upper) / (h0 * win + (1 - h0) * loss)
    games_h1 = (beta * lower + (1 - beta) * upper) / (h1 * win + (1 - h1) * loss)
    return SprtPlan(lower, upper, win, loss, games_h0, games_h1)
