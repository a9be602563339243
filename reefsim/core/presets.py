"""Presets: named differences from a published game, one YAML file each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reefsim.core.yaml_source import read_yaml
from reefsim.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parents[1]


def config_dir() -> Path:
    """Folder of the shipped configuration files.

    An installed package carries it inside (reefsim/configs); in a source checkout it stands next
    to the package.
    """
    inside = _PACKAGE / "configs"
    return inside if inside.is_dir() else _PACKAGE.parent / "configs"


def preset_dir(game: str) -> Path:
    """Folder of the presets of a game; it need not exist."""
    return config_dir() / "rulesets" / game


def presets(game: str) -> dict[str, dict[str, Any]]:
    """Read the presets of a game.

    Returns
    -------
    dict from the preset's name to its differences from the published game; base comes first

    Raises
    ------
    ConfigError : a preset file is not YAML or not a map
    """
    files = sorted(preset_dir(game).glob("*.yaml"), key=lambda file: (file.stem != "base", file))
    return {file.stem: _differences(file) for file in files}


def _differences(file: Path) -> dict[str, Any]:
    document = read_yaml(file)
    differences = {} if document.data is None else document.data
    problems = list(document.problems)
    if not isinstance(differences, dict):
        problems.append(document.problem((), "a preset is a map of toggles and values"))
    if problems:
        raise ConfigError(problems)
    return dict(differences)
