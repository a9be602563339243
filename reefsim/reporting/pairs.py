"""Games stepped through together: which positions stand beside each other, and where they part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reefsim.core.record import first_difference
from reefsim.core.wording import plain
from reefsim.errors import ReefsimError
from reefsim.reporting.reel import Frame, Reel

Step = tuple[int, ...]  # number of a frame of each game
EVENTS = "what happened"
_WHOLE = ("turn", "round")  # units that have ended once they have in every game


@dataclass(frozen=True)
class Difference:
    """The first place at which two games differ in something.

    Attributes
    ----------
    step : number of the step
    what : that differs: EVENTS, "position" or "choice"
    words : what is the case in either game
    """

    step: int
    what: str
    words: tuple[str, str]


def timeline(reels: Sequence[Reel]) -> list[Step]:
    """Steps through games: in every turn they are taken frame by frame, and wait for each other.

    As long as the same happens in all of them that is event by event, later turn by turn.
    """
    turns: list[dict[int, list[int]]] = []
    for reel in reels:
        of_turn: dict[int, list[int]] = {}
        for k, frame in enumerate(reel.frames):
            of_turn.setdefault(frame.turn, []).append(k)
        turns.append(of_turn)
    steps: list[Step] = []
    now = [0] * len(reels)
    for turn in sorted(set().union(*turns)):
        for i in range(max(len(of_turn.get(turn, ())) for of_turn in turns)):
            for game, of_turn in enumerate(turns):
                frames = of_turn.get(turn) or [now[game]]
                now[game] = frames[min(i, len(frames) - 1)]
            steps.append(tuple(now))
    return steps


def steps_of(game: int, frames: Sequence[int], steps: Sequence[Step], last: bool) -> list[int]:
    """Numbers of the steps that show frames of a game, of each the first or the last one."""
    order = list(enumerate(steps)) if last else list(enumerate(steps))[::-1]
    shown = {step[game]: number for number, step in order}
    return [shown[frame] for frame in frames]


def units_together(
    units: Sequence[Mapping[str, Sequence[int]]], steps: Sequence[Step]
) -> dict[str, list[int]]:
    """What one can step by in games side by side: for each unit the numbers of steps.

    Parameters
    ----------
    units : of each game, `Reel.units`
    steps : `timeline`
    """
    found: dict[str, set[int]] = {}
    for game, of_game in enumerate(units):
        for name, frames in of_game.items():
            found.setdefault(name, set()).update(steps_of(game, frames, steps, last=name in _WHOLE))
    found["action"] = set(range(len(steps)))
    return {name: sorted(places) for name, places in found.items()}


def differences(reels: tuple[Reel, Reel], steps: Sequence[Step]) -> list[Difference]:
    """Where two games differ for the first time, in the order of the steps.

    That is the first event that differs and, where those come earlier, the first position that
    looks different and the first decision with another number of legal actions.
    """
    found: list[Difference] = []
    ply = first_difference(reels[0].rows, reels[1].rows)
    for number, step in enumerate(steps):
        frames = reels[0].frames[step[0]], reels[1].frames[step[1]]
        if ply is not None and max(frame.ply for frame in frames) > ply:
            told = _told(reels[0], ply), _told(reels[1], ply)
            return [*found, Difference(number, EVENTS, told)]
        words = {"position": _position(reels, frames), "choice": _choice(reels, frames)}
        known = [one.what for one in found]
        found += [
            Difference(number, what, both)
            for what, both in words.items()
            if both is not None and what not in known
        ]
    return found


def rules_apart(reels: tuple[Reel, Reel]) -> list[tuple[str, str, str]]:
    """The toggles that differ between two games, with their values for the players of each."""
    written = [reel.ruleset.resolved() for reel in reels]
    here, there = (reel.ruleset.for_players(reel.saved.record.players) for reel in reels)
    return [
        (name, plain(here[name]), plain(there[name]))
        for name in here
        if written[0][name] != written[1][name] and here[name] != there[name]
    ]


def check_alike(reels: Sequence[Reel]) -> None:
    """Check that games can stand beside each other.

    Raises
    ------
    ReefsimError : if they are different games
    """
    first = reels[0]
    for other in reels[1:]:
        if other.game.name != first.game.name:
            raise ReefsimError(
                f"{other.saved.name} is a game of {other.game.title}, {first.saved.name} one of "
                f"{first.game.title}; only games of the same kind are shown side by side."
            )


def _told(reel: Reel, ply: int) -> str:
    return f"{reel.texts[ply]} (ply {ply})" if ply < len(reel.rows) else "nothing more"


def _position(reels: tuple[Reel, Reel], frames: tuple[Frame, Frame]) -> tuple[str, str] | None:
    here, there = frames
    if here.scores != there.scores:
        return _points(here), _points(there)
    if here.views[0] == there.views[0]:
        return None
    lines = _lines_apart(reels[0], here, there)
    return next(lines, ("drawn otherwise", "drawn otherwise"))


def _points(frame: Frame) -> str:
    return f"{' : '.join(map(str, frame.scores))} points"


def _lines_apart(reel: Reel, here: Frame, there: Frame) -> Iterator[tuple[str, str]]:
    """Lines of the texts of two positions that differ."""
    texts = [reel.lines.join(frame.views[0].text).splitlines() for frame in (here, there)]
    for one, other in zip(*texts, strict=False):
        if one != other:
            yield one.strip() or "–", other.strip() or "–"
    if len(texts[0]) != len(texts[1]):
        yield f"{len(texts[0])} lines of text", f"{len(texts[1])} lines of text"


def _choice(reels: tuple[Reel, Reel], frames: tuple[Frame, Frame]) -> tuple[str, str] | None:
    counts = [
        reel.rows[frame.ply].get("n_legal") if frame.ply < len(reel.rows) else 0
        for reel, frame in zip(reels, frames, strict=True)
    ]
    if counts[0] == counts[1]:
        return None
    return f"{counts[0]} legal actions", f"{counts[1]} legal actions"
