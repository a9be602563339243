"""`reefsim ladder`: from agents, or a file, to the page; and every mistake in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import reefsim
from reefsim.core.yaml_source import parse_yaml
from reefsim.sim import plan
from reefsim.sim.design import load, loads, resolve
from reefsim.sim.shorthand import read_arguments
from tests.cli.test_cli import fine, plain, reefsim_, refused
from tests.runs import digests

__all__ = ["plain"]
CONFIG = """\
question: Who is best?
game: reef_encounter
seats: 2
seed: 3
rulesets: {advanced: {preset: advanced}}
agents: {random: {kind: random}, greedy: {kind: greedy}, weak: {kind: greedy, noise: 3}}
stopping: {rule: fixed, replicates: 4}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.jitted
@pytest.mark.parametrize(("seats", "games"), [(2, 12), (3, 36)])
def test_random_and_greedy_from_the_words_to_the_page(
    monkeypatch: pytest.MonkeyPatch, seats: int, games: int
) -> None:
    monkeypatch.setattr(plan, "_MIN_PART_GAMES", 4)
    words = ("random", "greedy", "--seats", seats, "--replicates", 6, "--seed", 5)
    text = fine("ladder", *words, "--out", "one", "--workers", 1)
    assert text.splitlines()[-2:] == [
        "report: reports/one.html",
        "next: reefsim watch one --game typical",
    ]
    assert "Who plays better: random, greedy?" in text
    assert "Ratings are measured from random, which has 0." in text
    assert f"{games} games by greedy and random." in text
    manifest = json.loads(Path("one/manifest.json").read_text())
    assert manifest["kind"] == "ladder"
    assert manifest["command"] == (
        f"reefsim ladder random greedy --seats {seats} --replicates 6 --seed 5"
    )
    page = Path("reports/one.html").read_text(encoding="utf-8")
    assert manifest["command"] in page
    ratings = pd.read_csv("reports/one_data/ratings.csv")
    assert list(ratings["agent"]) == ["greedy", "random"]
    assert ratings["low"][0] > 0
    heads = pd.read_csv("reports/one_data/head_to_head.csv")
    assert list(heads["games"]) == [6 * seats] * 2

    # the same bytes however it is played, and the same page from the run alone
    fine("ladder", *words, "--out", "two", "--workers", 2, "--chunk", 1, "-q", "--no-report")
    assert digests(Path("two")) == digests(Path("one")) != {}
    assert fine("report", "one", "--out", "again.html", "-q") == "report: again.html\n"
    again = Path("again.html").read_text(encoding="utf-8")
    assert again.replace("again_data", "one_data") == page
    result = reefsim_("ladder", *words, "--out", "one", "-q")
    assert result.stdout == "report: reports/one.html\n"


@pytest.mark.jitted
def test_a_file_plays_the_same_as_the_words() -> None:
    Path("ladder.yaml").write_text(CONFIG.replace("replicates: 4", "replicates: 2"))
    fine("ladder", "ladder.yaml", "--out", "file", "-q", "--workers", 1)
    words = ("random", "greedy", "weak=greedy:noise=3", "--preset", "advanced")
    fine("ladder", *words, "--replicates", 2, "--seed", 3, "--out", "words", "-q", "--workers", 1)
    assert digests(Path("file")) == digests(Path("words")) != {}
    file, typed = reefsim.open("file"), reefsim.open("words")
    assert file.manifest["command"] == "reefsim ladder ladder.yaml"
    assert [arm["lineup"] for arm in file.manifest["arms"]] == [
        ["random", "greedy"],
        ["random", "weak"],
        ["greedy", "weak"],
    ]
    # what the page shows as the experiment file can be played
    loads(typed.manifest["config_text"], kind="ladder")


def test_one_agent_among_copies_of_the_other_in_every_seat() -> None:
    experiment = loads(CONFIG.replace("seats: 2", "seats: 4"), kind="ladder")
    assert [arm.lineup_name for arm in experiment.arms] == [
        "random-among-greedy",
        "random-among-weak",
        "greedy-among-random",
        "greedy-among-weak",
        "weak-among-random",
        "weak-among-greedy",
    ]
    first = experiment.arms[0]
    assert first.lineup == ("random", "greedy", "greedy", "greedy")
    assert sorted(seating.index(0) for seating in first.seatings) == [0, 1, 2, 3]
    assert experiment.pairing == "chance"


LADDER_MISTAKES = [
    ("seats: 2", "seats: 9", "mine.yaml:3:8 seats: 9 is outside 2-4."),
    (
        "{advanced: {preset: advanced}}",
        "{a: {}, b: {}}",
        "mine.yaml:5:11 rulesets: 2 rulesets (a, b). A ladder is played under one. Keep one; play "
        "another ladder for each of the others.",
    ),
    ("agents: {random: {kind: random},", "agents: {", None),
    (
        ", greedy: {kind: greedy}, weak: {kind: greedy, noise: 3}}",
        "}",
        "mine.yaml:6:9 agents: 1 agent. A ladder needs at least two.",
    ),
    (
        "stopping: {rule: fixed, replicates: 4}\n",
        "",
        "mine.yaml:1:1 stopping: missing. Write for example stopping: {rule: fixed, "
        "replicates: 400}",
    ),
    (
        "seed: 3",
        "seed: 3\nlineups: {a: [random, greedy]}",
        "mine.yaml:5:1 lineups: a ladder makes its own: every pair of the agents. Leave it out.",
    ),
    (
        "seed: 3",
        "seed: 3\ndesign: {rotation: none}",
        "mine.yaml:5:20 design.rotation: none. Who sits first would be mixed up with who plays "
        "better. Leave it out: a ladder plays every seating.",
    ),
    ("kind: random", "kind: rndom", "mine.yaml:6:25 agents.random.kind: 'rndom' is not a kind of "),
]


@pytest.mark.parametrize(("old", "new", "message"), LADDER_MISTAKES)
def test_mistakes_in_a_file(old: str, new: str, message: str | None) -> None:
    assert old in CONFIG
    Path("mine.yaml").write_text(CONFIG.replace(old, new))
    if message is None:
        load("mine.yaml", kind="ladder")  # two agents are enough
        return
    lines = refused(2, "ladder", "mine.yaml").splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(message)


def test_all_mistakes_of_a_file_at_once() -> None:
    text = CONFIG.replace("seats: 2", "seats: 9").replace("noise: 3", "nois: 3")
    Path("mine.yaml").write_text(text + "arms: {}\ntargets: {}\nladder: 1\n")
    lines = refused(2, "ladder", "mine.yaml").splitlines()
    assert [line.split(" ")[0] for line in lines] == [
        f"mine.yaml:{place}" for place in ("3:8", "6:79", "8:1", "9:1", "10:1")
    ]
    assert "Known here: question, game, seats, seed, rulesets, agents, design," in lines[-1]


WORD_MISTAKES = [
    (["random"], "ladder agents: 1 agent. A ladder needs at least two."),
    (
        ["random", "gredy"],
        "gredy kind: 'gredy' is not a kind of agent. Did you mean 'greedy'? Kinds: ",
    ),
    (
        ["random", "greedy:nosie=2"],
        "greedy:nosie=2 nosie: unknown parameter 'nosie' of greedy. Did you mean 'noise'?",
    ),
    (["random", "greedy:noise=much"], "greedy:noise=much noise: 'much' is text where a number "),
    (["random", "greedy:noise=-1"], "greedy:noise=-1 noise: -1 is below 0"),
    (
        ["greedy", "greedy"],
        "greedy: two agents are named 'greedy'. Name one of them: other=greedy",
    ),
    (["random", "greedy:"], "greedy: this is no agent. Write kind, kind:param=value,"),
    (["random", "greedy:noise"], "greedy:noise: this is no agent. Write kind, kind:param=value,"),
    (["random", "greedy=greedy:noise=1,noise=2"], "greedy=greedy:noise=1,noise=2 noise: it stands"),
    (["random", "greedy:kind=3"], "greedy:kind=3 kind: the kind is no parameter."),
    (["random", "=greedy"], "=greedy: this is no agent. Write kind, kind:param=value,"),
    (["random", "a-b=greedy"], "a-b=greedy the name 'a-b' becomes part of a folder name."),
    (["random", "none:Cls"], "none:Cls kind: there is no module 'none'."),
    (["random", "greedy", "--seats", "9"], "--seats 9 is outside 2-4."),
    (["random", "greedy", "--replicates", "1e3"], "--replicates 1000.0 is not a whole number."),
    (["random", "greedy", "--seed", "x"], "--seed 'x' is text, not a whole number"),
    (["random", "greedy", "--preset", "advancd"], "--preset 'advancd' is not a preset of "),
    (["random", "greedy", "--game", "chess"], "--game 'chess' is not "),
    (["random", "greedy", "--workers", "0"], "--workers 0 is outside 1-1024."),
    (["none.yaml"], "none.yaml does not exist"),
    (["none.yaml", "random"], "none.yaml: an experiment file stands alone; its agents are in it."),
    (["none.yaml", "--seats", "3"], "--seats goes with agents; none.yaml says that itself."),
]


@pytest.mark.parametrize(("words", "message"), WORD_MISTAKES, ids=lambda w: "".join(w)[:30])
def test_mistakes_in_words_have_one_line(words: list[str], message: str) -> None:
    lines = refused(2, "ladder", *words).splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(message)


def test_agents_without_a_name_are_named_by_what_they_are() -> None:
    document = read_arguments(["random", "greedy", "greedy:noise=0.5", "x=greedy:noise=2"], {})
    assert document.data["agents"] == {
        "random": {"kind": "random"},
        "greedy": {"kind": "greedy"},
        "greedy_noise_0_5": {"kind": "greedy", "noise": 0.5},
        "x": {"kind": "greedy", "noise": 2},
    }


def test_values_are_read_as_in_a_file() -> None:
    words = ["a=mine:Cls:list=[1, 2],text=b,truth=true,quoted='1',colon=x:y"]
    document = read_arguments(words, {"seats": "3"})
    assert document.data["agents"]["a"] == {
        "kind": "mine:Cls",
        "list": [1, 2],
        "text": "b",
        "truth": True,
        "quoted": "1",
        "colon": "x:y",
    }
    assert document.data["seats"] == 3
    assert parse_yaml(document.text, "text").data == document.data


def test_games_go_to_a_folder_named_by_the_design() -> None:
    document = read_arguments(["random", "greedy"], {})
    experiment = resolve(document, Path("ladder"), {}, "ladder")
    assert experiment.run.out == Path(f"runs/ladder-{experiment.config_hash}")


def test_an_agent_of_ones_own_climbs_the_ladder(folder: Path, plain: None) -> None:
    source = (
        "class First:\n"
        "    def __init__(self, rng, pick=0):\n"
        "        self.pick = pick\n"
        "    def act(self, view):\n"
        "        return int(view.legal_actions[self.pick])\n"
    )
    (folder / "ladder_agents.py").write_text(source)
    words = ("random", "ladder_agents:First:pick=-1", "--replicates", 1, "--out", "own", "-q")
    fine("ladder", *words)
    assert set(pd.read_csv("reports/own_data/ratings.csv")["agent"]) == {"random", "First_pick_1"}
