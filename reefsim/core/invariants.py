"""What a game says always holds, and how positions, steps and records are held against it.

A game lists its invariants by number or name; the checks themselves work everything out afresh,
from what the players would see on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from reefsim.core.layout import Layout, PlainRecord

Rows = Sequence[Mapping[str, Any]]  # events of a record, then its result rows
Broken = Iterator[str]
Check = Literal["of_position", "of_step", "of_record"]
P = TypeVar("P")  # a position, as the checks of a game see it
S = TypeVar("S")  # a step: an action with the positions around it


@dataclass(frozen=True)
class Invariant(Generic[P, S]):
    """One statement that always holds.

    Attributes
    ----------
    name, text, clauses : what it says, in words, and the clauses it follows from
    of_position, of_step, of_record : its checks; each yields sentences about what is broken
    """

    name: str
    text: str
    clauses: tuple[str, ...]
    of_position: Callable[[P], Broken] | None = None
    of_step: Callable[[S], Broken] | None = None
    of_record: Callable[[Rows, Any], Broken] | None = None


def broken(invariants: Mapping[Any, Invariant[Any, Any]], check: Check, *subject: Any) -> list[str]:
    """What the checks of one sort find wrong, as sentences; empty if nothing is.

    Parameters
    ----------
    invariants : by number or name
    check : which of their checks
    subject : what is checked, as that check takes it
    """
    return [
        f"{number} {invariant.name}: {sentence}"
        for number, invariant in invariants.items()
        if (find := getattr(invariant, check))
        for sentence in find(*subject)
    ]


def as_plain(layout: Layout, record: Any) -> PlainRecord:
    """A record of either mode as a plain one; a plain one itself, since checks change nothing."""
    return record if isinstance(record, PlainRecord) else layout.to_plain(record)
