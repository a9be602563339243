"""The events of CHARON Inc. and the columns of its game record (RULES.md, game record).

The bit fields are those `log.pack` writes. Names of spots and cards depend on the data sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import Any

from reefsim.core.events import Column, EventLayout, Role
from reefsim.games.charon_inc.constants import (
    AREAS,
    BUILD_SOURCES,
    COLORS,
    END_CAUSES,
    MAX_SEATS,
    MAX_WAYS,
    REGIONS,
    SOURCES,
    Kind,
)
from reefsim.games.charon_inc.datasets import Card
from reefsim.games.charon_inc.gems import TEXTS, gems_text

ACTION_NAMES = tuple(kind.name.lower() for kind in Kind)
_CHANCE = ("seed", "bury", "deal", "draw", "redraw", "a3_card")
_FACTS = ("action", "mine", "clear", "order")
_NAMES: tuple[tuple[str, Role], ...] = (
    *((name, "action") for name in ACTION_NAMES),
    *((name, "chance") for name in _CHANCE),
    *((name, "consequence") for name in _FACTS),
    ("end", "end"),
)
ORDERS = tuple(
    ",".join(map(str, order)) for n in range(2, MAX_SEATS + 1) for order in permutations(range(n))
)

Words = Sequence[Any]


def payments(card: Card, clear_gems: int) -> list[tuple[int, ...]]:
    """What clear gems stand for, by color, in every payment of a card, in the order of the codes.

    >>> payments(Card("X", 2, (1, 0, 0, 2, 0)), 6)[:4]
    [(0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 1, 0), (1, 0, 0, 1, 0)]
    """
    ranges = [range(min(n, clear_gems) + 1) for n in reversed(card.cost)]
    return [way[::-1] for way in product(*ranges)]


def paid(card: Card, way: Sequence[int]) -> str:
    """The gems of a payment as text."""
    ordinary = (n - stood_for for n, stood_for in zip(card.cost, way, strict=True))
    return gems_text((*ordinary, sum(way)))


def _by(bits: int, words: Words, size: int) -> Words:
    """Words for a field that names something from a bit on."""
    return tuple(words[a >> bits] if a >> bits < len(words) else None for a in range(size))


def _low(bits: int, words: Words, size: int) -> Words:
    """Words for a field whose lowest bits name something."""
    mask = (1 << bits) - 1
    return tuple(words[a & mask] if a & mask < len(words) else None for a in range(size))


def _each(names: Iterable[str], source: tuple[str, Words]) -> dict[str, tuple[str, Words]]:
    return dict.fromkeys(names, source)


@lru_cache(maxsize=16)
def events(spots: tuple[str, ...], cards: tuple[Card, ...], clear_gems: int) -> EventLayout:
    """The layout for a map and a card set.

    Parameters
    ----------
    spots : their names, in the order of the map
    cards : in the order of the card set
    clear_gems : how many there are, which limits what they can stand for
    """
    ids = tuple(card.id for card in cards)
    by_card = [[paid(card, way) for way in payments(card, clear_gems)][:MAX_WAYS] for card in cards]
    build_gems = tuple(
        gems for ways in by_card for gems in (*ways, *[None] * (MAX_WAYS - len(ways)))
    )
    return EventLayout(
        fields=(
            ("event", 5),
            ("seat", 3),
            ("round", 3),
            ("turn", 9),
            ("n_legal", 13),
            ("a", 16),
            ("b", 14),
        ),
        names=_NAMES,
        columns=(
            Column("turn", "int16", "0 in the set-up, then turns", {"*": ("turn", range(512))}),
            Column("round", "int8", "0 in the set-up, then rounds", {"*": ("round", range(7))}),
            Column(
                "seat",
                "int8",
                "who acts, gets a card, wins a region; null if nobody does",
                {"*": ("seat", range(MAX_SEATS))},
            ),
            Column(
                "area",
                "string",
                "action area",
                {"place": ("a", _by(7, AREAS, 1 << 10)), "action": ("a", _by(1, AREAS, 10))},
            ),
            Column(
                "spot",
                "string",
                "spot of a flag",
                {
                    "place": ("a", _low(7, spots, 1 << 10)),
                    "a1_move": ("a", _by(7, spots, 1 << 14)),
                },
            ),
            Column(
                "to_spot",
                "string",
                "spot a flag moves to",
                {"a1_move": ("a", _low(7, spots, 1 << 14))},
            ),
            Column(
                "region",
                "string",
                "region of the moon",
                {"seed": ("b", _by(2, REGIONS, 80)), "mine": ("a", REGIONS)},
            ),
            Column(
                "color",
                "string",
                "color of gems; of those given, for the synchrotron",
                {
                    "seed": ("a", COLORS[:5]),
                    "mine": ("b", _by(2, COLORS[:5], 20)),
                    "trade": ("a", _by(12, COLORS[:5], 5 << 12)),
                    "synchrotron": ("a", _by(9, COLORS, 6 << 9)),
                },
            ),
            Column(
                "color2",
                "string",
                "color of gems taken",
                {"synchrotron": ("a", _second_color())},
            ),
            Column(
                "card",
                "string",
                "card id",
                _each(
                    ("row_card", "exchange", "bury", "deal", "draw", "redraw", "a3_card"),
                    ("a", ids),
                )
                | {
                    "a3_take": ("a", _low(6, ids, 1 << 7)),
                    "build": ("a", _by(9, ids, len(ids) << 9)),
                },
            ),
            Column(
                "source",
                "string",
                "where a card comes from: hand, row, discard",
                {"a3_take": ("a", _by(6, SOURCES, 1 << 7)), "build": ("b", BUILD_SOURCES)},
            ),
            Column(
                "gems",
                "string",
                "multiset of gems: given in a trade, paid, kept",
                {
                    "trade": ("a", _low(12, TEXTS, 5 << 12)),
                    "build": ("a", build_gems),
                    "keep": ("a", TEXTS),
                },
            ),
            Column(
                "size",
                "int16",
                "number of gems",
                {
                    "seed": ("b", _low(2, range(4), 80)),
                    "mine": ("b", _low(2, range(4), 20)),
                    "clear": ("a", range(4)),
                    "synchrotron": ("a", _low(6, range(64), 6 << 9)),
                },
            ),
            Column(
                "n_legal",
                "int16",
                "number of legal actions at this decision",
                _each(ACTION_NAMES, ("n_legal", range(1 << 13))),
            ),
            Column(
                "value",
                "string",
                "whether an action works; the new order; cause of the end",
                {
                    "action": ("a", _low(1, ("void", "valid"), 10)),
                    "order": ("a", ORDERS),
                    "end": ("a", (None, *END_CAUSES)),
                },
            ),
        ),
    )


def _second_color() -> Words:
    return tuple(COLORS[a >> 6 & 7] if (a >> 6 & 7) < 6 else None for a in range(6 << 9))
