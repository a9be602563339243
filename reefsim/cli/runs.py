"""`reefsim resume`, `compact` and `verify`: run folders that are there."""

from __future__ import annotations

import json
import shlex
from typing import Annotated, Any

import typer

from reefsim.cli.experiment import (
    AsJson,
    Backend,
    Check,
    Chunk,
    NoReport,
    Quiet,
    RunFolder,
    Scheduler,
    Workers,
    play_and_report,
)
from reefsim.cli.screen import next_step
from reefsim.errors import RunDamagedError


def resume(
    folder: RunFolder,
    workers: Workers = None,
    backend: Backend = None,
    chunk: Chunk = None,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    check: Check = False,
    no_report: NoReport = False,
) -> None:
    """Go on with a run that was interrupted, from its folder alone.

    However a run ended, by Ctrl-C, a crash, a full disk or a power cut: what is whole is kept, and
    the games it lacks are played. The result is the same as without the interruption.
    """
    from reefsim.sim.resume import reopen

    options: dict[str, Any] = {"workers": workers, "backend": backend, "chunk": chunk}
    plan = reopen(folder, **options, scheduler=scheduler)
    play_and_report(plan, quiet, no_report, as_json, check)


def compact(folder: RunFolder, quiet: Quiet = False) -> None:
    """Put the many small files of a finished run into few large ones.

    Nothing else changes: reports, comparisons, replays and `resume` find what they found before.
    """
    from reefsim.logs.compact import compact_run

    before, after = compact_run(folder)
    typer.echo(f"{folder}: {before:,} files became {after:,}")
    next_step(f"reefsim verify {shlex.quote(str(folder))}", quiet)


def verify(
    folder: RunFolder,
    games: Annotated[
        int, typer.Option(min=0, max=100_000, help="Games that are played again.")
    ] = 20,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Check a run folder: sums, counts and columns of its files, and a sample of games.

    The sample is played again from the seed, and the events that were kept are checked against the
    rules. Exit code 1 if anything is not as it should be.
    """
    from reefsim.sim.verify import verify_run

    found = verify_run(folder, games)
    if as_json:
        typer.echo(json.dumps({"folder": str(folder)} | vars(found), ensure_ascii=False))
    for note in found.notes:
        if not as_json:
            typer.echo(f"note: {note}")
    if found.faults:
        raise RunDamagedError("\n".join(found.faults))
    if not as_json:
        typer.echo(
            f"{folder}: {found.games:,} games and {found.files:,} files are as they should be; "
            f"{found.replayed} games were played again"
        )
        next_step(f"reefsim report {shlex.quote(str(folder))}", quiet)
