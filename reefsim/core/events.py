"""Events packed in one int64 each: the log of a game inside kernels, its columns outside.

A game declares which bits hold which field and, for each column of its game record, which events
fill it from which field. From that follow the columns of the table `events`, the rows of a record
and the way back. Decoding is a table look-up per column, whole chunks at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Role = Literal["action", "chance", "consequence", "end"]
Codes = NDArray[np.int64]


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
class Decoded:
    """A column of many events: `values` index `words` for strings; `null` marks nulls."""

    column: Column
    values: NDArray[Any]
    null: NDArray[np.bool_]
    words: tuple[str, ...] = ()


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
    _tables: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

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

    def decode(self, codes: Codes) -> dict[str, Decoded]:
        """All columns of many events, shape (events,) each, in the order declared."""
        event = self.read(codes, "event")
        return {column.name: self._decode(column, codes, event) for column in self.columns}

    def _decode(self, column: Column, codes: Codes, event: Codes) -> Decoded:
        fields, tables, words = self._tables.setdefault(column.name, self._look_up(column))
        index = None
        for name, table in zip(fields, tables, strict=True):
            shift, mask = self.places[name]
            content = (codes >> shift) & mask
            here = table[(event << int(mask).bit_length()) | content]
            index = here if index is None else np.maximum(index, here)
        assert index is not None
        null = index == _NULL
        if column.kind == "string":
            return Decoded(column, np.where(null, 0, index).astype(np.int16), null, words)
        dtype = {"bool": np.bool_}.get(column.kind, column.kind)
        return Decoded(column, np.where(null, 0, index).astype(dtype), null)

    def _look_up(
        self, column: Column
    ) -> tuple[list[str], list[NDArray[np.int32]], tuple[str, ...]]:
        words: dict[str, int] = {}
        fields: dict[str, NDArray[np.int32]] = {}
        for code, (event, _) in enumerate(self.names):
            source = column.sources.get(event) or column.sources.get("*")
            if source is None:
                continue
            name, vocabulary = source
            mask = self.places[name][1]
            width = int(mask).bit_length()
            table = fields.setdefault(name, np.full(len(self.names) << width, _NULL, np.int32))
            for content, value in enumerate(vocabulary[: mask + 1]):
                if value is not None:
                    number = (
                        words.setdefault(value, len(words))
                        if column.kind == "string"
                        else int(value)
                    )
                    table[(code << width) | content] = number
        return list(fields), list(fields.values()), tuple(words)

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


_NULL = -(2**31)
