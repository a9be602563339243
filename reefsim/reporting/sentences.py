"""Findings in sentences: fixed templates, so that the same numbers always read the same.

Every sentence that gives a share or a mean gives its interval and the games it rests on, and
every sentence on balance names the agents that played.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reefsim.reporting.manifest import ArmInfo
from reefsim.reporting.numbers import LEVEL, NBSP, count, decimal, percent, signed, span, whole
from reefsim.reporting.words import cause_name, counted, games, line_up, listed, number_word
from reefsim.stats.proportions import upper_bound
from reefsim.stats.verdict import Call, about, favours, seat_name

Row = Mapping[str, Any]

_CHANGES = {
    "first_seat_share": "the first seat's win share",
    "score_mean": "the mean score",
    "turns": "the length in turns",
    "rounds": "the length in rounds",
}


def share_sentence(row: Row, arm: ArmInfo, margin_pp: float) -> str:
    """How often a seat wins, with interval, games, the fair share, and the agents.

    Parameters
    ----------
    row : of `stats.seat_shares`
    arm : whose agents played
    margin_pp : margin of the verdict
    """
    moving = " that take turns in every seat" if arm.is_mixed and row["rotated"] else ""
    fair = f"{decimal(100 * row['fair'])}{NBSP}±{NBSP}{decimal(margin_pp)}"
    seats = number_word(int(row["seats"]))
    return (
        f"With {line_up(arm)}{moving}, {seat_name(int(row['seat']))} wins {percent(row['share'])} "
        f"of {seats}-player games ({_interval(row)}; fair would be {fair})."
    )


def verdict_sentence(row: Row, margin_pp: float) -> tuple[str, str]:
    """Word the verdict on a seat, and its reason.

    Parameters
    ----------
    row : of `stats.seat_shares`
    margin_pp : margin of the verdict

    Returns
    -------
    verdict, reason
        'Unfair' and ': the whole interval lies above 35.3, ...'; to be read as one sentence.
    """
    fair, margin = 100 * row["fair"], margin_pp
    low, high = 100 * row["low"], 100 * row["high"]
    floor, ceiling, middle = decimal(fair - margin), decimal(fair + margin), decimal(fair)
    call, ahead = row["call"], row["share"] > row["fair"]
    reason = "."
    if call == Call.FAIR:
        reason = f": the whole interval lies between {floor} and {ceiling}, around {middle}."
    elif call == Call.SMALL:
        reason = f": the interval excludes {middle} but lies between {floor} and {ceiling}."
    elif call == Call.UNFAIR:
        whom = favours(ahead, int(row["seat"]), int(row["seats"]))
        side = f"above {ceiling}" if ahead else f"below {floor}"
        reason = f": the whole interval lies {side}, in favour of {whom}."
    elif call == Call.FAVOURS:
        passed = ceiling if ahead else floor
        reason = f": the interval excludes {middle} but reaches past {passed}. {_settle(row)}"
    elif call == Call.OPEN:
        below, above = low < fair - margin, high > fair + margin
        passed = " and ".join([floor] * below + [ceiling] * above)
        reason = f": the interval contains {middle} and reaches past {passed}. {_settle(row)}"
    return short_verdict(row), reason


def other_seats_sentence(rows: Sequence[Row]) -> str:
    """Say what the seats after the first win, with their verdicts.

    Parameters
    ----------
    rows : of `stats.seat_shares`, one arm; the first seat is left out
    """
    parts = []
    for row in (row for row in rows if row["seat"] > 0):
        verdict = short_verdict(row)
        parts.append(
            f"{seat_name(int(row['seat']))} wins {percent(row['share'])} ({_interval(row)}), "
            f"{verdict[0].lower()}{verdict[1:]}"
        )
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def caution(row: Row) -> str:
    """Warn of what to know before using a seat's share; empty if there is nothing."""
    if row["note"]:
        return f"Careful: {row['note']}; the interval allows for what was not seen."
    if not row["rotated"]:
        return (
            "Careful: the agents did not take turns in every seat, so a seat's share is partly "
            "its agent's."
        )
    return ""


def answer(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Answer for the first seat: one line per verdict, with the arms it holds for.

    Parameters
    ----------
    rows : of `stats.seat_shares`; only first seats are read

    Returns
    -------
    list of (verdict, arms)
        The arms with their shares; in the order of `Call`.
    """
    groups: dict[str, list[str]] = {}
    first = [row for row in rows if row["seat"] == 0]
    for row in sorted(first, key=lambda row: list(Call).index(Call(row["call"]))):
        shown = f"{row['arm']} ({percent(row['share'])}, {_interval(row)})"
        groups.setdefault(short_verdict(row), []).append(shown)
    return [(verdict, listed(arms)) for verdict, arms in groups.items()]


def short_verdict(row: Row) -> str:
    """Word a verdict without the replicates it needs, as the start of a sentence."""
    words = "not yet known" if row["call"] == Call.OPEN else str(row["verdict"])
    return words[0].upper() + words[1:].replace(" pp", f"{NBSP}pp")


def agent_sentence(row: Row) -> str:
    """How often an agent of a mixed line-up wins, per place it holds."""
    if row["low"] > row["fair"]:
        compared = "more than"
    else:
        compared = "less than" if row["high"] < row["fair"] else "not clearly different from"
    return (
        f"A {row['agent']} agent wins {percent(row['share'])} per place "
        f"({_interval(row)}), "
        f"{compared} {decimal(100 * row['fair'])}."
    )


def length_sentence(row: Row) -> str:
    """Typical length, the long tail, and games that were cut short.

    Parameters
    ----------
    row : of `stats.length_quantiles`
    """
    unit = str(row["measure"])
    beyond = math.inf if math.isnan(row["beyond"]) else row["beyond"]
    text = (
        f"The median game lasts {counted(row['q50'], unit)} "
        f"({LEVEL}{span(row['low'], row['high'], digits=0)}, {games(row)})"
    )
    if beyond <= 0.5:
        return (
            f"More than half of the games were cut short: the median lies beyond "
            f"{counted(row['max'], unit)} ({games(row)})."
        )
    if beyond > 0.75:
        text += f", the middle half {whole(row['q25'])} to {whole(row['q75'])}"
    if beyond > 0.95:
        longest = "at least " if row["truncated"] else ""
        text += f"; the longest twentieth lasts at least {whole(row['q95'])}"
        text += f", the longest game {longest}{whole(row['max'])}."
    else:
        text += f"; the longest twentieth lasts at least {whole(row['max'])}, where games are cut."
    return text


def same_length_sentence(lengths: Sequence[Row], ends: Sequence[Row]) -> str:
    """Say that all games of a run are equally long and end alike; empty if they do not.

    Parameters
    ----------
    lengths : of `stats.length_quantiles`, in rounds
    ends : of `stats.end_causes`
    """
    seen = {row["end_cause"] for row in ends if row["count"] > 0}
    rounds = {row[name] for row in lengths for name in ("q05", "max")}
    if len(seen) != 1 or len(rounds) != 1 or any(row["truncated"] for row in lengths):
        return ""
    total = counted(sum(row["games"] for row in lengths), "games")
    return (
        f"Every game lasts {counted(rounds.pop(), 'rounds')} and ends by "
        f"\u201c{cause_name(seen.pop())}\u201d ({total})."
    )


def truncated_sentence(row: Row) -> str:
    """How many games an engine limit cut short, or how rare that must be.

    Parameters
    ----------
    row : of the table `health`
    """
    if row["truncated"] == 0:
        bound = percent(upper_bound(0, int(row["replicates"])), 2)
        return f"No game was cut short ({LEVEL.strip()}: fewer than {bound} are)."
    share = f"{percent(row['share'], 2)}, {LEVEL}{span(row['low'], row['high'], 100, 2)}"
    return (
        f"{count(row['truncated'])} of {games(row)} ({share}) were cut short by a limit and "
        "count as at least that long."
    )


def end_sentence(rows: Sequence[Row]) -> str:
    """List what ends games, most frequent cause first.

    Parameters
    ----------
    rows : of `stats.end_causes`, one arm
    """
    seen = [row for row in rows if row["count"] > 0]
    if not seen:
        return "No game has ended yet."
    causes = [
        f"\u201c{cause_name(row['end_cause'])}\u201d in {percent(row['share'])} "
        f"({LEVEL}{span(row['low'], row['high'], 100)})"
        for row in seen[:3]
    ]
    return f"Games end by {listed(causes)}; {games(seen[0])}."


def ender_sentence(row: Row) -> str:
    """Whether ending the game wins it.

    Parameters
    ----------
    row : of `stats.ender_wins`
    """
    return (
        f"Whoever ends the game wins it in {percent(row['share'])} of cases "
        f"({_interval(row)}; "
        f"{decimal(100 * row['fair'])} if ending had nothing to do with winning)."
    )


def margin_sentence(row: Row) -> str:
    """How far the winner is ahead, and how often the first two are level.

    Parameters
    ----------
    row : of `stats.winner_margins`
    """
    level, shared = (
        f"{percent(row[f'{name}_share'])} "
        f"({LEVEL}{span(row[f'{name}_low'], row[f'{name}_high'], 100)})"
        for name in ("tiebreak", "shared")
    )
    return (
        f"The best score is {decimal(row['margin'])} points above the second on average "
        f"({LEVEL}{span(row['low'], row['high'])}, {games(row)}). The first two are level in "
        f"{level} of games; {shared} end shared."
    )


def change_sentence(row: Row) -> str:
    """Difference between an arm and its baseline.

    Parameters
    ----------
    row : of `stats.compare_arms`
    """
    what = _CHANGES[row["measure"]]
    if math.isnan(row["low"]):
        why = row["note"] or "no interval"
        return f"No interval for the change of {what} in {row['arm']}: {why}."
    scale, unit = (100, "pp") if row["unit"] == "share" else (1, row["unit"])
    pairs = "pairs" if row["paired"] else "replicates each, unpaired"
    shown = f"{signed(scale * row['difference'])} {unit}"
    interval = f"{LEVEL}{span(row['low'], row['high'], scale)}, {count(row['replicates'])} {pairs}"
    if row["low"] <= 0 <= row["high"]:
        return f"Whether {row['arm']} changes {what} is not yet known: {shown} ({interval})."
    return f"Against {row['baseline']}, {row['arm']} changes {what} by {shown} ({interval})."


def pairing_sentence(row: Row) -> str:
    """Say what pairing was worth for the first comparison of an arm.

    Parameters
    ----------
    row : of `stats.compare_arms`
    """
    if math.isnan(row["gain"]) and math.isnan(row["identical"]):
        return "The arms do not share their shuffles, so the intervals are unpaired."
    identical = f"{percent(row['identical'])} of pairs are identical games."
    if math.isnan(row["gain"]):
        return f"Nothing varies; {identical}"
    if row["gain"] < 1:
        return (
            f"Sharing shuffles did not help (gain {decimal(row['gain'], 2)}), so the interval is "
            f"the unpaired one; {identical}"
        )
    worth = "infinitely" if math.isinf(row["gain"]) else f"{decimal(row['gain'])} times"
    return f"Sharing shuffles was worth {worth} as many games; {identical}"


def _interval(row: Row) -> str:
    """Interval of a share and the games it rests on."""
    return f"{LEVEL}{span(row['low'], row['high'], 100)}, {games(row)}"


def _settle(row: Row) -> str:
    forecast = about(int(row["more"]))
    more = f"{forecast[0].upper()}{forecast[1:]} more replicates"
    return f"{more} would settle it if the estimate stays."
