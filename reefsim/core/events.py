"""Events packed in one int64 each: the log of a game inside kernels, its columns outside.

A game declares which bits hold which field and, for each column of its game record, which events
fill it from which field. From that follow the rows of a record, the way back, and the columns of
the table `events` (`logs.events`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

Role = Literal["action", "chance", "consequence", "end"]


@dataclass(frozen=True)
class Column:
    """One column of the game record.

    Attributes
    ----------
    name : as in the record
    kind : "string" (dictionary), "int8", "int16", "int32" or "bool"
    doc : what it means
    sources : for each event name, or "*" for all, the field it is read from and the value for each
        content of that field; a value of None means null. Vocabularies may be shorter than the
        field is wide: contents past the end are null.
    """

    name: str
    kind: str
    doc: str
    sources: dict[str, tuple[str, Sequence[Any]]]


@dataclass(frozen=True)
class EventLayout:
    """How a game's events are packed and what they are called.

    Attributes
    ----------
    fields : (name, width in bits) from the lowest bit up; "event" must be among them
    names : event names in the order of their codes, with their role
    columns : the record's columns except `ply` and `event`
    """

    fields: tuple[tuple[str, int], ...]
    names: tuple[tuple[str, Role], ...]
    columns: tuple[Column, ...]

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Shift and mask of each field."""
        places, shift = {}, 0
        for name, width in self.fields:
            places[name] = (shift, (1 << width) - 1)
            shift += width
        if shift > 63:
            raise ValueError(f"events need {shift} bits, 63 are there")
        return places

    @cached_property
    def codes(self) -> dict[str, int]:
        """Code of each event name."""
        return {name: code for code, (name, _) in enumerate(self.names)}

    @cached_property
    def roles(self) -> dict[str, Role]:
        """Role of each event name."""
        return dict(self.names)

    def read(self, codes: Any, name: str) -> Any:
        """A field of one code or of an array of codes."""
        shift, mask = self.places[name]
        return (codes >> shift) & mask

    def columns_of(self, event: str) -> dict[str, tuple[str, Sequence[Any]]]:
        """Columns an event may fill: name -> (field, vocabulary)."""
        found = {}
        for column in self.columns:
            source = column.sources.get(event) or column.sources.get("*")
            if source is not None:
                found[column.name] = source
        return found

    def told_by(self, event: str) -> list[str]:
        """Columns that tell what chance gave: those read from field `a`."""
        return [column for column, (name, _) in self.columns_of(event).items() if name == "a"]

    def outcome(self, event: str, row: Mapping[str, Any]) -> int | None:
        """The outcome of a chance event as its row tells it, None if there is no such outcome."""
        columns = self.columns_of(event)
        told = [(row.get(name), columns[name][1]) for name in self.told_by(event)]
        for content in range(max(len(words) for _, words in told)):
            if all(
                content < len(words)
                and words[content] == value
                and type(words[content]) is type(value)
                for value, words in told
            ):
                return content
        return None

    def rows(self, codes: Sequence[int], first_ply: int = 0) -> list[dict[str, Any]]:
        """Events as rows of a game record, null keys left out."""
        rows = []
        for ply, code in enumerate(codes, first_ply):
            name = self.names[self.read(code, "event")][0]
            row: dict[str, Any] = {"ply": ply, "event": name}
            for column, (source, vocabulary) in self.columns_of(name).items():
                content = self.read(code, source)
                value = vocabulary[content] if content < len(vocabulary) else None
                if value is not None:
                    row[column] = value
            rows.append(row)
        return rows

    @cached_property
    def _allowed(self) -> dict[tuple[str, str], frozenset[tuple[type, Any]]]:
        return {
            (event, column): frozenset((type(word), word) for word in vocabulary)
            for event in self.roles
            for column, (_, vocabulary) in self.columns_of(event).items()
        }

    def allows(self, event: str, column: str, value: object) -> bool:
        """Whether a column that an event fills may have a value; 1, 1.0 and true are three."""
        return isinstance(value, Hashable) and (type(value), value) in self._allowed[event, column]

    def content(self, event: str, column: str, value: Any) -> tuple[str, int]:
        """The field and content that stand for a value of a column in an event.

        Raises
        ------
        KeyError : if the event does not fill the column
        ValueError : if the value is not in its vocabulary
        """
        name, vocabulary = self.columns_of(event)[column]
        for content, known in enumerate(vocabulary):
            if known is not None and known == value and type(known) is type(value):
                return name, content
        raise ValueError(value)
