"""Words for actions and events, taken from the layout of a game's events.

They suit games in whose events the field `a` carries the low 16 bits of the action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from reefsim.core.events import EventLayout
from reefsim.core.wording import did_you_mean, listing, show


class Notation:
    """An action is its kind, followed by what the columns say that are read from the field `a`."""

    def __init__(self, events: EventLayout) -> None:
        self._events = events
        self.kinds = tuple(name for name, role in events.names if role == "action")

    @cached_property
    def _texts(self) -> tuple[dict[int, str], ...]:
        """Text of each action, by kind and by the low bits."""
        return tuple(dict(self._of_kind(kind)) for kind in self.kinds)

    @cached_property
    def _actions(self) -> dict[str, int]:
        """Code of each action, by its text."""
        return {
            text: kind << 16 | low
            for kind, texts in enumerate(self._texts)
            for low, text in texts.items()
        }

    def _of_kind(self, kind: str) -> Iterator[tuple[int, str]]:
        vocabularies = self._told(kind).values()
        if not vocabularies:
            yield 0, kind
            return
        for low, words in enumerate(zip(*vocabularies, strict=False)):
            if None not in words:
                yield low, " ".join((kind, *map(str, words)))

    def _told(self, event: str) -> dict[str, Any]:
        columns = self._events.columns_of(event)
        return {column: columns[column][1] for column in self._events.told_by(event)}

    def format_action(self, action: int) -> str:
        """Text of an action; `parse_action` is its inverse.

        Raises
        ------
        ValueError : if the code stands for no action of the game
        """
        kind, low = action >> 16, action & 0xFFFF
        if not 0 <= kind < len(self.kinds) or low not in self._texts[kind]:
            raise ValueError(f"{action} is no action of this game")
        return self._texts[kind][low]

    def parse_action(self, text: str) -> int:
        """Code of an action written by `format_action`.

        Raises
        ------
        ValueError : if the text is no action; the message says what is
        """
        words = " ".join(text.split())
        if words not in self._actions:
            question = (
                did_you_mean(words, self._actions) or f"Such are {listing(self._actions, 8)}."
            )
            raise ValueError(f"{show(text)} is no action. {question}")
        return self._actions[words]

    def action_of(self, row: Mapping[str, Any]) -> int:
        """Code of the action that a row of a game record tells.

        Raises
        ------
        KeyError : if a column is missing
        ValueError : if the words are no action
        """
        event = str(row["event"])
        return self.parse_action(" ".join((event, *(str(row[c]) for c in self._told(event)))))

    def tell(self, row: Mapping[str, Any]) -> str:
        """An event in a few words: who, what, and the words it carries."""
        event = str(row["event"])
        role = self._events.roles[event]
        if role == "end":
            return f"the game ends: {row['value']}"
        said = " ".join([event, *(str(row[c]) for c in self._told(event) if c in row)])
        return f"seat {row['seat']}: {said}" if role == "action" else said


Narrate = Callable[[Iterable[Mapping[str, Any]]], Iterator[str]]


def narrator(events: EventLayout, sentences: Mapping[str, str] | None = None) -> Narrate:
    """A teller of events for `Game.narrate`.

    Parameters
    ----------
    sentences : by event, with columns of its row in braces, as "seat {seat} rolls"; by the cause of
        the end for the closing event. Without one an event is told in its own words
    """
    notation, known = Notation(events), dict(sentences or {})

    def narrate(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        for row in rows:
            is_end = events.roles[row["event"]] == "end"
            sentence = known.get(row["value"] if is_end else row["event"])
            yield sentence.format_map(row) if sentence else notation.tell(row)

    return narrate
