"""`reefsim replay --fork, --ruleset`: a recorded game played on otherwise, beside what it was."""

from __future__ import annotations

import json
import shlex
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from reefsim.cli.games import find_saved
from reefsim.cli.screen import console, next_step, records_table
from reefsim.core.wording import plain

if TYPE_CHECKING:
    from reefsim.logs.saved import SavedGame
    from reefsim.sim.fork import Fork


def tell_fork(
    path: Path,
    number: str | None,
    at: tuple[int, str] | None,
    ruleset: str | None,
    agent: str | None,
    export: Path | None,
    as_json: bool,
) -> int:
    """Play a game on otherwise, and tell both outcomes; returns the exit code."""
    from reefsim.core.record import write_record
    from reefsim.sim.fork import fork

    saved = find_saved(path, number)
    ply, action = (None, None) if at is None else at
    other = fork(saved, ply, action, ruleset=ruleset, agent=agent)
    if export is not None:
        write_record(export, other.game.record)
    facts = _facts(saved, other, action, ruleset)
    if as_json:
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return 0
    _show(saved, other, facts)
    if export is not None:
        typer.echo(f"record: {export}")
        place = saved.record.path if saved.run is None else saved.run.folder.as_posix()
        game = "" if saved.number is None else f" --game {saved.number}"
        beside = shlex.quote(str(export))
        next_step(f"reefsim watch {shlex.quote(str(place))}{game} --beside {beside}")
    return 0


def _facts(
    saved: SavedGame, other: Fork, action: str | None, ruleset: str | None
) -> dict[str, Any]:
    """What is to be told of both games.

    `ply`, `turn` and `seat` are those of the first decision that is not the same in both, null if
    there is none; `difference` is the ply of the first event.
    """
    from reefsim.core.record import first_difference

    records = {"played": saved.record, "instead": other.game.record}
    rows = saved.record.rows
    row = rows[other.ply] if other.ply is not None else {}
    facts: dict[str, Any] = {"ply": other.ply, "turn": row.get("turn"), "seat": row.get("seat")}
    if ruleset is not None:
        seats, now = saved.record.players, other.ruleset.resolved()
        was, then = (rules.for_players(seats) for rules in (saved.ruleset, other.ruleset))
        changed = {name: value for name, value in now.items() if then[name] != was[name]}
        facts |= {"ruleset": ruleset, "rules": changed, "why": other.why}
        facts["difference"] = first_difference(rows, other.game.record.rows)
    for name, record in records.items():
        facts[name] = {"events": len(record.rows), "results": record.results}
    if action is not None:
        game = saved.game.under(saved.ruleset)
        facts["played"]["action"] = game.format_action(game.action_of(row))
        facts["instead"]["action"] = action
    return facts


def _show(saved: SavedGame, other: Fork, facts: dict[str, Any]) -> None:
    """Print both outcomes, and where the games part."""
    game = saved.game.under(other.ruleset)
    records = {"played": saved.record, "instead": other.game.record}
    place = "" if facts["ply"] is None else "ply {ply}, turn {turn}, seat {seat}".format_map(facts)
    if "ruleset" in facts:
        changed = ", ".join(f"{name} {plain(value)}" for name, value in facts["rules"].items())
        typer.echo(f"{saved.name}, by {facts['ruleset']} ({changed or 'the same rules'})")
        typer.echo(_shared(place, facts, other.has_players))
        if facts["difference"] is not None:
            typer.echo(f"the first event that differs: ply {facts['difference']}")
    else:
        typer.echo(f"{saved.name}: {place}")
    rows = [
        {"": name}
        | ({"action": facts[name]["action"]} if "action" in facts[name] else {})
        | _event_told(saved, other, name, facts.get("difference"))
        | {f"seat {r['seat']}": f"{r['score']} (rank {r['rank']})" for r in record.results}
        | {"turns": record.rows[-1]["turn"]}
        for name, record in records.items()
    ]
    console().print(records_table(rows))
    if other.has_players:
        who = ", ".join(dict.fromkeys(other.game.record.header["agents"]))
        typer.echo(f"played on by {who}; one game of many that could have followed")
    for caveat in game.caveats(other.ruleset):
        typer.echo(caveat)


def _shared(place: str, facts: dict[str, Any], has_players: bool) -> str:
    """Say how long the moves are the same."""
    if place:
        return f"the same moves up to {place}" + (f": {facts['why']}" if facts["why"] else "")
    return "the same moves to its end" + (", which is not the end here" if has_players else "")


def _event_told(saved: SavedGame, other: Fork, name: str, ply: int | None) -> dict[str, str]:
    """What happened in one of the games at a ply, as a cell of the table; nothing without a ply."""
    if ply is None:
        return {}
    record, ruleset = saved.record, saved.ruleset
    if name == "instead":
        record, ruleset = other.game.record, other.ruleset
    told = list(islice(saved.game.under(ruleset).narrate(record.rows), ply, ply + 1))
    return {f"ply {ply}": told[0] if told else "(over)"}
