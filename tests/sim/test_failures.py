"""Games that fail are noted, and the run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reefsim.core.agent import AgentError
from reefsim.errors import ConfigError
from reefsim.games import registry
from reefsim.logs.encode import ArmLabels, Encoder, join
from reefsim.logs.read import open_run
from reefsim.sim.design import loads
from reefsim.sim.playout import jobs_of
from reefsim.sim.runner import run
from reefsim.sim.table_play import Player, make_table
from tests.runs import TEXT, digests, small_parts

HERE = Path(__file__).parent
OWN = TEXT.replace("b: {kind: random}", 'b: {kind: "own_agents:%s"}').replace("15", "6")
OWN += "limits: {max_plies: 120%s}\n"


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)


def play(out: Path, kind: str, limits: str = "", **options: Any) -> Path:
    text = OWN % (kind, limits)
    options = {"workers": 1, **options, "out": out}
    return run(loads(text, HERE / "own.yaml", **options), mode="plain")


@pytest.mark.parametrize(
    "options",
    [{"workers": 2}, {"chunk": 1, "workers": 2}, {"backend": "loky", "workers": 2}],
    ids=str,
)
def test_a_failed_game_is_noted_and_the_others_are_as_ever(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    one = play(tmp_path / "one", "Shaky")
    two = play(tmp_path / "two", "Shaky", **options)
    assert digests(one) == digests(two)
    found = open_run(two)
    failed = found.failures
    counts = found.manifest["counts"]
    assert 0 < len(failed) < 24
    assert counts["complete"]
    assert counts["failed"] == len(failed) == 24 - counts["games"]
    assert len(found.games) == counts["games"]
    assert len(found.players) == 2 * counts["games"]
    assert not set(failed["game_id"]) & set(found.games["game_id"])
    assert set(found.events["game_id"]) == set(found.games["game_id"])
    assert set(found.turns["game_id"]) == set(found.games["game_id"])
    row = failed.iloc[0]
    assert (row["kind"], row["agent"], row["seed"]) == ("agent", "b", 7)
    assert row["error"].startswith("agent 'b' (own_agents:Shaky) at replicate ")
    assert "ValueError: shaken" in row["error"]
    assert "own_agents.py:" in row["traceback"]
    assert "in act" in row["traceback"]
    assert str(tmp_path) not in row["traceback"]
    last = [json.loads(text) for text in row["last_actions"]]
    assert last[-1]["ply"] == row["ply"] - 1
    assert len(last) == 10


def test_a_run_with_failures_goes_on_where_it_was(tmp_path: Path) -> None:
    out = play(tmp_path / "run", "Shaky")
    before = digests(out)
    for path in [*out.glob("games/*/part-00000.parquet"), *out.glob("failures/*/*.parquet")][:2]:
        path.unlink()
    play(out, "Shaky")
    assert digests(out) == before


def test_a_run_in_which_every_game_fails(tmp_path: Path) -> None:
    found = open_run(play(tmp_path / "run", "Never"))
    assert found.manifest["counts"]["failed"] == 24
    assert len(found.games) == len(found.players) == 0
    assert len(found.failures) == 24
    assert set(found.failures["error"]) == {
        f"agent 'b' cannot be made: OSError: no file (own_agents.py:{_line('no file at all')})."
    }


def _line(text: str) -> int:
    lines = (HERE / "own_agents.py").read_text(encoding="utf-8").splitlines()
    return next(i for i, line in enumerate(lines, 1) if text in line)


def test_rules_that_fail_are_noted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.get("reef_encounter")
    table = make_table([Player("a", "random", {})] * 2, game, game.ruleset(), seed=3, mode="plain")
    jobs = jobs_of([(0, 1)], 0, 4)
    whole = table.play(jobs)
    original = table._kernels.play_games

    def play_games(*args: Any) -> int:
        jobs, first = args[9], args[16]
        if any(job[0] == 2 for job in jobs[first:]):
            original(*args)
            raise IndexError("list index out of range")
        return int(original(*args))

    monkeypatch.setattr(table._kernels, "play_games", play_games)
    with pytest.raises(IndexError):
        table.play(jobs)
    found = table.play(jobs, keep_failures=True)
    [failure] = found.failures
    assert (failure.number, failure.kind, failure.agent) == (2, "rules", None)
    assert failure.error == "IndexError: list index out of range"
    kept = [0, 1, 3]
    assert found.games[kept].tolist() == whole.games[kept].tolist()
    labels = ArmLabels(0, "a", "r", "{}", "l", ("a", "a"), 3, "0")
    tables = Encoder(game, labels).encode(join([found]))
    wanted = Encoder(game, labels).encode(join([whole]))
    others = [game_id != 2000 for game_id in wanted["events"].column("game_id").to_pylist()]
    assert tables["events"].equals(wanted["events"].filter(others))
    assert tables["failures"].column("game_id").to_pylist() == [2000]


def test_other_users_of_tables_hear_of_a_failure() -> None:
    game = registry.get("reef_encounter")
    faulty = Player("mine", "own_agents:Faulty", {}, HERE)
    table = make_table(
        [Player("a", "random", {}), faulty], game, game.ruleset(), seed=3, mode="plain"
    )
    with pytest.raises(AgentError) as error:
        table.play(jobs_of([(0, 1)], 0, 2))
    assert error.value.agent == "mine"


def test_a_hanging_agent_is_woken(tmp_path: Path) -> None:
    limits = ", watchdog_s: 0.5"
    with pytest.raises(ConfigError, match=r"limits.watchdog_s: an agent that hangs can be stopped"):
        play(tmp_path / "run", "Sleepy", limits)
    found = open_run(play(tmp_path / "run", "Sleepy", limits, backend="loky"))
    failed = found.failures
    assert 0 < len(failed) < 24
    assert set(failed["kind"]) == {"watchdog"}
    assert failed["error"].str.endswith("no answer within 0.5 s.").all()
    kinds = found.manifest["counts"]["failures"]
    assert sum(of_arm["watchdog"] for of_arm in kinds.values()) == len(failed)
    assert found.manifest["same_bytes"] is False
