"""Events of a game record in words, one sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Row = Mapping[str, Any]

# What an event says; the keys are columns of its row.
_SENTENCES = {
    "start": "seat {seat} starts",
    "coral": "a coral tile lies face down on {number}: {kind}",
    "build": "seat {seat} takes a reef tile {kind}",
    "move": "seat {seat} moves a creature from {cell} to {cell2}",
    "buy": "seat {seat} eats for the coral on {number}",
    "end_meal": "seat {seat} leaves its straight at that",
    "peek": "seat {seat} looks at the coral on {number}",
    "no_peek": "seat {seat} looks at no coral",
    "flee": "a creature of seat {seat} is eaten and returns to {cell}",
    "skeleton": "a skeleton lies on {cell} of the reef of seat {seat}",
    "no_reward": "seat {seat} takes no reward",
}
TENTACLES = (
    "Total {total}",
    "Small pair",
    "Big pair",
    "Straight",
    "Three of a kind",
    "All different",
)
_REWARDS = {
    "load_1": "loads a die as a reward",
    "load_2": "loads two dice as a reward",
    "peek": "may look at a coral tile as a reward",
    "cleanse": "removes its skeletons as a reward",
    "rescue": "may rescue its nearest friend as a reward",
    "dolphin": "takes the dolphin as a reward",
}
_ENDS = {
    "sixth_by_eating": "seat {seat} had freed its last friend by eating",
    "sixth_by_ring": "seat {seat} had freed its last friend on the ring",
    "sixth_by_reward": "seat {seat} had freed its last friend as a reward",
    "turn_limit": "the turn limit stops it",
}


class Narrator:
    """Tells the events of games under some rules."""

    def __init__(self, ruleset: Any) -> None:
        names = [name.format(total=ruleset.total_target) for name in TENTACLES]
        self._tentacles = dict(enumerate(names, 1))

    def narrate(self, rows: Iterable[Row]) -> Iterator[str]:
        """Tell the events of a record in order."""
        return map(self.describe, rows)

    def describe(self, row: Row) -> str:
        """Tell an event of a game record in a sentence.

        Parameters
        ----------
        row : as in the record (RULES.md M4), complete
        """
        event = row["event"]
        if event in _SENTENCES:
            told = {**row, "cell2": row.get("to_cell")}
            if event == "coral":
                told["kind"] = row["kind"].replace("_", " ")
            return _SENTENCES[event].format_map(told) + self._freed(row)
        return _TOLD[event](self, row) + self._freed(row)

    def _freed(self, row: Row) -> str:
        """The friend an event frees; `eat` names a tentacle, too, and frees nobody yet."""
        if "points" not in row:
            return ""
        worth = f"for {row['points']} points" if row["points"] else "for no points"
        return f" and frees a friend from {self._tentacles[row['tentacle']]} {worth}"

    def _fall(self, row: Row) -> str:
        if row["zone"] == 0:
            return f"{_die(row)} leaves the board"
        return f"{_die(row)} falls into zone {row['zone']} and shows {row['face']}"

    def _load(self, row: Row) -> str:
        dice = "a die" if row["number"] == 1 else f"{row['number']} dice"
        return f"seat {row['seat']} loads {dice if row['number'] else 'nothing'}"

    def _place(self, row: Row) -> str:
        where = f"on {row['cell']} and {row['to_cell']}, level {row['number']}"
        return f"seat {row['seat']} lays a tile {where}"

    def _eat(self, row: Row) -> str:
        return f"seat {row['seat']} eats for {self._tentacles[row['tentacle']]}"

    def _put(self, row: Row) -> str:
        return f"seat {row['seat']} stores {_die(row)} showing {row['face']} on {row['cell']}"

    def _take(self, row: Row) -> str:
        return f"seat {row['seat']} eats {_die(row)} showing {row['face']}"

    def _use(self, row: Row) -> str:
        return f"seat {row['seat']} eats the die stored on {row['cell']}"

    def _end_food(self, row: Row) -> str:
        return f"seat {row['seat']} is done with food"

    def _kraken(self, row: Row) -> str:
        return f"the ring creature of seat {row['owner']} comes to {_ring(row)}"

    def _reward(self, row: Row) -> str:
        if row["value"] == "kraken":
            return f"seat {row['seat']} moves its ring creature to {_ring(row)} as a reward"
        return f"seat {row['seat']} {_REWARDS[row['value']]}"

    def _end(self, row: Row) -> str:
        return f"the game ends: {_ENDS[row['value']].format_map(row)}"


def _die(row: Row) -> str:
    return "a neutral die" if row["owner"] < 0 else f"a die of seat {row['owner']}"


def _ring(row: Row) -> str:
    return "the shallows" if row["number"] == 0 else f"space {row['number']}"


_TOLD: dict[str, Callable[[Narrator, Row], str]] = {
    "fall": Narrator._fall,
    "load": Narrator._load,
    "place": Narrator._place,
    "eat": Narrator._eat,
    "put": Narrator._put,
    "take": Narrator._take,
    "use": Narrator._use,
    "end_food": Narrator._end_food,
    "kraken": Narrator._kraken,
    "reward": Narrator._reward,
    "end": Narrator._end,
}
