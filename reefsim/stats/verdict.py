"""One verdict from one 95 % interval, on whether a share is what it should be.

The interval is compared with the fair share and with a margin around it, the difference that
would still be called fair. 'Not significant' is not 'fair': a wide interval is an open question.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import scipy.stats

from reefsim.stats.intervals import Estimate
from reefsim.stats.proportions import LEVEL

MARGIN_PP = 2.0  # unless the experiment's primary outcome sets one
MOST_REPLICATES = 10_000_000  # beyond this, a forecast says no more than "very many"

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class Call(StrEnum):
    """What one interval allows to say."""

    FAIR = "fair"
    SMALL = "small"
    UNFAIR = "unfair"
    FAVOURS = "favours"
    DIFFERS = "differs"
    SUPERIOR = "superior"
    INFERIOR = "inferior"
    OPEN = "open"
    NONE = "none"


@dataclass(frozen=True)
class Verdict:
    """A call, its words, and the replicates still missing.

    `more` is None where nothing is missing, and `MOST_REPLICATES` where it is that many or more.
    """

    call: Call
    words: str
    more: int | None = None


def judge(estimate: Estimate, fair: float, margin: float, seat: int, seats: int) -> Verdict:
    """Verdict on a seat's win share.

    Parameters
    ----------
    estimate : share of the seat, in [0, 1]
    fair : share it should have, in [0, 1]
    margin : largest difference that would still be fair, in [0, 1]
    seat, seats : the seat judged and the number of seats, for the words

    Returns
    -------
    Verdict
        One of five wordings, or 'no games'.
    """
    if math.isnan(estimate.low):
        return Verdict(Call.NONE, "no games")
    low, high = estimate.low - fair, estimate.high - fair
    inside = -margin <= low and high <= margin
    contains_fair = low <= 0 <= high
    if inside and contains_fair:
        return Verdict(Call.FAIR, f"fair within ±{100 * margin:.1f} pp")
    if inside:
        return Verdict(Call.SMALL, "real but too small to matter")
    if low > margin or high < -margin:
        return Verdict(Call.UNFAIR, "unfair")
    more = replicates_needed(estimate, fair, margin)
    if not contains_fair:
        favoured = favours(low > 0, seat, seats)
        return Verdict(Call.FAVOURS, f"favours {favoured}, size not yet known", more)
    return Verdict(Call.OPEN, f"not yet known (needs {about(more)} more replicates)", more)


def replicates_needed(estimate: Estimate, fair: float, margin: float) -> int:
    """More replicates that settle the verdict if the estimate and its sd stay.

    An interval of half-width h around an estimate at distance d from the fair share lies wholly
    inside the margin m, or wholly outside it, once ``h < abs(m - d)``. As ``h = z sd / sqrt(n)``,
    this takes ``n = (z sd / (m - d))**2`` replicates. Where no spread was measured, sd is that
    of one fair game, ``sqrt(fair (1 - fair))``.

    Parameters
    ----------
    estimate : share with the sd between its replicates
    fair, margin : in [0, 1]

    Returns
    -------
    int
        From 1 to `MOST_REPLICATES`. An estimate on the margin itself needs the most.
    """
    sd = estimate.sd if estimate.sd > 0 else math.sqrt(fair * (1 - fair))
    room = abs(margin - abs(estimate.value - fair))
    z = float(scipy.stats.norm.ppf((1 + LEVEL) / 2))
    if room * math.sqrt(MOST_REPLICATES) <= z * sd:
        return MOST_REPLICATES
    return max(1, math.ceil((z * sd / room) ** 2) - estimate.replicates)


def about(number: int) -> str:
    """Word a forecast, to two significant digits.

    >>> about(5564).replace(chr(160), " ")
    'about 5 600'
    """
    if number >= MOST_REPLICATES:
        return f"more than {MOST_REPLICATES:,}".replace(",", "\u00a0")
    digits = max(0, len(str(number)) - 2)
    return f"about {round(number, -digits):,}".replace(",", "\u00a0")


def seat_name(seat: int) -> str:
    """Name of a place in turn order; seats count from 0.

    >>> seat_name(0)
    'the first seat'
    """
    return f"the {_ORDINALS[seat]} seat" if seat < len(_ORDINALS) else f"seat {seat + 1}"


def favours(ahead: bool, seat: int, seats: int) -> str:
    """Whom a difference favours: the seat itself, or those it loses to."""
    if ahead:
        return seat_name(seat)
    return seat_name(1 - seat) if seats == 2 else "the other seats"
