"""Means of replicates: of one arm, of two arms compared, and intervals that hold at every look."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pandas as pd

from reefsim.stats.blocks import block_mean
from reefsim.stats.checks import FloatArray, floats, is_constant
from reefsim.stats.intervals import NO_GAMES, Estimate, mean, share
from reefsim.stats.paired import difference, pairing_gain
from reefsim.stats.proportions import LEVEL, Interval
from reefsim.stats.sequential import sequential_mean, sequential_share
from reefsim.stats.student import Student, of_difference, of_mean


def one_mean(means: FloatArray, games: int, is_share: bool, level: float = LEVEL) -> Estimate:
    """Estimate of one arm: of a share, or of a mean."""
    if len(means) == 0:
        return NO_GAMES
    return share(means, games, level) if is_share else mean(means, level=level)


@dataclass(frozen=True)
class MeanTest:
    """A t test of a mean of replicates, or of a difference: enough for every kind of claim."""

    value: float
    student: Student | None  # None for samples without spread
    sample: FloatArray  # differences or values
    bounds: tuple[float, float] | None

    @classmethod
    def of(cls, values: FloatArray, bounds: tuple[float, float] | None) -> MeanTest:
        """Test of the mean of values, or of differences of pairs."""
        student = None if is_constant(values) else of_mean(values)
        return cls(float(values.mean()), student, values, bounds)

    def above(self, bound: float) -> float:
        """One-sided p of the claim that the mean lies above `bound`."""
        if self.student is not None:
            return self.student.above(bound)
        return self._equal(self.value > bound, bound)

    def below(self, bound: float) -> float:
        """One-sided p of the claim that the mean lies below `bound`."""
        if self.student is not None:
            return self.student.below(bound)
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
        return Compared(estimate, True, gain, MeanTest.of(a - b, bounds))
    if min(len(a), len(b)) < 2 or (is_constant(a) and is_constant(b)):
        return Compared(estimate, False, gain, None)
    student = of_difference(a, b)
    return Compared(estimate, False, gain, MeanTest(student.value, student, a, bounds))


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
