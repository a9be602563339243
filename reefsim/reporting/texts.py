"""The sentences of a report, by place; those of an arm stand together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from reefsim.reporting import notes, phrases, sentences, tune
from reefsim.reporting.appendix import median_fork
from reefsim.reporting.cards import skill_range
from reefsim.reporting.findings import Findings, records
from reefsim.reporting.report import Report
from reefsim.reporting.story import measure
from reefsim.reporting.views import CSS_CALLS, answer_groups

ByArm = list[tuple[int, list[str]]]


def texts(report: Report) -> dict[str, Any]:
    """Sentences of a page by name of the place."""
    found, info = report.found, report.info
    unit = notes.primary_length(info)
    is_answered = bool(len(found.answers)) and (found.answers["role"] == "primary").any()
    others = info.primary != "first_seat_share" and not unit
    limits = notes.limits(info, found.health)
    if skill := skill_range(info.arms):
        limits.insert(1, skill)
    return {
        "firsts": [_first_seat(found, row) for row in records(found.seats, seat=0)],
        "answers": _answers(found),
        "asked": answer_groups(found) if is_answered and others else [],
        "caveats": notes.caveat_notes(info),
        "primary_note": "" if is_answered else notes.primary_note(info),
        "length_answers": _length_answers(found, unit) if unit else [],
        "seat_texts": _by_arm(found, _seat_sentences),
        "skill_texts": [
            phrases.skill_sentence(row, info.arm(row["arm"]), info.arm(row["other"]))
            for row in records(report.skills)
        ],
        "same_length": sentences.same_length_sentence(
            records(found.length, measure="rounds"), records(found.ends)
        ),
        "length_texts": _by_arm(found, _length_sentences),
        "end_texts": _by_arm(found, _end_sentences),
        "score_texts": _by_arm(found, _score_sentences),
        "change_texts": _by_arm(found, _change_sentences),
        "story_texts": _story_texts(report),
        "oracle_note": _oracle_note(report),
        "tune_texts": []
        if report.tune is None
        else [tune.answer(report.tune), tune.how(report.tune)],
        "sweep_text": "" if report.sweep is None else phrases.sweep_sentence(report.sweep),
        "pairing": notes.pairing_note(found.comparisons, median_fork(report.forks)),
        "limits": limits,
    }


def _by_arm(found: Findings, write: Callable[[Findings, str], list[str]]) -> ByArm:
    """Sentences of every arm that has some, with its place in the plan."""
    lines = [(index, write(found, arm.name)) for index, arm in enumerate(found.info.arms)]
    return [(index, texts) for index, texts in lines if texts]


def _only(table: Any, **wanted: Any) -> dict[str, Any] | None:
    rows = records(table, **wanted)
    return rows[0] if rows else None


def _first_seat(found: Findings, row: Mapping[str, Any]) -> str:
    margin_pp = found.info.margin_pp
    share = sentences.share_sentence(row, found.info.arm(row["arm"]), margin_pp)
    verdict, reason = sentences.verdict_sentence(row, margin_pp)
    return Markup("{} <strong>{}</strong>{}").format(share, verdict, reason)


def _seat_sentences(found: Findings, arm: str) -> list[str]:
    rows = records(found.seats, arm=arm)
    first = _only(found.seats, arm=arm, seat=0)
    if first is None:
        return []
    # a single arm has its sentence at the top of the page, and a table next to the figure
    is_single = len(found.info.arms) == 1
    lines = [] if is_single else [_first_seat(found, first), sentences.other_seats_sentence(rows)]
    lines.append(sentences.caution(first))
    lines += [sentences.agent_sentence(row) for row in records(found.agents, arm=arm)]
    return [line for line in lines if line]


def _length_sentences(found: Findings, arm: str) -> list[str]:
    lines = [
        sentences.length_sentence(row) for row in records(found.length, arm=arm, measure="rounds")
    ]
    health = records(found.health, arm=arm)
    return lines + [sentences.truncated_sentence(row) for row in health if row["games"]]


def _end_sentences(found: Findings, arm: str) -> list[str]:
    rows = records(found.ends, arm=arm)
    enders = [sentences.ender_sentence(row) for row in records(found.enders, arm=arm)]
    return [sentences.end_sentence(rows), *enders] if rows else []


def _score_sentences(found: Findings, arm: str) -> list[str]:
    return [sentences.margin_sentence(row) for row in records(found.margins, arm=arm)]


def _change_sentences(found: Findings, arm: str) -> list[str]:
    rows = records(found.comparisons, arm=arm)
    lines = [sentences.change_sentence(row) for row in rows]
    return [*lines, sentences.pairing_sentence(rows[0])] if rows else []


def _answers(found: Findings) -> list[tuple[str, str, str]]:
    calls = {sentences.short_verdict(row): row["call"] for row in records(found.seats, seat=0)}
    return [
        (verdict, arms, CSS_CALLS.get(calls[verdict], calls[verdict]))
        for verdict, arms in sentences.answer(records(found.seats))
    ]


def _length_answers(found: Findings, unit: str) -> list[str]:
    """Answer to a question about length: the change if there is a baseline, else the lengths."""
    changes = records(found.comparisons, measure=unit)
    if changes:
        return [sentences.change_sentence(row) for row in changes]
    lengths = records(found.length, measure=unit)
    several = len(found.info.arms) > 1
    return [
        f"{row['arm']}: {sentences.length_sentence(row)}"
        if several
        else sentences.length_sentence(row)
        for row in lengths
    ]


def _story_texts(report: Report) -> ByArm:
    story = report.story
    if story is None or not story.oracle:
        return []
    found = []
    for index, arm in enumerate(report.info.arms):
        half = story.fan[(story.fan["arm"] == arm.name) & (story.fan["share_of_game"] == 0.5)]
        lines = [phrases.half_time_sentence(row, report.info.seats) for row in records(half)]
        rows = (measure(story, name, arm.name) for name in phrases.STORY)
        lines += [phrases.story_sentence(row) for row in rows if row is not None]
        if lines:
            found.append((index, lines))
    return found


def _oracle_note(report: Report) -> str:
    story = report.story
    if story is None or not story.oracle:
        return ""
    note = phrases.oracle_note(story.oracle)
    if report.info.seats == 2:
        note += " With two seats there is nobody else to make a king."
    return note
