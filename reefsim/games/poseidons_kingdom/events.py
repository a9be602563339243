"""The events of Poseidon's Kingdom and the columns of its game record (RULES.md, M4).

The bit fields are those `log.pack` writes. Names of spaces and of reef tiles depend on data sets.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from reefsim.core.events import Column, EventLayout, Role
from reefsim.games.poseidons_kingdom.constants import (
    CORALS,
    DICE,
    END_CAUSES,
    HEX_NAMES,
    MAX_NUMBER,
    MAX_RING,
    MAX_ZONES,
    NUM_CELLS,
    NUM_SIDES,
    NUM_TENTACLES,
    OFFSETS,
    REWARDS,
    Kind,
)
from reefsim.games.poseidons_kingdom.log import FREED_STEP

ACTION_NAMES = tuple(kind.name.lower() for kind in Kind)
_NAMES: tuple[tuple[str, Role], ...] = (
    *((name, "action") for name in ACTION_NAMES),
    *((name, "chance") for name in ("fall", "start", "coral")),
    ("end", "end"),
)
_NUMBERS = range(MAX_NUMBER + 1)
_OWNERS, _FACES = zip(*DICE, strict=True)
# a of `fall`: 0 off the board, else zone and face
_FALL_ZONE = (0, *(zone for zone in range(1, MAX_ZONES + 1) for _ in range(6)))
_FALL_FACE = (None, *(face for _ in range(MAX_ZONES) for face in range(1, 7)))
# a friend freed (`log.freed_code`)
_FREED = [(1 + t, points) for t in range(NUM_TENTACLES) for points in range(FREED_STEP)]
_FREED_TENTACLE = (None, *(tentacle for tentacle, _ in _FREED))
_FREED_POINTS = (None, *(points for _, points in _FREED))
# a of `place`: cell and side
_PLACE_CELL = tuple(HEX_NAMES[code // NUM_SIDES] for code in range(NUM_CELLS * NUM_SIDES))
_PLACE_TO = tuple(
    HEX_NAMES[to] if 0 <= to < NUM_CELLS else None
    for cell in range(NUM_CELLS)
    for to in (cell + offset for offset in OFFSETS)
)
# a of `kraken`: owner and ring space; a of `reward`: which, and 1 + ring space
_KRAKEN_OWNER = tuple(a & 3 for a in range(4 * MAX_RING))
_KRAKEN_PLACE = tuple(a >> 2 for a in range(4 * MAX_RING))
_REWARD = tuple(REWARDS[a & 7] if a & 7 < len(REWARDS) else None for a in range(8 + 8 * MAX_RING))
_REWARD_PLACE = tuple((a >> 3) - 1 if a >> 3 else None for a in range(8 + 8 * MAX_RING))


def _each(names: tuple[str, ...], source: tuple[str, Any]) -> dict[str, tuple[str, Any]]:
    return dict.fromkeys(names, source)


@lru_cache(maxsize=64)
def events(spaces: tuple[str, ...], tiles: tuple[str, ...]) -> EventLayout:
    """The layout for an ocean and reef tiles, by the names of their spaces and kinds."""
    freeing = ("take", "use", "end_meal", "kraken", "reward")
    return EventLayout(
        fields=(
            ("event", 5),
            ("seat", 3),
            ("a", 16),
            ("b", 10),
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
                "who decides; the start player; whose last friend ended the game",
                {"*": ("seat", (0, 1, 2, 3)), "start": ("a", (0, 1, 2, 3))},
            ),
            Column(
                "kind",
                "string",
                "kind of reef tile or coral",
                {"build": ("a", tiles), "coral": ("a", CORALS)},
            ),
            Column(
                "cell",
                "string",
                "hex of a reef or space of the ocean",
                {
                    "place": ("a", _PLACE_CELL),
                    "move": ("a", spaces),
                    "flee": ("a", spaces),
                }
                | _each(("put", "use", "skeleton"), ("a", HEX_NAMES)),
            ),
            Column(
                "to_cell",
                "string",
                "hex of the second symbol, or the space moved to",
                {"place": ("a", _PLACE_TO), "move": ("b", spaces)},
            ),
            Column(
                "owner",
                "int8",
                "owner of a die, -1 neutral; whose ring creature moves",
                {
                    "fall": ("b", (0, 1, 2, 3, -1)),
                    "put": ("b", _OWNERS),
                    "take": ("a", _OWNERS),
                    "kraken": ("a", _KRAKEN_OWNER),
                },
            ),
            Column(
                "face",
                "int8",
                "face of a die; null off the board",
                {"fall": ("a", _FALL_FACE), "put": ("b", _FACES), "take": ("a", _FACES)},
            ),
            Column(
                "zone", "int8", "food zone of a die, 0 off the board", {"fall": ("a", _FALL_ZONE)}
            ),
            Column(
                "number",
                "int8",
                "dice loaded; coral number; level of a tile; ring space reached",
                _each(("load", "peek", "buy"), ("a", _NUMBERS))
                | {
                    "coral": ("b", _NUMBERS),
                    "place": ("b", _NUMBERS),
                    "kraken": ("a", _KRAKEN_PLACE),
                    "reward": ("a", _REWARD_PLACE),
                },
            ),
            Column(
                "tentacle",
                "int8",
                "tentacle eaten for, or of the friend freed",
                {"eat": ("a", _NUMBERS)} | _each(freeing, ("b", _FREED_TENTACLE)),
            ),
            Column(
                "points",
                "int8",
                "value of the safe place of the friend freed",
                _each(freeing, ("b", _FREED_POINTS)),
            ),
            Column(
                "n_legal",
                "int16",
                "legal actions at the decision",
                _each(ACTION_NAMES, ("n_legal", range(2**12))),
            ),
            Column(
                "value",
                "string",
                "reward taken; cause of the end",
                {"reward": ("a", _REWARD), "end": ("a", (None, *END_CAUSES))},
            ),
        ),
    )
