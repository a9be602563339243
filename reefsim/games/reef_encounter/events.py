"""The events of Reef Encounter and the columns of its game record (RULES.md, game record).

The bit fields are those `log.pack` writes.
"""

from __future__ import annotations

from typing import Any

from reefsim.core.events import Column, EventLayout, Role
from reefsim.games.reef_encounter.constants import (
    ALGAE,
    BOARD_IDS,
    COLORS,
    END_CAUSES,
    FIRST_LOCK,
    LARVA_PAIRS,
    NUM_TILES,
    SIDES,
    SOURCES,
    Kind,
)

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _cell_names() -> list[str | None]:
    names: list[str | None] = [None] * 256
    for board in range(4):
        for row in range(6):
            for column in range(7):
                x = board * 7 + column
                letters = _LETTERS[x] if x < 26 else _LETTERS[x // 26 - 1] + _LETTERS[x % 26]
                names[board << 6 | row << 3 | column] = f"{letters}{row + 1}"
    return names


CELL_NAMES = tuple(_cell_names())  # name of each cell id, None where there is no cell
_NUMBERS: range = range(2**17)

_COLOR_B = ("b", COLORS)
_COLOR_A = ("a", COLORS)
_CELL_B = ("b", CELL_NAMES)
_CELL_A = ("a", CELL_NAMES)
_PAIR = [tuple(COLORS[pair[i]] for pair in LARVA_PAIRS) for i in (0, 1)]
ON = (*("space",) * FIRST_LOCK, *(f"T{i + 1}" for i in range(NUM_TILES)))

ACTION_NAMES = tuple(kind.name.lower() for kind in Kind)
_CHANCE = ("board", "side", "sea_start", "sea_fill", "deal", "refill")
_NAMES: tuple[tuple[str, Role], ...] = (
    *((name, "action") for name in ACTION_NAMES),
    *((name, "chance") for name in _CHANCE),
    ("end", "end"),
)


def _each(names: tuple[str, ...], source: tuple[str, Any]) -> dict[str, tuple[str, Any]]:
    return dict.fromkeys(names, source)


EVENTS = EventLayout(
    fields=(
        ("event", 5),
        ("seat", 3),
        ("a", 8),
        ("b", 8),
        ("captured", 3),
        ("growth", 2),
        ("size", 6),
        ("n_legal", 11),
        ("turn", 17),
    ),
    names=_NAMES,
    columns=(
        Column("turn", "int16", "0 in the set-up, then player turns", {"*": ("turn", _NUMBERS)}),
        Column("seat", "int8", "who acts; receiver of a deal", {"*": ("seat", (0, 1, 2, 3))}),
        Column(
            "color",
            "string",
            "coral color",
            _each(("stash", "grow", "to_larva", "to_polyp", "collect"), _COLOR_B)
            | _each(("alga", "sea_start", "sea_fill", "deal", "refill"), _COLOR_A)
            | {"choose_larvae": ("b", _PAIR[0])},
        ),
        Column(
            "color2",
            "string",
            "second coral color; sea space filled",
            _each(("sea_fill", "refill"), _COLOR_B) | {"choose_larvae": ("b", _PAIR[1])},
        ),
        Column(
            "cell",
            "string",
            "cell",
            _each(("feed", "place", "shrimp_in", "shrimp_out"), _CELL_B) | {"shrimp_move": _CELL_A},
        ),
        Column("to_cell", "string", "cell a shrimp moves to", {"shrimp_move": _CELL_B}),
        Column("source", "string", "where a laid tile comes from", {"place": ("a", SOURCES)}),
        Column("alga", "string", "alga color", {"alga": ("captured", ALGAE)}),
        Column("on", "string", "alga space or coral tile", {"alga": ("b", ON)}),
        Column("captured", "string", "color taken", {"place": ("captured", COLORS)}),
        Column(
            "growth", "bool", "a growth tile was laid too", {"place": ("growth", (False, True))}
        ),
        Column("size", "int16", "tiles of the eaten coral", {"feed": ("size", range(64))}),
        Column(
            "n_legal",
            "int16",
            "legal actions at the decision",
            _each(ACTION_NAMES, ("n_legal", range(2**11))),
        ),
        Column(
            "value",
            "string",
            "board id, side, cause of the end, yes or no",
            {
                "board": ("a", BOARD_IDS),
                "side": ("a", SIDES),
                "end": ("a", (None, *END_CAUSES)),
                "grow_bonus": ("b", ("no", "yes")),
            },
        ),
    ),
)
