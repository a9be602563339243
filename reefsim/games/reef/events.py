"""The events of Reef and the columns of its game record (RULES.md, game record).

The bit fields are those `log.pack` writes. Names of cards depend on the deck.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from reefsim.core.events import Column, EventLayout, Role
from reefsim.games.reef.constants import (
    CELL_NAMES,
    COLORS,
    END_CAUSES,
    NUM_PAIRS,
    PAIRS,
    Kind,
)

ACTION_NAMES = tuple(kind.name.lower() for kind in Kind)
_CHANCE = ("deal", "start_random", "display", "top")
_NAMES: tuple[tuple[str, Role], ...] = (
    *((name, "action") for name in ACTION_NAMES),
    *((name, "chance") for name in _CHANCE),
    ("hand_card", "consequence"),
    ("end", "end"),
)

_SLOTS = range(6)
_SCORES = range(17 * 21)  # matches and printed points (`log.scored`)
_MATCHES = tuple(score // 21 for score in _SCORES)
_POINTS = tuple(score // 21 * (score % 21) for score in _SCORES)
# a of `start_piece`: color, cell, level
_START_COLOR = tuple(COLORS[a >> 7] for a in range(512))
_START_CELL = tuple(CELL_NAMES[(a >> 3) & 15] for a in range(512))
_START_LEVEL = tuple((a & 7) or None for a in range(512))


def _placements() -> list[tuple[str | None, ...]]:
    """Color, cell, color2, cell2 for each placement that `pieces.place` returns."""
    both = [
        (COLORS[c], CELL_NAMES[i], COLORS[d], CELL_NAMES[j])
        for i, j in PAIRS
        for c in range(4)
        for d in range(4)
    ]
    one = [(COLORS[c], cell, None, None) for cell in CELL_NAMES for c in range(4)]
    return [*both, *one, (None, None, None, None)]


_PLACED = tuple(zip(*_placements(), strict=True))
assert len(_PLACED[0]) == NUM_PAIRS * 16 + 65


def _each(names: tuple[str, ...], source: tuple[str, Any]) -> dict[str, tuple[str, Any]]:
    return dict.fromkeys(names, source)


@lru_cache(maxsize=64)
def events(cards: tuple[str, ...]) -> EventLayout:
    """The layout for a deck, by the ids of its cards in the order of its file."""
    scored = ("play", "centre", "score", "hand_card")
    return EventLayout(
        fields=(
            ("event", 4),
            ("seat", 3),
            ("card", 8),
            ("a", 12),
            ("b", 9),
            ("n_legal", 12),
            ("turn", 15),
        ),
        names=_NAMES,
        columns=(
            Column(
                "turn", "int16", "0 in the set-up, then player turns", {"*": ("turn", range(2**15))}
            ),
            Column(
                "seat",
                "int8",
                "who acts; receiver of a card or piece; owner of a hand card",
                {"*": ("seat", (0, 1, 2, 3))},
            ),
            Column(
                "card",
                "string",
                "card id",
                _each(("deal", "display", "top"), ("a", cards))
                | _each(("take_display", "take_deck", "play", "hand_card"), ("card", cards)),
            ),
            Column(
                "slot",
                "int8",
                "slot of the display",
                _each(("take_display", "take_deck", "display"), ("b", _SLOTS)),
            ),
            Column(
                "color",
                "string",
                "color of a piece",
                {
                    "play": ("a", _PLACED[0]),
                    "start_piece": ("a", _START_COLOR),
                    "start_random": ("b", COLORS),
                },
            ),
            Column(
                "cell",
                "string",
                "its cell; center of a special card",
                {
                    "play": ("a", _PLACED[1]),
                    "start_piece": ("a", _START_CELL),
                    "start_random": ("a", CELL_NAMES),
                    "centre": ("a", CELL_NAMES),
                },
            ),
            Column("color2", "string", "color of the second piece", {"play": ("a", _PLACED[2])}),
            Column("cell2", "string", "its cell", {"play": ("a", _PLACED[3])}),
            Column(
                "level",
                "int8",
                "level of a starting piece in its stack",
                {"start_piece": ("a", _START_LEVEL)},
            ),
            Column(
                "matches",
                "int16",
                "how often the pattern was scored; neighbors of a special card",
                _each(scored, ("b", _MATCHES)),
            ),
            Column(
                "points",
                "int16",
                "what the event adds to the stock",
                _each(scored, ("b", _POINTS))
                | {"take_display": ("a", range(2**12)), "take_deck": ("a", range(0, -6, -1))},
            ),
            Column(
                "n_legal",
                "int16",
                "legal actions at the decision",
                _each(ACTION_NAMES, ("n_legal", range(2**12))),
            ),
            Column("value", "string", "cause of the end", {"end": ("a", (None, *END_CAUSES))}),
        ),
    )
