"""Reef Encounter as one `Game` object: the rules, records, words and columns of this package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reefsim.core.game import Game
from reefsim.games.reef_encounter.apply import apply
from reefsim.games.reef_encounter.clauses import clause_of
from reefsim.games.reef_encounter.constants import END_CAUSES
from reefsim.games.reef_encounter.ending import skip, stop
from reefsim.games.reef_encounter.evaluate import WEIGHTS, evaluate
from reefsim.games.reef_encounter.events import ACTION_NAMES, EVENTS
from reefsim.games.reef_encounter.legal import legal
from reefsim.games.reef_encounter.notation import action_of, format_action, parse_action
from reefsim.games.reef_encounter.propose import RESTRICTIONS, fingerprint, forbid, propose
from reefsim.games.reef_encounter.ruleset import ReefEncounterRuleset
from reefsim.games.reef_encounter.scoring import standing
from reefsim.games.reef_encounter.setup import begin
from reefsim.games.reef_encounter.state import RULES, STATE, WORK, pack_rules
from reefsim.games.reef_encounter.tables import (
    GAME_COLUMNS,
    PLAYER_COLUMNS,
    TURN_COLUMNS,
    game_row,
    num_standings,
    player_row,
)
from reefsim.games.reef_encounter.view import blind, determinize


def _render_text(state: Any, rules: Any) -> str:
    from reefsim.games.reef_encounter.render import render_text

    return render_text(state, rules)


def _render_svg(state: Any, rules: Any) -> str:
    from reefsim.games.reef_encounter.render import render_svg

    return render_svg(state, rules)


def _narrate(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    from reefsim.games.reef_encounter.narrate import narrate

    return narrate(rows)


def _why_illegal(state: Any, rules: Any, action: int) -> str:
    from reefsim.games.reef_encounter.explain import why_illegal

    return why_illegal(state, rules, action)


def _check_state(state: Any, rules: Any) -> list[str]:
    from reefsim.games.reef_encounter.invariants import check_state

    return check_state(state, rules)


GAME = Game(
    name="reef_encounter",
    title="Reef Encounter",
    seats=range(2, 5),
    rules_version="1",
    ruleset=ReefEncounterRuleset,
    pack_rules=pack_rules,
    state=STATE,
    rules=RULES,
    work=WORK,
    kernels={
        "begin": begin,
        "legal": legal,
        "apply": apply,
        "stop": stop,
        "standing": standing,
        "num_standings": num_standings,
        "game_row": game_row,
        "player_row": player_row,
        "blind": blind,
        "determinize": determinize,
        "propose": propose,
        "forbid": forbid,
        "skip": skip,
        "fingerprint": fingerprint,
        "evaluate": evaluate,
    },
    events=EVENTS,
    end_causes=END_CAUSES,
    action_kinds=ACTION_NAMES,
    game_columns=GAME_COLUMNS,
    player_columns=PLAYER_COLUMNS,
    turn_columns=TURN_COLUMNS,
    truncated_cause="turn_limit",
    weights=WEIGHTS,
    restrictions=RESTRICTIONS,
    max_legal=2048,
    format_action=format_action,
    parse_action=parse_action,
    action_of=action_of,
    render_text=_render_text,
    render_svg=_render_svg,
    narrate=_narrate,
    why_illegal=_why_illegal,
    clause_of=clause_of,
    check_state=_check_state,
)
