"""The guide as what it asks its reader to do: files to write, commands to type, lines to see."""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
import shlex
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

_FILE = re.compile(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A command, and lines of its output in their order; what the guide leaves out is not there."""

    command: str
    lines: tuple[str, ...]

    def missing(self, output: str) -> str | None:
        """The first line that is not part of a line of the output; None if all are."""
        said = iter(map(_squeezed, output.splitlines()))
        return next((line for line in self.lines if not any(line in one for one in said)), None)


def _squeezed(line: str) -> str:
    return " ".join(line.split())


def files(text: str) -> dict[str, str]:
    """The files of a guide, by name."""
    return dict(_FILE.findall(text))


def steps(text: str) -> list[Step]:
    """The commands of a guide."""
    found = []
    for block in _CONSOLE.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            shown = (_squeezed(line) for line in lines)
            found.append(Step(command, tuple(line for line in shown if line not in ("", "..."))))
    return found


def write(folder: Path, text: str) -> None:
    """Write the files, and what `pip install -e .` would note of the package."""
    for name, content in files(text).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    project = tomllib.loads(files(text)["pyproject.toml"])["project"]
    about = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [
        line
        for group, offers in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {place}" for name, place in offers.items()))
    ]
    (about / "entry_points.txt").write_text("\n".join(lines))


def run(command: str) -> str:
    """Run a command of the guide in this process; returns what it says."""
    from typer.testing import CliRunner

    from reefsim.cli.app import app

    program, *arguments = shlex.split(command)
    if program == "python":
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            runpy.run_path(arguments[0], run_name="__main__")
        return said.getvalue()
    if program != "reefsim":
        raise ValueError(f"{program!r} is no command of the guide")
    result = CliRunner().invoke(app, arguments)
    if result.exit_code:
        raise RuntimeError(f"{command}: exit code {result.exit_code}: {result.output}")
    return result.output


if __name__ == "__main__":
    json.dump({command: run(command) for command in sys.argv[1:]}, sys.stdout)
