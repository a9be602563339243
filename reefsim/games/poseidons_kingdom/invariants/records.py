"""What holds over a whole game, read off its record."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reefsim.core.invariants import Broken, Rows
from reefsim.games.poseidons_kingdom.constants import NEIGHBORS

Tile = tuple[str, str]


def _of(rows: Rows, *events: str) -> list[Any]:
    return [row for row in rows if row.get("event") in events]


def _results(rows: Rows) -> list[Any]:
    return [row for row in rows if "result" in row]


def friends_add_up(rows: Rows, rules: Any) -> Broken:
    """Friends by cause add up, and safe points are those told when they were freed."""
    freed: Counter[int] = Counter()
    points: Counter[int] = Counter()
    for row in rows:
        if "points" in row:
            seat = row["owner"] if row["event"] == "kraken" else row["seat"]
            freed[seat] += 1
            points[seat] += row["points"]
    for row in _results(rows):
        seat, causes = row["seat"], ("by_eating", "by_ring", "by_reward")
        if row["friends"] != freed[seat] or sum(row[cause] for cause in causes) != freed[seat]:
            yield f"seat {seat} freed {freed[seat]} friends, the result has {row['friends']}"
        if row["safe_points"] != points[seat]:
            yield f"seat {seat} got {points[seat]} points, the result has {row['safe_points']}"
        if row["score"] != row["safe_points"] + row["coral_points"]:
            yield f"the score of seat {seat} is {row['score']}"


def tiles_rest_on_two(rows: Rows, rules: Any) -> Broken:
    """Every tile of a level above 1 rests on exactly two tiles of the level below."""
    seats = len(_results(rows))
    layout = rules.data_set("reef")["starting_layout"]
    count = 1 if rules.starting_layout == "player_choice" else rules.at("starting_tiles", seats)
    reefs: list[dict[str, tuple[Tile, int]]] = [
        {hex_: (tuple(tile), 1) for tile in layout[:count] for hex_ in tile} for _ in range(seats)
    ]
    for row in _of(rows, "place"):
        reef, tile = reefs[row["seat"]], (row["cell"], row["to_cell"])
        under = [reef[hex_] for hex_ in tile if hex_ in reef]
        if row["number"] != 1 + (under[0][1] if under else 0):
            yield f"ply {row['ply']}: level {row['number']} on {under}"
        if under and (len({below for below, _ in under}) != 2 or under[0][1] != under[1][1]):
            yield f"ply {row['ply']}: the tile rests on {under}"
        if not under and not any(
            f"{q + dq},{r + dr}" in reef
            for q, r in (map(int, hex_.split(",")) for hex_ in tile)
            for dq, dr in NEIGHBORS
        ):
            yield f"ply {row['ply']}: the tile does not touch the reef"
        # a tile laid again on the same two hexes is another one
        reef |= dict.fromkeys(tile, ((*tile, str(row["ply"])), row["number"]))


def one_rescue_by_eating(rows: Rows, rules: Any) -> Broken:
    """A turn frees at most one friend by eating; its dice come from one zone only."""
    for turn, number in Counter(
        row["turn"] for row in _of(rows, "take", "use", "end_meal") if "points" in row
    ).items():
        if number > 1:
            yield f"{number} friends were freed by eating in turn {turn}"
    puts = {row["turn"] for row in _of(rows, "put")}
    if both := puts & {row["turn"] for row in _of(rows, "take")}:
        yield f"in turns {sorted(both)} dice were stored and eaten"
    for turn, number in Counter(row["turn"] for row in _of(rows, "move")).items():
        if number != 1:
            yield f"{number} creatures moved in turn {turn}"


def coral_adds_up(rows: Rows, rules: Any) -> Broken:
    """Coral is bought in the last turns, a number once, one of each color."""
    bought = Counter(row["number"] for row in _of(rows, "buy"))
    if bought and max(bought.values()) > 1:
        yield f"coral was bought by number: {dict(bought)}"
    seats = len(_results(rows))
    last = max((row["turn"] for row in _of(rows, "end")), default=0)
    if any(row["turn"] <= last - seats for row in _of(rows, "buy")):
        yield "coral was bought before the last turns"
    owned = sum("coral_white" in row for row in _results(rows))
    owned += sum("coral_black" in row for row in _results(rows))
    if owned != bought.total():
        yield f"{bought.total()} coral tiles were bought, players have {owned}"


def last_turns(rows: Rows, rules: Any) -> Broken:
    """After the turn of the last friend every player has one turn more."""
    results, end = _results(rows), _of(rows, "end")[0]
    if end["value"] == "turn_limit":
        return
    goal = rules.end_friends
    freed: Counter[int] = Counter()
    for row in rows:
        if "points" in row:
            seat = row["owner"] if row["event"] == "kraken" else row["seat"]
            freed[seat] += 1
            if freed[seat] == goal:
                if (seat, row["turn"]) != (end["seat"], end["turn"] - len(results)):
                    yield f"seat {seat} freed its last friend in turn {row['turn']}, {end}"
                return
    yield f"nobody freed {goal} friends"
