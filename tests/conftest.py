"""Sizes of the property tests, and the clauses that tests are marked with."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from tests.clauses import unknown, unmarked
from tests.sizes import SIZE

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
settings.register_profile(
    "small", max_examples=12, deadline=None, derandomize=True, suppress_health_check=_SLOW
)
settings.register_profile("full", max_examples=300, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(SIZE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what `make clauses` calls."""
    parser.addoption(
        "--unmarked-clauses",
        action="store_true",
        help="list the clauses of the rules that no test is marked with",
    )


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the clauses for the summary, before tests are run."""
    if session.config.getoption("--unmarked-clauses"):
        session.config.stash[_MISSING] = unmarked(session.items)
        session.config.stash[_WRONG] = sorted(unknown(session.items))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """List the clauses, if asked."""
    for game, clauses in config.stash.get(_MISSING, {}).items():
        terminalreporter.section(f"clauses of {game} without a test: {len(clauses)}")
        terminalreporter.write_line(" ".join(clauses))
    for mark in config.stash.get(_WRONG, []):
        terminalreporter.write_line(f"no such clause: {mark}")


_MISSING: pytest.StashKey[dict[str, list[str]]] = pytest.StashKey()
_WRONG: pytest.StashKey[list[str]] = pytest.StashKey()
