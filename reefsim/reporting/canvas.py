"""What figures are drawn on: their style, axes with rows, and the way out as SVG.

No window and no pyplot state stand behind them.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reefsim.core.jit import cache_root

if root := cache_root():  # matplotlib complains where the home folder cannot be written
    os.environ.setdefault("MPLCONFIGDIR", str(root / "matplotlib"))

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reefsim.reporting.theme import LIGHT, Arms

WIDTH = 5.4  # inches at 72 per inch: text of 11 points stays readable on a phone
STYLE: Any = {
    "font.size": 11,
    "svg.fonttype": "none",
    "svg.hashsalt": "reefsim",
    "text.color": LIGHT["ink"],
    "axes.labelcolor": LIGHT["muted"],
    "axes.edgecolor": LIGHT["line"],
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "grid.color": LIGHT["line"],
    "xtick.color": LIGHT["muted"],
    "ytick.color": LIGHT["muted"],
    "ytick.labelcolor": LIGHT["ink"],
    "xtick.major.pad": 6,
    "ytick.major.pad": 8,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "legend.frameon": False,
    "legend.labelcolor": LIGHT["ink"],
}


@contextmanager
def paneled(number: int, height: float, share: bool = True) -> Iterator[tuple[Figure, list[Axes]]]:
    """Figure with panels, two in a row if there are several; they may share their axes."""
    columns = 1 if number == 1 else 2
    rows = -(-number // columns)
    with mpl.rc_context(STYLE):
        size = (WIDTH, (height if columns == 2 else 1.5 * height) * rows + 0.3)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False, sharex=share, sharey=share)
        panels = list(grid.ravel())
        for panel in panels[number:]:
            panel.set_visible(False)
        yield figure, panels[:number]


def to_svg(figure: Figure, name: str, title: str, colors: Mapping[str, str] = LIGHT) -> str:
    """SVG of a figure for a page: themed by CSS variables, with alternative text, self-contained.

    Parameters
    ----------
    figure : of this module
    name : prefix of the ids, unique on the page
    title : text for those who do not see the figure
    colors : names of the CSS variables that replace colors of the drawing

    Returns
    -------
    str
        An <svg> element without prolog, namespaces or fixed size.
    """
    buffer = io.StringIO()
    with mpl.rc_context(STYLE):
        FigureCanvasSVG(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"'DejaVu Sans'[^;\"]*", "var(--sans)", svg)
    for variable, color in colors.items():
        svg = svg.replace(color, f"var(--{variable})")
    box = re.search(r'viewBox="[^"]*"', svg)
    head = f'<svg {box[0] if box else ""} role="img" aria-labelledby="{name}-title">'
    caption = f'<title id="{name}-title">{_escaped(title)}</title>'
    return head + caption + svg[svg.index(">") + 1 :]


def write_svg(figure: Figure, path: Path, legend: bool, arms: Arms) -> None:
    """Write a figure as a picture of its own, on white, for documents without a style.

    Parameters
    ----------
    figure : of this module
    path : of the file
    legend : whether to name the arms in it, if there are several
    arms : of the run
    """
    if legend and len(arms) > 1:
        with mpl.rc_context(STYLE):
            width, height = figure.get_size_inches()
            figure.set_size_inches(width, height + 0.24 * len(arms))
            name_arms(figure, arms)
    with mpl.rc_context(STYLE | {"svg.fonttype": "path"}):
        FigureCanvasSVG(figure)
        metadata = {"Date": None, "Creator": None}
        figure.savefig(path, format="svg", metadata=metadata, facecolor=LIGHT["surface"])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@contextmanager
def square(rows: int) -> Iterator[tuple[Figure, Axes]]:
    """Figure with one pair of axes; those of a pair of figures have the same height."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 1.4 + 0.52 * rows), layout="constrained")
        yield figure, figure.add_subplot()


@contextmanager
def rowed_axes(rows: int, groups: int, arms: Arms, legend: bool) -> Iterator[tuple[Figure, Axes]]:
    """Figure with one pair of axes, as high as its rows and groups of rows need."""
    has_legend = legend and len(arms) > 1
    height = 0.7 + 0.24 * rows + 0.22 * groups + (0.24 * len(arms) if has_legend else 0)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        axes.set_axisbelow(True)
        axes.grid(axis="x", lw=0.8)
        yield figure, axes
        if has_legend:
            name_arms(figure, arms)


def name_arms(figure: Figure, arms: Arms) -> None:
    """Legend of the arms above a figure, which must have room for it."""
    marks = [
        Line2D([], [], color=arms.color(i), marker=arms.marker(i), ls=arms.dash(i))
        for i in range(len(arms))
    ]
    figure.legend(marks, list(arms), loc="outside upper left", borderpad=0)


def rows_of(
    table: pd.DataFrame, column: str, groups: Sequence[object], arms: Arms
) -> Iterator[tuple[float, int, Any]]:
    """Rows of a table with their height in the figure and the index of their arm."""
    for row in table.to_dict("records"):
        index = list(arms).index(row["arm"])
        group = list(groups).index(row[column])
        yield -group - pitch(len(arms)) * (index - (len(arms) - 1) / 2), index, row


def pitch(arms: int) -> float:
    """Distance between the arms of a group; groups are 1 apart."""
    return 0.76 / max(arms, 1)


def label_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Name the rows, the first on top."""
    axes.set_yticks([-float(place) for place in range(len(labels))], list(labels))
    axes.set_ylim(0.5 - len(labels), 0.5)


def dot(
    axes: Axes,
    y: float,
    look: tuple[Arms, int],
    value: float,
    low: float,
    high: float,
    hollow: bool = False,
) -> None:
    """A value and its interval, in the color and with the marker of an arm."""
    arms, index = look
    color = arms.color(index)
    axes.plot([low, high], [y, y], color=color, lw=2.2, solid_capstyle="round", zorder=3)
    face = LIGHT["surface"] if hollow else color
    mark: Any = {"marker": arms.marker(index), "ms": 7, "mew": 1.6, "mec": color, "mfc": face}
    axes.plot([value], [y], ls="none", zorder=4, **mark)
