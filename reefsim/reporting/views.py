"""What a page and its Markdown show of a report, as plain rows: one place for both."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reefsim.core.wording import noun, plain
from reefsim.games import registry
from reefsim.reporting import answers, sentences, tune
from reefsim.reporting.findings import Findings, records
from reefsim.reporting.numbers import LEVEL, NBSP, count, decimal, percent, signed, span, whole
from reefsim.reporting.phrases import STORY_NAMES, lift_words, use_words
from reefsim.reporting.report import Report
from reefsim.reporting.story import measure
from reefsim.reporting.words import counted
from reefsim.stats.targets import INSIDE, OUTSIDE
from reefsim.stats.verdict import about

CSS_CALLS = {"small": "small-effect"}
_ANSWERS = {"yes": "fair", "no": "unfair"}
_STATUSES = {INSIDE: "fair", OUTSIDE: "unfair"}
_MOST_COLUMNS, MOST_NUMBERS = 4, 6  # arms side by side: with verdicts, with numbers alone
_MOST_USES = 4  # of a kind of things
_MOST_LIFTS = 8


def verdict_rows(found: Findings) -> list[dict[str, Any]]:
    """Rows of the verdict table: claims, then targets; the first seats where nothing is asked.

    Returns
    -------
    list of dict: arm, what, now, interval, wanted, words, sub, css, games, seat (row of the first
    seat that a gauge shows, or None)
    """
    rows = [_claim_row(found, row) for row in _primary(found)]
    if not rows:
        rows = [_seat_row(row, found.info.margin_pp) for row in records(found.seats, seat=0)]
    return rows + [_target_row(row) for row in records(found.targets)]


def _primary(found: Findings) -> list[dict[str, Any]]:
    return records(found.answers, role="primary") if len(found.answers) else []


def _claim_row(found: Findings, row: Mapping[str, Any]) -> dict[str, Any]:
    first = None
    if row["outcome"] == "first_seat_share" and math.isclose(
        row["null"], 1 / max(1, found.info.seats)
    ):
        seats = records(found.seats, arm=row["arm"], seat=0)
        first = seats[0] if seats and row["method"] != "anytime" else None
    css = _ANSWERS.get(row["answer"], "open")
    if row["call"] in ("favours", "small"):
        css = CSS_CALLS.get(row["call"], str(row["call"]))
    words, sub = _split(str(row["verdict"]))
    asked = answers.asked(row)
    if answers.is_difference(row):
        asked = asked.replace(str(row["against"]), "the baseline")
    return {
        "arm": row["arm"],
        "what": answers.outcome_name(row),
        "now": answers.estimate(row),
        "interval": answers.interval(row),
        "wanted": asked,
        "words": words,
        "sub": sub,
        "css": css,
        "games": f"{count(row['games'])}",
        "replicates": answers.replicates(row),
        "seat": first,
    }


def _split(verdict: str) -> tuple[str, str]:
    """A verdict as the start of a sentence, and what is still missing."""
    words, _, rest = verdict.partition(" (")
    text = words[:1].upper() + words[1:]
    return text.replace(" pp", f"{NBSP}pp"), rest.rstrip(")")


def _seat_row(row: Mapping[str, Any], margin_pp: float) -> dict[str, Any]:
    sub = "" if pd.isna(row["more"]) else f"needs {about(int(row['more']))} more replicates"
    return {
        "arm": row["arm"],
        "what": "first seat share",
        "now": percent(row["share"]),
        "interval": span(row["low"], row["high"], 100),
        "wanted": f"{percent(row['fair'])} ± {decimal(margin_pp)}{NBSP}pp",
        "words": sentences.short_verdict(row),
        "sub": sub,
        "css": CSS_CALLS.get(row["call"], str(row["call"])),
        "games": count(row["games"]),
        "replicates": count(row["replicates"]),
        "seat": row,
    }


def _target_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "arm": row["arm"],
        "what": answers.target_name(row),
        "now": answers.now(row),
        "interval": answers.target_span(row),
        "wanted": str(row["wanted"]),
        "words": str(row["status"]).capitalize(),
        "sub": "",
        "css": _STATUSES.get(row["status"], "open"),
        "games": count(row["games"]),
        "replicates": count(row["replicates"]),
        "seat": None,
    }


@dataclass(frozen=True)
class Matrix:
    """Lines by what is told, columns by arm.

    Attributes
    ----------
    arms : names of the columns
    games : of each column, in words; empty where cells have their own
    lines : what is told, a note on it, and a cell for each arm (None: nothing)
    """

    arms: tuple[str, ...]
    games: tuple[str, ...]
    lines: tuple[tuple[str, str, tuple[dict[str, Any] | None, ...]], ...]


def matrix(
    rows: Sequence[Mapping[str, Any]], arms: Sequence[str], most: int = _MOST_COLUMNS
) -> Matrix | None:
    """Rows with `arm`, `what`, `wanted` and `games` as a matrix; None if it would be too wide.

    Parameters
    ----------
    rows : of `verdict_rows`, or like them
    arms : in the order of the plan
    most : columns
    """
    if not 2 <= len(arms) <= most or not rows:
        return None
    cells: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for row in rows:
        cells.setdefault((row["what"], row["wanted"]), {})[row["arm"]] = dict(row)
    counts = {arm: {row["games"] for row in rows if row["arm"] == arm} for arm in arms}
    is_even = all(len(found) <= 1 for found in counts.values())
    games = tuple(
        _of_games(next(iter(counts[arm]))) if is_even and counts[arm] else "" for arm in arms
    )
    for found in cells.values():
        for cell in found.values():
            cell["games"] = "" if is_even else _of_games(cell["games"])
    lines = (
        (what, wanted, tuple(found.get(arm) for arm in arms))
        for (what, wanted), found in cells.items()
    )
    return Matrix(tuple(arms), games, tuple(lines))


def _of_games(number: str) -> str:
    return f"{number} {noun(1 if number == '1' else 2, 'games')}"


def _cell(arm: str, what: str, now: str, interval: str, games: float, wanted: str = "") -> Any:
    return {
        "arm": arm,
        "what": what,
        "wanted": wanted,
        "now": now,
        "interval": interval,
        "games": count(games),
        "words": "",
        "sub": "",
        "css": "",
        "seat": None,
    }


def length_rows(found: Findings) -> list[dict[str, Any]]:
    """Length of each arm for a matrix: median, tail, longest, games that were cut short."""
    rows = []
    for row in records(found.length, measure="rounds"):
        beyond = math.inf if math.isnan(row["beyond"]) else row["beyond"]
        arm, games = row["arm"], row["games"]
        median = "≥" if beyond <= 0.5 else ""
        interval = span(row["low"], row["high"], 1, 0)
        longest = ("≥" if row["truncated"] else "") + whole(row["max"])
        rows += [
            _cell(arm, "Median rounds", median + whole(row["q50"]), interval, games),
            _cell(arm, "The longest twentieth lasts at least", whole(row["q95"]), "", games),
            _cell(arm, "Longest game", longest, "", games),
        ]
    for row in records(found.health):
        if row["games"]:
            share = span(row["low"], row["high"], 100, 2)
            cut = f"{count(row['truncated'])}"
            text = f"{share} %" if share != "no interval" else ""
            rows.append(_cell(row["arm"], "Cut short", cut, text, row["games"]))
    return rows


def story_rows(report: Report) -> list[dict[str, Any]]:
    """The story of games for a matrix: one row per measure and arm."""
    story = report.story
    if story is None or not story.oracle:
        return []
    rows = []
    for row in records(story.fan):
        if row["share_of_game"] == 0.5:
            interval = f"{span(row['q25'], row['q75'], 100, 0)}, half of the games"
            name = "Winner's chance at half of the game, median"
            rows.append(_cell(row["arm"], name, percent(row["q50"], 0), interval, row["games"]))
    for metric, name in STORY_NAMES.items():
        for arm in report.info.arms:
            found = measure(story, metric, arm.name)
            if found is None:
                continue
            share = found["kind"] == "share"
            value = percent(found["estimate"]) if share else decimal(found["estimate"])
            interval = span(found["low"], found["high"], 100 if share else 1)
            rows.append(_cell(arm.name, name, value, interval, found["games"]))
    return rows


def answer_groups(found: Findings) -> list[tuple[str, str, str, str]]:
    """Answers to primary outcomes that are neither seat balance nor length, told by verdict.

    Returns
    -------
    list of (outcome, verdict, arms with their numbers, css class)
    """
    groups: dict[tuple[str, str], list[str]] = {}
    css: dict[tuple[str, str], str] = {}
    for row in _primary(found):
        shown = _claim_row(found, row)
        key = (f"{shown['what']} {shown['wanted']}".strip(), shown["words"])
        text = (
            f"{row['arm']} ({shown['now']}, {LEVEL}{shown['interval']}, "
            f"{shown['replicates']}{'' if answers.is_difference(row) else ' replicates'})"
        )
        groups.setdefault(key, []).append(text)
        css[key] = shown["css"]
    return [
        (what, words, "; ".join(arms), css[what, words]) for (what, words), arms in groups.items()
    ]


def grid(found: Findings) -> tuple[list[str], list[tuple[str, list[dict[str, Any] | None]]]]:
    """First seat by ruleset (rows) and table (columns); empty if there is but one table."""
    arms = found.info.arms
    tables = list(dict.fromkeys(_table(arm.name, arm.ruleset) for arm in arms))
    if len(tables) < 2:
        return [], []
    rows = []
    for ruleset in dict.fromkeys(arm.ruleset for arm in arms):
        cells: list[dict[str, Any] | None] = []
        for table in tables:
            fits = [a for a in arms if a.ruleset == ruleset and _table(a.name, a.ruleset) == table]
            seats = records(found.seats, arm=fits[0].name, seat=0) if fits else []
            cells.append(_seat_row(seats[0], found.info.margin_pp) if seats else None)
        rows.append((ruleset, cells))
    return [table.replace("_", " ") for table in tables], rows


def _table(arm: str, ruleset: str) -> str:
    return arm.removeprefix(f"{ruleset}-")


def standouts(report: Report) -> list[dict[str, Any]]:
    """Things of a game that stand out, by what is counted.

    Returns
    -------
    list of dict: title, compared (comparisons made), rows of (thing, what is counted, how much it
    is used, in which arms)
    """
    pieces = report.pieces
    if pieces is None or pieces.uses.empty:
        return []
    summaries = {s.name: s for s in registry.info(report.game).summaries}
    found = []
    for name, table in pieces.uses.groupby("summary", sort=False):
        summary = summaries[str(name)]
        num_arms = table["arm"].nunique()
        rows = [
            (
                str(row["thing"]),
                summary.counts[str(row["count"])],
                use_words(row),
                _where(out, num_arms),
            )
            for row, out in _most(table[table["stands_out"]])
        ]
        title = summary.meaning[:1].upper() + summary.meaning[1:]
        found.append({"title": title, "compared": len(table), "rows": rows, "name": str(name)})
    return found


def _most(table: pd.DataFrame) -> list[tuple[dict[str, Any], list[str]]]:
    """The things that stand out most: in most arms, then by most; each with its arms."""
    found = []
    for _, rows in table.groupby(["count", "thing"], sort=False):
        up = rows["ratio"] > 1
        side = rows[up] if up.sum() * 2 >= len(rows) else rows[~up]
        size = float(np.abs(np.log(side["ratio"].clip(lower=0.01))).mean())
        first = {str(name): value for name, value in side.iloc[0].items()}
        found.append((len(side), size, first, [str(arm) for arm in side["arm"]]))
    found.sort(key=lambda entry: (-entry[0], -entry[1]))
    return [(row, arms) for _, _, row, arms in found[:_MOST_USES]]


def _where(arms: Sequence[str], num_arms: int) -> str:
    if num_arms == 1:
        return ""
    if len(arms) == num_arms:
        return f"in every arm; here {arms[0]}"
    return arms[0] if len(arms) == 1 else f"in {len(arms)} of {num_arms} arms; here {arms[0]}"


def lift_rows(report: Report) -> list[tuple[str, str, str]]:
    """Kinds of actions that winners take clearly more or less often: arm, kind, words."""
    table = shown_lifts(report)
    return (
        [
            (str(row["arm"]), str(row["action"]).replace("_", " "), lift_words(row))
            for row in records(table[table["stands_out"]])
        ]
        if len(table)
        else []
    )


def shown_lifts(report: Report) -> pd.DataFrame:
    """Rows of the kinds of actions that stand out in some arm, most lifted first."""
    table = report.pieces.lifts if report.pieces is not None else pd.DataFrame()
    if table.empty or not table["stands_out"].any():
        return pd.DataFrame()
    out = table[table["stands_out"]]
    size = np.log(out["lift"].clip(lower=0.01)).abs().groupby(out["action"]).max()
    kinds = list(size.sort_values(ascending=False).index[:_MOST_LIFTS])
    rows = table[table["action"].isin(kinds)]
    return rows.sort_values("action", key=lambda c: c.map(kinds.index), kind="stable")


def families(overview: pd.DataFrame) -> list[tuple[str, list[dict[str, Any]]]]:
    """Rows of the appendix by family: name, arm, now, interval, games, difference and its p."""
    found = []
    for family, rows in overview.groupby("family", sort=False) if len(overview) else ():
        found.append((str(family), [_metric_row(row) for row in records(rows)]))
    return found


def _metric_row(row: Mapping[str, Any]) -> dict[str, Any]:
    share = row["kind"] == "share"
    scale, digits = (100, 1) if share else (1, _digits(row))
    has_difference = not math.isnan(row["difference"])
    told = {"outcome": row["metric"], "seat": row["seat"]}
    return {
        "name": answers.outcome_name(told),
        "arm": row["arm"],
        "now": percent(row["estimate"]) if share else decimal(row["estimate"], digits),
        "unit": "" if share else row["unit"],
        "interval": span(row["low"], row["high"], scale, digits),
        "games": count(row["games"]),
        "difference": signed(scale * row["difference"], digits) + (f"{NBSP}pp" if share else "")
        if has_difference
        else "",
        "diff_interval": span(row["diff_low"], row["diff_high"], scale, digits)
        if has_difference
        else "",
        "p": answers.p_value(row["p_adjusted"]),
        "is_clear": row["p_adjusted"] < 0.05,
        "gain": "" if math.isnan(row["gain"]) else decimal(row["gain"], 2),
    }


def _digits(row: Mapping[str, Any]) -> int:
    """More digits for small numbers."""
    size = abs(float(row["estimate"]))
    return 1 if size >= 10 else 2 if size >= 0.1 else 3


def sweep_rows(report: Report) -> list[dict[str, Any]]:
    """Values of a sweep: what they are, the estimate of each outcome, and what is met together."""
    found = report.sweep
    if found is None:
        return []
    by_arm: dict[str, list[tuple[str, str]]] = {}
    for row in records(found.curves):
        told = row | {"claim": "estimate", "null": math.nan, "against": ""}
        by_arm.setdefault(row["arm"], []).append((answers.estimate(told), answers.interval(told)))
    return [
        {
            "point": " × ".join(plain(row[name]) for name in found.dials),
            "cells": by_arm.get(row["arm"], []),
            "status": row["status"] if row["wanted"] else "",
            "css": _STATUSES.get(row["status"], "open"),
            "is_pick": row["arm"] == found.pick,
            "replicates": count(
                found.curves.loc[found.curves["arm"] == row["arm"], "replicates"].min()
            ),
        }
        for row in records(found.points)
    ]


def tune_rows(report: Report) -> list[dict[str, Any]]:
    """Settings of a search: their rules, each goal, and what they are against the base."""
    found = report.tune
    if found is None:
        return []
    return [
        {
            "name": row["name"],
            "setting": row["setting"],
            "is_base": row["is_base"],
            "is_pick": row["arm"] == found.pick,
            "front": row["front"],
            "cells": [_goal_cell(goal) for goal in records(found.goals, arm=row["arm"])],
        }
        for row in records(found.settings)
    ]


def _goal_cell(row: Mapping[str, Any]) -> dict[str, str]:
    value, interval = tune.goal_cell(row)
    has_change = not pd.isna(row["change"])
    return {
        "now": value,
        "interval": interval,
        "status": str(row["status"]),
        "css": _STATUSES.get(str(row["status"]), "open"),
        "change": tune.change(row) if has_change else "",
        "change_interval": tune.change_span(row) if has_change else "",
        "effect": str(row["effect"]) if has_change else "",
    }


def tune_goals(report: Report) -> list[tuple[str, str]]:
    """The goals of a search: their names, and what is wanted."""
    if report.tune is None:
        return []
    first = records(report.tune.goals, arm=report.tune.goals["arm"].iloc[0])
    return [(answers.target_name(row), str(row["wanted"])) for row in first]


def health_rows(report: Report) -> list[dict[str, str]]:
    """Whether the run of each arm can be trusted: games, cut short, failed, time, players."""
    if report.appendix is None:
        return []
    return [
        {
            "arm": str(row["arm"]),
            "games": count(row["games"]),
            "replicates": f"{count(row['replicates'])} of {count(row['planned'])}",
            "truncated": count(row["truncated"]),
            "interval": f"{span(row['low'], row['high'], 100, 2)}{NBSP}%" if row["games"] else "",
            "failed": count(row["failed"]),
            "time": "" if math.isnan(row["ms_per_game"]) else decimal(row["ms_per_game"]),
            "agents": str(row["agents"]),
        }
        for row in records(report.appendix.health)
    ]


def oracle_rows(report: Report) -> list[tuple[str, str, list[str]]]:
    """Measures of the story by arm (rows) and oracle (columns)."""
    story = report.story
    if story is None or story.measures.empty:
        return []
    found = []
    for (metric, arm), rows in story.measures.groupby(["metric", "arm"], sort=False):
        by_oracle = {row["oracle"]: row for row in records(rows)}
        found.append(
            (
                str(metric).replace("_", " "),
                str(arm),
                [_measure(by_oracle.get(name)) for name in story.oracles],
            )
        )
    return found


def _measure(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "–"
    share = row["kind"] == "share"
    value = percent(row["estimate"]) if share else decimal(row["estimate"], 2)
    interval = span(row["low"], row["high"], 100 if share else 1, 1 if share else 2)
    return f"{value} [{interval}], {counted(row['games'], 'games')}"


def stopping_text(stopping: Mapping[str, Any]) -> str:
    """How a run came to its end, in words."""
    if not stopping:
        return ""
    rule = stopping.get("rule", "fixed")
    wanted = {
        "fixed": "a number of replicates fixed before the first game",
        "precision": "until the intervals are narrow enough, by ordinary intervals",
        "decision": "until every primary claim is decided, by intervals that hold at every look",
    }.get(str(rule), str(rule))
    ended = stopping.get("stopped_by")
    if not ended:
        return f"{wanted}; the run is not complete"
    replicates = stopping.get("replicates")
    number = counted(replicates, "replicates") if isinstance(replicates, int) else ""
    return f"{wanted}: {number}" if rule == "fixed" else f"{wanted}: {number}, ended by {ended}"


def correction_text(report: Report) -> str:
    """Which corrections were made for asking several questions."""
    parts = []
    if len(report.found.answers):
        found = report.found.answers
        for role in ("primary", "secondary"):
            used = sorted({c for c in found[found["role"] == role]["correction"] if c})
            names = {"holm": "Holm", "bh": "Benjamini–Hochberg", "bonferroni": "Bonferroni"}
            if used:
                parts.append(f"{role} outcomes {', '.join(names.get(c, c) for c in used)}")
    if "pieces" in report.show or "appendix" in report.show:
        parts.append("pieces, actions and the table of all metrics Benjamini–Hochberg")
    return "; ".join(parts) or "none"
