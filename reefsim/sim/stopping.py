"""The stopping rule of an experiment: when it looks at its games, and how many it plays at most.

fixed      so many replicates of every arm.
precision  until every interval named is narrow enough. An ordinary interval may be looked at for
           its width alone, so the intervals of the report stay ordinary ones.
decision   until every primary claim is decided, one way or the other. Whoever stops because of
           what the games show needs intervals that hold at every look (`stats.sequential`); the
           chance of error is split over the claims.

Looks happen at fixed numbers of replicates, and only on games of all arms up to there. So the
number of replicates is a function of the design, whatever the workers, chunks and interruptions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reefsim.core.allowed import Choice, Map, Number, Whole
from reefsim.core.metric import Metric
from reefsim.core.wording import did_you_mean, show
from reefsim.sim.checks import REQUIRED, Checker, Key, Later

MAX_REPLICATES = 10_000_000
RULES = ("fixed", "precision", "decision")
WIN_SHARE = "win share"  # unit of the metrics whose fair value is 1/seats
_Z = 1.959964  # of a 95 % interval
_FEW = 50  # replicates before which an asymptotic interval is not to be looked at
_EXAMPLES = {
    "fixed": "stopping: {rule: fixed, replicates: 400}",
    "precision": "stopping: {rule: precision, half_width_pp: {first_seat_share: 1.0}, "
    "look_every: 200, replicates: {min: 400, max: 20000}}",
    "decision": "stopping: {rule: decision, look_every: 200, replicates: {min: 400, max: 20000}}",
}
_WIDTHS = ("half_width_pp", "half_width")


@dataclass(frozen=True)
class Stopping:
    """When a run ends.

    Attributes
    ----------
    rule : fixed, precision or decision
    most : replicates of every arm that are played at most; with fixed, those that are played
    least : replicates before the first look
    look_every : looks happen at its multiples, and at `most`
    half_widths : wanted half-width by metric, in the unit of the metric (shares as proportions)
    intervals : planned, or anytime for intervals that hold at every look
    """

    rule: str
    most: int
    least: int = 1
    look_every: int = 0
    half_widths: dict[str, float] = field(default_factory=dict)
    intervals: str = "planned"

    @property
    def looks(self) -> tuple[int, ...]:
        """Numbers of replicates at which it is decided whether to go on; the last one is `most`."""
        if self.rule == "fixed":
            return (self.most,)
        first = self.look_every * math.ceil(self.least / self.look_every)
        return (*range(first, self.most, self.look_every), self.most)

    @property
    def tuned_for(self) -> int:
        """Replicates at which intervals that hold at every look are narrowest."""
        return max(1, round(math.sqrt(self.looks[0] * self.most)))

    def resolved(self) -> dict[str, Any]:
        """What decides how many games are played, as plain values."""
        return {
            "rule": self.rule,
            "replicates": {"min": self.least, "max": self.most},
            "look_every": self.look_every,
            "half_widths": self.half_widths,
            "intervals": self.intervals,
        }


def fixed(replicates: int) -> Stopping:
    """A rule that plays so many replicates."""
    return Stopping("fixed", replicates, replicates, replicates)


def read_stopping(
    check: Checker,
    top: Mapping[str, Any],
    metrics: Mapping[str, Metric],
    outcomes: Mapping[str, Any],
) -> Stopping | None:
    """Check `stopping`; None if it is missing or wrong.

    Parameters
    ----------
    metrics : those of the game
    outcomes : as checked by `goals.read_outcomes`
    """
    if "stopping" not in top:
        return None
    before = len(check.problems)
    given = top["stopping"]
    rule = given.get("rule") if isinstance(given, dict) else None
    if rule not in ("precision", "decision"):
        replicates = check.section(("stopping",), given, _fixed_keys(), _EXAMPLES["fixed"])
        fine = len(check.problems) == before
        return fixed(replicates["replicates"]) if fine else None
    found = check.section(("stopping",), given, _keys(rule), _EXAMPLES[rule])
    if found["replicates"] is None:
        return None
    counts = check.section(
        ("stopping", "replicates"), found["replicates"], _COUNTS, _EXAMPLES[rule]
    )
    widths = _half_widths(check, found, metrics, rule)
    if rule == "decision" and not outcomes["primary"] and "primary" not in _given(top):
        what = "'decision' needs a primary outcome to decide."
        check.fail(("stopping", "rule"), what, "Name one, or write rule: precision.")
    if rule == "decision" and found["intervals"] == "planned":
        what = "planned. A decision because of what the games show needs intervals that hold at "
        check.fail(("stopping", "intervals"), f"{what}every look.", "Write auto or anytime.")
    judged = [name for name in outcomes["primary"] if metrics[name].oracle]
    if rule == "decision" and judged:
        what = f"{judged[0]} needs win chances, which are worked out when the games are played."
        check.fail(("stopping", "rule"), what, "Write rule: fixed.")
    if len(check.problems) > before:
        return None
    least, most = counts["min"], counts["max"]
    every = found["look_every"] or least
    if least > most:
        what = f"min {least:,} is above max {most:,}."
        check.fail(("stopping", "replicates"), what)
        return None
    asymptotic = [n for n in outcomes["primary"] if metrics[n].kind == "number"]
    if rule == "decision" and asymptotic and least < _FEW:
        what = f"{least} replicates are too few for a first look at {asymptotic[0]}."
        advice = f"Its interval holds in long runs: give min {_FEW} or more."
        check.fail(("stopping", "replicates", "min"), what, advice)
        return None
    anytime = rule == "decision" or found["intervals"] == "anytime"
    return Stopping(rule, most, least, every, widths, "anytime" if anytime else "planned")


def check_reach(
    check: Checker, stopping: Stopping, metrics: Mapping[str, Metric], seats: int, seatings: int
) -> None:
    """Check that the most replicates can reach the half-widths asked for.

    This is known beforehand for the win share of a seat among equal agents, where a replicate is
    one game: if fair, its variance is p (1 - p).

    Parameters
    ----------
    seatings : of the arm that has fewest
    """
    share = 1 / seats
    for name, half in stopping.half_widths.items():
        if metrics[name].unit != WIN_SHARE or seatings > 1:
            continue
        reached = _Z * math.sqrt(share * (1 - share) / stopping.most)
        if reached <= half:
            continue
        needed = round(_Z**2 * share * (1 - share) / half**2)
        check.fail(
            ("stopping", "replicates", "max"),
            f"{stopping.most:,} replicates cannot reach a half-width of {100 * half:.1f} pp for "
            f"{name} (about {round(needed, 2 - len(str(needed))):,} needed at {seats} seats; "
            f"{stopping.most:,} give {100 * reached:.1f} pp).",
            f"Raise max, or set half_width_pp to {math.ceil(1000 * reached) / 10:.1f} or more.",
        )


_COUNTS: dict[str, Key | Later] = {
    "min": Key(Whole(2, MAX_REPLICATES), REQUIRED),
    "max": Key(Whole(2, MAX_REPLICATES), REQUIRED),
}


def _fixed_keys() -> dict[str, Key | Later]:
    others = Later("Rule fixed needs replicates.", "goes with the rules precision and decision.")
    return {
        "rule": Key(Choice(RULES), REQUIRED),
        "replicates": Key(Whole(1, MAX_REPLICATES), REQUIRED),
        **dict.fromkeys((*_WIDTHS, "intervals", "look_every"), others),
    }


def _keys(rule: str) -> dict[str, Key | Later]:
    only = Later("Rule decision stops when every claim is decided.", "goes with rule precision.")
    widths: dict[str, Key | Later] = {
        "half_width_pp": Key(Map("map from metrics to percentage points"), {}),
        "half_width": Key(Map("map from metrics to half-widths in their units"), {}),
    }
    return {
        "rule": Key(Choice(RULES), REQUIRED),
        **(widths if rule == "precision" else dict.fromkeys(_WIDTHS, only)),
        "intervals": Key(Choice(("auto", "planned", "anytime")), "auto"),
        "look_every": Key(Whole(1, MAX_REPLICATES)),
        "replicates": Key(Map("map with min and max"), REQUIRED),
    }


def _half_widths(
    check: Checker, found: Mapping[str, Any], metrics: Mapping[str, Metric], rule: str
) -> dict[str, float]:
    if rule != "precision":
        return {}
    widths: dict[str, float] = {}
    for key, kind, scale in (("half_width_pp", "share", 100.0), ("half_width", "number", 1.0)):
        other = _WIDTHS[key == _WIDTHS[0]]
        for name, half in found[key].items():
            here = ("stopping", key, name)
            if name not in metrics:
                what = f"{show(name)} is not a metric."
                question = did_you_mean(name, metrics)
                check.fail(here, what, question, "See: reefsim list metrics", at_name=True)
            elif metrics[name].kind == "category":
                check.fail(here, f"{name} is a category, which has no interval.", at_name=True)
            elif metrics[name].oracle:
                what = f"{name} needs win chances, which are worked out when the games are played."
                check.fail(here, what, "It can be an outcome of rule fixed.", at_name=True)
            elif metrics[name].kind != kind:
                what = f"{name} is a share."
                if metrics[name].kind == "number":
                    what = f"{name} is a number, in {metrics[name].unit}."
                check.fail(here, what, f"It goes under {other}.", at_name=True)
            else:
                value = check.value(here, half, Number(0, scale if kind == "share" else None))
                if value == 0:
                    check.fail(here, "no number of games gives an interval of width 0.")
                elif value is not None:
                    widths[name] = value / scale
    if not found["half_width_pp"] and not found["half_width"]:
        what = "'precision' needs the half-width to reach."
        advice = "Write for example half_width_pp: {first_seat_share: 1.0}."
        check.fail(("stopping",), what, advice)
    return widths


def _given(top: Mapping[str, Any]) -> Mapping[str, Any]:
    outcomes = top.get("outcomes")
    return outcomes if isinstance(outcomes, dict) else {}
