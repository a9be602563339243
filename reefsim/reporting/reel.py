"""The positions of a game, drawn and told one after another while it is played again.

Drawings and texts are kept as numbers of lines, each line once; games that share their lines can be
compared line by line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from reefsim.core.driver import TURN_BASE
from reefsim.core.game import Game
from reefsim.core.match import Match
from reefsim.core.record import Row
from reefsim.core.replay import Verdict
from reefsim.core.ruleset import Ruleset
from reefsim.core.work import MAX_SEATS
from reefsim.errors import RecordError, ReefsimError
from reefsim.logs.saved import SavedGame
from reefsim.metrics.story import NOBODY, leaders
from reefsim.metrics.trace import Trace

_BIGGEST = 5  # swings one can go to
_FEWEST = 3  # things that are drawn together


@dataclass
class Lines:
    """Lines of drawings and texts, each with its number."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, line: str) -> int:
        """Number of a line."""
        return self.numbers.setdefault(line, len(self.numbers))

    def split(self, text: str) -> list[int]:
        """Numbers of the lines of a text."""
        return [self.number(line) for line in text.splitlines()]

    def join(self, numbers: Sequence[int]) -> str:
        """Text of numbered lines."""
        lines = list(self.numbers)
        return "".join(f"{lines[number]}\n" for number in numbers)


class Shown(NamedTuple):
    """A position as it is shown: numbers of the lines of its drawing and of its text."""

    picture: list[int]
    text: list[int]


@dataclass
class Frame:
    """A position: after the set-up or an action, with all that followed without a choice.

    Attributes
    ----------
    ply : events so far
    turn, round : those of what happened before
    seat : to act; None once the game is over
    scores : by seat
    views : the position as it is, and as each seat knows it if that may be less
    """

    ply: int
    turn: int
    round: int
    seat: int | None
    scores: list[int]
    views: list[Shown]


class Reel:
    """A game as it is shown.

    Parameters
    ----------
    saved : the game
    lines : shared with other reels; None: its own
    has_views : whether positions are kept as each seat knows them, too

    Attributes
    ----------
    frames : the positions; of a game that is none by the rules those up to there
    game, ruleset : as it is under its rules
    verdict : of the check of the record
    ranks : by seat at the end; None if the game does not get there

    Raises
    ------
    RecordError : if not even the set-up can be followed
    """

    def __init__(
        self, saved: SavedGame, lines: Lines | None = None, *, has_views: bool = True
    ) -> None:
        self.saved, self.lines = saved, lines or Lines()
        self.frames: list[Frame] = []
        self.ranks: list[int] | None = None
        self.game: Game = saved.game
        self._has_views = has_views
        self._round = 0  # of the position before
        self._turns: dict[int, tuple[int, list[int]]] = {}  # row of each turn, and its frame
        self._rulesets: list[Ruleset] = []
        self.verdict: Verdict = saved.follow(self._watch)
        if not self.frames:
            raise RecordError(f"{saved.name}: {self.verdict}")

    @property
    def ruleset(self) -> Ruleset:
        """The rules by which it was played."""
        return self._rulesets[0]

    @property
    def rows(self) -> list[Row]:
        """The events that are shown."""
        return self.saved.record.rows[: self.frames[-1].ply]

    @cached_property
    def texts(self) -> list[str]:
        """What happened, a sentence for each event."""
        return list(self.game.narrate(self.rows))

    def _watch(self, match: Match) -> None:
        game, rows = match.game, self.saved.record.rows
        if not self.frames:
            self.game = game
            self._rulesets.append(match.ruleset)
        states = [match.plain_state()]
        if self._has_views and "blind" in game.kernels:
            states += [match.state_known_to(seat) for seat in range(match.seats)]
        draw = game.render_svg
        views = [
            Shown(
                self.lines.split(draw(state, match.rules) if draw else ""),
                self.lines.split(game.render_text(state, match.rules)),
            )
            for state in states
        ]
        turn = int(rows[match.ply - 1]["turn"]) if match.ply else 0
        seat = None if match.over else match.seat
        self.ranks = match.ranks() if match.over else None
        self.frames.append(Frame(match.ply, turn, self._round, seat, match.scores(), views))
        self._round = match.round
        row = [int(value) for value in match.work.row]
        if match.work.turn_over and row[0] not in self._turns:
            self._turns[row[0]] = len(self.frames) - 1, row

    def events_of(self, k: int) -> list[Row]:
        """What happened before a frame, since the one before it."""
        return self.rows[self.frames[k - 1].ply if k else 0 : self.frames[k].ply]

    def frame_of(self, ply: int) -> int:
        """Number of the frame after an event."""
        return int(np.searchsorted([frame.ply for frame in self.frames], ply, side="right"))

    def units(self, trace: Trace | None = None) -> dict[str, list[int]]:
        """What one can step by: the numbers of the frames at which each of them ends.

        Parameters
        ----------
        trace : chances of winning, if they are known
        """
        ends = _ends([frame.turn for frame in self.frames])
        found = {
            "action": list(range(len(self.frames))),
            "turn": ends,
            "round": _ends([frame.round for frame in self.frames]),
        }
        leads = leaders(np.array([self.frames[i].scores for i in ends]))
        found["lead change"] = [
            end
            for end, before, after in zip(ends[1:], leads, leads[1:], strict=False)
            if NOBODY != before != after
        ]
        if trace is not None:
            found["biggest swing"] = self._swings(trace)
        for name, plies in self._kinds().items():
            found[name] = sorted({self.frame_of(ply) for ply in plies})
        return {name: places for name, places in found.items() if places}

    def _kinds(self) -> dict[str, list[int]]:
        """Plies of each kind of event, and of those that tell something most of their kind do not.

        So a capture can be gone to where only some events of a kind capture something.
        """
        kinds: dict[str, list[int]] = {}
        special: dict[str, dict[str, list[int]]] = {}
        for ply, row in enumerate(self.rows):
            name = str(row["event"])
            kinds.setdefault(name, []).append(ply)
            for column in row:
                if row[column] and column not in ("ply", "turn", "round", "seat", "n_legal"):
                    special.setdefault(name, {}).setdefault(column, []).append(ply)
        found: dict[str, list[int]] = {}
        for name, plies in kinds.items():
            found[name] = plies
            for column, some in special[name].items():
                if 2 * len(some) < len(plies) and some not in found.values():
                    found[f"{name}: {column}"] = some
        return found

    def places(self, trace: Trace) -> list[int]:
        """Numbers of the frames that are the positions of a trace."""
        at = np.searchsorted([frame.ply for frame in self.frames], trace.ply)
        return [min(int(k), len(self.frames) - 1) for k in at]

    def _swings(self, trace: Trace) -> list[int]:
        """The turns that moved a chance most."""
        by_turn = trace.by_turn()
        moves = np.abs(np.diff(by_turn.chance, axis=0)).max(axis=1, initial=0)
        top = np.sort(np.argsort(-moves, kind="stable")[:_BIGGEST])
        places = self.places(by_turn)[1:]
        return [places[i] for i in top]

    def courses(self) -> dict[str, tuple[list[int], dict[str, list[int]]]]:
        """What the game counts of several things at the end of every turn, as values of colors.

        These are columns of the table `turns` that share what is before their last underscore.

        Returns
        -------
        by that name: the frames with which turns end, and of each thing the numbers there
        """
        families: dict[str, dict[str, int]] = {}
        first = len(TURN_BASE) + len(self.game.action_kinds)
        for place, column in enumerate(self.game.turn_columns, first):
            name, _, thing = column.name.rpartition("_")
            if name and column.kind.startswith("int"):
                families.setdefault(name, {})[thing] = place
        frames = [frame for frame, _ in self._turns.values()]
        return {
            name: (
                frames,
                {thing: [row[i] for _, row in self._turns.values()] for thing, i in things.items()},
            )
            for name, things in families.items()
            if _FEWEST <= len(things) <= MAX_SEATS and frames
        }

    def check_ply(self, ply: int) -> None:
        """Check that there is an event of that number.

        Raises
        ------
        ReefsimError : if there is none; the message names the last one
        """
        last = self.frames[-1].ply - 1
        if not 0 <= ply <= last:
            name = self.saved.name
            raise ReefsimError(f"{name}: there is no ply {ply}; the last one is {last}.")


def _ends(numbers: Sequence[Any]) -> list[int]:
    """Places after which a number changes, and the last one."""
    changes = [i for i, (a, b) in enumerate(pairwise(numbers)) if a != b]
    return [*changes, len(numbers) - 1]
