"""Which clauses of a game's RULES.md no test is marked with: `make clauses`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[1] / "reefsim" / "games"
_CLAUSE = re.compile(r"\*\*([A-Z]+-?\d+(?:\.\d+[a-z]?)?)\*\*")


def clause_ids(rules: Path) -> list[str]:
    """Ids of the clauses of a RULES.md, in their order."""
    return list(dict.fromkeys(_CLAUSE.findall(rules.read_text(encoding="utf-8"))))


def unmarked(items: Iterable[pytest.Item]) -> dict[str, list[str]]:
    """Clauses without a test, by game; tests of a game stand in tests/games/<game>."""
    marked: dict[str, set[str]] = {}
    for item in items:
        folder = item.path.parent.name
        for mark in item.iter_markers("clause"):
            marked.setdefault(folder, set()).update(map(str, mark.args))
    found = {}
    for rules in sorted(GAMES.glob("*/RULES.md")):
        game = rules.parent.name
        found[game] = [c for c in clause_ids(rules) if c not in marked.get(game, ())]
    return found


def unknown(items: Iterable[pytest.Item]) -> set[str]:
    """Marks with a clause that the game's RULES.md does not have."""
    wrong = set()
    for item in items:
        rules = GAMES / item.path.parent.name / "RULES.md"
        for mark in item.iter_markers("clause"):
            text = rules.read_text(encoding="utf-8")
            wrong |= {f"{c} ({item.nodeid})" for c in mark.args if c not in text}
    return wrong
