"""A ladder without a file: agents written as `kind`, `kind:param=value,...` or `name=kind:...`.

The words of the command line become the document of an experiment, checked like any file; a
mistake is named by the argument it stands in.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from reefsim.agents.kinds import KINDS
from reefsim.core.allowed import ValuePath
from reefsim.core.wording import path_text, show
from reefsim.core.yaml_source import Document, Place, parse_yaml
from reefsim.errors import ConfigError, Problem
from reefsim.games import registry
from reefsim.games.registry import GameInfo
from reefsim.sim.checks import Checker
from reefsim.sim.parts import AgentSpec, read_agents

FORM = "Write kind, kind:param=value,param=value or name=kind:param=value."
# What the options stand for, and what they are if they are not given.
OPTIONS: dict[str, tuple[ValuePath, Any]] = {
    "game": (("game",), registry.names()[0]),
    "seats": (("seats",), 2),
    "seed": (("seed",), 1),
    "replicates": (("stopping", "replicates"), 200),
    "preset": (("rulesets",), None),
}
_NAMED = re.compile(r"([^=:,]*)=(.*)", re.DOTALL)
_NEXT_PARAM = re.compile(r",(?=\w+=)")  # a value may hold commas, as a list does
_NOT_NAME = re.compile(r"[^A-Za-z0-9_]+")


@dataclass
class Arguments(Document):
    """Words of a command line as a document; `arguments` tells which of them a value comes from."""

    arguments: dict[ValuePath, str] = field(default_factory=dict)

    def problem_at(self, place: Place, path: ValuePath, message: str) -> Problem:
        """Describe a mistake, by the argument it stands in."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.arguments:
                rest = path_text([step for step in path[end:] if not isinstance(step, int)])
                return Problem(self.arguments[path[:end]], 0, 0, rest, message)
        return Problem("ladder", 0, 0, path_text(path), message)


def read_arguments(agents: Sequence[str], options: Mapping[str, str | None]) -> Arguments:
    """Make the document of a ladder.

    Parameters
    ----------
    agents : as written
    options : text of those of `OPTIONS` that were given

    Raises
    ------
    ConfigError : what is written cannot be understood; what it says is not checked here
    """
    problems: list[Problem] = []
    found: dict[str, dict[str, Any]] = {}
    arguments: dict[ValuePath, str] = {}
    for written in agents:
        name, settings = _agent(written, problems)
        if name in found and name:
            message = f"two agents are named {show(name)}. Name one of them: other={written}"
            problems.append(Problem(f"{written}:", 0, 0, "", message))
        found[name] = settings
        arguments["agents", name] = written
    given = {name: default for name, (_, default) in OPTIONS.items()}
    for name, text in options.items():
        arguments[OPTIONS[name][0]] = f"--{name}"
        if text is not None:
            given[name] = text if name == "preset" else _scalar(text, f"--{name}", problems)
    if problems:
        raise ConfigError(problems)
    preset = given["preset"]
    ruleset = "published" if preset is None else _NOT_NAME.sub("_", preset)[:40] or "preset"
    if preset is not None:
        arguments["rulesets", ruleset, "preset"] = "--preset"
    data = {
        "question": f"Who plays better: {', '.join(found)}?",
        "game": given["game"],
        "seats": given["seats"],
        "seed": given["seed"],
        "rulesets": {ruleset: {} if preset is None else {"preset": preset}},
        "agents": found,
        "stopping": {"rule": "fixed", "replicates": given["replicates"]},
    }
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100)
    return Arguments("arguments", text, data, arguments=arguments)


def read_agent(written: str, info: GameInfo) -> AgentSpec:
    """Read one agent, written as on the command line of a ladder.

    Raises
    ------
    ConfigError : with every mistake in it
    """
    problems: list[Problem] = []
    name, settings = _agent(written, problems)
    if problems:
        raise ConfigError(problems)
    data = {"agents": {name: settings}}
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100)
    arguments: dict[ValuePath, str] = {("agents", name): written}
    check = Checker(Arguments("arguments", text, data, arguments=arguments))
    spec = read_agents(check, data, info, Path())[name]
    if check.problems or spec is None:
        raise ConfigError(check.problems)
    return spec


def read_rules(written: str) -> tuple[str, dict[str, Any]]:
    """Read a ruleset, written as `name`, `name:toggle=value,...` or `toggle=value,...`.

    Returns
    -------
    its name, empty if there is none, and what differs from it

    Raises
    ------
    ConfigError : with every mistake in the form; names and values are not looked at
    """
    problems: list[Problem] = []
    name, given = _split(written)
    found: dict[str, Any] = {}
    for toggle, text in given:
        if toggle in found:
            problems.append(Problem(written, 0, 0, toggle, "it stands twice."))
        found[toggle] = _scalar(text, written, problems)
    if problems:
        raise ConfigError(problems)
    return name, found


def command(agents: Sequence[str], options: Mapping[str, str | None]) -> str:
    """Write the command line again, without what changes no result."""
    given = [(f"--{name}", text) for name, text in options.items() if text is not None]
    return shlex.join(["reefsim", "ladder", *agents, *(word for pair in given for word in pair)])


def _agent(written: str, problems: list[Problem]) -> tuple[str, dict[str, Any]]:
    """Name and settings of an agent, such as those of `strong=greedy:noise=0.5`.

    One that cannot be understood has no name.
    """
    named = _NAMED.fullmatch(written)
    name, spec = named.groups() if named else (None, written)
    kind, params = _split(spec)
    known, colon, _ = kind.partition(":")
    if name == "" or not known or (colon and known in KINDS):
        problems.append(
            Problem(
                f"{written.rstrip(':') or show(written)}:", 0, 0, "", f"this is no agent. {FORM}"
            )
        )
        return "", {}
    settings: dict[str, Any] = {"kind": kind}
    for param, text in params:
        if param in settings:
            what = "the kind is no parameter." if param == "kind" else "it stands twice."
            problems.append(Problem(written, 0, 0, param, f"{what} {FORM}"))
        else:
            settings[param] = _scalar(text, written, problems)
    return name or _name(spec, kind), settings


def _split(spec: str) -> tuple[str, list[tuple[str, str]]]:
    """Head and parameters of `head:name=value,name=value`; either may be missing."""
    first, equals, _ = spec.partition("=")
    if not equals:
        return spec, []
    head, _, _ = first.rpartition(":")
    params = spec[len(head) :].removeprefix(":")
    parts = (part.partition("=") for part in _NEXT_PARAM.split(params))
    return head, [(name, text) for name, _, text in parts]


def _name(spec: str, kind: str) -> str:
    """Name of an agent that was given none: its kind, or its class, and its parameters."""
    params = spec[len(kind) :]
    return _NOT_NAME.sub("_", kind.rpartition(":")[2] + params).strip("_")[:40]


def _scalar(text: str, argument: str, problems: list[Problem]) -> Any:
    """Read a value as it would stand in a file."""
    document = parse_yaml(text, argument)
    problems += [Problem(argument, 0, 0, "", problem.message) for problem in document.problems]
    return document.data
