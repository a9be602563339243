"""The metrics that only Reef has, read off its tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reefsim.core.metric import Metric, Part
from reefsim.games.reef.constants import COLORS

_SUPPLY = tuple(f"supply_{color}" for color in COLORS)


def _column(name: str) -> Callable[[Part], Any]:
    return lambda part: part.players[name]


def _of_player(name: str, column: str, unit: str, meaning: str, family: str = "pieces") -> Metric:
    return Metric(
        name, "number", unit, meaning, f"players.{column}", family,
        per="seat", compute=_column(column), reads={"players": (column,)},
    )  # fmt: skip


def _out(part: Part) -> Any:
    """Whether each color has run out, after every turn: game_id and a flag per color."""
    found = part.turns[list(_SUPPLY)].eq(0).set_axis(COLORS, axis="columns")
    return found.assign(game_id=part.turns["game_id"])


def _colors_out(part: Part) -> Any:
    """Pieces never come back, so that a color which has run out stays so."""
    return part.once(_out).groupby("game_id").any().sum(axis=1)


def _first_out(part: Part) -> Any:
    """The colors that were empty when the first one was."""
    import pandas as pd

    found = part.once(_out)
    first = found[found[list(COLORS)].any(axis=1)].groupby("game_id")[list(COLORS)].first()
    words = [
        " and ".join(color for color, is_out in zip(COLORS, row, strict=True) if is_out)
        for row in first.to_numpy()
    ]
    return pd.Series(words, index=first.index, dtype=object)


METRICS: tuple[Metric, ...] = (
    Metric(
        "deck_out_share", "share", "games", "games in which the deck ran out",
        "games.deck_left = 0", "length",
        compute=lambda part: part.games["deck_left"].eq(0), reads={"games": ("deck_left",)},
    ),
    Metric(
        "colors_out", "number", "colors", "colors of coral that ran out in a game",
        "number of colors with turns.supply_* = 0 after some turn", "length",
        compute=_colors_out, reads={"turns": _SUPPLY},
    ),
    Metric(
        "first_color_out", "category", "color",
        "color of coral that ran out first; several if one play emptied them",
        "colors with turns.supply_* = 0 after the first turn with one; undefined without",
        "length", compute=_first_out, reads={"turns": _SUPPLY},
    ),
    _of_player("plays_by_seat", "plays", "cards", "cards played", "length"),
    _of_player("display_takes_by_seat", "takes_display", "cards", "cards taken from the display"),
    _of_player("deck_takes_by_seat", "takes_deck", "cards", "cards paid for and taken"),
    _of_player("pattern_points_by_seat", "pattern_points", "points", "points of played cards"),
    _of_player("hand_points_by_seat", "hand_points", "points", "points of hand cards at the end"),
    _of_player("tokens_by_seat", "tokens_taken", "points", "points taken with display cards"),
    _of_player("blank_plays_by_seat", "blank_plays", "cards", "played cards that scored nothing"),
    _of_player("covered_by_seat", "covered", "spaces", "covered spaces at the end"),
    _of_player("full_stacks_by_seat", "full_stacks", "stacks", "stacks of the limit at the end"),
)  # fmt: skip
