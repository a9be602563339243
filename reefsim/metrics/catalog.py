"""The metrics by name: those of every game, and those that a game adds."""

from __future__ import annotations

from functools import cache

from reefsim.core.metric import Metric
from reefsim.games import registry
from reefsim.metrics.from_tables import FROM_TABLES
from reefsim.metrics.from_traces import FROM_TRACES

__all__ = ["Metric", "known"]

_COMMON = (*FROM_TABLES, *FROM_TRACES)


@cache
def known(game_name: str) -> dict[str, Metric]:
    """The metrics of a game by name: the toolkit's, then its own.

    Parameters
    ----------
    game_name : as in the registry; of a game that is not there, the toolkit's alone are known

    Raises
    ------
    ValueError : if two metrics have one name
    """
    own = registry.info(game_name).metrics if game_name in registry.names() else ()
    metrics = (*_COMMON, *own)
    found = {metric.name: metric for metric in metrics}
    if len(found) < len(metrics):
        names = [metric.name for metric in metrics]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"{game_name}: metrics named twice: {', '.join(twice)}")
    return found
