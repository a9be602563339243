"""The clause that decides each column of the game record (RULES.md M4)."""

from __future__ import annotations

_EVENTS = {
    "fall": "PK-6.2",
    "start": "PK-1.8",
    "coral": "PK-1.10",
    "place": "PK-3.2",
    "build": "PK-3.2",
    "load": "PK-3.5",
    "move": "PK-3.7",
    "put": "PK-4.3",
    "eat": "PK-4.4",
    "buy": "PK-7.3",
    "take": "PK-4.4",
    "use": "PK-4.4",
    "end_meal": "PKQ-18",
    "end_food": "PK-4.1",
    "kraken": "PK-4.7",
    "peek": "PK-4.11",
    "no_peek": "PK-4.11",
    "flee": "PK-5.3",
    "skeleton": "PK-5.4",
    "reward": "PK-6.6",
    "no_reward": "PK-6.5",
}
_ENDS = {"turn_limit": "PK-8.2"}
_COLUMNS = {"ply": "M4", "turn": "PK-2.1", "seat": "PK-2.1", "n_legal": "M2"}
_SPECIAL = {
    ("start", "seat"): "PK-1.8",
    ("place", "number"): "PK-3.2",
    ("kraken", "number"): "PK-4.8",
    ("kraken", "tentacle"): "PK-4.10",
    ("reward", "number"): "PK-4.8",
    ("reward", "tentacle"): "PK-4.10",
    ("flee", "seat"): "PK-5.2",
    ("skeleton", "seat"): "PK-5.4",
    ("reward", "seat"): "PK-6.5",
    ("no_reward", "seat"): "PK-6.5",
}
_RESULTS = {
    "score": "PK-7.5",
    "rank": "PK-7.7",
    "safe_points": "PK-7.5",
    "coral_points": "PK-7.5",
    "trident": "PK-7.7",
    "reef_size": "PK-7.7",
    "skeletons": "PK-5.4",
    "safe_tiles": "PK-4.5",
    "friends": "PK-4.5",
    "by_eating": "PK-4.5",
    "by_ring": "PK-4.9",
    "by_reward": "PK-6.6",
    "lost": "PK-5.2",
    "coral_white": "PK-7.3",
    "coral_black": "PK-7.3",
}


def clause_of(event: str, column: str) -> str:
    """Name the clause that decides a column of an event.

    Parameters
    ----------
    event : as in the record; "result" for a result line
    column : as in the record; "event" for the fact that the event comes at all; for `end` also its
        cause

    >>> clause_of("kraken", "number"), clause_of("use", "points"), clause_of("end", "turn_limit")
    ('PK-4.8', 'PK-4.5', 'PK-8.2')
    """
    if event == "end":
        return _ENDS.get(column, "PK-7.1")
    if event == "result":
        return _RESULTS.get(column, "M4")
    if (event, column) in _SPECIAL:
        return _SPECIAL[event, column]
    if column in _COLUMNS:
        return _COLUMNS[column]
    if column == "points":
        return "PK-4.5"
    return _EVENTS.get(event, "M2")
