"""Games in which agents written in ordinary Python take part: slower, for a user's own classes.

Built-in agents at the same table act inside kernels, as in `sim.loop`, with the same random
numbers: without a Python agent the two loops give the same rows.
"""

from __future__ import annotations

import operator
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reefsim.agents.kinds import NEVER, import_agent_class, is_own_class, record_values
from reefsim.agents.weights import find_weights
from reefsim.core.agent import Agent, AgentError, View
from reefsim.core.game import Game
from reefsim.core.kernel import Mode
from reefsim.core.rng import AGENT_STREAM, MASK, philox, root_key
from reefsim.core.ruleset import Ruleset
from reefsim.logs.failure import Failure, traceback_text
from reefsim.sim.playout import Table

_ROOM_EVENTS, _ROOM_TURNS = 4096, 512  # kept free when a game starts, so that it need not restart


@dataclass(frozen=True)
class Player:
    """An agent of a line-up: a built-in kind, or a user's class.

    Attributes
    ----------
    params : of the kind; `weights` may be values by name, or a setting as in an experiment file
    folder : where a user's class or a weights file is found
    """

    name: str
    kind: str
    params: Mapping[str, Any]
    folder: Path | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is a user's class."""
        return is_own_class(self.kind)

    def find_class(self) -> type:
        """Import the user's class.

        Raises
        ------
        AgentError : if it cannot be imported any more
        """
        if self.folder and str(self.folder) not in sys.path:
            sys.path.append(str(self.folder))  # the class may import its neighbors while it plays
        try:
            return import_agent_class(self.kind, self.folder)
        except ImportError as error:
            raise AgentError(f"agent '{self.name}': {error}") from error


def make_table(
    players: Sequence[Player],
    game: Game,
    ruleset: Ruleset,
    *,
    seed: int,
    arm: int = 0,
    max_plies: int | None = None,
    mode: Mode = "jitted",
    watchdog_s: float | None = None,
) -> Table:
    """Set up a table for a line-up: `Table`, or `OpenTable` if a user's class is in it.

    Parameters
    ----------
    players : the line-up, by slot
    game, ruleset, seed, arm, max_plies, mode : as for `Table`
    watchdog_s : as for `OpenTable`
    """
    agents = [_values(player, game, ruleset, len(players)) for player in players]
    kind = OpenTable if any(player.is_own for player in players) else Table
    table = kind(
        game, ruleset, len(players), agents, seed=seed, arm=arm, max_plies=max_plies, mode=mode
    )
    if isinstance(table, OpenTable):
        table.seat(players)
        table.watchdog_s = watchdog_s
    return table


def _values(player: Player, game: Game, ruleset: Ruleset, seats: int) -> dict[str, Any]:
    params = player.params
    setting = params.get("weights")
    if isinstance(setting, str) and not player.is_own:
        weights = find_weights(setting, game, ruleset, seats, player.folder or Path())
        params = {**params, "weights": weights.values}
    return record_values(player.kind, params, game)


class OpenTable(Table):
    """A table at which Python agents sit, too.

    Attributes
    ----------
    watchdog_s : seconds an agent may take for an answer; None: as long as it likes. Only the main
        thread of a process can be woken.
    """

    _players: tuple[Player, ...] = ()
    _classes: tuple[type | None, ...] = ()
    watchdog_s: float | None = None

    def seat(self, players: Sequence[Player]) -> None:
        """Name the line-up, by slot; without this every agent has to be a built-in one."""
        self._players = tuple(players)
        self._classes = tuple(p.find_class() if p.is_own else None for p in players)

    def _play_into(self, buffers: list[Any], done: int, event_end: int, turn_end: int) -> int:
        jobs, kept, log, games, players, turns, ends = buffers
        for number in range(done, len(jobs)):
            job = jobs[number]
            log_start = event_end if kept[number] else len(log)
            is_short = kept[number] and event_end + _ROOM_EVENTS > len(log)
            if is_short or 0 < len(turns) < turn_end + _ROOM_TURNS:
                return number
            turn = self._play_one(job, log, log_start, turns, turn_end)
            if kept[number]:
                event_end += int(self._works[0].num_events)
            turn_end = turn if len(turns) > 0 else 0
            if event_end > len(log) or turn_end > len(turns):
                return number
            self._kernels.rank_match(
                self._states, self._rules, self._works, job[2:], games[number], players[number]
            )
            ends[number][0], ends[number][1] = event_end, turn_end
        return len(jobs)

    def _play_one(self, job: Any, log: Any, log_start: int, turns: Any, turn: int) -> int:
        """Play a game; returns the place behind its last turn."""
        records = (self._states, self._rules, self._works)
        seating = (self._line_up, self._seated, self._root, self.arm)
        self._kernels.open_match(*records, *seating, job, log, log_start)
        return self._go_on(job, log, turns, turn)

    def _go_on(self, job: Any, log: Any, turns: Any, turn: int) -> int:
        kernels, state, work = self._kernels, self._states[0], self._works[0]
        records = (self._states, self._rules, self._works)
        thinking = (self._desks, self._tree)
        agents = self._agents(job)
        actions: Any = np.zeros(self.game.max_legal, np.int64)
        if self.mode == "plain":
            actions = actions.tolist()
        while True:
            turn = kernels.continue_match(
                *records, *thinking, self._seated, log, turns, turn, self.max_plies
            )
            if state.over:
                return turn
            num_legal = kernels.list_match(*records, actions)
            slot = int(job[2 + state.seat])
            if self._players[slot].params.get(NEVER):
                num_legal = kernels.list_choices(*records, self._line_up, slot, actions)
            legal = [int(action) for action in actions[:num_legal]]
            view = View(
                self.game,
                self.ruleset,
                kernels,
                self._rules,
                self._states,
                seat=int(state.seat),
                seats=self.seats,
                ply=int(work.num_events),
                legal_actions=legal,
                mode=self.mode,
            )
            player = self._players[slot]
            action = _ask(player, agents[view.seat], view, legal[:], job, self.watchdog_s)
            kernels.step_match(*records, log, action)

    def _give_up(self, jobs: Any, number: int, error: Exception) -> None:
        """Note a game in which an agent failed, or the rules."""
        if not isinstance(error, AgentError):
            super()._give_up(jobs, number, error)
            return
        cause = error.__cause__ or error
        late = isinstance(cause, NoAnswerError)
        self._failures.append(
            Failure(
                number,
                "watchdog" if late else "agent",
                str(error),
                "" if late else traceback_text(cause),
                agent=error.agent,
                seat=error.seat,
                ply=error.ply,
                last_actions=() if late else self._last_actions(jobs, number),
            )
        )

    def _agents(self, job: Any) -> dict[int, Agent]:
        """Agents by seat, of the seats that are not built in; each gets random numbers of its own.

        Raises
        ------
        AgentError : if one cannot be made
        """
        replicate, rotation, *slots = (int(number) for number in job)
        agents: dict[int, Agent] = {}
        for seat, slot in enumerate(slots):
            found = self._classes[slot] if self._classes else None
            if found is None:
                continue
            # Keyed one way: an agent that looks into its generator cannot find the game's seed.
            stream, place = AGENT_STREAM + (self.arm << 8), rotation << 8 | slot
            low, high = replicate & MASK, replicate >> 32
            rng = np.random.default_rng(philox(*root_key(self.seed), low, high, stream, place))
            player = self._players[slot]
            own = {name: value for name, value in player.params.items() if name != NEVER}
            try:
                agents[seat] = found(rng, **own)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # it is a user's class: anything may happen
                message = f"agent '{player.name}' cannot be made: {_story(error)}."
                raise AgentError(message, player.name, seat, 0) from error
        return agents


class NoAnswerError(BaseException):
    """An agent took too long; not an Exception, so that agents do not catch it by chance."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(seconds)


@contextmanager
def woken(seconds: float | None) -> Iterator[None]:
    """Raise NoAnswerError inside if that takes longer; from then on every second."""
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def wake(number: int, frame: object) -> None:
        raise NoAnswerError(seconds)

    before = signal.signal(signal.SIGALRM, wake)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ask(
    player: Player,
    agent: Agent,
    view: View,
    legal: list[int],
    job: Any,
    watchdog_s: float | None,
) -> int:
    """Ask an agent for its action.

    Raises
    ------
    AgentError : if it fails, or answers with something that is no legal action
    """
    place = (
        f"agent '{player.name}' ({player.kind}) at replicate {job[0]}, rotation {job[1]}, "
        f"seat {view.seat}, ply {view.ply}"
    )
    who = (player.name, view.seat, view.ply)
    try:
        with woken(watchdog_s):
            answer = agent.act(view)
    except KeyboardInterrupt:
        raise
    except NoAnswerError as error:
        raise AgentError(f"{place}: no answer within {error.seconds:g} s.", *who) from error
    except BaseException as error:  # it is a user's class: anything may happen
        raise AgentError(f"{place}: {_story(error)}.", *who) from error
    try:
        action = operator.index(answer)
    except Exception:
        what = _shown(answer, repr)[:60]
        message = f"act returned {what}; an action of view.legal_actions is expected."
        raise AgentError(f"{place}: {message}", *who) from None
    if action not in legal:
        shown = ", ".join(view.text(option) for option in legal[:5])
        more = ", ..." if len(legal) > 5 else ""
        message = f"act returned {action}, which is not legal. Legal ({len(legal)}): {shown}{more}"
        raise AgentError(f"{place}: {message}", *who)
    return action


def _shown(thing: object, form: Callable[[Any], str]) -> str:
    """Text of a user's object, whose own methods may fail."""
    try:
        return form(thing)
    except Exception:
        return f"a {type(thing).__name__}"


def _story(error: BaseException) -> str:
    """What went wrong and where in the user's file, in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {_shown(error, str)}".split())
    return f"{what} ({Path(last.filename).name}:{last.lineno})"
