"""The tournament behind a ladder: an experiment whose line-ups follow from its agents.

With two seats every pair of agents is a line-up. With more, every ordered pair is one: a single
agent among copies of another, so that one stronger player among weaker ones, and one weaker among
stronger, can be read off. All seatings of a line-up are played.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations, permutations

from reefsim.core.wording import listing
from reefsim.sim.checks import Checker

# Entries of an experiment file that a ladder has no use for, and why.
OWN = {
    "lineups": "a ladder makes its own: every pair of the agents. Leave it out.",
    "arms": "a ladder makes its own: every pair of the agents is one. Leave it out.",
    "sweep": "a ladder is played under one ruleset. Leave it out, or use `reefsim run`.",
    "tune": "a ladder is played under one ruleset. Leave it out, or use `reefsim tune`.",
    "outcomes": "a ladder has its own: who beats whom. Leave it out, or use `reefsim run`.",
    "targets": "a ladder has none. Leave it out, or use `reefsim run`.",
}


def lineups(agents: Collection[str], seats: int | None) -> dict[str, tuple[str, ...]]:
    """List the pairings of a ladder.

    Returns
    -------
    agents by slot, by name of the line-up; slot 0 holds one agent, all others hold the other one

    Examples
    --------
    >>> lineups(["a", "b"], 2)
    {'a-vs-b': ('a', 'b')}
    >>> lineups(["a", "b"], 3)
    {'a-among-b': ('a', 'b', 'b'), 'b-among-a': ('b', 'a', 'a')}
    """
    if seats is None or seats < 2:
        return {}
    # names of agents hold no "-", so those of line-ups are all different
    if seats == 2:
        return {f"{one}-vs-{other}": (one, other) for one, other in combinations(agents, 2)}
    return {
        f"{one}-among-{other}": (one, *[other] * (seats - 1))
        for one, other in permutations(agents, 2)
    }


def check_entries(
    check: Checker, rulesets: Collection[str], agents: Collection[str], rotation: str
) -> None:
    """Check what a ladder asks of an experiment file beyond what every experiment does."""
    if len(rulesets) > 1:
        what = f"{len(rulesets)} rulesets ({listing(rulesets)}). A ladder is played under one."
        check.fail(("rulesets",), what, "Keep one; play another ladder for each of the others.")
    if len(agents) == 1:
        check.fail(("agents",), "1 agent. A ladder needs at least two.")
    if rotation == "none":
        what = "none. Who sits first would be mixed up with who plays better."
        check.fail(("design", "rotation"), what, "Leave it out: a ladder plays every seating.")
