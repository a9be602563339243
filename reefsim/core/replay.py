"""Checking game records: whether what one tells is a game by the rules it names.

The record's choices and chance outcomes are played by the engine, which writes its own record of
them. The first line in which the two differ is the disagreement. So every column is checked, and
whatever happened to a record (a changed value, a lost, doubled or moved line) shows where the
story stops being possible.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from reefsim.core.datafiles import looking_in
from reefsim.core.game import Game
from reefsim.core.kernel import Mode
from reefsim.core.match import Match, ScriptError
from reefsim.core.record import Record, Row, read_records
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import did_you_mean, path_text, sentences, show
from reefsim.core.work import MAX_SCRIPT, kind_of
from reefsim.errors import RecordError

CheckMode = Literal["auto", "plain", "jitted"]
HEADER_KEYS = ("record", "game", "players", "rules", "agents", "seed")
_FORM = "M4"  # the form of the record itself, as opposed to a rule of the game
_NAMED = 4  # legal actions a message names


@dataclass(frozen=True)
class Verdict:
    """What the check of one record found.

    Attributes
    ----------
    ok : the record is a game by its rules
    message : what was found and what is allowed; empty if ok
    place : where they disagree: "header", "ply 36", "result of seat 1"; empty if unreadable
    ply : number of the first event line that disagrees, None for the other places
    clause : the clause that decides, empty if unreadable
    readable : false if there is no record that could be judged; the message names file and line
    events, players, end : what the record tells: its event lines, its seats, the cause of the end
    """

    ok: bool
    message: str = ""
    place: str = ""
    ply: int | None = None
    clause: str = ""
    readable: bool = True
    events: int | None = None
    players: int | None = None
    end: str = ""

    @property
    def exit_code(self) -> int:
        """0 agrees, 1 disagrees, 2 unreadable; of several records the largest counts."""
        return 0 if self.ok else 1 if self.readable else 2

    def __str__(self) -> str:
        if self.ok:
            return f"ok, {self.events} events, {self.players} players, {self.end}"
        return f"{self.place}: {self.clause}: {self.message}" if self.readable else self.message


class _Disagreement(Exception):  # noqa: N818 - not an error, the result of a check
    def __init__(self, place: int | str, clause: str, message: str) -> None:
        self.place, self.clause, self.message = place, clause, message
        super().__init__(message)


def check_record(
    record: Record,
    game: Game,
    mode: CheckMode = "auto",
    *,
    max_plies: int | None = None,
    watch: Callable[[Match], None] | None = None,
) -> Verdict:
    """Replay a record and find the first line that disagrees with the rules it names.

    Parameters
    ----------
    record : as read, whatever it holds
    game : the game the header names
    mode : how the engine runs; "auto" is "plain"
    max_plies : the limit on events of the run that the game is from, which is not in its header
    watch : called with the match after the set-up and after every action that agrees

    Raises
    ------
    RecordError : if the game is not for that number of players
    """
    if record.players not in game.seats:
        raise RecordError(
            f"{record.path}:{record.line}: players: {record.players}; {game.title} is for "
            f"{game.seats.start} to {game.seats.stop - 1}"
        )
    engine: Mode = "jitted" if mode == "jitted" else "plain"
    try:
        ruleset = _check_header(record, game)
        match = _check_rows(record, game.under(ruleset), ruleset, engine, max_plies, watch)
        _check_results(record, match)
    except _Disagreement as found:
        ply = found.place if isinstance(found.place, int) else None
        place = f"ply {ply}" if ply is not None else str(found.place)
        verdict = Verdict(False, found.message, place, ply, found.clause)
    else:
        verdict = Verdict(True, end=str(match.end_cause))
    return replace(verdict, events=len(record.rows), players=record.players)


def replay_paths(
    paths: Iterable[str | os.PathLike[str]],
    find_game: Callable[[str], Game],
    mode: CheckMode = "auto",
) -> Iterator[tuple[str, Verdict]]:
    """Check every record of every file, in order.

    Parameters
    ----------
    paths : files of one or more records each
    find_game : the game of that name, or KeyError with a message (`registry.get`)
    mode : how the engine runs; "auto" is "plain", since most of the time goes into reading and
        comparing lines, which compiled rules do not shorten

    Yields
    ------
    the path, with the number of the record from the second of a file on, and the verdict
    """
    for path in paths:
        name, number = os.fspath(path), 1
        try:
            for record in read_records(name):
                yield _label(name, number), _judge(record, find_game, mode)
                number += 1
        except RecordError as error:
            yield _label(name, number), Verdict(False, str(error), readable=False)


def format_verdict(path: str, verdict: Verdict) -> str:
    """One line for people: `game.jsonl: ply 36: R5.1d: ...`."""
    return f"{path}: {verdict}" if verdict.readable else str(verdict)


def verdict_to_json(path: str, verdict: Verdict) -> dict[str, Any]:
    """Return the same for programs; keys without a value are left out."""
    status = ("ok", "disagrees", "unreadable")[verdict.exit_code]
    values = {key: value for key, value in asdict(verdict).items() if value not in (None, "")}
    return {"path": path, "status": status} | values


def _label(name: str, number: int) -> str:
    return name if number == 1 else f"{name} (record {number})"


def _judge(record: Record, find_game: Callable[[str], Game], mode: CheckMode) -> Verdict:
    try:
        return check_record(record, find_game(record.game), mode)
    except RecordError as error:
        return Verdict(False, str(error), readable=False)
    except KeyError as error:  # from find_game
        return Verdict(False, f"{record.path}:{record.line}: {error.args[0]}", readable=False)


def _check_header(record: Record, game: Game) -> Ruleset:
    """Check the header's keys and every rule parameter; build the ruleset (M4, M5)."""
    header = record.header
    for key in header | dict.fromkeys(HEADER_KEYS):
        if key not in (*HEADER_KEYS, *game.header_keys) or key not in header:
            problem = "is missing in" if key in HEADER_KEYS else "has no place in"
            raise _Disagreement("header", _FORM, f"key {show(key)} {problem} the header")
    agents, rules, seed = (header.get(key) for key in ("agents", "rules", "seed"))
    names = agents if isinstance(agents, list) else []
    if len(names) != record.players or not all(isinstance(name, str) for name in names):
        message = f"agents {_is(agents)}; {record.players} names are expected, one per seat"
        raise _Disagreement("header", _FORM, message)
    if seed is not None and type(seed) is not int:
        raise _Disagreement(
            "header", _FORM, f"seed {_is(seed)}; a whole number or null is expected"
        )
    if not isinstance(rules, dict):
        raise _Disagreement("header", _FORM, f"rules {_is(rules)}; an object is expected")
    clauses = {toggle.name: toggle.main_clause for toggle in game.ruleset.toggles()}
    for name in clauses:
        if name not in rules:
            raise _Disagreement("header", "M5", f"rules.{name} is missing; every parameter is told")
    try:
        files = game.header_files(header)
    except ValueError as error:
        raise _Disagreement("header", _FORM, str(error)) from None
    with looking_in(files):
        for path, message in game.ruleset.problems(rules, record.players):
            where = path_text(("rules", *path))
            raise _Disagreement("header", clauses.get(str(path[0]), "M5"), f"{where}: {message}")
        ruleset = game.ruleset.make(rules, record.players)
    _check_own_keys(game, header, ruleset)
    return ruleset


def _check_own_keys(game: Game, header: Row, ruleset: Ruleset) -> None:
    """Check the header's keys that only this game has."""
    allowed, spare = game.record_header(ruleset), game.header_spare(ruleset)
    for key in game.header_keys:
        told = header.get(key)
        if key in allowed and key in spare and isinstance(told, dict):
            told = {name: value for name, value in told.items() if name not in spare[key]}
        if (key in header) != (key in allowed):
            problem = "is missing in the header" if key in allowed else "has no place here"
            raise _Disagreement("header", _FORM, f"key {show(key)} {problem} under these rules")
        if key in allowed and not _equal(told, allowed[key]):
            message = f"{key} {_is(told)}; {show(allowed[key])} is expected"
            raise _Disagreement("header", _FORM, message)


def _check_rows(
    record: Record,
    game: Game,
    ruleset: Ruleset,
    mode: Mode,
    max_plies: int | None,
    watch: Callable[[Match], None] | None,
) -> Match:
    """Play the record; returns the finished match."""
    rows = record.rows
    with _script_checked(game, rows):
        match = Match(game, ruleset, record.players, mode=mode, chance=outcomes(game, rows, 0))
    _compare(game, rows, 0, match.events())
    while not match.over:
        if watch is not None:
            watch(match)
        ply = match.ply
        if max_plies is not None and ply >= max_plies:
            match.stop()
        else:
            action = _decision(match, rows)
            with _script_checked(game, rows):
                match.apply(action, outcomes(game, rows, ply + 1))
        _compare(game, rows, ply, match.events(ply))
    if watch is not None:
        watch(match)
    if len(rows) > match.ply:
        found = _told(rows[match.ply])
        raise _Disagreement(match.ply, _FORM, f"{found} is told after the end of the game")
    return match


@contextmanager
def _script_checked(game: Game, rows: Sequence[Row]) -> Iterator[None]:
    """Find the line at which the engine could not follow the recorded chance."""
    try:
        yield
    except ScriptError as error:
        _compare(game, rows, 0, error.rows)
        raise _Disagreement(len(error.rows) - 1, "M3", str(error)) from None


def outcomes(game: Game, rows: Sequence[Row], first: int) -> list[int]:
    """Outcomes of the chance events from a line on, up to the first line that is none."""
    found = []
    for row in rows[first : first + MAX_SCRIPT]:
        event = _event(row)
        if game.events.roles.get(event) != "chance":
            break
        outcome = game.events.outcome(event, row)
        if outcome is None:
            break
        found.append(outcome)
    return found


def _decision(match: Match, rows: Sequence[Row]) -> int:
    """Read the action of the seat to act off its line; it has to be a legal one."""
    game, ply = match.game, match.ply
    if ply >= len(rows):
        message = f"the record stops; seat {match.seat} is to act in turn {match.turn}"
        raise _Disagreement(ply, _FORM, message)
    row = rows[ply]
    event = _event(row)
    if game.events.roles.get(event) != "action":
        question = "" if event in game.events.roles else did_you_mean(event, game.action_kinds)
        found = f"found {_told(row)}, but seat {match.seat} is to act in turn {match.turn}."
        raise _Disagreement(ply, game.clause_of("", "event"), sentences(found, question))
    known = {"ply": ply, "turn": match.turn, "seat": match.seat}
    for column in known:
        _same(game, ply, event, column, row, known)
    for column, (_, vocabulary) in game.events.columns_of(event).items():
        if column in row and not game.events.allows(event, column, row[column]):
            words = [str(word) for word in vocabulary if word is not None]
            allowed = ", ".join(words) if len(words) <= 20 else f"{words[0]} to {words[-1]}"
            message = f"{column} is {show(row[column])}; allowed: {allowed}"
            raise _Disagreement(ply, game.clause_of(event, column), message)
    try:
        action = game.action_of(row)
    except KeyError as error:
        raise _Disagreement(ply, _FORM, f"{event} without {error.args[0]}") from None
    except ValueError as error:
        raise _Disagreement(ply, game.clause_of("", "event"), str(error)) from None
    _check_legal(match, action, row)
    return action


def _check_legal(match: Match, action: int, row: Row) -> None:
    """Check that the action is legal, and out of how many."""
    game, ply, event = match.game, match.ply, str(row["event"])
    legal = match.legal_actions()
    if action not in legal:
        clause, _, reason = match.why_illegal(action).partition(": ")
        same_kind = [game.format_action(a) for a in legal if kind_of(a) == kind_of(action)]
        named = ", ".join(same_kind[:_NAMED]) + (", ..." if len(same_kind) > _NAMED else "")
        allowed = f"legal: {named}" if same_kind else f"no {event} is legal here"
        message = f"'{game.format_action(action)}' is not legal: {reason}; {allowed}"
        raise _Disagreement(ply, clause, message)
    if not _equal(row.get("n_legal"), len(legal)):
        kinds = Counter(game.action_kinds[kind_of(a)] for a in legal)
        each = ", ".join(f"{kind} {n}" for kind, n in kinds.items())
        message = f"n_legal {_is(row.get('n_legal'))}; {len(legal)} actions are legal: {each}"
        raise _Disagreement(ply, game.clause_of(event, "n_legal"), message)


def _compare(game: Game, rows: Sequence[Row], first: int, made: Sequence[Row]) -> None:
    """Compare the lines from ply `first` on with those the engine made of them."""
    for ply, allowed in enumerate(made, first):
        event = allowed["event"]
        found = f"found {_told(rows[ply])}" if ply < len(rows) else "the record stops"
        if ply >= len(rows) or not _equal(rows[ply].get("event"), event):
            # what decides over an end is its cause
            clause = game.clause_of(event, allowed["value"] if event == "end" else "event")
            raise _Disagreement(ply, clause, f"{found}; {_told(allowed)} comes here")
        for column in allowed | rows[ply]:
            _same(game, ply, event, column, rows[ply], allowed)


def _check_results(record: Record, match: Match) -> None:
    """Compare the result lines, one per seat in their order."""
    for seat, result in enumerate(match.results()):
        place = f"result of seat {seat}"
        row = record.results[seat] if seat < len(record.results) else {}
        if "result" not in row:
            found = f"found {_told(row)} instead" if row else "the record stops"
            raise _Disagreement(place, _FORM, f"the result line is missing; {found}")
        allowed = result | {"agent": record.header["agents"][seat]}
        for column in allowed | row:
            _same(match.game, place, "result", column, row, allowed)
    if len(record.results) > match.seats:
        found = _told(record.results[match.seats])
        raise _Disagreement("line after the results", _FORM, f"found {found}; nothing may follow")


def _same(game: Game, place: int | str, event: str, column: str, row: Row, allowed: Row) -> None:
    """Check that a column has the value the engine has for it."""
    if column in row and column in allowed and _equal(row[column], allowed[column]):
        return
    clause = game.clause_of(event, column)
    found = f"{column} {_is(row.get(column))}"
    if column not in allowed and column not in game.events.columns_of(event):
        raise _Disagreement(place, _FORM, f"key {show(column)} has no place in {event}")
    if column not in allowed:
        raise _Disagreement(place, clause, f"{found}; this {event} has none")
    if column not in row:
        found = f"{column} is missing"
    elif game.events.roles.get(event) == "chance" and column in game.events.told_by(event):
        found += ", which cannot come up here"
    raise _Disagreement(place, clause, f"{found}; {show(allowed[column])} is expected")


def _equal(found: object, allowed: object) -> bool:
    """Whether two JSON values are the same; 1, 1.0 and true are three values."""
    return type(found) is type(allowed) and found == allowed


def _is(value: object) -> str:
    return "is missing" if value is None else f"is {show(value)}"


def _event(row: Row) -> str:
    event = row.get("event")
    return event if isinstance(event, str) else ""


def _told(row: Row) -> str:
    """Name what a line tells, in two or three words."""
    if "event" not in row:
        return "a result line" if "result" in row else "a line without event"
    name = _event(row)
    words = [name if name.isidentifier() and len(name) < 20 else show(row["event"])]
    words += [f"of seat {show(row['seat'])}"] if "seat" in row else []
    return " ".join(words + ([f"({show(row['value'])})"] if "value" in row else []))
