"""How many games a question needs, before they are played.

All numbers are independent games (or replicates of one game). Rotations and shared shuffles change
them by a factor that only a pilot can measure: pass it as `gain`.

References
----------
Cohen (1988) for h; Schuirmann (1987) for equivalence; the exact power counts the outcomes of a
two-sided binomial test and is therefore lumpy.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy.stats

from reefsim.stats.checks import inside, whole
from reefsim.stats.proportions import LEVEL, cohen_h


class GamesNeeded(NamedTuple):
    """Games to play: rounded up, and before rounding; the power they were asked for."""

    n: int
    exact: float
    power: float | None


def games_needed(
    seats: int,
    *,
    margin: float | None = None,
    half_width: float | None = None,
    effect: float | None = None,
    power: float | None = None,
    gain: float = 1.0,
    level: float = LEVEL,
) -> GamesNeeded:
    """Games for one question about the share of a seat, fair at 1/seats.

    Parameters
    ----------
    seats : 2 or more
    margin : the report's verdict shall be 'fair within margin' if the seat is truly fair: the
        whole interval of `level` inside the margin. This is (1.96 + 1.645)**2 / (2 * 1.645)**2
        = 1.20 times the number of two one-sided tests (`tost_games`) at power .9
    half_width : the interval shall be so wide to either side
    effect : a share of 1/seats + effect shall be told from 1/seats; negative below it
    power : chance that it comes out so; .9 for a margin, .8 for an effect; none for a half-width
    gain : measured gain of pairing or blocking, divides the number
    level : confidence level of the interval, or 1 - the two-sided level of the test

    Returns
    -------
    GamesNeeded
        n, exact, power.

    Raises
    ------
    ValueError
        Unless exactly one of margin, half_width and effect is given, all as proportions (2
        percentage points are 0.02).
    """
    fair = 1 / whole("seats", seats, 2)
    gain = inside("gain", gain, 0.0, math.inf)
    given = [
        name
        for name, value in (("margin", margin), ("half_width", half_width), ("effect", effect))
        if value is not None
    ]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise ValueError(f"give one of margin, half_width, effect; found {found}")
    if margin is not None:
        power = 0.9 if power is None else inside("power", power)
        exact = one_interval_games(fair, margin, power, level)
    elif half_width is not None:
        if power is not None:
            raise ValueError("power has no meaning with half_width; leave it out")
        exact = precision_games(fair, half_width, level)
    else:
        assert effect is not None
        power = 0.8 if power is None else inside("power", power)
        exact = detection_games(fair, effect, power, 1 - level)
    exact /= gain
    return GamesNeeded(math.ceil(exact - 1e-9), exact, power)


def precision_games(share: float, half_width: float, level: float = LEVEL) -> float:
    """Games until the normal interval of a share reaches `half_width` to either side.

    >>> round(precision_games(0.5, 0.01), 3)
    9603.647
    """
    share, half_width = inside("share", share), inside("half_width", half_width)
    return float(_z((1 + inside("level", level)) / 2) ** 2 * share * (1 - share) / half_width**2)


def tost_games(share: float, margin: float, power: float = 0.9, alpha: float = 0.05) -> float:
    """Games for two one-sided tests to show a share within `margin`, if it has no offset at all.

    >>> round(tost_games(0.5, 0.02), 4)
    6763.8586
    """
    return one_interval_games(share, margin, power, 1 - 2 * inside("alpha", alpha, 0.0, 0.5))


def one_interval_games(
    share: float, margin: float, power: float = 0.9, level: float = LEVEL
) -> float:
    """Games until the interval of `level` lies inside `margin` with chance `power`, if fair."""
    share, margin = inside("share", share), inside("margin", margin)
    z = _z((1 + inside("level", level)) / 2) + _z((1 + inside("power", power)) / 2)
    return float(z**2 * share * (1 - share) / margin**2)


def detection_games(share: float, effect: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """Games to tell share + effect from share in a two-sided z test.

    >>> round(detection_games(0.5, 0.05), 4)
    782.526
    """
    share = inside("share", share)
    if effect == 0:
        raise ValueError("effect = 0 is not allowed; no number of games finds it")
    true = inside("share + effect", share + effect)
    reach = _z(1 - inside("alpha", alpha) / 2) * math.sqrt(share * (1 - share))
    reach += _z(inside("power", power)) * math.sqrt(true * (1 - true))
    return float((reach / effect) ** 2)


def detection_games_by_h(
    share: float, effect: float, power: float = 0.8, alpha: float = 0.05
) -> float:
    """As `detection_games`, on the arcsine scale of Cohen's h and with both tails of the test.

    >>> round(detection_games_by_h(0.5, 0.05), 4)
    782.2645
    """
    h = cohen_h(inside("share + effect", share + effect), inside("share", share))
    if h == 0:
        raise ValueError("effect = 0 is not allowed; no number of games finds it")
    from statsmodels.stats.power import NormalIndPower

    found = NormalIndPower(ddof=0).solve_power(
        abs(h), alpha=inside("alpha", alpha), power=inside("power", power), ratio=0
    )
    return float(found)


def exact_power(n: int, share: float, true: float, alpha: float = 0.05) -> float:
    """Chance that the exact two-sided binomial test of `share` rejects, if the share is `true`.

    Parameters
    ----------
    n : games
    share, true : tested and true share, in (0, 1)
    alpha : level of the test

    Returns
    -------
    float
        In [0, 1]; 0 without any game.
    """
    n, share, true = whole("n", n), inside("share", share), inside("true", true)
    alpha = inside("alpha", alpha)
    wins = np.arange(n + 1)
    chances = scipy.stats.binom.pmf(wins, n, share)
    # p of each count: the chance of all counts no more likely than it
    order = np.sort(chances)
    below = np.searchsorted(order, chances * (1 + 1e-7), side="right")
    p = np.concatenate([[0.0], np.cumsum(order)])[below]
    return float(scipy.stats.binom.pmf(wins, n, true)[p <= alpha].sum())


def _z(level: float) -> float:
    return float(scipy.stats.norm.ppf(level))
