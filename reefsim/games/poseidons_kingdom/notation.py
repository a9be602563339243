"""Actions as text and back, and actions from rows of a game record (RULES.md M1, M2, M4).

>>> from reefsim.games.poseidons_kingdom.ruleset import PoseidonsKingdomRuleset
>>> notation = Notation.of(PoseidonsKingdomRuleset())
>>> notation.format_action(notation.parse_action("put -1 5 0,3"))
'put -1 5 0,3'
>>> row = {"event": "place", "cell": "1,0", "to_cell": "1,1"}
>>> notation.format_action(notation.action_of(row))
'place 1,0 1,1'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reefsim.core.wording import did_you_mean, show
from reefsim.core.work import kind_of
from reefsim.games.poseidons_kingdom.components import read_hex
from reefsim.games.poseidons_kingdom.constants import (
    DICE,
    HEX_NAMES,
    MAX_NUMBER,
    NUM_CELLS,
    NUM_DICE,
    NUM_SIDES,
    OFFSETS,
    PUT,
    PUT_SHIFT,
    REWARDS,
    Kind,
)
from reefsim.games.poseidons_kingdom.events import ACTION_NAMES, events
from reefsim.games.poseidons_kingdom.state import cell_of

# Columns of a record that tell an action, in the order of its words; the rest follows from it.
_WORDS: dict[Kind, tuple[str, ...]] = {
    Kind.PLACE: ("cell", "to_cell"),
    Kind.BUILD: ("kind",),
    Kind.LOAD: ("number",),
    Kind.MOVE: ("cell", "to_cell"),
    Kind.EAT: ("tentacle",),
    Kind.BUY: ("number",),
    Kind.TAKE: ("owner", "face"),
    Kind.USE: ("cell",),
    Kind.END_MEAL: (),
    Kind.END_FOOD: (),
    Kind.KRAKEN: ("owner",),
    Kind.PEEK: ("number",),
    Kind.NO_PEEK: (),
    Kind.FLEE: ("cell",),
    Kind.SKELETON: ("cell",),
    Kind.REWARD: ("value",),
    Kind.NO_REWARD: (),
    Kind.PUT: ("owner", "face", "cell"),
}
# Numbers that are no code of a name
_MOST = {Kind.LOAD: MAX_NUMBER, Kind.EAT: 6, Kind.BUY: 15, Kind.PEEK: 15}


@dataclass(frozen=True)
class Notation:
    """The words for actions; those of spaces and tiles are those of data sets."""

    spaces: tuple[str, ...]
    tiles: tuple[str, ...]

    @classmethod
    def of(cls, ruleset: Any) -> Notation:
        """The words under some rules."""
        nodes, kinds = ruleset.data_set("ocean")["nodes"], ruleset.data_set("reef")["kinds"]
        return cls(tuple(nodes), tuple(kind["id"] for kind in kinds))

    def decode(self, action: int) -> tuple[Kind, tuple[str, ...]]:
        """Kind and words of an action.

        Raises
        ------
        ValueError : if the code stands for no action of the game
        """
        kind, low, high = kind_of(action), action & 0xFFFF, action >> PUT_SHIFT
        words = None
        if action >= 0 and kind < len(Kind) and (high == 0 or kind == PUT):
            try:
                words = self._decode(Kind(kind), low, high - 1)
            except IndexError:  # beyond a list of names
                words = None
        if words is None:
            raise ValueError(f"{action} is no action of Poseidon's Kingdom")
        return Kind(kind), words

    def _decode(self, kind: Kind, low: int, high: int) -> tuple[str, ...] | None:
        if kind == Kind.PLACE:
            cell, side = divmod(low, NUM_SIDES)
            return _hex_name(cell), _hex_name(cell + OFFSETS[side])
        if kind == Kind.PUT:
            return *map(str, DICE[low]), _hex_name(high)
        if kind == Kind.TAKE:
            return tuple(map(str, DICE[low]))
        if kind == Kind.MOVE:
            return self.spaces[low >> 6], self.spaces[low & 63]
        if kind in (Kind.USE, Kind.SKELETON):
            return (_hex_name(low),)
        if kind in _MOST:
            return (str(low),) if low <= _MOST[kind] else None
        if kind == Kind.KRAKEN:
            return (str(low),) if low < 4 else None
        names = {Kind.BUILD: self.tiles, Kind.FLEE: self.spaces, Kind.REWARD: REWARDS}
        return (names[kind][low],) if kind in names else () if low == 0 else None

    def format_action(self, action: int) -> str:
        """Text of an action; `parse_action` is its inverse.

        Raises
        ------
        ValueError : if the code stands for no action of the game
        """
        kind, words = self.decode(action)
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
        columns = _WORDS[kind]
        if len(words) != len(columns):
            raise ValueError(f"{show(text)}: {name} takes {', '.join(columns) or 'no word'}")
        high, low = self._encode(kind, words)
        return high << PUT_SHIFT | kind << 16 | low

    def action_of(self, row: Mapping[str, Any]) -> int:
        """Code of the action that a row of a game record tells (M4).

        Raises
        ------
        KeyError : if a column is missing
        ValueError : if the words together are no action, as hexes that are no neighbors
        """
        kind = Kind(ACTION_NAMES.index(str(row["event"])))
        words = [str(row[column]) for column in _WORDS[kind]]
        return self.parse_action(" ".join((ACTION_NAMES[kind], *words)))

    def _encode(self, kind: Kind, words: Sequence[str]) -> tuple[int, int]:
        """What stands above the kind, and what below it."""
        if kind == Kind.PLACE:
            cell, to = _hex(words[0]), _hex(words[1])
            if to - cell not in OFFSETS:
                raise ValueError(f"{words[0]} and {words[1]} are no neighbors")
            return 0, cell * NUM_SIDES + OFFSETS.index(to - cell)
        if kind == Kind.PUT:
            return _hex(words[2]) + 1, _die(words[0], words[1])
        if kind == Kind.TAKE:
            return 0, _die(words[0], words[1])
        if kind == Kind.MOVE:
            start, end = (_place(word, self.spaces, "space") for word in words)
            return 0, start << 6 | end
        if kind in (Kind.USE, Kind.SKELETON):
            return 0, _hex(words[0])
        if kind in _MOST:
            return 0, _number(words[0], 0, _MOST[kind])
        if kind == Kind.KRAKEN:
            return 0, _number(words[0], 0, 3)
        if kind == Kind.BUILD:
            return 0, _place(words[0], self.tiles, "kind of reef tile")
        if kind == Kind.FLEE:
            return 0, _place(words[0], self.spaces, "space")
        if kind == Kind.REWARD:
            return 0, _place(words[0], REWARDS, "reward")
        return 0, 0


def _hex(word: str) -> int:
    try:
        cell = cell_of(word)
    except ValueError:
        cell = NUM_CELLS
    if cell == NUM_CELLS or HEX_NAMES[cell] != word:
        raise ValueError(f"{show(word)} is no hex such as 0,3")
    return cell


def _hex_name(cell: int) -> str:
    """Name of a hex of the table; its rim and what is beyond are none."""
    if cell < 0 or read_hex(HEX_NAMES[cell]) is None:
        raise IndexError(cell)
    return HEX_NAMES[cell]


def _die(owner: str, face: str) -> int:
    owners = ("0", "1", "2", "3", "-1")
    return _number(face, 1, 6) * len(owners) - len(owners) + _place(owner, owners, "owner of dice")


def _place(word: str, names: Sequence[str], what: str) -> int:
    if word not in names:
        known = ", ".join(names) if len(names) <= 20 else f"{names[0]}, ..., {names[-1]}"
        raise ValueError(f"{show(word)} is no {what}: {known}")
    return list(names).index(word)


def _number(word: str, low: int, high: int) -> int:
    if not word.isascii() or not word.isdigit() or not low <= int(word[:4]) <= high:
        raise ValueError(f"{show(word)} is no number {low}-{high}")
    return int(word)


def words(ruleset: Any) -> dict[str, Any]:
    """The attributes of the game that depend on its rules: names of spaces and tiles."""
    from reefsim.games.poseidons_kingdom.narrate import Narrator

    notation = Notation.of(ruleset)

    def render_text(state: Any, rules: Any) -> str:
        from reefsim.games.poseidons_kingdom.render import Renderer

        return Renderer(notation.spaces).text(state, rules)

    def render_svg(state: Any, rules: Any) -> str:
        from reefsim.games.poseidons_kingdom.render import Renderer

        return Renderer(notation.spaces).svg(state, rules)

    attributes: dict[str, Callable[..., Any]] = {
        "render_text": render_text,
        "render_svg": render_svg,
        "format_action": notation.format_action,
        "parse_action": notation.parse_action,
        "action_of": notation.action_of,
        "narrate": Narrator(ruleset).narrate,
    }
    return {"events": events(notation.spaces, notation.tiles), **attributes}


assert len(DICE) == NUM_DICE
