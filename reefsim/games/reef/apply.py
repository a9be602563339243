"""Carrying out an action: each kind's own function, and the end of the turn."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.games.reef.cards import do_take_deck, do_take_display
from reefsim.games.reef.constants import (
    CENTRE,
    PLAY,
    SCORE,
    START_PIECE,
    TAKE_DECK,
    TAKE_DISPLAY,
)
from reefsim.games.reef.scoring import do_centre, do_pass, do_play, do_score, end_turn
from reefsim.games.reef.setup import do_start_piece


@kernel
def apply(s: Record, r: Record, w: Record, log: list[int], action: int) -> None:
    """Change the state by a legal action; `w.num_legal` is the number there was to choose from."""
    kind = action >> 16
    if kind == PLAY:
        do_play(s, r, w, log, (action >> 9) & 127, action & 511)
    elif kind == TAKE_DISPLAY:
        do_take_display(s, r, w, log, action & 7)
        end_turn(s, r, w, log)
    elif kind == TAKE_DECK:
        do_take_deck(s, r, w, log, action & 7)
        end_turn(s, r, w, log)
    elif kind == START_PIECE:
        do_start_piece(s, r, w, log, action)
    elif kind == CENTRE:
        do_centre(s, r, w, log, action & 15)
    elif kind == SCORE:
        do_score(s, r, w, log, action & 31)
    else:
        do_pass(s, r, w, log)
