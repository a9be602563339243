"""Whether a registered game keeps the promises the toolkit relies on.

`check_game` plays drawn games under drawn rulesets in plain mode and says everything it finds
wrong. Run it after a change of the rules, and for every new game: what is asked of a game is here.

>>> check_game(registry.get(registry.names()[0]), games=1, seed=4)
[]
"""

from __future__ import annotations

import importlib
import math
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from reefsim.core.agent import View
from reefsim.core.game import Game
from reefsim.core.match import Match
from reefsim.core.record import Record, make_header, read_record, write_record
from reefsim.core.replay import check_record
from reefsim.core.work import kind_of
from reefsim.errors import IllegalActionError
from reefsim.testing.declarations import check_words
from reefsim.testing.drawing import draw_ruleset
from reefsim.testing.walks import Chooser

_FAILURES = 20  # enough to see a pattern
_GUARD = 20_000  # decisions after which a game is taken for endless
_LOOK_AHEAD = 40  # decisions played from a position drawn to fit a view


def check_game(
    game: Game,
    *,
    games: int = 6,
    seed: int = 0,
    jitted: bool = False,
    weights: Mapping[str, int] | None = None,
) -> list[str]:
    """Check a game; returns what is wrong with it, as sentences, the first twenty.

    Parameters
    ----------
    game : any game; it need not be registered
    games : how many are played, each with its own number of seats, ruleset and seed. The first
        of each number of seats has the published rules
    seed : of the drawing; every sentence about a game names what rebuilds it
    jitted : play each game in jitted mode as well, which compiles the rules, and compare
    weights : of kinds of action, by name (see `Chooser`), to come to what random play misses

    Returns
    -------
    sentences such as "seats 3, seed 41, {'some_toggle': 2}, ply 90: the legal actions are not
    sorted"; empty if the game conforms
    """
    failures = list(islice(check_words(game), _FAILURES))
    rng = random.Random(seed)
    for number in range(games):
        seats = game.seats[number % len(game.seats)]
        published = number < len(game.seats)
        ruleset = (
            game.ruleset.make({}, seats)
            if published
            else draw_ruleset(game.ruleset, seats, rng.randint)
        )
        one = _Played(
            game.under(ruleset), ruleset, seats, rng.randrange(2**32), jitted, dict(weights or {})
        )
        failures += islice(one.check(), max(0, _FAILURES - len(failures)))
    return failures


@dataclass
class _Played:
    """One game being checked while it is played."""

    game: Game
    ruleset: Any
    seats: int
    seed: int
    jitted: bool
    weights: dict[str, int]
    known: set[int] = field(default_factory=set)  # actions whose text was checked

    def check(self) -> Iterator[str]:
        """Play the game; yields what is wrong, and stops at an error of the engine."""
        setting = f"seats {self.seats}, seed {self.seed}, {self.ruleset.differences()}"
        match = None
        try:
            match = Match(self.game, self.ruleset, self.seats, seed=self.seed)
            for sentence in self._walk(match):
                yield f"{setting}, ply {match.ply}: {sentence}"
        except Exception as error:  # whatever a game raises is a finding, not an error here
            where = f"ply {match.ply}" if match else "set-up"
            yield f"{setting}, {where}: {type(error).__name__}: {error}"

    def _walk(self, match: Match) -> Iterator[str]:
        game = self.game
        kinds = game.action_kinds
        chooser = Chooser({kinds.index(kind): weight for kind, weight in self.weights.items()})
        rng = random.Random(self.seed)
        check_step = _step_check(game)
        twin = None
        if self.jitted:
            twin = Match(game, self.ruleset, self.seats, seed=self.seed, mode="jitted")
        for decision in range(_GUARD):
            before = match.plain_state()
            yield from game.check_state(before, match.rules)
            if twin is not None:
                yield from _compare(match, twin)
            if match.over:
                break
            legal = match.legal_actions()
            yield from self._check_legal(match, legal)
            action = chooser.choose(legal, rng.randrange(2**20))
            if rng.random() < 1 / (1 + decision / 20):  # the first decisions are the special ones
                yield from _check_view(match, rng)
                yield from _check_copy(match, action, legal[-1])
                yield from _check_fits(match)
                yield from _check_thinking(match, legal)
                yield from self._check_reasons(match, rng)
            ply = match.ply
            match.apply(action)
            if twin is not None:
                twin.apply(action)
            yield from check_step(before, action, match.plain_state(), match.rules)
            yield from _check_events(match, ply, before, action, len(legal))
        else:
            yield f"the game is not over after {_GUARD} decisions"
            return
        yield from _check_fits(match)
        yield from self._check_results(match)

    def _check_legal(self, match: Match, legal: list[int]) -> Iterator[str]:
        game = self.game
        if not legal:
            yield "no action is legal, and the game is not over"
        if any(a >= b for a, b in pairwise(legal)):
            yield "the legal actions are not sorted or repeat"
        if len(legal) > game.max_legal:
            yield f"{len(legal)} actions are legal, max_legal is {game.max_legal}"
        for action in set(legal) - self.known:
            self.known.add(action)
            text = game.format_action(action)
            if game.parse_action(text) != action:
                yield f"{text!r} is action {game.parse_action(text)}, not {action}"

    def _check_reasons(self, match: Match, rng: random.Random) -> Iterator[str]:
        """Just the actions that are not legal have a reason, among those met so far."""
        legal = set(match.legal_actions())
        for action in rng.sample(sorted(self.known), min(12, len(self.known))):
            reason = match.why_illegal(action)
            if (action in legal) == bool(reason):
                text = match.game.format_action(action)
                what = "legal" if action in legal else "not legal"
                yield f"{text!r} is {what}, the reason is {reason!r}"
        if odd := sorted(self.known - legal):
            yield from _check_refusal(match, rng.choice(odd))

    def _check_results(self, match: Match) -> Iterator[str]:
        """Results agree with each other, and the record tells the same game."""
        game = self.game
        rows, scores, ranks = match.results(), match.scores(), match.ranks()
        if [(row["score"], row["rank"]) for row in rows] != list(zip(scores, ranks, strict=True)):
            yield f"scores {scores} and ranks {ranks} differ from the result rows"
        if min(ranks) != 1 or any(rank != 1 + sum(r < rank for r in ranks) for rank in ranks):
            yield f"the ranks are {ranks}"
        for p, q in ((p, q) for p in range(self.seats) for q in range(self.seats)):
            if scores[p] > scores[q] and ranks[p] > ranks[q]:
                yield f"ranks {ranks} do not follow the scores {scores}"
        if match.end_cause not in game.end_causes:
            yield f"the game is over with cause {match.end_cause!r}"
        agents = [f"agent {seat}" for seat in range(self.seats)]
        header = make_header(game.name, self.seats, self.ruleset.resolved(), agents, self.seed)
        header |= game.record_header(self.ruleset)
        results = [row | {"agent": agents[row["seat"]]} for row in rows]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.jsonl"
            write_record(path, Record(header, match.events(), results))
            verdict = check_record(read_record(path), game)
        if not verdict.ok:
            yield f"the record of the game is refused: {verdict}"


def _check_refusal(match: Match, action: int) -> Iterator[str]:
    """An action that is not legal is refused, with a clause, and changes nothing."""
    game, before = match.game, match.plain_state()
    text = game.format_action(action)
    try:
        match.apply(action)
    except IllegalActionError as error:
        reason = match.why_illegal(action)
        if ": " not in reason:
            yield f"{text!r} is refused without clause and reason: {reason!r}"
        if text not in str(error):
            yield f"the refusal of {text!r} does not name it: {error}"
    else:
        yield f"{text!r} is not legal and was applied"
    if match.plain_state() != before:
        yield f"the refused {text!r} changed the position"


def _check_fits(match: Match) -> Iterator[str]:
    """Every value fits its field in jitted mode, where it would wrap around in silence."""
    for layout, record in ((match.game.state, match.state), (match.game.work, match.work)):
        for name, kind, *_ in layout.fields:
            if not np.issubdtype(kind, np.integer):
                continue
            values = np.asarray(getattr(record, name), object).ravel()
            low, high = min(values), max(values)
            if low < np.iinfo(kind).min or high > np.iinfo(kind).max:
                yield f"{layout.name}.{name} holds {low}..{high}, {np.dtype(kind)} is too narrow"


def _check_copy(match: Match, action: int, other: int) -> Iterator[str]:
    """A copy goes its own way, and the same action leads to the same position."""
    before, ply = match.plain_state(), match.ply
    first, second, third = match.copy(), match.copy(), match.copy()
    first.apply(action)
    third.apply(other)
    second.apply(action)
    if match.plain_state() != before or match.ply != ply:
        yield "playing a copy changed the match"
    if first.plain_state() != second.plain_state() or first.codes[ply:] != second.codes[ply:]:
        yield "an action led to two different positions"


def _check_events(
    match: Match, ply: int, before: Any, action: int, num_legal: int
) -> Iterator[str]:
    """The action is told as it was, followed by chance and consequences only."""
    game = match.game
    rows = match.events(ply)
    if not rows:
        yield f"{game.format_action(action)!r} left no event"
        return
    told = rows[0]
    if told["event"] != game.action_kinds[kind_of(action)] or game.action_of(told) != action:
        yield f"{game.format_action(action)!r} is told as {told}"
    expected = {"ply": ply, "seat": before.seat, "turn": before.turn, "n_legal": num_legal}
    if not expected.items() <= told.items():
        yield f"{told} should have {expected}"
    roles = [game.events.roles[row["event"]] for row in rows[1:]]
    if "action" in roles or ("end" in roles) != match.over or "end" in roles[:-1]:
        yield f"the action is followed by {[row['event'] for row in rows[1:]]}"


def _check_view(match: Match, rng: random.Random) -> Iterator[str]:
    """A view hides what the seat cannot know, and positions drawn to fit it do."""
    view = View.of(match)
    known = view.state
    if view.legal_actions != match.legal_actions():
        yield "the view has other legal actions than the match"
    drawn = view.sample(np.random.default_rng(rng.randrange(2**32)))
    for sentence in match.game.check_state(drawn.plain_state(), drawn.rules):
        yield f"in a position drawn to fit a view: {sentence}"
    # The drawn position is the same to the seat: its hidden pieces were scrambled.
    again = View.of(drawn).state
    if again != known:
        yield f"hidden pieces were dealt anew, and the view differs in {_differences(again, known)}"
    chooser = Chooser()
    for _ in range(_LOOK_AHEAD):
        if drawn.over:
            break
        drawn.apply(chooser.choose(drawn.legal_actions(), rng.randrange(2**20)))
    if not drawn.to_text():
        yield "a position has no text"
    for sentence in match.game.check_state(drawn.plain_state(), drawn.rules):
        yield f"some actions after a position drawn to fit a view: {sentence}"


def _check_thinking(match: Match, legal: list[int]) -> Iterator[str]:
    """What players that look ahead rely on: proposals, fingerprints, worths."""
    game = match.game
    kernels = game.build("plain")
    before, work = match.plain_state(), game.work.plain()
    kernels.propose(match.state, match.rules, work)
    actions = [0] * game.max_legal
    proposed = actions[: kernels.list_actions(work, actions)]
    if not proposed or not set(proposed) <= set(legal):
        yield f"{len(proposed)} actions are proposed, {len(set(proposed) - set(legal))} not legal"
    mark = kernels.fingerprint(match.state)
    if not -1 <= mark < 2**62:
        yield f"the fingerprint {mark} is not in -1..2**62 - 1"
    kernels.evaluate(match.state, match.rules, work, [value for _, value, _ in game.weights])
    worth = work.worth[: match.seats]
    if not all(map(math.isfinite, worth)):
        yield f"the worths are {worth}"
    if match.plain_state() != before:
        yield "thinking about a position changed it"


def _compare(plain: Match, jitted: Match) -> Iterator[str]:
    """Both modes are in the same position, came there by the same events, and go on alike."""
    one, two = plain.plain_state(), jitted.plain_state()
    if one != two:
        yield f"plain and jitted states differ in {_differences(one, two)}"
    if plain.codes != jitted.codes:
        yield "plain and jitted events differ"
    if plain.legal_actions() != jitted.legal_actions():
        yield "plain and jitted legal actions differ"
    if plain.over and plain.result_row() != jitted.result_row():
        yield "plain and jitted results differ"


def _differences(one: Any, two: Any) -> str:
    names = [name for name, value in vars(one).items() if getattr(two, name) != value]
    return ", ".join(f"{n} ({getattr(one, n)}, {getattr(two, n)})" for n in names)


def _step_check(game: Game) -> Callable[..., list[str]]:
    """The game's own check of steps (`check_step` of its module `invariants`), if it has one."""
    package = game.ruleset.__module__.rpartition(".")[0]
    try:
        found = importlib.import_module(f"{package}.invariants").check_step
    except (ImportError, AttributeError):
        return lambda *step: []
    return found  # type: ignore[no-any-return]
