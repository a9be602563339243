"""Rulesets: every switch of a game with its default, clause, range and meaning in one place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from reefsim.core.allowed import Allowed, Number, ValuePath, as_allowed
from reefsim.core.wording import did_you_mean, nearest, plain, sentences


@dataclass(frozen=True)
class Toggle:
    """One parameter of the rules, as listings and messages describe it."""

    default: Any
    clause: str
    doc: str
    values: Allowed
    hint: str = ""
    name: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in a few words."""
        return self.values.text

    @property
    def main_clause(self) -> str:
        """The first of the clauses, which messages cite."""
        return self.clause.split(",")[0]

    def summary(self) -> str:
        """Clause, range and default: 'R3.2, whole number 0-10, default 4'."""
        return f"{self.main_clause}, {self.allowed}, default {plain(self.default)}"

    def problems(self, value: Any) -> list[tuple[ValuePath, str]]:
        """List what is wrong with a value, as places inside it and messages."""
        about = f"({self.main_clause}: {self.doc})"
        return [
            (path, sentences(f"{what} {about}.", advice or self._hint(value)))
            for path, what, advice in self.values.faults(value)
        ]

    def _hint(self, value: Any) -> str:
        numeric = isinstance(self.values, Number) and self.values.takes(value)
        if numeric and cast(Number, self.values).is_above(value):
            return self.hint.format(value=value)
        return ""

    def __call__(self, schema: dict[str, Any]) -> None:
        """Add clause and range to the JSON schema of the field (pydantic calls this)."""
        schema.update(clause=self.clause, allowed=self.allowed)


def toggle(
    default: Any, *, clause: str, doc: str, allowed: object = None, hint: str = ""
) -> Any:  # Any, because the result stands where the field's own type is declared
    """Declare a field of a ruleset.

    Parameters
    ----------
    default : the value of the published game
    clause : the clauses it changes; messages cite the first
    doc : what it means, as the continuation of 'some_toggle: ...'
    allowed : a `range`, a tuple of names, nothing for true or false, or an `Allowed`
    hint : what to say about a number above the range; `{value}` stands for it
    """
    about = Toggle(default, clause, doc, as_allowed(allowed, default), hint)
    return Field(about.values.stored(default), description=doc, json_schema_extra=about)


class Ruleset(BaseModel):
    """All switches of one game, set; a subclass declares them with `toggle`.

    Values are never converted: True is not 1, "8" is not 8, 4.0 is not 4. A ruleset does not
    change once it is made.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    game: ClassVar[str] = ""

    @classmethod
    def toggles(cls) -> tuple[Toggle, ...]:
        """List every parameter in the order of declaration."""
        return tuple(
            replace(cast(Toggle, field.json_schema_extra), name=name)
            for name, field in cls.model_fields.items()
        )

    @classmethod
    def problems(
        cls, values: Mapping[str, Any], seats: int | None = None
    ) -> list[tuple[ValuePath, str]]:
        """List every mistake in a map of differences from the published game.

        Parameters
        ----------
        values : the differences, as read from a file
        seats : number of players; None leaves out what depends on it

        Returns
        -------
        list of (path inside `values`, message)
        """
        known = {toggle.name: toggle for toggle in cls.toggles()}
        found = [((str(name),), cls._unknown(str(name))) for name in values if name not in known]
        given = {name: value for name, value in values.items() if name in known}
        faulty = {name for name, value in given.items() if known[name].values.faults(value)}
        for name, value in given.items():
            found += [((name, *path), text) for path, text in known[name].problems(value)]
        # What lies between parameters is judged with the defaults in place of faulty values.
        sound = {
            name: known[name].values.stored(value)
            for name, value in given.items()
            if name not in faulty
        }
        rules = cls.model_construct(**sound)
        return found + [(p, text) for p, text in rules.cross_problems(seats) if p[0] not in faulty]

    @classmethod
    def _unknown(cls, name: str) -> str:
        known = {toggle.name: toggle for toggle in cls.toggles()}
        close = nearest(name, known)
        question = did_you_mean(name, known)
        if close:
            question = f"{question[:-1]} ({known[close].summary()})?"
        listing = f"All toggles: reefsim list toggles {cls.game}".rstrip()
        return sentences(f"unknown toggle '{name}'.", question, listing)

    def cross_problems(self, seats: int | None) -> Iterator[tuple[ValuePath, str]]:
        """Yield what does not fit together; a game overrides this.

        With `seats` None only what is wrong for every number of players is yielded.
        """
        yield from ()

    @classmethod
    def make(cls, values: Mapping[str, Any], seats: int) -> Self:
        """Set the switches, `values` being the differences from the published game.

        Raises
        ------
        ValueError : one line per mistake, with the name of the parameter
        """
        found = cls.problems(values, seats)
        if found:
            raise ValueError(_lines(found))
        return cls(**values)

    @model_validator(mode="before")
    @classmethod
    def _store(cls, values: Any) -> Any:
        found = cls.problems(values)
        if found:
            raise ValueError(_lines(found))
        forms = {toggle.name: toggle.values for toggle in cls.toggles()}
        return {name: forms[name].stored(value) for name, value in values.items()}

    def resolved(self) -> dict[str, Any]:
        """Return every parameter as JSON has it: lists for tuples, text for the keys of maps."""
        return self.model_dump(mode="json")

    def differences(self) -> dict[str, Any]:
        """Return the parameters that differ from the published game, as JSON has them."""
        published = type(self)().resolved()
        return {k: value for k, value in self.resolved().items() if value != published[k]}

    def for_players(self, players: int) -> dict[str, Any]:
        """Return every parameter as it is for so many players: rules that are equal play alike."""
        toggles = self.toggles()
        return {t.name: t.values.at(getattr(self, t.name), players) for t in toggles}

    def data_files(self) -> dict[str, str]:
        """Return the data files that the rules name and that no game comes with: text by path."""
        return {}

    def __hash__(self) -> int:
        """Hash by value, also where a parameter is a map."""
        return hash(json.dumps(self.resolved(), sort_keys=True))


def _lines(found: list[tuple[ValuePath, str]]) -> str:
    return "\n".join(f"{'.'.join(map(str, path))}: {text}" for path, text in found)
