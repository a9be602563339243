"""The figure of a search: the finalists and the base against every goal."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reefsim.reporting.answers import target_name
from reefsim.reporting.canvas import label_rows, paneled
from reefsim.reporting.theme import LIGHT
from reefsim.reporting.tune import Tune

_COLOR = LIGHT["arm-0"]


def tune_figure(found: Tune) -> Figure:
    """Draw settings against goals, a panel for each goal.

    Parameters
    ----------
    found : of `tune.find_tune`

    Returns
    -------
    matplotlib.figure.Figure
        Dots with intervals, the base hollow and on top, the pick in another color; what is wanted
        as a grey band.
    """
    numbers = list(dict.fromkeys(found.goals["goal"]))
    rows = len(found.settings)
    with paneled(len(numbers), height=0.75 + 0.24 * rows, share=False) as (figure, panels):
        columns = 1 if len(numbers) == 1 else 2
        for place, (panel, number) in enumerate(zip(panels, numbers, strict=True)):
            goals = found.goals[found.goals["goal"] == number].set_index("arm")
            first = goals.iloc[0].to_dict()
            scale = 100 if first["kind"] == "share" else 1
            _dots(panel, found, goals, scale)
            _band(panel, scale * first["wanted_low"], scale * first["wanted_high"])
            unit = "%" if scale == 100 else str(first["unit"])
            name = target_name(first)
            title = name if unit in name else f"{name}, {unit}"
            panel.set_title(title, loc="left", fontsize=9.5, color=LIGHT["ink"])
            is_left = place % columns == 0
            label_rows(panel, list(found.settings["name"]) if is_left else [""] * rows)
    return figure


def _dots(panel: Axes, found: Tune, goals: pd.DataFrame, scale: float) -> None:
    panel.set_axisbelow(True)
    panel.grid(axis="x", lw=0.8)
    for place, row in enumerate(found.settings.to_dict("records")):
        goal = goals.loc[row["arm"]]
        color = LIGHT["arm-1"] if row["arm"] == found.pick else _COLOR
        ends = [scale * float(goal[name]) for name in ("low", "high")]
        if all(math.isfinite(end) for end in ends):
            panel.plot(ends, [-place, -place], color=color, lw=2.2, solid_capstyle="round")
        face = LIGHT["surface"] if row["is_base"] else color
        mark: Any = {"marker": "o", "ms": 6.5, "mew": 1.6, "mec": color, "mfc": face, "ls": "none"}
        if math.isfinite(goal["estimate"]):
            panel.plot([scale * float(goal["estimate"])], [-place], **mark)
    panel.margins(x=0.08)


def _band(panel: Axes, low: float, high: float) -> None:
    """What is wanted; the axis is made longer for an end that is not too far away."""
    left, right = panel.get_xlim()
    room = 3 * (right - left)
    near = [end for end in (low, high) if left - room <= end <= right + room]
    left, right = min([left, *near]), max([right, *near])
    panel.axvspan(max(low, left), min(high, right), color=LIGHT["band"], lw=0, zorder=0)
    panel.set_xlim(left, right)
