"""`reefsim explain`, as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from reefsim.agents.weights import Weights, by_hand, write_weights
from reefsim.cli.app import app
from reefsim.games import registry
from reefsim.logs.read import open_run
from tests.runs import play

RECORDS = Path(__file__).parents[1] / "data" / "records" / "reef_encounter"
RECORD = RECORDS / "3p_turn_limit_01_tie.jsonl"
OWN = Path(__file__).parents[1] / "sim" / "own_agents.py"
RUN = """\
question: Who is it that sits there?
game: reef_encounter
seats: 2
seed: 7
rulesets: {published: {}}
agents: {a: {kind: greedy, weights: hand}, b: {kind: planner, width: 1, noise: 1.0}}
lineups: {table: [a, b]}
limits: {max_plies: 70}
stopping: {rule: fixed, replicates: 1}
"""


def explain(*args: object) -> Result:
    return CliRunner().invoke(app, ["explain", *map(str, args)])


def fine(*args: object) -> str:
    result = explain(*args)
    assert result.exit_code == 0, result.output
    return result.stdout


def told(*args: object) -> dict[str, Any]:
    found = json.loads(fine(*args, "--json"))
    assert isinstance(found, dict)
    return found


def refused(*args: object, code: int = 2) -> str:
    result = explain(*args)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def test_the_planner_is_asked_if_nobody_else_is() -> None:
    text = fine(RECORD, 51)
    lines = text.splitlines()
    assert lines[0] == (
        "Reef Encounter, 3 players: ply 51, turn 2, seat 1 (whim_filler), 24 legal actions"
    )
    assert lines[1].startswith("asked:  planner (noise 0.0, width 8), seed 1; weights ")
    assert lines[2].startswith("played: to_polyp white (option ")
    assert lines[4].split()[:4] == ["option", "value", "difference", "turn"]
    assert lines[5].split()[0] == "1"
    assert text == fine(RECORD, 51)


def test_programs_get_all_of_it() -> None:
    found = told(RECORD, 51, "--agent", "planner:width=2", "--top", 2, "--seed", 4)
    assert found["agent"] == {"kind": "planner", "width": 2, "noise": 0.0}
    named = {name: found[name] for name in ("ply", "turn", "seat", "num_legal", "seed", "played")}
    assert named == {
        "ply": 51,
        "turn": 2,
        "seat": 1,
        "num_legal": 24,
        "seed": 4,
        "played": "to_polyp white",
    }
    options = found["options"]
    assert [option["rank"] for option in options[:2]] == [1, 2]
    assert any(option["text"] == "to_polyp white" for option in options)  # whatever its rank
    assert len(options) <= 3
    for option in options:
        assert option["plan"][0] == option["text"]
        assert option["value_difference"] == option["value"] - options[0]["value"]


def test_the_search_says_what_it_expects() -> None:
    asked = (RECORD, 51, "--agent", "search:iterations=30,width=3")
    text = fine(*asked)
    assert "search (iterations 30, width 3)" in text
    assert "then seat 2: " in text
    assert {"option", "wins", "visits", "prior", "turn"} <= set(text.splitlines()[4].split())
    assert sum(option["visits"] for option in told(*asked, "--top", 99)["options"]) == 30


def test_the_random_agent_has_no_favorites() -> None:
    assert fine(RECORD, 51, "--agent", "random").splitlines()[3:] == [
        "",
        "each of 24 actions has the same chance",
    ]
    some = fine(RECORD, 51, "--agent", "random:never=[to_polyp]")
    assert "each of 23 actions has the same chance" in some
    assert "random (never [to_polyp])" in some


def test_the_greedy_agent_tells_why_it_would_wait() -> None:
    text = fine(RECORD, 51, "--agent", "greedy:noise=0.5", "--top", 40)
    assert "noise 0.5, whose error is left out here" in text
    assert "improves the position" in text
    assert "ends the turn" in text


def test_a_class_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cli_own.py").write_text(OWN.read_text(encoding="utf-8"), encoding="utf-8")
    text = fine(RECORD.absolute(), 51, "--agent", "cli_own:Careful")
    assert "a class of your own tells no more" in text
    message = refused(RECORD.absolute(), 51, "--agent", "cli_own:Faulty:ply=0", code=4)
    assert "cli_own:Faulty at ply 51, seat 1: ValueError" in message


@pytest.mark.parametrize(
    ("ply", "message"),
    [
        (0, "ply 0 is a chance event. Nearest decision: ply 35."),
        (49, "ply 49 is a chance event. Nearest decision: ply 48 or 51."),
        (93, "ply 93 is the end. Nearest decision: ply 89."),
        (500, "there is no ply 500; the last one is 93. Nearest decision: ply 89."),
    ],
)
def test_a_ply_without_decision(ply: int, message: str) -> None:
    assert refused(RECORD, ply) == f"{RECORD}: {message}\n"


def test_records_that_cannot_be_used(tmp_path: Path) -> None:
    lines = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)

    def written(*content: str) -> Path:
        path = tmp_path / "changed.jsonl"
        path.write_text("".join(content), encoding="utf-8")
        return path

    assert "none.jsonl: cannot be read: No such file" in refused("none.jsonl", 51)
    assert "changed.jsonl:1: not JSON" in refused(written("noise"), 51)
    other = lines[0].replace("reef_encounter", "chess")
    assert "changed.jsonl:1: 'chess' is not a game" in refused(written(other, *lines[1:]), 51)
    crowd = lines[0].replace('"players": 3', '"players": 9')
    assert "changed.jsonl:1: players: 9" in refused(written(crowd, *lines[1:]), 51)
    lost = written(*lines[:43], *lines[44:])
    assert "changed.jsonl: ply 42: " in refused(lost, 50)
    assert fine(lost, 41, "--agent", "greedy")  # what is wrong after it does not matter
    illegal = lines[52].replace("white", "orange")
    assert "changed.jsonl: ply 51: " in refused(written(*lines[:52], illegal, *lines[53:]), 51)
    assert fine(written(*lines[:60]), 51, "--agent", "greedy")  # a game that goes on
    assert "there is no ply 51; the record has no events." in refused(written(lines[0]), 51)
    assert "a folder; name a game of a run with --game ID" in refused(tmp_path, 51)


def test_agents_that_cannot_be_used() -> None:
    assert "Did you mean 'planner'" in refused(RECORD, 51, "--agent", "plannr")
    assert "unknown parameter 'depth'" in refused(RECORD, 51, "--agent", "planner:depth=3")
    assert "there is no module 'none'" in refused(RECORD, 51, "--agent", "none:Gone")
    assert (
        "no_weights.yaml" in explain(RECORD, 51, "--agent", "greedy:weights=no_weights.yaml").stderr
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("explain") / "there", RUN)


def decision(run: Path, game: int) -> int:
    """The last decision of the game."""
    rows = open_run(run).record(game).rows
    return max(row["ply"] for row in rows if "n_legal" in row)


def place_of(run: Path, agent: str) -> tuple[int, int]:
    """Game and ply of a decision of an agent."""
    places = [(game, ply) for game in (0, 1) for ply in (35, 36)]
    return next(p for p in places if told(run, p[1], "--game", p[0])["seated"] == agent)


def test_the_agent_of_a_run_is_asked(run: Path) -> None:
    seen = set()
    for game in (0, 1):
        for ply in (35, 36):
            found = told(run, ply, "--game", game)
            seen.add((found["seated"], found["agent"]["kind"]))
            assert found["weights"] in ("set by hand", "tuned for 2 seats, the published game")
            assert found["options"][0]["value"] is not None
    assert seen == {("a", "greedy"), ("b", "planner")}
    other = told(run, 35, "--game", 0, "--agent", "random")
    assert (other["agent"]["kind"], other["weights"]) == ("random", None)
    last = decision(run, 0)
    assert f"ply {last}, " in fine(run, last, "--game", 0, "--agent", "greedy")
    assert f"Nearest decision: ply {last}." in refused(run, 9999, "--game", 0)


def test_runs_that_cannot_be_used(run: Path, tmp_path: Path) -> None:
    assert "there is no game 77" in refused(run, 35, "--game", 77)
    assert "a folder; name a game of a run with --game ID" in refused(run, 35)
    assert "not the folder of a run" in refused(tmp_path, 35, "--game", 0)


@contextmanager
def changed(run: Path, change: Callable[[Any], object]) -> Iterator[None]:
    """The run, for a while with another manifest."""
    path = run / "manifest.json"
    whole = path.read_text(encoding="utf-8")
    manifest = json.loads(whole)
    change(manifest)
    path.write_text(json.dumps(manifest), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(whole, encoding="utf-8")


def test_weights_tuned_for_a_run_are_in_its_folder(run: Path) -> None:
    game, ply = place_of(run, "a")
    before = told(run, ply, "--game", game)

    def retune(manifest: Any) -> None:
        manifest["arms"][0]["agents"]["a"]["weights"]["retuned"] = True

    with changed(run, retune):
        assert "weights/published.yaml" in refused(run, ply, "--game", game)
        rules = registry.get("reef_encounter")
        values = by_hand(rules).values | {"rivals": 0.0}
        write_weights(run / "weights" / "published.yaml", rules, Weights(values, "", 2, {}))
        found = told(run, ply, "--game", game)
    assert found["weights"] == "tuned for 2 seats, the published game"
    assert found["options"] != before["options"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda told: told["experiment"].pop("weights"), "does not tell the weights of agent 'a'"),
        (lambda told: told["arms"][0]["agents"].pop("a"), "does not tell who agent 'a' is"),
        (lambda told: told["arms"][0]["agents"]["a"].update(kind="b"), "not tell who agent 'a' is"),
        (
            lambda told: told["arms"][0]["agents"]["a"]["params"].update(x=1),
            "agent 'a', x: unknown",
        ),
    ],
)
def test_a_manifest_that_tells_too_little(
    run: Path, change: Callable[[Any], object], message: str
) -> None:
    game, ply = place_of(run, "a")
    with changed(run, change):
        text = refused(run, ply, "--game", game)
    assert message in text
    assert text.endswith("Say with --agent who is to be asked.\n")
