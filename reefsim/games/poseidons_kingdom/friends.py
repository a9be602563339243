"""Friends, the ring, and peeks at coral tiles (PK-4.5, PK-4.8-PK-4.11, PK-7.1)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.poseidons_kingdom.constants import (
    BY_EATING,
    BY_RING,
    NO_PEEK,
    NONE,
    NUM_CORALS,
    NUM_TENTACLES,
    P_PEEK,
    PEEK,
)
from reefsim.games.poseidons_kingdom.log import freed_code, log_action


@inlined
def rescued(s: Record, seat: int) -> int:
    """Friends a seat has rescued."""
    return NUM_TENTACLES - popcount(s.friends[seat])


@kernel
def rescue(s: Record, r: Record, w: Record, seat: int, tentacle: int, how: int) -> int:
    """Free a friend and take the top safe place (PK-4.5, PK-7.1); returns it for the log."""
    points = 0
    s.friends[seat] &= ~(1 << tentacle)
    if s.safe_taken[tentacle] < r.stack_size[tentacle]:
        points = r.stack[tentacle][s.safe_taken[tentacle]]
        s.safe_taken[tentacle] += 1
        s.safe_tiles[seat] += 1
        s.safe_points[seat] += points
    if how == BY_EATING:
        w.by_eating[seat] += 1
    elif how == BY_RING:
        w.by_ring[seat] += 1
    else:
        w.by_reward[seat] += 1
    w.turn_freed += 1
    if s.cause == 0 and rescued(s, seat) >= r.end_friends:
        s.cause = how
        s.ender = seat
        w.end_turn = s.turn
    return freed_code(tentacle, points)


@kernel
def nearest_friend(s: Record, r: Record, seat: int) -> int:
    """Tentacle, from 0 on, of the friend nearest to the head, NONE without any (PK-4.10)."""
    for i in range(NUM_TENTACLES):
        if (s.friends[seat] >> r.nearest[i]) & 1:
            return r.nearest[i]
    return NONE


@kernel
def free_nearest(s: Record, r: Record, w: Record, seat: int, how: int) -> int:
    """Rescue the nearest friend, if there is one; returns it for the log, 0 for nobody."""
    tentacle = nearest_friend(s, r, seat)
    return 0 if tentacle < 0 else rescue(s, r, w, seat, tentacle, how)


@kernel
def ring_step(s: Record, r: Record, place: int) -> int:
    """The next space that is not occupied; the shallows always are free (PK-4.8)."""
    while True:
        place = (place + 1) % r.ring_length
        taken = place > 0 and (r.ring_neutral >> place) & 1 == 1
        for other in range(s.seats):
            if place > 0 and s.ring[other] == place:
                taken = True
        if not taken:
            return place


@kernel
def ring_place(s: Record, r: Record, seat: int, steps: int) -> int:
    """Where a seat's ring creature comes to in so many steps: at most to the shallows (PK-4.9)."""
    place = s.ring[seat]
    for _ in range(steps):
        place = ring_step(s, r, place)
        if place == 0:
            break
    return place


@kernel
def move_ring(s: Record, r: Record, w: Record, seat: int, steps: int) -> int:
    """Move a ring creature; returns the friend freed in the shallows for the log, 0 for nobody."""
    place = ring_place(s, r, seat, steps)
    s.ring[seat] = place
    w.ring_steps[seat] += steps
    return free_nearest(s, r, w, seat, BY_RING) if place == 0 else 0


@kernel
def hidden_tiles(s: Record, seat: int) -> int:
    """Tiles on the Kraken whose kind a seat does not know (PK-4.11a), as bits."""
    found = 0
    for i in range(NUM_CORALS):
        if s.coral_owner[i] == NONE and (s.seen[seat] >> i) & 1 == 0:
            found |= 1 << i
    return found


@kernel
def ask_peek(s: Record, seat: int, must: bool, after: int) -> None:
    """Ask a seat to peek, if there is a tile to look at; the game goes on at a stage after it."""
    s.phase = after
    if hidden_tiles(s, seat) != 0:
        s.phase = P_PEEK
        s.seat = seat
        s.must_peek = 1 if must else 0
        s.after_peek = after


@kernel
def peek_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`peek` and `no_peek`."""
    k = add(w, k, PEEK << 16 | r.first_number, hidden_tiles(s, s.seat))
    return k if s.must_peek else add(w, k, NO_PEEK << 16, 1)


@kernel
def do_peek(s: Record, r: Record, w: Record, log: list[int], number: int) -> None:
    """Look at a tile; 0 is none."""
    if number > 0:
        log_action(s, w, log, PEEK, number, 0)
        s.seen[s.seat] |= 1 << number - r.first_number
        w.peeks[s.seat] += 1
    else:
        log_action(s, w, log, NO_PEEK, 0, 0)
    s.phase = s.after_peek
