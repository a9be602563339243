"""What a ladder found: its numbers, its sentences, and its tables in the terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reefsim.reporting.findings import Run, records
from reefsim.reporting.manifest import RunInfo, read_manifest
from reefsim.reporting.notes import caveat_notes
from reefsim.reporting.numbers import LEVEL, NONE, count, decimal, percent, span, whole
from reefsim.reporting.tables import new_table
from reefsim.reporting.weight_notes import weight_notes
from reefsim.reporting.words import games, listed, number_word
from reefsim.stats.intervals import share
from reefsim.stats.ladder import FEW, Circle, agent_ratings, circles, head_to_head, steps
from reefsim.stats.replicates import estimate_by

ANCHOR_KIND = "random"  # the agent that ratings are measured from, if one plays
MOST_IN_MATRIX = 6  # agents whose shares fit into a square with their intervals
CALLS = {"above": "plays better", "open": "not yet known", "below": "against the ratings"}
_TONES = {"above": "green", "open": "cyan", "below": "yellow"}
_GAMES = ("arm", "game_id", "replicate", "rotation", "players", "truncated")
_PLAYERS = ("game_id", "seat", "slot", "agent", "rank", "win_share")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Ladder:
    """Numbers of a ladder; tables as documented by the functions of `stats.ladder`.

    Attributes
    ----------
    info : what was asked and how it was run
    anchor, has_random : agent whose rating is 0, and whether it is a random one
    games, planned, truncated : counts of games; planned is None if unknown
    ratings, head_to_head, steps : best agent first
    circles : agents that beat each other in threes
    cut_short : sentence about the games that a limit stopped
    """

    info: RunInfo
    anchor: str
    has_random: bool
    games: int
    planned: int | None
    truncated: int
    ratings: pd.DataFrame
    head_to_head: pd.DataFrame
    steps: pd.DataFrame
    circles: list[Circle]
    cut_short: str

    def tables(self) -> dict[str, pd.DataFrame]:
        """Tables by name."""
        return {
            "ratings": self.ratings,
            "head_to_head": self.head_to_head,
            "steps": self.steps,
        }

    @property
    def agents(self) -> list[str]:
        """Agents, best first."""
        return list(self.ratings["agent"])


def is_ladder(run: Run) -> bool:
    """Whether the games of a run are those of a ladder."""
    return run.manifest.get("kind") == "ladder"


def find_ladder(run: Run) -> Ladder:
    """Compute what the page of a ladder shows.

    Parameters
    ----------
    run : an open run of a ladder

    Returns
    -------
    Ladder
        With empty tables if no game is finished yet.
    """
    played = run.table("games", _GAMES)
    played = played.assign(arm=played["arm"].astype(str))
    players = run.table("players", _PLAYERS)
    info = read_manifest(run.manifest, played)
    kinds = {
        name: spec.get("kind") if isinstance(spec, Mapping) else spec
        for arm in run.manifest["arms"]
        for name, spec in arm["agents"].items()
    }
    seen = [name for arm in info.arms for name in arm.lineup if name in set(players["agent"])]
    is_random = [name for name in seen if kinds.get(name) == ANCHOR_KIND]
    anchor = next(iter([*is_random, *seen]), "")
    planned = [arm["games"] for arm in run.manifest["arms"] if "games" in arm]
    has_games = bool(len(played))
    heads = head_to_head(played, players) if has_games else pd.DataFrame()
    seed = int(run.manifest.get("seed", 0))
    ratings = agent_ratings(played, players, anchor, seed) if has_games else pd.DataFrame()
    return Ladder(
        info=info,
        anchor=anchor,
        has_random=bool(is_random),
        games=len(played),
        planned=sum(planned) or None,
        truncated=int(played["truncated"].sum()),
        ratings=ratings,
        head_to_head=heads,
        steps=steps(ratings, heads) if has_games else pd.DataFrame(),
        circles=circles(heads) if has_games else [],
        cut_short=_cut_short(played) if has_games else "",
    )


def _cut_short(played: pd.DataFrame) -> str:
    cut = played[["replicate"]].assign(cut=played["truncated"].astype(float), all="all")
    cell = next(estimate_by(cut, "cut", ["all"], share))
    found = cell.estimate
    return (
        f"{count(played['truncated'].sum())} of {count(len(played))} games were cut short by a "
        f"limit ({LEVEL}{span(found.low, found.high, 100, 2)}); whoever was ahead then won."
    )


# --- words -----------------------------------------------------------------------------------


def rating_text(row: Row) -> str:
    """Rating in points, which have no digits: '95'."""
    return whole(row["rating"])


def rating_span(row: Row) -> str:
    """Interval of a rating; one without limit on a side says so.

    >>> rating_span({"low": 574.8, "high": math.inf})
    '575 or more'
    """
    low, high = row["low"], row["high"]
    if math.isnan(low):
        return NONE
    if math.isinf(low):
        return "unknown" if math.isinf(high) else f"{whole(high)} or less"
    return f"{whole(low)} or more" if math.isinf(high) else span(low, high, digits=0)


def answer(found: Ladder) -> str:
    """Who is on top, by how much, and on how many games that rests."""
    best = records(found.ratings)[0]
    if best["agent"] == found.anchor:
        return f"{best['agent']} is on top; no agent is rated above it ({games(best)})."
    return (
        f"{best['agent']} is on top, rated {rating_text(best)} points above {found.anchor} "
        f"({LEVEL}{rating_span(best)}, {games(best)})."
    )


def steps_answer(found: Ladder) -> str:
    """How many steps of the ladder are beyond doubt."""
    clear, total = int((found.steps["call"] == "above").sum()), len(found.steps)
    if total == 1:
        return "Its one step is clear." if clear else "Its one step is not clear."
    return (
        f"Of its {number_word(total)} steps {number_word(clear)} "
        f"{'is' if clear == 1 else 'are'} clear: the interval of the stronger one's share of "
        "games lies above the fair one."
    )


def step_sentence(row: Row, seats: int) -> str:
    """Share of the stronger of two neighbors, and whether it is more than fair."""
    closing = {
        "above": f"{row['stronger']} plays better.",
        "open": "Which of them plays better is not yet known.",
        "below": f"That is less than fair, although {row['stronger']} is rated higher.",
    }
    return (
        f"{pairing(row['stronger'], row['weaker'], seats)} wins {percent(row['share'])} of games "
        f"({LEVEL}{span(row['low'], row['high'], 100)}, {games(row)}; fair would be "
        f"{decimal(100 * row['fair'])}). {closing[row['call']]}"
    )


def pairing(row: str, column: str, seats: int) -> str:
    """Who plays: 'top against random', 'one top among two random'.

    >>> pairing("top", "random", 4)
    'one top among three random'
    """
    if seats == 2:
        return f"{row} against {column}"
    others = f"{column}s" if column.endswith(" agent") else column
    return f"one {row} among {number_word(seats - 1)} {others}"


def circle_sentences(found: Ladder) -> list[str]:
    """Circles of three, or that there is none."""
    if len(found.agents) < 3:
        return ["Two agents make no circle."]
    if not found.circles:
        return [
            "No circle: there are no three agents of whom the first beats the second, the second "
            "the third and the third the first with intervals that exclude the fair share."
        ]
    return [
        f"Circle: {one} beats {two}, {two} beats {three}, and {three} beats {one}; each interval "
        "excludes the fair share. One scale of ratings cannot show that."
        for one, two, three in found.circles
    ]


def anchor_sentence(found: Ladder) -> str:
    """From where ratings are measured."""
    if found.has_random:
        return f"Ratings are measured from {found.anchor}, which has 0."
    return f"No random agent plays, so ratings are measured from the first one, {found.anchor}."


def cell_games(found: Ladder) -> str:
    """Games behind every share of the matrix."""
    fewest, most = int(found.head_to_head["games"].min()), int(found.head_to_head["games"].max())
    shown = count(fewest) if fewest == most else f"{count(fewest)} to {count(most)}"
    return f"{shown} games in each field"


def limits(found: Ladder) -> list[str]:
    """List what a ladder does not show."""
    notes = [
        "Agents are not people. A ladder says which of these agents plays better, not how much a "
        "person could still learn.",
        "A rating depends on who else plays. It rests on the order in which players finish, the "
        "shares on games won: an agent that wins or comes last can rank differently in the two.",
        f"Intervals of ratings are those of the distance to {found.anchor}. Whether two neighbors "
        "differ is a question for their step.",
        "Each interval covers its own number in 95 of 100 ladders; among many, one that stands "
        "out by chance is likelier than that.",
    ]
    notes += weight_notes(found.info.arms)
    replicates = int(found.ratings["replicates"].min()) if found.games else 0
    if 0 < replicates < FEW:
        notes.append(
            f"Only {number_word(replicates)} replicates were played: intervals of ratings are "
            f"rough below {FEW}."
        )
    notes += [
        f"{row['agent']}: {row['note']}."
        for row in records(found.ratings)
        if row["note"] and row["agent"] != found.anchor
    ]
    if found.truncated:
        notes.append(found.cut_short)
    if found.planned and found.games < found.planned:
        played, planned = count(found.games), count(found.planned)
        notes.append(f"The run is not complete: {played} of {planned} games.")
    return notes


# --- terminal --------------------------------------------------------------------------------


def print_ladder(found: Ladder, console: Console) -> None:
    """Print a ladder: ratings, head-to-head shares, steps and circles.

    Parameters
    ----------
    found : of `find_ladder`
    console : where to print; its width decides where lines wrap
    """
    console.print(Text(found.info.question, style="bold"))
    if not found.games:
        console.print("No game is finished yet.")
        return
    for line in caveat_notes(found.info):
        console.print(Text(line, style="yellow"))
    console.print(ratings_table(found))
    console.print(Text(anchor_sentence(found), style="dim"))
    console.print(heads_table(found))
    if len(found.agents) <= MOST_IN_MATRIX:
        below = f"Below each share its 95 % interval; {cell_games(found)}."
        console.print(Text(below, style="dim"))
    console.print(steps_table(found))
    for line in circle_sentences(found):
        console.print(Text(line, style="yellow" if found.circles else ""))
    if found.truncated:
        console.print(Text(found.cut_short, style="yellow"))
    closing = f"{count(found.games)} games by {listed(found.agents)}. Agents are not people."
    console.print(Text(closing, style="dim"))


def ratings_table(found: Ladder) -> Table:
    """Rating and share of all games of every agent, with intervals."""
    fair = percent(1 / found.info.seats)
    numbers = ["rating", "95 %", "games", "wins per seat", "95 % "]
    table = new_table(f"Ladder (wins per seat: fair would be {fair})", ["agent"], numbers)
    for row in records(found.ratings):
        table.add_row(
            row["agent"],
            rating_text(row),
            rating_span(row),
            count(row["games"]),
            percent(row["share"]),
            span(row["share_low"], row["share_high"], 100),
        )
    return table


def heads_table(found: Ladder) -> Table:
    """Shares of row agents among column agents: a square, or a list if there are many agents."""
    seats, names = found.info.seats, found.agents
    title = f"Games won by {pairing('ROW', 'COLUMN', seats)}: fair would be {percent(1 / seats)}"
    rows = {(row["row"], row["column"]): row for row in records(found.head_to_head)}
    if len(names) > MOST_IN_MATRIX:
        table = new_table(title, ["row", "column"], ["wins", "95 %", "games"])
        for row in rows.values():
            table.add_row(row["row"], row["column"], *_share(row))
        return table
    table = new_table(title, [""], names)
    for name in names:
        cells = [rows.get((name, other)) for other in names]
        table.add_row(
            name,
            *(
                f"{percent(cell['share'])}\n{span(cell['low'], cell['high'], 100)}" if cell else ""
                for cell in cells
            ),
        )
    return table


def steps_table(found: Ladder) -> Table:
    """Share of each agent among copies of the next one below."""
    fair = percent(1 / found.info.seats)
    title = f"Steps: games won by the stronger one (fair would be {fair})"
    table = new_table(title, ["step"], ["wins", "95 %", "games"], ["verdict"])
    for row in records(found.steps):
        step = pairing(row["stronger"], row["weaker"], found.info.seats)
        table.add_row(step, *_share(row), Text(CALLS[row["call"]], style=_TONES[row["call"]]))
    return table


def _share(row: Row) -> tuple[str, str, str]:
    return percent(row["share"]), span(row["low"], row["high"], 100), count(row["games"])
