"""What a run tells while it goes on; whoever shows it overrides the methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reefsim.sim.look import Look


class Progress:
    """Hears of the course of a run, and shows nothing."""

    def compiling(self) -> None:
        """The rules are being compiled, because the cache has none that fit."""

    def compiled(self, seconds: float) -> None:
        """They were compiled in so many seconds."""

    def tuning(self, ruleset: str, done: int, generations: int) -> None:
        """Agents are tuned for a ruleset; so many generations of the search are done."""

    def start(self, done: int, total: int) -> None:
        """Games are about to be played; `done` of `total` were there before."""

    def advance(self, games: int) -> None:
        """So many more games have been played."""

    def looked(self, look: Look, games: int, expected: int) -> None:
        """The run was looked at; it has so many games of those it is now expected to play."""

    def stopping(self) -> None:
        """The run was interrupted and finishes the games in play."""

    def finish(self) -> None:
        """No more games will be played, whether or not all of them were."""
