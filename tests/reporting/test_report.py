"""The page and the terminal: complete, self-contained, and honest at the edges."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import StringIO

import pandas as pd
import pytest
from rich.console import Console

from reefsim.reporting.canvas import to_svg
from reefsim.reporting.figures import seats_figure
from reefsim.reporting.findings import find
from reefsim.reporting.manifest import read_manifest
from reefsim.reporting.render import write_report
from reefsim.reporting.tables import print_summary
from reefsim.reporting.theme import DARK, LIGHT, MARKERS, NUM_ARM_COLORS, arm_color, arm_marker
from reefsim.testing.toy_runs import ToyArm, ToyRun, toy_run

MIXED = ("strong", "greedy", "greedy")


@pytest.fixture(scope="module")
def run() -> ToyRun:
    arms = [
        ToyArm("base-table"),
        ToyArm("steep-table", weights=(1.5, 1, 1), rules={"initial_hand": [6, 6, 6]}),
        ToyArm("base-mixed", MIXED, shared=0.05, rounds=12, max_turns=90),
    ]
    return toy_run(arms, 300, luck=0.5, baseline="base")


@pytest.fixture(scope="module")
def page(run, tmp_path_factory):
    return write_report(run, tmp_path_factory.mktemp("report") / "toy.html")


def summary(run: ToyRun, width: int = 100) -> str:
    console = Console(file=StringIO(), width=width)
    print_summary(run, console)
    return console.file.getvalue()


class Outline(HTMLParser):
    """Tags of a page: whether they nest, their ids, and what they refer to."""

    void = frozenset({"meta", "br", "img", "input", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.headings: list[str] = []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if "id" in found:
            self.ids.append(found["id"])
        for name in ("href", "src", "xlink:href", "aria-labelledby"):
            if name in found:
                self.targets.append(found[name])
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.void:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


def outline(text: str) -> Outline:
    parser = Outline()
    parser.feed(text)
    assert parser.open == []
    return parser


# --- the page --------------------------------------------------------------------------------


def test_the_page_asks_for_nothing_from_outside(page):
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?:", text)
    assert "default-src 'none'" in text
    found = outline(text)
    assert all(target.lstrip("#") in found.ids for target in found.targets)
    assert not re.search(r"url\((?!#)", text)
    assert "<script" not in text


def test_the_page_is_small_and_well_formed(page):
    text = page.read_text(encoding="utf-8")
    assert len(text) < 500_000
    found = outline(text)
    assert len(found.ids) == len(set(found.ids))
    assert found.headings == [
        "What should I change?",
        "Verdicts",
        "Seats",
        "Length and end",
        "Story",
        "Games to watch",
        "What this does not show",
        "How it was done",
        "Appendix",
    ]


def test_every_figure_has_a_text_alternative(page):
    text = page.read_text(encoding="utf-8")
    figures = re.findall(r"<figure>.*?</figure>", text, re.DOTALL)
    assert len(figures) == 5
    for figure in figures:
        assert re.search(r'role="img" aria-labelledby="\w+-title"', figure)
        assert re.search(r"<title[^>]*>[^<]{20,}</title>", figure)
        assert "games by greedy agents; one strong and two greedy agents" in figure


def test_the_page_follows_light_and_dark(page):
    text = page.read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text
    assert set(LIGHT) == set(DARK)
    drawings = "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert not any(color in drawings for color in LIGHT.values())
    assert "var(--arm-1)" in drawings


def test_the_page_says_how_it_was_done(page, run):
    text = page.read_text(encoding="utf-8")
    for shown in (run.manifest["command"], "initial_hand = [6, 6, 6]", "seed 1", "reefsim 0.1.0"):
        assert shown in text
    assert "Is a toy race fair?" in text
    assert "strong, greedy, greedy" in text


def test_the_numbers_stand_beside_the_page(page, run):
    folder = page.with_name("toy_data")
    names = {path.stem for path in folder.iterdir()}
    assert names >= {"seats", "length", "length_curve", "ends", "scores", "comparisons"}
    seats = pd.read_csv(folder / "seats.csv")
    assert list(seats["arm"].unique()) == ["base-table", "steep-table", "base-mixed"]
    assert seats.groupby("arm")["share"].sum().to_numpy() == pytest.approx([1, 1, 1])
    assert {"low", "high", "games", "replicates", "verdict"} <= set(seats.columns)


def test_the_same_run_gives_the_same_bytes(page, run, tmp_path):
    again = write_report(run, tmp_path / "toy.html")
    assert again.read_bytes() == page.read_bytes()


def test_a_folder_gets_a_page_of_its_own_name(run, tmp_path):
    assert write_report(run, tmp_path / "out") == tmp_path / "out" / "report.html"
    assert not list((tmp_path / "out").glob(".*"))


def test_texts_of_the_user_are_escaped(tmp_path):
    run = toy_run(replicates=20, question="<script>alert(1)</script> & more", config_text="<b>&")
    text = write_report(run, tmp_path).read_text(encoding="utf-8")
    assert "<script>" not in text
    assert "&lt;b&gt;&amp;" in text


def test_a_question_about_length_is_answered_with_lengths(tmp_path):
    experiment = {"outcomes": {"primary": {"length_rounds": {"claim": "differs"}}}}
    arms = [ToyArm("base"), ToyArm("long", rounds=12)]
    run = toy_run(arms, 200, experiment=experiment, baseline="base")
    hero = write_report(run, tmp_path).read_text(encoding="utf-8").split("</header>")[0]
    assert "Against base, long changes the length in rounds by +" in hero
    assert "first seat" not in hero


# --- edges -----------------------------------------------------------------------------------


def test_a_run_without_games_says_so(tmp_path):
    run = toy_run(replicates=3)
    run.games, run.players = run.games.head(0), run.players.head(0)
    text = write_report(run, tmp_path).read_text(encoding="utf-8")
    assert "No game is finished yet" in text
    assert "0 of 3 replicates" in text
    outline(text)
    assert "No game is finished yet." in summary(run)


@pytest.mark.parametrize("lineup", [("greedy", "greedy"), MIXED])
def test_one_replicate_is_shown_with_care(tmp_path, lineup):
    run = toy_run([ToyArm("one", lineup)], 1)
    text = write_report(run, tmp_path).read_text(encoding="utf-8")
    assert "Not yet known" in text
    assert "nan" not in re.sub(r"<[^>]*>", "", text)
    assert "nan" not in summary(run)


def test_an_arm_without_games_keeps_its_place(run, tmp_path):
    games, players = (table[table["arm"] != "base-table"] for table in (run.games, run.players))
    some = ToyRun(games, players, run.turns, run.manifest)
    found = find(some)
    assert list(found.health["games"]) == [0, 300, 900]
    text = write_report(some, tmp_path).read_text(encoding="utf-8")
    assert "no games yet" in text
    assert "steep-table" in summary(some)


def test_a_bare_manifest_is_enough(run, tmp_path):
    bare = ToyRun(run.games, run.players, run.turns, {})
    info = read_manifest({}, run.games)
    assert [arm.name for arm in info.arms] == ["base-table", "steep-table", "base-mixed"]
    assert info.arms[0].lineup == ("greedy", "greedy", "greedy")
    assert (info.seats, info.margin_pp, info.is_paired) == (3, 2.0, False)
    outline(write_report(bare, tmp_path).read_text(encoding="utf-8"))


def test_many_arms_keep_apart(tmp_path):
    run = toy_run([ToyArm(f"arm{i:02}") for i in range(12)], 20)
    outline(write_report(run, tmp_path).read_text(encoding="utf-8"))
    looks = {(arm_color(i), arm_marker(i)) for i in range(NUM_ARM_COLORS * len(MARKERS))}
    assert len(looks) == NUM_ARM_COLORS * len(MARKERS)


# --- baselines -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("baseline", "expected"),
    [
        (None, {}),
        (
            "base-table",
            {"steep-table": "base-table", "steep-duo": "base-table", "base-duo": "base-table"},
        ),
        ("base", {"steep-table": "base-table", "steep-duo": "base-duo"}),
        ({"ruleset": "base"}, {"steep-table": "base-table", "steep-duo": "base-duo"}),
        (
            {"ruleset": "base", "lineup": "duo"},
            {"base-table": "base-duo", "steep-table": "base-duo", "steep-duo": "base-duo"},
        ),
        ("unknown", {}),
    ],
)
def test_arms_are_compared_with_the_same_table_where_there_is_one(baseline, expected):
    tables = {"table": ["a", "a"], "duo": ["a", "b"]}
    arms = [
        {"name": f"{rules}-{table}", "ruleset": rules, "lineup": lineup}
        for rules in ("base", "steep")
        for table, lineup in tables.items()
    ]
    info = read_manifest({"arms": arms, "baseline": baseline}, toy_run(replicates=1).games.head(0))
    assert info.baselines == expected


def test_the_margin_is_that_of_the_primary_outcome():
    games = toy_run(replicates=1).games
    primary = {"first_seat_share": {"claim": "equivalent", "margin_pp": 3.5}}
    assert read_manifest({"experiment": {"outcomes": {"primary": primary}}}, games).margin_pp == 3.5
    assert read_manifest({"margin_pp": 1.0}, games).margin_pp == 1.0


# --- figures and terminal --------------------------------------------------------------------


def test_the_fair_share_stands_in_the_middle_of_the_axis(run):
    found = find(run)
    figure = seats_figure(found.seats, ["base-table", "steep-table", "base-mixed"], 2.0)
    low, high = figure.axes[0].get_xlim()
    assert (low, high) == (0, pytest.approx(200 / 3))
    svg = to_svg(figure, "seats", "a < b")
    assert svg.startswith("<svg viewBox=")
    assert "a &lt; b" in svg
    assert "xmlns" not in svg


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_terminal_never_shows_a_share_alone(run, width):
    lines = summary(run, width).splitlines()
    rows = [line for line in lines if re.search(r"^\s+(first|second|third) +\d", line)]
    assert len(rows) == 9
    for row in rows:
        # share, interval, games
        assert re.search(r"\d+\.\d\s% +\d+\.\d\u2013\d+\.\d +[\d\s]*\d", row)
    assert any("Fair within" in line or "Not yet" in line for line in lines)


def test_the_terminal_names_agents_changes_and_cautions(run):
    text = summary(run)
    assert "one strong and two greedy agents" in text
    assert "Against base-table" in text
    still = run.games[(run.games["arm"] == "base-mixed") & (run.games["rotation"] == 0)]
    text = summary(ToyRun(still, run.players, run.turns, run.manifest))
    assert "did not take turns" in text
