"""Data files that rules name, such as a deck of cards: where they are looked for.

A ruleset reads its files when it is made and holds them from then on, so that it can be sent to
workers and kept with a run. Files are looked for by path, for example `decks/mine.csv`: in the
places set by `looking_in`, the innermost first, and at last in the current folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

MAX_BYTES = 2**20  # of a data file

Place = Path | Mapping[str, str]  # a folder, or texts by path
_places: ContextVar[tuple[Place, ...]] = ContextVar("places", default=())


class Remark(NamedTuple):
    """Something about a data file; `line` counts from 1, 0 is the whole file."""

    line: int
    text: str
    is_warning: bool = False


@contextmanager
def looking_in(*places: Place) -> Iterator[None]:
    """Look for data files in these places first, in their order."""
    token = _places.set((*places, *_places.get()))
    try:
        yield
    finally:
        _places.reset(token)


def find(path: str) -> str | None:
    """Text of a data file, None if there is none.

    Raises
    ------
    ValueError : if the file cannot be read, is too large or no UTF-8 text; the message says which
    """
    for place in (*_places.get(), Path()):
        if isinstance(place, Mapping):
            if path in place:
                return place[path]
        elif (place / path).is_file():
            return read_text(place / path)
    return None


def available(folder: str, ending: str) -> list[str]:
    """Names, without ending, of the data files of a folder in all places."""
    found = set()
    for place in (*_places.get(), Path()):
        paths = (
            map(Path, place) if isinstance(place, Mapping) else (place / folder).glob(f"*{ending}")
        )
        found |= {path.name.removesuffix(ending) for path in paths if path.parent.name == folder}
    return sorted(found)


def read_text(path: Path) -> str:
    """Text of a data file; raises as `find`."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ValueError(f"{path} is longer than {MAX_BYTES} bytes")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text") from error
