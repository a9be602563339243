"""The metrics that only Reef Encounter has, read off its tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reefsim.core.metric import Metric, Part


def _column(name: str) -> Callable[[Part], Any]:
    return lambda part: part.players[name]


def _of_player(name: str, column: str, unit: str, meaning: str, family: str = "pieces") -> Metric:
    return Metric(
        name, "number", unit, meaning, f"players.{column}", family,
        per="seat", compute=_column(column), reads={"players": (column,)},
    )  # fmt: skip


METRICS: tuple[Metric, ...] = (
    _of_player("laying_turns_by_seat", "laying_turns", "turns", "turns with a tile laid", "length"),
    _of_player("passes_by_seat", "passes", "turns", "turns with nothing but the sea (action 9)"),
    _of_player("laid_by_seat", "laid", "tiles", "tiles laid, growth tiles not counted"),
    _of_player("captured_by_seat", "captured", "tiles", "tiles taken by attacks", "interaction"),
    _of_player("locks_by_seat", "locks", "locks", "coral tiles locked"),
    _of_player("flips_by_seat", "flips", "flips", "coral tiles turned over"),
    _of_player("feeds_by_seat", "feeds", "corals", "corals fed, final feed included"),
    _of_player("returned_by_seat", "returned", "tiles", "tiles of eaten corals put into the bag"),
    _of_player("growths_by_seat", "growths", "tiles", "bonus tiles laid by extra growth"),
)
