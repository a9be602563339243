"""The manifest of a run: what was asked, how it was played, with what, and how much there is.

`manifest.json` stands at the top of a run folder. Two runs of one design differ in the entry
`volatile` only: times, machine, workers.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from reefsim.core.datafiles import looking_in
from reefsim.core.json_text import parse_json
from reefsim.core.wording import path_text
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.logs.files import write_whole
from reefsim.logs.schema import BASE

NAME = "manifest.json"
_MAX_BYTES = 64 << 20
FORMAT = 1  # raised when the layout of run folders changes
CHECKED, ROUND = "check", "round-"  # parts of a search for settings; the rounds have numbers
_PACKAGES = ("reefsim", "numpy", "numba", "pyarrow")


_Positive = Annotated[int, Field(ge=1)]
_Replicates = Annotated[int, Field(ge=1, le=10**9)]  # game ids have room for no more


class _Entries(BaseModel):
    """Some entries of a manifest; those that nobody relies on are not looked at."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _Arm(_Entries):
    name: Annotated[str, Field(pattern=r"^[\w.-]+$")]
    ruleset: str
    rules: dict[str, Any]
    lineup: list[str]
    agents: dict[str, dict[str, Any]]
    replicates: _Replicates
    games: _Positive
    caveats: list[str] = []


class _Claim(_Entries):
    claim: Literal["differs", "equivalent", "superior"]
    to: Literal["1/seats", "baseline"] | float | None = None
    margin: float | None = None
    margin_pp: float | None = None


class _Outcomes(_Entries):
    primary: dict[str, _Claim]
    secondary: list[str] = []
    correction: dict[str, str] = {}


class _Report(_Entries):
    formats: list[Literal["html", "md"]] = []
    compare_to: str | None = None
    show: list[str] | None = None


class _Experiment(_Entries):
    max_plies: _Positive | None
    events: Annotated[float, Field(ge=0, le=1)]
    outcomes: _Outcomes
    targets: dict[str, dict[str, Any]] = {}
    report: _Report = _Report()


class _Counts(_Entries):
    planned: int
    games: int
    failed: int = 0


class _Ended(_Entries):
    replicates: _Replicates
    stopped_by: str
    look: int


class _Replay(_Entries):
    game_id: int
    file: Annotated[str, Field(pattern=r"^replays/\w[\w.-]*$")]  # never outside of the run


class _Volatile(_Entries):
    failure: str = ""
    file: str = ""


class _Round(_Entries):
    seed: int
    replicates: _Positive
    games: int
    ranking: dict[str, float | None]


class _Tune(_Entries):
    seed: int
    stage: Annotated[str, Field(pattern=rf"^({CHECKED}|{ROUND}[1-9]\d?)$")]
    ruleset: str
    settings: dict[str, dict[str, Any]]
    combinations: int
    candidates: int
    rounds: list[_Round]


class _Manifest(_Entries):
    """What readers of a run rely on; see `sim.plan.describe`."""

    game: str
    title: str
    question: str
    seats: _Positive
    seed: int
    pairing: str
    baseline: str
    config_hash: str
    rules_source: str
    versions: dict[str, str]
    experiment: _Experiment
    arms: Annotated[list[_Arm], Field(min_length=1)]
    part_replicates: _Replicates
    columns: dict[str, dict[str, str]]
    result_columns: list[str]
    counts: _Counts
    command: str = ""
    config_text: str = ""
    ended: _Ended | None = None
    stopping: dict[str, Any] = {}
    dials: dict[str, dict[str, Any]] = {}
    tune: _Tune | None = None
    replays: list[_Replay] = []
    agents_source: dict[str, str] = {}
    volatile: _Volatile = _Volatile()

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        for table, base in BASE.items():
            wanted = {field.name for field in base}
            wanted |= set(self.result_columns) if table == "players" else set()
            if not wanted <= set(self.columns.get(table, ())):
                raise ValueError(f"columns of the table {table} are missing")
        if len({arm.name for arm in self.arms}) < len(self.arms):
            raise ValueError("two arms have the same name")
        return self


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a run folder.

    Raises
    ------
    RunError : if there is no such folder, or it holds no run that this version can read
    """
    path = folder / NAME
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES + 1)
        if len(text) > _MAX_BYTES:
            raise RunError(f"{path}: damaged: it is larger than {_MAX_BYTES >> 20} MiB.")
        content = parse_json(text)
    except FileNotFoundError:
        what = "there is no such folder" if not folder.exists() else f"there is no {NAME} in it"
        raise RunError(f"{folder}: not the folder of a run: {what}.") from None
    except NotADirectoryError:
        what = "it is a file. Name the folder that a run made."
        raise RunError(f"{folder}: not the folder of a run: {what}") from None
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}.") from error
    except RecursionError as error:
        raise RunError(f"{path}: damaged: too many brackets in brackets.") from error
    except ValueError as error:
        raise RunError(f"{path}: damaged: {error}.") from error
    version = content.get("format") if isinstance(content, dict) else None
    if version != FORMAT:
        raise RunError(f"{path}: run format {version}; this reefsim reads {FORMAT}.")
    try:
        _Manifest.model_validate(content)
    except ValidationError as error:
        raise RunError(f"{path}: damaged: {_first_fault(error, content)}.") from error
    return dict(content)


def _first_fault(error: ValidationError, content: Any) -> str:
    """The first thing that is wrong with a manifest, and where; of choices all that it may be."""
    faults = [
        (_place(fault["loc"], content, fault["type"]), fault["msg"]) for fault in error.errors()
    ]
    first = faults[0][0]
    what = " or ".join(what for place, what in faults if place == first)
    what = what.replace(" or Input should be", " or")
    return f"{path_text(first)}: {what}" if first else what


def _place(loc: tuple[int | str, ...], content: Any, kind: str) -> tuple[int | str, ...]:
    """The part of a place that is in the manifest; behind it stand the choices of a type."""
    if kind == "missing":
        return loc
    for depth, step in enumerate(loc):
        try:
            content = content[step]
        except (KeyError, IndexError, TypeError):
            return loc[:depth]
    return loc


def arm_rules(folder: Path, manifest: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """How the rules of each arm differ from the published game.

    Raises
    ------
    RunError : if this version of the game, where it is known, cannot be played by them
    """
    rules = {arm["name"]: arm["rules"] for arm in manifest["arms"]}
    if manifest["game"] in registry.names():
        ruleset = registry.info(manifest["game"]).ruleset
        with looking_in(folder):
            for arm, values in rules.items():
                for path, what in ruleset.problems(values, manifest["seats"]):
                    place = path_text(("arms", arm, "rules", *path))
                    raise RunError(f"{folder / NAME}: {place}: {what}")
    return rules


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Write the manifest at once: readers see the old one or the new one, whole.

    Raises
    ------
    RunError : if it cannot be written
    """
    text = json.dumps({"format": FORMAT, **content}, indent=2, ensure_ascii=False)
    write_whole(folder / NAME, f"{text}\n".encode())


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that may decide what a run holds."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "unknown"
    return found


def first_difference(
    old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...] = ()
) -> tuple[str, Any, Any] | None:
    """Find the first entry in which two nested maps differ.

    Returns
    -------
    dotted path, old and new value (None where the entry is absent); None if they are equal
    """
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        here = (*path, str(name))
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            return first_difference(before, after, here)
        return ".".join(here), before, after
    return None
