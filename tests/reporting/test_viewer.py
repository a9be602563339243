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
from reefsim.core.match import Match
from reefsim.errors import RecordError
from reefsim.logs.saved import SavedGame, find_game
from reefsim.reporting.viewer import write_viewer
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

# What a script in a copy of the page does with it and tells: positions, points, address.
DRIVE = """<script>addEventListener("load", () => {
  const press = key =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  const seen = () => ({
    board: document.getElementById("board").innerHTML,
    text: document.getElementById("text").textContent,
    where: document.getElementById("where").textContent,
    asked: document.getElementById("asked").textContent,
    happened: [...document.querySelectorAll("#events .new")].map(e => e.textContent),
    seats: [...document.getElementById("seats").rows].map(r => r.innerText.split("\t")),
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
        assert write_viewer(saved(name), page).ok
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
    for *_, views in data["frames"]:
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
    units, frames, events = data["units"], data["frames"], data["events"]
    assert list(units)[:3] == ["action", "turn", "round"]
    assert units["action"] == list(range(len(frames)))
    assert len(units["turn"]) == 1 + max(event[1] for event in events)  # the set-up is one, too
    rows = game.record.rows
    for name in ("feed", "grow", "place"):
        assert len(units[name]) == sum(row["event"] == name for row in rows)
        for k in units[name]:
            assert name in [row["event"] for row in rows[frames[k - 1][0] : frames[k][0]]]
    ahead = [frames[k][3][0] > frames[k][3][1] for k in units["lead change"]]
    assert len(ahead) > 1
    assert all(a != b for a, b in itertools.pairwise(ahead))


def test_a_record_that_breaks_a_rule_is_shown_up_to_there(tmp_path):
    found = saved("reef")
    rows = [dict(row) for row in found.record.rows]
    rows[20]["seat"] = 1 - rows[20]["seat"]
    page = tmp_path / "broken.html"
    verdict = write_viewer(replace(found, record=replace(found.record, rows=rows)), page)
    assert verdict.ply == 20
    assert "This is no game by its rules: ply 20" in page.read_text(encoding="utf-8")
    assert data_of(page)["frames"][-1][0] <= 20
    rows[0] = {"ply": 0}
    with pytest.raises(RecordError, match="ply 0"):
        write_viewer(replace(found, record=replace(found.record, rows=rows)), page)


def test_what_an_oracle_saw_is_drawn_and_can_be_gone_to(tmp_path):
    run = rs.open(play(tmp_path / "run", TEXT.replace("replicates: 15", "replicates: 1")))
    page = run.find("longest").watch(tmp_path / "page.html")
    assert "Chance of winning" not in page.read_text(encoding="utf-8")
    appraise(run, mode="plain")
    game = run.find("biggest_swing")
    text = game.watch(page).read_text(encoding="utf-8")
    assert "Chance of winning, as the oracle sees it" in text
    assert f"reefsim explain {run.folder.as_posix()} " in text
    data = data_of(page)
    assert len(data["units"]["biggest swing"]) == 5
    assert set(data["units"]["biggest swing"]) <= set(data["units"]["turn"])
    assert text.count("<polyline") == 2 * 2
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
    assert data_of(page)["seats"][0] == f"seat 0 ({evil})"


def drive(page: Path, folder: Path, fragment: str = "") -> dict[str, Any]:
    """What the page shows while it is used."""
    copy = folder / "copy.html"
    text = re.sub(r"<meta http-equiv[^>]*>", DRIVE, page.read_text(encoding="utf-8"))
    copy.write_text(text, encoding="utf-8")
    dom, log = browse(copy, folder / "profile", 1400, fragment=fragment)
    assert "CONSOLE" not in log
    found = re.search(r"<title>(\{.*?\})</title>", dom, re.DOTALL)
    assert found, dom[:500]
    return dict(
        json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    )


browser = pytest.mark.skipif(BROWSER is None, reason="there is no chromium on the PATH")


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
    assert [tuple(map(str.strip, row[1:])) for row in told["end"]["seats"]] == results
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
