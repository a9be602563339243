"""The records of Reef: the state, the rules in force, the game's share of the scratch.

Boards are kept twice: as stacks of pieces, and as masks of cells by top color and by height, so
that patterns can be read off. Sets of cards are two ints of 60 bits (`constants.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reefsim.core.layout import Layout
from reefsim.core.work import WORK_FIELDS
from reefsim.games.reef.constants import (
    ALL_CELLS,
    CENTER,
    MAX_CARDS,
    MAX_DISPLAY,
    MAX_LEVEL,
    MAX_SEATS,
    MAX_SHAPE,
    MAX_TURNED,
    NUM_CELLS,
    NUM_COLORS,
    NUM_PAIR_WORDS,
    NUM_PAIRS,
    NUM_WORDS,
    PAIR_WORD,
    PAIRS,
    SIDE,
)

STATE = Layout(
    "reef",
    [
        ("chance", np.int64, (4,)),  # Philox keys of the set-up and of the draws; hidden
        # boards
        ("stack", np.int16, (MAX_SEATS, NUM_CELLS)),  # 1, then two bits per piece, the top lowest
        ("height", np.int8, (MAX_SEATS, NUM_CELLS)),  # pieces in each stack
        ("tops", np.int64, (MAX_SEATS, NUM_COLORS)),  # cells with a top of the color
        ("least", np.int64, (MAX_SEATS, MAX_LEVEL + 2)),  # cells with at least so many pieces
        ("supply", np.int16, (NUM_COLORS,)),  # pieces left (R1.1)
        # cards
        ("hand", np.int64, (MAX_SEATS, NUM_WORDS)),
        ("secret", np.int64, (MAX_SEATS, NUM_WORDS)),  # of those, dealt and so unseen by others
        ("unknown", np.int8, (MAX_SEATS,)),  # how many these are
        ("discard", np.int64, (MAX_SEATS, NUM_WORDS)),
        ("display", np.int16, (MAX_DISPLAY,)),  # card in each slot, NONE for a gap
        ("tokens", np.int16, (MAX_DISPLAY,)),  # points that lie on it
        ("top", np.int16),  # the visible card of the deck, NONE if it is empty
        ("deck", np.int16),  # cards in the deck, the visible one included
        ("unseen", np.int64, (NUM_WORDS,)),  # cards nobody has seen; in a view also those dealt
        ("points", np.int16, (MAX_SEATS,)),  # stock; in a view NONE if it is hidden (A13)
        # whose decision, and of what
        ("seats", np.int64),
        ("seat", np.int64),  # seat to act
        ("phase", np.int64),
        ("turn", np.int64),  # 0 in the set-up
        ("over", np.int64),
        ("piece", np.int64),  # color of the starting piece to be put next
        ("card", np.int64),  # being scored, NONE if none is
        ("most", np.int64),  # times it can be scored
        # the end
        ("cause", np.int64),  # 0, or the cause of the end, 1 + place in END_CAUSES
        ("ender", np.int64),  # who caused it
        ("stopped", np.int64),  # the end takes effect with this turn, not with the round
        ("final", np.int64),  # hand cards are being scored (R7.4)
        ("asked", np.int64),  # whose, in that scoring
        ("next_card", np.int64),  # the lowest card of that hand not yet scored
    ],
)

RULES = Layout(
    "reef_rules",
    [
        ("coral", np.int64),  # pieces of each color, the starting ones included
        ("start_points", np.int64, (MAX_SEATS,)),
        ("start_hand", np.int64),
        ("hand_limit", np.int64),
        ("display_size", np.int64),
        ("deck_card_price", np.int64),
        ("stack_limit", np.int64),
        ("free", np.int8),  # free set-up (R1.7)
        ("random_start", np.int8),  # centre_random
        ("after_display", np.int8),
        ("start_area", np.int64),  # cells for starting pieces
        ("leftmost", np.int8),
        ("scan", np.int8),  # match_count greedy_scan
        ("choose_centre", np.int8),
        ("optional", np.int8),  # scoring_choice optional
        ("hand_scoring", np.int64),  # place in HAND_SCORINGS
        ("all_neighbors", np.int8),
        ("empty_colors_to_end", np.int64),
        ("coral_at_once", np.int8),
        ("deck_at_once", np.int8),
        ("refill_fails", np.int8),
        ("points_visible", np.int8),
        ("max_turns", np.int64),
        # the deck
        ("num_cards", np.int64),
        ("special", np.int8, (MAX_CARDS,)),
        ("corals", np.int8, (MAX_CARDS, 2)),
        ("value", np.int64, (MAX_CARDS,)),  # printed points
        ("num_cells", np.int64, (MAX_CARDS,)),
        ("color", np.int8, (MAX_CARDS, MAX_SHAPE)),  # of a special card: center, neighbor
        ("low", np.int8, (MAX_CARDS, MAX_SHAPE)),  # least and most pieces of each cell's stack
        ("high", np.int8, (MAX_CARDS, MAX_SHAPE)),
        ("num_turned", np.int64, (MAX_CARDS,)),
        ("shift", np.int8, (MAX_CARDS, MAX_TURNED, MAX_SHAPE)),  # cell less the box's corner
        ("fits", np.int64, (MAX_CARDS, MAX_TURNED)),  # corners at which the box is on the board
        # the board, so that jitted code finds it without global tuples
        ("near", np.int64, (NUM_CELLS,)),  # the up to eight neighbors of each cell
        ("low_cell", np.int8, (NUM_PAIRS,)),
        ("high_cell", np.int8, (NUM_PAIRS,)),
        ("all_pairs", np.int64, (NUM_PAIR_WORDS,)),
        ("pairs_of", np.int64, (NUM_CELLS, NUM_PAIR_WORDS)),  # pairs with the cell
        ("double_of", np.int64, (NUM_CELLS, NUM_PAIR_WORDS)),  # the pair of the cell with itself
    ],
)
HAND_SCORINGS = ("once", "full", "none")
ONCE, FULL, NO_SCORING = range(3)
MAX_MATCHES = NUM_CELLS * MAX_TURNED

WORK = Layout(
    "reef_work",
    [
        *WORK_FIELDS,
        ("takes_display", np.int16, (MAX_SEATS,)),
        ("takes_deck", np.int16, (MAX_SEATS,)),
        ("passes", np.int16, (MAX_SEATS,)),
        ("blank_plays", np.int16, (MAX_SEATS,)),  # plays that scored nothing
        ("missing", np.int16, (MAX_SEATS,)),  # pieces of played cards that were not placed
        ("pattern_points", np.int16, (MAX_SEATS,)),
        ("hand_points", np.int16, (MAX_SEATS,)),
        ("tokens_taken", np.int16, (MAX_SEATS,)),
        ("tokens_paid", np.int16, (MAX_SEATS,)),
        ("turn_matches", np.int16),
        ("turn_points", np.int16),
        ("turn_card", np.int16),  # taken or played in the turn, NONE on a pass
        # appearances of a pattern (`patterns.py`)
        ("match", np.int64, (MAX_MATCHES,)),  # cells of each
        ("rest", np.int64, (MAX_MATCHES + 1,)),  # cells of it and all after it
        ("pick", np.int64, (NUM_CELLS + 1,)),
        ("pairs", np.int64, (NUM_PAIR_WORDS,)),  # of cells that take two pieces
        # what proposals note (`propose.py`)
        ("gain", np.float64, (NUM_COLORS, NUM_CELLS)),  # of a piece of a color on a cell
        ("offer", np.float64, (MAX_SEATS * 2,)),
    ],
)


def pack_rules(ruleset: Any, seats: int) -> dict[str, Any]:
    """Values of the RULES record for a ruleset at a number of seats."""
    parameters = type(ruleset).model_fields
    direct = {name: getattr(ruleset, name) for name, *_ in RULES.fields if name in parameters}
    points = ruleset.points(seats)
    in_center = ruleset.setup_mode != "free"
    everywhere = ruleset.free_setup_area == "anywhere"
    rim = ALL_CELLS if everywhere else ALL_CELLS & ~CENTER
    return (
        direct
        | {
            "coral": ruleset.coral(seats),
            "start_points": [*points, 0, 0, 0, 0][:MAX_SEATS],
            "free": ruleset.setup_mode == "free",
            "random_start": ruleset.setup_mode == "centre_random",
            "after_display": ruleset.setup_timing == "after_display",
            "start_area": CENTER if in_center else rim,
            "leftmost": ruleset.lowest_tie == "leftmost",
            "scan": ruleset.match_count == "greedy_scan",
            "choose_centre": ruleset.special_tie == "choose",
            "optional": ruleset.scoring_choice == "optional",
            "hand_scoring": HAND_SCORINGS.index(ruleset.final_hand_scoring),
            "all_neighbors": ruleset.endgame_special == "all_neighbours",
            "coral_at_once": ruleset.coral_out_end == "immediate",
            "deck_at_once": ruleset.deck_out_end == "immediate",
            "refill_fails": ruleset.deck_out_test == "refill_fails",
            # the field `turn` of an event has 15 bits, and a last round may follow
            "max_turns": min(ruleset.max_turns, 32_000),
        }
        | _pack_deck(ruleset.deck().cards, ruleset.allow_reflection)
        | _pack_board()
    )


def _pack_deck(cards: Any, mirrored: bool) -> dict[str, Any]:
    packed: dict[str, Any] = {
        name: np.zeros((MAX_CARDS, *shape), np.int64)
        for name, shape in (
            ("special", ()),
            ("corals", (2,)),
            ("value", ()),
            ("num_cells", ()),
            ("color", (MAX_SHAPE,)),
            ("low", (MAX_SHAPE,)),
            ("high", (MAX_SHAPE,)),
            ("num_turned", ()),
            ("shift", (MAX_TURNED, MAX_SHAPE)),
            ("fits", (MAX_TURNED,)),
        )
    }
    for i, card in enumerate(cards):
        packed["special"][i] = card.is_special
        packed["corals"][i] = card.corals
        packed["value"][i] = card.points
        packed["num_cells"][i] = len(card.cells)
        for k, cell in enumerate(card.cells):
            packed["color"][i, k], packed["low"][i, k], packed["high"][i, k] = cell[2:]
        turned = [] if card.is_special else card.turned(mirrored)
        packed["num_turned"][i] = len(turned)
        for t, places in enumerate(turned):
            rows, columns = (1 + max(places_of) for places_of in zip(*places, strict=True))
            for k, (row, column) in enumerate(places):
                packed["shift"][i, t, k] = row * SIDE + column
            packed["fits"][i, t] = sum(
                1 << (row * SIDE + column)
                for row in range(SIDE + 1 - rows)
                for column in range(SIDE + 1 - columns)
            )
    return packed | {"num_cards": len(cards)}


def _pack_board() -> dict[str, Any]:
    cells = [divmod(cell, SIDE) for cell in range(NUM_CELLS)]
    near = [
        sum(1 << k for k, (y, x) in enumerate(cells) if max(abs(y - row), abs(x - column)) == 1)
        for row, column in cells
    ]
    words = range(NUM_PAIR_WORDS)

    def pairs(wanted: Any) -> list[int]:
        chosen = [p for p, pair in enumerate(PAIRS) if wanted(pair)]
        return [sum(1 << p % PAIR_WORD for p in chosen if p // PAIR_WORD == k) for k in words]

    return {
        "near": near,
        "low_cell": [pair[0] for pair in PAIRS],
        "high_cell": [pair[1] for pair in PAIRS],
        "all_pairs": pairs(lambda pair: True),
        "pairs_of": [pairs(lambda pair, c=c: c in pair) for c in range(NUM_CELLS)],
        "double_of": [pairs(lambda pair, c=c: pair == (c, c)) for c in range(NUM_CELLS)],
    }
