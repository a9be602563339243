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
S = TypeVar("S")  # a step: an action with the positions around it, perhaps with more of the game's


@dataclass(frozen=True)
class Step(Generic[P]):
    """An action with the positions around it; its consequences up to the next decision included."""

    before: P
    action: int
    after: P


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


class Invariants(Generic[P, S]):
    """The invariants of a game, and the three ways to hold a game against them.

    Parameters
    ----------
    by_name : the invariants by number or name
    state, rules : layouts of the records that are checked
    position : (plain state, plain rules) -> the position as the checks see it
    step : (position, action, position) -> the step as the checks see it
    """

    def __init__(
        self,
        by_name: Mapping[Any, Invariant[P, S]],
        state: Layout,
        rules: Layout,
        position: Callable[[Any, Any], P],
        step: Callable[[P, int, P], S],
    ) -> None:
        self.by_name = by_name
        self._layouts = state, rules
        self._position, self._step = position, step

    def check_state(self, state: Any, rules: Any) -> list[str]:
        """What is wrong with a position, as sentences; empty if nothing is.

        Parameters
        ----------
        state, rules : records of either mode
        """
        return self._broken("of_position", self._seen(state, rules))

    def check_step(self, before: Any, action: int, after: Any, rules: Any) -> list[str]:
        """What is wrong with a step, as sentences; the positions themselves are not checked.

        Parameters
        ----------
        before, after : states of either mode, around the action
        action : what was done
        rules : record of either mode
        """
        step = self._step(self._seen(before, rules), action, self._seen(after, rules))
        return self._broken("of_step", step)

    def check_record(self, rows: Rows, ruleset: Any, results: Rows = ()) -> list[str]:
        """What is wrong with the record of a game, as sentences.

        Parameters
        ----------
        rows : events from the set-up on, as `Match.events` gives them
        ruleset : in force
        results : result rows as `Match.results` gives them, once the game is over
        """
        return self._broken("of_record", [*rows, *results], ruleset)

    def _seen(self, state: Any, rules: Any) -> P:
        plain = zip(self._layouts, (state, rules), strict=True)
        return self._position(*(as_plain(layout, record) for layout, record in plain))

    def _broken(self, check: Check, *subject: Any) -> list[str]:
        return [
            f"{number} {invariant.name}: {sentence}"
            for number, invariant in self.by_name.items()
            if (find := getattr(invariant, check))
            for sentence in find(*subject)
        ]


def as_plain(layout: Layout, record: Any) -> PlainRecord:
    """A record of either mode as a plain one; a plain one itself, since checks change nothing."""
    return record if isinstance(record, PlainRecord) else layout.to_plain(record)
