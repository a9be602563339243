"""Colors of reports and figures, light and dark.

The arms' colors are those of Okabe and Ito, which color-blind readers can tell apart, without
their yellow, which is too pale on white. Figures are drawn in the light colors; a page replaces
them by CSS variables of the same names, so that they follow the reader's light or dark mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LIGHT = {
    "page": "#f6f8f8",
    "surface": "#ffffff",
    "ink": "#15262e",
    "muted": "#54676f",
    "line": "#d9e2e5",
    "band": "#e4ecee",
    "accent": "#00677b",
    "arm-0": "#0072b2",
    "arm-1": "#d55e00",
    "arm-2": "#009e73",
    "arm-3": "#b5588f",
    "arm-4": "#b87f00",
    "arm-5": "#3f9bd1",
    "arm-6": "#7a6ac0",
    "arm-7": "#7d878c",
    "fair": "#0b7a5c",
    "small": "#4b6f82",
    "unfair": "#b93a1d",
    "favours": "#946200",
    "open": "#5a6a71",
    "none": "#5a6a71",
}
DARK = {
    "page": "#0c151a",
    "surface": "#121e24",
    "ink": "#e6eff2",
    "muted": "#9db1b9",
    "line": "#2a3b42",
    "band": "#2a404a",
    "accent": "#5fc6d8",
    "arm-0": "#58aee6",
    "arm-1": "#ff8f4d",
    "arm-2": "#3fcca0",
    "arm-3": "#e79ac4",
    "arm-4": "#e8b54a",
    "arm-5": "#9ad4f7",
    "arm-6": "#b5a8f0",
    "arm-7": "#aab6bb",
    "fair": "#4fd1a5",
    "small": "#9dbfd0",
    "unfair": "#ff8f74",
    "favours": "#e8b54a",
    "open": "#aabac1",
    "none": "#aabac1",
}
NUM_ARM_COLORS = sum(name.startswith("arm-") for name in LIGHT)
MARKERS = "oDs^vPX*"
DASHES: Any = ("-", (0, (5, 2)), (0, (1, 1.4)), (0, (6, 2, 1, 2)))


def arm_color(index: int) -> str:
    """Light color of an arm by its place in the plan; the ninth arm starts again."""
    return LIGHT[f"arm-{index % NUM_ARM_COLORS}"]


def arm_marker(index: int) -> str:
    """Marker of an arm, so that color is never the only sign; shifts when colors repeat."""
    return MARKERS[(index + index // NUM_ARM_COLORS) % len(MARKERS)]


class Arms(tuple[str, ...]):
    """Names of arms in the order of the plan, each with the color and marker it has everywhere.

    Where arms cross several rulesets with several line-ups, a ruleset has one color and a line-up
    one marker and dash; otherwise every arm has its own of both.
    """

    looks: tuple[tuple[int, int], ...]  # color and marker
    is_plain: bool = True

    @classmethod
    def plain(cls, names: Sequence[str]) -> Arms:
        """Arms that have their own color and marker each."""
        if isinstance(names, Arms):
            return names
        found = cls(names)
        found.looks = tuple((index, index) for index in range(len(found)))
        return found

    @classmethod
    def crossed(cls, names: Sequence[str], rules: Sequence[str], tables: Sequence[str]) -> Arms:
        """Arms by ruleset and table, in the order of the names."""
        colors, markers = list(dict.fromkeys(rules)), list(dict.fromkeys(tables))
        is_cross = len(colors) > 1 and len(markers) > 1 and len(colors) <= NUM_ARM_COLORS
        if not is_cross or len(set(zip(rules, tables, strict=True))) < len(names):
            return cls.plain(names)
        found = cls(names)
        found.is_plain = False
        found.looks = tuple(
            (colors.index(rule), markers.index(table))
            for rule, table in zip(rules, tables, strict=True)
        )
        return found

    def color(self, index: int) -> str:
        """Light color of an arm."""
        return arm_color(self.looks[index][0])

    def tone(self, index: int) -> str:
        """CSS variable of that color."""
        return f"--arm-{self.looks[index][0] % NUM_ARM_COLORS}"

    def marker(self, index: int) -> str:
        """Marker of an arm."""
        return arm_marker(index) if self.is_plain else MARKERS[self.looks[index][1] % len(MARKERS)]

    def dash(self, index: int) -> Any:
        """Dash of its lines."""
        return DASHES[self.looks[index][1] % len(DASHES)]


def css_variables(colors: dict[str, str]) -> str:
    """Colors as declarations of CSS variables."""
    return " ".join(f"--{name}: {color};" for name, color in colors.items())
