"""What a number of replicates will allow to say, from the spread that a pilot measured."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy.stats

from reefsim.metrics.catalog import known
from reefsim.stats.checks import FloatArray, floats
from reefsim.stats.claim import Claim
from reefsim.stats.claims import list_claims
from reefsim.stats.paired import pairing_gain
from reefsim.stats.proportions import LEVEL
from reefsim.stats.values import ReplicateValues, read_values

if TYPE_CHECKING:
    from reefsim.metrics.values import Source

POWER = 0.8
CONFIRM = 0.9  # chance with which a true equivalence is to be confirmed
_Z = float(scipy.stats.norm.ppf((1 + LEVEL) / 2))
COLUMNS = (
    *("outcome", "seat", "unit", "kind", "claim", "arm", "against", "margin"),
    *("sd", "gain", "replicates", "half_width", "chance", "smallest", "needed"),
)


def forecast(run: Source, replicates: int) -> pd.DataFrame:
    """What the primary claims of a run could come to with so many replicates.

    Parameters
    ----------
    run : a pilot, or any run with the same outcomes
    replicates : of every arm that are to be played

    Returns
    -------
    pandas.DataFrame, one row per primary claim: outcome, seat, unit, kind, claim, arm, against,
    margin; sd between replicates (of the difference, between arms); gain of pairing (NaN for a
    number); half_width of the 95 % interval; chance to confirm an equivalence if it is true (NaN
    for other claims); smallest difference (beyond the margin of a superiority) that is seen in 80
    of 100 experiments; needed: replicates for a chance of 90 % to confirm an equivalence, or of
    80 % to see a difference as large as its margin (NaN for other claims: what they need depends on
    how large the truth is). All for one claim, before any correction
    """
    claims = [claim for claim in list_claims(run.manifest, {}) if claim.role == "primary"]
    values = read_values(run, list(dict.fromkeys(claim.outcome for claim in claims)))
    is_paired = run.manifest["pairing"] == "chance"
    rows = [_row(claim, values, is_paired, replicates) for claim in claims]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"seat": "Int64"})


def _row(claim: Claim, values: ReplicateValues, is_paired: bool, replicates: int) -> dict[str, Any]:
    sd, gain = spread(claim, values, is_paired)
    half = _Z * sd / math.sqrt(replicates)
    chance = needed = math.nan
    if claim.claim == "equivalent":
        reach = (claim.margin - half) * math.sqrt(replicates) / sd if sd > 0 else math.inf
        chance = max(0.0, 2 * float(scipy.stats.norm.cdf(reach)) - 1)
        z = _Z + float(scipy.stats.norm.ppf((1 + CONFIRM) / 2))
        needed = math.ceil((z * sd / claim.margin) ** 2)
    reach = _Z + float(scipy.stats.norm.ppf(POWER))
    if claim.claim == "differs" and claim.margin > 0:
        needed = math.ceil((reach * sd / claim.margin) ** 2)
    return {
        "outcome": claim.outcome,
        "seat": claim.seat,
        **claim.measure,
        "claim": claim.claim,
        "arm": claim.arm,
        "against": claim.against or "a number",
        "margin": claim.margin,
        "sd": sd,
        "gain": gain,
        "replicates": replicates,
        "half_width": half,
        "chance": chance,
        "smallest": reach * sd / math.sqrt(replicates),
        "needed": needed,
    }


def spread(claim: Claim, values: ReplicateValues, is_paired: bool) -> tuple[float, float]:
    """Standard deviation between replicates of what a claim is about, and the gain of pairing.

    That of whole wins follows from the share that the claim compares with, which a small pilot
    would tell less well; shared wins and rotations vary less than that, never more. Where a share
    never varied in the pilot, that of a fair game stands for it.
    """
    ours = values.of(claim)
    if not claim.against:
        sd = _sd(ours.means, claim)
        if not (claim.is_share and 0 < claim.null < 1):
            return sd, math.nan
        most = math.sqrt(claim.null * (1 - claim.null))
        is_whole = bool(np.isin(ours.means, (0.0, 1.0)).all())
        return (most if is_whole else min(sd, most)), math.nan
    theirs = values.of(replace(claim, arm=claim.against))
    common = ours.series.index.intersection(theirs.series.index)
    a, b = (floats(one.series.loc[common]) for one in (ours, theirs))
    independent = math.sqrt(_sd(a, claim) ** 2 + _sd(b, claim) ** 2)
    if not is_paired:
        return independent, math.nan
    gain = pairing_gain(a, b)
    sd = float((a - b).std(ddof=1)) if len(a) > 1 else math.nan
    return (sd if gain >= 1 and sd > 0 else independent), gain


def _sd(values: FloatArray, claim: Claim) -> float:
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    if sd > 0 or not claim.is_share:
        return sd
    fair = claim.null if 0 < claim.null < 1 else 1 / max(2, claim.seats)
    return math.sqrt(fair * (1 - fair))


def replicates_for_widths(run: Source, half_widths: Mapping[str, float]) -> int:
    """Replicates until the intervals of metrics are narrow enough in every arm.

    Parameters
    ----------
    run : a pilot
    half_widths : wanted, by metric, in its unit
    """
    metrics = known(run.manifest["game"])
    values = read_values(run, list(half_widths))
    seats = int(run.manifest["seats"])
    most = 1
    for name, half in half_widths.items():
        places = [None] if metrics[name].per == "game" else range(seats)
        for arm in run.manifest["arms"]:
            for seat in places:
                claim = Claim(name, metrics[name], "estimate", arm["name"], seat=seat, seats=seats)
                sd = _sd(values.of(claim).means, claim)
                most = max(most, math.ceil((_Z * sd / half) ** 2))
    return most
