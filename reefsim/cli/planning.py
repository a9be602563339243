"""`reefsim validate --plan`: a pilot, and what it makes expected of the whole run."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reefsim.cli.screen import console, duration, progress, table
from reefsim.reporting.findings import records
from reefsim.reporting.numbers import count, decimal, percent
from reefsim.sim.design import Experiment
from reefsim.sim.pilot import Pilot, play_pilot
from reefsim.stats.forecast import CONFIRM, POWER, forecast, replicates_for_widths

_MANY = 10**9  # games of an experiment that outgrows a machine
_NODE_CORES, _DAY_H = 64, 24


def print_plan(plan: Experiment, replicates: int) -> None:
    """Play a pilot and print what the run will take and what it can conclude."""
    screen = console()
    with tempfile.TemporaryDirectory(prefix="reefsim-pilot-") as folder:
        pilot = play_pilot(plan, Path(folder) / "run", replicates, progress())
        expected = _expected(plan, pilot)
        screen.print(
            f"pilot: {pilot.replicates} replicates of every arm, in other shuffles than those of "
            "the run; its games are not kept",
            markup=False,
        )
        if plan.retune:
            screen.print("note: agents that are tuned first played as they are", style="yellow")
        _print_costs(plan, pilot, expected)
        _print_scale(pilot)
        if plan.kind == "run":
            rows = records(forecast(pilot.run, expected))
            _print_conclusions(rows, expected)


def _expected(plan: Experiment, pilot: Pilot) -> int:
    """Replicates of every arm that the stopping rule makes expected."""
    rule = plan.stopping
    if rule.rule != "precision":
        return rule.most
    needed = replicates_for_widths(pilot.run, rule.half_widths)
    return next((look for look in rule.looks if look >= needed), rule.most)


def _print_costs(plan: Experiment, pilot: Pilot, expected: int) -> None:
    rows, seconds, size = [], 0.0, 0.0
    for arm in plan.arms:
        cost = pilot.costs[arm.name]
        games = expected * len(arm.seatings)
        seconds += games * cost.seconds
        size += games * cost.size
        rows.append(
            (
                arm.name,
                len(arm.seatings),
                f"{expected:,}",
                f"{games:,}",
                f"{1000 * cost.seconds:,.1f}",
                duration(games * cost.seconds),
            )
        )
    screen = console()
    names = ["arm", "seatings", "replicates", "games", "ms per game and core", "core time"]
    right = "seatings replicates games"
    screen.print(table(names, rows, right=right))
    games = sum(expected * len(arm.seatings) for arm in plan.arms)
    workers = plan.run.workers or os.cpu_count() or 1
    per_replicate = sum(len(a.seatings) * pilot.costs[a.name].seconds for a in plan.arms)
    rule = plan.stopping
    how = {
        "fixed": "",
        "precision": f" (what precision is expected to take; {rule.looks[0]:,} to {rule.most:,} "
        "replicates are possible)",
        "decision": f" (the most; the first look is at {rule.looks[0]:,}, after "
        f"{duration(rule.looks[0] * per_replicate / workers)})",
    }[rule.rule]
    screen.print(
        f"{games:,} games{how}: about {duration(seconds / workers)} with {workers} workers, "
        f"{_bytes(size)} on disk"
    )


def _print_scale(pilot: Pilot) -> None:
    """Print what games cost by arm, and what very many of them would take."""
    rows = []
    for cost in pilot.costs.values():
        core_hours = _MANY * cost.seconds / 3600
        rows.append(
            (
                cost.arm,
                f"{3600 / max(cost.seconds, 1e-9):,.0f}",
                f"{cost.size:,.0f}",
                f"{core_hours:,.0f}",
                f"{core_hours / (_NODE_CORES * _DAY_H):,.1f}",
                _bytes(_MANY * cost.size),
            )
        )
    names = ["arm", "games/core-hour", "bytes/game", "core-hours", "node-days", "disk"]
    screen = console()
    screen.print(f"At the speed and size of the pilot, {_MANY:,} games of an arm:", style="bold")
    screen.print(table(names, rows, right=" ".join(names[1:])))
    screen.print(
        f"a node has {_NODE_CORES} cores here; times its price per hour, core-hours / "
        f"{_NODE_CORES} are the cost. Small files weigh more: compact the run when it is done",
        style="dim",
    )


def _print_conclusions(rows: Sequence[dict[str, Any]], expected: int) -> None:
    if not rows:
        console().print("no primary outcome: nothing is claimed, so nothing can be confirmed")
        return
    lines = []
    for row in rows:
        scale, unit = (100, "pp") if row["kind"] == "share" else (1, row["unit"])
        chance = "" if math.isnan(row["chance"]) else percent(row["chance"], 0)
        needed = "" if math.isnan(row["needed"]) else count(row["needed"])
        smallest = f"{decimal(scale * row['smallest'], 2)} {unit}"
        lines.append(
            (
                row["outcome"] if row["seat"] is None else f"{row['outcome']} {row['seat']}",
                row["arm"] + (f" against {row['against']}" if row["against"] != "a number" else ""),
                f"±{decimal(scale * row['half_width'], 2)} {unit}",
                "" if math.isnan(row["gain"]) else decimal(row["gain"], 2),
                smallest,
                chance,
                needed,
            )
        )
    names = ["primary outcome", "arm", "interval", "gain", "seen", "confirmed", "needed"]
    screen = console()
    screen.print(f"What {expected:,} replicates allow to say, each claim by itself:", style="bold")
    screen.print(table(names, lines, right="interval gain seen confirmed needed"))
    screen.print(
        f"seen: the smallest difference found in {POWER:.0%} of experiments; confirmed: the chance "
        f"that an equivalence is, if it is true; needed: replicates for {CONFIRM:.0%} of that",
        style="dim",
    )


def _bytes(size: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB" if size < 1000 else f"{size / 1000:.1f} TB"
