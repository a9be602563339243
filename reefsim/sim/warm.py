"""Compiling what a run needs before its games: once for all workers, with a word to the user."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from reefsim.agents.kinds import NEVER
from reefsim.core.game import Game
from reefsim.sim.loop import KERNELS
from reefsim.sim.playout import jobs_of
from reefsim.sim.progress import Progress
from reefsim.sim.table_play import Player, make_table

if TYPE_CHECKING:
    from numpy.random import Generator

    from reefsim.core.agent import View

_BULK = ("play_games",)
_OPEN = (
    "open_match",
    "continue_match",
    "list_choices",
    "list_match",
    "step_match",
    "rank_match",
    "view_match",
    "fit_match",
)
_PLIES = 100  # of the game that is played to compile, enough to leave the set-up


class Sampler:
    """An agent that makes use of everything a view offers, so that all of it is compiled."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng

    def act(self, view: View) -> int:
        """Take the first legal action."""
        return view.sample(self.rng).legal_actions()[0]


def is_compiled(game: Game, own: bool = False) -> bool:
    """Whether what a run needs is compiled: in this process, or in the cache on disk.

    Parameters
    ----------
    game : that is to be played
    own : whether agents written in Python take part
    """
    entries = _OPEN if own else _BULK
    kernels = game.build("jitted", KERNELS)
    if all(getattr(kernels, name).signatures for name in entries):
        return True
    folder = game.cache_folder(KERNELS)
    return folder is not None and all(any(folder.glob(f"*.{name}-*.nbi")) for name in entries)


def warm_up(game: Game, own: bool = False, progress: Progress | None = None) -> float:
    """Load the compiled rules of a game, or compile them first; returns the seconds it took.

    Parameters
    ----------
    game : that is to be played
    own : whether agents written in Python take part
    progress : told if something is compiled
    """
    is_cold = not is_compiled(game, own)
    if is_cold and progress is not None:
        progress.compiling()
    start = time.perf_counter()
    seats = game.seats[0]
    kind = f"{__name__}:{Sampler.__name__}" if own else "random"
    params = {NEVER: [game.action_kinds[0]]} if own else {}
    players = [Player("warm_up", kind, params)] * seats
    table = make_table(players, game, game.ruleset(), seed=0, max_plies=_PLIES)
    table.play(jobs_of([range(seats)], 0, 1))
    seconds = time.perf_counter() - start
    if is_cold and progress is not None:
        progress.compiled(seconds)
    return seconds
