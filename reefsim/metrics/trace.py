"""What an oracle says of the positions of a game: chances of winning, one row per position.

Oracles are in `reefsim.sim.oracle`, the files they write in `metrics.trace_files`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
# What is known of the decision that led to a position; NaN where no other action was tried.
DECISION = ("best", "second", "worst", "near", "effective", "swing")


@dataclass(frozen=True)
class Trace:
    """The positions of one game as an oracle sees them.

    Attributes
    ----------
    chance, error : shape (positions, seats): chance of winning and its standard error
    points : shape (positions, seats): true points
    movers : shape (positions - 1,): who acted last before each position but the first
    actions : shape (positions - 1,): kind of that action
    ply, turn : shape (positions,)
    decisions : the columns DECISION, shape (positions - 1,) each
    """

    chance: FloatArray
    error: FloatArray
    points: FloatArray
    movers: npt.NDArray[np.int64]
    actions: npt.NDArray[np.object_]
    ply: npt.NDArray[np.int64]
    turn: npt.NDArray[np.int64]
    decisions: Mapping[str, FloatArray]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won."""
        return tuple(int(p) for p in np.flatnonzero(self.chance[-1]))

    @property
    def threshold(self) -> FloatArray:
        """Lead at each position below which it may be noise: two standard errors."""
        most: FloatArray = 2 * self.error.max(axis=1)
        return most

    def by_turn(self) -> Trace:
        """The same with the positions between turns only: what a turn did is one step."""
        rows = between_turns(self.turn)
        steps = rows[1:] - 1
        return Trace(
            self.chance[rows],
            self.error[rows],
            self.points[rows],
            self.movers[steps],
            self.actions[steps],
            self.ply[rows],
            self.turn[rows],
            {name: np.full(len(steps), np.nan) for name in self.decisions},
        )


def between_turns(turn: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Rows of positions with which a turn begins, the first one and the end among them.

    Parameters
    ----------
    turn : number of the turn at each position
    """
    begins = np.flatnonzero(np.diff(turn)) + 1
    return np.unique([0, *begins.tolist(), len(turn) - 1])
