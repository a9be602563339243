"""The moves of a recorded game made again under other rules, as far as they are moves there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reefsim.core.datafiles import looking_in
from reefsim.core.match import Match, ScriptError
from reefsim.core.presets import package_dir, presets
from reefsim.core.record import Row
from reefsim.core.replay import outcomes
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import did_you_mean, listing, path_text, sentences
from reefsim.errors import RecordError, ReefsimError
from reefsim.logs.encode import split_id
from reefsim.logs.saved import SavedGame
from reefsim.sim.shorthand import read_rules


@dataclass(frozen=True)
class Carried:
    """A game under other rules, after the moves of a recorded one.

    Attributes
    ----------
    match : the game, at the first decision that is not the recorded one, or over
    ply : of that decision in the recorded game; the number of its events if all moves were made
    why : why it is not; empty if all moves were made, or those asked for
    """

    match: Match
    ply: int
    why: str = ""


def find_ruleset(written: str, saved: SavedGame) -> Ruleset:
    """Find the ruleset that text names.

    Parameters
    ----------
    written : `name`, of a ruleset or arm of the run or of a preset of the game, in this order;
        `name:toggle=value,...`; or `toggle=value,...`, what differs from the rules of the game
    saved : the recorded game

    Raises
    ------
    ReefsimError : there is no such ruleset, or the game cannot be played by it
    """
    name, differences = read_rules(written)
    if not name and not differences:
        raise ReefsimError("--ruleset: name a ruleset, or what differs as toggle=value,...")
    base = _named(name, saved) if name else dict(saved.record.header["rules"])
    kind, seats = saved.game.ruleset, saved.record.players
    with looking_in(*_places(saved)):
        rules = base | differences
        problems = [f"{path_text(path)}: {what}" for path, what in kind.problems(rules, seats)]
        if problems:
            raise ReefsimError("\n".join(f"--ruleset {written}: {what}" for what in problems))
        return kind.make(rules, seats)


def _named(name: str, saved: SavedGame) -> dict[str, Any]:
    """How the rules of that name differ from the published game."""
    known: dict[str, dict[str, Any]] = {}
    for arm in saved.run.manifest["arms"] if saved.run else ():
        known.setdefault(arm["ruleset"], arm["rules"])
    for arm in saved.run.manifest["arms"] if saved.run else ():
        known.setdefault(arm["name"], arm["rules"])
    shipped = presets(saved.game.name, package_dir(saved.game.ruleset))
    known = known | {preset: rules for preset, rules in shipped.items() if preset not in known}
    if name not in known:
        of = "no ruleset or arm of the run and no preset" if saved.run else "no preset"
        what = f"--ruleset '{name}': {of} of {saved.game.title}."
        there = f"There are: {listing(known)}. A difference is written toggle=value."
        raise ReefsimError(sentences(what, did_you_mean(name, known), there))
    return known[name]


def _places(saved: SavedGame) -> Iterator[Path | Mapping[str, str]]:
    """Where the data files are that rules name, beside the current folder."""
    yield saved.game.header_files(saved.record.header)
    if saved.run:
        yield saved.run.folder


def carry_over(saved: SavedGame, ruleset: Ruleset, end: int | None = None) -> Carried:
    """Play a game from its start under other rules: the same seats make the same moves.

    It ends at the first decision that falls to another seat or at which the recorded action is not
    legal. Chance of a game of a run is drawn by its key, so that the same things come up as in a
    game of another arm that shares its shuffle; that of a record by itself is what the record
    tells, and where this does not fit any more it is drawn.

    Parameters
    ----------
    ruleset : the other rules
    end : ply of the decision, in the recorded game, before which to stop; None: at its end

    Raises
    ------
    RecordError : the record is not a game by its rules
    ReefsimError : the set-up needs chance that the record does not tell
    """
    verdict = saved.follow()
    if not verdict.ok:
        raise RecordError(f"{saved.name}: {verdict}")
    rows, roles = saved.record.rows, saved.game.events.roles
    match = _set_up(saved, ruleset)
    for ply, row in enumerate(rows):
        if roles[row["event"]] != "action":
            continue
        if saved.max_plies is not None and match.ply >= saved.max_plies and not match.over:
            match.stop()
        if match.over:
            return Carried(match, ply, f"the game is over there ({match.end_cause})")
        if ply == end:
            return Carried(match, ply)
        action = _same_action(match, row)
        if isinstance(action, str):
            return Carried(match, ply, action)
        match = _made(match, action, outcomes(match.game, rows, ply + 1))
    return Carried(match, len(rows))


def _set_up(saved: SavedGame, ruleset: Ruleset) -> Match:
    """The game under other rules, at its first decision."""
    game, seats = saved.game, saved.record.players
    if saved.run and saved.number is not None:
        seed, replicate, arm = chance_key(saved)
        return Match(game, ruleset, seats, seed=seed, replicate=replicate, arm=arm)
    try:
        told = outcomes(game.under(ruleset), saved.record.rows, 0)
        return Match(game, ruleset, seats, chance=told)
    except ScriptError as error:
        raise ReefsimError(
            f"{saved.name}: the set-up under the other rules draws what this record does not tell "
            f"({error}). A game of a run can be set up anew: its key is known."
        ) from None


def chance_key(saved: SavedGame) -> tuple[int, int, int]:
    """Seed, replicate and arm that key the chance of a game of a run."""
    assert saved.run is not None
    assert saved.number is not None
    index, replicate, _ = split_id(saved.number)
    arm = 0 if saved.run.manifest["pairing"] == "chance" else 1 + index
    return int(saved.run.manifest["seed"]), replicate, arm


def _same_action(match: Match, row: Row) -> int | str:
    """The action that a row of a record tells, or why it cannot be taken."""
    if row["seat"] != match.seat:
        return f"seat {match.seat} is to act there, not seat {row['seat']}"
    try:
        action = match.game.action_of(row)
    except (KeyError, ValueError):
        return f"there is no such {row['event']} under these rules"
    if match.is_legal(action):
        return action
    return f"'{match.game.format_action(action)}' is not legal there: {match.why_illegal(action)}"


def _made(match: Match, action: int, told: list[int]) -> Match:
    """The match after an action; it becomes another one where the told chance does not fit."""
    if not match.work.scripted:
        match.apply(action)
        return match
    before = match.copy()
    try:
        match.apply(action, told)
    except ScriptError:
        before.draw(0)
        before.apply(action)
        return before
    return match
