"""Rulesets at random, over every toggle of a game, from any source of whole numbers.

The source is a function `whole(low, high)`, both included: hypothesis draws (and shrinks) through
it, `check_game` hands over a plain generator. Small numbers make simple rulesets: 0s the defaults.

>>> from reefsim.games import registry
>>> kind = registry.get(registry.names()[0]).ruleset
>>> draw_ruleset(kind, 3, lambda low, high: low).differences()
{}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reefsim.core.allowed import (
    Allowed,
    ByPlayers,
    Choice,
    Counts,
    DataName,
    Either,
    Flag,
    ListOf,
    Number,
    Order,
    Rising,
    Whole,
)
from reefsim.core.ruleset import Ruleset

Source = Callable[[int, int], int]
ROOM = 40  # how far above its lower limit a number without an upper one is drawn


def draw_ruleset(kind: type[Ruleset], seats: int, whole: Source, changes: int = 1) -> Ruleset:
    """Draw a valid ruleset for a number of seats.

    Parameters
    ----------
    kind : the game's class of rulesets
    seats : number of players
    whole : source of whole numbers
    changes : a toggle is changed with chance changes / (changes + 3)
    """
    values: dict[str, Any] = {}
    for toggle in kind.toggles():
        if whole(0, changes + 2) > 2:
            values[toggle.name] = draw_value(toggle.values, seats, whole)
    # Values may be fine one by one and not together: go back to the default of those at fault.
    while problems := kind.problems(values, seats):
        if not any(str(path[0]) in values for path, _ in problems):
            raise ValueError(f"nothing drawn is at fault: {problems}")
        for path, _ in problems:
            values.pop(str(path[0]), None)
    return kind.make(values, seats)


def draw_value(allowed: Allowed, seats: int, whole: Source) -> Any:
    """Draw a value that a toggle allows.

    Raises
    ------
    TypeError : for a kind of value that is not known here
    """
    if isinstance(allowed, Flag):
        return bool(whole(0, 1))
    if isinstance(allowed, Choice | DataName):
        return allowed.names[whole(0, len(allowed.names) - 1)]
    if isinstance(allowed, Number):
        low = int(allowed.low or 0)
        high = int(allowed.high) if allowed.high is not None else low + ROOM
        number = whole(low, high)
        return number if isinstance(allowed, Whole) else float(number)
    if isinstance(allowed, Either):
        return draw_value(allowed.options[whole(0, len(allowed.options) - 1)], seats, whole)
    if isinstance(allowed, ListOf):
        return _draw_list(allowed, seats, whole)
    if isinstance(allowed, Counts):
        names = [allowed.names[whole(0, len(allowed.names) - 1)] for _ in range(allowed.total)]
        return {name: names.count(name) for name in allowed.names}
    if isinstance(allowed, Rising):
        steps = [whole(1, 6) for _ in range(allowed.length)]
        return [allowed.low - 1 + sum(steps[: k + 1]) for k in range(allowed.length)]
    if isinstance(allowed, Order):
        left = list(allowed.numbers)
        return [left.pop(whole(0, len(left) - 1)) for _ in range(len(left))]
    if isinstance(allowed, ByPlayers):
        return {seats: draw_value(allowed.value, seats, whole)}
    raise TypeError(f"no values are drawn for {allowed!r}")


def _draw_list(allowed: ListOf, seats: int, whole: Source) -> list[Any]:
    """A list with an entry per seat, as lists in rules mostly are, or a set."""
    if not allowed.unique:
        return [draw_value(allowed.item, seats, whole) for _ in range(seats)]
    entries: list[Any] = []
    for _ in range(whole(allowed.least, 4)):
        entry = draw_value(allowed.item, seats, whole)
        if entry not in entries:
            entries.append(entry)
    return entries
