"""What the evaluation thinks of a recorded game: chances of winning, and values of every choice.

Chances are those of the oracle `evaluation` (`reefsim.sim.oracle`), not fitted to results: those of
the true position. Values are those of an agent that looks one action ahead, as `greedy` does, knows
what its seat may know, and judges with the weights of the agent that sat there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from reefsim.agents.kinds import KINDS, record_values
from reefsim.agents.records import AGENT, NUM_STATES
from reefsim.agents.weights import AUTO, find_weights
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.rng import root_key, seed_agent
from reefsim.core.wording import listing
from reefsim.errors import ConfigError, ReefsimError, RunError
from reefsim.logs.encode import split_id
from reefsim.logs.saved import SavedGame
from reefsim.metrics.opinion import Opinion
from reefsim.metrics.trace import DECISION, Trace
from reefsim.sim import loop, retrace
from reefsim.sim.asked import Asked, seated, written
from reefsim.sim.retrace import EVALUATION

_JUDGE = "greedy"  # who judges where nobody with weights of its own sat
_JUDGES = [name for name, kind in KINDS.items() if kind.judges]
_SEED = 1  # of what agents imagine of things they cannot know


@dataclass
class _Asker:
    """Asks while a game is played again."""

    saved: SavedGame
    agent: str | None
    wants_values: bool
    mode: Mode
    rows: list[dict[str, Any]] = field(default_factory=list)
    values: dict[int, list[tuple[str, float]]] = field(default_factory=dict)
    seats: list[Asked] = field(default_factory=list)

    def watch(self, match: Match) -> None:
        """Judge a position, and what can be done in it."""
        if not self.rows:
            self._sit_down(match)
        chance: Any = [0.0] * match.seats
        state, work = match.plain_state(), match.game.work.plain()
        self._plain.appraise(state, self._plain_rules[0], work, self._oracle, EVALUATION, chance)
        self.rows.append(
            {"chance": chance, "points": match.scores(), "ply": match.ply, "seat": match.seat}
        )
        if self.wants_values and not match.over:
            self.values[match.ply] = self._judge(match, state)

    def _sit_down(self, match: Match) -> None:
        """Get ready what does not change from position to position."""
        game = match.game
        weights = find_weights(AUTO, game, match.ruleset, match.seats, Path()).values
        self._oracle: Any = AGENT.plain()
        AGENT.fill(self._oracle, record_values(_JUDGE, {"weights": weights}, game))
        self._plain = game.build("plain", (sys.modules[retrace.__name__],))
        self._plain_rules = game.rules_record(match.ruleset, match.seats, "plain")
        if not self.wants_values:
            return
        self.seats = [self._who(match, seat) for seat in range(match.seats)]
        self._kernels = game.build(self.mode, loop.KERNELS)
        self._rules = game.rules_record(match.ruleset, match.seats, self.mode)
        self._states = game.state.records(NUM_STATES, self.mode)
        self._works = game.work.records(2, self.mode)
        self._agents = AGENT.records(1, self.mode)

    def _who(self, match: Match, seat: int) -> Asked:
        """Whose weights judge for a seat; a user's own class is not asked, for that runs code."""
        run, number = self.saved.run, self.saved.number
        asked = None
        if self.agent is not None:
            asked = written(self.agent, match)
            if not _judges(asked):
                what = f"--agent {self.agent}: it judges by no weights."
                raise ReefsimError(f"{what} Those do: {listing(_JUDGES)}.")
        elif run is not None and number is not None:
            name = str(self.saved.record.header["agents"][seat])
            told = run.manifest["arms"][split_id(number)[0]]["agents"].get(name, {})
            if told.get("kind") in KINDS:
                with suppress(RunError, ConfigError):  # what a manifest does not tell
                    asked = seated(run, number, match, name)
        return asked if asked is not None and _judges(asked) else written(_JUDGE, match)

    def _judge(self, match: Match, state: Any) -> list[tuple[str, float]]:
        """Texts and values of the legal actions, best first."""
        asked, actions = self.seats[match.seat], match.legal_actions()
        known = record_values(asked.kind, asked.with_weights, match.game) | {"noise": 0.0}
        AGENT.fill(self._agents[0], known)
        seed_agent(self._agents[0], root_key(_SEED), 0, 0, match.seat, 0)
        match.game.state.fill(self._states[0], vars(state))
        is_jitted = self.mode == "jitted"
        numbers: Any = np.array(actions, np.int64) if is_jitted else actions
        values: Any = np.zeros(len(actions)) if is_jitted else [0.0] * len(actions)
        log: Any = np.zeros(0, np.int64) if is_jitted else []
        self._kernels.judge_actions(
            self._states, self._rules, self._works, log, self._agents, numbers, values
        )
        best = sorted(zip(actions, values, strict=True), key=lambda one: (-one[1], one[0]))
        return [(match.game.format_action(action), float(value)) for action, value in best]

    def judges(self) -> Iterator[str]:
        """Whose values these are, seat by seat."""
        for asked in self.seats:
            yield asked.kind + (f" with weights {asked.words}" if asked.words else "")


def _judges(asked: Asked) -> bool:
    return asked.kind in _JUDGES


def opinion_of(
    saved: SavedGame, *, values: bool = False, agent: str | None = None, mode: Mode = "jitted"
) -> Opinion | None:
    """Ask the evaluation what it thinks of a game.

    Parameters
    ----------
    saved : the game; of one that is none by the rules only what is before that is judged
    values : judge every legal action of every decision, too
    agent : whose weights these values rest on, as `planner` or `greedy:weights=hand`; None: those
        of the agent that sat there, or where that has none those for the game's rules
    mode : how values are worked out; chances are always worked out in plain mode

    Returns
    -------
    Opinion; None if not even the set-up can be followed

    Raises
    ------
    ConfigError : if there is no such agent
    ReefsimError : if it has no weights
    """
    asker = _Asker(saved, agent, values or agent is not None, mode)
    saved.follow(asker.watch)
    if not asker.rows:
        return None
    return Opinion(_trace(saved, asker.rows), asker.values, tuple(asker.judges()))


def _trace(saved: SavedGame, rows: list[dict[str, Any]]) -> Trace:
    told, steps = saved.record.rows, len(rows) - 1
    decisions = [told[row["ply"]] for row in rows[:-1]]
    chance = np.array([row["chance"] for row in rows])
    return Trace(
        chance=chance,
        error=np.zeros_like(chance),
        points=np.array([row["points"] for row in rows]),
        movers=np.array([row["seat"] for row in rows[:-1]], np.int64),
        actions=np.array([row["event"] for row in decisions], object),
        ply=np.array([row["ply"] for row in rows], np.int64),
        turn=np.array([told[max(0, row["ply"] - 1)]["turn"] if told else 0 for row in rows]),
        decisions={name: np.full(steps, np.nan) for name in DECISION},
    )
