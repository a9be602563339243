"""Games played on from a decision with another action."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import reefsim as rs
from reefsim.cli.app import app
from reefsim.core.record import read_record
from reefsim.errors import IllegalActionError, ReefsimError, RunError
from reefsim.sim import fork as fork_module
from tests.runs import play

RECORDS = Path(__file__).parents[1] / "data" / "records"
FILES = (
    "reef_encounter/2p_base_01_four_eaten.jsonl",
    "reef/2p_numbers_01.jsonl",
    "charon_inc/3p_base_02.jsonl",
    "poseidons_kingdom/2p_base_01_eating.jsonl",
)


def another(game: rs.api.PlayedGame, ply: int) -> str:
    """An action that was not played."""
    position = game.at(ply)
    codes = position.match.legal_actions()
    played = position.match.game.action_of(game.record.rows[ply])
    return position.legal[next(i for i, code in enumerate(codes) if code != played)]


@pytest.mark.parametrize("file", FILES)
def test_a_fork_is_a_game_by_the_rules_that_begins_alike(file: str) -> None:
    game = rs.open_record(RECORDS / file)
    choices = [ply for ply in game.decisions if game.record.rows[ply]["n_legal"] > 1]
    ply = choices[len(choices) * 2 // 3]
    action = another(game, ply)
    found = game.fork(ply, action, agent="random", mode="plain")
    assert found.saved.follow().ok
    rows, others = game.record.rows, found.record.rows
    assert others[:ply] == rows[:ply]
    assert others[ply] != rows[ply]
    match = game.at(ply).match
    assert match.game.format_action(match.game.action_of(others[ply])) == action
    assert found.record.header["agents"] == ["random"] * game.record.players
    again = game.fork(ply, action, agent="random", mode="plain")
    assert again.record.rows == others
    elsewhere = game.fork(ply, action, agent="random", seed=5, mode="plain")
    assert elsewhere.record.rows != others


def test_a_class_of_ones_own_may_play_on() -> None:
    game = rs.open_record(RECORDS / FILES[1])
    ply = game.decisions[20]
    name = "tests.sim.own_agents:Chance"
    found = game.fork(ply, game.at(ply).legal[-1], agent=name, mode="plain")
    assert found.saved.follow().ok
    assert {row["agent"] for row in found.record.results} == {name}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> rs.Run:
    return rs.open(play(tmp_path_factory.mktemp("fork") / "run"))


def test_what_is_no_fork_is_refused(run: rs.Run) -> None:
    game = run.find("longest")
    ply = game.decisions[-1]
    with pytest.raises(IllegalActionError, match="is not legal for seat"):
        game.fork(ply, "stash white", mode="plain")
    with pytest.raises(ReefsimError, match="ply"):
        game.fork(ply, "dance", mode="plain")
    with pytest.raises(ReefsimError, match="there is no ply 99999"):
        game.fork(99999, "end", mode="plain")


def test_agents_of_the_run_play_on_and_luck_stays(run: rs.Run) -> None:
    """What is drawn after a fork is what the run draws: the same action leads to the same draws."""
    game = run.find("typical")
    roles = game.saved.game.events.roles
    rows = game.record.rows
    ply = next(p for p in game.decisions if roles[rows[p + 1]["event"]] == "chance" and p > 20)
    match = game.at(ply).match
    same = match.game.format_action(match.game.action_of(rows[ply]))
    found = game.fork(ply, same, mode="plain").record
    drawn = [row for row in rows[ply + 1 :] if roles[row["event"]] == "chance"]
    assert found.rows[ply : ply + 2] == rows[ply : ply + 2]
    assert drawn[0] == found.rows[ply + 1]
    assert found.header["agents"] == game.record.header["agents"]


def test_games_are_found_by_name_and_shown(run: rs.Run, tmp_path: Path) -> None:
    games = run.games
    longest = run.find("longest")
    assert longest.record.rows[-1]["turn"] == games.turns.max()
    in_arm = run.find("shortest", arm="advanced-table")
    assert in_arm.record.rows[-1]["turn"] == games.turns[games.arm == "advanced-table"].min()
    assert "<svg" in longest._repr_html_()
    assert "over" in str(longest.show())
    assert "points>" in repr(longest)
    assert longest.events.text.str.len().min() > 5
    assert longest.at(longest.decisions[0]).legal
    page = longest.watch(tmp_path / "longest.html")
    assert page.stat().st_size > 10_000
    with pytest.raises(RunError, match="Did you mean 'longest'"):
        run.find("longst")
    with pytest.raises(RunError, match="is not an arm"):
        run.find("longest", arm="nothing")
    with pytest.raises(RunError, match=r"no game that was kept is 'kingmaking'.*reefsim appraise"):
        run.find("kingmaking")


def test_tables_of_lengths_and_stories(run: rs.Run) -> None:
    curve = rs.length_curve(run, "turns", by=["ruleset"])
    assert list(curve) == ["ruleset", "turns", "over"]
    with pytest.raises(RunError, match="reefsim appraise"):
        rs.story(run)


def test_the_command(run: rs.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = fork_module.make_table
    monkeypatch.setattr(
        fork_module, "make_table", lambda *a, **k: make(*a, **k | {"mode": "plain"})
    )
    game = run.find("longest")
    ply = next(p for p in game.decisions[50:] if game.record.rows[p]["n_legal"] > 1)
    action, out = another(game, ply), tmp_path / "other.jsonl"
    args = ["replay", str(run.folder), "--game", str(game.saved.number), "--fork", str(ply), action]

    def said(*more: str) -> str:
        result = CliRunner().invoke(app, [*args, *more])
        assert result.exit_code == 0, result.output
        return result.stdout

    text = said("--export", str(out))
    assert "played " in text
    assert f"instead {action}" in " ".join(text.split())
    assert "played on by a, b" in text
    assert read_record(out).rows[:ply] == game.record.rows[:ply]
    found = json.loads(said("--json"))
    assert found["instead"]["results"] == read_record(out).results
    refused = CliRunner().invoke(app, ["replay", str(run.folder), "--agent", "random"])
    assert "--agent goes with --fork" in refused.stderr
    listed = CliRunner().invoke(
        app, ["replay", str(run.folder), "--where", "turns > 40 and seed == 7"]
    )
    assert f"{(run.games.turns > 40).sum()} of {len(run.games)} games, " in listed.stdout
    assert f"next: reefsim watch {run.folder} --game " in listed.stdout
    wrong = CliRunner().invoke(app, ["replay", str(run.folder), "--where", "exit()"])
    assert wrong.exit_code == 2
    assert "call is not allowed" in wrong.stderr
