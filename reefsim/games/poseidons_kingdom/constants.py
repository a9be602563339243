"""Components of Poseidon's Kingdom: dice, hexes, symbols, and the codes for actions and events.

A die is numbered by face, then owner, neutral last, which is the order of dice. A hex of a reef is
a cell of a table with a rim that nothing is ever laid on, so that neighbors need no look at edges.
Numbers of hexes in a reef, of spaces and of dice all fit into the bits of one int, as sets.
"""

from __future__ import annotations

from enum import IntEnum

NONE = -1
MAX_SEATS = 4
NEUTRAL, NUM_OWNERS = 4, 5  # owners of dice: the seats, then nobody
NUM_FACES = 6
NUM_DICE = NUM_FACES * NUM_OWNERS  # different dice: face and owner
DICE = tuple((owner, face) for face in range(1, 7) for owner in (0, 1, 2, 3, -1))
NUM_TENTACLES = 6
ALL_FRIENDS = (1 << NUM_TENTACLES) - 1

# Limits of data sets, so that they fit into records
MAX_NODES, MAX_ZONES, MAX_TILE_KINDS, MAX_STACK, MAX_POINTS = 60, 20, 20, 8, 20
MAX_HEXES = 62  # of a reef; flat tiles beyond that are not laid (engine limit)
MAX_TOWER, MAX_RING = 40, 12
MAX_TILES = 120  # of all kinds; two tiles are enough for one more level on four hexes
MAX_NUMBER = 63  # levels, dice loaded

# Hexes: axial coordinates q, r from -MARGIN + 1 to MARGIN - 1
SIDE, MARGIN = 83, 41
NUM_CELLS = SIDE * SIDE
HEX_NAMES = tuple(
    f"{q},{r}" for q in range(-MARGIN, MARGIN + 1) for r in range(-MARGIN, MARGIN + 1)
)
NEIGHBORS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # the last three face the first
OFFSETS = tuple(q * SIDE + r for q, r in NEIGHBORS)
NUM_SIDES = 6
GROUP = 10  # cells whose placements make up one option: 60 bits
NUM_GROUPS = -(-NUM_CELLS // GROUP)

WAVE, ARROW, EATING, STORE, PLAIN = range(5)
SYMBOLS = ("wave", "arrow", "eat", "store", "plain")
NUM_POWERS, NUM_SYMBOLS = 3, 5

CORALS = ("wave_rider", "speedy_fins", "bigmouth", "graveyard", "trident", "blank")
WAVE_RIDER, SPEEDY_FINS, BIGMOUTH, GRAVEYARD, TRIDENT, BLANK = range(6)
NUM_CORALS = 8
WHITE = 15  # of the eight coral numbers the lower four, as bits
REWARDS = ("load_1", "load_2", "kraken", "peek", "cleanse", "rescue", "dolphin")
LOAD_1, LOAD_2, TO_KRAKEN, TO_PEEK, CLEANSE, RESCUE, DOLPHIN = range(7)
TIERS = (0, 1, 2, 2, 3, 4, 5)  # place of each reward's threshold

# Conditions of the six tentacles, and of a meal for coral
TOTAL, SMALL_PAIR, BIG_PAIR, STRAIGHT, THREE, DIFFERENT, SUM = range(1, 8)


class Kind(IntEnum):
    """Kinds of atomic actions, in the order of their codes."""

    PLACE = 0
    BUILD = 1
    LOAD = 2
    MOVE = 3
    EAT = 4
    BUY = 5
    TAKE = 6
    USE = 7
    END_MEAL = 8
    END_FOOD = 9
    KRAKEN = 10
    PEEK = 11
    NO_PEEK = 12
    FLEE = 13
    SKELETON = 14
    REWARD = 15
    NO_REWARD = 16
    PUT = 17


# Kernels compare plain ints: an enum member in jitted code costs a lookup.
PLACE, BUILD, LOAD, MOVE, EAT, BUY, TAKE, USE, END_MEAL, END_FOOD = range(10)
KRAKEN, PEEK, NO_PEEK, FLEE, SKELETON, REWARD, NO_REWARD, PUT = range(10, 18)
NUM_KINDS = 18
# Chance events and the closing event follow the actions.
FALL, START, CORAL, END = range(18, 22)
PUT_SHIFT = 21  # above the kind stands the hex of a `put`, plus one

BY_EATING, BY_RING, BY_REWARD, TURN_LIMIT = range(1, 5)
END_CAUSES = ("sixth_by_eating", "sixth_by_ring", "sixth_by_reward", "turn_limit")

# Phases: what the seat to act is asked for.
P_SETUP, P_STEP, P_PLACE, P_MOVE, P_FOOD, P_PUT, P_MEAL, P_AGAIN = range(8)
P_KRAKEN, P_PEEK, P_FLEE, P_SKELETON, P_REWARD, P_OVER = range(8, 14)
# Stages at which nobody is asked, and the game goes on by itself (`turns.run`).
A_KRAKEN, A_SHARK, A_VICTIM, A_CRASH, A_REWARD, A_END = range(14, 20)
