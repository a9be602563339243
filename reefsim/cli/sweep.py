"""`reefsim sweep`: how outcomes respond to one or two dials, and which value to take."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any

import typer
from rich.text import Text

from reefsim.cli.experiment import (
    AsJson,
    Backend,
    Chunk,
    Config,
    Out,
    Quiet,
    Workers,
)
from reefsim.cli.screen import console, next_step, plain_rows, progress, tell_caveats
from reefsim.sim.design import load


def sweep(
    config: Config,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    chunk: Chunk = None,
    seed: Annotated[str | None, typer.Option(help="Replaces the seed of the file.")] = None,
    no_confirm: Annotated[
        bool, typer.Option("--no-confirm", help="Do not play the pick in fresh shuffles.")
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play the sweep of an experiment: curves, the values that meet all targets, and a pick.

    The arms of the sweep alone are played, on the shuffles of the experiment, in a folder of their
    own. The pick is then played again in fresh shuffles, since the best of several is partly luck.
    """
    from reefsim.logs.read import open_run
    from reefsim.reporting.sweep import find_sweep
    from reefsim.sim.dials import confirmation, only_sweep
    from reefsim.sim.runner import run as play

    options: dict[str, Any] = {"workers": workers, "backend": backend, "chunk": chunk, "out": out}
    plan = only_sweep(load(config, seed=seed, **options))
    silent = quiet or as_json
    shown = progress(quiet=quiet and not as_json, as_json=as_json)
    run = open_run(play(plan, progress=shown))
    found = find_sweep(run)
    if not silent:
        _show(found, plan.question)
        tell_caveats(run.manifest)
    fresh: Any = None
    if found.pick and not no_confirm:
        again = confirmation(plan, found.pick)
        if not silent:
            pick = str(found.points.set_index("arm").loc[found.pick, "point"])
            console().print(Text(f"playing {pick} again in fresh shuffles (seed {again.seed})"))
        fresh = open_run(play(again, progress=shown))
    if as_json:
        _tell(found, plan.run.out, fresh)
        return
    if fresh is not None and not silent:
        _show_fresh(found, fresh)
    typer.echo(f"games: {plan.run.out}")
    next_step(f"reefsim report {plan.run.out.as_posix()}", quiet)


def _show(found: Any, question: str) -> None:
    from reefsim.reporting.answers import STATUSES, estimate, interval
    from reefsim.reporting.findings import records
    from reefsim.reporting.numbers import count
    from reefsim.reporting.tables import new_table

    screen = console()
    screen.print(Text(question.strip(), style="bold"))
    names = found.points.set_index("arm")["point"]
    for outcome, rows in found.curves.groupby("outcome", sort=False):
        table = new_table(
            str(outcome),
            [" x ".join(found.dials)],
            ["games", "95 %", "replicates", "curve", "band"],
        )
        for row in records(rows):
            told = row | {"claim": "estimate", "null": math.nan, "against": ""}
            fitted = told | {
                "estimate": row["fitted"], "low": row["fit_low"], "high": row["fit_high"]
            }  # fmt: skip
            has_curve = not math.isnan(row["fitted"])
            table.add_row(
                str(names[row["arm"]]),
                estimate(told),
                interval(told),
                count(row["replicates"]),
                estimate(fitted) if has_curve else "",
                interval(fitted) if has_curve else "",
            )
        first = rows.iloc[0]
        if first["misfit"] < 0.01:
            table.caption = f"the curve ({first['terms']}) misses a value: read the games instead"
        screen.print(table)
    table = new_table(
        "What is wanted", [" x ".join(found.dials)], ["inside", "open", "outside"], ["together"]
    )
    for row in records(found.points):
        together = Text(str(row["status"]), style=STATUSES[row["status"]])
        cells = (str(row[name]) for name in ("inside", "open", "outside"))
        table.add_row(row["point"], *cells, together)
    if found.points["wanted"].any():
        screen.print(table)
    if found.pick:
        screen.print(Text(f"pick: {names[found.pick]} ({found.why})", style="bold"))
    else:
        screen.print(Text(f"no pick: {found.why}", style="bold"))


def _show_fresh(found: Any, fresh: Any) -> None:
    """Compare the pick with its games in fresh shuffles."""
    from reefsim.reporting.answers import (
        ANSWERS,
        STATUSES,
        estimate,
        interval,
        now,
        target_name,
        target_span,
    )
    from reefsim.reporting.tables import new_table

    answers, targets = _fresh_tables(fresh)
    before = found.curves[found.curves["arm"] == found.pick].set_index("outcome")
    table = new_table("The pick in fresh shuffles", ["outcome"], ["sweep", "fresh", "95 %"], [""])
    for row in answers:
        told = before.loc[row["outcome"]].to_dict() | {
            "claim": "estimate", "null": math.nan, "against": ""
        }  # fmt: skip
        verdict = Text(str(row["verdict"]), style=ANSWERS[row["answer"]])
        table.add_row(row["outcome"], estimate(told), estimate(row), interval(row), verdict)
    for row in targets:
        status = Text(f"{row['status']} ({row['wanted']})", style=STATUSES[row["status"]])
        table.add_row(target_name(row), "", now(row), target_span(row), status)
    console().print(table)


def _fresh_tables(fresh: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    from reefsim.reporting.findings import records
    from reefsim.stats.claims import find_answers
    from reefsim.stats.targets import find_targets

    asked = fresh.manifest["experiment"]
    answers = targets = []
    if (asked.get("outcomes") or {}).get("primary"):
        answers = records(find_answers(fresh, only_primary=True))
    if asked.get("targets"):
        targets = records(find_targets(fresh))
    return answers, targets


def _tell(found: Any, folder: object, fresh: Any) -> None:
    from reefsim.reporting.findings import records

    answers, targets = _fresh_tables(fresh) if fresh is not None else ([], [])
    result = {
        "folder": str(folder),
        "dials": list(found.dials),
        "points": plain_rows(records(found.points)),
        "curves": plain_rows(records(found.curves)),
        "pick": found.pick or None,
        "why": found.why,
        "fresh": {
            "folder": None if fresh is None else str(fresh.folder),
            "answers": plain_rows(answers),
            "targets": plain_rows(targets),
        },
    }
    typer.echo(json.dumps(result, ensure_ascii=False))
