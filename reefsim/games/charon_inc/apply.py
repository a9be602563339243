"""Carrying out an action, and what follows from one phase to the next (CH-2.1)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.games.charon_inc.building import (
    do_build,
    do_end_build,
    do_synchrotron,
    do_trade,
    start_building,
)
from reefsim.games.charon_inc.claims import ask_a1, do_a1, do_place, judge_areas
from reefsim.games.charon_inc.constants import (
    A1_PASS,
    A3_DRAW,
    BUILD,
    END_BUILD,
    KEEP,
    P_KEEP,
    PLACE,
    ROW_CARD,
    SYNCHROTRON,
    TRADE,
)
from reefsim.games.charon_inc.ending import end_game
from reefsim.games.charon_inc.mining import ask_a3, do_a3, give_clear, mine_all, reorder
from reefsim.games.charon_inc.reset import ask, do_exchange, do_keep, do_row_card


@kernel
def apply(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Change the state by a legal action; `w.num_legal` is the number there was to choose from."""
    kind = action >> 16
    if kind == PLACE:
        if do_place(s, r, w, log, action):
            judge_areas(s, r, w, log)
            leave_claims(s, r, w, log, s.seats - 1)
    elif kind == TRADE:
        do_trade(s, r, w, log, action)
    elif kind == BUILD:
        do_build(s, r, w, log, action)
    elif kind == END_BUILD:
        if do_end_build(s, r, w, log):
            leave_building(s, r, w, log)
    elif kind == KEEP:
        do_keep(s, r, w, log, action)
    elif kind == ROW_CARD:
        do_row_card(s, r, w, log, action)
    elif kind == SYNCHROTRON:
        do_synchrotron(s, w, log, action)
    elif kind <= A1_PASS:
        do_a1(s, r, w, log, action)
        leave_claims(s, r, w, log, s.at - 1)
    elif kind <= A3_DRAW:
        do_a3(s, r, w, log, action)
        leave_mining(s, r, w, log, s.at + 1)
    else:
        do_exchange(s, r, w, log, action)


@kernel
def leave_claims(s: Record, r: Record, w: Record, log: list[int], at: int) -> None:
    """Go on to mining, unless a seat from a place of the order back has A1 (CH-3.6, CH-4.1)."""
    if not ask_a1(s, w, at):
        mine_all(s, r, w, log)
        give_clear(s, r, w, log)
        leave_mining(s, r, w, log, 0)


@kernel
def leave_mining(s: Record, r: Record, w: Record, log: list[int], i: int) -> None:
    """Go on to the new order and to building, unless a seat has A3 (CH-4.7, CH-4.8)."""
    if not ask_a3(s, r, w, i):
        reorder(s, w, log)
        start_building(s, r, w)


@kernel
def leave_building(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """The game ends with the last round; else it goes on with the reset (CH-2.1, CH-7.1)."""
    if s.round_number == r.rounds:
        end_game(s, w, log)
    else:
        ask(s, P_KEEP, 0)
