"""Records with named fields, in both modes: a numpy record for jitted code, a plain object else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from reefsim.core.kernel import Mode, primitive

Field = tuple[Any, ...]  # (name, numpy type) or (name, numpy type, shape)


class PlainRecord:
    """A record as an ordinary object: ints and (nested) lists of ints under the field names."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def copy(self) -> PlainRecord:
        """An independent copy."""
        twin = PlainRecord()
        for name, value in vars(self).items():
            setattr(twin, name, _copy(value))
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainRecord) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


def _copy(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [_copy(item) for item in value] if value and isinstance(value[0], list) else value[:]


class Layout:
    """Names, types and shapes of the fields of one kind of record.

    Parameters
    ----------
    name : of the record; becomes a field of the dtype, since numba tells two games apart by dtype
    fields : (name, numpy type) or (name, numpy type, shape)
    """

    def __init__(self, name: str, fields: Sequence[Field]) -> None:
        self.name = name
        self.fields = tuple(fields)
        self.dtype = np.dtype(
            (np.record, np.dtype([*self.fields, (f"is_{name}", np.int8)], align=True))
        )

    def array(self, n: int = 1) -> Any:
        """`n` zeroed numpy records, shape (n,); index it to get a record for jitted code."""
        return np.zeros(n, self.dtype).view(np.recarray)

    def records(self, n: int, mode: Mode) -> Any:
        """`n` zeroed records, as an array (jitted) or a list (plain)."""
        return self.array(n) if mode == "jitted" else self.plains(n)

    def plain(self) -> PlainRecord:
        """One zeroed plain record."""
        record = PlainRecord()
        for name, kind, *shape in self.fields:
            setattr(record, name, np.zeros(shape[0] if shape else (), kind).tolist())
        return record

    def plains(self, n: int) -> list[PlainRecord]:
        """`n` zeroed plain records."""
        return [self.plain() for _ in range(n)]

    def fill(self, record: Any, values: dict[str, Any]) -> None:
        """Set fields by name; values have the shape of their field.

        Raises
        ------
        KeyError : for a name that is no field
        """
        kinds = {name: (kind, shape) for name, kind, *shape in self.fields}
        for name, value in values.items():
            kind, shape = kinds[name]
            whole = np.broadcast_to(np.asarray(value, kind), shape[0] if shape else ())
            if isinstance(record, PlainRecord):
                setattr(record, name, whole.tolist())
            elif shape:
                getattr(record, name)[...] = whole
            else:
                setattr(record, name, whole[()])

    def to_plain(self, record: Any) -> PlainRecord:
        """A plain copy of a record of either mode."""
        if isinstance(record, PlainRecord):
            return record.copy()
        twin = PlainRecord()
        for name, *_ in self.fields:
            setattr(twin, name, np.asarray(getattr(record, name)).tolist())
        return twin


def _native_store() -> Any:
    import numba

    @numba.njit(inline="always")
    def store(records, i, record):  # type: ignore[no-untyped-def]
        records[i] = record

    return store


@primitive(_native_store)
def store(records: Any, i: int, record: Any) -> None:
    """Copy `record` into place `i` of an array (jitted) or list (plain) of records."""
    records[i] = record.copy()
