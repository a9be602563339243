"""What holds over a whole game, read off its record (RULES.md M4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from reefsim.core.invariants import Broken, Rows

_TURNS = ("take_display", "take_deck", "play", "pass_turn")
# Largest number of plays of all, pieces on a board, rounds: published rules, by seats (I-13).
BOUNDS = {2: (32, 38, 34), 3: (43, 34, 30), 4: (50, 32, 27)}


def _results(rows: Rows) -> list[Mapping[str, Any]]:
    return [row for row in rows if row.get("result")]


def _counts(rows: Rows) -> Counter[tuple[str, int]]:
    return Counter(
        (row["event"], row["seat"])
        for row in rows
        if row.get("seat") is not None and "event" in row
    )


def hands_add_up(rows: Rows, ruleset: Any) -> Broken:
    """Cards in hand, and one take, play or pass each turn."""
    counts = _counts(rows)
    for result in _results(rows):
        seat = result["seat"]
        takes = counts["take_display", seat] + counts["take_deck", seat]
        hand = ruleset.start_hand + takes - counts["play", seat]
        if result["hand"] != hand:
            yield f"seat {seat} has {result['hand']} cards left, {hand} were left over"
        told = {name: counts[name.removesuffix("s"), seat] for name in ("plays",)}
        told |= {f"takes_{x}": counts[f"take_{x}", seat] for x in ("display", "deck")}
        for name, number in told.items():
            if result[name] != number:
                yield f"{name} of seat {seat} is {result[name]}, the record tells of {number}"
    turns = sum(counts[event, seat] for event in _TURNS for seat in range(len(_results(rows))))
    last = max((row["turn"] for row in rows if "turn" in row), default=0)
    if turns != last:
        yield f"{turns} turns were taken, the last one is {last}"


def scores_add_up(rows: Rows, ruleset: Any) -> Broken:
    """A score is start points, points scored and tokens; all points come from somewhere."""
    results = _results(rows)
    start = ruleset.points(len(results))
    for result in results:
        total = start[result["seat"]] + result["pattern_points"] + result["hand_points"]
        total += result["tokens_taken"] - result["tokens_paid"]
        if result["score"] != total:
            yield f"seat {result['seat']} has {result['score']} points, the parts give {total}"
        told = sum(
            row["points"]
            for row in rows
            if "event" in row and row.get("seat") == result["seat"] and "points" in row
        )
        if result["score"] != start[result["seat"]] + told:
            yield f"seat {result['seat']} has {result['score']} points, events add {told}"


def equal_turns(rows: Rows, ruleset: Any) -> Broken:
    """Turns differ by one at most; not at all where coral ended the game with its round."""
    counts = _counts(rows)
    turns = [sum(counts[event, row["seat"]] for event in _TURNS) for row in _results(rows)]
    end = next(row for row in rows if row.get("event") == "end")
    allowed = int(end["value"] != "coral_out" or ruleset.coral_out_end == "immediate")
    if max(turns) - min(turns) > allowed:
        yield f"the seats had {turns} turns"


def pieces_add_up(rows: Rows, ruleset: Any) -> Broken:
    """Four starting pieces, and those that plays placed."""
    placed: Counter[int] = Counter()
    for row in rows:
        if row.get("event") in ("start_piece", "start_random", "play"):
            placed[row["seat"]] += ("color" in row) + ("color2" in row)
    for result in _results(rows):
        if result["pieces"] != placed[result["seat"]]:
            yield f"seat {result['seat']} has {result['pieces']} pieces, placed {placed}"


def within_bounds(rows: Rows, ruleset: Any) -> Broken:
    """Plays, pieces and rounds of a game by the published rules (I-13)."""
    if ruleset.differences():
        return
    results = _results(rows)
    plays, pieces, rounds = BOUNDS[len(results)]
    found = (
        sum(row["plays"] for row in results),
        max(row["pieces"] for row in results),
        -(-max(row["turn"] for row in rows if "turn" in row) // len(results)),
    )
    if any(x > bound for x, bound in zip(found, (plays, pieces, rounds), strict=True)):
        yield f"plays, pieces, rounds are {found}, at most {(plays, pieces, rounds)} are possible"
    if len(results) < 4 and any(row.get("value") == "deck_out" for row in rows):
        yield f"the deck ran out with {len(results)} players"


def hand_cards_once(rows: Rows, ruleset: Any) -> Broken:
    """A hand card scores once at most, under the rules that say so."""
    if ruleset.final_hand_scoring == "full" or ruleset.endgame_special == "all_neighbours":
        return
    cards = {card.id: card.points for card in ruleset.deck().cards}
    for row in rows:
        if row.get("event") == "hand_card" and "points" in row:
            if row["points"] not in (0, cards[row["card"]]):
                yield f"{row['card']} scored {row['points']} points in hand"
