"""The handed game records, and how drawn games are weighted."""

from __future__ import annotations

from functools import partial

from reefsim.games.reef.game import GAME
from tests.games import handed

FOLDER = handed.RECORDS / GAME.name
FILES = sorted(FOLDER.glob("*.jsonl"))
ruleset_of = partial(handed.ruleset_of, GAME)
walk = partial(handed.walk, GAME)
# How often a kind of action is taken, so that drawn games come to plays as often as to takes.
WEIGHTS = {"play": 3, "take_display": 2, "score": 2}
