"""The handed game records, and how drawn games are weighted."""

from __future__ import annotations

from functools import partial

from reefsim.games.reef_encounter.game import GAME
from tests.games import handed

FOLDER = handed.RECORDS / GAME.name
FILES = sorted(FOLDER.glob("*.jsonl"))
ruleset_of = partial(handed.ruleset_of, GAME)
walk = partial(handed.walk, GAME)
# How often a kind of action is taken, so that drawn games come to feeds, attacks and locks.
WEIGHTS = {
    "feed": 100,
    "grow": 20,
    "place": 10,
    "end_grow": 2,
    "shrimp_in": 10,
    "alga": 12,
    "to_larva": 3,
    "to_polyp": 2,
    "collect": 2,
}
