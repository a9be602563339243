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
from reefsim.sim.fork import fork
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
    page = longest.watch(tmp_path / "longest.html", values=False)
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


RULES = (
    (FILES[0], "advanced", True),
    (FILES[1], "max_turns=12", False),
    (FILES[2], "generous", True),
    (FILES[3], "short", True),
)


@pytest.mark.parametrize(("file", "rules", "is_played_on"), RULES)
def test_the_same_moves_by_other_rules(file: str, rules: str, is_played_on: bool) -> None:
    """A game by other rules is one by these rules: to where it parts its moves are the recorded."""
    game = rs.open_record(RECORDS / file)
    found = fork(game.saved, ruleset=rules, agent="random", mode="plain")
    assert found.game.follow().ok
    assert found.has_players == is_played_on
    assert found.game.record.header["rules"] == found.ruleset.resolved()
    rows, others = game.record.rows, found.game.record.rows
    assert found.ply is not None
    made = [game.saved.game.action_of(rows[ply]) for ply in game.decisions if ply < found.ply]
    other = [
        found.game.game.action_of(row)
        for row in others
        if found.game.game.events.roles[row["event"]] == "action"
    ]
    assert other[: len(made)] == made
    assert found.why
    later = next(ply for ply in game.decisions if ply > found.ply)
    with pytest.raises(ReefsimError, match=f"they end at ply {found.ply}: "):
        game.fork(later, ruleset=rules, mode="plain")


@pytest.mark.parametrize("file", FILES)
def test_by_its_own_rules_a_game_is_the_same(file: str) -> None:
    game = rs.open_record(RECORDS / file)
    rules = game.record.header["rules"].items()
    toggle, own = next((name, value) for name, value in rules if type(value) is int)
    same = fork(game.saved, ruleset=f"{toggle}={own}", mode="plain")
    assert same.game.record.rows == game.record.rows
    assert (same.ply, same.why, same.has_players) == (None, "", False)


def test_luck_is_that_of_the_arm_with_these_rules(run: rs.Run) -> None:
    """The set-up by the rules of another arm is that of its game of the same replicate."""
    arms = [run.games[run.games.arm == arm].game_id for arm in run.arms]
    game, other = (run.game(int(ids.iloc[4])) for ids in arms)
    start = other.decisions[0]
    by_arm = game.fork(ruleset="advanced-table", agent="random", mode="plain")
    assert by_arm.record.rows[:start] == other.record.rows[:start]
    one_more = game.fork(
        ruleset="advanced-table:initial_hand=[6, 10]", agent="random", mode="plain"
    )
    assert one_more.decisions[0] == start + 1
    assert one_more.record.rows[:start] == other.record.rows[:start]


def test_action_and_rules_may_both_be_others(run: rs.Run) -> None:
    game = run.find("typical")
    ply = game.decisions[3]
    action = game.at(ply).legal[-1]
    found = game.fork(ply, action, ruleset="feed_return=3", agent="random", mode="plain")
    assert found.record.header["rules"]["feed_return"] == 3
    assert found.record.rows[:ply] == game.record.rows[:ply]
    match = found.at(ply).match
    assert match.game.format_action(match.game.action_of(found.record.rows[ply])) == action
    assert found.saved.follow().ok


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("", "name a ruleset"),
        ("advancd", "no ruleset or arm of the run .*Did you mean 'advanced'"),
        ("feed_retrun=3", "Did you mean 'feed_return'"),
        ("advanced:feed_return=99", "99 is outside 0-10"),
        ("feed_return=3,feed_return=4", "it stands twice"),
        ("initial_hand=[6]", "1 value for 2 seats"),
    ],
)
def test_rules_that_are_none_are_refused(run: rs.Run, rules: str, message: str) -> None:
    with pytest.raises(ReefsimError, match=message) as error:
        run.game(0).fork(ruleset=rules, mode="plain")
    assert len(str(error.value).splitlines()) == 1


def test_a_record_does_not_tell_the_luck_of_another_set_up() -> None:
    game = rs.open_record(RECORDS / FILES[1])
    with pytest.raises(ReefsimError, match="the set-up under the other rules draws what"):
        game.fork(ruleset="by_hand", mode="plain")


def test_both_outcomes_are_told(run: rs.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    make = fork_module.make_table
    monkeypatch.setattr(
        fork_module, "make_table", lambda *a, **k: make(*a, **k | {"mode": "plain"})
    )
    args = ["replay", str(run.folder), "--game", "longest", "--ruleset", "max_turns=9"]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].endswith(", by max_turns=9 (max_turns 9)")
    assert lines[1].startswith("the same moves up to ply ")
    assert lines[1].endswith("the game is over there (turn_limit)")
    assert lines[2].startswith("the first event that differs: ply ")
    assert "the turn limit stops the game" in result.stdout
    facts = json.loads(CliRunner().invoke(app, [*args, "--json"]).stdout)
    assert facts["rules"] == {"max_turns": 9}
    assert facts["difference"] == facts["instead"]["events"] - 1
