"""The notebooks: they run, on small runs, and what is committed of them holds no noise."""

from __future__ import annotations

import ast
import copy
import re
from pathlib import Path

import nbformat
import pytest

import reefsim
from tests.notebooks.execute import METADATA, execute, notebooks, read, tidy

NAMES = {
    *("balance", "compare_variants", "first_player_advantage", "game_length"),
    *("log_tour", "write_your_own_agent"),
    *("reef", "charon_inc", "poseidons_kingdom"),
}
NOISE = re.compile(
    r"""
    /(home|root|tmp|Users|work|var|mnt|opt)/      # a path of some machine
    | [A-Z]:\\\\
    | \d{4}-\d\d-\d\d[ T]\d\d:\d\d                # when it was executed
    | \d\d:\d\d:\d\d
    | \bat\ 0x[0-9a-f]+                           # where in memory something was
    | \x1b\[                                      # colors of a terminal
    """,
    re.VERBOSE,
)
each = pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)


def sources(path: Path) -> list[str]:
    """Python of the code cells."""
    return [
        "\n".join(line for line in cell.source.splitlines() if not line.startswith("%"))
        for cell in read(path).cells
        if cell.cell_type == "code"
    ]


def test_all_are_there() -> None:
    assert {path.stem for path in notebooks()} == NAMES


@pytest.mark.jitted
@each
def test_it_runs(path: Path, tmp_path: Path) -> None:
    notebook = read(path)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    execute(notebook, tmp_path, "small", {"PYTHONPATH": str(Path(reefsim.__file__).parents[1])})
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not [o.text for o in outputs if o.output_type == "stream" and o.name == "stderr"]


@each
def test_outputs_are_those_of_one_execution(path: Path) -> None:
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not [o for cell in cells for o in cell.outputs if o.output_type == "error"]
    assert any("image/png" in o.get("data", {}) for cell in cells for o in cell.outputs)


@each
def test_nothing_tells_when_and_where_it_ran(path: Path) -> None:
    notebook = read(path)
    assert notebook.metadata == METADATA
    as_committed = copy.deepcopy(notebook)
    tidy(notebook)
    assert notebook == as_committed
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            assert output.get("name") != "stderr"
            texts = [output.get("text", ""), *output.get("data", {}).values()]
            plain = "\n".join(text for text in texts if not text.startswith("iVBOR"))
            assert not NOISE.search(plain), NOISE.search(plain)
    assert path.stat().st_size < 1_000_000


@each
def test_it_uses_what_users_may_use(path: Path) -> None:
    allowed = ("reefsim", "reefsim.stats", "reefsim.metrics")
    for source in sources(path):
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                if name.partition(".")[0] == "reefsim":
                    assert ".".join(name.split(".")[:2]) in allowed
    for attribute in re.findall(r"\brs\.(\w+)", "\n".join(sources(path))):
        assert attribute in reefsim.__all__


@each
def test_figures_say_what_they_show(path: Path) -> None:
    figures = [source for source in sources(path) if "plt.subplots" in source]
    assert figures
    for source in figures:
        assert "xlabel" in source
        assert "ylabel" in source
        assert "95 %" in source
        assert "agents: " in source
        assert re.search(r"\b(games|shuffles)\b", source)


def test_noise_is_seen() -> None:
    noisy = ("/home/x/", "at 0x7f3a", "2026-01-02 03:04", "\x1b[31m", "C:\\\\x")
    assert all(NOISE.search(text) for text in noisy)
    assert not NOISE.search("0.5 share, 1/2, and/or, 3:4, experiments/x/runs")


def test_tidying_takes_times_and_versions_away() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")])
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.7"}
    notebook.cells[0].metadata["execution"] = {"iopub.execute_input": "2026-01-02T03:04:05Z"}
    tidy(notebook)
    assert notebook.metadata == METADATA
    assert notebook.cells[0].metadata == {}
