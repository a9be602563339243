"""Packed events as columns: a look-up per column, for all events of a part at once.

Nothing here makes a Python object per event. A column is read from a bit field of the packed event
by way of a small table over (event, content of the field); indices of dictionaries come out as they
are stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from reefsim.core.events import Column, EventLayout
from reefsim.logs.arrays import dictionary, numbers

Codes = NDArray[np.int64]
_NULL = -(2**15)
_BLOCK = 1 << 14  # events decoded at a time, so that the keys stay in the processor's cache


@dataclass(frozen=True)
class _Source:
    """A field a column is read from; `table` gives the value for each event and content."""

    field: str
    table: NDArray[np.int16] | None  # None: the content is the value, in every event


class EventEncoder:
    """Turns packed events into the columns of the table `events`.

    Parameters
    ----------
    layout : how the events are packed and what they are called
    """

    def __init__(self, layout: EventLayout) -> None:
        self._layout = layout
        self._columns = [(column, *_look_up(layout, column)) for column in layout.columns]

    def encode(self, codes: Codes) -> dict[str, pa.Array]:
        """Columns of many events, `event` among them.

        Parameters
        ----------
        codes : int64, shape (events,)

        Returns
        -------
        dict from column name to arrow array of as many entries
        """
        names = [name for name, _ in self._layout.names]
        values = {"event": np.empty(len(codes), np.int16)}
        values |= {column.name: np.empty(len(codes), np.int16) for column, *_ in self._columns}
        for start in range(0, len(codes), _BLOCK):
            self._decode(codes[start : start + _BLOCK], start, values)
        arrays = {"event": dictionary(values["event"], names)}
        for column, words, _ in self._columns:
            found = values[column.name]
            null = found == _NULL
            arrays[column.name] = (
                dictionary(found, words, null)
                if column.kind == "string"
                else numbers(_typed(found, column.kind), null)
            )
        return arrays

    def _decode(self, codes: Codes, start: int, values: dict[str, NDArray[np.int16]]) -> None:
        event = self._layout.read(codes, "event")
        keys: dict[str, Codes] = {}
        contents: dict[str, Codes] = {}
        here = slice(start, start + len(codes))
        values["event"][here] = event
        for column, _, sources in self._columns:
            out = values[column.name][here]
            for place, source in enumerate(sources):
                if source.field not in contents:
                    contents[source.field] = self._layout.read(codes, source.field)
                if source.table is None:
                    out[:] = contents[source.field]
                    continue
                if source.field not in keys:
                    width = self._layout.places[source.field][1].bit_length()
                    keys[source.field] = event << width | contents[source.field]
                found = source.table.take(keys[source.field])
                if place == 0:
                    out[:] = found
                else:  # an event fills a column from one field only
                    np.maximum(out, found, out=out)


def _look_up(layout: EventLayout, column: Column) -> tuple[list[str], list[_Source]]:
    """Dictionary of a column (empty for numbers), and where its values are read from."""
    sources: dict[str, NDArray[np.int16]] = {}
    words: dict[Any, int] = {}
    if set(column.sources) == {"*"}:
        field, vocabulary = column.sources["*"]
        if isinstance(vocabulary, range) and vocabulary[:1] == range(1) and vocabulary.step == 1:
            if len(vocabulary) > layout.places[field][1]:
                return [], [_Source(field, None)]
    for code, (event, _) in enumerate(layout.names):
        source = column.sources.get(event) or column.sources.get("*")
        if source is None:
            continue
        field, vocabulary = source
        mask = layout.places[field][1]
        width = mask.bit_length()
        table = sources.setdefault(field, np.full(len(layout.names) << width, _NULL, np.int16))
        row = table[code << width :][: mask + 1]
        if isinstance(vocabulary, range):
            row[: len(vocabulary)] = vocabulary[: mask + 1]
            continue
        for content, value in enumerate(vocabulary[: mask + 1]):
            if value is not None:
                is_text = column.kind == "string"
                row[content] = words.setdefault(value, len(words)) if is_text else int(value)
    return list(words), [_Source(field, table) for field, table in sources.items()]


def _typed(values: NDArray[np.int16], kind: str) -> NDArray[Any]:
    return values > 0 if kind == "bool" else values.astype(kind, copy=False)
