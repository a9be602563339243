"""Reading and writing game records: what is read comes back, what is no record is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reefsim.core import record as record_module
from reefsim.core.record import Record, make_header, read_record, read_records, write_record
from reefsim.errors import RecordError

HEADER = make_header("toy", 2, {"size": 3, "map": {"2": [6, 9]}}, ["ann", "bob"], 7)
ROWS = [{"ply": 0, "turn": 0, "event": "deal"}, {"ply": 1, "turn": 1, "seat": 0, "event": "end"}]
RESULTS = [{"result": True, "seat": 0, "score": 4}, {"result": True, "seat": 1, "score": -2}]
RECORD = Record(HEADER, ROWS, RESULTS)


def _lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_a_written_record_reads_back_equal(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write_record(path, RECORD)
    again = read_record(path)
    assert (again.header, again.rows, again.results) == (HEADER, ROWS, RESULTS)
    assert (again.game, again.players, again.line) == ("toy", 2, 1)
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]  # no part file is left


def test_several_records_in_one_file_are_split_at_their_headers(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(_lines(HEADER, *ROWS, *RESULTS, HEADER, *ROWS[:1]))
    first, second = read_records(path)
    assert (first.line, len(first.rows), len(first.results)) == (1, 2, 2)
    assert (second.line, len(second.rows), len(second.results)) == (6, 1, 0)
    with pytest.raises(RecordError, match=r"games\.jsonl:6: a second header"):
        read_record(path)


def test_lines_are_split_into_rows_and_results_at_the_first_result(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(_lines(HEADER, ROWS[0], RESULTS[0], ROWS[1], RESULTS[1]))
    record = read_record(path)
    assert record.rows == ROWS[:1]
    assert record.results == [RESULTS[0], ROWS[1], RESULTS[1]]


def test_an_event_with_a_stray_key_stays_an_event(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    rows = [ROWS[0] | {"record": 1}, ROWS[1] | {"result": True}]
    path.write_text(_lines(HEADER, *rows))
    assert read_record(path).rows == rows


@pytest.mark.parametrize("text", ["\n", "\r\n", "  \n"])
def test_blank_lines_count_but_mean_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes((text + _lines(HEADER) + text + _lines(*ROWS) + text).encode())
    record = read_record(path)
    assert record.line == 2
    assert record.rows == ROWS


HEADER_LINE = _lines(HEADER).encode()
UNREADABLE = {
    "empty": (b"", r"file is empty"),
    "only blank lines": (b"\n\n", r"file is empty"),
    "no header": (_lines(*ROWS).encode(), r":1: a record starts with a header"),
    "plain text": (b"hello\n", r":1: not JSON: .* at column 1"),
    "cut in a line": (HEADER_LINE + b'{"ply": 0, "tu', r":2: not JSON"),
    "binary": (b"PAR1\x15\x00\xff\xfe\x8c", r":1: not UTF-8"),
    "zeros": (b"\0" * 100, r":1: not JSON"),
    "utf-16": (_lines(HEADER).encode("utf-16"), r":1: not UTF-8"),
    "list": (b"[1, 2]\n", r":1: a JSON object \{\.\.\.\} is expected, found a list"),
    "number": (HEADER_LINE + b"12\n", r":2: a JSON object \{\.\.\.\} is expected, found a number"),
    "repeated key": (HEADER_LINE + b'{"ply": 0, "ply": 1}\n', r":2: .*key 'ply' stands twice"),
    "not a number": (HEADER_LINE + b'{"ply": NaN}\n', r":2: .*NaN"),
    "infinity": (HEADER_LINE + b'{"ply": -Infinity}\n', r":2: .*Infinity"),
    "endless number": (HEADER_LINE + b'{"ply": ' + b"9" * 5000 + b"}\n", r":2: .*5000 digits"),
    "long number": (HEADER_LINE + b'{"ply": ' + b"9" * 400 + b"}\n", r":2: .* 400 digits, more "),
    "cut in a text": (HEADER_LINE + b'{"ev', r":2: not JSON: Unterminated .* starting at column 2"),
    "deep nesting": (HEADER_LINE + b"[" * 100_000 + b"]" * 100_000, r":2: .*nested too deeply"),
    "old version": (_lines(HEADER | {"record": 0}).encode(), r":1: record version 0"),
    "new version": (_lines(HEADER | {"record": 2}).encode(), r":1: record version 2"),
    "version true": (_lines(HEADER | {"record": True}).encode(), r":1: record version True"),
    "version text": (_lines(HEADER | {"record": "1"}).encode(), r":1: record version a text"),
    "version 1.0": (_lines(HEADER | {"record": 1.0}).encode(), r":1: record version a number"),
    "game missing": (b'{"record": 1, "players": 2}\n', r":1: game: a name is expected, .*nothing"),
    "game a list": (_lines(HEADER | {"game": ["x"]}).encode(), r":1: game: .*found a list"),
    "players 0": (_lines(HEADER | {"players": 0}).encode(), r":1: players: .*found 0"),
    "players true": (_lines(HEADER | {"players": True}).encode(), r":1: players: .*truth value"),
    "players 2.0": (_lines(HEADER | {"players": 2.0}).encode(), r":1: players: .*a number"),
}


@pytest.mark.parametrize(("content", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_record_is_refused_by_file_and_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=rf"bad\.jsonl.*{message}"):
        list(read_records(path))


def test_records_before_an_unreadable_line_are_still_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(_lines(HEADER, *ROWS, HEADER) + "{")
    records = read_records(path)
    assert next(records).rows == ROWS
    with pytest.raises(RecordError, match=r":5: not JSON"):
        next(records)


def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.jsonl"
    path.write_text(_lines(HEADER, *ROWS, *RESULTS))
    monkeypatch.setattr(record_module, "MAX_ROWS", 3)
    with pytest.raises(RecordError, match=r":5: a record has at most 3 lines"):
        list(read_records(path))
    monkeypatch.setattr(record_module, "MAX_FILE_BYTES", 200)
    with pytest.raises(RecordError, match=r"the file is longer than 200 bytes"):
        list(read_records(path))
    path.write_text(_lines(HEADER, {"ply": "x" * record_module.MAX_LINE_BYTES}))
    monkeypatch.undo()
    with pytest.raises(RecordError, match=r":2: the line is longer than 1048576 bytes"):
        list(read_records(path))


@pytest.mark.parametrize("name", ["", "missing.jsonl", "missing/game.jsonl"])
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match=r"cannot be read: (Is a directory|No such file)"):
        list(read_records(tmp_path / name))


def test_a_record_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be written"):
        write_record(tmp_path / "missing" / "game.jsonl", RECORD)
    target = tmp_path / "taken"
    target.mkdir()
    with pytest.raises(RecordError, match="cannot be written"):
        write_record(target, RECORD)
    assert list(tmp_path.iterdir()) == [target]
