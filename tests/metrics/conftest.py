"""One small run for all tests of metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from reefsim.logs.read import Run, open_run
from tests.runs import play, small_parts


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as monkeypatch:
        small_parts(monkeypatch)
        return play(tmp_path_factory.mktemp("small") / "run")


@pytest.fixture(scope="session")
def opened(folder: Path) -> Run:
    return open_run(folder)
