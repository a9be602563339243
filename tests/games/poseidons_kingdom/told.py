"""The handed game records, and how drawn games are weighted."""

from __future__ import annotations

from functools import partial

from reefsim.games.poseidons_kingdom.game import GAME
from tests.games import handed

FOLDER = handed.RECORDS / GAME.name
FILES = sorted(FOLDER.glob("*.jsonl"))
ruleset_of = partial(handed.ruleset_of, GAME)
walk = partial(handed.walk, GAME)
# How often a kind of action is taken, so that drawn games come to meals, crashes and coral.
WEIGHTS = {"put": 2, "eat": 4, "take": 2, "use": 2, "load": 3, "reward": 3, "buy": 4}
