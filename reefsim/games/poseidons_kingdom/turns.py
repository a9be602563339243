"""What follows from what: stages at which nobody is asked are gone through (PK-2.1, M2)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.games.poseidons_kingdom.constants import (
    A_CRASH,
    A_END,
    A_KRAKEN,
    A_REWARD,
    A_SHARK,
    A_VICTIM,
    P_MOVE,
    P_STEP,
)
from reefsim.games.poseidons_kingdom.crash import ask_reward, crash
from reefsim.games.poseidons_kingdom.ending import end_turn
from reefsim.games.poseidons_kingdom.food import ask_kraken
from reefsim.games.poseidons_kingdom.shark import move_shark, start_shark
from reefsim.games.poseidons_kingdom.steps import can_step


@kernel
def run(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Go on to the next decision, or to the end of the game."""
    while True:
        if s.phase == P_STEP:
            if not can_step(s, r, w):
                s.phase = P_MOVE
            return
        if s.phase < A_KRAKEN:
            return
        if s.phase == A_KRAKEN:
            ask_kraken(s)
        elif s.phase == A_SHARK:
            start_shark(s, r)
        elif s.phase == A_VICTIM:
            move_shark(s, r)
        elif s.phase == A_CRASH:
            crash(s, r, w, log)
        elif s.phase == A_REWARD:
            ask_reward(s, r)
        elif s.phase == A_END:
            end_turn(s, r, w, log)
