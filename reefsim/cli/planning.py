"""`reefsim validate --plan`: a pilot, and what it makes expected of the whole run."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from reefsim.cli.screen import console, duration, progress, table
from reefsim.core.wording import noun
from reefsim.reporting.findings import records
from reefsim.reporting.numbers import decimal, percent
from reefsim.sim.design import Experiment
from reefsim.sim.pilot import Pilot, play_pilot
from reefsim.stats.forecast import CONFIRM, POWER, forecast, replicates_for_widths

_MANY = 10**9  # games of an experiment that outgrows a machine
_NODE_CORES, _DAY_H = 64, 24
_HARDLY = 0.1  # chance below which nothing is promised


def print_search(plan: Experiment, replicates: int) -> None:
    """Play a pilot of a search and print what it will take, and what its check can conclude.

    The pilot has as many candidates as there will be finalists, evenly taken from all of them.
    """
    from reefsim.sim.race import check_stage, searched
    from reefsim.sim.tune import stages

    tune = searched(plan)
    names, count = list(tune.settings), min(tune.finalists, len(tune.settings))
    some = [names[place * len(names) // count] for place in range(count)]
    stage = check_stage(plan, some, [])
    screen = console()
    screen.print(
        f"for the finalists, which are not known yet, stand: {', '.join(some)}",
        markup=False,
    )
    cost = print_plan(stage, replicates)
    seatings = len(stage.arms[0].seatings)
    per_game = sum(cost.values()) / len(cost)
    rounds = stages(tune, plan.replicates)
    games = [settings * replicates * seatings for _, settings, replicates in rounds]
    workers = plan.run.workers or os.cpu_count() or 1
    total = duration(sum(games) * per_game / workers)
    screen.print(
        f"the whole search: {sum(games[:-1]):,} games in {len(games) - 1} "
        f"{noun(len(games) - 1, 'rounds')} and {games[-1]:,} of the check, about {total} with "
        f"{workers} {noun(workers, 'workers')}"
    )


def print_plan(plan: Experiment, replicates: int) -> dict[str, float]:
    """Play a pilot and print what the run will take and what it can conclude.

    Returns
    -------
    seconds of a core that a game takes, by arm
    """
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
        if plan.kind == "run":
            rows = records(forecast(pilot.run, expected))
            _print_conclusions(plan, pilot, rows, expected)
        _print_scale(pilot)
    return {name: cost.seconds for name, cost in pilot.costs.items()}


def _expected(plan: Experiment, pilot: Pilot) -> int:
    """Replicates of every arm that the stopping rule makes expected."""
    rule = plan.stopping
    if rule.rule != "precision":
        return rule.most
    needed = replicates_for_widths(pilot.run, rule.half_widths)
    return next((look for look in rule.looks if look >= needed), rule.most)


def _cost(plan: Experiment, pilot: Pilot, replicates: int) -> str:
    """Games, time and disk of so many replicates of every arm, in words."""
    games, seconds, size = 0, 0.0, 0.0
    for arm in plan.arms:
        some, cost = replicates * len(arm.seatings), pilot.costs[arm.name]
        games += some
        seconds += some * cost.seconds
        size += some * cost.size
    workers = plan.run.workers or os.cpu_count() or 1
    return (
        f"{games:,} {noun(games, 'games')}, about {duration(seconds / workers)} with {workers} "
        f"{noun(workers, 'workers')}, {_bytes(size)} on disk"
    )


def _print_costs(plan: Experiment, pilot: Pilot, expected: int) -> None:
    rows = []
    for arm in plan.arms:
        cost = pilot.costs[arm.name]
        games = expected * len(arm.seatings)
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
    screen.print(f"{expected:,} replicates{how}: {_cost(plan, pilot, expected)}")


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


def _print_conclusions(
    plan: Experiment, pilot: Pilot, rows: Sequence[dict[str, Any]], expected: int
) -> None:
    """Print what each claim could come to, and what all of them together need."""
    screen = console()
    if not rows:
        screen.print("no primary outcome: nothing is claimed, so nothing can be confirmed")
        return
    lines = [
        (
            _outcome(row),
            _arm(row),
            f"±{_amount(row, row['half_width'])}",
            "" if math.isnan(row["gain"]) else decimal(row["gain"], 2),
            "" if math.isnan(row["needed"]) else f"{int(row['needed']):,}",
            conclusion(row),
        )
        for row in rows
    ]
    names = ["primary outcome", "arm", "interval", "gain", "needed", "could conclude"]
    what = f"What {expected:,} replicates allow to say, each claim by itself:"
    screen.print(what, style="bold")
    screen.print(table(names, lines, right="interval gain needed"))
    screen.print(
        f"needed: replicates with which {CONFIRM:.0%} of experiments confirm a true equivalence, "
        f"or {POWER:.0%} see a difference as large as the margin; from: what {POWER:.0%} see",
        style="dim",
    )
    _print_needed(plan, pilot, rows, expected)


def _print_needed(
    plan: Experiment, pilot: Pilot, rows: Sequence[dict[str, Any]], expected: int
) -> None:
    """Print what it takes to settle every claim that says how close is close enough."""
    screen = console()
    sized = [row for row in rows if not math.isnan(row["needed"])]
    if plan.stopping.rule == "decision":
        screen.print(
            "intervals that hold at every look are up to twice as wide: up to four times as many",
            style="dim",
        )
    if not sized:
        screen.print("no claim has a margin, so none says how many replicates it needs")
        return
    most = max(sized, key=lambda row: row["needed"])
    needed = int(most["needed"])
    which = f"{_outcome(most)} in {_arm(most)}"
    if needed <= expected:
        what = "the claim" if len(rows) == 1 else "every claim with a margin"
        screen.print(f"enough for {what}: {needed:,} replicates are needed ({which})")
        return
    fewer = sum(row["needed"] <= expected for row in sized)
    enough = f"{expected:,} are enough for {fewer} of {len(sized)} claims" if fewer else ""
    why = "; ".join(filter(None, (f"{which} needs most" if len(sized) > 1 else which, enough)))
    screen.print(
        f"not enough: {needed:,} replicates are needed instead of {expected:,} ({why}): "
        f"{_cost(plan, pilot, needed)}"
    )


def conclusion(row: Mapping[str, Any]) -> str:
    """What a claim could come to, in words.

    Parameters
    ----------
    row : of `stats.forecast`
    """
    smallest = row["smallest"]
    if row["claim"] == "superior":
        margin = 0.0 if math.isnan(row["margin"]) else row["margin"]
        return f"larger, from {_amount(row, margin + smallest)} up"
    seen = f"a difference, from {_amount(row, smallest)}"
    if row["claim"] != "equivalent":
        return seen
    within = f"within ±{_amount(row, row['margin'], 1)}"
    if row["chance"] >= CONFIRM:
        return f"{within}, if it is; {seen}"
    if row["chance"] >= _HARDLY:
        return f"{within} with {percent(row['chance'], 0)}, if it is; {seen}"
    return f"hardly that it is {within}; {seen}"


def _outcome(row: Mapping[str, Any]) -> str:
    return str(row["outcome"]) if pd.isna(row["seat"]) else f"{row['outcome']} {row['seat']}"


def _arm(row: Mapping[str, Any]) -> str:
    against = "" if row["against"] == "a number" else f" against {row['against']}"
    return f"{row['arm']}{against}"


def _amount(row: Mapping[str, Any], value: float, digits: int = 2) -> str:
    scale, unit = (100, "pp") if row["kind"] == "share" else (1, row["unit"])
    return f"{decimal(scale * value, digits)} {unit}"


def _bytes(size: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB" if size < 1000 else f"{size / 1000:.1f} TB"
