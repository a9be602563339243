"""Raw rows of games as tables: ints in the order of the kernels in, arrow columns out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from reefsim.core.driver import GAME_BASE, PLAYER_BASE, TURN_BASE
from reefsim.core.game import Game, TableColumn
from reefsim.logs.arrays import INDEX, dictionary, lists, numbers, texts
from reefsim.logs.events import EventEncoder
from reefsim.logs.failure import Failure
from reefsim.logs.schema import FAILURES, schemas

Ints = NDArray[np.int64]
ARM_FACTOR, REPLICATE_FACTOR = 10**12, 1000  # places of arm and replicate in a game_id


class RawRows(Protocol):
    """Consecutive games of one arm, as kernels write them.

    Attributes
    ----------
    jobs : int64, shape (games, 2 + seats): replicate, rotation, slot on each seat
    games : int64, shape (games, base columns + the game's own)
    players : int64, shape (games, seats, base columns + the game's own)
    turns : int64, shape (turns, base columns + action kinds + the game's own), game after game
    events : packed events, shape (events,), game after game
    ends : int64, shape (games, 2): where the events and turns of each game end
    failures : games that were given up; they have no events and turns, and no rows in tables
    """

    jobs: Ints
    games: Ints
    players: Ints
    turns: Ints
    events: Ints
    ends: Ints

    @property
    def failures(self) -> Sequence[Failure]:
        """Games that were given up."""


@dataclass
class Rows:
    """`RawRows` that were joined."""

    jobs: Ints
    games: Ints
    players: Ints
    turns: Ints
    events: Ints
    ends: Ints
    failures: Sequence[Failure] = ()


@dataclass(frozen=True)
class ArmLabels:
    """What is the same in all games of an arm; `agents` are names by slot of the line-up."""

    index: int
    name: str
    ruleset: str
    rules: str
    lineup: str
    agents: tuple[str, ...]
    seed: int
    config_hash: str


def game_ids(arm: int, jobs: Ints) -> Ints:
    """Ids of games from the index of their arm, their replicate and rotation.

    Parameters
    ----------
    arm : index of the arm
    jobs : int64, shape (games, 2 or more): replicate, rotation

    Returns
    -------
    int64, shape (games,)
    """
    ids: Ints = arm * ARM_FACTOR + jobs[:, 0] * REPLICATE_FACTOR + jobs[:, 1]
    return ids


def split_id(game_id: Any) -> tuple[Any, Any, Any]:
    """Index of the arm, replicate and rotation that an id stands for, the other way round.

    Parameters
    ----------
    game_id : one id, or int64 of any shape

    Returns
    -------
    arm, replicate, rotation : numbers, or int64 of the same shape

    Examples
    --------
    >>> split_id(2_000_000_007_001)
    (2, 7, 1)
    """
    place = game_id % ARM_FACTOR
    return game_id // ARM_FACTOR, place // REPLICATE_FACTOR, place % REPLICATE_FACTOR


def join(pieces: Sequence[RawRows]) -> RawRows:
    """Put pieces of consecutive games together."""
    if len(pieces) == 1:
        return pieces[0]
    shifts = np.cumsum([(0, 0), *((len(p.events), len(p.turns)) for p in pieces)], axis=0)
    ends = [piece.ends + shift for piece, shift in zip(pieces, shifts, strict=False)]
    names = ("jobs", "games", "players", "turns", "events")
    arrays = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in names}
    firsts = np.cumsum([0, *(len(piece.jobs) for piece in pieces)])
    failures = [
        replace(failure, number=failure.number + int(first))
        for piece, first in zip(pieces, firsts, strict=False)
        for failure in piece.failures
    ]
    return Rows(**arrays, ends=np.concatenate(ends), failures=failures)


class Encoder:
    """Turns raw rows of one arm into tables.

    Parameters
    ----------
    game : whose rows they are
    arm : what stands in every row
    """

    def __init__(self, game: Game, arm: ArmLabels) -> None:
        self._game, self._arm = game, arm
        self._schemas = schemas(game)
        self._events = EventEncoder(game.events)

    def encode(self, rows: RawRows) -> dict[str, pa.Table]:
        """Tables games, players and turns of some games; events if any were kept, failures if any.

        Raises
        ------
        pyarrow.ArrowInvalid : if a value does not fit its column
        """
        failures = rows.failures
        if failures:
            given_up = self._failures(rows)
            rows = _without(rows, [failure.number for failure in failures])
        ids = game_ids(self._arm.index, rows.jobs)
        counts = np.diff(rows.ends, axis=0, prepend=0)
        columns = {
            "games": self._games(rows, ids),
            "players": self._players(rows, ids),
            "turns": self._turns(rows, np.repeat(ids, counts[:, 1])),
        }
        if len(rows.events) or failures:  # so that a part with failures never lacks a file
            starts = rows.ends[:, 0] - counts[:, 0]
            ply = np.arange(len(rows.events)) - np.repeat(starts, counts[:, 0])
            decoded = self._events.encode(rows.events)
            columns["events"] = {"game_id": np.repeat(ids, counts[:, 0]), "ply": ply, **decoded}
        if failures:
            columns[FAILURES] = given_up
        return {table: _table(self._schemas[table], columns[table]) for table in columns}

    def _failures(self, rows: RawRows) -> dict[str, Any]:
        found = sorted(rows.failures, key=lambda failure: failure.number)
        jobs = rows.jobs[[failure.number for failure in found]]
        schema = self._schemas[FAILURES]
        told = {
            name: pa.array([getattr(failure, name) for failure in found], schema.field(name).type)
            for name in ("kind", "agent", "seat", "ply", "error", "traceback", "last_actions")
        }
        return {
            "game_id": game_ids(self._arm.index, jobs),
            "replicate": jobs[:, 0],
            "rotation": jobs[:, 1],
            "seed": np.full(len(found), self._arm.seed),
            **told,
        }

    def timing(self, pieces: Iterable[Mapping[str, Any]]) -> pa.Table:
        """Table `timing` from a mapping of its columns for each piece of work."""
        rows = sorted(pieces, key=lambda piece: int(piece["replicate"]))
        schema = self._schemas["timing"]
        columns: dict[str, Any] = {}
        for field in schema:
            values = [row[field.name] for row in rows]
            is_text = pa.types.is_dictionary(field.type)
            columns[field.name] = (
                dictionary(np.arange(len(rows)), values) if is_text else numbers(np.array(values))
            )
        return _table(schema, columns)

    def _games(self, rows: RawRows, ids: Ints) -> dict[str, Any]:
        arm, game = self._arm, self._game
        base, own = _split(rows.games, GAME_BASE)
        num, seats = len(ids), rows.jobs.shape[1] - 2
        wins = rows.players[:, :, _RANK] == 1
        has_ender = (base["ender"] >= 0) & (base["ender"] < seats)
        same = {
            "ruleset": arm.ruleset,
            "lineup": arm.lineup,
            "rules": arm.rules,
            "config_hash": arm.config_hash,
            "rules_version": game.rules_version,
        }
        return {
            "game_id": ids,
            "replicate": rows.jobs[:, 0],
            "rotation": rows.jobs[:, 1],
            "players": np.full(num, seats),
            "agents": lists(
                texts(arm.agents).take(numbers(_flat(rows.jobs[:, 2:]))), [seats] * num
            ),
            "seed": np.full(num, arm.seed),
            **{name: dictionary(np.zeros(num, INDEX), [text]) for name, text in same.items()},
            **{name: base[name] for name in ("turns", "rounds", "plies", "decisions")},
            "end_cause": dictionary(base["cause"] - 1, game.end_causes),
            "ender": numbers(base["ender"], ~has_ender),
            "winners": lists(numbers(wins.nonzero()[1].astype(np.int8)), wins.sum(axis=1)),
            "tiebreak_depth": base["tiebreak_depth"],
            "truncated": base["cause"] - 1 == game.end_causes.index(game.truncated_cause),
            **_own(game.game_columns, own),
        }

    def _players(self, rows: RawRows, ids: Ints) -> dict[str, Any]:
        num, seats, _ = rows.players.shape
        base, own = _split(rows.players.reshape(num * seats, rows.players.shape[2]), PLAYER_BASE)
        score, rank = rows.players[:, :, _SCORE], rows.players[:, :, _RANK]
        win_share = (rank == 1) / np.maximum((rank == 1).sum(axis=1, keepdims=True), 1)
        others = (score.sum(axis=1, keepdims=True) - score) / max(seats - 1, 1)
        decisions = base["decisions"]
        return {
            "game_id": np.repeat(ids, seats),
            "seat": np.tile(np.arange(seats), num),
            "slot": base["slot"],
            "agent": dictionary(base["slot"], self._arm.agents),
            "score": base["score"],
            "rank": base["rank"],
            "win_share": win_share.ravel().astype(np.float32),
            "margin_others": (score - others).ravel().astype(np.float32),
            "decisions": decisions,
            "mean_options": numbers(
                (base["options"] / np.maximum(decisions, 1)).astype(np.float32), decisions == 0
            ),
            **_own(self._game.player_columns, own),
        }

    def _turns(self, rows: RawRows, ids: Ints) -> dict[str, Any]:
        base, own = _split(rows.turns, (*TURN_BASE, *self._game.action_kinds))
        return {"game_id": ids, **base, **_own(self._game.turn_columns, own)}


_SCORE, _RANK = PLAYER_BASE.index("score"), PLAYER_BASE.index("rank")


def _without(rows: RawRows, numbers: Sequence[int]) -> Rows:
    """The rows without some games, which have no events and turns."""
    kept = np.ones(len(rows.jobs), dtype=bool)
    kept[list(numbers)] = False
    by_game = {name: getattr(rows, name)[kept] for name in ("jobs", "games", "players", "ends")}
    return Rows(**by_game, turns=rows.turns, events=rows.events)


def _split(rows: Ints, base: Sequence[str]) -> tuple[dict[str, Ints], Ints]:
    """Columns of rows, shape (rows, columns): the base ones by name, then the game's own."""
    columns = np.ascontiguousarray(rows.T)
    return dict(zip(base, columns, strict=False)), columns[len(base) :]


def _own(columns: Sequence[TableColumn], values: Ints) -> dict[str, Any]:
    """The columns a game adds, from shape (ints, rows)."""
    found: dict[str, Any] = {}
    first = 0
    for column in columns:
        ints = values[first : first + column.width]
        first += column.width
        if column.kind == "list":
            flat = _words_of(_flat(ints.T), column.words)
            is_text = np.isin(ints.T, list(column.words))
            found[column.name] = lists(
                flat.drop_null().dictionary_decode(), np.count_nonzero(is_text, axis=1)
            )
        elif column.spell is not None:
            different, places = np.unique(ints[0], return_inverse=True)
            found[column.name] = dictionary(places, [column.spell(n) for n in different.tolist()])
        elif column.kind == "string":
            found[column.name] = _words_of(ints[0], column.words)
        else:
            found[column.name] = ints[0]
    return found


def _flat(values: Ints) -> Ints:
    return np.ascontiguousarray(values).ravel()


def _words_of(values: Ints, words: Mapping[int, str]) -> pa.Array:
    """Dictionary column from ints; an int without text is null."""
    keys = np.array(sorted(words), np.int64)
    places = np.searchsorted(keys, values).clip(max=len(keys) - 1)
    return dictionary(places, [words[key] for key in keys.tolist()], keys[places] != values)


def _table(schema: pa.Schema, columns: Mapping[str, Any]) -> pa.Table:
    arrays = []
    for field in schema:
        values = columns[field.name]
        array = values if isinstance(values, pa.Array) else numbers(values)
        arrays.append(array if array.type == field.type else array.cast(field.type))
    return pa.Table.from_arrays(arrays, schema=schema)
