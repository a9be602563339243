"""What a seat may know, and full positions that fit it (R14).

With perfect memory only the other seats' dealt tiles, their secret tile and the order of the bag
are unknown; everything gained later was seen (R14.2).
"""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import MASK, below, next_word
from reefsim.games.reef_encounter.constants import NONE, P_LARVAE, P_TURN


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
        s.in_bag[c] = 0
        if seat == s.seat and s.phase == P_TURN and s.larvae[seat][c] > 0 and s.bonus[c] == 0:
            s.in_bag[c] = 1 if s.bag[c] > 0 else -1
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
def has_secret(s: Record, seat: int) -> bool:
    """Whether a seat has put its secret tile into its fish (R1.9)."""
    return s.turn > 0 or s.phase == P_LARVAE or seat < s.seat


@kernel
def determinize(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Draw a full state that fits what `seat` may know, with the agent's random numbers (R14.2).

    The unseen tiles fall on the unknown places behind the screens, the secret tiles and the bag
    with equal chances, given what the seat can tell about the bag.
    """
    for i in range(4):
        s.chance[i] = next_word(agent) & MASK
    places = 0
    for other in range(s.seats):
        if other != seat:
            places += s.unknown[other] + (1 if has_secret(s, other) else 0)
    outside = 0  # tiles of colors that are not in the bag: all of them lie on those places
    for c in range(5):
        if s.in_bag[c] < 0:
            outside += s.bag[c]
        elif s.in_bag[c] > 0:
            s.bag[c] -= 1
    for other in range(s.seats):
        if other == seat:
            continue
        for i in range(s.unknown[other] + (1 if has_secret(s, other) else 0)):
            from_outside = below(agent, places) < outside
            c = draw_unseen(s, agent, from_outside)
            places -= 1
            outside -= 1 if from_outside else 0
            if i < s.unknown[other]:
                s.behind[other][c] += 1
            else:
                s.fish[other][c] += 1
                s.stash[other] = c
        if s.phase == P_LARVAE and other < s.seat:
            draw_pair(s, r, other, agent)
    for c in range(5):
        s.bag[c] += max(0, s.in_bag[c])
        s.in_bag[c] = 0


@kernel
def draw_unseen(s: Record, agent: Record, from_outside: bool) -> int:
    """Take a tile of the unseen ones: of the colors that are not in the bag, or of the others."""
    tiles = 0
    for c in range(5):
        if (s.in_bag[c] < 0) == from_outside:
            tiles += s.bag[c]
    x = below(agent, tiles)
    for c in range(5):
        if (s.in_bag[c] < 0) == from_outside:
            if x < s.bag[c]:
                s.bag[c] -= 1
                return c
            x -= s.bag[c]
    return NONE  # not reached


@kernel
def draw_pair(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Two larvae for a seat that chose unseen, out of what the supply can give (R1.10, A2)."""
    while True:
        pair = below(agent, 15)
        c = r.pairs[pair][0]
        d = r.pairs[pair][1]
        if s.supply[c] >= (2 if c == d else 1) and s.supply[d] >= 1:
            s.pair[seat] = pair
            s.supply[c] -= 1
            s.supply[d] -= 1
            s.larvae[seat][c] += 1
            s.larvae[seat][d] += 1
            return
