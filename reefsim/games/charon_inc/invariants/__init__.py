"""What holds in every position, from one position to the next, and over a whole game (§I).

Each invariant has a number (RULES.md, invariants) or a name, the clauses it follows from, and
checks that work everything out afresh.

>>> from reefsim.core.match import Match
>>> from reefsim.games import registry
>>> game = registry.get("charon_inc")
>>> match = Match(game, game.ruleset(), seats=3, seed=1)
>>> check_state(match.state, match.rules)
[]
"""

from __future__ import annotations

from reefsim.core.invariants import Invariant, Invariants
from reefsim.games.charon_inc.invariants import positions, records, steps
from reefsim.games.charon_inc.invariants.positions import Position
from reefsim.games.charon_inc.invariants.steps import Step
from reefsim.games.charon_inc.state import RULES, STATE

INVARIANTS: dict[str, Invariant[Position, Step]] = {
    "I-01": Invariant(
        "gems conserved",
        "of each color moon, hands, supply and bag hold as many gems as there are",
        ("CH-1.4", "CH-1.5"),
        of_position=positions.gems_conserved,
    ),
    "I-02": Invariant(
        "cards conserved",
        "every card is in one place: pile, discard pile, row, a hand, built",
        ("CH-1.7", "CH-4.7", "CH-6.4"),
        of_position=positions.cards_conserved,
    ),
    "I-03": Invariant(
        "flags",
        "a seat has five flags, on the moon or on areas; a spot holds one at most; A1 keeps counts",
        ("CH-3.1", "CH-3.2", "CH-3.5"),
        of_position=positions.flags,
    ),
    "I-04": Invariant(
        "regions",
        "the gems of a region go to one seat, which has the most flags there, or stay",
        ("CH-4.2", "CH-4.4", "CH-4.5"),
        of_step=steps.gems_move_whole,
        of_record=records.regions_won_once,
    ),
    "I-05": Invariant(
        "buildings",
        "buildings of a number are as few as allowed; the score is the sum of their numbers",
        ("CH-5.5", "CH-7.1"),
        of_position=positions.buildings,
        of_record=records.scores_add_up,
    ),
    "I-06": Invariant(
        "order",
        "the track holds every seat once; the new order goes by gems, equal ones as before",
        ("CH-4.8",),
        of_position=positions.order,
        of_step=steps.new_order,
        of_record=records.orders,
    ),
    "I-07": Invariant(
        "storage",
        "a round begins with no more gems in a hand than storage allows",
        ("CH-6.1", "CH-6.2"),
        of_position=positions.storage,
        of_record=records.kept,
    ),
    "I-08": Invariant(
        "row",
        "the row has a card of each seat that had one; nobody builds more of it than allowed",
        ("CH-5.6", "CH-6.5"),
        of_position=positions.row,
        of_record=records.row_builds,
    ),
    "actions": Invariant(
        "actions",
        "an area works for all who left a flag there or for nobody, by their number",
        ("CH-3.4",),
        of_position=positions.actions,
        of_record=records.actions,
    ),
    "counters": Invariant(
        "counters",
        "result columns are what the record tells",
        ("M4",),
        of_record=records.counters,
    ),
    "knowledge": Invariant(
        "knowledge",
        "a seat knows its hand, the row and all buildings, and no card of the pile",
        ("CH-8.1",),
        of_position=positions.knowledge,
    ),
    "force": Invariant(
        "force",
        "the sums kept for speed are what the flags say",
        ("CH-4.1", "CH-4.3"),
        of_position=positions.force,
    ),
}

CHECKS = Invariants(INVARIANTS, STATE, RULES, Position, Step)
check_state, check_step, check_record = CHECKS.check_state, CHECKS.check_step, CHECKS.check_record
