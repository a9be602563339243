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
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from reefsim.core.metric import Metric
from reefsim.metrics.catalog import known
from reefsim.stats.checks import FloatArray, floats
from reefsim.stats.claim import FAIR, WIN_SHARE, Claim, judge_claim
from reefsim.stats.intervals import NO_GAMES, Estimate
from reefsim.stats.means import MeanTest, anytime_interval, compare_means, one_mean
from reefsim.stats.multiple import benjamini_hochberg, holm
from reefsim.stats.paired import pairing_gain
from reefsim.stats.proportions import LEVEL, Interval, binomial_test
from reefsim.stats.tost import equivalence, equivalence_paired
from reefsim.stats.values import ReplicateValues, read_values

if TYPE_CHECKING:
    from reefsim.metrics.values import Source

ALPHA = 1 - LEVEL
BASELINE = "baseline"
COLUMNS = (
    *("role", "outcome", "seat", "unit", "kind", "claim", "arm", "against", "null", "margin"),
    *("estimate", "low", "high", "level", "replicates", "games", "value", "paired", "gain"),
    *("p", "p_adjusted", "correction", "answer", "call", "verdict", "more", "method", "note"),
)


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


def read_outcomes(run: Source, *, only_primary: bool = False) -> ReplicateValues:
    """Values of the outcomes that a run asks for."""
    outcomes = run.manifest["experiment"].get("outcomes") or {}
    names = [*(outcomes.get("primary") or {})]
    names += [] if only_primary else [*(outcomes.get("secondary") or ())]
    metrics = known(run.manifest["game"])
    return read_values(run, [name for name in dict.fromkeys(names) if name in metrics])


def find_answers(
    run: Source, *, only_primary: bool = False, values: ReplicateValues | None = None
) -> pd.DataFrame:
    """Say what the games of a run answer to its outcomes.

    Parameters
    ----------
    run : an open run, finished or going on; replicates that some arm lacks are left out
    only_primary : leave out what is secondary
    values : of `read_outcomes`, if they were read already

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
    found = read_outcomes(run, only_primary=only_primary) if values is None else values
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
    return _p(claim, MeanTest.of(means, claim.bounds))


def _p(claim: Claim, test: MeanTest) -> float:
    margin = 0.0 if math.isnan(claim.margin) else claim.margin
    low, high = claim.null - margin, claim.null + margin
    if claim.claim == "equivalent":
        if test.student is None:
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
