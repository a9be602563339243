"""What is published beside the code: experiments load, reports are whole, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import reefsim as rs

ROOT = Path(__file__).parents[1]
CONFIGS = sorted((ROOT / "configs").glob("*.yaml"))
REPORTS = [path for path in sorted((ROOT / "reports").glob("*.md")) if path.stem != "README"]
ANSWERS = sorted((ROOT / "experiments").glob("*/README.md"))
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def name(path: Path) -> str:
    return path.parent.name if path.stem == "README" else path.stem


@pytest.mark.parametrize("path", CONFIGS, ids=name)
def test_experiments_load(path: Path) -> None:
    experiment = rs.load(path)
    assert experiment.run.out.parent.parent.parent == ROOT / "experiments"


@pytest.mark.parametrize("path", REPORTS, ids=name)
def test_reports_are_of_an_experiment_and_of_no_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    command = re.search(r"- Command: `reefsim \w+ (\S+)`", text)
    assert command is not None
    assert (ROOT / command[1]) in CONFIGS
    assert not re.search(r"(?<![\w.])/(home|root|tmp|Users|work|var|mnt)/", text)


@pytest.mark.parametrize("path", [*REPORTS, *ANSWERS, ROOT / "README.md"], ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", ANSWERS, ids=name)
def test_answers_say_what_was_asked_and_played_and_what_is_open(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "**Question.**" in text
    assert "**Design.**" in text
    assert "**Answer" in text
    assert re.search(r"^reefsim (run|sweep|tune|ladder) ", text, re.MULTILINE)
    assert re.search("not yet known", text, re.IGNORECASE)
