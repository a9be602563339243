"""A position read off its stacks, and appearances counted by trying everything.

Nothing here uses the masks or the counting of the rules, so that the two can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

from reefsim.core.kernel import Record
from reefsim.games.reef.constants import MAX_LEVEL, NUM_CELLS, SIDE, WILD, WORD

Pattern = tuple[tuple[int, int, int, int, int], ...]  # row, column, color, least, most pieces
Board = tuple[tuple[int, int], ...]  # color of the top and height of each cell; height 0 if empty


class Position:
    """A state with its rules; stacks by seat, hands as sets of cards."""

    def __init__(self, state: Record, rules: Record) -> None:
        self.s, self.r = state, rules

    def stack(self, seat: int, cell: int) -> list[int]:
        """Colors of the pieces on a cell, the lowest first."""
        digits = []
        rest = self.s.stack[seat][cell]
        while rest > 1:
            digits.append(rest % 4)
            rest //= 4
        return digits[::-1]

    def stacks(self, seat: int) -> list[list[int]]:
        """The stacks of a board."""
        return [self.stack(seat, cell) for cell in range(NUM_CELLS)]

    def board(self, seat: int) -> Board:
        """Top and height of every cell."""
        return tuple((stack[-1] if stack else WILD, len(stack)) for stack in self.stacks(seat))

    def pattern(self, card: int) -> Pattern:
        """Cells of a card's pattern as printed."""
        r = self.r
        return tuple(
            (
                *divmod(r.shift[card][0][k], SIDE),
                r.color[card][k],
                r.low[card][k],
                r.high[card][k],
            )
            for k in range(r.num_cells[card])
        )

    @cached_property
    def hands(self) -> list[set[int]]:
        """Cards of each hand."""
        return [cards_of(words) for words in self.s.hand[: self.s.seats]]

    def matches(self, seat: int, card: int, mirrored: bool) -> int:
        """How often a card would score on a board, at most."""
        r = self.r
        if r.special[card]:
            return neighbors(self.board(seat), r.color[card][0], r.color[card][1])
        return count(self.board(seat), self.pattern(card), mirrored)


def cards_of(words: list[int]) -> set[int]:
    """Cards of a set kept in two ints."""
    return {
        place * WORD + bit
        for place, word in enumerate(words)
        for bit in range(WORD)
        if (word >> bit) & 1
    }


def ways(pattern: Pattern, mirrored: bool) -> set[Pattern]:
    """A pattern turned by quarters, and its mirror image if wanted."""
    found = set()
    for flip in (False, True)[: 1 + mirrored]:
        way = [(row, -column if flip else column, *rest) for row, column, *rest in pattern]
        for _ in range(4):
            way = [(column, -row, *rest) for row, column, *rest in way]
            top, left = min(cell[0] for cell in way), min(cell[1] for cell in way)
            found.add(tuple(sorted((y - top, x - left, *rest) for y, x, *rest in way)))
    return found  # type: ignore[return-value]


def appearances(board: Board, pattern: Pattern, mirrored: bool = False) -> set[frozenset[int]]:
    """The cells of every appearance of a pattern (R5.1-R5.5)."""
    return {
        frozenset(cells)
        for way in ways(pattern, mirrored)
        for y in range(SIDE)
        for x in range(SIDE)
        if (cells := list(_cells_at(board, way, y, x)))
    }


def _cells_at(board: Board, way: Pattern, y: int, x: int) -> Iterator[int]:
    """Cells of the pattern at a corner, none if it does not appear there."""
    cells = []
    for row, column, color, low, high in way:
        if y + row >= SIDE or x + column >= SIDE:
            return
        cell = (y + row) * SIDE + x + column
        top, height = board[cell]
        if not (color in (WILD, top) and low <= height <= high and height):
            return
        cells.append(cell)
    yield from cells


def count(board: Board, pattern: Pattern, mirrored: bool = False) -> int:
    """The largest number of disjoint appearances (R5.7), by trying every choice."""
    by_lowest: dict[int, list[int]] = {}
    for cells in appearances(board, pattern, mirrored):
        by_lowest.setdefault(min(cells), []).append(sum(1 << cell for cell in cells))

    @cache
    def best(cell: int, used: int) -> int:
        """The most appearances whose lowest cell is this or a later one, beside those used."""
        if cell == NUM_CELLS:
            return 0
        later = ((1 << NUM_CELLS) - 1) >> cell + 1 << cell + 1  # only cells to come matter
        most = best(cell + 1, used & later)
        for cells in by_lowest.get(cell, ()):
            if not cells & used:
                most = max(most, 1 + best(cell + 1, (used | cells) & later))
        return most

    return best(0, 0)


def centers(board: Board, color: int) -> list[int]:
    """Cells of the tallest stacks with a top of a color (R6.1)."""
    heights = {cell: height for cell, (top, height) in enumerate(board) if top == color and height}
    return [cell for cell, height in heights.items() if height == max(heights.values())]


def around(cell: int) -> list[int]:
    """The up to eight neighbors of a cell."""
    y, x = divmod(cell, SIDE)
    return [
        row * SIDE + column
        for row in range(max(0, y - 1), min(SIDE, y + 2))
        for column in range(max(0, x - 1), min(SIDE, x + 2))
        if (row, column) != (y, x)
    ]


def neighbors(board: Board, center: int, neighbor: int) -> int:
    """The most neighbors of a color around a tallest stack (R6)."""
    return max(
        (
            sum(board[cell][0] == neighbor and board[cell][1] > 0 for cell in around(middle))
            for middle in centers(board, center)
        ),
        default=0,
    )


def tops_and_heights(position: Position, seat: int) -> tuple[list[int], list[int]]:
    """The masks of a board as its stacks have them: cells by top color, by least height."""
    board = position.board(seat)
    tops = [
        sum(1 << cell for cell, (top, height) in enumerate(board) if height and top == color)
        for color in range(4)
    ]
    least = [
        sum(1 << cell for cell, (_, height) in enumerate(board) if height >= level)
        for level in range(MAX_LEVEL + 2)
    ]
    return tops, least
