"""The shape of the project: who may import whom, and that the toolkit names no game."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import reefsim

PACKAGE = Path(reefsim.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Each part of the package, and the parts it may import (ARCHITECTURE.md).
MAY_IMPORT = {
    "errors": set(),
    "core": {"errors"},
    "games": {"core", "errors"},
    "agents": {"core", "errors"},
    "logs": {"core", "errors", "games"},  # of the games only the registry
    "metrics": {"games", "logs", "core", "errors"},  # of the games only the registry
    "sim": {"agents", "games", "stats", "metrics", "logs", "core", "errors"},
    "stats": {"metrics", "logs", "core", "errors"},
    # of the games only the registry
    "reporting": {"stats", "metrics", "logs", "games", "core", "errors"},
    "testing": {"games", "core", "errors"},
}
WORDS_OF_GAMES = re.compile(r"reef.?encounter|larva|shrimp|polyp|coral|algae?\b", re.IGNORECASE)


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Modules of reefsim that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("reefsim.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_arrows_point_one_way(path: Path) -> None:
    part = part_of(path)
    if part in ("__init__", "api", "cli"):
        return  # these may use everything
    used = {name.split(".")[1] for name in imports(path)} - {part}
    assert used <= MAY_IMPORT[part], f"{part} must not import {used - MAY_IMPORT[part]}"
    if part in ("logs", "agents", "metrics", "reporting"):
        games = {name for name in imports(path) if name.startswith("reefsim.games.")}
        assert {name.split(".")[2] for name in games} <= {"registry"}


def test_games_do_not_import_each_other() -> None:
    for path in (PACKAGE / "games").glob("*/*.py"):
        others = {name.split(".")[2] for name in imports(path) if name.startswith("reefsim.games.")}
        assert others <= {path.parent.name}, path


def test_the_toolkit_names_no_game() -> None:
    for path in MODULES:
        if part_of(path) != "games":
            text = path.read_text(encoding="utf-8")
            found = WORDS_OF_GAMES.search(text)
            assert found is None, f"{path.relative_to(PACKAGE)}: {found and found.group()}"
