"""One game being played, in either mode: for tests, replays, viewers and users' agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reefsim.core.driver import GAME_BASE, NUM_GAME_BASE, NUM_PLAYER_BASE
from reefsim.core.game import Game
from reefsim.core.kernel import Kernels, Mode
from reefsim.core.rng import root_key
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import with_articles
from reefsim.core.work import MAX_SCRIPT, SCRIPT_OVER
from reefsim.errors import IllegalActionError, ReefsimError

_ROOM = 1024  # events one action can cause at most, with plenty to spare


class ScriptError(ReefsimError):
    """A scripted chance outcome is missing (`missing` true) or impossible.

    `rows` are the events so far, with a possible outcome in place of the missing or impossible one.
    """

    def __init__(self, missing: bool, rows: list[dict[str, Any]]) -> None:
        self.missing, self.rows = missing, rows
        super().__init__(
            "the script of chance outcomes ends too early"
            if missing
            else "a scripted chance outcome is impossible here"
        )


class Match:
    """One game being played.

    Parameters
    ----------
    game, ruleset, seats : what is played; the ruleset must suit the number of seats
    seed, replicate, arm : name the chance of the game; arm 0 is shared by the arms of a run
    mode : "plain" (ordinary Python) or "jitted"; both play the same games
    chance : scripted chance outcomes of the set-up instead of drawn ones; later ones are handed
        to `apply`. Outcomes are ints: the field the chance event carries its outcome in.

    Raises
    ------
    ScriptError : if the script of the set-up is too short or impossible
    """

    def __init__(
        self,
        game: Game,
        ruleset: Ruleset,
        seats: int,
        *,
        seed: int = 0,
        replicate: int = 0,
        arm: int = 0,
        mode: Mode = "plain",
        chance: Sequence[int] | None = None,
        boundscheck: bool = False,
    ) -> None:
        self.game, self.ruleset, self.seats, self.mode = game.under(ruleset), ruleset, seats, mode
        self.seed, self.replicate = seed, replicate
        self._kernels = game.build(mode, boundscheck=boundscheck)
        self._rules = game.rules_record(ruleset, seats, mode)
        self._states = game.state.records(1, mode)
        self._works = game.work.records(1, mode)
        self._log: Any = self._buffer(2 * _ROOM)
        self._actions: Any = self._buffer(game.max_legal)
        self._legal: list[int] | None = None
        self.work.logging = 1
        if chance is None:
            self.draw(seed, replicate, arm)
        else:
            self.work.scripted = 1
            self._script(chance)
        self._kernels.start_match(self._states, self._rules, self._works, self._log, seats)
        self._check_script()

    @classmethod
    def at(
        cls,
        game: Game,
        ruleset: Ruleset,
        kernels: Kernels,
        rules: Any,
        states: Any,
        mode: Mode,
        work: Any = None,
        log: Sequence[int] = (),
    ) -> Match:
        """A match that goes on from a state, which becomes its own; it keeps no further events.

        Parameters
        ----------
        game, ruleset, mode : as for a new match
        kernels : of the game, built in that mode
        rules, states : one rules record and one state, in an array or list of that mode
        work, log : its scratch record and packed events so far, if they matter; of a plain match
        """
        match = object.__new__(cls)
        match.game, match.ruleset, match.mode = game.under(ruleset), ruleset, mode
        match.seats, match.seed, match.replicate = int(states[0].seats), 0, 0
        match._kernels, match._rules, match._states = kernels, rules, states
        match._works = game.work.records(1, mode) if work is None else [work]
        match._log = match._buffer(log)
        match._actions = match._buffer(game.max_legal)
        match._legal = None
        return match

    def draw(self, seed: int, replicate: int = 0, arm: int = 0) -> None:
        """Draw chance from here on, by the key of a game, also where it was scripted so far."""
        self.work.scripted = 0
        self._kernels.key_match(self._states, self._buffer(root_key(seed)), replicate, arm)

    def _buffer(self, content: int | Sequence[int]) -> Any:
        if isinstance(content, int):
            return np.zeros(content, np.int64) if self.mode == "jitted" else [0] * content
        return np.array(content, np.int64) if self.mode == "jitted" else list(content)

    def _script(self, outcomes: Sequence[int]) -> None:
        if len(outcomes) > MAX_SCRIPT:
            raise ReefsimError(f"a script has at most {MAX_SCRIPT} outcomes")
        for i, outcome in enumerate(outcomes):
            self.work.script[i] = outcome
        self.work.script_len, self.work.script_pos = len(outcomes), 0

    def _check_script(self) -> None:
        if self.work.fault:
            raise ScriptError(int(self.work.fault) == SCRIPT_OVER, self.events())

    @property
    def state(self) -> Any:
        """The state record, all of it; fields by name."""
        return self._states[0]

    @property
    def rules(self) -> Any:
        """The rules record."""
        return self._rules[0]

    @property
    def work(self) -> Any:
        """The scratch record with the counters of the game."""
        return self._works[0]

    @property
    def seat(self) -> int:
        """Seat to act."""
        return int(self.state.seat)

    @property
    def turn(self) -> int:
        """Number of the player turn, 0 in the set-up."""
        return int(self.state.turn)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.over)

    @property
    def ply(self) -> int:
        """Events so far."""
        return int(self.work.num_events)

    def legal_actions(self) -> list[int]:
        """All legal actions in increasing order, empty once the game is over."""
        if self._legal is None:
            n = 0
            if not self.over:
                n = self._kernels.list_match(self._states, self._rules, self._works, self._actions)
            self._legal = [int(action) for action in self._actions[:n]]
        return self._legal

    def is_legal(self, action: int) -> bool:
        """Whether the seat to act may take the action."""
        return action in self.legal_actions()

    def apply(self, action: int, chance: Sequence[int] = ()) -> None:
        """Take a legal action.

        Parameters
        ----------
        action : one of `legal_actions`
        chance : in a scripted match, the chance outcomes that follow

        Raises
        ------
        IllegalActionError : with seat, ply, clause and what is legal
        ScriptError : if the outcomes are too few or impossible; the match is unusable then
        """
        legal = self.legal_actions()
        if action not in legal:
            raise IllegalActionError(self.refusal(action))
        if self.work.scripted:
            self._script(chance)
        if self.work.logging and self.ply + _ROOM > len(self._log):
            self._log = self._buffer([*self._log, *[0] * len(self._log)])
        self._legal = None
        self._kernels.step_match(self._states, self._rules, self._works, self._log, action)
        self._check_script()

    def stop(self) -> None:
        """Close the game where it stands, as an engine limit on its length does."""
        self._legal = None
        self._kernels.stop_match(self._states, self._rules, self._works, self._log)

    def refusal(self, action: int) -> str:
        """Say that an action is not legal now, why, and what is."""
        legal = self.legal_actions()
        if self.over:
            return f"no action is legal: the game is over after ply {self.ply}"
        shown = ", ".join(self.game.format_action(a) for a in legal[:5])
        more = ", ..." if len(legal) > 5 else ""
        return (
            f"{self.game.format_action(action)!r} is not legal for seat {self.seat} at ply "
            f"{self.ply}: {self.why_illegal(action)}. Legal here ({len(legal)}): {shown}{more}"
        )

    def why_illegal(self, action: int) -> str:
        """Clause and reason why an action is not legal now."""
        return with_articles(self.game.why_illegal(self.plain_state(), self.rules, action))

    def plain_state(self) -> Any:
        """A plain copy of the state."""
        return self.game.state.to_plain(self.state)

    def state_known_to(self, seat: int) -> Any:
        """A plain copy of the state as a seat may know it."""
        states = self._states[:1].copy() if self.mode == "jitted" else [self._states[0].copy()]
        self._kernels.view_match(states, self._rules, seat)
        return self.game.state.to_plain(states[0])

    @property
    def codes(self) -> list[int]:
        """Packed events so far."""
        return [int(code) for code in self._log[: self.ply]]

    def events(self, first: int = 0) -> list[dict[str, Any]]:
        """Rows of the game record so far, from ply `first` on."""
        codes = [int(code) for code in self._log[first : self.ply]]
        return self.game.events.rows(codes, first)

    def result_row(self) -> tuple[list[int], list[list[int]]]:
        """The raw rows of the tables `games` and `players` for the position as it stands."""
        width = NUM_GAME_BASE + sum(c.width for c in self.game.game_columns)
        seat_width = NUM_PLAYER_BASE + sum(c.width for c in self.game.player_columns)
        game = self._buffer(width)
        if self.mode == "jitted":
            players: Any = np.zeros((self.seats, seat_width), np.int64)
        else:
            players = [[0] * seat_width for _ in range(self.seats)]
        slots = self._buffer(range(self.seats))
        self._kernels.rank_match(self._states, self._rules, self._works, slots, game, players)
        return [int(v) for v in game], [[int(v) for v in row] for row in players]

    @property
    def round(self) -> int:
        """Rounds begun so far."""
        return self.result_row()[0][GAME_BASE.index("rounds")]

    def scores(self) -> list[int]:
        """Points of each seat as things stand."""
        return [row[1] for row in self.result_row()[1]]

    def ranks(self) -> list[int]:
        """Rank of each seat after every tie-break."""
        return [row[2] for row in self.result_row()[1]]

    def results(self) -> list[dict[str, Any]]:
        """The result rows of the record, without the agents' names."""
        rows = []
        for seat, raw in enumerate(self.result_row()[1]):
            row: dict[str, Any] = {"result": True, "seat": seat, "score": raw[1], "rank": raw[2]}
            columns = zip(self.game.player_columns, raw[NUM_PLAYER_BASE:], strict=True)
            own = {c.name: c.in_words(value) for c, value in columns if c.in_record}
            rows.append(row | {name: value for name, value in own.items() if value is not None})
        return rows

    @property
    def end_cause(self) -> str | None:
        """Name of the cause of the end, None while the game runs."""
        return self.game.end_causes[int(self.state.cause) - 1] if self.over else None

    def copy(self) -> Match:
        """An independent copy of the match."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        if self.mode == "jitted":
            twin._states, twin._works = self._states.copy(), self._works.copy()
            twin._log, twin._actions = self._log.copy(), self._actions.copy()
        else:
            twin._states = [state.copy() for state in self._states]
            twin._works = [work.copy() for work in self._works]
            twin._log, twin._actions = self._log[:], self._actions[:]
        return twin

    def moved_to(self, state: Any, work: Any, log: Sequence[int]) -> Match:
        """The same match in plain mode at another position of its game.

        Parameters
        ----------
        state, work : records of either mode
        log : packed events up to there
        """
        return Match.at(
            self.game,
            self.ruleset,
            self.game.build("plain"),
            self.game.rules_record(self.ruleset, self.seats, "plain"),
            [self.game.state.to_plain(state)],
            "plain",
            self.game.work.to_plain(work),
            [int(code) for code in log],
        )

    def to_text(self) -> str:
        """The position as text."""
        return self.game.render_text(self.plain_state(), self.rules)
