"""What games tell beyond their single events: who lost a tile, what was eaten, what flipped.

The boards, coral tiles, sea and fish are rebuilt from the events of the table `events`, in plain
Python, since most of what is counted here stands in no column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from reefsim.games.reef_encounter.constants import (
    ALGAE,
    BOARD_IDS,
    COLORS,
    CORAL_TILES,
    GROWTH_BIT,
    SIDES,
    STARTS,
)
from reefsim.games.reef_encounter.events import CELL_NAMES

# Events and columns that are read.
_CHANCE = ("board", "side", "sea_fill", "refill")
EVENTS = (
    *_CHANCE,
    *("stash", "grow", "place", "grow_bonus", "shrimp_in", "shrimp_move", "shrimp_out", "feed"),
    *("to_larva", "to_polyp", "alga", "collect", "pass_turn"),
)
COLUMNS = (
    *("turn", "seat", "color", "color2", "cell", "to_cell", "alga", "on", "captured"),
    *("growth", "size", "value"),
)
_CELLS = {name: cell for cell, name in enumerate(CELL_NAMES) if name is not None}
NOBODY = -1


class Laid(NamedTuple):
    """A tile on a board: by a grow action, or by extra growth (then `seat` set it off)."""

    game_id: int
    turn: int
    seat: int
    board: str
    place: int  # of the board, from 0
    cell: int  # row << 3 | column on its board
    color: str
    captured: str | None
    victim: int  # who guarded the coral of the captured tile, NOBODY if nobody did
    growth: bool


class Meal(NamedTuple):
    """A coral eaten."""

    game_id: int
    turn: int
    seat: int
    color: str
    size: int
    eaten: int  # tiles that went into the fish
    final: bool  # a final feed (R11.6)


class Turned(NamedTuple):
    """A coral tile turned over, or locked."""

    game_id: int
    turn: int
    seat: int
    tile: int  # 0 for T1
    locked: bool
    own: bool  # the color now on top is in the fish of the seat
    leader: bool | None  # a lock by a seat with most points; None with equal points, or for a flip


class Collected(NamedTuple):
    """A sea space emptied."""

    game_id: int
    turn: int
    seat: int
    space: str
    tiles: int
    most: bool  # no space had more tiles


@dataclass
class Chronicle:
    """What was told of some games, in the order of play."""

    laid: list[Laid] = field(default_factory=list)
    meals: list[Meal] = field(default_factory=list)
    turned: list[Turned] = field(default_factory=list)
    collected: list[Collected] = field(default_factory=list)
    boards: dict[int, list[str]] = field(default_factory=dict)  # in play, by game
    points: dict[int, list[int]] = field(default_factory=dict)  # at the end, by game
    last_swing: dict[int, int] = field(default_factory=dict)  # points moved by the last flip


class _Table:
    """The things on the table of one game."""

    def __init__(self, seats: int, rules: Any) -> None:
        self.seats, self.rules = seats, rules
        self.boards: list[str] = []
        self.tiles: dict[int, str] = {}  # color by cell id
        self.shrimps: dict[int, int] = {}  # seat by cell id
        self.sides = [0] * len(CORAL_TILES)
        self.locked: set[int] = set()
        self.sea = dict.fromkeys(COLORS, 0)
        self.fish = [dict.fromkeys(COLORS, 0) for _ in range(seats)]
        self.acted = 0  # turn of the last action
        self.growing = ""
        self.last_cell = 0

    def add_board(self, name: str) -> None:
        """Put a board beside the others, with its start tiles (R1.2)."""
        place = len(self.boards) << 6
        for color, starts in zip(COLORS, STARTS[BOARD_IDS.index(name)], strict=True):
            for bit in range(64):
                if starts >> bit & 1:
                    self.tiles[place | bit] = color
        self.boards.append(name)

    def coral(self, cell: int) -> set[int]:
        """Cells of the coral a tile belongs to (R0.3)."""
        color, found, queue = self.tiles[cell], {cell}, [cell]
        while queue:
            here = queue.pop()
            for other in (here - 1, here + 1, here - 8, here + 8):
                if other not in found and self.tiles.get(other) == color:
                    found.add(other)
                    queue.append(other)
        return found

    def owner(self, cell: int) -> int:
        """Who guards the coral of a tile (R0.4)."""
        seats = [self.shrimps[cell] for cell in self.coral(cell) if cell in self.shrimps]
        return seats[0] if seats else NOBODY

    def top(self, tile: int) -> str:
        """Color on top of a coral tile."""
        return COLORS[CORAL_TILES[tile][self.sides[tile]][0]]

    def points(self) -> list[int]:
        """True points of every seat (R12.1, R12.2)."""
        tops = [self.top(tile) for tile in range(len(CORAL_TILES))]
        value = {color: self.rules.base_tile_value + tops.count(color) for color in COLORS}
        return [sum(n * value[color] for color, n in fish.items()) for fish in self.fish]


def tell(rows: Iterable[tuple[Any, ...]], seats: int, rules: Any) -> Chronicle:
    """Read the events of games.

    Parameters
    ----------
    rows : game_id, event and the values of COLUMNS, None for null, in the order of play, of the
        events EVENTS; the games one after the other
    seats : number of seats
    rules : the ruleset they were played by

    Returns
    -------
    Chronicle
    """
    told = Chronicle()
    table, current = _Table(seats, rules), None
    for game_id, event, *values in rows:
        if game_id != current:
            table, current = _Table(seats, rules), game_id
            told.boards[game_id] = table.boards
        row = dict(zip(COLUMNS, values, strict=True))
        _READERS[event](told, table, int(game_id), row)
        if event not in _CHANCE:
            table.acted = row["turn"]
            if event in ("stash", "feed", "alga"):  # nothing else moves points
                told.points[game_id] = table.points()
    return told


Row = Mapping[str, Any]


def _board(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    table.add_board(row["value"])


def _side(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    table.sides = [SIDES.index(row["value"])] * len(CORAL_TILES)


def _fill(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    table.sea[row["color2"]] += 1


def _stash(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    table.fish[row["seat"]][row["color"]] += 1


def _grow(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    table.growing = row["color"]


def _place(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    cell = _CELLS[row["cell"]]
    victim = table.owner(cell) if row["captured"] is not None else NOBODY
    _lay(told, table, game_id, row, cell, row["captured"], victim)
    table.last_cell = cell
    if row["growth"]:
        _grown(told, table, game_id, row)


def _grow_bonus(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    if row["value"] == "yes":
        _grown(told, table, game_id, row)


def _grown(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    cell = table.last_cell & ~63 | GROWTH_BIT
    _lay(told, table, game_id, row, cell, None, NOBODY, growth=True)


def _lay(
    told: Chronicle,
    table: _Table,
    game_id: int,
    row: Row,
    cell: int,
    captured: str | None,
    victim: int,
    growth: bool = False,
) -> None:
    table.tiles[cell] = table.growing
    board = table.boards[cell >> 6]
    place = (game_id, row["turn"], row["seat"], board, cell >> 6, cell & 63)
    told.laid.append(Laid(*place, table.growing, captured, victim, growth))


def _shrimp_in(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    table.shrimps[_CELLS[row["cell"]]] = row["seat"]


def _shrimp_out(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    del table.shrimps[_CELLS[row["cell"]]]


def _shrimp_move(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    table.shrimps[_CELLS[row["to_cell"]]] = table.shrimps.pop(_CELLS[row["cell"]])


def _feed(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    cell, seat, size = _CELLS[row["cell"]], row["seat"], row["size"]
    color = table.tiles[cell]
    # a turn's own meal is its first action (R3.1); a final feed comes when the last turn is over
    final = seat != (row["turn"] - 1) % table.seats or table.acted == row["turn"]
    back = table.rules.final_feed_return if final else table.rules.feed_return
    for eaten in table.coral(cell):
        del table.tiles[eaten]
    del table.shrimps[cell]
    table.fish[seat][color] += size - min(size, back)
    meal = (game_id, row["turn"], seat, color, size, size - min(size, back), final)
    told.meals.append(Meal(*meal))


def _other(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    """Nothing that the chronicle follows, but something was done."""


def _alga(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    shown = [
        tile
        for tile in range(len(CORAL_TILES))
        if tile not in table.locked and _shows(table, tile) == row["alga"]
    ]
    here = (game_id, row["turn"], row["seat"])
    before = table.points()
    if row["on"] != "space":
        tile = int(row["on"][1:]) - 1
        shown = [other for other in shown if other != tile] if table.rules.lock_flips_others else []
        table.locked.add(tile)
        leads = before[row["seat"]] == max(before)
        leader = leads if max(before) > min(before) else None
        own = table.fish[row["seat"]][table.top(tile)] > 0
        told.turned.append(Turned(*here, tile, True, own, leader))
    for tile in shown:
        table.sides[tile] = 1 - table.sides[tile]
        own = table.fish[row["seat"]][table.top(tile)] > 0
        told.turned.append(Turned(*here, tile, False, own, None))
    if shown:
        moved = [now - then for now, then in zip(table.points(), before, strict=True)]
        told.last_swing[game_id] = max(moved) - min(moved)


def _shows(table: _Table, tile: int) -> str:
    return ALGAE[CORAL_TILES[tile][table.sides[tile]][2]]


def _collect(told: Chronicle, table: _Table, game_id: int, row: Row) -> None:
    space = row["color"]
    tiles = table.sea[space]
    most = tiles == max(table.sea.values())
    told.collected.append(Collected(game_id, row["turn"], row["seat"], space, tiles, most))
    table.sea[space] = 0


_READERS = {
    "board": _board,
    "side": _side,
    "sea_fill": _fill,
    "refill": _fill,
    "stash": _stash,
    "grow": _grow,
    "place": _place,
    "grow_bonus": _grow_bonus,
    "shrimp_in": _shrimp_in,
    "shrimp_out": _shrimp_out,
    "shrimp_move": _shrimp_move,
    "feed": _feed,
    "alga": _alga,
    "collect": _collect,
    "to_larva": _other,
    "to_polyp": _other,
    "pass_turn": _other,
}
