"""What is counted by board cell, color, coral tile and sea space, for maps and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from reefsim.core.metric import Part, Place, Summary
from reefsim.games.reef_encounter import chronicle
from reefsim.games.reef_encounter.constants import (
    BOARD_IDS,
    BOARDS,
    COLORS,
    CORAL_TILES,
    NUM_COLUMNS,
    NUM_ROWS,
)
from reefsim.games.reef_encounter.metrics import TOLD, told

_ROCKS = [
    (board, f"{'ABCDEFG'[column]}{row + 1}", row << 3 | column)
    for board, lines in zip(BOARD_IDS, BOARDS, strict=True)
    for row in range(NUM_ROWS)
    for column in range(NUM_COLUMNS)
    if lines[row][column] != "~"
]


def _frame(keys: Mapping[str, Any], **counts: Any) -> Any:
    import pandas as pd

    return pd.DataFrame({**keys, **counts})


def _cells(part: Part) -> Any:
    found = told(part)
    visits = Counter((x.board, x.cell) for x in found.laid)
    over = Counter((x.board, x.cell) for x in found.laid if x.captured is not None)
    growth = Counter((x.board, x.cell) for x in found.laid if x.growth)
    played = Counter(board for boards in found.boards.values() for board in boards)
    return _frame(
        {"board": [b for b, _, _ in _ROCKS], "cell": [name for _, name, _ in _ROCKS]},
        boards=[played[b] for b, _, _ in _ROCKS],
        visits=[visits[b, cell] for b, _, cell in _ROCKS],
        overwrites=[over[b, cell] for b, _, cell in _ROCKS],
        growths=[growth[b, cell] for b, _, cell in _ROCKS],
    )


def _colors(part: Part) -> Any:
    found = told(part)
    laid = Counter(x.color for x in found.laid)
    lost = Counter(x.captured for x in found.laid)
    eaten: Counter[str] = Counter()
    fish: Counter[str] = Counter()
    for meal in found.meals:
        eaten[meal.color] += meal.size
        fish[meal.color] += meal.eaten
    return _frame(
        {"color": COLORS},
        games=len(part.logged),
        laid=[laid[c] for c in COLORS],
        lost=[lost[c] for c in COLORS],
        eaten=[eaten[c] for c in COLORS],
        fish=[fish[c] for c in COLORS],
        meals=[sum(meal.color == c for meal in found.meals) for c in COLORS],
    )


def _coral_tiles(part: Part) -> Any:
    turned = told(part).turned
    tiles = range(len(CORAL_TILES))
    flips = Counter(x.tile for x in turned if not x.locked)
    locks = [x for x in turned if x.locked]
    return _frame(
        {
            "tile": [f"T{tile + 1}" for tile in tiles],
            "colors": [" and ".join(COLORS[c] for c in CORAL_TILES[t][0][:2]) for t in tiles],
        },
        games=len(part.logged),
        flips=[flips[tile] for tile in tiles],
        locks=[sum(x.tile == tile for x in locks) for tile in tiles],
        own_locks=[sum(x.tile == tile and x.own for x in locks) for tile in tiles],
    )


def _sea(part: Part) -> Any:
    collected = told(part).collected
    return _frame(
        {"space": COLORS},
        games=len(part.logged),
        collects=[sum(x.space == space for x in collected) for space in COLORS],
        tiles=[sum(x.tiles for x in collected if x.space == space) for space in COLORS],
        fullest=[sum(x.most for x in collected if x.space == space) for space in COLORS],
    )


def _rounds(part: Part) -> Any:
    """Rows of `turns` with the number of their round; a round is every seat once."""
    return part.turns.assign(round=(part.turns["turn"].to_numpy(int) - 1) // part.seats + 1)


def _values(part: Part) -> Any:
    columns = [f"value_{color}" for color in COLORS]
    last = _rounds(part).groupby(["game_id", "round"], sort=True)[columns].last()
    rounds = last.groupby("round")
    wide = rounds.sum().set_axis(COLORS, axis=1)
    long = wide.rename_axis("color", axis=1).stack().rename("value").reset_index()
    return long.assign(games=long["round"].map(rounds.size()))[["round", "color", "games", "value"]]


def _turned(part: Part) -> Any:
    rows = _rounds(part)
    games = rows.groupby("round")["game_id"].nunique()
    wide = rows.groupby("round")[["flips", "locks"]].sum()
    wide = wide.set_axis(["turned over", "locked"], axis=1)
    long = wide.rename_axis("what", axis=1).stack().rename("times").reset_index()
    return long.assign(games=long["round"].map(games))[["round", "what", "games", "times"]]


_GAMES = {"games": "games whose events were kept"}
_ROUND = {"round": "number of the round"}
_LASTING = {"games": "games that reached it"}


def _board_maps() -> tuple[Place, ...]:
    """The four boards as squares; water has no name."""
    rocks = {(board, cell): name for board, name, cell in _ROCKS}
    return tuple(
        Place(
            board,
            rocks.get((board, row << 3 | column), ""),
            tuple((column + x, row + y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))),
        )
        for board in BOARD_IDS
        for row in range(NUM_ROWS)
        for column in range(NUM_COLUMNS)
    )


def _of(
    name: str, meaning: str, keys: dict[str, str], counts: dict[str, str], f: Any, **more: Any
) -> Summary:
    return Summary(name, meaning, keys, counts, f, TOLD, chronicle.EVENTS, **more)


SUMMARIES: tuple[Summary, ...] = (
    _of(
        "cells",
        "what happens on each rock cell of each board",
        {"board": "R1 to R4", "cell": "column and row on the board"},
        {
            "boards": "boards of the kind that lay in games",
            "visits": "tiles laid there, growth tiles included",
            "overwrites": "tiles laid there by attack",
            "growths": "tiles that extra growth laid there",
        },
        _cells,
        per="boards",
        even=("visits", "overwrites"),
        group="board",
        map=_board_maps,
    ),
    _of(
        "colors",
        "what becomes of the tiles of each color",
        {"color": "of tiles"},
        _GAMES
        | {
            "laid": "tiles laid, growth tiles included",
            "lost": "tiles taken by attacks",
            "eaten": "tiles of eaten corals",
            "fish": "of those, tiles that went into the fish",
            "meals": "corals eaten",
        },
        _colors,
        even=("laid", "lost", "eaten"),
    ),
    _of(
        "coral_tiles",
        "how often each coral tile is turned over and locked",
        {"tile": "T1 to T10", "colors": "its two corals"},
        _GAMES
        | {
            "flips": "times turned over",
            "locks": "times locked",
            "own_locks": "of those, by a seat with the color on top in its fish",
        },
        _coral_tiles,
        even=("flips", "locks"),
    ),
    _of(
        "sea",
        "how often each sea space is collected from",
        {"space": "color of the space"},
        _GAMES
        | {
            "collects": "times collected from",
            "tiles": "tiles collected",
            "fullest": "of the collects, those when no space had more tiles",
        },
        _sea,
        even=("collects",),
    ),
    Summary(
        "values",
        "what a tile of each color is worth, round by round",
        _ROUND | {"color": "of the tiles"},
        _LASTING | {"value": "points a tile is worth when the round is over"},
        _values,
        {"turns": ("turn", *(f"value_{color}" for color in COLORS))},
        over="round",
    ),
    Summary(
        "turned",
        "how often coral tiles are turned over and locked, round by round",
        _ROUND | {"what": "what happens to them"},
        _LASTING | {"times": "coral tiles"},
        _turned,
        {"turns": ("turn", "flips", "locks")},
        over="round",
    ),
)
