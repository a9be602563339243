"""`reefsim watch`: a page with which a recorded game is watched."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reefsim.cli.games import GameOption, find_saved
from reefsim.core.replay import format_verdict

_PAGES = Path("reports")


def watch(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="RUN | RECORD",
            help="With --game a run folder, or a record file (JSON Lines).",
            show_default=False,
        ),
    ],
    game: GameOption = None,
    out: Annotated[
        Path | None,
        typer.Option(help="A page (*.html) or a folder; else reports/<run>-<game>.html."),
    ] = None,
) -> None:
    """Write a page with which a game is watched, move by move.

    It is one file that needs no network. `#ply=137` behind its address goes to that event.
    """
    from reefsim.reporting.render import find_page
    from reefsim.reporting.viewer import write_viewer

    saved = find_saved(path, game)
    name = "-".join([path.resolve().stem, *([] if saved.number is None else [str(saved.number)])])
    page = find_page(_PAGES / f"{name}.html" if out is None else out)
    verdict = write_viewer(saved, page)
    typer.echo(format_verdict(saved.name, verdict))
    typer.echo(f"page: {page}")
    raise typer.Exit(verdict.exit_code)
