"""What a search for settings found: how good the finalists are, in games the search did not see."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reefsim.core.wording import plain
from reefsim.errors import RunError
from reefsim.logs.manifest import CHECKED
from reefsim.logs.read import Run
from reefsim.reporting.answers import now, target_name, target_span
from reefsim.reporting.findings import records
from reefsim.reporting.numbers import NBSP, NONE, decimal, percent, signed, span
from reefsim.reporting.sweep import together
from reefsim.reporting.words import counted, listed
from reefsim.stats.goals import (
    FARTHER,
    NEARER,
    find_changes,
    find_goals,
    not_dominated,
    shared_level,
)
from reefsim.stats.targets import INSIDE, OPEN, OUTSIDE

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Tune:
    """A search that was played to its end.

    Attributes
    ----------
    base : name of the ruleset to beat
    settings : one row per setting of the check, the base first: arm, name, setting (how its rules
        differ from the base, in words), one column per toggle, is_base; inside, open and outside
        (numbers of goals), status (of all together), off (distance from all goals, in steps), front
        (no other one is as near to every goal and nearer to one), nearer and farther (numbers of
        goals that it is shown to be nearer to, and farther from, than the base), is_better
    goals : one row per setting and goal: columns of `stats.goals.find_goals`, and (missing for the
        base) change, change_low, change_high (of its distance, against the base), pairs, effect
    search : one row per round and candidate: round, seed, replicates, candidate, setting, off (how
        far it looked from all goals, in steps), went_on
    level : of the intervals of changes, which hold together at 95 %
    comparisons : how many those are
    combinations, candidates : how many settings there were, and how many were tried
    pick : arm of the setting that is shown to be better than the base; empty if none is
    """

    base: str
    settings: pd.DataFrame
    goals: pd.DataFrame
    search: pd.DataFrame
    level: float
    comparisons: int
    combinations: int
    candidates: int
    pick: str

    @property
    def finalists(self) -> int:
        """Settings that were checked, the base left out."""
        return len(self.settings) - 1

    def tables(self) -> dict[str, pd.DataFrame]:
        """Tables by name."""
        found = {"tune_settings": self.settings, "tune_goals": self.goals}
        return found | {"tune_search": self.search}

    def setting(self, arm: str) -> dict[str, Any]:
        """The setting that an arm plays."""
        return next(iter(records(self.settings, arm=arm)))


def is_tune(manifest: Mapping[str, Any]) -> bool:
    """Whether a run is the check at the end of a search."""
    return (manifest.get("tune") or {}).get("stage") == CHECKED


def find_tune(run: Run) -> Tune:
    """Read off what a search found.

    Parameters
    ----------
    run : its check, finished or going on

    Raises
    ------
    RunError : if the run is no check of a search
    """
    if not is_tune(run.manifest):
        raise RunError(f"{run.folder}: this run is not the check at the end of `reefsim tune`.")
    told, arms = run.manifest["tune"], list(run.manifest["arms"])
    base = arms[0]["name"]
    goals = find_goals(run)
    comparisons = int((goals["arm"] != base).sum())
    level = shared_level(comparisons)
    goals = goals.merge(find_changes(run, base, level), on=["arm", "goal"], how="left", sort=False)
    settings = _settings(arms, told, goals)
    return Tune(
        base=told["ruleset"],
        settings=settings,
        goals=goals,
        search=_search(told),
        level=level,
        comparisons=comparisons,
        combinations=told["combinations"],
        candidates=told["candidates"],
        pick=_pick(settings),
    )


def _settings(arms: list[Row], told: Row, goals: pd.DataFrame) -> pd.DataFrame:
    base, toggles = arms[0], list(next(iter(told["settings"].values()), {}))
    distances = goals.set_index(["arm", "goal"])["distance"].unstack()
    front = not_dominated(distances.loc[[arm["name"] for arm in arms]].to_numpy(float))
    rows = []
    for place, arm in enumerate(arms):
        values = told["settings"].get(arm["ruleset"], {})
        own = goals[goals["arm"] == arm["name"]]
        found, effects = own["status"].to_list(), own["effect"].to_list()
        # what neither of the two names is as published in both
        same = {name for name in values if arm["rules"].get(name) == base["rules"].get(name)}
        changed = (f"{name} {plain(values[name])}" for name in values if name not in same)
        nearer, farther = effects.count(NEARER), effects.count(FARTHER)
        rows.append(
            {
                "arm": arm["name"],
                "name": arm["ruleset"],
                "setting": ", ".join(changed),
                **{name: plain(values[name]) if name in values else "" for name in toggles},
                "is_base": place == 0,
                "inside": found.count(INSIDE),
                "open": found.count(OPEN),
                "outside": found.count(OUTSIDE),
                "status": together(found),
                "off": float((own["distance"] / own["step"]).sum(skipna=False)),
                "front": bool(front[place]),
                "nearer": nearer,
                "farther": farther,
                "is_better": nearer > 0 and farther == 0,
            }
        )
    return pd.DataFrame(rows)


def _search(told: Row) -> pd.DataFrame:
    """Rounds of the search, the candidates of each by how far off they looked."""
    rows = []
    rounds = told["rounds"]
    for number, part in enumerate(rounds, start=1):
        following = rounds[number]["ranking"] if number < len(rounds) else told["settings"]
        for name, off in part["ranking"].items():
            rows.append(
                {
                    "round": number,
                    "seed": part["seed"],
                    "replicates": part["replicates"],
                    "candidate": name,
                    "off": math.inf if off is None else off,
                    "went_on": name in following,
                }
            )
    columns = ("round", "seed", "replicates", "candidate", "off", "went_on")
    return pd.DataFrame(rows, columns=list(columns))


def _pick(settings: pd.DataFrame) -> str:
    """Of the settings shown to be better, the one that misses least, meets most, is nearest."""
    better = settings[settings["is_better"]]
    if not len(better):
        return ""
    order = np.lexsort((better["off"], -better["inside"], better["outside"]))
    return str(better["arm"].iloc[order[0]])


# --- words -----------------------------------------------------------------------------------


def named(row: Row) -> str:
    """A setting with its rules: 'candidate_7 (some_toggle 5)'."""
    return str(row["name"]) if row["is_base"] else f"{row['name']} ({row['setting']})"


def change(row: Row) -> str:
    """How much nearer or farther than the base a setting is, with its sign; below 0 is nearer."""
    if pd.isna(row["change"]):
        return NONE
    value, (scale, unit, digits) = float(row["change"]), _scale(row)
    return f"{signed(scale * value, digits)}{NBSP}{unit}"


def change_span(row: Row) -> str:
    """Interval of `change`; an end that is not known is left open.

    Settings that both are inside for certain do not differ in how far off they are.
    """
    scale, _, digits = _scale(row)
    low, high = float(row["change_low"]), float(row["change_high"])
    if math.isnan(low) and math.isnan(high):
        return "no interval"
    if low == high == 0:
        return "both inside"
    low, high = (-math.inf if math.isnan(low) else low), (math.inf if math.isnan(high) else high)
    if math.isinf(low):
        return f"{signed(scale * high, digits)} or less"
    if math.isinf(high):
        return f"{signed(scale * low, digits)} or more"
    return span(low, high, scale, digits)


def _scale(row: Row) -> tuple[float, str, int]:
    """Factor, unit and digits in which a distance is told."""
    if row["kind"] == "share":
        return 100, "pp", 1
    return 1, str(row["unit"]), 0 if row["what"] in ("median", "p95") else 2


def answer(found: Tune) -> str:
    """What is to be taken of the search: the pick and what it improves, or that there is none."""
    base = records(found.settings, is_base=True)[0]
    if found.pick:
        return _pick_sentence(found)
    if base["status"] == INSIDE:
        return (
            f"No setting is shown to be better than {found.base}, which is inside of everything "
            "that is wanted."
        )
    trades = [
        f"{named(row)} is nearer to {_listed_goals(found, row['arm'], NEARER)}, but farther from "
        f"{_listed_goals(found, row['arm'], FARTHER)}"
        for row in records(found.settings)
        if row["nearer"] and row["farther"]
    ]
    why = f" {'; '.join(trades)}." if trades else ""
    return f"No setting is shown to be better than {found.base}.{why}"


def _pick_sentence(found: Tune) -> str:
    row = found.setting(found.pick)
    gains = [
        f"{target_name(goal)} by {_gain(goal)} (now {now(goal)}, wanted {goal['wanted']})"
        for goal in records(found.goals, arm=found.pick, effect=NEARER)
    ]
    standing = [
        f"{status}: {listed([target_name(goal) for goal in goals])}"
        for status in (INSIDE, OPEN, OUTSIDE)
        if (goals := records(found.goals, arm=found.pick, status=status))
    ]
    told = "; ".join(standing)
    return (
        f"{named(row)} is shown to be better than {found.base}: nearer to {listed(gains)}, and not "
        f"shown to be farther from anything. {told[:1].upper()}{told[1:]}."
    )


def _gain(row: Row) -> str:
    """How much nearer a goal is, with its interval: '4.0 rounds (3.1 to 5.2)'."""
    scale, unit, digits = _scale(row)
    amount = decimal(-scale * float(row["change"]), digits)
    least, most = -float(row["change_high"]), -float(row["change_low"])
    ends = (
        f"{decimal(scale * least, digits)} or more"
        if math.isnan(most)
        else span(least, most, scale, digits)
    )
    return f"{amount}{NBSP}{unit} ({ends})"


def _listed_goals(found: Tune, arm: str, effect: str) -> str:
    return listed([target_name(row) for row in records(found.goals, arm=arm, effect=effect)])


def how(found: Tune) -> str:
    """How a search was done, and what its intervals hold."""
    tried = f"{counted(found.candidates, 'settings')}"
    if found.combinations > found.candidates:
        tried += f", a sample of {found.combinations},"
    rounds = int(found.search["round"].max()) if len(found.search) else 0
    last = "one" if found.finalists == 1 else str(found.finalists)
    searched = (
        f"{tried} raced in {counted(rounds, 'rounds')}: the better half went on to twice as many "
        f"shuffles. The last {last} and {found.base} then played in shuffles that no game of the "
        "search used; only those count here."
        if rounds
        else f"{tried} and {found.base} played the same shuffles."
    )
    level = f"each interval at {percent(found.level, 2)}"
    if found.comparisons > 1:
        level += f", so that all {found.comparisons} hold together at 95{NBSP}%"
    return f"{searched} Differences from {found.base}: {level}."


def goal_cell(row: Row) -> tuple[str, str]:
    """Value of a goal and its interval."""
    return now(row), target_span(row)
