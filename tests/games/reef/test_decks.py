"""Deck files: the shipped one, the true one when somebody transcribes it, and mistakes in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reefsim.cli.app import app
from reefsim.core.datafiles import looking_in
from reefsim.core.replay import replay_paths
from reefsim.games import registry
from reefsim.games.reef import decks
from reefsim.games.reef.game import GAME
from reefsim.logs.read import open_run
from reefsim.reporting.render import write_report
from reefsim.reporting.tables import print_summary
from reefsim.sim.design import load
from reefsim.sim.oracle import Settings, appraise, count_games
from reefsim.sim.runner import run
from reefsim.sim.verify import verify_run

RECONSTRUCTED = decks.find(decks.RECONSTRUCTED)
TEXT = RECONSTRUCTED.text


def changed(**lines: str) -> str:
    """The reconstructed deck with other lines for some cards; an empty one drops the card."""
    text = []
    for line in TEXT.splitlines():
        new = lines.get(line.split(",")[0], line)
        text += [new] if new else []
    return "\n".join(text) + "\n"


@pytest.mark.clause("A17")
def test_the_shipped_deck_is_what_it_says() -> None:
    assert decks.shipped() == (decks.RECONSTRUCTED,)
    assert decks.check(decks.RECONSTRUCTED, TEXT) == []
    assert RECONSTRUCTED.hash == "3f2eff204f1ad74b"
    assert len(RECONSTRUCTED.cards) == 60
    assert GAME.ruleset().deck() == RECONSTRUCTED


@pytest.mark.parametrize(
    ("card", "line", "message"),
    [
        ("RF01", "", "59 cards, 60 are expected"),
        ("RF01", "RF01,G,R,pattern,0:0:Y:*,1,F1_single,B", "29 corals R, 30 are expected"),
        ("RF01", "RF01,R,R,pattern,0:0:R:*,1,F1_single,B", "RF01: the pattern names a coral"),
        ("RF01", "RF01,R,R,pattern,0:0:Y:*,2,F1_single,B", "cards by points are"),
        ("RF37", "RF37,R,G,special,centre=Y neighbour=Y,2,F7_special,A", "each color has to be"),
        ("RF45", "RF45,G,G,pattern,0:0:Y:* 3:3:Y:*,4,F8_diag3,A", "RF45: the pattern does not fit"),
    ],
)
def test_changes_of_the_shipped_deck_are_found(card: str, line: str, message: str) -> None:
    found = [remark.text for remark in decks.check(decks.RECONSTRUCTED, changed(**{card: line}))]
    assert any(text.startswith(message) for text in found), found


FORMS = [
    ("RF02,P,P,pattern,0:0:Y:*,1,F1_single", "7 fields; there are 8"),
    ("RF 2,P,P,pattern,0:0:Y:*,1,F1_single,B", "id 'RF 2'"),
    ("RF02,P,W,pattern,0:0:Y:*,1,F1_single,B", "coral_b 'W' is none of Y, R, P, G"),
    ("RF02,P,P,patern,0:0:Y:*,1,F1_single,B", "kind 'patern' is neither"),
    ("RF02,P,P,pattern,0:0:Y,1,F1_single,B", "cell '0:0:Y'"),
    ("RF02,P,P,pattern,0:0:Y:5,1,F1_single,B", "cell '0:0:Y:5'"),
    ("RF02,P,P,pattern,0:1:Y:*,1,F1_single,B", "cells '0:1:Y:*': a pattern touches row 0"),
    ("RF02,P,P,pattern,0:0:Y:* 0:0:R:*,1,F1_single,B", "1 to 4 different cells"),
    ("RF02,P,P,special,0:0:Y:*,1,F1_single,B", "a special card has centre=Y neighbour=P"),
    ("RF02,P,P,pattern,0:0:Y:*,21,F1_single,B", "points '21': a whole number 0-20"),
    ("RF01,P,P,pattern,0:0:Y:*,1,F1_single,B", "card 'RF01' stands in line 2 as well"),
]


@pytest.mark.parametrize(("line", "message"), FORMS, ids=[message for _, message in FORMS])
def test_mistakes_of_form_have_their_line(line: str, message: str) -> None:
    (remark,) = decks.check("mine", changed(RF02=line))
    assert remark.line == 3
    assert message in remark.text


def test_the_first_line_and_sizes() -> None:
    assert "the first line has to be id," in decks.check("mine", TEXT[3:])[0].text
    many = "".join(f"{c}{k},R,R,pattern,0:0:Y:*,1,-,-\n" for k in range(61) for c in "AB")
    assert "at most 120" in decks.check("mine", f"{decks.HEAD}\n{many}")[0].text
    spaced = TEXT.replace(",", " , ").replace("\n", "\r\n")
    with looking_in({"decks/mine.csv": spaced}):
        assert decks.find("mine").hash == RECONSTRUCTED.hash


OFFICIAL = [
    ({}, []),
    ({"RF37": "RF37,R,G,special,centre=P neighbour=Y,2,-,-"}, ["two special cards", "K3"]),
    ({"RF07": "", "RF58": ""}, ["58 cards", "K6"] if False else ["58 cards"]),
    ({"RF09": "RF09,Y,Y,pattern,0:0:W:*,1,-,-"}, ["a wild piece has a number"]),
    ({"RF58": "RF58,Y,Y,pattern,0:0:R:* 0:1:R:* 1:0:R:* 1:1:R:*,5,-,-"}, ["K7"]),
    ({"RF45": "RF45,G,G,pattern,0:2:Y:* 1:1:Y:* 2:0:Y:*,4,-,-"}, []),  # turned
]


@pytest.mark.parametrize(("lines", "messages"), OFFICIAL)
def test_a_transcribed_deck_is_held_against_what_is_known(
    lines: dict[str, str], messages: list[str]
) -> None:
    found = [remark.text for remark in decks.check(decks.OFFICIAL, changed(**lines))]
    assert len(found) >= len(messages)
    for message in messages:
        assert any(message in text for text in found), found
    if not messages:
        assert found == []


def test_k9_is_only_a_warning() -> None:
    (remark,) = decks.check(
        decks.OFFICIAL, changed(RF14="RF14,R,P,pattern,0:0:Y:4,6,F3_colour_height,A-")
    )
    assert remark.is_warning
    with looking_in({"decks/official-2018.csv": TEXT}):
        ruleset = GAME.ruleset.make({"deck_id": "official-2018"}, 2)
    assert GAME.caveats(ruleset) == ()
    assert len(GAME.caveats(GAME.ruleset())) == 1


def test_a_deck_needs_enough_cards_and_a_name_of_its_own() -> None:
    few = "\n".join(TEXT.splitlines()[:8])
    with looking_in({"decks/few.csv": few}):
        ((path, message),) = GAME.ruleset.problems({"deck_id": "few"}, 3)
        assert path == ("deck_id",)
        assert "7 cards, 10 are needed" in message
    with looking_in({"decks/reconstructed-v1.csv": changed(RF01="")}):
        ((path, message),) = GAME.ruleset.problems({"deck_id": decks.RECONSTRUCTED}, 2)
        assert "comes with the game and has other cards" in message
        assert GAME.ruleset.problems({}, 2) == []  # who names no deck wants the one of the game
        assert GAME.ruleset().deck() == RECONSTRUCTED
    for name in ("UPPER", "../secret", ""):
        assert GAME.ruleset.problems({"deck_id": name}, 2)


def test_the_command_checks_a_file(tmp_path: Path) -> None:
    file = tmp_path / "official-2018.csv"
    file.write_text(TEXT, encoding="utf-8")
    answer = CliRunner().invoke(app, ["check-data", "reef", str(file)])
    assert answer.exit_code == 0
    assert "60 cards, 8 of them special" in answer.output
    assert "warning" not in answer.output
    few = tmp_path / "few.csv"
    for cards, said in ((9, "enough for 2 players"), (11, "2 and 3 players"), (7, "for nobody")):
        few.write_text("\n".join(TEXT.splitlines()[: 1 + cards]), encoding="utf-8")
        answer = CliRunner().invoke(app, ["check-data", "reef", str(few)])
        assert answer.exit_code == 0
        assert f"warning: {cards} cards are" in answer.output
        assert said in answer.output
        assert "4 players need 12" in answer.output
    file.write_text(changed(RF02=FORMS[0][0]), encoding="utf-8")
    answer = CliRunner().invoke(app, ["check-data", "reef", str(file)])
    assert answer.exit_code == 2
    assert f"{file}:3: 7 fields" in answer.output


EXPERIMENT = """\
question: Does a deck of its own work?
game: reef
seats: 2
seed: 4
rulesets: {own: {deck_id: few}, base: {}}
agents: {random: {kind: random}}
lineups: {table: [random, random]}
stopping: {rule: fixed, replicates: 2}
report: {formats: [html, md]}
"""


def test_a_run_keeps_its_deck_and_says_what_it_depends_on(tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    own = "".join(f"{line}\n" for line in TEXT.splitlines()[:31])
    (tmp_path / "decks" / "few.csv").write_text(own, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(EXPERIMENT, encoding="utf-8")
    experiment = load(tmp_path / "mine.yaml", out=str(tmp_path / "run"), workers=1)
    folder = run(experiment, mode="plain")
    assert (folder / "decks" / "few.csv").read_text(encoding="utf-8") == own
    opened = open_run(folder)
    arms: dict[str, Any] = {arm["ruleset"]: arm for arm in opened.manifest["arms"]}
    assert "caveats" not in arms["own"]
    assert "reconstructed-v1" in arms["base"]["caveats"][0]
    hashes = opened.games.groupby("arm", observed=True).deck_hash.unique()
    assert sorted(value[0] for value in hashes) == sorted(
        [RECONSTRUCTED.hash, arms["own"]["header"]["deck_hash"]]
    )
    for game_id in opened.games.game_id:
        record = opened.record(game_id)
        path = tmp_path / f"{game_id}.jsonl"
        rows = (record.header, *record.rows, *record.results)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        ((_, verdict),) = replay_paths([path], registry.get)
        assert verdict.ok, str(verdict)
    assert verify_run(folder, sample=4, mode="plain").faults == []
    judged = appraise(opened, Settings(oracle="points"), mode="plain")
    assert sum(map(count_games, judged)) == len(opened.games)
    from rich.console import Console

    console = Console(record=True, width=100)
    print_summary(opened, console)
    assert "Played with the deck reconstructed-v1" in console.export_text()
    page = write_report(opened, tmp_path / "page.html")
    assert "Played with the deck reconstructed-v1" in page.read_text(encoding="utf-8")
    markdown = page.with_suffix(".md").read_text(encoding="utf-8")
    assert "> Played with the deck reconstructed-v1" in markdown
    # another deck under the same name is another design
    (tmp_path / "decks" / "few.csv").write_text(changed(RF60="", RF59=""), encoding="utf-8")
    other = load(tmp_path / "mine.yaml", out=str(tmp_path / "run"), workers=1)
    assert other.config_hash != experiment.config_hash
