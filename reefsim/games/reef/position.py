"""Positions from a few words, for tests of the rules and for questions about them.

>>> from reefsim.testing import legal_texts, play, why_not
>>> match = position("Y1 . . . / . Y3 P4 . / . . . . / . . . .", hand="RF37", supply="R1 G0")
>>> play(match.copy(), "play RF37 red A2").state.points[0]
5
>>> len(legal_texts(match, "play"))
15
>>> why_not(match, "play RF37 red C2")
'R4.5: C2 has 4 pieces, the limit of a stack'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reefsim.core.kernel import Mode, Record
from reefsim.core.match import Match
from reefsim.games.reef.cards import num_cards, put_card
from reefsim.games.reef.constants import (
    LETTERS,
    MAX_DISPLAY,
    NONE,
    NUM_CELLS,
    NUM_COLORS,
    NUM_WORDS,
    P_TURN,
    SIDE,
)
from reefsim.games.reef.game import GAME
from reefsim.games.reef.invariants import check_state
from reefsim.games.reef.pieces import clear_board, push
from reefsim.games.reef.ruleset import ReefRuleset
from reefsim.games.reef.state import RULES, STATE

Cards = str  # "RF01 RF37"
_SPACE = re.compile(r"\.|([YRPG])([1-6])|([yrpg]{0,5})([YRPG])")
_STOCK = re.compile(r"([YRPG])(\d+)")


def position(
    *boards: str,
    seat: int = 0,
    seats: int | None = None,
    rules: ReefRuleset | Mapping[str, Any] | None = None,
    hand: Cards | Mapping[int, Cards] = "",
    dealt: Cards | Mapping[int, Cards] = "",
    discard: Cards | Mapping[int, Cards] = "",
    display: Cards | None = None,
    tokens: Sequence[int] = (),
    top: str | None = None,
    deck: int | None = None,
    supply: str = "",
    points: int | Sequence[int] = 3,
    round_: int = 1,
    scripted: bool = False,
    seed: int = 0,
    mode: Mode = "plain",
) -> Match:
    """Build a match in the turn of a seat, with just what is described.

    What is not said lies where it would: cards in the deck, pieces in the supply.

    Parameters
    ----------
    boards : of seat 0 on, rows divided by `/`, spaces by blanks: `.` empty, `Y3` a yellow top on
        two yellow pieces, `ryP` a purple top on yellow on red
    seat, seats : the seat to act; number of players, by default as the boards need, at least two
    rules : a ruleset, or differences from the published game
    hand, dealt : cards in the hand of the seat to act, or by seat; those dealt are unseen by others
    discard : cards played by the seat to act, or by seat
    display : its cards, a gap as `-`; by default the first ones of the deck file that are free
    tokens : points on each slot
    top : the visible card of the deck; by default the first one that is free
    deck : cards in the deck; the others lie on the discard pile of the last seat
    supply : pieces left of some colors, "Y1 R0"; by default what the boards leave. If it is told,
        the pieces need not add up: the others lie in the box
    points : of every seat, or by seat
    round_ : number of the round
    scripted : cards that are revealed are handed to `Match.apply`
    seed, mode : as for a `Match`

    Raises
    ------
    ValueError : if something cannot be read, or the position breaks an invariant; the message says
        which
    """
    seats = seats or max(2, len(boards), 1 + seat)
    if not isinstance(rules, ReefRuleset):
        rules = ReefRuleset.make({"setup_mode": "centre_random"} | dict(rules or {}), seats)
    match = Match(GAME, rules, seats, seed=seed, mode=mode)
    s, r = match.plain_state(), RULES.to_plain(match.rules)
    for x in range(seats):
        clear_board(s, x)
        for cell, stack in enumerate(_stacks(boards[x]) if x < len(boards) else ()):
            for color in stack:
                push(s, x, cell, color)
        s.points[x] = points if isinstance(points, int) else points[x]
    _set_supply(s, r, supply)
    _set_cards(s, r, rules, seat, (hand, dealt, discard), (display, top, deck))
    for slot, number in enumerate(tokens):
        s.tokens[slot] = number
    s.seat, s.phase, s.turn = seat, P_TURN, (round_ - 1) * seats + seat + 1
    broken = [text for text in check_state(s, r) if not supply or not text.startswith("I-01 ")]
    if broken:
        raise ValueError("this is no position of the game: " + "; ".join(broken))
    STATE.fill(match.state, vars(s))
    match.work.scripted = int(scripted)
    return match


def _stacks(text: str) -> list[list[int]]:
    """The stacks of a board, by cell."""
    rows = [row.split() for row in text.split("/")]
    if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
        raise ValueError(f"a board has {SIDE} rows of {SIDE} spaces, divided by /: {text!r}")
    return [_stack(word) for row in rows for word in row]


def _stack(word: str) -> list[int]:
    match = _SPACE.fullmatch(word)
    if not match:
        raise ValueError(f"{word!r} is no space; write '.', 'Y3' or 'ryP'")
    color, height, lower, top = match.groups()
    if color:
        return [LETTERS.index(color)] * int(height)
    return [LETTERS.index(letter.upper()) for letter in (lower or "") + (top or "")]


def _set_supply(s: Record, r: Record, text: str) -> None:
    """The supply as told, else what the boards leave."""
    wanted = {LETTERS.index(letter): int(n) for letter, n in _STOCK.findall(text)}
    if _STOCK.sub("", text).strip():
        raise ValueError(f"{text!r} is no supply; write for example 'Y1 R0'")
    for color in range(NUM_COLORS):
        used = sum(
            (s.stack[x][cell] >> 2 * k) & 3 == color
            for x in range(s.seats)
            for cell in range(NUM_CELLS)
            for k in range(s.height[x][cell])
        )
        s.supply[color] = wanted.get(color, r.coral - used)


def _set_cards(s: Record, r: Record, rules: ReefRuleset, seat: int, held: Any, shown: Any) -> None:
    numbers = rules.deck().numbers
    free = list(range(r.num_cards))

    def take(name: str) -> int:
        if name not in numbers or numbers[name] not in free:
            raise ValueError(f"{name} is no card of {rules.deck_id}, or stands twice")
        free.remove(numbers[name])
        return numbers[name]

    for name in ("hand", "secret", "discard"):
        for x in range(len(s.hand)):
            getattr(s, name)[x] = [0] * NUM_WORDS
    fields = (("hand",), ("hand", "secret"), ("discard",))
    for given, names in zip(held, fields, strict=True):
        by_seat = given if isinstance(given, Mapping) else {seat: given}
        for x, cards in by_seat.items():
            for card in map(take, cards.split()):
                for name in names:
                    put_card(getattr(s, name)[x], card)
    s.unknown = [num_cards(words) for words in s.secret]
    display, top, deck = shown
    slots = [NONE if name == "-" else take(name) for name in (display or "").split()]
    top_card = None if top is None else take(top)
    if display is None:
        slots = [free.pop(0) for _ in range(r.display_size)]
    s.display = [*slots, *[NONE] * MAX_DISPLAY][:MAX_DISPLAY]
    s.tokens = [0] * MAX_DISPLAY
    in_deck = len(free) + (top_card is not None) if deck is None else deck
    if top_card is None and in_deck:
        top_card = free.pop(0)
    s.top = NONE if top_card is None else top_card
    s.deck = in_deck
    below = max(0, in_deck - 1)
    s.unseen = [0] * NUM_WORDS
    for card in free[:below]:
        put_card(s.unseen, card)
    for card in free[below:]:
        put_card(s.discard[s.seats - 1], card)
