"""Positions as text and picture, events as sentences."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from reefsim.core.record import read_record
from reefsim.games.reef_encounter.narrate import describe, narrate
from reefsim.games.reef_encounter.position import position
from reefsim.games.reef_encounter.render import render_svg, render_text
from reefsim.testing import play

RECORDS = Path(__file__).parents[2] / "data" / "records" / "reef_encounter"
LAYOUT = "W: F4 G4; Y: F5 E5; P: J2 | red@F4 green@J2"


def test_text_shows_boards_coral_tiles_and_stocks() -> None:
    match = position(
        "R2 R4", LAYOUT, behind="W2", larvae="WG", front="P", fish="O", flipped="T3", locked="T1"
    )
    play(match, "shrimp_move F4 A3")
    text = render_text(match.state, match.rules)
    assert text.startswith(
        """\
turn 1, seat 0 to act, may not feed
R2: A  B  C  D  E  F  G    R4: H  I  J  K  L  M  N
  1 ~  ~  ~  .  .  .  ~      1 ~  .  .  .  .  .  ~
  2 .  .  .  .  .  .  ~      2 .  .  P1 .  ~  .  .
  3 .0 .  .  .  ~  .  .      3 .  .  ~  .  .  .  .
  4 .  ~  .  *  .  W  W      4 .  .  .  *  .  .  .
  5 .  .  .  .  Y  Y  .      5 ~  .  .  .  .  .  ~
  6 ~  .  .  .  .  .  ~      6 ~  .  .  ~  .  .  ~

T1 W>Y green locked"""
    )
    assert "T3 O>Y red" in text
    assert "values: W 3  Y 2  O 4  P 3  G 3" in text
    assert (
        "seat 0: behind W2; larvae W1 G1; front P1; fish O1 = 4; shrimps 3 behind, on A3, 0 eaten"
    ) in text


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        ("", "turn 1, seat 0 to act"),
        ("grow white", "turn 1, seat 0 grows white: 0 laid, 0 from behind"),
        ("grow white, place E4 behind", "turn 1, seat 0 takes the growth tile or leaves it"),
    ],
)
def test_the_first_line_tells_what_is_asked(before: str, asked: str) -> None:
    match = position("R2", behind="W2", larvae="W", rules={"growth_optional": True})
    play(match, *(text for text in before.split(", ") if text))
    assert match.to_text().splitlines()[0] == asked


def test_the_picture_is_one_document_that_names_every_cell() -> None:
    match = position("R2 R4", LAYOUT, locked="T1")
    root = ET.fromstring(render_svg(match.state, match.rules))
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 1 + 2 * 42 + 10 + 5
    for title in ("F4: white tile, shrimp of seat 0", "A1: deep water", "K4: growth cell"):
        assert title in titles
    assert "T1: white beats yellow, shows green, locked" in titles
    white = next(line for line in match.to_text().splitlines() if line.startswith("values: W "))[10]
    assert f"white: a tile is worth {white}" in titles


@pytest.mark.parametrize(
    ("event", "columns", "told"),
    [
        ("deal", {"color": "pink"}, "seat 1 is dealt a pink tile"),
        ("feed", {"cell": "K4", "size": 6}, "seat 1 feeds the coral of 6 tiles on K4, with its s"),
        ("alga", {"color": "white", "alga": "red", "on": "T2"}, "seat 1 pays a consumed white til"),
        ("grow_bonus", {"value": "no"}, "seat 1 does without the growth tile"),
        ("end", {"value": "four_eaten"}, "the game ends: all shrimps of seat 1 are eaten"),
    ],
)
def test_an_event_in_words(event: str, columns: dict[str, object], told: str) -> None:
    assert describe({"ply": 4, "turn": 2, "seat": 1, "event": event, **columns}).startswith(told)


def test_tiles_laid_are_told_with_the_color_of_the_grow_action() -> None:
    grow = {"seat": 0, "event": "grow", "color": "pink"}
    laid = {"seat": 0, "event": "place", "cell": "K5", "source": "front", "growth": True}
    told = list(narrate([grow, laid | {"captured": "white"}]))
    assert told[1] == (
        "seat 0 lays a pink tile on K5 from the front and captures the white tile there; "
        "a growth tile comes to K4"
    )


def test_every_event_of_the_recorded_games_can_be_told() -> None:
    for path in RECORDS.glob("*.jsonl"):
        told = list(narrate(read_record(path).rows))
        assert all(told)
        assert "{" not in "".join(told)
