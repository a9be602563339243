"""The examples in the documentation of `reefsim.stats` run."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = ("elo", "looks", "multiple", "planning", "proportions", "verdict")


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"reefsim.stats.{name}"))
    assert found.failed == 0
    assert found.attempted > 0
