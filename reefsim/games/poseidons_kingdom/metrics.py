"""The metrics that only Poseidon's Kingdom has, read off its tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reefsim.core.metric import Metric, Part

_PLACES = ("first", "second", "third", "fourth")


def _column(name: str) -> Callable[[Part], Any]:
    return lambda part: part.players[name]


def _of_player(name: str, column: str, unit: str, meaning: str, family: str) -> Metric:
    return Metric(
        name, "number", unit, meaning, f"players.{column}", family,
        per="seat", compute=_column(column), reads={"players": (column,)},
    )  # fmt: skip


def _of_game(name: str, column: str, unit: str, meaning: str, family: str) -> Metric:
    return Metric(
        name, "number", unit, meaning, f"games.{column}", family,
        compute=lambda part: part.games[column], reads={"games": (column,)},
    )  # fmt: skip


def _share_of_place(place: int) -> Callable[[Part], Any]:
    """Win shares of the seats that had a place in the order of play."""

    def compute(part: Part) -> Any:
        wins = part.players["win_share"].to_numpy().reshape(-1, part.seats)
        seats = (part.games["start_seat"].to_numpy() + place) % part.seats
        found = part.in_order(wins[range(len(wins)), seats])
        return found if place < part.seats else found.iloc[:0]

    return compute


def _best_falls(part: Part) -> Any:
    """Win share of the seats whose dice showed most in the crashes, shared among equals."""
    points = part.players["crash_points"].to_numpy().reshape(-1, part.seats)
    wins = part.players["win_share"].to_numpy().reshape(-1, part.seats)
    best = points == points.max(axis=1, keepdims=True)
    found = part.in_order((best * wins).sum(axis=1) / best.sum(axis=1))
    return found[part.games["crashes"] > 0]


def _off_share(part: Part) -> Any:
    dice = part.games["fallen"] + part.games["off_board"]
    return (part.games["off_board"] / dice)[dice > 0]


def _caused(column: str) -> Callable[[Part], Any]:
    """Share of the friends of a game that were freed in one way."""

    def compute(part: Part) -> Any:
        sums = part.players[[column, "friends"]].groupby("game_id", sort=False).sum()
        return (sums[column] / sums["friends"])[sums["friends"] > 0]

    return compute


def _cause_share(name: str, column: str, how: str) -> Metric:
    return Metric(
        name, "share", "of friends", f"friends freed {how}",
        f"sum of players.{column} / sum of players.friends", "rescues",
        compute=_caused(column), reads={"players": (column, "friends")},
    )  # fmt: skip


def _order_share(place: int) -> Metric:
    return Metric(
        f"{_PLACES[place]}_in_order_share", "share", "of wins",
        f"wins of the player who had the {_PLACES[place]} turn of the game",
        f"win_share of seat (games.start_seat + {place}) mod seats", "seats",
        compute=_share_of_place(place),
        reads={"games": ("start_seat",), "players": ("win_share",)},
    )  # fmt: skip


def _corals(part: Part) -> Any:
    return part.players[["coral_white", "coral_black"]].notna().sum(axis=1)


METRICS: tuple[Metric, ...] = (
    *(_order_share(place) for place in range(4)),
    _cause_share("eating_share", "by_eating", "by eating"),
    _cause_share("ring_share", "by_ring", "by ring moves"),
    _cause_share("reward_share", "by_reward", "as a reward of a crash"),
    _of_player("friends_by_seat", "friends", "friends", "friends freed", "rescues"),
    _of_game("crashes", "crashes", "crashes", "times the tower tipped", "waves"),
    Metric(
        "off_board_share", "share", "of dice", "dice that left the board when they fell",
        "games.off_board / (games.fallen + games.off_board)", "waves",
        compute=_off_share, reads={"games": ("fallen", "off_board")},
    ),
    _of_player("crash_points_by_seat", "crash_points", "points", "totals in all crashes", "waves"),
    _of_player("rewards_by_seat", "rewards", "rewards", "rewards taken", "waves"),
    Metric(
        "best_falls_share", "share", "of wins",
        "wins of the seat whose dice showed most in the crashes; 1 / seats if they decide nothing",
        "win_share of the seats with the highest players.crash_points", "waves",
        compute=_best_falls,
        reads={"games": ("crashes",), "players": ("crash_points", "win_share")},
    ),
    _of_player("lost_by_seat", "lost", "creatures", "own creatures the shark ate", "shark"),
    _of_player("caught_by_seat", "caught", "creatures", "others' creatures it ate", "shark"),
    _of_player("skeletons_by_seat", "skeletons", "skeletons", "own skeletons at the end", "shark"),
    _of_game("skeletons_laid", "skeletons_laid", "skeletons", "skeletons laid in a game", "shark"),
    _of_player("builds_by_seat", "builds", "tiles", "reef tiles built", "reef"),
    _of_player("height_by_seat", "height", "levels", "highest level of the reef", "reef"),
    _of_player("hexes_by_seat", "hexes", "hexes", "hexes of the reef", "reef"),
    _of_player("eat_power_by_seat", "eat_power", "dice", "eat power at the end", "reef"),
    _of_player("arrow_power_by_seat", "arrow_power", "steps", "arrow power at the end", "reef"),
    _of_player("wave_power_by_seat", "wave_power", "dice", "wave power at the end", "reef"),
    _of_player("loaded_by_seat", "loaded", "dice", "dice loaded", "dice"),
    _of_player("stored_by_seat", "stored_dice", "dice", "dice put in store", "dice"),
    _of_player("others_dice_by_seat", "picked_others", "dice", "dice of others taken", "dice"),
    _of_player("safe_points_by_seat", "safe_points", "points", "points of safe places", "points"),
    Metric(
        "corals_by_seat", "number", "tiles", "coral tiles taken in the last turns",
        "players.coral_white and players.coral_black that are not null", "points",
        per="seat", compute=_corals, reads={"players": ("coral_white", "coral_black")},
    ),
    _of_player("coral_points_by_seat", "coral_points", "points", "points of coral", "points"),
    _of_player("peeks_by_seat", "peeks", "peeks", "coral tiles looked at", "points"),
)  # fmt: skip
