"""The tables of a run: every column with its type, unit and meaning.

A run folder holds one folder per table, in it one per arm, in it part files of a fixed range of
replicates: `games/arm=<arm>/part-00000.parquet`. Columns that every game has stand here; a game
adds its own (`Game.game_columns` and its like, and the columns of its game record). Types are
narrow, strings are dictionaries, and only columns said to be `null` sometimes may be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from reefsim.core.events import Column, EventLayout
    from reefsim.core.game import Game, TableColumn

TABLES = ("games", "players", "turns", "events", "timing")
FAILURES = "failures"  # a table that only parts have in which a game was given up
_NUMBERS = {
    "bool": pa.bool_(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
}
_TEXT = pa.dictionary(pa.int16(), pa.string())


@dataclass(frozen=True)
class Field:
    """One column of a table.

    Attributes
    ----------
    name, type : as in the files
    doc : meaning, unit, and when it is null
    nullable : whether it may be null
    """

    name: str
    type: pa.DataType
    doc: str
    nullable: bool = False


_GAME_ID = Field(
    "game_id", pa.int64(), "unique in the run: arm * 10**12 + replicate * 1000 + rotation"
)

_GAMES = (
    _GAME_ID,
    Field("replicate", pa.int64(), "number of the shuffle, shared by arms and rotations"),
    Field("rotation", pa.int8(), "number of the seating of the line-up, 0 as written"),
    Field("ruleset", _TEXT, "name of the ruleset in the experiment"),
    Field("lineup", _TEXT, "name of the line-up in the experiment"),
    Field("players", pa.int8(), "number of seats"),
    Field("rules", _TEXT, "every rule parameter, as JSON"),
    Field("agents", pa.list_(pa.string()), "name of the agent on each seat"),
    Field("seed", pa.int64(), "seed of the experiment"),
    Field("config_hash", _TEXT, "stands for the design the game belongs to"),
    Field("rules_version", _TEXT, "version of the rules of the game"),
    Field("turns", pa.int16(), "player turns"),
    Field("rounds", pa.int16(), "rounds; one that was begun counts"),
    Field("plies", pa.int32(), "events of the record, chance and the end included"),
    Field("decisions", pa.int32(), "actions taken by the seats"),
    Field("end_cause", _TEXT, "what ended the game"),
    Field(
        "ender", pa.int8(), "seat that caused the end; null if an engine limit did", nullable=True
    ),
    Field("winners", pa.list_(pa.int8()), "seats of rank 1"),
    Field(
        "tiebreak_depth", pa.int8(), "0 won on score, 1 on the first tie-break, ..., last: shared"
    ),
    Field("truncated", pa.bool_(), "an engine limit stopped the game"),
)
_PLAYERS = (
    _GAME_ID,
    Field("seat", pa.int8(), "place in turn order, from 0"),
    Field("slot", pa.int8(), "place in the line-up as written, from 0"),
    Field("agent", _TEXT, "name of the agent"),
    Field("score", pa.int16(), "points"),
    Field("rank", pa.int8(), "1 + number of seats ahead after every tie-break"),
    Field("win_share", pa.float32(), "1/k for each of the k winners, else 0"),
    Field("margin_others", pa.float32(), "points less the mean of the other seats'"),
    Field("decisions", pa.int32(), "actions taken"),
    Field(
        "mean_options",
        pa.float32(),
        "legal actions per decision, mean; null without",
        nullable=True,
    ),
)
_TURNS = (
    _GAME_ID,
    Field("turn", pa.int16(), "number of the turn in the game, from 1"),
    Field("seat", pa.int8(), "whose turn it is"),
)
_TURN_COUNTS = (
    Field("decisions", pa.int16(), "actions taken in the turn"),
    Field("options", pa.int32(), "legal actions, summed over the decisions of the turn"),
)
_EVENTS = (
    _GAME_ID,
    Field("ply", pa.int32(), "number of the event in the game, from 0"),
    Field("event", _TEXT, "what happened"),
)
_TIMING = (
    Field("replicate", pa.int64(), "first replicate of a piece of work"),
    Field("replicates", pa.int32(), "replicates in it"),
    Field("games", pa.int32(), "games in it"),
    Field("seconds", pa.float64(), "seconds it took, waiting for a processor included"),
    Field("worker", _TEXT, "process and thread that played it"),
    Field("started", pa.timestamp("us", tz="UTC"), "when it began"),
)
_FAILURES = (
    _GAME_ID,
    Field("replicate", pa.int64(), "number of the shuffle"),
    Field("rotation", pa.int8(), "number of the seating of the line-up"),
    Field("seed", pa.int64(), "seed of the experiment"),
    Field(
        "kind", _TEXT, "what failed: agent (a user's class), watchdog (it gave no answer), rules"
    ),
    Field("agent", _TEXT, "name of the agent that was asked; null if none was", nullable=True),
    Field("seat", pa.int8(), "its seat; null if none was asked", nullable=True),
    Field("ply", pa.int32(), "events so far; null if that is not known", nullable=True),
    Field("error", _TEXT, "what went wrong, in a line"),
    Field("traceback", _TEXT, "where, as Python tells it, without folders"),
    Field("last_actions", pa.list_(pa.string()), "the last events before it, as JSON"),
)
# Columns that a run of any game has, by table.
BASE: dict[str, tuple[Field, ...]] = {
    "games": _GAMES,
    "players": _PLAYERS,
    "turns": (*_TURNS, *_TURN_COUNTS),
    "events": _EVENTS,
    "timing": _TIMING,
}


def fields(game: Game) -> dict[str, tuple[Field, ...]]:
    """List the columns of every table of a game, in the order of the files.

    Returns
    -------
    dict from table name (`TABLES` and `FAILURES`) to its columns
    """
    kinds = (
        Field(kind, pa.int16(), f"{kind} actions of the turn", nullable=False)
        for kind in game.action_kinds
    )
    return {
        "games": (*_GAMES, *map(_own, game.game_columns)),
        "players": (*_PLAYERS, *map(_own, game.player_columns)),
        "turns": (*_TURNS, *kinds, *_TURN_COUNTS, *map(_own, game.turn_columns)),
        "events": tuple(_event_fields(game.events)),
        "timing": _TIMING,
        FAILURES: _FAILURES,
    }


def schemas(game: Game) -> dict[str, pa.Schema]:
    """Arrow schema of every table of a game."""
    return {
        table: pa.schema([pa.field(f.name, f.type, f.nullable) for f in columns])
        for table, columns in fields(game).items()
    }


def describe(game: Game) -> list[dict[str, str]]:
    """Rows for listings: table, column, type, null ("yes" or ""), meaning."""
    return [
        {
            "table": table,
            "column": field.name,
            "type": type_name(field.type),
            "null": "yes" if field.nullable else "",
            "meaning": field.doc,
        }
        for table, columns in fields(game).items()
        for field in columns
    ]


def type_name(kind: pa.DataType) -> str:
    """Name of a type as listings show it: `string` for a dictionary of strings."""
    if pa.types.is_dictionary(kind):
        return type_name(kind.value_type)
    if pa.types.is_list(kind):
        return f"list of {type_name(kind.value_type)}"
    return {"float": "float32", "double": "float64"}.get(str(kind), str(kind))


def _own(column: TableColumn) -> Field:
    """Turn a column a game adds to the rows of ints into one of the tables."""
    if column.kind == "list":
        return Field(column.name, pa.list_(pa.string()), column.doc)
    if column.kind == "string":
        return Field(column.name, _TEXT, column.doc, nullable=True)
    return Field(column.name, _NUMBERS[column.kind], column.doc)


def _event_fields(layout: EventLayout) -> Iterable[Field]:
    """Columns of the game record: `event` stands behind `turn` and `seat`, as people read it."""
    game_id, ply, event = _EVENTS
    first = [column for column in layout.columns if column.name in ("turn", "seat")]
    yield from (game_id, ply)
    yield from (_event_field(layout, column) for column in first)
    yield event
    yield from (_event_field(layout, column) for column in layout.columns if column not in first)


def _event_field(layout: EventLayout, column: Column) -> Field:
    kind = _TEXT if column.kind == "string" else _NUMBERS[column.kind]
    name, vocabulary = column.sources.get("*", ("event", ()))
    is_total = len(vocabulary) > layout.places[name][1] and None not in vocabulary
    return Field(column.name, kind, column.doc, nullable=not is_total)
