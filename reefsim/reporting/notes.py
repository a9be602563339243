"""What stands around the findings: which outcome is answered, and what a run does not show."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from reefsim.reporting.findings import records
from reefsim.reporting.manifest import RunInfo
from reefsim.reporting.numbers import count, decimal, percent
from reefsim.reporting.weight_notes import weight_notes
from reefsim.reporting.words import counted, listed, number_word

_LENGTH_NAMES = {"length_rounds": "rounds", "length_turns": "turns"}
_GAINS = ("first_seat_share", "score_mean", "rounds")  # measures whose pairing gains are told
_LITTLE = 1.5  # a gain below that is explained


def primary_note(info: RunInfo) -> str:
    """Say which outcome the answer is about, if it is not the one the experiment asked for."""
    if info.primary == "first_seat_share" or info.primary in _LENGTH_NAMES:
        return ""
    return (
        f"The primary outcome of this experiment, {info.primary}, is not among the outcomes of "
        "this report; the answer below is about the first seat."
    )


def caveat_notes(info: RunInfo) -> list[str]:
    """Say what the game says that every output has to say, and of which arms if not of all."""
    by_caveat: dict[str, list[str]] = {}
    for arm in info.arms:
        for caveat in arm.caveats:
            by_caveat.setdefault(caveat, []).append(arm.name)
    return [
        caveat if len(names) == len(info.arms) else f"{caveat} (Arms: {listed(names)}.)"
        for caveat, names in by_caveat.items()
    ]


def primary_length(info: RunInfo) -> str:
    """Name the unit of length an experiment is about ('rounds', 'turns'); empty if none."""
    return _LENGTH_NAMES.get(info.primary, "")


def limits(info: RunInfo, health: pd.DataFrame) -> list[str]:
    """List what a run does not show.

    Parameters
    ----------
    info : what was played
    health : games by arm, of `findings.Findings`
    """
    names = sorted({name for arm in info.arms for name in arm.lineup})
    played = f"The games were played by {listed(names)} agents" if names else "Agents played"
    notes = [
        f"Agents are not people. {played}; people may find other plans, or miss these.",
    ]
    if len({frozenset(arm.lineup) for arm in info.arms}) < 2:
        notes.append(
            "Balance depends on skill, and only one table was tried. Whether these verdicts hold "
            "for stronger or weaker players is not known."
        )
    notes.append("Nothing here measures fun, tension, or the time a game takes at a table.")
    if len(info.arms) > 1:
        notes.append(
            f"Each interval covers its own number in 95 of 100 experiments. With "
            f"{number_word(len(info.arms))} arms side by side, one that stands out by chance is "
            "likelier than that."
        )
    notes += weight_notes(info.arms)
    if info.failed:
        notes.append(
            f"{counted(info.failed, 'games')} failed and are missing everywhere (table failures "
            "tells why, `reefsim bug` bundles what reproduces one). If they failed in some "
            "positions rather than others, what is left is biased."
        )
    if health["truncated"].sum():
        cut = int(health["truncated"].sum())
        notes.append(
            f"{counted(cut, 'games')} {'was' if cut == 1 else 'were'} cut short. Whoever was ahead "
            "then counts as the winner, and the true length is unknown."
        )
    missing = health[health["replicates"] < health["planned"]]
    if len(missing):
        played, planned = count(missing["replicates"].sum()), count(missing["planned"].sum())
        arms = listed(list(missing["arm"]))
        notes.append(f"The run is not complete: {played} of {planned} replicates of {arms}.")
    return notes


def pairing_note(
    comparisons: pd.DataFrame, parted: Mapping[str, tuple[float, int, int]] | None = None
) -> str:
    """What sharing the shuffles was worth, arm by arm; empty where nothing is shared.

    Parameters
    ----------
    comparisons : of `stats.compare_arms`
    parted : of `appendix.median_fork`; empty if no events were kept
    """
    paired = records(comparisons[comparisons["identical"].notna()])
    gains = {(row["arm"], row["measure"]): row["gain"] for row in paired}
    identical = {row["arm"]: row["identical"] for row in paired}
    if not identical:
        return ""
    arms = [
        f"{arm} {', '.join(_times(gains[arm, name]) for name in _GAINS)} ({percent(share)})"
        for arm, share in identical.items()
    ]
    note = (
        "Worth of sharing, in times as many games for the first seat's wins, the score and the "
        f"rounds, and pairs that are identical games: {'; '.join(arms)}."
    )
    if all(gains[arm, name] < _LITTLE for arm in identical for name in _GAINS):
        note += (
            " That is little: the players do something else early on, and then the games of a "
            "pair have little in common. Rules that matter late are compared better."
        )
    if parted:
        where = (f"{arm} {_parted(*found)}" for arm, found in parted.items())
        note += (
            " First ply in which the games of a pair differ, chance and set-up included, as the "
            f"median of pairs: {'; '.join(where)}."
        )
    return note


def _parted(median: float, pairs: int, same: int) -> str:
    """Where pairs part; never, if most of them do not."""
    typical = "none" if math.isinf(median) else count(median)
    alike = f", {count(same)} of them the same to their end" if same else ""
    return f"{typical} ({counted(pairs, 'pairs')}{alike})"


def _times(gain: float) -> str:
    return "(nothing varies)" if math.isnan(gain) else f"{decimal(gain, 2)}"
