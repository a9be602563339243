"""Sentences of the sections on skill, story and pieces: fixed templates, as in `sentences`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reefsim.reporting.manifest import ArmInfo
from reefsim.reporting.numbers import LEVEL, NBSP, count, decimal, percent, signed, span
from reefsim.reporting.sweep import Sweep
from reefsim.reporting.words import counted, games, line_up

Row = Mapping[str, Any]


def skill_sentence(row: Row, one: ArmInfo, other: ArmInfo) -> str:
    """Compare what the first seat wins at two tables under the same rules.

    Parameters
    ----------
    row : of `report.Report.skills`
    one, other : the arms of the row, weaker table first as the file has them
    """
    pairs = "pairs" if row["paired"] else "replicates each"
    interval = f"{LEVEL}{span(row['low'], row['high'], 100)}, {count(row['replicates'])} {pairs}"
    text = (
        f"Under {row['ruleset']} rules, the first seat wins {percent(row['share'])} with "
        f"{line_up(one)} and {percent(row['other_share'])} with {line_up(other)}, a difference of "
        f"{signed(100 * row['difference'])}{NBSP}pp ({interval}): "
    )
    if row["low"] > 0 or row["high"] < 0:
        return text + "seat balance depends on who plays."
    return text + "whether balance depends on who plays is not yet known."


def sweep_sentence(found: Sweep) -> str:
    """Tell which value of a sweep to take, and why; or why there is none."""
    if not found.pick:
        return f"No value is picked: {found.why}."
    pick = found.points.loc[found.points["arm"] == found.pick, "point"].iloc[0]
    return (
        f"Pick: {pick} ({found.why}). The best of several values is partly luck: reefsim sweep "
        "plays the pick again in fresh shuffles."
    )


def half_time_sentence(row: Row, seats: int) -> str:
    """How likely the eventual winner's win was at half of the game.

    Parameters
    ----------
    row : of `story.Story.fan`, at half of the game
    seats : number of seats
    """
    return (
        f"At half of the game, the eventual winner's chance is {percent(row['q50'], 0)} in the "
        f"median game, {percent(row['q25'], 0)} to {percent(row['q75'], 0)} in the middle half "
        f"({games(row)}; all start with {percent(1 / seats, 0)} if seats are fair)."
    )


_STORY = {
    "lead_changes_by_turn": "The lead passes to another seat {value} times a game, turn by turn",
    "clinch_share": "The winner leads for good after {value} of the game",
    "comeback": "The winner was last in points at half of the game in {value} of games",
    "leader_share_50": "Who leads in points at half of the game wins {value} of games",
    "kingmaking_share": "A seat without a chance decided who wins in {value} of games",
}
STORY = tuple(_STORY)
STORY_NAMES = {
    "lead_changes_by_turn": "Lead changes, turn by turn",
    "clinch_share": "Winner leads for good after",
    "comeback": "Won by who was last at half of the game",
    "leader_share_50": "Won by who led at half of the game",
    "kingmaking_share": "Decided by a seat without a chance",
}


def story_sentence(row: Row) -> str:
    """Tell a measure of the story of games, with its interval.

    Parameters
    ----------
    row : of `story.Story.measures`, of a metric in `STORY`
    """
    is_share = row["kind"] == "share"
    value = percent(row["estimate"]) if is_share else decimal(row["estimate"])
    interval = span(row["low"], row["high"], 100 if is_share else 1)
    return f"{_STORY[row['metric']].format(value=value)} ({LEVEL}{interval}, {games(row)})."


def oracle_note(oracle: str) -> str:
    """Whose chances a story rests on."""
    what = {
        "evaluation": "the players' own evaluation, fitted to the results of the games",
        "points": "each seat's share of the points",
        "rollouts": "playouts of every turn by a simple player",
    }.get(oracle, oracle)
    return (
        f"Chances as the oracle \u201c{oracle}\u201d sees them ({what}). Compare arms with each "
        "other; levels depend on the oracle."
    )


def use_words(row: Row) -> str:
    """How much more or less a thing is used than others of its kind."""
    ratio = f"{decimal(row['ratio'], 2)} times the mean"
    if row["low"] != row["low"]:
        return f"{ratio} in every one of {row['batches']} batches"
    return f"{ratio} ({LEVEL}{span(max(0.0, row['low']), row['high'], digits=2)})"


def lift_words(row: Row) -> str:
    """How much more or less often winners take a kind of action than all seats do."""
    far = row["lift"] - 1
    side = "more" if far > 0 else "less"
    return (
        f"winners {percent(abs(far), 0)} {side} often than all seats "
        f"(lift {decimal(row['lift'], 2)}, {LEVEL}{span(row['low'], row['high'], digits=2)}; "
        f"{decimal(row['per_game'])} a game and seat, {counted(row['replicates'], 'replicates')})"
    )
