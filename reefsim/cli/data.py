"""`reefsim check-data`: whether a data file of a user's own can be played with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reefsim.cli.screen import find_game
from reefsim.core.datafiles import read_text
from reefsim.errors import ReefsimError


def check_data(
    game: Annotated[str, typer.Argument(metavar="GAME", show_default=False)],
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="As rules name it, with ending.", show_default=False),
    ],
) -> None:
    """Check a data file that rules may name, such as a deck of cards.

    Says every mistake with its line. Exit code: 0 it can be used, 2 it cannot.
    """
    made = find_game(game).game
    if made.check_data is None:
        raise ReefsimError(f"{made.title} has no data files.")
    try:
        text = read_text(file)
    except ValueError as error:
        raise ReefsimError(f"{error}.") from error
    summary, remarks = made.check_data(file.stem, text)
    for remark in remarks:
        place = f"{file}:{remark.line}" if remark.line else str(file)
        typer.echo(f"{place}: {'warning: ' if remark.is_warning else ''}{remark.text}")
    faults = sum(not remark.is_warning for remark in remarks)
    if faults:
        typer.echo(f"{file}: {faults} mistake{'' if faults == 1 else 's'}")
        raise typer.Exit(2)
    typer.echo(f"{file}: {summary}")
