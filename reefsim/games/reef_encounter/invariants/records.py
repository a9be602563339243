"""What holds over a whole game, read off its record (RULES.md M4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from reefsim.core.invariants import Broken, Rows


def one_lock_per_turn(rows: Rows, ruleset: Any) -> Broken:
    """At most one lock a turn, by a seat that has fed before; each coral tile once (R9.5, R9.6)."""
    locks = [row for row in rows if row.get("event") == "alga" and row["on"] != "space"]
    for turn, number in Counter(row["turn"] for row in locks).items():
        if number > 1:
            yield f"{number} locks in turn {turn}"
    for tile, number in Counter(row["on"] for row in locks).items():
        if number > 1:
            yield f"{tile} was locked {number} times"
    first_feed: dict[int, int] = {}
    for row in rows:
        if row.get("event") == "feed":
            first_feed.setdefault(row["seat"], row["ply"])
    for row in locks:
        if first_feed.get(row["seat"], row["ply"]) >= row["ply"]:
            yield f"ply {row['ply']}: seat {row['seat']} locked before it had fed"


def fish_from_feeds(rows: Rows, ruleset: Any) -> Broken:
    """A fish holds the stash and what of its feeds did not go to the bag (R3.2, R11.6)."""
    feeds = [row for row in rows if row.get("event") == "feed"]
    finals = set(_final_feeds(rows))
    for result in rows:
        if not result.get("result"):
            continue
        own = [row for row in feeds if row["seat"] == result["seat"]]
        fish = 1 + sum(
            max(0, row["size"] - _returned(ruleset, row["ply"] in finals)) for row in own
        )
        found = sum(n for name, n in result.items() if name.startswith("fish_"))
        if found != fish or result["feeds"] != len(own):
            yield (
                f"seat {result['seat']} has {found} tiles in its fish and {result['feeds']} feeds, "
                f"the record tells of {fish} and {len(own)}"
            )
        if len(own) > ruleset.shrimps_per_player:
            yield f"seat {result['seat']} fed {len(own)} corals"


def _returned(ruleset: Any, is_final: bool) -> int:
    return int(ruleset.final_feed_return if is_final else ruleset.feed_return)


def _final_feeds(rows: Rows) -> Iterator[int]:
    """Plies of the final feeds; any other feed is the first action of its turn (R2.5)."""
    turns: set[int] = set()
    for row in rows:
        if row.get("seat") is not None and row.get("turn"):
            if row["event"] == "feed" and row["turn"] in turns:
                yield row["ply"]
            turns.add(row["turn"])


def turns_in_order(rows: Rows, ruleset: Any) -> Broken:
    """Plies and turns count up by one, and every turn belongs to one seat (R2.1)."""
    events = [row for row in rows if "event" in row]
    plies = [row["ply"] for row in events]
    if plies != list(range(len(plies))):
        yield "the plies do not count up by one"
    owner: dict[int, int] = {}
    last = 0
    seats = sum(row["event"] == "board" for row in events)
    for row in events:
        if row["turn"] not in (last, last + 1):
            yield f"ply {row['ply']}: turn {row['turn']} after turn {last}"
        last = row["turn"]
        if last and row.get("seat") is not None:
            owner.setdefault(last, row["seat"])
    for turn, seat in owner.items():
        if seat != (turn - 1) % seats:
            yield f"turn {turn} was played by seat {seat}"
