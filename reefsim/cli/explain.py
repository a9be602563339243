"""`reefsim explain`: what a player thinks of a position of a recorded game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reefsim.cli.games import GameOption, find_saved
from reefsim.cli.screen import console, table
from reefsim.core.wording import plain

if TYPE_CHECKING:
    from rich.table import Table

    from reefsim.agents.explain import Option
    from reefsim.core.match import Match
    from reefsim.core.record import Record
    from reefsim.sim.asked import Asked


def explain(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD | RUN",
            help="A record file (JSON Lines), or with --game a run folder.",
            show_default=False,
        ),
    ],
    ply: Annotated[
        int, typer.Argument(metavar="PLY", help="Ply of the decision.", show_default=False)
    ],
    game: GameOption = None,
    agent: Annotated[
        str | None,
        typer.Option(
            help="Who is asked: kind, or kind:param=value,... (reefsim list agents). If left out, "
            "for a game of a run the agent that sat there, else planner."
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Options shown.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the agent's random numbers.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List a player's best options at a decision, with values and the plans behind them.

    The agent is asked afresh, in the position before the ply, and knows what its seat may know.
    Values are in points: how much better the seat stands than the others, as the agent sees it.
    """
    from reefsim.agents.explain import explain as ask
    from reefsim.sim.asked import DEFAULT, seated, written
    from reefsim.sim.loop import KERNELS

    saved = find_saved(path, game)
    record, run = saved.record, saved.run
    match = saved.before(ply)
    played = match.game.action_of(record.rows[ply])
    if run and saved.number is not None and agent is None:
        asked = seated(run, saved.number, match, record.header["agents"][match.seat])
    else:
        asked = written(DEFAULT if agent is None else agent, match)
    options = ask(
        match,
        asked.kind,
        asked.with_weights,
        seed=seed,
        top=None if asked.kind == "random" else top,
        also=[played],
        kernels=match.game.build(match.mode, KERNELS),
        folder=asked.folder,
    )
    facts = _facts(record, match, asked, played, options) | {"seed": seed}
    if as_json:
        shown = [_for_programs(option, options[0]) for option in options]
        typer.echo(json.dumps(facts | {"options": shown}, ensure_ascii=False))
    else:
        _show(facts, options)


def _facts(
    record: Record, match: Match, asked: Asked, played: int, options: Sequence[Option]
) -> dict[str, Any]:
    """What is known of the position, and who was asked."""
    text = match.game.format_action(played)
    first = next((option for option in options if option.action == played), None)
    return {
        "record": record.path,
        "game": match.game.title,
        "players": match.seats,
        "ply": match.ply,
        "turn": match.turn,
        "seat": match.seat,
        "seated": record.header["agents"][match.seat],
        "num_legal": len(match.legal_actions()),
        "agent": {"kind": asked.kind}
        | {name: value for name, value in asked.params.items() if name != "weights"},
        "weights": asked.words,
        "played": text,
        "played_rank": first.rank if first else None,
        "caveats": list(match.game.caveats(match.ruleset)),
        "played_within": [option.rank for option in options if text in option.plan[1:]],
    }


def _for_programs(option: Option, best: Option) -> dict[str, Any]:
    found = asdict(option)
    for name in ("value", "chance"):
        mine, its = getattr(option, name), getattr(best, name)
        found[f"{name}_difference"] = mine - its if None not in (mine, its) else None
    return found


def _show(facts: dict[str, Any], options: Sequence[Option]) -> None:
    """Print the facts and a table of the options."""
    agent = dict(facts["agent"])
    kind = agent.pop("kind")
    params = ", ".join(f"{name} {plain(value)}" for name, value in agent.items() if value != [])
    if agent.get("noise"):
        params += ", whose error is left out here"
    weights = f"; weights {facts['weights']}" if facts["weights"] else ""
    lines = [
        f"{facts['game']}, {facts['players']} players: ply {facts['ply']}, turn {facts['turn']}, "
        f"seat {facts['seat']} ({facts['seated']}), {facts['num_legal']} legal actions",
        f"asked:  {kind}{f' ({params})' if params else ''}, seed {facts['seed']}{weights}",
        f"played: {facts['played']}{_place_of_played(facts, options)}",
    ]
    out = console()
    out.print(*lines, sep="\n", markup=False, soft_wrap=True)
    if kind == "random":
        out.print(f"\neach of {len(options)} actions has the same chance")
    elif options:
        out.print()
        out.print(_table(options))
    else:
        out.print("\nit finds no turn that it could finish, and takes the first action it tried")
    for caveat in facts["caveats"]:
        out.print(f"\n{caveat}", style="yellow", markup=False)


def _place_of_played(facts: dict[str, Any], options: Sequence[Option]) -> str:
    """Say where the options have what was played in the record."""
    if facts["agent"]["kind"] == "random":
        return ""
    if facts["played_rank"] is not None:
        return f" (option {facts['played_rank']})"
    within = [str(rank) for rank in facts["played_within"]]
    later = f"; it comes later in the turn of {', '.join(within)}" if within else ""
    return f" (no option begins with it{later})"


def _table(options: Sequence[Option]) -> Table:
    """Lay the options out; a column that says nothing is left out."""
    best = options[0]
    columns: dict[str, list[str]] = {"option": [str(option.rank) for option in options]}
    if best.value is not None:
        columns["value"] = [f"{option.value or 0:.2f}" for option in options]
        columns["difference"] = [
            f"{round((option.value or 0) - best.value, 2) + 0.0:+.2f}"  # never -0.00
            if option is not best
            else ""
            for option in options
        ]
    if best.visits is not None:
        columns["wins"] = [_percent(option.chance) for option in options]
        columns["visits"] = [f"{option.visits:,}" for option in options]
        columns["prior"] = [_percent(option.prior) for option in options]
    columns["turn"] = ["\n".join(_told(option)) for option in options]
    if any(option.note for option in options):
        columns["note"] = [option.note for option in options]
    numbers = "option value difference wins visits prior"
    return table(list(columns), list(zip(*columns.values(), strict=True)), right=numbers)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _told(option: Option) -> Iterator[str]:
    yield ", ".join(option.plan)
    if option.reply:
        yield f"then seat {option.reply_seat}: {', '.join(option.reply)}"
