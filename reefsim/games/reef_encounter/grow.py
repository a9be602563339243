"""Growing: playing a larva cube, laying tiles, attacking, extra growth (R4, R5, R6)."""

from __future__ import annotations

from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.reef_encounter.constants import (
    BEHIND,
    END_GROW,
    FRONT,
    GROW,
    GROW_BONUS,
    GROWTH,
    GROWTH_NEIGHBORS,
    P_BONUS,
    P_GROW,
    P_TURN,
    PLACE,
)
from reefsim.games.reef_encounter.corals import (
    has_open_cell,
    has_target,
    lay,
    refused,
    take,
    targets,
)
from reefsim.games.reef_encounter.log import NO_COLOR, NO_GROWTH, NO_SIZE, log_action


@inlined
def grow_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`grow`: a cube, and a tile of its color that can be laid now (R2.2, R4.1, R4.2, A15)."""
    if s.grows >= r.grow_actions_per_turn:
        return k
    seat = s.seat
    colors = 0
    for c in range(5):
        if s.larvae[seat][c] > 0 and (
            r.allow_empty_grow or s.behind[seat][c] > 0 or s.front[seat][c] > 0
        ):
            colors |= 1 << c
    if colors != 0 and not r.allow_empty_grow and not has_open_cell(s, r):
        for c in range(5):
            if (colors >> c) & 1 and not has_target(s, r, c, seat):
                colors &= ~(1 << c)
    return add(w, k, GROW << 16, colors)


@kernel
def place_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`place`: every legal cell, from behind and from the front (R4.2, R4.4, R5.1)."""
    seat = s.seat
    c = s.growing
    behind = s.from_behind < r.max_tiles_from_behind and s.behind[seat][c] > 0
    front = s.front[seat][c] > 0
    if behind or front:
        first = k
        for board in range(s.seats):
            base = PLACE << 16 | (BEHIND if behind else FRONT) << 8 | board << 6
            k = add(w, k, base, targets(s, r, board, c, seat))
        if behind and front:
            for i in range(first, k):
                w.first[k + i - first] = w.first[i] + (1 << 8)
                w.members[k + i - first] = w.members[i]
            k += k - first
    return k


@kernel
def end_grow_options(w: Record, k: int) -> int:
    """`end_grow`."""
    return add(w, k, END_GROW << 16, 1)


@kernel
def grow_bonus_options(w: Record, k: int) -> int:
    """`grow_bonus`: no (0) or yes (1) (A20)."""
    return add(w, k, GROW_BONUS << 16, 3)


@kernel
def do_grow(s: Record, w: Record, log: list[int], action: int) -> None:
    """A larva cube is played and the grow action opens (R4.1)."""
    log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
    c = action & 255
    s.larvae[s.seat][c] -= 1
    s.supply[c] += 1
    s.grows += 1
    s.growing = c
    s.from_behind = 0
    s.placed = 0
    s.phase = P_GROW


@kernel
def spend_behind(s: Record, seat: int, c: int) -> None:
    """A tile leaves a screen: one seen to arrive, or one more of the deal shows (R14.2)."""
    s.behind[seat][c] -= 1
    if s.known[seat][c] > 0:
        s.known[seat][c] -= 1
    else:
        s.unknown[seat] -= 1


@kernel
def can_grow(s: Record, r: Record, board: int, bit: int, c: int) -> bool:
    """Whether a tile of color c just laid on `bit` brings a growth tile (R6.1, R6.3-R6.5)."""
    if not r.extra_growth or bit & GROWTH_NEIGHBORS == 0:
        return False
    if s.occupied[board] & GROWTH or s.bonus[c] + s.bag[c] == 0:
        return False
    if s.shrimps[board] & GROWTH:
        # A16: under a shrimp the new tile must not join a second one.
        if r.shrimp_blocks_growth or joined_shrimp(s, board, c):
            return False
    return refused(s, r, board, c) & GROWTH == 0


@kernel
def joined_shrimp(s: Record, board: int, c: int) -> bool:
    """Whether a guarded coral of color c lies next to the growth cell."""
    return s.tiles[board][c] & s.guarded[board] & GROWTH_NEIGHBORS != 0


@kernel
def do_growth(s: Record, w: Record, board: int, c: int) -> None:
    """A free tile of the bonus row lands on the growth cell; the row is refilled (R6.2, R6.6)."""
    if s.bonus[c] > 0:
        s.bonus[c] -= 1
    else:
        s.bag[c] -= 1
    if s.bonus[c] == 0 and s.bag[c] > 0:
        s.bonus[c] += 1
        s.bag[c] -= 1
    lay(s, board, GROWTH, c)
    if w.logging:
        w.growths[s.seat] += 1
        w.turn_growths += 1


@kernel
def do_place(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """One tile is laid, with capture and extra growth (R4.3, R5.4, R6.2)."""
    seat = s.seat
    board = (action >> 6) & 3
    bit = 1 << (action & 63)
    c = s.growing
    if (action >> 8) & 255 == BEHIND:
        spend_behind(s, seat, c)
        s.from_behind += 1
    else:
        s.front[seat][c] -= 1
    captured = NO_COLOR
    if s.occupied[board] & bit:
        captured = take(s, board, bit)
        s.front[seat][captured] += 1
        if w.logging:
            w.captured[seat] += 1
            w.turn_captured += 1
    lay(s, board, bit, c)
    s.placed += 1
    growth = 0
    if can_grow(s, r, board, bit, c):
        if r.growth_optional:
            s.phase = P_BONUS
            s.bonus_board = board
        else:
            do_growth(s, w, board, c)
            growth = 1
    log_action(s, w, log, action, captured, growth, NO_SIZE)


@kernel
def do_grow_bonus(s: Record, w: Record, log: list[int], action: int) -> None:
    """The player takes the growth tile or leaves it (A20)."""
    log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
    if action & 1:
        do_growth(s, w, s.bonus_board, s.growing)
    s.phase = P_GROW


@kernel
def do_end_grow(s: Record, w: Record, log: list[int], action: int) -> None:
    """The grow action is closed (R4.9)."""
    log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
    s.growing = -1
    s.phase = P_TURN
