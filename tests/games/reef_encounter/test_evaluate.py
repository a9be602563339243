"""What a position promises: bigger corals, safer tiles, no favorites among seats, final scores."""

from __future__ import annotations

from typing import Any

import pytest

from reefsim.agents.records import MAX_WEIGHTS
from reefsim.core.match import Match
from reefsim.games.reef_encounter.constants import P_FINAL
from reefsim.games.reef_encounter.evaluate import WEIGHTS, evaluate
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.position import position
from reefsim.games.reef_encounter.scoring import points
from reefsim.testing import play
from tests.agents.thinking import drawn, positions


def worth(match: Match, state: Any = None, **weights: float) -> list[float]:
    """What a position promises each seat, by the weights set by hand but for those named."""
    values = [weights.get(name, value) for name, value, _ in WEIGHTS]
    work = GAME.work.plain()
    evaluate(
        state or match.plain_state(),
        match.rules,
        work,
        values + [0.0] * (MAX_WEIGHTS - len(WEIGHTS)),
    )
    return work.worth[: match.seats]


def red(layout: str, **about: Any) -> float:
    """What a position promises red, the seat to act."""
    return worth(position("R2 R4", layout, **about))[0]


FIVE = "P: A3 B3 C3 C2 B2"


@pytest.mark.clause("R3.1", "R3.2")
def test_a_bigger_coral_is_worth_more() -> None:
    cells = ["A3", "B3", "C3", "C2", "B2", "D2", "E2"]
    values = [red(f"P: {' '.join(cells[:n])} | red@A3") for n in range(1, 8)]
    assert values == sorted(values)
    assert len(set(values[4:])) == 3


@pytest.mark.clause("R3.2")
def test_feeding_a_bigger_coral_is_worth_more() -> None:
    fed = [
        worth(play(position("R2 R4", f"{layout} | red@A3"), "feed A3"))[0]
        for layout in (FIVE, f"{FIVE} D2", f"{FIVE} D2 E2")
    ]
    assert fed == sorted(fed)
    assert fed[0] < fed[1] < fed[2]


@pytest.mark.clause("R0.4")
def test_a_coral_without_a_shrimp_promises_less() -> None:
    assert red(f"{FIVE} | red@A3") > red(FIVE)


@pytest.mark.clause("R5.1")
def test_an_exposed_tile_costs() -> None:
    """A yellow tile that two white ones may attack, against one that nothing stands beside."""
    exposed, alone = (
        red(f"Y: F5 E5 D5; W: {white} | red@D5", side="starfish") for white in ("F4 G4", "A3 B3")
    )
    assert exposed < alone


@pytest.mark.clause("R5.1")
@pytest.mark.parametrize(("held", "name"), [("W", "threat"), ("", "exposed")])
def test_a_tile_is_threatened_where_somebody_holds_what_takes_it(held: str, name: str) -> None:
    """Else it is merely exposed; each has a weight of its own."""
    layout = "Y: F5 E5 D5; W: F4 G4 | red@D5"
    match = position("R2 R4", layout, larvae={"green": held}, front={"green": held})
    low, high = (worth(match, **{name: value})[0] for value in (0.2, 0.8))
    assert low > high
    other = {"threat": "exposed", "exposed": "threat"}[name]
    low, high = (worth(match, **{other: value})[0] for value in (0.2, 0.8))
    assert low == high


@pytest.mark.clause("R0.5")
def test_a_protected_tile_does_not_cost() -> None:
    near, far = (red(f"Y: F5 E5 D5; W: F4 G4 | red@{cell}") for cell in ("F5", "D5"))
    assert near > far


@pytest.mark.clause("R2.6")
def test_a_shrimp_on_bare_rock_costs() -> None:
    match = position("R2 R4", "W: A3 | red@A3")
    assert worth(play(match.copy(), "shrimp_move A3 B3"))[0] < worth(match)[0]


@pytest.mark.clause("R11.6")
def test_final_feeds_settle_the_scores() -> None:
    """Then worth is points: those there are, and the best feed of each seat still to be asked."""
    seen = 0
    for match in [m for m in positions(60) if m.state.phase == P_FINAL]:
        state, work = match.plain_state(), GAME.work.plain()
        weights = [0.0] * MAX_WEIGHTS
        assert evaluate(state, match.rules, work, weights)
        seat, best = match.seat, 0
        for action in match.legal_actions():
            after = match.copy()
            after.apply(action)
            best = max(best, points(after.plain_state(), match.rules, seat))
        assert work.worth[seat] == best
        asked = [(state.ender + i) % match.seats for i in range(state.asked)]
        for done in {*asked, state.ender}:
            assert work.worth[done] == points(state, match.rules, done)
        seen += 1
    assert seen > 2


def test_before_final_feeds_scores_are_open() -> None:
    for match in positions(400):
        if match.state.phase != P_FINAL:
            work = GAME.work.plain()
            values = [value for _, value, _ in WEIGHTS] + [0.0] * MAX_WEIGHTS
            assert not evaluate(match.plain_state(), match.rules, work, values)


def mirrored(state: Any) -> Any:
    """The same position with the two seats (not the boards) changed."""
    twin = state.copy()
    for name in SEATED:
        rows = getattr(twin, name)
        rows[0], rows[1] = rows[1], rows[0]
    twin.seat = 1 - state.seat
    if state.ender >= 0:
        twin.ender = 1 - state.ender
    return twin


SEATED = (
    *("shrimp_cell", "coral", "num_shrimps", "on_board", "behind", "known", "unknown", "front"),
    *("fish", "stash", "larvae", "pair", "in_hand", "eaten"),
)


def test_there_are_no_favorites_among_seats() -> None:
    """With the two seats' things changed, so is what the position promises them."""
    unequal = 0
    for match in (m for seed in range(3) for m in drawn(2, {}, 40 + seed, 15)):
        one, other = worth(match), worth(match, mirrored(match.plain_state()))
        assert other == pytest.approx(one[::-1], abs=1e-9)
        unequal += one[0] != one[1]
    assert unequal > 20


@pytest.mark.parametrize("seat", [0, 1])
def test_a_point_more_is_worth_no_less(seat: int) -> None:
    """A tile more in the fish of a seat raises its worth and no one else's."""
    for match in drawn(2, {}, 50, 40):
        state = match.plain_state()
        if state.phase == P_FINAL:
            continue
        before = worth(match)
        state.fish[seat][0] += 1
        after = worth(match, state)
        assert after[seat] > before[seat]
        assert after[1 - seat] <= before[1 - seat]


def test_every_weight_has_a_name_and_room() -> None:
    names = [name for name, *_ in WEIGHTS]
    assert names[:2] == ["rivals", "spread"]  # places every game shares
    assert len(set(names)) == len(names) <= MAX_WEIGHTS
    assert all(meaning for *_, meaning in WEIGHTS)


SILENT = ("rivals", "spread")  # they say how worth is used, not what it is


@pytest.mark.parametrize("name", [name for name, *_ in WEIGHTS if name not in SILENT])
def test_every_weight_counts_somewhere(name: str) -> None:
    seen = (m for seed in range(6) for m in drawn(2, {"shrimps_per_player": 2}, 60 + seed, 5))
    assert any(worth(match, **{name: 0.37}) != worth(match, **{name: 0.73}) for match in seen)
