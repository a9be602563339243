"""Alga cylinders: turning coral tiles over and locking them (R9)."""

from __future__ import annotations

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.reef_encounter.constants import ALGA, ALL_LOCKED, ALL_TILES, FIRST_LOCK
from reefsim.games.reef_encounter.log import NO_GROWTH, NO_SIZE, log_action
from reefsim.games.reef_encounter.scoring import set_dominance, total


@kernel
def showing(s: Record, r: Record, alga: int) -> int:
    """Coral tiles without a cylinder that show the alga now (R9.3)."""
    return ((r.shows[0][alga] & ~s.reversed) | (r.shows[1][alga] & s.reversed)) & ~s.locked


@kernel
def can_lock(s: Record) -> bool:
    """Whether the seat may lock some coral tile (R9.5-R9.7)."""
    if s.eaten[s.seat] == 0 or s.lock_made:
        return False
    return popcount(s.locked) < 9 or total(s.fish[s.seat]) >= 2


@inlined
def alga_plays(s: Record, r: Record, null_flip: bool) -> int:
    """What a cylinder may do: space plays (with `null_flip` also where none turns), and locks."""
    plays = 0
    lock = can_lock(s)
    for alga in range(4):
        if s.cylinders[alga] > 0:
            shown = showing(s, r, alga)
            if null_flip or shown != 0:
                plays |= 1 << alga
            if lock:
                plays |= shown << FIRST_LOCK
    return plays


@inlined
def alga_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`alga`: for each color in front, every space play and every lock (R9.1-R9.7, A14)."""
    seat = s.seat
    if total(s.front[seat]) == 0:
        return k
    plays = alga_plays(s, r, r.allow_null_flip)
    for c in range(5):
        if s.front[seat][c] > 0:
            k = add(w, k, ALGA << 16 | c << 8, plays)
    return k


@kernel
def shown_alga(s: Record, r: Record, tile: int) -> int:
    """The alga a coral tile shows."""
    side = (s.reversed >> tile) & 1
    alga = 0
    while (r.shows[side][alga] >> tile) & 1 == 0:
        alga += 1
    return alga


@kernel
def do_alga(s: Record, r: Record, w: Record, log: list[int], action: int) -> bool:
    """A consumed tile pays for a cylinder, played at once (R9.1, R9.3, R9.5).

    Returns whether the game ends now (R9.8, R11.1).
    """
    seat = s.seat
    pay = (action >> 8) & 255
    on = action & 255
    alga = on if on < FIRST_LOCK else shown_alga(s, r, on - FIRST_LOCK)
    log_action(s, w, log, action, alga, NO_GROWTH, NO_SIZE)  # the field `captured` is free here
    s.front[seat][pay] -= 1
    s.bag[pay] += 1
    turned = showing(s, r, alga)
    s.cylinders[alga] -= 1
    if on < FIRST_LOCK:
        if s.space >= 0:
            s.cylinders[s.space] += 1
        s.space = alga
    else:
        tile = 1 << (on - FIRST_LOCK)
        s.locked |= tile
        s.lock_made = 1
        turned = turned & ~tile if r.lock_flips_others else 0
        if w.logging:
            w.locks[seat] += 1
            w.turn_locks += 1
    if turned != 0:
        s.reversed ^= turned
        set_dominance(s, r)
        if w.logging:
            w.flips[seat] += popcount(turned)
            w.turn_flips += popcount(turned)
    ends = s.locked == ALL_TILES and on >= FIRST_LOCK and s.cause == 0 and s.last_turns == 0
    if ends:
        s.cause = ALL_LOCKED
        s.ender = seat
    return ends and not r.end_of_turn
