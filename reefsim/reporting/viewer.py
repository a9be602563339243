"""A game to be watched: one HTML file that needs no network, with the positions drawn by the game.

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
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from reefsim.core.game import Game
from reefsim.core.match import Match
from reefsim.core.record import Row
from reefsim.core.replay import Verdict
from reefsim.core.ruleset import Ruleset
from reefsim.errors import RecordError
from reefsim.logs.saved import SavedGame
from reefsim.metrics.story import NOBODY, leaders
from reefsim.metrics.trace import Trace
from reefsim.metrics.trace_files import read_traces, trace_path
from reefsim.reporting import words
from reefsim.reporting.render import environment, page_colors, write_text

Cuts = list[list[int]]  # of lines: from, to, and the numbers of those that are put there
_FORMAL = re.compile(r"M\d+|rules")
_BIGGEST = 5  # swings one can go to
_ORACLES = ("rollouts", "evaluation")  # whose chances are shown, the best one first


@dataclass
class _Frame:
    """A position: after the set-up or an action, with all that followed without a choice."""

    ply: int
    round: int
    seat: int | None
    scores: list[int]
    views: list[tuple[Cuts, Cuts]]


@dataclass
class _Reel:
    """The positions of a game, noted while it is played again."""

    frames: list[_Frame] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    game: Game | None = None  # as it is under its rules
    ruleset: Ruleset | None = None
    ranks: list[int] | None = None
    _open: tuple[list[int], list[int]] = ([], [])

    def watch(self, match: Match) -> None:
        """Note a position: as it is, and as each seat knows it if that may be less."""
        self.game, self.ruleset = match.game, match.ruleset
        base, views = self._open, []
        states = [match.plain_state()]
        if "blind" in match.game.kernels:
            states += [match.state_known_to(seat) for seat in range(match.seats)]
        for number, state in enumerate(states):
            drawing = match.game.render_svg
            picture = self._numbers(drawing(state, match.rules) if drawing else "")
            text = self._numbers(match.game.render_text(state, match.rules))
            views.append((_cuts(base[0], picture), _cuts(base[1], text)))
            if number == 0:
                base = self._open = (picture, text)
        seat = None if match.over else match.seat
        self.ranks = match.ranks() if match.over else None
        self.frames.append(_Frame(match.ply, match.round, seat, match.scores(), views))

    def _numbers(self, text: str) -> list[int]:
        return [self.lines.setdefault(line, len(self.lines)) for line in text.splitlines()]


def _cuts(before: Sequence[int], after: Sequence[int]) -> Cuts:
    """What has to be replaced in a list to make another of it."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        [start, end, *after[first:last]]
        for tag, start, end, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]


def write_viewer(saved: SavedGame, page: Path) -> Verdict:
    """Write the page with which a game is watched.

    Parameters
    ----------
    saved : the game
    page : the ``*.html`` file

    Returns
    -------
    Verdict
        Of the check of the record. Where it is no game by the rules, the page shows the positions
        up to there and says so.

    Raises
    ------
    RecordError : if not even the set-up can be followed
    """
    reel = _Reel()
    verdict = saved.follow(reel.watch)
    if not reel.frames:
        raise RecordError(f"{saved.name}: {verdict}")
    page.parent.mkdir(parents=True, exist_ok=True)
    write_text(page, _render(saved, reel, verdict, _find_trace(saved)))
    return verdict


def _find_trace(saved: SavedGame) -> Trace | None:
    """Chances of winning, if an oracle has judged the game."""
    if saved.run is None or saved.number is None:
        return None
    for oracle in _ORACLES:
        path = trace_path(saved.run.folder, oracle, *saved.run.part_of(saved.number))
        found = read_traces(path, saved.record.players).get(saved.number)
        if found is not None:
            return found
    return None


def _render(saved: SavedGame, reel: _Reel, verdict: Verdict, trace: Trace | None) -> str:
    assert reel.game
    assert reel.ruleset
    game, rows = reel.game, saved.record.rows[: reel.frames[-1].ply]
    templates = environment()
    script, _, _ = templates.loader.get_source(templates, "watch.js")  # type: ignore[union-attr]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    seats = [f"seat {i} ({name})" for i, name in enumerate(saved.record.header["agents"])]
    scores = np.array([frame.scores for frame in reel.frames])
    manifest: Mapping[str, Any] = saved.run.manifest if saved.run else {}
    data = {
        "frames": [_for_page(frame) for frame in reel.frames],
        "lines": list(reel.lines),
        "events": _events(game, rows),
        "seats": seats,
        "units": _units(reel, rows, trace),
        "is_drawn": game.render_svg is not None,
        "explain": _explain_command(saved),
        "ranks": reel.ranks,
    }
    charts = [_chart("Points", scores)]
    if trace is not None:
        places = _frame_at(reel, trace.ply)
        charts.append(_chart("Chance of winning, as the oracle sees it", trace.chance, places))
    return templates.get_template("watch.html.j2").render(
        info={"question": f"{game.title}: {saved.name}"},
        style="watch.css",
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        title=game.title,
        heading=f"Game {saved.number}" if saved.run else Path(saved.record.path).stem,
        question=str(manifest.get("question", "")).strip(),
        place=saved.name,
        rules=words.rules_text(reel.ruleset.differences()),
        warning="" if verdict.ok else f"This is no game by its rules: {verdict}",
        caveats=game.caveats(reel.ruleset),
        seats=seats,
        has_views="blind" in game.kernels,
        last=len(reel.frames) - 1,
        charts=charts,
        data=Markup(_json(data)),
        **page_colors(),
    )


def _json(data: object) -> str:
    """JSON that may stand inside a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _for_page(frame: _Frame) -> list[Any]:
    return [frame.ply, frame.round, frame.seat, frame.scores, frame.views]


def _events(game: Game, rows: Sequence[Row]) -> list[list[Any]]:
    """Of each event: what happened, its turn and clause, and how many actions were legal."""
    return [
        [text, row["turn"], _clause(game, row), row.get("n_legal")]
        for row, text in zip(rows, game.narrate(rows), strict=True)
    ]


def _clause(game: Game, row: Row) -> str:
    """The clause by which something comes to pass; nothing where that is the form of the record."""
    event = row["event"]
    is_end = game.events.roles[event] == "end"
    clause = game.clause_of(event, str(row["value"]) if is_end else "event")
    return "" if _FORMAL.fullmatch(clause) else clause


def _units(reel: _Reel, rows: Sequence[Row], trace: Trace | None) -> dict[str, list[int]]:
    """What one can step by: the numbers of the frames at which each of them ends."""
    frames = reel.frames
    turns = [int(rows[max(0, frame.ply - 1)]["turn"]) if rows else 0 for frame in frames]
    rounds = [0] + [frame.round for frame in frames[:-1]]  # of what happened before each
    ends = _ends(turns)
    found = {"action": list(range(len(frames))), "turn": ends, "round": _ends(rounds)}
    leads = leaders(np.array([frames[i].scores for i in ends]))
    found["lead change"] = [
        end
        for end, before, after in zip(ends[1:], leads, leads[1:], strict=False)
        if NOBODY != before != after
    ]
    if trace is not None:
        found["biggest swing"] = _swings(reel, trace)
    for name in dict.fromkeys(row["event"] for row in rows):
        plies = [i for i, row in enumerate(rows) if row["event"] == name]
        starts = np.searchsorted([frame.ply for frame in frames], plies, side="right")
        found[str(name)] = sorted({int(i) for i in starts})
    return {name: places for name, places in found.items() if places}


def _ends(numbers: Sequence[int]) -> list[int]:
    """Places after which a number changes, and the last one."""
    changes = [i for i, (a, b) in enumerate(pairwise(numbers)) if a != b]
    return [*changes, len(numbers) - 1]


def _frame_at(reel: _Reel, plies: Any) -> list[int]:
    """Numbers of the frames with so many events."""
    return [int(i) for i in np.searchsorted([frame.ply for frame in reel.frames], plies)]


def _swings(reel: _Reel, trace: Trace) -> list[int]:
    """The turns that moved a chance most."""
    by_turn = trace.by_turn()
    moves = np.abs(np.diff(by_turn.chance, axis=0)).max(axis=1)
    top = np.sort(np.argsort(-moves, kind="stable")[:_BIGGEST])
    return _frame_at(reel, by_turn.ply[1:][top])


def _chart(caption: str, values: Any, places: Sequence[int] | None = None) -> tuple[str, list[str]]:
    """Caption, and points of a line per seat in a box as wide as there are frames and 100 high."""
    low, high = min(0, values.min()), max(values.max(), 1)
    at = range(len(values)) if places is None else places
    heights = 100 - 100 * (values - low) / (high - low)
    lines = [
        " ".join(f"{x},{y:.1f}" for x, y in zip(at, column, strict=True)) for column in heights.T
    ]
    return f"{caption}: {low:g} to {high:g}", lines


def _explain_command(saved: SavedGame) -> list[str]:
    """The command that asks for a decision, before and behind its ply; none if it has no file."""
    if not saved.run and not Path(saved.record.path).is_file():
        return []
    place = saved.run.folder.as_posix() if saved.run else saved.record.path
    game = "" if saved.number is None else f" --game {saved.number}"
    return [f"reefsim explain {shlex.quote(place)} ", game]
