"""The records of Reef Encounter: the state, the rules in force, the game's share of the scratch.

Sets of cells are bit masks per board (`constants.py`). The masks `occupied`, `shrimps`, `guarded`
and `protected` and the corals in `coral` follow from tiles and shrimps; they are kept up to date on
each change so that the rules can be read off them. All fields have the widths the largest rule
parameters need.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reefsim.core.layout import Layout
from reefsim.core.work import WORK_FIELDS
from reefsim.games.reef_encounter.constants import (
    MAX_SEATS,
    MAX_SHRIMPS,
    NUM_ALGAE,
    NUM_BOARDS,
    NUM_COLORS,
    NUM_TILES,
)

STATE = Layout(
    "reef_encounter",
    [
        # hidden chance
        ("chance", np.int64, (4,)),  # Philox keys of the set-up and of the draws; hidden
        # boards in play
        ("rock", np.int64, (NUM_BOARDS,)),  # cells that are not deep water (R0.1)
        ("tiles", np.int64, (NUM_BOARDS, NUM_COLORS)),  # cells with a tile of the color
        ("occupied", np.int64, (NUM_BOARDS,)),  # cells with any tile
        ("shrimps", np.int64, (NUM_BOARDS,)),  # cells with a shrimp
        ("guarded", np.int64, (NUM_BOARDS,)),  # cells of corals with a shrimp (R0.4)
        ("protected", np.int64, (NUM_BOARDS,)),  # cells of protected tiles (R0.5)
        ("shrimp_cell", np.int16, (MAX_SEATS, MAX_SHRIMPS)),  # cells of a seat's shrimps, rising
        ("coral", np.int64, (MAX_SEATS, MAX_SHRIMPS)),  # the coral each guards; 0 on bare rock
        ("num_shrimps", np.int8, (MAX_SEATS,)),  # shrimps of a seat on the boards
        ("on_board", np.int8, (MAX_SEATS, NUM_BOARDS)),  # the same by board (R7.5)
        ("board", np.int8, (NUM_BOARDS,)),  # which board lies there, 0..3 for R1..R4
        # coral tiles and algae
        ("side", np.int8),  # side up at the start (R1.4)
        ("reversed", np.int64),  # coral tiles that show the reverse, bits 0..9
        ("locked", np.int64),  # coral tiles that carry a cylinder
        ("beats", np.int64, (NUM_COLORS,)),  # colors each color dominates now (R0.6)
        ("cylinders", np.int16, (NUM_ALGAE,)),  # in the supply
        ("space", np.int8),  # alga on the alga space, or NONE
        # stocks by color
        ("behind", np.int16, (MAX_SEATS, NUM_COLORS)),  # hidden (R14.1)
        ("known", np.int16, (MAX_SEATS, NUM_COLORS)),  # of those, seen to arrive (R14.2)
        ("unknown", np.int16, (MAX_SEATS,)),  # tiles behind from the deal, color never seen
        ("front", np.int16, (MAX_SEATS, NUM_COLORS)),
        ("fish", np.int16, (MAX_SEATS, NUM_COLORS)),
        ("stash", np.int8, (MAX_SEATS,)),  # color of the secret tile, NONE before; hidden
        ("larvae", np.int16, (MAX_SEATS, NUM_COLORS)),
        ("pair", np.int8, (MAX_SEATS,)),  # larvae chosen at the start, NONE before
        ("in_hand", np.int8, (MAX_SEATS,)),  # unplayed shrimps
        ("eaten", np.int8, (MAX_SEATS,)),  # eaten shrimps = corals fed
        ("bag", np.int16, (NUM_COLORS,)),  # hidden
        ("in_bag", np.int8, (NUM_COLORS,)),  # in a view: 1 seen to be there, -1 not there
        ("bonus", np.int16, (NUM_COLORS,)),  # bonus row (R0.8)
        ("supply", np.int16, (NUM_COLORS,)),  # larva cubes
        ("sea", np.int16, (NUM_COLORS, NUM_COLORS)),  # tiles on each sea space, by color
        ("cube", np.int8, (NUM_COLORS,)),  # larva cube on each sea space, 0 or 1
        # whose decision, and what has been done this turn
        ("seats", np.int64),
        ("seat", np.int64),  # seat to act
        ("phase", np.int64),
        ("turn", np.int64),  # 0 in the set-up
        ("over", np.int64),
        ("fresh", np.int64),  # nothing done this turn (R2.5)
        ("grows", np.int64),  # grow actions this turn
        ("moves", np.int64),  # shrimp moves this turn
        ("entered", np.int64),  # a shrimp came in this turn
        ("lock_made", np.int64),  # a coral tile was locked this turn (R9.6)
        ("growing", np.int64),  # color of the open grow action
        ("from_behind", np.int64),  # tiles laid from behind in it
        ("placed", np.int64),  # tiles laid in it
        ("bonus_board", np.int64),  # board whose growth awaits a yes or no (A20)
        # the end
        ("cause", np.int64),  # 0, or the cause of the end (1..4 as in R11)
        ("ender", np.int64),  # who caused it
        ("last_turns", np.int64),  # seats that still have a last turn, the one to act included
        ("asked", np.int64),  # final feed: how many places left of the ender
    ],
)

RULES = Layout(
    "reef_encounter_rules",
    [
        ("random_boards", np.int8),
        ("boards", np.int8, (NUM_BOARDS,)),
        ("initial_side", np.int8),  # STARFISH, REVERSE or NONE for random
        ("hand", np.int16, (MAX_SEATS,)),
        ("tiles_per_color", np.int64),
        ("larvae_per_color", np.int64),
        ("cylinders_per_alga", np.int64),
        ("shrimps_per_player", np.int64),
        ("extra_growth", np.int8),
        ("growth_optional", np.int8),
        ("shrimp_blocks_growth", np.int8),
        ("feed_return", np.int64),
        ("final_feed_return", np.int64),
        ("min_feed_size", np.int64),
        ("min_final_feed_size", np.int64),
        ("base_tile_value", np.int64),
        ("grow_actions_per_turn", np.int64),
        ("max_tiles_from_behind", np.int64),
        ("allow_empty_grow", np.int8),
        ("min_attack_size", np.int64),
        ("attack_needs_own_shrimp", np.int8),
        ("merge_never", np.int8),
        ("max_own_shrimps_per_board", np.int64),
        ("lock_flips_others", np.int8),
        ("allow_null_flip", np.int8),
        ("collect_mandatory", np.int8),
        ("final_feed", np.int8, (6,)),  # by cause
        ("full_turn", np.int8),
        ("end_of_turn", np.int8),
        ("complete_round", np.int8),
        ("bag_end_rule", np.int64),  # place in BAG_END_RULES
        ("no_empty", np.int8),
        ("max_shrimp_moves_per_turn", np.int64),
        ("max_turns", np.int64),
        # component data, so that jitted code finds it without global tuples
        ("rock_of", np.int64, (NUM_BOARDS,)),
        ("starts_of", np.int64, (NUM_BOARDS, NUM_COLORS)),
        ("top", np.int8, (2, NUM_TILES)),  # coral on top, by side and tile
        ("bottom", np.int8, (2, NUM_TILES)),
        ("shows", np.int64, (2, NUM_ALGAE)),  # tiles that show the alga, by side
        ("pairs", np.int8, (15, 2)),  # choices of two larvae
        ("sea_levels", np.int8, (NUM_COLORS,)),
    ],
)
BAG_END_RULES = ("insufficient", "lt3", "le3", "empty")
INSUFFICIENT, LT3, LE3, EMPTY = range(4)

WORK = Layout(
    "reef_encounter_work",
    [
        *WORK_FIELDS,
        ("captured", np.int16, (MAX_SEATS,)),  # tiles taken by attacks in the game
        ("locks", np.int16, (MAX_SEATS,)),
        ("returned", np.int16, (MAX_SEATS,)),  # tiles of eaten corals that went to the bag
        ("growths", np.int16, (MAX_SEATS,)),  # bonus tiles laid by growth
        ("flips", np.int16, (MAX_SEATS,)),  # coral tiles turned over
        ("laid", np.int16, (MAX_SEATS,)),  # tiles laid, growth not counted
        ("laying_turns", np.int16, (MAX_SEATS,)),
        ("passes", np.int16, (MAX_SEATS,)),  # turns with action 9 and 10 only
        ("turn_captured", np.int16),
        ("turn_growths", np.int16),
        ("turn_flips", np.int16),
        ("turn_locks", np.int16),
        ("sea_space", np.int8),  # collected from this turn, or NONE
        # what an evaluation notes
        ("takes", np.int64, (NUM_BOARDS, NUM_COLORS)),  # guarded tiles a color could take
        ("armed", np.int64, (MAX_SEATS,)),  # colors a seat could lay at once, as bits
    ],
)


def pack_rules(ruleset: Any, seats: int) -> dict[str, Any]:
    """Values of the RULES record for a ruleset at a number of seats."""
    from reefsim.games.reef_encounter import constants as c

    parameters = type(ruleset).model_fields
    direct = {name: getattr(ruleset, name) for name, *_ in RULES.fields if name in parameters}
    random_boards = ruleset.boards == "random"
    boards = [] if random_boards else [c.BOARD_IDS.index(board) for board in ruleset.boards]
    hand = ruleset.hand(seats)
    side = c.SIDES.index(ruleset.initial_side) if ruleset.initial_side != "random" else c.NONE
    tiles = range(NUM_TILES)
    return direct | {
        "random_boards": random_boards,
        "boards": [*boards, 0, 0, 0, 0][:NUM_BOARDS],
        "initial_side": side,
        "hand": [*hand, 0, 0, 0][:MAX_SEATS],
        "merge_never": ruleset.merge_rule == "never",
        "final_feed": [cause in ruleset.final_feed_events for cause in range(6)],
        "full_turn": ruleset.final_turn == "full_turn",
        "end_of_turn": ruleset.end_timing == "end_of_turn",
        "bag_end_rule": BAG_END_RULES.index(ruleset.bag_end_rule),
        "no_empty": ruleset.no_space_rule == "no_empty",
        # the column `turn` has 16 bits, and last turns may follow
        "max_turns": min(ruleset.max_turns, 32_000),
        "rock_of": c.ROCK,
        "starts_of": c.STARTS,
        "top": [[c.CORAL_TILES[t][side][0] for t in tiles] for side in (0, 1)],
        "bottom": [[c.CORAL_TILES[t][side][1] for t in tiles] for side in (0, 1)],
        "shows": [
            [
                sum(1 << t for t in tiles if c.CORAL_TILES[t][side][2] == alga)
                for alga in range(NUM_ALGAE)
            ]
            for side in (0, 1)
        ],
        "pairs": c.LARVA_PAIRS,
        "sea_levels": c.SEA_LEVELS,
    }
