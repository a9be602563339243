"""The few error classes: each carries one clear line, never a traceback, to the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

# Ends of lines and control characters, which must not reach a terminal, as escapes.
_SHOWN = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160), 0x2028, 0x2029)}


class ReefsimError(Exception):
    """Base of every error a user of reefsim can cause."""


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake in a file: where it is, what was found, what is allowed."""

    file: str
    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        text = f"{where} {self.path}: {self.message}" if self.path else f"{where} {self.message}"
        return text.translate(_SHOWN)  # names in a file may hold anything


class ConfigError(ReefsimError):
    """An experiment file cannot be used; `problems` holds every mistake, in file order."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = sorted(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class IllegalActionError(ReefsimError):
    """An action is not legal where it was tried."""


class RecordError(ReefsimError):
    """A game record cannot be read at all (not JSON Lines, no header, ...)."""


class RunError(ReefsimError):
    """A run folder is missing, foreign or unusable."""


class RunDamagedError(RunError):
    """A run folder is not what its manifest says."""

    exit_code: ClassVar[int] = 1


class UnknownGameError(ReefsimError, KeyError):
    """No game has that name, or it cannot be loaded."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would put it in quotes
