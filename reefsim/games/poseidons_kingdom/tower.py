"""Dice: supplies, the tower, and how they fall (PK-1.6-PK-1.9, PK-3.6, PK-4.6, PK-6.2, §2.4)."""

from __future__ import annotations

from reefsim.core.kernel import Record, inlined, kernel
from reefsim.core.rng import uniform
from reefsim.core.work import SCRIPT_IMPOSSIBLE, take_script
from reefsim.games.poseidons_kingdom.constants import (
    FALL,
    NUM_DICE,
    NUM_FACES,
    NUM_OWNERS,
)
from reefsim.games.poseidons_kingdom.log import log_chance
from reefsim.games.poseidons_kingdom.state import CHANCE_PARTS

FALLS_KEY = 2  # place of the key of the falls in `chance`


@kernel
def tower_dice(s: Record) -> int:
    """Dice on the tower."""
    total = 0
    for owner in range(NUM_OWNERS):
        total += s.tower[owner]
    return total


@inlined
def room(s: Record, r: Record) -> int:
    """Free places on the tower."""
    return r.capacity - tower_dice(s)


@kernel
def load_dice(s: Record, owner: int, number: int) -> None:
    """Put dice from a supply on the tower; room and supply are the caller's business."""
    s.supply[owner] -= number
    s.tower[owner] += number


@inlined
def owner_of(die: int) -> int:
    """Owner of a die, by its number."""
    return die % NUM_OWNERS


@inlined
def face_of(die: int) -> int:
    """Face of a die, from 0 on, by its number."""
    return die // NUM_OWNERS


@kernel
def own_total(s: Record, r: Record, seat: int) -> int:
    """Sum of a seat's own dice on the board (PK-6.5)."""
    total = 0
    for zone in range(1, r.num_zones + 1):
        for face in range(NUM_FACES):
            total += (face + 1) * s.zone[zone][face * NUM_OWNERS + seat]
    return total


@kernel
def draw_die(s: Record, r: Record, w: Record, place: int) -> int:
    """Where a die of the fall comes to lie: 0 off the board, else 1 + 6 (zone - 1) + face."""
    if w.scripted:
        outcome = take_script(w)
        if 0 <= outcome <= r.num_zones * NUM_FACES:
            zone = 0 if outcome == 0 else 1 + (outcome - 1) // NUM_FACES
            if (r.possible >> zone) & 1:
                return outcome
        if w.fault == 0:
            w.fault = SCRIPT_IMPOSSIBLE
        zone = 1
        while (r.possible >> zone) & 1 == 0:
            zone += 1
        return 1 + (zone - 1) * NUM_FACES
    k0, k1 = s.chance[FALLS_KEY], s.chance[FALLS_KEY + 1]
    part = uniform(k0, k1, FALL, s.falls, 2 * place, CHANCE_PARTS)
    zone = 0
    while part >= r.chance_up_to[zone]:
        zone += 1
    if zone == 0:
        return 0
    return 1 + (zone - 1) * NUM_FACES + uniform(k0, k1, FALL, s.falls, 2 * place + 1, NUM_FACES)


@kernel
def tip(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """All dice fall; again, if more than half of them leave the board (PK-6.2, PK-6.3)."""
    num = tower_dice(s)
    off = num
    w.drawn += 1
    while 2 * off > num:
        off = 0
        place = 0
        for owner in range(NUM_OWNERS):
            for _ in range(s.tower[owner]):
                outcome = draw_die(s, r, w, place)
                log_chance(s, w, log, FALL, outcome, owner)
                w.fell[place] = outcome
                place += 1
                if outcome == 0:
                    off += 1
        s.falls += 1
    place = 0
    for owner in range(NUM_OWNERS):
        for _ in range(s.tower[owner]):
            outcome = w.fell[place] - 1
            place += 1
            if outcome >= 0:
                zone = 1 + outcome // NUM_FACES
                s.zone[zone][outcome % NUM_FACES * NUM_OWNERS + owner] += 1
                w.fallen += 1
            else:
                w.off_board += 1
    # what left the board is all that is on the tower now
    place = 0
    for owner in range(NUM_OWNERS):
        fell = s.tower[owner]
        s.tower[owner] = 0
        for _ in range(fell):
            if w.fell[place] == 0:
                s.tower[owner] += 1
            place += 1


@kernel
def clear_zones(s: Record) -> None:
    """Take all dice off the board."""
    for zone in range(len(s.zone)):
        for die in range(NUM_DICE):
            s.zone[zone][die] = 0
