"""What an evaluation thinks of the positions and the choices of one game.

It is formed in `reefsim.sim.opinions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reefsim.metrics.trace import Trace


@dataclass(frozen=True)
class Opinion:
    """What an evaluation thinks of one game.

    Attributes
    ----------
    trace : chances of winning, position by position
    values : by ply of each decision that was looked at, of every legal action its text and how good
        the position after it is for the seat, in points; best first
    judges : by seat, in words, whose values these are; empty without values
    """

    trace: Trace
    values: Mapping[int, list[tuple[str, float]]] = field(default_factory=dict)
    judges: tuple[str, ...] = ()
