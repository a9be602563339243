"""Figures of a report, as matplotlib figures that no window and no pyplot state stand behind.

Every figure takes a table of `stats` and the arms in the order of the plan; an arm has the same
color and marker in all of them. Rows are seats or causes, so that names stay readable on a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Polygon
from matplotlib.ticker import MaxNLocator, PercentFormatter

from reefsim.core.metric import Place
from reefsim.reporting.canvas import (
    STYLE,
    WIDTH,
    dot,
    label_rows,
    paneled,
    pitch,
    rowed_axes,
    rows_of,
)
from reefsim.reporting.numbers import decimal
from reefsim.reporting.theme import LIGHT, Arms
from reefsim.reporting.words import cause_name
from reefsim.stats.verdict import seat_name

_MOST_BARS = 14
_ONE, _TWO = Arms.plain([""]), Arms.plain(["above", "below"])


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
    arms = Arms.plain(arms)
    seats = sorted(table["seat"].unique())
    with rowed_axes(len(seats) * len(arms), len(seats), arms, legend) as (figure, axes):
        fair = 100 * float(table["fair"].iloc[0])
        axes.axvspan(fair - margin_pp, fair + margin_pp, color=LIGHT["band"], lw=0, zorder=0)
        axes.axvline(fair, color=LIGHT["muted"], lw=1, zorder=1)
        for place, index, row in rows_of(table, "seat", seats, arms):
            dot(axes, place, (arms, index), 100 * row["share"], 100 * row["low"], 100 * row["high"])
        axes.set_xlim(0, max(2 * fair, min(100, 1.05 * 100 * float(table["high"].max()))))
        label_rows(axes, [seat_name(int(seat)).removeprefix("the ") for seat in seats])
        axes.xaxis.set_major_formatter(PercentFormatter(decimals=0))
        axes.set_xlabel(f"games won; line: fair share, band: ±{margin_pp:g} pp")
    return figure


def length_figure(
    table: pd.DataFrame,
    arms: Sequence[str],
    measure: str = "rounds",
    legend: bool = True,
    median: tuple[float, float] | None = None,
    p95: float | None = None,
) -> Figure:
    """Share of games that are over after so many rounds (or turns); a tick ends a cut curve.

    Parameters
    ----------
    table : of `stats.length_curves`
    arms : in the order of the plan
    measure : column with the length
    legend : whether to name the arms in the figure
    median : wanted for it, as a band
    p95 : wanted limit of the 95 % quantile, as a line

    Returns
    -------
    matplotlib.figure.Figure
    """
    arms = Arms.plain(arms)
    with rowed_axes(9, 0, arms, legend) as (figure, axes):
        axes.grid(axis="both", lw=0.8)
        for index, arm in enumerate(arms):
            curve = table[table["arm"] == arm]
            if curve.empty:
                continue
            x, y = curve[measure].to_numpy(float), 100 * curve["over"].to_numpy(float)
            line: Any = {"color": arms.color(index), "lw": 2.2, "ls": arms.dash(index)}
            axes.plot(np.append(x[0], x), np.append(0, y), drawstyle="steps-post", **line)
            if y[-1] < 100 - 1e-9:
                axes.plot(x[-1], y[-1], marker="|", ms=11, mew=2.2, color=arms.color(index))
        axes.axhline(50, color=LIGHT["muted"], lw=1, zorder=1)
        axes.set_ylim(0, 101)
        longest = float(table[measure].max())
        if median is not None and np.isfinite(median).any():
            low, high = max(0.0, median[0]), min(median[1], longest)
            axes.axvspan(low, high, ymax=0.5, color=LIGHT["band"], lw=0, zorder=0)
        if p95 is not None and np.isfinite(p95):
            axes.plot([p95, p95], [0, 95], color=LIGHT["muted"], lw=1.2, ls=(0, (4, 3)), zorder=1)
            longest = max(longest, p95)
        axes.set_xlim(0, 1.02 * longest)
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
    arms = Arms.plain(arms)
    causes = list(dict.fromkeys(table["end_cause"]))
    with rowed_axes(len(causes) * len(arms), len(causes), arms, legend) as (figure, axes):
        for place, index, row in rows_of(table, "end_cause", causes, arms):
            low, share, high = 100 * row["low"], 100 * row["share"], 100 * row["high"]
            axes.barh(
                place, share, height=pitch(len(arms)) * 0.8, color=arms.color(index), alpha=0.45
            )
            axes.plot([low, high], [place, place], color=arms.color(index), lw=2.2)
        axes.set_xlim(0, 100)
        label_rows(axes, [cause_name(cause) for cause in causes])
        axes.xaxis.set_major_formatter(PercentFormatter(decimals=0))
        axes.set_xlabel("games that end so")
    return figure


def scores_figure(
    table: pd.DataFrame, arms: Sequence[str], legend: bool = True, label: str = "points"
) -> Figure:
    """Scores by seat: median, middle half (thick) and middle nine tenths (thin) of the games.

    Parameters
    ----------
    table : of `stats.seat_scores`
    arms : in the order of the plan
    legend : whether to name the arms in the figure
    label : of the axis

    Returns
    -------
    matplotlib.figure.Figure
    """
    seats = sorted(table["seat"].unique())
    names = [seat_name(int(seat)).removeprefix("the ") for seat in seats]
    return spread_figure(table, arms, "seat", dict(zip(seats, names, strict=True)), label, legend)


def spread_figure(
    table: pd.DataFrame,
    arms: Sequence[str],
    column: str,
    names: Mapping[Any, str],
    label: str,
    legend: bool = True,
) -> Figure:
    """Spread between games by group: median, middle half (thick), middle nine tenths (thin).

    Parameters
    ----------
    table : one row per arm and group, with q05, q25, q50, q75 and q95
    arms : in the order of the plan
    column : with the groups
    names : of the groups, in their order
    label : of the axis
    legend : whether to name the arms in the figure
    """
    arms = Arms.plain(arms)
    groups = list(names)
    with rowed_axes(len(groups) * len(arms), len(groups), arms, legend) as (figure, axes):
        low = min(0.0, float(table["q05"].min()))
        if low < 0:
            axes.axvline(0, color=LIGHT["muted"], lw=1, zorder=1)
        for place, index, row in rows_of(table, column, groups, arms):
            color = arms.color(index)
            axes.plot([row["q05"], row["q95"]], [place, place], color=color, lw=1.4)
            thick: Any = {"lw": 7, "alpha": 0.45, "solid_capstyle": "round"}
            axes.plot([row["q25"], row["q75"]], [place, place], color=color, **thick)
            dot(axes, place, (arms, index), row["q50"], np.nan, np.nan)
        axes.set_xlim(left=1.02 * low)
        label_rows(axes, list(names.values()))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(label)
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
    arms = Arms.plain(arms)
    names = {
        "first_seat_share": "first seat's share, pp",
        "score_mean": "mean score, points",
        "turns": "turns",
        "rounds": "rounds",
    }
    compared = [arm for arm in arms if arm in set(table["arm"])]
    with mpl.rc_context(STYLE):
        height = len(names) * (0.75 + 0.3 * len(compared))
        figure = Figure(figsize=(WIDTH, height), layout=ConstrainedLayoutEngine(hspace=0.08))
        for panel, (measure, title) in zip(
            figure.subplots(len(names), 1), names.items(), strict=True
        ):
            of_measure = table[table["measure"] == measure]
            rows = {row["arm"]: row for row in of_measure.to_dict("records")}
            panel.axvline(0, color=LIGHT["muted"], lw=1)
            margin: Any = {"transform": panel.get_yaxis_transform(), "fontsize": 9.5}
            margin |= {"color": LIGHT["muted"]}
            if of_measure["gain"].notna().any():
                panel.text(1.02, 0.75, "gain", va="bottom", **margin)
            for place, arm in enumerate(compared):
                row = rows[arm]
                scale = 100 if row["unit"] == "share" else 1
                value, low, high = (scale * row[name] for name in ("difference", "low", "high"))
                is_open = not (low > 0 or high < 0)
                dot(panel, -place, (arms, arms.index(arm)), value, low, high, hollow=is_open)
                if not np.isnan(row["gain"]):
                    panel.text(1.02, -place, decimal(row["gain"]), va="center", **margin)
            panel.set_yticks([-place for place in range(len(compared))], compared)
            panel.set_ylim(0.6 - len(compared), 0.6)
            panel.margins(x=0.08)
            panel.set_title(title, loc="left", fontsize=11, color=LIGHT["muted"])
            panel.grid(axis="x", lw=0.8)
            panel.set_axisbelow(True)
    return figure


def fan_figure(table: pd.DataFrame, arms: Sequence[str], seats: int) -> Figure:
    """Win chance of the eventual winner through the game, a panel for each arm.

    Parameters
    ----------
    table : of `reporting.story.Story.fan`
    arms : in the order of the plan; those without judged games get no panel
    seats : for the line at the chance that all start with

    Returns
    -------
    matplotlib.figure.Figure
        Median, middle half (dark) and middle nine tenths (pale) of the games.
    """
    arms = Arms.plain(arms)
    shown = [arm for arm in arms if (table["arm"] == arm).any()]
    with paneled(len(shown), height=1.9) as (figure, panels):
        for panel, arm in zip(panels, shown, strict=True):
            rows, index = table[table["arm"] == arm], arms.index(arm)
            x, color = 100 * rows["share_of_game"], arms.color(index)
            for low, high, alpha in (("q05", "q95", 0.16), ("q25", "q75", 0.3)):
                panel.fill_between(
                    x, 100 * rows[low], 100 * rows[high], color=color, alpha=alpha, lw=0
                )
            panel.plot(x, 100 * rows["q50"], color=color, lw=2.2, ls=arms.dash(index))
            panel.axhline(100 / seats, color=LIGHT["muted"], lw=1)
            panel.set_xlim(0, 100)
            panel.set_ylim(0, 101)
            panel.set_yticks([0, 50, 100])
            panel.set_xticks([0, 50, 100])
            panel.xaxis.set_major_formatter(PercentFormatter(decimals=0))
            panel.yaxis.set_major_formatter(PercentFormatter(decimals=0))
            panel.grid(axis="both", lw=0.8)
            if len(arms) > 1:
                panel.set_title(short(arm), loc="left", fontsize=10, color=LIGHT["ink"])
        figure.supxlabel("share of the game played", fontsize=11, color=LIGHT["muted"])
        figure.supylabel("winner's chance", fontsize=11, color=LIGHT["muted"])
    return figure


def leads_figure(table: pd.DataFrame, arms: Sequence[str]) -> Figure:
    """Share of games by number of lead changes, a panel for each arm.

    Parameters
    ----------
    table : of `reporting.story.Story.leads`
    arms : in the order of the plan; those without judged games get no panel

    Returns
    -------
    matplotlib.figure.Figure
        Bars of equal width; wider ones where games differ by many changes.
    """
    arms = Arms.plain(arms)
    shown = [arm for arm in arms if (table["arm"] == arm).any()]
    most = int(table["changes"].max())
    width = max(1, -(-(most + 1) // _MOST_BARS))
    edges = np.arange(0, most + width + 1, width)
    with paneled(len(shown), height=1.9) as (figure, panels):
        highest = 0.0
        for panel, arm in zip(panels, shown, strict=True):
            rows, index = table[table["arm"] == arm], arms.index(arm)
            games = np.histogram(rows["changes"], edges, weights=rows["games"])[0]
            shares = 100 * games / games.sum()
            look: Any = {"color": arms.color(index), "alpha": 0.5}
            panel.bar(edges[:-1] + (width - 1) / 2, shares, width=0.88 * width, **look)
            highest = max(highest, float(shares.max()))
            panel.grid(axis="y", lw=0.8)
            panel.set_axisbelow(True)
            panel.xaxis.set_major_locator(MaxNLocator(5, integer=True))
            panel.yaxis.set_major_locator(MaxNLocator(4))
            panel.yaxis.set_major_formatter(PercentFormatter(decimals=0))
            if len(arms) > 1:
                panel.set_title(short(arm), loc="left", fontsize=10, color=LIGHT["ink"])
        panels[0].set_ylim(0, 1.08 * highest)
        figure.supxlabel("lead changes in a game", fontsize=11, color=LIGHT["muted"])
        figure.supylabel("games", fontsize=11, color=LIGHT["muted"])
    return figure


def lifts_figure(table: pd.DataFrame, arms: Sequence[str]) -> Figure:
    """How much more often winners take a kind of action: bars from 1, with intervals.

    Parameters
    ----------
    table : of `stats.lift`, those kinds that are shown
    arms : in the order of the plan
    """
    arms = Arms.plain(arms)
    kinds = list(dict.fromkeys(table["action"]))
    with rowed_axes(len(kinds) * len(arms), len(kinds), arms, legend=False) as (figure, axes):
        for place, index, row in rows_of(table, "action", kinds, arms):
            color = arms.color(index)
            bar: Any = {"height": pitch(len(arms)) * 0.8, "color": color, "alpha": 0.45}
            axes.barh(place, row["lift"] - 1, left=1, **bar)
            axes.plot([row["low"], row["high"]], [place, place], color=color, lw=2.2)
        axes.axvline(1, color=LIGHT["muted"], lw=1)
        label_rows(axes, [kind.replace("_", " ") for kind in kinds])
        ends = np.abs(table[["low", "high"]].to_numpy(float) - 1)
        reach = 1.05 * float(min(np.nanmax(ends), 1.0))
        axes.set_xlim(1 - reach, 1 + reach)
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.set_xlabel("count among winners / among all seats")
    return figure


def map_figure(
    values: pd.DataFrame, places: Sequence[Place], arms: Sequence[str], most: float
) -> Figure:
    """Draw the maps of a game, each place filled the fuller the more it was used.

    Parameters
    ----------
    values : arm, panel, place, value
    places : of the maps
    arms : those to draw, a row of panels for each
    most : value of the fullest color, the same for all arms
    """
    panels = list(dict.fromkeys(place.panel for place in places))
    corners = np.array([corner for place in places for corner in place.outline])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    side = WIDTH / len(panels)
    height = side * (bottom - top) / (right - left) + 0.3
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, len(arms) * height + 0.1), layout="constrained")
        grid = figure.subplots(len(arms), len(panels), squeeze=False)
        for row, arm in zip(grid, arms, strict=True):
            found = values[values["arm"] == arm]
            used = {(r["panel"], r["place"]): r["value"] for r in found.to_dict("records")}
            for axes, panel in zip(row, panels, strict=True):
                for place in places:
                    if place.panel == panel:
                        _fill(axes, place, used.get((panel, place.name)), most)
                axes.set_xlim(left - 0.1, right + 0.1)
                axes.set_ylim(bottom + 0.1, top - 0.1)
                axes.set_aspect("equal")
                axes.set_axis_off()
                axes.set_title(panel, fontsize=10, color=LIGHT["muted"])
    return figure


def _fill(axes: Axes, place: Place, value: float | None, most: float) -> None:
    """One place: ground is a faint line, a place that can be used is filled by its use."""
    if not place.name or value is None:
        axes.add_patch(Polygon(place.outline, fc=LIGHT["band"], ec=LIGHT["surface"], lw=0.8))
        return
    axes.add_patch(Polygon(place.outline, fc=LIGHT["surface"], ec=LIGHT["line"], lw=0.6))
    strength = min(1.0, value / most) if most else 0.0
    axes.add_patch(Polygon(place.outline, fc=LIGHT["accent"], alpha=strength, lw=0))


def short(name: str, most: int = 24) -> str:
    """Name of an arm as it fits over a panel."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
