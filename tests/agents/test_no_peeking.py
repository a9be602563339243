"""Built-in players take the same actions whatever is hidden from them (R14).

A position and another one that looks the same to the seat to act are handed to the same player
with the same random numbers; its whole turn is compared.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from reefsim.core.agent import View
from reefsim.core.kernel import Record, kernel
from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import P_FINAL, P_GROW, P_LARVAE, P_STASH, P_TURN
from reefsim.games.reef_encounter.invariants import check_state
from tests.agents.thinking import GAME, Player, positions, values_of
from tests.sizes import sized

KINDS: list[tuple[str, dict[str, Any]]] = [
    ("random", {}),
    ("random", {"never": ["alga", "lock"]}),
    ("greedy", {}),
    ("greedy", {"noise": 2.0}),
    ("planner", {"width": 2, "noise": 1.0}),
    ("planner", {"width": 2, "never": ["attack", "second_shrimp", "to_polyp"]}),
    ("search", {"width": 2, "iterations": 4}),
]
PEEKING: list[tuple[str, dict[str, Any]]] = [
    ("greedy", {}),
    ("planner", {"width": 2}),
    ("search", {"width": 2, "iterations": 12}),
]
CONTROL = (60, 1)
FEW, MANY = sized((700, 1), (150, 2)), sized((60, 2), (9, 10))


def look_alike(match: Match, seed: int) -> Match | None:
    """Another position that looks the same to the seat to act; None if there hardly is one."""
    view, rng = View.of(match), np.random.default_rng(seed)
    for _ in range(20):
        other = view.sample(rng)
        drawn, real = other.plain_state(), match.plain_state()
        drawn.chance, real.chance = [], []
        if drawn != real and other.legal_actions() == view.legal_actions:
            return other
    return None


@cache
def pairs(every: int, games: int) -> list[tuple[Match, Match]]:
    """Positions, each with one that looks the same; nobody plays on in them."""
    found = []
    for number, match in enumerate(positions(every, games)):
        other = look_alike(match, number)
        if other is not None:
            found.append((match, other))
    return found


def differs(player: Player, pair: tuple[Match, Match]) -> bool:
    """Whether a player acts differently in two positions, while both look the same.

    In the course of a turn they may come to look different: what is legal can show what is in
    the bag (R8.2). From then on players may differ.
    """
    one, other = (match.copy() for match in pair)
    real, drawn = (player.turn(match.plain_state(), match) for match in pair)
    assert real
    for taken, alike in zip(real, drawn, strict=False):
        if one.legal_actions() != other.legal_actions():
            return False
        if taken != alike:
            return True
        one.apply(taken)
        other.apply(alike)
    return len(real) != len(drawn)


def test_the_pairs_look_the_same_and_differ() -> None:
    """Else nothing would be shown; every phase is among them, at every number of seats."""
    found = pairs(*FEW)
    phases = {(match.seats, match.state.phase) for match, _ in found}
    assert phases >= {
        (seats, phase) for seats in GAME.seats for phase in (P_STASH, P_LARVAE, P_TURN, P_FINAL)
    }
    assert P_GROW in {phase for _, phase in phases}
    moved = 0
    for match, other in found:
        assert other.legal_actions() == match.legal_actions()
        assert View.of(other).state == View.of(match).state
        assert check_state(other.plain_state(), match.rules) == []
        assert other.plain_state().chance != match.plain_state().chance
        moved += other.plain_state().behind != match.plain_state().behind
    assert moved > len(found) / 2


@pytest.mark.parametrize(("kind", "params"), KINDS, ids=str)
def test_nobody_peeks(kind: str, params: dict[str, Any]) -> None:
    player = Player(kind, seed=3, **params)
    found = pairs(*FEW)
    for pair in found[:: {"search": 8, "random": 1}.get(kind, 2)]:
        assert not differs(player, pair)


@pytest.mark.jitted
@pytest.mark.parametrize(("kind", "params"), KINDS, ids=str)
def test_nobody_peeks_in_many_positions(kind: str, params: dict[str, Any]) -> None:
    wider = {"width": 6} if "width" in params else {}
    if kind == "search":
        wider["iterations"] = 40
    player = Player(kind, "jitted", seed=5, **params | wider)
    found = pairs(*MANY)
    assert len(found) > sized(300, 5000)
    for pair in found:
        assert not differs(player, pair)


@kernel
def blind(s: Record, r: Record, seat: int) -> None:
    """Hide nothing."""


@kernel
def determinize(s: Record, r: Record, seat: int, agent: Record) -> None:
    """Draw nothing."""


OPEN = replace(GAME, kernels=GAME.kernels | {"blind": blind, "determinize": determinize})


@pytest.mark.parametrize(("kind", "params"), PEEKING, ids=str)
def test_one_who_peeks_is_found_out(kind: str, params: dict[str, Any]) -> None:
    """The same players, had they the game itself before their eyes, fail the same comparison."""
    player = Player(kind, seed=3, game=OPEN, **params)
    assert any(differs(player, pair) for pair in pairs(*CONTROL))


def test_each_hidden_thing_alone_changes_what_one_who_peeks_sees() -> None:
    """Hands, secret tiles, the bag and the chance to come are all dealt anew in the pairs."""
    changed = dict.fromkeys(("behind", "stash", "bag", "chance", "pair", "larvae", "fish"), 0)
    for match, other in pairs(*FEW):
        for name in changed:
            changed[name] += getattr(match.plain_state(), name) != getattr(
                other.plain_state(), name
            )
    assert all(changed.values()), changed


def test_restrictions_of_the_players_are_in_force() -> None:
    assert values_of("random", never=["alga", "lock"])["forbidden"] == 1
    assert values_of("random", never=["alga", "lock"])["never"] == 1 << 12
