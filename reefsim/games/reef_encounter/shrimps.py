"""Shrimps: introducing, moving and taking them back (R7)."""

from __future__ import annotations

from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.work import add
from reefsim.games.reef_encounter.constants import SHRIMP_IN, SHRIMP_MOVE, SHRIMP_OUT
from reefsim.games.reef_encounter.corals import coral_at, neighbors


@inlined
def has_bare_shrimp(s: Record, seat: int) -> bool:
    """Whether an own shrimp stands on bare rock (R2.6)."""
    for k in range(s.num_shrimps[seat]):
        if s.coral[seat][k] == 0:
            return True
    return False


@inlined
def shrimp_in_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`shrimp_in`: any tile of a coral without a shrimp, once a turn (R7.1, R7.4, R7.5)."""
    if s.entered or s.in_hand[s.seat] == 0:
        return k
    for board in range(s.seats):
        if s.on_board[s.seat][board] < r.max_own_shrimps_per_board:
            free = s.occupied[board] & ~s.guarded[board]
            k = add(w, k, SHRIMP_IN << 16 | board << 6, free)
    return k


@inlined
def shrimp_move_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`shrimp_move`: own coral, unguarded corals, empty rock (R7.2 a-c, R7.4, R7.5)."""
    if s.moves >= r.max_shrimp_moves_per_turn:
        return k
    seat = s.seat
    for i in range(s.num_shrimps[seat]):
        cell = s.shrimp_cell[seat][i]
        home = cell >> 6
        base = SHRIMP_MOVE << 16 | cell << 8
        for board in range(s.seats):
            if board == home or s.on_board[seat][board] < r.max_own_shrimps_per_board:
                free = s.rock[board] & ~s.guarded[board] & ~s.shrimps[board]
                if board == home:
                    free |= s.coral[seat][i] & ~(1 << (cell & 63))
                k = add(w, k, base | board << 6, free)
    return k


@inlined
def shrimp_out_options(s: Record, w: Record, k: int) -> int:
    """`shrimp_out`: any own shrimp on the boards (R7.2d)."""
    seat = s.seat
    for i in range(s.num_shrimps[seat]):
        k = add(w, k, SHRIMP_OUT << 16 | s.shrimp_cell[seat][i], 1)
    return k


@kernel
def find_shrimp(s: Record, seat: int, cell: int) -> int:
    """Place of the seat's shrimp on that cell in `shrimp_cell`."""
    k = 0
    while s.shrimp_cell[seat][k] != cell:
        k += 1
    return k


@kernel
def land(s: Record, seat: int, cell: int) -> None:
    """Put a shrimp of `seat` on a cell; it guards the coral there, if any (R0.4, R0.5)."""
    board = cell >> 6
    bit = 1 << (cell & 63)
    coral = coral_at(s, board, bit)
    k = s.num_shrimps[seat]
    while k > 0 and s.shrimp_cell[seat][k - 1] > cell:
        s.shrimp_cell[seat][k] = s.shrimp_cell[seat][k - 1]
        s.coral[seat][k] = s.coral[seat][k - 1]
        k -= 1
    s.shrimp_cell[seat][k] = cell
    s.coral[seat][k] = coral
    s.num_shrimps[seat] += 1
    s.on_board[seat][board] += 1
    s.shrimps[board] |= bit
    s.guarded[board] |= coral
    s.protected[board] |= coral & (bit | neighbors(bit))


@kernel
def lift(s: Record, seat: int, cell: int) -> int:
    """Take the shrimp of `seat` off a cell; returns the coral it guarded, now unguarded."""
    board = cell >> 6
    k = find_shrimp(s, seat, cell)
    coral = s.coral[seat][k]
    last = s.num_shrimps[seat] - 1
    while k < last:
        s.shrimp_cell[seat][k] = s.shrimp_cell[seat][k + 1]
        s.coral[seat][k] = s.coral[seat][k + 1]
        k += 1
    s.shrimp_cell[seat][last] = -1
    s.coral[seat][last] = 0
    s.num_shrimps[seat] = last
    s.on_board[seat][board] -= 1
    s.shrimps[board] &= ~(1 << (cell & 63))
    s.guarded[board] &= ~coral
    s.protected[board] &= ~coral
    return coral


@kernel
def do_shrimp_in(s: Record, cell: int) -> None:
    """A shrimp comes in from behind the screen (R7.1)."""
    s.in_hand[s.seat] -= 1
    s.entered = 1
    land(s, s.seat, cell)


@kernel
def do_shrimp_move(s: Record, origin: int, cell: int) -> None:
    """An own shrimp moves; there is no limit of distance (R7.2)."""
    lift(s, s.seat, origin)
    land(s, s.seat, cell)
    s.moves += 1


@kernel
def do_shrimp_out(s: Record, cell: int) -> None:
    """An own shrimp goes back behind the screen (R7.2d); it returns only by R7.1 (R7.6)."""
    lift(s, s.seat, cell)
    s.in_hand[s.seat] += 1
