"""Arrow arrays straight from numpy memory.

`pyarrow.array` would import pandas, which a worker that only plays and writes has no use for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

INDEX = np.int16  # of every dictionary


def numbers(values: NDArray[Any], null: NDArray[np.bool_] | None = None) -> pa.Array:
    """Numbers or truth values as an arrow array, without a copy where possible.

    Parameters
    ----------
    values : shape (rows,), of an integer, float or truth type
    null : shape (rows,), true where the entry is null; None if nowhere
    """
    bits = values.dtype == np.bool_
    content = np.packbits(values, bitorder="little") if bits else np.ascontiguousarray(values)
    kind = pa.bool_() if bits else pa.from_numpy_dtype(values.dtype)
    nulls = 0 if null is None else int(np.count_nonzero(null))
    valid = (
        pa.py_buffer(np.packbits(~null, bitorder="little")) if null is not None and nulls else None
    )
    return pa.Array.from_buffers(kind, len(values), [valid, pa.py_buffer(content)], nulls)


def texts(words: Sequence[str]) -> pa.Array:
    """A few strings as an arrow array."""
    content = [word.encode() for word in words]
    offsets = np.cumsum([0, *map(len, content)]).astype(np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(content))]
    return pa.Array.from_buffers(pa.string(), len(content), buffers)


def dictionary(
    indices: NDArray[Any], words: Sequence[str], null: NDArray[np.bool_] | None = None
) -> pa.Array:
    """Strings as indices into `words`, which may repeat; `null` as in `numbers`."""
    different = list(dict.fromkeys(words))
    if len(different) < len(words):
        indices = np.array([different.index(word) for word in words])[indices]
    array = numbers(indices.astype(INDEX, copy=False), null)
    return pa.DictionaryArray.from_arrays(array, texts(different), safe=False)


def lists(values: pa.Array, counts: NDArray[Any] | Sequence[int]) -> pa.Array:
    """Lists from all their values and the number of them in each row."""
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(numbers(offsets), values)
