"""The two generators: published known answers, uniformity, keys, and the same in both modes."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from reefsim.core import rng
from reefsim.core.kernel import build
from reefsim.core.layout import Layout
from reefsim.core.rng import (
    AGENT_STREAM,
    MASK,
    below,
    next_word,
    philox,
    root_key,
    seed_agent,
    seed_chance,
    uniform,
    unit,
)

ONES = 0xFFFFFFFF
AGENT = Layout("test_agent", [("rng", np.int64, (4,))])

# Random123 1.14, tests/kat_vectors, philox4x32 with 10 rounds: counter, key, answer
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES,) * 4, (ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def agent(*state: int) -> Any:
    record = AGENT.plain()
    record.rng = list(state)
    return record


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_philox_known_answers(
    counter: tuple[int, ...], key: tuple[int, ...], answer: tuple[int, ...]
) -> None:
    assert philox(*key, *counter) == answer


def xoshiro128plusplus(state: list[int]) -> int:
    """The definition of Blackman and Vigna, in unsigned 32-bit arithmetic."""

    def rotated(x: np.uint32, k: int) -> np.uint32:
        return np.uint32((x << np.uint32(k)) | (x >> np.uint32(32 - k)))

    s = [np.uint32(word) for word in state]
    with np.errstate(over="ignore"):
        result = rotated(s[0] + s[3], 7) + s[0]
        t = s[1] << np.uint32(9)
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotated(s[3], 11)
    state[:] = [int(word) for word in s]
    return int(result)


@pytest.mark.parametrize(
    "start", [(1, 2, 3, 4), (ONES,) * 4, (0, 0, 0, 1), (0x9E3779B9, 0x243F6A88, 0xB7E15162, 7)]
)
def test_xoshiro_is_its_definition(start: tuple[int, ...]) -> None:
    own, state = agent(*start), list(start)
    for _ in range(1000):
        assert next_word(own) == xoshiro128plusplus(state)
        assert own.rng == state


def test_xoshiro_known_answers() -> None:
    """First outputs of the reference implementation from the state 1, 2, 3, 4."""
    own = agent(1, 2, 3, 4)
    assert [next_word(own) for _ in range(4)] == [641, 1573767, 3222811527, 3517856514]


@pytest.mark.parametrize("n", [1, 2, 5, 7, 33, 200])
def test_uniform_is_uniform(n: int) -> None:
    k0, k1 = root_key(5)
    draws = 200 * n if n < 100 else 40 * n
    found = Counter(uniform(k0, k1, 3, i, i % 5, n) for i in range(draws))
    assert set(found) == set(range(n))
    if n > 1:
        assert chisquare([found[i] for i in range(n)]).pvalue > 0.001


@pytest.mark.parametrize("draw", ["uniform", "below"])
def test_no_value_is_preferred_where_words_do_not_divide_evenly(draw: str) -> None:
    """Of 8 words 3 values: without rejection every third value would be drawn too seldom."""
    n = 3 * 2**29
    own = agent(1, 2, 3, 4)
    values = [
        uniform(1, 2, 0, i, 0, n) if draw == "uniform" else below(own, n) for i in range(6000)
    ]
    assert all(0 <= value < n for value in values)
    remainders = Counter(value % 3 for value in values)
    assert chisquare([remainders[r] for r in range(3)]).pvalue > 0.001


def test_uniform_is_monotone_in_what_is_drawn_from() -> None:
    """A bag with one tile more mostly gives the same place, at its scale."""
    for i in range(200):
        x, y = (uniform(8, 9, 1, i, 0, n) / n for n in (100, 101))
        assert abs(x - y) < 0.02


def test_uniform_depends_on_all_that_names_it() -> None:
    base = (1, 2, 3, 4, 5)
    outcomes = {uniform(*base, 2**31 - 1)}
    for place in range(5):
        changed = list(base)
        changed[place] += 1
        outcomes.add(uniform(*changed, 2**31 - 1))
    assert len(outcomes) == 6


def test_below_and_unit() -> None:
    own = agent(1, 2, 3, 4)
    found = Counter(below(own, 6) for _ in range(3000))
    assert chisquare([found[i] for i in range(6)]).pvalue > 0.001
    assert all(0 <= unit(own) < 1 for _ in range(1000))
    mean = sum(unit(own) for _ in range(4000)) / 4000
    assert abs(mean - 0.5) < 4 / (12 * 4000) ** 0.5
    assert below(own, 1) == 0


def agent_key(root: tuple[int, int], *place: int) -> tuple[int, ...]:
    own = agent(0, 0, 0, 0)
    seed_agent(own, root, *place)
    return tuple(own.rng)


def chance_key(root: tuple[int, int], replicate: int, arm: int) -> tuple[int, ...]:
    state = SimpleNamespace(chance=[0] * 4)
    seed_chance(state, root, replicate, arm)
    return tuple(state.chance)


def test_every_agent_has_its_own_stream() -> None:
    root = root_key(1)
    places = [
        (replicate, rotation, slot, arm)
        for replicate in (0, 1, 2**32, 2**33 + 1)
        for rotation in range(24)
        for slot in range(4)
        for arm in (0, 1, 2)
    ]
    assert len({agent_key(root, *place) for place in places}) == len(places)
    assert all(sum(agent_key(root, *place)) > 0 for place in places)


def test_chance_has_its_own_streams() -> None:
    keys = {
        chance_key(root_key(seed), r, arm) for seed in (1, 2) for r in range(50) for arm in (0, 1)
    }
    assert len(keys) == 200
    assert len({key[:2] for key in keys} | {key[2:] for key in keys}) == 400
    agents = {agent_key(root_key(1), 0, rotation, 0, 0)[:2] for rotation in range(24)}
    assert not agents & {key[:2] for key in keys}
    assert AGENT_STREAM > 1


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**64, 2**130])
def test_root_keys(seed: int) -> None:
    key = root_key(seed)
    assert all(0 <= word <= MASK for word in key)
    assert key != root_key(seed + 1)


@pytest.mark.jitted
def test_both_modes_draw_the_same() -> None:
    import numba

    fast = build([rng], {}, "jitted", lambda f, keep: numba.njit(error_model="numpy")(f))
    for counter, key, answer in KNOWN:
        assert fast.philox(*key, *counter) == answer
    root = root_key(3)
    for i in range(300):
        n = (2**31 - 1, 3 * 2**29, 7, 1)[i % 4]
        assert fast.uniform(*root, i, 2, 3, n) == uniform(*root, i, 2, 3, n)
    own, other = agent(1, 2, 3, ONES), AGENT.array(1)[0]
    other.rng[:] = own.rng
    for i in range(300):
        assert fast.below(other, 5 + i) == below(own, 5 + i)
        assert fast.unit(other) == unit(own)
    assert other.rng.tolist() == own.rng
