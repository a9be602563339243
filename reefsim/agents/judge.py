"""What players share: judging positions, and the actions an agent lets itself take."""

from __future__ import annotations

from reefsim.core.driver import evaluate, forbid, legal, standing
from reefsim.core.kernel import Record, kernel
from reefsim.core.work import close_options

RIVALS, SPREAD = 0, 1  # places of the weights that mean the same in every game
DECIDED = 20.0  # points that a won game is worth beyond its margin


@kernel
def judge(s: Record, r: Record, w: Record, agent: Record, seat: int) -> float:
    """How good a position is for a seat, in points; once the scores are final, winning counts."""
    settled = weigh(s, r, w, agent)
    own = w.worth[seat]
    if settled:
        best = -1e18
        for other in range(s.seats):
            if other != seat:
                best = max(best, w.worth[other])
        margin = own - best
        return margin + DECIDED * margin / (abs(margin) + 2.0)
    others = 0.0
    for other in range(s.seats):
        if other != seat:
            others += w.worth[other]
    return own - agent.weights[RIVALS] * others / (s.seats - 1)


@kernel
def weigh(s: Record, r: Record, w: Record, agent: Record) -> bool:
    """Write each seat's worth into `w.worth`; returns whether these are final scores."""
    if s.over:
        for seat in range(s.seats):
            w.worth[seat] = standing(s, r, seat, 0)
        return True
    return evaluate(s, r, w, agent.weights)


@kernel
def list_legal(s: Record, r: Record, w: Record) -> None:
    """Write the legal actions; `legal` itself is inlined wherever it is called."""
    legal(s, r, w)


@kernel
def restrict(s: Record, w: Record, agent: Record) -> int:
    """Drop the options an agent does not take; returns how many actions are left."""
    if agent.never != 0:
        for i in range(w.num_options):
            if (agent.never >> (w.first[i] >> 16)) & 1:
                w.members[i] = 0
    if agent.forbidden != 0:
        forbid(s, w, agent.forbidden)
    return close_options(w, w.num_options)
