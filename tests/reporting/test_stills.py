"""Games as files of their own: a drawing, a moving picture, the notation."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from reefsim.core.match import Match
from reefsim.errors import ReefsimError
from reefsim.logs.saved import SavedGame, find_game
from reefsim.reporting import stills
from reefsim.reporting.stills import export

RECORDS = Path(__file__).parents[1] / "data" / "records"


def saved(name: str = "reef/2p_numbers_01.jsonl") -> SavedGame:
    return find_game(RECORDS / name)


def test_a_drawing_is_that_of_the_position_after_a_ply(tmp_path):
    game, drawn = saved(), []

    def watch(match: Match) -> None:
        states = (match.plain_state(), match.state_known_to(1))
        draw = match.game.render_svg
        assert draw
        drawn.append((match.ply, [draw(state, match.rules) for state in states]))

    game.follow(watch)
    for ply, (whole, known) in drawn[3::40]:
        export(game, tmp_path / "whole.svg", ply=ply - 1)
        export(game, tmp_path / "known.svg", ply=ply - 1, seat=1)
        assert (tmp_path / "whole.svg").read_text("utf-8") == whole
        assert (tmp_path / "known.svg").read_text("utf-8") == known
    export(game, tmp_path / "last.svg")
    assert (tmp_path / "last.svg").read_text("utf-8") == drawn[-1][1][0]


@pytest.mark.parametrize(
    "name", ["charon_inc/3p_base_02.jsonl", "reef_encounter/2p_base_01_four_eaten.jsonl"]
)
def test_the_notation_tells_every_event_and_the_result(name, tmp_path):
    game, file = saved(name), tmp_path / "notation.txt"
    export(game, file)
    first = file.read_bytes()
    lines = first.decode().splitlines()
    told = [line for line in lines if line[:5].strip().isdecimal()]
    rows = game.record.rows
    assert [int(line[:5]) for line in told] == [row["ply"] for row in rows]
    words = game.before(next(row["ply"] for row in rows if "n_legal" in row)).game
    for line, row in zip(told, rows, strict=True):
        if "n_legal" in row:
            text = line[13:].partition("  ")[2]
            assert words.parse_action(text) == words.action_of(row)
        else:
            assert line[13] == "("
    results = game.record.results
    assert (
        lines[-1]
        == f"seat {len(results) - 1}: {results[-1]['score']} points, rank {results[-1]['rank']}"
    )
    export(game, file)
    assert file.read_bytes() == first


def test_a_moving_picture_has_a_frame_for_every_turn(tmp_path, monkeypatch):
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    game, file = saved(), tmp_path / "game.gif"
    turns = max(row["turn"] for row in game.record.rows)
    export(game, file)
    with image.open(file) as moving:
        assert moving.format == "GIF"
        assert moving.n_frames == 2 + turns  # the start, and the set-up
        assert moving.width == 640
    assert file.stat().st_size < 2_000_000
    monkeypatch.setattr(stills, "MOST_FRAMES", 7)
    export(game, file, unit="action")
    with image.open(file) as moving:
        assert moving.n_frames == 7


def test_what_cannot_be_exported_is_refused_in_a_line(tmp_path, monkeypatch):
    game = saved()
    for file, options, message in (
        ("game.png", {}, r"exported as a drawing \(\*.svg\)"),
        ("game.svg", {"ply": 10_000}, "there is no ply 10000; the last one is"),
        ("game.svg", {"seat": 2}, "there is no seat 2; seats are 0 to 1"),
        ("game.gif", {"unit": "trun"}, "Did you mean 'turn'"),
    ):
        with pytest.raises(ReefsimError, match=message):
            export(game, tmp_path / file, **options)
    undrawn = replace(game, game=replace(game.game, render_svg=None))
    with pytest.raises(ReefsimError, match="has no drawing; export"):
        export(undrawn, tmp_path / "game.svg")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ReefsimError, match=r'pip install "reefsim\[gif\]"'):
        export(game, tmp_path / "game.gif")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["game.svg", "game.gif", "game.txt"])
def test_a_place_that_cannot_be_written_is_named_and_nothing_is_left(name, tmp_path):
    if name.endswith(".gif"):
        pytest.importorskip("resvg_py")
    place = tmp_path / name
    place.mkdir()
    with pytest.raises(ReefsimError, match=f"{name}: cannot be written: "):
        export(saved("reef_encounter/2p_base_01_four_eaten.jsonl"), place, unit="round")
    assert [path.name for path in tmp_path.iterdir()] == [name]
