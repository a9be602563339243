"""Components of Reef: colors, board, placements, and the codes for actions and events.

Cells are numbered row by row from the top left; a set of cells is one int with a bit per cell.
Cards are numbered in the order of the deck file; a set of cards is two ints of 60 bits.
"""

from __future__ import annotations

from enum import IntEnum

YELLOW, RED, PURPLE, GREEN, WILD = range(5)
COLORS = ("yellow", "red", "purple", "green")
LETTERS = "YRPGW"  # of colors in a deck file, wild last
NUM_COLORS = 4
SIDE, NUM_CELLS = 4, 16
ALL_CELLS = (1 << NUM_CELLS) - 1
CELL_NAMES = tuple(f"{column}{row}" for row in "1234" for column in "ABCD")
CENTER = 1 << 5 | 1 << 6 | 1 << 9 | 1 << 10
NONE = -1

MAX_SEATS, MAX_HAND, MAX_DISPLAY, MAX_LEVEL = 4, 8, 6, 6
WORD, NUM_WORDS = 60, 2  # cards of a set in one int, and ints
MAX_CARDS = WORD * NUM_WORDS
MAX_SHAPE = 4  # cells of a pattern
MAX_TURNED = 8  # ways to lay a pattern: four turns, and the same of its mirror image
MAX_POINTS = 20  # printed on a card
SEATS = range(2, MAX_SEATS + 1)
START_HAND, DISPLAY_SIZE = 2, 3  # as printed

# Two pieces go on a pair of cells, the lower one named first; they may be the same.
PAIRS = tuple((i, j) for i in range(NUM_CELLS) for j in range(i, NUM_CELLS))
NUM_PAIRS = len(PAIRS)
PAIR_WORD, NUM_PAIR_WORDS = 46, 3  # pairs of a set in one int, and ints
# Placements of a card: both pieces on a pair of cells in the order of the card or the other way
# round, one piece (the card's first or second) on a cell, or none.
ONE = 2 * NUM_PAIRS
NOTHING = ONE + 2 * NUM_CELLS
# The same in events, where the colors are told: pair and two colors, cell and color, nothing.
TOLD_ONE = NUM_PAIRS * 16
TOLD_NOTHING = TOLD_ONE + NUM_CELLS * 4
NO_SLOT = 7
NO_SCORE = 511  # of an event that does not conclude the scoring of a card


class Kind(IntEnum):
    """Kinds of atomic actions, in the order of their codes."""

    START_PIECE = 0
    TAKE_DISPLAY = 1
    TAKE_DECK = 2
    PLAY = 3
    CENTRE = 4
    SCORE = 5
    PASS_TURN = 6


# Kernels compare plain ints: an enum member in jitted code costs a lookup.
START_PIECE, TAKE_DISPLAY, TAKE_DECK, PLAY, CENTRE, SCORE, PASS_TURN = range(7)
NUM_KINDS = 7
# Chance events, the scoring of a hand card and the closing event follow the actions.
DEAL, START_RANDOM, DISPLAY, TOP, HAND_CARD, END = range(7, 13)

CORAL_OUT, DECK_OUT, TURN_LIMIT = range(1, 4)
END_CAUSES = ("coral_out", "deck_out", "turn_limit")

# Phases of a game: what the seat to act is asked for.
P_START, P_TURN, P_CENTRE, P_SCORE, P_OVER = range(5)
