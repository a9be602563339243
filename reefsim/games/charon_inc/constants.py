"""Components of CHARON Inc.: colors, areas, numbers, and the codes for actions and events.

Regions, spots and cards are numbered in the order of their data file; a set of regions or cards is
one int with a bit for each, a set of spots two ints of 60 bits.
"""

from __future__ import annotations

from enum import IntEnum

BLUE, YELLOW, GREEN, PURPLE, BLACK, CLEAR = range(6)
COLORS = ("blue", "yellow", "green", "purple", "black", "clear")
LETTERS = "BYGPKC"  # of colors in a multiset of gems
NUM_ORDINARY, NUM_COLORS = 5, 6
AREAS = ("A1", "A2", "A3", "A4", "A5")
NUM_AREAS = 5
A1, A2, A3, A4, A5 = range(NUM_AREAS)
ALL_AREAS = (1 << NUM_AREAS) - 1
GROUPS = ("core", "yellow", "pink", "blue")  # in the order of their removal, after the core
NONE = -1

MAX_SEATS = 5
NUM_REGIONS = 20
REGIONS = tuple(f"R{i:02}" for i in range(1, NUM_REGIONS + 1))
MAX_SLOTS = 3
MAX_SPOTS, SPOT_WORD, NUM_SPOT_WORDS = 120, 60, 2
CROSSING, EDGE, CENTRE = 1, 2, 3  # ranks of spots
NUM_CARDS, LOWEST, HIGHEST, CARDS_OF_NUMBER = 55, 2, 12, 5
ALL_CARDS = (1 << NUM_CARDS) - 1
MAX_LAYERS = 9  # of the discard pile: 12s, buried cards, a row for each reset, an exchanged card
ROW, DISCARD = range(2)  # where a card is taken by A3
SOURCES = ("row", "discard")
HAND, FROM_ROW = range(2)  # where a built card comes from
BUILD_SOURCES = ("hand", "row")
MAX_WAYS = 512  # to pay one card


class Kind(IntEnum):
    """Kinds of atomic actions, in the order of their codes."""

    ROW_CARD = 0
    PLACE = 1
    A1_MOVE = 2
    A1_PASS = 3
    A3_TAKE = 4
    A3_DRAW = 5
    TRADE = 6
    SYNCHROTRON = 7
    BUILD = 8
    END_BUILD = 9
    KEEP = 10
    EXCHANGE = 11
    NO_EXCHANGE = 12


# Kernels compare plain ints: an enum member in jitted code costs a lookup.
ROW_CARD, PLACE, A1_MOVE, A1_PASS, A3_TAKE, A3_DRAW = range(6)
TRADE, SYNCHROTRON, BUILD, END_BUILD, KEEP, EXCHANGE, NO_EXCHANGE = range(6, 13)
NUM_KINDS = 13
# Chance events, consequences and the closing event follow the actions.
SEED, BURY, DEAL, DRAW, REDRAW, A3_CARD, ACTION, MINE, CLEAR_GEM, ORDER, END = range(13, 24)

ROUNDS_OVER, STOPPED = 1, 2
END_CAUSES = ("rounds", "stopped")

# Phases of a game: what the seat to act is asked for.
P_ROW, P_PLACE, P_A1, P_A3, P_BUILD, P_KEEP, P_EXCHANGE, P_OVER = range(8)
# Passes of the build phase: whole turns, or step by step.
WHOLE, TRADES, SYNCHROTRONS, BUILDINGS = range(4)
