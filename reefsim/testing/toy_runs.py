"""Made-up runs with known answers: what an estimate should find is what was put in.

A toy game is a race: every seat has a weight, and wins with chance weight / sum of weights. The
tables have the columns and types of the logs, but no rules of any game stand behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

FloatArray = npt.NDArray[np.float64]
CAUSES = ("all_locked", "four_eaten", "supply", "turn_limit")


@dataclass(frozen=True)
class ToyArm:
    """One arm of a toy run.

    Attributes
    ----------
    name : str
    lineup : tuple of str
        Agent by slot; its length is the number of seats. A mixed line-up rotates.
    weights : tuple of float
        Weight of each seat; equal if empty.
    skill : dict
        Factor on the weight of an agent; 1 if not named.
    shared : float
        Share of games that the first two share.
    rounds : float
        Mean rounds above the shortest game of 8.
    max_turns : int
        Games are cut short after so many turns.
    rules : dict
        Differences from the base rules, for the manifest.
    """

    name: str
    lineup: tuple[str, ...] = ("greedy", "greedy", "greedy")
    weights: tuple[float, ...] = ()
    skill: dict[str, float] = field(default_factory=dict)
    shared: float = 0.0
    rounds: float = 8.0
    max_turns: int = 400
    rules: dict[str, Any] = field(default_factory=dict)

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """Slot by seat, one per distinct seating."""
        by_agents = {
            tuple(self.lineup[slot] for slot in order): order
            for order in reversed(list(permutations(range(len(self.lineup)))))
        }
        return sorted(by_agents.values())


@dataclass
class ToyRun:
    """What a report reads of a run."""

    games: pd.DataFrame
    players: pd.DataFrame
    turns: pd.DataFrame
    manifest: dict[str, Any]
    folder: Path = Path("toy")  # there is none

    def parts(self, arms: Sequence[str] | None = None) -> list[tuple[str, int]]:
        """Every arm is one part."""
        names = [arm["name"] for arm in self.manifest["arms"]]
        return [(name, 0) for name in names if arms is None or name in arms]

    def table(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        filters: Any = None,
        parts: Sequence[tuple[str, int]] | None = None,
    ) -> pd.DataFrame:
        """Columns of a table, of some parts; there is nothing to filter."""
        whole: pd.DataFrame = getattr(self, name)
        if parts is not None:
            whole = whole[whole["arm"].isin([arm for arm, _ in parts])]
        return whole if columns is None else whole[list(columns)]


def toy_run(
    arms: Sequence[ToyArm] = (ToyArm("base-table"),),
    replicates: int = 200,
    seed: int = 1,
    luck: float = 0.0,
    **manifest: Any,
) -> ToyRun:
    """Play a toy experiment.

    Parameters
    ----------
    arms : all with equally many seats
    replicates : per arm
    seed : of everything
    luck : share of a seat's chance that belongs to the replicate, in [0, 1]: at 1 all arms and
        rotations of a replicate have the same winner if weights are equal
    **manifest : replace keys of the manifest

    Returns
    -------
    ToyRun
    """
    rng = np.random.default_rng(seed)
    seats = len(arms[0].lineup)
    fates = _Fates(rng.gumbel(size=(replicates, seats)), rng.standard_normal(replicates), luck)
    tables = [_play(index, arm, fates, rng) for index, arm in enumerate(arms)]
    arm_type = pd.CategoricalDtype([arm.name for arm in arms])
    games = pd.concat([table[0] for table in tables], ignore_index=True)
    players = pd.concat([table[1] for table in tables], ignore_index=True)
    for table in (games, players):
        table["arm"] = table["arm"].astype(arm_type)
    games["end_cause"] = games["end_cause"].astype("category")
    players["agent"] = players["agent"].astype("category")
    return ToyRun(games, players, pd.DataFrame(), _manifest(arms, replicates, seed) | manifest)


@dataclass(frozen=True)
class _Fates:
    """Chance that belongs to replicates: Gumbel luck by seat, and a pull on the length."""

    seats: FloatArray
    length: FloatArray
    luck: float


def _play(
    index: int, arm: ToyArm, fates: _Fates, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    replicates, seats = fates.seats.shape
    seatings = np.array(arm.seatings)
    replicate = np.repeat(np.arange(replicates), len(seatings))
    rotation = np.tile(np.arange(len(seatings)), replicates)
    slots = seatings[rotation]
    games = len(replicate)
    agents = np.array(arm.lineup)[slots]
    skill = np.vectorize(lambda name: arm.skill.get(name, 1.0))(agents)
    weights = np.array(arm.weights or (1.0,) * seats) * skill
    # the largest of Gumbel noise + log weight falls on a seat with chance weight / sum of weights
    is_fate = rng.random(games) < fates.luck
    noise = np.where(is_fate[:, None], fates.seats[replicate], rng.gumbel(size=(games, seats)))
    power = noise + np.log(weights)
    order = np.argsort(-power, axis=1)
    score = np.floor(24 + 5 * power).astype(np.int16)
    win_share = np.zeros((games, seats), np.float32)
    rows = np.arange(games)
    win_share[rows, order[:, 0]] = 1.0
    is_shared = rng.random(games) < arm.shared
    for place in (0, 1):
        win_share[rows[is_shared], order[is_shared, place]] = 0.5
        score[rows[is_shared], order[is_shared, place]] = score[is_shared].max(axis=1)
    pull = 0.5 * fates.length[replicate] + 0.5 * rng.standard_normal(games)
    rounds = 8 + np.floor(arm.rounds * np.exp(0.6 * pull)).astype(int)
    ender = rng.integers(seats, size=games)
    turns = (rounds - 1) * seats + ender + 1
    is_cut = turns > arm.max_turns
    turns = np.minimum(turns, arm.max_turns)
    causes = np.array(CAUSES)[rng.choice(3, p=(0.55, 0.40, 0.05), size=games)]
    game_id = index * 10**12 + replicate * 1000 + rotation
    top_two = np.sort(score, axis=1)[:, -2:]
    of_games = pd.DataFrame(
        {
            "arm": arm.name,
            "game_id": game_id,
            "replicate": replicate,
            "rotation": rotation.astype(np.int8),
            "ruleset": arm.name.split("-")[0],
            "players": np.int8(seats),
            "agents": list(agents),
            "turns": turns.astype(np.int16),
            "rounds": np.minimum(rounds, -(-turns // seats)).astype(np.int16),
            "plies": (turns * 7 + rng.integers(40, size=games)).astype(np.int32),
            "end_cause": np.where(is_cut, "turn_limit", causes),
            "ender": pd.array(np.where(is_cut, -1, ender), dtype="Int8"),
            "tiebreak_depth": (top_two[:, 0] == top_two[:, 1]).astype(np.int8),
            "truncated": is_cut,
        }
    )
    of_games.loc[is_cut, "ender"] = pd.NA
    others = (score.sum(axis=1, keepdims=True) - score) / (seats - 1)
    of_players = pd.DataFrame(
        {
            "arm": arm.name,
            "game_id": np.repeat(game_id, seats),
            "seat": np.tile(np.arange(seats, dtype=np.int8), games),
            "slot": slots.ravel().astype(np.int8),
            "agent": agents.ravel(),
            "score": score.ravel(),
            "rank": (1 + np.argsort(order, axis=1)).ravel().astype(np.int8),
            "win_share": win_share.ravel(),
            "margin_others": (score - others).astype(np.float32).ravel(),
        }
    )
    return of_games, of_players


def _manifest(arms: Sequence[ToyArm], replicates: int, seed: int) -> dict[str, Any]:
    names = sorted({agent for arm in arms for agent in arm.lineup})
    return {
        "question": "Is a toy race fair?",
        "game": "toy_race",
        "title": "Toy race",
        "seats": len(arms[0].lineup),
        "seed": seed,
        "pairing": "chance",
        "margin_pp": 2.0,
        "baseline": arms[0].name,
        "command": "reefsim run experiments/toy/config.yaml",
        "versions": {"reefsim": "0.1.0", "rules": "1"},
        "config_text": "question: Is a toy race fair?\n",
        "experiment": {"seed": seed},
        "arms": [
            {
                "name": arm.name,
                "ruleset": arm.name.split("-")[0],
                "lineup": list(arm.lineup),
                "agents": {name: {"kind": name} for name in names if name in arm.lineup},
                "rules": arm.rules,
                "games": replicates * len(arm.seatings),
                "replicates": replicates,
            }
            for arm in arms
        ],
    }
