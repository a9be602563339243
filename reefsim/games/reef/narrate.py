"""Events of a game record in words, one sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reefsim.games.reef.decks import Deck

# What an event says; the keys are columns of its row.
_SENTENCES = {
    "deal": "seat {seat} is dealt {card}",
    "start_random": "the first {color} piece of seat {seat} comes to {cell}",
    "display": "{card} lies in slot {slot} of the display",
    "top": "{card} is on top of the deck",
    "pass_turn": "seat {seat} can do nothing and passes",
}
_ENDS = {
    "coral_out": "coral ran out in a turn of seat {seat}",
    "deck_out": "the deck ran out in a turn of seat {seat}",
    "turn_limit": "the turn limit stops it",
}


class Narrator:
    """Tells the events of games with one deck."""

    def __init__(self, deck: Deck) -> None:
        self._cards = {
            card.id: f"{card.id} ({card.points} for {card.pattern_text()})" for card in deck.cards
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
        event, seat = row["event"], row.get("seat")
        told = dict(row)
        if "card" in row:
            told["card"] = self._cards.get(row["card"], row["card"])
        if event in _SENTENCES:
            return _SENTENCES[event].format_map(told)
        if event == "start_piece":
            level = f", level {row['level']}" if "level" in row else ""
            return f"seat {seat} puts its first {row['color']} piece on {row['cell']}{level}"
        if event == "take_display":
            tokens = f" with the {row['points']} points on it" if row["points"] else ""
            return f"seat {seat} takes {told['card']} from the display{tokens}"
        if event == "take_deck":
            price = f" and puts {-row['points']} on slot {row['slot']}" if "slot" in row else ""
            return f"seat {seat} takes {told['card']} from the deck{price}"
        if event == "end":
            return f"the game ends: {_ENDS[row['value']].format_map(row)}"
        if event == "play":
            return f"seat {seat} plays {told['card']}: {_pieces(row)}{_scored(row)}"
        if event == "centre":
            return f"seat {seat} names {row['cell']} as the center{_scored(row)}"
        if event == "hand_card":
            return f"seat {seat} has {told['card']} left{_scored(row)}"
        return f"seat {seat} says how often{_scored(row)}"


def _pieces(row: Mapping[str, Any]) -> str:
    if "color" not in row:
        return "no piece can be placed"
    first = f"{row['color']} on {row['cell']}"
    if "color2" not in row:
        return f"only {first}"
    if row["cell"] == row["cell2"]:
        return f"{first}, {row['color2']} on top of it"
    return f"{first}, {row['color2']} on {row['cell2']}"


def _scored(row: Mapping[str, Any]) -> str:
    if "matches" not in row:
        return ""
    if not row["points"]:
        return ", which scores nothing"
    times = "once" if row["matches"] == 1 else f"{row['matches']} times"
    return f", which scores {times}: {row['points']} points"
