"""What a game need not write itself: words from its events, a rules record from its toggles."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from reefsim.core.allowed import Number
from reefsim.core.basics import Told, basic_events
from reefsim.core.defaults import pack_rules, rules_layout
from reefsim.core.notation import Notation, narrator
from reefsim.core.ruleset import Ruleset, toggle

EVENTS = basic_events(
    actions={
        "take": Told("stone", "color of the stone", ("red", None, "blue")),
        "bid": Told("points", "what is offered", range(5, 8)),
        "pass": None,
    },
    chance={"die": Told("points", "what the die shows", range(1, 7))},
    end_causes=("goal", "turn_limit"),
)
WORDS = Notation(EVENTS)
ACTIONS = {"take red": 0, "take blue": 2, "bid 5": 1 << 16, "bid 7": 1 << 16 | 2, "pass": 2 << 16}


@pytest.mark.parametrize(("text", "action"), ACTIONS.items())
def test_actions_as_text_and_back(text: str, action: int) -> None:
    assert WORDS.format_action(action) == text
    assert WORDS.parse_action(f"  {text} ") == action


@pytest.mark.parametrize("action", [1, 3, 1 << 16 | 3, 2 << 16 | 1, 3 << 16, -1])
def test_a_code_without_words_is_no_action(action: int) -> None:
    with pytest.raises(ValueError, match=f"{action} is no action"):
        WORDS.format_action(action)


def test_a_wrong_word_is_answered_with_the_nearest_action() -> None:
    with pytest.raises(ValueError, match=r"'take bleu' is no action. Did you mean 'take blue'\?"):
        WORDS.parse_action("take bleu")
    with pytest.raises(ValueError, match=r"Such are take red, take blue, bid 5"):
        WORDS.parse_action("x")


def packed(**fields: int) -> int:
    return sum(value << EVENTS.places[name][0] for name, value in fields.items())


def test_events_tell_their_action_and_are_told_in_words() -> None:
    rows = EVENTS.rows(
        [
            packed(event=1, seat=1, a=2, n_legal=4, turn=3),
            packed(event=3, seat=1, a=5, turn=3),
            packed(event=2, seat=0, n_legal=4, turn=4),
            packed(event=4, seat=7, a=2, turn=4),
        ]
    )
    assert rows[0] == {"ply": 0, "event": "bid", "turn": 3, "seat": 1, "points": 7, "n_legal": 4}
    assert rows[3] == {"ply": 3, "event": "end", "turn": 4, "value": "turn_limit"}
    assert [WORDS.action_of(rows[i]) for i in (0, 2)] == [ACTIONS["bid 7"], ACTIONS["pass"]]
    with pytest.raises(KeyError, match="points"):
        WORDS.action_of({"event": "bid"})
    assert list(narrator(EVENTS)(rows)) == [
        "seat 1: bid 7", "die 6", "seat 0: pass", "the game ends: turn_limit",
    ]  # fmt: skip
    told = narrator(EVENTS, {"bid": "{seat} offers {points}", "turn_limit": "time is up"})(rows)
    assert list(told) == ["1 offers 7", "die 6", "seat 0: pass", "time is up"]


class Rules(Ruleset):
    game: ClassVar[str] = "toy"

    goal: int = toggle(10, clause="T1", allowed=range(1, 20), doc="points")
    loss: str = toggle("half", clause="T2", allowed=("none", "half", "all"), doc="loss")
    short: bool = toggle(True, clause="T3", doc="ends early")


def test_toggles_are_numbers_in_the_rules_record() -> None:
    record: Any = rules_layout("toy", Rules).plain()
    rules_layout("toy", Rules).fill(record, pack_rules(Rules(loss="all", goal=3), 2))
    assert (record.goal, record.loss, record.short) == (3, 2, 1)


def test_a_toggle_that_is_no_number_needs_a_record_of_the_game() -> None:
    class Odd(Rules):
        chance: float = toggle(0.5, clause="T4", doc="a share", allowed=Number(0, 1))

    with pytest.raises(TypeError, match="toy: toggle chance is no whole number"):
        rules_layout("toy", Odd)
