"""Positions from a few words, for tests of the rules and for questions about them.

>>> from reefsim.testing import legal_texts, play, why_not
>>> match = position(zones={5: "1b 6n"}, creatures={0: "R5 D"}, phase="food", at="R5")
>>> legal_texts(match, "eat")
[]
>>> match = position(zones={5: "1b 6n"}, creatures={0: "R5 D"}, phase="food", at="R5", power=2)
>>> play(match, "eat 1", "take 1 1", "take -1 6").state.safe_points[0]
5
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reefsim.core.kernel import Mode, Record
from reefsim.core.match import Match
from reefsim.games.poseidons_kingdom.constants import (
    ALL_FRIENDS,
    NUM_DICE,
    NUM_OWNERS,
    OFFSETS,
    P_FOOD,
    P_MOVE,
    P_STEP,
    SYMBOLS,
)
from reefsim.games.poseidons_kingdom.game import GAME
from reefsim.games.poseidons_kingdom.invariants import check_state
from reefsim.games.poseidons_kingdom.reefs import find_hex, find_powers, lay_tile
from reefsim.games.poseidons_kingdom.ruleset import PoseidonsKingdomRuleset
from reefsim.games.poseidons_kingdom.state import RULES, STATE, cell_of

_OWNERS = "abcdn"  # of dice: seats, neutral
_PHASES = {"step": P_STEP, "move": P_MOVE, "food": P_FOOD}


def position(
    *,
    seats: int = 4,
    seat: int = 0,
    rules: Mapping[str, Any] | None = None,
    phase: str = "step",
    at: str = "",
    zones: Mapping[int, str] | None = None,
    tower: str = "",
    reefs: Mapping[int, Sequence[str]] | None = None,
    store: Mapping[int, Mapping[str, str]] | None = None,
    skeletons: Mapping[int, Sequence[str]] | None = None,
    creatures: Mapping[int, str] | None = None,
    shark: str = "",
    direction: int = 1,
    ring: Mapping[int, int] | None = None,
    friends: Mapping[int, Sequence[int]] | None = None,
    coral: Sequence[str] = (),
    last_turns: int = 0,
    power: int = 1,
    seed: int = 0,
    scripted: bool = False,
    mode: Mode = "plain",
) -> Match:
    """Build a match in a turn of a seat, with just what is described.

    What is not said is as in the opening position, but all dice are in their supplies.

    Parameters
    ----------
    seats, seat : number of players; whose turn it is
    rules : differences from the published game
    phase : "step", "move" or "food"; `at` is then the space of the creature that moved
    zones : dice in food zones, as "1a 6n": face and owner, a to d the seats, n neutral
    tower : dice on it, as "aan"
    reefs : tiles built by a seat, in order, as "1,0 1,1 wave arrow"
    store : stored dice by seat and hex
    skeletons : hexes by seat
    creatures : the two spaces by seat, as "L3 B"
    shark, direction : its space, and 1 or -1
    ring : spaces by seat
    friends : tentacles that still hold a friend, by seat; the safe places of others are gone
    coral : kinds on the numbers, in order
    last_turns : last turns left, the running one included; the ring is empty then
    power : the least power of every symbol
    seed, mode : as for a `Match`
    scripted : dice that fall are handed to `Match.apply`

    Raises
    ------
    ValueError : if something cannot be read, or the position breaks an invariant; the message says
        which
    """
    ruleset = PoseidonsKingdomRuleset.make({"base_power": power} | dict(rules or {}), seats)
    match = Match(GAME, ruleset, seats, seed=seed, mode=mode)
    s, r = match.plain_state(), RULES.to_plain(match.rules)
    spaces = list(ruleset.data_set("ocean")["nodes"])
    _clear_dice(s, r)
    for x, tiles in (reefs or {}).items():
        for tile in tiles:
            _build(s, r, ruleset, x, tile)
    for zone, dice in (zones or {}).items():
        for die in map(_die, dice.split()):
            s.supply[die % NUM_OWNERS] -= 1
            s.zone[zone][die] += 1
    for letter in tower:
        s.supply[_OWNERS.index(letter)] -= 1
        s.tower[_OWNERS.index(letter)] += 1
    for x, boxes in (store or {}).items():
        for hex_, word in boxes.items():
            h, die = find_hex(s, x, cell_of(hex_)), _die(word)
            s.supply[die % NUM_OWNERS] -= 1
            s.stored[x] |= 1 << h
            s.die[x][h] = die
    for x, hexes in (skeletons or {}).items():
        for hex_ in hexes:
            s.dead[x] |= 1 << find_hex(s, x, cell_of(hex_))
            s.skeletons -= 1
    for x, words in (creatures or {}).items():
        s.creature[x] = [spaces.index(word) for word in words.split()]
    _set_friends(s, r, friends or {})
    for x in range(seats):
        find_powers(s, r, x)
        s.ring[x] = (ring or {}).get(x, s.ring[x])
    if shark:
        s.shark = list(r.loop).index(spaces.index(shark))
    s.direction = direction
    if coral:
        s.coral = [GAME.events.columns_of("coral")["kind"][1].index(kind) for kind in coral]
    s.seat = s.active = s.start = seat
    s.phase = _PHASES[phase]
    s.node = spaces.index(at) if at else s.node
    if last_turns:
        s.last_turns, s.cause, s.ender, s.ring_open = last_turns, 1, seat, 0
    if broken := check_state(s, r):
        raise ValueError("this is no position of the game: " + "; ".join(broken))
    STATE.fill(match.state, vars(s))
    match.work.scripted = int(scripted)
    return match


def _die(word: str) -> int:
    if len(word) != 2 or word[0] not in "123456" or word[1] not in _OWNERS:
        raise ValueError(f"{word!r} is no die; write '5b' or '3n'")
    return (int(word[0]) - 1) * NUM_OWNERS + _OWNERS.index(word[1])


def _clear_dice(s: Record, r: Record) -> None:
    """All dice go home."""
    for owner in range(NUM_OWNERS):
        s.supply[owner] += s.tower[owner]
        s.tower[owner] = 0
    for dice in s.zone:
        for die in range(NUM_DICE):
            s.supply[die % NUM_OWNERS] += dice[die]
            dice[die] = 0


def _build(s: Record, r: Record, ruleset: Any, seat: int, text: str) -> None:
    """Lay a tile of the kind with its two symbols."""
    cell, to, *names = text.split()
    first, second = map(SYMBOLS.index, names)
    pairs = [{r.first_symbol[kind], r.second_symbol[kind]} for kind in range(r.num_kinds)]
    if {first, second} not in pairs:
        raise ValueError(f"there is no tile with {' and '.join(names)}")
    side = OFFSETS.index(cell_of(to) - cell_of(cell))
    lay_tile(s, r, seat, cell_of(cell), side, first, second)
    s.reef_left[pairs.index({first, second})] -= 1


def _set_friends(s: Record, r: Record, friends: Mapping[int, Sequence[int]]) -> None:
    """Free the friends that are not named; their safe places go to them in the order of seats."""
    for seat, tentacles in friends.items():
        s.friends[seat] = sum(1 << tentacle - 1 for tentacle in tentacles)
        for tentacle in range(6):
            gone = (ALL_FRIENDS & ~s.friends[seat]) >> tentacle & 1
            if gone and s.safe_taken[tentacle] < r.stack_size[tentacle]:
                s.safe_points[seat] += r.stack[tentacle][s.safe_taken[tentacle]]
                s.safe_taken[tentacle] += 1
                s.safe_tiles[seat] += 1
