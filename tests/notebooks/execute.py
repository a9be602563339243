"""Executes the notebooks: `python -m tests.notebooks.execute` puts fresh outputs into all of them.

They are executed in an empty folder, so that no run of before has a say, and what is kept of it is
what a reader wants to see: no times, no versions, no progress.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebooks() -> list[Path]:
    """List the notebooks of the project."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> NotebookNode:
    """Read a notebook."""
    return nbformat.read(path, as_version=4)


def execute(notebook: NotebookNode, folder: Path, size: str, env: Mapping[str, str]) -> None:
    """Execute a notebook in a folder and keep the outputs in it.

    Raises
    ------
    nbclient.exceptions.CellExecutionError : if a cell fails, with its traceback
    """
    client = NotebookClient(
        notebook,
        timeout=1800,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env={**os.environ, **env, "REEFSIM_NOTEBOOK_SIZE": size})
    tidy(notebook)


def tidy(notebook: NotebookNode) -> None:
    """Take away what depends on when and where a notebook was executed."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
        cell.metadata = nbformat.from_dict({})
        for output in cell.get("outputs", ()):
            output.get("metadata", {}).pop("needs_background", None)


def main() -> None:
    """Execute notebooks in place."""
    parser = argparse.ArgumentParser(description="execute notebooks in place")
    parser.add_argument("names", nargs="*", help="without folder and ending; none: all")
    names = parser.parse_args().names
    size = os.environ.get("REEFSIM_NOTEBOOK_SIZE", "full")
    for path in notebooks():
        if names and path.stem not in names:
            continue
        notebook = read(path)
        with tempfile.TemporaryDirectory() as folder:
            execute(notebook, Path(folder), size, {})
        nbformat.write(notebook, path)
        print(path.relative_to(ROOT))  # noqa: T201


if __name__ == "__main__":
    main()
