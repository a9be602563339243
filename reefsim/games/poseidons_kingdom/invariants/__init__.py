"""What holds in every position, from one position to the next, and over a whole game (§I).

Each invariant has a number (RULES.md, invariants) or a name, the clauses it follows from, and
checks that work everything out afresh: from the hexes of reefs, never from the powers kept.

>>> from reefsim.core.match import Match
>>> from reefsim.games import registry
>>> game = registry.get("poseidons_kingdom")
>>> match = Match(game, game.ruleset(), seats=3, seed=1)
>>> check_state(match.state, match.rules)
[]
"""

from __future__ import annotations

from reefsim.core.invariants import Invariant, Invariants
from reefsim.games.poseidons_kingdom.invariants import positions, records, steps
from reefsim.games.poseidons_kingdom.invariants.from_scratch import Position
from reefsim.games.poseidons_kingdom.invariants.steps import Step
from reefsim.games.poseidons_kingdom.state import RULES, STATE

INVARIANTS: dict[str, Invariant[Position, Step]] = {
    "I-01": Invariant(
        "dice conserved",
        "supply, tower, board and reefs hold as many dice of each owner as there are",
        ("PK-1.1", "PK-4.6"),
        of_position=positions.dice_conserved,
    ),
    "I-02": Invariant(
        "tower",
        "the tower never holds too many dice, and tips when it is full",
        ("PK-3.6", "PK-6.1", "PK-6.2"),
        of_position=positions.tower_holds,
        of_step=steps.crash_empties_tower,
    ),
    "I-03": Invariant(
        "friends",
        "a seat has a safe place for each friend rescued, unless a stack ran out",
        ("PK-4.5", "PK-4.5a"),
        of_position=positions.friends_add_up,
        of_record=records.friends_add_up,
    ),
    "I-04": Invariant(
        "safe places",
        "stacks lose tiles from the top only, one for each friend that leaves",
        ("PK-4.5", "PK-1.11"),
        of_position=positions.stacks_last,
        of_step=steps.stacks_shrink,
    ),
    "I-05": Invariant(
        "reef tiles",
        "tiles are conserved; each lies level, on two tiles of the level below or flat",
        ("PK-1.5", "PK-3.2", "PK-3.3", "PK-3.4"),
        of_position=positions.tiles_conserved,
        of_step=steps.reefs_grow,
        of_record=records.tiles_rest_on_two,
    ),
    "I-06": Invariant(
        "hexes",
        "a hex carries one die or skeleton at most, a die on a live box only",
        ("PK-4.3", "PK-5.4", "PK-5.5"),
        of_position=positions.one_thing_per_hex,
        of_step=steps.reactions,
    ),
    "I-07": Invariant(
        "powers",
        "a power is the highest level of a live symbol; flat tiles lower none",
        ("PK-3.4", "PK-5.5"),
        of_position=positions.powers,
        of_step=steps.power_never_falls_by_building,
    ),
    "I-08": Invariant(
        "shark",
        "the shark keeps to its loop and turns once per crash; each seat has two creatures",
        ("PK-5.1", "PK-6.4", "PK-5.3"),
        of_position=positions.shark_on_loop,
        of_step=steps.shark_turns,
    ),
    "I-09": Invariant(
        "ring",
        "ring creatures share the shallows only, and move when they are told to",
        ("PK-4.7", "PK-4.8", "PK-1.12"),
        of_position=positions.ring_apart,
        of_step=steps.ring_moves,
    ),
    "I-10": Invariant(
        "food",
        "a turn picks up dice from one zone, within eat power, and eats for one friend",
        ("PK-4.1", "PK-4.2", "PK-4.5"),
        of_step=steps.feeds_in_one_zone,
        of_record=records.one_rescue_by_eating,
    ),
    "I-11": Invariant(
        "coral",
        "coral is taken in the last turns, a white and a black one per seat at most",
        ("PK-7.3", "PK-7.4"),
        of_position=positions.coral_adds_up,
        of_record=records.coral_adds_up,
    ),
    "I-12": Invariant(
        "last turns",
        "turns go around; after the end is triggered each seat has one more",
        ("PK-2.1", "PK-7.1", "PK-7.2"),
        of_position=positions.turns_go_around,
        of_step=steps.end_is_triggered_once,
        of_record=records.last_turns,
    ),
}

CHECKS = Invariants(INVARIANTS, STATE, RULES, Position, Step)
check_state, check_step, check_record = CHECKS.check_state, CHECKS.check_step, CHECKS.check_record
