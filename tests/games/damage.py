"""What can happen to the record of a game, for the tests of every game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection
from copy import deepcopy
from typing import Any

from reefsim.core.game import Game
from reefsim.core.record import Record
from reefsim.core.replay import Verdict, check_record, verdict_to_json


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
OTHER_TYPES = [None, True, 1.0, -1, 10**30, "", "\ud800", [], ["pink"], {"a": {}}, "x" * 2000]


def first(record: Record, event: str, **columns: Any) -> int:
    """Ply of the first event with these columns."""
    return next(
        k
        for k, row in enumerate(record.rows)
        if row["event"] == event and columns.items() <= row.items()
    )


def check_damaged_lines(record: Record, game: Game, damage: Damage, places: int = 6) -> None:
    """A damage is found at the first wrong line, in the first, the last and some other lines."""
    last = len(record.rows) - 1
    for k in (0, last, *random.Random(2).sample(range(1, last), places)):
        damaged = copied(record)
        ply = damage(damaged.rows, k)
        verdict = judged(damaged, game)
        assert (verdict.ok, verdict.ply, verdict.place) == (False, ply, f"ply {ply}"), str(verdict)
        assert verdict.exit_code == 1


def check_other_types(record: Record, game: Game, marks: int = 2) -> None:
    """A value of another type is found in its line, in each column of each event."""
    seen, drawn = set(), random.Random(5)
    for k, row in enumerate(record.rows):
        for column in row:
            if (row["event"], column) in seen:
                continue
            seen.add((row["event"], column))
            for mark in (*drawn.sample(OTHER_TYPES, marks), float(k)):
                if mark == row[column] and type(mark) is type(row[column]):
                    continue
                damaged = copied(record)
                damaged.rows[k][column] = mark
                verdict = judged(damaged, game)
                assert verdict.ply == k, (row, column, mark, str(verdict))
                assert len(str(verdict)) < 1000
                json.dumps(verdict_to_json("record", verdict)).encode()


def check_changed_values(
    record: Record, game: Game, consequences: Collection[str], lines: int = 8
) -> None:
    """A changed value is found in its line if it follows from the game so far, never before it.

    Parameters
    ----------
    consequences : columns that follow from the game so far, in whatever event
    """
    rng = random.Random(len(record.rows))
    for k in sorted(rng.sample(range(len(record.rows)), lines)):
        row = record.rows[k]
        is_fact = game.events.roles[row["event"]] == "consequence"
        for column, value in row.items():
            changed = copied(record)
            changed.rows[k][column] = value + 1 if isinstance(value, int) else "nothing"
            verdict = judged(changed, game)
            if is_fact or column in consequences or not isinstance(value, int):
                assert (verdict.ok, verdict.ply) == (False, k), (column, str(verdict))
            else:  # another choice or outcome may be possible, but then no line before is wrong
                assert verdict.ok or verdict.ply is None or verdict.ply >= k, (column, str(verdict))


def check_wrong_results(record: Record, game: Game) -> None:
    """A wrong or missing value of a result is found in its line, with its clause."""
    for seat, row in enumerate(record.results):
        for column, value in row.items():
            wrong = copied(record)
            changed = value + 1 if type(value) is int else False if value is True else "nobody"
            wrong.results[seat][column] = changed
            verdict = judged(wrong, game)
            assert (verdict.place, verdict.ply) == (f"result of seat {seat}", None), str(verdict)
            assert verdict.clause == game.clause_of("result", column)
            del wrong.results[seat][column]
            assert judged(wrong, game).place == f"result of seat {seat}"


def check_told(
    record: Record,
    game: Game,
    message: str,
    *,
    rules: dict[str, Any],
    header: dict[str, Any] | None = None,
) -> None:
    """Other rules or another header are told by a verdict that begins with a message."""
    other = copied(record)
    other.header["rules"].update(rules)
    other.header.update(header or {})
    verdict = judged(other, game)
    assert not verdict.ok
    assert str(verdict).startswith(message), str(verdict)
