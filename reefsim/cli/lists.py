"""`reefsim list ...`: what there is to name in an experiment file, and in its tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.filesize import decimal

from reefsim.cli.screen import console, find_game, records_table
from reefsim.core.wording import plain

app = typer.Typer(
    help="List games, toggles, agents, restrictions, weights, metrics, presets, templates, tables, "
    "runs.",
    no_args_is_help=True,
)

Json = Annotated[bool, typer.Option("--json", help="For programs.")]
GameName = Annotated[
    str | None,
    typer.Argument(metavar="GAME", help="The first game if left out.", show_default=False),
]


@app.command()
def games(as_json: Json = False) -> None:
    """List the games."""
    from reefsim.games import registry

    found = [registry.info(name) for name in registry.names()]
    rows = [
        {"game": i.name, "title": i.title, "players": f"{i.seats[0]}-{i.seats[-1]}"} for i in found
    ]
    _show(rows, as_json)
    for fault in registry.faults().values():
        typer.echo(fault, err=True)


@app.command()
def toggles(game: GameName = None, as_json: Json = False) -> None:
    """List every rule that can be changed: clause, values, meaning."""
    rows: list[dict[str, Any]] = [
        {
            "toggle": toggle.name,
            "clause": toggle.clause,
            "values": toggle.allowed,
            "default": toggle.default if as_json else plain(toggle.default),
            "meaning": toggle.doc,
        }
        for toggle in find_game(game).ruleset.toggles()
    ]
    _show(rows, as_json)


@app.command()
def agents(as_json: Json = False) -> None:
    """List the kinds of agents and their parameters."""
    from reefsim.agents.kinds import KINDS

    rows = [
        {
            "kind": kind.name,
            "parameters": "; ".join(
                f"{name} (default {plain(kind.defaults[name])}): {field.description}"
                for name, field in kind.params.model_fields.items()
            ),
            "meaning": kind.doc,
        }
        for kind in KINDS.values()
    ]
    own = "made as Class(rng, **parameters), asked by act(view)"
    rows.append({"kind": "module:Class", "parameters": "your own", "meaning": f"your class, {own}"})
    _show(rows, as_json)


@app.command()
def restrictions(game: GameName = None, as_json: Json = False) -> None:
    """List what an agent may be told never to do."""
    from reefsim.agents.kinds import restriction_names

    names = restriction_names(find_game(game).game)
    _show([{"never": name, "meaning": meaning} for name, meaning in names.items()], as_json)


@app.command()
def weights(game: GameName = None, as_json: Json = False) -> None:
    """List the weights of a game's evaluation: set by hand, and tuned for rules and seats."""
    from reefsim.agents.weights import shipped

    found = find_game(game).game
    tuned = shipped(found)
    rows = [
        {"weight": name, "hand": value}
        | {weights.origin: round(weights.values[name], 3) for weights in tuned}
        | {"meaning": meaning}
        for name, value, meaning in found.weights
    ]
    _show(rows, as_json)


@app.command()
def metrics(game: GameName = None, as_json: Json = False) -> None:
    """List the metrics that outcomes and targets may name; some need win chances of an oracle."""
    from reefsim.metrics.catalog import known

    rows = [
        {
            "metric": m.name,
            "unit": m.unit,
            "family": m.family,
            "per": m.per,
            "meaning": m.meaning,
            "formula": m.formula,
            "source": m.source,
            "needs": list(m.needs) if as_json else ", ".join(m.needs),
        }
        | ({"kind": m.kind} if as_json else {})
        for m in known(find_game(game).name).values()
    ]
    _show(rows, as_json)


@app.command()
def presets(game: GameName = None, as_json: Json = False) -> None:
    """List named rulesets and how they differ from the published game."""
    from reefsim.core.presets import package_dir
    from reefsim.core.presets import presets as find

    info = find_game(game)
    found = find(info.name, package_dir(info.ruleset))
    if as_json:
        _show([{"preset": name, "rules": rules} for name, rules in found.items()], True)
        return
    texts = {
        name: ", ".join(f"{rule} {plain(value)}" for rule, value in rules.items())
        for name, rules in found.items()
    }
    _show(
        [{"preset": name, "rules": text or "published game"} for name, text in texts.items()], False
    )


@app.command()
def templates(as_json: Json = False) -> None:
    """List what `reefsim new` can begin with."""
    from reefsim.cli.new import summary
    from reefsim.cli.new import templates as find

    _show([{"template": name, "asks": summary(file)} for name, file in find().items()], as_json)


@app.command()
def tables(game: GameName = None, as_json: Json = False) -> None:
    """List the tables of a run and their columns."""
    from reefsim.logs.schema import describe

    _show(describe(find_game(game).game), as_json)


@app.command()
def runs(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="Where to look; if left out: here, in runs, */runs and experiments/*/runs.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the runs below a folder: what was played, how far each is, and what it takes on disk."""
    from reefsim.logs.folders import find_runs

    found = find_runs(folder)
    if as_json:
        _show([vars(run) | {"folder": str(run.folder)} for run in found], True)
        return
    if not found:
        typer.echo(f"there are no runs in {folder or 'the usual places'}")
        return
    rows = [
        {
            "run": str(run.folder),
            "game": run.game,
            "games": "" if run.games is None else f"{run.games:,} of {run.planned:,}",
            "state": run.state + (f", {run.failed:,} failed" if run.failed else ""),
            "config": run.config_hash,
            "size": decimal(run.size),
        }
        for run in found
    ]
    _show(rows, False)
    for run in found:
        if run.fault:
            typer.echo(f"{run.folder}: {run.fault}", err=True)


def _show(rows: Sequence[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        console().print(records_table(rows))
