"""`reefsim replay`: whether records are games by the rules, and what happened in them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reefsim.cli.fork import tell_fork
from reefsim.cli.games import GameOption, find_saved
from reefsim.cli.screen import console, next_step, table
from reefsim.core.replay import format_verdict, replay_paths, verdict_to_json
from reefsim.errors import RecordError, ReefsimError
from reefsim.games import registry
from reefsim.logs.mend import bug_command

if TYPE_CHECKING:
    from reefsim.core.game import Game
    from reefsim.core.match import Match
    from reefsim.core.record import Record
    from reefsim.core.replay import Verdict

_TOP = 20  # games that --where shows, if nobody says


def replay(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            help="Record files (JSON Lines), folders of them, or with --game one run folder.",
            show_default=False,
        ),
    ],
    game: GameOption = None,
    boards: Annotated[
        bool, typer.Option("--boards", help="With --game: the boards after every turn.")
    ] = False,
    to_ply: Annotated[
        int | None, typer.Option(min=0, help="With --game: stop there, and show the position.")
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION",
            help="List games of a run: 'truncated or margin_points > 60', on columns of the table "
            "games and metrics.",
        ),
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="With --where: games shown (20).")] = None,
    fork: Annotated[
        tuple[int, str] | None,
        typer.Option(
            metavar="PLY ACTION",
            help="Of one game: go to this decision, take another action, play on, and compare.",
        ),
    ] = None,
    ruleset: Annotated[
        str | None,
        typer.Option(
            metavar="RULES",
            help="Of one game: make the same moves by other rules as far as they go, or up to "
            "--fork, play on, and compare. A ruleset of the run, a preset, or toggle=value,...",
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            help="Who plays on, kind or kind:param=value,... If left out, the agents of the run, "
            "or planners."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(help="With --game: write its record to this file; of a fork the other's."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Check that recorded games are by the rules; tell, find and fork games of a run.

    Every line is compared with what the rules make of the recorded choices and chance outcomes.
    Exit code: 0 all agree, 1 one disagrees, 2 one cannot be read.
    """
    if where is not None:
        if len(paths) != 1 or game is not None:
            raise typer.BadParameter("--where goes with one run folder, and without --game.")
        if boards or any(o is not None for o in (to_ply, fork, ruleset, agent, export)):
            raise typer.BadParameter("--where goes with --top and --json alone.")
        raise typer.Exit(_list_games(paths[0], where, top or _TOP, as_json))
    if top is not None:
        raise typer.BadParameter("--top goes with --where.")
    if fork is not None or ruleset is not None:
        if len(paths) != 1 or boards or to_ply is not None:
            what = "--fork and --ruleset go with one game, without --boards and --to-ply."
            raise typer.BadParameter(what)
        raise typer.Exit(tell_fork(paths[0], game, fork, ruleset, agent, export, as_json))
    if agent is not None:
        raise typer.BadParameter("--agent goes with --fork or --ruleset.")
    if game is None:
        if boards or to_ply is not None or export is not None:
            raise typer.BadParameter("--boards, --to-ply and --export go with --game.")
        raise typer.Exit(_check_files(paths, as_json))
    if len(paths) != 1:
        raise typer.BadParameter("--game goes with one run folder.")
    raise typer.Exit(_tell_game(paths[0], game, boards, to_ply, export, as_json))


def _list_games(folder: Path, condition: str, top: int, as_json: bool) -> int:
    """List the games of a run that fulfil a condition; returns the exit code."""
    from reefsim.logs.read import open_run
    from reefsim.metrics.where import games_where
    from reefsim.reporting.watch import kept_games

    run = open_run(folder)
    found = games_where(run, condition)
    found = found.assign(kept=found["game_id"].isin(kept_games(run)))
    if as_json:
        typer.echo(found.to_json(orient="records"))
        return 0
    kept = found.loc[found["kept"], "game_id"]
    games = f"{len(found):,} of {run.manifest['counts']['games']:,} games"
    typer.echo(f"{games}, {len(kept):,} of them kept: {condition}")
    if len(found):
        rows = found.head(top).assign(kept=found["kept"].map({True: "yes", False: "no"}))
        console().print(table(list(map(str, rows)), rows.to_numpy().tolist()))
    if len(kept):
        next_step(f"reefsim watch {shlex.quote(str(folder))} --game {kept.iloc[0]}")
    return 0


def _check_files(paths: Sequence[Path], as_json: bool) -> int:
    """Check record files; returns the exit code."""
    code, faulty = 0, None
    for file in _record_files(paths):
        for label, verdict in replay_paths([file], registry.get):
            code = max(code, verdict.exit_code)
            if not verdict.ok and verdict.readable:
                faulty = faulty or file
            typer.echo(
                json.dumps(verdict_to_json(label, verdict), ensure_ascii=False)
                if as_json
                else format_verdict(label, verdict)
            )
    if faulty and not as_json:
        next_step(bug_command(faulty))
    return code


def _record_files(paths: Sequence[Path]) -> Iterator[Path]:
    """List the files meant by the paths: a folder means the record files in it."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        if (path / "manifest.json").exists():
            raise RecordError(f"{path}: a run; name one of its games with --game ID.")
        files = sorted(path.rglob("*.jsonl"))
        if not files:
            raise RecordError(f"{path}: there is no record file (*.jsonl) in this folder.")
        yield from files


def _tell_game(
    folder: Path,
    number: str,
    boards: bool,
    to_ply: int | None,
    export: Path | None,
    as_json: bool,
) -> int:
    """Rebuild a game of a run, check it and tell it; returns the exit code."""
    from reefsim.core.record import write_record

    saved = find_saved(folder, number)
    record = saved.record
    if to_ply is not None and to_ply >= len(record.rows):
        last = f"the last one is {len(record.rows) - 1}"
        raise ReefsimError(f"{saved.name}: there is no ply {to_ply}; {last}.")
    story = None if as_json else _Story(record, saved.game, boards, to_ply)
    verdict = saved.follow(story.watch if story else None)
    if export is not None:
        write_record(export, record)
    if story is None:
        rows = record.rows if to_ply is None else record.rows[: to_ply + 1]
        found = verdict_to_json(saved.name, verdict) | {"header": record.header, "rows": rows}
        typer.echo(json.dumps(found, ensure_ascii=False))
        return verdict.exit_code
    story.close(verdict)
    for caveat in story.caveats:
        typer.echo(caveat)
    typer.echo(format_verdict(saved.name, verdict))
    if export is not None:
        typer.echo(f"record: {export}")
    if not verdict.ok:
        next_step(f"{bug_command(folder)} --game {number}")
    return verdict.exit_code


class _Story:
    """Tells a game while it is played again: a line per event, boards in between."""

    def __init__(self, record: Record, game: Game, boards: bool, to_ply: int | None) -> None:
        self._rows, self._record, self._boards = record.rows, record, boards
        self._end = len(record.rows) if to_ply is None else min(to_ply + 1, len(record.rows))
        self._shows_end = boards or to_ply is not None
        self._sentences: Iterator[str] | None = None  # told by the game as its rules have it
        self.caveats: tuple[str, ...] = ()
        self._told = 0
        self._turn = 0
        seats = ", ".join(f"seat {i} {name}" for i, name in enumerate(record.header["agents"]))
        typer.echo(f"{game.title}, {record.players} players: {seats}")

    def watch(self, match: Match) -> None:
        """Tell what happened up to the position of the match."""
        if self._told >= self._end:
            return
        if self._sentences is None:
            self._sentences = match.game.narrate(self._rows)
            self.caveats = match.game.caveats(match.ruleset)
        is_new_turn = match.turn != self._turn or match.over
        for ply in range(self._told, min(match.ply, self._end)):
            row = self._rows[ply]
            typer.echo(f"{ply:5}  turn {row['turn']:3}  {next(self._sentences)}")
        self._told = match.ply
        is_end = self._told >= self._end
        if (self._boards and is_new_turn) or (self._shows_end and is_end):
            typer.echo(f"\n{match.to_text()}\n")
        self._turn = match.turn

    def close(self, verdict: Verdict) -> None:
        """Tell the scores, if the game was told to its end."""
        if verdict.ok and self._end == len(self._rows):
            scores = (
                f"seat {result['seat']} {result['score']} points, rank {result['rank']}"
                for result in self._record.results
            )
            typer.echo(f"       {'; '.join(scores)}")
