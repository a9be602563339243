"""What an experiment claims, and what its games say to it: the table of answers.

A claim is about one metric of one arm, compared with a number (1/seats, or one the file names) or
with the arm that plays the baseline rules at the same table. Three kinds can be made of a primary
outcome:

=============  ======================================  ====================================
claim          confirmed if the interval               refuted if it
=============  ======================================  ====================================
differs        leaves out what it is compared with     lies inside the margin, if there is one
equivalent     lies inside the margin                  lies outside the margin
superior       lies above it (plus the margin)         lies below it (plus the margin)
=============  ======================================  ====================================

Secondary outcomes are described in every arm and screened for differences from the baseline. A
claim counts as confirmed only if its p value, adjusted for all claims of its family, is below 5 %
as well: Holm over arms and primary outcomes, Benjamini-Hochberg over secondary ones. In a run that
was stopped because of what it showed, intervals and p hold at every look, and the chance of error
is split evenly over the primary claims.

Arms that share shuffles are compared replicate by replicate; where that did harm (gain below 1),
the interval is the unpaired one and the note says so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy.stats

from reefsim.core.metric import Metric
from reefsim.metrics.catalog import known
from reefsim.stats.blocks import block_mean
from reefsim.stats.checks import FloatArray, floats, is_constant
from reefsim.stats.intervals import NO_GAMES, Estimate, mean, rare_share
from reefsim.stats.multiple import benjamini_hochberg, holm
from reefsim.stats.paired import difference, pairing_gain
from reefsim.stats.proportions import LEVEL, Interval, binomial_test
from reefsim.stats.sequential import sequential_mean, sequential_share
from reefsim.stats.tost import equivalence, equivalence_paired
from reefsim.stats.values import ReplicateValues, read_values
from reefsim.stats.verdict import MOST_REPLICATES, Call, about, judge

if TYPE_CHECKING:
    from reefsim.metrics.values import Source

ALPHA = 1 - LEVEL
FAIR = "1/seats"
BASELINE = "baseline"
WIN_SHARE = "win share"  # unit of the metrics whose fair value is 1/seats
COLUMNS = (
    *("role", "outcome", "seat", "unit", "kind", "claim", "arm", "against", "null", "margin"),
    *("estimate", "low", "high", "level", "replicates", "games", "value", "paired", "gain"),
    *("p", "p_adjusted", "correction", "answer", "call", "verdict", "more", "method", "note"),
)


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


def baseline_arms(arms: Sequence[Mapping[str, Any]], ruleset: str) -> dict[str, str]:
    """Find the arm that plays the baseline rules at the same table, for every arm that has one.

    Parameters
    ----------
    arms : of the manifest of a run: name, ruleset, lineup
    ruleset : name of the baseline, or of its arm
    """
    found = {}
    for arm in arms:
        if ruleset in (arm["ruleset"], arm["name"]):
            continue
        for base in arms:
            same = Counter(base["lineup"]) == Counter(arm["lineup"])
            if ruleset in (base["ruleset"], base["name"]) and same:
                found[arm["name"]] = base["name"]
                break
    return found


def list_claims(manifest: Mapping[str, Any], values: Mapping[str, Sequence[str]]) -> list[Claim]:
    """List the claims of an experiment: primary ones first, in the order of file and arms.

    Parameters
    ----------
    manifest : of a run
    values : the values seen of each category among the secondary outcomes
    """
    outcomes = manifest["experiment"].get("outcomes") or {}
    metrics, seats = known(manifest["game"]), int(manifest["seats"])
    arms = list(manifest["arms"])
    bases = baseline_arms(arms, manifest["baseline"])
    names = [arm["name"] for arm in arms]
    found: list[Claim] = []
    for name, asked in (outcomes.get("primary") or {}).items():
        if name in metrics:
            found += _primary(metrics[name], asked, names, bases, seats)
    for name in outcomes.get("secondary") or ():
        if name in metrics:
            found += _secondary(metrics[name], names, bases, seats, values.get(name, ()))
    return found


def _primary(
    metric: Metric,
    asked: Mapping[str, Any],
    arms: Iterable[str],
    bases: Mapping[str, str],
    seats: int,
) -> list[Claim]:
    to = asked.get("to") or (FAIR if metric.unit == WIN_SHARE else BASELINE)
    scale = 100.0 if metric.kind == "share" else 1.0
    margin = asked.get("margin_pp", asked.get("margin"))
    first = Claim(
        outcome=metric.name,
        metric=metric,
        claim=asked["claim"],
        arm="",
        margin=math.nan if margin is None else margin / scale,
        seats=seats,
    )
    found = []
    for arm in arms:
        if to == BASELINE and arm in bases:
            found.append(replace(first, arm=arm, against=bases[arm], null=0.0))
        elif to != BASELINE:
            null = 1 / seats if to == FAIR else float(to)
            found.append(replace(first, arm=arm, null=null))
    return [claim for one in found for claim in _by_seat(one)]


def _secondary(
    metric: Metric, arms: Iterable[str], bases: Mapping[str, str], seats: int, seen: Sequence[str]
) -> list[Claim]:
    labels = [(f"{metric.name} = {v}", v) for v in seen] if metric.kind == "category" else []
    found = []
    for outcome, value in labels or [(metric.name, "")] * (metric.kind != "category"):
        first = Claim(outcome, metric, "estimate", "", role="secondary", value=value, seats=seats)
        for arm in arms:
            found += _by_seat(replace(first, arm=arm))
            if arm in bases:
                against = replace(first, claim="differs", arm=arm, against=bases[arm], null=0.0)
                found += _by_seat(against)
    return found


def _by_seat(claim: Claim) -> list[Claim]:
    if claim.metric.per == "game":
        return [claim]
    return [replace(claim, seat=seat) for seat in range(claim.seats)]


def find_answers(run: Source, *, only_primary: bool = False) -> pd.DataFrame:
    """Say what the games of a run answer to its outcomes.

    Parameters
    ----------
    run : an open run, finished or going on; replicates that some arm lacks are left out
    only_primary : leave out what is secondary

    Returns
    -------
    pandas.DataFrame, one row per claim: role, outcome, seat (NA for metrics of games), unit, kind
    (share or number), claim, arm, against (arm or number, in words), null and margin, in the
    metric's unit, shares as proportions; estimate (of the metric, or of the difference) with low,
    high, level and replicates; games; value (of the arm itself); paired and gain of comparisons;
    p, p_adjusted and correction (holm, bh, bonferroni or empty); answer (yes, no, open, or empty
    where nothing is claimed), call and verdict in words; more: replicates still needed if the
    estimate stays (NA if none); method and note
    """
    outcomes = run.manifest["experiment"].get("outcomes") or {}
    names = [*(outcomes.get("primary") or {})]
    names += [] if only_primary else [*(outcomes.get("secondary") or ())]
    metrics = known(run.manifest["game"])
    found = read_values(run, [name for name in dict.fromkeys(names) if name in metrics])
    claims = list_claims(run.manifest, found.categories)
    if only_primary:
        claims = [claim for claim in claims if claim.role == "primary"]
    return answer_claims(claims, found, run.manifest)


def answer_claims(
    claims: Sequence[Claim], values: ReplicateValues, manifest: Mapping[str, Any]
) -> pd.DataFrame:
    """Answer claims that were listed; see `find_answers`."""
    stopping = manifest.get("stopping") or {}
    is_paired = manifest["pairing"] == "chance"
    anytime = stopping.get("intervals") == "anytime"
    tuned_for = int(stopping.get("tuned_for") or 1000)
    primary = sum(claim.role == "primary" for claim in claims)
    rows = []
    for claim in claims:
        if anytime and claim.role == "primary":
            level = 1 - ALPHA / max(1, primary)
            rows.append(_anytime(claim, values, is_paired, level, tuned_for))
        else:
            rows.append(_planned(claim, values, is_paired))
    correction = (manifest["experiment"].get("outcomes") or {}).get("correction") or {}
    _adjust(rows, "primary", "bonferroni" if anytime else correction.get("primary", "holm"))
    _adjust(rows, "secondary", correction.get("secondary", "bh"))
    for row, claim in zip(rows, claims, strict=True):
        _conclude(row, claim)
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.astype({"more": "Int64", "seat": "Int64"})


def _row(claim: Claim, estimate: Estimate, level: float, **more: Any) -> dict[str, Any]:
    return {
        "role": claim.role,
        "outcome": claim.outcome,
        "seat": claim.seat,
        **claim.measure,
        "claim": claim.claim,
        "arm": claim.arm,
        "against": claim.against or _number(claim),
        "null": claim.null,
        "margin": claim.margin,
        "estimate": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "level": level,
        "replicates": estimate.replicates,
        "method": estimate.method,
        "note": estimate.note,
        "paired": False,
        "gain": math.nan,
        "p": math.nan,
        "p_adjusted": math.nan,
        "correction": "",
        **more,
    }


def _number(claim: Claim) -> str:
    if math.isnan(claim.null):
        return ""
    if claim.metric.unit == WIN_SHARE and math.isclose(claim.null, 1 / claim.seats):
        return FAIR
    return f"{100 * claim.null:g} %" if claim.is_share else f"{claim.null:g} {claim.metric.unit}"


def _planned(claim: Claim, values: ReplicateValues, is_paired: bool) -> dict[str, Any]:
    """Row of a claim with ordinary interval and p."""
    ours = values.of(claim)
    if not claim.against:
        estimate = one_mean(ours.means, ours.games, claim.is_share)
        p = math.nan
        if claim.claim != "estimate" and len(ours.means):
            p = _one_sample_p(claim, ours.means, ours.games)
        more = {"games": ours.games, "value": estimate.value, "p": p}
        return _row(claim, estimate, LEVEL, **more)
    theirs = values.of(replace(claim, arm=claim.against))
    compared = compare_means(ours.series, theirs.series, is_paired, claim.bounds)
    p = math.nan if compared.test is None else _p(claim, compared.test)
    return _row(
        claim,
        compared.estimate,
        LEVEL,
        games=ours.games,
        value=float(np.mean(ours.means)) if len(ours.means) else math.nan,
        paired=compared.paired,
        gain=compared.gain,
        p=p,
    )


def one_mean(means: FloatArray, games: int, is_share: bool, level: float = LEVEL) -> Estimate:
    """Estimate of one arm: of a share, exact where events are rare, or of a mean."""
    if len(means) == 0:
        return NO_GAMES
    return rare_share(means, games, level) if is_share else mean(means, level=level)


@dataclass(frozen=True)
class MeanTest:
    """A t test of a mean of replicates, or of a difference: enough for every kind of claim."""

    value: float
    se: float
    df: float
    sample: FloatArray  # differences or values, for samples without spread
    bounds: tuple[float, float] | None

    def above(self, bound: float) -> float:
        """One-sided p of the claim that the mean lies above `bound`."""
        if self.se > 0:
            return float(scipy.stats.t.sf((self.value - bound) / self.se, self.df))
        return self._equal(self.value > bound, bound)

    def below(self, bound: float) -> float:
        """One-sided p of the claim that the mean lies below `bound`."""
        if self.se > 0:
            return float(scipy.stats.t.cdf((self.value - bound) / self.se, self.df))
        return self._equal(self.value < bound, bound)

    def _equal(self, agrees: bool, bound: float) -> float:
        """P of values that are all the same: that so many agree if the mean is `bound`."""
        if not agrees:
            return 1.0
        low, high = self.bounds or (-math.inf, math.inf)
        if not low < bound < high:
            return 1.0
        return block_mean(self.sample, bound, self.bounds).p / 2


@dataclass(frozen=True)
class Compared:
    """Two arms: the estimate of their difference, how it was made, and what pairing was worth."""

    estimate: Estimate
    paired: bool
    gain: float
    test: MeanTest | None


def compare_means(
    ours: pd.Series[float],
    theirs: pd.Series[float],
    is_paired: bool,
    bounds: tuple[float, float] | None,
) -> Compared:
    """Difference of two arms, replicate by replicate where that helps.

    Parameters
    ----------
    ours, theirs : mean of each replicate, indexed by replicate
    is_paired : whether the arms share the shuffles of a replicate
    bounds : lowest and highest possible difference; None if unbounded
    """
    if is_paired:
        common = ours.index.intersection(theirs.index)
        ours, theirs = ours.loc[common], theirs.loc[common]
    a, b = floats(ours), floats(theirs)
    if len(a) == 0 or len(b) == 0:
        return Compared(NO_GAMES, False, math.nan, None)
    gain = pairing_gain(a, b) if is_paired else math.nan
    paired = is_paired and not gain < 1
    estimate = difference(a, b, paired, bounds)
    if is_paired and not paired:
        note = f"sharing shuffles did not help (gain {gain:.2f}): unpaired interval"
        estimate = replace(estimate, note="; ".join(filter(None, (estimate.note, note))))
    if paired:
        d = a - b
        se = 0.0 if is_constant(d) else float(d.std(ddof=1)) / math.sqrt(len(d))
        return Compared(estimate, True, gain, MeanTest(float(d.mean()), se, len(d) - 1, d, bounds))
    if min(len(a), len(b)) < 2 or (is_constant(a) and is_constant(b)):
        return Compared(estimate, False, gain, None)
    found = scipy.stats.ttest_ind(a, b, equal_var=False)
    se = math.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
    test = MeanTest(float(a.mean() - b.mean()), se, float(found.df), a, bounds)
    return Compared(estimate, False, gain, test)


def _one_sample_p(claim: Claim, means: FloatArray, games: int) -> float:
    """P of a claim about one arm: exact for whole wins of independent games."""
    whole = claim.is_share and games == len(means) and bool(np.isin(means, (0.0, 1.0)).all())
    margin = 0.0 if math.isnan(claim.margin) else claim.margin
    low, high = claim.null - margin, claim.null + margin
    if whole and 0 < claim.null < 1:
        k, n = int(means.sum()), len(means)
        if claim.claim == "equivalent":
            return equivalence(k, n, max(0.0, low), min(1.0, high)).p
        if claim.claim == "superior":
            return binomial_test(k, n, high).at_least if high < 1 else 1.0
        return binomial_test(k, n, claim.null).p
    if len(means) < 2:
        return 1.0
    se = 0.0 if is_constant(means) else float(means.std(ddof=1)) / math.sqrt(len(means))
    return _p(claim, MeanTest(float(means.mean()), se, len(means) - 1, means, claim.bounds))


def _p(claim: Claim, test: MeanTest) -> float:
    margin = 0.0 if math.isnan(claim.margin) else claim.margin
    low, high = claim.null - margin, claim.null + margin
    if claim.claim == "equivalent":
        if test.se == 0:
            return equivalence_paired(test.sample - claim.null, margin).p
        return max(test.above(low), test.below(high))
    if claim.claim == "superior":
        return test.above(high)
    return min(1.0, 2 * min(test.above(claim.null), test.below(claim.null)))


def _anytime(
    claim: Claim, values: ReplicateValues, is_paired: bool, level: float, tuned_for: int
) -> dict[str, Any]:
    """Row of a claim whose interval and p hold at every look."""
    ours = values.of(claim)
    series, gain = ours.series, math.nan
    if claim.against:
        theirs = values.of(replace(claim, arm=claim.against)).series
        common = series.index.intersection(theirs.index)
        a, b = floats(series.loc[common]), floats(theirs.loc[common])
        gain = pairing_gain(a, b) if is_paired else math.nan
        x = a - b
    else:
        x = floats(series)
    if len(x) == 0:
        return _row(claim, NO_GAMES, level, games=0, value=math.nan)

    def interval(at: float) -> Interval:
        return anytime_interval(x, claim.bounds, ours.seatings, bool(claim.against), at, tuned_for)

    ends = interval(level)
    sd = float(x.std(ddof=1)) if len(x) > 1 else math.nan
    estimate = Estimate(float(x.mean()), ends.low, ends.high, sd, len(x), "anytime")
    return _row(
        claim,
        estimate,
        level,
        games=ours.games,
        value=float(np.mean(ours.means)) if len(ours.means) else math.nan,
        paired=bool(claim.against) and is_paired,
        gain=gain,
        p=_anytime_p(claim, interval),
    )


def anytime_interval(
    x: FloatArray,
    bounds: tuple[float, float] | None,
    seatings: int,
    is_difference: bool,
    level: float,
    tuned_for: int,
) -> Interval:
    """Interval for the mean of replicates that holds at every look.

    Which of the methods is used follows from the design, not from the values: shares of replicates
    of one game by the beta-binomial mixture; other bounded values by empirical Bernstein, which
    knows their variance; all others by the asymptotic sequence.
    """
    if bounds is not None and seatings == 1 and not is_difference:
        return sequential_share(x, level)
    return sequential_mean(x, bounds, tuned_for, level)


def _anytime_p(claim: Claim, interval: Callable[[float], Interval]) -> float:
    """Smallest chance of error at which the claim is confirmed, to about 1 %."""
    margin = 0.0 if math.isnan(claim.margin) else claim.margin

    def holds(alpha: float) -> bool:
        low, high = interval(1 - alpha)
        if claim.claim == "equivalent":
            return claim.null - margin < low and high < claim.null + margin
        if claim.claim == "superior":
            return low > claim.null + margin
        return not low <= claim.null <= high

    least, most = -9.0, math.log10(0.999)  # of the logarithm of alpha
    if not holds(10**most):
        return 1.0
    for _ in range(24):
        middle = (least + most) / 2
        least, most = (least, middle) if holds(10**middle) else (middle, most)
    return float(10**most)


def _adjust(rows: list[dict[str, Any]], role: str, correction: str) -> None:
    """Adjust the p values of a family of claims in place."""
    family = [row for row in rows if row["role"] == role and not math.isnan(row["p"])]
    if not family:
        return
    p = np.array([min(1.0, row["p"]) for row in family])
    if correction == "bonferroni":
        adjusted = np.minimum(1.0, len(family) * p)
    else:
        adjusted = (holm if correction == "holm" else benjamini_hochberg)(p)
    for row, value in zip(family, adjusted, strict=True):
        row["p_adjusted"], row["correction"] = float(value), correction


def _conclude(row: dict[str, Any], claim: Claim) -> None:
    """Fill in answer, call, verdict and the replicates that are missing."""
    row["answer"], row["call"], row["verdict"], row["more"] = "", "", "", None
    if claim.claim == "estimate":
        return
    estimate = Estimate(
        row["estimate"],
        row["low"],
        row["high"],
        math.nan,
        row["replicates"],
        row["method"],
        row["note"],
    )
    found = judge_claim(claim, estimate)
    adjusted = row["p_adjusted"]
    if found.answer == "yes" and not adjusted < ALPHA:
        found = replace(found, answer="open", words=f"{found.words}; not once all are counted")
    row["answer"], row["call"], row["verdict"] = found.answer, str(found.call), found.words
    row["more"] = found.more


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
    return f"{100 * amount:.1f} pp" if claim.is_share else f"{amount:g} {claim.metric.unit}"
