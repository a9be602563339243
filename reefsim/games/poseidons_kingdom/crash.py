"""Step 5: the tower tips, and what everybody gets for the dice on the board (PK-6)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add
from reefsim.games.poseidons_kingdom.constants import (
    A_END,
    A_REWARD,
    BY_REWARD,
    CLEANSE,
    DOLPHIN,
    LOAD_1,
    LOAD_2,
    NO_REWARD,
    NONE,
    P_REWARD,
    RESCUE,
    REWARD,
    TO_KRAKEN,
    TO_PEEK,
)
from reefsim.games.poseidons_kingdom.friends import (
    ask_peek,
    free_nearest,
    hidden_tiles,
    move_ring,
)
from reefsim.games.poseidons_kingdom.log import log_action
from reefsim.games.poseidons_kingdom.reefs import find_powers
from reefsim.games.poseidons_kingdom.tower import load_dice, own_total, room, tip, tower_dice


@kernel
def crash(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """The tower tips if it is full; the shark turns, the dolphin leaves (PK-6.1-PK-6.5)."""
    s.phase = A_END
    if tower_dice(s) < r.capacity:
        return
    tip(s, r, w, log)
    s.direction = -s.direction
    s.dolphin = NONE
    for seat in range(s.seats):
        s.total[seat] = own_total(s, r, seat)
        w.crash_points[seat] += s.total[seat]
    s.asked = 0
    s.phase = A_REWARD
    w.crashes += 1
    w.turn_crash = 1


@kernel
def ask_reward(s: Record, r: Record) -> None:
    """Ask the next seat whose total reaches the first tier, else the turn ends (PK-6.5)."""
    s.phase = A_END
    while s.asked < s.seats:
        seat = (s.active + s.asked) % s.seats
        s.asked += 1
        if s.total[seat] >= r.threshold[0]:
            s.seat = seat
            s.phase = P_REWARD
            return


@kernel
def may_take_dolphin(s: Record, r: Record, seat: int) -> bool:
    """Whether the dolphin is there and not somebody else's to take (PKQ-16)."""
    if not r.dolphin or s.dolphin != NONE:
        return False
    if r.highest_total:
        best = s.active
        for i in range(s.seats):
            other = (s.active + i) % s.seats
            if s.total[other] > s.total[best]:
                best = other
        return best == seat
    return True


@kernel
def reward_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`reward` as far as the total reaches and it would do something, `no_reward` (PK-6.6a)."""
    seat = s.seat
    total = s.total[seat]
    free = min(room(s, r), s.supply[seat])
    hidden = hidden_tiles(s, seat) != 0
    found = 0
    if total >= r.threshold[0] and free >= 1:
        found |= 1 << LOAD_1
    if total >= r.threshold[1] and free >= 2:
        found |= 1 << LOAD_2
    if total >= r.threshold[2]:
        if s.ring_open:
            found |= 1 << TO_KRAKEN
        if hidden:
            found |= 1 << TO_PEEK
    if total >= r.threshold[3] and (hidden or s.dead[seat] != 0):
        found |= 1 << CLEANSE
    if total >= r.threshold[4] and s.friends[seat] != 0:
        found |= 1 << RESCUE
    if total >= r.threshold[5] and may_take_dolphin(s, r, seat):
        found |= 1 << DOLPHIN
    k = add(w, k, REWARD << 16, found)
    return add(w, k, NO_REWARD << 16, 1)


@kernel
def cleanse(s: Record, r: Record, seat: int) -> None:
    """All own skeletons go back to the stock."""
    while s.dead[seat] != 0:
        s.dead[seat] &= s.dead[seat] - 1
        s.skeletons += 1
    find_powers(s, r, seat)


@kernel
def do_reward(s: Record, r: Record, w: Record, log: list[int], reward: int) -> None:
    """Take a reward (PK-6.6)."""
    seat = s.seat
    freed = 0
    place = 0  # 1 + ring space reached
    s.phase = A_REWARD
    if reward <= LOAD_2:
        load_dice(s, seat, 1 + reward)
    elif reward == TO_KRAKEN:
        freed = move_ring(s, r, w, seat, r.reward_ring_steps)
        place = 1 + s.ring[seat]
    elif reward == CLEANSE:
        cleanse(s, r, seat)
    elif reward == RESCUE:
        freed = free_nearest(s, r, w, seat, BY_REWARD)
    elif reward == DOLPHIN:
        s.dolphin = seat
    w.rewards[seat] += 1
    log_action(s, w, log, REWARD, reward | place << 3, freed)
    if TO_PEEK <= reward <= CLEANSE or place == 1:
        ask_peek(s, seat, reward == TO_PEEK, A_REWARD)


@kernel
def do_no_reward(s: Record, w: Record, log: list[int]) -> None:
    """Take none."""
    log_action(s, w, log, NO_REWARD, 0, 0)
    s.phase = A_REWARD
