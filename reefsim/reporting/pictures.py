"""The figures of a report with their text alternatives and captions."""

from __future__ import annotations

from reefsim.reporting import figures, numbers, words
from reefsim.reporting.appendix_pictures import draw_appendix, draw_sweep, draw_tune
from reefsim.reporting.findings import Findings, records
from reefsim.reporting.picture import Picture, arms_of, who
from reefsim.reporting.report import Report
from reefsim.reporting.sentences import same_length_sentence
from reefsim.reporting.views import shown_lifts
from reefsim.stats.verdict import seat_name

_MOST_MAPS = 2  # arms whose maps are drawn


def draw(report: Report) -> dict[str, Picture]:
    """Figures of the sections that are shown, by name."""
    found = report.found
    if not found.num_games:
        return {}
    drawn: dict[str, Picture] = {}
    if "seats" in report.show:
        drawn |= {"seats": _seats(found), "scores": _scores(found)}
    lengths, ends = records(found.length, measure="rounds"), records(found.ends)
    if "length" in report.show and not same_length_sentence(lengths, ends):
        drawn |= {"length": _length(found), "ends": _ends(found)}
    if "changes" in report.show and len(found.comparisons):
        drawn["changes"] = _changes(found)
    drawn |= _story(report) | _pieces(report) | draw_sweep(report) | draw_tune(report)
    return drawn | draw_appendix(report)


def _seats(found: Findings) -> Picture:
    shares = " ".join(
        f"{row['arm']}, {seat_name(row['seat'])}: {numbers.percent(row['share'])}."
        for row in records(found.seats)
    )
    return Picture(
        figures.seats_figure(found.seats, arms_of(found), found.info.margin_pp, legend=False),
        f"Share of games won by each seat, with 95 % intervals. {shares}",
        f"Dot: share of games won. Line: 95 % interval. {who(found)}",
        data="seats",
    )


def _scores(found: Findings) -> Picture:
    scores = " ".join(
        f"{row['arm']}, {seat_name(row['seat'])}: median {numbers.whole(row['q50'])}, "
        f"middle half {numbers.whole(row['q25'])} to {numbers.whole(row['q75'])}."
        for row in records(found.scores)
    )
    return Picture(
        figures.scores_figure(found.scores, arms_of(found), legend=False),
        f"Scores by seat. {scores}",
        "Points by seat. Dot: median; thick: middle half of the games; thin: middle nine tenths. "
        + who(found),
        data="scores",
    )


def _length(found: Findings) -> Picture:
    targets = records(found.targets, metric="length_rounds") if len(found.targets) else []
    bands = {(r["wanted_low"], r["wanted_high"]) for r in targets if r["what"] == "median"}
    limits = {r["wanted_high"] for r in targets if r["what"] == "p95"}
    median = next(iter(bands)) if len(bands) == 1 else None
    p95 = next(iter(limits)) if len(limits) == 1 else None
    wanted = "; band: wanted for it" if median else ""
    wanted += "; dashed: limit wanted for the longest twentieth" if p95 is not None else ""
    cut = (
        " A tick ends a curve where games were cut short."
        if found.health["truncated"].sum()
        else ""
    )
    shares = " ".join(
        f"{row['arm']}: half by round {numbers.whole(row['q50'])}, "
        f"nine in ten between {numbers.whole(row['q05'])} and {numbers.whole(row['q95'])}."
        for row in records(found.length, measure="rounds")
    )
    return Picture(
        figures.length_figure(
            found.length_curve, arms_of(found), legend=False, median=median, p95=p95
        ),
        f"Share of games that are over by round. {shares}",
        f"Share of games that are over. The line at 50 % marks the median{wanted}.{cut} "
        + who(found),
        data="length_curve",
    )


def _ends(found: Findings) -> Picture:
    shares = " ".join(
        f"{row['arm']}, {words.cause_name(row['end_cause'])}: {numbers.percent(row['share'])}."
        for row in records(found.ends)
    )
    return Picture(
        figures.ends_figure(found.ends, arms_of(found), legend=False),
        f"Share of games by cause of their end. {shares}",
        f"How games end. Bar: share of games; line: 95 % interval. {who(found)}",
        data="ends",
    )


def _changes(found: Findings) -> Picture:
    return Picture(
        figures.changes_figure(found.comparisons, arms_of(found)),
        "Differences from the baseline, with 95 % intervals; the sentences give the numbers.",
        "Difference from the baseline with its 95 % interval; hollow: not yet known; gain: sharing "
        f"shuffles was worth so many times the games. {who(found)}",
        has_legend=False,
        data="comparisons",
    )


def _story(report: Report) -> dict[str, Picture]:
    story, found = report.story, report.found
    if story is None or not story.oracle or "story" not in report.show:
        return {}
    judged = words.counted(len(story.swings), "games")
    tables = f"by {who(found).partition(' by ')[2]}"
    half = story.fan[(story.fan["share_of_game"] - 0.5).abs() < 1e-9]
    chances = " ".join(
        f"{row['arm']}: median {numbers.percent(row['q50'], 0)} at half of the game."
        for row in records(half)
    )
    means = " ".join(
        f"{row['arm']}: {numbers.decimal(row['estimate'])} on average."
        for row in records(story.measures, metric="lead_changes_by_turn", oracle=story.oracle)
    )
    note = f"Oracle: {story.oracle}; {judged} {tables.rstrip('.')}"
    return {
        "fan": Picture(
            figures.fan_figure(story.fan, arms_of(found), found.info.seats),
            f"Win chance of the eventual winner through the game. {chances}",
            "Win chance of the eventual winner. Line: median; dark: middle half of the games; "
            f"pale: middle nine tenths. {note}.",
            has_legend=False,
            data="story_fan",
        ),
        "leads": Picture(
            figures.leads_figure(story.leads, arms_of(found)),
            f"Games by number of lead changes. {means}",
            f"Games by how often the lead had passed to another seat when a turn was over. {note}.",
            has_legend=False,
            data="lead_changes",
        ),
    }


def _pieces(report: Report) -> dict[str, Picture]:
    pieces, found = report.pieces, report.found
    if pieces is None:
        return {}
    drawn = {}
    lifted = shown_lifts(report)
    if len(lifted):
        shown = " ".join(
            f"{row['arm']}, {words.cause_name(row['action'])}: {numbers.decimal(row['lift'], 2)}."
            for row in records(lifted)
        )
        drawn["lifts"] = Picture(
            figures.lifts_figure(lifted, arms_of(found)),
            f"Count of actions among winners over that of all seats. {shown}",
            "Bar: how much more or less winners do it than all seats; line: 95 % interval. It is "
            f"no cause: who is about to win may have more to do. {who(found)}",
            data="lifts",
        )
    for drawing in pieces.maps:
        arms = _mapped(report, set(drawing.values["arm"]))
        top = float(drawing.values["value"].quantile(0.98)) if len(drawing.values) else 0.0
        for place, arm in enumerate(arms):
            least, most = (
                drawing.values.loc[getattr(drawing.values["value"], which)()]
                for which in ("idxmin", "idxmax")
            )
            drawn[f"map-{drawing.summary}-{place}"] = Picture(
                figures.map_figure(drawing.values, drawing.places, [arm], top),
                f"{drawing.count_meaning} on each place, {arm}. Most: {most['panel']} "
                f"{most['place']}; least: {least['panel']} {least['place']}.",
                f"{arm}: {drawing.count_meaning}, per time the map was in play. The fullest color "
                f"is {numbers.decimal(top)} or more; {words.counted(pieces.games[arm], 'games')} "
                f"by {words.line_up(found.info.arm(arm))}.",
                has_legend=False,
                data=f"map_{drawing.summary}",
            )
    return drawn


def _mapped(report: Report, there: set[str]) -> list[str]:
    """Arms whose maps are drawn: each table's first, which has the first rules."""
    seen: dict[tuple[str, ...], str] = {}
    for arm in report.info.arms:
        if arm.name in there:
            seen.setdefault(tuple(sorted(arm.lineup)), arm.name)
    return list(seen.values())[:_MOST_MAPS]
