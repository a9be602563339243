"""`reefsim ladder`: who of some agents plays better."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from reefsim.agents.kinds import KINDS
from reefsim.cli.experiment import (
    Backend,
    Chunk,
    NoReport,
    Out,
    Quiet,
    Workers,
    play_and_report,
)
from reefsim.errors import ConfigError, Problem
from reefsim.sim.design import Experiment, load, resolve
from reefsim.sim.shorthand import OPTIONS, command, read_arguments

_PLACE = Path("ladder")  # where the file would stand that agents on the command line amount to


def _default(name: str) -> str:
    return f"{OPTIONS[name][1]} if left out"


def ladder(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="CONFIG | AGENTS...",
            help="An experiment file (YAML) with agents and one ruleset, without line-ups; or "
            "agents: kind, kind:param=value,... or name=kind:param=value,...",
            show_default=False,
        ),
    ],
    seats: Annotated[
        str | None, typer.Option(help=f"Players at a table; {_default('seats')}.")
    ] = None,
    replicates: Annotated[
        str | None,
        typer.Option(help=f"Shuffles, each played by every pair; {_default('replicates')}."),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Rules: a preset; the published ones if left out.")
    ] = None,
    game: Annotated[str | None, typer.Option(help=f"Game; {_default('game')}.")] = None,
    seed: Annotated[
        str | None, typer.Option(help=f"Seed; that of the file, or {_default('seed')}.")
    ] = None,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    chunk: Chunk = None,
    quiet: Quiet = False,
    no_report: NoReport = False,
) -> None:
    """Let agents play each other and write who plays better.

    With two seats every pair plays, with more one of each among copies of each other, in every
    seat. For example: reefsim ladder random greedy weak=greedy:noise=2 --seats 3
    """
    own = {"seats": seats, "replicates": replicates, "preset": preset, "game": game}
    options = {"workers": workers, "backend": backend, "chunk": chunk, "out": out}
    play_and_report(_plan(agents, own, seed, options), quiet, no_report)


def _plan(
    agents: list[str],
    own: Mapping[str, str | None],
    seed: str | None,
    options: Mapping[str, Any],
) -> Experiment:
    file = next((name for name in agents if _is_file(name)), None)
    if file is None:
        given = {**own, "seed": seed}
        document = read_arguments(agents, given)
        return resolve(document, _PLACE, options, "ladder", command(agents, given))
    problems = [
        Problem(f"--{name}", 0, 0, "", f"goes with agents; {file} says that itself.")
        for name, value in own.items()
        if value is not None
    ]
    if len(agents) > 1:
        message = "an experiment file stands alone; its agents are in it."
        problems.append(Problem(f"{file}:", 0, 0, "", message))
    if problems:
        raise ConfigError(problems)
    return load(file, kind="ladder", seed=seed, **options)


def _is_file(name: str) -> bool:
    if name in KINDS or set(":=") & set(name):
        return False
    return Path(name).suffix in (".yaml", ".yml") or Path(name).is_file()
