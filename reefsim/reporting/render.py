"""The report of a run: one HTML file that needs no network, and its numbers as CSV beside it.

The keys of the manifest that are read stand in `reefsim.reporting.manifest`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from markupsafe import Markup

from reefsim.errors import ReefsimError
from reefsim.reporting import figures, notes, numbers, sentences, theme, words
from reefsim.reporting.findings import Findings, Run, find, records
from reefsim.stats.length import LEVELS
from reefsim.stats.verdict import about, seat_name

# the markers of `theme.MARKERS` as paths in a box of 32 x 16, for legends outside of figures
_PATHS = {
    "o": "M11 8a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z",
    "D": "M16 2l6 6-6 6-6-6Z",
    "s": "M11.5 3.5h9v9h-9Z",
    "^": "M16 2.5l6 10.5h-12Z",
    "v": "M16 13.500l6-10.5h-12Z",
    "P": "M14 3h4v3h3v4h-3v3h-4v-3h-3v-4h3Z",
    "X": "M12 2l4 4 4-4 2 2-4 4 4 4-2 2-4-4-4 4-2-2 4-4-4-4Z",
    "*": "M16 1l2 5h5l-4 3.500 1.500 5.500-4.500-3.500-4.500 3.500 1.500-5.500-4-3.500h5Z",
}
_CSS_CALLS = {"small": "small-effect"}


def find_page(out: Path) -> Path:
    """Find the page that is meant by a ``*.html`` file or a folder, which gets ``report.html``.

    Raises
    ------
    ReefsimError : if another kind of file is named
    """
    if out.suffix.lower() == ".html":
        return out
    if out.suffix and not out.is_dir():
        raise ReefsimError(
            f"{out}: the page is HTML: name a *.html file or a folder "
            "(one with a dot in its name must exist)."
        )
    return out / "report.html"


def write_report(run: Run, out: Path) -> Path:
    """Write the report of a run.

    Parameters
    ----------
    run : an open run
    out : the page (``*.html``), or a folder that gets ``report.html``

    Returns
    -------
    pathlib.Path
        The page. Its tables stand as CSV in the folder ``<stem>_data`` next to it.

    Raises
    ------
    ReefsimError : if ``out`` is another kind of file
    """
    page = find_page(Path(out))
    found = find(run)
    return write_page(page, found.tables(), lambda folder: render(found, folder))


def write_page(page: Path, tables: Mapping[str, pd.DataFrame], text: Callable[[str], str]) -> Path:
    """Write a page, and its tables as CSV in the folder ``<stem>_data`` next to it.

    Parameters
    ----------
    page : the ``*.html`` file
    tables : by name
    text : makes the page, given the name of the folder

    Returns
    -------
    pathlib.Path
        The page.
    """
    data = page.with_name(f"{page.stem}_data")
    data.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.to_csv(data / f"{name}.csv", index=False, lineterminator="\n")
    draft = page.with_name(f".{page.name}.part")
    draft.write_text(text(data.name), encoding="utf-8", newline="\n")
    draft.replace(page)  # a reader never sees half a page
    return page


def render(found: Findings, data_folder: str = "") -> str:
    """Page of a run's findings.

    Parameters
    ----------
    found : of `findings.find`
    data_folder : name of the folder with the tables

    Returns
    -------
    str
        A whole HTML document.
    """
    template = environment().get_template("report.html.j2")
    info = found.info
    seats_text = f"{words.number_word(info.seats)} players" if info.seats else ""
    return template.render(
        found=found,
        info=info,
        arms=_arms(found),
        seats_text=seats_text,
        reach_pp=_reach_pp(found),
        data_folder=data_folder,
        levels=[*LEVELS.items()],
        tables={name: table.to_dict("records") for name, table in found.tables().items()},
        figures=_figures(found),
        **page_colors(),
        **_texts(found),
    )


def environment() -> jinja2.Environment:
    """Templates of pages, with the filters that write numbers."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("reefsim.reporting"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        count=numbers.count,
        decimal=numbers.decimal,
        percent=numbers.percent,
        whole=numbers.whole,
        short_verdict=sentences.short_verdict,
        css_call=lambda call: _CSS_CALLS.get(call, call),
    )
    environment.globals.update(span=numbers.span, seat_name=seat_name)
    return environment


def page_colors() -> dict[str, Markup]:
    """What the style of a page needs: its colors, light and dark."""
    return {"light": Markup(_variables(theme.LIGHT)), "dark": Markup(_variables(theme.DARK))}


def _variables(colors: dict[str, str]) -> str:
    """CSS variables; the colors of verdicts are tones, for their classes have the plain names."""
    calls = ("fair", "small", "unfair", "favours", "open", "none")
    named = {f"{name}-tone" if name in calls else name: color for name, color in colors.items()}
    return theme.css_variables(named)


def _arms(found: Findings) -> list[dict[str, Any]]:
    """Collect what a page shows of every arm, whether it has games or not."""
    views = []
    for index, arm in enumerate(found.info.arms):
        first = _only(found.seats, arm=arm.name, seat=0)
        if first:
            more = first["more"]
            first["forecast"] = "" if pd.isna(more) else f"needs {about(int(more))} more replicates"
        views.append(
            {
                "name": arm.name,
                "who": words.line_up(arm),
                "rules": words.rules_text(arm.rules),
                "seated": ", ".join(arm.lineup),
                "tone": f"--arm-{index % theme.NUM_ARM_COLORS}",
                "path": _PATHS[theme.arm_marker(index)],
                "is_one_of_many": len(found.info.arms) > 1,
                "first": first,
                "rounds": _only(found.length, arm=arm.name, measure="rounds"),
                "health": _only(found.health, arm=arm.name),
            }
        )
    return views


def _reach_pp(found: Findings) -> float:
    """Half of the common scale of the verdicts: every interval fits, and so do five margins."""
    first = found.seats[found.seats["seat"] == 0]
    ends = pd.concat([first["low"] - first["fair"], first["high"] - first["fair"]]).abs()
    farthest = 100 * float(ends.max()) if len(ends) else 0.0
    return math.ceil(max(5 * found.info.margin_pp, farthest))


def _texts(found: Findings) -> dict[str, Any]:
    """Sentences of a page, by place; those of an arm stand together."""
    info = found.info
    unit = notes.primary_length(info)
    firsts = [_first_seat(found, row) for row in records(found.seats, seat=0)]
    return {
        "firsts": firsts,
        "answers": _answers(found),
        "primary_note": notes.primary_note(info),
        "caveats": notes.caveat_notes(info),
        "length_answers": _length_answers(found, unit) if unit else [],
        "seat_texts": _by_arm(found, _seat_sentences),
        "length_texts": _by_arm(found, _length_sentences),
        "end_texts": _by_arm(found, _end_sentences),
        "score_texts": _by_arm(found, _score_sentences),
        "change_texts": _by_arm(found, _change_sentences),
        "limits": notes.limits(info, found.health),
        "agent_cards": sorted({pair for arm in info.arms for pair in arm.agents.items()}),
        "figure_note": _figure_note(found),
    }


def _by_arm(
    found: Findings, write: Callable[[Findings, str], list[str]]
) -> list[tuple[int, list[str]]]:
    """Sentences of every arm that has some, with its place in the plan."""
    texts = [(index, write(found, arm.name)) for index, arm in enumerate(found.info.arms)]
    return [(index, lines) for index, lines in texts if lines]


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
        (verdict, arms, _CSS_CALLS.get(calls[verdict], calls[verdict]))
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


def _figures(found: Findings) -> dict[str, Any]:
    arms = [arm.name for arm in found.info.arms]
    if not found.num_games:
        return {}
    margin_pp = found.info.margin_pp
    drawn = {
        "seats": (
            figures.seats_figure(found.seats, arms, margin_pp, legend=False),
            "Share of games won by each seat, with 95 % intervals. "
            + " ".join(
                f"{row['arm']}, {seat_name(row['seat'])}: {numbers.percent(row['share'])}."
                for row in records(found.seats)
            ),
        ),
        "length": (
            figures.length_figure(found.length_curve, arms, legend=False),
            "Share of games that are over by round. "
            + " ".join(
                f"{row['arm']}: half by round {numbers.whole(row['q50'])}, "
                f"nine in ten between {numbers.whole(row['q05'])} and {numbers.whole(row['q95'])}."
                for row in records(found.length, measure="rounds")
            ),
        ),
        "ends": (
            figures.ends_figure(found.ends, arms, legend=False),
            "Share of games by cause of their end. "
            + " ".join(
                f"{row['arm']}, {words.cause_name(row['end_cause'])}: "
                f"{numbers.percent(row['share'])}."
                for row in records(found.ends)
            ),
        ),
        "scores": (
            figures.scores_figure(found.scores, arms, legend=False),
            "Scores by seat. "
            + " ".join(
                f"{row['arm']}, {seat_name(row['seat'])}: median {numbers.whole(row['q50'])}, "
                f"middle half {numbers.whole(row['q25'])} to {numbers.whole(row['q75'])}."
                for row in records(found.scores)
            ),
        ),
    }
    if len(found.comparisons):
        drawn["changes"] = (
            figures.changes_figure(found.comparisons, arms),
            "Differences from the baseline, with 95 % intervals; the sentences give the numbers.",
        )
    svgs = {
        name: Markup(figures.to_svg(figure, name, alt)) for name, (figure, alt) in drawn.items()
    }
    return {"changes": "", **svgs}


def _figure_note(found: Findings) -> str:
    tables = sorted({words.line_up(arm) for arm in found.info.arms})
    return f"{numbers.count(found.num_games)} games by {'; '.join(tables)}."


def _only(table: pd.DataFrame, **wanted: Any) -> dict[str, Any] | None:
    rows = records(table, **wanted)
    return rows[0] if rows else None
