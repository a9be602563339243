"""Claims, targets and comparisons as rows of the terminal: the same words everywhere."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from rich.table import Table
from rich.text import Text

from reefsim.core.wording import noun
from reefsim.reporting.numbers import (
    NBSP,
    NONE,
    count,
    decimal,
    percent,
    signed,
    span,
)
from reefsim.stats.targets import INSIDE, OPEN, OUTSIDE
from reefsim.stats.verdict import seat_name

ANSWERS = {"yes": "green", "no": "bold red", "open": "cyan", "": ""}
STATUSES = {INSIDE: "green", OUTSIDE: "bold red", OPEN: "cyan"}
_SURE = 0.0005  # p values below are not told apart


def outcome_name(row: Mapping[str, Any]) -> str:
    """Name of the outcome of a row, with its seat."""
    name = str(row["outcome"]).replace("_", " ")
    seat = row.get("seat")
    if seat is None or pd.isna(seat):
        return name
    return f"{name}, {seat_name(int(seat)).removeprefix('the ')}"


def is_difference(row: Mapping[str, Any]) -> bool:
    """Whether a row compares two arms."""
    return row["null"] == 0 and row["claim"] != "estimate" and bool(row["against"])


def estimate(row: Mapping[str, Any]) -> str:
    """Estimate of a row: a share in percent, a difference of shares in percentage points."""
    value = float(row["estimate"])
    if math.isnan(value):
        return NONE
    if row["kind"] != "share":
        return f"{signed(value, 2) if is_difference(row) else decimal(value, 2)}{NBSP}{row['unit']}"
    return f"{signed(100 * value)}{NBSP}pp" if is_difference(row) else percent(value)


def interval(row: Mapping[str, Any]) -> str:
    """Interval of a row, in the unit of `estimate`."""
    low, high = float(row["low"]), float(row["high"])
    share = row["kind"] == "share"
    return span(low, high, 100 if share else 1, 1 if share else 2)


def p_value(p: float) -> str:
    """P value to three digits.

    >>> p_value(0.0213), p_value(1e-9)
    ('0.021', '<0.001')
    """
    if math.isnan(p):
        return ""
    return "<0.001" if p < _SURE else f"{p:.3f}"


def asked(row: Mapping[str, Any]) -> str:
    """What is claimed, in words: 'equivalent to 1/seats ± 2.0 pp'."""
    verb = {"differs": "differs from", "equivalent": "equivalent to", "superior": "larger than"}
    if row["claim"] not in verb:
        return ""
    text = f"{verb[row['claim']]} {row['against']}"
    if math.isnan(row["margin"]):
        return text
    share = row["kind"] == "share"
    amount = (
        f"{100 * row['margin']:.1f}{NBSP}pp"
        if share
        else f"{row['margin']:g}{NBSP}{noun(row['margin'], row['unit'])}"
    )
    return f"{text} {'+' if row['claim'] == 'superior' else '±'} {amount}"


def answers_table(rows: Sequence[Mapping[str, Any]], table: Table) -> None:
    """Fill a table of claims: arm, what is asked, estimate, interval, replicates, p, verdict.

    Parameters
    ----------
    rows : of `stats.claims.find_answers`
    table : with seven columns
    """
    for row in rows:
        verdict = Text(
            str(row["verdict"]).replace(" pp", f"{NBSP}pp"), style=ANSWERS[row["answer"]]
        )
        table.add_row(
            str(row["arm"]),
            Text(f"{outcome_name(row)} {asked(row)}".strip()),
            estimate(row),
            interval(row),
            replicates(row),
            p_value(row["p_adjusted"]),
            verdict,
        )


def secondary_rows(rows: Sequence[Mapping[str, Any]], table: Table, compared: bool) -> None:
    """Fill a table of secondary outcomes: one row per outcome and arm.

    Parameters
    ----------
    rows : of `stats.claims.find_answers`: estimates, each perhaps followed by its difference
    table : with seven columns, or four if nothing is compared
    compared : whether anything is
    """
    last = ""
    for row in rows:
        if row["claim"] != "estimate":
            continue
        name = outcome_name(row)
        cells = ["" if name == last else name, str(row["arm"]), estimate(row), interval(row)]
        last = name
        difference = [
            other
            for other in rows
            if other["claim"] == "differs"
            and (other["arm"], outcome_name(other)) == (row["arm"], name)
        ]
        for other in difference[:1]:
            style = ANSWERS["yes"] if other["answer"] == "yes" else ""
            p = Text(p_value(other["p_adjusted"]), style=style)
            table.add_row(*cells, estimate(other), interval(other), p)
        if not difference:
            table.add_row(*cells, *([""] * 3 if compared else []))


def replicates(row: Mapping[str, Any]) -> str:
    """Replicates behind a row, and how they were compared."""
    number = count(float(row["replicates"]))
    if not is_difference(row):
        return number
    return f"{number} {'pairs' if row['paired'] else 'each'}"


def targets_table(rows: Sequence[Mapping[str, Any]], table: Table) -> None:
    """Fill a table of targets: arm, target, wanted, now, interval, replicates, status.

    Parameters
    ----------
    rows : of `stats.targets.find_targets`
    table : with seven columns
    """
    for row in rows:
        table.add_row(
            str(row["arm"]),
            target_name(row),
            str(row["wanted"]),
            now(row),
            target_span(row),
            count(float(row["replicates"])),
            Text(str(row["status"]), style=STATUSES[row["status"]]),
        )


def target_name(row: Mapping[str, Any]) -> str:
    """Name of a target with what it is about: 'length rounds, median'."""
    name = str(row["target"]).replace("_", " ")
    if row["agent"]:
        return f"{name} (wins of {row['agent']})"
    if row["seat"] is not None and not pd.isna(row["seat"]):
        return f"{name}, {seat_name(int(row['seat'])).removeprefix('the ')}"
    return name if row["what"] == "share" else f"{name}, {row['what']}"


def now(row: Mapping[str, Any]) -> str:
    """Estimate of a target."""
    value = float(row["estimate"])
    if row["kind"] == "share":
        return percent(value, _digits(row))
    return decimal(value, 0 if row["what"] in ("median", "p95") else 2)


def target_span(row: Mapping[str, Any]) -> str:
    """Interval of a target."""
    low, high = float(row["low"]), float(row["high"])
    if row["kind"] == "share":
        return span(low, high, 100, _digits(row))
    return span(low, high, 1, 0 if row["what"] in ("median", "p95") else 2)


def _digits(row: Mapping[str, Any]) -> int:
    """More digits where what is wanted is a fraction of a percent."""
    ends = [abs(float(row[name])) for name in ("wanted_low", "wanted_high")]
    least = min((end for end in ends if math.isfinite(end) and end > 0), default=1.0)
    return 1 if least >= 0.01 else 2 if least >= 0.001 else 3
