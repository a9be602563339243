"""Positions read off the state, and meals found by trying everything.

Nothing here uses the powers, orders or feasibility tests of the rules, so that the two can be
compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from reefsim.core.kernel import Record
from reefsim.games.poseidons_kingdom.constants import (
    BIG_PAIR,
    DIFFERENT,
    HEX_NAMES,
    NUM_OWNERS,
    NUM_POWERS,
    SMALL_PAIR,
    STRAIGHT,
    SUM,
    SYMBOLS,
    THREE,
    TOTAL,
)

Faces = tuple[int, ...]  # how many dice of each face


@dataclass(frozen=True)
class Hex:
    """A hex of a reef; `die` is face and owner of a stored die."""

    name: str
    symbols: tuple[str, ...]
    level: int
    tile: int
    die: tuple[int, int] | None
    is_dead: bool


class Position:
    """A state with its rules; reefs by hex."""

    def __init__(self, state: Record, rules: Record) -> None:
        self.s, self.r = state, rules

    @cached_property
    def reefs(self) -> list[list[Hex]]:
        """The hexes of each reef, in the order in which they were laid."""
        return [self._reef(seat) for seat in range(self.s.seats)]

    def _reef(self, seat: int) -> list[Hex]:
        s = self.s
        hexes = []
        for h in range(s.num_hexes[seat]):
            shown = tuple(name for k, name in enumerate(SYMBOLS) if (s.symbol[seat][k] >> h) & 1)
            face, owner = divmod(s.die[seat][h], NUM_OWNERS)
            die = (face + 1, owner) if (s.stored[seat] >> h) & 1 else None
            dead = bool((s.dead[seat] >> h) & 1)
            name = HEX_NAMES[s.cell[seat][h]]
            hexes.append(Hex(name, shown, s.level[seat][h], s.tile[seat][h], die, dead))
        return hexes

    def power(self, seat: int, symbol: str) -> int:
        """The power of a symbol (§3)."""
        r = self.r
        levels = [
            x.level
            for x in self.reefs[seat]
            if symbol in x.symbols and (not x.is_dead or r.dead_symbol_power)
        ]
        return max([r.base_power, *levels])

    def powers(self, seat: int) -> list[int]:
        """All three."""
        return [self.power(seat, symbol) for symbol in SYMBOLS[:NUM_POWERS]]

    def zone_faces(self, zone: int, first: int = 0) -> Faces:
        """Dice in a food zone by face, from a die on; no dice in zone 0."""
        dice = self.s.zone[zone]
        return tuple(
            sum(n for die, n in enumerate(dice) if die >= first and die // NUM_OWNERS == face)
            for face in range(6)
        )

    def board_dice(self, owner: int) -> int:
        """Dice of an owner in all food zones."""
        return sum(sum(dice[owner::NUM_OWNERS]) for dice in self.s.zone)

    def stored_dice(self, owner: int) -> int:
        """Dice of an owner on all reefs."""
        return sum(x.die is not None and x.die[1] == owner for reef in self.reefs for x in reef)

    def stored_faces(self, seat: int, behind: int = -1) -> Faces:
        """Dice in store by face, those on hexes behind a cell."""
        dice = [
            x.die[0]
            for h, x in enumerate(self.reefs[seat])
            if x.die is not None and self.s.cell[seat][h] > behind
        ]
        return tuple(dice.count(face) for face in range(1, 7))


def meets(counts: Sequence[int], meal: int, number: int, r: Record) -> bool:
    """Whether dice, by face, meet a condition exactly (§1, PK-4.4, PK-7.3)."""
    faces = [face for face in range(1, 7) for _ in range(counts[face - 1])]
    if meal in (TOTAL, SUM):
        return sum(faces) == (r.total_target if meal == TOTAL else number)
    if meal in (SMALL_PAIR, BIG_PAIR):
        wanted = (1, 2, 3) if meal == SMALL_PAIR else (4, 5, 6)
        return len(faces) == 2 and faces[0] == faces[1] and faces[0] in wanted
    if meal == THREE:
        return len(faces) == 3 and len(set(faces)) == 1
    if meal == STRAIGHT:
        row = faces == list(range(faces[0], faces[0] + len(faces))) if faces else False
        return row and (len(faces) == 3 or (bool(r.long_straight) and len(faces) > 3))
    if meal == DIFFERENT:
        return len(faces) == len(set(faces)) == r.all_different_size
    return False


def additions(
    counts: Faces, available: Faces, storable: Faces, picks: int, highest: int
) -> Iterator[tuple[Faces, int]]:
    """All that dice may become, with the dice picked up for it; sums go up to `highest`."""

    def fill(face: int, found: list[int], picked: int, total: int) -> Iterator[tuple[Faces, int]]:
        if face == 6:
            yield tuple(found), picked
            return
        for i in range(min(available[face], picks - picked) + 1):
            for j in range(storable[face] + 1):
                more = (i + j) * (face + 1)
                if total + more > highest:
                    break
                found[face] += i + j
                yield from fill(face + 1, found, picked + i, total + more)
                found[face] -= i + j

    start = sum((face + 1) * n for face, n in enumerate(counts))
    if start <= highest:
        yield from fill(0, list(counts), 0, start)


def can_meet(
    counts: Faces,
    available: Faces,
    storable: Faces,
    picks: int,
    need: int,
    meal: int,
    number: int,
    r: Record,
) -> bool:
    """Whether dice can become a meal with `need` to `picks` more picked up, by trying all."""
    highest = {TOTAL: r.total_target, SUM: number}.get(meal, 21)
    few = 12 if meal in (TOTAL, SUM) else 3 if meal == THREE else 2  # of a face
    return any(
        picked >= need and meets(found, meal, number, r)
        for found, picked in additions(
            counts,
            tuple(min(n, few) for n in available),
            tuple(min(n, few) for n in storable),
            max(0, picks),
            highest,
        )
    )
