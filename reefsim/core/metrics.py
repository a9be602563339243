"""The metrics that experiments may name as outcomes and targets.

Only names, units and meanings; `stats` computes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["share", "number", "category"]


@dataclass(frozen=True)
class Metric:
    """One quantity of the report; a share lies between 0 and 1, a category has no order."""

    name: str
    kind: Kind
    unit: str
    meaning: str


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            "first_seat_share", "share", "win share", "win share of seat 0, a shared win counts 1/k"
        ),
        Metric("seat_share", "share", "win share", "win share of each seat"),
        Metric("length_turns", "number", "turns", "player turns of a game"),
        Metric("length_rounds", "number", "rounds", "rounds of a game, a begun round counts"),
        Metric("score", "number", "points", "final score of a seat"),
        Metric(
            "margin_points", "number", "points", "score of the best seat less that of the second"
        ),
        Metric("end_cause", "category", "cause", "what ended the game"),
        Metric("truncated_share", "share", "games", "share of games stopped by a limit"),
    )
}
