"""The report of a run: one HTML file that needs no network, and its numbers as CSV beside it.

The keys of the manifest that are read stand in `reefsim.reporting.manifest`.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from reefsim.errors import ReefsimError
from reefsim.logs.files import write_local
from reefsim.reporting import canvas, numbers, sentences, theme, views, words
from reefsim.reporting.cards import agent_cards
from reefsim.reporting.findings import Findings, Run, records
from reefsim.reporting.picture import Picture, arms_of
from reefsim.reporting.pictures import draw
from reefsim.reporting.report import Report, find_report
from reefsim.reporting.suggest import config_file
from reefsim.reporting.texts import texts
from reefsim.reporting.theme import Arms
from reefsim.stats.length import LEVELS
from reefsim.stats.verdict import seat_name

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

# figures of the appendix, in its order; those of areas follow
MORE = ("skill", "margins", "drivers", "recovery", "options", "pairs", "luck", "course")
_CSS_STATUSES = {"better": "fair", "worse": "unfair", "try": "none"}


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


def write_report(run: Run, out: Path, found: Findings | None = None) -> Path:
    """Write the report of a run, in the formats its experiment asks for.

    Parameters
    ----------
    run : an open run
    out : the page (``*.html``), or a folder that gets ``report.html``
    found : the main findings of the run, if they are known already

    Returns
    -------
    pathlib.Path
        The page. Its tables stand as CSV in the folder ``<stem>_data`` next to it; Markdown has the
        page's name with ``.md``, and its figures in ``<stem>_figures``.

    Raises
    ------
    ReefsimError : if ``out`` is another kind of file
    """
    page = find_page(Path(out))
    report = find_report(run, found)
    drawn = draw(report)
    data = write_tables(page, report.tables())
    if "html" in report.formats:
        write_text(page, render(report, data, drawn))
    if "md" in report.formats:  # last, because the pictures get legends for it
        markdown = write_markdown(page, report, drawn, data)
    return page if "html" in report.formats else markdown


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
    folder = write_tables(page, tables)
    write_text(page, text(folder))
    return page


def write_tables(page: Path, tables: Mapping[str, pd.DataFrame]) -> str:
    """Write tables as CSV beside a page, and name their folder."""
    data = page.with_name(f"{page.stem}_data")
    data.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.to_csv(data / f"{name}.csv", index=False, lineterminator="\n")
    return data.name


def write_text(page: Path, text: str) -> None:
    """Write a page at once: a reader never sees half of it."""
    write_local(page, text.encode())


def render(
    report: Report, data_folder: str = "", drawn: Mapping[str, Picture] | None = None
) -> str:
    """Page of a report.

    Parameters
    ----------
    report : of `report.find_report`
    data_folder : name of the folder with the tables
    drawn : its figures, if they are drawn already

    Returns
    -------
    str
        A whole HTML document.
    """
    drawn = draw(report) if drawn is None else drawn
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            **context(report, data_folder),
            figures={
                name: Markup(canvas.to_svg(picture.figure, name, picture.alt))
                for name, picture in drawn.items()
            },
            captions={name: picture.told for name, picture in drawn.items()},
            maps=[name for name in drawn if name.startswith("map-")],
            more=_more(drawn),
            **page_colors(),
        )
    )


def write_markdown(page: Path, report: Report, drawn: Mapping[str, Picture], data: str) -> Path:
    """Write a report as Markdown, its figures as SVG files in a folder beside it."""
    folder = page.with_name(f"{page.stem}_figures")
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in drawn.items():
        canvas.write_svg(
            picture.figure, folder / f"{name}.svg", picture.has_legend, report_arms(report)
        )
    path = page.with_suffix(".md")
    template = environment(markdown=True).get_template("report.md.j2")
    text = template.render(
        **context(report, data),
        figures=drawn,
        figure_folder=folder.name,
        maps=[name for name in drawn if name.startswith("map-")],
        more=_more(drawn),
    )
    write_text(path, re.sub(r"\n{3,}", "\n\n", text).strip() + "\n")
    return path


def _more(drawn: Mapping[str, Picture]) -> list[str]:
    """Names of the figures of the appendix."""
    there = [name for name in MORE if name in drawn]
    return there + [name for name in drawn if name.startswith("areas-")]


def context(report: Report, data_folder: str) -> dict[str, Any]:
    """What the templates of a report are filled with."""
    found, info = report.found, report.info
    tables, cells = views.grid(found)
    names = [arm.name for arm in info.arms]
    return {
        "report": report,
        "found": found,
        "info": info,
        "show": report.show,
        "arms": _arms(report),
        "seats_text": f"{words.number_word(info.seats)} players" if info.seats else "",
        "reach_pp": _reach_pp(found),
        "data_folder": data_folder,
        "levels": [*LEVELS.items()],
        "tables": {name: table.to_dict("records") for name, table in found.tables().items()},
        "verdicts": views.verdict_rows(found),
        "verdict_matrix": views.matrix(views.verdict_rows(found), names),
        "length_matrix": views.matrix(views.length_rows(found), names, views.MOST_NUMBERS),
        "story_matrix": views.matrix(views.story_rows(report), names, views.MOST_NUMBERS),
        "standouts": views.standouts(report),
        "lifts": views.lift_rows(report),
        "families": views.families(report.overview),
        "has_baseline": bool(info.baselines),
        "grid_tables": tables,
        "grid_rows": cells,
        "oracles": views.oracle_rows(report),
        "sweep_rows": views.sweep_rows(report),
        "tune_rows": views.tune_rows(report),
        "tune_goals": views.tune_goals(report),
        "sweep_outcomes": []
        if report.sweep is None
        else [name.replace("_", " ") for name in dict.fromkeys(report.sweep.curves["outcome"])],
        "health": views.health_rows(report),
        "examples": records(report.appendix.examples) if report.appendix else [],
        "readings": records(report.readings),
        "watch": records(report.watch.games) if report.watch else [],
        "worst": records(report.watch.worst) if report.watch else [],
        "cards": agent_cards(info.arms),
        "stopping": views.stopping_text(report.stopping),
        "correction": views.correction_text(report),
        "config_file": config_file(info.command),
        **texts(report),
    }


def environment(markdown: bool = False) -> jinja2.Environment:
    """Templates of pages, with the filters that write numbers; Markdown escapes no HTML."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("reefsim.reporting"),
        autoescape=not markdown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        count=numbers.count,
        counted=words.counted,
        decimal=numbers.decimal,
        percent=numbers.percent,
        whole=numbers.whole,
        short_verdict=sentences.short_verdict,
        css_call=lambda call: views.CSS_CALLS.get(call, call),
        css_status=lambda status: _CSS_STATUSES.get(status, "open"),
        named=lambda arms, name: next(arm for arm in arms if arm["name"] == name),
        groupby_order=_in_groups,
        code=_code,
        strong=lambda text: re.sub(r"</?strong>", "**", html.unescape(str(text))),
        cell=lambda text: str(text).replace("|", "\\|"),
    )
    environment.globals.update(span=numbers.span, seat_name=seat_name)
    return environment


def _code(text: str) -> Markup:
    """Text with what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _in_groups(
    rows: Sequence[Mapping[str, Any]], column: str
) -> list[tuple[Any, list[Mapping[str, Any]]]]:
    """Rows by the value of a column, in the order in which the values come."""
    groups: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row[column], []).append(row)
    return list(groups.items())


def page_colors() -> dict[str, Markup]:
    """What the style of a page needs: its colors, light and dark."""
    return {"light": Markup(_variables(theme.LIGHT)), "dark": Markup(_variables(theme.DARK))}


def _variables(colors: dict[str, str]) -> str:
    """CSS variables; the colors of verdicts are tones, for their classes have the plain names."""
    calls = ("fair", "small", "unfair", "favours", "open", "none")
    named = {f"{name}-tone" if name in calls else name: color for name, color in colors.items()}
    return theme.css_variables(named)


def report_arms(report: Report) -> Arms:
    """Arms of a report with their looks."""
    return arms_of(report.found)


def _arms(report: Report) -> list[dict[str, Any]]:
    """Collect what a page shows of every arm, whether it has games or not."""
    looks = report_arms(report)
    return [
        {
            "name": arm.name,
            "who": words.line_up(arm),
            "rules": words.rules_text(arm.rules),
            "seated": ", ".join(arm.lineup),
            "tone": looks.tone(index),
            "path": _PATHS[looks.marker(index)],
            "is_one_of_many": len(report.info.arms) > 1,
        }
        for index, arm in enumerate(report.info.arms)
    ]


def _reach_pp(found: Findings) -> float:
    """Half of the common scale of the verdicts: every interval fits, and so do five margins."""
    first = found.seats[found.seats["seat"] == 0]
    ends = pd.concat([first["low"] - first["fair"], first["high"] - first["fair"]]).abs()
    farthest = 100 * float(ends.max()) if len(ends) else 0.0
    return math.ceil(max(5 * found.info.margin_pp, farthest))
