"""Agents as a user would write them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


class Chance:
    """Takes any legal action."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def act(self, view: Any) -> int:
        return self.rng.choice(view.legal_actions)


class Careful(Chance):
    """Looks one action ahead, in a position that may be the real one."""

    def act(self, view: Any) -> int:
        position = view.sample(self.rng)
        best = []
        for action in view.legal_actions[:4]:
            ahead = position.copy()
            ahead.apply(action)
            best.append((ahead.scores()[view.seat], action))
        return max(best)[1]


class UnspeakableError(Exception):
    """Cannot be shown."""

    def __str__(self) -> str:
        raise RuntimeError


class Hidden:
    """Neither a number nor to be shown."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __index__(self) -> int:
        raise KeyError


class Faulty:
    """Goes wrong after some plies."""

    def __init__(self, rng: np.random.Generator, fault: str = "raises", ply: int = 60) -> None:
        self.fault, self.ply = fault, ply
        if fault == "unmade":
            raise OSError("no file")

    def act(self, view: Any) -> Any:
        if view.ply < self.ply:
            return view.legal_actions[-1]
        if self.fault == "raises":
            raise ValueError("this was\nnot foreseen")
        if self.fault == "leaves":
            sys.exit(0)
        if self.fault == "mumbles":
            raise UnspeakableError
        if self.fault == "hides":
            return Hidden()
        return {"none": None, "illegal": 12345678, "text": "pass"}[self.fault]


class Shaky(Chance):
    """Fails in some games, always in the same ones."""

    def act(self, view: Any) -> int:
        if view.ply > 60 and self.rng.random() < 0.03:
            raise ValueError("shaken")
        return super().act(view)


class Never:
    """Cannot be made."""

    def __init__(self, rng: np.random.Generator) -> None:
        raise OSError("no file")  # no file at all

    def act(self, view: Any) -> int:
        return 0


class Sleepy(Chance):
    """Hangs in some games, always in the same ones."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng)
        self.hangs = rng.random() < 0.2

    def act(self, view: Any) -> int:
        while self.hangs and view.ply > 50:
            pass
        return super().act(view)
