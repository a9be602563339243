"""How estimates settled while games were played, with intervals that hold at every look."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from reefsim.metrics.catalog import known
from reefsim.stats.checks import FloatArray, floats
from reefsim.stats.claim import Claim
from reefsim.stats.claims import list_claims
from reefsim.stats.means import anytime_interval
from reefsim.stats.proportions import LEVEL, Interval
from reefsim.stats.values import ReplicateValues, read_values

if TYPE_CHECKING:
    from reefsim.metrics.values import Source

_FIRST_SEAT = "first_seat_share"
_POINTS = 40
_TUNED_FOR = 1000


class Series(NamedTuple):
    """What a claim is about, replicate by replicate in their order; differences between arms."""

    claim: Claim
    values: FloatArray
    seatings: int
    tuned_for: int

    def interval(self, replicates: int) -> Interval:
        """Interval of the mean of the first replicates that holds at every look."""
        claim = self.claim
        return anytime_interval(
            self.values[:replicates],
            claim.bounds,
            self.seatings,
            bool(claim.against),
            LEVEL,
            self.tuned_for,
        )


def claimed_series(run: Source, values: ReplicateValues | None = None) -> Iterator[Series]:
    """Values of the primary claims of a run; of the first seat's share, where nothing is claimed.

    Parameters
    ----------
    run : an open run, finished or going on
    values : of `claims.read_outcomes`, if they were read already
    """
    claims: Sequence[Claim] = [
        claim for claim in list_claims(run.manifest, {}) if claim.role == "primary"
    ]
    if not claims:
        values = None  # the first seat's share is no outcome of the run
        metric = known(run.manifest["game"])[_FIRST_SEAT]
        seats = int(run.manifest["seats"])
        arms = [arm["name"] for arm in run.manifest["arms"]]
        claims = [Claim(_FIRST_SEAT, metric, "estimate", arm, seats=seats) for arm in arms]
    if values is None:
        values = read_values(run, list(dict.fromkeys(claim.metric.name for claim in claims)))
    tuned_for = int((run.manifest.get("stopping") or {}).get("tuned_for") or _TUNED_FOR)
    for claim in claims:
        ours = values.of(claim)
        series = ours.series
        if claim.against:
            theirs = values.of(replace(claim, arm=claim.against)).series
            common = series.index.intersection(theirs.index)
            series = series.loc[common] - theirs.loc[common]
        yield Series(claim, floats(series), ours.seatings, tuned_for)


def courses(run: Source, values: ReplicateValues | None = None) -> pd.DataFrame:
    """Estimate of every primary claim after more and more replicates.

    Parameters
    ----------
    run : an open run
    values : of `claims.read_outcomes`, if they were read already

    Returns
    -------
    pandas.DataFrame, one row per claim and number of replicates: outcome, seat, unit, kind, arm,
    against, null, margin, replicates, estimate, low, high (95 %, at all looks together)
    """
    rows: list[dict[str, Any]] = []
    for series in claimed_series(run, values):
        claim, n = series.claim, len(series.values)
        if n < 2:
            continue
        sums = np.cumsum(series.values)
        for looked in np.unique(np.linspace(min(n, 5), n, _POINTS).round().astype(int)):
            low, high = series.interval(int(looked))
            rows.append(
                {
                    "outcome": claim.outcome,
                    "seat": claim.seat,
                    **claim.measure,
                    "arm": claim.arm,
                    "against": claim.against,
                    "null": claim.null,
                    "margin": claim.margin,
                    "replicates": int(looked),
                    "estimate": float(sums[looked - 1] / looked),
                    "low": low if math.isfinite(low) else math.nan,
                    "high": high if math.isfinite(high) else math.nan,
                }
            )
    return pd.DataFrame(rows)
