"""What a report reads of a manifest: every key is optional except the arms' names.

Keys read: question, title, game, seats, seed, pairing ("chance" or "none"), margin_pp, baseline,
command, versions, config_text, config_hash, experiment (for outcomes.primary and, without
config_text, as the config shown), and of each of arms: name, ruleset, lineup, agents, rules
(differences from the printed rules), replicates (planned), caveats. Arms that only the games
know are added.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from reefsim.stats.verdict import MARGIN_PP


@dataclass(frozen=True)
class ArmInfo:
    """One arm as a reader knows it.

    Attributes
    ----------
    name, ruleset : str
    lineup : tuple of str
        Agent by slot.
    agents : dict
        Agent's name to what it is, in words.
    rules : dict
        Differences from the printed rules.
    planned : int or None
        Replicates of the plan.
    baseline : str or None
        Arm it is compared with.
    weights : dict
        Agent's name to what the manifest tells of the weights it judges by, if it does.
    caveats : tuple of str
        What the game says that every output under these rules has to say.
    """

    name: str
    ruleset: str
    lineup: tuple[str, ...]
    agents: dict[str, str]
    rules: dict[str, Any]
    planned: int | None = None
    baseline: str | None = None
    weights: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    caveats: tuple[str, ...] = ()

    @property
    def is_mixed(self) -> bool:
        """Whether different agents sit at the table."""
        return len(set(self.lineup)) > 1


@dataclass(frozen=True)
class RunInfo:
    """What was asked and how it was run."""

    question: str
    title: str
    seats: int
    arms: tuple[ArmInfo, ...]
    margin_pp: float
    primary: str
    is_paired: bool
    seed: str
    versions: dict[str, str]
    command: str
    config: str
    config_hash: str
    failed: int = 0  # games that were given up

    @property
    def baselines(self) -> dict[str, str]:
        """Baseline of every arm that has one."""
        return {arm.name: arm.baseline for arm in self.arms if arm.baseline}

    def arm(self, name: str) -> ArmInfo:
        """Arm by name."""
        return next(arm for arm in self.arms if arm.name == name)


def read_manifest(manifest: Mapping[str, Any], games: pd.DataFrame) -> RunInfo:
    """Read what a report shows, with a fallback for every missing key.

    Parameters
    ----------
    manifest : of a run
    games : table of the run; tells the arms and seats if the manifest does not

    Returns
    -------
    RunInfo
    """
    experiment = manifest.get("experiment") or {}
    primary_name, primary = _primary(experiment)
    margin = manifest.get("margin_pp") or primary.get("margin_pp") or MARGIN_PP
    planned = list(manifest.get("arms") or ())
    names = {entry["name"] for entry in planned}
    unplanned = _arms_of(games[~games["arm"].isin(names)])
    arms = tuple(_arm(entry) for entry in planned + unplanned)
    seats = manifest.get("seats") or max((len(arm.lineup) for arm in arms), default=0)
    return RunInfo(
        question=str(manifest.get("question") or "What do these games show?").strip(),
        title=str(manifest.get("title") or manifest.get("game") or "").replace("_", " "),
        seats=int(seats),
        arms=_with_baselines(arms, manifest.get("baseline")),
        margin_pp=float(margin),
        primary=primary_name,
        is_paired=manifest.get("pairing", "none") not in ("none", None, False),
        seed=str(manifest.get("seed", experiment.get("seed", ""))),
        versions={str(name): str(text) for name, text in (manifest.get("versions") or {}).items()},
        command=str(manifest.get("command") or ""),
        config=str(manifest.get("config_text") or json.dumps(experiment, indent=2, default=str)),
        config_hash=str(manifest.get("config_hash") or ""),
        failed=int((manifest.get("counts") or {}).get("failed") or 0),
    )


def _primary(experiment: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Name and settings of the primary outcome: first_seat_share unless the experiment says."""
    primary = (experiment.get("outcomes") or {}).get("primary") or {}
    if isinstance(primary, str):
        return primary, {}
    for name, settings in primary.items():
        return str(name), settings if isinstance(settings, Mapping) else {}
    return "first_seat_share", {}


def _arm(entry: Mapping[str, Any]) -> ArmInfo:
    agents = entry.get("agents") or {}
    lineup = tuple(str(name) for name in entry.get("lineup") or agents)
    if not isinstance(agents, Mapping):
        agents = {}
    planned = entry.get("replicates")
    return ArmInfo(
        name=str(entry["name"]),
        ruleset=str(entry.get("ruleset") or entry["name"]),
        lineup=lineup,
        agents={name: _describe_agent(agents.get(name)) for name in dict.fromkeys(lineup)},
        rules=dict(entry.get("rules") or {}),
        planned=None if planned is None else int(planned),
        caveats=tuple(map(str, entry.get("caveats") or ())),
        weights={
            name: spec["weights"]
            for name, spec in agents.items()
            if isinstance(spec, Mapping) and isinstance(spec.get("weights"), Mapping)
        },
    )


def _arms_of(games: pd.DataFrame) -> list[dict[str, Any]]:
    """Arms as the games show them: the agents of the first game of each."""
    first = games.drop_duplicates("arm")
    columns = [name for name in ("arm", "ruleset", "agents") if name in first]
    return [
        {"name": row["arm"], "ruleset": row.get("ruleset"), "lineup": list(row.get("agents", ()))}
        for row in first[columns].to_dict("records")
    ]


def _describe_agent(spec: object) -> str:
    """Kind and parameters of an agent: 'greedy (noise 0.15)'."""
    if not isinstance(spec, Mapping):
        return "" if spec is None else str(spec)
    params = spec.get("params")
    values = dict(params if isinstance(params, Mapping) else spec)
    if isinstance(weights := spec.get("weights"), Mapping):
        values["weights"] = weights.get("for", "")
    if values.get("never"):
        values["never"] = " or ".join(map(str, values["never"]))
    shown = ", ".join(
        f"{key} {value}" for key, value in values.items() if key not in ("kind", "name", "params")
    )
    kind = str(spec.get("kind", ""))
    return f"{kind} ({shown})" if shown else kind


def _with_baselines(arms: tuple[ArmInfo, ...], baseline: object) -> tuple[ArmInfo, ...]:
    """Give every arm its baseline: the one that matches, with the same line-up if there is one.

    The manifest names it by arm, by ruleset, or by a mapping of ruleset and lineup.
    """
    if not baseline:
        return arms
    wanted = baseline if isinstance(baseline, Mapping) else {"name": baseline}
    matching = [arm for arm in arms if _matches(arm, wanted)]
    if not matching and not isinstance(baseline, Mapping):
        matching = [arm for arm in arms if arm.ruleset == baseline]
    result = []
    for arm in arms:
        same_table = [base for base in matching if Counter(base.lineup) == Counter(arm.lineup)]
        choice = (same_table or matching or [arm])[0]
        has_one = arm not in matching and choice is not arm
        result.append(replace(arm, baseline=choice.name if has_one else None))
    return tuple(result)


def _matches(arm: ArmInfo, wanted: Mapping[str, Any]) -> bool:
    lineup = arm.name.removeprefix(f"{arm.ruleset}-")  # an arm is named ruleset-lineup
    known = {"name": arm.name, "ruleset": arm.ruleset, "lineup": lineup}
    return all(known.get(key) == value for key, value in wanted.items())
