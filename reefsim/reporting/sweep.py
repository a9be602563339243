"""What a sweep shows: a curve for each outcome, the values that meet all targets, and a pick."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reefsim.core.wording import plain
from reefsim.errors import RunError
from reefsim.logs.read import Run
from reefsim.metrics.catalog import known
from reefsim.stats.checks import floats
from reefsim.stats.claim import Claim
from reefsim.stats.goals import find_goals
from reefsim.stats.means import one_mean
from reefsim.stats.response import Response, response
from reefsim.stats.targets import INSIDE, OPEN, OUTSIDE
from reefsim.stats.values import ReplicateValues, read_values


@dataclass(frozen=True)
class Sweep:
    """A sweep that was played.

    Attributes
    ----------
    dials : names of the toggles that were varied
    points : one row per value: arm, point (the value in words), one column per dial, wanted,
        inside, outside and open (numbers of targets and claims), status (of all of them together)
    curves : one row per outcome and value: outcome, kind, unit, arm, estimate, low, high,
        replicates, fitted, fit_low, fit_high (NaN where no curve was fitted), terms and misfit
    pick : arm of the value to take, empty if every one misses something
    why : how it was picked
    """

    dials: tuple[str, ...]
    points: pd.DataFrame
    curves: pd.DataFrame
    pick: str
    why: str


def find_sweep(run: Run) -> Sweep:
    """Read a sweep off its run.

    Raises
    ------
    RunError : if the run is no sweep
    """
    dials: Mapping[str, Mapping[str, Any]] = run.manifest.get("dials") or {}
    arms = [arm for arm in run.manifest["arms"] if arm["ruleset"] in dials]
    if not arms:
        raise RunError(f"{run.folder}: this run is no sweep.")
    names = tuple(next(iter(dials.values())))
    points = [dict(dials[arm["ruleset"]]) for arm in arms]
    goals = find_goals(run)
    rows = []
    for arm, point in zip(arms, points, strict=True):
        found = goals.loc[goals["arm"] == arm["name"], "status"].to_list()
        rows.append(
            {
                "arm": arm["name"],
                "point": ", ".join(f"{name} {plain(value)}" for name, value in point.items()),
                **point,
                "wanted": len(found),
                "inside": found.count(INSIDE),
                "outside": found.count(OUTSIDE),
                "open": found.count(OPEN),
                "status": together(found),
            }
        )
    table = pd.DataFrame(rows)
    curves = _curves(run, [arm["name"] for arm in arms], points, names)
    pick, why = _pick(run, table, curves)
    return Sweep(names, table, curves, pick, why)


def together(found: Sequence[str]) -> str:
    """Status of everything that is wanted of a setting."""
    if OUTSIDE in found:
        return OUTSIDE
    return OPEN if OPEN in found or not found else INSIDE


def _curves(
    run: Run, arms: Sequence[str], points: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> pd.DataFrame:
    metrics = known(run.manifest["game"])
    asked = run.manifest["experiment"]
    outcomes = [
        *((asked.get("outcomes") or {}).get("primary") or {}),
        *(asked.get("targets") or {}),
    ]
    outcomes = [name for name in dict.fromkeys(outcomes) if name in metrics] or ["first_seat_share"]
    values = read_values(run, outcomes)
    seats = int(run.manifest["seats"])
    rows = []
    for name in outcomes:
        claims = [Claim(name, metrics[name], "estimate", arm, seats=seats) for arm in arms]
        curve = _fit(claims, values, points, names)
        for place, claim in enumerate(claims):
            ours = values.of(claim)
            estimate = one_mean(ours.means, ours.games, claim.is_share)
            rows.append(
                {
                    "outcome": name,
                    "kind": "share" if claim.is_share else "number",
                    "unit": "share" if claim.is_share else metrics[name].unit,
                    "arm": claim.arm,
                    "estimate": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                    "replicates": estimate.replicates,
                    "fitted": math.nan if curve is None else float(curve.fitted[place]),
                    "fit_low": math.nan if curve is None else float(curve.low[place]),
                    "fit_high": math.nan if curve is None else float(curve.high[place]),
                    "terms": "" if curve is None else " + ".join(curve.terms),
                    "misfit": math.nan if curve is None else curve.misfit,
                }
            )
    return pd.DataFrame(rows)


def _fit(
    claims: Sequence[Claim],
    values: ReplicateValues,
    points: Sequence[Mapping[str, Any]],
    names: Sequence[str],
) -> Response | None:
    """One curve through all values; None where a dial is no number, or there is too little."""
    settings = [[point[name] for name in names] for point in points]
    numeric = all(
        isinstance(value, int | float) and not isinstance(value, bool)
        for setting in settings
        for value in setting
    )
    if not numeric or len(points) < 2:
        return None
    table = pd.concat([values.of(claim).series for claim in claims], axis=1).dropna()
    if len(table) < 2:
        return None
    return response(np.array(settings, dtype=float), floats(table), names, claims[0].bounds)


def _pick(run: Run, points: pd.DataFrame, curves: pd.DataFrame) -> tuple[str, str]:
    """The value to take: of those that meet most, the one whose primary outcome is best."""
    if not points["wanted"].any():
        return "", "nothing is wanted: name targets, or an equivalence to a number"
    certain = points[points["status"] == INSIDE]
    possible = points[points["status"] != OUTSIDE]
    if not len(possible):
        return "", "every value misses a target"
    chosen = certain if len(certain) else possible
    how = "meets all targets" if len(certain) else "misses none for certain, though not all are met"
    primary = (run.manifest["experiment"].get("outcomes") or {}).get("primary") or {}
    for name, claim in primary.items():
        rows = curves[(curves["outcome"] == name) & curves["arm"].isin(chosen["arm"])]
        value = rows["fitted"].fillna(rows["estimate"])
        if not len(rows) or claim.get("to") == "baseline":
            continue
        to = 1 / int(run.manifest["seats"]) if claim.get("to") == "1/seats" else claim.get("to")
        off = -value if claim["claim"] == "superior" else (value - float(to or 0)).abs()
        best = rows.loc[off.idxmin(), "arm"]
        what = "is largest" if claim["claim"] == "superior" else f"is nearest to {claim.get('to')}"
        return str(best), f"{how}; of those, its {name.replace('_', ' ')} {what}"
    middle = chosen["arm"].iloc[(len(chosen) - 1) // 2]
    return str(middle), f"{how}; it lies in the middle of those"
