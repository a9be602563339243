"""A game that was given up, as the table `failures` tells it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """A game that was given up.

    Attributes
    ----------
    number : place of the game in its chunk
    kind : what failed: "agent" (a user's class), "watchdog" (it gave no answer), "rules"
    agent, seat, ply : who was asked, and after how many events; None where that is not known
    error : what went wrong, in a line
    traceback : as Python tells it, without folders
    last_actions : the last events before it, as rows of a record in JSON
    """

    number: int
    kind: str
    error: str
    traceback: str
    agent: str | None = None
    seat: int | None = None
    ply: int | None = None
    last_actions: tuple[str, ...] = ()
