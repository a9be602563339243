"""A few looks, planned beforehand: group sequential bounds, and what careless peeking costs.

After each of K equal parts of the games, z is compared with a bound; the chance that a fair game
ever crosses is kept by making the bounds wider than 1.96.

References
----------
Armitage, McPherson & Rowe (1969) for the recursion; Pocock (1977); O'Brien & Fleming (1979);
Jennison & Turnbull (2000), chapters 2 and 19.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from reefsim.stats.checks import FloatArray, choice, inside, number_of, numbers, whole

_NODES = 128  # of the integral at each look; enough for 200 looks
_ROOT = math.sqrt(2 * math.pi)


class LookBounds(NamedTuple):
    """Bound of abs(z) at each look, and the constant they are made of."""

    bounds: tuple[float, ...]
    constant: float


def look_bounds(looks: int, kind: str = "pocock", alpha: float = 0.05) -> LookBounds:
    """Bounds of abs(z) for equally spaced looks, with two-sided error `alpha` over all of them.

    Parameters
    ----------
    looks : number of looks, 1 to 200
    kind : 'pocock', the same bound c at each look; 'obrien_fleming', c sqrt(looks / k) at look k,
        which is strict early and leaves the last look almost as it was
    alpha : chance that a fair game ever crosses

    Returns
    -------
    LookBounds
        bounds, constant.

    Examples
    --------
    >>> round(look_bounds(5, "pocock").constant, 3), round(look_bounds(5, "obrien_fleming")[1], 3)
    (2.413, 2.04)
    """
    looks = whole("looks", looks, 1, 200)
    alpha = inside("alpha", alpha)
    choice("kind", kind, ("pocock", "obrien_fleming"))
    look = np.arange(1, looks + 1)
    shape = np.ones(looks) if kind == "pocock" else np.sqrt(looks / look)
    constant = brentq(lambda c: crossing_chance(c * shape) - alpha, 1e-3, 12.0, xtol=1e-9)
    return LookBounds(tuple(float(b) for b in constant * shape), float(constant))


def crossing_chance(bounds: Any, drift: float = 0.0) -> float:
    """Chance that abs(z) reaches its bound at one of several equally spaced looks.

    Parameters
    ----------
    bounds : bound of abs(z) at each look, above 0
    drift : mean of z at the first look: 0 for a fair game, else the chance is the power

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    Five looks at 1.96 are wrong in 14 % of fair games:

    >>> round(crossing_chance([1.96] * 5), 3)
    0.142
    """
    levels = numbers("bounds", bounds, low=0)
    drift = number_of("drift", drift)
    nodes, weights = _quadrature()
    # the sum of the parts, z sqrt(k), moves by a standard normal step between looks
    density, places = np.ones(1), np.zeros(1)
    for look, level in enumerate(levels, start=1):
        edge = level * math.sqrt(look)
        here = edge * nodes
        steps = np.exp(-0.5 * (here[:, None] - places[None, :] - drift) ** 2) / _ROOT
        density, places = (steps @ density) * edge * weights, here
    return float(min(1.0, max(0.0, 1 - density.sum())))


@functools.cache
def _quadrature() -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights
