"""What holds in every position: pieces, corals and shrimps, the turn, and the kept masks.

Each check yields sentences about what is broken, nothing if all is well. `invariants.py` gives the
checks their numbers and clauses.
"""

from __future__ import annotations

from functools import lru_cache

from reefsim.core.invariants import Broken
from reefsim.games.reef_encounter.constants import (
    ALGAE,
    ALL_LOCKED,
    COLORS,
    NONE,
    NUM_COLORS,
    NUM_TILES,
    P_BONUS,
    P_FINAL,
    P_GROW,
    P_LARVAE,
    P_OVER,
    P_STASH,
    P_TURN,
)
from reefsim.games.reef_encounter.events import CELL_NAMES
from reefsim.games.reef_encounter.invariants.from_scratch import (
    Position,
    beside,
    cells_of,
    growth_cell,
)


def tiles_conserved(p: Position) -> Broken:
    """Count the polyp tiles of each color (component table)."""
    s = p.s
    on_boards = list(p.tiles.values())
    for c, name in enumerate(COLORS):
        stocks = [s.behind, s.front, s.fish, s.sea]
        held = sum(stock[c] for stocks_of in stocks for stock in stocks_of)
        total = s.bag[c] + s.bonus[c] + on_boards.count(c) + held
        if total != p.r.tiles_per_color:
            yield f"{total} {name} tiles, there are {p.r.tiles_per_color}"


def larvae_conserved(p: Position) -> Broken:
    """Count the larva cubes of each color (component table)."""
    s = p.s
    for c, name in enumerate(COLORS):
        total = s.supply[c] + s.cube[c] + sum(larvae[c] for larvae in s.larvae)
        if total != p.r.larvae_per_color:
            yield f"{total} {name} larvae, there are {p.r.larvae_per_color}"
        if s.cube[c] not in (0, 1):
            yield f"{s.cube[c]} larvae on the {name} sea space"


def cylinders_conserved(p: Position) -> Broken:
    """Count the cylinders of each alga: supply, space, coral tiles (R9.1-R9.5)."""
    s = p.s
    locked = [p.face(tile)[2] for tile in range(NUM_TILES) if (s.locked >> tile) & 1]
    for alga, name in enumerate(ALGAE):
        total = s.cylinders[alga] + (s.space == alga) + locked.count(alga)
        if total != p.r.cylinders_per_alga:
            yield f"{total} {name} cylinders, there are {p.r.cylinders_per_alga}"
    if not NONE <= s.space < len(ALGAE):
        yield f"alga {s.space} on the alga space"


def nothing_negative(p: Position) -> Broken:
    """No stock holds less than nothing."""
    s = p.s
    for name in ("bag", "bonus", "supply", "cylinders", "in_hand", "eaten", "unknown", "cube"):
        if min(getattr(s, name)) < 0:
            yield f"{name} is {getattr(s, name)}"
    for name in ("behind", "known", "front", "fish", "larvae", "sea"):
        for place, stock in enumerate(getattr(s, name)):
            if min(stock) < 0:
                yield f"{name} of {place} is {stock}"


def shrimps_conserved(p: Position) -> Broken:
    """Count each player's shrimps: behind, on the boards, eaten (R3.3, R7)."""
    s = p.s
    for seat in range(s.seats):
        total = s.in_hand[seat] + s.num_shrimps[seat] + s.eaten[seat]
        if total != p.r.shrimps_per_player:
            yield f"seat {seat} has {total} shrimps, there are {p.r.shrimps_per_player}"


def cells_hold_one(p: Position) -> Broken:
    """Tiles and shrimps on rock only, one of each on a cell (R0.1)."""
    s = p.s
    for cell in {*p.tiles, *p.shrimps} - p.rock:
        yield f"something stands on {_name(cell)}, which is no rock in play"
    for board in range(len(s.tiles)):
        bits = [bit for mask in s.tiles[board] for bit in cells_of(mask, board)]
        for cell in {bit for bit in bits if bits.count(bit) > 1}:
            yield f"{_name(cell)} has {bits.count(cell)} tiles"
    cells = [cell for seat in range(s.seats) for cell in p.shrimps_of(seat)]
    for cell in {cell for cell in cells if cells.count(cell) > 1}:
        yield f"{_name(cell)} has {cells.count(cell)} shrimps"


def one_shrimp_per_coral(p: Position) -> Broken:
    """At most one shrimp on a coral at any time (R7.4)."""
    for coral in p.corals:
        if len(p.guards(coral)) > 1:
            yield f"the coral on {_name(min(coral))} has shrimps of seats {p.guards(coral)}"


def shrimps_per_board(p: Position) -> Broken:
    """No more own shrimps on a board than allowed, bare rock counted (R7.5)."""
    for seat in range(p.s.seats):
        boards = [cell >> 6 for cell in p.shrimps_of(seat)]
        for board in set(boards):
            if boards.count(board) > p.r.max_own_shrimps_per_board:
                yield f"seat {seat} has {boards.count(board)} shrimps on board {board + 1}"


def shrimps_on_tiles(p: Position) -> Broken:
    """A shrimp is on bare rock during its owner's turn only (R2.6); or at an end by lock (A25)."""
    s = p.s
    for cell, seat in p.shrimps.items():
        in_turn = seat == s.seat and (
            s.phase in (P_GROW, P_BONUS) or (s.phase == P_TURN and not s.fresh)
        )
        cut_off = s.cause == ALL_LOCKED and seat == s.ender and not p.r.end_of_turn
        if cell not in p.tiles and not in_turn and not cut_off:
            yield f"the shrimp of seat {seat} on {_name(cell)} stands on bare rock between turns"


def values_sum(p: Position) -> Broken:
    """Each coral tile adds one to the value of one of its colors (R12.1)."""
    s, base = p.s, p.r.base_tile_value
    values = [base + s.beats[c].bit_count() for c in range(NUM_COLORS)]
    if sum(values) != NUM_TILES + NUM_COLORS * base:
        yield f"the values {values} add up to {sum(values)}"
    if not all(base <= value <= base + NUM_COLORS - 1 for value in values):
        yield f"the values {values} leave {base}..{base + NUM_COLORS - 1}"
    if values != p.values():
        yield f"the values {values} are not those of the coral tiles, {p.values()}"


def fish_and_feeds(p: Position) -> Broken:
    """The stash is in the fish, and the last shrimp fed ends the game (R1.9, R3.5, R11.2)."""
    s = p.s
    for seat in range(s.seats):
        has_stashed = s.turn > 0 or s.phase == P_LARVAE or seat < s.seat
        stash = s.stash[seat]
        if has_stashed and (stash == NONE or s.fish[seat][stash] < 1):
            yield f"the stash of seat {seat} is missing in its fish"
        if not has_stashed and (stash != NONE or sum(s.fish[seat])):
            yield f"the fish of seat {seat} is not empty before the stash"
        if s.eaten[seat] == 0 and s.turn > 0 and sum(s.fish[seat]) != 1:
            yield f"seat {seat} has fed nothing and {sum(s.fish[seat])} tiles in its fish"
        if s.eaten[seat] >= p.r.shrimps_per_player and not s.cause:
            yield f"the game goes on though seat {seat} has fed all its shrimps"


def chosen_larvae(p: Position) -> Broken:
    """Every seat has two larvae once it has chosen, and none before (R1.10)."""
    s = p.s
    if s.phase not in (P_STASH, P_LARVAE):
        return
    for seat in range(s.seats):
        chosen = 2 if s.phase == P_LARVAE and seat < s.seat else 0
        if sum(s.larvae[seat]) != chosen or (s.pair[seat] == NONE) != (chosen == 0):
            yield f"seat {seat} has {sum(s.larvae[seat])} larvae, {chosen} were to be chosen so far"


def turns_go_around(p: Position) -> Broken:
    """Seats take turns in order, so their numbers of turns differ by one at most (R2.1)."""
    s = p.s
    in_turn = s.phase in (P_TURN, P_GROW, P_BONUS)
    if in_turn and s.seat != (s.turn - 1) % s.seats:
        yield f"turn {s.turn} is played by seat {s.seat}"
    if in_turn != (s.turn > 0 and s.phase not in (P_FINAL, P_OVER)):
        yield f"phase {s.phase} in turn {s.turn}"


def limits_of_turn(p: Position) -> Broken:
    """The counters of the turn stay within R2.2, R4.2 and the engine's limit."""
    s, r = p.s, p.r
    limits = {
        "grows": r.grow_actions_per_turn,
        "from_behind": r.max_tiles_from_behind,
        "moves": r.max_shrimp_moves_per_turn,
        "entered": 1,
        "lock_made": 1,
    }
    for name, limit in limits.items():
        if not 0 <= getattr(s, name) <= limit:
            yield f"{name} is {getattr(s, name)}, at most {limit} allowed"
    growing = s.phase in (P_GROW, P_BONUS)
    if growing != (s.growing != NONE) and s.phase not in (P_FINAL, P_OVER):
        yield f"phase {s.phase} with growing {s.growing}"
    done = s.grows or s.moves or s.entered or s.lock_made
    if s.phase == P_TURN and s.fresh and done:
        yield "something was done in a turn that counts as untouched"
    if bool(s.over) != (s.phase == P_OVER) or (s.over and not s.cause):
        yield f"over {s.over} in phase {s.phase} with cause {s.cause}"


def boards_in_play(p: Position) -> Broken:
    """One board per player, 33 rock cells in one piece; start tiles before play (R1.1, R1.2)."""
    s = p.s
    for board in range(len(s.board)):
        rock = set(cells_of(s.rock[board], board))
        if board >= s.seats:
            if rock or any(s.tiles[board]) or s.board[board] != NONE:
                yield f"board {board + 1} is not empty, with {s.seats} players"
            continue
        if rock != {cell for cell in p.rock if cell >> 6 == board}:
            yield f"the rock of board {board + 1} is not that of its drawing"
        if not _is_one_piece(s.rock[board]):
            yield f"board {board + 1} is not 33 rock cells in one piece"
        tiles = [color for cell, color in p.tiles.items() if cell >> 6 == board]
        if s.turn == 0 and sorted(tiles) != list(range(NUM_COLORS)):
            yield f"board {board + 1} starts with tiles {tiles}"
        if s.turn == 0 and growth_cell(board) in p.tiles:
            yield f"board {board + 1} starts with a tile on its growth cell"


def knowledge(p: Position) -> Broken:
    """What is known of a stock is part of it, the rest is counted as unknown (R14.2)."""
    s = p.s
    for seat in range(s.seats):
        hidden = [b - k for b, k in zip(s.behind[seat], s.known[seat], strict=True)]
        if min(hidden) < 0:
            yield f"seat {seat} has {s.behind[seat]} behind, {s.known[seat]} were seen to arrive"
        if sum(hidden) != s.unknown[seat]:
            yield f"seat {seat} has {sum(hidden)} unseen tiles, {s.unknown[seat]} are counted"


def masks(p: Position) -> Broken:
    """The kept masks are what tiles and shrimps say (R0.4-R0.6)."""
    s = p.s
    guarded = {cell for coral in p.corals if p.guards(coral) for cell in coral}
    expected = {
        "occupied": set(p.tiles),
        "shrimps": set(p.shrimps),
        "guarded": guarded,
        "protected": {cell for cell in p.tiles if p.is_protected(cell)},
    }
    for name, cells in expected.items():
        kept = {c for board, mask in enumerate(getattr(s, name)) for c in cells_of(mask, board)}
        if kept != cells:
            yield f"{name}: {_names(kept - cells)} too many, {_names(cells - kept)} missing"
    for seat in range(s.seats):
        yield from _shrimp_lists(p, seat)
    for a in range(NUM_COLORS):
        beaten = [b for b in range(NUM_COLORS) if p.dominates(a, b)]
        if s.beats[a] != sum(1 << b for b in beaten):
            yield f"beats of {COLORS[a]} is {s.beats[a]:b}, the coral tiles say {beaten}"


def _shrimp_lists(p: Position, seat: int) -> Broken:
    s = p.s
    cells, corals = s.shrimp_cell[seat], s.coral[seat]
    own = p.shrimps_of(seat)
    if own != sorted(own) or any(cell != NONE for cell in cells[len(own) :]):
        yield f"shrimp_cell of seat {seat} is {cells} with {len(own)} shrimps"
    for place, cell in enumerate(own):
        if corals[place] != sum(1 << (c & 63) for c in p.coral(cell)):
            yield f"the coral of seat {seat} on {_name(cell)} is not the one around it"
    if any(corals[len(own) :]):
        yield f"seat {seat} has corals without a shrimp"
    on_board = [sum(cell >> 6 == board for cell in own) for board in range(len(s.board))]
    if s.on_board[seat] != on_board:
        yield f"on_board of seat {seat} is {s.on_board[seat]}, its shrimps are on {on_board}"


@lru_cache
def _is_one_piece(rock: int) -> bool:
    """Whether a board's rock is 33 cells in one piece."""
    cells = set(cells_of(rock, 0))
    found = {min(cells, default=0)} & cells
    edge = list(found)
    while edge:
        new = set(beside(edge.pop())) & cells - found
        found |= new
        edge += new
    return len(found) == len(cells) == 33


def _name(cell: int) -> str:
    return CELL_NAMES[cell] or f"cell {cell}"


def _names(cells: set[int]) -> str:
    return " ".join(map(_name, sorted(cells))) or "none"
