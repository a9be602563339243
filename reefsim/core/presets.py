"""Presets: named differences from a published game, one YAML file each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from reefsim.core.ruleset import Ruleset
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


def package_dir(kind: type[Ruleset]) -> Path:
    """Folder of the package that a game's class of rulesets stands in.

    A game that does not come with reefsim has its presets there in `rulesets/`, and tuned weights
    in `agents/`.
    """
    return Path(sys.modules[kind.__module__].__file__ or "").resolve().parent


def presets(game: str, package: Path | None = None) -> dict[str, dict[str, Any]]:
    """Read the presets of a game.

    Parameters
    ----------
    game : its name
    package : its `package_dir`, where presets may lie as well; then there is a base in any case

    Returns
    -------
    dict from the preset's name to its differences from the published game; base comes first

    Raises
    ------
    ConfigError : a preset file is not YAML or not a map
    """
    found: dict[str, dict[str, Any]] = {} if package is None else {"base": {}}
    folders = [preset_dir(game)] if package is None else [preset_dir(game), package / "rulesets"]
    files = [file for folder in folders for file in sorted(folder.glob("*.yaml"))]
    for file in sorted(files, key=lambda file: file.stem != "base"):
        found[file.stem] = _differences(file)
    return found


def _differences(file: Path) -> dict[str, Any]:
    document = read_yaml(file)
    differences = {} if document.data is None else document.data
    problems = list(document.problems)
    if not isinstance(differences, dict):
        problems.append(document.problem((), "a preset is a map of toggles and values"))
    if problems:
        raise ConfigError(problems)
    return dict(differences)
