"""Figures of the appendix: for whom, how far apart, what pairing was worth, and whether to trust.

Like those of `figures`, each takes a table of `stats` and the arms in the order of the plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from reefsim.reporting.canvas import STYLE, WIDTH, paneled
from reefsim.reporting.figures import short
from reefsim.reporting.theme import LIGHT, Arms

_MOST_PAIRS = 300  # points of a panel


def skill_figure(
    table: pd.DataFrame, tables: Sequence[str], arms: Sequence[str], margin_pp: float
) -> Figure:
    """First seat's share from table to table, a line with its band for each ruleset.

    Parameters
    ----------
    table : arm, ruleset, table, share, low, high and fair of the first seats
    tables : in the order of the axis
    arms : in the order of the plan
    margin_pp : half-width of the band around the fair share
    """
    arms = Arms.plain(arms)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 3.2), layout="constrained")
        axes = figure.add_subplot()
        fair = 100 * float(table["fair"].iloc[0])
        axes.axhspan(fair - margin_pp, fair + margin_pp, color=LIGHT["band"], lw=0, zorder=0)
        axes.axhline(fair, color=LIGHT["muted"], lw=1, zorder=1)
        for ruleset, rows in table.groupby("ruleset", sort=False):
            place = [tables.index(name) for name in rows["table"]]
            index = arms.index(rows["arm"].iloc[0])
            color = arms.color(index)
            axes.fill_between(
                place, 100 * rows["low"], 100 * rows["high"], color=color, alpha=0.16, lw=0
            )
            look: Any = {"color": color, "lw": 2.2, "marker": "o", "ms": 6, "label": ruleset}
            axes.plot(place, 100 * rows["share"], **look)
        axes.set_ylim(0, max(2 * fair, min(100, 105 * float(table["high"].max()))))
        axes.set_xlim(-0.25, len(tables) - 0.75)
        axes.set_xticks(range(len(tables)), [short(name.replace("_", " ")) for name in tables])
        axes.tick_params(axis="x", labelcolor=LIGHT["ink"])
        _percent(axes)
        axes.set_ylabel("games won by the first seat")
        if table["ruleset"].nunique() > 1:
            figure.legend(loc="outside upper left", ncols=2, borderpad=0)
    return figure


def pairs_figure(table: pd.DataFrame, arms: Sequence[str], label: str) -> Figure:
    """Both values of each pair of replicates, a panel for each arm that is compared.

    Parameters
    ----------
    table : of `stats.list_pairs`
    arms : in the order of the plan
    label : what the values are

    Returns
    -------
    matplotlib.figure.Figure
        Points on the diagonal did not change; grey ones are pairs of identical games.
    """
    arms = Arms.plain(arms)
    shown = [arm for arm in arms if (table["arm"] == arm).any()]
    ends = table[["value", "baseline_value"]].to_numpy(float)
    low, high = float(ends.min()), float(ends.max())
    room = 0.04 * (high - low or 1)
    with paneled(len(shown), height=2.3) as (figure, panels):
        for panel, arm in zip(panels, shown, strict=True):
            rows = table[table["arm"] == arm].iloc[:_MOST_PAIRS]
            panel.plot([low, high], [low, high], color=LIGHT["muted"], lw=1, zorder=1)
            same = rows["identical"].to_numpy(bool)
            color = arms.color(arms.index(arm))
            for some, look in ((rows[same], LIGHT["muted"]), (rows[~same], color)):
                points: Any = {"ls": "none", "marker": "o", "ms": 4, "mew": 0, "alpha": 0.55}
                panel.plot(some["baseline_value"], some["value"], color=look, **points)
            panel.set_xlim(low - room, high + room)
            panel.set_ylim(low - room, high + room)
            _named(panel, arm, arms)
        figure.supxlabel(f"{label}, baseline", fontsize=11, color=LIGHT["muted"])
        figure.supylabel(f"{label}, arm", fontsize=11, color=LIGHT["muted"])
    return figure


def recovery_figure(
    bins: pd.DataFrame, curve: pd.DataFrame, arms: Sequence[str], seats: int
) -> Figure:
    """Chance to win by points behind at half of the game: bins with intervals, and a curve.

    Parameters
    ----------
    bins, curve : of `stats.recovery`
    arms : in the order of the plan
    seats : for the line at the chance that all start with
    """
    arms = Arms.plain(arms)
    shown = [arm for arm in arms if (bins["arm"] == arm).any()]
    with paneled(len(shown), height=2.0) as (figure, panels):
        for panel, arm in zip(panels, shown, strict=True):
            rows, line = bins[bins["arm"] == arm], curve[curve["arm"] == arm]
            color = arms.color(arms.index(arm))
            panel.axhline(100 / seats, color=LIGHT["muted"], lw=1, zorder=1)
            panel.axvline(0, color=LIGHT["line"], lw=1, zorder=1)
            panel.plot(line["deficit"], 100 * line["chance"], color=color, lw=2.2, alpha=0.6)
            panel.vlines(
                rows["deficit"], 100 * rows["low"], 100 * rows["high"], color=color, lw=1.6
            )
            dots: Any = {"ls": "none", "marker": "o", "ms": 5, "color": color}
            panel.plot(rows["deficit"], 100 * rows["share"], **dots)
            panel.set_ylim(0, 101)
            _percent(panel)
            _named(panel, arm, arms)
        panels[0].xaxis.set_major_locator(MaxNLocator(5, integer=True))
        figure.supxlabel("points behind at half of the game", fontsize=11, color=LIGHT["muted"])
        figure.supylabel("games won", fontsize=11, color=LIGHT["muted"])
    return figure


def options_figure(table: pd.DataFrame, effective: pd.DataFrame, arms: Sequence[str]) -> Figure:
    """Legal actions per decision through the game, and how many of them are worth a thought.

    Parameters
    ----------
    table : of `stats.options_by_turn`
    effective : arm, turn, effective; may be empty
    arms : in the order of the plan
    """
    arms = Arms.plain(arms)
    shown = [arm for arm in arms if (table["arm"] == arm).any()]
    with paneled(len(shown), height=1.9) as (figure, panels):
        for panel, arm in zip(panels, shown, strict=True):
            rows, index = table[table["arm"] == arm], arms.index(arm)
            color = arms.color(index)
            panel.fill_between(rows["turn"], rows["q25"], rows["q75"], color=color, alpha=0.2, lw=0)
            panel.plot(rows["turn"], rows["q50"], color=color, lw=1.8)
            if len(effective):
                some = effective[effective["arm"] == arm]
                some = some[some["turn"] <= rows["turn"].max()]
                panel.plot(some["turn"], some["effective"], color=LIGHT["muted"], lw=1.6, ls=":")
            panel.grid(axis="both", lw=0.8)
            _named(panel, arm, arms)
        panels[0].set_ylim(bottom=0)
        panels[0].xaxis.set_major_locator(MaxNLocator(5, integer=True))
        figure.supxlabel("turn", fontsize=11, color=LIGHT["muted"])
        figure.supylabel("legal actions", fontsize=11, color=LIGHT["muted"])
    return figure


def luck_figure(table: pd.DataFrame, arms: Sequence[str]) -> Figure:
    """Games of a shuffle that the first seat wins: bars, and dots where shuffles decide nothing.

    Parameters
    ----------
    table : of `stats.wins_by_shuffle`
    arms : in the order of the plan
    """
    arms = Arms.plain(arms)
    shown = [arm for arm in arms if (table["arm"] == arm).any()]
    with paneled(len(shown), height=1.9) as (figure, panels):
        for panel, arm in zip(panels, shown, strict=True):
            rows = table[table["arm"] == arm]
            color = arms.color(arms.index(arm))
            panel.bar(rows["won"], 100 * rows["share"], width=0.8, color=color, alpha=0.45)
            look: Any = {"marker": "o", "ms": 6, "lw": 1.2, "color": LIGHT["ink"]}
            panel.plot(rows["won"], 100 * rows["expected"], **look)
            panel.xaxis.set_major_locator(MaxNLocator(integer=True))
            _percent(panel)
            _named(panel, arm, arms)
        panels[0].set_ylim(bottom=0)
        label = "games of a shuffle won by the first seat"
        figure.supxlabel(label, fontsize=11, color=LIGHT["muted"])
        figure.supylabel("shuffles", fontsize=11, color=LIGHT["muted"])
    return figure


def course_figure(table: pd.DataFrame, arms: Sequence[str], names: Sequence[str]) -> Figure:
    """How each claim's estimate settled: its band at every look, and the margin.

    Parameters
    ----------
    table : of `stats.courses`; consecutive rows of a claim stand together
    arms : in the order of the plan
    names : of the claims, over their panels
    """
    arms = Arms.plain(arms)
    claims = [rows for _, rows in table.groupby("claim", sort=False)]
    with paneled(len(claims), height=2.0, share=False) as (figure, panels):
        for panel, rows, name in zip(panels, claims, names, strict=True):
            first = rows.iloc[0]
            scale = 100 if first["kind"] == "share" else 1
            color = arms.color(arms.index(first["arm"]))
            null, margin = scale * first["null"], scale * first["margin"]
            if not np.isnan(null):
                panel.axhline(null, color=LIGHT["muted"], lw=1, zorder=1)
                for edge in () if np.isnan(margin) else (null - margin, null + margin):
                    panel.axhline(edge, color=LIGHT["muted"], lw=1, ls=(0, (4, 3)), zorder=1)
            panel.fill_between(
                rows["replicates"],
                scale * rows["low"],
                scale * rows["high"],
                color=color,
                alpha=0.2,
                lw=0,
            )
            panel.plot(rows["replicates"], scale * rows["estimate"], color=color, lw=2)
            panel.set_xlim(0, float(rows["replicates"].max()))
            panel.set_title(name, loc="left", fontsize=9, color=LIGHT["ink"])
            panel.xaxis.set_major_locator(MaxNLocator(4, integer=True))
            panel.yaxis.set_major_locator(MaxNLocator(5))
            panel.grid(axis="both", lw=0.8)
            if scale == 100:
                panel.yaxis.set_major_formatter(PercentFormatter(decimals=0))
        figure.supxlabel("replicates", fontsize=11, color=LIGHT["muted"])
    return figure


def areas_figure(table: pd.DataFrame, arms: Sequence[str], label: str, time: str) -> Figure:
    """Things stacked along a game, a panel for each arm.

    Parameters
    ----------
    table : arm, time, thing, value
    arms : in the order of the plan
    label : what the height is
    time : what the axis counts
    """
    arms = Arms.plain(arms)
    shown = [arm for arm in arms if (table["arm"] == arm).any()]
    things = list(dict.fromkeys(table["thing"]))
    fills = [LIGHT[f"arm-{place % 8}"] for place in range(len(things))]
    with paneled(len(shown), height=2.0) as (figure, panels):
        for panel, arm in zip(panels, shown, strict=True):
            rows = table[table["arm"] == arm]
            wide = rows.pivot(index="time", columns="thing", values="value").fillna(0)[things]
            panel.stackplot(wide.index, wide.to_numpy().T, colors=fills, alpha=0.55, lw=0)
            _named(panel, arm, arms)
            panel.margins(0)
        panels[0].set_ylim(bottom=0)
        panels[0].xaxis.set_major_locator(MaxNLocator(5, integer=True))
        _name_areas(panels[0], things, table[table["arm"] == shown[0]])
        figure.supxlabel(time, fontsize=11, color=LIGHT["muted"])
        figure.supylabel(label, fontsize=11, color=LIGHT["muted"])
    return figure


def _name_areas(panel: Axes, things: Sequence[str], rows: pd.DataFrame) -> None:
    """Write the name of each thing into its area: early on, or where there is most room."""
    wide = rows.pivot(index="time", columns="thing", values="value").fillna(0)[list(things)]
    heights = wide.to_numpy(float)
    tops = heights.cumsum(axis=1)
    early = len(wide) // 3
    for place, thing in enumerate(things):
        height = heights[:, place]
        at = early if height[early] > 0.6 * height.max() else int(height.argmax())
        middle = float(tops[at, place] - height[at] / 2)
        text: Any = {"ha": "center", "va": "center", "fontsize": 9, "color": LIGHT["ink"]}
        panel.text(float(wide.index.to_numpy(float)[at]), middle, thing, **text)


def _percent(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.grid(axis="y", lw=0.8)
    axes.set_axisbelow(True)


def _named(panel: Axes, arm: str, arms: Sequence[str]) -> None:
    """Name the arm over its panel, if there are several."""
    if len(arms) > 1:
        panel.set_title(short(arm), loc="left", fontsize=10, color=LIGHT["ink"])
