"""The guide to adding a game is followed to the letter: its files, its commands, its output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import reefsim
from tests.docs import guide

ROOT = Path(reefsim.__file__).parents[1]
TEXT = (ROOT / "docs" / "add_your_own_game.md").read_text(encoding="utf-8")
STEPS = [step for step in guide.steps(TEXT) if step.command != "pip install -e ."]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each command says, all run in one process of their own, as reefsim is imported there."""
    folder = tmp_path_factory.mktemp("reefsim-pig")
    guide.write(folder, TEXT)
    done = subprocess.run(
        [sys.executable, "-m", "tests.docs.guide", *(step.command for step in STEPS)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_guide_shows_what_it_says() -> None:
    """No fence or marker of the page is missed by the way it is read."""
    assert TEXT.count("**`") == len(guide.files(TEXT)) == 7
    assert TEXT.count("\n$ ") == len(guide.steps(TEXT))
    assert all(step.lines for step in STEPS)


@pytest.mark.jitted
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.command)
def test_a_command_of_the_guide_says_what_is_shown(step: guide.Step, said: dict[str, str]) -> None:
    assert step.missing(said[step.command]) is None, said[step.command]
