"""The position as text and as a picture.

In the text a space is `.` empty, or the colors of its stack from the lowest piece to the top, as
`yRP` (the top is the capital letter).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from reefsim.core.kernel import Record
from reefsim.games.reef.constants import (
    CELL_NAMES,
    COLORS,
    END_CAUSES,
    LETTERS,
    MAX_LEVEL,
    NONE,
    NUM_CELLS,
    NUM_COLORS,
    P_CENTRE,
    P_SCORE,
    P_START,
    P_TURN,
    SIDE,
    WILD,
    WORD,
)
from reefsim.games.reef.state import RULES, STATE


def render_text(state: Any, rules: Any) -> str:
    """Write a position on a few lines: what is asked, boards, display, supply, seats.

    Cards are told by their place in the deck file, from 1, with what they give and score.

    Parameters
    ----------
    state, rules : records of either mode; of a seat's view only what that seat knows is written
    """
    s: Record = STATE.to_plain(state)
    r: Record = RULES.to_plain(rules)
    seats = [_seat(s, r, seat) for seat in range(s.seats)]
    return "\n".join([_asked(s, r), *_boards(s), "", *_display(s, r), _supply(s), "", *seats])


def _asked(s: Record, r: Record) -> str:
    if s.over:
        ender = "" if s.ender == NONE else f", caused by seat {s.ender}"
        return f"turn {s.turn}, over: {END_CAUSES[s.cause - 1]}{ender}"
    asked = {
        P_START: f"puts its first {COLORS[s.piece]} piece",
        P_TURN: "to act",
        P_CENTRE: "names the center of a special card",
        P_SCORE: "says how often its card scores",
    }
    last = f"; last round, {END_CAUSES[s.cause - 1]}" if s.cause and not s.final else ""
    card = f" ({card_text(r, s.card)})" if s.phase in (P_CENTRE, P_SCORE) else ""
    return f"turn {s.turn}, seat {s.seat} {asked[s.phase]}{card}{last}"


def stack_of(s: Record, seat: int, cell: int) -> list[int]:
    """Colors of the pieces on a space, the lowest first."""
    height = s.height[seat][cell]
    return [(s.stack[seat][cell] >> 2 * (height - 1 - k)) & 3 for k in range(height)]


def _cell(s: Record, seat: int, cell: int) -> str:
    letters = "".join(LETTERS[c] for c in stack_of(s, seat, cell))
    return letters[:-1].lower() + letters[-1:] if letters else "."


def _boards(s: Record) -> Iterator[str]:
    width = 2 + max(
        3, *(len(_cell(s, seat, cell)) for seat in range(s.seats) for cell in range(NUM_CELLS))
    )
    heads = ["".join(f"{letter:<{width}}" for letter in "ABCD")] * s.seats
    yield "  ".join(f"seat {seat}: {head}" for seat, head in enumerate(heads)).rstrip()
    for row in range(SIDE):
        boards = [
            f"{row + 1:>7} "
            + "".join(f"{_cell(s, seat, row * SIDE + x):<{width}}" for x in range(SIDE))
            for seat in range(s.seats)
        ]
        yield "  ".join(boards).rstrip()


def card_text(r: Record, card: int) -> str:
    """A card in short: '21 PP: 2 for Y* R*', where the cells stand with their offsets."""
    corals = "".join(LETTERS[c] for c in r.corals[card])
    return f"{card + 1} {corals}: {r.value[card]} for {pattern_text(r, card)}"


def pattern_text(r: Record, card: int) -> str:
    """What a card scores: 'Y*' or 'Y2+.R2+ diagonally', rows divided by '/'."""
    colors = [LETTERS[r.color[card][k]] for k in range(2)]
    if r.special[card]:
        return f"each {colors[1]} around {colors[0]}"
    rows: dict[int, dict[int, str]] = {}
    for k in range(r.num_cells[card]):
        row, column = divmod(r.shift[card][0][k], SIDE)
        letter = LETTERS[r.color[card][k]] if r.color[card][k] < WILD else "W"
        rows.setdefault(row, {})[column] = f"{letter}{_height(r, card, k)}"
    lines = [
        " ".join(rows.get(row, {}).get(x, "-") for x in range(1 + max(rows.get(row, {0: ""}))))
        for row in range(1 + max(rows))
    ]
    return " / ".join(lines)


def _height(r: Record, card: int, k: int) -> str:
    low, high = r.low[card][k], r.high[card][k]
    if high < MAX_LEVEL:
        return str(low)
    return "" if low == 1 else f"{low}+"


def cards_in(words: Sequence[int]) -> list[int]:
    """Cards of a set, in the order of the deck file."""
    return [
        place * WORD + bit
        for place, word in enumerate(words)
        for bit in range(WORD)
        if (word >> bit) & 1
    ]


def _display(s: Record, r: Record) -> Iterator[str]:
    for slot in range(r.display_size):
        tokens = f", {s.tokens[slot]} points on it" if s.tokens[slot] else ""
        card = "empty" if s.display[slot] == NONE else card_text(r, s.display[slot])
        yield f"slot {slot}: {card}{tokens}"
    top = "none" if s.top == NONE else card_text(r, s.top)
    yield f"deck: {s.deck} cards, on top {top}"


def _supply(s: Record) -> str:
    pieces = " ".join(f"{COLORS[c]} {s.supply[c]}" for c in range(NUM_COLORS))
    return f"supply: {pieces}"


def _seat(s: Record, r: Record, seat: int) -> str:
    held = cards_in(s.hand[seat])
    hidden = s.unknown[seat] - len(cards_in(s.secret[seat]))
    told = [card_text(r, card) for card in held] + (["?"] * hidden)
    points = "hidden" if s.points[seat] == NONE else s.points[seat]
    played = len(cards_in(s.discard[seat]))
    return f"seat {seat}: points {points}; {played} played; hand {'; '.join(told) or 'empty'}"


# Pictures -----------------------------------------------------------------------------------------

_FILLS = ("#f4cf3b", "#d8443c", "#8e5bb5", "#4f9d55")  # by color
_BOARD_FILL = "#dcecf5"
_INK = "#222222"
_STEP, _MARGIN = 56, 28  # pixels of a space, and around a board
_BOARDS_IN_ROW = 2
_BOARD_WIDTH, _BOARD_HEIGHT = SIDE * _STEP + _MARGIN, SIDE * _STEP + _MARGIN + 6


def render_svg(state: Any, rules: Any) -> str:
    """Draw a position: the boards, two in a row, over display and supply; hands are left out.

    Every space has a title, so that a viewer names its stack under the pointer.

    Returns
    -------
    a whole SVG document of its own size in pixels, without scripts or outside resources
    """
    s: Record = STATE.to_plain(state)
    r: Record = RULES.to_plain(rules)
    width = _BOARDS_IN_ROW * _BOARD_WIDTH + _MARGIN
    shapes = [shape for seat in range(s.seats) for shape in _draw_board(s, seat)]
    y = _BOARD_HEIGHT * -(-s.seats // _BOARDS_IN_ROW) + 20
    lines = [*_display(s, r), _supply(s)]
    shapes += [_text(_MARGIN, y + 20 * i, line, 14, "start") for i, line in enumerate(lines)]
    height = y + 20 * len(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">\n'
        f"<title>{escape(_asked(s, r))}</title>\n" + "\n".join(shapes) + "\n</svg>\n"
    )


def _draw_board(s: Record, seat: int) -> Iterator[str]:
    row, place = divmod(seat, _BOARDS_IN_ROW)
    left, top = _MARGIN + place * _BOARD_WIDTH, _MARGIN + row * _BOARD_HEIGHT
    points = "" if s.points[seat] == NONE else f", {s.points[seat]} points"
    yield _text(left, top - 8, f"seat {seat}{points}", 13, "start")
    for cell in range(NUM_CELLS):
        row, column = divmod(cell, SIDE)
        yield _draw_cell(s, seat, cell, left + column * _STEP, top + row * _STEP)


def _draw_cell(s: Record, seat: int, cell: int, x: float, y: float) -> str:
    stack = stack_of(s, seat, cell)
    told = ", ".join(COLORS[c] for c in stack) or "empty"
    parts = [
        f"<title>{CELL_NAMES[cell]}: {told}</title>",
        f'<rect x="{x}" y="{y}" width="{_STEP}" height="{_STEP}" fill="{_BOARD_FILL}" '
        'stroke="#ffffff"/>',
    ]
    for level, color in enumerate(stack):
        radius = 22 - 3.2 * level
        parts.append(
            f'<circle cx="{x + _STEP / 2:g}" cy="{y + _STEP / 2 - 2 * level:g}" r="{radius:g}" '
            f'fill="{_FILLS[color]}" stroke="#333333"/>'
        )
    if stack:
        label = f"{LETTERS[stack[-1]]}{len(stack)}"
        parts.append(
            _text(x + _STEP / 2, y + _STEP / 2 + 4 - 2 * len(stack), label, 13, "middle", _INK)
        )
    return f"<g>{''.join(parts)}</g>"


def _text(
    x: float, y: float, text: str, size: int, anchor: str = "middle", fill: str = "currentColor"
) -> str:
    look = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}"'
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(text)}</text>'
