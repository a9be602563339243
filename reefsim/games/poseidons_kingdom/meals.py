"""What a meal needs: whether dice meet a condition, and whether they still can (PK-4.4, PK-7.3).

Three lists by face say what there is: `w.eaten` so far, `w.available` to be picked up, and
`w.storable` in store. A condition is the number of a tentacle, or SUM for coral.
"""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.games.poseidons_kingdom.constants import (
    BIG_PAIR,
    DIFFERENT,
    MAX_RING,
    NUM_FACES,
    SMALL_PAIR,
    STRAIGHT,
    SUM,
    THREE,
    TOTAL,
)


@kernel
def sum_eaten(w: Record) -> int:
    """Sum of the dice eaten so far."""
    total = 0
    for face in range(NUM_FACES):
        total += (face + 1) * w.eaten[face]
    return total


@kernel
def find_sums(w: Record, highest: int, picks: int) -> None:
    """Write into `w.sums` what can be added with so many picks: sums up to `highest`, as bits.

    Place k has the sums with exactly k dice picked up and any stored ones.
    """
    mask = (2 << highest) - 1
    most = min(picks, MAX_RING)
    for k in range(most + 1):
        w.sums[k] = 0
    w.sums[0] = 1
    for face in range(NUM_FACES):
        for _ in range(min(w.storable[face], highest // (face + 1))):
            w.sums[0] |= w.sums[0] << face + 1 & mask
    for face in range(NUM_FACES):
        for _ in range(min(w.available[face], highest // (face + 1))):
            for k in range(most, 0, -1):
                w.sums[k] |= w.sums[k - 1] << face + 1 & mask


@kernel
def is_sum(w: Record, target: int, picks: int, need: int) -> bool:
    """Whether the dice eaten can be filled up to a sum, `need` to `picks` of them from the zone."""
    rest = target - sum_eaten(w)
    if rest < 0:
        return False
    find_sums(w, rest, picks)
    for k in range(need, min(picks, MAX_RING) + 1):
        if (w.sums[k] >> rest) & 1:
            return True
    return False


@kernel
def is_alike(w: Record, first: int, last: int, size: int, picks: int, need: int) -> bool:
    """Whether they can become so many equal dice of a face from `first` to `last`."""
    eaten = 0
    for face in range(NUM_FACES):
        eaten += w.eaten[face]
    for face in range(first, last + 1):
        if w.eaten[face] == eaten and eaten <= size:
            lack = size - eaten
            picked = max(need, lack - min(lack, w.storable[face]))
            if picked <= lack and picked <= min(picks, w.available[face]):
                return True
    return False


@kernel
def is_straight(w: Record, longest: int, picks: int, need: int) -> bool:
    """Whether they can become a straight of three dice, or of three to `longest`."""
    low, high = NUM_FACES, -1
    for face in range(NUM_FACES):
        if w.eaten[face] > 1:
            return False
        if w.eaten[face] == 1:
            low = min(low, face)
            high = face
    for first in range(NUM_FACES - 2):
        for end in range(first + 2, min(first + longest, NUM_FACES)):
            if first > low or (end < high):
                continue
            only = 0  # faces that have to be picked up
            either = 0  # faces that may be
            fits = True
            for face in range(first, end + 1):
                if w.eaten[face] == 0:
                    if w.available[face] > 0:
                        either += 1
                        if w.storable[face] == 0:
                            only += 1
                    elif w.storable[face] == 0:
                        fits = False
            if fits and max(only, need) <= min(picks, either):
                return True
    return False


@kernel
def is_different(w: Record, size: int, picks: int, need: int) -> bool:
    """Whether they can become so many different dice."""
    lack = size
    stored = 0
    either = 0
    both = 0
    for face in range(NUM_FACES):
        if w.eaten[face] > 1:
            return False
        if w.eaten[face] == 1:
            lack -= 1
        else:
            has_stored = w.storable[face] > 0
            has_picked = w.available[face] > 0
            stored += 1 if has_stored else 0
            either += 1 if has_picked else 0
            both += 1 if has_stored and has_picked else 0
    if lack < 0:
        return False
    picked = max(need, lack - min(lack, stored))
    return picked <= lack and picked <= min(picks, either) and lack <= stored + either - both


@kernel
def can_complete(r: Record, w: Record, meal: int, number: int, picks: int, need: int) -> bool:
    """Whether the dice eaten so far can still meet a condition, exactly.

    Parameters
    ----------
    meal : the condition
    number : the sum, of coral
    picks : dice that may still be picked up; need : that have to be, 0 or 1
    """
    if meal == TOTAL:
        return is_sum(w, r.total_target, picks, need)
    if meal == SUM:
        return is_sum(w, number, picks, need)
    if meal == SMALL_PAIR:
        return is_alike(w, 0, 2, 2, picks, need)
    if meal == BIG_PAIR:
        return is_alike(w, 3, 5, 2, picks, need)
    if meal == THREE:
        return is_alike(w, 0, 5, 3, picks, need)
    if meal == STRAIGHT:
        return is_straight(w, NUM_FACES if r.long_straight else 3, picks, need)
    if meal == DIFFERENT:
        return is_different(w, r.all_different_size, picks, need)
    return False


@kernel
def is_met(s: Record, r: Record, w: Record) -> bool:
    """Whether the dice eaten meet the condition of the open meal."""
    for face in range(NUM_FACES):
        w.eaten[face] = s.used[face]
        w.available[face] = 0
        w.storable[face] = 0
    need = 1 if r.needs_pick and s.meal != SUM and s.meal_picks == 0 else 0
    return can_complete(r, w, s.meal, s.number, 0, need)
