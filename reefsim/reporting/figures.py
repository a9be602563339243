"""Figures of a report, as matplotlib figures that no window and no pyplot state stand behind.

Every figure takes a table of `stats` and the arms in the order of the plan; an arm has the same
color and marker in all of them. Rows are seats or causes, so that names stay readable on a phone.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from reefsim.core.jit import cache_root

if root := cache_root():  # matplotlib complains where the home folder cannot be written
    os.environ.setdefault("MPLCONFIGDIR", str(root / "matplotlib"))

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, PercentFormatter

from reefsim.reporting.numbers import decimal, span
from reefsim.reporting.theme import LIGHT, arm_color, arm_marker
from reefsim.reporting.words import cause_name
from reefsim.stats.verdict import seat_name

WIDTH = 5.4  # inches at 72 per inch: text of 11 points stays readable on a phone
_STYLE: Any = {
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


def seats_figure(
    table: pd.DataFrame, arms: Sequence[str], margin_pp: float, legend: bool = True
) -> Figure:
    """Win share of every seat: dot and interval, the fair share as line, the margin as band.

    Parameters
    ----------
    table : of `stats.seat_shares`, one number of seats
    arms : in the order of the plan
    margin_pp : half-width of the band
    legend : whether to name the arms in the figure

    Returns
    -------
    matplotlib.figure.Figure
        The axis starts at 0 and has the fair share in its middle.
    """
    seats = sorted(table["seat"].unique())
    with _axes(len(seats) * len(arms), len(seats), arms, legend) as (figure, axes):
        fair = 100 * float(table["fair"].iloc[0])
        axes.axvspan(fair - margin_pp, fair + margin_pp, color=LIGHT["band"], lw=0, zorder=0)
        axes.axvline(fair, color=LIGHT["muted"], lw=1, zorder=1)
        for place, index, row in _rows(table, "seat", seats, arms):
            _dot(axes, place, index, 100 * row["share"], 100 * row["low"], 100 * row["high"])
        axes.set_xlim(0, max(2 * fair, min(100, 1.05 * 100 * float(table["high"].max()))))
        _label_rows(axes, [seat_name(int(seat)).removeprefix("the ") for seat in seats])
        axes.xaxis.set_major_formatter(PercentFormatter(decimals=0))
        axes.set_xlabel(f"games won; line: fair share, band: ±{margin_pp:g} pp")
    return figure


def length_figure(
    table: pd.DataFrame, arms: Sequence[str], measure: str = "rounds", legend: bool = True
) -> Figure:
    """Share of games that are over after so many rounds (or turns); a tick ends a cut curve.

    Parameters
    ----------
    table : of `stats.length_curves`
    arms : in the order of the plan
    measure : column with the length
    legend : whether to name the arms in the figure

    Returns
    -------
    matplotlib.figure.Figure
    """
    with _axes(9, 0, arms, legend) as (figure, axes):
        axes.grid(axis="both", lw=0.8)
        for index, arm in enumerate(arms):
            curve = table[table["arm"] == arm]
            if curve.empty:
                continue
            x, y = curve[measure].to_numpy(float), 100 * curve["over"].to_numpy(float)
            line: Any = {"color": arm_color(index), "lw": 2.2, "ls": _dash(index)}
            axes.plot(np.append(x[0], x), np.append(0, y), drawstyle="steps-post", **line)
            if y[-1] < 100 - 1e-9:
                axes.plot(x[-1], y[-1], marker="|", ms=11, mew=2.2, color=arm_color(index))
        axes.axhline(50, color=LIGHT["muted"], lw=1, zorder=1)
        axes.set_ylim(0, 101)
        axes.set_xlim(left=0)
        axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(f"{measure} played")
        axes.set_ylabel("games that are over")
    return figure


def ends_figure(table: pd.DataFrame, arms: Sequence[str], legend: bool = True) -> Figure:
    """Share of games per cause of their end: bars from 0 with intervals.

    Parameters
    ----------
    table : of `stats.end_causes`
    arms : in the order of the plan
    legend : whether to name the arms in the figure

    Returns
    -------
    matplotlib.figure.Figure
    """
    causes = list(dict.fromkeys(table["end_cause"]))
    with _axes(len(causes) * len(arms), len(causes), arms, legend) as (figure, axes):
        for place, index, row in _rows(table, "end_cause", causes, arms):
            low, share, high = 100 * row["low"], 100 * row["share"], 100 * row["high"]
            axes.barh(
                place, share, height=_pitch(len(arms)) * 0.8, color=arm_color(index), alpha=0.45
            )
            axes.plot([low, high], [place, place], color=arm_color(index), lw=2.2)
        axes.set_xlim(0, 100)
        _label_rows(axes, [cause_name(cause) for cause in causes])
        axes.xaxis.set_major_formatter(PercentFormatter(decimals=0))
        axes.set_xlabel("games that end so")
    return figure


def scores_figure(table: pd.DataFrame, arms: Sequence[str], legend: bool = True) -> Figure:
    """Scores by seat: median, middle half (thick) and middle nine tenths (thin) of the games.

    Parameters
    ----------
    table : of `stats.seat_scores`
    arms : in the order of the plan
    legend : whether to name the arms in the figure

    Returns
    -------
    matplotlib.figure.Figure
    """
    seats = sorted(table["seat"].unique())
    with _axes(len(seats) * len(arms), len(seats), arms, legend) as (figure, axes):
        for place, index, row in _rows(table, "seat", seats, arms):
            color = arm_color(index)
            axes.plot([row["q05"], row["q95"]], [place, place], color=color, lw=1.4)
            thick: Any = {"lw": 7, "alpha": 0.45, "solid_capstyle": "round"}
            axes.plot([row["q25"], row["q75"]], [place, place], color=color, **thick)
            _dot(axes, place, index, row["q50"], np.nan, np.nan)
        axes.set_xlim(left=min(0, float(table["q05"].min())))
        _label_rows(axes, [seat_name(int(seat)).removeprefix("the ") for seat in seats])
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("points")
    return figure


def changes_figure(table: pd.DataFrame, arms: Sequence[str]) -> Figure:
    """Difference of each arm from its baseline, one panel per measure; hollow: not yet known.

    Parameters
    ----------
    table : of `stats.compare_arms`
    arms : in the order of the plan

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = {
        "first_seat_share": "first seat's share, pp",
        "score_mean": "mean score, points",
        "turns": "turns",
        "rounds": "rounds",
    }
    compared = [arm for arm in arms if arm in set(table["arm"])]
    with mpl.rc_context(_STYLE):
        height = len(names) * (0.75 + 0.3 * len(compared))
        figure = Figure(figsize=(WIDTH, height), layout=ConstrainedLayoutEngine(hspace=0.08))
        for panel, (measure, title) in zip(
            figure.subplots(len(names), 1), names.items(), strict=True
        ):
            of_measure = table[table["measure"] == measure]
            rows = {row["arm"]: row for row in of_measure.to_dict("records")}
            panel.axvline(0, color=LIGHT["muted"], lw=1)
            for place, arm in enumerate(compared):
                row = rows[arm]
                scale = 100 if row["unit"] == "share" else 1
                value, low, high = (scale * row[name] for name in ("difference", "low", "high"))
                is_open = not (low > 0 or high < 0)
                _dot(panel, -place, arms.index(arm), value, low, high, hollow=is_open)
            panel.set_yticks([-place for place in range(len(compared))], compared)
            panel.set_ylim(0.6 - len(compared), 0.6)
            panel.margins(x=0.08)
            panel.set_title(title, loc="left", fontsize=11, color=LIGHT["muted"])
            panel.grid(axis="x", lw=0.8)
            panel.set_axisbelow(True)
    return figure


def ratings_figure(table: pd.DataFrame) -> Figure:
    """Rating of every agent: dot and interval; an arrow where the interval has no limit.

    Parameters
    ----------
    table : of `stats.agent_ratings`

    Returns
    -------
    matplotlib.figure.Figure
        The best agent is on top; the line is the anchor, at 0.
    """
    rows = table.to_dict("records")
    with _square(len(rows)) as (figure, axes):
        axes.set_axisbelow(True)
        axes.grid(axis="x", lw=0.8)
        axes.axvline(0, color=LIGHT["muted"], lw=1, zorder=1)
        ends = table[["rating", "low", "high"]].to_numpy(float)
        seen = ends[np.isfinite(ends)]
        room = 0.08 * (float(np.ptp(seen)) or 100.0)
        left, right = float(seen.min()) - room, float(seen.max()) + room
        for place, row in enumerate(rows):
            low, high = max(row["low"], left), min(row["high"], right)
            _dot(axes, -place, 0, row["rating"], low, high)
            for end, edge, arrow in ((row["low"], left, "<"), (row["high"], right, ">")):
                if np.isinf(end):
                    axes.plot([edge], [-place], arrow, ms=8, color=arm_color(0), clip_on=False)
        axes.set_xlim(left, right)
        _label_rows(axes, [row["agent"] for row in rows])
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.set_xlabel("rating, points")
    return figure


def heads_figure(table: pd.DataFrame, agents: Sequence[str], numbers: bool = True) -> Figure:
    """Share of games won by row agents among column agents, in a square of fields.

    Parameters
    ----------
    table : of `stats.head_to_head`
    agents : best first
    numbers : whether shares and intervals are written into the fields

    Returns
    -------
    matplotlib.figure.Figure
        Fields above the fair share have one color, those below another, the farther the fuller.
    """
    with _square(len(agents)) as (figure, axes):
        for row in table.to_dict("records"):
            x, y = agents.index(row["column"]), -agents.index(row["row"])
            share, fair = row["share"], row["fair"]
            is_above = share >= fair
            strength = (share - fair) / (1 - fair) if is_above else (fair - share) / fair
            fill: Any = {"color": arm_color(0 if is_above else 1), "alpha": 0.06 + 0.5 * strength}
            axes.add_patch(Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, lw=0, **fill))
            if numbers:
                text: Any = {"ha": "center", "va": "center", "color": LIGHT["ink"]}
                axes.text(x, y + 0.14, decimal(100 * share), fontsize=11, **text)
                interval = span(row["low"], row["high"], 100, 0)
                axes.text(x, y - 0.2, interval, fontsize=8.5, **text)
        axes.set_xlim(-0.5, len(agents) - 0.5)
        _label_rows(axes, list(agents))
        axes.set_xticks(range(len(agents)), list(agents), color=LIGHT["ink"])
        axes.tick_params(axis="x", labelrotation=0 if len(agents) < 4 else 35)
        axes.xaxis.tick_top()
        axes.spines[:].set_visible(False)
    return figure


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
    with mpl.rc_context(_STYLE):
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


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@contextmanager
def _square(rows: int) -> Iterator[tuple[Figure, Axes]]:
    """Figure with one pair of axes; those of a pair of figures have the same height."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, 1.4 + 0.52 * rows), layout="constrained")
        yield figure, figure.add_subplot()


@contextmanager
def _axes(
    rows: int, groups: int, arms: Sequence[str], legend: bool
) -> Iterator[tuple[Figure, Axes]]:
    """Figure with one pair of axes, as high as its rows and groups of rows need."""
    has_legend = legend and len(arms) > 1
    height = 0.7 + 0.24 * rows + 0.22 * groups + (0.24 * len(arms) if has_legend else 0)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        axes.set_axisbelow(True)
        axes.grid(axis="x", lw=0.8)
        yield figure, axes
        if has_legend:
            marks = [
                Line2D([], [], color=arm_color(i), marker=arm_marker(i), ls=_dash(i))
                for i in range(len(arms))
            ]
            figure.legend(marks, list(arms), loc="outside upper left", borderpad=0)


def _rows(
    table: pd.DataFrame, column: str, groups: Sequence[object], arms: Sequence[str]
) -> Iterator[tuple[float, int, Any]]:
    """Rows of a table with their height in the figure and the index of their arm."""
    for row in table.to_dict("records"):
        index = list(arms).index(row["arm"])
        group = list(groups).index(row[column])
        yield -group - _pitch(len(arms)) * (index - (len(arms) - 1) / 2), index, row


def _pitch(arms: int) -> float:
    """Distance between the arms of a group; groups are 1 apart."""
    return 0.76 / max(arms, 1)


def _label_rows(axes: Axes, labels: Sequence[str]) -> None:
    axes.set_yticks([-float(place) for place in range(len(labels))], list(labels))
    axes.set_ylim(0.5 - len(labels), 0.5)


def _dot(
    axes: Axes, y: float, index: int, value: float, low: float, high: float, hollow: bool = False
) -> None:
    color = arm_color(index)
    axes.plot([low, high], [y, y], color=color, lw=2.2, solid_capstyle="round", zorder=3)
    face = LIGHT["surface"] if hollow else color
    mark: Any = {"marker": arm_marker(index), "ms": 7, "mew": 1.6, "mec": color, "mfc": face}
    axes.plot([value], [y], ls="none", zorder=4, **mark)


def _dash(index: int) -> Any:
    return ("-", (0, (5, 2)), (0, (1, 1.4)), (0, (6, 2, 1, 2)))[index % 4]
