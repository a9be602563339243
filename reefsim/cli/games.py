"""Games that a command is told: by id, by name, or by their place in a file of records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from reefsim.logs.saved import SavedGame

GameOption = Annotated[
    str | None,
    typer.Option(
        metavar="ID | NAME",
        help="Of a run: a game's id, or its name (longest, closest, typical, oddest, ...). Of a "
        "file of records: which one, from 1.",
    ),
]
_NUMBER = re.compile(r"[+-]?\d{1,18}")


def find_id(path: Path, game: str | None) -> int | None:
    """Id of a game of a run by its id or name, or place of a record in a file.

    Raises
    ------
    ReefsimError : as from `reporting.watch.find_pick`; a file of records has no names
    """
    from reefsim.errors import RecordError
    from reefsim.logs.read import open_run
    from reefsim.reporting.watch import find_pick

    if game is None or _NUMBER.fullmatch(game):
        return None if game is None else int(game)
    if path.is_file():
        raise RecordError(f"{path}: --game {game}: only games of a run have names; give a number.")
    return find_pick(open_run(path), game)


def find_saved(path: Path, game: str | None) -> SavedGame:
    """Find a game of a run, or of a record file.

    Raises
    ------
    ReefsimError : as from `find_id` and `logs.saved.find_game`
    """
    from reefsim.logs.saved import find_game

    return find_game(path, find_id(path, game))
