"""The sections of a page of real games: complete, as asked, and within memory."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pandas as pd
import pytest

from reefsim.core.sections import SECTIONS, shown_sections
from reefsim.logs.read import Run
from reefsim.reporting.render import find_report, render, write_report
from tests.reporting.test_report import outline

IDS = {f"h-{name}" for name in SECTIONS}


def prose(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_every_section_stands_on_the_page(real_page):
    text = real_page.read_text(encoding="utf-8")
    found = outline(text)
    assert set(found.ids) >= IDS
    assert len(text) < 5_000_000
    assert not re.search(r"\bnan\b", prose(text))


def test_only_the_sections_asked_for_are_shown(real, monkeypatch):
    asked = real.manifest["experiment"]["report"] | {"show": ["seats", "watch"]}
    experiment = real.manifest["experiment"] | {"report": asked}
    monkeypatch.setitem(real.manifest, "experiment", experiment)
    report = find_report(real)
    shown = set(outline(render(report)).ids) & IDS
    assert shown == {"h-seats", "h-watch"}
    assert report.pieces is None
    assert report.overview.empty
    assert "What this does not show" in render(report)


def test_sections_by_name():
    assert shown_sections(None) == SECTIONS
    assert shown_sections(["appendix", "tiles", "pieces"]) == ("pieces", "appendix")


def commands(page: Path) -> list[str]:
    found = re.findall(r'<code class="cmd">([^<]*)</code>', page.read_text(encoding="utf-8"))
    return [text.replace("&#39;", "'") for text in found]


def test_games_to_watch_are_those_of_the_run(real: Run, real_page):
    shown = [shlex.split(text) for text in commands(real_page) if text.startswith("reefsim watch")]
    assert len(shown) >= 5
    for words in shown:
        assert words[2] == real.folder.as_posix()
        assert real.record(int(words[4])).results
    text = real_page.read_text(encoding="utf-8")
    for why in ("Typical", "Closest", "Longest", "Oddest", "Biggest swing"):
        assert f"<h3>{why}</h3>" in text


def test_the_story_names_its_oracle_and_its_games(real_page):
    text = prose(real_page.read_text(encoding="utf-8"))
    assert "the oracle “points”" in text
    assert "Oracle: points; 8 games" in text
    assert "Won by who led at half of the game" in text


def test_without_an_oracle_the_page_gives_the_command(real, tmp_path, monkeypatch):
    monkeypatch.setattr("reefsim.reporting.story._oracles", lambda run: ())
    page = write_report(real, tmp_path)
    assert f"reefsim appraise {real.folder.as_posix()}" in commands(page)


def test_maps_are_those_of_the_game(real_page):
    text = real_page.read_text(encoding="utf-8")
    drawn = re.findall(r'<svg[^>]*aria-labelledby="map-cells-\d-title">.*?</svg>', text, re.DOTALL)
    assert len(drawn) == 2  # one for each table
    for svg in drawn:
        assert all(f">{board}<" in svg for board in ("R1", "R2", "R3", "R4"))
        assert svg.count("var(--accent)") > 50


def test_numbers_stand_beside_the_page_as_tidy_tables(real, real_page):
    folder = real_page.with_name("real_data")
    metrics = pd.read_csv(folder / "metrics.csv")
    assert not metrics.duplicated(["metric", "seat", "arm"]).any()
    assert set(metrics["metric"]) >= {"length_rounds", "flips", "laid_white", "lead_changes"}
    rounds = metrics[metrics["metric"] == "length_rounds"].set_index("arm")
    by_hand = real.games.groupby("arm", observed=True)["rounds"].mean()
    assert rounds["estimate"].to_dict() == pytest.approx(by_hand.to_dict())
    assert rounds.loc["advanced-table", "against"] == "published-table"
    fan = pd.read_csv(folder / "story_fan.csv")
    assert fan.groupby("arm").size().eq(41).all()
    ends = fan[fan["share_of_game"] == 1]
    assert ends["q95"].eq(1).all()
    uses = pd.read_csv(folder / "uses.csv")
    laid = uses[(uses["summary"] == "colors") & (uses["count"] == "laid")]
    assert laid.groupby("arm")["ratio"].mean().to_numpy() == pytest.approx([1] * 4)


def test_markdown_stands_beside_the_page(real_page):
    text = real_page.with_suffix(".md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert len(pictures) >= 8
    for picture in pictures:
        svg = (real_page.parent / picture).read_text(encoding="utf-8")
        assert "<svg" in svg
        assert "var(--" not in svg
    assert "<" not in re.sub(r"`[^`]*`", "", text).replace("<0.001", "")
    assert "## Verdicts" in text
    assert "| published-table | first seat share |" in text


def test_markdown_alone(real, tmp_path, monkeypatch):
    asked = real.manifest["experiment"]["report"] | {"formats": ["md"], "show": ["verdicts"]}
    experiment = real.manifest["experiment"] | {"report": asked}
    monkeypatch.setitem(real.manifest, "experiment", experiment)
    page = write_report(real, tmp_path)
    assert page == tmp_path / "report.md"
    assert not (tmp_path / "report.html").exists()


def test_events_are_read_part_by_part_and_of_few_games(real, monkeypatch):
    asked = []
    table = Run.table

    def watched(self, name, columns=None, filters=None, parts=None):
        if name in ("events", "turns"):
            asked.append((name, columns, parts))
        return table(self, name, columns, filters, parts)

    monkeypatch.setattr(Run, "table", watched)
    find_report(real)
    assert {name for name, *_ in asked} == {"events", "turns"}
    for _, columns, parts in asked:
        assert columns == ["game_id"] or len(parts) == 1


def test_the_first_replicates_stand_for_all(real):
    from reefsim.stats.overview import FirstGames

    first = FirstGames(real, 0)
    first_ids = {arm: len(first.table("games", ["game_id"], None, [(arm, n)]))
                 for arm, n in first.parts()}  # fmt: skip
    assert first_ids == {arm["name"]: arm["games"] for arm in real.manifest["arms"]}
    kept = real.manifest["experiment"]["events"]
    assert kept == 1


def test_open_rule_questions_name_the_reading_played(real_page):
    readings = pd.read_csv(real_page.with_name("real_data") / "readings.csv")
    assert "max_own_shrimps_per_board" in set(readings["toggle"])
    assert readings["question"].str.fullmatch(r"A\d+(, A\d+)*").all()


def test_too_few_games_tell_nothing_of_pieces(real, monkeypatch):
    monkeypatch.setattr("reefsim.stats.even.LEAST_BATCHES", 100)
    report = find_report(real)
    assert report.pieces.uses.empty
    assert "Pieces and actions" in render(report)
