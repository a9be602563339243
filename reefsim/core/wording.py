"""Words for error messages: values as the user wrote them, nearest names, lists of names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LONGEST_VALUE = 60
_BARE_NAME = re.compile(r"[\w:+-]{1,60}", re.ASCII)
_ARTICLE = re.compile(r"\ba (?=[aeio](?!ne\b))")
_TRUTH_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}


def show(value: object, limit: int = LONGEST_VALUE) -> str:
    """Write a value as it would stand in a YAML file, on one line of at most `limit` characters.

    >>> show([6, True, None, "R1"])
    "[6, true, null, 'R1']"
    """
    text = _show(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _show(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        pairs = (f"{key if isinstance(key, int) else _show(key)}: " for key in value)
        return (
            "{" + ", ".join(p + _show(v) for p, v in zip(pairs, value.values(), strict=True)) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_show, value)) + "]"
    return repr(value)


def plain(value: object) -> str:
    """Write a value without quotes around text, for sentences such as 'default random'."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(plain, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {plain(item)}" for key, item in value.items()) + "}"
    return show(value)


def kind_of(value: object) -> str:
    """Name the type of a value in the words of the messages."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a map" if isinstance(value, Mapping) else "a list"


def noun(number: float, plural: str) -> str:
    """Name of what is counted, for so many of it; names without an s stay as they are.

    >>> noun(1, "rounds"), noun(2, "rounds"), noun(1, "plies"), noun(1, "pp")
    ('round', 'rounds', 'ply', 'pp')
    """
    if number != 1 or not plural.endswith("s"):
        return plural
    return f"{plural[:-3]}y" if plural.endswith("ies") else plural[:-1]


def listing(names: Iterable[str], limit: int = 20) -> str:
    """List names, at most `limit` of them."""
    names = list(names)
    more = f", ... ({len(names)} in all)" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


def nearest(name: object, options: Iterable[str]) -> str | None:
    """Find the option closest to a misspelt name, or None if nothing is close."""
    lowered = {option.lower(): option for option in options}
    found = difflib.get_close_matches(str(name)[:100].lower(), lowered, n=1, cutoff=0.6)
    return lowered[found[0]] if found else None


def did_you_mean(name: object, options: Iterable[str]) -> str:
    """Ask back with the closest option; empty if nothing is close.

    >>> did_you_mean("equal_tile", ["published", "equal_tiles"])
    "Did you mean 'equal_tiles'?"
    """
    close = nearest(name, options)
    return f"Did you mean '{close}'?" if close else ""


def sentences(*parts: str) -> str:
    """Join the parts that say something."""
    return " ".join(part for part in parts if part)


def with_articles(sentence: str) -> str:
    """Write "an orange tile" where a word put in begins with a vowel.

    >>> with_articles("no cell takes a orange tile")
    'no cell takes an orange tile'
    """
    return _ARTICLE.sub("an ", sentence)


def number_advice(value: Any) -> str:
    """Say how to write a value that was meant as a number, if that can be guessed."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return f"Write {int(value)}."
    if isinstance(value, str):
        if re.fullmatch(r"[-+]?\d{1,18}(\.\d+)?", value):
            return f"Write {value} without quotes."
        if re.fullmatch(r"\d{1,3}([_,' ]\d{3})+", value):
            return f"Write {re.sub(r'[^0-9]', '', value)}."
    return ""


def truth_advice(value: Any) -> str:
    """Say how to write a value that was meant as a truth value, if that can be guessed."""
    if isinstance(value, str):
        if value.lower() in ("true", "false"):
            return f"Write {value.lower()} without quotes."
        if value.lower() in _TRUTH_WORDS:
            return f"Write {_TRUTH_WORDS[value.lower()]}."
    return ""


def path_text(path: Sequence[object]) -> str:
    """Join the names that lead to a value: 'rulesets.mine.some_toggle'."""
    return ".".join(str(p) if _BARE_NAME.fullmatch(str(p)) else show(str(p)) for p in path)
