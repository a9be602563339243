"""Reef as one `Game` object: the rules, records, words and columns of this package."""

from __future__ import annotations

from typing import Any

from reefsim.core.game import Game
from reefsim.games.reef import decks
from reefsim.games.reef.apply import apply
from reefsim.games.reef.clauses import clause_of
from reefsim.games.reef.constants import END_CAUSES
from reefsim.games.reef.ending import stop
from reefsim.games.reef.evaluate import WEIGHTS, evaluate
from reefsim.games.reef.events import ACTION_NAMES
from reefsim.games.reef.legal import legal
from reefsim.games.reef.notation import words
from reefsim.games.reef.propose import RESTRICTIONS, fingerprint, forbid, propose
from reefsim.games.reef.rivals import skip
from reefsim.games.reef.ruleset import ReefRuleset
from reefsim.games.reef.scoring import standing
from reefsim.games.reef.setup import begin
from reefsim.games.reef.state import RULES, STATE, WORK, pack_rules
from reefsim.games.reef.tables import (
    PLAYER_COLUMNS,
    game_row,
    num_standings,
    player_row,
)
from reefsim.games.reef.view import blind, determinize


def _render_text(state: Any, rules: Any) -> str:
    from reefsim.games.reef.render import render_text

    return render_text(state, rules)


def _render_svg(state: Any, rules: Any) -> str:
    from reefsim.games.reef.render import render_svg

    return render_svg(state, rules)


def _why_illegal(state: Any, rules: Any, action: int) -> str:
    from reefsim.games.reef.explain import why_illegal

    return why_illegal(state, rules, action)


def _check_state(state: Any, rules: Any) -> list[str]:
    from reefsim.games.reef.invariants import check_state

    return check_state(state, rules)


def _record_header(ruleset: ReefRuleset) -> dict[str, Any]:
    deck = ruleset.deck()
    own = {} if deck.is_shipped else {"cards": [card.line for card in deck.cards]}
    return {"deck_hash": deck.hash} | own


def _caveats(ruleset: ReefRuleset) -> tuple[str, ...]:
    if ruleset.deck_id != decks.RECONSTRUCTED:
        return ()
    return (
        f"Played with the deck {decks.RECONSTRUCTED}: the printed list of cards is not publicly "
        "known, most of its points, pairs and copies are invented. What is said here holds for "
        "these cards, not for the published game.",
    )


GAME = Game(
    name="reef",
    title="Reef",
    seats=range(2, 5),
    rules_version="1",
    ruleset=ReefRuleset,
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
    end_causes=END_CAUSES,
    action_kinds=ACTION_NAMES,
    player_columns=PLAYER_COLUMNS,
    truncated_cause="turn_limit",
    weights=WEIGHTS,
    restrictions=RESTRICTIONS,
    turns_ahead=4,
    max_legal=2304,
    render_text=_render_text,
    render_svg=_render_svg,
    why_illegal=_why_illegal,
    clause_of=clause_of,
    check_state=_check_state,
    words=words,
    header_keys=("deck_hash", "cards"),
    record_header=_record_header,
    header_files=decks.header_files,
    check_data=decks.check_data,
    caveats=_caveats,
    **words(ReefRuleset()),
)
