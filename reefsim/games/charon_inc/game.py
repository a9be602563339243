"""CHARON Inc. as one `Game` object: the rules, records, words and columns of this package."""

from __future__ import annotations

from typing import Any

from reefsim.core.game import Game
from reefsim.games.charon_inc import datasets
from reefsim.games.charon_inc.apply import apply
from reefsim.games.charon_inc.clauses import clause_of
from reefsim.games.charon_inc.constants import END_CAUSES
from reefsim.games.charon_inc.ending import num_standings, skip, standing, stop
from reefsim.games.charon_inc.evaluate import WEIGHTS, evaluate
from reefsim.games.charon_inc.events import ACTION_NAMES
from reefsim.games.charon_inc.legal import legal
from reefsim.games.charon_inc.notation import words
from reefsim.games.charon_inc.propose import RESTRICTIONS, fingerprint, forbid, is_chancy, propose
from reefsim.games.charon_inc.ruleset import SEATS, CharonIncRuleset
from reefsim.games.charon_inc.setup import begin
from reefsim.games.charon_inc.state import RULES, STATE, WORK, pack_rules
from reefsim.games.charon_inc.tables import (
    GAME_COLUMNS,
    PLAYER_COLUMNS,
    TURN_COLUMNS,
    game_row,
    player_row,
    rounds,
)
from reefsim.games.charon_inc.view import blind, determinize


def _render_text(state: Any, rules: Any) -> str:
    from reefsim.games.charon_inc.render import render_text

    return render_text(state, rules)


def _render_svg(state: Any, rules: Any) -> str:
    from reefsim.games.charon_inc.render import render_svg

    return render_svg(state, rules)


def _why_illegal(state: Any, rules: Any, action: int) -> str:
    from reefsim.games.charon_inc.explain import why_illegal

    return why_illegal(state, rules, action)


def _check_state(state: Any, rules: Any) -> list[str]:
    from reefsim.games.charon_inc.invariants import check_state

    return check_state(state, rules)


def _record_header(ruleset: CharonIncRuleset) -> dict[str, Any]:
    own = {data.id: data.content for data in ruleset.own_data()}
    return {"data": own} if own else {}


def _header_spare(ruleset: CharonIncRuleset) -> dict[str, Any]:
    """A record with a data set of its own may carry the other one too, though it is built in."""
    own = {data.id for data in ruleset.own_data()}
    return {"data": {ruleset.map.id, ruleset.cards.id} - own} if own else {}


def _caveats(ruleset: CharonIncRuleset) -> tuple[str, ...]:
    own = {data.id for data in ruleset.own_data()}
    used = {"the map": ruleset.map.id, "the card costs": ruleset.cards.id}
    invented = [f"{what} {data_id}" for what, data_id in used.items() if data_id not in own]
    if not invented:
        return ()
    return (
        f"Played with {' and '.join(invented)}: the printed ones are not publicly known, these are "
        "reconstructed. What is said here holds for them, not for the published game.",
    )


GAME = Game(
    name="charon_inc",
    title="CHARON Inc.",
    seats=SEATS,
    rules_version="1",
    ruleset=CharonIncRuleset,
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
        "rounds": rounds,
        "game_row": game_row,
        "player_row": player_row,
        "blind": blind,
        "determinize": determinize,
        "propose": propose,
        "forbid": forbid,
        "skip": skip,
        "is_chancy": is_chancy,
        "fingerprint": fingerprint,
        "evaluate": evaluate,
    },
    end_causes=END_CAUSES,
    action_kinds=ACTION_NAMES,
    game_columns=GAME_COLUMNS,
    player_columns=PLAYER_COLUMNS,
    turn_columns=TURN_COLUMNS,
    truncated_cause="stopped",
    weights=WEIGHTS,
    restrictions=RESTRICTIONS,
    turns_ahead=4,
    max_legal=8191,
    render_text=_render_text,
    render_svg=_render_svg,
    why_illegal=_why_illegal,
    clause_of=clause_of,
    check_state=_check_state,
    words=words,
    header_keys=("data",),
    record_header=_record_header,
    header_spare=_header_spare,
    header_files=datasets.header_files,
    check_data=datasets.check_data,
    caveats=_caveats,
    **words(CharonIncRuleset()),
)
