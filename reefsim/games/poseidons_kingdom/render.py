"""The position as text and as a picture.

A die is written as its face and its owner, `5b`: a to d the seats, n neutral.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap
from typing import Any

from reefsim.core.kernel import Record
from reefsim.games.poseidons_kingdom.constants import (
    CORALS,
    DICE,
    END_CAUSES,
    NEUTRAL,
    NONE,
    NUM_CORALS,
    NUM_TENTACLES,
    P_AGAIN,
    P_FLEE,
    P_FOOD,
    P_KRAKEN,
    P_MEAL,
    P_MOVE,
    P_PEEK,
    P_PLACE,
    P_PUT,
    P_REWARD,
    P_SETUP,
    P_SKELETON,
    P_STEP,
)
from reefsim.games.poseidons_kingdom.invariants.from_scratch import Hex, Position
from reefsim.games.poseidons_kingdom.narrate import TENTACLES
from reefsim.games.poseidons_kingdom.scoring import coral_points
from reefsim.games.poseidons_kingdom.state import RULES, STATE

_OWNERS = "abcdn"
_SYMBOL_LETTERS = {"wave": "W", "arrow": "A", "eat": "E", "store": "S", "plain": "-"}
_ASKED = {
    P_SETUP: "lays a starting tile",
    P_STEP: "builds or loads",
    P_PLACE: "places a reef tile",
    P_MOVE: "moves a creature",
    P_FOOD: "may feed",
    P_PUT: "may store more",
    P_MEAL: "eats",
    P_AGAIN: "may eat for coral",
    P_KRAKEN: "orders the ring moves",
    P_PEEK: "may look at coral",
    P_FLEE: "brings back an eaten creature",
    P_SKELETON: "lays a skeleton",
    P_REWARD: "takes a reward",
}


class Renderer:
    """Draws positions with the names of some rules' spaces."""

    def __init__(self, spaces: Sequence[str]) -> None:
        self._spaces = spaces

    def text(self, state: Any, rules: Any) -> str:
        """Write a position on some lines: what is asked, ocean, Kraken, seats, reefs.

        Parameters
        ----------
        state, rules : records of either mode; of a seat's view only what that seat knows is written
        """
        p = Position(STATE.to_plain(state), RULES.to_plain(rules))
        seats = [line for seat in range(p.s.seats) for line in _seat(p, seat)]
        return "\n".join([_asked(p.s), *self._ocean(p), *_kraken(p), *seats])

    def _ocean(self, p: Position) -> Iterator[str]:
        s, r = p.s, p.r
        shark = self._spaces[r.loop[s.shark]]
        ahead = self._spaces[r.loop[(s.shark + s.direction) % r.loop_length]]
        dolphin = "" if s.dolphin == NONE else f"; the dolphin is with seat {s.dolphin}"
        yield f"shark on {shark}, next {ahead}{dolphin}"
        for zone in range(1, r.num_zones + 1):
            around = [n for n in range(r.num_nodes) if r.zone_of[n] == zone]
            where = " ".join(self._spaces[n] + _creatures(s, n) for n in around)
            yield f"zone {zone} ({where}): {_dice(s.zone[zone])}"
        bare = [n for n in range(r.num_nodes) if r.zone_of[n] == 0]
        if bare:
            yield f"no food: {' '.join(self._spaces[n] + _creatures(s, n) for n in bare)}"

    def svg(self, state: Any, rules: Any) -> str:
        """Draw a position: the ocean, the reefs beside it, Kraken and seats below.

        Returns
        -------
        a whole SVG document of its own size in pixels, without scripts or outside resources
        """
        p = Position(STATE.to_plain(state), RULES.to_plain(rules))
        ocean, ocean_height = self._draw_ocean(p)
        reefs, width, reef_height = _draw_reefs(p)
        top = max(ocean_height, reef_height) + 16
        lines = [*_kraken(p), *(next(_seat(p, seat)) for seat in range(p.s.seats))]
        width = max(width, 600)
        lines = [part for line in lines for part in wrap(line, int((width - 32) / _LETTER))]
        texts = [_text(16, top + 20 * i, line, 13, "start") for i, line in enumerate(lines)]
        height = top + 20 * len(lines)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" role="img">\n'
            f"<title>{escape(_asked(p.s))}</title>\n"
            + "\n".join([*ocean, *reefs, *texts])
            + "\n</svg>\n"
        )

    def _draw_ocean(self, p: Position) -> tuple[list[str], float]:
        """Spaces by food zone, the deep end on top; dice between them."""
        s, r = p.s, p.r
        shapes = []
        for zone in range(r.num_zones + 1):
            around = [n for n in range(r.num_nodes) if r.zone_of[n] == zone]
            y = 36 + 52 * zone
            for i, node in enumerate(around):
                x = 40 + (_OCEAN - 80) * (i / (len(around) - 1) if len(around) > 1 else 0.5)
                is_shark = r.loop[s.shark] == node
                told = f"{self._spaces[node]}, shark number {r.shark_number[node]}"
                told += ", the shark" if is_shark else ""
                shapes.append(
                    f"<g><title>{escape(told)}</title>"
                    f'<circle cx="{x:g}" cy="{y}" r="20" fill="{_SHARK if is_shark else _WATER}" '
                    'stroke="#333333"/>'
                    + _text(x, y - 5, self._spaces[node], 11, "middle", _INK)
                    + "</g>"
                )
                swimmers = [seat for seat in range(s.seats) for c in s.creature[seat] if c == node]
                for k, seat in enumerate(swimmers):
                    middle = x + 11 * (k - (len(swimmers) - 1) / 2)
                    shapes.append(
                        f'<g><circle cx="{middle:g}" cy="{y + 8}" r="5.5" fill="{_FILLS[seat]}" '
                        'stroke="#333333"/>'
                        + _text(middle, y + 11, _OWNERS[seat], 9, "middle", _INK)
                        + "</g>"
                    )
            dice = [die for die, n in enumerate(s.zone[zone]) for _ in range(n)]
            rows = -(-len(dice) // _DICE_IN_ROW)
            below = 22 + 8 * rows if len(around) == 1 else 0  # the space is in the way
            shapes += _draw_dice(dice, _OCEAN / 2, y + below)
        return shapes, 36 + 52 * (r.num_zones + 1) + 12


def _asked(s: Record) -> str:
    if s.over:
        ender = "" if s.ender == NONE else f", by seat {s.ender}"
        return f"turn {s.turn}, over: {END_CAUSES[s.cause - 1]}{ender}"
    turn = "" if s.seat == s.active or not s.turn else f" in the turn of seat {s.active}"
    last = f"; last turns, {s.last_turns} with this one" if s.last_turns else ""
    if s.cause and not s.last_turns:
        last = f"; seat {s.ender} has freed its last friend, last turns follow"
    return f"turn {s.turn}, seat {s.seat} {_ASKED[s.phase]}{turn}{last}"


def _creatures(s: Record, node: int) -> str:
    here = "".join(_OWNERS[seat] for seat in range(s.seats) for c in s.creature[seat] if c == node)
    return f"[{here}]" if here else ""


def _die(die: int) -> str:
    owner, face = DICE[die]
    return f"{face}{_OWNERS[owner]}"


def _dice(numbers: Sequence[int]) -> str:
    return " ".join(_die(die) for die, n in enumerate(numbers) for _ in range(n)) or "no dice"


def _by_owner(numbers: Sequence[int]) -> str:
    told = [f"{n}{_OWNERS[owner]}" for owner, n in enumerate(numbers) if n]
    return " ".join(told) or "none"


def _kraken(p: Position) -> Iterator[str]:
    s, r = p.s, p.r
    yield (
        f"tower {sum(s.tower)} of {r.capacity}: {_by_owner(s.tower)}; neutral supply "
        f"{s.supply[NEUTRAL]}; skeletons {s.skeletons}; reef tiles left "
        + " ".join(map(str, s.reef_left[: r.num_kinds]))
    )
    if s.ring_open:
        ring = [""] * r.ring_length
        for seat in range(s.seats):
            ring[s.ring[seat]] += _OWNERS[seat]
        spots = [("x" if (r.ring_neutral >> i) & 1 else "") + x for i, x in enumerate(ring)]
        yield "ring: " + " ".join(spot or "." for spot in spots)
    told = []
    for tentacle in range(NUM_TENTACLES):
        name = TENTACLES[tentacle].format(total=r.total_target)
        size, taken = r.stack_size[tentacle], s.safe_taken[tentacle]
        tiles = " ".join(map(str, r.stack[tentacle][taken:size])) or "empty"
        told.append(f"{name} {tiles}")
    yield "safe places: " + "; ".join(told)
    corals = []
    for i in range(NUM_CORALS):
        kind = "?" if s.coral[i] == NONE else CORALS[s.coral[i]]
        owner = "" if s.coral_owner[i] == NONE else f" (seat {s.coral_owner[i]})"
        corals.append(f"{r.first_number + i} {kind}{owner}")
    yield "coral: " + ", ".join(corals)


def _seat(p: Position, seat: int) -> Iterator[str]:
    s = p.s
    friends = [str(1 + t) for t in range(NUM_TENTACLES) if (s.friends[seat] >> t) & 1]
    corals = coral_points(s, p.r, seat)
    coral = f" + {corals} for coral" if corals else ""
    wave, arrow, eat = s.power[seat]
    yield (
        f"seat {seat} ({_OWNERS[seat]}): {s.safe_points[seat]} points{coral}; friends on "
        f"{' '.join(friends) or 'none'}; supply {s.supply[seat]}; wave {wave} arrow {arrow} "
        f"eat {eat}"
    )
    cells = sorted(p.reefs[seat], key=lambda x: [int(c) for c in x.name.split(",")])
    yield "  reef: " + " ".join(map(_hex, cells))


def _hex(x: Hex) -> str:
    """A hex, as `0,3:S2=5b`: symbol, level, die; an x is a skeleton."""
    die = f"={x.die[0]}{_OWNERS[x.die[1]]}" if x.die else ""
    letters = "".join(_SYMBOL_LETTERS[symbol] for symbol in x.symbols)
    return f"{x.name}:{letters}{x.level}{die}{'x' if x.is_dead else ''}"


# Pictures -----------------------------------------------------------------------------------------

_FILLS = ("#4f83cc", "#f4cf3b", "#4f9d55", "#e8873a", "#b9b9b9")  # of seats, neutral last
_WATER, _SHARK = "#cfe6f2", "#8a8f99"
_SYMBOL_FILLS = {
    "wave": "#9cc9e6",
    "arrow": "#f3d9a4",
    "eat": "#e6a9a0",
    "store": "#d9d3ee",
    "plain": "#eeeeee",
}
_INK = "#222222"
_OCEAN, _SIZE = 260, 17  # pixels: width of the ocean, side of a hex
_LETTER = 6.4  # pixels of a letter of the lines below, about
_DICE_IN_ROW, _REEFS_IN_ROW = 8, 2


def _draw_dice(dice: Sequence[int], x: float, y: float) -> Iterator[str]:
    """Dice in rows around a point."""
    rows = [dice[i : i + _DICE_IN_ROW] for i in range(0, len(dice), _DICE_IN_ROW)]
    for i, row in enumerate(rows):
        top = y - 8 * len(rows) + 16 * i
        for k, die in enumerate(row):
            owner, _ = DICE[die]
            left = x - 8 * len(row) + 16 * k
            yield (
                f'<rect x="{left + 0.5:g}" y="{top + 0.5:g}" width="15" height="15" rx="3" '
                f'fill="{_FILLS[owner]}" stroke="#333333"/>'
                + _text(left + 8, top + 12, _die(die), 10, "middle", _INK)
            )


def _draw_reefs(p: Position) -> tuple[list[str], float, float]:
    """The reefs, two in a row; returns shapes, width and height."""
    shapes: list[str] = []
    width = top = height = 0.0
    left = float(_OCEAN + 24)
    for seat, reef in enumerate(p.reefs):
        if seat and seat % _REEFS_IN_ROW == 0:
            left, top = float(_OCEAN + 24), height + 12
        spots = [_spot(x.name) for x in reef]
        x0, y0 = min(x for x, _ in spots), min(y for _, y in spots)
        swatch = f'<circle cx="{left + 6:g}" cy="{top + 12:g}" r="6" fill="{_FILLS[seat]}"/>'
        shapes.append(
            swatch + _text(left + 16, top + 16, f"seat {seat} ({_OWNERS[seat]})", 13, "start")
        )
        for x, (cx, cy) in zip(reef, spots, strict=True):
            shapes.append(_draw_hex(x, left + _SIZE + cx - x0, top + 30 + _SIZE + cy - y0))
        left += max(max(x for x, _ in spots) - x0 + 2 * _SIZE, 64) + 20
        width = max(width, left)
        height = max(height, top + 30 + 2 * _SIZE + max(y for _, y in spots) - y0)
    return shapes, width, height


def _spot(name: str) -> tuple[float, float]:
    """Middle of a hex: q to the right, r down and half a step right."""
    q, r = map(int, name.split(","))
    return _SIZE * 3**0.5 * (q + r / 2), _SIZE * 1.5 * r


def _draw_hex(x: Hex, cx: float, cy: float) -> str:
    corners = ((0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5))
    outline = " ".join(f"{cx + _SIZE * dx:.1f},{cy + _SIZE * dy:.1f}" for dx, dy in corners)
    symbol = x.symbols[0]
    told = f"{x.name}: {symbol}, level {x.level}" + (", a skeleton" if x.is_dead else "")
    parts = [
        f"<title>{told}</title>",
        f'<polygon points="{outline}" fill="{_SYMBOL_FILLS[symbol]}" stroke="#333333"/>',
    ]
    label = "x" if x.is_dead else f"{_SYMBOL_LETTERS[symbol]}{x.level}"
    if x.die is None:
        parts.append(_text(cx, cy + 4, label, 11, "middle", _INK))
    else:
        parts.append(
            f'<rect x="{cx - 7:.1f}" y="{cy - 7:.1f}" width="14" height="14" rx="3" '
            f'fill="{_FILLS[x.die[1]]}" stroke="#333333"/>'
        )
        told = f"{x.die[0]}{_OWNERS[x.die[1]]}"
        parts.append(_text(cx, cy + 4, told, 10, "middle", _INK))
    return f"<g>{''.join(parts)}</g>"


def _text(x: float, y: float, text: str, size: int, anchor: str, fill: str = "currentColor") -> str:
    look = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(text)}</text>'
