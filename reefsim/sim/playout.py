"""Playing many games: chunks of replicates around the loop over games (`sim.loop`)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reefsim.agents.records import AGENT, DESK, NODE, NUM_STATES
from reefsim.agents.search import tree_room
from reefsim.core.driver import (
    NUM_GAME_BASE,
    NUM_PLAYER_BASE,
    TURN_BASE,
)
from reefsim.core.game import Game
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.rng import root_key
from reefsim.core.ruleset import Ruleset
from reefsim.logs.failure import Failure, describe_failure, last_actions
from reefsim.sim.loop import KERNELS

_ROOM_TO_GO = 10_000  # events for which room is made when a match is played on


@dataclass
class Chunk:
    """The raw rows of consecutive games of one arm, as kernels write them.

    Attributes
    ----------
    jobs : int64, shape (games, 2 + seats): replicate, rotation, slot on each seat
    games : int64, shape (games, GAME_BASE + game columns)
    players : int64, shape (games, seats, PLAYER_BASE + player columns)
    turns : int64, shape (turns, TURN_BASE + action kinds + turn columns), game after game
    events : int64 codes, shape (events,), game after game; empty if not kept
    ends : int64, shape (games, 2): where the events and turns of each game end
    seconds : time the chunk took
    failures : games that were given up; their rows are zero, and they have no turns and events
    """

    jobs: NDArray[np.int64]
    games: NDArray[np.int64]
    players: NDArray[np.int64]
    turns: NDArray[np.int64]
    events: NDArray[np.int64]
    ends: NDArray[np.int64]
    seconds: float
    failures: list[Failure] = field(default_factory=list)


def jobs_of(seatings: Sequence[Sequence[int]], first: int, replicates: int) -> NDArray[np.int64]:
    """Jobs of consecutive replicates, every seating of each: replicate, rotation, slots."""
    rows = [
        (replicate, rotation, *seating)
        for replicate in range(first, first + replicates)
        for rotation, seating in enumerate(seatings)
    ]
    return np.array(rows, np.int64)


class Table:
    """A game set up for bulk play: records and buffers of one worker, reused between chunks.

    Parameters
    ----------
    game, ruleset, seats : what is played
    agents : for each slot the values of an AGENT record: kind and parameters
    seed : of the experiment
    arm : 0 where arms share their random numbers, else 1 + the arm's index
    max_plies : a game with so many events is stopped at its next decision; None: never
    """

    def __init__(
        self,
        game: Game,
        ruleset: Ruleset,
        seats: int,
        agents: Sequence[Mapping[str, Any]],
        *,
        seed: int,
        arm: int = 0,
        max_plies: int | None = None,
        mode: Mode = "jitted",
    ) -> None:
        self.game, self.ruleset, self.seats, self.mode = game.under(ruleset), ruleset, seats, mode
        self.seed, self.arm, self.max_plies = seed, arm, max_plies or 0
        self._kernels = game.build(mode, KERNELS)
        self._rules = game.rules_record(ruleset, seats, mode)
        self._values = tuple(dict(values) for values in agents)
        self._failures: list[Failure] = []
        self._lay_out()
        root = root_key(seed)
        self._root: Any = np.array(root, np.int64) if mode == "jitted" else list(root)

    def _lay_out(self) -> None:
        """Make the records that games are played on; a failure may leave them in disorder."""
        game, mode = self.game, self.mode
        self._states: Any = game.state.records(NUM_STATES, mode)
        self._works: Any = game.work.records(2, mode)
        self._works[0].logging = 1
        self._desks: Any = DESK.records(1, mode)
        iterations = max(values.get("iterations", 0) for values in self._values)
        self._tree: Any = NODE.records(tree_room(iterations), mode)
        self._line_up: Any = AGENT.records(self.seats, mode)
        self._seated: Any = AGENT.records(self.seats, mode)
        for slot, values in enumerate(self._values):
            AGENT.fill(self._line_up[slot], dict(values))

    def play(
        self,
        jobs: NDArray[np.int64],
        *,
        events: bool | NDArray[np.bool_] = True,
        turns: bool = True,
        keep_failures: bool = False,
    ) -> Chunk:
        """Play the games of `jobs` in order.

        The result depends on the jobs, the rules, the agents and the seed only.

        Parameters
        ----------
        jobs : int64, shape (games, 2 + seats): replicate, rotation, slot on each seat
        events : whether to keep the events, of all games or for each of them
        turns : whether to keep the rows of the turns
        keep_failures : go on with the next game where one fails, and tell which did

        Raises
        ------
        AgentError : if an agent written in Python fails, unless failures are kept
        """
        start = time.perf_counter()
        kept = np.broadcast_to(np.asarray(events, np.int64), len(jobs)).copy()
        rows = self._buffers(len(jobs), int(kept.sum()), turns)
        done = event_end = turn_end = 0
        self._failures = []
        end = len(jobs)  # of the games tried together; one by one after a failure
        while done < len(jobs):
            try:
                done = self._play(jobs[:end], kept[:end], rows, done, event_end, turn_end)
            except Exception as error:
                if not keep_failures:
                    raise
                if end == done + 1:
                    self._give_up(jobs, done, error)
                    rows.ends[done] = event_end, turn_end
                    rows.games[done], rows.players[done] = 0, 0
                    done += 1
                self._lay_out()
                end = done + 1
                continue
            if done > 0:
                event_end, turn_end = rows.ends[done - 1].tolist()
            if done < end:
                rows.grow()
            end = len(jobs) if end == len(jobs) else done + 1
        return Chunk(
            jobs=jobs,
            games=rows.games,
            players=rows.players,
            turns=rows.turns[:turn_end],
            events=rows.log[:event_end],
            ends=rows.ends,
            seconds=time.perf_counter() - start,
            failures=self._failures,
        )

    def play_on(self, match: Match, action: int | None, job: Sequence[int]) -> Match:
        """Take an action in a match, which stays as it is, and let the agents play it to its end.

        Parameters
        ----------
        match : of the same game and rules, not over
        action : a legal one; None: the agents choose this one, too
        job : replicate, rotation, slot on each seat; they key the agents and the chance to come

        Returns
        -------
        Match : over, in plain mode, with all its events

        Raises
        ------
        AgentError : if an agent written in Python fails
        """
        room = match.ply + _ROOM_TO_GO
        while True:
            ended = self._play_on(match, action, job, room)
            if ended.ply <= room:
                return ended
            room = ended.ply

    def _play_on(self, match: Match, action: int | None, job: Sequence[int], room: int) -> Match:
        self._lay_out()
        log, job_row = np.zeros(room, np.int64), np.array(job, np.int64)
        turns = np.zeros((0, 0), np.int64)
        buffers: list[Any] = [log, job_row, turns]
        if self.mode == "plain":
            buffers = [buffer.tolist() for buffer in buffers]
        log, job_row, turns = buffers
        records = (self._states, self._rules, self._works)
        seating = (self._line_up, self._seated, self._root, self.arm)
        self._kernels.open_match(*records, *seating, job_row, log, 0)  # for the seats and keys
        keys = self.game.state.to_plain(self._states[0]).chance
        self.game.state.fill(self._states[0], vars(match.plain_state()) | {"chance": keys})
        work = self.game.work.to_plain(match.work)
        self.game.work.fill(
            self._works[0], vars(work) | {"scripted": 0, "log_start": 0, "logging": 1}
        )
        log[: match.ply] = match.codes
        if action is not None:
            self._kernels.step_match(*records, log, action)
        self._go_on(job_row, log, turns, 0)
        return match.moved_to(self._states[0], self._works[0], log)

    def _go_on(self, job: Any, log: Any, turns: Any, turn: int) -> int:
        """Let the agents play a game to its end; returns the place behind its last turn."""
        del job
        records = (self._states, self._rules, self._works)
        thinking = (self._desks, self._tree, self._seated)
        end: int = self._kernels.continue_match(
            *records, *thinking, log, turns, turn, self.max_plies
        )
        return end

    def _give_up(self, jobs: NDArray[np.int64], number: int, error: Exception) -> None:
        """Note a game in which something failed."""
        self._failures.append(describe_failure(number, error, self._last_actions(jobs, number)))

    def _last_actions(self, jobs: NDArray[np.int64], number: int) -> tuple[str, ...]:
        """What happened last in a game that fails, which is played again for that."""
        log, _ = self._play_alone(jobs[number])
        return last_actions(self.game, log, int(self._works[0].num_events))

    def play_as_far(self, job: NDArray[np.int64]) -> tuple[Match, Exception | None]:
        """Play one game as far as it goes.

        Parameters
        ----------
        job : int64, shape (2 + seats,), as for `play`

        Returns
        -------
        the match at its end, or where it fails, in plain mode with its events; what failed
        """
        log, error = self._play_alone(job)
        state, work = self._states[0], self._works[0]
        match = Match.at(
            self.game,
            self.ruleset,
            self.game.build("plain"),
            self.game.rules_record(self.ruleset, self.seats, "plain"),
            [self.game.state.to_plain(state)],
            "plain",
            self.game.work.to_plain(work),
            [int(code) for code in log[: work.num_events]],
        )
        return match, error

    def _play_alone(self, job: NDArray[np.int64]) -> tuple[Any, Exception | None]:
        """Play one game; returns its packed events, and what failed in it."""
        self._lay_out()
        rows = self._buffers(1, 1, turns=False)
        arrays = [rows.log, rows.games, rows.players, rows.turns, rows.ends]
        buffers: list[Any] = [np.array([job]), np.array([1]), *arrays]
        if self.mode != "jitted":
            buffers = [buffer.tolist() for buffer in buffers]
        try:
            self._play_into(buffers, 0, 0, 0)
        except Exception as error:
            return buffers[2], error
        return buffers[2], None

    @property
    def iterations(self) -> int:
        """Iterations its agents have searched so far."""
        return int(self._desks[0].iterations)

    def _buffers(self, num: int, num_kept: int, turns: bool) -> _Buffers:
        game = self.game
        seat_width = NUM_PLAYER_BASE + _width(game.player_columns)
        turn_width = len(TURN_BASE) + len(game.action_kinds) + len(game.turn_columns)
        return _Buffers(
            games=np.zeros((num, NUM_GAME_BASE + _width(game.game_columns)), np.int64),
            players=np.zeros((num, self.seats, seat_width), np.int64),
            turns=np.zeros((_room(num, 100) if turns else 0, turn_width), np.int64),
            log=np.zeros(_room(num_kept, 1000), np.int64),
            ends=np.zeros((num, 2), np.int64),
        )

    def _play(
        self,
        jobs: NDArray[np.int64],
        kept: NDArray[np.int64],
        rows: _Buffers,
        done: int,
        event_end: int,
        turn_end: int,
    ) -> int:
        """Play from game `done` on; returns the number of the first game that did not fit."""
        arrays = [jobs, kept, rows.log, rows.games, rows.players, rows.turns, rows.ends]
        if self.mode == "jitted":
            return self._play_into(arrays, done, event_end, turn_end)
        lists = [array.tolist() for array in arrays]
        end = self._play_into(lists, done, event_end, turn_end)
        for array, content in zip(arrays, lists, strict=True):
            if len(array):
                array[...] = content
        return end

    def _play_into(self, buffers: list[Any], done: int, event_end: int, turn_end: int) -> int:
        end: int = self._kernels.play_games(
            self._states,
            self._rules,
            self._works,
            self._desks,
            self._tree,
            self._line_up,
            self._seated,
            self._root,
            self.arm,
            *buffers,
            done,
            event_end,
            turn_end,
            self.max_plies,
        )
        return end


@dataclass
class _Buffers:
    games: NDArray[np.int64]
    players: NDArray[np.int64]
    turns: NDArray[np.int64]
    log: NDArray[np.int64]
    ends: NDArray[np.int64]

    def grow(self) -> None:
        """Double the room for events and turns, keeping what is written."""
        self.log = np.concatenate([self.log, np.zeros_like(self.log)])
        self.turns = np.concatenate([self.turns, np.zeros_like(self.turns)])


def _room(games: int, each: int) -> int:
    """Rows to make room for: what usual games need, and a long one beside them."""
    return games * each + 8 * each if games else 0


def _width(columns: Sequence[Any]) -> int:
    return sum(column.width for column in columns)
