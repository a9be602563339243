"""Games that were recorded, in a file or a run, and how they are played again."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reefsim.core.datafiles import looking_in
from reefsim.core.game import Game
from reefsim.core.match import Match
from reefsim.core.record import Record, read_record, read_records
from reefsim.core.replay import Verdict, check_record
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import did_you_mean, sentences
from reefsim.errors import RecordError, ReefsimError
from reefsim.games import registry
from reefsim.logs.encode import ARM_FACTOR, split_id
from reefsim.logs.read import Run, open_run

_ROLES = {"chance": "a chance event", "end": "the end", "consequence": "no choice of a player"}


@dataclass(frozen=True)
class SavedGame:
    """A recorded game.

    Attributes
    ----------
    record : what happened in it
    game : what was played
    run : the run it is from; None for a record by itself
    number : its id in the run; its place in a file of several records, from 1
    max_plies : the limit on events under which it was played
    """

    record: Record
    game: Game
    run: Run | None = None
    number: int | None = None
    max_plies: int | None = None

    @property
    def name(self) -> str:
        """Where it is, for messages."""
        if self.run:
            return f"{self.run.folder}, game {self.number}"
        at = f":{self.record.line}" if self.record.line > 1 else ""
        return f"{self.record.path}{at}"

    @property
    def ruleset(self) -> Ruleset:
        """The rules by which it was played; ValueError if the header tells none that can be."""
        header = self.record.header
        with looking_in(self.game.header_files(header)):
            return self.game.ruleset.make(header["rules"], self.record.players)

    def follow(self, watch: Callable[[Match], None] | None = None) -> Verdict:
        """Play it again and check it, as `check_record` does."""
        return check_record(self.record, self.game, max_plies=self.max_plies, watch=watch)

    def before(self, ply: int) -> Match:
        """The game in the position before a decision, ready to be played on.

        Raises
        ------
        ReefsimError : there is no decision at that ply, or what comes before it is not by the rules
        """
        self.check_decision(ply)
        found: list[Match] = []
        verdict = self.follow(lambda m: found.append(m.copy()) if m.ply == ply else None)
        if not found or verdict.ply == ply:  # what is wrong after the ply does not matter
            raise RecordError(f"{self.record.path}: {verdict}")
        return found[0]

    def check_decision(self, ply: int) -> None:
        """Check that there is a decision at a ply.

        Raises
        ------
        ReefsimError : if not; the message names the nearest
        """
        roles = self.game.events.roles
        kinds = [roles.get(str(row.get("event"))) for row in self.record.rows]
        decisions = [i for i, kind in enumerate(kinds) if kind == "action"]
        if ply in decisions:
            return
        if 0 <= ply < len(kinds):
            what = f"ply {ply} is {_ROLES.get(str(kinds[ply]), 'no event of this game')}."
        else:
            last = f"; the last one is {len(kinds) - 1}" if kinds else "; the record has no events"
            what = f"there is no ply {ply}{last}."
        near = [*[i for i in decisions if i < ply][-1:], *[i for i in decisions if i > ply][:1]]
        nearest = f"Nearest decision: ply {' or '.join(map(str, near))}." if near else ""
        raise ReefsimError(f"{self.record.path}: {sentences(what, nearest)}")


def find_game(path: str | os.PathLike[str], number: int | None = None) -> SavedGame:
    """Find a game of a run, or of a record file.

    Parameters
    ----------
    path : a run folder or a record file
    number : id of a game of a run; of a file with several records which, from 1

    Raises
    ------
    RecordError : there is no record, not one, or one of a game that is not there
    RunError : there is no run, or it does not have the game
    """
    place = Path(path)
    if not place.is_dir() and (number is None or place.is_file()):
        record = read_record(path) if number is None else _numbered(path, number)
        return _saved(record, f"{record.path}:{record.line}", None, number)
    if number is None:
        raise RecordError(f"{path}: a folder; name a game of a run with --game ID.")
    return game_of(open_run(path), number)


def game_of(run: Run, game_id: int) -> SavedGame:
    """Find a game of a run.

    Raises
    ------
    RunError : if the run has no such game or did not keep what happened in it
    """
    return _saved(run.record(game_id), str(run.folder), run, game_id)


def find_beside(saved: SavedGame, other: str) -> SavedGame:
    """Find the game that is to be watched beside another one.

    Parameters
    ----------
    saved : the one
    other : name of an arm of its run, or of a ruleset that an arm with the same line-up plays: the
        game of the same replicate and rotation there; id of a game of its run; or a record file

    Raises
    ------
    ReefsimError : if that names no game
    """
    run, number = saved.run, saved.number
    if run is not None and number is not None:
        index, _, _ = split_id(number)
        arms = run.manifest["arms"]
        table = arms[index]["lineup"]
        for place, arm in enumerate(arms):
            if arm["name"] == other or (arm["ruleset"] == other and arm["lineup"] == table):
                return game_of(run, number + (place - index) * ARM_FACTOR)
    if Path(other).is_file():
        return find_game(other)
    if other.isdecimal():
        return find_game(saved.record.path if run is None else run.folder, int(other))
    wanted = "a record file" if run is None else "an arm, the id of a game, or a record file"
    there = "" if run is None else f"Arms: {', '.join(run.arms)}."
    question = "" if run is None else did_you_mean(other, run.arms)
    raise ReefsimError(
        sentences(f"{saved.name}: beside it '{other}': {wanted} is expected.", question, there)
    )


def saved_record(record: Record) -> SavedGame:
    """The game of a record by itself; RecordError if there is no such game."""
    return _saved(record, f"{record.path}:{record.line}", None, None)


def _numbered(path: str | os.PathLike[str], number: int) -> Record:
    count = 0
    for record in read_records(path):
        count += 1
        if count == number:
            return record
    raise RecordError(f"{path}: there is no record {number} in this file; it has 1 to {count}.")


def _saved(record: Record, place: str, run: Run | None, number: int | None) -> SavedGame:
    try:
        game = registry.get(record.game)
    except KeyError as error:
        raise RecordError(f"{place}: {error.args[0]}") from error
    limit = run.manifest["experiment"].get("max_plies") if run else None
    return SavedGame(record, game, run, number, limit)
