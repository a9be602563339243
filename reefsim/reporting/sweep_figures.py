"""Figures of a sweep: outcomes along one dial, or over the field of two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reefsim.reporting.canvas import paneled
from reefsim.reporting.numbers import decimal
from reefsim.reporting.sweep import Sweep
from reefsim.reporting.theme import LIGHT
from reefsim.stats.targets import INSIDE

_COLOR = LIGHT["arm-0"]


def sweep_figure(found: Sweep, targets: pd.DataFrame) -> Figure:
    """Draw what a sweep found, a panel for each outcome.

    Parameters
    ----------
    found : with one dial or two
    targets : of `stats.find_targets`; may be empty

    Returns
    -------
    matplotlib.figure.Figure
        One dial: dots with intervals, the fitted curve with its band, what is wanted as a grey
        band, the pick as a line. Two dials: fields that are fuller the larger the value, framed
        where everything that is wanted is met.
    """
    outcomes = list(dict.fromkeys(found.curves["outcome"]))
    tall = 2.2 if len(found.dials) == 1 else 2.6
    with paneled(len(outcomes), height=tall, share=False) as (figure, panels):
        for panel, outcome in zip(panels, outcomes, strict=True):
            rows = found.curves[found.curves["outcome"] == outcome]
            scale = 100 if rows["kind"].iloc[0] == "share" else 1
            unit = "%" if scale == 100 else str(rows["unit"].iloc[0])
            if len(found.dials) == 1:
                _line(panel, found, rows, scale)
                _band(panel, outcome, targets, scale)
                if scale == 100:
                    panel.set_ylim(bottom=0)
            else:
                _field(panel, found, rows, scale)
            name = outcome.replace("_", " ")
            title = name if unit in name else f"{name}, {unit}"
            panel.set_title(title, loc="left", fontsize=10, color=LIGHT["ink"])
        names = [name.replace("_", " ") for name in found.dials]
        figure.supxlabel(names[0], fontsize=11, color=LIGHT["muted"])
        if len(names) > 1:
            figure.supylabel(names[1], fontsize=11, color=LIGHT["muted"])
    return figure


def _places(found: Sweep, dial: str) -> dict[str, float]:
    """Where the values of a dial stand on its axis: numbers as such, others in their order."""
    values = found.points[dial]
    numeric = values.map(lambda v: isinstance(v, int | float) and not isinstance(v, bool)).all()
    order = {str(v): i for i, v in enumerate(dict.fromkeys(map(str, values)))}
    return {
        str(arm): float(value) if numeric and len(found.dials) == 1 else float(order[str(value)])
        for arm, value in zip(found.points["arm"], values, strict=True)
    }


def _ticks(found: Sweep, dial: str) -> tuple[list[float], list[str]]:
    places = _places(found, dial)
    named = {
        places[str(arm)]: str(value)
        for arm, value in zip(found.points["arm"], found.points[dial], strict=True)
    }
    return list(named), list(named.values())


def _line(panel: Axes, found: Sweep, rows: pd.DataFrame, scale: float) -> None:
    places = _places(found, found.dials[0])
    x = rows["arm"].map(places)
    order = np.argsort(x.to_numpy())
    rows, x = rows.iloc[order], x.iloc[order]
    if rows["fitted"].notna().all():
        low, high = scale * rows["fit_low"], scale * rows["fit_high"]
        panel.fill_between(x, low, high, color=_COLOR, alpha=0.18, lw=0)
        panel.plot(x, scale * rows["fitted"], color=_COLOR, lw=2)
    panel.vlines(x, scale * rows["low"], scale * rows["high"], color=_COLOR, lw=1.6)
    look: Any = {"ls": "none", "marker": "o", "ms": 6, "color": _COLOR}
    panel.plot(x, scale * rows["estimate"], **look)
    if found.pick:
        panel.axvline(places[found.pick], color=LIGHT["accent"], lw=1.4, ls=(0, (4, 3)), zorder=1)
    panel.set_xticks(*_ticks(found, found.dials[0]))
    panel.margins(x=0.08)
    panel.grid(axis="y", lw=0.8)


def _band(panel: Axes, outcome: str, targets: pd.DataFrame, scale: float) -> None:
    """What is wanted of an outcome, where all values of the dial are wanted the same."""
    rows = targets[targets["metric"] == outcome] if len(targets) else targets
    wanted = {(r["wanted_low"], r["wanted_high"]) for r in rows.to_dict("records")}
    if len(wanted) != 1:
        return
    low, high = (scale * float(end) for end in next(iter(wanted)))
    bottom, top = panel.get_ylim()
    low, high = max(low, bottom), min(high, top)
    if low < high:
        panel.axhspan(low, high, color=LIGHT["band"], lw=0, zorder=0)
    panel.set_ylim(bottom, top)


def _field(panel: Axes, found: Sweep, rows: pd.DataFrame, scale: float) -> None:
    across, up = (_places(found, dial) for dial in found.dials)
    met = set(found.points.loc[found.points["status"] == INSIDE, "arm"])
    values = rows["estimate"].to_numpy(float)
    span = float(np.ptp(values)) or 1.0
    for row in rows.to_dict("records"):
        x, y = across[row["arm"]], up[row["arm"]]
        fill: Any = {"fc": _COLOR, "alpha": 0.06 + 0.5 * (row["estimate"] - values.min()) / span}
        panel.add_patch(Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, lw=0, **fill))
        if row["arm"] in met:
            frame: Any = {"fc": "none", "ec": LIGHT["ink"], "lw": 2}
            panel.add_patch(Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, **frame))
        text: Any = {"ha": "center", "va": "center", "fontsize": 9.5, "color": LIGHT["ink"]}
        mark = " \N{BLACK STAR}" if row["arm"] == found.pick else ""
        panel.text(x, y, f"{decimal(scale * row['estimate'])}{mark}", **text)
    for axis, dial in ((panel.xaxis, found.dials[0]), (panel.yaxis, found.dials[1])):
        axis.set_ticks(*_ticks(found, dial))
    panel.set_xlim(-0.5, len(set(across.values())) - 0.5)
    panel.set_ylim(-0.5, len(set(up.values())) - 0.5)
    panel.spines[:].set_visible(False)
