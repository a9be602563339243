"""Oracles: chances of winning for the positions of saved games.

* `evaluation`: the game's evaluation turned into chances, as the search does at its leaves, with
  the spread that fits the results of the games judged;
* `points`: each seat's share of the true points of the moment;
* `rollouts`: what seats win when a cheap player plays the game to its end, many times, from the
  true position at the end of each turn, with standard errors; costly.

All look at the true position, hidden stocks included. The games are a sample of those whose events
were kept, evenly spread over the replicates, always the same. What is found lies beside the tables
of the run (`reefsim.metrics.trace_files`); it is worked out again only if sample or settings
changed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import scipy.optimize
import scipy.special
from numpy.typing import NDArray

from reefsim.agents.kinds import KINDS, record_values, resolve_params
from reefsim.agents.records import AGENT, DESK, NODE, NUM_STATES
from reefsim.agents.search import tree_room
from reefsim.agents.weights import find_weights
from reefsim.core.datafiles import looking_in
from reefsim.core.game import Game
from reefsim.core.kernel import Mode
from reefsim.core.rng import root_key
from reefsim.core.ruleset import Ruleset
from reefsim.core.wording import did_you_mean, sentences
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.logs.files import arrow_place
from reefsim.logs.manifest import arm_rules
from reefsim.logs.read import Run
from reefsim.logs.write import write_table
from reefsim.metrics import choice, trace_files
from reefsim.metrics.trace import DECISION, between_turns
from reefsim.sim import loop, retrace
from reefsim.sim.plan import rules_source
from reefsim.sim.retrace import EVALUATION, KIND, LEGAL, NUM_MARKS, PLY, POINTS, SEAT, TURN

# Replicates of each arm that are judged if nothing is said; a game costs a rollout a minute.
ORACLES = {"evaluation": 100, "points": 100, "rollouts": 5}
LEAST_GAMES = 20  # to calibrate on
FORMAT = 1  # raised when what the files say changes
_PLAYOUT_STREAM = 7  # of the experiment's seed; the chance of its games has none of its own
_META = b"reefsim"
_MODULES = (*loop.KERNELS, sys.modules[retrace.__name__])
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Settings:
    """How an oracle works.

    Attributes
    ----------
    oracle : one of `ORACLES`
    options : whether all legal actions of each decision are judged, too (by `evaluation` only)
    calibrate : whether the spread by which the evaluation becomes chances is fitted to the results
        of the games judged, of all arms together, if they are at least `LEAST_GAMES`; else it is
        that of the weights
    playouts : of each position, for `rollouts`
    player : kind of the built-in player that plays them on, on every seat
    """

    oracle: str = trace_files.DEFAULT
    options: bool = True
    calibrate: bool = True
    playouts: int = 32
    player: str = "greedy"

    def __post_init__(self) -> None:
        for what, name, known in (
            ("an oracle", self.oracle, tuple(ORACLES)),
            ("a built-in player", self.player, tuple(KINDS)),
        ):
            if name not in known:
                there = f"There are: {', '.join(known)}."
                question = did_you_mean(name, known)
                raise RunError(sentences(f"'{name}' is not {what}.", question, there))
        if not 1 <= self.playouts <= 10_000:
            raise RunError(f"playouts: {self.playouts} is outside 1 to 10 000.")

    def described(self) -> dict[str, Any]:
        """What decides the values, without what the oracle does not use."""
        used = {
            "evaluation": ("options", "calibrate"),
            "points": (),
            "rollouts": ("playouts", "player"),
        }[self.oracle]
        return {name: value for name, value in asdict(self).items() if name in ("oracle", *used)}


def appraise(
    run: Run,
    settings: Settings | None = None,
    *,
    replicates: int | None = None,
    arms: Sequence[str] | None = None,
    mode: Mode = "jitted",
) -> list[Path]:
    """Let an oracle judge the positions of a sample of games, as far as it has not done so.

    Parameters
    ----------
    run : an open run; events of some of its games must have been kept
    settings : of the oracle; None: the evaluation
    replicates : how many to judge in each arm, with all their rotations; all there are if fewer;
        None: as `ORACLES` has it
    arms : which; None: all
    mode : "jitted", or "plain" for small samples; chances may differ in the last digits

    Returns
    -------
    the files with the values, one for each part of the run with games of the sample

    Raises
    ------
    RunError : if no events were kept, or a game does not play as it is recorded
    """
    settings = settings or Settings()
    if settings.oracle != trace_files.DEFAULT:
        settings = replace(settings, options=False, calibrate=False)
    wanted_replicates = ORACLES[settings.oracle] if replicates is None else replicates
    game = registry.get(run.manifest["game"])
    sample = {arm: _sample(run, arm, wanted_replicates) for arm in run.arms}
    if not any(sample.values()):
        raise RunError(
            f"{run.folder}: no events were kept, so that no game can be judged "
            "(save.events in the experiment)."
        )
    judges = {arm: _Judge(run, game, arm, settings, mode) for arm in run.arms if sample[arm]}
    fitted_to = _fitted_to(sample) if settings.calibrate else None
    found, missing = [], []
    for arm in run.arms if arms is None else arms:
        for part, numbers in sample[arm].items():
            path = trace_files.trace_path(run.folder, settings.oracle, *part)
            meta = judges[arm].described(numbers) | {"fitted_to": fitted_to}
            found.append(path)
            if {**_meta_of(path), "spread": None} != {**meta, "spread": None}:
                missing.append((path, judges[arm], part, numbers, meta))
    if missing and fitted_to:
        parts = [
            (judges[arm], part, numbers)
            for arm in run.arms
            for part, numbers in sample[arm].items()
        ]
        raw = [chance for judge, part, numbers in parts for chance in judge.chances(part, numbers)]
        factor = fit_sharpness(raw) if len(raw) >= LEAST_GAMES else 1.0
        for judge in judges.values():
            judge.spread = float(f"{judge.spread / factor:.3g}")
    for path, judge, part, numbers, meta in missing:
        table = judge.table(part, numbers)
        text = json.dumps(meta | {"spread": judge.spread})
        write_table(path, table.replace_schema_metadata({_META: text}))
    return found


def fit_sharpness(games: Sequence[Floats]) -> float:
    """How much sharper chances should be to fit results best, by maximum likelihood.

    Parameters
    ----------
    games : for each game float64, shape (positions, seats): chances, the last row the result;
        games count alike, however long they are

    Returns
    -------
    k such that E^k / sum E^k has the smallest mean logarithmic loss, 1/50 to 50; below 1 the
    chances were too sure
    """
    logs = [np.log(np.clip(chance[:-1], 1e-12, 1)) for chance in games if len(chance) > 1]
    won = [chance[-1] for chance in games if len(chance) > 1]

    def loss(log_k: float) -> float:
        total = 0.0
        for log, result in zip(logs, won, strict=True):
            scaled = np.exp(log_k) * log
            total -= float((scipy.special.log_softmax(scaled, axis=1) @ result).mean())
        return total / len(logs)

    bounds = (-np.log(50), np.log(50))
    return float(np.exp(scipy.optimize.minimize_scalar(loss, bounds=bounds, method="bounded").x))


def _sample(run: Run, arm: str, wanted: int) -> dict[tuple[str, int], list[int]]:
    """The replicates of an arm that are judged, by part."""
    kept = {part: _kept(run, part) for part in run.parts([arm])}
    chosen = set(_spread(np.unique(np.concatenate([*kept.values(), []])), wanted))
    by_part = {
        part: [int(n) for n in np.unique(found) if n in chosen] for part, found in kept.items()
    }
    return {part: found for part, found in by_part.items() if found}


def _fitted_to(sample: Mapping[str, Mapping[Any, list[int]]]) -> dict[str, list[int]]:
    """The replicates of each arm on whose results the evaluation is calibrated."""
    return {arm: [n for found in parts.values() for n in found] for arm, parts in sample.items()}


def count_games(path: Path) -> int:
    """Games in a file of an oracle."""
    system, name = arrow_place(path)
    ids = pq.read_table(name, columns=["game_id"], filesystem=system)
    return len(ids.column("game_id").unique())


def _kept(run: Run, part: tuple[str, int]) -> Ints:
    """Replicates of a part of which events were kept."""
    ids = run.table("events", ["game_id"], None, [part])["game_id"].unique()
    games = run.table("games", ["game_id", "replicate"], None, [part])
    kept: Ints = games.loc[games["game_id"].isin(ids), "replicate"].unique().astype(np.int64)
    return kept


def _spread(numbers: NDArray[Any], wanted: int) -> list[int]:
    """Pick some numbers of a rising list, evenly spread, the first one always."""
    if len(numbers) <= wanted:
        return [int(number) for number in numbers]
    return [int(number) for number in numbers[np.arange(wanted) * len(numbers) // wanted]]


def _meta_of(path: Path) -> dict[str, Any]:
    """What a file says of the oracle that made it; nothing if there is none that can be read."""
    try:
        system, name = arrow_place(path)
        schema = pq.read_schema(name, filesystem=system)
        found: dict[str, Any] = json.loads((schema.metadata or {})[_META])
        return found
    except (OSError, pa.ArrowException, KeyError, ValueError):
        return {}


class _Judge:
    """An oracle set up for the games of one arm."""

    def __init__(self, run: Run, game: Game, arm: str, settings: Settings, mode: Mode) -> None:
        manifest = run.manifest
        index = run.arms.index(arm)
        self.run, self.game, self.settings, self.mode = run, game, settings, mode
        self.seats = int(manifest["seats"])
        with looking_in(run.folder):
            rules = arm_rules(run.folder, manifest)[arm]
            self.ruleset: Ruleset = game.ruleset.make(rules, self.seats)
        self.weights = find_weights("auto", game, self.ruleset, self.seats, Path()).values
        self.spread = self.weights["spread"]
        self.chance_arm = 0 if manifest["pairing"] == "chance" else 1 + index
        self.seed = int(manifest["seed"])
        self.max_plies = int(manifest["experiment"].get("max_plies") or 0)
        self.actions = _ActionReader(game)
        self._kernels = game.build(mode, _MODULES)
        self._rules = game.rules_record(self.ruleset, self.seats, mode)
        self._root = self._array(np.array(root_key(self.seed), np.int64))

    def described(self, replicates: Sequence[int]) -> dict[str, Any]:
        """Everything the values depend on; written into their file."""
        return {
            "format": FORMAT,
            **self.settings.described(),
            "replicates": list(replicates),
            "games": self.run.manifest["config_hash"],
            "rules_source": rules_source(self.game),
            "weights": self.weights,
        }

    def chances(self, part: tuple[str, int], replicates: Sequence[int]) -> list[Floats]:
        """Chances at every position of the games of some replicates of a part, the result last."""
        return [found["chance"] for *_, found in self._games(part, replicates, options=False)]

    def table(self, part: tuple[str, int], replicates: Sequence[int]) -> pa.Table:
        """Judge the games of some replicates of a part."""
        columns = []
        for game_id, replicate, actions, found in self._games(
            part, replicates, options=self.settings.options
        ):
            if self.settings.oracle == "rollouts":
                found = self._roll_out(found, replicate, actions)
            columns.append(self._columns(game_id, found))
        return self._joined(columns)

    def _games(
        self, part: tuple[str, int], replicates: Sequence[int], *, options: bool
    ) -> Iterator[tuple[int, int, Ints, dict[str, Any]]]:
        """Play games of a part again: id, replicate, actions, and what `_retrace` found."""
        games = self.run.table(
            "games", ["game_id", "replicate"], ds.field("replicate").isin(list(replicates)), [part]
        )
        ids = [int(game_id) for game_id in games["game_id"]]
        wanted = ds.field("game_id").isin(ids)
        actions = self.actions.read(self.run, part, ids)
        players = self.run.table("players", ["game_id", "score"], wanted, [part])
        scores = dict(iter(players.groupby("game_id", sort=False)["score"]))
        for game_id, replicate in zip(ids, games["replicate"], strict=True):
            found = self._retrace(game_id, int(replicate), actions[game_id], options)
            if found["points"][-1].tolist() != scores[game_id].tolist():
                raise _disagrees(self.run, game_id, "other points at the end")
            yield game_id, int(replicate), actions[game_id], found

    def _retrace(
        self, game_id: int, replicate: int, actions: Ints, options: bool
    ) -> dict[str, Any]:
        """Play a game again: marks, points, chances and, if wanted, values of all actions."""
        game, seats, rows = self.game, self.seats, len(actions) + 1
        method = EVALUATION if self.settings.oracle == "evaluation" else POINTS
        agents = AGENT.records(1, self.mode)
        weights = self.weights | {"spread": self.spread}
        AGENT.fill(agents[0], record_values("greedy", {"weights": weights}, game))
        room = 64 * rows if options else 0
        while True:
            arrays = {
                "marks": np.zeros((rows, NUM_MARKS), np.int64),
                "points": np.zeros((rows, seats), np.int64),
                "chance": np.zeros((rows, seats)),
                "options": np.zeros(game.max_legal, np.int64),
                "values": np.zeros((room, seats)),
            }
            handed = {name: self._array(array) for name, array in arrays.items()}
            tried = self._kernels.retrace(
                game.state.records(2, self.mode),
                self._rules,
                self._works(2),
                self._array(np.zeros(0, np.int64)),
                agents,
                self._root,
                replicate,
                self.chance_arm,
                seats,
                self._array(actions),
                method,
                *handed.values(),
            )
            if tried < 0:
                raise _disagrees(self.run, game_id, f"its decision {-1 - tried} is not legal")
            if tried <= room or not room:
                break
            room = tried
        return {
            name: np.array(handed[name], array.dtype).reshape(array.shape)
            for name, array in arrays.items()
        }

    def _roll_out(self, found: dict[str, Any], replicate: int, actions: Ints) -> dict[str, Any]:
        """Replace the chances by those of playouts, at the positions between turns."""
        seats, playouts = self.seats, self.settings.playouts
        rows = between_turns(found["marks"][:, TURN])
        stops = rows[:-1]
        params = resolve_params(self.settings.player, {})
        params = {name: value for name, value in params.items() if name != "weights"}
        values = record_values(self.settings.player, params | {"weights": self.weights}, self.game)
        players = AGENT.records(seats, self.mode)
        for seat in range(seats):
            AGENT.fill(players[seat], values)
        root = np.random.SeedSequence(self.seed, spawn_key=(_PLAYOUT_STREAM,)).generate_state(2)
        won, squares = (self._array(np.zeros((len(stops), seats))) for _ in range(2))
        nothing: Any = np.zeros((0, 1), np.int64) if self.mode == "jitted" else []
        self._kernels.roll_out(
            self.game.state.records(NUM_STATES + 1, self.mode),
            self._rules,
            self._works(3),
            DESK.records(1, self.mode),
            NODE.records(tree_room(values.get("iterations", 0)), self.mode),
            players,
            self._array(np.zeros(0, np.int64)),
            nothing,
            self._root,
            replicate,
            self.chance_arm,
            seats,
            self._array(actions),
            self._array(stops.astype(np.int64)),
            playouts,
            self._array(root.astype(np.int64)),
            self.max_plies,
            won,
            squares,
        )
        mean = np.array(won, float).reshape(-1, seats) / playouts
        spread = np.array(squares, float).reshape(-1, seats) / playouts - mean**2
        error = np.sqrt(np.maximum(spread, 0) / max(playouts - 1, 1))
        return {
            "marks": found["marks"][rows],
            "points": found["points"][rows],
            "chance": np.vstack([mean, found["chance"][-1:]]),
            "error": np.vstack([error, np.zeros((1, seats))]),
            "values": found["values"],
        }

    def _columns(self, game_id: int, found: Mapping[str, Any]) -> dict[str, Any]:
        """Columns of the file for one game, as arrays."""
        marks, chance = found["marks"], found["chance"]
        error = found.get("error", np.zeros_like(chance))
        columns: dict[str, Any] = {
            "game_id": np.full(len(marks), game_id),
            "ply": marks[:, PLY],
            "turn": marks[:, TURN],
            "seat": marks[:, SEAT],
            "action": marks[:, KIND],
            "legal": marks[:, LEGAL],
        }
        for name, block in (("chance", chance), ("error", error), ("points", found["points"])):
            columns |= {f"{name}_{p}": block[:, p] for p in range(self.seats)}
        judged = np.full((len(marks), len(DECISION)), np.nan)
        if self.settings.options:
            _summarize(marks, found["values"], judged)
        return columns | dict(zip(DECISION, judged.T, strict=True))

    def _joined(self, games: Sequence[Mapping[str, Any]]) -> pa.Table:
        arrays, fields = [], trace_files.fields(self.seats)
        for field in fields:
            values = np.concatenate([columns[field.name] for columns in games])
            if field.name == "action":
                indices = pa.array(values.astype(np.int16), mask=values < 0)
                array = pa.DictionaryArray.from_arrays(indices, list(self.game.action_kinds))
            else:
                mask = values < 0 if field.nullable else None
                array = pa.array(values, mask=mask).cast(field.type)
            arrays.append(array)
        schema = pa.schema([pa.field(f.name, f.type, f.nullable) for f in fields])
        return pa.Table.from_arrays(arrays, schema=schema)

    def _works(self, number: int) -> Any:
        """Work records of which the last one, or the first of two, counts the game's events."""
        works = self.game.work.records(number, self.mode)
        works[0].logging = 1
        if number > 2:
            works[2].logging = 1
        return works

    def _array(self, array: NDArray[Any]) -> Any:
        return array if self.mode == "jitted" else array.tolist()


def _summarize(marks: Ints, values: Floats, judged: Floats) -> None:
    """Write what the values of all legal actions say of each decision with a choice.

    Parameters
    ----------
    marks : int64, shape (positions, NUM_MARKS)
    values : shape (actions tried, seats), decision after decision
    judged : shape (positions, len(DECISION)), to be filled
    """
    ends = np.cumsum(marks[:, LEGAL])
    for n in range(1, len(marks)):
        if marks[n, LEGAL] < 2:
            continue
        q, seat = values[ends[n - 1] : ends[n]], int(marks[n, SEAT])
        own = q[:, seat]
        best = own.max()
        judged[n] = (
            best,
            best - choice.sharpness(own),
            own.min(),
            choice.near_best(own),
            choice.effective_choices(own),
            choice.kingmaking(q, seat).swing,
        )


class _ActionReader:
    """Reads the actions of games off their events; equal rows are worked out once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[tuple[Any, ...], int] = {}
        self._names = [name for name, role in game.events.names if role == "action"]
        # columns that follow from the position, as the number of legal actions, tell no action
        self._columns = [
            column.name for column in game.events.columns if column.name not in ("turn", "n_legal")
        ]

    def read(self, run: Run, part: tuple[str, int], ids: Sequence[int]) -> dict[int, Ints]:
        """Read the actions of games of a part, in the order of play."""
        wanted = ds.field("game_id").isin(list(ids)) & ds.field("event").isin(self._names)
        columns = ["game_id", "event", *self._columns]
        rows = run.table("events", columns, wanted, [part])
        found: dict[int, list[int]] = {game_id: [] for game_id in ids}
        texts = [rows[name].astype(object).where(rows[name].notna(), None) for name in columns[1:]]
        for game_id, *row in zip(rows["game_id"], *texts, strict=True):
            key = tuple(row)
            if key not in self._known:
                told = dict(zip(columns[1:], key, strict=True))
                self._known[key] = self._game.action_of(
                    {name: value for name, value in told.items() if value is not None}
                )
            found[int(game_id)].append(self._known[key])
        return {game_id: np.array(actions, np.int64) for game_id, actions in found.items()}


def _disagrees(run: Run, game_id: int, what: str) -> RunError:
    return RunError(
        f"{run.folder}: game {game_id} does not play as it is recorded: {what}. "
        "Has the run been played by another version of the rules?"
    )
