"""The sections of a report that `report.show` chooses from, in the order of the page."""

from __future__ import annotations

from collections.abc import Sequence

SECTIONS = ("changes", "verdicts", "seats", "length", "story", "pieces", "watch", "appendix")
ALIASES = {"tiles": "pieces"}
NAMES = (*SECTIONS, *ALIASES)  # that a file may write


def shown_sections(show: Sequence[str] | None) -> tuple[str, ...]:
    """Sections of a page in its order; all of them if none are named.

    What a run does not show and how it was done stand on every page.

    >>> shown_sections(["tiles", "seats"])
    ('seats', 'pieces')
    """
    if show is None:
        return SECTIONS
    wanted = {ALIASES.get(name, name) for name in show}
    return tuple(name for name in SECTIONS if name in wanted)
