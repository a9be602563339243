"""A figure with what a page says of it."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.figure import Figure

from reefsim.reporting import words
from reefsim.reporting.findings import Findings
from reefsim.reporting.theme import Arms


@dataclass(frozen=True)
class Picture:
    """A figure, what it shows in words, its caption, and the table it was drawn from."""

    figure: Figure
    alt: str
    caption: str
    has_legend: bool = True
    data: str = ""

    @property
    def told(self) -> str:
        """Caption with the name of the table."""
        return f"{self.caption} Data: {self.data}.csv."


def arms_of(found: Findings) -> Arms:
    """Arms of a run with their looks."""
    arms = found.info.arms
    names = [arm.name for arm in arms]
    tables = [arm.name.removeprefix(f"{arm.ruleset}-") for arm in arms]
    return Arms.crossed(names, [arm.ruleset for arm in arms], tables)


def who(found: Findings) -> str:
    """How many games a figure rests on, and who played them."""
    tables = sorted({words.line_up(arm) for arm in found.info.arms})
    return f"{words.counted(found.num_games, 'games')} by {'; '.join(tables)}."
