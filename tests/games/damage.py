"""What can happen to the record of a game, for the tests of every game."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from reefsim.core.game import Game
from reefsim.core.record import Record
from reefsim.core.replay import Verdict, check_record


def copied(record: Record) -> Record:
    """A copy that may be damaged."""
    return Record(deepcopy(record.header), deepcopy(record.rows), deepcopy(record.results))


def judged(record: Record, game: Game) -> Verdict:
    """The verdict on a record; if something is wrong it says what, by which clause, in one line."""
    verdict = check_record(record, game)
    assert verdict.ok or (verdict.message and verdict.clause and "\n" not in str(verdict))
    return verdict


# Each takes the lines and a place in them, and returns the ply of the first wrong line.
Damage = Callable[[list[dict[str, Any]], int], int]


def drop(rows: list[dict[str, Any]], k: int) -> int:
    del rows[k]
    return k


def double(rows: list[dict[str, Any]], k: int) -> int:
    rows.insert(k, dict(rows[k]))
    return k + 1


def swap(rows: list[dict[str, Any]], k: int) -> int:
    k = min(k, len(rows) - 2)
    rows[k], rows[k + 1] = rows[k + 1], rows[k]
    return k


def cut_off(rows: list[dict[str, Any]], k: int) -> int:
    del rows[k:]
    return k


def add_key(rows: list[dict[str, Any]], k: int) -> int:
    rows[k]["colour"] = "pink"
    return k


def lose_key(rows: list[dict[str, Any]], k: int) -> int:
    del rows[k][list(rows[k])[k % len(rows[k])]]
    return k


def replace_line(rows: list[dict[str, Any]], k: int) -> int:
    rows[k] = {"result": True, "seat": 0} if k % 2 else {}
    return k


def misspell(rows: list[dict[str, Any]], k: int) -> int:
    rows[k]["event"] += "s"
    return k


def shift(rows: list[dict[str, Any]], k: int) -> int:
    for row in rows[k:]:
        row["ply"] += 1
    return k


DAMAGES: list[Damage] = [
    drop,
    double,
    swap,
    cut_off,
    add_key,
    lose_key,
    replace_line,
    misspell,
    shift,
]
