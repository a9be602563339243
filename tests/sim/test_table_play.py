"""Agents in ordinary Python at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from reefsim.agents.kinds import import_agent_class
from reefsim.core.agent import AgentError
from reefsim.core.kernel import Mode
from reefsim.games import registry
from reefsim.sim import table_play
from reefsim.sim.playout import Chunk, Table, jobs_of
from reefsim.sim.table_play import OpenTable, Player, make_table

GAME = registry.get("reef_encounter")
JOBS = jobs_of([(0, 1), (1, 0)], 0, 2)
BUILT_IN = [{"kind": 0}, {"kind": 1, "noise": 0.5}]
MODES = ["plain", pytest.param("jitted", marks=pytest.mark.jitted)]
HERE = Path(__file__).parent
RANDOM = Player("r", "random", {})


def own(name: str, **params: object) -> Player:
    return Player("mine", f"own_agents:{name}", params, HERE)


def play(*players: Player, mode: Mode = "plain", seed: int = 1, arm: int = 0) -> Chunk:
    ruleset = GAME.ruleset(max_turns=5)
    return make_table(players, GAME, ruleset, seed=seed, arm=arm, mode=mode).play(JOBS)


def rows(chunk: Chunk) -> list[object]:
    names = ("games", "players", "turns", "events", "ends")
    return [getattr(chunk, name).tolist() for name in names]


@pytest.mark.parametrize("mode", MODES)
def test_built_in_agents_play_the_same_games_at_either_table(mode: Mode) -> None:
    args = (GAME, GAME.ruleset(max_turns=5), 2, BUILT_IN)
    bulk = Table(*args, seed=1, mode=mode).play(JOBS)
    assert rows(OpenTable(*args, seed=1, mode=mode).play(JOBS)) == rows(bulk)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["Chance", "Careful"])
def test_own_agents_play_the_same_games_every_time(name: str, mode: Mode) -> None:
    found = rows(play(own(name), RANDOM, mode=mode))
    assert found == rows(play(own(name), RANDOM, mode=mode))
    assert found == rows(play(own(name), RANDOM, mode="plain"))
    assert found != rows(play(own(name), RANDOM, mode=mode, seed=2))


def test_a_seat_has_random_numbers_of_its_own() -> None:
    """Each hangs on seed, replicate, rotation, slot and, unless arms are paired, arm."""
    both = play(own("Chance"), own("Chance"))
    counts = np.diff(both.ends[:, 0], prepend=0)
    starts = both.ends[:, 0] - counts
    games = [tuple(both.events[a:b]) for a, b in zip(starts, both.ends[:, 0], strict=True)]
    assert len(set(games)) == len(games)
    assert rows(both) != rows(play(own("Chance"), own("Chance"), arm=1))


def test_full_buffers_do_not_change_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rows(play(own("Chance"), RANDOM))
    monkeypatch.setattr(table_play, "_ROOM_EVENTS", 8)
    monkeypatch.setattr(table_play, "_ROOM_TURNS", 1)
    monkeypatch.setattr("reefsim.sim.playout._room", lambda games, each: games and 100)
    assert rows(play(own("Chance"), RANDOM)) == whole


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("raises", r"ply 6\d: ValueError: this was not foreseen \(own_agents.py:\d+\)"),
        ("none", r"ply 6\d: act returned None; an action of view.legal_actions is expected"),
        ("text", r"ply 6\d: act returned 'pass'; an action of view.legal_actions is expected"),
        ("illegal", r"ply 6\d: act returned 12345678, which is not legal. Legal \(\d+\): \w+"),
        ("leaves", r"ply 6\d: SystemExit: 0 \(own_agents.py:\d+\)"),
        ("mumbles", r"ply 6\d: UnspeakableError: a UnspeakableError \(own_agents.py:\d+\)"),
        ("hides", r"ply 6\d: act returned a Hidden; an action of"),
        ("unmade", r"agent 'mine' cannot be made: OSError: no file \(own_agents.py:\d+\)"),
    ],
)
def test_an_agent_that_fails_is_named(fault: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as error:
        play(RANDOM, own("Faulty", fault=fault))
    assert "mine" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_class_that_is_gone() -> None:
    with pytest.raises(AgentError, match="agent 'mine': there is no module 'no_agents'"):
        play(RANDOM, Player("mine", "no_agents:Gone", {}, HERE))


def test_the_generator_of_an_agent_does_not_hold_the_seed_of_the_game() -> None:
    class Spy:
        seen: ClassVar[list[Any]] = []

        def __init__(self, rng: np.random.Generator) -> None:
            self.seen.append(rng.bit_generator.seed_seq.entropy)

    table = make_table([own("Chance")] * 2, GAME, GAME.ruleset(), seed=77, mode="plain")
    assert isinstance(table, OpenTable)
    table._classes = (Spy, Spy)
    table._agents(np.array([5, 0, 0, 1]))
    assert len(set(map(str, Spy.seen))) == 2
    assert not {77, 5} & {word for words in Spy.seen for word in words}


def test_a_class_of_the_same_name_in_another_folder(tmp_path: Path) -> None:
    (tmp_path / "own_agents.py").write_text(
        "class Chance:\n    other = True\n\n    def act(self, view):\n        return 0\n"
    )
    assert hasattr(import_agent_class("own_agents:Chance", tmp_path), "other")
    assert not hasattr(import_agent_class("own_agents:Chance", HERE), "other")
