"""A position read afresh from tiles and shrimps, cell by cell, for the checks of the engine.

Nothing here uses the masks that the rules keep up to date, nor the set algebra that reads them:
what the two agree on is not a mistake of either.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

from reefsim.core.kernel import Record
from reefsim.games.reef_encounter.constants import (
    BOARDS,
    CORAL_TILES,
    GROWTH_BIT,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_ROWS,
    NUM_TILES,
)

Coral = frozenset[int]  # cells
NO_CORAL: Coral = frozenset()
CELLS = tuple(row << 3 | column for row in range(NUM_ROWS) for column in range(NUM_COLUMNS))


def cells_of(mask: int, board: int) -> Iterator[int]:
    """Cell ids of a mask's bits, also of bits that stand for no cell of the drawing."""
    while mask:
        yield board << 6 | (mask & -mask).bit_length() - 1
        mask &= mask - 1


@cache
def beside(cell: int) -> tuple[int, ...]:
    """The cells that share a side with a cell, deep water included (R0.2)."""
    row, column = (cell >> 3) & 7, cell & 7
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return tuple(
        (cell >> 6) << 6 | y << 3 | x for y, x in near if 0 <= y < NUM_ROWS and 0 <= x < NUM_COLUMNS
    )


def growth_cell(board: int) -> int:
    """D4 of a board."""
    return board << 6 | GROWTH_BIT


class Position:
    """A plain state with the rules in force, and what follows from its tiles and shrimps.

    Parameters
    ----------
    s : plain state
    r : rules record of either mode
    """

    def __init__(self, s: Record, r: Record) -> None:
        self.s, self.r = s, r

    @cached_property
    def rock(self) -> set[int]:
        """Cells that are not deep water, from the drawings of the boards (R0.1)."""
        return {
            board << 6 | cell
            for board in range(self.s.seats)
            for cell in CELLS
            if BOARDS[self.s.board[board]][cell >> 3][cell & 7] != "~"
        }

    @cached_property
    def tiles(self) -> dict[int, int]:
        """Color of the tile on each cell that has one."""
        return {
            cell: color
            for board, masks in enumerate(self.s.tiles)
            for color, mask in enumerate(masks)
            for cell in cells_of(mask, board)
        }

    @cached_property
    def shrimps(self) -> dict[int, int]:
        """Seat whose shrimp stands on each cell that has one."""
        return {cell: seat for seat in range(self.s.seats) for cell in self.shrimps_of(seat)}

    def shrimps_of(self, seat: int) -> list[int]:
        """Cells of a seat's shrimps."""
        return list(self.s.shrimp_cell[seat][: self.s.num_shrimps[seat]])

    @cached_property
    def _corals(self) -> dict[int, Coral]:
        found: dict[int, Coral] = {}
        for start, color in self.tiles.items():
            if start in found:
                continue
            coral, edge = {start}, [start]
            while edge:
                for cell in beside(edge.pop()):
                    if cell not in coral and self.tiles.get(cell) == color:
                        coral.add(cell)
                        edge.append(cell)
            found |= dict.fromkeys(coral, frozenset(coral))
        return found

    def coral(self, cell: int) -> Coral:
        """The coral a cell belongs to, empty on bare rock (R0.3)."""
        return self._corals.get(cell, NO_CORAL)

    @cached_property
    def corals(self) -> set[Coral]:
        """Every coral on the boards."""
        return set(self._corals.values())

    def corals_beside(self, cell: int, color: int) -> set[Coral]:
        """The distinct corals of a color next to a cell (R4.5)."""
        return {self.coral(near) for near in beside(cell) if self.tiles.get(near) == color}

    def guards(self, coral: Coral) -> list[int]:
        """Seats with a shrimp on a coral (R0.4)."""
        return [self.shrimps[cell] for cell in coral if cell in self.shrimps]

    def is_protected(self, cell: int) -> bool:
        """Whether a shrimp stands on a tile or on a neighbor of its color (R0.5)."""
        color = self.tiles[cell]
        return cell in self.shrimps or any(
            near in self.shrimps and self.tiles.get(near) == color for near in beside(cell)
        )

    def face(self, tile: int) -> tuple[int, int, int]:
        """Top coral, bottom coral and shown alga of coral tile `tile` (0..9)."""
        return CORAL_TILES[tile][(self.s.reversed >> tile) & 1]

    def dominates(self, a: int, b: int) -> bool:
        """Whether color a beats color b now (R0.6)."""
        return any(self.face(tile)[:2] == (a, b) for tile in range(NUM_TILES))

    def showing(self, alga: int) -> set[int]:
        """Coral tiles without a cylinder that show an alga (R9.3)."""
        free = [tile for tile in range(NUM_TILES) if not (self.s.locked >> tile) & 1]
        return {tile for tile in free if self.face(tile)[2] == alga}

    def refuses(self, cell: int, color: int) -> bool:
        """Whether the join rule keeps a tile of a color off a cell (R4.5, A5)."""
        near = self.corals_beside(cell, color)
        if self.r.merge_never:
            return len(near) > 1
        return sum(len(self.guards(coral)) for coral in near) > 1

    def faults_of_attack(self, cell: int, color: int, seat: int) -> list[str]:
        """The conditions of R5.1 (a)-(d) that an attack breaks; (e) is `refuses`."""
        victim = self.tiles[cell]
        strong = [
            coral
            for coral in self.corals_beside(cell, color)
            if len(coral) >= self.r.min_attack_size
            and (not self.r.attack_needs_own_shrimp or seat in self.guards(coral))
        ]
        broken = {
            "R5.1a": victim == color,
            "R5.1b": not self.dominates(color, victim),
            "R5.1c": not strong,
            "R5.1d": self.is_protected(cell),
        }
        return [clause for clause, is_broken in broken.items() if is_broken]

    def takes_tile(self, cell: int, color: int, seat: int) -> bool:
        """Whether `seat` may lay a tile of a color on a rock cell (R4.4, R4.5, R5.1)."""
        if self.refuses(cell, color):
            return False
        if cell in self.tiles:
            return not self.faults_of_attack(cell, color, seat)
        return cell not in self.shrimps

    def grows(self, cell: int, color: int) -> bool:
        """Whether the tile of a color that lies on `cell` since now brings a growth tile (R6)."""
        target = growth_cell(cell >> 6)
        if not self.r.extra_growth or target not in beside(cell) or target in self.tiles:
            return False
        if self.s.bonus[color] + self.s.bag[color] == 0:
            return False
        if target in self.shrimps:
            near = self.corals_beside(target, color)
            if self.r.shrimp_blocks_growth or any(self.guards(coral) for coral in near):
                return False
        return not self.refuses(target, color)

    def values(self) -> list[int]:
        """Value of each color (R12.1)."""
        tops = [self.face(tile)[0] for tile in range(NUM_TILES)]
        return [self.r.base_tile_value + tops.count(color) for color in range(NUM_COLORS)]
