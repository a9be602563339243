"""The page of a ladder: one HTML file that needs no network, and its numbers as CSV beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from reefsim.reporting import canvas, ladder, ladder_figures, numbers, words
from reefsim.reporting.findings import records
from reefsim.reporting.ladder import Ladder
from reefsim.reporting.notes import caveat_notes
from reefsim.reporting.render import environment, page_colors, write_page
from reefsim.stats.ladder import RESAMPLES


def write_ladder(found: Ladder, page: Path) -> Path:
    """Write the page of a ladder.

    Parameters
    ----------
    found : of `ladder.find_ladder`
    page : the ``*.html`` file

    Returns
    -------
    pathlib.Path
        The page. Its tables (ratings, head_to_head, steps) stand as CSV in the folder
        ``<stem>_data`` next to it.
    """
    return write_page(page, found.tables(), lambda folder: render_ladder(found, folder))


def render_ladder(found: Ladder, data_folder: str = "") -> str:
    """Page of a ladder, a whole HTML document."""
    seats = found.info.seats
    cards = {name: text for arm in found.info.arms for name, text in arm.agents.items()}
    has_games = bool(found.games)
    return (
        environment()
        .get_template("ladder.html.j2")
        .render(
            found=found,
            info=found.info,
            ratings=records(found.ratings),
            heads=records(found.head_to_head),
            answers=[ladder.answer(found), ladder.steps_answer(found)] if has_games else [],
            circles=ladder.circle_sentences(found) if has_games else [],
            steps=[
                (row, ladder.step_sentence(row, seats), ladder.CALLS[row["call"]])
                for row in records(found.steps)
            ],
            anchor=ladder.anchor_sentence(found) if has_games else "",
            rating_text=ladder.rating_text,
            rating_span=ladder.rating_span,
            pairing=ladder.pairing("row agent", "column agent", seats),
            fields=ladder.cell_games(found) if has_games else "",
            limits=ladder.limits(found),
            caveats=caveat_notes(found.info),
            cards=cards,
            rules=words.rules_text(found.info.arms[0].rules),
            figures=_figures(found),
            resamples=RESAMPLES,
            data_folder=data_folder,
            **page_colors(),
        )
    )


def _figures(found: Ladder) -> dict[str, Any]:
    if not found.games:
        return {}
    drawn = {
        "ratings": (
            ladder_figures.ratings_figure(found.ratings),
            "Ratings in points, with 95 % intervals. "
            + " ".join(
                f"{row['agent']}: {ladder.rating_text(row)} ({ladder.rating_span(row)})."
                for row in records(found.ratings)
            ),
        ),
        "heads": (
            ladder_figures.heads_figure(
                found.head_to_head, found.agents, len(found.agents) <= ladder.MOST_IN_MATRIX
            ),
            "Share of games won by row agents among column agents. "
            + " ".join(
                f"{row['row']} among {row['column']}: {numbers.percent(row['share'])}."
                for row in records(found.head_to_head)
            ),
        ),
    }
    if len(found.steps):
        shown = (
            f"{row['stronger']} over {row['weaker']}: {numbers.percent(row['share'])}."
            for row in records(found.steps)
        )
        steps = f"Share of the stronger of two neighbors. {' '.join(shown)}"
        drawn["steps"] = ladder_figures.steps_figure(found.steps), steps
    return {
        name: Markup(canvas.to_svg(figure, name, text)) for name, (figure, text) in drawn.items()
    }
