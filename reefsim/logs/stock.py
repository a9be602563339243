"""What there is of a run: which file holds which part of a table.

A part is a file of its own (`part-00007.parquet`), or one of the row groups of a file that holds
many (`parts-00000-00999.parquet`), into which `reefsim compact` puts them. Where there are both, as
after a crash while that was done, the file of its own counts.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from reefsim.logs.files import arrow_place
from reefsim.logs.schema import TABLES

PARTS_KEY = b"reefsim.parts"  # numbers of the parts in a file, one for each row group
_MAX_PERIOD = 10_000  # replicates after which the choice of those whose events are kept repeats
_SINGLE = re.compile(r"part-([0-9]{5}|[1-9][0-9]{5,8})\.parquet")
_MANY = re.compile(r"parts-(\d{5,9})-(\d{5,9})\.parquet")


@dataclass(frozen=True)
class Holding:
    """A file, and the row group in it that is the part; None: the whole file is."""

    path: Path
    group: int | None = None


@dataclass
class Stock:
    """Where the parts of the tables of a run folder are; folders are looked at once."""

    folder: Path
    _found: dict[tuple[str, str], dict[int, Holding]] = field(default_factory=dict)

    def parts(self, table: str, arm: str) -> dict[int, Holding]:
        """Holdings of a table of an arm, by number of the part."""
        if (table, arm) not in self._found:
            self._found[table, arm] = dict(sorted(_look(self.folder / table / f"arm={arm}")))
        return self._found[table, arm]

    def get(self, table: str, arm: str, part: int) -> Holding | None:
        """Where a part is; None if it is not there."""
        return self.parts(table, arm).get(part)


def kept_replicates(share: float, replicates: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the events of replicates are kept: evenly spread, the first one always.

    Of every 1/share consecutive replicates one is kept, with all its rotations and in all arms.

    Parameters
    ----------
    share : 0 to 1; taken as a fraction with a denominator of at most 10 000
    replicates : int64, any shape

    Returns
    -------
    bool, of the same shape
    """
    ratio = Fraction(share).limit_denominator(_MAX_PERIOD)
    kept: NDArray[np.bool_] = replicates * ratio.numerator % ratio.denominator < ratio.numerator
    return kept


def part_tables(share: float, first: int, replicates: int) -> tuple[str, ...]:
    """Tables of which a part has a file.

    Parameters
    ----------
    share : of the replicates whose events are kept
    first, replicates : of the part
    """
    period = min(replicates, _MAX_PERIOD)
    has_events = kept_replicates(share, np.arange(first, first + period)).any()
    return tuple(table for table in TABLES if table != "events" or has_events)


def compact_path(folder: Path, table: str, arm: str, parts: list[int]) -> Path:
    """Where many parts of a table of an arm are kept together."""
    return folder / table / f"arm={arm}" / f"parts-{parts[0]:05d}-{parts[-1]:05d}.parquet"


def is_compact(path: Path) -> bool:
    """Whether the name of a file says that it holds many parts."""
    return _MANY.fullmatch(path.name) is not None


def _look(folder: Path) -> list[tuple[int, Holding]]:
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    found = [
        (int(m[1]), Holding(folder / m[0])) for name in names if (m := _SINGLE.fullmatch(name))
    ]
    singles = {number for number, _ in found}
    for name in sorted(filter(_MANY.fullmatch, names)):
        numbers = parts_in(folder / name)
        found += [(n, Holding(folder / name, g)) for g, n in enumerate(numbers) if n not in singles]
        singles |= set(numbers)
    return found


def parts_in(path: Path) -> list[int]:
    """Numbers of the parts that a file of many holds, by row group; none if it is damaged."""
    system, name = arrow_place(path)
    try:
        with system.open_input_file(name) as file:
            metadata = pq.read_metadata(file)
        numbers = json.loads((metadata.metadata or {}).get(PARTS_KEY, b"[]"))
    except (pa.ArrowException, OSError, ValueError):
        return []
    is_list = isinstance(numbers, list) and all(type(number) is int for number in numbers)
    return numbers if is_list and len(numbers) == metadata.num_row_groups else []
