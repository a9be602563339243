"""A claim about one metric of one arm, and how it is read off an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reefsim.core.metric import Metric
from reefsim.core.wording import noun
from reefsim.stats.intervals import Estimate
from reefsim.stats.verdict import MOST_REPLICATES, Call, about, judge

FAIR = "1/seats"
WIN_SHARE = "win share"  # unit of the metrics whose fair value is 1/seats


@dataclass(frozen=True)
class Claim:
    """One thing that is asked of the games.

    Attributes
    ----------
    outcome : name of the metric; for one value of a category "metric = value"
    metric : the metric itself
    claim : differs, equivalent, superior, or estimate (no claim: a number with its interval)
    arm : that it is about
    against : arm it is compared with; empty for a number
    null : number it is compared with, 0 between arms; NaN for an estimate
    margin : largest difference that still counts as none, in the metric's unit; NaN if not given
    seat : of metrics with one value per seat; None for the others
    role : primary or secondary
    value : of a category, else empty
    """

    outcome: str
    metric: Metric
    claim: str
    arm: str
    against: str = ""
    null: float = math.nan
    margin: float = math.nan
    seat: int | None = None
    role: str = "primary"
    value: str = ""
    seats: int = 0

    @property
    def is_share(self) -> bool:
        """Whether its values lie between 0 and 1."""
        return self.metric.kind != "number"

    @property
    def measure(self) -> dict[str, str]:
        """What the rows about it say of its values: unit and kind."""
        unit, kind = ("share", "share") if self.is_share else (self.metric.unit, "number")
        return {"unit": unit, "kind": kind}

    @property
    def scale(self) -> float:
        """What an estimate is multiplied by for people: shares are told in percentage points."""
        return 100.0 if self.is_share else 1.0

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Lowest and highest possible value of a replicate."""
        if not self.is_share:
            return None
        return (-1.0, 1.0) if self.against else (0.0, 1.0)


@dataclass(frozen=True)
class Judgment:
    """What one interval says to a claim: yes, no or open; in words; what is still missing."""

    answer: str
    call: Call
    words: str
    more: int | None = None


def judge_claim(claim: Claim, estimate: Estimate) -> Judgment:
    """Read a claim off one interval.

    Parameters
    ----------
    claim : with what it compares, and its margin
    estimate : of the metric, or of the difference from an arm
    """
    if math.isnan(estimate.value):
        return Judgment("open", Call.NONE, "no games")
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return Judgment("open", Call.OPEN, f"not yet known: {estimate.note or 'no interval'}")
    low, high = estimate.low - claim.null, estimate.high - claim.null
    off = estimate.value - claim.null
    margin = 0.0 if math.isnan(claim.margin) else claim.margin
    has_zero = low <= 0 <= high
    if claim.claim == "superior":
        amount = f" by at least {_amount(claim, margin)}" if margin else ""
        if low > margin:
            return Judgment("yes", Call.SUPERIOR, f"larger{amount}")
        if high < margin:
            return Judgment("no", Call.INFERIOR, f"not larger{amount}")
        return _open(estimate, abs(off - margin))
    if math.isnan(claim.margin):  # differs
        if not has_zero:
            return Judgment("yes", Call.DIFFERS, _direction(claim, low > 0))
        return _open(estimate, abs(off))
    is_equivalence = claim.claim == "equivalent"
    if _is_seat_balance(claim):
        seat = claim.seat if claim.seat is not None else _seat_of(claim)
        found = judge(estimate, claim.null, margin, seat, claim.seats)
        call, words = found.call, found.words
    else:
        call, words = _compare(claim, low, high, margin)
    more = _more(estimate, abs(margin - abs(off)))
    if call in (Call.FAIR, Call.SMALL):
        confirmed = is_equivalence
    elif call is Call.UNFAIR:
        confirmed = not is_equivalence
    elif call is Call.FAVOURS:
        return Judgment("open" if is_equivalence else "yes", call, words, more)
    else:
        return _open(estimate, abs(margin - abs(off)))
    return Judgment("yes" if confirmed else "no", call, words)


def _compare(claim: Claim, low: float, high: float, margin: float) -> tuple[Call, str]:
    """Call and words of a difference with a margin, as `verdict.judge` has them for seats."""
    if -margin <= low and high <= margin:
        if low <= 0 <= high:
            return Call.FAIR, f"the same within ±{_amount(claim, margin)}"
        return Call.SMALL, "real but too small to matter"
    if low > margin or high < -margin:
        return Call.UNFAIR, f"{_direction(claim, low > 0)} by more than {_amount(claim, margin)}"
    if low <= 0 <= high:
        return Call.OPEN, "not yet known"
    return Call.FAVOURS, f"{_direction(claim, low > 0)}, size not yet known"


def _open(estimate: Estimate, room: float) -> Judgment:
    more = _more(estimate, room)
    return Judgment("open", Call.OPEN, f"not yet known (needs {about(more)} more replicates)", more)


def _more(estimate: Estimate, room: float) -> int:
    """More replicates until the half-width is below `room`, if the estimate stays."""
    half = (estimate.high - estimate.low) / 2
    if not math.isfinite(half) or room <= 0:
        return MOST_REPLICATES
    needed = estimate.replicates * (half / room) ** 2
    return (
        MOST_REPLICATES
        if needed >= MOST_REPLICATES
        else max(1, math.ceil(needed) - estimate.replicates)
    )


def _is_seat_balance(claim: Claim) -> bool:
    return (
        claim.metric.unit == WIN_SHARE
        and not claim.against
        and math.isclose(claim.null, 1 / claim.seats)
        and (claim.seat is not None or claim.outcome in _SEATS)
    )


_SEATS = {"first_seat_share": 0, "last_seat_share": -1}


def _seat_of(claim: Claim) -> int:
    return _SEATS[claim.outcome] % claim.seats


def _direction(claim: Claim, is_larger: bool) -> str:
    return "larger" if is_larger else "smaller"


def _amount(claim: Claim, amount: float) -> str:
    return (
        f"{100 * amount:.1f} pp"
        if claim.is_share
        else f"{amount:g} {noun(amount, claim.metric.unit)}"
    )
