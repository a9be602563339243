"""Boards and decks for tests, in a few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reefsim.core.datafiles import looking_in
from reefsim.games.reef.constants import MAX_DISPLAY
from reefsim.games.reef.decks import HEAD
from reefsim.games.reef.game import GAME
from reefsim.games.reef.patterns import matches
from reefsim.games.reef.position import position

EMPTY = " / ".join([". . . ."] * 4)
_FILLER = 12  # further cards, so that a game can be set up


def rows(spaces: Iterable[tuple[int, int, str]]) -> str:
    """A board from its covered spaces: row, column, stack."""
    board = [["."] * 4 for _ in range(4)]
    for row, column, stack in spaces:
        board[row][column] = stack
    return " / ".join(" ".join(row) for row in board)


def fill(stack: str) -> str:
    """The same stack everywhere."""
    return rows((row, column, stack) for row in range(4) for column in range(4))


def deck_of(*lines: str, **rules: Any) -> Any:
    """A ruleset for two players with a deck of these cards, and some more."""
    more = [f"X{i},R,R,pattern,0:0:W:*,0,-,-" for i in range(_FILLER + MAX_DISPLAY)]
    with looking_in({"decks/test.csv": "\n".join([HEAD, *lines, *more])}):
        return GAME.ruleset.make(
            {"deck_id": "test", "setup_mode": "centre_random", "coral_per_color": 60} | rules, 2
        )


def appears(board: str, cells: str, **rules: Any) -> int:
    """How often a pattern appears on a board."""
    ruleset = deck_of(f"A,R,R,pattern,{cells},1,-,-", stack_limit=6, **rules)
    match = position(board, rules=ruleset, display="X0 X1 X2")
    return matches(match.plain_state(), match.rules, match.work, 0, 0)
