"""Why an action is refused: the first clause it breaks, in the order of the rules.

Nothing here decides what is legal; that is done by `legal.py`. The two are tested against each
other: an action has a reason exactly if it is not legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from reefsim.core.bits import popcount
from reefsim.core.kernel import Record
from reefsim.games.reef_encounter.algae import showing, shown_alga
from reefsim.games.reef_encounter.constants import (
    ALGAE,
    COLORS,
    END_CAUSES,
    FIRST_LOCK,
    LARVA_PAIRS,
    MAX_SEATS,
    NONE,
    NUM_COLORS,
    P_BONUS,
    P_FINAL,
    P_GROW,
    P_LARVAE,
    P_OVER,
    P_STASH,
    P_TURN,
    SOURCES,
    Kind,
)
from reefsim.games.reef_encounter.corals import attackers, color_at, coral_at, has_target, neighbors
from reefsim.games.reef_encounter.corals import refused as join_refused
from reefsim.games.reef_encounter.events import ACTION_NAMES, CELL_NAMES
from reefsim.games.reef_encounter.notation import decode
from reefsim.games.reef_encounter.scoring import total
from reefsim.games.reef_encounter.shrimps import has_bare_shrimp
from reefsim.games.reef_encounter.state import RULES, STATE

Reasons = Iterator[str]  # broken clauses in the order of the rules; the first one is the answer


def why_illegal(state: Any, rules: Any, action: int) -> str:
    """Say which clause an action breaks first, for the seat to act.

    Parameters
    ----------
    state, rules : records of either mode; the state is not changed
    action : any int

    Returns
    -------
    the clause and the reason, as 'R5.1d: the yellow tile on E5 is protected by ...'; empty if the
    action is legal
    """
    s, r = STATE.to_plain(state), RULES.to_plain(rules)
    try:
        kind, a, b = decode(action)
    except ValueError as error:
        return f"M2: {error}"
    return next(_reasons(s, r, kind, a, b), "")


def _reasons(s: Record, r: Record, kind: Kind, a: int, b: int) -> Reasons:
    yield from _wrong_time(s, r, kind)
    if kind in _CHECKS:
        yield from _CHECKS[kind](s, r, a, b)


# what each phase asks for
_ASKED = {
    P_STASH: {Kind.STASH},
    P_LARVAE: {Kind.CHOOSE_LARVAE},
    P_BONUS: {Kind.GROW_BONUS},
    P_GROW: {Kind.PLACE, Kind.END_GROW, Kind.SHRIMP_MOVE, Kind.SHRIMP_OUT},
    P_FINAL: {Kind.FEED, Kind.NO_FEED},
    P_TURN: set(Kind)
    - {Kind.STASH, Kind.CHOOSE_LARVAE, Kind.PLACE, Kind.END_GROW, Kind.GROW_BONUS, Kind.NO_FEED},
}


def _wrong_time(s: Record, r: Record, kind: Kind) -> Reasons:
    """Actions that the phase does not ask for (R1.9, R1.10, R2.4, R2.5, R11)."""
    if s.phase == P_OVER:
        yield f"R11.5: the game is over ({END_CAUSES[s.cause - 1]}); no action is left"
    elif kind in _ASKED[s.phase]:
        return
    name, seat = ACTION_NAMES[kind], s.seat
    if s.phase == P_STASH:
        yield f"R1.9: seat {seat} hides one of its tiles now (stash), {name} comes later"
    elif s.phase == P_LARVAE:
        yield f"R1.10: seat {seat} takes two larvae now (choose_larvae), {name} has no place here"
    elif s.phase == P_FINAL:
        yield f"R11.6: the game is ending; seat {seat} may feed once or not (no_feed), not {name}"
    elif s.phase == P_BONUS:
        yield f"A20: seat {seat} first takes the growth tile or leaves it (grow_bonus yes or no)"
    elif kind == Kind.STASH:
        yield "R1.9: a tile is hidden in the set-up only"
    elif kind == Kind.CHOOSE_LARVAE:
        yield "R1.10: larvae are chosen in the set-up only"
    elif kind == Kind.NO_FEED:
        yield "R11.6: no_feed is an answer to the final feed only; the game is not ending"
    elif kind == Kind.GROW_BONUS:
        rule = "awaits an answer" if r.growth_optional else "is declined under these rules"
        yield f"A20: no growth {rule}"
    elif s.phase == P_TURN:
        yield f"R4.1: {name} needs an open grow action; grow comes first"
    elif kind == Kind.FEED:
        yield "R2.5: feeding comes first in a turn; a grow action is open"
    else:
        yield (
            f"R2.4: the grow action in {COLORS[s.growing]} is open; only shrimps may move before "
            "end_grow"
        )


def _stash(s: Record, r: Record, a: int, c: int) -> Reasons:
    if s.behind[s.seat][c] == 0:
        yield f"R1.9: seat {s.seat} was dealt no {COLORS[c]} tile; {_stock(s.behind[s.seat])}"


def _choose_larvae(s: Record, r: Record, a: int, pair: int) -> Reasons:
    for c in LARVA_PAIRS[pair]:
        if s.supply[c] < LARVA_PAIRS[pair].count(c):
            yield f"R1.10: the supply has {s.supply[c]} {COLORS[c]} larvae; {_stock(s.supply)}"


def _feed(s: Record, r: Record, a: int, cell: int) -> Reasons:
    if s.phase == P_TURN and not s.fresh:
        yield "R2.5: something was done this turn; feeding comes first or not at all"
    clause, least = ("R3.1", r.min_feed_size)
    if s.phase == P_FINAL:
        clause, least = "R11.6", r.min_final_feed_size
    yield from _not_own_shrimp(s, cell, clause)
    coral = coral_at(s, cell >> 6, _bit(cell))
    if coral == 0:
        yield f"{clause}: the shrimp on {_name(cell)} guards no coral"
    if popcount(coral) < least:
        size = popcount(coral)
        yield f"{clause}: the coral on {_name(cell)} has {size} tiles, {least} are needed"


def _grow(s: Record, r: Record, a: int, c: int) -> Reasons:
    if s.grows >= r.grow_actions_per_turn:
        yield f"R2.2: {s.grows} grow actions were made this turn, {r.grow_actions_per_turn} allowed"
    seat, color = s.seat, COLORS[c]
    if s.larvae[seat][c] == 0:
        yield f"R4.1: seat {seat} has no {color} larva; {_stock(s.larvae[seat])}"
    if r.allow_empty_grow:
        return
    if s.behind[seat][c] + s.front[seat][c] == 0:
        yield f"R4.2: seat {seat} has no {color} tile to lay, behind or in front (A15)"
    if not has_target(s, r, c, seat):
        yield f"R4.2: no cell takes a {color} tile now (A15)"


def _place(s: Record, r: Record, source: int, cell: int) -> Reasons:
    yield from _not_rock(s, cell)
    seat, c, board, bit = s.seat, s.growing, cell >> 6, _bit(cell)
    color, where = COLORS[c], _name(cell)
    stock = s.front[seat] if source else s.behind[seat]
    if stock[c] == 0:
        yield f"R4.2: seat {seat} has no {color} tile {'in ' if source else ''}{SOURCES[source]}"
    if not source and s.from_behind >= r.max_tiles_from_behind:
        yield f"R4.2: {s.from_behind} tiles came from behind in this action, no more are allowed"
    tile = s.occupied[board] & bit
    if tile:
        yield from _attack(s, r, c, cell)
    elif s.shrimps[board] & bit:
        clause = "R4.10" if cell in s.shrimp_cell[seat] else "R4.4"
        yield f"{clause}: a shrimp stands on {where}; it has to leave first"
    if join_refused(s, r, board, c) & bit:
        joined = "two corals" if r.merge_never else "corals with two shrimps"
        clause = "R5.1e" if tile else "R4.5"
        yield f"{clause}: {color} on {where} would join {joined} (join rule)"


def _attack(s: Record, r: Record, c: int, cell: int) -> Reasons:
    """R5.1 (a)-(d); (e) is the join rule of every tile."""
    board, bit = cell >> 6, _bit(cell)
    victim = color_at(s, board, bit)
    color, prey, where = COLORS[c], COLORS[victim], _name(cell)
    if victim == c:
        yield f"R5.1a: the tile on {where} is {prey} itself"
    if not (s.beats[c] >> victim) & 1:
        yield f"R5.1b: {color} does not dominate {prey} now; {color} beats {_names(s.beats[c])}"
    near = neighbors(bit)
    if attackers(s, r, board, c, s.seat) & near == 0:
        large = attackers(s, _without_shrimp_toggle(r), board, c, s.seat) & near
        if large:
            yield f"A4: no {color} coral next to {where} has a shrimp of seat {s.seat}"
        yield f"R5.1c: no {color} coral next to {where} has {r.min_attack_size} tiles"
    if s.protected[board] & bit:
        guard = coral_at(s, board, bit) & s.shrimps[board]
        shrimp = board << 6 | guard.bit_length() - 1
        yield (
            f"R5.1d: the {prey} tile on {where} is protected by the shrimp of seat "
            f"{shrimp_owner(s, shrimp)} on {_name(shrimp)}"
        )


def _end_grow(s: Record, r: Record, a: int, b: int) -> Reasons:
    if s.placed == 0 and not r.allow_empty_grow:
        yield "R4.2: a grow action lays at least one tile (A15)"


def _shrimp_in(s: Record, r: Record, a: int, cell: int) -> Reasons:
    yield from _not_rock(s, cell)
    board = cell >> 6
    if s.entered:
        yield "R7.1: a shrimp came in this turn already"
    if s.in_hand[s.seat] == 0:
        yield f"R7.1: seat {s.seat} has no shrimp behind"
    if not s.occupied[board] & _bit(cell):
        yield f"R7.1: {_name(cell)} has no tile; a shrimp comes in on a coral"
    yield from _guarded(s, cell)
    yield from _crowded(s, r, board)


def _shrimp_move(s: Record, r: Record, origin: int, cell: int) -> Reasons:
    yield from _before_first_tile(s, r)
    yield from _not_rock(s, cell)
    yield from _not_own_shrimp(s, origin, "R7.2")
    if s.moves >= r.max_shrimp_moves_per_turn:
        yield f"M2: {s.moves} shrimp moves were made this turn, no more are allowed (engine limit)"
    board, bit = cell >> 6, _bit(cell)
    if cell == origin:
        yield f"R7.2: the shrimp stands on {_name(cell)} already"
    if s.shrimps[board] & bit:
        yield f"R0.1: seat {shrimp_owner(s, cell)} has a shrimp on {_name(cell)}"
    home = coral_at(s, origin >> 6, _bit(origin)) if origin >> 6 == board else 0
    if not home & bit:
        yield from _guarded(s, cell)
    if origin >> 6 != board:
        yield from _crowded(s, r, board)


def _shrimp_out(s: Record, r: Record, a: int, cell: int) -> Reasons:
    yield from _before_first_tile(s, r)
    yield from _not_own_shrimp(s, cell, "R7.2")


def _to_larva(s: Record, r: Record, a: int, c: int) -> Reasons:
    if s.front[s.seat][c] == 0:
        yield f"R8.1: seat {s.seat} has no {COLORS[c]} tile in front; {_stock(s.front[s.seat])}"
    if s.supply[c] == 0:
        yield f"R8.1: the supply has no {COLORS[c]} larva"


def _to_polyp(s: Record, r: Record, a: int, c: int) -> Reasons:
    if s.larvae[s.seat][c] == 0:
        yield f"R8.2: seat {s.seat} has no {COLORS[c]} larva; {_stock(s.larvae[s.seat])}"
    if s.bag[c] + s.bonus[c] == 0:
        yield f"R8.2: neither bag nor bonus row has a {COLORS[c]} tile"


def _alga(s: Record, r: Record, pay: int, play: int) -> Reasons:
    seat, tile = s.seat, play - FIRST_LOCK
    if s.front[seat][pay] == 0:
        yield f"R9.1: seat {seat} has no {COLORS[pay]} tile in front; {_stock(s.front[seat])}"
    alga = play if tile < 0 else shown_alga(s, r, tile)
    if s.cylinders[alga] == 0:
        yield f"R9.2: the supply has no {ALGAE[alga]} cylinder"
    if tile < 0:
        if not r.allow_null_flip and not showing(s, r, alga):
            yield f"A14: no free coral tile shows {ALGAE[alga]}, so nothing would flip"
        return
    if s.eaten[seat] == 0:
        yield f"R9.5: seat {seat} has no shrimp on the sea board and may not lock"
    if (s.locked >> tile) & 1:
        yield f"R9.5: T{tile + 1} carries a cylinder already"
    if s.lock_made:
        yield "R9.6: a coral tile was locked this turn already"
    if popcount(s.locked) == 9 and total(s.fish[seat]) < 2:
        yield (
            f"R9.7: the last coral tile takes two tiles in the fish; seat {seat} has "
            f"{total(s.fish[seat])}"
        )


def _collect(s: Record, r: Record, a: int, b: int) -> Reasons:
    if has_bare_shrimp(s, s.seat):
        bare = [cell for cell in _own_shrimps(s) if not coral_at(s, cell >> 6, _bit(cell))]
        yield f"R2.6: a shrimp of seat {s.seat} stands on bare rock, on {_name(bare[0])}"


def _pass_turn(s: Record, r: Record, a: int, b: int) -> Reasons:
    if r.collect_mandatory:
        yield "R2.7: a turn ends with collecting (A13)"
    yield from _collect(s, r, a, b)


_CHECKS: dict[Kind, Callable[[Record, Record, int, int], Reasons]] = {
    Kind.STASH: _stash,
    Kind.CHOOSE_LARVAE: _choose_larvae,
    Kind.FEED: _feed,
    Kind.GROW: _grow,
    Kind.PLACE: _place,
    Kind.END_GROW: _end_grow,
    Kind.SHRIMP_IN: _shrimp_in,
    Kind.SHRIMP_MOVE: _shrimp_move,
    Kind.SHRIMP_OUT: _shrimp_out,
    Kind.TO_LARVA: _to_larva,
    Kind.TO_POLYP: _to_polyp,
    Kind.ALGA: _alga,
    Kind.COLLECT: _collect,
    Kind.PASS_TURN: _pass_turn,
}


def _not_rock(s: Record, cell: int) -> Reasons:
    board = cell >> 6
    if board >= s.seats:
        yield f"R0.1: {_name(cell)} is on board {board + 1}; {s.seats} boards are in play"
    if not s.rock[board] & _bit(cell):
        yield f"R0.1: {_name(cell)} is deep water"


def _not_own_shrimp(s: Record, cell: int, clause: str) -> Reasons:
    if cell not in _own_shrimps(s):
        own = ", ".join(map(_name, _own_shrimps(s))) or "nowhere"
        if shrimp_owner(s, cell) != NONE:
            clause = "R7.3" if clause == "R7.2" else clause
            yield f"{clause}: the shrimp on {_name(cell)} belongs to seat {shrimp_owner(s, cell)}"
        yield f"{clause}: seat {s.seat} has no shrimp on {_name(cell)}; its shrimps: {own}"


def _guarded(s: Record, cell: int) -> Reasons:
    board = cell >> 6
    if s.guarded[board] & _bit(cell):
        guard = coral_at(s, board, _bit(cell)) & s.shrimps[board]
        shrimp = board << 6 | guard.bit_length() - 1
        yield f"R7.4: the coral on {_name(cell)} has a shrimp, on {_name(shrimp)}"


def _crowded(s: Record, r: Record, board: int) -> Reasons:
    if s.on_board[s.seat][board] >= r.max_own_shrimps_per_board:
        yield (
            f"R7.5: seat {s.seat} has {s.on_board[s.seat][board]} shrimps on board {board + 1}, "
            "no more are allowed"
        )


def _before_first_tile(s: Record, r: Record) -> Reasons:
    if s.phase == P_GROW and s.placed == 0 and not r.allow_empty_grow:
        yield "M2: shrimps move before the grow action or after its first tile (A15)"


def shrimp_owner(s: Record, cell: int) -> int:
    """Seat whose shrimp stands on a cell, or NONE."""
    owners = (seat for seat in range(MAX_SEATS) if cell in s.shrimp_cell[seat])
    return next(owners, NONE)


def _own_shrimps(s: Record) -> list[int]:
    return list(s.shrimp_cell[s.seat][: s.num_shrimps[s.seat]])


def _without_shrimp_toggle(r: Record) -> Record:
    twin = r.copy()
    twin.attack_needs_own_shrimp = 0
    return twin


def _bit(cell: int) -> int:
    return 1 << (cell & 63)


def _name(cell: int) -> str:
    return str(CELL_NAMES[cell])


def _names(colors: int) -> str:
    return ", ".join(COLORS[c] for c in range(NUM_COLORS) if (colors >> c) & 1) or "nothing"


def _stock(stock: list[int]) -> str:
    held = [f"{COLORS[c]} {stock[c]}" for c in range(NUM_COLORS) if stock[c]]
    return f"there are {', '.join(held)}" if held else "there are none"
