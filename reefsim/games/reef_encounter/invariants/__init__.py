"""The invariants of Reef Encounter: what no action under any ruleset may break.

An invariant speaks of single positions, of steps from one position to the next, or of the record
of a whole game. `check_state` is what the toolkit calls; tests of changed rules call all three.
"""

from __future__ import annotations

from reefsim.core.invariants import Invariant, Invariants
from reefsim.games.reef_encounter.invariants import endings, positions, records, steps
from reefsim.games.reef_encounter.invariants.from_scratch import Position
from reefsim.games.reef_encounter.invariants.steps import Step
from reefsim.games.reef_encounter.state import RULES, STATE

# The numbered statements follow from the rules; the named ones are what the engine keeps besides.
INVARIANTS: dict[int | str, Invariant[Position, Step]] = {
    1: Invariant(
        "tiles conserved",
        "no polyp tile is ever lost or made, color by color",
        ("R1.3",),
        of_position=positions.tiles_conserved,
    ),
    2: Invariant(
        "larvae conserved",
        "no larva cube is ever lost or made, color by color",
        ("R1.5",),
        of_position=positions.larvae_conserved,
    ),
    3: Invariant(
        "cylinders conserved",
        "cylinders lie in the supply, one at most on the space, one at most on a coral tile",
        ("R9.3", "R9.5"),
        of_position=positions.cylinders_conserved,
    ),
    4: Invariant(
        "shrimps conserved",
        "a player's shrimps are behind, on the boards or eaten",
        ("R3.3", "R7.1"),
        of_position=positions.shrimps_conserved,
    ),
    5: Invariant(
        "cells hold one",
        "tiles and shrimps are on rock, at most one of each on a cell",
        ("R0.1",),
        of_position=positions.cells_hold_one,
    ),
    6: Invariant(
        "one shrimp per coral",
        "no coral carries two shrimps, in the middle of a turn either",
        ("R7.4", "R4.5"),
        of_position=positions.one_shrimp_per_coral,
    ),
    7: Invariant(
        "shrimps per board",
        "no player has more shrimps on a board than allowed",
        ("R7.5",),
        of_position=positions.shrimps_per_board,
    ),
    8: Invariant(
        "shrimps on tiles",
        "between turns shrimps stand on tiles, unless the end cut a turn off",
        ("R2.6", "A25"),
        of_position=positions.shrimps_on_tiles,
    ),
    9: Invariant(
        "values",
        "the values of the colors add up to ten and five times the base",
        ("R12.1",),
        of_position=positions.values_sum,
    ),
    10: Invariant(
        "locks stay",
        "a locked coral tile keeps its side, and one at most is locked in a turn",
        ("R9.5", "R9.6"),
        of_step=steps.locks_stay,
        of_record=records.one_lock_per_turn,
    ),
    11: Invariant(
        "flips",
        "an alga flips just the free coral tiles that show it, so none shows it afterwards",
        ("R9.3", "R9.5", "R9.10", "A6"),
        of_step=steps.flips,
    ),
    12: Invariant(
        "refill",
        "a refill gives one tile to each space below three and a larva to the one emptied",
        ("R10.3", "R10.4", "R10.5", "R11.4", "A9"),
        of_step=steps.refill,
    ),
    13: Invariant(
        "fish",
        "a fish holds the stash and what its feeds left over; the last shrimp ends the game",
        ("R1.9", "R3.2", "R3.5", "R11.6"),
        of_position=positions.fish_and_feeds,
        of_record=records.fish_from_feeds,
    ),
    14: Invariant(
        "captures",
        "a tile is laid on free rock or captures a beaten, unprotected tile from a large coral",
        ("R4.4", "R4.5", "R5.1"),
        of_step=steps.captures,
    ),
    15: Invariant(
        "growth",
        "a tile beside the growth cell fills it unless a clause refuses",
        ("R6.1", "R6.3", "R6.4", "R6.5"),
        of_step=steps.growth,
    ),
    16: Invariant(
        "one tile each",
        "a placement takes exactly one tile from the player, growth takes none",
        ("R5.4", "R6.6"),
        of_step=steps.costs,
    ),
    17: Invariant(
        "turns go around",
        "players take turns in order, so that nobody is more than one ahead",
        ("R2.1",),
        of_position=positions.turns_go_around,
        of_record=records.turns_in_order,
    ),
    18: Invariant(
        "boards",
        "each board is its drawing: 33 rock cells in one piece, five start tiles",
        ("R1.1", "R1.2"),
        of_position=positions.boards_in_play,
    ),
    19: Invariant(
        "feeding",
        "what is eaten goes to the bag and the fish, to the last tile",
        ("R3.1", "R3.2"),
        of_step=steps.feeding,
    ),
    20: Invariant(
        "two flips",
        "turning a coral tile over twice changes nothing",
        ("R9.9",),
        of_step=steps.involution,
    ),
    "masks": Invariant(
        "masks",
        "the masks kept for speed are what tiles, shrimps and coral tiles say",
        ("R0.4", "R0.5", "R0.6"),
        of_position=positions.masks,
    ),
    "stocks": Invariant(
        "nothing negative",
        "no stock holds less than nothing",
        ("R0.7",),
        of_position=positions.nothing_negative,
    ),
    "larvae": Invariant(
        "chosen larvae",
        "each seat has its two larvae once it has chosen",
        ("R1.10",),
        of_position=positions.chosen_larvae,
    ),
    "limits": Invariant(
        "limits",
        "the counters of the turn stay within its limits",
        ("R2.2", "R4.2"),
        of_position=positions.limits_of_turn,
    ),
    "knowledge": Invariant(
        "knowledge",
        "what others saw arrive is part of what is behind",
        ("R14.2",),
        of_position=positions.knowledge,
    ),
    "frame": Invariant(
        "nothing else changes",
        "an action changes only what its clause speaks of",
        ("R2.4",),
        of_step=steps.nothing_else_changes,
    ),
    "shrimps": Invariant(
        "shrimp moves",
        "shrimps go where R7 lets them, one at a time",
        ("R7.1", "R7.2", "R7.3"),
        of_step=steps.shrimp_moves,
    ),
    "set-up": Invariant(
        "set-up order",
        "seats stash in turn, then choose larvae in turn",
        ("R1.9", "R1.10"),
        of_step=endings.set_up_order,
    ),
    "ends": Invariant(
        "next to act",
        "the game ends at the first cause, and the right seat acts next",
        ("R2.8", "R11.1", "R11.6", "A8", "A12", "A22"),
        of_step=endings.next_to_act,
    ),
}

CHECKS = Invariants(INVARIANTS, STATE, RULES, Position, Step)
check_state, check_step, check_record = CHECKS.check_state, CHECKS.check_step, CHECKS.check_record
