"""Every mistake in an experiment file gives its exact message: place, path, what, what instead."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from reefsim.errors import ConfigError
from reefsim.sim.design import loads

HERE = Path(__file__).parent
START = (HERE / "start.yaml").read_text(encoding="utf-8")


class Mistake(NamedTuple):
    """A file with a mistake, and the complete message that it must give."""

    title: str
    text: str
    expected: str


def read_mistakes(path: Path) -> list[Mistake]:
    """Read the table of mistakes; each block edits start.yaml or is a file of its own."""
    _, *blocks = path.read_text(encoding="utf-8").split("\n# ")
    return [read_block(block) for block in blocks]


def read_block(block: str) -> Mistake:
    """Apply the edits of one block to start.yaml."""
    title, *lines = block.splitlines()
    text, old, new = START, "", ""
    for line in [*lines, "-"]:
        if line.startswith("-") and new:
            assert not old or old in START, f"{title}: not in start.yaml: {old}"
            text = text.replace(old, new) if old else new
            old, new = "", ""
        old += f"{line[1:]}\n" if line.startswith("-") else ""
        new += f"{line[1:]}\n" if line.startswith("+") else ""
    return Mistake(title, text, "\n".join(line[2:] for line in lines if line.startswith(">")))


MISTAKES = read_mistakes(HERE / "mistakes.txt")


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_message(mistake: Mistake) -> None:
    with pytest.raises(ConfigError) as refused:
        loads(mistake.text, "start.yaml")
    assert str(refused.value) == mistake.expected


def test_every_message_is_one_line_with_its_place() -> None:
    for mistake in MISTAKES:
        with pytest.raises(ConfigError) as refused:
            loads(mistake.text, "start.yaml")
        for problem in refused.value.problems:
            assert "\n" not in str(problem)
            assert problem.line >= 1
            assert problem.column >= 1


def test_the_file_without_mistakes_is_accepted() -> None:
    assert loads(START, "start.yaml").seats == 3
