"""The command line: `reefsim --help` lists the commands.

Exit codes: 0 done, 1 a record disagrees with the rules, 2 a mistake in a file or command,
3 interrupted, 4 an agent failed or a rule was broken, 141 nobody reads the output any more.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from reefsim.cli.app import app

    app(prog_name="reefsim")
