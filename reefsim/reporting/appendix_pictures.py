"""The figures of the appendix, of sweeps and searches, with text alternatives and captions."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from reefsim.reporting import appendix_figures as drawing
from reefsim.reporting import numbers, words
from reefsim.reporting.answers import now, target_name
from reefsim.reporting.appendix import Appendix
from reefsim.reporting.figures import scores_figure, spread_figure
from reefsim.reporting.findings import records
from reefsim.reporting.picture import Picture, arms_of, who
from reefsim.reporting.report import Report
from reefsim.reporting.sweep_figures import sweep_figure
from reefsim.reporting.tune_figures import tune_figure
from reefsim.stats.verdict import seat_name

_MOST_CLAIMS = 12
_LABELS = {"score_mean": "mean score of a replicate", "rounds": "rounds", "turns": "turns"}


def draw_sweep(report: Report) -> dict[str, Picture]:
    """The figure of a sweep, if the run is one."""
    found = report.sweep
    if found is None:
        return {}
    shown = " ".join(
        f"{row['outcome'].replace('_', ' ')} at {point}: {_value(row)}."
        for row in records(found.curves)
        for point in found.points.loc[found.points["arm"] == row["arm"], "point"]
    )
    two = len(found.dials) > 1
    what = (
        "Fields: means; framed: everything that is wanted is met; star: the pick."
        if two
        else "Dot: mean, with its 95 % interval; line and band: the curve through all values; "
        "grey: what is wanted, of the mean or the median; dashed: the pick."
    )
    figure = sweep_figure(found, report.found.targets)
    alt = f"Outcomes by {' and '.join(found.dials)}. {shown}"
    return {
        "sweep": Picture(
            figure, alt, f"{what} {who(report.found)}", has_legend=False, data="sweep_curves"
        )
    }


def draw_tune(report: Report) -> dict[str, Picture]:
    """The figure of a search, if the run is its check."""
    found = report.tune
    if found is None:
        return {}
    names = found.settings.set_index("arm")["name"]
    shown = " ".join(
        f"{target_name(row)} of {names[row['arm']]}: {now(row)} ({row['status']})."
        for row in records(found.goals)
    )
    what = (
        f"Dot: value with its 95 % interval; hollow: {found.base}; grey: what is wanted"
        f"{'; orange: the pick' if found.pick else ''}."
    )
    picture = Picture(
        tune_figure(found),
        f"Settings against goals. {shown}",
        f"{what} {who(report.found)}",
        has_legend=False,
        data="tune_goals",
    )
    return {"tune": picture}


def _value(row: dict[str, Any]) -> str:
    if row["kind"] == "share":
        return numbers.percent(row["estimate"])
    return f"{numbers.decimal(row['estimate'])} {row['unit']}"


def draw_appendix(report: Report) -> dict[str, Picture]:
    """Figures of the appendix, those that the run has data for."""
    found = report.appendix
    if found is None:
        return {}
    drawn: dict[str, Picture] = {}
    for draw in (_skill, _margins, _drivers, _pairs, _recovery, _options, _luck, _course):
        drawn |= draw(report, found)
    return drawn | _areas(report)


def _skill(report: Report, found: Appendix) -> dict[str, Picture]:
    if found.by_table.empty:
        return {}
    info = report.info
    tables = list(dict.fromkeys(found.by_table["table"]))
    figure = drawing.skill_figure(found.by_table, tables, arms_of(report.found), info.margin_pp)
    shown = " ".join(
        f"{row['ruleset']}, {row['table'].replace('_', ' ')}: {numbers.percent(row['share'])}."
        for row in records(found.by_table)
    )
    caption = (
        "Games won by the first seat, table by table; band: 95 % interval, one color for each "
        f"ruleset. Grey: fair ± {numbers.decimal(info.margin_pp)} pp. {who(report.found)}"
    )
    return {"skill": Picture(figure, f"First seat by table. {shown}", caption, data="by_table")}


def _margins(report: Report, found: Appendix) -> dict[str, Picture]:
    label = "points less the mean of the others"
    shown = " ".join(
        f"{row['arm']}, {seat_name(row['seat'])}: median {numbers.whole(row['q50'])}."
        for row in records(found.seat_margins)
    )
    return {
        "margins": Picture(
            scores_figure(found.seat_margins, arms_of(report.found), legend=False, label=label),
            f"Points of each seat less the mean of the others. {shown}",
            "How far each seat is ahead of the others. Dot: median; thick: middle half of the "
            f"games; thin: middle nine tenths. {who(report.found)}",
            data="seat_margins",
        )
    }


def _drivers(report: Report, found: Appendix) -> dict[str, Picture]:
    if found.drivers.empty:
        return {}
    causes = list(dict.fromkeys(map(str, report.found.ends["end_cause"])))
    causes = [cause for cause in causes if cause in set(found.drivers["end_cause"].astype(str))]
    names = {cause: words.cause_name(cause) for cause in causes}
    shown = " ".join(
        f"{row['arm']}, {names[str(row['end_cause'])]}: median {numbers.whole(row['q50'])} in "
        f"{words.games(row)}."
        for row in records(found.drivers)
    )
    table = found.drivers.assign(end_cause=found.drivers["end_cause"].astype(str))
    figure = spread_figure(table, arms_of(report.found), "end_cause", names, "rounds", legend=False)
    caption = (
        "Rounds by what ended the game. Dot: median; thick: middle half of those games; thin: "
        f"middle nine tenths. {who(report.found)}"
    )
    return {"drivers": Picture(figure, f"Rounds by end. {shown}", caption, data="drivers")}


def _pairs(report: Report, found: Appendix) -> dict[str, Picture]:
    if found.pairs.empty:
        return {}
    label = _LABELS[str(found.pairs["measure"].iloc[0])]
    same = found.pairs.groupby("arm", sort=False)["identical"].mean()
    shown = " ".join(
        f"{arm}: {numbers.percent(share)} of pairs are identical." for arm, share in same.items()
    )
    figure = drawing.pairs_figure(found.pairs, arms_of(report.found), label)
    caption = (
        f"Each dot: a shuffle, its {label} under the baseline and under the arm; line: no change; "
        f"grey: pairs of identical games. The first 300 pairs of each. {who(report.found)}"
    )
    return {"pairs": Picture(figure, f"Pairs. {shown}", caption, has_legend=False, data="pairs")}


def _recovery(report: Report, found: Appendix) -> dict[str, Picture]:
    if found.recovery.empty or report.story is None:
        return {}
    arms = arms_of(report.found)
    figure = drawing.recovery_figure(found.recovery, found.recovery_curve, arms, report.info.seats)
    shown = " ".join(
        f"{row['arm']}, {numbers.whole(row['least'])} to {numbers.whole(row['most'])} behind: "
        f"{numbers.percent(row['share'], 0)}."
        for row in records(found.recovery)
    )
    judged = words.counted(len(report.story.swings), "games")
    caption = (
        "Chance to win by points behind the best other seat at half of the game; left of 0: "
        "ahead. Dot: seats by deficit, with 95 % interval; line: logistic curve. "
        f"{judged} by {who(report.found).partition(' by ')[2]}"
    )
    return {
        "recovery": Picture(
            figure, f"Won by points behind. {shown}", caption, has_legend=False, data="recovery"
        )
    }


def _options(report: Report, found: Appendix) -> dict[str, Picture]:
    if found.options.empty:
        return {}
    dots = len(found.effective) > 0
    figure = drawing.options_figure(found.options, found.effective, arms_of(report.found))
    means = found.options.groupby("arm", sort=False)["q50"].mean()
    shown = " ".join(f"{arm}: {numbers.decimal(mean)} in the mean." for arm, mean in means.items())
    caption = (
        "Legal actions per decision, turn by turn, up to where a tenth of the games are left. "
        "Line: median; band: middle half of the games"
        f"{'; dotted: effective choices, as the oracle values actions' if dots else ''}. "
        f"{who(report.found)}"
    )
    return {
        "options": Picture(
            figure, f"Legal actions by turn. {shown}", caption, has_legend=False, data="options"
        )
    }


def _rho(luck: pd.DataFrame) -> list[dict[str, Any]]:
    """One row for each arm, with `of`, its number of shuffles."""
    arms = luck.groupby("arm", sort=False, observed=True)
    return records(arms.first().assign(of=arms["shuffles"].sum()).reset_index())


def _luck(report: Report, found: Appendix) -> dict[str, Picture]:
    if found.luck.empty:
        return {}
    told = "; ".join(
        f"{row['arm']} {numbers.decimal(row['rho'], 2)} "
        f"({numbers.LEVEL}{numbers.span(row['low'], row['high'], digits=2)}, "
        f"{numbers.count(row['of'])} shuffles)"
        for row in _rho(found.luck)
    )
    figure = drawing.luck_figure(found.luck, arms_of(report.found))
    caption = (
        "Games of one shuffle, each with another seating, that the first seat wins alone. Bars: "
        "played; dots: if shuffles decided nothing. Share of the variance that lies between "
        f"shuffles: {told}. {who(report.found)}"
    )
    return {
        "luck": Picture(
            figure, f"What the shuffle decides. {told}.", caption, has_legend=False, data="luck"
        )
    }


def _course(report: Report, found: Appendix) -> dict[str, Picture]:
    table = found.courses
    if table.empty:
        return {}
    claims: list[Any] = [rows.iloc[-1] for _, rows in table.groupby("claim", sort=False)][
        :_MOST_CLAIMS
    ]
    table = table[table["claim"] < _MOST_CLAIMS]
    names = [_claim_name(row, len(report.info.arms) > 1) for row in claims]
    figure = drawing.course_figure(table, arms_of(report.found), names)
    shown = " ".join(f"{name}: {_value(row)}." for name, row in zip(names, claims, strict=True))
    caption = (
        "How the estimates settled. Band: 95 % at all looks together, wider than the interval of "
        "the verdict, which is looked at once; line: what the claim compares with; dashed: its "
        f"margin. {who(report.found)}"
    )
    return {
        "course": Picture(
            figure, f"Estimates by replicates. {shown}", caption, has_legend=False, data="courses"
        )
    }


def _claim_name(row: Any, has_arms: bool) -> str:
    name = str(row["outcome"]).replace("_", " ")
    if row["seat"] is not None and not math.isnan(row["seat"]):
        name += f", {seat_name(int(row['seat'])).removeprefix('the ')}"
    if not has_arms:
        return name
    return f"{name}\n{row['arm']}{' − baseline' if row['against'] else ''}"


def _areas(report: Report) -> dict[str, Picture]:
    drawn = {}
    arms = arms_of(report.found)
    for series in report.pieces.series if report.pieces is not None else ():
        last = series.values.groupby(["arm", "thing"], sort=False)["value"].last().reset_index()
        shown = " ".join(
            f"{row['arm']}, {row['thing']}: {numbers.decimal(row['value'])} at last."
            for row in records(last)
        )
        drawn[f"areas-{series.summary}"] = Picture(
            drawing.areas_figure(series.values, arms, series.count_meaning, series.time),
            f"{series.meaning}. {shown}",
            f"{series.meaning[:1].upper()}{series.meaning[1:]}, means of the games that last so "
            f"long, stacked. {who(report.found)}",
            has_legend=False,
            data=f"series_{series.summary}",
        )
    return drawn
