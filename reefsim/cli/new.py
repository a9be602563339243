"""`reefsim new`: a folder for a question, with a commented experiment that runs."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from reefsim.cli.screen import next_step
from reefsim.core.presets import config_dir
from reefsim.core.wording import did_you_mean, sentences
from reefsim.core.yaml_source import read_yaml
from reefsim.errors import ReefsimError

FIRST = "seat-balance"
_README = """\
# {name}

## Question

{question}

What would be decided differently if the answer were another one?

## Design

`experiment.yaml` says what is played, what is claimed and what is wanted, before the first game.

```
reefsim validate --plan {file}
{play}
```

## Answer

Not yet played.
"""


def templates() -> dict[str, Path]:
    """Experiments that a new folder can begin with, by name."""
    files = sorted((config_dir() / "templates").glob("*.yaml"), key=lambda f: (f.stem != FIRST, f))
    return {file.stem: file for file in files}


def summary(template: Path) -> str:
    """What a template asks: its first line."""
    first, _, _ = template.read_text(encoding="utf-8").partition("\n")
    return first.lstrip("# ")


def new(
    name: Annotated[
        Path, typer.Argument(metavar="NAME", help="The folder to make.", show_default=False)
    ],
    template: Annotated[
        str, typer.Option("--from", help="What it begins with: reefsim list templates.")
    ] = FIRST,
) -> None:
    """Make a folder for a question: an experiment with comments that runs as it is.

    For example: reefsim new my_question --from published-vs-advanced
    """
    known = templates()
    if template not in known:
        what = f"--from '{template}' is not a template."
        names = f"Templates: {', '.join(known)}."
        raise ReefsimError(sentences(what, did_you_mean(template, known), names))
    name = Path(os.path.normpath(name))  # `a/../x` makes no folder a
    if not name.name:
        raise ReefsimError("the folder of a question needs a name, as in: reefsim new my_question")
    if name.exists() and (not name.is_dir() or any(name.iterdir())):
        raise ReefsimError(f"{name}: there is something already. Choose another name.")
    # The page of a run is named as its folder: that of another question must not take its place.
    out = json.dumps(f"runs/{name.resolve().name}", ensure_ascii=False)
    text = known[template].read_text(encoding="utf-8").replace("runs/first", out)
    data = read_yaml(known[template]).data
    file = name / "experiment.yaml"
    quoted = shlex.quote(file.as_posix())
    verb = next((name for name in ("tune", "sweep") if name in data), "run")
    play = f"reefsim {verb} {quoted}"
    readme = _README.format(
        name=name.name, question=data["question"].strip(), file=quoted, play=play
    )
    name.mkdir(parents=True, exist_ok=True)
    (name / "README.md").write_text(readme, encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    typer.echo(f"question: {data['question'].strip()}")
    typer.echo(f"made {file} ({template}) and {name / 'README.md'}; write your own question first")
    next_step(f"reefsim validate --plan {quoted}")
