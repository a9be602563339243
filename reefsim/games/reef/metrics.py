"""The metrics that only Reef has, read off its tables."""

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
    _of_player("plays_by_seat", "plays", "cards", "cards played", "length"),
    _of_player("deck_takes_by_seat", "takes_deck", "cards", "cards paid for and taken"),
    _of_player("pattern_points_by_seat", "pattern_points", "points", "points of played cards"),
    _of_player("hand_points_by_seat", "hand_points", "points", "points of hand cards at the end"),
    _of_player("tokens_by_seat", "tokens_taken", "points", "points taken with display cards"),
    _of_player("blank_plays_by_seat", "blank_plays", "cards", "played cards that scored nothing"),
    _of_player("covered_by_seat", "covered", "spaces", "covered spaces at the end"),
    _of_player("full_stacks_by_seat", "full_stacks", "stacks", "stacks of the limit at the end"),
)
