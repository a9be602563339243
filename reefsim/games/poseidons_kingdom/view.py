"""What a seat may know, and full positions that fit it (PK-8.1).

Hidden are the kinds of coral tiles a seat has neither looked at nor taken, and what dice will show.
"""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import MASK, below, next_word
from reefsim.games.poseidons_kingdom.constants import CORALS, NONE, NUM_CORALS, P_SETUP

NUM_CORAL_KINDS = len(CORALS)


@kernel
def blind(s: Record, r: Record, seat: int) -> None:
    """Turn a state into what `seat` may know (PK-8.1); chance keys are erased.

    Once the game is over nothing is hidden.
    """
    for i in range(4):
        s.chance[i] = 0
    if s.over:
        return
    for i in range(NUM_CORALS):
        if (s.seen[seat] >> i) & 1 == 0:
            s.coral[i] = NONE


@kernel
def determinize(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Draw a full state that fits what `seat` may know, with the agent's random numbers (PK-8.1).

    Every unknown coral tile is as likely on each number whose tile is not known.
    """
    for i in range(4):
        s.chance[i] = next_word(agent) & MASK
    if s.phase == P_SETUP:
        return
    for i in range(NUM_CORALS):
        if s.coral[i] == NONE:
            unknown = 0
            for j in range(NUM_CORALS):
                unknown += 1 if s.coral[j] == NONE else 0
            s.coral[i] = nth_unknown(s, r, below(agent, unknown))


@kernel
def nth_unknown(s: Record, r: Record, n: int) -> int:
    """Kind of the n-th of the coral tiles that are not known."""
    kind = -1
    left = 0
    while n >= left:
        n -= left
        kind += 1
        left = r.corals[kind]
        for i in range(NUM_CORALS):
            if s.coral[i] == kind:
                left -= 1
    return kind
