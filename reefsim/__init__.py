"""Rules analysis and simulation for board-game designers.

>>> import reefsim as rs
>>> run = rs.run("experiment.yaml")  # doctest: +SKIP
>>> run.games, run.players  # doctest: +SKIP
>>> rs.seat_shares(run, by=["ruleset"])  # doctest: +SKIP
>>> rs.compare(run, "advanced", "published").table  # doctest: +SKIP
>>> rs.length_curve(run), rs.story(run)  # doctest: +SKIP
>>> game = run.find("longest")  # doctest: +SKIP
>>> game.show(), game.at(137).legal, game.fork(137, "pass_turn")  # doctest: +SKIP

Names are imported when they are first used, so that `import reefsim` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reefsim.api import Run, length_curve, open, open_record, run, seat_shares, story
    from reefsim.core.agent import View
    from reefsim.core.match import Match
    from reefsim.core.record import read_record
    from reefsim.core.replay import check_record
    from reefsim.errors import ConfigError, ReefsimError
    from reefsim.games.registry import get as get_game
    from reefsim.reporting.compare import compare
    from reefsim.sim.design import Experiment, load, loads

__version__ = "0.1.0"
__all__ = [
    "ConfigError",
    "Experiment",
    "Match",
    "ReefsimError",
    "Run",
    "View",
    "check_record",
    "compare",
    "get_game",
    "length_curve",
    "load",
    "loads",
    "open",
    "open_record",
    "read_record",
    "run",
    "seat_shares",
    "story",
]
_PLACES = {
    "ConfigError": "reefsim.errors:ConfigError",
    "Experiment": "reefsim.sim.design:Experiment",
    "Match": "reefsim.core.match:Match",
    "ReefsimError": "reefsim.errors:ReefsimError",
    "Run": "reefsim.api:Run",
    "View": "reefsim.core.agent:View",
    "check_record": "reefsim.core.replay:check_record",
    "compare": "reefsim.reporting.compare:compare",
    "get_game": "reefsim.games.registry:get",
    "length_curve": "reefsim.api:length_curve",
    "load": "reefsim.sim.design:load",
    "loads": "reefsim.sim.design:loads",
    "open": "reefsim.api:open",
    "open_record": "reefsim.api:open_record",
    "read_record": "reefsim.core.record:read_record",
    "run": "reefsim.api:run",
    "seat_shares": "reefsim.api:seat_shares",
    "story": "reefsim.api:story",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'reefsim' has no attribute '{name}'")
    module, _, attribute = _PLACES[name].partition(":")
    return getattr(importlib.import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
