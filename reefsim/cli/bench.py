"""`reefsim bench` and `warmup`: how fast it plays, and compiling ahead of time."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from reefsim.cli.lists import GameName
from reefsim.cli.screen import find_game, progress

_GAMES = {"random": 2000, "greedy": 500, "planner": 100, "search": 10}  # unless the user says


def bench(
    game: Annotated[str | None, typer.Option(help="The first game if left out.")] = None,
    players: Annotated[int, typer.Option(min=1, help="Seats at the table.")] = 2,
    games: Annotated[
        int | None,
        typer.Option(min=1, max=10_000_000, help="Games to play; as many as take some seconds."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of chance and agents.")] = 1,
    agent: Annotated[
        str, typer.Option(help="The agents: kind, or kind:param=value,... (reefsim list agents).")
    ] = "random",
    preset: Annotated[str, typer.Option(help="Ruleset (reefsim list presets).")] = "base",
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Measure the speed of play: one worker, nothing logged, compilation left out."""
    from reefsim.core.presets import package_dir, presets
    from reefsim.core.wording import did_you_mean, sentences
    from reefsim.sim.bench import measure
    from reefsim.sim.shorthand import read_agent

    info = find_game(game)
    if players not in info.seats:
        limits = f"{info.seats[0]} to {info.seats[-1]}"
        raise typer.BadParameter(f"{info.title} has {limits} players, not {players}.")
    known = presets(info.name, package_dir(info.ruleset))
    if preset not in known:
        listing = f"There are: {', '.join(known)}."
        message = sentences(f"'{preset}' is not a preset.", did_you_mean(preset, known), listing)
        raise typer.BadParameter(message)
    spec = read_agent(agent, info)
    ruleset = info.ruleset.make(known[preset], players)
    if games is None:
        games = _GAMES.get(spec.kind, 50)
    found = measure(
        info.game,
        ruleset,
        players,
        games=games,
        seed=seed,
        kind=spec.kind,
        params=spec.params,
        progress=progress(quiet=as_json),
    )
    if as_json:
        typer.echo(json.dumps(found))
        return
    for caveat in info.game.caveats(ruleset):
        typer.echo(caveat)
    typer.echo(
        f"{info.title}, {players} {agent} players, {preset} rules: {games:,} games in "
        f"{found['seconds']:.2f} s\n"
        f"{found['games_per_cpu_s']:,.0f} games and {found['decisions_per_cpu_s']:,.0f} decisions "
        f"per second of processor time; {found['turns_per_game']:.1f} turns and "
        f"{found['decisions_per_game']:.0f} decisions per game"
    )
    if "iterations_per_cpu_s" in found:
        rate = found["iterations_per_cpu_s"]
        typer.echo(f"{rate:,.0f} iterations of search per second of processor time")


def warmup(game: GameName = None) -> None:
    """Compile the rules of a game ahead of its first run."""
    from reefsim.sim.warm import warm_up

    info = find_game(game)
    told = progress()
    seconds = warm_up(info.game, progress=told) + warm_up(info.game, own=True, progress=told)
    typer.echo(f"{info.title} is ready ({seconds:.1f} s)")
