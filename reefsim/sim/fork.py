"""A recorded game played on from one of its decisions, with another action."""

from __future__ import annotations

from dataclasses import replace

from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record
from reefsim.errors import IllegalActionError, ReefsimError
from reefsim.logs.encode import split_id
from reefsim.logs.saved import SavedGame
from reefsim.sim.asked import DEFAULT, Asked, seated, written
from reefsim.sim.table_play import Player, make_table


def fork(
    saved: SavedGame,
    ply: int,
    action: str,
    *,
    agent: str | None = None,
    seed: int | None = None,
    mode: Mode = "jitted",
) -> SavedGame:
    """Replay a game up to a decision, take another action, and let agents play it to its end.

    Parameters
    ----------
    saved : the game
    ply : of the decision
    action : a legal one, as text
    agent : who plays on every seat, as `planner` or `search:iterations=2000`; None: those who sat
        there in the run, or planners. What they had in mind before is lost, and so are their random
        numbers
    seed : of agents and chance; None: that of the run, so that the same things are drawn as in it
        wherever both games draw them; for a record by itself 0

    Returns
    -------
    SavedGame : the other game, from the start; its record names no seed

    Raises
    ------
    ReefsimError : there is no decision at that ply, or the text is no action
    IllegalActionError : the action is not legal there
    """
    match = saved.before(ply)
    try:
        code = match.game.parse_action(action)
    except ValueError as error:
        raise ReefsimError(f"{saved.name}, ply {ply}: {error}") from None
    if not match.is_legal(code):
        raise IllegalActionError(f"{saved.name}: {match.refusal(code)}")
    names = [str(name) for name in saved.record.header["agents"]]
    asked = [_who(saved, match, name, agent) for name in names]
    named = names if agent is None and saved.run else [one.kind for one in asked]
    replicate = rotation = arm = 0
    if saved.run and saved.number is not None:
        manifest = saved.run.manifest
        index, replicate, rotation = split_id(saved.number)
        arm = 0 if manifest["pairing"] == "chance" else 1 + index
        seed = int(manifest["seed"]) if seed is None else seed
    table = make_table(
        [Player(n, a.kind, a.with_weights, a.folder) for n, a in zip(named, asked, strict=True)],
        saved.game,
        match.ruleset,
        seed=seed or 0,
        arm=arm,
        max_plies=saved.max_plies,
        mode=mode,
    )
    ended = table.play_on(match, code, [replicate, rotation, *range(match.seats)])
    results = [row | {"agent": n} for row, n in zip(ended.results(), named, strict=True)]
    header = saved.record.header | {"agents": named, "seed": None}
    path = f"{saved.name}, ply {ply} {action}"
    record = Record(header, ended.events(), results, path=path)
    return replace(saved, record=record, run=None, number=None)


def _who(saved: SavedGame, match: Match, name: str, agent: str | None) -> Asked:
    if saved.run and saved.number is not None and agent is None:
        return seated(saved.run, saved.number, match, name)
    return written(DEFAULT if agent is None else agent, match)
