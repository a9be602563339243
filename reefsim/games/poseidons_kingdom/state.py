"""The records of Poseidon's Kingdom: the state, the rules in force, the share of the scratch.

A reef is a list of its hexes in the order in which they were laid, each with its top tile; sets of
hexes are masks over that list. `order` has them by coordinates, as actions need them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reefsim.core.layout import Layout
from reefsim.core.work import WORK_FIELDS
from reefsim.games.poseidons_kingdom.components import read_hex
from reefsim.games.poseidons_kingdom.constants import (
    CORALS,
    MARGIN,
    MAX_HEXES,
    MAX_NODES,
    MAX_RING,
    MAX_SEATS,
    MAX_STACK,
    MAX_TILE_KINDS,
    MAX_TOWER,
    MAX_ZONES,
    NUM_CELLS,
    NUM_CORALS,
    NUM_DICE,
    NUM_FACES,
    NUM_GROUPS,
    NUM_OWNERS,
    NUM_POWERS,
    NUM_SIDES,
    NUM_SYMBOLS,
    NUM_TENTACLES,
    OFFSETS,
    SIDE,
    SYMBOLS,
    WAVE_RIDER,
)

STATE = Layout(
    "poseidons_kingdom",
    [
        ("chance", np.int64, (4,)),  # Philox keys of the coral tiles and of the falls; hidden
        ("falls", np.int64),  # of the tower so far, those repeated included
        # dice, by owner; neutral last
        ("supply", np.int8, (NUM_OWNERS,)),
        ("tower", np.int8, (NUM_OWNERS,)),
        ("zone", np.int8, (MAX_ZONES + 1, NUM_DICE)),  # dice in each food zone; zone 0 is none
        # reefs
        ("num_hexes", np.int64, (MAX_SEATS,)),
        ("cell", np.int16, (MAX_SEATS, MAX_HEXES)),
        ("order", np.int8, (MAX_SEATS, MAX_HEXES)),  # hexes by cell
        ("level", np.int8, (MAX_SEATS, MAX_HEXES)),
        ("tile", np.int8, (MAX_SEATS, MAX_HEXES)),  # number of the top tile among the seat's own
        ("die", np.int8, (MAX_SEATS, MAX_HEXES)),  # stored, where `stored` has the hex
        ("symbol", np.int64, (MAX_SEATS, NUM_SYMBOLS)),  # hexes that show it
        ("stored", np.int64, (MAX_SEATS,)),  # hexes with a die
        ("dead", np.int64, (MAX_SEATS,)),  # hexes with a skeleton
        ("tiles", np.int8, (MAX_SEATS,)),  # laid, starting ones included
        ("power", np.int8, (MAX_SEATS, NUM_POWERS)),  # wave, arrow, eat
        ("reef_left", np.int8, (MAX_TILE_KINDS,)),
        ("skeletons", np.int8),  # in stock
        # friends
        ("friends", np.int8, (MAX_SEATS,)),  # tentacles that still hold one, as bits
        ("safe_taken", np.int8, (NUM_TENTACLES,)),  # tiles gone from each stack
        ("safe_tiles", np.int8, (MAX_SEATS,)),
        ("safe_points", np.int16, (MAX_SEATS,)),
        # ocean and ring
        ("creature", np.int8, (MAX_SEATS, 2)),  # spaces of the ocean creatures
        ("shark", np.int64),  # place on its loop
        ("direction", np.int64),
        ("dolphin", np.int64),  # whose it is, NONE in stock
        ("ring", np.int8, (MAX_SEATS,)),  # spaces of the ring creatures
        ("ring_open", np.int64),  # 0 in the last turns
        # coral
        ("coral", np.int8, (NUM_CORALS,)),  # kind on each number; in a view NONE if not known
        ("coral_owner", np.int8, (NUM_CORALS,)),  # NONE on the Kraken
        ("seen", np.int16, (MAX_SEATS,)),  # numbers whose tile a seat knows, as bits
        # whose decision, and of what
        ("seats", np.int64),
        ("seat", np.int64),  # seat to act
        ("active", np.int64),  # whose turn it is
        ("start", np.int64),  # who had the first turn
        ("phase", np.int64),
        ("turn", np.int64),  # 0 in the set-up
        ("over", np.int64),
        ("kind", np.int64),  # of the tile to be placed
        # food
        ("node", np.int64),  # space of the creature that moved
        ("picked", np.int64),  # dice picked up in the turn
        ("picks", np.int64, (NUM_OWNERS,)),  # by owner; ring moves still to be made
        ("meal", np.int64),  # condition to be met, 0 if none is open
        ("number", np.int64),  # of the coral being bought
        ("meal_picks", np.int64),  # dice of the meal that were picked up
        ("used", np.int8, (NUM_FACES,)),  # faces eaten so far
        ("last_die", np.int64),  # the die taken last, NONE if there is none
        ("last_cell", np.int64),  # the cell filled or emptied last, NONE if there is none
        ("white", np.int64),  # 1 once a white number was bought in the turn
        # reactions
        ("after_peek", np.int64),  # stage at which the game goes on
        ("must_peek", np.int64),
        ("steps", np.int64),  # of the shark still to come
        ("victims", np.int8, (MAX_SEATS,)),  # creatures to be eaten where the shark is
        ("total", np.int16, (MAX_SEATS,)),  # of own dice on the board, at the last crash
        ("asked", np.int64),  # seats asked for a reward so far
        # the end
        ("cause", np.int64),  # 0, or the cause of the end, 1 + place in END_CAUSES
        ("ender", np.int64),
        ("last_turns", np.int64),  # still to be begun or running, 0 before the end is near
    ],
)

RULES = Layout(
    "poseidons_kingdom_rules",
    [
        # parameters, under their own names
        ("setup_dice", np.int64),
        ("setup_neutral", np.int64),
        ("dice_per_player", np.int64),
        ("neutral_dice", np.int64),
        ("dice_after_fall", np.int64),
        ("skeletons", np.int64),
        ("graveyard_points", np.int64),
        ("ring_length", np.int64),
        ("ring_spacing", np.int64),
        ("base_power", np.int64),
        ("load_minimum", np.int64),
        ("total_target", np.int64),
        ("all_different_size", np.int64),
        ("dead_symbol_power", np.int8),
        ("dolphin", np.int8),
        ("reward_ring_steps", np.int64),
        ("end_friends", np.int64),
        ("reef_limit", np.int64),
        # parameters as numbers
        ("seats", np.int64),
        ("own_layout", np.int8),  # starting_layout player_choice
        ("starting_tiles", np.int64),
        ("capacity", np.int64),
        ("first_number", np.int64),  # of the coral tiles
        ("ring_neutral", np.int64),  # spaces with a neutral creature, as bits
        ("nearest", np.int64, (NUM_TENTACLES,)),  # tentacles from 0, in their order from the head
        ("needs_pick", np.int64),
        ("long_straight", np.int8),
        ("boxes_only", np.int8),
        ("on_entering", np.int8),
        ("on_leaving", np.int8),
        ("each_player", np.int8),
        ("highest_total", np.int8),
        ("threshold", np.int64, (6,)),
        ("both", np.int8),  # last_turn_rescue_and_coral
        ("reef_size", np.int64),  # place in REEF_SIZES
        ("max_turns", np.int64),
        ("corals", np.int64, (len(CORALS),)),
        # the ocean
        ("num_nodes", np.int64),
        ("num_zones", np.int64),
        ("deep", np.int64),
        ("beach", np.int64),
        ("near", np.int64, (MAX_NODES,)),  # spaces one step away
        ("zone_of", np.int8, (MAX_NODES,)),
        ("shark_number", np.int64, (MAX_NODES,)),
        ("loop", np.int64, (MAX_NODES,)),
        ("loop_length", np.int64),
        ("shark_start", np.int64),
        ("shark_direction", np.int64),
        ("has_symbol", np.int64),  # spaces with a die symbol
        ("symbol_path", np.int64, (MAX_NODES,)),  # spaces to which a path with a symbol leads
        ("chance_up_to", np.int64, (MAX_ZONES + 1,)),  # cumulated, in parts of CHANCE_PARTS
        ("possible", np.int64),  # zones with a chance, 0 being off the board
        # reef tiles and safe places
        ("num_kinds", np.int64),
        ("first_symbol", np.int64, (MAX_TILE_KINDS,)),
        ("second_symbol", np.int64, (MAX_TILE_KINDS,)),
        ("tile_count", np.int64, (MAX_TILE_KINDS,)),
        ("start_symbol", np.int64, (2,)),
        ("start_cell", np.int64, (4, 2)),
        ("stack", np.int64, (NUM_TENTACLES, MAX_STACK)),
        ("stack_size", np.int64, (NUM_TENTACLES,)),
        # the table of hexes, so that jitted code finds it without global tuples
        ("inside", np.int8, (NUM_CELLS,)),  # 1 where flat tiles may lie
        ("offset", np.int64, (NUM_SIDES,)),
    ],
)
REEF_SIZES = ("tiles", "visible_hexes", "height")
CHANCE_PARTS = 1 << 30
MOST_PLACES = 16

WORK = Layout(
    "poseidons_kingdom_work",
    [
        *WORK_FIELDS,
        # what a game counts, by seat
        ("by_eating", np.int16, (MAX_SEATS,)),
        ("by_ring", np.int16, (MAX_SEATS,)),
        ("by_reward", np.int16, (MAX_SEATS,)),
        ("lost", np.int16, (MAX_SEATS,)),
        ("caught", np.int16, (MAX_SEATS,)),  # creatures of others eaten in own turns
        ("builds", np.int16, (MAX_SEATS,)),
        ("loads", np.int16, (MAX_SEATS,)),
        ("loaded", np.int16, (MAX_SEATS,)),  # dice, rewards left out
        ("picked_own", np.int16, (MAX_SEATS,)),
        ("picked_neutral", np.int16, (MAX_SEATS,)),
        ("picked_others", np.int16, (MAX_SEATS,)),
        ("stored_dice", np.int16, (MAX_SEATS,)),  # puts
        ("peeks", np.int16, (MAX_SEATS,)),
        ("crash_points", np.int32, (MAX_SEATS,)),  # totals of all crashes
        ("rewards", np.int16, (MAX_SEATS,)),
        ("ring_steps", np.int16, (MAX_SEATS,)),
        ("crashes", np.int64),
        ("fallen", np.int64),  # dice that fell in them
        ("off_board", np.int64),  # of those, back on the tower
        ("skeletons_laid", np.int64),
        ("end_turn", np.int64),  # turn in which the end was triggered
        # of the running turn
        ("turn_picked", np.int64),
        ("turn_freed", np.int64),
        ("turn_eaten", np.int64),
        ("turn_crash", np.int64),
        # scratch
        ("fell", np.int16, (MAX_TOWER,)),  # outcomes of a fall
        ("grid", np.int8, (NUM_CELLS,)),  # 0, 1 + hex, or -1 beside the reef; 0 between uses
        ("rim", np.int64, (6 * MAX_HEXES,)),  # cells beside the reef
        ("group", np.int64, (NUM_GROUPS + 1,)),  # placements by groups of cells; 0 between uses
        ("available", np.int64, (NUM_FACES,)),  # faces in the food zone that may be taken
        ("storable", np.int64, (NUM_FACES,)),  # faces in store that may be used
        ("eaten", np.int64, (NUM_FACES,)),  # faces of a meal being tried
        ("takes", np.int64),  # dice that may be eaten next
        ("uses", np.int64),  # hexes whose dice may be, by place in their order
        ("sums", np.int64, (MAX_RING + 2,)),  # sums by number of dice picked up
        # what proposals note (`propose.py`)
        ("best_place", np.int64, (MOST_PLACES,)),
        ("best_value", np.float64, (MOST_PLACES,)),
    ],
)


def pack_rules(ruleset: Any, seats: int) -> dict[str, Any]:
    """Values of the RULES record for a ruleset at a number of seats."""
    parameters = type(ruleset).model_fields
    direct = {
        name: getattr(ruleset, name)
        for name, *_ in RULES.fields
        if name in parameters and name != "starting_tiles"
    }
    spacing = range(0, 4 * ruleset.ring_spacing, ruleset.ring_spacing)
    neutral = sum(1 << place for place in spacing[seats:]) if ruleset.ring_neutrals else 0
    place = ruleset.die_symbol_place
    return (
        direct
        | {
            "seats": seats,
            "own_layout": ruleset.starting_layout == "player_choice",
            "starting_tiles": ruleset.at("starting_tiles", seats),
            "capacity": ruleset.at("tower_capacity", seats),
            "first_number": 3 if ruleset.coral_numbers == "3_10" else 2,
            "ring_neutral": neutral,
            "nearest": [tentacle - 1 for tentacle in ruleset.nearest_order],
            "needs_pick": ruleset.eat_stored_only == "needs_pick",
            "long_straight": ruleset.straight_length == "3_or_more",
            "boxes_only": ruleset.skeleton_place == "boxes_only",
            "on_entering": place in ("on_entering", "both"),
            "on_leaving": place in ("on_leaving", "both"),
            "each_player": ruleset.symbol_die_owner == "each_player",
            "highest_total": ruleset.dolphin_contest == "highest_total",
            # a total is far below the limit; thresholds may be any numbers
            "threshold": [min(total, 32_000) for total in ruleset.reward_thresholds],
            "both": ruleset.last_turn_rescue_and_coral == "both",
            "reef_size": REEF_SIZES.index(ruleset.largest_reef),
            # the field `turn` of an event has 15 bits, and a last round may follow
            "max_turns": min(ruleset.max_turns_per_player * seats, 32_000),
            "corals": [ruleset.coral[name] for name in CORALS],
        }
        | _pack_ocean(ruleset, seats)
        | _pack_tiles(ruleset, seats)
        | _pack_table(ruleset.reef_limit)
    )


def _padded(values: Any, length: int) -> list[int]:
    values = list(values)
    return values + [0] * (length - len(values))


def _pack_ocean(ruleset: Any, seats: int) -> dict[str, Any]:
    ocean = ruleset.data_set("ocean")
    names = list(ocean["nodes"])
    nodes = list(ocean["nodes"].values())
    number = {name: i for i, name in enumerate(names)}
    near, paths = [0] * MAX_NODES, [0] * MAX_NODES
    for masks, pairs in (
        (near, ocean["creature_edges"]),
        (paths, ocean["die_symbols"]["on_traversing"]),
    ):
        for one, other in pairs:
            masks[number[one]] |= 1 << number[other]
            masks[number[other]] |= 1 << number[one]
    high = ruleset.ocean_side == "high" or (ruleset.ocean_side == "by_players" and seats == 2)
    shore = ocean["shore"]
    zones = [node["wave"] or 0 for node in nodes]
    if not ruleset.shore_food:
        zones = [0 if zone == shore else zone for zone in zones]
    return {
        "num_nodes": len(names),
        "num_zones": shore if ruleset.shore_food else shore - 1,
        "deep": number[ocean["deep"]],
        "beach": number[ocean["beach"]],
        "near": near,
        "zone_of": _padded(zones, MAX_NODES),
        "shark_number": _padded(
            (node["shark2" if high else "shark34"] for node in nodes), MAX_NODES
        ),
        "loop": _padded((number[name] for name in ocean["shark_loop"]), MAX_NODES),
        "loop_length": len(ocean["shark_loop"]),
        "shark_start": ocean["shark_loop"].index(ocean["shark_start"]["node"]),
        "shark_direction": ocean["shark_start"]["direction"],
        "has_symbol": sum(1 << number[name] for name in ocean["die_symbols"]["on_entering"]),
        "symbol_path": paths,
    } | _pack_scatter(ruleset, shore)


def _pack_scatter(ruleset: Any, shore: int) -> dict[str, Any]:
    """Chances of the zones, 0 being off the board (§2.4, PKQ-21)."""
    scatter = ruleset.data_set("scatter")
    weights = [float(scatter["weights"].get(str(zone), 0)) for zone in range(1, shore + 1)]
    if not ruleset.shore_food:
        *weights, of_shore = weights
        weights[-1] += of_shore
    p_off = float(scatter["p_off"])
    chances = [p_off, *((1 - p_off) * weight / sum(weights) for weight in weights)]
    up_to = [round(CHANCE_PARTS * sum(chances[: zone + 1])) for zone in range(len(chances))]
    last = max(zone for zone, chance in enumerate(chances) if chance > 0)
    up_to[last:] = [CHANCE_PARTS] * (len(up_to) - last)
    return {
        "chance_up_to": _padded(up_to, MAX_ZONES + 1),
        "possible": sum(1 << zone for zone, chance in enumerate(chances) if chance > 0),
    }


def _pack_tiles(ruleset: Any, seats: int) -> dict[str, Any]:
    reef = ruleset.data_set("reef")
    kinds = reef["kinds"]
    removed = ruleset.at("reef_tiles_removed", seats)
    layout = [[cell_of(text) for text in tile] for tile in reef["starting_layout"]]
    stacks = ruleset.stacks(seats)
    return {
        "num_kinds": len(kinds),
        **{
            name: _padded((SYMBOLS.index(kind["symbols"][i]) for kind in kinds), MAX_TILE_KINDS)
            for i, name in enumerate(("first_symbol", "second_symbol"))
        },
        "tile_count": _padded((kind["count"] - removed for kind in kinds), MAX_TILE_KINDS),
        "start_symbol": [SYMBOLS.index(symbol) for symbol in reef["starting_tile"]],
        "start_cell": layout + [[0, 0]] * (4 - len(layout)),
        "stack": [_padded(stack, MAX_STACK) for stack in stacks],
        "stack_size": [len(stack) for stack in stacks],
    }


def cell_of(text: str) -> int:
    """The cell of a hex 'q,r'.

    Raises
    ------
    ValueError : if it is no hex of the table
    """
    place = read_hex(text)
    if place is None:
        raise ValueError(f"{text!r} is no hex")
    q, r = place
    return (q + MARGIN) * SIDE + r + MARGIN


def _pack_table(limit: int) -> dict[str, Any]:
    table = np.zeros((SIDE, SIDE), np.int8)
    table[MARGIN - limit : MARGIN + limit + 1, MARGIN - limit : MARGIN + limit + 1] = 1
    return {"inside": table.ravel(), "offset": OFFSETS}


assert WAVE_RIDER == 0  # the first three kinds of coral score the symbols with a power, in order
