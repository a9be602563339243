"""What holds from one position to the next: cards, pieces, points, and who acts next."""

from __future__ import annotations

from reefsim.core import invariants
from reefsim.core.invariants import Broken
from reefsim.games.reef.constants import (
    CORAL_OUT,
    DECK_OUT,
    NONE,
    P_CENTRE,
    P_OVER,
    P_SCORE,
    P_START,
    P_TURN,
    TURN_LIMIT,
    Kind,
)
from reefsim.games.reef.invariants.from_scratch import Position, around
from reefsim.games.reef.state import FULL, NO_SCORING

_TAKES = (Kind.TAKE_DISPLAY, Kind.TAKE_DECK)


class Step(invariants.Step[Position]):
    """An action with the positions around it; its consequences up to the next decision included."""

    @property
    def kind(self) -> Kind:
        """Kind of the action."""
        return Kind(self.action >> 16)

    @property
    def seat(self) -> int:
        """Seat that acts."""
        return int(self.before.s.seat)

    @property
    def card(self) -> int:
        """Card of a play."""
        return (self.action >> 9) & 127


def stacks_grow(x: Step) -> Broken:
    """A stack after an action has the one before it as its lower part; only a play adds (R4.6)."""
    if x.before.s.phase == P_START:
        return
    for seat in range(x.before.s.seats):
        for cell in range(16):
            before, after = x.before.stack(seat, cell), x.after.stack(seat, cell)
            if after[: len(before)] != before:
                yield f"the stack of seat {seat} on cell {cell} was {before} and is {after}"
            if after != before and (x.kind != Kind.PLAY or seat != x.seat):
                yield f"{x.kind.name.lower()} changed a stack of seat {seat}"


def one_card(x: Step) -> Broken:
    """A take adds one card to the seat's hand, a play takes one; no other hand changes."""
    for seat, (before, after) in enumerate(zip(x.before.hands, x.after.hands, strict=True)):
        change = len(after) - len(before)
        expected = 0
        if seat == x.seat:
            expected = 1 if x.kind in _TAKES else -1 if x.kind == Kind.PLAY else 0
        if change != expected:
            yield f"the hand of seat {seat} changed by {change}, not {expected}"
    if x.kind == Kind.PLAY and x.before.hands[x.seat] - x.after.hands[x.seat] != {x.card}:
        yield f"seat {x.seat} played card {x.card} and lost another one"


def deck_shrinks(x: Step) -> Broken:
    """A take shortens the deck by one card, if it has any (R3.7)."""
    if x.before.s.turn == 0:
        return
    shrinks = int(x.kind in _TAKES and x.before.s.deck > 0)
    if x.before.s.deck - x.after.s.deck != shrinks:
        yield f"{x.kind.name.lower()} changed the deck by {x.after.s.deck - x.before.s.deck}"


def points_add_up(x: Step) -> Broken:
    """Stocks and points on the display change by what was scored, counted afresh (R4.7, R7.4)."""
    s, new = x.before.s, x.after.s
    before = sum(s.points[: s.seats]) + sum(s.tokens)
    after = sum(new.points[: s.seats]) + sum(new.tokens)
    if x.before.r.optional or x.before.r.choose_centre or x.before.r.scan:
        expected = _told(x)  # a choice or a scan is not counted afresh
        if expected is not None and after - before != expected:
            yield f"points changed by {after - before}, {expected} were said to be scored"
        return
    expected = 0
    mirrored = _is_mirrored(x.before)
    if mirrored is None:
        return
    if x.kind == Kind.PLAY:
        matches = x.after.matches(x.seat, x.card, mirrored)
        expected += matches * x.before.r.value[x.card]
    if new.over and not s.over:
        expected += sum(_hand_points(x.after, seat, mirrored) for seat in range(s.seats))
    if after - before != expected:
        yield f"points changed by {after - before}, {expected} are scored"


def _told(x: Step) -> int | None:
    """Points that an answer scores, if the game goes on without hand scoring."""
    s, r = x.before.s, x.before.r
    if x.after.s.over or x.after.s.final:
        return None
    if x.kind == Kind.SCORE:
        return int((x.action & 31) * r.value[s.card])
    if x.kind == Kind.CENTRE and x.after.s.phase == P_TURN:
        color = r.color[s.card][1]
        board = x.before.board(x.seat)
        found = sum(
            board[cell][0] == color and board[cell][1] > 0 for cell in around(x.action & 15)
        )
        return int(found * r.value[s.card])
    return 0 if x.kind in (*_TAKES, Kind.PASS_TURN, Kind.START_PIECE) else None


def _is_mirrored(p: Position) -> bool | None:
    """Whether mirror images count; None if the rules cannot tell, since no pattern shows it."""
    r = p.r
    for card in range(r.num_cards):
        if not r.special[card]:
            from reefsim.games.reef.invariants.from_scratch import ways

            plain, both = (len(ways(p.pattern(card), flag)) for flag in (False, True))
            if plain != both:
                return bool(r.num_turned[card] == both)
    return False


def _hand_points(p: Position, seat: int, mirrored: bool) -> int:
    """What a hand scores at the end (R7.4, A3, A20)."""
    r = p.r
    if p.s.cause == TURN_LIMIT or r.hand_scoring == NO_SCORING:
        return 0
    total = 0
    for card in p.hands[seat]:
        matches = p.matches(seat, card, mirrored)
        is_full = r.hand_scoring == FULL or (r.special[card] and r.all_neighbors)
        total += r.value[card] * (matches if is_full else min(1, matches))
    return total


def next_to_act(x: Step) -> Broken:
    """Cause, ender, seat, turn and phase after an action (R2.1, R7.1, R7.3, A5, A6)."""
    s, new = x.before.s, x.after.s
    if s.turn == 0:
        yield from _set_up(x)
        return
    cause, ender, stopped = _expected_end(x)
    if (new.cause, new.ender) != (cause, ender):
        yield f"cause and ender are {new.cause}, {new.ender}, expected {cause}, {ender}"
    if new.phase in (P_CENTRE, P_SCORE):
        return
    if s.final:
        if new.phase != P_OVER:
            yield f"after a hand card phase {new.phase} comes"
        return
    ends = (cause and (stopped or s.seat == s.seats - 1)) or cause == TURN_LIMIT
    expected = (s.seat, s.turn, P_OVER) if ends else ((s.seat + 1) % s.seats, s.turn + 1, P_TURN)
    if ends:
        if (new.turn, new.phase) != expected[1:]:
            yield f"turn {new.turn}, phase {new.phase}; the game is over in turn {s.turn}"
    elif (new.seat, new.turn, new.phase) != expected:
        yield f"seat, turn, phase are {new.seat}, {new.turn}, {new.phase}, expected {expected}"


def _set_up(x: Step) -> Broken:
    s, new = x.before.s, x.after.s
    piece = (s.piece + 1) % 4
    seat = s.seat + (piece == 0)
    expected = (seat, piece, 0) if seat < s.seats else (0, 0, 1)
    if (new.seat, new.piece, new.turn) != expected:
        yield f"seat, piece, turn are {new.seat}, {new.piece}, {new.turn}, expected {expected}"


def _expected_end(x: Step) -> tuple[int, int, bool]:
    """Cause, ender and whether it takes effect at once, after an action."""
    s, r, new = x.before.s, x.before.r, x.after.s
    cause, ender, stopped = s.cause, s.ender, bool(s.stopped)
    happened = 0
    at_once = False
    if x.kind == Kind.PLAY and new.supply[:4].count(0) >= r.empty_colors_to_end:
        happened, at_once = CORAL_OUT, bool(r.coral_at_once)
    if x.kind in _TAKES:
        last_left = s.deck == 1
        gap = x.kind == Kind.TAKE_DISPLAY and s.deck == 0
        if gap if r.refill_fails else last_left:
            happened, at_once = DECK_OUT, bool(r.deck_at_once)
    if happened and (at_once or not cause):
        cause, ender, stopped = happened, x.seat, at_once
    if not cause and s.turn >= r.max_turns and new.phase not in (P_CENTRE, P_SCORE):
        cause, ender = TURN_LIMIT, NONE
    return cause, ender, stopped
