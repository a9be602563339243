"""Checks of one experiment file that collect every mistake with its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reefsim.core.allowed import Allowed, ValuePath
from reefsim.core.wording import did_you_mean, kind_of, listing, plain, sentences, show
from reefsim.core.yaml_source import Document
from reefsim.errors import Problem

NAME = re.compile(r"[A-Za-z0-9_]{1,40}")
REQUIRED = object()


@dataclass(frozen=True)
class Key:
    """One entry of a section with a fixed set of names."""

    allowed: Allowed
    default: Any = None


@dataclass(frozen=True)
class Later:
    """An entry that cannot stand here; `instead` says what there is, `what` what is wrong."""

    instead: str
    what: str = "not carried out in this version."


class Checker:
    """Reads parts of a document; a part with a mistake gives its default instead."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = list(document.problems)
        self._refused = {(problem.line, problem.column) for problem in document.problems}

    def fail(self, path: ValuePath, *parts: str, at_name: bool = False) -> None:
        """Note a mistake; `parts` are sentences.

        Where the reader of the file has found a mistake of form, nothing is added to it.
        """
        problem = self.document.problem(path, sentences(*parts), at_name=at_name)
        if (problem.line, problem.column) not in self._refused:
            self.problems.append(problem)

    def value(self, path: ValuePath, value: Any, allowed: Allowed, default: Any = None) -> Any:
        """Check one value; list every fault in it."""
        faults = allowed.faults(value)
        for inner, what, advice in faults:
            self.fail(path + inner, f"{what}.", advice)
        return default if faults else value

    def mapping(self, path: ValuePath, value: Any, example: str) -> dict[Any, Any] | None:
        """Check that a value is a map."""
        if isinstance(value, dict):
            return value
        what = "no value" if value is None else kind_of(value)
        self.fail(path, f"{what} where a map is expected.", f"Write for example {example}")
        return None

    def section(
        self, path: ValuePath, value: Any, keys: Mapping[str, Key | Later], example: str
    ) -> dict[str, Any]:
        """Check a map with a fixed set of names.

        Returns
        -------
        dict with every name that can be carried out, filled with the defaults
        """
        found = {name: key.default for name, key in keys.items() if isinstance(key, Key)}
        given = self.mapping(path, value, example)
        for name, item in (given or {}).items():
            here, key = (*path, name), keys.get(name)
            if key is None:
                self.unknown(here, found)
            elif isinstance(key, Later):
                self.fail(here, key.what, key.instead, at_name=True)
            else:
                found[name] = self.value(here, item, key.allowed, found[name])
        for name in [name for name, default in found.items() if default is REQUIRED]:
            found[name] = None
            if given is not None and name not in given:
                self.fail((*path, name), "missing.", f"Write for example {example}")
        return found

    def unknown(self, path: ValuePath, known: Iterable[str]) -> None:
        """Note a name that has no meaning where it stands."""
        names = list(known)
        what = f"unknown key {show(str(path[-1]))}."
        question = did_you_mean(path[-1], names)
        self.fail(path, what, question, f"Known here: {', '.join(names)}.", at_name=True)

    def names(self, path: ValuePath, value: Any, example: str) -> dict[str, Any]:
        """Check a map whose names the user chose; they become parts of folder names."""
        given = self.mapping(path, value, example)
        if given is not None and not given:
            self.fail(path, "an empty map.", f"Write for example {example}")
        found = {}
        for name, item in (given or {}).items():
            if not isinstance(name, str):
                what = f"the name on this line is read as the number {plain(name)}."
                self.fail((*path, name), what, f'Put it in quotes: "{name}".', at_name=True)
            elif not NAME.fullmatch(name):
                what = f"the name {show(name)} becomes part of a folder name."
                self.fail((*path, name), what, "Use 1 to 40 of A-Z a-z 0-9 _.", at_name=True)
            found[str(name)] = item
        return found

    def defined(self, path: ValuePath, name: Any, known: Collection[str], section: str) -> bool:
        """Check that a name is defined under a section of the file.

        A section that is missing or broken has a message of its own and gets no further ones.
        """
        if not isinstance(name, str):
            self.fail(path, f"{show(name)} is {kind_of(name)}, not a name under {section}.")
        elif known and name not in known:
            what = f"{show(name)} is not defined under {section}."
            self.fail(path, what, did_you_mean(name, known), f"Defined: {listing(known)}.")
        return isinstance(name, str) and name in known
