"""Actions as text and back, and actions from rows of a game record (RULES.md M1, M2, M4).

>>> from reefsim.games.charon_inc.ruleset import CharonIncRuleset
>>> words = Notation.of(CharonIncRuleset())
>>> words.format_action(words.parse_action("build B07D row BBPPC"))
'build B07D row BBPPC'
>>> row = {"event": "place", "area": "A3", "spot": "X08"}
>>> words.format_action(words.action_of(row))
'place A3 X08'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reefsim.core.wording import did_you_mean, show
from reefsim.games.charon_inc.constants import (
    AREAS,
    BUILD_SOURCES,
    COLORS,
    SOURCES,
    Kind,
)
from reefsim.games.charon_inc.datasets import Card
from reefsim.games.charon_inc.events import ACTION_NAMES, events, paid, payments
from reefsim.games.charon_inc.gems import BY_NUMBER, NUMBER, gems_text, read_gems

# Columns of a record that tell an action, in the order of its words.
_WORDS = {
    Kind.ROW_CARD: ("card",),
    Kind.PLACE: ("area", "spot"),
    Kind.A1_MOVE: ("spot", "to_spot"),
    Kind.A1_PASS: (),
    Kind.A3_TAKE: ("card", "source"),
    Kind.A3_DRAW: (),
    Kind.TRADE: ("gems", "color"),
    Kind.SYNCHROTRON: ("color", "color2", "size"),
    Kind.BUILD: ("card", "source", "gems"),
    Kind.END_BUILD: (),
    Kind.KEEP: ("gems",),
    Kind.EXCHANGE: ("card",),
    Kind.NO_EXCHANGE: (),
}
_MOST_GEMS = 63


@dataclass(frozen=True)
class Notation:
    """The words for actions; the names of spots and cards are those of the data sets."""

    spots: tuple[str, ...]
    cards: tuple[Card, ...]
    clear_gems: int

    @classmethod
    def of(cls, ruleset: Any) -> Notation:
        """The words under a ruleset."""
        spots = tuple(spot.name for spot in ruleset.map.spots)
        return cls(spots, ruleset.cards.cards, ruleset.clear_gems)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Names of the cards."""
        return tuple(card.id for card in self.cards)

    @cached_property
    def paid(self) -> tuple[tuple[str, ...], ...]:
        """Gems of each payment of each card."""
        return tuple(
            tuple(paid(card, way) for way in payments(card, self.clear_gems)) for card in self.cards
        )

    def format_action(self, action: int) -> str:
        """Text of an action; `parse_action` is its inverse.

        Raises
        ------
        ValueError : if the code stands for no action of the game
        """
        kind, low = action >> 16, action & 0xFFFF
        if not 0 <= kind < len(Kind):
            raise ValueError(f"{action} is no action of CHARON Inc.")
        try:
            words = self._decode(Kind(kind), low)
        except (IndexError, KeyError):
            raise ValueError(f"{action} is no action of CHARON Inc.") from None
        return " ".join((ACTION_NAMES[kind], *words))

    def parse_action(self, text: str) -> int:
        """Code of an action written by `format_action`.

        Raises
        ------
        ValueError : if the text is no action; the message says which word, and what is allowed
        """
        name, *words = text.split() or [""]
        if name not in ACTION_NAMES:
            advice = did_you_mean(name, ACTION_NAMES) or f"Actions: {', '.join(ACTION_NAMES)}."
            raise ValueError(f"{show(name)} is no action. {advice}")
        kind = Kind(ACTION_NAMES.index(name))
        if len(words) != len(_WORDS[kind]):
            raise ValueError(f"{show(text)}: {name} takes {', '.join(_WORDS[kind]) or 'no word'}")
        return kind << 16 | self._encode(kind, words)

    def action_of(self, row: Mapping[str, Any]) -> int:
        """Code of the action that a row of a game record tells (M4).

        Raises
        ------
        KeyError : if a column is missing
        ValueError : if the words together are no action, as gems that do not pay the card
        """
        kind = Kind(ACTION_NAMES.index(str(row["event"])))
        return self.parse_action(
            " ".join((ACTION_NAMES[kind], *(str(row[column]) for column in _WORDS[kind])))
        )

    def _decode(self, kind: Kind, low: int) -> tuple[str, ...]:
        if kind in (Kind.ROW_CARD, Kind.EXCHANGE):
            return (self.ids[low],)
        if kind == Kind.PLACE:
            return AREAS[low >> 7], self.spots[low & 127]
        if kind == Kind.A1_MOVE:
            return self.spots[low >> 7], self.spots[low & 127]
        if kind == Kind.A3_TAKE:
            return self.ids[low & 63], SOURCES[low >> 6]
        if kind == Kind.TRADE:
            return gems_text(BY_NUMBER[low & 4095]), COLORS[:5][low >> 12]
        if kind == Kind.SYNCHROTRON:
            return COLORS[low >> 9], COLORS[low >> 6 & 7], str(low & 63)
        if kind == Kind.BUILD:
            card = low >> 9 & 63
            return self.ids[card], BUILD_SOURCES[low >> 15], self.paid[card][low & 511]
        if kind == Kind.KEEP:
            return (gems_text(BY_NUMBER[low]),)
        if low:
            raise KeyError(low)
        return ()

    def _encode(self, kind: Kind, words: Sequence[str]) -> int:
        if kind in (Kind.ROW_CARD, Kind.EXCHANGE):
            return self._card(words[0])
        if kind == Kind.PLACE:
            return _place(words[0], AREAS, "area") << 7 | _place(words[1], self.spots, "spot")
        if kind == Kind.A1_MOVE:
            return _place(words[0], self.spots, "spot") << 7 | _place(words[1], self.spots, "spot")
        if kind == Kind.A3_TAKE:
            return self._card(words[0]) | _place(words[1], SOURCES, "source") << 6
        if kind == Kind.TRADE:
            return _gems(words[0]) | _place(words[1], COLORS[:5], "color") << 12
        if kind == Kind.SYNCHROTRON:
            color, color2 = (_place(word, COLORS, "color") for word in words[:2])
            if not words[2].isascii() or not words[2].isdigit() or int(words[2][:4]) > _MOST_GEMS:
                raise ValueError(f"{show(words[2])} is no number 1-{_MOST_GEMS}")
            return color << 9 | color2 << 6 | int(words[2])
        if kind == Kind.BUILD:
            card = self._card(words[0])
            source = _place(words[1], BUILD_SOURCES, "source")
            if words[2] not in self.paid[card]:
                cost = gems_text((*self.cards[card].cost, 0))
                raise ValueError(f"{show(words[2])} does not pay {words[0]}, which costs {cost}")
            return source << 15 | card << 9 | self.paid[card].index(words[2])
        if kind == Kind.KEEP:
            return _gems(words[0])
        return 0

    def _card(self, word: str) -> int:
        if word not in self.ids:
            question = did_you_mean(word, self.ids)
            raise ValueError(f"{show(word)} is no card of this game. {question}".strip())
        return self.ids.index(word)


def _gems(word: str) -> int:
    gems = read_gems(word)
    if gems not in NUMBER:
        raise ValueError(f"{show(word)}: more gems than an action names")
    return NUMBER[gems]


def _place(word: str, names: Sequence[str], what: str) -> int:
    if word not in names:
        known = f"{names[0]}, ..., {names[-1]}" if len(names) > 8 else ", ".join(names)
        raise ValueError(f"{show(word)} is no {what}: {known}")
    return list(names).index(word)


def words(ruleset: Any) -> dict[str, Any]:
    """The attributes of the game that depend on its rules: names of spots and cards."""
    from reefsim.games.charon_inc.narrate import Narrator

    notation = Notation.of(ruleset)
    return {
        "events": events(notation.spots, notation.cards, notation.clear_gems),
        "format_action": notation.format_action,
        "parse_action": notation.parse_action,
        "action_of": notation.action_of,
        "narrate": Narrator(ruleset).narrate,
    }
