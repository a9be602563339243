"""Exchanges: consumed tile to larva cube, larva cube to polyp tile (R8)."""

from __future__ import annotations

from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.reef_encounter.constants import TO_LARVA, TO_POLYP


@inlined
def exchange_options(s: Record, w: Record, k: int) -> int:
    """`to_larva` (R8.1) and `to_polyp` (R8.2)."""
    seat = s.seat
    larvae = 0
    polyps = 0
    for c in range(5):
        if s.front[seat][c] > 0 and s.supply[c] > 0:
            larvae |= 1 << c
        if s.larvae[seat][c] > 0 and s.bag[c] + s.bonus[c] > 0:
            polyps |= 1 << c
    k = add(w, k, TO_LARVA << 16, larvae)
    return add(w, k, TO_POLYP << 16, polyps)


@kernel
def do_to_larva(s: Record, c: int) -> None:
    """A consumed tile goes to the bag, a cube of its color behind the screen (R8.1)."""
    s.front[s.seat][c] -= 1
    s.bag[c] += 1
    s.supply[c] -= 1
    s.larvae[s.seat][c] += 1


@kernel
def do_to_polyp(s: Record, c: int) -> None:
    """A cube goes to the supply, a tile of its color behind: from the bag, else the row (R8.2)."""
    s.larvae[s.seat][c] -= 1
    s.supply[c] += 1
    if s.bag[c] > 0:
        s.bag[c] -= 1
    elif s.bonus[c] > 0:  # may fail only where an agent looks ahead in a position it drew
        s.bonus[c] -= 1
    s.behind[s.seat][c] += 1
    s.known[s.seat][c] += 1
