"""Positions from a few words, for tests of the rules and for questions about them.

>>> from reefsim.testing import divide, legal_texts, perft, play, why_not
>>> match = position("R2", "W: F4 G4; Y: F5 E5 | green@F4", larvae="W", behind="W")
>>> play(match.copy(), "grow white", "place F5 behind").state.front[0]
[0, 1, 0, 0, 0]
>>> legal_texts(match, "grow")
['grow white']
>>> why_not(position("R2", "W: F4; Y: A5 | red@F4"), "feed F4")
'R3.1: the coral on F4 has 1 tiles, 5 are needed'
>>> divide(match, 2)["collect grey"] == perft(play(match.copy(), "collect grey"), 1)
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from reefsim.core.kernel import Mode, Record
from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import (
    ALGAE,
    ALL_TILES,
    BOARD_IDS,
    LETTERS,
    NONE,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_ROWS,
    NUM_TILES,
    P_TURN,
    ROCK,
    SIDES,
)
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.invariants import check_state
from reefsim.games.reef_encounter.invariants.from_scratch import Position
from reefsim.games.reef_encounter.notation import cell_index
from reefsim.games.reef_encounter.ruleset import ReefEncounterRuleset
from reefsim.games.reef_encounter.scoring import set_dominance
from reefsim.games.reef_encounter.shrimps import land
from reefsim.games.reef_encounter.state import RULES, STATE

Stock = str  # "W4 Y3", "YW" or "Y×3 W×4"
PLAYERS = ("red", "green", "yellow", "purple")
_COUNT = re.compile(rf"([{LETTERS}])[×x]?(\d*)[\s,]*")


def position(
    boards: str | Sequence[str],
    layout: str = "",
    *,
    seat: str = "red",
    seats: int | None = None,
    seating: Sequence[str] = PLAYERS,
    rules: ReefEncounterRuleset | Mapping[str, Any] | None = None,
    behind: Stock | Mapping[str, Stock] = "",
    front: Stock | Mapping[str, Stock] = "",
    larvae: Stock | Mapping[str, Stock] = "",
    fish: Stock | Mapping[str, Stock] = "W",
    eaten: int | Mapping[str, int] = 0,
    side: str = "starfish",
    flipped: str = "",
    locked: str = "",
    space: str | None = None,
    sea: Stock | Sequence[Stock] = "W3 Y3 O3 P2 G1",
    bonus: Stock = LETTERS,
    bag: Stock | None = None,
    supply: Stock = "",
    turn: int | None = None,
    fresh: bool = True,
    scripted: bool = False,
    seed: int = 0,
    mode: Mode = "plain",
) -> Match:
    """Build a match in the turn of a seat, with just the tiles and shrimps described.

    What is not said is empty, and what is left over lies where it would: tiles in the bag, larvae
    and cylinders in the supply, shrimps behind. So the pieces always add up.

    Parameters
    ----------
    boards : ids of the boards in play, "R2" or "R2 R4"; missing ones are added, empty
    layout : "W: F4 G4; Y: F5 | red@F5 green@R4.A5", or instead of the tiles a picture of the boards
        side by side (`~` deep water, a capital letter a tile, anything else none). A cell is named
        as in records (`K4` is on the second board) or after its board (`R4.D4`)
    seat : the seat to act, by name
    seats : number of players; by default as many as boards and names need, at least two
    seating : names of the players in turn order
    rules : a ruleset, or differences from the published game
    behind, front, larvae, fish : stocks of the seat to act, or of several by name, as "W4 Y3"; the
        first tile of a fish is the secret one
    eaten : shrimps eaten by the seat to act, or by several by name
    side, flipped, locked : side of the coral tiles at the start; those turned over since, as
        "T3 T6"; those with a cylinder
    space : alga on the alga space
    sea : number of tiles on each space, all of its color, or the five stocks
    bonus, bag, supply : tiles of the bonus row and of the bag, larvae in the supply (of the colors
        named). What is then left over lies behind the next seat
    turn : number of the turn; by default the seat's first
    fresh : nothing has been done this turn, so that the seat may feed
    scripted : refills are handed to `Match.apply`
    seed, mode : as for a `Match`

    Raises
    ------
    ValueError : if something cannot be read, or the position breaks an invariant; the message says
        which
    """
    ids = boards.split() if isinstance(boards, str) else list(boards)
    tiles, _, shrimps = layout.partition("|")
    by_name = [set(x) for x in (behind, front, larvae, fish, eaten) if isinstance(x, Mapping)]
    names = {seat, *re.findall(r"(\w+)@", shrimps)}.union(*by_name)
    seats = seats or max(2, len(ids), *(1 + _place(name, seating) for name in names))
    ids += [board for board in BOARD_IDS if board not in ids][: seats - len(ids)]
    if not isinstance(rules, ReefEncounterRuleset):
        rules = ReefEncounterRuleset.make(rules or {}, seats)
    match = Match(GAME, rules, seats, seed=seed, mode=mode)

    s, r = match.plain_state(), RULES.to_plain(match.rules)
    actor = _place(seat, seating)
    people = _People(seating[:seats], seat)
    _set_boards(s, ids)
    _set_tiles(s, _tiles(tiles, ids))
    for x in range(seats):
        s.behind[x] = _stock(people.own(behind, x, ""))
        s.front[x] = _stock(people.own(front, x, ""))
        s.larvae[x] = _stock(people.own(larvae, x, ""))
        s.fish[x] = _stock(people.own(fish, x, "W"))
        s.stash[x] = LETTERS.index(people.own(fish, x, "W")[0])
        s.eaten[x] = people.own(eaten, x, 0)
        s.unknown[x] = 0
    for name, cell in _shrimps(shrimps, ids):
        land(s, _place(name, seating), cell)
    for x in range(seats):
        s.in_hand[x] = r.shrimps_per_player - s.num_shrimps[x] - s.eaten[x]
    _set_coral_tiles(s, r, side, flipped, locked, space)
    s.sea = [_stock(stock) for stock in (_levels(sea) if isinstance(sea, str) else sea)]
    _share_out(s, r, (actor + 1) % seats, bonus, bag, supply)
    s.known = [list(stock) for stock in s.behind]
    s.seat, s.phase, s.fresh = actor, P_TURN, int(fresh)
    s.turn = actor + 1 if turn is None else turn

    if broken := check_state(s, r):
        raise ValueError("this is no position of the game: " + "; ".join(broken))
    STATE.fill(match.state, vars(s))
    match.work.scripted = int(scripted)
    return match


class _People:
    """Who a parameter speaks of: the seat to act, or seats by name."""

    def __init__(self, names: Sequence[str], actor: str) -> None:
        self.names, self.actor = names, actor

    def own(self, given: Any, x: int, default: Any) -> Any:
        """What is given for seat x."""
        by_name = given if isinstance(given, Mapping) else {self.actor: given}
        return by_name.get(self.names[x], default)


def _place(name: str, seating: Sequence[str]) -> int:
    if name not in seating:
        raise ValueError(f"{name!r} sits nowhere; seats: {', '.join(seating)}")
    return list(seating).index(name)


def _stock(text: str) -> list[int]:
    """Tiles or larvae by color; "YW" and "Y1 W1" are the same."""
    found = _letters(text)
    return [sum(n for letter, n in found if letter == color) for color in LETTERS]


def _letters(text: str) -> list[tuple[str, int]]:
    text = text.strip()
    if _COUNT.sub("", text):
        raise ValueError(f"{text!r} is no stock; write for example 'W4 Y3'")
    return [(letter, int(number or 1)) for letter, number in _COUNT.findall(text)]


def _levels(text: str) -> list[str]:
    levels = dict.fromkeys(LETTERS, 0) | dict(_letters(text))
    return [f"{color}{level}" for color, level in levels.items()]


def _cell(name: str, ids: Sequence[str]) -> int:
    board, _, cell = name.rpartition(".")
    if board and board not in ids:
        raise ValueError(f"board {board} of cell {name} is not in play; boards: {', '.join(ids)}")
    return cell_index(cell) + (ids.index(board) << 6 if board else 0)


def _tiles(text: str, ids: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Cells and colors of the tiles, from notation or from a picture."""
    if ":" not in text and text.strip():
        yield from _picture(text, ids)
        return
    for part in filter(str.strip, text.split(";")):
        color, _, cells = part.partition(":")
        if color.strip() not in tuple(LETTERS):
            raise ValueError(f"{part.strip()!r} names no color; write for example 'W: F4 G4'")
        for cell in cells.split():
            yield _cell(cell, ids), LETTERS.index(color.strip())


def _picture(text: str, ids: Sequence[str]) -> Iterator[tuple[int, int]]:
    lines = [line.split() for line in text.strip().splitlines()]
    if len(lines) != NUM_ROWS or any(len(part) != NUM_COLUMNS for line in lines for part in line):
        raise ValueError(f"a picture has {NUM_ROWS} lines of {NUM_COLUMNS} signs per board")
    for row, line in enumerate(lines):
        for board, part in enumerate(line):
            for column, sign in enumerate(part):
                cell = row << 3 | column
                if (sign == "~") == bool(ROCK[BOARD_IDS.index(ids[board])] >> cell & 1):
                    raise ValueError(f"row {row + 1} of the picture is not that of {ids[board]}")
                if sign in LETTERS:
                    yield board << 6 | cell, LETTERS.index(sign)


def _shrimps(text: str, ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    for word in text.split():
        name, _, cell = word.partition("@")
        yield name, _cell(cell, ids)


def _set_boards(s: Record, ids: Sequence[str]) -> None:
    """The boards, without a tile or shrimp."""
    for place in range(len(s.board)):
        s.board[place] = BOARD_IDS.index(ids[place]) if place < len(ids) else NONE
        s.rock[place] = ROCK[s.board[place]] if place < len(ids) else 0
        s.occupied[place] = 0
        s.tiles[place] = [0] * NUM_COLORS


def _set_tiles(s: Record, tiles: Iterable[tuple[int, int]]) -> None:
    for cell, color in tiles:
        s.tiles[cell >> 6][color] |= 1 << (cell & 63)
        s.occupied[cell >> 6] |= 1 << (cell & 63)


def _set_coral_tiles(
    s: Record, r: Record, side: str, flipped: str, locked: str, space: str | None
) -> None:
    """Sides and locks of the coral tiles, and the cylinders where that leaves them."""
    s.side = SIDES.index(side)
    s.reversed = (ALL_TILES if s.side else 0) ^ _tile_set(flipped)
    s.locked = _tile_set(locked)
    s.space = ALGAE.index(space) if space else NONE
    set_dominance(s, r)
    shown = [Position(s, r).face(tile)[2] for tile in range(NUM_TILES) if s.locked >> tile & 1]
    s.cylinders = [
        r.cylinders_per_alga - shown.count(alga) - (s.space == alga) for alga in range(len(ALGAE))
    ]


def _tile_set(text: str) -> int:
    return sum(1 << int(word.removeprefix("T")) - 1 for word in text.split())


def _share_out(
    s: Record, r: Record, heir: int, bonus: Stock, bag: Stock | None, supply: Stock
) -> None:
    """Put what is left where it would lie; what is not wanted there, behind the seat `heir`."""
    s.bonus, s.cube = _stock(bonus), [1] * NUM_COLORS
    on_boards = list(Position(s, r).tiles.values())
    wanted_bag = None if bag is None else _stock(bag)
    wanted_supply = dict(_letters(supply))
    for c, letter in enumerate(LETTERS):
        stocks = (*s.behind, *s.front, *s.fish, *s.sea, s.bonus)
        held = sum(stock[c] for stock in stocks) + on_boards.count(c)
        left = r.tiles_per_color - held
        s.bag[c] = left if wanted_bag is None else wanted_bag[c]
        s.behind[heir][c] += left - s.bag[c]
        cubes = r.larvae_per_color - 1 - sum(larvae[c] for larvae in s.larvae)
        s.supply[c] = wanted_supply.get(letter, cubes)
        s.larvae[heir][c] += cubes - s.supply[c]
