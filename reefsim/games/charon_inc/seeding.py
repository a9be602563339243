"""Gems on the moon: the bag and the seeding of regions (CH-1.4 to CH-1.6, CH-6.6)."""

from __future__ import annotations

from reefsim.core.kernel import Record, kernel
from reefsim.core.rng import uniform
from reefsim.core.work import SCRIPT_IMPOSSIBLE, take_script
from reefsim.games.charon_inc.cards import DRAWS_KEY
from reefsim.games.charon_inc.constants import NONE, NUM_ORDINARY, NUM_REGIONS, SEED
from reefsim.games.charon_inc.log import NO_SEAT, log_fact
from reefsim.games.charon_inc.state import REFILL, REPLACE


@kernel
def in_bag(s: Record) -> int:
    """Gems in the bag."""
    total = 0
    for color in range(NUM_ORDINARY):
        total += s.bag[color]
    return total


@kernel
def fill_bag(s: Record, r: Record) -> None:
    """The same number of each ordinary color, as far as the supply goes (CH-1.5, CH-1.6a)."""
    for color in range(NUM_ORDINARY):
        n = min(r.bag, s.supply[color])
        s.supply[color] -= n
        s.bag[color] += n


@kernel
def empty_bag(s: Record) -> None:
    """Gems left in the bag return to the supply (CH-1.5)."""
    for color in range(NUM_ORDINARY):
        s.supply[color] += s.bag[color]
        s.bag[color] = 0


@kernel
def draw_gem(s: Record, w: Record, region: int) -> int:
    """The color of a gem drawn from the bag for a region, each gem as likely (CH-1.5)."""
    color = 0
    if w.scripted:
        color = take_script(w)
        if not 0 <= color < NUM_ORDINARY or s.bag[color] == 0:
            if w.fault == 0:
                w.fault = SCRIPT_IMPOSSIBLE
            color = 0
            while s.bag[color] == 0:
                color += 1
    else:
        k0, k1 = s.chance[DRAWS_KEY], s.chance[DRAWS_KEY + 1]
        n = uniform(k0, k1, SEED, s.round_number, region, in_bag(s))
        while n >= s.bag[color]:
            n -= s.bag[color]
            color += 1
    s.bag[color] -= 1
    return color


@kernel
def add_gems(s: Record, region: int, color: int, wanted: int) -> None:
    """Put gems of a color from the supply on a region, as far as they reach (CH-1.6)."""
    n = min(wanted, s.supply[color])
    s.supply[color] -= n
    s.gems[region] += n


@kernel
def seed_moon(s: Record, r: Record, w: Record, log: list[int]) -> None:
    """Seed the regions in play that hold no gem, in their order (CH-1.5, CH-6.6, CH-6.6a)."""
    bare = 0
    for region in range(NUM_REGIONS):
        if r.reseed == REPLACE and s.gems[region] > 0:
            s.supply[s.gem_color[region]] += s.gems[region]
            s.gem_color[region] = NONE
            s.gems[region] = 0
        if (r.in_play >> region) & 1 and s.gems[region] == 0:
            bare += 1
    if bare > 0 and not r.carry_over:
        fill_bag(s, r)
    for region in range(NUM_REGIONS):
        if (r.in_play >> region) & 1 == 0:
            continue
        if s.gems[region] > 0:
            if r.reseed == REFILL:
                add_gems(s, region, s.gem_color[region], r.slots[region] - s.gems[region])
            continue
        if r.carry_over and in_bag(s) == 0:
            fill_bag(s, r)
        if in_bag(s) == 0:
            continue
        color = draw_gem(s, w, region)
        s.gem_color[region] = color
        s.gems[region] = 1
        add_gems(s, region, color, r.slots[region] - 1)
        log_fact(s, w, log, SEED, NO_SEAT, color, region << 2 | s.gems[region])
    if not r.carry_over:
        empty_bag(s)
