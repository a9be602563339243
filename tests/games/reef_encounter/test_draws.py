"""What chance does: draws uniform over the bag, outcomes shared by rulesets (RULES.md M3)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from scipy.stats import chisquare

from reefsim.core.match import Match, ScriptError
from reefsim.games.reef_encounter.game import GAME
from reefsim.games.reef_encounter.position import position
from reefsim.games.reef_encounter.sea import DRAW_KEY, draw
from reefsim.testing import play

DRAWS = 6000


def counts(match: Match, bag: list[int], purpose: int = 21) -> list[int]:
    """How often each color comes first out of a bag, over many turns and places."""
    found: Counter[int] = Counter()
    for i in range(DRAWS):
        s = match.state
        s.bag = list(bag)
        color = draw(s, match.work, DRAW_KEY, purpose, i // 5 + 1, i % 5)
        assert s.bag == [n - (c == color) for c, n in enumerate(bag)]
        found[color] += 1
    return [found[c] for c in range(5)]


@pytest.mark.clause("M3")
@pytest.mark.parametrize(
    "bag", [[1, 1, 1, 1, 1], [39, 0, 1, 20, 5], [0, 0, 0, 0, 3], [2, 30, 0, 0, 1]]
)
def test_a_draw_is_uniform_over_the_tiles_in_the_bag(bag: list[int]) -> None:
    found = counts(position("R2", seed=3), bag)
    assert all(n == 0 for n, tiles in zip(found, bag, strict=True) if not tiles)
    if max(bag) < sum(bag):
        expected = [DRAWS * n / sum(bag) for n in bag if n]
        assert chisquare([n for n in found if n], expected).pvalue > 0.001


@pytest.mark.clause("M3")
def test_returned_tiles_come_up_again() -> None:
    """A bag emptied and filled again is like any other."""
    found: Counter[int] = Counter()
    for seed in range(400):
        match = position("R2", front="W2 P2", bag="G2", bonus="", seed=seed, eaten=1)
        play(match, *["alga white blue space"] * 2, *["alga pink blue space"] * 2)
        assert match.plain_state().bag == [2, 0, 0, 2, 2]
        play(match, "collect grey")
        found += Counter(row["color"] for row in match.events() if row["event"] == "refill")
    drawn = found["white"], found["pink"], found["grey"]
    assert chisquare(drawn).pvalue > 0.001


def test_draws_of_one_refill_do_not_hang_together() -> None:
    """First and second tile of a refill: independent but for what the first one took away."""
    pairs: Counter[tuple[str, str]] = Counter()
    for seed in range(500):
        match = position("R2", bag="W20 Y20", bonus="", seed=seed)
        play(match, "collect grey")
        first, second = (r["color"] for r in match.events() if r["event"] == "refill")
        pairs[first, second] += 1
    same = 500 * (19 / 39) / 2
    other = 500 * (20 / 39) / 2
    keys = [("white", "white"), ("white", "yellow"), ("yellow", "white"), ("yellow", "yellow")]
    assert chisquare([pairs[k] for k in keys], [same, other, other, same]).pvalue > 0.001


def set_up(differences: dict[str, Any], seed: int = 12, replicate: int = 0) -> list[dict[str, Any]]:
    ruleset = GAME.ruleset.make(differences, 3)
    return Match(GAME, ruleset, 3, seed=seed, replicate=replicate).events()


@pytest.mark.parametrize(
    "differences",
    [{"feed_return": 0}, {"initial_side": "starfish"}, {"larvae_per_color": 3}, {"max_turns": 9}],
)
def test_rulesets_share_the_outcomes_of_the_set_up(differences: dict[str, Any]) -> None:
    base, other = set_up({}), set_up(differences)
    kept = [row for row in base if row["event"] != "side"]
    assert [row for row in other if row["event"] != "side"] == kept


def test_hands_of_other_sizes_share_the_tiles_they_both_deal() -> None:
    base = set_up({})
    other = set_up({"initial_hand": [6, 7, 12]})
    deals = [row["color"] for row in base if row["event"] == "deal"]
    more = [row["color"] for row in other if row["event"] == "deal"]
    assert more[: len(deals)] == deals


def test_seeds_and_replicates_differ() -> None:
    seen = {str(set_up({}, seed, replicate)) for seed in (1, 2) for replicate in range(4)}
    assert len(seen) == 8
    assert set_up({}, 1) == set_up({}, 1)
    assert len({str(set_up({}, seed)) for seed in (0, 2**63, 2**200)}) == 3


WHITE = [0] * 27  # twelve tiles on the sea, fifteen in the hands


@pytest.mark.parametrize(
    ("script", "missing"),
    [
        ([], True),
        ([0, 1, 0, 0], True),
        ([0, 1, 0, 0, *WHITE[:9]], True),
        ([0, 0, 0, 0, *WHITE], False),  # the same board twice
        ([4, 1, 0, 0, *WHITE], False),
        ([-1, 1, 0, 0, *WHITE], False),
        ([0, 1, 2, 0, *WHITE], False),
        ([0, 1, 0, 5, *WHITE], False),
        ([0, 1, 0, 0, *WHITE], False),  # more white tiles than the bag has
    ],
)
def test_scripts_that_cannot_be(script: list[int], missing: bool) -> None:
    ruleset = GAME.ruleset.make({"tiles_per_color": 20}, 2)
    with pytest.raises(ScriptError) as error:
        Match(GAME, ruleset, 2, chance=script)
    assert error.value.missing == missing


def test_the_first_fault_of_a_script_counts() -> None:
    with pytest.raises(ScriptError) as error:
        Match(GAME, GAME.ruleset(), 2, chance=[0, 0])  # the same board twice, then too short
    assert not error.value.missing


def test_a_scripted_refill() -> None:
    match = position("R2", scripted=True)
    match.apply(GAME.parse_action("collect grey"), [4, 3])
    assert [row["color"] for row in match.events() if row["event"] == "refill"] == ["grey", "pink"]
    with pytest.raises(ScriptError):
        match.apply(GAME.parse_action("collect orange"), [0])
