"""A game that was given up, as the table `failures` tells it."""

from __future__ import annotations

import json
import re
import traceback
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from reefsim.core.game import Game

_LAST = 10  # events that are told of a game that failed
_MOST_TEXT = 10_000  # characters that are kept of a traceback
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


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


def describe_failure(number: int, error: BaseException, actions: tuple[str, ...]) -> Failure:
    """Note of a game in which the rules failed."""
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return Failure(number, "rules", what, traceback_text(error), last_actions=actions)


def traceback_text(error: BaseException) -> str:
    """Where an error came from, the same on every machine: names of files, no addresses."""
    lines = []
    for frame in traceback.extract_tb(error.__traceback__):
        lines.append(f"{PurePath(frame.filename).name}:{frame.lineno} in {frame.name}")
        if frame.line:
            lines.append(f"    {frame.line}")
    return _ADDRESS.sub("0x", "\n".join(lines)[-_MOST_TEXT:])


def last_actions(game: Game, log: Any, num: int) -> tuple[str, ...]:
    """The last of `num` packed events, as rows of a record in JSON."""
    num = min(num, len(log))
    first = max(0, num - _LAST)
    rows = game.events.rows([int(code) for code in log[first:num]], first)
    return tuple(json.dumps(row) for row in rows)
