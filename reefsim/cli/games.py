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


def find_saved(path: Path, game: str | None) -> SavedGame:
    """Find a game of a run, or of a record file.

    Raises
    ------
    ReefsimError : as from `logs.saved.find_game` and `reporting.watch.find_pick`; a file of records
        has no names
    """
    from reefsim.errors import RecordError
    from reefsim.logs.read import open_run
    from reefsim.logs.saved import find_game, game_of
    from reefsim.reporting.watch import find_pick

    if game is None or _NUMBER.fullmatch(game):
        return find_game(path, None if game is None else int(game))
    if path.is_file():
        raise RecordError(f"{path}: --game {game}: only games of a run have names; give a number.")
    run = open_run(path)
    return game_of(run, find_pick(run, game))
