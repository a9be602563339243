"""The position as text and as a picture, and events in words.

In the text a cell is `~` deep water, `.` rock, `*` the growth cell without a tile, or the letter
of a tile's color; a digit behind it is the seat whose shrimp stands there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from reefsim.core.kernel import Record
from reefsim.games.reef_encounter.constants import (
    ALGAE,
    BOARD_IDS,
    COLORS,
    CORAL_TILES,
    END_CAUSES,
    GROWTH_BIT,
    LETTERS,
    MAX_SEATS,
    NONE,
    NUM_ALGAE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_ROWS,
    NUM_TILES,
    P_BONUS,
    P_FINAL,
    P_GROW,
    P_LARVAE,
    P_STASH,
    P_TURN,
)
from reefsim.games.reef_encounter.corals import color_at
from reefsim.games.reef_encounter.events import CELL_NAMES
from reefsim.games.reef_encounter.scoring import color_value, points
from reefsim.games.reef_encounter.state import RULES, STATE

_WATER = "~"


def render_text(state: Any, rules: Any) -> str:
    """Write a position on a few lines: what is asked, boards, coral tiles, sea, seats.

    Parameters
    ----------
    state, rules : records of either mode; of a seat's view only what that seat knows is written
    """
    s: Record = STATE.to_plain(state)
    r: Record = RULES.to_plain(rules)
    parts = [_asked(s), *_boards(s), "", *_coral_tiles(s, r), *_stocks(s), ""]
    return "\n".join([*parts, *(_seat(s, r, seat) for seat in range(s.seats))])


def _asked(s: Record) -> str:
    if s.over:
        ender = "" if s.ender == NONE else f", caused by seat {s.ender}"
        return f"turn {s.turn}, over: {END_CAUSES[s.cause - 1]}{ender}"
    asked = {
        P_STASH: "hides a tile",
        P_LARVAE: "chooses two larvae",
        P_TURN: "to act" if s.fresh else "to act, may not feed",
        P_GROW: f"grows {COLORS[s.growing]}: {s.placed} laid, {s.from_behind} from behind",
        P_BONUS: "takes the growth tile or leaves it",
        P_FINAL: "may feed a last time",
    }
    return f"turn {s.turn}, seat {s.seat} {asked[s.phase]}"


def _boards(s: Record) -> Iterator[str]:
    names = [f"{BOARD_IDS[s.board[b]]}:" for b in range(s.seats)]
    columns = [[_column(b, column) for column in range(NUM_COLUMNS)] for b in range(s.seats)]
    yield _side_by_side(names, [[f"{letters:<3}" for letters in board] for board in columns])
    for row in range(NUM_ROWS):
        boards = [
            [f"{_cell(s, b << 6 | row << 3 | column):<3}" for column in range(NUM_COLUMNS)]
            for b in range(s.seats)
        ]
        yield _side_by_side([str(row + 1)] * s.seats, boards)


def _side_by_side(heads: Sequence[str], boards: Sequence[Sequence[str]]) -> str:
    blocks = (f"{head:>3} {''.join(cells)}" for head, cells in zip(heads, boards, strict=True))
    return "  ".join(blocks).rstrip()


def _column(board: int, column: int) -> str:
    return str(CELL_NAMES[board << 6 | column])[:-1]


def _cell(s: Record, cell: int) -> str:
    """The mark of a cell: what it is, and whose shrimp is on it."""
    board, bit = cell >> 6, 1 << (cell & 63)
    if not s.rock[board] & bit:
        return _WATER
    mark = "*" if cell & 63 == GROWTH_BIT else "."
    if s.occupied[board] & bit:
        mark = LETTERS[color_at(s, board, bit)]
    owner = _owner(s, cell)
    return mark if owner == NONE else f"{mark}{owner}"


def _owner(s: Record, cell: int) -> int:
    return next((seat for seat in range(MAX_SEATS) if cell in s.shrimp_cell[seat]), NONE)


def _side(s: Record, tile: int) -> tuple[int, int, int]:
    """Top, bottom and shown alga of a coral tile as it lies."""
    return CORAL_TILES[tile][(s.reversed >> tile) & 1]


def _coral_tiles(s: Record, r: Record) -> Iterator[str]:
    for first in range(0, NUM_TILES, NUM_COLORS):
        tiles = []
        for tile in range(first, first + NUM_COLORS):
            top, bottom, alga = _side(s, tile)
            lock = " locked" if (s.locked >> tile) & 1 else ""
            text = f"T{tile + 1} {LETTERS[top]}>{LETTERS[bottom]} {ALGAE[alga]}{lock}"
            tiles.append(f"{text:<20}")
        yield "  ".join(tiles).rstrip()
    values = "  ".join(f"{LETTERS[c]} {color_value(s, r, c)}" for c in range(NUM_COLORS))
    yield f"values: {values}"


def _stocks(s: Record) -> Iterator[str]:
    spaces = []
    for space in range(NUM_COLORS):
        larva = "" if s.cube[space] else " no larva"
        spaces.append(f"{COLORS[space]} {_tiles(s.sea[space])}{larva}")
    yield f"sea: {', '.join(spaces)}"
    algae = " ".join(f"{ALGAE[alga]} {s.cylinders[alga]}" for alga in range(NUM_ALGAE))
    on_space = "none" if s.space == NONE else ALGAE[s.space]
    yield f"algae: {algae}, on the space: {on_space}; larvae: {_tiles(s.supply)}"
    yield f"bag: {_tiles(s.bag)}; bonus row: {_tiles(s.bonus)}"


def _seat(s: Record, r: Record, seat: int) -> str:
    shrimps = ", ".join(str(CELL_NAMES[cell]) for cell in s.shrimp_cell[seat] if cell != NONE)
    return (
        f"seat {seat}: behind {_tiles(s.behind[seat])}; larvae {_tiles(s.larvae[seat])}; "
        f"front {_tiles(s.front[seat])}; fish {_tiles(s.fish[seat])} = {points(s, r, seat)}; "
        f"shrimps {s.in_hand[seat]} behind, on {shrimps or 'no cell'}, {s.eaten[seat]} eaten"
    )


def _tiles(stock: Sequence[int]) -> str:
    return " ".join(f"{LETTERS[c]}{stock[c]}" for c in range(NUM_COLORS) if stock[c]) or "-"


# Pictures -----------------------------------------------------------------------------------------

_FILLS = ("#ffffff", "#f4cf3b", "#f08a2c", "#ea84b4", "#9b9b9b")  # by coral color
_ALGA_FILLS = ("#2f6fb3", "#3b8f4e", "#7b4a9e", "#c0392b")
_SEAT_FILLS = ("#b3261e", "#2e7d4f", "#b7950b", "#6a3d9a")  # red, green, yellow, purple
_SEA_FILL, _ROCK_FILL = "#a9cfe3", "#cbbfa9"
_INK = "#222222"
_STEP, _MARGIN = 34, 24  # pixels of a cell, and around a board
_BOARDS_IN_ROW = 2
_BOARD_WIDTH, _BOARD_HEIGHT = NUM_COLUMNS * _STEP + _MARGIN, NUM_ROWS * _STEP + _MARGIN + 6


def render_svg(state: Any, rules: Any) -> str:
    """Draw a position: boards, two in a row, coral tiles and values; hidden stocks are left out.

    Every cell and coral tile has a title, so that a viewer names it under the pointer.

    Returns
    -------
    a whole SVG document of its own size in pixels, without scripts or outside resources
    """
    s: Record = STATE.to_plain(state)
    r: Record = RULES.to_plain(rules)
    width = _BOARDS_IN_ROW * _BOARD_WIDTH + _MARGIN
    boards_end = _BOARD_HEIGHT * -(-s.seats // _BOARDS_IN_ROW)
    shapes = [shape for board in range(s.seats) for shape in _draw_board(s, board)]
    shapes += _draw_coral_tiles(s, boards_end + 12, width - 2 * _MARGIN)
    shapes += _draw_values(s, r, boards_end + 62, width - 2 * _MARGIN)
    height = boards_end + 92
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">\n'
        f"<title>{escape(_asked(s))}</title>\n" + "\n".join(shapes) + "\n</svg>\n"
    )


def _draw_board(s: Record, board: int) -> Iterator[str]:
    row, place = divmod(board, _BOARDS_IN_ROW)
    left, top = _MARGIN + place * _BOARD_WIDTH, _MARGIN + row * _BOARD_HEIGHT
    for column in range(NUM_COLUMNS):
        x = left + column * _STEP + _STEP / 2
        yield _text(x, top - 7, _column(board, column), 11)
    for row in range(NUM_ROWS):
        yield _text(left - 8, top + row * _STEP + _STEP / 2 + 4, str(row + 1), 11)
        for column in range(NUM_COLUMNS):
            cell = board << 6 | row << 3 | column
            yield _draw_cell(s, cell, left + column * _STEP, top + row * _STEP)


def _draw_cell(s: Record, cell: int, x: float, y: float) -> str:
    mark, owner = _cell(s, cell)[0], _owner(s, cell)
    words = {_WATER: "deep water", ".": "rock", "*": "growth cell"}
    if mark in LETTERS:
        words[mark] = f"{COLORS[LETTERS.index(mark)]} tile"
    shrimp = "" if owner == NONE else f", shrimp of seat {owner}"
    parts = [
        f"<title>{CELL_NAMES[cell]}: {words[mark]}{shrimp}</title>",
        _box(x, y, _STEP, _SEA_FILL if mark == _WATER else _ROCK_FILL, "#ffffff"),
    ]
    if mark in LETTERS:
        parts.append(_box(x + 3, y + 3, _STEP - 6, _FILLS[LETTERS.index(mark)], "#333333"))
    if mark not in f"{_WATER}.":
        parts.append(_text(x + 0.42 * _STEP, y + 0.74 * _STEP, mark, 14, _INK))
    if owner != NONE:
        parts.append(
            f'<circle cx="{x + _STEP - 9:g}" cy="{y + 9:g}" r="8" fill="{_SEAT_FILLS[owner]}"/>'
        )
        parts.append(_text(x + _STEP - 9, y + 13, str(owner), 11, "#ffffff"))
    return f"<g>{''.join(parts)}</g>"


def _draw_coral_tiles(s: Record, y: float, width: float) -> Iterator[str]:
    step = width / NUM_TILES
    for tile in range(NUM_TILES):
        top, bottom, alga = _side(s, tile)
        locked = (s.locked >> tile) & 1
        x, size = _MARGIN + tile * step, 26.0
        title = f"T{tile + 1}: {COLORS[top]} beats {COLORS[bottom]}, shows {ALGAE[alga]}"
        parts = [
            f"<title>{title}{', locked' if locked else ''}</title>",
            _box(x, y, size, _FILLS[top], "#333333"),
            _box(x + size / 2, y + size / 2, size / 2, _FILLS[bottom], "#333333"),
            f'<circle cx="{x + 6:g}" cy="{y + size - 6:g}" r="6" fill="{_ALGA_FILLS[alga]}"'
            + (' stroke="#000000" stroke-width="3"/>' if locked else "/>"),
            _text(x + 6, y + size - 3, ALGAE[alga][0], 8, "#ffffff"),
            _text(x + size / 2, y + 10, LETTERS[top], 10, _INK),
            _text(x + 0.75 * size, y + size - 3, LETTERS[bottom], 9, _INK),
            _text(x + size / 2, y + size + 11, f"T{tile + 1}", 10),
        ]
        yield f"<g>{''.join(parts)}</g>"


def _draw_values(s: Record, r: Record, y: float, width: float) -> Iterator[str]:
    """What a tile of each color is worth now."""
    step = width / NUM_COLORS
    for color, name in enumerate(COLORS):
        x, value = _MARGIN + color * step, color_value(s, r, color)
        parts = [
            f"<title>{name}: a tile is worth {value}</title>",
            _box(x, y, 20, _FILLS[color], "#333333"),
            _text(x + 10, y + 15, LETTERS[color], 12, _INK),
            _text(x + 34, y + 15, f"= {value}", 12),
        ]
        yield f"<g>{''.join(parts)}</g>"


def _box(x: float, y: float, size: float, fill: str, stroke: str) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"'
    return f'<rect {place} fill="{fill}" stroke="{stroke}"/>'


def _text(x: float, y: float, text: str, size: int, fill: str = "currentColor") -> str:
    look = f'font-size="{size}" text-anchor="middle" fill="{fill}"'
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(text)}</text>'
