"""`reefsim tune`: a search of the rules for a setting that meets what is wanted."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from reefsim.cli.experiment import (
    AsJson,
    Backend,
    Chunk,
    Config,
    GamesFailedError,
    NoReport,
    Out,
    Quiet,
    Workers,
    failed_games,
    page_of,
)
from reefsim.cli.screen import console, next_step, plain_rows, progress, tell_caveats
from reefsim.core.wording import noun
from reefsim.sim.design import Experiment, load

if TYPE_CHECKING:
    from reefsim.reporting.tune import Tune
    from reefsim.sim.tune import Tune as Asked


def tune(
    config: Config,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    chunk: Chunk = None,
    seed: Annotated[str | None, typer.Option(help="Replaces the seed of the file.")] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    no_report: NoReport = False,
) -> None:
    """Search toggles for a setting that meets the targets, and check it in fresh shuffles.

    Candidates race: in every round the better half goes on to twice as many shuffles. The last ones
    and the ruleset to beat then play in shuffles that the search did not see, and only those games
    say how good they are. That none is better is an answer, too. The same command goes on with a
    search that was interrupted.
    """
    from reefsim.logs.read import open_run
    from reefsim.reporting.render import find_page, write_report
    from reefsim.reporting.tune import answer, find_tune
    from reefsim.sim.race import race, searched

    options: dict[str, Any] = {"workers": workers, "backend": backend, "chunk": chunk, "out": out}
    plan = load(config, seed=seed, **options)
    searched(plan)  # refused before anything is said
    silent = quiet or as_json
    if not silent:
        console().print(Text(plan.question.strip(), style="bold"))
    shown = progress(quiet=quiet and not as_json, as_json=as_json)
    folders: list[Path] = []

    def hear(stage: Experiment, asked: Asked, number: int) -> None:
        folders.append(stage.run.out)
        if not silent:
            _announce(stage, asked, number)

    folder = race(plan, shown, hear)
    run = open_run(folder)
    found = find_tune(run)
    if not silent:
        _show(found)
        tell_caveats(run.manifest)
    page = None if no_report else write_report(run, find_page(page_of(folder)))
    if as_json:
        result = {
            "folder": str(folder),
            "report": page and str(page),
            "base": found.base,
            "settings": plain_rows(found.settings.to_dict("records")),  # type: ignore[arg-type]
            "goals": plain_rows(found.goals.to_dict("records")),  # type: ignore[arg-type]
            "search": plain_rows(found.search.to_dict("records")),  # type: ignore[arg-type]
            "level": found.level,
            "pick": found.pick or None,
            "answer": answer(found),
        }
        typer.echo(json.dumps(result, ensure_ascii=False))
    else:
        typer.echo(f"games: {folder}")
        if page is not None:
            typer.echo(f"report: {page}")
    place = shlex.quote(folder.as_posix())
    first = found.settings["arm"].iloc[0]
    following = f"compare {place} --arm {found.pick} --arm {first}"
    next_step(f"reefsim {following if found.pick else f'power --from {place}'}", quiet or as_json)
    if failed := [told for one in folders if (told := failed_games(one))]:
        raise GamesFailedError("\n".join(failed))


def _announce(stage: Experiment, asked: Asked, number: int) -> None:
    """Say what is played next."""
    shuffles = f"{stage.replicates:,} {noun(stage.replicates, 'shuffles')}"
    rounds = len(asked.rounds)
    if number <= rounds:
        what = f"round {number} of {rounds}: {len(stage.arms)} candidates in {shuffles}"
    else:
        count = len(stage.arms) - 1
        finalists = f"{count} {noun(count, 'finalists')}"
        most = "" if stage.stopping.rule == "fixed" else "at most "
        what = f"check: {finalists} and {asked.ruleset} in {most}{shuffles} of their own"
    console().print(f"{what} (seed {stage.seed})", markup=False)


def _show(found: Tune) -> None:
    """Print the table of settings, every goal, and the answer."""
    from reefsim.reporting.answers import STATUSES, target_name
    from reefsim.reporting.findings import records
    from reefsim.reporting.numbers import decimal
    from reefsim.reporting.tables import new_table
    from reefsim.reporting.tune import answer, change, change_span, goal_cell, how
    from reefsim.stats.goals import FARTHER, NEARER

    screen = console()
    table = new_table(
        "Settings (* no other is as near to every goal and nearer to one)",
        ["setting", "differs from the base"],
        ["inside", "open", "outside", "off"],
    )
    for row in records(found.settings):
        cells = (str(row[name]) for name in ("inside", "open", "outside"))
        name = Text(f"{row['name']}{'*' if row['front'] else ''}", style=_bold(found, row))
        table.add_row(name, row["setting"] or "the base", *cells, decimal(row["off"], 2))
    table.caption = "off: distance from all goals together, in half bands (or tenths of a limit)"
    screen.print(table)
    names = found.settings.set_index("arm")["name"]
    styles = {NEARER: "green", FARTHER: "yellow"}
    for _, rows in found.goals.groupby("goal", sort=True):
        first = records(rows)[0]
        title = f"{target_name(first)}: wanted {first['wanted']}"
        numbers = ["now", "95 %", "farther by", "interval"]
        table = new_table(title, ["setting"], numbers, ["status"])
        for row in records(rows):
            has_change = row["effect"] == row["effect"]  # the base is not compared with itself
            style = styles.get(row["effect"], "")
            table.add_row(
                str(names[row["arm"]]),
                *goal_cell(row),
                Text(change(row) if has_change else "", style=style),
                Text(change_span(row) if has_change else "", style=style),
                Text(str(row["status"]), style=STATUSES[row["status"]]),
            )
        screen.print(table)
    told = f"Farther by: from the goal than {found.base}; negative is nearer."
    screen.print(Text(f"{told} {how(found)}", style="dim"))
    screen.print(Text(answer(found), style="bold"))


def _bold(found: Tune, row: dict[str, Any]) -> str:
    return "bold" if row["arm"] == found.pick else ""
