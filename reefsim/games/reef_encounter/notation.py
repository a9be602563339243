"""Actions as text and back, and actions from rows of a game record (RULES.md M1, M2, M4).

>>> format_action(parse_action("place K5 behind"))
'place K5 behind'
>>> action_of({"event": "choose_larvae", "color": "white", "color2": "pink"}) == parse_action(
...     "choose_larvae white pink"
... )
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reefsim.core.wording import did_you_mean, show
from reefsim.games.reef_encounter.constants import (
    ALGAE,
    COLORS,
    LARVA_PAIRS,
    NUM_TILES,
    SOURCES,
    Kind,
)
from reefsim.games.reef_encounter.events import ACTION_NAMES, CELL_NAMES, EVENTS

Words = Sequence[str | None]  # the word for each content of an operand

_PAIRS = tuple(f"{COLORS[c]} {COLORS[d]}" for c, d in LARVA_PAIRS)
# A lock needs no word for the alga: it is the one the coral tile shows (R9.5).
_PLAYS = (*(f"{alga} space" for alga in ALGAE), *(f"T{i + 1}" for i in range(NUM_TILES)))
_A, _B = 8, 0  # shifts of the two operands in an action's code

# The words after an action's name: where each stands in the code, and its vocabulary.
_OPERANDS: dict[Kind, tuple[tuple[int, Words], ...]] = {
    Kind.STASH: ((_B, COLORS),),
    Kind.CHOOSE_LARVAE: ((_B, _PAIRS),),
    Kind.FEED: ((_B, CELL_NAMES),),
    Kind.GROW: ((_B, COLORS),),
    Kind.PLACE: ((_B, CELL_NAMES), (_A, SOURCES)),
    Kind.END_GROW: (),
    Kind.GROW_BONUS: ((_B, ("no", "yes")),),
    Kind.SHRIMP_IN: ((_B, CELL_NAMES),),
    Kind.SHRIMP_MOVE: ((_A, CELL_NAMES), (_B, CELL_NAMES)),
    Kind.SHRIMP_OUT: ((_B, CELL_NAMES),),
    Kind.TO_LARVA: ((_B, COLORS),),
    Kind.TO_POLYP: ((_B, COLORS),),
    Kind.ALGA: ((_A, COLORS), (_B, _PLAYS)),
    Kind.COLLECT: ((_B, COLORS),),
    Kind.PASS_TURN: (),
    Kind.NO_FEED: (),
}


def decode(action: int) -> tuple[Kind, int, int]:
    """Split an action's code into its kind and operands a and b.

    Raises
    ------
    ValueError : if the code stands for no action of the game
    """
    kind, a, b = action >> 16, (action >> 8) & 255, action & 255
    if 0 <= kind < len(Kind):
        operands = _OPERANDS[Kind(kind)]
        used = sum(255 << shift for shift, _ in operands)
        if action & 0xFFFF & ~used == 0 and all(_word(action, *op) for op in operands):
            return Kind(kind), a, b
    raise ValueError(f"{action} is no action of Reef Encounter")


def format_action(action: int) -> str:
    """Text of an action; `parse_action` is its inverse.

    Parameters
    ----------
    action : code `kind << 16 | a << 8 | b`

    Raises
    ------
    ValueError : if the code stands for no action of the game
    """
    kind, *_ = decode(action)
    words = (_word(action, shift, vocabulary) for shift, vocabulary in _OPERANDS[kind])
    return " ".join((ACTION_NAMES[kind], *map(str, words)))


def parse_action(text: str) -> int:
    """Code of an action written by `format_action`.

    Raises
    ------
    ValueError : if the text is no action; the message says which word, and what is allowed
    """
    name, *rest = text.split() or [""]
    kind = _kind(name)
    operands = _OPERANDS[kind]
    # the last operand may be two words
    words = " ".join(rest).split(" ", len(operands) - 1) if operands and rest else rest
    if len(words) != len(operands):
        raise ValueError(f"{show(text)}: {name} needs {len(operands)} operands, found {len(words)}")
    action = kind << 16
    for word, (shift, vocabulary) in zip(words, operands, strict=True):
        action |= _content(word, vocabulary) << shift
    return action


def action_of(row: Mapping[str, Any]) -> int:
    """Code of the action that a row of a game record tells (M4).

    The columns that follow from the position (`n_legal`, `captured`, ..., the alga of a lock) do
    not take part.

    Parameters
    ----------
    row : of a player's event, each column with a word of its vocabulary

    Raises
    ------
    ValueError : if the words together are no action, as a pair of larvae in the wrong order
    """
    event = str(row["event"])
    choice = [c for c, (place, _) in EVENTS.columns_of(event).items() if place in ("a", "b")]
    words = [str(row[column]) for column in choice]
    if row.get("on") == "space":
        words.insert(1, str(row["alga"]))
    return parse_action(" ".join((event, *words)))


def cell_index(name: str) -> int:
    """Cell id `board << 6 | row << 3 | column` of a cell's name (M1).

    >>> cell_index("K4") == 1 << 6 | 3 << 3 | 3
    True
    """
    return _content(name, CELL_NAMES)


def _word(action: int, shift: int, vocabulary: Words) -> str | None:
    content = (action >> shift) & 255
    return vocabulary[content] if content < len(vocabulary) else None


def _kind(name: str) -> Kind:
    if name in ACTION_NAMES:
        return Kind(ACTION_NAMES.index(name))
    advice = did_you_mean(name, ACTION_NAMES) or f"Actions: {', '.join(ACTION_NAMES)}."
    raise ValueError(f"{show(name)} is no action. {advice}")


def _content(word: str, vocabulary: Words) -> int:
    if word in vocabulary:
        return vocabulary.index(word)
    known = [str(entry) for entry in vocabulary if entry is not None]
    if vocabulary is CELL_NAMES:
        known = ["A1", "B1", "...", known[-1]]
    raise ValueError(f"{show(word)} is none of {', '.join(known)}")
