"""The metrics that only CHARON Inc. has, read off its tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reefsim.core.metric import Metric, Part

_TURNS = ("seat", "round", "what", "order_place")


def _column(name: str) -> Callable[[Part], Any]:
    return lambda part: part.players[name]


def _of_player(name: str, column: str, unit: str, meaning: str, family: str = "pieces") -> Metric:
    return Metric(
        name, "number", unit, meaning, f"players.{column}", family,
        per="seat", compute=_column(column), reads={"players": (column,)},
    )  # fmt: skip


def _tracks(part: Part) -> Any:
    """The order of building: one row per game, seat and round (CH-4.8)."""
    turns = part.turns
    first_pass = turns["what"].isin(("build", "trade"))  # one turn of a seat in a round
    return turns.loc[first_pass, ["game_id", *_TURNS]]


def _leaders(part: Part) -> Any:
    """Seat that builds first, by game and round."""
    track = part.once(_tracks)
    return track[track["order_place"] == 1].set_index(["game_id", "round"])["seat"].sort_index()


def _first_stays(part: Part) -> Any:
    leaders = part.once(_leaders).unstack("round")
    stays = [leaders[n].eq(leaders[n - 1]) for n in sorted(leaders) if n - 1 in leaders]
    return sum(stays) / len(stays) if stays else part.in_order(0.0)[:0]


def _after_round_one(part: Part, place: int, column: str) -> Any:
    """A column of the seat at a place of the order after the first round, by game."""
    track = part.once(_tracks)
    chosen = track[(track["round"] == 1) & (track["order_place"] == place)]
    keys = list(zip(chosen["game_id"], chosen["seat"], strict=True))
    values = part.players[column].loc[keys].astype(float)
    return part.by_id([game_id for game_id, _ in keys], values.to_numpy())


def _first_wins(part: Part) -> Any:
    return _after_round_one(part, 1, "win_share")


def _first_gains(part: Part) -> Any:
    return _after_round_one(part, 1, "score") - _after_round_one(part, part.seats, "score")


def _unwon(part: Part) -> Any:
    mined = part.players["gems_mined"].groupby(level="game_id").sum()
    unmined = part.games["unmined"]
    return unmined / (unmined + mined).clip(lower=1)


def _used(part: Part) -> Any:
    sums = part.players[["gems_paid", "gems_mined", "clear_taken"]].groupby(level="game_id").sum()
    return sums["gems_paid"] / (sums["gems_mined"] + sums["clear_taken"]).clip(lower=1)


METRICS: tuple[Metric, ...] = (
    Metric(
        "first_stays_share", "share", "%",
        "rounds in which the seat that builds first did so in the round before",
        "mean over rounds from the second: order_place 1 has the seat of the round before",
        "snowball", compute=_first_stays, reads={"turns": _TURNS},
    ),
    Metric(
        "early_first_wins", "share", "%",
        "win share of the seat that builds first in round 1",
        "win_share of the seat with order_place 1 in round 1",
        "snowball", compute=_first_wins,
        reads={"turns": _TURNS, "players": ("win_share",)},
    ),
    Metric(
        "early_first_margin", "number", "points",
        "final points of the first builder of round 1, less those of its last one",
        "score at order_place 1 in round 1 - score at the last place",
        "snowball", compute=_first_gains,
        reads={"turns": _TURNS, "players": ("score",)},
    ),
    Metric(
        "unmined_share", "share", "%", "gems that nobody won, of all gems in a mining",
        "games.unmined / (unmined + sum of players.gems_mined)", "pieces",
        compute=_unwon, reads={"games": ("unmined",), "players": ("gems_mined",)},
    ),
    Metric(
        "used_share", "share", "%", "gems paid for cards, of all gems that players got",
        "sum of players.gems_paid / sum of (players.gems_mined + players.clear_taken)", "pieces",
        compute=_used, reads={"players": ("gems_paid", "gems_mined", "clear_taken")},
    ),
    Metric(
        "dead_heats", "number", "regions", "regions with flags that nobody won, in a game",
        "games.dead_heats", "interaction", compute=lambda part: part.games["dead_heats"],
        reads={"games": ("dead_heats",)},
    ),
    _of_player("builds_by_seat", "builds", "cards", "cards built"),
    _of_player("regions_by_seat", "regions_won", "regions", "regions won, over all rounds"),
    _of_player("mined_by_seat", "gems_mined", "gems", "gems won in regions"),
    _of_player("paid_by_seat", "gems_paid", "gems", "gems paid for cards"),
    _of_player(
        "ties_by_seat", "ties", "regions", "regions whose first place was shared", "interaction"
    ),
    _of_player("actions_by_seat", "valid_actions", "actions", "flags left on areas that worked"),
    _of_player("row_builds_by_seat", "row_builds", "cards", "cards built from the common row"),
    _of_player("trades_by_seat", "trades", "trades", "trades"),
    _of_player("synchrotrons_by_seat", "synchrotrons", "uses", "exchanges by A4"),
    _of_player("places_by_seat", "places", "places", "places in the building order, summed"),
)  # fmt: skip
