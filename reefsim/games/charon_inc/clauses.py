"""The clause that decides each column of the game record (RULES.md M4)."""

from __future__ import annotations

_EVENTS = {
    "seed": "CH-1.5",
    "bury": "CH-1.7",
    "deal": "CH-1.8",
    "draw": "CH-6.4",
    "redraw": "CH-6.4",
    "a3_card": "CH-4.7b",
    "action": "CH-3.4",
    "mine": "CH-4.2",
    "clear": "CH-4.6",
    "order": "CH-4.8",
    "row_card": "CH-6.5",
    "place": "CH-3.1",
    "a1_move": "CH-3.5",
    "a1_pass": "CH-3.5",
    "a3_take": "CH-4.7",
    "a3_draw": "CH-4.7",
    "trade": "CH-5.2",
    "synchrotron": "CH-5.3",
    "build": "CH-5.4",
    "end_build": "CH-5.1",
    "keep": "CH-6.1",
    "exchange": "CH-6.4",
    "no_exchange": "CH-6.4",
    "end": "CH-7.1",
}
_COLUMNS = {
    "ply": "M4",
    "turn": "M4",
    "round": "CH-2.1",
    "n_legal": "M2",
}
_SIZES = {"seed": "CH-1.6", "mine": "CH-4.5"}
_RESULTS = {
    "score": "CH-7.1",
    "rank": "CH-7.2",
    "builds": "CH-7.2",
    "built": "CH-7.2",
    "regions_won": "CH-4.2",
    "gems_mined": "CH-4.5",
    "clear_taken": "CH-4.6",
    "valid_actions": "CH-3.4",
    "row_builds": "CH-5.6",
    "trades": "CH-5.2",
    "gems_left": "CH-5.4",
    "hand_left": "CH-6.4",
}


def clause_of(event: str, column: str) -> str:
    """Name the clause that decides a column of an event.

    Parameters
    ----------
    event : as in the record; "result" for a result line
    column : as in the record; "event" for the fact that the event comes at all; for `end` also its
        cause

    >>> clause_of("mine", "seat"), clause_of("seed", "size"), clause_of("result", "rank")
    ('CH-4.2', 'CH-1.6', 'CH-7.2')
    """
    if event == "result":
        return _RESULTS.get(column, "M4")
    if column in _COLUMNS:
        return _COLUMNS[column]
    if column == "size" and event in _SIZES:
        return _SIZES[event]
    if column == "source" and event == "build":
        return "CH-5.6"
    return _EVENTS.get(event, "M2")
