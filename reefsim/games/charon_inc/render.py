"""The position as text and as a picture.

Regions and cards are told by the numbers of their data files: a state knows no names.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from reefsim.core.invariants import as_plain
from reefsim.core.kernel import Record
from reefsim.games.charon_inc.cards import discards
from reefsim.games.charon_inc.constants import (
    AREAS,
    COLORS,
    END_CAUSES,
    LETTERS,
    MAX_SPOTS,
    NUM_AREAS,
    NUM_CARDS,
    NUM_REGIONS,
    P_A1,
    P_A3,
    P_BUILD,
    P_EXCHANGE,
    P_KEEP,
    P_PLACE,
    P_ROW,
    REGIONS,
    SPOT_WORD,
)
from reefsim.games.charon_inc.gems import gems_text
from reefsim.games.charon_inc.log import points
from reefsim.games.charon_inc.state import RULES, STATE

_ASKED = {
    P_ROW: "chooses a card for the row",
    P_PLACE: "places a flag",
    P_A1: "may move a flag (A1)",
    P_A3: "takes a card (A3)",
    P_BUILD: "builds",
    P_KEEP: "keeps gems",
    P_EXCHANGE: "may exchange a card",
}
_RANKS = "-xEC"  # of a flag: on a crossing, an edge, in the middle


def render_text(state: Any, rules: Any) -> str:
    """Write a position on a few lines: what is asked, moon, cards, seats in their order.

    Parameters
    ----------
    state, rules : records of either mode; of a seat's view only what that seat knows is written
    """
    s: Record = as_plain(STATE, state)
    r: Record = as_plain(RULES, rules)
    seats = [_seat(s, r, s.order[place]) for place in range(s.seats)]
    return "\n".join([_asked(s), *_moon(s, r), "", *_table(s, r), "", *seats])


def _asked(s: Record) -> str:
    if s.over:
        return f"round {s.round_number}, turn {s.turn}, over: {END_CAUSES[s.cause - 1]}"
    return f"round {s.round_number}, turn {s.turn}, seat {s.seat} {_ASKED[s.phase]}"


def flags_at(s: Record) -> dict[int, int]:
    """Seat by spot, for every flag on the moon."""
    return {
        spot: seat
        for seat in range(s.seats)
        for spot in range(MAX_SPOTS)
        if (s.own_spots[seat][spot // SPOT_WORD] >> spot % SPOT_WORD) & 1
    }


def cards_in(cards: int) -> list[int]:
    """Cards of a set, in the order of the card set."""
    return [card for card in range(NUM_CARDS) if (cards >> card) & 1]


def card_text(r: Record, card: int) -> str:
    """A card in short: '9 BBBYPP', its number and cost."""
    return f"{r.number[card]} {gems_text((*r.cost[card], 0))}"


def _cards(r: Record, cards: int, hidden: int = 0) -> str:
    told = [card_text(r, card) for card in cards_in(cards)] + ["?"] * hidden
    return "; ".join(told) or "none"


def _moon(s: Record, r: Record) -> Iterator[str]:
    flags = flags_at(s)
    for region in range(NUM_REGIONS):
        if not (r.in_play >> region) & 1:
            continue
        gems = LETTERS[s.gem_color[region]] * s.gems[region] if s.gems[region] else "-"
        touching = [
            f"{_RANKS[r.rank[spot]]}{seat}"
            for spot, seat in sorted(flags.items())
            if region in r.touched[spot][: r.num_touched[spot]]
        ]
        told = f"  flags {' '.join(touching)}" if touching else ""
        yield f"{REGIONS[region]} {gems:<3} of {r.slots[region]}{told}"


def _table(s: Record, r: Record) -> Iterator[str]:
    hidden = sum(s.hidden_layer[: s.num_layers])
    yield f"row: {_cards(r, s.row)}"
    yield f"discards: {_cards(r, discards(s), hidden)}"
    yield f"pile: {s.pile_size} cards; supply {_gems(s.supply)}"


def _gems(gems: Any) -> str:
    return " ".join(f"{color} {n}" for color, n in zip(COLORS, gems, strict=True))


def _seat(s: Record, r: Record, seat: int) -> str:
    left = [
        AREAS[area] + ("" if s.phase <= P_PLACE or (s.valid[seat] >> area) & 1 else " void")
        for area in range(NUM_AREAS)
        if (s.left[seat] >> area) & 1
    ]
    built = ",".join(str(r.number[card]) for card in reversed(cards_in(s.built[seat])))
    return (
        f"seat {seat}: points {points(s, r, seat)}, built {built or '-'}; "
        f"gems {gems_text(s.held[seat])}; areas {' '.join(left) or '-'}; "
        f"hand {_cards(r, s.hand[seat], s.hidden_hand[seat])}"
    )


# Pictures -----------------------------------------------------------------------------------------

_GEM_FILLS = ("#3b73c4", "#f0c93a", "#4f9d55", "#8e5bb5", "#333333", "#e8f4f8")
_DARK_GEMS = (0, 2, 3, 4)  # with a light letter
_SEAT_FILLS = (
    "#2f6fd0",
    "#ffffff",
    "#d9a520",
    "#8c1c3f",
    "#1f9d94",
)  # blue white gold burgundy teal
_MOON_FILL, _OUT_FILL = "#d9d6cf", "#f4f3f1"
_STEP, _MARGIN = 84, 24  # pixels of a region, and around the moon


def render_svg(state: Any, rules: Any) -> str:
    """Draw a position: the moon with gems and flags over a table of cards and seats.

    Regions have a title, so that a viewer names them under the pointer. Hands are left out.

    Returns
    -------
    a whole SVG document of its own size in pixels, without scripts or outside resources
    """
    s: Record = as_plain(STATE, state)
    r: Record = as_plain(RULES, rules)
    width = _MARGIN * 2 + (1 + max(r.column)) * _STEP
    top = _MARGIN * 2 + (1 + max(r.line)) * _STEP
    lines = [
        f"row: {_cards(r, s.row)}",
        *(_seat(s, r, s.order[place]).split("; hand")[0] for place in range(s.seats)),
    ]
    shapes = [_draw_region(s, r, region) for region in range(NUM_REGIONS)]
    shapes += [_draw_flag(r, spot, seat) for spot, seat in sorted(flags_at(s).items())]
    shapes += [_text(_MARGIN, top + 20 * i, line, 13, "start") for i, line in enumerate(lines)]
    width = max(width, _MARGIN * 2 + 7 * max(map(len, lines)))
    height = top + 20 * len(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">\n'
        f"<title>{escape(_asked(s))}</title>\n" + "\n".join(shapes) + "\n</svg>\n"
    )


def _corner(r: Record, region: int) -> tuple[float, float]:
    return _MARGIN + r.column[region] * _STEP, _MARGIN + r.line[region] * _STEP


def _draw_region(s: Record, r: Record, region: int) -> str:
    x, y = _corner(r, region)
    there = (r.in_play >> region) & 1
    n = s.gems[region]
    told = f"{n} {COLORS[s.gem_color[region]]}" if n else "no gems" if there else "not in play"
    parts = [
        f"<title>{REGIONS[region]}: {told}</title>",
        f'<rect x="{x}" y="{y}" width="{_STEP}" height="{_STEP}" '
        f'fill="{_MOON_FILL if there else _OUT_FILL}" stroke="#ffffff" stroke-width="3"/>',
        _text(x + 8, y + 24, REGIONS[region], 11, "start", "#222222"),
    ]
    for i in range(r.slots[region] if there else 0):
        color, left, below = s.gem_color[region], x + 20 + 17 * i, y + _STEP - 34
        fill = _GEM_FILLS[color] if i < n else "none"
        parts.append(
            f'<rect x="{left}" y="{below}" width="14" height="14" fill="{fill}" stroke="#555555"/>'
        )
        if i < n:
            ink = "#ffffff" if color in _DARK_GEMS else "#222222"
            parts.append(_text(left + 7, below + 11, LETTERS[color], 10, "middle", ink))
    return f"<g>{''.join(parts)}</g>"


def _draw_flag(r: Record, spot: int, seat: int) -> str:
    x, y = r.spot_x[spot] * _STEP / 2 + _MARGIN, r.spot_y[spot] * _STEP / 2 + _MARGIN
    color = "#222222" if seat == 1 else "#ffffff"
    look = f'fill="{_SEAT_FILLS[seat]}" stroke="#222222"'
    label = f'<text x="{x:g}" y="{y + 4:g}" font-size="11" text-anchor="middle" fill="{color}">'
    return f'<g><circle cx="{x:g}" cy="{y:g}" r="9" {look}/>{label}{seat}</text></g>'


def _text(x: float, y: float, text: str, size: int, anchor: str, fill: str = "currentColor") -> str:
    look = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}"'
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(text)}</text>'
