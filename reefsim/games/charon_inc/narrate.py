"""Events of a game record in words, one sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reefsim.games.charon_inc.gems import gems_text

NAMES = {
    2: "Outpost",
    3: "Supply Depot",
    4: "Quarry",
    5: "Refinery",
    6: "Factory",
    7: "Power Plant",
    8: "Arcology",
    9: "Galactic Exchange",
    10: "Space Port",
    11: "Research Center",
    12: "Embassy",
}
ACTIONS = {
    "A1": "Stolen Intelligence",
    "A2": "Rare Mineral Find",
    "A3": "Engineering Advance",
    "A4": "Synchrotron",
    "A5": "Underground Warehouse",
}
_SENTENCES = {
    "seed": "{size} {color} on {region}",
    "bury": "{card} is buried unseen in the discard pile",
    "deal": "seat {seat} is dealt {card}",
    "draw": "seat {seat} draws {card}",
    "redraw": "seat {seat} gets {card} instead",
    "a3_card": "seat {seat} gets {card}",
    "clear": "seat {seat} finds {size} clear",
    "row_card": "seat {seat} gives {card} to the row",
    "place": "seat {seat} takes its flag from {area} to {spot}",
    "a1_move": "seat {seat} moves its flag from {spot} to {to_spot}",
    "a1_pass": "seat {seat} moves no flag",
    "a3_draw": "seat {seat} takes an unseen card from the discard pile",
    "trade": "seat {seat} trades {gems} for one {color}",
    "synchrotron": "seat {seat} turns {size} {color} into {color2}",
    "end_build": "seat {seat} is done",
    "exchange": "seat {seat} exchanges {card}",
    "no_exchange": "seat {seat} exchanges no more",
}


class Narrator:
    """Tells the events of games with one card set."""

    def __init__(self, ruleset: Any) -> None:
        self._cards = {
            card.id: f"{card.id} ({card.number} {NAMES[card.number]}, {gems_text((*card.cost, 0))})"
            for card in ruleset.cards.cards
        }

    def narrate(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """Tell the events of a record in order."""
        return map(self.describe, rows)

    def describe(self, row: Mapping[str, Any]) -> str:
        """Tell an event of a game record in a sentence.

        Parameters
        ----------
        row : as in the record (RULES.md M4), complete
        """
        event, told = row["event"], dict(row)
        if "card" in row:
            told["card"] = self._cards.get(row["card"], row["card"])
        if event in _SENTENCES:
            return _SENTENCES[event].format_map(told)
        if event == "action":
            works = "works" if row["value"] == "valid" else "fails"
            return f"{row['area']} {ACTIONS[row['area']]} of seat {row['seat']} {works}"
        if event == "mine":
            gems = f"{row['size']} {row['color']} of {row['region']}"
            return f"seat {row['seat']} mines {gems}" if "seat" in row else f"nobody mines {gems}"
        if event == "order":
            return f"the order is {row['value'].replace(',', ', ')}"
        if event == "a3_take":
            place = "the row" if row["source"] == "row" else "the discard pile"
            return f"seat {row['seat']} takes {told['card']} from {place}"
        if event == "build":
            place = " from the row" if row["source"] == "row" else ""
            return f"seat {row['seat']} builds {told['card']}{place} for {row['gems']}"
        if event == "keep":
            return f"seat {row['seat']} keeps {'nothing' if row['gems'] == '-' else row['gems']}"
        cause = "the last round is over" if row["value"] == "rounds" else "it is stopped"
        return f"the game ends: {cause}"
