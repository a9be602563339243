"""Actions as text and back, and actions from rows of a game record (RULES.md M1, M2, M4).

>>> from reefsim.games.reef.decks import RECONSTRUCTED, find
>>> words = Notation(find(RECONSTRUCTED))
>>> words.format_action(words.parse_action("play RF14 purple B2 red C2"))
'play RF14 purple B2 red C2'
>>> row = {"event": "play", "card": "RF14", "color": "purple", "cell": "B2"}
>>> words.format_action(words.action_of(row))
'play RF14 purple B2'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reefsim.core.wording import did_you_mean, show
from reefsim.games.reef.constants import (
    CELL_NAMES,
    COLORS,
    MAX_DISPLAY,
    MAX_LEVEL,
    NO_SLOT,
    NOTHING,
    NUM_CELLS,
    NUM_PAIRS,
    ONE,
    PAIRS,
    Kind,
)
from reefsim.games.reef.decks import Deck
from reefsim.games.reef.events import ACTION_NAMES, events

_MOST = 16  # appearances of a pattern
# Columns of a record that tell an action, in the order of its words; the rest follows from it.
_WORDS = {
    Kind.START_PIECE: ("color", "cell", "level"),
    Kind.TAKE_DISPLAY: ("slot",),
    Kind.TAKE_DECK: ("slot",),
    Kind.PLAY: ("card", "color", "cell", "color2", "cell2"),
    Kind.CENTRE: ("cell",),
    Kind.SCORE: ("matches",),
    Kind.PASS_TURN: (),
}
_LEAST = {  # words that have to be there
    Kind.START_PIECE: 2,
    Kind.TAKE_DISPLAY: 1,
    Kind.TAKE_DECK: 0,
    Kind.PLAY: 1,
    Kind.CENTRE: 1,
    Kind.SCORE: 1,
    Kind.PASS_TURN: 0,
}

Pieces = tuple[tuple[int, int], ...]  # color and cell of each


@dataclass(frozen=True)
class Notation:
    """The words for actions; the names of cards are those of a deck."""

    deck: Deck

    def decode(self, action: int) -> tuple[Kind, tuple[int, ...]]:
        """Kind and operands of an action: for `play` the card, then color and cell of each piece.

        Raises
        ------
        ValueError : if the code stands for no action of the game
        """
        kind, low = action >> 16, action & 0xFFFF
        operands = _OPERANDS[Kind(kind)](self, low) if 0 <= kind < len(Kind) else None
        if operands is None:
            raise ValueError(f"{action} is no action of Reef")
        return Kind(kind), operands

    def format_action(self, action: int) -> str:
        """Text of an action; `parse_action` is its inverse.

        Raises
        ------
        ValueError : if the code stands for no action of the game
        """
        kind, operands = self.decode(action)
        words = [ACTION_NAMES[kind]]
        if kind == Kind.PLAY:
            words.append(self.deck.cards[operands[0]].id)
            for color, cell in _pieces(operands[1:]):
                words += (COLORS[color], CELL_NAMES[cell])
        elif kind == Kind.START_PIECE:
            color, cell, level = operands
            words += (COLORS[color], CELL_NAMES[cell], *([str(level)] if level else []))
        elif kind == Kind.CENTRE:
            words.append(CELL_NAMES[operands[0]])
        else:
            words += map(str, operands)
        return " ".join(words)

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
        columns = _WORDS[kind]
        if not _LEAST[kind] <= len(words) <= len(columns) or (
            kind == Kind.PLAY and len(words) % 2 == 0
        ):
            raise ValueError(f"{show(text)}: {name} takes {', '.join(columns) or 'no word'}")
        return kind << 16 | self._encode(kind, words)

    def action_of(self, row: Mapping[str, Any]) -> int:
        """Code of the action that a row of a game record tells (M4).

        Raises
        ------
        KeyError : if a column is missing
        ValueError : if the words together are no action, as pieces that the card does not give
        """
        kind = Kind(ACTION_NAMES.index(str(row["event"])))
        columns = _WORDS[kind]
        told = [column for column in columns if row.get(column) is not None]
        needed = columns[: max(_LEAST[kind], columns.index(told[-1]) + 1 if told else 0)]
        if kind == Kind.PLAY and len(needed) % 2 == 0:
            needed = columns[: len(needed) + 1]
        words = [str(row[column]) for column in needed]
        return self.parse_action(" ".join((ACTION_NAMES[kind], *words)))

    def _encode(self, kind: Kind, words: Sequence[str]) -> int:
        if kind == Kind.START_PIECE:
            color, cell = _place(words[0], COLORS, "color"), _place(words[1], CELL_NAMES, "cell")
            level = _number(words[2], 1, MAX_LEVEL) if len(words) > 2 else 0
            return color << 7 | cell << 3 | level
        if kind in (Kind.TAKE_DISPLAY, Kind.TAKE_DECK):
            return _number(words[0], 0, MAX_DISPLAY - 1) if words else NO_SLOT
        if kind == Kind.CENTRE:
            return _place(words[0], CELL_NAMES, "cell")
        if kind == Kind.SCORE:
            return _number(words[0], 0, _MOST)
        if kind == Kind.PASS_TURN:
            return 0
        numbers = self.deck.numbers
        if words[0] not in numbers:
            question = did_you_mean(words[0], numbers)
            raise ValueError(f"{show(words[0])} is no card of {self.deck.id}. {question}".strip())
        card = numbers[words[0]]
        colors = [_place(word, COLORS, "color") for word in words[1::2]]
        cells = [_place(word, CELL_NAMES, "cell") for word in words[2::2]]
        return card << 9 | self._placement(card, colors, cells)

    def _placement(self, card: int, colors: Sequence[int], cells: Sequence[int]) -> int:
        """Code of a placement of a card's pieces."""
        corals, name = self.deck.cards[card].corals, self.deck.cards[card].id
        if not colors:
            return NOTHING
        gives = f"{name} gives {COLORS[corals[0]]} and {COLORS[corals[1]]}"
        if len(colors) == 1:
            if colors[0] not in corals:
                raise ValueError(f"no {COLORS[colors[0]]} piece: {gives}")
            return ONE + corals.index(colors[0]) * NUM_CELLS + cells[0]
        if sorted(colors) != sorted(corals):
            raise ValueError(f"not {COLORS[colors[0]]} and {COLORS[colors[1]]}: {gives}")
        if cells[0] > cells[1]:
            order = f"{CELL_NAMES[cells[1]]} comes before {CELL_NAMES[cells[0]]}"
            raise ValueError(f"pieces are named by cell, {order}")
        order_code = 0 if tuple(colors) == corals else 1
        return order_code * NUM_PAIRS + PAIRS.index((cells[0], cells[1]))

    def _decode_play(self, low: int) -> tuple[int, ...] | None:
        card, placement = low >> 9, low & 511
        if card >= len(self.deck.cards) or placement > NOTHING:
            return None
        corals = self.deck.cards[card].corals
        if placement == NOTHING:
            return (card,)
        if placement >= ONE:
            which, cell = divmod(placement - ONE, NUM_CELLS)
            return None if which and corals[0] == corals[1] else (card, corals[which], cell)
        order, pair = divmod(placement, NUM_PAIRS)
        if order and corals[0] == corals[1]:
            return None
        low_cell, high_cell = PAIRS[pair]
        return (card, corals[order], low_cell, corals[1 - order], high_cell)


def _pieces(operands: Sequence[int]) -> Pieces:
    return tuple(zip(operands[::2], operands[1::2], strict=True))


def _start(words: Notation, low: int) -> tuple[int, ...] | None:
    color, cell, level = low >> 7, (low >> 3) & 15, low & 7
    return (color, cell, level) if color < len(COLORS) and level <= MAX_LEVEL else None


_OPERANDS: dict[Kind, Any] = {
    Kind.START_PIECE: _start,
    Kind.TAKE_DISPLAY: lambda words, low: (low,) if low < MAX_DISPLAY else None,
    Kind.TAKE_DECK: lambda words, low: (
        (low,) if low < MAX_DISPLAY else () if low == NO_SLOT else None
    ),
    Kind.PLAY: Notation._decode_play,
    Kind.CENTRE: lambda words, low: (low,) if low < NUM_CELLS else None,
    Kind.SCORE: lambda words, low: (low,) if low <= _MOST else None,
    Kind.PASS_TURN: lambda words, low: () if low == 0 else None,
}


def _place(word: str, names: Sequence[str], what: str) -> int:
    if word not in names:
        known = f"{names[0]}, ..., {names[-1]}" if len(names) > 8 else ", ".join(names)
        raise ValueError(f"{show(word)} is no {what}: {known}")
    return list(names).index(word)


def _number(word: str, low: int, high: int) -> int:
    if not word.isascii() or not word.isdigit() or not low <= int(word[:4]) <= high:
        raise ValueError(f"{show(word)} is no number {low}-{high}")
    return int(word)


def words(ruleset: Any) -> dict[str, Any]:
    """The attributes of the game that depend on its rules: the names of cards (`Game.words`)."""
    from reefsim.games.reef.narrate import Narrator
    from reefsim.games.reef.tables import game_columns, turn_columns

    deck = ruleset.deck()
    notation = Notation(deck)
    return {
        "events": events(tuple(card.id for card in deck.cards)),
        "format_action": notation.format_action,
        "parse_action": notation.parse_action,
        "action_of": notation.action_of,
        "narrate": Narrator(deck).narrate,
        "game_columns": game_columns(deck),
        "turn_columns": turn_columns(deck),
    }
