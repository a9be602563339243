"""Multisets of gems: their text, and their numbers, by which kernels know them.

Multisets of up to `MAX_SIZE` gems are numbered by size; those of one size begin a new word of
`GEM_WORD` numbers, so that a set of them is a few ints and all that can be paid are found by
conjunctions.

>>> gems_text((2, 0, 1, 0, 0, 1)), read_gems("BBGC"), NUMBER[read_gems("BBGC")]
('BBGC', (2, 0, 1, 0, 0, 1), 254)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reefsim.core.wording import show
from reefsim.games.charon_inc.constants import LETTERS, NUM_COLORS

MAX_SIZE = 8  # gems that may be kept
GEM_WORD = 60

Gems = tuple[int, ...]  # how many of each color, clear last


def gems_text(gems: Sequence[int]) -> str:
    """Letters of a multiset in the order of the colors, `-` for none."""
    return "".join(letter * n for letter, n in zip(LETTERS, gems, strict=True)) or "-"


def read_gems(text: str) -> Gems:
    """The multiset that a text stands for.

    Raises
    ------
    ValueError : if the text is not the one spelling of a multiset
    """
    gems = tuple(text.count(letter) for letter in LETTERS)
    if gems_text(gems) != text:
        raise ValueError(
            f"{show(text)} is no multiset of gems: letters {LETTERS} in this order, or -"
        )
    return gems


def _of_size(size: int, colors: int = NUM_COLORS) -> Iterator[Gems]:
    if colors == 1:
        yield (size,)
        return
    for n in range(size, -1, -1):
        for rest in _of_size(size - n, colors - 1):
            yield (n, *rest)


def _number_all() -> tuple[dict[Gems, int], list[int]]:
    numbers, first_words, word = {}, [], 0
    for size in range(MAX_SIZE + 1):
        first_words.append(word)
        members = list(_of_size(size))
        numbers.update({gems: word * GEM_WORD + i for i, gems in enumerate(members)})
        word += -(-len(members) // GEM_WORD)
    return numbers, [*first_words, word]


NUMBER, _first_words = _number_all()
FIRST_WORD = tuple(_first_words)  # of each size; at last the number of words
NUM_GEM_WORDS = FIRST_WORD[-1]
BY_NUMBER: dict[int, Gems] = {number: gems for gems, number in NUMBER.items()}
NUM_MULTISETS = NUM_GEM_WORDS * GEM_WORD  # numbers in use, and some that stand for none
TEXTS: tuple[str | None, ...] = tuple(
    gems_text(BY_NUMBER[i]) if i in BY_NUMBER else None for i in range(NUM_MULTISETS)
)
