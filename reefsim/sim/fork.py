"""A recorded game played on otherwise: with another action, or by other rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record, make_header
from reefsim.core.ruleset import Ruleset
from reefsim.errors import IllegalActionError, ReefsimError
from reefsim.logs.encode import split_id
from reefsim.logs.saved import SavedGame
from reefsim.sim.asked import DEFAULT, Asked, seated, written
from reefsim.sim.other_rules import Carried, carry_over, chance_key, find_ruleset
from reefsim.sim.playout import Table
from reefsim.sim.table_play import Player, make_table


@dataclass(frozen=True)
class Fork:
    """A game that begins as a recorded one.

    Attributes
    ----------
    game : the other game, from the start; its record names no seed
    ruleset : by which it was played
    ply : of the first decision, in the recorded game, that is not the same in both; None: all are
    why : why it is another one, where nobody asked for it; else empty
    has_players : whether agents played it on
    """

    game: SavedGame
    ruleset: Ruleset
    ply: int | None
    why: str
    has_players: bool


def fork(
    saved: SavedGame,
    ply: int | None = None,
    action: str | None = None,
    *,
    ruleset: str | None = None,
    agent: str | None = None,
    seed: int | None = None,
    mode: Mode = "jitted",
) -> Fork:
    """Replay a game up to a decision, take another action, and let agents play it to its end.

    With a ruleset the game is played by it from its start, since a game has one set of rules: the
    same moves are made up to the decision, or if none is named as far as they are moves there
    (`sim.other_rules.carry_over`).

    Parameters
    ----------
    saved : the game
    ply : of the decision, in the recorded game; without a ruleset it has to be named
    action : a legal one, as text; None: the agents choose
    ruleset : as for `sim.other_rules.find_ruleset`; None: the rules of the game
    agent : who plays on every seat, as `planner` or `search:iterations=2000`; None: those who sat
        there in the run, or planners. What they had in mind before is lost, and so are their random
        numbers
    seed : of agents and chance; None: that of the run, so that the same things are drawn as in it
        wherever both games draw them; for a record by itself 0

    Raises
    ------
    ReefsimError : there is no decision at that ply, or the moves do not lead there under the other
        rules, or there is no such ruleset, or the text is no action
    IllegalActionError : the action is not legal there
    """
    if ply is None and (ruleset is None or action is not None):
        raise ReefsimError("a fork needs the ply of a decision, unless it is by other rules alone.")
    begun = _begin(saved, ply, ruleset)
    match = ended = begun.match
    code = None if action is None else _code(saved, match, action, ply)
    names = [str(name) for name in saved.record.header["agents"]]
    if not match.over:
        asked = [_who(saved, match, name, agent) for name in names]
        if agent is not None or not saved.run:
            names = [one.kind for one in asked]
        table, job = _table(saved, match, names, asked, seed, mode)
        ended = table.play_on(match, code, job)
    header = saved.record.header | {"agents": names, "seed": None}
    if ruleset is not None:
        header = make_header(saved.game.name, match.seats, match.ruleset.resolved(), names)
        header |= saved.game.record_header(match.ruleset)
    results = [row | {"agent": name} for row, name in zip(ended.results(), names, strict=True)]
    how = f"{saved.name}{f', by {ruleset}' if ruleset else ''}"
    how += "" if ply is None else f", ply {ply} {action or ''}".rstrip()
    record = Record(header, ended.events(), results, path=how)
    return Fork(
        game=replace(saved, record=record, run=None, number=None),
        ruleset=match.ruleset,
        ply=begun.ply if begun.ply < len(saved.record.rows) else None,
        why=begun.why,
        has_players=not match.over,
    )


def _begin(saved: SavedGame, ply: int | None, ruleset: str | None) -> Carried:
    """The game up to the decision at which it goes its own way."""
    if ruleset is None:
        assert ply is not None
        return Carried(saved.before(ply), ply)
    if ply is not None:
        saved.check_decision(ply)
    begun = carry_over(saved, find_ruleset(ruleset, saved), ply)
    if ply is not None and begun.why:
        raise ReefsimError(
            f"{saved.name}: by {ruleset} the same moves do not lead to ply {ply}; they end at ply "
            f"{begun.ply}: {begun.why}. Fork before it, or leave out --fork."
        )
    return begun


def _code(saved: SavedGame, match: Match, action: str, ply: int | None) -> int:
    """The action that text names, if it is legal.

    Raises
    ------
    ReefsimError : it is no action
    IllegalActionError : it is not legal
    """
    try:
        code = match.game.parse_action(action)
    except ValueError as error:
        raise ReefsimError(f"{saved.name}, ply {ply}: {error}") from None
    if not match.is_legal(code):
        raise IllegalActionError(f"{saved.name}: {match.refusal(code)}")
    return code


def _table(
    saved: SavedGame,
    match: Match,
    names: Sequence[str],
    asked: Sequence[Asked],
    seed: int | None,
    mode: Mode,
) -> tuple[Table, list[int]]:
    """The table at which a game is played on, and its job, as for `Table.play_on`."""
    replicate = rotation = arm = 0
    if saved.run and saved.number is not None:
        its_seed, replicate, arm = chance_key(saved)
        rotation = split_id(saved.number)[2]
        seed = its_seed if seed is None else seed
    table = make_table(
        [Player(n, a.kind, a.with_weights, a.folder) for n, a in zip(names, asked, strict=True)],
        saved.game,
        match.ruleset,
        seed=seed or 0,
        arm=arm,
        max_plies=saved.max_plies,
        mode=mode,
    )
    return table, [replicate, rotation, *range(match.seats)]


def _who(saved: SavedGame, match: Match, name: str, agent: str | None) -> Asked:
    if saved.run and saved.number is not None and agent is None:
        return seated(saved.run, saved.number, match, name)
    return written(DEFAULT if agent is None else agent, match)
