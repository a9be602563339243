"""`reefsim compare`: two arms of one run, or of two runs, metric by metric."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from reefsim.cli.experiment import AsJson
from reefsim.cli.screen import console, next_step, plain_rows, tell_caveats
from reefsim.core.wording import plain
from reefsim.errors import RunError


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN [RUN]", help="One run folder, or two.", show_default=False),
    ],
    arm: Annotated[
        list[str] | None,
        typer.Option(help="An arm or ruleset, given twice: the first is compared with the second."),
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="Only this metric; may be given more than once.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two arms: what the rules change, and how every metric differs.

    Replicates are paired where seeds and design allow. For example:
    reefsim compare runs/hands --arm equal --arm published
    """
    from reefsim.logs.read import open_run
    from reefsim.reporting.compare import compare as find
    from reefsim.reporting.findings import records

    names = arm or []
    if len(runs) > 2 or len(names) not in (0, 2):
        raise RunError("compare takes one run or two, and no --arm or two of them.")
    opened = [open_run(run) for run in runs]
    first, second = names or (None, None)
    other = opened[1] if len(opened) == 2 else None
    if other is None and first is None and len(opened[0].arms) == 2:
        second, first = opened[0].arms
    found = find(opened[0], first, second, other=other, metrics=metric)
    rows = records(found.table)
    if as_json:
        rules = [
            {"arm": one, "against": two, "toggle": name, "value": a, "against_value": b}
            for (one, two), differences in found.rules.items()
            for name, a, b in differences
        ]
        result = {"paired": found.is_paired, "why": found.why, "rules": rules}
        typer.echo(json.dumps(result | {"table": plain_rows(rows)}, ensure_ascii=False))
        return
    screen = console()
    for (one, two), differences in found.rules.items():
        screen.print(Text(f"{one} against {two}", style="bold"))
        if not differences:
            screen.print("the same rules")
        for name, ours, theirs in differences:
            screen.print(Text(f"  {name}: {_value(ours)}, against {_value(theirs)}"))
        screen.print(_table([row for row in rows if (row["arm"], row["against"]) == (one, two)]))
    pairing = "paired by replicate" if found.is_paired else f"unpaired: {found.why}"
    screen.print(Text(f"{pairing}; p adjusted for {len(rows)} comparisons (Holm)", style="dim"))
    if found.is_paired and any(row["gain"] < 1 for row in rows):
        what = "where the gain is below 1, sharing shuffles did not help: the interval is unpaired"
        screen.print(Text(what, style="dim"))
    tell_caveats(*(run.manifest for run in opened))
    folder = runs[0].as_posix()
    next_step(f"reefsim power --from {folder}")


def _value(value: Any) -> str:
    return value if value == "as published" else plain(value)


def _table(rows: list[dict[str, Any]]) -> Any:
    from reefsim.reporting.answers import ANSWERS, estimate, interval, outcome_name, p_value
    from reefsim.reporting.answers import replicates as replicates_of
    from reefsim.reporting.numbers import decimal
    from reefsim.reporting.tables import new_table

    table = new_table(
        "",
        ["metric"],
        ["value", "against", "difference", "95 %", "replicates", "gain", "p (Holm)"],
        ["verdict"],
    )
    for row in rows:
        verdict = "not yet known" if row["answer"] == "open" else str(row["verdict"])
        table.add_row(
            outcome_name(row),
            _one(row, "value"),
            _one(row, "against_value"),
            estimate(row),
            interval(row),
            replicates_of(row),
            decimal(row["gain"], 2),
            p_value(row["p_holm"]),
            Text(verdict, style=ANSWERS[row["answer"]]),
        )
    return table


def _one(row: Mapping[str, Any], name: str) -> str:
    from reefsim.reporting.numbers import NONE, decimal, percent

    value = float(row[name])
    if math.isnan(value):
        return NONE
    return percent(value) if row["kind"] == "share" else decimal(value, 2)
