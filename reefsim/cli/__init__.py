"""The command line: `reefsim --help` lists the commands.

Exit codes: 0 done, 1 a record disagrees with the rules, 2 a mistake in a file or command,
3 interrupted, 4 an agent failed or a rule was broken, 5 a target was missed (--check),
70 a fault of reefsim itself, 141 nobody reads the output any more.
"""

from __future__ import annotations

import contextlib
import sys


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # a terminal that lacks a sign gets another
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        from reefsim.cli.app import app

        app(prog_name="reefsim")
    except KeyboardInterrupt:  # while modules are imported
        sys.stderr.write("interrupted\n")
        sys.exit(3)
