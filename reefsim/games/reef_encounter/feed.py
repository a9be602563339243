"""Feeding a coral and its shrimp to the fish: action 1 (R3) and the final feed (R11.6)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.reef_encounter.constants import FEED, FOUR_EATEN, NO_FEED
from reefsim.games.reef_encounter.corals import color_at
from reefsim.games.reef_encounter.log import NO_COLOR, NO_GROWTH, log_action
from reefsim.games.reef_encounter.shrimps import lift


@inlined
def feed_options(s: Record, w: Record, k: int, smallest: int) -> int:
    """`feed`: each own shrimp whose coral has at least `smallest` tiles (R3.1)."""
    seat = s.seat
    for i in range(s.num_shrimps[seat]):
        if popcount(s.coral[seat][i]) >= smallest:
            k = add(w, k, FEED << 16 | s.shrimp_cell[seat][i], 1)
    return k


@kernel
def has_feed(s: Record, seat: int, smallest: int) -> bool:
    """Whether the seat guards a coral of at least `smallest` tiles."""
    for i in range(s.num_shrimps[seat]):
        if popcount(s.coral[seat][i]) >= smallest:
            return True
    return False


@kernel
def final_feed_options(s: Record, r: Record, w: Record, k: int) -> int:
    """The final feed: each eligible coral, or none (R11.6, A26)."""
    k = feed_options(s, w, k, r.min_final_feed_size)
    return add(w, k, NO_FEED << 16, 1)


@kernel
def do_feed(s: Record, w: Record, log: list[int], action: int, to_bag: int) -> None:
    """The coral goes to bag and fish, its shrimp is eaten (R3.2, R3.3, R3.6)."""
    seat = s.seat
    cell = action & 255
    board = cell >> 6
    c = color_at(s, board, 1 << (cell & 63))
    coral = lift(s, seat, cell)
    size = popcount(coral)
    back = min(size, to_bag)
    s.tiles[board][c] &= ~coral
    s.occupied[board] &= ~coral
    s.bag[c] += back
    s.fish[seat][c] += size - back
    s.eaten[seat] += 1
    if w.logging:
        w.returned[seat] += back
    log_action(s, w, log, action, NO_COLOR, NO_GROWTH, size)


@kernel
def feed_turn(s: Record, r: Record, w: Record, log: list[int], action: int) -> bool:
    """Action 1; returns whether it ends the game now (R3.5, R11.2)."""
    do_feed(s, w, log, action, r.feed_return)
    ends = s.eaten[s.seat] == r.shrimps_per_player and s.cause == 0 and s.last_turns == 0
    if ends:
        s.cause = FOUR_EATEN
        s.ender = s.seat
    return ends and not r.end_of_turn
