"""Games to be watched: one HTML file that needs no network, with the positions drawn by the game.

Positions are kept as lines of text, each line once; of a position the page holds only which lines
take the place of which of the one before.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from reefsim.core.game import Game
from reefsim.core.record import Row
from reefsim.core.replay import Verdict
from reefsim.logs.saved import SavedGame
from reefsim.metrics.opinion import Opinion
from reefsim.metrics.trace import Trace
from reefsim.metrics.trace_files import read_traces, trace_path
from reefsim.reporting import words
from reefsim.reporting.pairs import (
    EVENTS,
    Step,
    check_alike,
    differences,
    rules_apart,
    steps_of,
    timeline,
    units_together,
)
from reefsim.reporting.reel import Frame, Lines, Reel
from reefsim.reporting.render import environment, page_colors, write_text

Cuts = list[list[int]]  # of lines: from, to, and the numbers of those that are put there
_FORMAL = re.compile(r"M\d+|rules")
_ORACLES = ("rollouts", "evaluation")  # whose chances are shown, the best one first
_MOST_OPTIONS = 40  # of a decision that are listed


@dataclass(frozen=True)
class _Side:
    """A game on the page, with what is thought of it."""

    reel: Reel
    opinion: Opinion | None
    trace: Trace | None
    oracle: str  # whose chances of winning the trace tells


def write_viewer(
    saved: SavedGame,
    page: Path,
    opinion: Opinion | None = None,
    *,
    beside: tuple[SavedGame, Opinion | None] | None = None,
) -> tuple[Verdict, ...]:
    """Write the page with which a game is watched.

    Parameters
    ----------
    saved : the game
    page : the ``*.html`` file
    opinion : what is thought of it: chances of winning, where no oracle of its run judged it, and
        values of what can be done
    beside : another game of the same kind that is stepped through together with it, and what is
        thought of that

    Returns
    -------
    tuple of Verdict
        Of the check of each record. Where one is no game by the rules, the page shows the positions
        up to there and says so.

    Raises
    ------
    RecordError : if not even the set-up can be followed
    ReefsimError : if the other one is another game
    """
    lines = Lines()
    sides = [
        _side(Reel(one, lines), thought)
        for one, thought in [(saved, opinion), *([beside] if beside else [])]
    ]
    check_alike([side.reel for side in sides])
    write_text(page, _render(sides, lines))
    return tuple(side.reel.verdict for side in sides)


def _side(reel: Reel, opinion: Opinion | None) -> _Side:
    trace, oracle = _find_trace(reel.saved)
    if trace is None and opinion is not None:
        trace, oracle = opinion.trace, "the evaluation"
    return _Side(reel, opinion, trace, oracle)


def _find_trace(saved: SavedGame) -> tuple[Trace | None, str]:
    """Chances of winning, if an oracle has judged the game, and its name."""
    if saved.run is None or saved.number is None:
        return None, ""
    for oracle in _ORACLES:
        path = trace_path(saved.run.folder, oracle, *saved.run.part_of(saved.number))
        found = read_traces(path, saved.record.players).get(saved.number)
        if found is not None:
            return found, f"the oracle ({oracle})"
    return None, ""


def _render(sides: Sequence[_Side], lines: Lines) -> str:
    reels = [side.reel for side in sides]
    steps = timeline(reels)
    apart = differences((reels[0], reels[1]), steps) if len(reels) > 1 else []
    parted = next((one.step for one in apart if one.what == EVENTS), None)
    units = units_together([side.reel.units(side.trace) for side in sides], steps)
    shown = [
        _for_template(side, number, steps, is_pair=len(sides) > 1)
        for number, side in enumerate(sides)
    ]
    data = {
        "sides": [_for_script(side, lines) for side in sides],
        "steps": steps,
        "units": units,
        "parted": parted,
        "lines": list(lines.numbers),  # of all sides, known by now
    }
    templates = environment()
    script, _, _ = templates.loader.get_source(templates, "watch.js")  # type: ignore[union-attr]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    saved, game = reels[0].saved, reels[0].game
    manifest: Mapping[str, Any] = saved.run.manifest if saved.run else {}
    labels = [side["label"] for side in shown]
    return templates.get_template("watch.html.j2").render(
        info={"question": f"{game.title}: {' beside '.join(reel.saved.name for reel in reels)}"},
        style="watch.css",
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        title=game.title,
        heading=" beside ".join(labels),
        question=str(manifest.get("question", "")).strip(),
        sides=shown,
        caveats=list(dict.fromkeys(line for r in reels for line in r.game.caveats(r.ruleset))),
        rules_apart=rules_apart((reels[0], reels[1])) if len(reels) > 1 else [],
        apart=apart,
        parted=parted,
        has_views="blind" in game.kernels,
        most_seats=max((side["seats"] for side in shown), key=len),
        last=len(steps) - 1,
        most_options=_MOST_OPTIONS,
        data=Markup(_json(data)),
        **page_colors(),
    )


def _for_template(
    side: _Side, number: int, steps: Sequence[Step], *, is_pair: bool
) -> dict[str, Any]:
    """What the page tells of a game as it is written, without its script."""
    reel, saved, trace = side.reel, side.reel.saved, side.trace
    at = steps_of(number, range(len(reel.frames)), steps, last=False)
    charts = [_chart("Points", np.array([frame.scores for frame in reel.frames]), at)]
    if trace is not None:
        places = [at[k] for k in reel.places(trace)]
        charts.append(_chart(f"Chance of winning, as {side.oracle} sees it", trace.chance, places))
    for name, (frames, things) in reel.courses().items():
        numbers = np.array(list(things.values())).T
        places = [at[k] for k in frames]
        charts.append(_chart(f"{name.capitalize()} by turn", numbers, places, list(things)))
    judges = side.opinion.judges if side.opinion else ()
    return {
        "label": _label(saved, is_pair),
        "place": saved.name,
        "rules": words.rules_text(reel.ruleset.differences()),
        "warning": "" if reel.verdict.ok else f"This is no game by its rules: {reel.verdict}",
        "seats": _seats(reel),
        "charts": charts,
        "by_rules": "".join(_commands("reefsim replay ", " --ruleset RULES --export FILE", saved)),
        "export": "".join(_commands("reefsim watch ", " --export FILE", saved)),
        "has_chance": trace is not None,
        "judges": [f"seat {seat}: {judge}" for seat, judge in enumerate(judges)]
        if len(set(judges)) > 1
        else list(dict.fromkeys(judges)),
    }


def _seats(reel: Reel) -> list[str]:
    return [f"seat {i} ({name})" for i, name in enumerate(reel.saved.record.header["agents"])]


def _label(saved: SavedGame, is_pair: bool) -> str:
    """A short name of a game."""
    if saved.run is None or saved.number is None:
        return Path(saved.record.path).stem
    if not is_pair:
        return f"Game {saved.number}"
    arm, _ = saved.run.part_of(saved.number)
    return arm if len(saved.run.arms) > 1 else f"Game {saved.number}"


def _for_script(side: _Side, lines: Lines) -> dict[str, Any]:
    """What the script needs of a game."""
    reel = side.reel
    before = [reel.frames[0], *reel.frames]
    frames = [
        _for_page(frame, old if k else None)
        for k, (old, frame) in enumerate(zip(before, reel.frames, strict=False))
    ]
    run = reel.saved.run
    return {
        "frames": frames,
        "events": _events(reel.game, reel.rows, reel.texts),
        "seats": _seats(reel),
        "is_drawn": reel.game.render_svg is not None,
        "explain": _commands("reefsim explain ", "", reel.saved),
        "fork": _commands("reefsim replay ", " --fork ", reel.saved),
        "ranks": reel.ranks,
        "run": run.folder.name if run else Path(reel.saved.record.path).name,
        "game": reel.saved.number,
        "open": _opened(reel.saved),
        "chance": _chances(side),
        "options": _options(side, lines),
    }


def _chances(side: _Side) -> list[list[float]]:
    """Chances of winning at each frame, those last known; empty if there are none."""
    if side.trace is None:
        return []
    known = dict(
        zip(side.reel.places(side.trace), side.trace.chance.round(3).tolist(), strict=True)
    )
    frames = [known.get(k) for k in range(len(side.reel.frames))]
    found: list[list[float]] = list(accumulate(frames, lambda old, new: new or old))
    return found


def _options(side: _Side, lines: Lines) -> dict[int, list[Any]]:
    """Of each decision that was judged: place of what was played, then texts and values."""
    if side.opinion is None:
        return {}
    found: dict[int, list[Any]] = {}
    rows, game = side.reel.rows, side.reel.game
    for ply, judged in side.opinion.values.items():
        if ply >= len(rows):
            continue
        played = game.format_action(game.action_of(rows[ply]))
        place = next((i for i, (text, _) in enumerate(judged) if text == played), -1)
        listed = [i for i in range(len(judged)) if i < _MOST_OPTIONS or i == place]
        found[ply] = [place]
        for i in listed:
            text, value = judged[i]
            found[ply] += [lines.number(text), round(value, 2)]
    return found


def _json(data: object) -> str:
    """JSON that may stand inside a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _for_page(frame: Frame, before: Frame | None) -> list[Any]:
    """A frame, its open view as what changes from the one before, the others from the open view."""
    base = before.views[0] if before else ([], [])
    views = []
    for number, view in enumerate(frame.views):
        views.append([_cuts(old, new) for old, new in zip(base, view, strict=True)])
        if number == 0:
            base = view
    return [frame.ply, frame.turn, frame.round, frame.seat, frame.scores, views]


def _cuts(before: Sequence[int], after: Sequence[int]) -> Cuts:
    """What has to be replaced in a list to make another of it."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        [start, end, *after[first:last]]
        for tag, start, end, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]


def _events(game: Game, rows: Sequence[Row], texts: Sequence[str]) -> list[list[Any]]:
    """Of each event: what happened, its turn and clauses, and how many actions were legal."""
    return [
        [text, row["turn"], ", ".join(_clauses(game, row)), row.get("n_legal")]
        for row, text in zip(rows, texts, strict=True)
    ]


def _clauses(game: Game, row: Row) -> list[str]:
    """The clauses by which something comes to pass, without those of the form of the record."""
    event = row["event"]
    if game.events.roles[event] == "end":
        columns = [str(row["value"])]
    else:
        of_all = {"ply", "turn", "round", "seat", "event", "n_legal"}
        columns = ["event", *[name for name in row if row[name] and name not in of_all]]
    clauses = dict.fromkeys(game.clause_of(event, column) for column in columns)
    return [clause for clause in clauses if clause and not _FORMAL.fullmatch(clause)]


def _chart(
    caption: str, values: Any, places: Sequence[int], names: Sequence[str] = ()
) -> tuple[str, list[str], Sequence[str]]:
    """Caption, points of a line per column in a box as wide as there are steps and 100 high, and
    what the lines are; without names they are the seats.
    """
    low, high = min(0, values.min()), max(values.max(), 1)
    heights = 100 - 100 * (values - low) / (high - low)
    lines = [
        " ".join(f"{x},{y:.1f}" for x, y in zip(places, column, strict=True))
        for column in heights.T
    ]
    return f"{caption}: {low:g} to {high:g}", lines, names


def _commands(verb: str, option: str, saved: SavedGame) -> list[str]:
    """A command about a ply, before and behind it; none if the game has no file."""
    if not saved.run and not Path(saved.record.path).is_file():
        return []
    place = shlex.quote(saved.run.folder.as_posix() if saved.run else saved.record.path)
    game = "" if saved.number is None else f" --game {saved.number}"
    return [f"{verb}{place}{game}{option}", ""] if option else [f"{verb}{place} ", game]


def _opened(saved: SavedGame) -> str:
    """Python that opens the game."""
    if saved.run is not None:
        return f"rs.open({saved.run.folder.as_posix()!r}).game({saved.number})"
    number = "" if saved.number is None else f", {saved.number}"
    return f"rs.open_record({str(saved.record.path)!r}{number})"
