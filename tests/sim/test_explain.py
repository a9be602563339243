"""What players say of a position."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reefsim.agents.explain import ENDS, IMPROVES, Option, _Mind, explain
from reefsim.agents.kinds import record_values
from reefsim.agents.search import ROOT_PLANS
from reefsim.core.agent import AgentError, View
from reefsim.core.match import Match
from reefsim.core.record import read_record
from reefsim.core.replay import check_record
from reefsim.core.work import is_option
from reefsim.errors import ReefsimError
from reefsim.games import registry
from reefsim.sim import loop

GAME = registry.get("reef_encounter")
RECORDS = Path(__file__).parents[1] / "data" / "records" / GAME.name
HERE = Path(__file__).parent
# A decision at the start of a turn, and one in the middle of a grow action.
POSITIONS = [("2p_base_02_all_locked", 151), ("4p_base_04_all_locked", 303)]
AGENTS: list[tuple[str, dict[str, Any]]] = [
    ("random", {}),
    ("greedy", {"noise": 1.0}),
    ("planner", {"width": 1, "noise": 0.0}),
    ("search", {"width": 4, "iterations": 12}),
]


def at(name: str, ply: int) -> Match:
    found: list[Match] = []
    verdict = check_record(
        read_record(RECORDS / f"{name}.jsonl"),
        GAME,
        watch=lambda match: found.append(match.copy()) if match.ply == ply else None,
    )
    assert verdict.ok
    return found[0]


@pytest.fixture(scope="module", params=POSITIONS, ids=lambda place: place[0][:2])
def match(request: pytest.FixtureRequest) -> Match:
    return at(*request.param)


@pytest.mark.parametrize(("kind", "params"), AGENTS, ids=lambda value: str(value)[:7])
def test_options_are_legal_and_the_match_stays(
    match: Match, kind: str, params: dict[str, Any]
) -> None:
    before, events = match.plain_state(), match.events()
    options = explain(match, kind, params, seed=3)
    assert options == explain(match, kind, params, seed=3)
    assert options[:2] == explain(match, kind, params, seed=3, top=2)
    assert (match.plain_state(), match.events()) == (before, events)
    for option in options:
        assert match.is_legal(option.action)
        assert option.text == GAME.format_action(option.action) == option.plan[0]


@pytest.mark.parametrize(("kind", "params"), AGENTS, ids=lambda value: str(value)[:7])
def test_nobody_peeks(match: Match, kind: str, params: dict[str, Any]) -> None:
    """Another position that looks the same to the seat has the same options."""
    view, rng = View.of(match), np.random.default_rng(5)
    other = view.sample(rng)
    while other.plain_state() == match.plain_state():
        other = view.sample(rng)
    assert explain(other, kind, params) == explain(match, kind, params)


def chosen(match: Match, kind: str, params: dict[str, Any], seed: int) -> int:
    """The action the agent takes, with the random numbers it is explained with."""
    mind = _Mind(match, record_values(kind, params, GAME), seed, None)
    mind.kernels.list_match([match.state.copy()], mind.rules, mind.works[:1], [0] * GAME.max_legal)
    agent = mind.agents[0]
    arrays = (mind.states, mind.rules, mind.works, mind.log, mind.desks, mind.tree)
    return int(mind.kernels.consider.__globals__["choose"](*arrays, agent))


@pytest.mark.parametrize(("kind", "params"), AGENTS[1:], ids=lambda value: str(value)[:7])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_first_option_is_taken(
    match: Match, kind: str, params: dict[str, Any], seed: int
) -> None:
    options = explain(match, kind, params, seed=seed)
    taken = chosen(match, kind, params, seed)
    if kind == "greedy":  # decides between equal values by lot
        best = (options[0].value, options[0].note)
        assert taken in {o.action for o in options if (o.value, o.note) == best}
    else:
        assert taken == options[0].action


def test_turns_of_the_planner(match: Match) -> None:
    options = explain(match, "planner", {"width": 2})
    firsts = [option.action for option in options]
    assert len(set(firsts)) == len(firsts) > 5
    assert [option.rank for option in options] == list(range(1, len(options) + 1))
    values = [option.value or 0.0 for option in options]
    assert values[1:] == sorted(values[1:], reverse=True)
    mind = _Mind(match, record_values("planner", {"width": 2}, GAME), 1, None)
    mind.consider(1)
    for option, value in zip(options, values, strict=True):
        assert (option.note == "missed by its beam") == (value > values[0])
        after, work = mind.now, GAME.work.plain()
        for (
            text
        ) in option.plan:  # goes on to the end of the turn, and to what it is said to lead to
            assert (after.turn, after.seat, after.over) == (match.turn, match.seat, 0)
            mind.plain.list_legal(after, mind.plain_rules, work)
            assert is_option(work, GAME.parse_action(text))
            mind.plain.apply(after, mind.plain_rules, work, [], GAME.parse_action(text))
        assert (after.turn, after.seat) != (match.turn, match.seat) or after.over
        assert mind.plain.judge(after, mind.plain_rules, work, mind.agent, match.seat) == value


def test_actions_asked_for_are_among_the_options() -> None:
    match = at(*POSITIONS[0])
    everything = explain(match, "planner", {"width": 1}, also=match.legal_actions())
    assert {option.action for option in everything} == set(match.legal_actions())
    notes = [option.note for option in everything]
    assert "not looked at by the planner" in notes
    again = next(o for o in everything if "in another order" in o.note)
    same = next(o for o in everything if o.rank == again.rank)
    assert (again.note, again.value) == (
        f"the turn of option {same.rank} in another order",
        same.value,
    )
    found = explain(match, "planner", {"width": 1}, top=3, also=[everything[-1].action])
    assert [option.action for option in found][3:] == [everything[-1].action]


def test_visits_of_the_search(match: Match) -> None:
    options = explain(match, "search", {"width": 4, "iterations": 40})
    visits = [option.visits or 0 for option in options]
    assert sum(visits) == 40
    assert visits == sorted(visits, reverse=True)
    assert sum(option.prior or 0.0 for option in options) == pytest.approx(1)
    assert all(0 <= option.chance <= 1 for option in options if option.chance is not None)
    replies = [option for option in options if option.reply]
    assert replies
    assert all(option.reply_seat == (match.seat + 1) % match.seats for option in replies)


def test_the_search_is_not_offered_more_plans_than_in_play(match: Match) -> None:
    options = explain(match, "search", {"width": 4, "iterations": 12})
    mind = _Mind(match, record_values("search", {"width": 4, "iterations": 12}, GAME), 1, None)
    mind.consider(1)
    assert len(options) == ROOT_PLANS
    assert sum(option.visits or 0 for option in options) == mind.tree[0].visits


def test_a_search_with_nothing_to_search() -> None:
    """Where there is one turn only, it is named with its value."""
    match = at("2p_few_larvae_01_no_cube", 304)
    [option] = explain(match, "search", {"width": 4, "iterations": 5, "never": ["feed"]})
    assert (option.text, option.visits, option.chance) == ("no_feed", None, None)
    assert option.value is not None
    assert option.note == "the only turn worth a look"


def test_the_greedy_agent_ends_its_turn_when_nothing_improves(match: Match) -> None:
    options = explain(match, "greedy", {})
    assert {option.action for option in options} == set(match.legal_actions())
    notes = [option.note for option in options]
    assert notes == sorted(notes, key=[IMPROVES, ENDS, ""].index)
    for note in set(notes):
        values = [option.value or 0.0 for option in options if option.note == note]
        assert values == sorted(values, reverse=True)


def test_restrictions_bind_the_options() -> None:
    match = at(*POSITIONS[0])
    for kind, params in AGENTS:
        options = explain(match, kind, params | {"never": ["alga", "shrimp_move"]})
        assert options
        texts = {option.text.split()[0] for option in options}
        assert not texts & {"alga", "shrimp_move"}


def test_weights_matter() -> None:
    match = at(*POSITIONS[0])
    weights = {name: 0.0 for name, *_ in GAME.weights} | {"spread": 1.0}
    by_hand, zero = (explain(match, "greedy", p) for p in ({}, {"weights": weights}))
    assert [option.value for option in zero] != [option.value for option in by_hand]


def own(match: Match, name: str, **params: Any) -> list[Option]:
    return explain(match, f"own_agents:{name}", params, folder=HERE)


def test_a_class_of_the_users_tells_its_answer(match: Match) -> None:
    path = list(sys.path)
    [option] = own(match, "Careful")
    assert [option] == own(match, "Careful")
    assert match.is_legal(option.action)
    assert (option.value, option.chance, option.visits) == (None, None, None)
    assert sys.path == path
    allowed = [a for a in match.legal_actions() if a >> 16 != match.legal_actions()[0] >> 16]
    never = [GAME.action_kinds[match.legal_actions()[0] >> 16]]
    assert own(match, "Chance", never=never)[0].action in allowed


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("raises", r"own_agents:Faulty at ply 151, seat 0: ValueError: this was not foreseen"),
        ("none", "TypeError: 'NoneType' object cannot"),
        ("illegal", "act returned 12345678, which is not legal"),
        ("leaves", "SystemExit: 0"),
        ("mumbles", "UnspeakableError"),
        ("hides", "KeyError"),
        ("unmade", "OSError: no file"),
    ],
)
def test_a_class_that_fails_is_named(fault: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as error:
        own(at(*POSITIONS[0]), "Faulty", fault=fault)
    assert "\n" not in str(error.value)


def test_a_class_that_is_not_there() -> None:
    with pytest.raises(AgentError, match="there is no module 'no_agents'"):
        explain(at(*POSITIONS[0]), "no_agents:Gone", {})


def test_a_game_that_is_over_has_no_options() -> None:
    match = Match(GAME, GAME.ruleset(), 2)
    match.stop()
    with pytest.raises(ReefsimError, match="the game is over"):
        explain(match, "greedy", {})


@pytest.mark.jitted
def test_both_modes_say_the_same() -> None:
    match = at(*POSITIONS[0])
    kernels = GAME.build("jitted", loop.KERNELS)
    rules, states = GAME.rules.records(1, "jitted"), GAME.state.records(1, "jitted")
    GAME.rules.fill(rules[0], vars(GAME.rules.to_plain(match.rules)))
    GAME.state.fill(states[0], vars(match.plain_state()))
    jitted = Match.at(GAME, match.ruleset, kernels, rules, states, "jitted")
    for kind, params in AGENTS:
        assert explain(jitted, kind, params, kernels=kernels) == explain(match, kind, params)
