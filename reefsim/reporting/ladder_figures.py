"""Figures of a ladder: ratings, head to head, and the steps from agent to agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, PercentFormatter

from reefsim.reporting.canvas import STYLE, WIDTH, dot, label_rows, square
from reefsim.reporting.figures import short
from reefsim.reporting.numbers import decimal, span
from reefsim.reporting.theme import LIGHT, Arms

_ONE, _TWO = Arms.plain([""]), Arms.plain(["above", "below"])


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
    with square(len(rows)) as (figure, axes):
        axes.set_axisbelow(True)
        axes.grid(axis="x", lw=0.8)
        axes.axvline(0, color=LIGHT["muted"], lw=1, zorder=1)
        ends = table[["rating", "low", "high"]].to_numpy(float)
        seen = ends[np.isfinite(ends)]
        room = 0.08 * (float(np.ptp(seen)) or 100.0)
        left, right = float(seen.min()) - room, float(seen.max()) + room
        for place, row in enumerate(rows):
            low, high = max(row["low"], left), min(row["high"], right)
            dot(axes, -place, (_ONE, 0), row["rating"], low, high)
            for end, edge, arrow in ((row["low"], left, "<"), (row["high"], right, ">")):
                if np.isinf(end):
                    axes.plot([edge], [-place], arrow, ms=8, color=_ONE.color(0), clip_on=False)
        axes.set_xlim(left, right)
        label_rows(axes, [row["agent"] for row in rows])
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
    with square(len(agents)) as (figure, axes):
        for row in table.to_dict("records"):
            x, y = agents.index(row["column"]), -agents.index(row["row"])
            share, fair = row["share"], row["fair"]
            is_above = share >= fair
            strength = (share - fair) / (1 - fair) if is_above else (fair - share) / fair
            fill: Any = {"color": _TWO.color(0 if is_above else 1), "alpha": 0.06 + 0.5 * strength}
            axes.add_patch(Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, lw=0, **fill))
            if numbers:
                text: Any = {"ha": "center", "va": "center", "color": LIGHT["ink"]}
                axes.text(x, y + 0.14, decimal(100 * share), fontsize=11, **text)
                interval = span(row["low"], row["high"], 100, 0)
                axes.text(x, y - 0.2, interval, fontsize=8.5, **text)
        axes.set_xlim(-0.5, len(agents) - 0.5)
        label_rows(axes, list(agents))
        axes.set_ylim(0.35 - len(agents), 0.5)  # room between the fields and what stands below
        axes.set_xticks(range(len(agents)), list(agents), color=LIGHT["ink"])
        axes.tick_params(axis="x", labelrotation=0 if len(agents) < 4 else 35)
        axes.xaxis.tick_top()
        axes.spines[:].set_visible(False)
    return figure


def steps_figure(table: pd.DataFrame) -> Figure:
    """Share of the stronger of two neighbors, step by step, from the weakest on.

    Parameters
    ----------
    table : of `stats.ladder`: stronger, weaker, share, low, high, fair; best step first

    Returns
    -------
    matplotlib.figure.Figure
        The line is the fair share: a ladder goes on as long as its steps stay above it.
    """
    rows = table.iloc[::-1]
    x = np.arange(len(rows))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 2.6), layout="constrained")
        axes = figure.add_subplot()
        axes.set_axisbelow(True)
        axes.grid(axis="y", lw=0.8)
        axes.axhline(100 * float(table["fair"].iloc[0]), color=LIGHT["muted"], lw=1, zorder=1)
        color = _ONE.color(0)
        axes.plot(x, 100 * rows["share"], color=color, lw=1.6, marker="o", ms=6, zorder=3)
        axes.vlines(x, 100 * rows["low"], 100 * rows["high"], color=color, lw=2.2, zorder=3)
        axes.set_xticks(x, [short(name, 14) for name in rows["stronger"]])
        axes.tick_params(axis="x", labelcolor=LIGHT["ink"], labelrotation=0 if len(x) < 5 else 35)
        axes.set_xlim(-0.5, len(x) - 0.5)
        axes.set_ylim(0, 101)
        axes.yaxis.set_major_locator(MaxNLocator(5))
        axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
        axes.set_ylabel("games won against the next weaker", fontsize=9.5)
    return figure
