"""Random numbers that are the same in both modes, on every machine, at any degree of parallelism.

Two published generators, in 32-bit arithmetic held in int64:

* chance is *counter based* (Philox4x32-10, Salmon et al. 2011): an outcome is a function of the key
  (experiment seed, replicate, stream) and of what is drawn (purpose, turn, place). There is no
  sequence to fall out of step, so two rulesets that draw different numbers of things still meet the
  same numbers wherever the same thing is drawn: common random numbers without bookkeeping.
* agents use a *sequential* generator (xoshiro128++, Blackman & Vigna 2021), one per seat, keyed by
  (experiment seed, replicate, rotation, slot).
"""

from __future__ import annotations

import numpy as np

from reefsim.core.kernel import Record, inlined, kernel

MASK = 0xFFFFFFFF
SETUP_STREAM, DRAWS_STREAM, AGENT_STREAM = 0, 1, 2


def root_key(seed: int) -> tuple[int, int]:
    """Two 32-bit words that stand for an experiment's seed (any int >= 0)."""
    first, second = np.random.SeedSequence(seed).generate_state(2).tolist()
    return first, second


@kernel
def philox(k0: int, k1: int, c0: int, c1: int, c2: int, c3: int) -> tuple[int, int, int, int]:
    """Philox4x32-10: four 32-bit words from a key and a counter of 32-bit words."""
    for _ in range(10):
        # A product may exceed int64 in jitted mode; its wrapped bits, masked, are still right.
        p0 = c0 * 0xD2511F53
        p1 = c2 * 0xCD9E8D57
        c0, c1, c2, c3 = (
            ((p1 >> 32) & MASK) ^ c1 ^ k0,
            p1 & MASK,
            ((p0 >> 32) & MASK) ^ c3 ^ k1,
            p0 & MASK,
        )
        k0 = (k0 + 0x9E3779B9) & MASK
        k1 = (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


@kernel
def uniform(k0: int, k1: int, purpose: int, i: int, j: int, n: int) -> int:
    """An exactly uniform int in 0..n-1 (1 <= n < 2**31) for the thing named (purpose, i, j).

    It is monotone in the underlying word, so slightly different `n` give mostly the same outcome.
    """
    attempt = 0
    while True:
        x, y, z, t = philox(k0, k1, purpose, i, j, attempt)
        for word in (x, y, z, t):
            product = word * n
            if (product & MASK) >= ((MASK + 1) % n):  # Lemire 2019
                return product >> 32
        attempt += 1


@kernel
def seed_agent(
    agent: Record, root: Record, replicate: int, rotation: int, slot: int, arm: int
) -> None:
    """Start the generator of an agent; `arm` is 0 where arms share their random numbers."""
    x, y, z, t = philox(
        root[0],
        root[1],
        replicate & MASK,
        replicate >> 32,
        AGENT_STREAM + (arm << 8),
        rotation << 8 | slot,
    )
    agent.rng[0] = x
    agent.rng[1] = y
    agent.rng[2] = z
    agent.rng[3] = t | 1  # never all zero


@kernel
def seed_chance(state: Record, root: Record, replicate: int, arm: int) -> None:
    """Key the chance streams of a game; `arm` is 0 where arms share their random numbers."""
    for stream in range(2):
        x, y, _, _ = philox(
            root[0], root[1], replicate & MASK, replicate >> 32, stream + (arm << 8), 0
        )
        state.chance[2 * stream] = x
        state.chance[2 * stream + 1] = y


@inlined
def next_word(agent: Record) -> int:
    """The next 32 random bits of an agent."""
    s0, s1, s2, s3 = agent.rng[0], agent.rng[1], agent.rng[2], agent.rng[3]
    x = (s0 + s3) & MASK
    result = ((((x << 7) | (x >> 25)) & MASK) + s0) & MASK
    t = (s1 << 9) & MASK
    s2 ^= s0
    s3 ^= s1
    agent.rng[1] = s1 ^ s2
    agent.rng[0] = s0 ^ s3
    agent.rng[2] = s2 ^ t
    agent.rng[3] = ((s3 << 11) | (s3 >> 21)) & MASK
    return result


@inlined
def below(agent: Record, n: int) -> int:
    """A uniform int in 0..n-1 (1 <= n < 2**31) from an agent's own generator."""
    product = next_word(agent) * n
    low = product & MASK
    if low < n:
        threshold = (MASK + 1) % n
        while low < threshold:
            product = next_word(agent) * n
            low = product & MASK
    return product >> 32


@kernel
def unit(agent: Record) -> float:
    """A uniform float in [0, 1) from an agent's own generator."""
    return next_word(agent) / 4294967296.0
