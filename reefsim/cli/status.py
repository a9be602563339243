"""`reefsim status`: how far a run is, also while it is going on."""

from __future__ import annotations

import dataclasses
import json
import math
import shlex
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from reefsim.cli.experiment import AsJson, RunFolder
from reefsim.cli.screen import console, duration, next_step, plain_rows, table
from reefsim.logs.mend import bug_command, resume_command

_EVERY_S = 5.0


def status(
    folder: RunFolder,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show it again and again, until the run ends.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show how far a run is: replicates, speed, estimates, games cut short, failures.

    The intervals hold at every look, so they may be watched as often as one likes.
    """
    from reefsim.logs.read import open_run
    from reefsim.reporting.status import find_status

    screen = console()
    while True:
        run = open_run(folder)
        found = find_status(run)
        if as_json:
            typer.echo(json.dumps(_plain(found), ensure_ascii=False))
        else:
            if watch and screen.is_terminal:
                screen.clear()
            _show(folder, found, run.manifest, screen)
        if not watch or found.ended or found.failure:
            break
        time.sleep(_EVERY_S)
    if as_json:
        return
    if run.num_missing:
        next_step(resume_command(folder))
    elif found.failed:
        next_step(bug_command(folder))
    else:
        next_step(f"reefsim report {shlex.quote(str(folder))}")


def _plain(found: object) -> dict[str, object]:
    from reefsim.reporting.findings import records
    from reefsim.reporting.status import Status

    assert isinstance(found, Status)
    row = {name: value for name, value in vars(found).items() if name not in ("arms", "estimates")}
    row["last"] = found.last.isoformat() if found.last is not None else None
    [plain] = plain_rows([row])
    return plain | {
        "arms": [dataclasses.asdict(arm) for arm in found.arms],
        "estimates": plain_rows(records(found.estimates)),
    }


def _show(folder: Path, found: object, manifest: dict[str, object], screen: Console) -> None:
    import pandas as pd

    from reefsim.reporting.answers import estimate, interval, is_difference, outcome_name
    from reefsim.reporting.findings import records
    from reefsim.reporting.numbers import percent
    from reefsim.reporting.status import Status

    assert isinstance(found, Status)
    screen.print(Text(str(manifest["question"]).strip(), style="bold"))
    rows = [(arm.arm, f"{arm.replicates:,}", f"{arm.most:,}") for arm in found.arms]
    most = "replicates" if found.ended else "at most"
    screen.print(table(["arm", "done", most], rows, right=f"done {most.split()[-1]} {most}"))
    of = f"{found.most:,}"
    if found.expected < found.most:
        of = f"about {found.expected:,} (at most {of})"
    line = f"{found.games:,} of {of} games"
    if found.ended:
        line += f"; stopped by {found.ended['stopped_by']} at look {found.ended['look']}"
    elif not math.isnan(found.rate):
        line += f", {found.rate:,.1f} games/s"
        if not math.isnan(found.seconds_left):
            most = "" if found.expected < found.most else "at most "
            line += f", {most}{duration(found.seconds_left)} left at that speed"
        if found.last is not None:
            ago = (pd.Timestamp.now(tz="UTC") - found.last).total_seconds()
            line += f"; last part {duration(max(0.0, ago))} ago"
    screen.print(Text(line))
    if found.games:
        bound = percent(found.truncated_high, 2)
        screen.print(Text(f"cut short: {found.truncated:,} games (95 %: at most {bound} of all)"))
    if found.failed:
        what = (
            f"failed: {found.failed:,} games were given up (table failures); what reproduces one: "
        )
        what += bug_command(folder)
        screen.print(Text(what, style="bold red"))
    if found.failure:
        screen.print(Text(f"failed: {found.failure}", style="bold red"))
    lines = []
    for row in records(found.estimates):
        against = f" against {row['against']}" if is_difference(row) else ""
        lines.append(
            (
                f"{outcome_name(row)}{against}",
                row["arm"],
                estimate(row),
                interval(row),
                f"{row['replicates']:,}",
            )
        )
    names = ["outcome", "arm", "now", "95 % at every look", "replicates"]
    screen.print(table(names, lines, right="now replicates"))
