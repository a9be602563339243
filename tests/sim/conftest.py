"""One small run, which tests compare theirs with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runs import play, small_parts


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as monkeypatch:
        small_parts(monkeypatch)
        return play(tmp_path_factory.mktemp("wanted") / "run")
