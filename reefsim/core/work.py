"""The scratch record every game's kernels share: legal options, chance scripts, counters.

Legal actions are kept as *options*: pairs of a base code and a set of small integers, standing for
the actions `base + i` for every i in the set. Counting them is popcounts, picking the n-th is a
short walk, listing them is one loop, and the rules that make them read as set algebra.

An action is an int: its kind in five bits from bit 16 on, below them 16 bits that say which, and
above them whatever does not fit there. Options are made in increasing order of action.
"""

from __future__ import annotations

import numpy as np

from reefsim.core.bits import lowest, nth, popcount
from reefsim.core.kernel import Record, inlined, kernel

MAX_OPTIONS = 384
MAX_SEATS = 5
MAX_KINDS = 32
KIND_BITS = MAX_KINDS - 1
MAX_SCRIPT = 512
MAX_ROW = 64

SCRIPT_OVER, SCRIPT_IMPOSSIBLE = 1, 2  # values of `fault`

WORK_FIELDS: list[tuple[object, ...]] = [
    ("first", np.int64, (MAX_OPTIONS,)),  # code of the action for member 0 of the set
    ("members", np.int64, (MAX_OPTIONS,)),  # the set
    ("num_options", np.int64),  # pairs in use
    ("num_legal", np.int64),  # legal actions they stand for
    ("log_start", np.int64),  # where the game's events begin in the log
    ("num_events", np.int64),  # events of the game so far, whether kept or not
    ("logging", np.int8),  # 1: events are written to the log; 0 on copies that only look ahead
    ("scripted", np.int8),  # 1: chance outcomes are taken from `script` instead of drawn
    ("script", np.int16, (MAX_SCRIPT,)),
    ("script_len", np.int64),
    ("script_pos", np.int64),
    ("drawn", np.int64),  # raised by what `driver.is_chancy` means but could not tell beforehand
    ("fault", np.int64),  # 0, SCRIPT_OVER or SCRIPT_IMPOSSIBLE
    ("turn_over", np.int8),  # 1 from the end of a player turn until its row is taken
    ("row", np.int64, (MAX_ROW,)),  # the row of the table `turns` for that turn
    ("turn_legal", np.int64),  # sum of num_legal over the decisions of the turn
    ("turn_kinds", np.int64, (MAX_KINDS,)),  # actions of each kind in the turn
    ("seat_decisions", np.int64, (MAX_SEATS,)),
    ("seat_legal", np.int64, (MAX_SEATS,)),
    ("worth", np.float64, (MAX_SEATS,)),  # what a position promises each seat (`evaluate`)
]


@kernel
def reset_work(w: Record) -> None:
    """Empty the counters before a game; `logging`, `log_start` and the script stay."""
    w.num_options = 0
    w.num_legal = 0
    w.num_events = 0
    w.script_pos = 0
    w.drawn = 0
    w.fault = 0
    w.turn_over = 0
    w.turn_legal = 0
    for kind in range(MAX_KINDS):
        w.turn_kinds[kind] = 0
    for seat in range(MAX_SEATS):
        w.seat_decisions[seat] = 0
        w.seat_legal[seat] = 0


@inlined
def kind_of(action: int) -> int:
    """The kind of an action, as a place in `Game.action_kinds`."""
    return (action >> 16) & KIND_BITS


@inlined
def add(w: Record, k: int, base: int, members: int) -> int:
    """Write option `k`; returns the place of the next one, the same if the set is empty."""
    w.first[k] = base
    w.members[k] = members
    return k + (1 if members != 0 else 0)


@inlined
def close_options(w: Record, k: int) -> int:
    """Count the legal actions in the first `k` options."""
    total = 0
    for i in range(k):
        total += popcount(w.members[i])
    w.num_options = k
    w.num_legal = total
    return total


@inlined
def nth_action(w: Record, n: int) -> int:
    """The n-th legal action in increasing order, 0 <= n < num_legal."""
    i = 0
    size = popcount(w.members[0])
    while n >= size:
        n -= size
        i += 1
        size = popcount(w.members[i])
    return w.first[i] + nth(w.members[i], n)


@kernel
def is_option(w: Record, action: int) -> bool:
    """Whether an action is among the legal ones."""
    for i in range(w.num_options):
        member = action - w.first[i]
        if 0 <= member < 63 and (w.members[i] >> member) & 1:
            return True
    return False


@kernel
def list_actions(w: Record, actions: list[int]) -> int:
    """Write all legal actions, in increasing order; returns how many there are."""
    n = 0
    for i in range(w.num_options):
        members = w.members[i]
        while members != 0:
            actions[n] = w.first[i] + lowest(members)
            members &= members - 1
            n += 1
    return n


@kernel
def log_event(w: Record, log: list[int], code: int) -> None:
    """Append a packed event; past the end of the log events are counted but not kept."""
    if w.logging:
        place = w.log_start + w.num_events
        if place < len(log):
            log[place] = code
        w.num_events += 1


@kernel
def take_script(w: Record) -> int:
    """The next scripted chance outcome, or -1 with a fault if there is none left."""
    if w.script_pos >= w.script_len:
        if w.fault == 0:
            w.fault = SCRIPT_OVER
        return -1
    outcome = w.script[w.script_pos]
    w.script_pos += 1
    return outcome


@inlined
def count_decision(w: Record, seat: int, action: int) -> None:
    """Count a decision before it is applied."""
    w.turn_legal += w.num_legal
    w.turn_kinds[kind_of(action)] += 1
    w.seat_decisions[seat] += 1
    w.seat_legal[seat] += w.num_legal


@kernel
def start_row(w: Record, turn: int, seat: int, num_kinds: int) -> int:
    """Begin the row of the turn that ends now and restart the turn's counters.

    Returns the place of the game's first own column.
    """
    w.turn_over = 1
    w.row[0] = turn
    w.row[1] = seat
    decisions = 0
    for kind in range(num_kinds):
        w.row[4 + kind] = w.turn_kinds[kind]
        decisions += w.turn_kinds[kind]
    w.row[2] = decisions
    w.row[3] = w.turn_legal
    clear_turn(w, num_kinds)
    return 4 + num_kinds


@kernel
def clear_turn(w: Record, num_kinds: int) -> None:
    """Restart the counters of a turn."""
    w.turn_legal = 0
    for kind in range(num_kinds):
        w.turn_kinds[kind] = 0
