"""Files from strangers: whatever is in them, one clear line comes out, and nothing is run."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import reefsim
from reefsim.agents.weights import read_weights
from reefsim.core.presets import config_dir
from reefsim.core.replay import format_verdict, replay_paths
from reefsim.errors import ConfigError, ReefsimError, RunError
from reefsim.games import registry
from reefsim.logs.read import open_run
from reefsim.sim.design import loads
from reefsim.testing.drawing import draw_ruleset
from reefsim.testing.strategies import PlayedGame
from tests.runs import TEXT
from tests.sizes import sized

RECORDS = Path(__file__).parents[1] / "data" / "records" / "reef_encounter"
SHORTEST = min(RECORDS.glob("*.jsonl"), key=lambda path: path.stat().st_size)
CONFIG = Path(__file__).parents[1] / "config" / "complete.yaml"
many = settings(max_examples=sized(200, 10_000), deadline=None)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)
CUTS = st.tuples(st.floats(0, 1), st.integers(0, 40), st.binary(max_size=12))


def damaged(content: bytes, cuts: list[tuple[float, int, bytes]]) -> bytes:
    """Put other bytes in place of some."""
    for place, length, put in cuts:
        at = int(place * len(content))
        content = content[:at] + put + content[at + length :]
    return content


def changed(lines: list[dict[str, Any]], changes: Any) -> list[dict[str, Any]]:
    """Put other values in place of some."""
    lines = [dict(line) for line in lines]
    for line, key, value in changes:
        row = lines[line % len(lines)]
        row[list(row)[key % len(row)]] = value
    return lines


def check_lines(error: ReefsimError) -> None:
    """Check that there is a line for every mistake, and no more."""
    lines = len(error.problems) if isinstance(error, ConfigError) else 1
    assert len(str(error).splitlines()) == lines > 0


def judge(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for name, verdict in replay_paths([path], registry.get):
        assert "\n" not in format_verdict(name, verdict)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("untrusted")


@many
@given(cuts=st.lists(CUTS, min_size=1, max_size=3))
def test_records_with_other_bytes(place: Path, cuts: list[tuple[float, int, bytes]]) -> None:
    judge(place / "game.jsonl", damaged(SHORTEST.read_bytes(), cuts))


@many
@given(changes=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 12), VALUES), min_size=1))
def test_records_with_other_values(place: Path, changes: Any) -> None:
    lines = [json.loads(line) for line in SHORTEST.read_text().splitlines()]
    text = "".join(json.dumps(line) + "\n" for line in changed(lines, changes))
    judge(place / "game.jsonl", text.encode())


@many
@given(cuts=st.lists(CUTS, min_size=1, max_size=4))
@example(cuts=[(0.0, 0, b"a: !!python/object/apply:os.system [ls]\n")])
@example(cuts=[(0.0, 0, b"[" * 12)])
def test_experiments_with_other_bytes(cuts: list[tuple[float, int, bytes]]) -> None:
    text = damaged(CONFIG.read_bytes(), cuts).decode("utf-8", "replace")
    try:
        loads(text, CONFIG)
    except ConfigError as error:
        check_lines(error)


@many
@given(changes=st.dictionaries(st.sampled_from(re.findall(r"^(\w+):", TEXT, re.M)), VALUES))
def test_experiments_with_other_values(changes: dict[str, Any]) -> None:
    lines = [line for line in TEXT.splitlines() if line.split(":")[0] not in changes]
    text = "\n".join([*lines, *(f"{name}: {json.dumps(v)}" for name, v in changes.items())])
    try:
        loads(text, "small.yaml")
    except ConfigError as error:
        check_lines(error)


@many
@given(cuts=st.lists(CUTS, min_size=1, max_size=3))
def test_weights_with_other_bytes(place: Path, cuts: list[tuple[float, int, bytes]]) -> None:
    file = min((config_dir() / "agents" / "reef_encounter").glob("*.yaml"))
    path = place / "weights.yaml"
    path.write_bytes(damaged(file.read_bytes(), cuts))
    try:
        read_weights(path, registry.get("reef_encounter"))
    except ConfigError as error:
        check_lines(error)


@settings(max_examples=sized(60, 2_000), deadline=None)
@given(cuts=st.lists(CUTS, min_size=1, max_size=2), which=st.integers(0, 100))
def test_run_folders_with_other_bytes(
    folder: Path, place: Path, cuts: list[tuple[float, int, bytes]], which: int
) -> None:
    copy = place / "run"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    files = sorted(path for path in copy.rglob("*") if path.is_file())
    path = files[which % len(files)]
    path.write_bytes(damaged(path.read_bytes(), cuts))
    try:
        run = open_run(copy)
        for name in ("games", "players", "turns", "events", "timing", "failures"):
            run.table(name)
        run.record(1001)
    except RunError as error:
        check_lines(error)


def test_names_that_lead_elsewhere(folder: Path, tmp_path: Path) -> None:
    text = (folder / "manifest.json").read_text()
    for name in ("../x", "/etc", "a/b", ""):
        manifest = json.loads(text)
        manifest["arms"][0]["name"] = name
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(RunError, match=r"arms\.0\.name"):
            open_run(tmp_path)
    manifest = json.loads(text)
    manifest["replays"] = [{"game_id": 0, "file": "../../etc/passwd"}]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RunError, match=r"replays\.0\.file"):
        open_run(tmp_path)


def test_files_without_end(tmp_path: Path, folder: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    with (tmp_path / "manifest.json").open("r+b") as file:
        file.truncate(10**12)  # takes no room on the disk
    with pytest.raises(RunError, match=r"manifest.json: damaged: it is larger than 64 MiB"):
        open_run(tmp_path)
    big = tmp_path / "big.yaml"
    with big.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(ConfigError, match="is larger than 1 MiB"):
        read_weights(big, registry.get("reef_encounter"))


def test_nothing_that_is_read_can_hold_code() -> None:
    """What could run code while a file is read is imported nowhere."""
    package = Path(reefsim.__file__).parent
    forbidden = (
        r"\b(import|from) (pickle|cloudpickle|dill|shelve|marshal)\b|yaml\.(unsafe_|full_)?load"
    )
    forbidden += r"|allow_pickle|(?<![\w.])(eval|exec)\("
    found = [
        f"{path.relative_to(package)}: {line}"
        for path in sorted(package.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(forbidden, line)
    ]
    assert found == []


BOUNDS = """
import json, random, sys
from pathlib import Path
import numba
assert numba.config.BOUNDSCHECK == 1
from reefsim.core.replay import replay_paths
from reefsim.games import registry
source, count = Path(sys.argv[1]), int(sys.argv[2])
dice = random.Random(1)
lines = [json.loads(line) for line in source.read_text().splitlines()]
values = [-1, 0, 1, 2, 3, 5, 7, 99, 10**6, -(2**40), "", "R1", "1:A1", None, True, [], {}]
for number in range(count):
    rows = [dict(line) for line in lines]
    for _ in range(dice.randint(1, 3)):
        row = dice.choice(rows)
        row[dice.choice(list(row))] = dice.choice(values)
    Path("game.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
    for name, verdict in replay_paths(["game.jsonl"], registry.get, "jitted"):
        assert "\\n" not in str(verdict)
print("done", count)
"""


@pytest.mark.slow
@pytest.mark.jitted
def test_compiled_rules_stay_within_their_arrays(tmp_path: Path) -> None:
    """Damaged records are replayed by kernels that check every index."""
    environment = {
        **os.environ,
        "NUMBA_BOUNDSCHECK": "1",
        "REEFSIM_CACHE_DIR": str(tmp_path / "cache"),  # this code is not for others
        "PYTHONPATH": str(Path(reefsim.__file__).parents[1]),
    }
    command = [sys.executable, "-c", BOUNDS, str(SHORTEST), str(sized(200, 10_000))]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("done ")


@pytest.mark.slow
@pytest.mark.jitted
@pytest.mark.parametrize("name", registry.names())
def test_compiled_rules_stay_within_their_arrays_under_any_rules(name: str) -> None:
    """Whole games under drawn rulesets, by kernels that check every index."""
    game, dice = registry.get(name), random.Random(2)
    for number in range(sized(10, 2_500)):
        seats = dice.choice(list(game.seats))
        rules = draw_ruleset(game.ruleset, seats, dice.randint, changes=3)
        played = PlayedGame(name, rules.differences(), seats, seed=number, rest=20_000)
        match = played.start("jitted", boundscheck=True)
        for _ in played.walk(match):
            pass
        assert match.over, played
