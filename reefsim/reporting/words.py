"""Words for what a run is made of: numbers, line-ups, rules, causes, counts of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reefsim.core.wording import noun
from reefsim.reporting.manifest import ArmInfo
from reefsim.reporting.numbers import count

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def number_word(number: int) -> str:
    """Small number as a word.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def line_up(arm: ArmInfo) -> str:
    """Who plays: 'greedy agents', or 'one strong and two greedy agents'."""
    held = [(number_word(arm.lineup.count(name)), name) for name in dict.fromkeys(arm.lineup)]
    if not held:
        return "unnamed agents"
    if len(held) == 1:
        return f"{held[0][1]} agents"
    parts = [f"{number} {name}" for number, name in held]
    return f"{', '.join(parts[:-1])} and {parts[-1]} agents"


def cause_name(cause: str) -> str:
    """Cause of an end as words.

    >>> cause_name("turn_limit")
    'turn limit'
    """
    return cause.replace("_", " ")


def rules_text(rules: Mapping[str, Any]) -> str:
    """Differences from the printed rules, in one line."""
    return "; ".join(f"{name} = {value}" for name, value in rules.items()) or "as printed"


def listed(items: Sequence[str]) -> str:
    """Items as a list in a sentence: 'a, b and c'."""
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


def counted(number: float, plural: str) -> str:
    """So many of something, in its singular if there is one.

    >>> counted(1, "rounds"), counted(12, "rounds")
    ('1 round', '12 rounds')
    """
    return f"{count(number)} {noun(number, plural)}"


def games(row: Mapping[str, Any]) -> str:
    """Count of the games a number rests on."""
    return counted(row["games"], "games")
