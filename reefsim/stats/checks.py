"""Checks of what is handed to an estimate: one line that names what was found and what is allowed.

The rule for missing evidence is the same everywhere. Counts may be zero: intervals are then as
wide as the values allow, tests say p = 1. Lists of values must not be empty. Values without any
spread never make an interval of zero width; what is returned instead stands with each function.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Values = Sequence[float] | npt.NDArray[Any]

_ROUNDING = 1e-6  # logs hold single precision: a mean of ones may be 1.0000001


def whole(name: str, value: SupportsFloat, low: int = 0, high: int | None = None) -> int:
    """A whole number from `low` to `high`."""
    number = number_of(name, value)
    allowed = f"{low} to {high}" if high is not None else f"{low} or more"
    if number != math.floor(number):
        what = "shared wins are no counts, average them by replicate (block_mean)"
        raise ValueError(f"{name} = {number:g} is not a whole number; {what}")
    if number < low or (high is not None and number > high):
        raise ValueError(f"{name} = {number:g} is not allowed; it must be {allowed}")
    return int(number)


def inside(name: str, value: SupportsFloat, low: float = 0.0, high: float = 1.0) -> float:
    """A number strictly between `low` and `high`."""
    number = number_of(name, value)
    if not low < number < high:
        limits = f"between {low:g} and {high:g}" if high < math.inf else f"above {low:g}"
        raise ValueError(f"{name} = {number:g} is not allowed; it must lie {limits}")
    return number


def within(name: str, value: SupportsFloat, low: float = 0.0, high: float = 1.0) -> float:
    """A number from `low` to `high`, both included."""
    number = number_of(name, value)
    if not low <= number <= high:
        raise ValueError(f"{name} = {number:g} is not allowed; it must be {low:g} to {high:g}")
    return number


def number_of(name: str, value: SupportsFloat) -> float:
    """A finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} = {value!r} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} = {number:g} is not a finite number")
    return number


def limits(name: str, bounds: tuple[float, float]) -> tuple[float, float]:
    """Two finite numbers, the first below the second."""
    low, high = (number_of(name, bound) for bound in bounds)
    if not low < high:
        raise ValueError(f"{name} = {bounds} is not allowed; the first must be below the second")
    return low, high


def choice(name: str, value: str, allowed: Sequence[str]) -> str:
    """One of several words."""
    if value not in allowed:
        raise ValueError(f"{name} = {value!r} is not known; it must be one of {', '.join(allowed)}")
    return value


def numbers(
    name: str,
    values: Any,
    *,
    ndim: int = 1,
    least: int = 1,
    low: float = -math.inf,
    high: float = math.inf,
) -> FloatArray:
    """An array of finite numbers with `ndim` dimensions and at least `least` rows.

    Values that leave `low` to `high` by no more than rounding are put on the limit.
    """
    try:
        data = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers in {_shape(ndim)}") from None
    if data.ndim != ndim:
        raise ValueError(f"{name} has {data.ndim} dimensions; it must be {_shape(ndim)}")
    rows = len(data) if data.size else 0
    if rows < least:
        raise ValueError(f"{name} holds {rows} values; it must hold at least {least}")
    missing = int((~np.isfinite(data)).sum())
    if missing:
        raise ValueError(f"{name}: {missing} of {data.size} values are missing or infinite")
    outside = int(((data < low - _ROUNDING) | (data > high + _ROUNDING)).sum())
    if outside:
        raise ValueError(f"{name}: {outside} of {data.size} values are outside {low:g} to {high:g}")
    clipped: FloatArray = np.clip(data, low, high)
    return clipped


def floats(values: Any) -> FloatArray:
    """A column, or anything like it, as an array of floats."""
    return np.asarray(values, dtype=np.float64)


def tallies(name: str, values: Any, *, ndim: int = 1, least: int = 2) -> FloatArray:
    """An array of whole numbers from 0 up."""
    data = numbers(name, values, ndim=ndim, least=least)
    wrong = int(((data < 0) | (data != np.floor(data))).sum())
    if wrong:
        raise ValueError(f"{name}: {wrong} of {data.size} values are not whole numbers from 0 up")
    return data


def flags(name: str, values: Any, length: int) -> BoolArray:
    """Yes or no for each of `length` values."""
    data = np.asarray(values)
    if data.shape != (length,):
        raise ValueError(f"{name} has shape {data.shape}; it must have {length} values")
    if data.dtype != bool and not np.isin(data, (0, 1)).all():
        raise ValueError(f"{name} must hold true and false only")
    return data.astype(bool)


def is_constant(values: FloatArray) -> bool:
    """Whether values differ by no more than rounding; true for a single value."""
    return float(np.ptp(values)) <= 1e-9 * max(1.0, float(np.abs(values).max()))


def _shape(ndim: int) -> str:
    return {1: "a list", 2: "a table of rows and columns"}.get(
        ndim, f"an array of {ndim} dimensions"
    )
