"""The page and the terminal of a ladder: complete, self-contained, never a share alone."""

from __future__ import annotations

import math
import re
from io import StringIO
from itertools import combinations, permutations
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

from reefsim.reporting.ladder import (
    Ladder,
    circle_sentences,
    find_ladder,
    limits,
    print_ladder,
    rating_span,
    step_sentence,
)
from reefsim.reporting.ladder_figures import steps_figure
from reefsim.reporting.ladder_page import write_ladder
from reefsim.reporting.theme import LIGHT
from reefsim.testing.toy_runs import ToyArm, ToyRun, toy_run
from tests.reporting.test_report import outline

SKILL = {"random": 1.0, "middle": 1.6, "top": 6.0}


def tournament(skill: dict[str, float], seats: int, replicates: int = 60) -> ToyRun:
    pairs = (combinations if seats == 2 else permutations)(skill, 2)
    arms = [
        ToyArm(f"base-{row}-{column}", (row, *[column] * (seats - 1)), skill=skill)
        for row, column in pairs
    ]
    return toy_run(arms, replicates, kind="ladder", question="Who wins a toy race?")


def shown(found: Ladder, width: int = 120) -> str:
    console = Console(file=StringIO(), width=width)
    print_ladder(found, console)
    return console.file.getvalue()


@pytest.fixture(scope="module", params=[2, 3])
def found(request) -> Ladder:
    return find_ladder(tournament(SKILL, request.param))


@pytest.fixture(scope="module")
def page(found, tmp_path_factory) -> Path:
    return write_ladder(found, tmp_path_factory.mktemp("ladder") / "toy.html")


def test_the_page_is_complete_and_asks_for_nothing_from_outside(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?:", text)
    assert "<script" not in text
    parsed = outline(text)
    assert parsed.headings == [
        "Who plays better?",
        "Steps and circles",
        "What this does not show",
        "How it was done",
    ]
    assert all(target.lstrip("#") in parsed.ids for target in parsed.targets)
    assert len(parsed.ids) == len(set(parsed.ids))
    assert "nan" not in re.sub(r"<[^>]*>", "", text)
    for said in ("reefsim run experiments/toy", "seed 1", "The replicate", "reefsim 0.1.0"):
        assert said in text
    drawings = "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert not any(color in drawings for color in LIGHT.values())


def test_figures_name_their_games_in_the_caption(page: Path, found: Ladder) -> None:
    text = page.read_text(encoding="utf-8")
    figures = re.findall(r"<figure>.*?</figure>", text, re.DOTALL)
    assert len(figures) == 3
    assert f"{found.games:,} games.".replace(",", "\u00a0") in figures[0]
    each = 60 * found.info.seats
    assert f"{each} games in each field." in figures[1]
    assert "fair share of" in figures[1]


def test_the_numbers_stand_beside_the_page(page: Path) -> None:
    folder = page.with_name("toy_data")
    assert {path.name for path in folder.iterdir()} == {
        "ratings.csv",
        "head_to_head.csv",
        "steps.csv",
    }
    ratings = pd.read_csv(folder / "ratings.csv")
    assert list(ratings["agent"]) == ["top", "middle", "random"]
    heads = pd.read_csv(folder / "head_to_head.csv")
    assert len(heads) == 6
    assert {"row", "column", "share", "low", "high", "games", "fair"} <= set(heads.columns)


def test_the_same_games_give_the_same_bytes(page: Path, found: Ladder, tmp_path: Path) -> None:
    again = write_ladder(find_ladder(tournament(SKILL, found.info.seats)), tmp_path / "toy.html")
    assert again.read_bytes() == page.read_bytes()


def test_the_terminal_never_shows_a_share_alone(found: Ladder) -> None:
    text = shown(found)
    rows = [line for line in text.splitlines() if re.match(r" (top|middle|random|one \w+) ", line)]
    steps = [row for row in rows if "better" in row or "known" in row]
    assert len(steps) == 2
    for row in steps:
        assert re.search(r"\d\s% +\d+\.\d\u2013\d+\.\d +\d+ ", row)
    assert f"{60 * found.info.seats} games in each field" in text
    # below every share of the square stands its interval
    assert len(re.findall(r"^ {8,}(?: +\d+\.\d\u2013\d+\.\d){2}", text, re.MULTILINE)) == 3
    assert "Ratings are measured from random, which has 0." in text
    assert "No circle" in text


def test_many_agents_are_listed_pair_by_pair() -> None:
    found = find_ladder(tournament({f"agent{i}": 1.0 for i in range(7)}, 2, 5))
    lines = [line for line in shown(found).splitlines() if re.match(r" agent\d +agent\d ", line)]
    assert len(lines) == 42
    assert all(re.search(r"% +\d+\.\d\u2013\d+\.\d +10 $", line) for line in lines)


def test_without_a_random_agent_the_first_one_is_the_anchor() -> None:
    found = find_ladder(tournament({"b": 1.0, "a": 2.0}, 2))
    assert found.anchor == "b"
    assert "so ratings are measured from the first one, b." in shown(found)
    assert circle_sentences(found) == ["Two agents make no circle."]


def test_a_circle_is_named(tmp_path: Path) -> None:
    beats = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    arms = [ToyArm(f"base-{a}-{b}", (a, b), skill={a: 4.0}) for a, b in beats]
    found = find_ladder(toy_run(arms, 100, kind="ladder"))
    assert "Circle: rock beats scissors, scissors beats paper, and paper beats rock" in shown(found)
    text = write_ladder(found, tmp_path / "c.html").read_text(encoding="utf-8")
    assert '<p class="warn">Circle: rock' in text


def test_edges_say_what_they_are(tmp_path: Path) -> None:
    run = tournament(SKILL, 3, 4)
    run.manifest["arms"][0]["games"] += 3
    run.games.loc[:1, "truncated"] = True
    notes = " ".join(limits(find_ladder(run)))
    assert "Only four replicates were played" in notes
    assert "The run is not complete: 72 of 75 games." in notes
    assert "2 of 72 games were cut short by a limit (95" in notes
    empty = ToyRun(run.games.head(0), run.players.head(0), run.turns, run.manifest)
    found = find_ladder(empty)
    assert "No game is finished yet." in shown(found)
    outline(write_ladder(found, tmp_path / "e.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("replicates", [1, 2])
def test_few_replicates_are_shown_with_care(tmp_path: Path, replicates: int) -> None:
    found = find_ladder(tournament(SKILL, 3, replicates))
    assert "nan" not in shown(found)
    text = write_ladder(found, tmp_path / "few.html").read_text(encoding="utf-8")
    assert "nan" not in re.sub(r"<[^>]*>", "", text)


def test_intervals_without_a_limit() -> None:
    assert rating_span({"low": 500.4, "high": math.inf}) == "500 or more"
    assert rating_span({"low": -math.inf, "high": -20.0}) == "\u221220 or less"
    assert rating_span({"low": -3.0, "high": 20.0}) == "\u22123 to 20"
    assert rating_span({"low": -math.inf, "high": math.inf}) == "unknown"


@pytest.mark.parametrize(
    ("call", "ending"),
    [
        ("above", "a plays better."),
        ("open", "Which of them plays better is not yet known."),
        ("below", "That is less than fair, although a is rated higher."),
    ],
)
def test_sentences_of_steps(call: str, ending: str) -> None:
    row = {"stronger": "a", "weaker": "b", "share": 0.4, "low": 0.35, "high": 0.45}
    row |= {"games": 900, "fair": 1 / 3, "call": call}
    text = step_sentence(row, 3).replace("\u00a0", " ")
    assert text == (
        "one a among two b wins 40.0 % of games (95 % 35.0\u201345.0, 900 games; fair would be "
        f"33.3). {ending}"
    )


def test_steps_are_drawn_from_the_weakest_on() -> None:
    found = find_ladder(tournament(SKILL, 3))
    (axes,) = steps_figure(found.steps).axes
    names = [label.get_text() for label in axes.get_xticklabels()]
    assert names == list(found.steps["stronger"])[::-1]
    assert axes.get_ylim()[0] == 0
