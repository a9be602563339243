"""The game record: a complete game as JSON Lines, read strictly and written whole.

A record is one header line, one line per event in the order of play (chance included) and one
result line per seat (M4). Reading checks the form only: whether the game told is possible is the
business of `reefsim.core.replay`. Nothing in a record is ever executed, and every size is bounded,
so a record from a stranger is safe to open.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from reefsim.core.json_text import parse_json
from reefsim.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

RECORD_VERSION = 1
MAX_FILE_BYTES = 64 * 2**20
MAX_LINE_BYTES = 2**20
MAX_ROWS = 1_000_000  # lines of one record; a long game has about a thousand
_UNTOLD = ("ply", "n_legal")  # columns of an event that say nothing of what happened

Row = dict[str, Any]


@dataclass(frozen=True)
class Record:
    """One game as told by a file or by a match (M4).

    Attributes
    ----------
    header : game, players, rules, agents and seed, with the record version
    rows : the events, chance included; row i has ply i
    results : the closing lines, one per seat; whatever stands from the first result line on
    path : file the record was read from, or empty
    line : line number of the header in that file, from 1
    """

    header: Row
    rows: list[Row] = field(default_factory=list)
    results: list[Row] = field(default_factory=list)
    path: str = ""
    line: int = 1

    @property
    def game(self) -> str:
        """Name of the game, as the registry knows it."""
        return str(self.header["game"])

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.header["players"])


def make_header(
    game: str, players: int, rules: Row, agents: Iterable[str], seed: int | None = None
) -> Row:
    """Build the header line of a record (M4).

    Parameters
    ----------
    game, players : registered name, number of seats
    rules : every resolved rule parameter, JSON-able (`Ruleset.resolved`)
    agents : a label per seat
    seed : the seed the game was drawn from, if any
    """
    return {
        "record": RECORD_VERSION,
        "game": game,
        "players": players,
        "rules": rules,
        "agents": list(agents),
        "seed": seed,
    }


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read a file that holds exactly one game record.

    Raises
    ------
    RecordError : if `read_records` would raise, or if the file holds more than one record
    """
    records = read_records(path)
    record = next(records)
    for extra in records:
        raise RecordError(
            f"{path}:{extra.line}: a second header starts here; one record is expected in this file"
        )
    return record


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Read the game records of a file one after another; each starts with its own header line.

    Parameters
    ----------
    path : a JSON Lines file, UTF-8, at most 64 MiB with lines of at most 1 MiB; blank lines count
        but mean nothing

    Yields
    ------
    Record : at least one

    Raises
    ------
    RecordError : at the first line that cannot be understood, as `file:line: what is wrong`; the
        records that end before that line have been yielded by then
    """
    name = os.fspath(path)
    record: Record | None = None
    for number, row in _json_lines(name):
        is_event = "ply" in row
        if "record" in row and not is_event:
            if record is not None:
                yield record
            record = _start(name, number, row)
        elif record is None:
            _refuse(name, number, 'a record starts with a header line {"record": 1, "game": ...}')
        elif len(record.rows) + len(record.results) >= MAX_ROWS:
            _refuse(name, number, f"a record has at most {MAX_ROWS} lines")
        elif record.results or ("result" in row and not is_event):
            record.results.append(row)
        else:
            record.rows.append(row)
    if record is None:
        raise RecordError(f"{name}: the file is empty; a record starts with a header line")
    yield record


def first_difference(rows: Sequence[Row], others: Sequence[Row]) -> int | None:
    """Ply of the first event in which two games differ; None if they are the same."""

    def told(row: Row) -> Row:
        return {name: value for name, value in row.items() if name not in _UNTOLD}

    for ply, (row, other) in enumerate(zip(rows, others, strict=False)):
        if told(row) != told(other):
            return ply
    return None if len(rows) == len(others) else min(len(rows), len(others))


def write_record(path: str | os.PathLike[str], record: Record) -> None:
    """Write a record as JSON Lines; the file appears under its name only when it is complete.

    Raises
    ------
    RecordError : if the file cannot be written; the message holds the system's reason
    """
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(format_lines(record))
        part.replace(target)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):  # gone after the rename; else nothing half-written stays
            part.unlink()


def format_lines(record: Record) -> Iterator[str]:
    """Text of a record, line by line, each with its line end."""
    for row in (record.header, *record.rows, *record.results):
        yield json.dumps(row, allow_nan=False) + "\n"


def _json_lines(name: str) -> Iterator[tuple[int, Row]]:
    """Line numbers and JSON objects of a file, within the bounds on sizes."""
    total = 0
    try:
        with open(name, "rb") as file:
            number = 0
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                total += len(line)
                if len(line) > MAX_LINE_BYTES:
                    _refuse(name, number, f"the line is longer than {MAX_LINE_BYTES} bytes")
                if total > MAX_FILE_BYTES:
                    _refuse(name, number, f"the file is longer than {MAX_FILE_BYTES} bytes")
                if not line.isspace():
                    yield number, _json_object(name, number, line)
    except OSError as error:
        raise RecordError(f"{name}: cannot be read: {error.strerror}") from error


def _json_object(name: str, number: int, line: bytes) -> Row:
    """Parse one line as a JSON object without repeated keys, NaN or infinity."""
    try:
        row = parse_json(line.decode("utf-8"), _unique_keys)
    except UnicodeDecodeError:
        _refuse(name, number, "not UTF-8 text; a record is a JSON Lines file")
    except json.JSONDecodeError as error:
        _refuse(name, number, f"not JSON: {error.msg.removesuffix(' at')} at column {error.colno}")
    except RecursionError:
        _refuse(name, number, "not JSON of a record: nested too deeply")
    except ValueError as error:
        _refuse(name, number, f"not JSON of a record: {error}")
    if not isinstance(row, dict):
        _refuse(name, number, f"a JSON object {{...}} is expected, found {_kind(row)}")
    return row


def _unique_keys(pairs: list[tuple[str, Any]]) -> Row:
    row: Row = {}
    for key, value in pairs:
        if key in row:
            raise ValueError(f"key {key[:40]!r} stands twice")
        row[key] = value
    return row


def _start(name: str, number: int, header: Row) -> Record:
    """Open a record at its header; only what is needed to understand the lines is checked here."""
    version, game, players = (header.get(key) for key in ("record", "game", "players"))
    if type(version) is not int or version != RECORD_VERSION:
        found = version if isinstance(version, int) else _kind(version)
        _refuse(name, number, f"record version {found}; this reefsim reads {RECORD_VERSION}")
    if not isinstance(game, str):
        _refuse(name, number, f"game: a name is expected, found {_kind(game)}")
    if type(players) is not int or players < 1:
        found = players if type(players) is int else _kind(players)
        _refuse(name, number, f"players: a number of seats is expected, found {found}")
    return Record(header, path=name, line=number)


def _kind(value: object) -> str:
    """Name the kind of a JSON value, for an error message."""
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "a truth value"}
    return kinds.get(type(value), "nothing" if value is None else "a number")


def _refuse(name: str, number: int, what: str) -> NoReturn:
    raise RecordError(f"{name}:{number}: {what}")
