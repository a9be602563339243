"""Players at work on one position, in either mode, and positions from played games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from reefsim.agents.kinds import OUTSIDE, record_values, resolve_params
from reefsim.agents.records import AGENT, DESK, NODE, NOW, NUM_STATES
from reefsim.agents.search import tree_room
from reefsim.core.driver import TURN_BASE
from reefsim.core.game import Game
from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.core.presets import presets
from reefsim.core.rng import root_key, seed_agent
from reefsim.core.work import list_actions
from reefsim.games.reef_encounter.constants import P_FINAL, P_LARVAE, P_STASH
from reefsim.games.reef_encounter.game import GAME
from reefsim.sim.loop import KERNELS
from reefsim.testing import PlayedGame
from tests.games.reef_encounter.told import WEIGHTS

PRESETS = presets(GAME.name)
PLAIN = GAME.build("plain", KERNELS)
_ROOM = 4096  # events of a turn
_EARLY = (P_STASH, P_LARVAE)


def values_of(kind: str, **params: Any) -> dict[str, Any]:
    """Values of the record of a built-in player, with the weights set by hand."""
    resolved = resolve_params(kind, {name: v for name, v in params.items() if name != "weights"})
    return record_values(kind, resolved | {"weights": params.get("weights")}, GAME)


class Player:
    """A player with the records it thinks with."""

    def __init__(
        self, kind: str, mode: Mode = "plain", seed: int = 1, game: Game = GAME, **params: Any
    ) -> None:
        self.mode: Mode = mode
        self.kernels = game.build(mode, KERNELS)
        self.values = values_of(kind, **params)
        self.seed = seed
        self.states: Any = GAME.state.records(NUM_STATES, mode)
        self.desks: Any = DESK.records(1, mode)
        self.tree: Any = NODE.records(tree_room(self.values.get("iterations", 0)), mode)

    def agent(self, seat: int) -> Any:
        """Its record at the start of a game, on a seat."""
        agent = AGENT.plain()
        AGENT.fill(agent, self.values)
        seed_agent(agent, root_key(self.seed), 0, 0, seat, 0)
        return agent

    def turn(self, state: Any, match: Match) -> list[int]:
        """The actions it takes from a state on, until another seat is to act.

        Parameters
        ----------
        state : plain
        match : under whose rules it is played
        """
        jitted = self.mode == "jitted"
        seats, seat = int(state.seats), int(state.seat)
        rules = GAME.rules_record(match.ruleset, seats, self.mode)
        works = GAME.work.records(2, self.mode)
        works[0].logging = 1
        GAME.state.fill(self.states[0], vars(state))
        seated: Any = AGENT.records(seats, self.mode)
        for other in range(seats):
            AGENT.fill(seated[other], {"kind": OUTSIDE})
        AGENT.fill(seated[seat], vars(self.agent(seat)))
        log: Any = np.zeros(_ROOM, np.int64) if jitted else [0] * _ROOM
        width = len(TURN_BASE) + len(GAME.action_kinds) + len(GAME.turn_columns)
        turns: Any = np.zeros((0, width), np.int64) if jitted else []
        self.kernels.continue_match(
            *(self.states, rules, works, self.desks, self.tree, seated, log, turns, 0, 0)
        )
        rows = GAME.events.rows([int(code) for code in log[: int(works[0].num_events)]], 0)
        roles = GAME.events.roles
        return [GAME.action_of(row) for row in rows if roles[row["event"]] == "action"]

    def consider(self, match: Match, keep: int = 1) -> Any:
        """Let it plan its turn; what it found is on `desks[0]` and in `tree`.

        Returns
        -------
        the position it imagined last, plain
        """
        agents = AGENT.records(1, self.mode)
        AGENT.fill(agents[0], vars(self.agent(match.seat)))
        GAME.state.fill(self.states[0], vars(match.plain_state()))
        rules = GAME.rules_record(match.ruleset, match.seats, self.mode)
        works = GAME.work.records(2, self.mode)
        log: Any = np.zeros(0, np.int64) if self.mode == "jitted" else []
        self.kernels.consider(self.states, rules, works, log, self.desks, self.tree, agents, keep)
        return GAME.state.to_plain(self.states[NOW])


def drawn(
    seats: int, differences: Mapping[str, Any], seed: int, every: int, rest: int = 3000
) -> Iterator[Match]:
    """Positions of one game: all of its set-up, every so many-th decision, all final feeds."""
    game = PlayedGame(GAME.name, dict(differences), seats, seed, (), rest, WEIGHTS)
    for number, (match, _) in enumerate(game.walk()):
        phase = match.state.phase
        if len(match.legal_actions()) > 1 and (
            phase in _EARLY or phase == P_FINAL or number % every == seed % every
        ):
            yield match.copy()


@cache
def positions(every: int, games: int = 1) -> tuple[Match, ...]:
    """Positions of games at every number of seats, under every preset."""
    return tuple(
        match
        for seats in GAME.seats
        for place, differences in enumerate(PRESETS.values())
        for seed in range(games)
        for match in drawn(seats, differences, 10 * seats + 100 * seed + place, every)
    )


def listed(name: str, match: Match, state: Any = None) -> list[int]:
    """Actions that a kernel of the game (`list_legal`, `propose`) writes for a match, plain."""
    work = GAME.work.plain()
    getattr(PLAIN, name)(state or match.plain_state(), match.rules, work)
    actions = [0] * GAME.max_legal
    return actions[: list_actions(work, actions)]


def plans_on(desk: Any) -> list[tuple[float, int, list[int]]]:
    """The finished turns on a desk: value, fingerprint, actions."""
    found = []
    for i in range(int(desk.num_done)):
        plan = [0] * 64
        length = PLAIN.read_trail(desk, int(desk.done_trail[i]), plan)
        found.append(
            (float(desk.done_value[i]), int(desk.done_print[i]), [int(a) for a in plan[:length]])
        )
    return found
