"""`reefsim bug`: what reproduces a fault, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reefsim.cli.experiment import Quiet
from reefsim.cli.games import GameOption, find_id
from reefsim.cli.screen import console, table
from reefsim.errors import ReefsimError

_FOLDER = Path("reports")


def bug(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="RUN | RECORD",
            help="A run folder, or a record file (JSON Lines). Without one: the versions.",
            show_default=False,
        ),
    ] = None,
    game: GameOption = None,
    with_agents: Annotated[
        bool, typer.Option("--with-agents", help="Put in the code of your own players, too.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="A file (*.zip) or a folder; else reports/bug-<run>-<game>.zip."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Bundle what reproduces a fault: a game of a run that failed, or a record that is none.

    Of a run it is the first game that failed, unless --game names one. The file holds versions, the
    experiment, the game as far as it went, its position and the error; no names of home
    folders, users or machines. Read it before you send it.
    """
    if path is None:
        if game is not None or out is not None or with_agents:
            what = "--game, --out and --with-agents go with a run or a record."
            raise typer.BadParameter(what)
        _tell_versions()
        return
    from reefsim.logs.files import write_whole
    from reefsim.sim.bug import bundle_of_record, bundle_of_run

    number = find_id(path, game)
    if path.is_dir():
        bundle = bundle_of_run(path, number, with_agents=with_agents)
    else:
        bundle = bundle_of_record(path, number)
    target = _target(out, f"bug-{bundle.name}.zip")
    content = bundle.to_zip()
    write_whole(target, content)
    if not quiet:
        for line in bundle.story:
            typer.echo(line)
        console().print(table(["file", "holds"], bundle.meanings.items()))
        typer.echo(
            "It holds experiment, names of players and data files as you wrote them, and no names "
            "of users or home folders. Read it before you send it."
        )
    typer.echo(f"bundle: {target} ({len(content) / 1000:,.0f} kB)")


def _target(out: Path | None, name: str) -> Path:
    if out is None:
        return _FOLDER / name
    if out.suffix == ".zip":
        return out
    if out.suffix and not out.is_dir():
        raise ReefsimError(f"{out}: a bundle is a zip file: name a *.zip file or a folder.")
    return out / name


def _tell_versions() -> None:
    """Print what a report of a fault should tell."""
    import platform

    from reefsim.logs.manifest import versions

    for name, version in versions().items():
        typer.echo(f"{name} {version}")
    typer.echo(f"system {platform.system()} {platform.machine()}")
