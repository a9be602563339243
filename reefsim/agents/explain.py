"""What a player thinks of a position: its best options, their values and the plans behind them."""

from __future__ import annotations

import operator
import sys
import traceback
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reefsim.agents import choose, records
from reefsim.agents.choose import GREEDY, PLANNER, RANDOM
from reefsim.agents.kinds import KINDS, NEVER, import_agent_class, is_own_class, record_values
from reefsim.agents.plan import read_trail
from reefsim.agents.records import AGENT, DESK, LOOK, MAX_KEPT, MAX_PLAN, NODE, NOW, NUM_STATES
from reefsim.agents.search import tree_room
from reefsim.core.agent import AgentError, View
from reefsim.core.kernel import Kernels
from reefsim.core.layout import store
from reefsim.core.match import Match
from reefsim.core.rng import AGENT_STREAM, philox, root_key, seed_agent
from reefsim.core.work import list_actions
from reefsim.errors import ReefsimError

KERNELS = (choose, records)  # modules a game is built with
ENDS, IMPROVES, REST = "ends the turn", "improves the position", ""  # notes of the greedy agent


@dataclass(frozen=True)
class Option:
    """Something a player may do, and what it thinks of it.

    Attributes
    ----------
    rank : place among its options, from 1
    action, text : the next action, and its text
    plan : texts of the actions of the whole turn, as far as the agent plans it, this one first
    value : how good the position after the plan is for the seat, in points; None if unknown
    chance : the seat's mean chance of winning in the search, 0 to 1; None without a search
    visits : iterations of the search that tried the plan; None without a search
    prior : share the plan had before the search, 0 to 1; None without a search
    reply, reply_seat : the plan that the search expects next, and whose it is; empty and None
        if it looked no further
    note : what else is to be said
    """

    rank: int
    action: int
    text: str
    plan: tuple[str, ...]
    value: float | None = None
    chance: float | None = None
    visits: int | None = None
    prior: float | None = None
    reply: tuple[str, ...] = ()
    reply_seat: int | None = None
    note: str = ""


def explain(
    match: Match,
    kind: str,
    params: Mapping[str, Any],
    *,
    seed: int = 1,
    top: int | None = None,
    also: Collection[int] = (),
    kernels: Kernels | None = None,
    folder: Path | None = None,
) -> list[Option]:
    """Ask an agent for the options of the seat to act, in a match that stays as it is.

    The agent knows what the seat may know, and begins its turn anew: it has no plan from before.
    Errors of its judgment (`noise`) are left out. Of the options of

    * `random`, each has the same chance,
    * `greedy`, each is an action, in the order in which it would take them,
    * `planner`, each is the best turn it finds that begins with that action, its own choice first,
    * `search`, each is a plan for the turn, by visits,
    * a user's class, there is one: its answer.

    Parameters
    ----------
    match : a game that is not over, in either mode
    kind, params : of the agent, as for `kinds.record_values`
    seed : of the agent's random numbers; the same seed gives the same options
    top : how many options are wanted; None: all
    also : actions whose best option is wanted, too, as far as the agent has one
    kernels : of the game, built with `KERNELS` among others in the match's mode; None: built here
    folder : where a user's class is looked for besides the installed packages

    Returns
    -------
    list of Option, best first; empty if the agent finds no turn that it could finish

    Raises
    ------
    ReefsimError : if the game is over
    AgentError : if a user's class cannot be imported or does not answer with a legal action
    """
    if match.over:
        raise ReefsimError("the game is over: there is nothing to choose.")
    mind = _Mind(match, record_values(kind, params, match.game), seed, kernels)
    if is_own_class(kind):
        return [_answer(mind, kind, params, seed, folder)]
    code = KINDS[kind].code
    if code == RANDOM:
        found = [mind.option(1, [action]) for action in mind.allowed()]
    elif code == GREEDY:
        found = _greedy(mind)
    else:
        found = _planner(mind, also) if code == PLANNER else _search(mind)
    firsts = [option.action for option in found]
    return [
        option
        for i, option in enumerate(found)
        if top is None or i < top or (option.action in also and i == firsts.index(option.action))
    ]


class _Turn(NamedTuple):
    """A finished turn: what it is worth, the hash of the position it leads to, its actions."""

    value: float
    print: int
    plan: tuple[int, ...]


class _Mind:
    """The records an agent thinks with about one position, in the mode of the match.

    What no entry of the kernels offers is done with their plain twins, on plain copies.
    """

    def __init__(
        self,
        match: Match,
        values: Mapping[str, Any],
        seed: int,
        kernels: Kernels | None,
    ) -> None:
        game, mode = match.game, match.mode
        self.match, self.game = match, game
        self.kernels = kernels or game.build(mode, KERNELS)
        self.plain = game.build("plain", KERNELS)
        self.agent: Any = AGENT.plain()
        AGENT.fill(self.agent, {**values, "noise": 0.0})
        seed_agent(self.agent, root_key(seed), 0, 0, match.seat, 0)
        self.agents: Any = AGENT.records(1, mode)
        AGENT.fill(self.agents[0], vars(self.agent))
        self.states: Any = game.state.records(NUM_STATES, mode)
        store(self.states, 0, match.state)
        self.rules: Any = game.rules.records(1, mode)
        store(self.rules, 0, match.rules)
        self.works: Any = game.work.records(2, mode)
        self.desks: Any = DESK.records(1, mode)
        iterations = int(self.agent.iterations)
        self.tree: Any = NODE.records(tree_room(iterations), mode)
        self.log: Any = np.zeros(0, np.int64) if mode == "jitted" else []
        self.plain_rules = game.rules.to_plain(match.rules)

    def consider(self, keep: int) -> None:
        """Let the agent plan its turn; what it found is on the desk, or in the tree of a search.

        Parameters
        ----------
        keep : finished turns that stay on the desk, though a search takes no fewer than it is used
            to; if it got more, it would not play as it does
        """
        known = (self.states, self.rules, self.works, self.log)
        self.kernels.consider(*known, self.desks, self.tree, self.agents, keep)

    def judge(self, actions: Sequence[int]) -> list[float]:
        """Values of actions for an agent that looks one action ahead, in points."""
        numbers: Any = list(actions)
        values: Any = [0.0] * len(actions)
        if self.match.mode == "jitted":
            numbers, values = np.array(numbers, np.int64), np.array(values)
        self.kernels.judge_actions(
            self.states, self.rules, self.works, self.log, self.agents, numbers, values
        )
        return [float(value) for value in values]

    @property
    def now(self) -> Any:
        """A plain copy of the position the agent imagined last."""
        return self.game.state.to_plain(self.states[NOW])

    def allowed(self, proposed: bool = False) -> list[int]:
        """The legal actions that the agent lets itself take.

        Parameters
        ----------
        proposed : leave out those that players who look ahead do not look at
        """
        state, work = self.match.plain_state(), self.game.work.plain()
        list_them = self.plain.list_promising if proposed else self.plain.list_allowed
        list_them(state, self.plain_rules, work, self.agent)
        actions = [0] * self.game.max_legal
        return actions[: list_actions(work, actions)]

    @cached_property
    def _room(self) -> tuple[list[Any], Any]:
        """Plain states and a desk, to plan turns with."""
        return self.game.state.plains(NUM_STATES), DESK.plain()

    def best_turn(self, now: Any, action: int) -> _Turn | None:
        """The best turn the agent finds that begins with an action, None if it finds none.

        Parameters
        ----------
        now : the position it imagined, plain
        action : a legal one
        """
        plain, agent, work = self.plain, self.agent, self.game.work.plain()
        states, desk = self._room
        states[NOW] = now
        if plain.try_action(states, self.plain_rules, work, [], NOW, action):
            value = plain.outlook(states, self.plain_rules, work, [], agent, NOW, action)
            return _Turn(value, -1, (action,))
        after = states[LOOK].copy()
        turns = int(agent.turns)
        if _is_turn_over(now, after):
            turns -= 1
            if after.over or turns == 0 or not plain.skip(after, self.plain_rules, now.seat):
                value = plain.judge(after, self.plain_rules, work, agent, now.seat)
                return _Turn(value, plain.fingerprint(after), (action,))
        states[NOW] = after
        plain.plan_turn(
            *(states, [self.plain_rules], [work, work], [], desk),
            *(agent, NOW, turns, agent.width, 1, True),
        )
        found = [turn._replace(plan=(action, *turn.plan)) for turn in _turns(desk)]
        return found[0] if found else None

    def seat_after(self, plan: Sequence[int]) -> int | None:
        """Seat to act after a plan; None if the game is over, or the plan is not legal."""
        rules, states = [self.plain_rules], [self.now]
        match = Match.at(self.game, self.match.ruleset, self.plain, rules, states, "plain")
        for action in plan:
            if not match.is_legal(action):
                return None
            match.apply(action)
        return None if match.over else match.seat

    def texts(self, plan: Sequence[int]) -> tuple[str, ...]:
        """Texts of actions."""
        return tuple(self.game.format_action(action) for action in plan)

    def option(self, rank: int, plan: Sequence[int], **known: Any) -> Option:
        """Build an option."""
        texts = self.texts(plan)
        return Option(rank, plan[0], texts[0], texts, **known)


def _is_turn_over(before: Any, after: Any) -> bool:
    """Whether a turn ended between two positions."""
    return bool(after.over or after.turn != before.turn or after.seat != before.seat)


def _turns(desk: Any) -> list[_Turn]:
    """The finished turns on a desk, best first."""
    found = []
    for i in range(int(desk.num_done)):
        plan = [0] * MAX_PLAN
        length = read_trail(desk, int(desk.done_trail[i]), plan)
        actions = tuple(int(action) for action in plan[:length])
        found.append(_Turn(float(desk.done_value[i]), int(desk.done_print[i]), actions))
    return found


def _greedy(mind: _Mind) -> list[Option]:
    """Every action, in the order in which the greedy agent would take them (`choose_greedy`)."""
    actions = mind.allowed()
    values = mind.judge(actions)
    now, work = mind.now, mind.game.work.plain()
    still = mind.plain.judge(now, mind.plain_rules, work, mind.agent, now.seat)
    judged = []
    for action, value in zip(actions, values, strict=True):
        after = now.copy()
        mind.plain.apply(after, mind.plain_rules, work, [], action)
        note = IMPROVES if value > still else REST
        ends = _is_turn_over(now, after) and not mind.plain.is_chancy(now, action)
        if ends and not (after.over and value > still):
            note = ENDS
        judged.append((note, value, action))
    judged.sort(key=lambda one: ((IMPROVES, ENDS, REST).index(one[0]), -one[1], one[2]))
    return [
        mind.option(rank, [action], value=value, note=note)
        for rank, (note, value, action) in enumerate(judged, 1)
    ]


def _planner(mind: _Mind, also: Collection[int]) -> list[Option]:
    """The best turn for each first action; the turn that the planner plays comes first.

    Its beam often ends with turns that begin alike, so each other action is tried by itself, in the
    position that the planner imagined. The same turn in another order is no option of its own.
    """
    mind.consider(MAX_KEPT)
    now = mind.now
    best: dict[int, _Turn] = {}
    for turn in _turns(mind.desks[0]):
        best.setdefault(turn.plan[0], turn)
    own = next(iter(best), None)
    proposed = mind.allowed(proposed=True)
    legal = mind.match.legal_actions()
    for action in dict.fromkeys([*proposed, *(a for a in also if a in legal)]):
        tried = mind.best_turn(now, action) if action != own else None
        if tried and (action not in best or tried.value > best[action].value):
            best[action] = tried
    ranks: dict[int, int] = {}
    options = []
    for action in sorted(best, key=lambda action: (action != own, -best[action].value)):
        turn = best[action]
        mark = turn.print if turn.print >= 0 else -1 - action  # -1 is unlike every other
        is_new = mark not in ranks
        rank = ranks.setdefault(mark, len(ranks) + 1)
        note = "" if is_new else f"the turn of option {rank} in another order"
        if action not in proposed and action != own:
            note = note or "not looked at by the planner"
        elif action != own and own is not None and turn.value > best[own].value:
            note = note or "missed by its beam"
        if is_new or action in also:
            options.append(mind.option(rank, turn.plan, value=turn.value, note=note))
    return options


def _search(mind: _Mind) -> list[Option]:
    """The plans below the root of the tree, most visited first, each with the reply expected."""
    mind.consider(1)
    tree = mind.tree
    if tree[0].visits == 0:  # then nothing was to be searched
        note = "the only turn worth a look"
        turns = _turns(mind.desks[0])[:1]
        return [mind.option(1, turn.plan, value=turn.value, note=note) for turn in turns]
    seat = mind.match.seat
    return [
        mind.option(
            rank,
            _plan(node),
            chance=float(node.value[seat] / node.visits) if node.visits else None,
            visits=int(node.visits),
            prior=float(node.prior),
            **_reply(mind, node),
        )
        for rank, node in enumerate(_children(tree, tree[0]), 1)
    ]


def _children(tree: Any, node: Any) -> list[Any]:
    """Nodes below a node, most visited first, among equals the better ones for the seat to act."""
    found, place = [], int(node.first)
    while place >= 0:
        found.append(tree[place])
        place = int(tree[place].next)
    return sorted(found, key=lambda child: (-child.visits, -child.prior))


def _plan(node: Any) -> list[int]:
    return [int(action) for action in node.plan[: node.length]]


def _reply(mind: _Mind, node: Any) -> dict[str, Any]:
    """The most visited plan of the seat that follows, if any was tried."""
    replies = [child for child in _children(mind.tree, node) if child.visits > 0]
    seat = mind.seat_after(_plan(node)) if replies else None
    if seat is None:
        return {}
    return {"reply": mind.texts(_plan(replies[0])), "reply_seat": seat}


def _answer(
    mind: _Mind, kind: str, params: Mapping[str, Any], seed: int, folder: Path | None
) -> Option:
    """Ask a user's class, through a view, for its action."""
    view = View.of(mind.match)
    view.legal_actions = mind.allowed()
    legal = view.legal_actions[:]
    place = f"{kind} at ply {view.ply}, seat {view.seat}"
    rng = np.random.default_rng(philox(*root_key(seed), 0, 0, AGENT_STREAM, view.seat))
    own = {name: value for name, value in params.items() if name != NEVER}
    added = [str(folder.resolve())] if folder else []
    sys.path[:0] = added  # the class may import its neighbors while it plays
    try:
        answer = import_agent_class(kind, folder)(rng, **own).act(view)
        action = operator.index(answer)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # it is a user's class: anything may happen
        what = " ".join("".join(traceback.format_exception_only(error)).split())
        raise AgentError(f"{place}: {what}.") from error
    finally:
        for entry in added:
            if entry in sys.path:
                sys.path.remove(entry)
    if action not in legal:
        raise AgentError(f"{place}: act returned {action}, which is not legal.")
    return mind.option(1, [action], note="its answer; a class of your own tells no more")
