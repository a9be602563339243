"""The opening position and the secret choices before the first turn (R1)."""

from __future__ import annotations

from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.rng import uniform
from reefsim.core.work import SCRIPT_IMPOSSIBLE, add, clear_turn, reset_work, take_script
from reefsim.games.reef_encounter.constants import (
    ALL_TILES,
    BOARD,
    CHOOSE_LARVAE,
    DEAL,
    NONE,
    P_LARVAE,
    P_STASH,
    SEA_FILL,
    SEA_START,
    SIDE,
    STASH,
)
from reefsim.games.reef_encounter.ending import start_turn
from reefsim.games.reef_encounter.log import (
    NO_COLOR,
    NO_GROWTH,
    NO_SEAT,
    NO_SIZE,
    NUM_KINDS,
    log_action,
    log_chance,
    open_turn_counters,
)
from reefsim.games.reef_encounter.scoring import set_dominance
from reefsim.games.reef_encounter.sea import draw

SETUP_KEY = 0  # place of the set-up's key in `chance`


@kernel
def begin(s: Record, r: Record, w: Record, log: list[int], seats: int) -> None:
    """Set up a game up to its first decision (R1.1-R1.8); `s.chance` is keyed already."""
    clear(s, r, w, seats)
    draw_boards(s, r, w, log)
    draw_side(s, r, w, log)
    fill_sea(s, r, w, log)
    for seat in range(seats):
        for i in range(r.hand[seat]):
            c = draw(s, w, SETUP_KEY, DEAL, seat, i)
            s.behind[seat][c] += 1
            log_chance(s, w, log, DEAL, seat, c, 0)
        s.unknown[seat] = r.hand[seat]
    s.phase = P_STASH


@kernel
def clear(s: Record, r: Record, w: Record, seats: int) -> None:
    """Everything that does not depend on chance; the records may hold an earlier game."""
    reset_work(w)
    open_turn_counters(w)
    s.seats = seats
    s.seat = 0
    s.turn = 0
    s.over = 0
    s.cause = 0
    s.ender = NONE
    s.last_turns = 0
    s.asked = 0
    s.growing = NONE
    s.placed = 0
    s.from_behind = 0
    s.fresh = 0
    s.grows = 0
    s.moves = 0
    s.entered = 0
    s.lock_made = 0
    s.bonus_board = 0
    s.locked = 0
    s.space = NONE
    for board in range(4):
        s.rock[board] = 0
        s.occupied[board] = 0
        s.shrimps[board] = 0
        s.guarded[board] = 0
        s.protected[board] = 0
        s.board[board] = NONE
        for c in range(5):
            s.tiles[board][c] = 0
    for alga in range(4):
        s.cylinders[alga] = r.cylinders_per_alga
    for c in range(5):
        # R1.2, R1.3: a start tile of each color on every board, one in the bonus row
        s.bag[c] = r.tiles_per_color - seats - 1
        s.in_bag[c] = 0
        s.bonus[c] = 1
        s.supply[c] = r.larvae_per_color - 1
        s.cube[c] = 1
        for space in range(5):
            s.sea[space][c] = 0
    for seat in range(4):
        s.in_hand[seat] = r.shrimps_per_player if seat < seats else 0
        s.eaten[seat] = 0
        s.num_shrimps[seat] = 0
        s.stash[seat] = NONE
        s.pair[seat] = NONE
        s.unknown[seat] = 0
        w.captured[seat] = 0
        w.locks[seat] = 0
        w.returned[seat] = 0
        w.growths[seat] = 0
        w.flips[seat] = 0
        w.laid[seat] = 0
        w.laying_turns[seat] = 0
        w.passes[seat] = 0
        for c in range(5):
            s.behind[seat][c] = 0
            s.known[seat][c] = 0
            s.front[seat][c] = 0
            s.fish[seat][c] = 0
            s.larvae[seat][c] = 0
        for board in range(4):
            s.on_board[seat][board] = 0
        for k in range(6):
            s.shrimp_cell[seat][k] = NONE
            s.coral[seat][k] = 0


@inlined
def choose(s: Record, w: Record, purpose: int, i: int, n: int) -> int:
    """A set-up outcome in 0..n-1, scripted or drawn."""
    if w.scripted:
        outcome = take_script(w)
        if 0 <= outcome < n:
            return outcome
        if w.fault == 0:
            w.fault = SCRIPT_IMPOSSIBLE
        return 0
    return uniform(s.chance[SETUP_KEY], s.chance[SETUP_KEY + 1], purpose, i, 0, n)


@kernel
def draw_boards(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """One board per player, at random or as listed, with its start tiles (R1.1, R1.2)."""
    used = 0
    for i in range(s.seats):
        if w.scripted:
            board = choose(s, w, BOARD, i, 4)
            wrong = (used >> board) & 1 if r.random_boards else board != r.boards[i]
            if wrong:
                if w.fault == 0:
                    w.fault = SCRIPT_IMPOSSIBLE
                board = 0 if r.random_boards else r.boards[i]
                while r.random_boards and (used >> board) & 1:
                    board += 1
        elif r.random_boards:
            rest = choose(s, w, BOARD, i, 4 - i)
            board = 0
            while (used >> board) & 1 or rest > 0:
                if (used >> board) & 1 == 0:
                    rest -= 1
                board += 1
        else:
            board = r.boards[i]
        used |= 1 << board
        s.board[i] = board
        s.rock[i] = r.rock_of[board]
        for c in range(5):
            s.tiles[i][c] = r.starts_of[board][c]
            s.occupied[i] |= r.starts_of[board][c]
        log_chance(s, w, log, BOARD, NO_SEAT, board, 0)


@kernel
def draw_side(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """All coral tiles with the same side up (R1.4, A1)."""
    if w.scripted or r.initial_side < 0:
        side = choose(s, w, SIDE, 0, 2)
        if r.initial_side >= 0 and side != r.initial_side:
            if w.fault == 0:
                w.fault = SCRIPT_IMPOSSIBLE
            side = r.initial_side
    else:
        side = r.initial_side
    s.side = side
    s.reversed = ALL_TILES if side else 0
    set_dominance(s, r)
    log_chance(s, w, log, SIDE, NO_SEAT, side, 0)


@kernel
def fill_sea(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """A drawn tile names the first space and goes back; then 3, 3, 3, 2, 1 tiles (R1.6)."""
    start = draw(s, w, SETUP_KEY, SEA_START, 0, 0)
    s.bag[start] += 1
    log_chance(s, w, log, SEA_START, NO_SEAT, start, 0)
    for i in range(5):
        space = (start + i) % 5
        for j in range(r.sea_levels[i]):
            c = draw(s, w, SETUP_KEY, SEA_FILL, i, j)
            s.sea[space][c] += 1
            log_chance(s, w, log, SEA_FILL, NO_SEAT, c, space)


@kernel
def stash_options(s: Record, w: Record, k: int) -> int:
    """`stash`: one per color among the seat's tiles (R1.9)."""
    colors = 0
    for c in range(5):
        if s.behind[s.seat][c] > 0:
            colors |= 1 << c
    return add(w, k, STASH << 16, colors)


@kernel
def larva_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`choose_larvae`: the pairs of cubes the supply can give (R1.10)."""
    choices = 0
    for i in range(15):
        c = r.pairs[i][0]
        d = r.pairs[i][1]
        if s.supply[c] >= (2 if c == d else 1) and s.supply[d] >= 1:
            choices |= 1 << i
    return add(w, k, CHOOSE_LARVAE << 16, choices)


@kernel
def do_stash(s: Record, w: Record, log: list[int], action: int) -> None:
    """A tile goes into the fish, in secret (R1.9)."""
    log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
    c = action & 255
    s.behind[s.seat][c] -= 1
    s.fish[s.seat][c] += 1
    s.stash[s.seat] = c
    s.unknown[s.seat] -= 1
    s.seat += 1
    if s.seat == s.seats:
        s.seat = 0
        s.phase = P_LARVAE


@kernel
def do_choose_larvae(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Two cubes go behind the screen; after the last seat's choice play begins (R1.10)."""
    log_action(s, w, log, action, NO_COLOR, NO_GROWTH, NO_SIZE)
    pair = action & 255
    s.pair[s.seat] = pair
    for i in range(2):
        c = r.pairs[pair][i]
        s.supply[c] -= 1
        s.larvae[s.seat][c] += 1
    s.seat += 1
    if s.seat == s.seats:
        clear_turn(w, NUM_KINDS)  # what was done in the set-up belongs to no turn
        start_turn(s, w, 0)
