"""Agents that are asked for their opinion of a recorded game, or to play it on."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reefsim.agents.kinds import KINDS, is_own_class, param_problems
from reefsim.agents.weights import find_weights, in_words, read_weights
from reefsim.core.match import Match
from reefsim.errors import RunError
from reefsim.games import registry
from reefsim.logs.encode import split_id
from reefsim.logs.read import Run
from reefsim.sim.shorthand import read_agent

DEFAULT = "planner"  # who is asked where nobody is named


@dataclass(frozen=True)
class Asked:
    """An agent that is asked.

    Attributes
    ----------
    kind, params : of the agent, as an experiment file has them
    weights : by which it judges; None if it does not, or judges by those set by hand
    words : what its weights are for; None if it has none
    folder : where a user's class is found
    """

    kind: str
    params: dict[str, Any]
    weights: dict[str, float] | None = None
    words: str | None = None
    folder: Path | None = None

    @property
    def with_weights(self) -> dict[str, Any]:
        """Parameters with the weights as values."""
        return self.params | ({"weights": self.weights} if self.weights else {})


def written(text: str, match: Match) -> Asked:
    """Read an agent as the command line has it: `planner`, `search:iterations=2000`."""
    spec = read_agent(text, registry.info(match.game.name))
    setting = spec.params.get("weights")
    if is_own_class(spec.kind) or setting is None:
        return Asked(spec.kind, spec.params, folder=Path())
    weights = find_weights(setting, match.game, match.ruleset, match.seats, Path())
    return Asked(spec.kind, spec.params, weights.values, in_words(weights), Path())


def seated(run: Run, game_id: int, match: Match, name: str) -> Asked:
    """The agent that sat at the table of a run, with the weights that it played by.

    Raises
    ------
    RunError : if the manifest does not tell them
    ConfigError : if they were tuned for the run, and their file in its folder cannot be used
    """
    arm = run.manifest["arms"][split_id(game_id)[0]]
    told = arm["agents"].get(name, {})
    kind, params = told.get("kind"), told.get("params")
    advice = "Say with --agent who is to be asked."
    if not (isinstance(kind, str) and isinstance(params, dict)) or (
        kind not in KINDS and not is_own_class(kind)
    ):
        raise RunError(f"{run.folder}: the manifest does not tell who agent '{name}' is. {advice}")
    folder = _config_folder(run)
    for param, message in param_problems(kind, params, folder, match.game):
        raise RunError(f"{run.folder}: agent '{name}', {param}: {message} {advice}")
    if is_own_class(kind) or not KINDS[kind].judges:
        return Asked(kind, params, folder=folder)
    weights = run.manifest["experiment"].get("weights", {}).get(arm["name"], {}).get(name)
    if told.get("weights", {}).get("retuned"):
        tuned = read_weights(run.folder / "weights" / f"{arm['ruleset']}.yaml", match.game)
        return Asked(kind, params, tuned.values, in_words(tuned), folder)
    if not isinstance(weights, dict) or not all(
        isinstance(value, int | float) for value in weights.values()
    ):
        what = f"the manifest does not tell the weights of agent '{name}'."
        raise RunError(f"{run.folder}: {what} {advice}")
    words = told.get("weights", {}).get("for", "those of the run")
    return Asked(kind, params, weights, words, folder)


def _config_folder(run: Run) -> Path:
    """Folder of the experiment file, where a user's classes are, as far as the run tells it."""
    try:
        words = shlex.split(str(run.manifest.get("command", "")))
    except ValueError:
        return Path()
    files = [Path(word) for word in words if Path(word).suffix in (".yaml", ".yml")]
    return files[0].parent if files else Path()
