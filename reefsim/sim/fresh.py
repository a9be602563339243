"""Shuffles that no other games of an experiment were played in.

Chance is keyed by seed and replicate, so games under another seed share no shuffle with those of
the experiment. Here stands who uses which.
"""

from __future__ import annotations

from reefsim.sim.schema import MAX_SEED

PILOT = 1  # of `reefsim validate --plan`
CHECK = 2  # of what was picked by games that were played before
ROUNDS = 3  # of a search: that of its first round, the next is that of the second, ...


def fresh_seed(seed: int, use: int) -> int:
    """The seed of other shuffles than those of an experiment.

    Parameters
    ----------
    seed : of the experiment
    use : what for: `PILOT`, `CHECK`, or `ROUNDS` plus the number of the round before
    """
    return (seed + use) % (MAX_SEED + 1)
