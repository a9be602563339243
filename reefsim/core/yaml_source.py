"""YAML files with the place of every name and value, read without surprises.

Scalars follow the core schema of YAML 1.2: only `true` and `false` are truth values, `010` is
ten, `6:30` is text. Whatever other readers take for something else, or drop, is a mistake here:
a bare yes, no, on or off as a name, names that stand twice, tags, anchors, a second document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import yaml

from reefsim.core.allowed import ValuePath
from reefsim.core.json_text import MAX_DIGITS
from reefsim.core.wording import path_text, show
from reefsim.errors import ConfigError, Problem

MAX_BYTES = 1 << 20
MAX_DEPTH = 30
MAX_VALUES = 5_000

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")  # one character, as JSON escapes it
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")  # an escape without its partner


class Place(NamedTuple):
    """Line and column, counted from 1."""

    line: int
    column: int


class _StopReadingError(Exception):
    """Nothing after this point can be understood."""


@dataclass
class Document:
    """One YAML file: its data as plain Python values, and where each of them stands."""

    file: str
    text: str
    data: Any = None
    problems: list[Problem] = field(default_factory=list)
    values: dict[ValuePath, Place] = field(default_factory=dict)
    names: dict[ValuePath, Place] = field(default_factory=dict)

    def place(self, path: ValuePath, *, at_name: bool = False) -> Place:
        """Find where a value (or its name) stands; what is not in the file is at its parent."""
        places = self.names if at_name else self.values
        if path in places or not path:
            return places.get(path, Place(1, 1))
        as_text = (*path[:-1], str(path[-1]))
        return places[as_text] if as_text in places else self.place(path[:-1])

    def problem(self, path: ValuePath, message: str, *, at_name: bool = False) -> Problem:
        """Describe a mistake at a path."""
        return self.problem_at(self.place(path, at_name=at_name), path, message)

    def problem_at(self, place: Place, path: ValuePath, message: str) -> Problem:
        """Describe a mistake elsewhere; which item of a list it is, the column tells."""
        steps = [path[:end] for end in range(1, len(path) + 1)]
        names = [step[-1] for step in steps if step in self.names or step not in self.values]
        return Problem(self.file, place.line, place.column, path_text(names), message)


def read_yaml(path: str | Path) -> Document:
    """Read a YAML file; mistakes of form are in `.problems` of the result.

    Raises
    ------
    ConfigError : one line, if there is no text to read: missing, a directory, not UTF-8, too long
    """
    try:
        with open(path, "rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        _refuse(path, "does not exist")
    except IsADirectoryError:
        _refuse(path, "is a directory; give the path of a YAML file in it")
    except (OSError, ValueError) as error:
        _refuse(path, f"cannot be read: {getattr(error, 'strerror', None) or error}")
    if len(content) > MAX_BYTES:
        _refuse(path, f"is larger than {MAX_BYTES >> 20} MiB; it cannot be a file written by hand")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        _refuse(path, f"is not UTF-8 text (byte {error.start + 1}, in line {line})")
    return parse_yaml(text, str(path))


def _refuse(path: str | Path, message: str) -> NoReturn:
    raise ConfigError([Problem(str(path), 0, 0, "", message)]) from None


def parse_yaml(text: str, file: str) -> Document:
    """Read YAML text; mistakes of form are in `.problems` of the result."""
    document = Document(file, text)
    try:
        document.data = _Builder(document).document()
    except _StopReadingError:
        pass
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n") + 1, error.position - (before.rfind("\n") + 1) + 1
        message = f"the character U+{error.character:04X} cannot stand in a YAML file."
        document.problems.append(Problem(file, line, column, "", message))
    except yaml.MarkedYAMLError as error:
        document.problems.append(_syntax_problem(document, error))
    return document


def _syntax_problem(document: Document, error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    lines = document.text.splitlines()
    indent = re.match(r"[ \t]*", lines[line] if line < len(lines) else "")
    tab = indent.group().find("\t") if indent else -1
    what = error.problem or "it breaks off here"
    message = f"this is not YAML: {what}"
    if tab >= 0 or "'\\t'" in what:
        column = tab if tab >= 0 else column
        message = "a tab character. YAML is indented with spaces only."
    elif what.startswith("mapping values are not allowed"):
        message = (
            "a second colon, or a name with less or more indent than its neighbors. "
            "Text that holds a colon and a space must be in quotes."
        )
    elif "<block" in what:
        message = "the indent of this line fits none of the lines above."
    elif error.context and error.context_mark and error.context_mark.line != line:
        message += f" ({error.context} that starts in line {error.context_mark.line + 1})"
    message = " ".join(message.split()).rstrip(".") + "."
    return Problem(document.file, line + 1, column + 1, "", message)


class _Builder:
    """Builds plain values from the events of PyYAML's parser, which knows no types."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._events: Iterator[yaml.Event] = iter(yaml.parse(document.text, Loader=yaml.SafeLoader))
        self._count = 0

    def document(self) -> Any:
        """Build the only document of the file."""
        next(self._events)
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            return None
        data = self._value(next(self._events), ())
        next(self._events)
        if isinstance(second := next(self._events), yaml.DocumentStartEvent):
            self._fail(second, (), "a second document starts here; one file holds one document.")
        return data

    def _fail(self, event: yaml.Event, path: ValuePath, message: str) -> None:
        problem = self._document.problem_at(_place(event), path, message)
        self._document.problems.append(problem)

    def _stop(self, event: yaml.Event, message: str) -> NoReturn:
        self._fail(event, (), message)
        raise _StopReadingError

    def _value(self, event: yaml.Event, path: ValuePath) -> Any:
        self._document.values[path] = _place(event)
        self._count += 1
        if self._count > MAX_VALUES:
            self._stop(event, f"more than {MAX_VALUES} values; no one wrote these by hand.")
        if len(path) > MAX_DEPTH:
            self._stop(event, f"more than {MAX_DEPTH} levels of lists and maps.")
        self._refuse_extras(event, path)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(path)
        if isinstance(event, yaml.MappingStartEvent):
            return self._map(path)
        if not isinstance(event, yaml.ScalarEvent):
            return None
        value = _scalar(event)
        if isinstance(value, str) and event.style is None and _INT.fullmatch(value):
            what = f"a number of {len(value)} digits, more than {MAX_DIGITS}."
            self._fail(event, path, f"{what} Text of digits must be in quotes.")
        if isinstance(value, str) and _HALF_CHARACTER.search(value):
            self._fail(event, path, f"{show(value)} holds half a character (\\uD800 to \\uDFFF).")
        return value

    def _refuse_extras(self, event: yaml.Event, path: ValuePath) -> None:
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor is not None:
            reference = ("*" if isinstance(event, yaml.AliasEvent) else "&") + anchor
            message = f"references ({show(reference)}) are not read here; write the value out."
            self._fail(event, path, message)
        if tag is not None:
            self._fail(event, path, f"tags ({show(tag)}) are not read here; leave it out.")

    def _list(self, path: ValuePath) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items))))
        return items

    def _map(self, path: ValuePath) -> dict[Any, Any]:
        items: dict[Any, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            name = self._name(event, path)
            here = (*path, name)
            if name in items:
                first, again = self._document.names[here].line, _place(event).line
                message = f"this name stands twice, in lines {first} and {again}. Keep one."
                self._fail(event, here, message)
                self._value(next(self._events), (*here, "again"))
            else:
                self._document.names[here] = _place(event)
                items[name] = self._value(next(self._events), here)
        return items

    def _name(self, event: yaml.Event, path: ValuePath) -> Any:
        """Read the name of an entry: text, or a whole number such as 3 players."""
        if not isinstance(event, yaml.ScalarEvent):
            self._value(event, (*path, "name"))
            self._fail(event, path, "a list, map or reference as a name. Names are text.")
            return "name"
        self._refuse_extras(event, path)
        name = _scalar(event)
        quoted = f'Put it in quotes: "{event.value}".'
        truth = name if isinstance(name, bool) else None if event.style else _old_truth(name)
        if truth is not None:
            message = f"the name on this line is read as the truth value {truth}"
            why = ", because YAML reads a bare no, off, on or yes so"
            self._fail(event, path, f"{message}{'' if isinstance(name, bool) else why}. {quoted}")
            return event.value
        if name is None or isinstance(name, float):
            read = "empty" if name is None else f"the number {name}"
            self._fail(event, path, f"the name on this line is read as {read}. {quoted}")
            return event.value
        return name


def _place(event: yaml.Event) -> Place:
    mark = event.start_mark
    return Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)


def _old_truth(name: object) -> bool | None:
    """Read a bare word as YAML 1.1 does: True for yes and on, False for no and off."""
    words = {"yes": True, "on": True, "no": False, "off": False}
    capital = isinstance(name, str) and name in (name.lower(), name.upper(), name.capitalize())
    return words.get(str(name).lower()) if capital else None


def _scalar(event: yaml.ScalarEvent) -> Any:
    """Read one scalar; what is in quotes is text, the rest follows the core schema."""
    text = event.value
    if event.style is not None:
        return _PAIR.sub(
            lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text
        )
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    if _INT.fullmatch(text) and len(text) <= MAX_DIGITS:
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if _NOT_FINITE.fullmatch(text):
        return float(text.replace(".", ""))
    return float(text) if _FLOAT.fullmatch(text) and not _INT.fullmatch(text) else text
