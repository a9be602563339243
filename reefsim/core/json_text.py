"""JSON from strangers: numbers of bounded length, and nothing that JSON has not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

MAX_DIGITS = 40  # of a whole number; nothing here needs more


def parse_json(
    text: str | bytes, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None
) -> Any:
    """Read JSON.

    Parameters
    ----------
    text : UTF-8 if bytes
    pairs : makes an object of its keys and values; None: a dict, of which the last of equal keys is

    Raises
    ------
    ValueError : if it is none, or holds a number of more than `MAX_DIGITS` digits, NaN or infinity
    RecursionError : if it is nested too deeply
    """
    return json.loads(text, object_pairs_hook=pairs, parse_int=_whole, parse_constant=_no_constant)


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of {len(text)} digits, more than {MAX_DIGITS}")
    return int(text)


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")
