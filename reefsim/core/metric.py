"""What a metric is: a quantity of a game or of a seat, and how it is read off the tables of a run.

The toolkit's metrics stand in `reefsim.metrics.catalog`; a game gives its own in its package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["share", "number", "category"]
Per = Literal["game", "seat"]
OWN = "own"
ORACLE = "oracle"


@dataclass(frozen=True)
class Part:
    """The tables of some games of one arm, with the columns that were asked for.

    A part may hold thousands of games, so metrics work on whole columns.

    Attributes
    ----------
    games : indexed by game_id, which rises
    players : indexed by (game_id, seat), in the order of games and seats; always there
    turns : one row per turn, with game_id and seat, in the order of games and turns; None if no
        metric reads it
    events : one row per event whose name a metric reads, with game_id; None if none does
    logged : ids of the games whose events were kept
    traces : for each game with values of an oracle, what that says (`metrics.trace.Trace`)
    rules : differences of the arm from the published game
    seats : number of seats
    memo : what was worked out for one metric and serves others (`once`)
    """

    games: pd.DataFrame
    players: pd.DataFrame
    turns: Any
    events: Any
    logged: pd.Index[int]
    traces: Mapping[int, Any]
    rules: Mapping[str, Any]
    seats: int
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    def of(self, ids: pd.Index[int]) -> Part:
        """The same with some of its games only, as if it held no others."""
        rows = self.players.index.get_level_values("game_id").isin(ids)

        def some(table: Any) -> Any:
            return None if table is None else table[table["game_id"].isin(ids)]

        return replace(
            self,
            games=self.games[self.games.index.isin(ids)],
            players=self.players[rows],
            turns=some(self.turns),
            events=some(self.events),
            logged=self.logged[self.logged.isin(ids)],
            traces={i: trace for i, trace in self.traces.items() if i in ids},
            memo={},
        )

    def once(self, function: Callable[[Part], Any]) -> Any:
        """What a function says of this part; it is called the first time only."""
        if function not in self.memo:
            self.memo[function] = function(self)
        return self.memo[function]

    def in_order(self, values: Any) -> pd.Series[Any]:
        """Series by game_id of an array with one value per game, in the order of `games`."""
        import pandas as pd

        return pd.Series(values, index=self.games.index)

    def in_seat_order(self, values: Any) -> pd.Series[Any]:
        """The same by (game_id, seat) of an array with one value per row of `players`."""
        import pandas as pd

        return pd.Series(values, index=self.players.index)

    def seat_by_seat(self, column: str) -> npt.NDArray[Any]:
        """A column of `players` as an array of shape (games, seats)."""
        return np.asarray(self.players[column].to_numpy()).reshape(-1, self.seats)

    @property
    def turn_places(self) -> npt.NDArray[np.int64]:
        """Row in `games` of the game of every turn, shape (turns,)."""
        places: npt.NDArray[np.int64] = self.once(_turn_places)
        return places

    def sum_turns(self, values: Any, per: Per = "game") -> pd.Series[float]:
        """Sum whole numbers, one per row of `turns`, by game or by game and seat.

        Games and seats without a turn have 0. Without values, turns are counted.
        """
        if per == "game":
            return self.in_order(np.bincount(self.turn_places, values, len(self.games)))
        places = self.once(_turn_seats)
        return self.in_seat_order(np.bincount(places, values, len(self.players)))

    def by_id(self, ids: Any, values: Any) -> pd.Series[Any]:
        """Series by game_id of values of some games."""
        import pandas as pd

        return pd.Series(values, index=pd.Index(ids, dtype="int64"), dtype=float)

    def by_id_and_seat(self, keys: list[tuple[int, int]], values: Any) -> pd.Series[Any]:
        """Series by (game_id, seat) of values of some seats."""
        import pandas as pd

        index = pd.MultiIndex.from_tuples(keys, names=("game_id", "seat")) if keys else None
        return pd.Series(values, index=self.players.index[:0] if index is None else index)


def _turn_places(part: Part) -> npt.NDArray[np.int64]:
    ids = part.turns["game_id"].to_numpy()
    starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1])[: len(ids)])
    rows = np.searchsorted(part.games.index.to_numpy(), ids[starts])
    return np.repeat(rows, np.diff(starts, append=len(ids)))


def _turn_seats(part: Part) -> npt.NDArray[np.int64]:
    """Row in `players` of the seat of every turn."""
    rows: npt.NDArray[np.int64] = part.turn_places * part.seats + part.turns["seat"].to_numpy()
    return rows


@dataclass(frozen=True)
class Metric:
    """One quantity of the report.

    Attributes
    ----------
    name : as in experiment files and columns
    kind : a share lies between 0 and 1, a category has no order
    unit, meaning : for people
    formula : how it is worked out, in the words of the tables or of the notation of `story`
    source : where the definition comes from; "after X" is restated from memory, not verified
    family : metrics that answer one question together
    per : "game", or "seat" for one value per seat of a game
    compute : Part -> Series by game_id, or by (game_id, seat); rows it leaves out are undefined
    reads : columns it reads, by table
    events : names of the events it reads
    oracle : it reads win chances that an oracle gave (see `metrics.trace`)
    """

    name: str
    kind: Kind
    unit: str
    meaning: str
    formula: str
    family: str
    per: Per = "game"
    source: str = OWN
    compute: Callable[[Part], Any] = field(repr=False, compare=False, default=lambda part: None)
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    events: tuple[str, ...] = ()
    oracle: bool = False

    @property
    def needs(self) -> tuple[str, ...]:
        """Tables it reads, and "oracle" if it needs win chances."""
        return (*self.reads, *((ORACLE,) if self.oracle else ()))


@dataclass(frozen=True)
class Place:
    """One place of a map: a polygon that a report fills by a count.

    Attributes
    ----------
    panel : map it belongs to; each panel is drawn by itself
    name : as people know it; empty for ground on which nothing can happen
    outline : corners (x, y), x to the right and y down
    """

    panel: str
    name: str
    outline: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Summary:
    """Counts by kind of something, such as the cells of a board, summed over the games of an arm.

    Attributes
    ----------
    name, meaning : for people
    keys : columns that say of what a row is, with their meanings
    counts : columns that are summed over games, with their meanings
    compute : Part -> DataFrame with those columns
    reads, events : as of a `Metric`
    per : the count that all others are told per: games, or how often the thing was there
    even : counts for which equal use is worth comparing with
    group : key within which things are compared with each other; empty: all of them
    map : places to draw, of which panel and name are the two keys; empty if it is no map
    over : key that counts time, 1 the first; a report stacks the things of the other key along it,
        as high as the second count; empty if it is no course
    """

    name: str
    meaning: str
    keys: Mapping[str, str]
    counts: Mapping[str, str]
    compute: Callable[[Part], Any] = field(repr=False, compare=False)
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    events: tuple[str, ...] = ()
    per: str = "games"
    even: tuple[str, ...] = ()
    group: str = ""
    map: Callable[[], tuple[Place, ...]] | None = field(default=None, repr=False, compare=False)
    over: str = ""
