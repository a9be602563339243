"""What a seat may know, and full positions that fit it (R14).

With perfect memory only the other seats' dealt tiles, their secret tile and the order of the bag
are unknown; everything gained later was seen (R14.2).
"""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import MASK, below, next_word
from reefsim.games.reef_encounter.constants import NONE, P_LARVAE, P_TURN
from reefsim.games.reef_encounter.scoring import total


@kernel
def blind(s: Record, r: Record, seat: int) -> None:
    """Turn a state into what `seat` may know (R14.1).

    Of the others' stocks only what was seen to arrive stays; their unknown tiles lie in `bag`,
    together with the bag, so that `bag` is the pool of all unseen tiles. Larvae of seats that chose
    before this one go back to the supply (A2). Chance keys are erased.
    """
    for i in range(4):
        s.chance[i] = 0
    for c in range(5):
        # Whether `to_polyp` is legal shows whether the bag still has the color (R8.2).
        can_tell = s.phase == P_TURN and s.larvae[seat][c] > 0 and s.bonus[c] == 0
        s.in_bag[c] = 1 if can_tell and s.bag[c] > 0 else 0
    for other in range(s.seats):
        if other == seat:
            continue
        for c in range(5):
            s.bag[c] += s.behind[other][c] - s.known[other][c]
            s.behind[other][c] = s.known[other][c]
        if s.stash[other] >= 0:
            s.bag[s.stash[other]] += 1
            s.fish[other][s.stash[other]] -= 1
            s.stash[other] = NONE
        if s.phase == P_LARVAE and s.pair[other] >= 0:
            for i in range(2):
                c = r.pairs[s.pair[other]][i]
                s.larvae[other][c] -= 1
                s.supply[c] += 1
            s.pair[other] = NONE


@kernel
def determinize(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Draw a full state that fits what `seat` may know, with the agent's random numbers (R14.2)."""
    for i in range(4):
        s.chance[i] = next_word(agent) & MASK
    for c in range(5):
        s.bag[c] -= s.in_bag[c]
    for other in range(s.seats):
        if other == seat:
            continue
        for _ in range(s.unknown[other]):
            s.behind[other][draw_unseen(s, agent)] += 1
        if s.turn > 0 or s.phase == P_LARVAE or other < s.seat:
            c = draw_unseen(s, agent)
            s.fish[other][c] += 1
            s.stash[other] = c
    for c in range(5):
        s.bag[c] += s.in_bag[c]
        s.in_bag[c] = 0


@kernel
def draw_unseen(s: Record, agent: Record) -> int:
    """Take a tile from the pool of unseen tiles."""
    x = below(agent, total(s.bag))
    c = 0
    while x >= s.bag[c]:
        x -= s.bag[c]
        c += 1
    s.bag[c] -= 1
    return c
