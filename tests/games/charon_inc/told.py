"""The handed game records, and how drawn games are weighted."""

from __future__ import annotations

from functools import partial

from reefsim.games.charon_inc.game import GAME
from tests.games import handed

FOLDER = handed.RECORDS / GAME.name
FILES = sorted(FOLDER.glob("*.jsonl"))
ruleset_of = partial(handed.ruleset_of, GAME)
walk = partial(handed.walk, GAME)
# How often a kind of action is taken, so that drawn games come to buildings as well as to trades.
WEIGHTS = {"build": 6, "end_build": 2, "synchrotron": 3, "exchange": 3, "a1_move": 2}
