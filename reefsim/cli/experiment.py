"""`reefsim run`, `validate` and `report`: from an experiment file to its report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reefsim.cli.screen import console, progress, table
from reefsim.sim.design import Experiment, describe_plan, load

_REPORTS = Path("reports")

Config = Annotated[
    Path, typer.Argument(metavar="CONFIG", help="The experiment file (YAML).", show_default=False)
]
Out = Annotated[str | None, typer.Option(help="Folder for the games.")]
Workers = Annotated[str | None, typer.Option(help="How many play at once; auto: one per core.")]
Backend = Annotated[str | None, typer.Option(help="threading, or loky for processes.")]
Chunk = Annotated[str | None, typer.Option(help="Replicates a worker plays at a time, or auto.")]
NoReport = Annotated[bool, typer.Option("--no-report", help="Play and log only.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the last line only.")]


def run(
    config: Config,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    chunk: Chunk = None,
    seed: Annotated[str | None, typer.Option(help="Replaces the seed of the file.")] = None,
    quiet: Quiet = False,
    no_report: NoReport = False,
) -> None:
    """Play an experiment and write its report.

    What the run folder holds already is not played again, so the same command goes on with a run
    that was interrupted.
    """
    plan = load(config, seed=seed, workers=workers, backend=backend, chunk=chunk, out=out)
    play_and_report(plan, quiet, no_report)


def play_and_report(plan: Experiment, quiet: bool, no_report: bool) -> None:
    """Play an experiment and write its report, or name its games."""
    if not quiet:
        _tell_what_waits(plan)
    from reefsim.sim.runner import run as play

    folder = play(plan, progress=progress(quiet))
    if no_report:
        typer.echo(f"games: {folder}")
        return
    page = _report(folder, _page(folder), quiet)
    typer.echo(f"report: {page}")


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option(help="A page (*.html) or a folder; else reports/<run>.html.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Print what a run found and write its report."""
    page = _report(folder, out or _page(folder), quiet)
    typer.echo(f"report: {page}")


def _page(folder: Path) -> Path:
    """Where the report of a run goes unless the user says."""
    return _REPORTS / f"{folder.resolve().name}.html"


def _report(folder: Path, out: Path, quiet: bool) -> Path:
    from reefsim.logs.read import open_run
    from reefsim.reporting.ladder import find_ladder, is_ladder, print_ladder
    from reefsim.reporting.ladder_page import write_ladder
    from reefsim.reporting.render import find_page, write_report
    from reefsim.reporting.tables import print_summary

    page = find_page(out)
    run = open_run(folder)
    if is_ladder(run):
        ladder = find_ladder(run)
        if not quiet:
            print_ladder(ladder, console())
        return write_ladder(ladder, page)
    if not quiet:
        print_summary(run, console())
    return write_report(run, page)


def validate(config: Config) -> None:
    """Check an experiment file and show what it would play."""
    plan = load(config)
    screen = console()
    screen.print(plan.question.strip(), style="bold", markup=False)
    rows = describe_plan(plan)
    screen.print(
        table(
            ["arm", "rules that differ", "line-up", "seatings", "replicates", "games"],
            [
                (r.arm, r.differences, r.lineup, r.seatings, f"{r.replicates:,}", f"{r.games:,}")
                for r in rows
            ],
            right="seatings replicates games",
        )
    )
    games = sum(row.games for row in rows)
    screen.print(f"{games:,} games with {plan.seats} seats, seed {plan.seed}; {_kept(plan)}")
    screen.print(f"games go to {plan.run.out}", markup=False)
    _tell_what_waits(plan)


def _tell_what_waits(plan: Experiment) -> None:
    """Say what is to be known before the games: tuning, caveats, entries not carried out so far."""
    if plan.retune:
        from reefsim.sim.train import Budget

        rulesets = len({arm.ruleset_name for arm in plan.arms})
        games = rulesets * Budget(**plan.retune).games(plan.seats)
        console().print(f"players are tuned first, which takes {games:,} more games")
    caveats = [caveat for arm in plan.arms for caveat in plan.game.caveats(arm.ruleset)]
    for caveat in dict.fromkeys(caveats):
        console().print(f"note: {caveat}", style="yellow", markup=False)
    waiting = {
        "targets": "not judged in this version" if plan.targets else "",
        "outcomes.correction": (
            "not applied in this version" if plan.outcomes.get("correction") else ""
        ),
        "report.formats": "only html is written" if "md" in plan.report["formats"] else "",
    }
    for entry, what in waiting.items():
        if what:
            console().print(f"note: {entry}: {what}", style="yellow", markup=False)


def _kept(plan: Experiment) -> str:
    if plan.events == 1:
        return "all events are kept"
    return f"events are kept of {plan.events:.3g} of the replicates" if plan.events else "no events"
