"""The clause that decides each column of the game record (RULES.md M4)."""

from __future__ import annotations

_EVENTS = {
    "board": "R1.1",
    "side": "R1.4",
    "sea_start": "R1.6",
    "sea_fill": "R1.6",
    "deal": "R1.8",
    "refill": "R10.3",
}
_ACTIONS = {
    "stash": "R1.9",
    "choose_larvae": "R1.10",
    "feed": "R3.1",
    "grow": "R4.1",
    "place": "R4.4",
    "end_grow": "R4.9",
    "grow_bonus": "R6.2",
    "shrimp_in": "R7.1",
    "shrimp_move": "R7.2",
    "shrimp_out": "R7.2",
    "to_larva": "R8.1",
    "to_polyp": "R8.2",
    "alga": "R9.1",
    "collect": "R10.2",
    "pass_turn": "R2.7",
    "no_feed": "R11.6",
}
_ENDS = {
    "all_locked": "R11.1",
    "four_eaten": "R11.2",
    "no_space": "R11.3",
    "supply": "R11.4",
    "turn_limit": "M2",
}
_COLUMNS = {
    "ply": "M4",
    "turn": "R2.1",
    "seat": "R2.1",
    "alga": "R9.1",
    "captured": "R5.4",
    "growth": "R6.2",
    "size": "R3.2",
    "n_legal": "M2",
}
_RESULTS = {
    "score": "R12.2",
    "rank": "R12.3",
    "front": "R12.3",
    "larvae": "R12.3",
    "behind": "R12.3",
    "guarded": "R12.3",
    "feeds": "R3.3",
    "captured": "R5.4",
    "locks": "R9.5",
}


def clause_of(event: str, column: str) -> str:
    """Name the clause that decides a column of an event.

    Parameters
    ----------
    event : as in the record; "result" for a result line
    column : as in the record; "event" for the fact that the event comes at all; for `end` also its
        cause

    >>> clause_of("place", "growth"), clause_of("refill", "color"), clause_of("end", "supply")
    ('R6.2', 'R10.3', 'R11.4')
    """
    if event == "end":
        return _ENDS.get(column, "R11.5")
    if event == "result":
        return "R3.2" if column.startswith("fish_") else _RESULTS.get(column, "M4")
    if column == "event" and event in _ACTIONS:
        return _ACTIONS[event]
    if column in ("ply", "turn"):
        return _COLUMNS[column]
    return _EVENTS.get(event) or _COLUMNS.get(column, "M2")
