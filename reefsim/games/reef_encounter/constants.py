"""Components of Reef Encounter: colors, algae, coral tiles, boards, and the codes for actions.

Cells: `board << 6 | row << 3 | column`, rows and columns 0-based from the top left. Within a board
a set of cells is one int with bit `row * 8 + column`; column 7 is never rock, so shifts by 1 and 8
reach the neighbors without running over an edge.
"""

from __future__ import annotations

from enum import IntEnum

WHITE, YELLOW, ORANGE, PINK, GREY = range(5)
COLORS = ("white", "yellow", "orange", "pink", "grey")
BLUE, GREEN, PURPLE, RED = range(4)
ALGAE = ("blue", "green", "purple", "red")
NUM_COLORS, NUM_ALGAE, NUM_TILES, NUM_BOARDS = 5, 4, 10, 4
MAX_SEATS, MAX_SHRIMPS = 4, 6
NONE = -1
ALL_TILES = 1023

# R1.6: tiles on the sea spaces at the start, clockwise from the space drawn.
SEA_LEVELS = (3, 3, 3, 2, 1)
FULL_SPACE = 3

# Coral tiles T1..T10: (top, bottom, alga shown) with the starfish side up, then reversed.
STARFISH, REVERSE = 0, 1
SIDES = ("starfish", "reverse")
CORAL_TILES = (
    ((WHITE, YELLOW, GREEN), (YELLOW, WHITE, BLUE)),
    ((WHITE, ORANGE, RED), (ORANGE, WHITE, PURPLE)),
    ((YELLOW, ORANGE, BLUE), (ORANGE, YELLOW, RED)),
    ((YELLOW, PINK, PURPLE), (PINK, YELLOW, BLUE)),
    ((ORANGE, PINK, GREEN), (PINK, ORANGE, RED)),
    ((ORANGE, GREY, BLUE), (GREY, ORANGE, GREEN)),
    ((PINK, WHITE, PURPLE), (WHITE, PINK, GREEN)),
    ((PINK, GREY, GREEN), (GREY, PINK, PURPLE)),
    ((GREY, WHITE, RED), (WHITE, GREY, PURPLE)),
    ((GREY, YELLOW, BLUE), (YELLOW, GREY, RED)),
)

# `~` deep water, `.` rock, a letter: start cell of that color, `*` the growth cell.
BOARD_IDS = ("R1", "R2", "R3", "R4")
BOARDS = (
    ("~~~...~", "~..Y..~", "..~.W..", ".G.*.~.", "..P~O..", "......."),
    ("~~~...~", "...G..~", "..Y.~..", ".~.*.W.", "..O.P..", "~.....~"),
    ("~..~...", "~...O.~", "..W~.Y.", "...*.~.", "~.P.G..", "~...~.."),
    ("~.....~", "...O~..", "..~.G..", ".W.*...", "~.P.Y.~", "~..~..~"),
)
LETTERS = "WYOPG"
NUM_ROWS, NUM_COLUMNS = 6, 7
GROWTH_BIT = 3 * 8 + 3  # D4 on every board
GROWTH = 1 << GROWTH_BIT
GROWTH_NEIGHBORS = 1 << 26 | 1 << 28 | 1 << 19 | 1 << 35


def _mask(board: tuple[str, ...], marks: str) -> int:
    return sum(
        1 << (row * 8 + column)
        for row, line in enumerate(board)
        for column, mark in enumerate(line)
        if mark in marks
    )


ROCK = tuple(_mask(board, ".*" + LETTERS) for board in BOARDS)
STARTS = tuple(tuple(_mask(board, letter) for letter in LETTERS) for board in BOARDS)


class Kind(IntEnum):
    """Kinds of atomic actions, in the order of their codes."""

    STASH = 0
    CHOOSE_LARVAE = 1
    FEED = 2
    GROW = 3
    PLACE = 4
    END_GROW = 5
    GROW_BONUS = 6
    SHRIMP_IN = 7
    SHRIMP_MOVE = 8
    SHRIMP_OUT = 9
    TO_LARVA = 10
    TO_POLYP = 11
    ALGA = 12
    COLLECT = 13
    PASS_TURN = 14
    NO_FEED = 15


# Kernels compare plain ints: an enum member in jitted code costs a lookup.
STASH, CHOOSE_LARVAE, FEED, GROW, PLACE, END_GROW, GROW_BONUS, SHRIMP_IN = range(8)
SHRIMP_MOVE, SHRIMP_OUT, TO_LARVA, TO_POLYP, ALGA, COLLECT, PASS_TURN, NO_FEED = range(8, 16)
# Chance events and the closing event follow the actions.
BOARD, SIDE, SEA_START, SEA_FILL, DEAL, REFILL, END = range(16, 23)

BEHIND, FRONT = 0, 1
SOURCES = ("behind", "front")
# Operand b of an alga action: 0..3 the alga space with that alga, 4..13 a lock on T1..T10.
FIRST_LOCK = NUM_ALGAE
# Operand b of choose_larvae: place in this list.
LARVA_PAIRS = tuple((c, d) for c in range(NUM_COLORS) for d in range(c, NUM_COLORS))

ALL_LOCKED, FOUR_EATEN, NO_SPACE, SUPPLY, TURN_LIMIT = range(1, 6)  # 1..4: the events of R11
END_CAUSES = ("all_locked", "four_eaten", "no_space", "supply", "turn_limit")

# Phases of a game: what the seat to act is asked for.
P_STASH, P_LARVAE, P_TURN, P_GROW, P_BONUS, P_FINAL, P_OVER = range(7)
