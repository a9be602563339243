"""Step 3: storing and eating dice, coral in the last turns, ring moves (PK-4, PK-7.3)."""

from __future__ import annotations

from reefsim.core.bits import lowest
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import add
from reefsim.games.poseidons_kingdom.constants import (
    A_KRAKEN,
    A_SHARK,
    BUY,
    BY_EATING,
    EAT,
    EATING,
    END_FOOD,
    END_MEAL,
    KRAKEN,
    MAX_RING,
    NEUTRAL,
    NONE,
    NUM_CORALS,
    NUM_DICE,
    NUM_FACES,
    NUM_OWNERS,
    NUM_TENTACLES,
    P_AGAIN,
    P_FOOD,
    P_KRAKEN,
    P_MEAL,
    P_PUT,
    PUT,
    PUT_SHIFT,
    STORE,
    SUM,
    TAKE,
    TOTAL,
    USE,
    WHITE,
)
from reefsim.games.poseidons_kingdom.friends import ask_peek, move_ring, rescue
from reefsim.games.poseidons_kingdom.log import log_action
from reefsim.games.poseidons_kingdom.meals import can_complete, find_sums, is_met
from reefsim.games.poseidons_kingdom.reefs import find_hex
from reefsim.games.poseidons_kingdom.tower import face_of, owner_of


@kernel
def open_food(s: Record, r: Record) -> None:
    """The moved creature may feed (PK-4.1)."""
    s.phase = P_FOOD
    s.picked = 0
    s.white = 0
    s.last_cell = NONE
    for owner in range(NUM_OWNERS):
        s.picks[owner] = 0


@kernel
def picks_left(s: Record) -> int:
    """Dice that may still be picked up in the turn: eat power is one limit for all of them."""
    return s.power[s.seat][EATING] - s.picked


@kernel
def count_faces(s: Record, r: Record, w: Record) -> None:
    """Write down what there is for a meal that nothing was eaten of yet."""
    zone = r.zone_of[s.node]
    for face in range(NUM_FACES):
        w.eaten[face] = 0
        w.storable[face] = 0
        w.available[face] = 0
        for owner in range(NUM_OWNERS):
            w.available[face] += s.zone[zone][face * NUM_OWNERS + owner]
    rest = s.stored[s.seat]
    while rest != 0:
        w.storable[face_of(s.die[s.seat][lowest(rest)])] += 1
        rest &= rest - 1


@kernel
def zone_dice(s: Record, r: Record) -> int:
    """Different dice in the food zone, as bits; none where the creature finds none."""
    zone = r.zone_of[s.node]
    found = 0
    if zone > 0:
        for die in range(NUM_DICE):
            if s.zone[zone][die] > 0:
                found |= 1 << die
    return found


@kernel
def put_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`put`: a die of the zone into a live box behind those filled in the turn (PK-4.3)."""
    dice = zone_dice(s, r)
    if dice == 0 or picks_left(s) <= 0:
        return k
    seat = s.seat
    boxes = s.symbol[seat][STORE] & ~s.dead[seat]
    for i in range(s.num_hexes[seat]):
        h = s.order[seat][i]
        cell = s.cell[seat][h]
        if (boxes >> h) & 1 and cell > s.last_cell:
            k = add(w, k, (cell + 1) << PUT_SHIFT | PUT << 16, dice)
    return k


@kernel
def eat_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`eat`: tentacles with an own friend whose condition can be met (PK-4.4)."""
    count_faces(s, r, w)
    found = 0
    for tentacle in range(NUM_TENTACLES):
        if (s.friends[s.seat] >> tentacle) & 1:
            if can_complete(r, w, TOTAL + tentacle, 0, picks_left(s), r.needs_pick):
                found |= 1 << tentacle
    return add(w, k, EAT << 16 | 1, found)


@kernel
def buy_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`buy`: numbers of tiles on the Kraken whose sum can be eaten (PK-7.3, PK-7.4)."""
    if s.last_turns == 0:
        return k
    count_faces(s, r, w)
    picks = max(0, picks_left(s))
    find_sums(w, r.first_number + NUM_CORALS - 1, picks)
    sums = 0
    for n in range(min(picks, MAX_RING) + 1):
        sums |= w.sums[n]
    found = sums >> r.first_number
    for i in range(NUM_CORALS):
        if s.coral_owner[i] != NONE:
            found &= ~(1 << i)
    if s.white:
        found &= ~WHITE
    return add(w, k, BUY << 16 | r.first_number, found & (1 << NUM_CORALS) - 1)


@kernel
def find_meal(s: Record, r: Record, w: Record) -> bool:
    """Note what may be eaten next, in the order of dice and hexes, so that a meal can be completed.

    Dice are noted in `w.takes`, places in the order of hexes in `w.uses`; returns whether any are.
    """
    seat = s.seat
    zone = r.zone_of[s.node]
    need = 1 if r.needs_pick and s.meal != SUM and s.meal_picks == 0 else 0
    count_faces(s, r, w)
    for face in range(NUM_FACES):
        w.eaten[face] = s.used[face]
        w.available[face] = 0
    takes = 0
    if s.last_cell == NONE and picks_left(s) > 0 and zone > 0:
        for die in range(NUM_DICE - 1, max(0, s.last_die) - 1, -1):
            if s.zone[zone][die] > 0:
                face = face_of(die)
                w.available[face] += s.zone[zone][die] - 1
                w.eaten[face] += 1
                if can_complete(r, w, s.meal, s.number, picks_left(s) - 1, 0):
                    takes |= 1 << die
                w.eaten[face] -= 1
                w.available[face] += 1
    uses = 0  # by place in the order of hexes
    for face in range(NUM_FACES):
        w.available[face] = 0
        w.storable[face] = 0
    if s.stored[seat] != 0 and need == 0:
        for i in range(s.num_hexes[seat] - 1, -1, -1):
            h = s.order[seat][i]
            if (s.stored[seat] >> h) & 1 and s.cell[seat][h] > s.last_cell:
                face = face_of(s.die[seat][h])
                w.eaten[face] += 1
                if can_complete(r, w, s.meal, s.number, 0, 0):
                    uses |= 1 << i
                w.eaten[face] -= 1
                w.storable[face] += 1
    w.takes = takes
    w.uses = uses
    return takes | uses != 0


@kernel
def meal_options(s: Record, r: Record, w: Record, k: int) -> int:
    """`take` and `use`."""
    find_meal(s, r, w)
    seat = s.seat
    k = add(w, k, TAKE << 16, w.takes)
    uses = w.uses
    while uses != 0:
        k = add(w, k, USE << 16 | s.cell[seat][s.order[seat][lowest(uses)]], 1)
        uses &= uses - 1
    return k


@kernel
def food_options(s: Record, r: Record, w: Record, k: int) -> int:
    """What a seat may do in step 3, by phase, in the order of the codes."""
    if s.phase == P_MEAL:
        k = meal_options(s, r, w, k)
        return add(w, k, END_MEAL << 16, 1) if is_met(s, r, w) else k
    if s.phase == P_FOOD:
        k = eat_options(s, r, w, k)
    if s.phase != P_PUT:
        k = buy_options(s, r, w, k)
    k = add(w, k, END_FOOD << 16, 1)
    if s.phase != P_AGAIN:
        k = put_options(s, r, w, k)
    return k


@kernel
def pick_up(s: Record, r: Record, w: Record, die: int) -> None:
    """Take a die out of the food zone; others' dice move their ring creatures (PK-4.7)."""
    owner = owner_of(die)
    s.zone[r.zone_of[s.node]][die] -= 1
    s.picked += 1
    w.turn_picked += 1
    if owner == s.seat:
        w.picked_own[s.seat] += 1
    elif owner == NEUTRAL:
        w.picked_neutral[s.seat] += 1
    else:
        w.picked_others[s.seat] += 1
        if s.ring_open:
            s.picks[owner] += 1


@kernel
def clear_box(s: Record, seat: int, h: int) -> None:
    """A stored die goes home, if there is one (PK-4.6)."""
    if (s.stored[seat] >> h) & 1:
        s.supply[owner_of(s.die[seat][h])] += 1
        s.stored[seat] &= ~(1 << h)


@kernel
def do_put(s: Record, r: Record, w: Record, log: list[int], cell: int, die: int) -> None:
    """Store a die; what lay in the box goes home (PK-4.3)."""
    log_action(s, w, log, PUT, cell, die)
    seat = s.seat
    h = find_hex(s, seat, cell)
    clear_box(s, seat, h)
    pick_up(s, r, w, die)
    s.stored[seat] |= 1 << h
    s.die[seat][h] = die
    s.last_cell = cell
    s.phase = P_PUT
    w.stored_dice[seat] += 1


@kernel
def open_meal(s: Record, meal: int, number: int) -> None:
    """Begin to eat."""
    s.phase = P_MEAL
    s.meal = meal
    s.number = number
    s.meal_picks = 0
    s.last_die = NONE
    s.last_cell = NONE
    for face in range(NUM_FACES):
        s.used[face] = 0


@kernel
def do_take(s: Record, r: Record, w: Record, log: list[int], die: int) -> None:
    """Eat a die of the zone; it goes home."""
    pick_up(s, r, w, die)
    s.supply[owner_of(die)] += 1
    s.used[face_of(die)] += 1
    s.meal_picks += 1
    s.last_die = die
    log_action(s, w, log, TAKE, die, close_meal(s, r, w))


@kernel
def do_use(s: Record, r: Record, w: Record, log: list[int], cell: int) -> None:
    """Eat a stored die; it goes home."""
    h = find_hex(s, s.seat, cell)
    s.used[face_of(s.die[s.seat][h])] += 1
    clear_box(s, s.seat, h)
    s.last_cell = cell
    log_action(s, w, log, USE, cell, close_meal(s, r, w))


@kernel
def do_end_meal(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Leave a straight as it is (PKQ-18)."""
    log_action(s, w, log, END_MEAL, 0, finish_meal(s, r, w))


@kernel
def close_meal(s: Record, r: Record, w: Record) -> int:
    """End a meal that is complete; returns the friend freed for the log, 0 for nobody."""
    complete = is_met(s, r, w) and not find_meal(s, r, w)
    return finish_meal(s, r, w) if complete else 0


@kernel
def finish_meal(s: Record, r: Record, w: Record) -> int:
    """What a meal was for: a friend or coral (PK-4.5, PK-7.3); returns the friend for the log."""
    seat = s.seat
    meal = s.meal
    freed = 0
    s.phase = A_KRAKEN
    s.meal = 0
    if meal == SUM:
        i = s.number - r.first_number
        s.coral_owner[i] = seat
        s.seen[seat] |= 1 << i
        if (WHITE >> i) & 1:
            s.white = 1
            s.phase = P_AGAIN
    else:
        freed = rescue(s, r, w, seat, meal - TOTAL, BY_EATING)
        if s.last_turns > 0 and r.both:
            s.phase = P_AGAIN
    return freed


@kernel
def do_end_food(s: Record, w: Record, log: list[int]) -> None:
    """Nothing more is picked up."""
    log_action(s, w, log, END_FOOD, 0, 0)
    s.phase = A_KRAKEN


@kernel
def ask_kraken(s: Record) -> None:
    """Ask for the next ring move, if one is left, else the shark moves (PK-4.7)."""
    s.phase = A_SHARK
    for owner in range(s.seats):
        if s.picks[owner] > 0:
            s.phase = P_KRAKEN
            s.seat = s.active


@kernel
def kraken_options(s: Record, w: Record, k: int) -> int:
    """`kraken`: the creatures that still have to move."""
    owners = 0
    for owner in range(s.seats):
        if s.picks[owner] > 0:
            owners |= 1 << owner
    return add(w, k, KRAKEN << 16, owners)


@kernel
def do_kraken(s: Record, r: Record, w: Record, log: list[int], owner: int) -> None:
    """Move a ring creature; its owner may peek from the shallows (PK-4.9)."""
    freed = move_ring(s, r, w, owner, s.picks[owner])
    s.picks[owner] = 0
    log_action(s, w, log, KRAKEN, s.ring[owner] << 2 | owner, freed)
    s.phase = A_KRAKEN
    if s.ring[owner] == 0:
        ask_peek(s, owner, False, A_KRAKEN)


@kernel
def do_eat(s: Record, w: Record, log: list[int], tentacle: int) -> None:
    """Begin to eat for a friend."""
    log_action(s, w, log, EAT, tentacle, 0)
    open_meal(s, tentacle, 0)


@kernel
def do_buy(s: Record, w: Record, log: list[int], number: int) -> None:
    """Begin to eat for coral."""
    log_action(s, w, log, BUY, number, 0)
    open_meal(s, SUM, number)
