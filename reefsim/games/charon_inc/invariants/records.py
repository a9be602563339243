"""What holds over a whole game, read off its record (RULES.md M4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from reefsim.core.invariants import Broken, Rows

HIGHEST_SCORE, MOST_BUILDS = 77, 11  # one building of each number 2 to 12


def _results(rows: Rows) -> list[Mapping[str, Any]]:
    return [row for row in rows if row.get("result")]


def _told(rows: Rows, event: str) -> list[Mapping[str, Any]]:
    return [row for row in rows if row.get("event") == event]


def _numbers(row: Mapping[str, Any]) -> list[int]:
    return [int(n) for n in row["built"].split(",") if n != "-"]


def regions_won_once(rows: Rows, ruleset: Any) -> Broken:
    """A region is decided once a round."""
    counts = Counter((row["round"], row["region"]) for row in _told(rows, "mine"))
    twice = [key for key, n in counts.items() if n > 1]
    if twice:
        yield f"regions are mined twice in a round: {twice}"


def scores_add_up(rows: Rows, ruleset: Any) -> Broken:
    """A score is the sum of the numbers built, and they are the cards that were built."""
    number = {card.id: card.number for card in ruleset.cards.cards}
    for result in _results(rows):
        built = [
            number[row["card"]] for row in _told(rows, "build") if row["seat"] == result["seat"]
        ]
        if _numbers(result) != sorted(built, reverse=True) or result["builds"] != len(built):
            yield f"seat {result['seat']} built {built}, the result says {result['built']}"
        if result["score"] != sum(built):
            yield f"seat {result['seat']} has {result['score']} points for {built}"
        if ruleset.max_same_number == 1 and (
            result["score"] > HIGHEST_SCORE or len(built) > MOST_BUILDS
        ):
            yield f"seat {result['seat']} has {len(built)} buildings, {result['score']} points"


def orders(rows: Rows, ruleset: Any) -> Broken:
    """One order each round."""
    rounds = [row["round"] for row in _told(rows, "order")]
    if rounds != list(range(1, ruleset.rounds + 1)):
        yield f"the order is told in rounds {rounds}"


def kept(rows: Rows, ruleset: Any) -> Broken:
    """Gems kept within the limit of whoever keeps them."""
    warehouses = {
        (row["round"], row["seat"])
        for row in _told(rows, "action")
        if row["area"] == "A5" and row["value"] == "valid"
    }
    for row in _told(rows, "keep"):
        has_a5 = (row["round"], row["seat"]) in warehouses
        limit = ruleset.warehouse_limit if has_a5 else ruleset.storage_limit
        if len(row["gems"].replace("-", "")) > limit:
            yield f"seat {row['seat']} keeps {row['gems']}, {limit} are allowed"


def row_builds(rows: Rows, ruleset: Any) -> Broken:
    """Cards of the row that a seat builds in a round."""
    builds = Counter(
        (row["round"], row["seat"]) for row in _told(rows, "build") if row["source"] == "row"
    )
    over = {key: n for key, n in builds.items() if n > ruleset.row_builds_per_round}
    if over:
        yield f"too many cards of the row were built: {over}"


def actions(rows: Rows, ruleset: Any) -> Broken:
    """Every seat leaves as many flags as it does not place; areas are judged as a whole."""
    seats = len(_results(rows))
    told = _told(rows, "action")
    counts = Counter((row["round"], row["area"]) for row in told)
    for row in told:
        works = counts[row["round"], row["area"]] <= ruleset.cap(seats)
        if (row["value"] == "valid") != works:
            yield f"{row['area']} of seat {row['seat']} in round {row['round']} is {row['value']}"
    if len(told) != ruleset.rounds * seats * (5 - ruleset.placements):
        yield f"{len(told)} flags were left on areas"


def counters(rows: Rows, ruleset: Any) -> Broken:
    """Result columns against the events."""
    for result in _results(rows):
        seat = result["seat"]
        own = [row for row in rows if "event" in row and row.get("seat") == seat]
        mined = [row["size"] for row in own if row["event"] == "mine"]
        expected = {
            "regions_won": len(mined),
            "gems_mined": sum(mined),
            "clear_taken": sum(row["size"] for row in own if row["event"] == "clear"),
            "valid_actions": sum(row.get("value") == "valid" for row in own),
            "row_builds": sum(row["event"] == "build" and row["source"] == "row" for row in own),
            "trades": sum(row["event"] == "trade" for row in own),
        }
        for name, number in expected.items():
            if result[name] != number:
                yield f"{name} of seat {seat} is {result[name]}, the record tells of {number}"
