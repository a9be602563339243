"""`reefsim watch`: a page with which recorded games are watched, and files made of them."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reefsim.cli.games import GameOption, find_saved
from reefsim.cli.screen import next_step
from reefsim.core.replay import format_verdict
from reefsim.logs.mend import bug_command

if TYPE_CHECKING:
    from reefsim.logs.saved import SavedGame
    from reefsim.metrics.opinion import Opinion

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
    beside: Annotated[
        str | None,
        typer.Option(
            metavar="OTHER",
            help="Watch two games side by side: the id of another game of the run, the name of "
            "another arm or ruleset (the game of the same shuffle and seating there), or a record "
            "file.",
        ),
    ] = None,
    values: Annotated[
        bool,
        typer.Option(
            help="List what could be done at every decision, with values by the weights of the "
            "player that sat there (compiles the rules once)."
        ),
    ] = True,
    agent: Annotated[
        str | None,
        typer.Option(
            help="Whose weights these values rest on instead, kind or kind:param=value,... "
            "(reefsim list agents)."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="No page, but a drawing of a position (*.svg), the game as moving picture "
            "(*.gif), or its notation (*.txt).",
        ),
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option(help="With --export *.svg: the position after this event; else the last."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="With --export: the positions as this seat knows them.")
    ] = None,
    step: Annotated[
        str | None,
        typer.Option(
            help="With --export *.gif: a picture after every turn (if left out), action, round, "
            "'lead change', or event of a kind."
        ),
    ] = None,
) -> None:
    """Write a page with which a game is watched, move by move, or two side by side.

    It is one file that needs no network. `#ply=137` behind its address goes to that event.
    """
    from reefsim.logs.saved import find_beside
    from reefsim.reporting.render import find_page
    from reefsim.reporting.viewer import write_viewer

    if export is None and (ply, seat, step) != (None, None, None):
        raise typer.BadParameter("--ply, --seat and --step go with --export.")
    if export is not None:
        if beside is not None or out is not None or agent is not None:
            raise typer.BadParameter("--export goes without --beside, --out and --agent.")
        raise typer.Exit(_export(path, game, export, ply, seat, step))
    saved = find_saved(path, game)
    other = None if beside is None else find_beside(saved, beside)
    page = find_page(_PAGES / f"{_page_name(path, saved, other)}.html" if out is None else out)
    pair = None if other is None else (other, _opinion(other, values, agent))
    verdicts = write_viewer(saved, page, _opinion(saved, values, agent), beside=pair)
    for one, verdict in zip([saved, other or saved], verdicts, strict=False):
        typer.echo(format_verdict(one.name, verdict))
    typer.echo(f"page: {page}")
    which = "" if game is None else f" --game {game}"
    if verdicts[0].ok:
        choices = [row["ply"] for row in saved.record.rows if row.get("n_legal", 0) > 1]
        ply = choices[len(choices) // 2] if choices else saved.record.rows[-1]["ply"]
        next_step(f"reefsim explain {shlex.quote(str(path))} {ply}{which}")
    else:
        next_step(f"{bug_command(path)}{which}")
    raise typer.Exit(max(verdict.exit_code for verdict in verdicts))


def _page_name(path: Path, saved: SavedGame, other: SavedGame | None) -> str:
    parts = [path.resolve().stem, *([] if saved.number is None else [str(saved.number)])]
    if other is not None:
        is_file = other.number is None
        parts += ["beside", Path(other.record.path).stem if is_file else str(other.number)]
    return "-".join(parts)


def _opinion(saved: SavedGame, values: bool, agent: str | None) -> Opinion | None:
    from reefsim.sim.opinions import opinion_of

    return opinion_of(saved, values=values, agent=agent)


def _export(
    path: Path,
    game: str | None,
    file: Path,
    ply: int | None,
    seat: int | None,
    step: str | None,
) -> int:
    """Write a file of another kind; returns the exit code."""
    from reefsim.reporting.stills import check_kind, export

    check_kind(file)
    kind = file.suffix.lower()
    if ply is not None and kind != ".svg":
        raise typer.BadParameter("--ply goes with --export *.svg.")
    if step is not None and kind != ".gif":
        raise typer.BadParameter("--step goes with --export *.gif.")
    if seat is not None and kind == ".txt":
        raise typer.BadParameter("--seat goes with --export *.svg or *.gif.")
    saved = find_saved(path, game)
    reel = export(saved, file, ply=ply, seat=seat, unit=step or "turn")
    typer.echo(format_verdict(saved.name, reel.verdict))
    typer.echo(f"file: {file}")
    return reel.verdict.exit_code
