"""The clause that decides each column of the game record (RULES.md M4)."""

from __future__ import annotations

_EVENTS = {
    "deal": "R1.4",
    "start_random": "R1.6",
    "display": "R1.8",
    "top": "R1.8",
    "hand_card": "R7.4",
}
_ACTIONS = {
    "start_piece": "R1.6",
    "take_display": "R3.2",
    "take_deck": "R3.3",
    "play": "R4.1",
    "centre": "R6.1",
    "score": "R4.7",
    "pass_turn": "R2.3",
}
_ENDS = {"coral_out": "R7.1", "deck_out": "R7.3", "turn_limit": "M2"}
_COLUMNS = {
    "ply": "M4",
    "turn": "R2.1",
    "seat": "R2.1",
    "slot": "R3.4",
    "color": "R4.2",
    "cell": "R4.3",
    "color2": "R4.2",
    "cell2": "R4.3",
    "level": "R1.7",
    "matches": "R5.7",
    "n_legal": "M2",
}
_POINTS = {"take_display": "R3.2", "take_deck": "R3.3", "hand_card": "R7.4"}
_CARDS = {"take_display": "R3.2", "take_deck": "R3.3", "play": "R4.1"}
_RESULTS = {
    "score": "R7.5",
    "rank": "R7.6",
    "covered": "R7.6",
    "full_stacks": "R7.6",
    "takes_display": "R3.2",
    "takes_deck": "R3.3",
    "plays": "R4.1",
    "pattern_points": "R4.7",
    "hand_points": "R7.4",
    "tokens_taken": "R3.2",
    "tokens_paid": "R3.3",
    "hand": "R3.1",
    "pieces": "R4.3",
}


def clause_of(event: str, column: str) -> str:
    """Name the clause that decides a column of an event.

    Parameters
    ----------
    event : as in the record; "result" for a result line
    column : as in the record; "event" for the fact that the event comes at all; for `end` also its
        cause

    >>> clause_of("play", "matches"), clause_of("take_deck", "points"), clause_of("end", "deck_out")
    ('R5.7', 'R3.3', 'R7.3')
    """
    if event == "end":
        return _ENDS.get(column, "R7.1")
    if event == "result":
        return _RESULTS.get(column, "M4")
    if column == "event" and event in _ACTIONS:
        return _ACTIONS[event]
    if column in ("ply", "turn"):
        return _COLUMNS[column]
    if column == "points":
        return _POINTS.get(event, "R4.7")
    if column == "card" and event in _CARDS:
        return _CARDS[event]
    if column == "matches":
        return _COLUMNS[column]
    return _EVENTS.get(event) or _COLUMNS.get(column, "M2")
