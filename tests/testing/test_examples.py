"""The examples in the documentation of `reefsim.testing` run."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = [
    "reefsim.testing",
    "reefsim.testing.drawing",
    "reefsim.testing.strategies",
    "reefsim.testing.walks",
    "reefsim.games.reef_encounter.position",
]


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0
    assert found.attempted > 0


def test_a_property_of_a_changed_rule() -> None:
    """What a user writes after turning a toggle: nothing returned to the bag, larger fish."""
    from hypothesis import given

    from reefsim.testing import PlayedGame, played_games

    @given(played_games("reef_encounter", differences={"feed_return": 0}))
    def nothing_is_lost_by_feeding(game: PlayedGame) -> None:
        for match, action in game.walk():
            if match.game.format_action(action).startswith("feed"):
                bag = sum(match.plain_state().bag)
                after = match.copy()
                after.apply(action)
                assert sum(after.plain_state().bag) == bag

    nothing_is_lost_by_feeding()


def test_a_question_about_one_position() -> None:
    from reefsim.testing import legal_texts, play, position, why_not

    match = position(
        "reef_encounter",
        "R2",
        """~~~...~
           ...G..~
           ..Y.~..
           .~.*WW.
           ..O.YY.
           ~.....~ | green@E5""",
        larvae="W",
        behind="W2",
    )
    play(match, "grow white")
    assert why_not(match, "place F5 behind").startswith("R5.1d")
    assert "place G5 behind" in legal_texts(match)
