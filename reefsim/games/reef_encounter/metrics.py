"""The metrics that only Reef Encounter has, read off its tables and its chronicle.

Attacks never move a shrimp (R5.7), so there are none of displaced shrimps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from reefsim.core.metric import Metric, Part
from reefsim.games.reef_encounter import chronicle
from reefsim.games.reef_encounter.chronicle import NOBODY, Chronicle
from reefsim.games.reef_encounter.constants import BOARDS, COLORS
from reefsim.games.reef_encounter.ruleset import ReefEncounterRuleset

ROCKS = sum(mark != "~" for line in BOARDS[0] for mark in line)  # the same on every board
TOLD = {"events": chronicle.COLUMNS}  # what the chronicle reads


def told(part: Part) -> Chronicle:
    """The chronicle of the games of a part whose events were kept."""
    chronicle_: Chronicle = part.once(_tell)
    return chronicle_


def _tell(part: Part) -> Chronicle:
    events = part.events[part.events["event"].isin(chronicle.EVENTS)]
    columns = [events[name].astype(object) for name in ("event", *chronicle.COLUMNS)]
    texts = (column.where(column.notna(), None) for column in columns)
    rules = ReefEncounterRuleset.make(part.rules, part.seats)
    return chronicle.tell(zip(events["game_id"], *texts, strict=True), part.seats, rules)


def _per_game(counts: Mapping[int, float], part: Part) -> Any:
    """Counts by game_id as a series, 0 for other games whose events were kept."""
    return part.by_id(list(part.logged), [float(counts.get(i, 0)) for i in part.logged])


def _per_seat(counts: Mapping[tuple[int, int], float], part: Part) -> Any:
    keys = [(i, seat) for i in part.logged for seat in range(part.seats)]
    return part.by_id_and_seat(keys, [float(counts.get(key, 0)) for key in keys])


def _ratio(above: Mapping[int, float], below: Mapping[int, float], part: Part) -> Any:
    """Ratio of two counts by game_id; undefined where the second is 0."""
    ids = [int(i) for i in part.logged if below.get(i, 0)]
    return part.by_id(ids, [above.get(i, 0) / below[i] for i in ids])


def _evenness(counts: Mapping[tuple[int, str], float], part: Part) -> Any:
    """Evenness H / ln 5 of counts by (game_id, color)."""
    found = []
    for game_id in part.logged:
        n = np.array([counts.get((game_id, color), 0) for color in COLORS], float)
        p = n[n > 0] / max(n.sum(), 1)
        found.append(-(p * np.log(p)).sum() / np.log(len(n)) if len(p) else np.nan)
    return part.by_id(list(part.logged), found)


def laid_colors(part: Part) -> Counter[tuple[int, str]]:
    """Tiles laid by game and color, growth tiles included."""
    return Counter((laid.game_id, laid.color) for laid in told(part).laid)


def lost_colors(part: Part) -> Counter[tuple[int, str]]:
    """Tiles captured by game and color."""
    return Counter((x.game_id, x.captured) for x in told(part).laid if x.captured is not None)


def eaten_colors(part: Part) -> Counter[tuple[int, str]]:
    """Tiles of eaten corals by game and color, those that went into the bag included."""
    counts: Counter[tuple[int, str]] = Counter()
    for meal in told(part).meals:
        counts[meal.game_id, meal.color] += meal.size
    return counts


_COLOR_COUNTS = {"laid": laid_colors, "lost": lost_colors, "eaten": eaten_colors}


def _of_color(what: str, color: str) -> Callable[[Part], Any]:
    def compute(part: Part) -> Any:
        counts = part.once(_COLOR_COUNTS[what])
        return _per_game({i: n for (i, c), n in counts.items() if c == color}, part)

    return compute


def _evenness_of(what: str) -> Callable[[Part], Any]:
    return lambda part: _evenness(part.once(_COLOR_COUNTS[what]), part)


def _last_turns(part: Part) -> tuple[Any, Any]:
    """Row in `turns` of the last turn of each game, and whether it had any."""
    num_turns = np.bincount(part.turn_places, minlength=len(part.games))
    return np.cumsum(num_turns) - 1, num_turns > 0


def last_value(part: Part, color: str) -> Any:
    """Value of a color at the end, by game; undefined without a turn."""
    rows, has_turns = part.once(_last_turns)
    values = part.turns[f"value_{color}"].to_numpy(float)
    found = np.full(len(rows), np.nan)
    found[has_turns] = values[rows[has_turns]]
    return part.in_order(found)


def _last_value(color: str) -> Callable[[Part], Any]:
    return lambda part: last_value(part, color)


def _value_changes(part: Part) -> Any:
    """Turns after which a color has another value than a turn before, over all colors."""
    changes = np.zeros(len(part.turns), np.int8)
    for color in COLORS:
        changes[1:] += np.diff(part.turns[f"value_{color}"].to_numpy()) != 0
    return part.sum_turns(np.where(np.diff(part.turn_places, prepend=-1) == 0, changes, 0))


def _sum_of_players(column: str) -> Callable[[Part], Any]:
    return lambda part: part.in_order(part.seat_by_seat(column).sum(axis=1, dtype=np.int64))


def _lock_turn(which: str) -> Callable[[Part], Any]:
    def compute(part: Part) -> Any:
        turns = part.turns.loc[part.turns["locks"] > 0, ["game_id", "turn"]]
        return getattr(turns.groupby("game_id", sort=False)["turn"], which)()

    return compute


def _reversals(part: Part) -> Any:
    """Flips that showed a side of a coral tile again."""
    flips = Counter((x.game_id, x.tile) for x in told(part).turned if not x.locked)
    counts: Counter[int] = Counter()
    for (game_id, _), n in flips.items():
        counts[game_id] += n - 1
    return _per_game(counts, part)


def _locks_by(own: bool) -> Callable[[Part], Any]:
    """Share of locks of a color of one's own, or by a seat with most points."""

    def compute(part: Part) -> Any:
        locks = [x for x in told(part).turned if x.locked]
        if not own:
            locks = [x for x in locks if x.leader is not None]
        hits = Counter(x.game_id for x in locks if (x.own if own else x.leader))
        return _ratio(hits, Counter(x.game_id for x in locks), part)

    return compute


def _last_swing(part: Part) -> Any:
    return _per_game(told(part).last_swing, part)


def _unused(part: Part) -> Any:
    """Share of the rock cells of a game on which no tile was laid."""
    boards = told(part).boards
    # a board may lie there twice, so cells are counted by board in play
    used = {(x.game_id, x.place, x.cell) for x in told(part).laid}
    counts = Counter(game_id for game_id, _, _ in used)
    ids = [int(i) for i in part.logged]
    return part.by_id(ids, [1 - counts[i] / (ROCKS * len(boards[i])) for i in ids])


def _overwrites(part: Part) -> Any:
    laid = [x for x in told(part).laid if not x.growth]
    over = Counter(x.game_id for x in laid if x.captured is not None)
    return _ratio(over, Counter(x.game_id for x in laid), part)


def _taken(of_whom: Callable[[Any], int]) -> Callable[[Part], Any]:
    """Tiles captured out of a coral that another seat guards, by a seat of the capture."""

    def compute(part: Part) -> Any:
        taken = [x for x in told(part).laid if x.victim not in (NOBODY, x.seat)]
        return _per_seat(Counter((x.game_id, of_whom(x)) for x in taken), part)

    return compute


def _attacks_on_guarded(part: Part) -> Any:
    captures = [x for x in told(part).laid if x.captured is not None]
    hits = Counter(x.game_id for x in captures if x.victim not in (NOBODY, x.seat))
    return _ratio(hits, Counter(x.game_id for x in captures), part)


def _feed_size(part: Part) -> Any:
    return _mean((x.game_id, x.size) for x in told(part).meals)(part)


def _mean(pairs: Iterable[tuple[int, float]]) -> Callable[[Part], Any]:
    """Mean by game_id of some values; undefined without one."""
    sums: dict[int, list[float]] = {}
    for game_id, value in pairs:
        sums.setdefault(game_id, []).append(value)
    return lambda part: part.by_id(list(sums), [float(np.mean(x)) for x in sums.values()])


def _final_meal(in_points: bool) -> Callable[[Part], Any]:
    def compute(part: Part) -> Any:
        meals = [x for x in told(part).meals if x.final]
        counts: dict[tuple[int, int], float] = {}
        if in_points:
            values = {color: last_value(part, color) for color in COLORS}
            counts = {(x.game_id, x.seat): x.eaten * values[x.color][x.game_id] for x in meals}
        else:
            counts = {(x.game_id, x.seat): x.eaten for x in meals}
        return _per_seat(counts, part)

    return compute


def _most_tiles(part: Part) -> Any:
    taken = told(part).collected
    hits = Counter(x.game_id for x in taken if x.most)
    return _ratio(hits, Counter(x.game_id for x in taken), part)


def _sea_tiles(part: Part) -> Any:
    return _mean((x.game_id, x.tiles) for x in told(part).collected)(part)


def _turn_sums(*columns: str) -> Callable[[Part], Any]:
    """Sum of columns of `turns` by seat."""
    return lambda part: part.sum_turns(_whole(part, columns), per="seat")


def _turn_mean(column: str) -> Callable[[Part], Any]:
    def compute(part: Part) -> Any:
        turns = part.once(_turns_of_seats)
        return part.sum_turns(_whole(part, (column,)), per="seat") / turns.where(turns > 0)

    return compute


def _turns_of_seats(part: Part) -> Any:
    return part.sum_turns(None, per="seat")


def _whole(part: Part, columns: Iterable[str]) -> Any:
    """Sum of columns of `turns`, turn by turn."""
    return sum(part.turns[column].to_numpy(np.float64) for column in columns)


_STOCKS = ("front", "behind", "larvae")


def _stock_slope(part: Part) -> Any:
    """Slope of the least-squares line of what a seat holds after its turn over the rounds."""
    held = _whole(part, _STOCKS)
    round_ = (part.turns["turn"].to_numpy() - 1) // part.seats * 1.0
    n, x, y, xx, xy = (
        part.sum_turns(values) for values in (None, round_, held, round_**2, round_ * held)
    )
    below = n * xx - x**2  # whole numbers, so nothing is rounded before the division
    return (n * xy - x * y) / below.where(below > 0)


def _player(name: str, column: str, unit: str, meaning: str, family: str = "pieces") -> Metric:
    return Metric(
        name, "number", unit, meaning, f"players.{column}", family, per="seat",
        compute=lambda part: part.players[column], reads={"players": (column,)},
    )  # fmt: skip


def _sums(name: str, columns: tuple[str, ...], unit: str, meaning: str) -> Metric:
    return Metric(
        name, "number", unit, meaning, f"sum of turns.{' + turns.'.join(columns)}", "economy",
        per="seat", compute=_turn_sums(*columns), reads={"turns": columns},
    )  # fmt: skip


def _told(
    name: str,
    unit: str,
    meaning: str,
    formula: str,
    compute: Callable[[Part], Any],
    family: str,
    **more: Any,
) -> Metric:
    """A metric that reads the chronicle."""
    reads = TOLD | more.pop("reads", {})
    kind = more.pop("kind", "number")
    return Metric(
        name, kind, unit, meaning, formula, family,
        compute=compute, reads=reads, events=chronicle.EVENTS, **more,
    )  # fmt: skip


_VALUES = tuple(f"value_{color}" for color in COLORS)
_PER_SEAT = {"per": "seat"}
_SHARE = {"kind": "share"}

METRICS: tuple[Metric, ...] = (
    _player("laying_turns_by_seat", "laying_turns", "turns", "turns with a tile laid", "length"),
    _player("passes_by_seat", "passes", "turns", "turns with nothing but the sea (action 9)"),
    _player("laid_by_seat", "laid", "tiles", "tiles laid, growth tiles not counted"),
    _player("captured_by_seat", "captured", "tiles", "tiles taken by attacks", "interaction"),
    _player("locks_by_seat", "locks", "locks", "coral tiles locked"),
    _player("flips_by_seat", "flips", "flips", "coral tiles turned over"),
    _player("feeds_by_seat", "feeds", "corals", "corals fed, final feed included"),
    _player("returned_by_seat", "returned", "tiles", "tiles of eaten corals put into the bag"),
    _player("growths_by_seat", "growths", "tiles", "bonus tiles laid by extra growth"),
    # colors
    *(
        _told(
            f"{what}_{color}", "tiles", f"{color} tiles {meaning}", formula,
            _of_color(what, color), "colors",
        )
        for what, meaning, formula in (
            ("laid", "laid, growth tiles included", "place events of the color, and their growth"),
            ("lost", "taken by attacks", "place events that captured the color"),
            ("eaten", "in eaten corals", "sum of feed.size over corals of the color"),
        )
        for color in COLORS
    ),
    *(
        _told(
            f"{what}_evenness", "share", f"how evenly the colors share in the tiles {meaning}",
            "H / ln 5 of the tiles by color", _evenness_of(what), "colors", **_SHARE,
        )
        for what, meaning in (
            ("laid", "laid"), ("lost", "taken by attacks"), ("eaten", "of eaten corals"),
        )
    ),
    *(
        Metric(
            f"value_{color}", "number", "points", f"value of {color} tiles at the end",
            f"last turns.value_{color}", "colors",
            compute=_last_value(color), reads={"turns": (f"value_{color}",)},
        )
        for color in COLORS
    ),
    Metric(
        "value_changes", "number", "changes", "times that a turn changed the value of a color",
        "differences between consecutive turns.value_*", "colors",
        compute=_value_changes, reads={"turns": _VALUES},
    ),
    # coral tiles
    Metric(
        "flips", "number", "flips", "coral tiles turned over in a game", "sum of players.flips",
        "tiles", compute=_sum_of_players("flips"), reads={"players": ("flips",)},
    ),
    Metric(
        "locks", "number", "locks", "coral tiles locked in a game", "sum of players.locks",
        "tiles", compute=_sum_of_players("locks"), reads={"players": ("locks",)},
    ),
    Metric(
        "first_lock_turn", "number", "turns", "turn of the first lock; undefined without one",
        "least turns.turn with turns.locks > 0", "tiles",
        compute=_lock_turn("min"), reads={"turns": ("turn", "locks")},
    ),
    Metric(
        "last_lock_turn", "number", "turns", "turn of the last lock; undefined without one",
        "largest turns.turn with turns.locks > 0", "tiles",
        compute=_lock_turn("max"), reads={"turns": ("turn", "locks")},
    ),
    _told(
        "reversals", "flips", "flips of a coral tile after its first",
        "sum over coral tiles of max(0, flips - 1)", _reversals, "tiles",
    ),
    _told(
        "lock_leader_share", "locks", "share of locks by a seat with most points",
        "locks by a seat of most points / locks while points differ", _locks_by(own=False),
        "tiles", **_SHARE,
    ),
    _told(
        "lock_own_share", "locks", "share of locks of a color that is in the seat's own fish",
        "locks whose color on top is in the fish of the seat / locks", _locks_by(own=True),
        "tiles", **_SHARE,
    ),
    _told(
        "last_flip_swing", "points", "points that the last flip moved between two seats at most",
        "largest less smallest change of a seat's points by the last alga that flipped",
        _last_swing, "tiles",
    ),
    # boards
    _told(
        "unused_cells", "cells", "share of rock cells on which no tile was laid",
        f"1 - cells laid on / ({ROCKS} cells * boards)", _unused, "boards", **_SHARE,
    ),
    _told(
        "overwrite_share", "tiles", "share of laid tiles that replaced another",
        "place events with captured / place events", _overwrites, "boards", **_SHARE,
    ),
    Metric(
        "growths", "number", "tiles", "bonus tiles laid by extra growth in a game",
        "sum of players.growths", "boards",
        compute=_sum_of_players("growths"), reads={"players": ("growths",)},
    ),
    # interaction
    _told(
        "taken_from_others_by_seat", "tiles", "tiles a seat took out of corals others guard",
        "place events that captured from a coral guarded by another seat",
        _taken(lambda x: x.seat), "interaction", **_PER_SEAT,
    ),
    _told(
        "lost_to_others_by_seat", "tiles", "tiles taken by others out of corals a seat guards",
        "the same by who guards", _taken(lambda x: x.victim), "interaction", **_PER_SEAT,
    ),
    _told(
        "attacks_on_guarded", "tiles", "share of captured tiles that another seat guarded",
        "captures from a coral guarded by another seat / captures", _attacks_on_guarded,
        "interaction", **_SHARE,
    ),
    # economy
    _told(
        "feed_size", "tiles", "size of corals when they are eaten", "mean of feed.size",
        _feed_size, "economy",
    ),
    _told(
        "final_meal_tiles_by_seat", "tiles", "tiles of the final feed that went into the fish",
        "feed.size - final_feed_return of a feed out of turn", _final_meal(in_points=False),
        "economy", **_PER_SEAT,
    ),
    _told(
        "final_meal_points_by_seat", "points", "points that the final feed brought",
        "the same times the color's value at the end", _final_meal(in_points=True), "economy",
        **_PER_SEAT, reads={"turns": _VALUES},
    ),
    _told(
        "sea_tiles", "tiles", "tiles on the sea space collected from", "mean over collect events",
        _sea_tiles, "economy",
    ),
    _told(
        "sea_fullest_share", "turns", "share of collects from a sea space with most tiles",
        "collects from a space of most tiles / collects", _most_tiles, "economy", **_SHARE,
    ),
    _sums("cubes_played_by_seat", ("grow", "to_polyp"), "cubes", "larva cubes a seat spent"),
    _sums("cubes_gained_by_seat", ("collect", "to_larva"), "cubes",
          "larva cubes a seat got in the game; a sea space may lack its cube"),
    _sums("exchanges_by_seat", ("to_larva", "to_polyp"), "actions", "exchange actions (6, 8)"),
    _sums("algae_by_seat", ("alga",), "actions", "algae used (action 7)"),
    _sums("shrimp_entries_by_seat", ("shrimp_in",), "actions", "shrimps brought in (action 4)"),
    _sums("shrimp_moves_by_seat", ("shrimp_move", "shrimp_out"), "actions",
          "shrimps moved or taken back (action 5)"),
    *(
        Metric(
            f"{stock}_held_by_seat", "number", unit, f"{meaning} that a seat holds after its turn",
            f"mean of turns.{stock}", "economy", per="seat",
            compute=_turn_mean(stock), reads={"turns": (stock,)},
        )
        for stock, unit, meaning in (
            ("front", "tiles", "consumed tiles"), ("behind", "tiles", "tiles behind the screen"),
            ("larvae", "cubes", "larva cubes"),
        )
    ),
    Metric(
        "stock_slope", "number", "pieces per round", "growth of what a seat holds, round to round",
        "least-squares slope of turns.front + behind + larvae over rounds", "economy",
        compute=_stock_slope, reads={"turns": ("turn", *_STOCKS)},
    ),
)  # fmt: skip
