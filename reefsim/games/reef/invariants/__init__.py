"""What holds in every position, from one position to the next, and over a whole game (§I).

Each invariant has a number (RULES.md, invariants) or a name, the clauses it follows from, and
checks that work everything out afresh: from the stacks, never from the masks the rules use.

>>> from reefsim.core.match import Match
>>> from reefsim.games import registry
>>> game = registry.get("reef")
>>> match = Match(game, game.ruleset(), seats=3, seed=1)
>>> check_state(match.state, match.rules)
[]
"""

from __future__ import annotations

from reefsim.core.invariants import Invariant, Invariants
from reefsim.games.reef.invariants import positions, records, steps
from reefsim.games.reef.invariants.from_scratch import Position
from reefsim.games.reef.invariants.steps import Step
from reefsim.games.reef.state import RULES, STATE

INVARIANTS: dict[str, Invariant[Position, Step]] = {
    "I-01": Invariant(
        "pieces conserved",
        "of each color supply and boards hold as many pieces as there are",
        ("R1.1", "R1.2", "R4.2"),
        of_position=positions.pieces_conserved,
    ),
    "I-02": Invariant(
        "cards conserved",
        "every card is in one place: deck, display, a hand, a discard pile",
        ("R1.4", "R1.8", "R4.1"),
        of_position=positions.cards_conserved,
    ),
    "I-03": Invariant(
        "stacks",
        "no stack is above the limit, and pieces stay where they are",
        ("R4.5", "R4.6"),
        of_position=positions.stacks_within_limit,
        of_step=steps.stacks_grow,
    ),
    "I-04": Invariant(
        "hands and display",
        "no hand is above the limit; the display is full while the deck lasts",
        ("R3.1", "R3.7"),
        of_position=positions.hands_and_display,
    ),
    "I-05": Invariant(
        "hands add up",
        "a hand holds what was dealt and taken less what was played; a turn is a take or a play",
        ("R2.2", "R2.3a"),
        of_step=steps.one_card,
        of_record=records.hands_add_up,
    ),
    "I-06": Invariant(
        "deck adds up",
        "each take shortens the deck by one card, as long as it has any",
        ("R3.7", "R7.3"),
        of_step=steps.deck_shrinks,
    ),
    "I-07": Invariant(
        "points add up",
        "stocks and points on the display change by what cards score, and are never negative",
        ("R3.2", "R3.3", "R4.7", "R5.7", "R6.1", "R7.4", "R8.1"),
        of_position=positions.nothing_negative,
        of_step=steps.points_add_up,
        of_record=records.scores_add_up,
    ),
    "I-08": Invariant(
        "turns go around",
        "seats take turns in order; a round that coral ends is played to its end",
        ("R2.1", "R7.1"),
        of_position=positions.turns_go_around,
        of_step=steps.next_to_act,
        of_record=records.equal_turns,
    ),
    "I-12": Invariant(
        "pieces on boards",
        "a board holds the starting pieces and two for each play, less those not placed",
        ("R4.2", "R4.9", "R4.10"),
        of_record=records.pieces_add_up,
    ),
    "I-13": Invariant(
        "bounds",
        "under the published rules plays, pieces and rounds stay within what supplies allow",
        ("R1.1", "R7.1"),
        of_record=records.within_bounds,
    ),
    "I-14": Invariant(
        "hand cards",
        "a hand card scores nothing or its points once, unless the rules say otherwise",
        ("R7.4",),
        of_record=records.hand_cards_once,
    ),
    "knowledge": Invariant(
        "knowledge",
        "the cards of a hand that others have not seen are some of the cards of the hand",
        ("R8.3",),
        of_position=positions.knowledge,
    ),
    "masks": Invariant(
        "masks",
        "the masks kept for speed are what the stacks say",
        ("R5.1",),
        of_position=positions.masks,
    ),
}

CHECKS = Invariants(INVARIANTS, STATE, RULES, Position, Step)
check_state, check_step, check_record = CHECKS.check_state, CHECKS.check_step, CHECKS.check_record
