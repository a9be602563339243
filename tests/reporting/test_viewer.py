"""The page with which a game is watched: what it holds, and what it does in a real browser."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import reefsim as rs
from reefsim.agents.explain import explain
from reefsim.agents.weights import find_weights
from reefsim.core.match import Match
from reefsim.errors import ConfigError, RecordError, ReefsimError
from reefsim.logs.saved import SavedGame, find_beside, find_game
from reefsim.reporting.reel import Reel
from reefsim.reporting.stills import export
from reefsim.reporting.viewer import write_viewer
from reefsim.sim.opinions import opinion_of
from reefsim.sim.oracle import appraise
from tests.reporting.test_browser import BROWSER, WIDTHS, browse, probe
from tests.runs import TEXT, play

RECORDS = Path(__file__).parents[1] / "data" / "records"
GAMES = {
    "reef_encounter": "3p_turn_limit_01_tie.jsonl",
    "reef": "2p_numbers_01.jsonl",
    "charon_inc": "3p_base_02.jsonl",
    "poseidons_kingdom": "2p_base_01_eating.jsonl",
}
ALL = [*GAMES, "undrawn"]
LARGEST = 3_000_000  # bytes
OTHER = "other: {extra_growth: false}"

# What a script in a copy of the page does with it and tells: positions, points, address.
DRIVE = """<script>addEventListener("load", () => {
  const press = key =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  const seen = () => ({
    board: document.getElementById("board-0").innerHTML,
    text: document.getElementById("text-0").textContent,
    where: document.getElementById("where-0").textContent,
    asked: document.getElementById("asked-0").textContent,
    happened: [...document.querySelectorAll("#events-0 .new")].map(e => e.textContent),
    seats: [...document.getElementById("seats-0").rows].map(r => r.innerText.split("\t")),
    hash: location.hash,
  });
  const told = {linked: seen()};
  press("Home"); told.start = seen();
  press("ArrowRight"); told.next = seen();
  const unit = document.getElementById("unit");
  unit.value = "turn"; press("ArrowRight"); told.turn = seen();
  press("End"); told.end = seen();
  const view = document.getElementById("view");
  if (view) {
    press("Home"); press("ArrowRight");
    view.value = 1; view.dispatchEvent(new Event("change")); told.seat = seen();
  }
  told.units = [...unit.options].map(option => option.value);
  document.title = JSON.stringify(told);
})</script>"""


def saved(name: str) -> SavedGame:
    if name == "undrawn":
        found = saved("reef")
        return replace(found, game=replace(found.game, render_svg=None))
    return find_game(RECORDS / name / GAMES[name])


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("watch")
    found = {name: folder / f"{name}.html" for name in ALL}
    for name, page in found.items():
        with_values = name == "reef_encounter"
        opinion = opinion_of(saved(name), values=True, mode="plain") if with_values else None
        assert write_viewer(saved(name), page, opinion)[0].ok
    return found


def data_of(page: Path) -> dict[str, Any]:
    text = page.read_text(encoding="utf-8")
    found = re.search(r'<script id="game" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def unfolded(data: dict[str, Any]) -> list[list[tuple[str, str]]]:
    """Drawing and text of every view of every frame."""

    def changed(cuts: list[list[int]], before: list[int]) -> list[int]:
        lines = before[:]
        for start, end, *put in reversed(cuts):
            lines[start:end] = put
        return lines

    frames, opened = [], ([], [])
    for *_, views in data["sides"][0]["frames"]:
        numbers = []
        for i, both in enumerate(views):
            numbers.append(tuple(map(changed, both, opened)))
            opened = numbers[0] if i == 0 else opened
        words = [tuple("\n".join(data["lines"][n] for n in part) for part in v) for v in numbers]
        frames.append(words)
    return frames


@pytest.mark.parametrize("name", ALL)
def test_every_position_of_the_page_is_one_of_the_game(pages, name):
    wanted: list[list[tuple[str, str]]] = []

    def watch(match: Match) -> None:
        draw, tell = match.game.render_svg, match.game.render_text
        states = [match.plain_state(), *map(match.state_known_to, range(match.seats))]
        wanted.append(
            [
                (draw(s, match.rules).rstrip("\n") if draw else "", tell(s, match.rules))
                for s in states
            ]
        )

    assert saved(name).follow(watch).ok
    assert unfolded(data_of(pages[name])) == wanted
    assert pages[name].stat().st_size < LARGEST


def test_a_page_says_what_rests_on_reconstructed_components(pages):
    for name in ("reef", "charon_inc", "poseidons_kingdom"):
        assert "reconstructed" in pages[name].read_text(encoding="utf-8")


def test_one_can_go_to_turns_rounds_lead_changes_and_events(tmp_path):
    game = find_game(RECORDS / "reef_encounter" / "2p_base_01_four_eaten.jsonl")
    write_viewer(game, tmp_path / "page.html")
    data = data_of(tmp_path / "page.html")
    units, side = data["units"], data["sides"][0]
    frames, events = side["frames"], side["events"]
    assert list(units)[:3] == ["action", "turn", "round"]
    assert units["action"] == list(range(len(frames)))
    assert len(units["turn"]) == 1 + max(event[1] for event in events)  # the set-up is one, too
    rows = game.record.rows
    for name in ("feed", "grow", "place"):
        assert len(units[name]) == sum(row["event"] == name for row in rows)
        for k in units[name]:
            assert name in [row["event"] for row in rows[frames[k - 1][0] : frames[k][0]]]
    captures = [row for row in rows if row.get("captured")]
    assert len(units["place: captured"]) == len(captures) > 5
    ahead = [frames[k][4][0] > frames[k][4][1] for k in units["lead change"]]
    assert len(ahead) > 1
    assert all(a != b for a, b in itertools.pairwise(ahead))


def test_a_record_that_breaks_a_rule_is_shown_up_to_there(tmp_path):
    found = saved("reef")
    rows = [dict(row) for row in found.record.rows]
    rows[20]["seat"] = 1 - rows[20]["seat"]
    page = tmp_path / "broken.html"
    (verdict,) = write_viewer(replace(found, record=replace(found.record, rows=rows)), page)
    assert verdict.ply == 20
    assert "This is no game by its rules: ply 20" in page.read_text(encoding="utf-8")
    assert data_of(page)["sides"][0]["frames"][-1][0] <= 20
    rows[0] = {"ply": 0}
    with pytest.raises(RecordError, match="ply 0"):
        write_viewer(replace(found, record=replace(found.record, rows=rows)), page)


def test_what_an_oracle_saw_is_drawn_and_can_be_gone_to(tmp_path):
    text = TEXT.replace("replicates: 15", "replicates: 1")
    run = rs.open(play(tmp_path / "run", f"{text}limits: {{max_plies: 300}}\n"))
    page = run.find("longest").watch(tmp_path / "page.html", values=False, mode="plain")
    assert "Chance of winning, as the evaluation sees it" in page.read_text(encoding="utf-8")
    appraise(run, mode="plain")
    game = run.find("biggest_swing")
    text = game.watch(page, values=False).read_text(encoding="utf-8")
    assert "Chance of winning, as the oracle (evaluation) sees it" in text
    assert f"reefsim explain {run.folder.as_posix()} " in text
    data = data_of(page)
    assert len(data["units"]["biggest swing"]) == 5
    assert set(data["units"]["biggest swing"]) <= set(data["units"]["turn"])
    assert text.count("<polyline") == 2 * 2 + 5  # points and chances by seat, values by color
    assert {"drama_mean", "comeback"} <= set(rs.story(run).metric)


def test_words_of_a_record_cannot_leave_their_place(tmp_path):
    found = saved("reef")
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    header = found.record.header | {"agents": [evil, evil]}
    page = tmp_path / "evil.html"
    write_viewer(replace(found, record=replace(found.record, header=header)), page)
    text = page.read_text(encoding="utf-8")
    assert text.count("<script") == 2
    assert "<img" not in text
    assert data_of(page)["sides"][0]["seats"][0] == f"seat 0 ({evil})"


def test_what_could_be_done_is_listed_as_explain_has_it(tmp_path):
    found = saved("reef_encounter")
    opinion = opinion_of(found, values=True, mode="plain")
    assert opinion
    page = tmp_path / "page.html"
    write_viewer(found, page, opinion)
    text, data = page.read_text(encoding="utf-8"), data_of(page)
    rows, options, lines = found.record.rows, data["sides"][0]["options"], data["lines"]
    decisions = [ply for ply, row in enumerate(rows) if "n_legal" in row]
    assert [int(ply) for ply in options] == decisions
    for ply in decisions[::15]:
        match = found.before(ply)
        weights = find_weights("auto", match.game, match.ruleset, match.seats, tmp_path).values
        asked = explain(match, "greedy", {"weights": weights})
        assert {option.text: option.value for option in asked} == dict(opinion.values[ply])
        place, *listed = options[str(ply)]
        best = max(option.value or 0 for option in asked)
        assert listed[1] == round(best, 2)
        played = lines[listed[2 * min(place, len(listed) // 2 - 1)]]
        assert played == match.game.format_action(match.game.action_of(rows[ply]))
    assert "a player that looks one action ahead" in text
    chances = data["sides"][0]["chance"]
    assert len(chances) == len(data["sides"][0]["frames"])
    assert all(abs(sum(seats) - 1) < 0.01 for seats in chances)
    assert [chance > 0 for chance in chances[-1]] == [r["rank"] == 1 for r in found.record.results]


def test_an_agent_may_be_named_whose_weights_judge():
    found = saved("reef")
    by_hand = opinion_of(found, agent="greedy:weights=hand,never=[take_deck]", mode="plain")
    assert by_hand
    assert set(by_hand.judges) == {"greedy with weights set by hand"}
    assert by_hand.values
    with pytest.raises(ConfigError, match="Did you mean 'greedy'"):
        opinion_of(found, agent="greddy", mode="plain")
    with pytest.raises(ReefsimError, match=r"random: it judges by no weights\. Those do: greedy, "):
        opinion_of(found, agent="random", mode="plain")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[SavedGame, SavedGame]:
    """A game and the one of the same shuffle under other rules, which parts from it midway."""
    folder = tmp_path_factory.mktemp("pair") / "run"
    text = TEXT.replace("replicates: 15", "replicates: 4").replace(
        "advanced: {preset: advanced}", OTHER
    )
    run = rs.open(
        play(
            folder,
            text.replace(
                "stopping", "design: {rotation: none}\nlimits: {max_plies: 300}\nstopping"
            ),
        )
    )
    games = [run.game(1000 * replicate).saved for replicate in range(4)]
    both = [(here, find_beside(here, "other-table")) for here in games]
    return next(pair for pair in both if pair[0].record.rows != pair[1].record.rows)


def test_games_side_by_side_go_together_until_they_part(pair, tmp_path):
    here, there = pair
    assert there.number == (here.number or 0) + 10**12
    assert find_beside(here, "other").number == there.number  # by its ruleset, at the same table
    page = tmp_path / "pair.html"
    assert [v.ok for v in write_viewer(here, page, beside=(there, None))] == [True, True]
    data, text = data_of(page), page.read_text(encoding="utf-8")
    steps, parted = data["steps"], data["parted"]
    frames = [side["frames"] for side in data["sides"]]
    first = next(
        ply
        for ply, rows in enumerate(zip(here.record.rows, there.record.rows, strict=False))
        if len({tuple(v for k, v in row.items() if k != "n_legal") for row in rows}) > 1
    )
    assert parted > 5
    assert steps[:parted] == [[k, k] for k in range(parted)]
    for side, k in zip(frames, steps[parted], strict=True):
        assert side[k - 1][0] <= first < side[k][0]
    assert f"(ply {first})" in text
    ends = [side[-1][1] for side in frames]
    for step in steps:
        turns = [side[k][1] for side, k in zip(frames, step, strict=True)]
        assert turns[0] == turns[1] or min(turns) == ends[turns.index(min(turns))]
    assert steps[-1] == [len(side) - 1 for side in frames]
    assert [{step[game] for step in steps} for game in (0, 1)] == [
        set(range(len(side))) for side in frames
    ]
    assert '<th scope="row">extra_growth</th><td>true</td><td>false</td>' in text


def test_rules_that_are_the_same_for_the_players_do_not_differ(tmp_path):
    found = find_game(RECORDS / "reef_encounter" / "2p_base_01_four_eaten.jsonl")
    header, page = found.record.header, tmp_path / "page.html"
    rules = header["rules"] | {"initial_hand": [6, 9]}  # as published for two
    other = replace(found, record=replace(found.record, header=header | {"rules": rules}))
    write_viewer(found, page, beside=(other, None))
    assert "Rules that differ" not in page.read_text(encoding="utf-8")


def test_a_game_beside_itself_differs_in_nothing(tmp_path):
    found = saved("reef")
    page = tmp_path / "page.html"
    write_viewer(found, page, beside=(found, None))
    assert "Nothing differs in these games" in page.read_text(encoding="utf-8")
    assert data_of(page)["parted"] is None
    with pytest.raises(ReefsimError, match="only games of the same kind are shown side by side"):
        write_viewer(found, page, beside=(saved("charon_inc"), None))


def drive(page: Path, folder: Path, fragment: str = "", script: str = DRIVE) -> dict[str, Any]:
    """What the page shows while it is used."""
    copy = folder / "copy.html"
    text = re.sub(r"<meta http-equiv[^>]*>", lambda _: script, page.read_text(encoding="utf-8"))
    copy.write_text(text, encoding="utf-8")
    dom, log = browse(copy, folder / "profile", 1400, fragment=fragment)
    assert "CONSOLE" not in log
    found = re.search(r"<title>(\{.*?\})</title>", dom, re.DOTALL)
    assert found, dom[:500]
    return dict(
        json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    )


# The same for what is made of a position, and for two games.
MAKE = """<script>addEventListener("load", () => {
  const told = {test: asTest(sides[0], 0), link: link(), marks: 0};
  const blobs = [];
  URL.createObjectURL = blob => { blobs.push(blob); return "#"; };
  document.getElementById("save-0").click();
  show(end);
  told.last = document.getElementById("where-0").textContent;
  show(0);
  document.getElementById("word").value = "THE GAME ENDS";
  document.getElementById("word").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
  told.found = document.getElementById("where-0").textContent;
  const button = document.querySelector(".goto");
  if (button) {
    const mark = document.getElementById("mark");
    show(0);
    told.together = document.body.className;
    document.querySelector(".tools .goto").click();
    told.parted = document.body.className;
    told.at = at;
    told.marks = [0, 1].map(n => document.querySelectorAll(`#board-${n} .differs`).length);
    told.lines = document.querySelectorAll("mark").length;
    told.boards = [0, 1].map(n => document.getElementById(`text-${n}`).textContent);
    mark.click();
    told.unmarked = document.querySelectorAll(".differs, mark").length;
  }
  blobs[0].text().then(text => { told.drawing = text; document.title = JSON.stringify(told); });
})</script>"""

browser = pytest.mark.skipif(BROWSER is None, reason="there is no chromium on the PATH")


def test_what_turns_end_with_is_drawn_as_the_tables_have_it(pair, tmp_path):
    here, _ = pair
    courses = Reel(here, has_views=False).courses()
    assert list(courses) == ["value"]
    frames, colors = courses["value"]
    turns = here.run.table("turns", None, [("game_id", "==", here.number)])
    assert len(frames) == len(turns) > 10
    assert len(colors) == 5
    for color, values in colors.items():
        assert values == turns[f"value_{color}"].to_list()
    write_viewer(here, tmp_path / "page.html")
    assert "Value by turn: 0 to" in (tmp_path / "page.html").read_text(encoding="utf-8")


@browser
@pytest.mark.parametrize("name", ALL)
def test_the_page_steps_through_the_game(pages, name, tmp_path):
    middle = len(saved(name).record.rows) // 2
    told = drive(pages[name], tmp_path, f"#ply={middle}")
    found = saved(name)
    assert told["linked"]["where"].startswith(f"Ply {told['linked']['hash'][5:]} of ")
    assert int(told["linked"]["hash"][5:]) <= middle
    assert any(f" ply {middle}" in line for line in told["linked"]["happened"])
    assert told["start"]["where"] == "set-up"
    assert told["start"]["hash"] == ""
    assert told["next"]["text"] != told["start"]["text"]
    assert told["turn"]["where"] != told["next"]["where"]
    boards = [told[step]["board"] for step in ("start", "turn", "end")]
    assert len(set(boards)) == 3
    assert all(("<svg" in board) == (name != "undrawn") for board in boards)
    assert told["end"]["asked"] == "The game is over."
    results = [(str(row["score"]), str(row["rank"])) for row in found.record.results]
    assert [(row[1].strip(), row[-1].strip()) for row in told["end"]["seats"]] == results
    assert told["seat"]["hash"].endswith("&seat=0")


@browser
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ALL)
def test_the_page_fits_and_loads_nothing(pages, name, width, tmp_path):
    dom, log = browse(pages[name], tmp_path / "profile", 1400)
    assert "CONSOLE" not in log
    assert "legal action" in dom  # its own script ran
    found = probe(pages[name], tmp_path, width)
    assert found["wide"] == []
    assert found["scroll"] <= width


@browser
@pytest.mark.parametrize("name", GAMES)
def test_what_is_made_of_a_position(pages, name, tmp_path):
    found = saved(name)
    middle = len(found.record.rows) // 2
    told = drive(pages[name], tmp_path, f"#ply={middle}", MAKE)
    export(found, tmp_path / "position.svg", ply=middle)
    assert told["drawing"] == (tmp_path / "position.svg").read_text(encoding="utf-8")
    assert told["link"].endswith(f"&game={Path(found.record.path).name}")
    assert "#ply=" in told["link"]
    assert told["found"] == told["last"]
    scope: dict[str, Any] = {}
    exec(told["test"], scope)  # our own words
    (test,) = [value for key, value in scope.items() if key.startswith("test_position")]
    test()
    scope["POSITION"] += "x"
    with pytest.raises(AssertionError):
        test()


@browser
def test_games_side_by_side_in_a_browser(pair, tmp_path):
    page = tmp_path / "pair.html"
    write_viewer(pair[0], page, beside=(pair[1], None))
    told = drive(page, tmp_path, "#ply=3", MAKE)
    assert ("parted" in told["together"], "parted" in told["parted"]) == (False, True)
    assert told["at"] == data_of(page)["parted"]
    assert min(told["marks"]) > 0
    assert told["lines"] > 0
    assert told["boards"][0] != told["boards"][1]
    assert told["unmarked"] == 0
    for width in WIDTHS:
        found = probe(page, tmp_path, width)
        assert found["wide"] == []
        assert found["scroll"] <= width
