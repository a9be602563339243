"""Events of a game record in words, one sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reefsim.core.wording import with_articles
from reefsim.games.reef_encounter.constants import GROWTH_BIT
from reefsim.games.reef_encounter.events import CELL_NAMES
from reefsim.games.reef_encounter.notation import cell_index

# What an event says; the keys are columns of its row.
_SENTENCES = {
    "board": "board {value} is laid out",
    "side": "all coral tiles lie with the {value} side up",
    "sea_start": "the sea is filled from the {color} space on",
    "sea_fill": "a {color} tile comes to the {color2} space",
    "deal": "seat {seat} is dealt a {color} tile",
    "refill": "a {color} tile comes to the {color2} space",
    "stash": "seat {seat} hides a {color} tile in its fish",
    "choose_larvae": "seat {seat} takes a {color} and a {color2} larva",
    "feed": "seat {seat} feeds the coral of {size} tiles on {cell}, with its shrimp",
    "grow": "seat {seat} plays a {color} larva to grow",
    "end_grow": "seat {seat} ends the grow action",
    "shrimp_in": "seat {seat} brings in a shrimp on {cell}",
    "shrimp_move": "seat {seat} moves its shrimp from {cell} to {to_cell}",
    "shrimp_out": "seat {seat} takes its shrimp on {cell} back",
    "to_larva": "seat {seat} turns a consumed {color} tile into a larva",
    "to_polyp": "seat {seat} turns a {color} larva into a tile",
    "collect": "seat {seat} collects the {color} space of the sea",
    "pass_turn": "seat {seat} ends its turn without collecting",
    "no_feed": "seat {seat} does not feed at the end",
}
_SOURCES = {"behind": "behind", "front": "the front"}
_ENDS = {
    "all_locked": "all coral tiles are locked, the last by seat {seat}",
    "four_eaten": "all shrimps of seat {seat} are eaten",
    "no_space": "no tile can be laid after the turn of seat {seat}",
    "supply": "the supply cannot fill the sea in the turn of seat {seat}",
    "turn_limit": "the turn limit stops the game",
}


def describe(row: Mapping[str, Any], color: str = "") -> str:
    """Tell an event of a game record in a sentence.

    Parameters
    ----------
    row : as in the record (RULES.md M4), complete
    color : of the open grow action, if known; the row of a laid tile does not hold it

    >>> describe({"event": "place", "seat": 0, "cell": "D3", "source": "behind", "growth": True})
    'seat 0 lays a tile on D3 from behind; a growth tile comes to D4'
    """
    event = row["event"]
    if event == "place":
        return _placed(row, color)
    if event == "grow_bonus":
        takes = "takes" if row["value"] == "yes" else "does without"
        return f"seat {row['seat']} {takes} the growth tile"
    if event == "alga":
        place = "on the space" if row["on"] == "space" else f"to lock {row['on']}"
        paid = f"pays a consumed {row['color']} tile"
        return with_articles(f"seat {row['seat']} {paid} for a {row['alga']} alga {place}")
    if event == "end":
        return "the game ends: " + _ENDS[row["value"]].format_map(row)
    return with_articles(_SENTENCES[event].format_map(row))


def narrate(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Tell the events of a record in order, with the color of every tile laid.

    Parameters
    ----------
    rows : from the start of a grow action or of the game on
    """
    color = ""
    for row in rows:
        if row["event"] == "grow":
            color = row["color"]
        yield describe(row, color)


def _placed(row: Mapping[str, Any], color: str) -> str:
    tile = with_articles(f" a {color} tile").strip() if color else "a tile"
    told = f"seat {row['seat']} lays {tile} on {row['cell']} from {_SOURCES[row['source']]}"
    if captured := row.get("captured"):
        told += f" and captures the {captured} tile there"
    if row["growth"]:
        board = cell_index(row["cell"]) >> 6
        told += f"; a growth tile comes to {CELL_NAMES[board << 6 | GROWTH_BIT]}"
    return told
