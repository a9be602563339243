"""What a position promises each seat, in points: the evaluation behind every built-in player.

The score, friends still to be freed at what their safe places are worth now, what a seat may free
in its running or next turn, and what helps it later: powers, stored dice, the ring, own dice for
the next crash. `WEIGHTS` names the terms; the values there were set by hand and are where training
starts.
"""

from __future__ import annotations

from typing import Any

from reefsim.core.bits import lowest, popcount
from reefsim.core.kernel import Record, kernel
from reefsim.games.poseidons_kingdom.constants import (
    ARROW,
    EATING,
    MAX_RING,
    NONE,
    NUM_CORALS,
    NUM_FACES,
    NUM_OWNERS,
    NUM_TENTACLES,
    P_AGAIN,
    P_FOOD,
    P_KRAKEN,
    P_MEAL,
    P_OVER,
    P_PEEK,
    P_REWARD,
    P_SETUP,
    P_SKELETON,
    STORE,
    SUM,
    TOTAL,
    WAVE,
)
from reefsim.games.poseidons_kingdom.friends import nearest_friend, rescued
from reefsim.games.poseidons_kingdom.meals import can_complete, find_sums
from reefsim.games.poseidons_kingdom.scoring import standing, tile_points
from reefsim.games.poseidons_kingdom.shark import next_place
from reefsim.games.poseidons_kingdom.steps import reachable
from reefsim.games.poseidons_kingdom.tower import face_of, own_total, tower_dice

# (name, value set by hand, meaning). The toolkit reads the first two, in every game.
WEIGHTS = (
    ("rivals", 0.5, "weight of the other seats' worth against one's own"),
    ("spread", 6.0, "points of worth that multiply the chances of a win by e"),
    ("friend", 1.0, "points for a friend rescued, besides the safe place"),
    ("future", 0.3, "a point of the safe place that a friend still to be freed would get now"),
    ("now", 0.9, "a point that can be eaten for in the running turn"),
    ("next", 0.6, "a point that can be eaten for in the next turn, as the board is"),
    ("eat", 2.0, "points for a level of eat power above the first, if the game is still young"),
    ("arrow", 1.2, "the same of arrow power"),
    ("wave", 0.8, "the same of wave power"),
    ("later", 0.6, "a further level of a power, against the one below"),
    ("box", 0.25, "points for a live die box, up to four"),
    ("stored", 0.35, "points for a stored die"),
    ("skeleton", 0.5, "points that a skeleton costs"),
    ("ring", 0.25, "points for a space of the ring creature from the shallows on"),
    ("crash", 0.06, "a point of own dice on board and tower, if the tower is full"),
    ("reward", 0.8, "a point that a reward of the running crash may bring"),
    ("loss", 1.0, "points that a creature costs which the shark is about to eat"),
    ("danger", 0.25, "points that a creature costs within three spaces before the shark"),
    ("dolphin", 1.0, "points for the dolphin"),
    ("peek", 0.1, "points for a known coral tile on the Kraken"),
)
(
    RIVALS, SPREAD, FRIEND, FUTURE, NOW, NEXT, EAT_LEVEL, ARROW_LEVEL, WAVE_LEVEL, LATER, BOX,
    STORED, DEAD, RING, CRASH_DICE, REWARDED, LOSS, DANGER, WITH_DOLPHIN, KNOWN,
) = range(len(WEIGHTS))  # fmt: skip

BOXES = 4  # that are of use
AHEAD = 3  # spaces before the shark that are dangerous
MEAN_FACE = 3.5


@kernel
def has_turn(s: Record, seat: int) -> bool:
    """Whether a seat has a turn left, or is in its own before the shark moves."""
    if s.last_turns == 0:
        return True
    distance = (seat - s.active + s.seats) % s.seats
    if distance == 0:
        return s.phase < P_KRAKEN
    return distance < s.last_turns


@kernel
def top_value(s: Record, r: Record, tentacle: int) -> int:
    """Value of the safe place that lies on top of a stack, 0 if it is empty."""
    taken = s.safe_taken[tentacle]
    return r.stack[tentacle][taken] if taken < r.stack_size[tentacle] else 0


@kernel
def freeing(s: Record, r: Record, weights: Any, tentacle: int) -> float:
    """Points for freeing a friend: his safe place, less what it counted for before."""
    return weights[FRIEND] + (1.0 - weights[FUTURE]) * top_value(s, r, tentacle)


@kernel
def take_stock(s: Record, w: Record, seat: int) -> None:
    """Write down what a seat has in store."""
    for face in range(NUM_FACES):
        w.eaten[face] = 0
        w.storable[face] = 0
    rest = s.stored[seat]
    while rest != 0:
        w.storable[face_of(s.die[seat][lowest(rest)])] += 1
        rest &= rest - 1


@kernel
def zone_worth(
    s: Record, r: Record, w: Record, weights: Any, seat: int, zone: int, picks: int
) -> float:
    """The best that a seat can eat for in a food zone; its store is written down already."""
    for face in range(NUM_FACES):
        w.available[face] = 0
        for owner in range(NUM_OWNERS):
            w.available[face] += s.zone[zone][face * NUM_OWNERS + owner]
    best = 0.0
    for tentacle in range(NUM_TENTACLES):
        if (s.friends[seat] >> tentacle) & 1:
            value = freeing(s, r, weights, tentacle)
            if value > best and can_complete(r, w, TOTAL + tentacle, 0, picks, r.needs_pick):
                best = value
    if s.last_turns > 0:
        best = max(best, coral_worth(s, r, w, seat, picks))
    return best


@kernel
def coral_worth(s: Record, r: Record, w: Record, seat: int, picks: int) -> float:
    """The best coral tile that a seat can eat for with the dice written down."""
    find_sums(w, r.first_number + NUM_CORALS - 1, picks)
    sums = 0
    for n in range(min(picks, MAX_RING) + 1):
        sums |= w.sums[n]
    best = 0
    for i in range(NUM_CORALS):
        if (sums >> r.first_number + i) & 1 and s.coral_owner[i] == NONE and s.coral[i] >= 0:
            best = max(best, tile_points(s, r, seat, s.coral[i]))
    return 0.0 + best


@kernel
def meal_worth(s: Record, r: Record, weights: Any) -> float:
    """What the open meal is for; it can be completed, or it would not be open."""
    if s.meal != SUM:
        return freeing(s, r, weights, s.meal - TOTAL)
    kind = s.coral[s.number - r.first_number]
    return 0.0 + tile_points(s, r, s.seat, kind) if kind >= 0 else 0.0


@kernel
def food_worth(s: Record, r: Record, w: Record, weights: Any, seat: int) -> float:
    """What a seat can eat for: in its running turn, else in its next one, as the board is."""
    take_stock(s, w, seat)
    picks = s.power[seat][EATING]
    if seat == s.active and P_FOOD <= s.phase < P_KRAKEN:
        if s.phase == P_MEAL:
            return weights[NOW] * meal_worth(s, r, weights)
        if s.phase == P_FOOD:
            zone = r.zone_of[s.node]
            return weights[NOW] * zone_worth(s, r, w, weights, seat, zone, picks)
        if s.phase == P_AGAIN:
            return 0.0
    zones = 0
    for i in range(2):
        rest = reachable(s, r, s.creature[seat][i], s.power[seat][ARROW])
        while rest != 0:
            zones |= 1 << r.zone_of[lowest(rest)]
            rest &= rest - 1
    best = 0.0
    while zones != 0:
        best = max(best, zone_worth(s, r, w, weights, seat, lowest(zones), picks))
        zones &= zones - 1
    coming = seat == s.active and s.phase < P_FOOD
    return (weights[NOW] if coming else weights[NEXT]) * best


@kernel
def power_worth(s: Record, r: Record, weights: Any, seat: int, symbol: int, first: int) -> float:
    """Points for a power; each further level is worth less."""
    worth = 0.0
    value = weights[first]
    for _ in range(s.power[seat][symbol] - 1):
        worth += value
        value *= weights[LATER]
    return worth


@kernel
def creature_risk(s: Record, r: Record, weights: Any, seat: int) -> float:
    """What the shark may cost a seat: in the running turn, and after it."""
    if s.dolphin == seat:
        return 0.0
    steps = 0  # still to come in this turn
    if P_FOOD <= s.phase <= P_KRAKEN:
        steps = r.shark_number[s.node]
    elif s.phase <= P_SKELETON or s.phase == P_PEEK:
        steps = s.steps
    risk = weights[LOSS] * s.victims[seat]
    shark = s.shark
    for ahead in range(steps + AHEAD):
        shark = next_place(s, r, shark)
        for i in range(2):
            if s.creature[seat][i] == r.loop[shark]:
                risk += weights[LOSS] if ahead < steps else weights[DANGER]
    return risk


@kernel
def reward_worth(s: Record, r: Record, weights: Any, seat: int) -> float:
    """Points of the reward that a seat may still take in the running crash."""
    asked = (seat - s.active + s.seats) % s.seats + 1
    waits = s.phase == P_REWARD and s.seat == seat
    if s.asked >= asked and not waits:
        return 0.0
    total = s.total[seat]
    worth = 0.0
    if total >= r.threshold[0]:
        worth = 0.2
    if total >= r.threshold[1]:
        worth = 0.4
    if total >= r.threshold[2]:
        worth = max(worth, weights[RING] * r.reward_ring_steps)
    if total >= r.threshold[3]:
        worth = max(worth, weights[DEAD] * popcount(s.dead[seat]))
    if total >= r.threshold[4]:
        tentacle = nearest_friend(s, r, seat)
        if tentacle >= 0:
            worth = max(worth, freeing(s, r, weights, tentacle))
    if r.dolphin and total >= r.threshold[5]:
        worth = max(worth, weights[WITH_DOLPHIN])
    return weights[REWARDED] * worth


@kernel
def promise(s: Record, r: Record, w: Record, weights: Any, seat: int, young: float) -> float:
    """Points a seat may expect beyond its score, while it has a turn left."""
    worth = food_worth(s, r, w, weights, seat)
    if s.last_turns > 0:
        return worth
    for tentacle in range(NUM_TENTACLES):
        if (s.friends[seat] >> tentacle) & 1:
            worth += weights[FUTURE] * top_value(s, r, tentacle)
    powers = power_worth(s, r, weights, seat, EATING, EAT_LEVEL)
    powers += power_worth(s, r, weights, seat, ARROW, ARROW_LEVEL)
    powers += power_worth(s, r, weights, seat, WAVE, WAVE_LEVEL)
    boxes = popcount(s.symbol[seat][STORE] & ~s.dead[seat])
    powers += weights[BOX] * min(boxes, BOXES)
    worth += powers * young
    worth += weights[STORED] * popcount(s.stored[seat])
    worth -= weights[DEAD] * popcount(s.dead[seat])
    worth += weights[RING] * s.ring[seat]
    worth += weights[KNOWN] * popcount(s.seen[seat])
    if s.dolphin == seat:
        worth += weights[WITH_DOLPHIN]
    dice = own_total(s, r, seat) + MEAN_FACE * s.tower[seat]
    worth += weights[CRASH_DICE] * dice * tower_dice(s) / r.capacity
    return worth - creature_risk(s, r, weights, seat)


@kernel
def evaluate(s: Record, r: Record, w: Record, weights: Any) -> bool:
    """Write the points the position promises each seat into `w.worth`; see the module."""
    most = 0
    for seat in range(s.seats):
        most = max(most, rescued(s, seat))
    # powers are worth as much as there is time to use them
    young = 1.0 - most / (r.end_friends + 1.0)
    crash = s.asked > 0 and P_PEEK <= s.phase < P_OVER
    for seat in range(s.seats):
        worth = 0.0 + standing(s, r, seat, 0)
        if s.phase != P_SETUP:
            if s.last_turns == 0:
                worth += weights[FRIEND] * rescued(s, seat)
            if has_turn(s, seat):
                worth += promise(s, r, w, weights, seat, young)
            if crash:
                worth += reward_worth(s, r, weights, seat)
        w.worth[seat] = worth
    return False
