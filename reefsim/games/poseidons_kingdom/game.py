"""Poseidon's Kingdom as one `Game` object: its rules, records, words and columns."""

from __future__ import annotations

from typing import Any

from reefsim.core.game import Game
from reefsim.games.poseidons_kingdom import components
from reefsim.games.poseidons_kingdom.apply import apply
from reefsim.games.poseidons_kingdom.clauses import clause_of
from reefsim.games.poseidons_kingdom.constants import END_CAUSES
from reefsim.games.poseidons_kingdom.ending import stop
from reefsim.games.poseidons_kingdom.evaluate import WEIGHTS, evaluate
from reefsim.games.poseidons_kingdom.events import ACTION_NAMES
from reefsim.games.poseidons_kingdom.legal import legal
from reefsim.games.poseidons_kingdom.notation import words
from reefsim.games.poseidons_kingdom.propose import RESTRICTIONS, fingerprint, forbid, propose
from reefsim.games.poseidons_kingdom.ruleset import PoseidonsKingdomRuleset
from reefsim.games.poseidons_kingdom.scoring import standing
from reefsim.games.poseidons_kingdom.setup import begin
from reefsim.games.poseidons_kingdom.state import RULES, STATE, WORK, pack_rules
from reefsim.games.poseidons_kingdom.tables import (
    GAME_COLUMNS,
    PLAYER_COLUMNS,
    TURN_COLUMNS,
    game_row,
    num_standings,
    player_row,
)
from reefsim.games.poseidons_kingdom.view import blind, determinize


def _why_illegal(state: Any, rules: Any, action: int) -> str:
    from reefsim.games.poseidons_kingdom.explain import why_illegal

    return why_illegal(state, rules, action)


def _check_state(state: Any, rules: Any) -> list[str]:
    from reefsim.games.poseidons_kingdom.invariants import check_state

    return check_state(state, rules)


_GUESSED = {
    "ocean": "the ocean's waves and shark numbers",
    "reef": "the pairs of symbols on reef tiles",
    "safe": "the values of safe places",
    "scatter": "where dice fall",
}


def _caveats(ruleset: PoseidonsKingdomRuleset) -> tuple[str, ...]:
    guessed = [
        what
        for sort, what in _GUESSED.items()
        if ruleset.data_set(sort)["id"] in components.shipped(sort)
    ]
    if not guessed:
        return ()
    return (
        f"Played with reconstructed components: {', '.join(guessed)} are not publicly known and "
        "partly guessed. What is said here holds for these components, not for the published game.",
    )


GAME = Game(
    name="poseidons_kingdom",
    title="Poseidon's Kingdom",
    seats=range(2, 5),
    rules_version="1",
    ruleset=PoseidonsKingdomRuleset,
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
        "fingerprint": fingerprint,
        "evaluate": evaluate,
    },
    end_causes=END_CAUSES,
    action_kinds=ACTION_NAMES,
    game_columns=GAME_COLUMNS,
    player_columns=PLAYER_COLUMNS,
    turn_columns=TURN_COLUMNS,
    truncated_cause="turn_limit",
    weights=WEIGHTS,
    restrictions=RESTRICTIONS,
    max_legal=4096,
    why_illegal=_why_illegal,
    clause_of=clause_of,
    check_state=_check_state,
    words=words,
    check_data=components.check_data,
    caveats=_caveats,
    **words(PoseidonsKingdomRuleset()),
)
