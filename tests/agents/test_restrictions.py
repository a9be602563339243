"""Players that never do something: they do not, in whole games, and records count all the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reefsim.core.kernel import Mode
from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import ALGA, FIRST_LOCK, PLACE, SHRIMP_IN
from reefsim.sim.playout import jobs_of
from reefsim.sim.table_play import Player, make_table
from tests.agents.thinking import GAME
from tests.sizes import sized

OWN = Path(__file__).parents[1] / "sim"
# Games short enough for plain play, with much of everything in them.
RULES = {"min_feed_size": 3, "feed_return": 1, "max_turns": sized(14, 40)}
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("random", {}),
    ("greedy", {"weights": "hand"}),
    ("planner", {"width": 1, "weights": "hand"}),
    ("search", {"width": 1, "iterations": 1, "weights": "hand"}),
    ("own_agents:Chance", {}),
]
NEVERS = [["lock", "attack", "second_shrimp"], ["shrimp_move", "to_larva", "to_polyp"], ["grow"]]


def is_refused(match: Match, action: int, never: list[str]) -> bool:
    """Whether an action is one that `never` names, told from the rules alone."""
    kind, b = action >> 16, action & 255
    if GAME.action_kinds[kind] in never:
        return True
    if kind == ALGA:
        return "lock" in never and b >= FIRST_LOCK
    if kind == PLACE:
        return "attack" in never and bool(match.state.occupied[b >> 6] >> (b & 63) & 1)
    if kind == SHRIMP_IN:
        return "second_shrimp" in never and sum(match.state.on_board[match.seat]) > 0
    return False


def played(
    kind: str, params: dict[str, Any], never: list[str], mode: Mode = "plain", games: int = 2
) -> tuple[Counter[str], Counter[str]]:
    """Replay games of a restricted player against a free one.

    Returns
    -------
    how often each did what the restricted one never does; a refused action that it had to take,
    because nothing else was legal, counts as `forced`
    """
    ruleset = GAME.ruleset.make(RULES, 2)
    players = [
        Player("bound", kind, params | {"never": never}, OWN),
        Player("free", "random", {}),
    ]
    table = make_table(players, GAME, ruleset, seed=4, mode=mode)
    chunk = table.play(jobs_of([(0, 1)], 0, games))
    found: dict[int, Counter[str]] = {0: Counter(), 1: Counter()}
    first = 0
    for replicate, (end, _) in enumerate(chunk.ends.tolist()):
        rows = GAME.events.rows(chunk.events[first:end].tolist(), 0)
        first = end
        match = Match(GAME, ruleset, 2, seed=4, replicate=replicate)
        while not match.over:
            row, legal = rows[match.ply], match.legal_actions()
            action = GAME.action_of(row)
            assert row["n_legal"] == len(legal)
            refused = is_refused(match, action, never)
            forced = refused and all(is_refused(match, other, never) for other in legal)
            found[match.seat]["forced" if forced else "refused" if refused else "other"] += 1
            match.apply(action)
        assert match.events() == rows
    return found[0], found[1]


@pytest.mark.parametrize("never", NEVERS, ids=lambda names: names[0])
@pytest.mark.parametrize(("kind", "params"), KINDS, ids=lambda value: str(value)[:8])
def test_what_is_never_to_be_done_is_not_done(
    kind: str, params: dict[str, Any], never: list[str]
) -> None:
    bound, _ = played(kind, params, never)
    assert bound["refused"] == 0
    assert bound["other"] > 20


@pytest.mark.parametrize("never", NEVERS, ids=lambda names: names[0])
def test_a_free_player_does_it(never: list[str]) -> None:
    """So the games above have occasions."""
    _, free = played("random", {}, never, games=6)
    assert free["refused"] > 0


@pytest.mark.parametrize(("kind", "params"), KINDS, ids=lambda value: str(value)[:8])
def test_where_nothing_else_is_legal_it_is_done(kind: str, params: dict[str, Any]) -> None:
    bound, _ = played(kind, params, ["stash", "choose_larvae"], games=1)
    assert (bound["forced"], bound["refused"]) == (2, 0)


@pytest.mark.jitted
@pytest.mark.parametrize("never", NEVERS, ids=lambda names: names[0])
@pytest.mark.parametrize(("kind", "params"), KINDS[:4], ids=lambda value: str(value)[:8])
def test_compiled_players_keep_it_in_many_games(
    kind: str, params: dict[str, Any], never: list[str]
) -> None:
    wider = {"iterations": 20} if kind == "search" else {}
    bound, _ = played(kind, params | wider, never, "jitted", games=sized(5, 60))
    assert bound["refused"] == 0
