"""Walking through games: actions as text, counts of action sequences, choices by number.

>>> from reefsim.core.match import Match
>>> from reefsim.games import registry
>>> game = registry.get(registry.names()[0])
>>> match = Match(game, game.ruleset(), seats=2, seed=1)
>>> first = legal_texts(match)[0]
>>> divide(match, 2)[first] == perft(play(match.copy(), first), 1)
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from reefsim.core.match import Match
from reefsim.core.work import kind_of


def play(match: Match, *actions: str) -> Match:
    """Apply actions given as text, and return the same match.

    Raises
    ------
    ValueError : if a text is no action
    IllegalActionError : at the first action that is not legal, with clause and reason
    """
    for text in actions:
        match.apply(match.game.parse_action(text))
    return match


def legal_texts(match: Match, kind: str = "") -> list[str]:
    """The legal actions as text, of one kind if named."""
    texts = [match.game.format_action(action) for action in match.legal_actions()]
    return [text for text in texts if not kind or text.split()[0] == kind]


def why_not(match: Match, action: str) -> str:
    """Clause and reason why an action is not legal, empty if it is."""
    return match.why_illegal(match.game.parse_action(action))


def perft(match: Match, depth: int) -> int:
    """Count the sequences of `depth` legal actions from here, shorter if the game ends.

    Chance is keyed, so every sequence meets the same outcomes in every run. The match is not
    changed.
    """
    if depth == 0 or match.over:
        return 1
    legal = match.legal_actions()
    if depth == 1:
        return len(legal)
    return sum(perft(child, depth - 1) for child in children(match))


def divide(match: Match, depth: int) -> dict[str, int]:
    """The same count by first action: where two counts differ, so do the rules."""
    texts = legal_texts(match)
    return {
        text: perft(child, depth - 1) for text, child in zip(texts, children(match), strict=True)
    }


def children(match: Match) -> Iterator[Match]:
    """A copy of the match for each legal action, with that action taken."""
    for action in match.legal_actions():
        child = match.copy()
        child.apply(action)
        yield child


class Chooser:
    """Turns whole numbers into actions, so that any list of numbers is a way to play.

    Purely random play seldom does anything twice in the same place and seldom comes to what takes
    preparation. So a number's remainder by 4 says in which mood it chooses:
    0 the kind of action first, by weight, then one of the kind; 1 among all actions, where some
    kinds have hundreds; 2 the kind first, then the action nearest in code to the last of the kind;
    3 the same, but stubbornly the last kind, if it is there. The number 0 is the first action.

    Parameters
    ----------
    weights : of kinds of action, by code; 1 for those not named
    """

    def __init__(self, weights: Mapping[int, int] | None = None) -> None:
        self._weights = weights or {}
        self._last: dict[int, int] = {}  # last action by kind
        self._last_kind = -1

    def choose(self, legal: Sequence[int], number: int) -> int:
        """The action for a number >= 0."""
        mood, number = number % 4, number // 4
        if mood == 1:
            return self._take(legal[number % len(legal)])
        kinds = {
            kind: list(group) for kind, group in groupby(sorted(legal, key=kind_of), key=kind_of)
        }
        if mood == 3 and self._last_kind in kinds:
            kind = self._last_kind
        else:
            tickets = [kind for kind in kinds for _ in range(self._weights.get(kind, 1))]
            kind = tickets[number % len(tickets)]
            number //= len(tickets)
        before = self._last.get(kind)
        if mood == 0 or before is None:
            return self._take(kinds[kind][number % len(kinds[kind])])
        return self._take(min(kinds[kind], key=lambda action: abs(action - before)))

    def _take(self, action: int) -> int:
        self._last_kind = kind_of(action)
        self._last[self._last_kind] = action
        return action
