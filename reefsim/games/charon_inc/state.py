"""The records of CHARON Inc.: the state, the rules in force, the game's share of the scratch.

A set of cards or of regions is one int, a set of spots two ints of 60 bits (`constants.py`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from reefsim.core.layout import Layout
from reefsim.core.work import WORK_FIELDS
from reefsim.games.charon_inc.constants import (
    CARDS_OF_NUMBER,
    CENTRE,
    CLEAR,
    CROSSING,
    EDGE,
    HIGHEST,
    MAX_LAYERS,
    MAX_SEATS,
    MAX_SPOTS,
    NONE,
    NUM_AREAS,
    NUM_CARDS,
    NUM_COLORS,
    NUM_ORDINARY,
    NUM_REGIONS,
    NUM_SPOT_WORDS,
    SPOT_WORD,
)
from reefsim.games.charon_inc.gems import (
    BY_NUMBER,
    FIRST_WORD,
    GEM_WORD,
    MAX_SIZE,
    NUM_GEM_WORDS,
    NUM_MULTISETS,
)

STATE = Layout(
    "charon_inc",
    [
        ("chance", np.int64, (4,)),  # Philox keys of the set-up and of the draws; hidden
        # the moon
        ("gem_color", np.int8, (NUM_REGIONS,)),  # of the gems of a region, NONE if it has none
        ("gems", np.int8, (NUM_REGIONS,)),  # how many these are
        ("own_spots", np.int64, (MAX_SEATS, NUM_SPOT_WORDS)),  # spots with a flag of the seat
        ("taken", np.int64, (NUM_SPOT_WORDS,)),  # spots with a flag of anybody
        (
            "force",
            np.int16,
            (NUM_REGIONS, MAX_SEATS),
        ),  # sum of `rules.force` of flags that touch it
        ("left", np.int64, (MAX_SEATS,)),  # action areas with a flag of the seat
        ("valid", np.int64, (MAX_SEATS,)),  # of those, the ones that work (CH-3.4)
        # gems
        ("held", np.int16, (MAX_SEATS, NUM_COLORS)),
        ("supply", np.int16, (NUM_COLORS,)),
        ("bag", np.int16, (NUM_ORDINARY,)),
        # cards
        ("hand", np.int64, (MAX_SEATS,)),
        ("built", np.int64, (MAX_SEATS,)),
        ("row", np.int64),
        ("layers", np.int64, (MAX_LAYERS,)),  # of the discard pile, the lowest first (CH-4.7b)
        ("num_layers", np.int64),
        ("pile", np.int64),  # the draw pile; in a view also all cards whose place is not known
        ("pile_size", np.int64),  # cards of the draw pile
        # what is known of them (CH-8.1)
        ("seen", np.int64, (MAX_SEATS,)),  # cards whose place a seat knows
        ("out", np.int64),  # cards that all know to have left the pile
        (
            "unseen_takes",
            np.int8,
            (MAX_SEATS,),
        ),  # cards a seat took from the discards, not shown yet
        ("hidden_hand", np.int8, (MAX_SEATS,)),  # in a view: cards of a hand that are not known
        ("hidden_layer", np.int8, (MAX_LAYERS,)),  # in a view: the same of a layer
        # a reset
        ("fresh", np.int64, (MAX_SEATS,)),  # hand cards drawn in it
        ("num_fresh", np.int8, (MAX_SEATS,)),  # how many these are
        ("exchanges", np.int64),  # of the seat that is asked
        ("chosen", np.int8, (MAX_SEATS,)),  # card for the row, NONE while not chosen
        # whose decision, and of what
        ("seats", np.int64),
        ("order", np.int8, (MAX_SEATS,)),  # seats, the first one first
        ("at", np.int64),  # place in the order of the seat to act
        ("seat", np.int64),  # seat to act
        ("phase", np.int64),
        ("step", np.int64),  # flags each seat has placed; pass of the build phase
        ("round_number", np.int64),  # 0 in the set-up
        ("turn", np.int64),  # 0 in the set-up
        ("row_built", np.int64),  # cards of the row that the seat to act built in this round
        ("exchanged", np.int64),  # it used its synchrotron in this round
        ("over", np.int64),
        ("cause", np.int64),  # 0, or the cause of the end, 1 + place in END_CAUSES
        ("ender", np.int64),  # nobody causes an end: NONE
    ],
)

PICKS = ("choose_any", "random", "top_card")
PICK_ANY, PICK_RANDOM, PICK_TOP = range(3)
REDRAWS = ("discard_pile", "draw_pile", "never")
FROM_DISCARDS, FROM_PILE, NO_REDRAW = range(3)
RESEEDS = ("skip", "replace", "refill_if_partial")
SKIP, REPLACE, REFILL = range(3)
TIE_BREAKS = ("most_cards_then_highest", "highest_then_most_cards", "shared")
MOST_FIRST, HIGHEST_FIRST, SHARED = range(3)

RULES = Layout(
    "charon_inc_rules",
    [
        ("rounds", np.int64),
        ("gems_per_color", np.int64),
        ("clear_gems", np.int64),
        ("bag", np.int64),  # gems of each ordinary color in it
        ("carry_over", np.int8),
        ("twelves_aside", np.int8),
        ("buried_cards", np.int64),
        ("hand_first_round", np.int64),
        ("placements", np.int64),
        ("cap", np.int64),  # flags on an area up to which its action works
        ("next_best", np.int8),  # inherit_on_top_tie
        ("a2_clear_gems", np.int64),
        ("reverse_order", np.int8),  # shared_action_order
        ("pick", np.int64),  # place in PICKS
        ("steps", np.int8),  # build_sequencing
        ("trade_rate", np.int64),
        ("warehouse_trade_rate", np.int64),
        ("clear_in_trade", np.int8),
        ("synchrotron_clear", np.int8),
        ("max_same_number", np.int64),
        ("row_builds_per_round", np.int64),
        ("storage_limit", np.int64),
        ("warehouse_limit", np.int64),
        ("hand_later_rounds", np.int64),
        ("redraw", np.int64),  # place in REDRAWS
        ("max_exchanges", np.int64),
        ("newly_drawn", np.int8),  # row_choice
        ("reseed", np.int64),  # place in RESEEDS
        ("tie_break", np.int64),  # place in TIE_BREAKS
        # the map
        ("in_play", np.int64),  # regions
        ("slots", np.int8, (NUM_REGIONS,)),
        ("num_touched", np.int8, (MAX_SPOTS,)),  # regions in play that a spot touches
        ("touched", np.int8, (MAX_SPOTS, 4)),
        ("force", np.int16, (MAX_SPOTS,)),  # of a flag there, so that sums decide a region (CH-4.3)
        ("rank", np.int8, (MAX_SPOTS,)),
        ("usable", np.int64, (NUM_SPOT_WORDS,)),
        ("a1_spots", np.int64, (NUM_SPOT_WORDS,)),  # of those, targets of A1
        # for pictures: places of regions, and of spots in halves of a region
        ("column", np.int8, (NUM_REGIONS,)),
        ("line", np.int8, (NUM_REGIONS,)),
        ("spot_x", np.int16, (MAX_SPOTS,)),
        ("spot_y", np.int16, (MAX_SPOTS,)),
        # the cards
        ("number", np.int8, (NUM_CARDS,)),
        ("alike", np.int64, (NUM_CARDS,)),  # cards with the same number
        ("of_number", np.int64, (HIGHEST + 1,)),
        ("cost", np.int16, (NUM_CARDS, NUM_ORDINARY)),
        ("price", np.int16, (NUM_CARDS,)),  # gems of the cost
        ("ways", np.int64, (NUM_CARDS,)),  # payments
        ("most_clear", np.int16, (NUM_CARDS, NUM_ORDINARY)),  # gems of a color clear ones stand for
        # multisets of gems (`gems.py`)
        ("fits", np.int64, (NUM_COLORS, MAX_SIZE + 1, NUM_GEM_WORDS)),  # with so many of a color
        ("gems", np.int64, (NUM_MULTISETS,)),  # how many of each color, four bits each
        ("first_word", np.int64, (MAX_SIZE + 2,)),  # of each size
    ],
)

WORK = Layout(
    "charon_inc_work",
    [
        *WORK_FIELDS,
        ("regions_won", np.int16, (MAX_SEATS,)),
        ("gems_mined", np.int16, (MAX_SEATS,)),
        ("clear_taken", np.int16, (MAX_SEATS,)),
        ("gems_paid", np.int16, (MAX_SEATS,)),  # for cards, clear ones included
        ("row_builds", np.int16, (MAX_SEATS,)),
        ("trades", np.int16, (MAX_SEATS,)),
        ("synchrotrons", np.int16, (MAX_SEATS,)),
        ("exchanges", np.int16, (MAX_SEATS,)),
        ("chose", np.int16, (MAX_SEATS, NUM_AREAS)),  # flags left on each area
        ("worked", np.int16, (MAX_SEATS, NUM_AREAS)),  # of those, the ones whose action worked
        (
            "ties",
            np.int16,
            (MAX_SEATS,),
        ),  # regions with gems whose first place was shared with others
        (
            "places",
            np.int16,
            (MAX_SEATS,),
        ),  # sum of the places in the order of building, 1 the first
        ("unmined", np.int16),  # gems that nobody won, summed over rounds
        ("dead_heats", np.int16),  # regions that flags touch and nobody won
        # what an evaluation works out on the way
        ("means", np.float64, (MAX_SEATS, NUM_COLORS)),  # gems a seat can count on
        ("spare", np.float64, (NUM_COLORS,)),  # of those, what the cards looked at so far leave
        ("want", np.float64, (NUM_COLORS,)),  # what a gem of a color is worth to a seat
        ("gain", np.float64, (MAX_SPOTS,)),  # of a flag on a spot
        ("picked", np.int64, (NUM_SPOT_WORDS,)),  # spots that gain most
    ],
)


def spot_words(spots: Any) -> list[int]:
    """A set of spots as ints."""
    return [sum(1 << s % SPOT_WORD for s in spots if s // SPOT_WORD == k) for k in range(2)]


def pack_rules(ruleset: Any, seats: int) -> dict[str, Any]:
    """Values of the RULES record for a ruleset at a number of seats."""
    parameters = type(ruleset).model_fields
    direct = {name: getattr(ruleset, name) for name, *_ in RULES.fields if name in parameters}
    return (
        direct
        | {
            "bag": ruleset.bag(seats),
            "carry_over": ruleset.bag_policy == "carry_over",
            "cap": ruleset.cap(seats),
            "next_best": ruleset.inherit_on_top_tie == "next_best",
            "reverse_order": ruleset.shared_action_order == "reverse_order",
            "pick": PICKS.index(ruleset.a3_discard_pick),
            "steps": ruleset.build_sequencing == "steps",
            "redraw": REDRAWS.index(ruleset.duplicate_redraw),
            "newly_drawn": ruleset.row_choice == "newly_drawn",
            "reseed": RESEEDS.index(ruleset.reseed_nonempty),
            "tie_break": TIE_BREAKS.index(ruleset.tie_break),
        }
        | _pack_map(ruleset, seats)
        | _pack_cards(ruleset)
        | _pack_gems()
    )


def _pack_map(ruleset: Any, seats: int) -> dict[str, Any]:
    there = ruleset.in_play(seats)
    slots = [region.slots for region in ruleset.map.regions]
    touched = [[i for i in spot.touches if i in there] for spot in ruleset.map.spots]
    usable = ruleset.usable(seats)
    places = [place_of_spot(ruleset.map, spot) for spot in ruleset.map.spots]
    rest = MAX_SPOTS - len(touched)
    by_sum = ruleset.tie_rank == "rank_sum"
    # The number of flags counts first, then their sum of ranks, or centres and then edges.
    best = {CROSSING: 1, EDGE: 2, CENTRE: 3} if by_sum else {CROSSING: 0, EDGE: 1, CENTRE: 16}
    targets = [i for i in usable if _is_target(ruleset, touched[i])]
    return {
        "in_play": sum(1 << i for i in there),
        "slots": slots,
        "num_touched": [*map(len, touched), *[0] * rest],
        "touched": [[*row, *[NONE] * 4][:4] for row in (*touched, *[[]] * rest)],
        "force": [*(256 + best[spot.rank] for spot in ruleset.map.spots), *[0] * rest],
        "rank": [*(spot.rank for spot in ruleset.map.spots), *[0] * rest],
        "usable": spot_words(usable),
        "a1_spots": spot_words(targets),
        "column": [region.col for region in ruleset.map.regions],
        "line": [region.row for region in ruleset.map.regions],
        "spot_x": [*(x for x, _ in places), *[0] * rest],
        "spot_y": [*(y for _, y in places), *[0] * rest],
    }


def _is_target(ruleset: Any, touched: list[int]) -> bool:
    """Whether A1 may move a flag to a spot that touches some regions in play (CH-3.5, CHQ-02)."""
    if ruleset.a1_target == "no_three_slot_region":
        return all(ruleset.map.regions[i].slots < 3 for i in touched)
    if ruleset.a1_target == "not_exactly_three_regions":
        return len(touched) != 3
    return ruleset.a1_target == "any" or len(touched) < 3


def place_of_spot(moon: Any, spot: Any) -> tuple[int, int]:
    """Where a spot is drawn, in halves of a region: the middle of all it touches.

    A corner at the rim lies at the end of the line between its two regions that no crossing is on.
    """
    regions = [moon.regions[i] for i in spot.touches]
    left, top = min(x.col for x in regions), min(x.row for x in regions)
    wide, high = max(x.col for x in regions) - left, max(x.row for x in regions) - top
    if len(regions) > 2:
        return 2 * left + 2, 2 * top + 2
    x, y = 2 * left + 1 + wide, 2 * top + 1 + high
    if not spot.is_rim:
        return x, y
    across = (0, 1) if wide else (1, 0)
    beyond = {(region.col, region.row) for region in moon.regions}
    toward = (left + across[0], top + across[1])
    sign = -1 if toward in beyond else 1
    return x + sign * across[0], y + sign * across[1]


def _pack_cards(ruleset: Any) -> dict[str, Any]:
    cards = ruleset.cards.cards
    of_number = [
        sum(1 << i for i, card in enumerate(cards) if card.number == number)
        for number in range(HIGHEST + 1)
    ]
    assert all(n.bit_count() in (0, CARDS_OF_NUMBER) for n in of_number)
    return {
        "number": [card.number for card in cards],
        "alike": [of_number[card.number] for card in cards],
        "of_number": of_number,
        "cost": [card.cost for card in cards],
        "price": [sum(card.cost) for card in cards],
        "ways": [ruleset.ways(card.cost) for card in cards],
        "most_clear": [[min(n, ruleset.clear_gems) for n in card.cost] for card in cards],
    }


@cache
def _pack_gems() -> dict[str, Any]:
    fits = np.zeros((NUM_COLORS, MAX_SIZE + 1, NUM_GEM_WORDS), np.int64)
    packed = [0] * NUM_MULTISETS
    for number, gems in BY_NUMBER.items():
        word, bit = divmod(number, GEM_WORD)
        packed[number] = sum(n << 4 * color for color, n in enumerate(gems))
        for color, n in enumerate(gems):
            fits[color, n:, word] |= np.int64(1 << bit)
    assert CLEAR == NUM_ORDINARY
    return {"fits": fits, "gems": packed, "first_word": FIRST_WORD}
