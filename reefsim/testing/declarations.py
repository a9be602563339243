"""Whether what a game declares is complete and fits together; nothing is played."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reefsim.core import driver
from reefsim.core.defaults import FIRST_WEIGHTS
from reefsim.core.game import MAX_WEIGHTS, REQUIRED_SLOTS, Game
from reefsim.core.layout import Layout
from reefsim.core.work import WORK_FIELDS
from reefsim.games import registry

STATE_FIELDS = ("seat", "seats", "turn", "over", "cause", "ender", "chance")
_RESERVED = set(dir(np.record))  # `record.base` is the array that owns the memory
COLUMN_KINDS = ("int8", "int16", "int32", "bool", "string", "list")


def check_words(game: Game) -> Iterator[str]:
    """What is wrong with a game's declarations: layouts, kernels, words, columns."""
    state = {name for name, *_ in game.state.fields}
    work = {name for name, *_ in game.work.fields}
    for name in STATE_FIELDS:
        if name not in state:
            yield f"the state has no field {name}"
    for missing in {str(name) for name, *_ in WORK_FIELDS} - work:
        yield f"the work record has no field {missing}"
    yield from _layouts_differ(game)
    for layout in (game.state, game.rules, game.work):
        for name in {str(name) for name, *_ in layout.fields} & _RESERVED:
            yield f"field {name} of {layout.name} means something else on a numpy record"
    for slot in (*REQUIRED_SLOTS, *game.kernels):
        if not hasattr(game.kernels.get(slot), "__reefsim__"):
            yield f"no kernel fills the slot {slot}"
        elif getattr(driver, slot, None) is None:
            yield f"the driver has no slot {slot}"
    actions = [name for name, role in game.events.names if role == "action"]
    if list(game.action_kinds) != actions or list(game.events.codes)[: len(actions)] != actions:
        yield "the events do not begin with the kinds of action, in the order of their codes"
    if list(game.events.roles.values()).count("end") != 1:
        yield "exactly one event has to close a game"
    if game.truncated_cause not in game.end_causes:
        yield f"{game.truncated_cause!r} is no cause of the end"
    weights = tuple(name for name, _, _ in game.weights)
    first = tuple(name for name, _, _ in FIRST_WEIGHTS)
    if weights[: len(first)] != first or len(weights) > MAX_WEIGHTS:
        yield f"the weights {weights} do not begin with {first}, or are too many"
    if names := set(game.action_kinds) & {name for name, _ in game.restrictions}:
        yield f"{names} are both restrictions and kinds of action"
    if not game.seats or not game.rules_version or game.ruleset.game != game.name:
        yield "seats, rules_version or the name in the ruleset is missing"
    columns = (*game.game_columns, *game.player_columns, *game.turn_columns)
    for column in columns:
        if column.kind not in COLUMN_KINDS or not column.doc:
            yield f"column {column.name} has kind {column.kind!r} and doc {column.doc!r}"
        if column.kind in ("string", "list") and not column.words and column.spell is None:
            yield f"column {column.name} has no words"
    for toggle in game.ruleset.toggles():
        if not (toggle.clause and toggle.doc):
            yield f"toggle {toggle.name} has no clause or no doc"
    for seats in game.seats:
        for path, message in game.ruleset.problems({}, seats):
            yield f"the published rules do not suit {seats} seats: {path}: {message}"


def _layouts_differ(game: Game) -> Iterator[str]:
    """Numba tells records apart by dtype only."""
    others = [registry.get(name) for name in registry.names() if name != game.name]
    theirs = [layout for other in others for layout in (other.state, other.rules, other.work)]
    layouts: list[Layout] = [game.state, game.rules, game.work]
    for place, layout in enumerate(layouts):
        for other in (*layouts[place + 1 :], *theirs):
            if layout.dtype == other.dtype:
                yield f"the layouts {layout.name} and {other.name} have equal dtypes"
