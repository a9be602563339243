"""What a value in a file may be: checks that never convert and say exactly what is wrong."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from reefsim.core.wording import (
    did_you_mean,
    kind_of,
    number_advice,
    show,
    truth_advice,
    with_articles,
)

ValuePath = tuple[Any, ...]


class Fault(NamedTuple):
    """One thing wrong with a value: where inside it, what, and what to do instead."""

    path: ValuePath
    what: str
    advice: str = ""


class Allowed(ABC):
    """The values that a parameter may take; a subclass fills in the private methods."""

    types: ClassVar[tuple[type, ...]]

    @property
    def text(self) -> str:
        """The allowed values in a few words, for listings."""
        return self._text()

    @property
    def noun(self) -> str:
        """The allowed values as messages name them, after 'not'."""
        return self._noun()

    def takes(self, value: object) -> bool:
        """Whether the value has the right type, so that a closer look makes sense."""
        return isinstance(value, self.types) and (bool in self.types or not isinstance(value, bool))

    def faults(self, value: Any) -> list[Fault]:
        """List everything wrong with a value; empty if it is allowed."""
        return list(self._inside(value)) if self.takes(value) else [self._wrong_type(value)]

    def stored(self, value: Any) -> Any:
        """Turn an allowed value into the form a ruleset keeps: lists become tuples."""
        return value

    def at(self, value: Any, players: int) -> Any:
        """What a value means at a table of so many players."""
        return value

    @abstractmethod
    def _text(self) -> str: ...

    def _noun(self) -> str:
        return with_articles(f"a {self.text}")

    @abstractmethod
    def _inside(self, value: Any) -> Iterator[Fault]:
        """Yield what is wrong with a value of the right type."""

    def _wrong_type(self, value: object) -> Fault:
        if value is None:
            return Fault((), f"no value where {self.noun} is expected")
        if isinstance(value, list | tuple | Mapping):
            return Fault((), f"{kind_of(value)} where {self.noun} is expected")
        what = f"{show(value)} is {kind_of(value)}, not {self.noun}"
        return Fault((), what, self._advice(value))

    def _advice(self, value: object) -> str:
        return ""


@dataclass(frozen=True)
class Number(Allowed):
    """A finite number from `low` to `high`, both included; None: no limit."""

    low: float | None = None
    high: float | None = None

    types: ClassVar[tuple[type, ...]] = (int, float)
    word: ClassVar[str] = "number"

    def _text(self) -> str:
        if self.high is not None:
            return f"{self.word} {self.low}-{self.high}"
        return self.word if self.low is None else f"{self.word}, {self.low} or more"

    def _inside(self, value: Any) -> Iterator[Fault]:
        if isinstance(value, float) and not math.isfinite(value):
            yield Fault((), f"{show(value)} is not a finite number")
        elif (self.low is not None and value < self.low) or self.is_above(value):
            limits = f"below {self.low}" if self.high is None else f"outside {self.low}-{self.high}"
            yield Fault((), f"{show(value)} is {limits}")

    def _advice(self, value: object) -> str:
        return number_advice(value)

    def is_above(self, value: float) -> bool:
        """Whether a number is larger than the largest allowed one."""
        return self.high is not None and value > self.high


@dataclass(frozen=True)
class Whole(Number):
    """A whole number from `low` to `high`, both included; None: no limit."""

    low: int | None = None
    high: int | None = None

    types = (int,)
    word = "whole number"

    def _wrong_type(self, value: object) -> Fault:
        if isinstance(value, float):
            return Fault((), f"{show(value)} is not a whole number", number_advice(value))
        return super()._wrong_type(value)


@dataclass(frozen=True)
class Flag(Allowed):
    """True or false."""

    types = (bool,)

    def _text(self) -> str:
        return "true, false"

    def _noun(self) -> str:
        return "true or false"

    def _inside(self, value: Any) -> Iterator[Fault]:
        yield from ()

    def _advice(self, value: object) -> str:
        return truth_advice(value)


@dataclass(frozen=True)
class Text(Allowed):
    """Text that is not empty; `of` says what it stands for."""

    of: str

    types = (str,)

    def _text(self) -> str:
        return self.of

    def _inside(self, value: Any) -> Iterator[Fault]:
        if not value.strip():
            yield Fault((), f"empty text where {self.noun} is expected")


@dataclass(frozen=True)
class Choice(Allowed):
    """One of several names."""

    names: tuple[str, ...]

    types = (str,)

    def _text(self) -> str:
        return ", ".join(self.names)

    def _noun(self) -> str:
        return f"one of {self.text}" if len(self.names) > 1 else f"'{self.text}'"

    def _inside(self, value: Any) -> Iterator[Fault]:
        if value not in self.names:
            what = f"{show(value)} is not {self.noun}"
            yield Fault((), what, did_you_mean(value, self.names))


@dataclass(frozen=True)
class DataName(Allowed):
    """Name of a data file: of one that comes with the game, or of the user's own."""

    names: tuple[str, ...]
    form: re.Pattern[str]
    of: str

    types: ClassVar[tuple[type, ...]] = (str,)

    def _text(self) -> str:
        return f"{', '.join(self.names)}, or the name of a {self.of} file"

    def _noun(self) -> str:
        return f"the name of a {self.of}"

    def _inside(self, value: Any) -> Iterator[Fault]:
        if not self.form.fullmatch(value):
            yield Fault((), f"{show(value)} is not {self.noun}", f"Form: {self.form.pattern}.")


@dataclass(frozen=True)
class ListOf(Allowed):
    """A list of items that are all allowed; `of` names them, `unique` forbids repeats."""

    item: Allowed
    of: str
    unique: bool = False
    least: int = 0

    types = (list, tuple)

    def _text(self) -> str:
        return f"list of {self.of}"

    def _inside(self, value: Any) -> Iterator[Fault]:
        if len(value) < self.least:
            yield Fault((), f"an empty list where {self.noun} is expected")
        seen: set[str] = set()
        for place, item in enumerate(value):
            faults = self.item.faults(item)
            if self.unique and not faults and repr(item) in seen:
                faults = [Fault((), f"{show(item)} stands twice in the list", "Keep one.")]
            seen.add(repr(item))
            yield from (Fault((place, *path), what, advice) for path, what, advice in faults)

    def _advice(self, value: object) -> str:
        return "" if self.item.faults(value) else f"Write [{value}]."

    def stored(self, value: Any) -> Any:
        """Turn the list into a tuple."""
        return tuple(self.item.stored(item) for item in value)


@dataclass(frozen=True)
class Rising(Allowed):
    """A list of a given number of whole numbers, each larger than the one before."""

    length: int
    low: int

    types = (list, tuple)

    def _text(self) -> str:
        return f"list of {self.length} increasing whole numbers, {self.low} or more"

    def _inside(self, value: Any) -> Iterator[Fault]:
        if len(value) != self.length:
            yield Fault((), f"{len(value)} numbers where {self.length} are expected")
        before = self.low - 1
        for place, item in enumerate(value):
            faults = Whole(self.low).faults(item)
            if not faults and item <= before:
                faults = [
                    Fault((), f"{item} comes after {before}", "The numbers have to increase.")
                ]
            before = before if faults else item
            yield from (Fault((place, *path), what, advice) for path, what, advice in faults)

    def stored(self, value: Any) -> Any:
        """Turn the list into a tuple."""
        return tuple(value)


@dataclass(frozen=True)
class Order(Allowed):
    """A list of all the numbers of a range, in any order."""

    numbers: range

    types = (list, tuple)

    def _text(self) -> str:
        return f"list of the numbers {self.numbers[0]}-{self.numbers[-1]} in any order"

    def _inside(self, value: Any) -> Iterator[Fault]:
        whole = all(type(item) is int for item in value)
        if not whole or sorted(value) != list(self.numbers):
            yield Fault((), f"{show(value)} is not {self.noun}")

    def stored(self, value: Any) -> Any:
        """Turn the list into a tuple."""
        return tuple(value)


@dataclass(frozen=True)
class Counts(Allowed):
    """A map from names to how many there are; all names stand in it, the numbers add up."""

    names: tuple[str, ...]
    total: int

    types = (dict,)

    def _text(self) -> str:
        return f"map of numbers of {', '.join(self.names)}, {self.total} in all"

    def _inside(self, value: Any) -> Iterator[Fault]:
        for key in value:
            if key not in self.names:
                what = f"{show(key)} is not one of {', '.join(self.names)}"
                yield Fault((key,), what, did_you_mean(str(key), self.names))
        if missing := [name for name in self.names if name not in value]:
            yield Fault((), f"{', '.join(missing)} is missing", "0 is allowed.")
        faults = {key: Whole(0, self.total).faults(item) for key, item in value.items()}
        for key, found in faults.items():
            yield from (Fault((key, *path), what, advice) for path, what, advice in found)
        if not any(faults.values()) and sum(value.values()) != self.total:
            yield Fault((), f"{sum(value.values())} in all where {self.total} are expected")

    def stored(self, value: Any) -> Any:
        """Put the names in their order."""
        return {name: value[name] for name in self.names}


@dataclass(frozen=True)
class Anything(Allowed):
    """Any value, to be looked at elsewhere."""

    types = (object, bool)

    def _text(self) -> str:
        return "value"

    def _inside(self, value: Any) -> Iterator[Fault]:
        yield from ()


@dataclass(frozen=True)
class Map(Allowed):
    """A map of any content, to be looked at elsewhere; `of` says what it holds."""

    of: str

    types = (dict,)

    def _text(self) -> str:
        return self.of

    def _inside(self, value: Any) -> Iterator[Fault]:
        yield from ()


@dataclass(frozen=True)
class ByPlayers(Allowed):
    """A map from numbers of players to values; its keys may be text, as they are in JSON."""

    players: range
    value: Allowed
    of: str

    types = (dict,)

    def _text(self) -> str:
        return f"map from players to {self.of}"

    def _inside(self, value: Any) -> Iterator[Fault]:
        if not value:
            yield Fault((), f"an empty map where {self.noun} is expected")
        known = {str(players) for players in self.players}
        for key, item in value.items():
            if isinstance(key, bool) or str(key) not in known:
                limits = f"{self.players[0]}-{self.players[-1]}"
                what = f"{show(key)} is not a number of players"
                yield Fault((key,), what, f"Allowed: {limits}.")
                continue
            if isinstance(key, int) and str(key) in value:
                yield Fault((key,), f"{key} players stand twice in the map", "Keep one.")
            for path, what, advice in self.value.faults(item):
                yield Fault((key, *path), what, advice)

    def at(self, value: Any, players: int) -> Any:
        """The value of so many players."""
        return value.get(players)

    def stored(self, value: Any) -> Any:
        """Turn the keys into whole numbers and the values into their stored form."""
        return {int(key): self.value.stored(item) for key, item in value.items()}


@dataclass(frozen=True)
class Either(Allowed):
    """A value that the option for its type allows."""

    options: tuple[Allowed, ...]

    types = (object,)

    def _text(self) -> str:
        return ", or ".join(option.text for option in self.options)

    def _noun(self) -> str:
        return " or ".join(option.noun for option in self.options)

    def takes(self, value: object) -> bool:
        """Whether one of the options takes the value."""
        return self._option(value) is not None

    def stored(self, value: Any) -> Any:
        """Turn the value into the stored form of its option."""
        option = self._option(value)
        return value if option is None else option.stored(value)

    def at(self, value: Any, players: int) -> Any:
        """What the option for the value makes of it."""
        option = self._option(value)
        return value if option is None else option.at(value, players)

    def _option(self, value: object) -> Allowed | None:
        return next((option for option in self.options if option.takes(value)), None)

    def _inside(self, value: Any) -> Iterator[Fault]:
        option = self._option(value)
        for path, what, advice in option.faults(value) if option else []:
            # A wrong word may have been meant as another form: name them all.
            word = f"{show(value)} is not {self.noun}" if isinstance(value, str) else what
            yield Fault(path, word, advice or self._advice(value))

    def _advice(self, value: object) -> str:
        return number_advice(value)


def as_allowed(allowed: object, default: object) -> Allowed:
    """Read the short forms: a range, a tuple of names or of truth values, or None for a bool."""
    if isinstance(allowed, Allowed):
        return allowed
    if isinstance(allowed, range) and allowed and allowed.step == 1:
        return Whole(allowed[0], allowed[-1])
    if isinstance(default, bool) and allowed in (None, (False, True), (True, False)):
        return Flag()
    if isinstance(allowed, tuple) and allowed and all(isinstance(name, str) for name in allowed):
        return Choice(allowed)
    raise TypeError(f"{allowed!r} does not say what is allowed where {default!r} is the default")
