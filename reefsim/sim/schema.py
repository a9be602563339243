"""The sections of an experiment file with fixed names: what each entry may be, and its default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reefsim.core.allowed import Choice, Either, Fault, ListOf, Map, Number, Text, Whole
from reefsim.core.picks import PICKS
from reefsim.core.sections import NAMES as SECTION_NAMES
from reefsim.core.wording import listing
from reefsim.games.registry import faults, names
from reefsim.sim.checks import REQUIRED, Checker, Key, Later
from reefsim.sim.stopping import MAX_REPLICATES

MAX_SEED = 2**63 - 1  # seeds are logged as int64
MAX_PLIES = 2**31 - 1  # plies are logged as int32
MAX_WORKERS = 1024


@dataclass(frozen=True)
class GameName(Choice):
    """The name of a game; of one that cannot be played the message says why."""

    names: tuple[str, ...] = names()

    def _inside(self, value: Any) -> Iterator[Fault]:
        for fault in super()._inside(value):
            yield fault._replace(advice=faults().get(value, fault.advice))


SEED = Whole(0, MAX_SEED)
AUTO = Choice(("auto",))
WORKERS = Either((AUTO, Whole(1, MAX_WORKERS)))
CHUNK = Either((AUTO, Whole(1, MAX_REPLICATES)))
BACKEND = Choice(("threading", "loky", "dask", "ray"))
SCHEDULER = Text("address of a scheduler, such as tcp://host:8786")
OUT = Text("path or address of a folder")

# Every entry of the file, with an example for a required one that is missing.
TOP: dict[str, str] = {
    "question": "question: Do the printed starting tiles repay the later seats?",
    "game": f"game: {names()[0]}",
    "seats": "seats: 3",
    "seed": "seed: 20240611",
    "rulesets": "rulesets: {published: {}, advanced: {preset: advanced}}",
    "agents": "agents: {casual: {kind: greedy, noise: 0.15}}",
    "lineups": "lineups: {casual_table: [casual, casual, casual]}",
    "arms": "",
    "sweep": "",
    "tune": "",
    "design": "",
    "outcomes": "",
    "targets": "",
    "stopping": "stopping: {rule: fixed, replicates: 400}",
    "limits": "",
    "save": "",
    "run": "",
    "report": "",
}

DESIGN: dict[str, Key | Later] = {
    "pairing": Key(Choice(("chance", "none")), "chance"),
    "rotation": Key(Choice(("auto", "full", "none")), "auto"),
    "unit": Key(Choice(("replicate",)), "replicate"),
}
LIMITS: dict[str, Key | Later] = {
    "max_plies": Key(Whole(1, MAX_PLIES)),
    "watchdog_s": Key(Number(0.1, 86_400)),
}
SAVE: dict[str, Key | Later] = {
    "games": Key(Choice(("all",)), "all"),
    "events": Key(Either((Choice(("all", "none")), Number(0, 1))), "all"),
    "plies": Key(Map("map with share"), {}),
    "replays": Key(Map("map with sample and always"), {}),
}
_REPLAYS: dict[str, Key | Later] = {
    "sample": Key(Whole(0, 10_000), 0),
    "always": Key(ListOf(Choice(tuple(PICKS)), listing(PICKS), unique=True), []),
}
_PLIES: dict[str, Key | Later] = {"share": Key(Number(0, 1), REQUIRED)}
_UNCHECKED = "invariant_failed"  # a selector of games that no run marks
RUN: dict[str, Key | Later] = {
    "workers": Key(WORKERS, "auto"),
    "backend": Key(BACKEND, "threading"),
    "chunk": Key(CHUNK, "auto"),
    "out": Key(OUT),
    "scheduler": Key(SCHEDULER),
}
REPORT: dict[str, Key | Later] = {
    "formats": Key(ListOf(Choice(("html", "md")), "html, md", unique=True, least=1), ["html"]),
    "compare_to": Key(Text("name of a ruleset")),
    "show": Key(ListOf(Choice(SECTION_NAMES), listing(SECTION_NAMES), unique=True, least=1)),
}
_SECTIONS: dict[str, tuple[dict[str, Key | Later], str]] = {
    "design": (DESIGN, "design: {pairing: chance, rotation: auto}"),
    "limits": (LIMITS, "limits: {max_plies: 3000}"),
    "save": (SAVE, "save: {games: all, events: 0.1}"),
    "run": (RUN, "run: {workers: auto, out: runs/my_question}"),
    "report": (REPORT, "report: {formats: [html]}"),
}
PLAIN_SECTIONS = ("design", "limits", "save", "run", "report")
_ENTRIES = {
    "question": Text("text"),
    "game": GameName(),
    "seed": SEED,
}


def read_top(check: Checker, own: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Check the outermost names of the file and return what stands under the known ones.

    Parameters
    ----------
    own : names that this kind of experiment gives a meaning itself, with why they are refused
    """
    own = own or {}
    known = [name for name in TOP if name not in own]
    data = check.document.data
    if data is None:
        if not check.problems:  # otherwise the text could not be read at all
            check.fail((), "there is nothing in this file. An experiment starts with a question.")
        return {}
    given = check.mapping((), data, TOP["question"]) or {}
    for name in given:
        if name in own:
            check.fail((name,), own[name], at_name=True)
        elif name not in TOP:
            check.unknown((name,), known)
    if isinstance(data, dict):
        for name in known:
            if TOP[name] and name not in data:
                check.fail((name,), "missing.", f"Write for example {TOP[name]}")
    return {name: value for name, value in given.items() if name in known}


def read_entry(check: Checker, name: str, top: Mapping[str, Any]) -> Any:
    """Check an outermost entry that is a single value; None if it is missing or wrong."""
    return check.value((name,), top[name], _ENTRIES[name]) if name in top else None


def read_section(check: Checker, name: str, top: Mapping[str, Any]) -> dict[str, Any]:
    """Check one of the sections with fixed names; one that is absent gives its defaults."""
    keys, example = _SECTIONS[name]
    if name == "save" and name in top:
        found = check.section((name,), top[name], keys, example)
        plies = _read_plies(check, found["plies"], found["events"])
        return found | {"replays": _read_replays(check, found["replays"]), "plies": plies}
    if name in top:
        return check.section((name,), top[name], keys, example)
    return {entry: key.default for entry, key in keys.items() if isinstance(key, Key)}


def _read_plies(check: Checker, given: Mapping[str, Any], events: Any) -> dict[str, Any]:
    """Check of which share of the games every position is judged; empty if of none."""
    if not given:
        return {}
    path = ("save", "plies")
    found = check.section(path, given, _PLIES, "{share: 0.02}")
    kept = {"all": 1.0, "none": 0.0}.get(events, events)
    if found["share"] is not None and found["share"] > kept:
        what = f"{found['share']:g} of the games, but the actions are kept of {kept:g}."
        check.fail((*path, "share"), what, "Raise save.events.")
    return found


def _read_replays(check: Checker, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check which games are kept as records; empty if none are."""
    if not given:
        return {}
    path = ("save", "replays")
    always = given.get("always")
    if isinstance(always, list) and _UNCHECKED in always:
        check.fail(
            (*path, "always", always.index(_UNCHECKED)),
            f"'{_UNCHECKED}': a run does not check invariants, it is played by the rules alone.",
            "Leave it out; `reefsim replay` checks every game it tells.",
        )
        given = {**given, "always": [name for name in always if name != _UNCHECKED]}
    return check.section(path, given, _REPLAYS, "{sample: 50, always: [longest, shortest]}")
