"""The commands of `reefsim`, and what a user sees when one of them fails."""

from __future__ import annotations

import os
import re
import sys
import traceback
from pathlib import PurePath
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from reefsim.cli import (
    appraise,
    bench,
    bug,
    compare,
    data,
    experiment,
    explain,
    ladder,
    lists,
    new,
    power,
    replays,
    runs,
    status,
    sweep,
    train,
    tune,
    watch,
)
from reefsim.errors import ReefsimError

INTERRUPTED, FAULT, UNREAD = 3, 70, 141
_TRACEBACK = "REEFSIM_TRACEBACK"  # set: a fault of reefsim ends with all that Python tells


UsageError: Any = typer.BadParameter.__bases__[0]  # click's own, wherever typer keeps it


class Commands(TyperGroup):
    """The commands; whatever a user can mend ends in one line on stderr and an exit code."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Run a command line; a mistake in it is told in one line, with the way to help."""
        try:
            code = super().main(*args, **(more | {"standalone_mode": False}))
        except UsageError as error:
            if type(error).__name__ == "NoArgsIsHelpError":
                error.show()
            else:
                typer.echo(_usage(error), err=True)
            code = error.exit_code
        except Exception as error:
            if os.environ.get(_TRACEBACK):
                raise
            typer.echo(_fault(error), err=True)
            code = FAULT
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except ReefsimError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(getattr(error, "exit_code", 2)) from error
        except KeyboardInterrupt as error:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from error
        except BrokenPipeError as error:  # `reefsim list toggles | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(UNREAD) from error
        except OSError as error:  # a full disk, a folder without permission
            place = f"{error.filename}: " if error.filename else ""
            typer.echo(f"{place}{error.strerror or error}", err=True)
            raise typer.Exit(2) from error
        return result


def _usage(error: Any) -> str:
    """Say what is wrong with a command line."""
    command = error.ctx.command_path if error.ctx else "reefsim"
    what = error.format_message().rstrip(".")
    if re.fullmatch(r"-\d.*", getattr(error, "option_name", "")):
        what = f"{error.option_name} is below zero, and no argument here takes such a number"
    return f"{command}: {what}. Help: {command} -h"


def _fault(error: Exception) -> str:
    """Say what went wrong in reefsim itself, and how that is reported."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this."
    last = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())[:500]
    return (
        f"a fault of reefsim: {what} ({PurePath(last.filename).name}:{last.lineno}). Please report "
        f"this line with the command and what `reefsim bug` prints; {_TRACEBACK}=1 before the "
        "command tells more."
    )


app = typer.Typer(
    cls=Commands,
    help="Play board games by their rules, many times, and see what a rule change does.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("new")(new.new)
app.command("validate")(experiment.validate)
app.command("run")(experiment.run)
app.command("resume")(runs.resume)
app.command("status")(status.status)
app.command("report")(experiment.report)
app.command("compare")(compare.compare)
app.command("sweep")(sweep.sweep)
app.command("tune")(tune.tune)
app.command("power")(power.power)
app.command("ladder")(ladder.ladder)
app.command("train")(train.train)
app.command("replay")(replays.replay)
app.command("watch")(watch.watch)
app.command("explain")(explain.explain)
app.command("check-data")(data.check_data)
app.command("appraise")(appraise.appraise)
app.command("compact")(runs.compact)
app.command("verify")(runs.verify)
app.command("bug")(bug.bug)
app.add_typer(lists.app, name="list")
app.command("bench")(bench.bench)
app.command("warmup")(bench.warmup)


def _version(wanted: bool) -> None:
    if wanted:
        from reefsim import __version__

        typer.echo(f"reefsim {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and leave."
        ),
    ] = False,
) -> None:
    """Play board games by their rules, many times, and see what a rule change does."""
