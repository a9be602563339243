"""Playing and opening runs from Python, as in a notebook, and the games in them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from reefsim.cli.screen import progress
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.record import Record
from reefsim.errors import ReefsimError, RunError
from reefsim.logs import read
from reefsim.logs.saved import SavedGame, find_game, game_of
from reefsim.metrics.opinion import Opinion
from reefsim.metrics.where import games_where
from reefsim.reporting.story import find_story
from reefsim.reporting.watch import find_pick
from reefsim.sim.design import Experiment
from reefsim.sim.fork import fork
from reefsim.sim.opinions import opinion_of
from reefsim.sim.runner import run as play
from reefsim.stats.length import length_curves
from reefsim.stats.seats import seat_shares as find_seat_shares
from reefsim.stats.verdict import MARGIN_PP


class Run(read.Run):
    """A run folder, opened: its tables (`games`, `players`, `turns`, ...) and its games."""

    def find(self, which: str, arm: str | None = None) -> PlayedGame:
        """Find a game by name: "longest", "closest", ... (as in `save.replays.always`).

        Parameters
        ----------
        which : typical, closest, longest, shortest, biggest_margin, oddest, truncated; if an oracle
            has judged games biggest_swing, kingmaking, too
        arm : name of an arm; None: among all games that were kept

        Raises
        ------
        RunError : if there is no such name, arm or game
        """
        return self.game(find_pick(self, which, arm))

    def where(self, condition: str) -> pd.DataFrame:
        """Games that fulfil a condition on columns and metrics: `truncated or margin_points > 60`.

        Returns
        -------
        pandas.DataFrame, as from `reefsim.metrics.where.games_where`: arm, game_id, the names asked
        """
        return games_where(self, condition)

    def game(self, game_id: int) -> PlayedGame:
        """Open a game by its id.

        Raises
        ------
        RunError : if the run has no such game or did not keep what happened in it
        """
        return PlayedGame(game_of(self, game_id))


@dataclass(frozen=True)
class PlayedGame:
    """A recorded game, to be looked at and to be played on otherwise."""

    saved: SavedGame

    def __repr__(self) -> str:
        points = " : ".join(str(row["score"]) for row in self.record.results)
        return f"<{self.saved.game.title}: {self.saved.name}, {points} points>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.show()._repr_html_()}"

    @property
    def record(self) -> Record:
        """Header, events and results."""
        return self.saved.record

    @property
    def events(self) -> pd.DataFrame:
        """One row per event: the columns of the record, and what happened in words (text)."""
        rows = self.record.rows
        game = self.saved.before(self.decisions[0]).game
        return pd.DataFrame(rows).assign(text=list(game.narrate(rows)))

    @property
    def decisions(self) -> list[int]:
        """Plies at which a seat had to decide."""
        roles = self.saved.game.events.roles
        rows = enumerate(self.record.rows)
        return [ply for ply, row in rows if roles.get(row["event"]) == "action"]

    def at(self, ply: int) -> Position:
        """The position before a decision.

        Raises
        ------
        ReefsimError : there is no decision at that ply; the message names the nearest
        """
        return Position(self.saved.before(ply))

    def show(self) -> Position:
        """The position at the end; a notebook draws it."""
        found: list[Match] = []
        verdict = self.saved.follow(lambda match: found.append(match) if match.over else None)
        if not found:
            raise ReefsimError(f"{self.saved.name}: {verdict}")
        return Position(found[0])

    def watch(
        self,
        page: str | os.PathLike[str],
        *,
        beside: PlayedGame | None = None,
        values: bool = True,
        mode: Mode = "jitted",
    ) -> Path:
        """Write the page with which it is watched, as `reefsim watch`.

        Parameters
        ----------
        page : the `*.html` file
        beside : another game of the same kind, stepped through together with it
        values : whether what could be done at every decision is listed, with values
        mode : how these are worked out
        """
        from reefsim.reporting.viewer import write_viewer

        def thought(game: PlayedGame) -> Opinion | None:
            return opinion_of(game.saved, values=values, mode=mode)

        other = None if beside is None else (beside.saved, thought(beside))
        write_viewer(self.saved, Path(page), thought(self), beside=other)
        return Path(page)

    def export(
        self,
        file: str | os.PathLike[str],
        *,
        ply: int | None = None,
        seat: int | None = None,
        unit: str = "turn",
    ) -> Path:
        """Write a drawing (`*.svg`), a moving picture (`*.gif`) or the notation (`*.txt`).

        Parameters are those of `reefsim.reporting.stills.export`.
        """
        from reefsim.reporting.stills import export

        export(self.saved, Path(file), ply=ply, seat=seat, unit=unit)
        return Path(file)

    def fork(
        self,
        ply: int | None = None,
        action: str | None = None,
        *,
        ruleset: str | None = None,
        agent: str | None = None,
        seed: int | None = None,
        mode: Mode = "jitted",
    ) -> PlayedGame:
        """Take another action at a decision, or go by other rules, and let agents play on.

        Parameters and errors are those of `reefsim.sim.fork.fork`: `game.fork(137, "ACTION")`,
        `game.fork(ruleset="advanced")`, `game.fork(137, "ACTION", ruleset="some_toggle=3")`.
        """
        found = fork(self.saved, ply, action, ruleset=ruleset, agent=agent, seed=seed, mode=mode)
        return PlayedGame(found.game)


@dataclass(frozen=True)
class Position:
    """A position of a game; a notebook draws it, `print` writes it."""

    match: Match

    @property
    def legal(self) -> list[str]:
        """What the seat to act may do."""
        return [self.match.game.format_action(action) for action in self.match.legal_actions()]

    def __str__(self) -> str:
        return self.match.to_text()

    def _repr_html_(self) -> str:
        drawing = self.match.game.render_svg
        if drawing is None:
            return f"<pre>{escape(str(self))}</pre>"
        return drawing(self.match.plain_state(), self.match.rules)


def open_record(path: str | os.PathLike[str], number: int | None = None) -> PlayedGame:
    """Open the game of a record file.

    Parameters
    ----------
    number : which of several in the file, from 1

    Raises
    ------
    RecordError : if there is no record, or not one
    """
    return PlayedGame(find_game(path, number))


def run(source: Experiment | str | os.PathLike[str], *, quiet: bool = False, **options: Any) -> Run:
    """Play an experiment, or what its run folder lacks of it, and open the run.

    Parameters
    ----------
    source : an experiment, or its file
    quiet : show no progress
    options : seed, workers, backend, chunk, out; take the place of what the file says

    Raises
    ------
    ConfigError : with every mistake in the file
    RunError : the run folder holds something else
    """
    return Run(play(source, progress=progress(quiet), **options))


def open(folder: str | os.PathLike[str]) -> Run:
    """Open a run folder.

    Raises
    ------
    RunError : if it is none
    """
    return Run(folder)


def seat_shares(
    run: read.Run, by: Sequence[str] = ("arm",), margin_pp: float | None = None
) -> pd.DataFrame:
    """Win share of every seat, with interval and verdict.

    Parameters
    ----------
    run : an open run
    by : columns of `run.games` that make the groups, such as ["ruleset", "lineup"]
    margin_pp : largest difference from 1/seats that would still be fair, in percentage points;
        None: that of the experiment, or 2

    Returns
    -------
    pandas.DataFrame, one row per group and seat: seat, games, replicates, share, low, high, fair,
    verdict and more, as from `reefsim.stats.seat_shares`
    """
    if margin_pp is None:
        primary = (run.manifest["experiment"].get("outcomes") or {}).get("primary") or {}
        margin_pp = (primary.get("first_seat_share") or {}).get("margin_pp") or MARGIN_PP
    return find_seat_shares(run.games, run.players, tuple(by), margin_pp)


def length_curve(
    run: read.Run, measure: str = "rounds", by: Sequence[str] = ("arm",)
) -> pd.DataFrame:
    """Share of the games of a run that are over after each length, as `stats.length_curves`.

    Parameters
    ----------
    measure : rounds, turns or plies
    by : columns of `run.games` that make the groups
    """
    return length_curves(run.games, measure, by)


def story(run: read.Run) -> pd.DataFrame:
    """How games went, as oracles saw those they judged.

    Returns
    -------
    pandas.DataFrame, one row per oracle, metric and arm: unit, kind, estimate with low and high,
    replicates, games. What each metric is: `reefsim list metrics`

    Raises
    ------
    RunError : if no game has been judged
    """
    found = find_story(run)
    if not found.oracles:
        raise RunError(
            f"{run.folder}: no game has been judged: reefsim appraise {run.folder} does that."
        )
    return found.measures
