"""`reefsim replay`: whether records are games by the rules, and what happened in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reefsim.core.replay import format_verdict, replay_paths, verdict_to_json
from reefsim.errors import RecordError
from reefsim.games import registry

if TYPE_CHECKING:
    from reefsim.core.game import Game
    from reefsim.core.match import Match
    from reefsim.core.record import Record
    from reefsim.core.replay import Verdict


def replay(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            help="Record files (JSON Lines), folders of them, or with --game one run folder.",
            show_default=False,
        ),
    ],
    game: Annotated[
        int | None, typer.Option(help="Id of a game of a run: rebuild it and tell it.")
    ] = None,
    boards: Annotated[
        bool, typer.Option("--boards", help="With --game: the boards after every turn.")
    ] = False,
    to_ply: Annotated[
        int | None, typer.Option(min=0, help="With --game: stop there, and show the position.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option(help="With --game: write its record to this file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Check that recorded games are games by the rules.

    Every line is compared with what the rules make of the recorded choices and chance outcomes.
    Exit code: 0 all agree, 1 one disagrees, 2 one cannot be read.
    """
    if game is None:
        if boards or to_ply is not None or export is not None:
            raise typer.BadParameter("--boards, --to-ply and --export go with --game.")
        raise typer.Exit(_check_files(paths, as_json))
    if len(paths) != 1:
        raise typer.BadParameter("--game goes with one run folder.")
    raise typer.Exit(_tell_game(paths[0], game, boards, to_ply, export, as_json))


def _check_files(paths: Sequence[Path], as_json: bool) -> int:
    """Check record files; returns the exit code."""
    code = 0
    for path, verdict in replay_paths(_record_files(paths), registry.get):
        code = max(code, verdict.exit_code)
        typer.echo(
            json.dumps(verdict_to_json(path, verdict), ensure_ascii=False)
            if as_json
            else format_verdict(path, verdict)
        )
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
    game_id: int,
    boards: bool,
    to_ply: int | None,
    export: Path | None,
    as_json: bool,
) -> int:
    """Rebuild a game of a run, check it and tell it; returns the exit code."""
    from reefsim.core.record import write_record
    from reefsim.logs.read import open_run
    from reefsim.logs.saved import game_of

    saved = game_of(open_run(folder), game_id)
    record = saved.record
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
