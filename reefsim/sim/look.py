"""What a look at the games of a run decides: go on, or stop, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reefsim.sim.stopping import Stopping

if TYPE_CHECKING:
    from reefsim.stats.claim import Claim
    from reefsim.stats.values import Means, ReplicateValues

LEAST_NUMBERS = 30  # replicates before the spread of a number is trusted to end a run


@dataclass(frozen=True)
class Width:
    """Half-width of the widest interval of a metric over all arms, and the one wanted."""

    metric: str
    is_share: bool
    now: float
    wanted: float

    @property
    def replicates_factor(self) -> float:
        """How many times as many replicates it takes, if the spread stays."""
        return (self.now / self.wanted) ** 2 if math.isfinite(self.now) else math.inf


@dataclass(frozen=True)
class Look:
    """One look.

    Attributes
    ----------
    number : of the look, from 1
    replicates : played of every arm
    stopped_by : why the run ends here: the rule, "max" if it ran out of replicates; empty if it
        goes on
    widths : of a run that stops on precision
    undecided : claims still open, in a run that stops on decisions
    claims : number of claims there
    more : replicates until the look at which the run is expected to end if all estimates stay
    """

    number: int
    replicates: int
    stopped_by: str
    widths: tuple[Width, ...] = ()
    undecided: int = 0
    claims: int = 0
    more: int = 0

    def resolved(self) -> dict[str, Any]:
        """For the manifest: what decided it."""
        return {"replicates": self.replicates, "stopped_by": self.stopped_by, "look": self.number}


def look(folder: Path, stopping: Stopping, number: int, replicates: int) -> Look:
    """Look at the games of a run folder.

    Parameters
    ----------
    folder : holds the games of every arm up to `replicates`; what is behind them is not read
    stopping : the rule
    number, replicates : of the look
    """
    is_last = replicates >= stopping.most
    if stopping.rule == "fixed":
        return Look(number, replicates, "fixed" if is_last else "")
    from reefsim.logs.read import open_run
    from reefsim.stats.values import UpTo

    run = UpTo(open_run(folder), replicates)
    left = stopping.most - replicates
    if stopping.rule == "precision":
        widths = _widths(run, stopping)
        done = all(width.now <= width.wanted for width in widths)
        factor = max(width.replicates_factor for width in widths)
        more = left if math.isinf(factor) else math.ceil(replicates * (factor - 1))
        by = "precision" if done else "max" if is_last else ""
        more = 0 if by else _to_a_look(stopping, replicates, more)
        return Look(number, replicates, by, widths=widths, more=more)
    from reefsim.stats.claims import find_answers

    answers = find_answers(run, only_primary=True)
    still_open = answers[answers["answer"] == "open"]
    by = "decision" if not len(still_open) else "max" if is_last else ""
    wanted = still_open["more"].max() if len(still_open) else 0
    more = left if wanted is None or wanted != wanted else int(wanted)
    return Look(
        number,
        replicates,
        by,
        undecided=len(still_open),
        claims=len(answers),
        more=0 if by else _to_a_look(stopping, replicates, more),
    )


def _to_a_look(stopping: Stopping, replicates: int, more: int) -> int:
    """Replicates until the first look at which there are `more` of them."""
    later = [look for look in stopping.looks if look > replicates]
    return next((look for look in later if look >= replicates + more), later[-1]) - replicates


def _widths(run: Any, stopping: Stopping) -> tuple[Width, ...]:
    """Half-width of each metric that is to be precise, the largest of all arms and seats."""
    from reefsim.metrics.catalog import known
    from reefsim.stats.claim import Claim
    from reefsim.stats.values import read_values

    metrics = known(run.manifest["game"])
    values = read_values(run, list(stopping.half_widths))
    found = []
    for name, wanted in stopping.half_widths.items():
        metric = metrics[name]
        seats = [None] if metric.per == "game" else [*range(int(run.manifest["seats"]))]
        claims = [
            Claim(name, metric, "estimate", arm["name"], seat=seat)
            for arm in run.manifest["arms"]
            for seat in seats
        ]
        widest = max(half_width(claim, values, stopping) for claim in claims)
        found.append(Width(name, metric.kind == "share", widest, wanted))
    return tuple(found)


def half_width(claim: Claim, values: ReplicateValues, stopping: Stopping) -> float:
    """Half-width of the interval of a metric in an arm; infinite while there is none.

    Of numbers, as long as they are few: those that happen to lie close together would end the run.
    """
    from reefsim.stats.means import anytime_interval, one_mean
    from reefsim.stats.proportions import LEVEL

    ours: Means = values.of(claim)
    if len(ours.means) == 0:
        return math.inf
    if stopping.intervals == "anytime":
        bounds = (0.0, 1.0) if claim.is_share else None
        low, high = anytime_interval(
            ours.means, bounds, ours.seatings, False, LEVEL, stopping.tuned_for
        )
    elif not claim.is_share and len(ours.means) < LEAST_NUMBERS:
        return math.inf
    else:
        estimate = one_mean(ours.means, ours.games, claim.is_share)
        low, high = estimate.low, estimate.high
    half = (high - low) / 2
    return half if math.isfinite(half) else math.inf
