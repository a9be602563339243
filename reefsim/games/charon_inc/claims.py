"""Phase 1: flags on the moon, which actions work, and A1 (CH-3)."""

from __future__ import annotations

from reefsim.core.bits import lowest
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add
from reefsim.games.charon_inc.constants import (
    A1,
    A1_MOVE,
    A1_PASS,
    ACTION,
    ALL_AREAS,
    MAX_SEATS,
    NUM_AREAS,
    NUM_REGIONS,
    NUM_SPOT_WORDS,
    P_A1,
    P_PLACE,
    PLACE,
    SPOT_WORD,
)
from reefsim.games.charon_inc.log import close_turn, log_action, log_fact, open_turn


@kernel
def start_round(s: Record, w: Record) -> None:
    """Flags go back to the areas, and the first seat is asked (CH-3.1, CH-6.6)."""
    s.round_number += 1
    for seat in range(MAX_SEATS):
        s.left[seat] = ALL_AREAS if seat < s.seats else 0
        s.valid[seat] = 0
        for word in range(NUM_SPOT_WORDS):
            s.own_spots[seat][word] = 0
            s.taken[word] = 0
        for region in range(NUM_REGIONS):
            s.force[region][seat] = 0
    s.step = 0
    s.at = 0
    open_turn(s, w, s.order[0], P_PLACE)


@kernel
def put_flag(s: Record, r: Record, seat: int, spot: int) -> None:
    """Put a flag on a spot."""
    bit = 1 << spot % SPOT_WORD
    s.own_spots[seat][spot // SPOT_WORD] |= bit
    s.taken[spot // SPOT_WORD] |= bit
    for i in range(r.num_touched[spot]):
        s.force[r.touched[spot][i]][seat] += r.force[spot]


@kernel
def lift_flag(s: Record, r: Record, seat: int, spot: int) -> None:
    """Take a flag off a spot."""
    bit = 1 << spot % SPOT_WORD
    s.own_spots[seat][spot // SPOT_WORD] &= ~bit
    s.taken[spot // SPOT_WORD] &= ~bit
    for i in range(r.num_touched[spot]):
        s.force[r.touched[spot][i]][seat] -= r.force[spot]


@kernel
def place_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`place`: a flag from an area of one's own to an empty usable spot (CH-3.1, CH-3.2)."""
    for area in range(NUM_AREAS):
        if (s.left[s.seat] >> area) & 1:
            for word in range(NUM_SPOT_WORDS):
                base = PLACE << 16 | area << 7
                k = add(w, k, base + word * SPOT_WORD, r.usable[word] & ~s.taken[word])
    return k


@kernel
def do_place(s: Record, r: Record, w: Record, log: list[int], action: int) -> bool:
    """Place a flag; True after the last placement of the round (CH-3.1)."""
    log_action(s, w, log, PLACE, action & 1023, 0)
    s.left[s.seat] &= ~(1 << (action >> 7 & 7))
    put_flag(s, r, s.seat, action & 127)
    close_turn(s, r, w)
    s.at += 1
    if s.at == s.seats:
        s.at = 0
        s.step += 1
    if s.step == r.placements:
        return True
    open_turn(s, w, s.order[s.at], P_PLACE)
    return False


@kernel
def flags_on(s: Record, area: int) -> int:
    """Flags that are left on an area."""
    total = 0
    for seat in range(s.seats):
        total += s.left[seat] >> area & 1
    return total


@kernel
def judge_areas(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Which actions work, once for the round (CH-3.4)."""
    works = 0
    for area in range(NUM_AREAS):
        if flags_on(s, area) <= r.cap:
            works |= 1 << area
    for i in range(s.seats):
        seat = s.order[i]
        s.valid[seat] = s.left[seat] & works
        for area in range(NUM_AREAS):
            if (s.left[seat] >> area) & 1:
                valid = s.valid[seat] >> area & 1
                w.chose[seat][area] += 1
                w.worked[seat][area] += valid
                log_fact(s, w, log, ACTION, seat, area << 1 | valid, 0)


@kernel
def ask_a1(s: Record, w: Record, at: int) -> bool:
    """Ask the next seat with A1, from a place of the order to the first one (CH-3.6)."""
    while at >= 0:
        seat = s.order[at]
        if (s.valid[seat] >> A1) & 1:
            s.at = at
            open_turn(s, w, seat, P_A1)
            return True
        at -= 1
    return False


@kernel
def a1_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`a1_move` of an own flag, and `a1_pass` (CH-3.5, CH-3.5a)."""
    for own in range(NUM_SPOT_WORDS):
        spots = s.own_spots[s.seat][own]
        while spots != 0:
            base = A1_MOVE << 16 | (own * SPOT_WORD + lowest(spots)) << 7
            spots &= spots - 1
            for word in range(NUM_SPOT_WORDS):
                k = add(w, k, base + word * SPOT_WORD, r.a1_spots[word] & ~s.taken[word])
    return add(w, k, A1_PASS << 16, 1)


@kernel
def do_a1(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Move a flag, or pass."""
    if action >> 16 == A1_MOVE:
        log_action(s, w, log, A1_MOVE, action & 16383, 0)
        lift_flag(s, r, s.seat, action >> 7 & 127)
        put_flag(s, r, s.seat, action & 127)
    else:
        log_action(s, w, log, A1_PASS, 0, 0)
    close_turn(s, r, w)
